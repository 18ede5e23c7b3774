/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small handwritten Projections runs: every record type, in the forms of
 * versions 7, 10 and 11.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-open.h"
#include "scratch.h"

static const char sts_11[] =
  "PROJECTIONS_ID \nVERSION 11.0\nMACHINE \"test machine\"\nPROCESSORS 2\n"
  "COMMANDLINE \"./app \"quoted\" 1\"\nTOTAL_CHARES 3\nTOTAL_EPS 3\n"
  "TOTAL_MSGS 1\nTOTAL_PSEUDOS 0\nTOTAL_EVENTS 1\n"
  "CHARE 0 \"Main\" -1\nCHARE 1 \"Line<int, 2>\" 1\nCHARE 2 \"Six\" 6\n"
  "ENTRY CHARE 0 \"run(int a, char *b)\" 0 -1\n"
  "ENTRY CHARE 1 \"go(CkDataMsg*)\" 1 0\nENTRY CHARE 2 \"six()\" 2 0\n"
  "MESSAGE 0 8\nTOTAL_STATS 1\nEVENT 7 a \"name\", with commas\n"
  "STAT 1 residual\nWHATEVER 1 2 3\nEND\n";

static const char sts_7[] =
  "VERSION 7.0\nMACHINE net-linux\nPROCESSORS 1\nTOTAL_CHARES 1\n"
  "TOTAL_EPS 1\nTOTAL_MSGS 1\nTOTAL_PSEUDOS 0\nTOTAL_EVENTS 1\n"
  "CHARE 0 Main\nENTRY CHARE 0 run(int a, char b) 0 0\nMESSAGE 0 8\n"
  "EVENT 7 bracket\nTOTAL_FUNCTIONS 0 \nEND\n";

static KymoRun *
open_log (Scratch *scratch, const char *sts, const char *log)
{
  g_autoptr (GError) error = NULL;
  scratch_put (scratch, "app.sts", sts);
  scratch_put (scratch, "app.0.log", log);
  KymoRun *run = kymo_open_run (scratch->folder, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (run);
  return run;
}

static KymoSegment *
first_segment (KymoRun *run)
{
  g_assert_cmpuint (run->segments->len, >, 0);
  return run->segments->pdata[0];
}

static const KymoPoint *
find_point (KymoRun *run, KymoPointKind kind)
{
  GArray *points = first_segment (run)->points;
  for (guint i = 0; points != NULL && i < points->len; i++)
    if (g_array_index (points, KymoPoint, i).kind == kind)
      return &g_array_index (points, KymoPoint, i);
  g_error ("no point of kind %d", kind);
}

static void
test_blocks (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_11,
    "PROJECTIONS-RECORD 12\n6 10\n"
    "1 21 1 12 0 0 100 3\n"
    "2 21 1 20 5 1 64 0 -4 77\n"
    "2 21 2 30 -1 0 8 0 1 2 3 4 5 -6 78\n"
    "3 0 2 40 -1 0 0 79\n"
    "3 0 1 50 5 1 0 80\n"
    "14 60 0\n15 70 0\n"
    "2 4 0 80 3 0 9 0 0 0 0 0 81\n"
    "7 100\n");
  KymoSegment *segment = first_segment (run);

  g_assert_cmpint (run->span.begin_ns, ==, 10000);
  g_assert_cmpint (run->span.end_ns, ==, 100000);
  g_assert_cmpuint (segment->n_blocks, ==, 3);
  g_assert_cmpint (kymo_segment_block_begin (segment, 0), ==, 20000);
  g_assert_cmpint (kymo_segment_block_end (segment, 0), ==, 50000);
  g_assert_cmpint (segment->block_source[0], ==, 1);
  g_assert_cmpint (segment->block_event[0], ==, 5);
  g_assert_cmpint (kymo_segment_block_end (segment, 1), ==, 40000);
  g_assert_cmpint (kymo_segment_block_end (segment, 2), ==, 100000);
  const KymoObject *line = &segment->objects[kymo_segment_block_object (segment, 0)];
  g_assert_cmpint (line->index[0], ==, -4);
  const KymoObject *six = &segment->objects[kymo_segment_block_object (segment, 1)];
  g_assert_cmpuint (six->n_dimensions, ==, 6);
  g_assert_cmpint (six->index[5], ==, -6);
  g_assert_cmpuint (segment->n_sends, ==, 1);
  g_assert_cmpuint (segment->send_bytes[0], ==, 100);
}

static void
test_names (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_11,
                                      "PROJECTIONS-RECORD 2\n6 1\n7 2\n");
  const KymoActivity *run_entry = NULL, *go = NULL, *event = NULL;
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *a = kymo_run_peek_activity (run, i);
      if (a->kind == KYMO_ACTIVITY_ENTRY && a->id == 0)
        run_entry = a;
      else if (a->kind == KYMO_ACTIVITY_ENTRY && a->id == 1)
        go = a;
      else if (a->kind == KYMO_ACTIVITY_EVENT && a->id == 7)
        event = a;
    }
  g_assert_cmpstr (run_entry->name, ==, "Main::run");
  g_assert_nonnull (strstr (run_entry->signature, "run(int a, char *b)"));
  g_assert_cmpstr (go->name, ==, "Line<int, 2>::go");
  g_assert_cmpstr (event->name, ==, "a \"name\", with commas");
}

/* The count of destinations once up to version 10, twice in 11. */
static void
test_multicast (Scratch *scratch, gconstpointer data)
{
  const gboolean new_form = data != NULL;
  g_autoptr (KymoRun) run = new_form
    ? open_log (scratch, sts_11, "PROJECTIONS-RECORD 3\n6 1\n"
                "21 5 0 26 34 0 112 0 2 2 0 2\n20 5 0 27 35 0 8 0 6\n7 30\n")
    : open_log (scratch, sts_7, "PROJECTIONS-RECORD 3\n6 1\n"
                "21 5 0 26 34 0 112 0 2 0 2\n20 5 0 27 35 0 8 0 6\n7 30\n");
  KymoSegment *segment = first_segment (run);

  g_assert_cmpuint (segment->n_sends, ==, 2);
  g_assert_cmpuint (kymo_segment_send_destinations (segment, 0), ==, 2);
  g_assert_cmpuint (kymo_segment_send_destinations (segment, 1), ==, 6);
  g_assert_cmpuint (segment->multicasts->len, ==, 1);
  KymoMulticast m = g_array_index (segment->multicasts, KymoMulticast, 0);
  g_assert_cmpuint (m.n_pes, ==, 2);
  g_assert_cmpint (g_array_index (segment->multicast_pes, gint32, m.first),
                   ==, 0);
  g_assert_cmpint (g_array_index (segment->multicast_pes, gint32, m.first + 1),
                   ==, 2);
}

static void
check_note (Scratch *scratch, const char *sts, const char *line,
            const char *text)
{
  g_autofree char *log = g_strdup_printf ("PROJECTIONS-RECORD 3\n6 1\n%s\n"
                                          "7 90\n", line);
  g_autoptr (KymoRun) run = open_log (scratch, sts, log);
  g_assert_cmpstr (find_point (run, KYMO_POINT_NOTE)->text, ==, text);
}

static void
test_notes (Scratch *scratch, gconstpointer data)
{
  check_note (scratch, sts_11, "28 43 13*** run start", "*** run start");
  check_note (scratch, sts_11, "28 43 812 steps", "12 steps");
  check_note (scratch, sts_11, "28 43 112 34 56 789", "2 34 56 789");
  check_note (scratch, sts_7, "28 43 13 *** run start", "*** run start");
  check_note (scratch, sts_7, "28 43 8 12 steps", "12 steps");
}

static void
test_bracketed_note (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_11,
    "PROJECTIONS-RECORD 3\n6 1\n29 20 50 4 5hello\n7 90\n");
  const KymoPoint *point = find_point (run, KYMO_POINT_BRACKET_NOTE);
  g_assert_cmpint (point->begin_ns, ==, 20000);
  g_assert_cmpint (point->end_ns, ==, 50000);
  g_assert_cmpstr (point->text, ==, "hello");
}

static void
test_points (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_11,
    "PROJECTIONS-RECORD 20\n6 1\n13 7 5 0 0\n26 42 6\n27 88002560 7\n"
    "30 1 8\n32 9 -1.000000 0.5 0 1\n98 7 10 1 0 0\n99 7 12 1 0 0\n"
    "100 7 3 2 0 5\n100 7 4 2 0 5\n16 14 0\n17 15 0\n18 16 0\n19 18 0\n"
    "8 19 3 0\n9 22 3 0\n12 30\n11 40\n7 90\n");
  KymoSegment *segment = first_segment (run);
  gint64 sums[KYMO_N_STRETCH_KINDS] = { 0 };
  guint brackets = 0;

  g_assert_cmpint (find_point (run, KYMO_POINT_USER_EVENT)->begin_ns, ==, 5000);
  g_assert_cmpfloat (find_point (run, KYMO_POINT_USER_VALUE)->value, ==, 42);
  g_assert_cmpfloat (find_point (run, KYMO_POINT_MEMORY)->value, ==, 88002560);
  g_assert_cmpint (find_point (run, KYMO_POINT_PHASE)->begin_ns, >, 0);
  g_assert_cmpfloat (find_point (run, KYMO_POINT_USER_STAT)->value, ==, 0.5);
  g_assert_cmpint (find_point (run, KYMO_POINT_TRACE_OFF)->begin_ns, ==, 30000);
  g_assert_cmpint (find_point (run, KYMO_POINT_TRACE_ON)->begin_ns, ==, 40000);
  for (guint i = 0; i < segment->points->len; i++)
    brackets += g_array_index (segment->points, KymoPoint, i).kind
      == KYMO_POINT_BRACKET;
  g_assert_cmpuint (brackets, ==, 2);
  for (guint i = 0; i < segment->stretches->len; i++)
    {
      KymoStretch s = g_array_index (segment->stretches, KymoStretch, i);
      sums[s.kind] += s.end_ns - s.begin_ns;
    }
  g_assert_cmpint (sums[KYMO_STRETCH_PACK], ==, 1000);
  g_assert_cmpint (sums[KYMO_STRETCH_UNPACK], ==, 2000);
  g_assert_cmpint (sums[KYMO_STRETCH_FLUSH], ==, 3000);
}

static void
test_version_7 (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_7,
    "PROJECTIONS-RECORD 6\n6 1\n2 4 0 5 3 0 9 0 1 2 3 4 55\n"
    "100 7 6 2 0\n100 7 8 2 0\n3 0 0 9 3 0 0 56\n7 20\n");
  KymoSegment *segment = first_segment (run);
  g_assert_cmpuint (segment->n_blocks, ==, 1);
  g_assert_cmpint (kymo_segment_block_end (segment, 0), ==, 9000);
  g_assert_cmpint (find_point (run, KYMO_POINT_BRACKET)->end_ns, ==, 8000);
}

static void
test_damaged_lines (Scratch *scratch, gconstpointer data)
{
  g_autoptr (KymoRun) run = open_log (scratch, sts_11,
    "PROJECTIONS-RECORD 9\n6 1\n2 4 0\nrubbish\n\n2 4 99999999 5 3 0 9 0 1\n"
    "3 0 0 99999999999999999999 0 0 0 0\n250 1 2 3\n7 90\n7 ");
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), >, 0);
  g_assert_false (kymo_report_is_complete (run->report));
  g_assert_cmpint (run->span.end_ns, ==, 90000);
}

static void
test_unreadable (Scratch *scratch, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  scratch_put (scratch, "README.txt", "nothing here");
  g_assert_null (kymo_open_run (scratch->folder, NULL, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
}

static void
test_two_runs (Scratch *scratch, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  KymoOpenOptions options = { .base = "two" };
  scratch_put (scratch, "one.sts", sts_11);
  scratch_put (scratch, "one.0.log", "PROJECTIONS-RECORD 2\n6 1\n7 2\n");
  scratch_put (scratch, "two.sts", sts_11);
  scratch_put (scratch, "two.0.log", "PROJECTIONS-RECORD 2\n6 1\n7 9\n");
  g_assert_null (kymo_open_run (scratch->folder, NULL, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "one"));
  g_assert_nonnull (strstr (error->message, "two"));
  g_autoptr (KymoRun) run = kymo_open_run (scratch->folder, &options, NULL,
                                           NULL);
  g_assert_nonnull (run);
  g_assert_cmpint (run->span.end_ns, ==, 9000);
}

/* One begin record of each old version: the fields it has, and the line. */
typedef struct
{
  const char *version;
  const char *creation, *begin, *end;
  guint n_dimensions;
} OldForm;

static const OldForm old_forms[] = {
  { "3.0", "1 4 0 12 7 0 40", "2 4 0 20 7 0 40", "3 0 0 30 7 0 0", 0 },
  { "4.0", "1 4 0 12 7 0 40", "2 4 0 20 7 0 40 0 3 0 0", "3 0 0 30 7 0 0", 3 },
  { "5.0", "1 4 0 12 7 0 40 2", "2 4 0 20 7 0 40 0 3 0 0", "3 0 0 30 7 0 0", 3 },
  { "6.5", "1 4 0 12 7 0 40 2", "2 4 0 20 7 0 40 0 3 0 0 19", "3 0 0 30 7 0 0 28", 3 },
  { "6.6", "1 4 0 12 7 0 40 2", "2 4 0 20 7 0 40 0 3 0 0 19 100 5",
    "3 0 0 30 7 0 0 28 160 9", 3 },
};

static void
test_old_version (Scratch *scratch, gconstpointer data)
{
  const OldForm *form = data;
  gboolean counters = strcmp (form->version, "6.6") == 0;
  g_autofree char *sts = g_strdup_printf (
    "VERSION %s\nMACHINE net-linux\nPROCESSORS 1\n%sTOTAL_CHARES 1\n"
    "TOTAL_EPS 1\nCHARE 0 Main\nENTRY CHARE 0 run(int a, char b) 0 0\nEND\n", form->version,
    counters ? "TOTAL_PAPI_EVENTS 2\nPAPI_EVENT 0 PAPI_FP_OPS\n" : "");
  g_autofree char *log = g_strdup_printf ("PROJECTIONS-RECORD 5\n6 1\n%s\n%s\n%s\n7 40\n",
                                          form->creation, form->begin, form->end);
  g_autoptr (KymoRun) run = open_log (scratch, sts, log);
  KymoSegment *segment = first_segment (run);

  g_assert_true (kymo_report_is_complete (run->report));
  g_assert_cmpstr (run->format_version, ==, form->version);
  g_assert_cmpstr (kymo_run_peek_activity (run, 0)->name, ==, "Main::run");
  g_assert_cmpuint (segment->n_sends, ==, 1);
  g_assert_cmpuint (segment->send_bytes[0], ==, 40);
  g_assert_cmpuint (segment->n_blocks, ==, 1);
  g_assert_cmpint (kymo_segment_block_begin (segment, 0), ==, 20000);
  g_assert_cmpint (kymo_segment_block_end (segment, 0), ==, 30000);
  const KymoObject *object = &segment->objects[kymo_segment_block_object (segment, 0)];
  g_assert_cmpuint (object->n_dimensions, ==, form->n_dimensions);
  g_assert_cmpint (object->index[0], ==, form->n_dimensions > 0 ? 3 : 0);
  g_assert_cmpuint (segment->n_counters, ==, counters ? 2 : 0);
  if (!counters)
    return;
  g_assert_cmpint (segment->block_counters[0], ==, 60);
  g_assert_cmpint (segment->block_counters[1], ==, 4);
  g_assert_cmpstr (run->metrics->pdata[0], ==, "PAPI_FP_OPS");
  g_assert_cmpstr (run->metrics->pdata[1], ==, "counter 1");
}

static const KymoIssue *
find_issue (KymoRun *run, const char *words)
{
  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    if (strstr (kymo_report_peek_issue (run->report, i)->what, words) != NULL)
      return kymo_report_peek_issue (run->report, i);
  g_error ("no issue “%s”", words);
}

/* Nested blocks, a counter that falls, one that is missing, a block that
   never ends. */
static void
test_counters (Scratch *scratch, gconstpointer data)
{
  const char *sts = "VERSION 11.0\nPROCESSORS 1\nTOTAL_PAPI_EVENTS 2\n"
    "PAPI_EVENT 0 PAPI_TOT_CYC\nPAPI_EVENT 1 PAPI_L1_DCM\nCHARE 0 \"Main\" -1\n"
    "ENTRY CHARE 0 \"run()\" 0 0\nEND\n";
  g_autoptr (KymoRun) run = open_log (scratch, sts,
    "PROJECTIONS-RECORD 12\n6 1\n"
    "2 4 0 10 -1 0 8 0 0 0 0 0 5 1000 10\n"
    "2 4 0 20 -1 0 8 0 0 0 0 0 6 1500 20\n"
    "3 0 0 30 -1 0 0 7 1600 15\n"
    "3 0 0 40 -1 0 0 8 2000 30\n"
    "2 4 0 50 -1 0 8 0 0 0 0 0 9 2100\n"
    "3 0 0 60 -1 0 0 10 2200 40\n"
    "2 4 0 70 -1 0 8 0 0 0 0 0 11 2300 50\n7 90\n");
  const gint64 none = KYMO_NO_COUNT;
  const gint64 expected[] = { 1000, 20, 100, none, none, none, none, none };
  KymoSegment *segment = first_segment (run);

  g_assert_cmpuint (segment->n_blocks, ==, 4);
  g_assert_cmpmem (segment->block_counters, 8 * sizeof (gint64), expected, sizeof expected);
  g_assert_cmpint (find_issue (run, "ran backwards")->severity, ==, KYMO_SEVERITY_REPAIRED);
  g_assert_cmpint (find_issue (run, "ran backwards")->count, ==, 1);
  g_assert_cmpint (find_issue (run, "fewer hardware counters")->severity, ==,
                   KYMO_SEVERITY_LOST);
  g_assert_cmpint (find_issue (run, "fewer hardware counters")->count, ==, 1);
}

#define BLOCK "2 4 0 10 -1 0 8 0 0 0 0 0 5\n3 0 0 20 -1 0 0 6\n"
#define FLUSH "8 30 0 0\n9 31 0 0\n"
#define MISSING "records are missing"
#define MORE "more records than the header"

/* The number in the header is that of all records, or of those before the first flush; a
   reduction leaves phases without records. */
static void
test_announced (Scratch *scratch, gconstpointer data)
{
  static const struct
  {
    gint n_announced;
    const char *records;
    KymoRunKind kind;
    const char *words;          /* or NULL: nothing is told */
    gint64 count;
  } cases[] = {
    { 4, "6 1\n" BLOCK "7 90\n", KYMO_RUN_TRACE, NULL, 0 },
    { 3, "6 1\n" BLOCK FLUSH "7 90\n", KYMO_RUN_TRACE, NULL, 0 },
    { 9, "6 1\n" BLOCK "7 90\n", KYMO_RUN_TRACE, MISSING, 5 },
    { 9, "6 1\n" BLOCK FLUSH "7 90\n", KYMO_RUN_TRACE, MISSING, 6 },
    { 2, "6 1\n" BLOCK "7 90\n", KYMO_RUN_TRACE, MORE, 2 },
    { 9, "6 1\n7 90\n", KYMO_RUN_REDUCED, NULL, 0 },
    { 9, "6 1\n30 0 5\n" BLOCK "30 1 25\n7 90\n", KYMO_RUN_REDUCED, NULL, 0 },
    { 9, "6 1\n" BLOCK "30 1 25\n" BLOCK "7 90\n", KYMO_RUN_TRACE, MISSING, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *log = g_strdup_printf ("PROJECTIONS-RECORD %d\n%s", cases[i].n_announced,
                                              cases[i].records);
      g_autoptr (KymoRun) run = open_log (scratch, sts_11, log);

      g_assert_cmpint (run->kind, ==, cases[i].kind);
      for (guint k = 0; k < kymo_report_get_n_issues (run->report); k++)
        g_assert_true (cases[i].words != NULL
                       || strstr (kymo_report_peek_issue (run->report, k)->what, "header") == NULL);
      if (cases[i].words != NULL)
        g_assert_cmpint (find_issue (run, cases[i].words)->count, ==, cases[i].count);
    }
}

/* More counters than a line can hold, or than are kept. */
static void
test_many_counters (Scratch *scratch, gconstpointer data)
{
  const char *sts = "VERSION 11.0\nPROCESSORS 1\nTOTAL_PAPI_EVENTS %d\n"
    "CHARE 0 \"Main\" -1\nENTRY CHARE 0 \"run()\" 0 0\nEND\n";
  g_autofree char *some = g_strdup_printf (sts, 100);
  g_autofree char *absurd = g_strdup_printf (sts, 999999999);
  const char *log = "PROJECTIONS-RECORD 4\n6 1\n2 4 0 10 -1 0 8 0 0 0 0 0 5\n"
    "3 0 0 30 -1 0 0 7\n7 90\n";
  g_autoptr (KymoRun) run = open_log (scratch, some, log);
  g_autoptr (KymoRun) other = open_log (scratch, absurd, log);

  g_assert_cmpint (find_issue (run, "more than 64")->count, ==, 36);
  g_assert_cmpuint (run->metrics->len, ==, 64);
  g_assert_cmpint (find_issue (other, "TOTAL_PAPI_EVENTS")->severity, ==, KYMO_SEVERITY_LOST);
  g_assert_cmpuint (other->metrics->len, ==, 0);
  g_assert_cmpuint (first_segment (other)->n_blocks, ==, 1);
}

#define add(path, data, function) \
  g_test_add (path, Scratch, data, scratch_up, function, scratch_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/projections/blocks", NULL, test_blocks);
  add ("/projections/names", NULL, test_names);
  add ("/projections/multicast-7", NULL, test_multicast);
  add ("/projections/multicast-11", "11", test_multicast);
  add ("/projections/notes", NULL, test_notes);
  add ("/projections/bracketed-note", NULL, test_bracketed_note);
  add ("/projections/points", NULL, test_points);
  add ("/projections/version-7", NULL, test_version_7);
  add ("/projections/damaged-lines", NULL, test_damaged_lines);
  add ("/projections/unreadable", NULL, test_unreadable);
  add ("/projections/two-runs", NULL, test_two_runs);
  for (guint i = 0; i < G_N_ELEMENTS (old_forms); i++)
    {
      g_autofree char *path = g_strconcat ("/projections/old-version-", old_forms[i].version,
                                           NULL);
      add (path, &old_forms[i], test_old_version);
    }
  add ("/projections/counters", NULL, test_counters);
  add ("/projections/announced", NULL, test_announced);
  add ("/projections/many-counters", NULL, test_many_counters);
  return g_test_run ();
}
