/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session of any length in the inside of a feed, without waiting for its
 * seconds: blocks of a made-up program go through store, ring, watch and
 * snapshots as in the window. Tells memory and CPU time of a block along the
 * way, and what the window's questions cost. By hand:
 *
 *   kymo-bench-feed [--blocks 604800] [--records 4] [--entries 40]
 *
 * and as a small test with --check: memory must not grow from half way to the
 * end, nor the cost of a block.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kymo-feed-private.h"

#define N_BINS 1000
#define N_KINDS 64              /* of blocks that differ */
#define S_NS G_GINT64_CONSTANT (1000000000)

static int n_blocks = 604800;
static int n_records = 4;
static int n_entries = 40;
static gint64 budget_bytes;
static gboolean check;

static const GOptionEntry options[] = {
  { "blocks", 0, 0, G_OPTION_ARG_INT, &n_blocks, "seconds of the session", "N" },
  { "records", 0, 0, G_OPTION_ARG_INT, &n_records, "records a bin", "N" },
  { "entries", 0, 0, G_OPTION_ARG_INT, &n_entries, "entry methods", "N" },
  { "budget", 0, 0, G_OPTION_ARG_INT64, &budget_bytes, "bytes of bins, 0 = the default", "N" },
  { "check", 0, 0, G_OPTION_ARG_NONE, &check, "fail where cost or memory grow", NULL },
  { NULL }
};

static double
get_cpu_s (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static gint64
get_resident_bytes (void)
{
  g_autofree char *text = NULL;
  gint64 total = 0, resident = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &total, &resident);
  return resident * sysconf (_SC_PAGESIZE);
}

static void
put (GByteArray *bytes,
     guint32     value,
     guint       n)
{
  guint32 little = GUINT32_TO_LE (value);

  g_byte_array_append (bytes, (guint8 *) &little, n);
}

/* Distinct entries in ascending order, most of them 10 % and more, as what is
   less is told as others. */
static GByteArray *
make_payload (GRand *random)
{
  GByteArray *bytes = g_byte_array_new ();

  put (bytes, N_BINS, 4);
  put (bytes, 4, 4);
  for (guint bin = 0; bin < N_BINS; bin++)
    {
      guint n = MIN (g_rand_int_range (random, n_records / 2, n_records * 3 / 2 + 1), n_entries);
      guint step = n_entries / MAX (n, 1);

      put (bytes, n, 2);
      for (guint i = 0; i < n; i++)
        {
          put (bytes, i * step + g_rand_int_range (random, 0, step), 2);
          put (bytes, MAX (1, 250 / MAX (n, 1) - g_rand_int_range (random, 0, 20)), 1);
        }
    }
  return bytes;
}

static void
set_conditions (KymoFeedWork *work)
{
  static const char *const texts[] = { "below 1% for 60s", "above 99% for 10s", "silent 10s" };
  g_autoptr (GPtrArray) conditions =
    g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_condition_free);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_ptr_array_add (conditions, kymo_condition_parse (texts[i], NULL));
  kymo_feed_work_set_conditions (work, conditions);
}

static void
take_block (KymoFeedWork     *work,
            const GByteArray *payload,
            gint64            number)
{
  g_autoptr (GBytes) bytes = g_bytes_new (payload->data, payload->len);
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new (KYMO_FRAME_REPLY,
                                                             number * G_USEC_PER_SEC, bytes);

  kymo_feed_work_take (work, frame);
  kymo_feed_work_publish_now (work);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* CPU seconds of a question. */
static double
ask (KymoFeedWork *work,
     const char   *kind,
     KymoSpan      span)
{
  double begin = get_cpu_s ();
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, 1000, 1);
  answer = kymo_source_ask (KYMO_SOURCE (work->core->source), question, NULL, NULL);
  g_assert (answer != NULL);
  return get_cpu_s () - begin;
}

static void
tell (KymoFeedWork *work,
      gint64        at,
      double        block_s)
{
  gint64 end_ns = kymo_stream_store_get_end_ns (work->store);
  KymoSpan last = { end_ns - 10 * S_NS, end_ns };

  printf ("%9" G_GINT64_FORMAT "  %8.1f MiB  %8.1f MiB  %7.1f us  %7.2f ms  %7.2f ms  %7.2f ms\n",
          at, get_resident_bytes () / 1048576.0,
          kymo_stream_store_get_bytes (work->store) / 1048576.0, block_s * 1e6,
          ask (work, "time-profile", last) * 1e3, ask (work, "time-profile", KYMO_SPAN_ALL) * 1e3,
          ask (work, "busiest", KYMO_SPAN_ALL) * 1e3);
  fflush (stdout);
}

/* Whether the second half cost no more than the first. */
static gboolean
follow (KymoFeedWork *work)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) payloads = g_ptr_array_new_with_free_func ((GDestroyNotify)
                                                                   g_byte_array_unref);
  gint64 half_bytes = 0, step = MAX (n_blocks / 20, 1);
  double half_s = 0, begin_s = get_cpu_s (), mark_s = begin_s;

  for (guint i = 0; i < N_KINDS; i++)
    g_ptr_array_add (payloads, make_payload (random));
  printf ("   blocks      memory        bins   CPU/block  last 10 s   all time    busiest\n");
  for (gint64 i = 1; i <= n_blocks; i++)
    {
      take_block (work, payloads->pdata[g_rand_int_range (random, 0, N_KINDS)], i);
      if (i == n_blocks / 2)
        {
          half_bytes = get_resident_bytes ();
          half_s = get_cpu_s () - begin_s;
        }
      if (i % step == 0 || i == 100)
        {
          tell (work, i, (get_cpu_s () - mark_s) / (i == 100 ? 100 : step));
          mark_s = get_cpu_s ();
        }
    }
  return get_resident_bytes () < half_bytes * 1.15
    && get_cpu_s () - begin_s - half_s < 2 * half_s + 1;
}

static void
take_form (KymoFeedWork *work)
{
  const KymoStreamForm form = { KYMO_STREAM_DETAIL, FALSE, 4 };
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new_form (1, &form, NULL);

  kymo_feed_work_take (work, frame);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  KymoCcsTarget *target = kymo_ccs_target_parse ("localhost:1", NULL, NULL, NULL);
  KymoFeedCore *core = kymo_feed_core_new (target, NULL);
  gboolean bounded;

  kymo_ccs_target_free (target);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  core->budget_bytes = budget_bytes;
  g_main_context_push_thread_default (core->context);
  core->work = kymo_feed_work_new (core);
  set_conditions (core->work);
  take_form (core->work);
  bounded = follow (core->work);
  g_clear_pointer (&core->work, kymo_feed_work_free);
  g_main_context_pop_thread_default (core->context);
  kymo_feed_core_unref (core);
  printf ("%s\n", bounded ? "bounded" : "NOT bounded");
  return check && !bounded;
}
