/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-serve.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "kymo-live-file.h"
#include "kymo-live.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define BACKLOG 64
#define SECOND_NS 1000000000
#define FOLLOWS_NS 3000000000u          /* a client that asked since then follows the stream */

static KymoLiveStore store;
static KymoLiveKeys keys;
static KymoLiveCcs ccs = { .fd = -1 };
static KymoLiveFile file = { .fd = -1 };
static uint32_t n_names_told;
static bool started, cannot_record;
static char served_at[160];       /* HOST:PORT; empty: there is no port */

/* A socket at a port, 0 = any. Only with keys it is open to other hosts. */
static int
open_port (uint16_t  port,
           bool      has_keys,
           uint16_t *opened)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (port) };
  socklen_t length = sizeof address;
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;

  address.sin_addr.s_addr = htonl (has_keys ? INADDR_ANY : INADDR_LOOPBACK);
  if (fd < 0)
    return -1;
  /* The port of a run that has just ended is free. */
  setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind (fd, (struct sockaddr *) &address, sizeof address) == 0 && listen (fd, BACKLOG) == 0
      && getsockname (fd, (struct sockaddr *) &address, &length) == 0)
    {
      *opened = ntohs (address.sin_port);
      return fd;
    }
  int code = errno;
  kymo_sys_close (fd);
  errno = code;
  return -1;
}

static int
open_some_port (bool      has_keys,
                uint16_t *opened)
{
  uint16_t wanted = kymo_rec_options ()->live_port;
  char sentence[256], words[128];
  int fd = open_port (wanted, has_keys, opened);

  if (fd >= 0 || wanted == 0)
    return fd;
  const char *why = strerror_r (errno, words, sizeof words);
  fd = open_port (0, has_keys, opened);
  if (fd >= 0)
    {
      snprintf (sentence, sizeof sentence, "port %u of --live cannot be opened (%s); the live view "
                "is at port %u", wanted, why, *opened);
      kymo_rec_say (sentence);
    }
  return fd;
}

static void
tell_address (uint16_t port,
              bool     has_keys)
{
  char host[128] = "127.0.0.1";
  int fd = has_keys ? kymo_sys_open ("/proc/sys/kernel/hostname", O_RDONLY, 0) : -1;
  long n = fd >= 0 ? kymo_sys_read (fd, host, sizeof host - 1) : 0;

  if (fd >= 0)
    kymo_sys_close (fd);
  if (n > 0)
    host[n > 0 && host[n - 1] == '\n' ? n - 1 : n] = '\0';
  snprintf (served_at, sizeof served_at, "%s:%u", host, port);
  if (!kymo_live_file_address (&file, served_at))
    kymo_rec_say ("live.address cannot be written into the folder of the run");
}

static void
begin_recording (uint32_t n_processes)
{
  char form[512];
  const uint16_t one = 1;

  cannot_record = !kymo_live_file_open (&file, kymo_rec_folder (), KYMO_REC_VERSION);
  if (cannot_record)
    {
      kymo_rec_say ("the stream of the live view cannot be stored in the folder of the run");
      return;
    }
  snprintf (form, sizeof form, "handler: CkPerfSumDetail compressed\nbyte-order: %s\npes: %u\n"
            "processes: %u\nword-bits: %u\nrecorder: %u\nclient: kymo-record %s\n",
            *(const uint8_t *) &one == 1 ? "little" : "big", n_processes, n_processes,
            (unsigned) sizeof (void *) * 8, KYMO_LIVE_PROTOCOL, KYMO_REC_VERSION);
  kymo_live_file_frame (&file, KYMO_LIVE_FRAME_FORM, 0, form, strlen (form));
}

/**
 * kymo_live_serve_start: opens the port and the recording.
 * @n_processes: of the job
 */
void
kymo_live_serve_start (uint32_t n_processes)
{
  const char *key_file = kymo_rec_options ()->live_key;
  bool has_keys = key_file[0] != '\0';
  uint16_t port = 0;
  int fd = -1;

  if (!kymo_live_store_init (&store, n_processes))
    return;
  begin_recording (n_processes);
  if (has_keys && !kymo_live_keys_read (&keys, key_file))
    kymo_rec_say ("the file of --live-key has no line 'LEVEL KEY': there is no live view");
  else
    {
      fd = open_some_port (has_keys, &port);
      if (fd < 0)
        kymo_rec_say ("no port can be opened: there is no live view");
    }
  kymo_live_ccs_init (&ccs, &store, has_keys ? &keys : NULL, fd);
  if (fd >= 0)
    tell_address (port, has_keys);
  started = true;
}

/**
 * kymo_live_serve_block: a second of the job is closed.
 */
void
kymo_live_serve_block (const KymoLiveMerge *merge,
                       const KymoLiveNames *names)
{
  char text[8192];

  if (!started)
    return;
  const KymoLiveKept *kept = kymo_live_store_add (&store, merge, names);
  if (kept == NULL)
    return;
  if (n_names_told != names->n)
    {
      kymo_live_file_names (&file, store.sts, store.n_sts);
      n_names_told = names->n;
    }
  int64_t begin_ns = (int64_t) merge->head.number * SECOND_NS;
  size_t n = kymo_live_store_scalars (&store, &kept->head, text, sizeof text);
  kymo_live_file_frame (&file, KYMO_LIVE_FRAME_VALUES, begin_ns, text, n);
  kymo_live_file_frame (&file, KYMO_LIVE_FRAME_REPLY, begin_ns, kept->bytes, kept->n_bytes);
}

/**
 * kymo_live_address: on the helper thread of rank 0: HOST:PORT at which the stream is served; empty
 * if there is no port. Static.
 */
const char *
kymo_live_address (void)
{
  return served_at;
}

/**
 * kymo_live_extreme: on the helper thread of rank 0: who had least or most to compute in the last
 * second of the stream that is over.
 * @busiest: most rather than least
 * @n: how many are wanted
 * @ranks: (out): @n of them at most, the first one first
 *
 * Returns: how many there are
 */
uint32_t
kymo_live_extreme (bool      busiest,
                   uint32_t  n,
                   uint32_t *ranks)
{
  uint32_t n_found = 0;

  if (!started || store.n_blocks == 0)
    return 0;
  const KymoLiveKept *kept = &store.kept[(store.n_blocks - 1) % KYMO_LIVE_KEPT];
  const KymoLiveExtreme *list = busiest ? kept->head.busiest : kept->head.idlest;
  while (n_found < n && n_found < kept->head.n_extreme && n_found < KYMO_LIVE_N_EXTREME)
    {
      ranks[n_found] = list[n_found].rank;
      n_found++;
    }
  return n_found;
}

/**
 * kymo_live_serve_poll:
 * @fds: (out): KYMO_LIVE_SERVE_FDS entries
 *
 * Returns: how many descriptors there are to wait for
 */
unsigned
kymo_live_serve_poll (struct pollfd *fds)
{
  return started ? kymo_live_ccs_poll (&ccs, fds) : 0;
}

/**
 * kymo_live_serve_work: answers clients.
 */
void
kymo_live_serve_work (void)
{
  if (started)
    kymo_live_ccs_work (&ccs, kymo_rec_monotonic_ns ());
}

/**
 * kymo_live_serve_is_wanted: whether a client follows the stream and has not got all of it.
 */
bool
kymo_live_serve_is_wanted (void)
{
  return started && ccs.asked_ns != 0 && kymo_rec_monotonic_ns () - ccs.asked_ns < FOLLOWS_NS
         && kymo_live_store_is_wanted (&store);
}

/**
 * kymo_live_serve_end: closes the port, ends the recording.
 */
void
kymo_live_serve_end (void)
{
  if (!started)
    return;
  started = false;
  kymo_live_ccs_clear (&ccs);
  kymo_live_file_end (&file, "The program has ended", (int64_t) store.n_blocks * SECOND_NS);
  kymo_live_store_clear (&store);
}
