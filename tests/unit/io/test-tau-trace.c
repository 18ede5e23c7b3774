/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces of TAU that no recording has: more of them than a process may have open files,
 * clocks of other years, events of any kind, machines.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

#include "kymo-formats.h"
#include "scratch.h"

#define START_US G_GUINT64_CONSTANT (1795252594603617)
#define YEAR_US (G_GUINT64_CONSTANT (365) * 86400 * 1000000)

enum { MAIN = 1, SWEEP = 2, VALUE = 3, COUNT = 4, NOTE = 5, SENT = 6, SENT_ID = 7, HOST = 8,
       OTHER_HOST = 9, INIT = 60000, CLOSE = 60003 };

static const char edf[] =
  "9 dynamic_trace_events\n"
  "1 TAU_USER 0 \"main\" EntryExit\n2 TAU_USER 0 \"sweep\" EntryExit\n"
  "3 TAUEVENT 1 \"allocated\" TriggerValue\n4 TAUEVENT 1 \"PAPI_TOT_INS\" TriggerValue\n"
  "5 TAUEVENT 0 \"queue | depth\" TriggerValue\n"
  "6 TAUEVENT 0 \"ONESIDED_MESSAGE_SEND\" TriggerValue\n"
  "7 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT1\" TriggerValue\n"
  "8 TAUEVENT 0 \"Hostname | alpha\" TriggerValue\n"
  "9 TAUEVENT 0 \"Hostname | beta\" TriggerValue\n"
  "60000 TRACER 0 \"EV_INIT\" none\n60003 TRACER 0 \"FLUSH_CLOSE\" none\n";

/* The records of one thread in the making. */
typedef struct
{
  GByteArray *bytes;
  guint16     node, thread;
  guint64     time_us;
} Made;

static void
add (Made   *made,
     gint32  event,
     gint64  parameter)
{
  guint8 record[24];
  guint16 node = GUINT16_TO_LE (made->node), thread = GUINT16_TO_LE (made->thread);
  gint32 id = GINT32_TO_LE (event);
  gint64 value = GINT64_TO_LE (parameter), time_us = GUINT64_TO_LE (made->time_us);

  memcpy (record, &id, 4);
  memcpy (record + 4, &node, 2);
  memcpy (record + 6, &thread, 2);
  memcpy (record + 8, &value, 8);
  memcpy (record + 16, &time_us, 8);
  g_byte_array_append (made->bytes, record, sizeof record);
}

static void
add_sample (Made   *made,
            gint32  event,
            gint64  value)
{
  add (made, event, 0);
  add (made, event, value);
  add (made, event, 0);
}

static Made
begin (guint   node,
       guint   thread,
       guint64 start_us)
{
  Made made = { g_byte_array_new (), node, thread, start_us };

  add (&made, INIT, 3);
  add (&made, MAIN, 1);
  return made;
}

static void
end (Made *made)
{
  add (made, MAIN, -1);
  add (made, CLOSE, 0);
}

static void
put (const Scratch *scratch,
     Made          *made)
{
  g_autofree char *name = g_strdup_printf ("tautrace.%u.0.%u.trc", made->node, made->thread);
  g_autofree char *path = scratch_path (scratch, name);
  g_autofree char *events = g_strdup_printf ("events.%u.edf", made->node);

  g_assert_true (g_file_set_contents (path, (const char *) made->bytes->data, made->bytes->len,
                                      NULL));
  scratch_put (scratch, events, edf);
  g_byte_array_unref (made->bytes);
}

static KymoRun *
open_limited (const Scratch *scratch,
              gint64         memory_limit_bytes)
{
  KymoOpenOptions options = { .n_threads = 2, .no_cache = TRUE,
                              .memory_limit_bytes = memory_limit_bytes };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_format_tau_trace.read (scratch->folder, &options, NULL, &error);

  g_assert_no_error (error);
  return run;
}

static KymoRun *
open_run (const Scratch *scratch)
{
  return open_limited (scratch, G_GINT64_CONSTANT (1) << 30);
}

static gint64
count_of (KymoRun    *run,
          const char *words)
{
  gint64 n = 0;

  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    if (strstr (kymo_report_peek_issue (run->report, i)->what, words) != NULL)
      n += kymo_report_peek_issue (run->report, i)->count;
  return n;
}

/* "time value name" of each point, a line each, whatever has to be read for that. */
static char *
points_of (KymoRun *run)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = run->segments->pdata[i];

      g_assert_true (kymo_segment_use (segment, KYMO_PART_POINTS));
      for (guint k = 0; k < segment->points->len; k++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, k);

          g_string_append_printf (text, "%u: %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s\n", i,
                                  point->begin_ns / 1000, (gint64) point->value,
                                  kymo_run_peek_activity (run, point->activity)->name);
        }
    }
  return g_string_free (text, FALSE);
}

/* More traces than files may be open at a time. */
static void
test_many (Scratch       *scratch,
           gconstpointer  data)
{
  struct rlimit before, few = { 40, 40 };
  const guint n = 120;
  g_autoptr (KymoRun) run = NULL;

  for (guint i = 0; i < n; i++)
    {
      Made made = begin (i, 0, START_US + i);

      end (&made);
      put (scratch, &made);
    }
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  few.rlim_max = before.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
  run = open_run (scratch);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  g_assert_cmpuint (run->locations->len, ==, n);
  g_assert_true (kymo_report_is_complete (run->report));
  g_assert_cmpint (run->n_records, ==, 4 * n);
}

/* Both have the tag of a metric: what stands beside each call is one, what comes in three
   records is a user event. */
static void
test_metrics (Scratch       *scratch,
              gconstpointer  data)
{
  Made made = begin (0, 0, START_US);
  g_autoptr (KymoRun) run = NULL;
  g_autofree char *points = NULL;
  const KymoSegment *segment;

  add (&made, COUNT, 100);
  for (guint i = 0; i < 5; i++)
    {
      made.time_us += 10;
      add (&made, SWEEP, 1);
      add (&made, COUNT, 1000 * i);
      add_sample (&made, VALUE, 7 + i);
      made.time_us += 10;
      add (&made, SWEEP, -1);
      add (&made, COUNT, 1000 * i + 5);
    }
  add_sample (&made, VALUE, 70);
  add (&made, COUNT, 1);
  end (&made);
  put (scratch, &made);
  run = open_run (scratch);
  g_assert_cmpuint (run->metrics->len, ==, 1);
  g_assert_cmpstr (run->metrics->pdata[0], ==, "PAPI_TOT_INS");
  points = points_of (run);
  g_assert_cmpstr (points, ==, "0: 10 7 allocated\n0: 30 8 allocated\n0: 50 9 allocated\n"
                   "0: 70 10 allocated\n0: 90 11 allocated\n0: 100 70 allocated\n");
  segment = run->segments->pdata[0];
  g_assert_cmpuint (segment->n_blocks, ==, 6);
  for (guint i = 1; i < 6; i++)
    g_assert_cmpint (segment->block_counters[i], ==, 5);
  g_assert_cmpint (count_of (run, "Values of metrics that stand beside no"), ==, 1);
}

/* A list of events may name as many metrics as it likes. */
static void
test_many_metrics (Scratch       *scratch,
                   gconstpointer  data)
{
  g_autoptr (GString) list = g_string_new (edf);
  Made made = begin (0, 0, START_US);
  g_autoptr (KymoRun) run = NULL;

  for (guint i = 0; i < 50000; i++)
    g_string_append_printf (list, "%u G 1 \"metric %05u\" TriggerValue\n", 100000 + i, i);
  for (guint i = 0; i < 70; i++)
    add (&made, 100000 + i, i);
  for (guint i = 0; i < 20; i++)
    {
      add (&made, SWEEP, i % 2 ? -1 : 1);
      for (guint k = 0; k < 70; k++)
        add (&made, 100000 + k, i);
    }
  add (&made, MAIN, -1);
  for (guint k = 0; k < 70; k++)
    add (&made, 100000 + k, 99);
  add (&made, CLOSE, 0);
  put (scratch, &made);
  scratch_put (scratch, "events.0.edf", list->str);
  run = open_run (scratch);
  g_assert_cmpuint (run->metrics->len, ==, 64);
  g_assert_cmpint (count_of (run, "Of more than 64 metrics only the first are kept"), ==, 6);
  g_assert_cmpint (((KymoSegment *) run->segments->pdata[0])->n_counters, ==, 64);
}

/* An event whose name has a line in it is metadata or not: the same with little memory. */
static void
test_perhaps_metadata (Scratch       *scratch,
                       gconstpointer  data)
{
  static const char *const expected =
    "0: 1 1 queue | depth\n0: 2 8 allocated\n0: 3 1 queue | depth\n0: 4 2 queue | depth\n"
    "1: 0 9 queue | depth\n";
  Made made = begin (0, 0, START_US);
  gint64 limits[] = { 1, G_GINT64_CONSTANT (1) << 30 };

  made.time_us++;
  add_sample (&made, NOTE, 1);
  made.time_us++;
  add_sample (&made, VALUE, 8);
  for (guint i = 1; i < 3; i++)
    {
      made.time_us++;
      add_sample (&made, NOTE, i);
    }
  add_sample (&made, HOST, 1);
  end (&made);
  put (scratch, &made);
  made = begin (1, 0, START_US);
  add_sample (&made, NOTE, 9);
  add_sample (&made, HOST, 1);
  end (&made);
  put (scratch, &made);
  made = begin (2, 0, START_US);
  add_sample (&made, NOTE, 1);
  end (&made);
  put (scratch, &made);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (KymoRun) run = open_limited (scratch, limits[i]);
      g_autofree char *points = points_of (run);

      g_assert_cmpstr (points, ==, expected);
      g_assert_cmpint (count_of (run, "Single samples with the value 1"), ==, 1);
      g_assert_cmpuint (run->facts->len, ==, 1);
      g_assert_cmpstr (g_array_index (run->facts, KymoFact, 0).value, ==, "alpha");
    }
}

/* What a GPU sends is a record of each of three events. */
static void
test_one_sided (Scratch       *scratch,
                gconstpointer  data)
{
  Made made = begin (0, 0, START_US);
  g_autoptr (KymoRun) run = NULL;
  g_autofree char *points = NULL;

  for (guint i = 0; i < 2; i++)
    {
      made.time_us += 5;
      add (&made, SENT, 4096 + i);
      add (&made, SENT_ID, 17);
    }
  end (&made);
  put (scratch, &made);
  run = open_run (scratch);
  points = points_of (run);
  g_assert_cmpstr (points, ==, "0: 5 4096 ONESIDED_MESSAGE_SEND\n"
                   "0: 10 4097 ONESIDED_MESSAGE_SEND\n");
  g_assert_true (kymo_report_is_complete (run->report));
}

static void
put_clocked (const Scratch *scratch,
             guint          node,
             guint64        start_us,
             guint          n_damaged)
{
  Made made = begin (node, 0, start_us);

  for (guint i = 0; i < 8; i++)
    {
      made.time_us += 10;
      add (&made, SWEEP, i % 2 ? -1 : 1);
    }
  end (&made);
  for (guint i = 0; i < n_damaged; i++)
    memset (made.bytes->data + i * 24 + 16, 0, 6);
  put (scratch, &made);
}

/* A clock that began in another year, and a trace whose first times are damaged, do not
   put years between the ranks. */
static void
test_clocks (Scratch       *scratch,
             gconstpointer  data)
{
  g_autoptr (KymoRun) run = NULL;

  put_clocked (scratch, 0, START_US - 50 * YEAR_US, 0);
  put_clocked (scratch, 1, START_US, 0);
  put_clocked (scratch, 2, START_US + 7, 2);
  put_clocked (scratch, 3, START_US + 3, 0);
  run = open_run (scratch);
  g_assert_cmpint (run->span.begin_ns, ==, 0);
  g_assert_cmpint (run->span.end_ns, ==, 87 * 1000);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (kymo_run_peek_location (run, i)->span.end_ns, ==,
                     (i == 2 ? 87 : i == 3 ? 83 : 80) * 1000);
  g_assert_cmpint (count_of (run, "The clock is more than 104 days"), ==, 1);
  g_assert_cmpint (count_of (run, "Records with a time more than 104 days"), ==, 2);
}

/* Of two lines with one number the second tells nothing, and that is said. */
static void
test_same_number (Scratch       *scratch,
                  gconstpointer  data)
{
  g_autofree char *list = g_strconcat (edf, "2 TAU_USER 0 \"other\" EntryExit\n", NULL);
  Made made = begin (0, 0, START_US);
  g_autoptr (KymoRun) run = NULL;

  end (&made);
  put (scratch, &made);
  scratch_put (scratch, "events.0.edf", list);
  run = open_run (scratch);
  g_assert_cmpint (count_of (run, "Lines that are no events"), ==, 1);
}

/* Whom the threads hang in: kind, label and parent of each place, then of each thread. */
static char *
tree_of (KymoRun *run)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = &g_array_index (run->places, KymoPlace, i);

      g_string_append_printf (text, "%s %s %" G_GINT64_FORMAT "\n", place->kind, place->label,
                              place->parent);
    }
  for (guint i = 0; i < run->locations->len; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " ", kymo_run_peek_location (run, i)->place);
  return g_string_free (text, FALSE);
}

static void
put_placed (const Scratch *scratch,
            guint          node,
            guint          n_threads,
            guint          host)
{
  for (guint i = 0; i < n_threads; i++)
    {
      Made made = begin (node, i, START_US);

      if (i == 0 && host != 0)
        add_sample (&made, host, 1);
      end (&made);
      put (scratch, &made);
    }
}

static void
test_places (Scratch       *scratch,
             gconstpointer  data)
{
  static const char *const expected[] =
    { "-1 ", "-1 -1 ", "node alpha -1\nnode beta -1\n0 0 1 ",
      "node alpha -1\nprocess rank 0 0\nprocess rank 1 0\nnode beta -1\nprocess rank 2 3\n"
      "process rank 3 -1\n1 2 4 5 5 " };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (KymoRun) run = NULL;
      g_autofree char *tree = NULL;

      put_placed (scratch, i, i == 3 ? 2 : 1, i < 2 ? HOST : i == 2 ? OTHER_HOST : 0);
      run = open_run (scratch);
      tree = tree_of (run);
      g_assert_cmpstr (tree, ==, expected[i]);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void      (*run) (Scratch *scratch, gconstpointer data);
  } tests[] =
  {
    { "/tau-trace/many", test_many },
    { "/tau-trace/metrics", test_metrics },
    { "/tau-trace/many-metrics", test_many_metrics },
    { "/tau-trace/perhaps-metadata", test_perhaps_metadata },
    { "/tau-trace/one-sided", test_one_sided },
    { "/tau-trace/clocks", test_clocks },
    { "/tau-trace/same-number", test_same_number },
    { "/tau-trace/places", test_places },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Scratch, NULL, scratch_up, tests[i].run, scratch_down);
  return g_test_run ();
}
