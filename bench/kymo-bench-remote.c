/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line to another machine costs: questions of a run are asked here and there in turn, and
 * the medians are told beside what is allowed. By hand, through bench/remote.py:
 *
 *   kymo-bench-remote --server COMMAND [--times 20] RUN
 *
 * Allowed are 25 ms above the time here for answers of 300 KB; for longer ones 25 ms to the draft
 * or to the answer, and 40 ms and 20 ns a byte to the answer.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"

#define SHORT_BYTES (300 * 1000)
#define SHORT_MS 25
#define LONG_MS 40
#define BYTES_PER_MS (50 * 1000)

static char *server;
static int times = 20;
static gboolean check;

static const GOptionEntry options[] = {
  { "server", 0, 0, G_OPTION_ARG_STRING, &server, "how to reach a server", "COMMAND" },
  { "times", 0, 0, G_OPTION_ARG_INT, &times, "ask each so often", "N" },
  { "check", 0, 0, G_OPTION_ARG_NONE, &check, "fail where answers differ; times do not matter",
    NULL },
  { NULL }
};

/** Case: a question; @keywords are key=value with bars between */
typedef struct
{
  const char *name, *kind, *keywords;
  guint       columns, rows;
} Case;

static const Case cases[] = {
  { "info", "info", "", 0, 0 },
  { "profile", "profile", "", 0, 0 },
  { "time profile, 100 bins", "time-profile", "", 100, 0 },
  { "usage", "usage", "", 0, 0 },
  { "communication", "communication", "", 0, 0 },
  { "communication-locations", "communication-locations", "", 0, 0 },
  { "message-sizes", "message-sizes", "", 0, 0 },
  { "messages, 20,000 single", "messages", "limit=20000", 0, 0 },
  { "events, 20,000", "events", "limit=20000", 0, 0 },
  { "histogram of durations", "histogram", "", 0, 0 },
  { "clusters", "clusters", "", 0, 0 },
  { "waiting", "waiting", "", 0, 0 },
  { "critical path", "critical-path", "", 0, 0 },
  { "thread bars", "thread-bars", "", 0, 0 },
  { "thread scatter", "thread-scatter", "", 0, 0 },
  { "call tree", "calltree", "", 0, 0 },
  { "call graph", "call-graph", "", 0, 0 },
  { "functions of the mean", "thread", "of=mean", 0, 0 },
  { "call table", "call-table", "", 0, 0 },
  { "timeline, 1,000 columns, 100 rows", "timeline", "grid=1|dense=1", 1000, 100 },
  { "timeline, 2,000 columns, 270 rows", "timeline", "grid=1|dense=1", 2000, 270 },
  { "timeline, 2,000 columns, 540 rows", "timeline", "grid=1|dense=1", 2000, 540 },
  { "timeline, 2,000 columns, 1,080 rows", "timeline", "grid=1|dense=1", 2000, 1080 },
  { "timeline, 4,000 columns, 1,080 rows", "timeline", "grid=1|dense=1", 4000, 1080 },
};

/** Times: in ms, of one question */
typedef struct
{
  GArray *near, *far, *draft;
  gint64  begin_us;
  double  pack, check, unpack;  /* processor time of both ends */
} Times;

static double
thread_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static KymoQuestion *
make_question (const Case *wanted)
{
  KymoQuestion *question = kymo_question_new (wanted->kind);
  g_auto (GStrv) pairs = g_strsplit (wanted->keywords, "|", -1);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      kymo_question_set (question, pair[0], pair[1]);
    }
  kymo_question_set_resolution (question, wanted->columns, wanted->rows);
  return question;
}

/* Some kinds ask for messages, functions or blocks, which not each run has. */
static gboolean
can_answer (KymoSource *source, const Case *wanted)
{
  g_autoptr (KymoQuestion) question = make_question (wanted);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = kymo_source_ask (source, question, NULL, &error);

  if (answer == NULL && !g_error_matches (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE))
    g_error ("%s: %s", wanted->name, error->message);
  return answer != NULL;
}

/* Does what both ends do with an answer, but for sending it. Returns its bytes. */
static gsize
measure_packing (const KymoTable *answer, Times *measured)
{
  double begin = thread_ms ();
  g_autoptr (GVariant) packed = g_variant_ref_sink (kymo_table_to_variant (answer, TRUE));
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (packed);
  g_autoptr (GVariant) come = NULL;
  g_autoptr (KymoTable) unpacked = NULL;

  measured->pack = thread_ms () - begin;
  begin = thread_ms ();
  come = g_variant_ref_sink (g_variant_new_from_bytes (g_variant_get_type (packed), bytes, FALSE));
  if (!g_variant_is_normal_form (come))
    g_error ("an answer is not in normal form");
  measured->check = thread_ms () - begin;
  begin = thread_ms ();
  unpacked = kymo_table_from_variant (come, NULL);
  measured->unpack = thread_ms () - begin;
  return g_bytes_get_size (bytes);
}

static double
since (gint64 begin_us)
{
  return (g_get_monotonic_time () - begin_us) / 1000.0;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
find_median (GArray *values)
{
  g_array_sort (values, compare_doubles);
  return values->len > 0 ? g_array_index (values, double, values->len / 2) : -1;
}

static void
on_draft (KymoSource *source, KymoTable *draft, gpointer data)
{
  Times *measured = data;
  double ms = since (measured->begin_us);

  g_array_append_val (measured->draft, ms);
}

static KymoTable *
ask_once (KymoSource *source, KymoQuestion *question, Times *measured, GArray *into)
{
  KymoSourceInterface *iface = KYMO_SOURCE_GET_IFACE (source);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;
  double ms;

  measured->begin_us = g_get_monotonic_time ();
  answer = iface->ask_drafted != NULL
           ? iface->ask_drafted (source, question, on_draft, measured, NULL, &error)
           : kymo_source_ask (source, question, NULL, &error);
  ms = since (measured->begin_us);
  if (answer == NULL)
    g_error ("%s", error->message);
  g_array_append_val (into, ms);
  return answer;
}

static void
check_same (const char *name, KymoTable *near, KymoTable *far)
{
  g_autoptr (GString) near_text = g_string_new (NULL);
  g_autoptr (GString) far_text = g_string_new (NULL);

  kymo_table_write_json (near, near_text);
  kymo_table_write_json (far, far_text);
  if (!g_string_equal (near_text, far_text))
    g_error ("%s: the answers differ", name);
}

/* Returns whether the times are allowed. */
static gboolean
tell_case (const Case *wanted, gsize bytes, Times *measured)
{
  double near = find_median (measured->near), far = find_median (measured->far);
  double draft = find_median (measured->draft), above = far - near;
  double most = bytes <= SHORT_BYTES ? SHORT_MS : LONG_MS + (double) bytes / BYTES_PER_MS;
  gboolean fine = above <= most && (draft < 0 ? above : draft - near) <= SHORT_MS;

  printf ("%-36s %9.1f %5.1f %5.1f %5.1f %8.1f %8.1f %8.1f %8.1f", wanted->name, bytes / 1000.0,
          measured->pack, measured->check, measured->unpack, near, far, above, most);
  if (draft >= 0)
    printf (" %8.1f (%u)", draft - near, measured->draft->len);
  printf ("%s\n", fine ? "" : "  too long");
  fflush (stdout);
  return fine;
}

static gboolean
measure_case (KymoSource *near, KymoSource *far, const Case *wanted)
{
  g_autoptr (KymoQuestion) question = make_question (wanted);
  Times measured = { g_array_new (FALSE, FALSE, sizeof (double)),
                     g_array_new (FALSE, FALSE, sizeof (double)),
                     g_array_new (FALSE, FALSE, sizeof (double)) };
  gsize bytes = 0;
  gboolean fine;

  /* What is made on first use is made by the first question. */
  for (int i = 0; i <= times; i++)
    {
      g_autoptr (KymoTable) here = ask_once (near, question, &measured, measured.near);
      g_autoptr (KymoTable) there = ask_once (far, question, &measured, measured.far);

      if (i > 0)
        continue;
      bytes = measure_packing (there, &measured);
      check_same (wanted->name, here, there);
      g_array_set_size (measured.near, 0);
      g_array_set_size (measured.far, 0);
      g_array_set_size (measured.draft, 0);
    }
  fine = tell_case (wanted, bytes, &measured);
  g_array_unref (measured.near);
  g_array_unref (measured.far);
  g_array_unref (measured.draft);
  return fine;
}

static KymoSource *
open_far (const char *path)
{
  KymoRemoteOptions how = { .server = server };
  g_autofree char *address = g_strconcat ("ssh://far", path, NULL);
  g_autoptr (KymoJob) job = kymo_job_new ();
  g_autoptr (GError) error = NULL;
  KymoSource *far = kymo_remote_source_open (address, &how, job, &error);

  if (far == NULL)
    g_error ("%s", error->message);
  return far;
}

/* How long a second opening of a run takes that the server has, through a line of its own. */
static void
tell_second (const char *path)
{
  g_autofree char *first = server;
  g_autofree char *second = g_strconcat ("env KYMO_SECOND=1 ", first, NULL);
  gint64 begin_us = g_get_monotonic_time ();
  g_autoptr (KymoSource) same = open_far (path);
  g_autoptr (KymoSource) other = NULL;

  printf ("opened again through the same line in %.0f ms\n", since (begin_us));
  server = second;
  begin_us = g_get_monotonic_time ();
  other = open_far (path);
  printf ("opened again through a second line in %.0f ms\n", since (begin_us));
  server = NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("RUN");
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoSource) near = NULL;
  g_autoptr (KymoSource) far = NULL;
  gboolean fine = TRUE;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2 || server == NULL)
    g_error ("%s", error != NULL ? error->message : "--server COMMAND RUN");
  path = realpath (argv[1], NULL);
  if (path == NULL)
    g_error ("%s is not there", argv[1]);
  run = kymo_open_run (path, &(KymoOpenOptions) { 0 }, NULL, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  near = KYMO_SOURCE (kymo_run_source_new (run, 0));
  kymo_run_source_build_aside (KYMO_RUN_SOURCE (near));
  far = open_far (path);
  printf ("%-36s %9s %5s %5s %5s %8s %8s %8s %8s %8s\n", "question (medians in ms)", "KB", "pack",
          "check", "unp.", "here", "there", "above", "allowed", "draft");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (can_answer (near, &cases[i]))
      fine = measure_case (near, far, &cases[i]) && fine;
  tell_second (path);
  return fine || check ? 0 : 1;
}
