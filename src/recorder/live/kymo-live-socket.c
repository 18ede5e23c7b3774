/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Within a node: unix sockets with names of the kernel's (abstract ones), which leave no files.
 * Between nodes: TCP on the address of KYMO_RECORD_INTERFACE, or else of the first interface that
 * leads out of the machine.
 */
#include "kymo-live-socket.h"

#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define BACKLOG 64
#define MOST_INTERFACES 32
#define REACH_MS 2000
/* A host that is silent that long is gone: asked after 10 s, and then every 5 s. */
#define SILENT_MS 25000u

/**
 * kymo_live_random: fills memory with bytes that nobody can guess. Ends nothing if the kernel has
 * none: the clock and the process are mixed then.
 */
void
kymo_live_random (void   *bytes,
                  size_t  n_bytes)
{
  uint64_t mixed = kymo_rec_monotonic_ns () * 0x9e3779b97f4a7c15u ^ (uintptr_t) &bytes;

  if (getrandom (bytes, n_bytes, 0) == (ssize_t) n_bytes)
    return;
  for (size_t i = 0; i < n_bytes; i++)
    {
      mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9u + (uint64_t) getpid ();
      ((uint8_t *) bytes)[i] = (uint8_t) (mixed >> 56);
    }
}

static socklen_t
name_address (struct sockaddr_un *address,
              const char         *name)
{
  memset (address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  size_t length = strlen (name);
  if (length > sizeof address->sun_path - 1)
    length = sizeof address->sun_path - 1;
  memcpy (address->sun_path + 1, name, length);
  return (socklen_t) (offsetof (struct sockaddr_un, sun_path) + 1 + length);
}

/* A unix socket under a name of its own, which is written to `name`. */
static int
bind_name (int         type,
           const char *prefix,
           char       *name,
           size_t      room)
{
  struct sockaddr_un address;
  uint64_t number;
  int fd = socket (AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  kymo_live_random (&number, sizeof number);
  snprintf (name, room, "kymo-%s-%016llx", prefix, (unsigned long long) number);
  socklen_t length = name_address (&address, name);
  if (fd >= 0 && bind (fd, (struct sockaddr *) &address, length) == 0)
    return fd;
  if (fd >= 0)
    kymo_sys_close (fd);
  name[0] = '\0';
  return -1;
}

/**
 * kymo_live_listen_near: opens a socket for processes of the same node.
 * @card: (inout): gets its name
 *
 * Returns: the socket, or -1
 */
int
kymo_live_listen_near (KymoLiveCard *card)
{
  int fd = bind_name (SOCK_STREAM, "live", card->socket_name, sizeof card->socket_name);

  if (fd >= 0 && listen (fd, BACKLOG) == 0)
    return fd;
  if (fd >= 0)
    kymo_sys_close (fd);
  card->socket_name[0] = '\0';
  return -1;
}

/* Whether an interface leads to other machines rather than to containers of this one. */
static bool
leads_out (int          fd,
           struct ifreq interface)
{
  static const char *const inner[] = { "lo", "docker", "veth", "virbr", "br-", "cni", "lxc" };

  for (unsigned i = 0; i < sizeof inner / sizeof *inner; i++)
    if (strncmp (interface.ifr_name, inner[i], strlen (inner[i])) == 0)
      return false;
  return ioctl (fd, SIOCGIFFLAGS, &interface) == 0 && (interface.ifr_flags & IFF_UP) != 0
         && (interface.ifr_flags & IFF_LOOPBACK) == 0;
}

/* The address under which other nodes reach this one; that of the machine itself if there is no
 * other, or a test pretends that there are several nodes here. */
static struct in_addr
find_address (int fd)
{
  struct ifreq interfaces[MOST_INTERFACES];
  struct ifconf list = { .ifc_len = sizeof interfaces, .ifc_req = interfaces };
  const char *wanted = getenv ("KYMO_RECORD_INTERFACE");
  struct in_addr found = { htonl (INADDR_LOOPBACK) };

  if (getenv ("KYMO_RECORD_TEST_NODES") != NULL || ioctl (fd, SIOCGIFCONF, &list) != 0)
    return found;
  for (size_t i = 0; i < (size_t) list.ifc_len / sizeof *interfaces; i++)
    {
      if (interfaces[i].ifr_addr.sa_family != AF_INET
          || (wanted != NULL ? strncmp (interfaces[i].ifr_name, wanted, IFNAMSIZ) != 0
                             : !leads_out (fd, interfaces[i])))
        continue;
      struct sockaddr_in address;
      memcpy (&address, &interfaces[i].ifr_addr, sizeof address);
      return address.sin_addr;
    }
  return found;
}

/* The kernel asks whether the other host is still there; accepted sockets take this over. */
static void
watch_line (int fd)
{
  const int yes = 1, idle_s = 10, pause_s = 5, n_times = 3;
  const unsigned silent_ms = SILENT_MS;

  setsockopt (fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPINTVL, &pause_s, sizeof pause_s);
  setsockopt (fd, IPPROTO_TCP, TCP_KEEPCNT, &n_times, sizeof n_times);
  setsockopt (fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silent_ms, sizeof silent_ms);
}

/**
 * kymo_live_listen_far: opens a port for processes of other nodes.
 * @card: (inout): gets address and port
 *
 * Returns: the socket, or -1
 */
int
kymo_live_listen_far (KymoLiveCard *card)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  if (fd < 0)
    return -1;
  watch_line (fd);
  address.sin_addr = find_address (fd);
  if (bind (fd, (struct sockaddr *) &address, sizeof address) != 0 || listen (fd, BACKLOG) != 0
      || getsockname (fd, (struct sockaddr *) &address, &length) != 0)
    {
      kymo_sys_close (fd);
      return -1;
    }
  memcpy (card->address, &address.sin_addr, sizeof card->address);
  card->port = ntohs (address.sin_port);
  return fd;
}

/**
 * kymo_live_reach: connects to another process; waits at most two seconds.
 * @card: of that process
 * @far: it is on another node
 *
 * Returns: a socket that does not block, or -1
 */
int
kymo_live_reach (const KymoLiveCard *card,
                 bool                far)
{
  struct sockaddr_un near_address;
  struct sockaddr_in far_address = { .sin_family = AF_INET, .sin_port = htons (card->port) };
  struct sockaddr *address = far ? (struct sockaddr *) &far_address
                                 : (struct sockaddr *) &near_address;
  socklen_t length = far ? (socklen_t) sizeof far_address
                         : name_address (&near_address, card->socket_name);
  int fd = socket (far ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  memcpy (&far_address.sin_addr, card->address, sizeof card->address);
  if (fd < 0)
    return -1;
  if (far)
    watch_line (fd);
  for (int left_ms = REACH_MS; left_ms > 0; left_ms -= 20)
    {
      if (connect (fd, address, length) == 0 || errno == EISCONN)
        return fd;
      /* A unix socket whose queue is full says EAGAIN, and cannot be polled for. */
      if (errno != EINPROGRESS && errno != EALREADY && errno != EAGAIN)
        break;
      struct pollfd wait = { errno == EAGAIN ? -1 : fd, POLLOUT, 0 };
      poll (&wait, 1, 20);
    }
  kymo_sys_close (fd);
  return -1;
}

/**
 * kymo_live_open_bell: opens a socket by which other threads of the process, which have another
 * table of descriptors, wake the helper out of poll().
 * @name: (out): for kymo_live_ring_bell()
 *
 * Returns: the socket, or -1
 */
int
kymo_live_open_bell (char   *name,
                     size_t  room)
{
  return bind_name (SOCK_DGRAM, "bell", name, room);
}

/**
 * kymo_live_ring_bell: wakes the helper whose bell has that name.
 */
void
kymo_live_ring_bell (const char *name)
{
  struct sockaddr_un address;
  socklen_t length = name_address (&address, name);
  int fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  if (fd < 0)
    return;
  sendto (fd, "", 1, MSG_NOSIGNAL, (struct sockaddr *) &address, length);
  kymo_sys_close (fd);
}

/**
 * kymo_live_silence_bell: takes what has come by the bell.
 */
void
kymo_live_silence_bell (int fd)
{
  char byte;

  for (int i = 0; i < 64 && recv (fd, &byte, 1, MSG_DONTWAIT) >= 0; i++)
    ;
}

static uint64_t
hash_file (uint64_t    hash,
           const char *path)
{
  char text[256];
  int fd = kymo_sys_open (path, O_RDONLY, 0);
  long n = fd >= 0 ? kymo_sys_read (fd, text, sizeof text) : 0;

  if (fd >= 0)
    kymo_sys_close (fd);
  for (long i = 0; i < n; i++)
    hash = (hash ^ (unsigned char) text[i]) * 0x100000001b3u;
  return hash;
}

/**
 * kymo_live_node_key: a number that is equal in processes which can use unix sockets of each
 * other: the same kernel and the same network name space.
 */
uint64_t
kymo_live_node_key (void)
{
  uint64_t hash = hash_file (0xcbf29ce484222325u, "/proc/sys/kernel/random/boot_id");
  struct stat space;

  hash = hash_file (hash, "/proc/sys/kernel/hostname");
  if (kymo_sys_stat ("/proc/self/ns/net", &space, 0))
    hash = (hash ^ space.st_ino) * 0x100000001b3u;
  if (getenv ("KYMO_RECORD_TEST_NODES") != NULL)
    hash = (hash ^ (uint64_t) getpid ()) * 0x100000001b3u;
  return hash;
}
