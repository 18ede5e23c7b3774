/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: what a recorded job reads from its port, and the lines of its actions. The
 * first byte says whether keys are needed, the second where what comes is cut in two.
 *
 * However a request arrives it is answered alike: with a length and as many bytes, or not at all.
 */
#include "config.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "kymo-act-line.h"
#include "kymo-live-ccs.h"

#define MOST_ANSWER (64 << 10)

/** kymo_rec_monotonic_ns: the only part of the recorder that the port needs */
uint64_t kymo_rec_monotonic_ns (void);

uint64_t
kymo_rec_monotonic_ns (void)
{
  return 1;
}

static KymoLiveStore store;
static KymoLiveKeys keys;

/* A block, so that there is something to be asked for. */
static void
fill_store (void)
{
  g_autofree KymoLiveMerge *merge = g_new0 (KymoLiveMerge, 1);
  KymoLiveNames names;

  fuzz_require (kymo_live_names_init (&names) && kymo_live_store_init (&store, 4));
  kymo_live_merge_init (merge, 0);
  merge->weight = merge->head.n_processes = 4;
  kymo_live_merge_share (merge, &names, 7, kymo_live_names_add (&names, "solve", 5, 0), 1000);
  kymo_live_head_scalar (&merge->head, 0, 2, 500000);
  kymo_live_store_add (&store, merge, &names);
  kymo_live_names_clear (&names);
  keys.has_key[0] = true;
}

/* Sends the bytes in two pieces. Returns how many came back. */
static gsize
ask_port (const guint8 *data,
          gsize         size,
          gsize         cut,
          gboolean      with_keys,
          guint8       *answer)
{
  static KymoLiveCcs ccs;
  gssize n, n_answer = 0;
  int ends[2];

  memset (store.next, 0, sizeof store.next);
  fuzz_require (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  kymo_live_ccs_init (&ccs, &store, with_keys ? &keys : NULL, -1);
  ccs.clients[0].fd = ends[0];
  ccs.clients[0].state = KYMO_LIVE_ASKING;
  for (guint piece = 0; piece < 2; piece++)
    {
      gsize from = piece == 0 ? 0 : cut, n_bytes = piece == 0 ? cut : size - cut;

      if (n_bytes > 0)
        n = send (ends[1], data + from, n_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
      kymo_live_ccs_work (&ccs, piece);
      kymo_live_ccs_work (&ccs, piece);
    }
  kymo_live_ccs_clear (&ccs);
  while (n_answer < MOST_ANSWER
         && (n = recv (ends[1], answer + n_answer, MOST_ANSWER - n_answer, MSG_DONTWAIT)) > 0)
    n_answer += n;
  close (ends[1]);
  return n_answer;
}

static void
check_port (const guint8 *data,
            gsize         size,
            gsize         cut,
            gboolean      with_keys)
{
  g_autofree guint8 *one = g_malloc (MOST_ANSWER), *two = g_malloc (MOST_ANSWER);
  gsize n = ask_port (data, size, cut, with_keys, one);

  /* A challenge is another each time. */
  if (with_keys)
    return;
  fuzz_require (n == 0 || (n >= 4 && kymo_live_get_32 (one) == n - 4));
  fuzz_require (ask_port (data, size, size, FALSE, two) == n && memcmp (one, two, n) == 0);
}

static void
check_values (const char *text)
{
  guint8 set[128] = { 0 };
  guint32 n_ranks;
  gint64 integer;
  double real;

  if (kymo_act_parse_ranks (text, 1000, set, &n_ranks))
    {
      guint n = 0;

      for (guint i = 0; i < 1000; i++)
        n += (set[i / 8] >> (i % 8)) & 1;
      fuzz_require (n_ranks > 0 && n == n_ranks);
    }
  if (kymo_act_parse_integer (text, -5, 1000, &integer))
    fuzz_require (integer >= -5 && integer <= 1000);
  if (kymo_act_parse_real (text, 0, 0.5, &real))
    fuzz_require (real >= 0 && real <= 0.5);
}

static void
check_order (const guint8 *data,
             gsize         size)
{
  g_autofree char *line = g_malloc (size + 1);
  char *fields[KYMO_ACT_MOST_FIELDS + 1] = { NULL };
  int n;

  memcpy (line, data, size);
  line[size] = '\0';
  n = kymo_act_line_split (line, size, fields);
  fuzz_require (n <= KYMO_ACT_MOST_FIELDS);
  for (int i = 0; i < n; i++)
    {
      fuzz_require (fields[i] >= line && fields[i] + strlen (fields[i]) <= line + size);
      check_values (fields[i]);
    }
  if (n > 0)
    kymo_act_line_value (fields, n, "for");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size < 2)
    return 0;
  if (store.kept == NULL)
    fill_store ();
  check_port (data + 2, size - 2, MIN (data[1], size - 2), data[0] & 1);
  if (size - 2 <= KYMO_ACT_MOST_LINE)
    check_order (data + 2, size - 2);
  return 0;
}
