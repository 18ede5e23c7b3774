/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small handwritten summaries: what they tell, and what becomes of those that
 * are cut, contradict themselves or lie.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-open.h"
#include "kymo-projections-sum.h"
#include "scratch.h"

/* Four entries; 1 and 2 are packing and unpacking. Four bins of 1 ms. */
static const char sum[] =
  "ver:7.1 0/1 count:4 ep:4 interval:1.000000e-03 phases:1\n"
  "   0  50 100+2\n"
  "EPExeTime: 300 7 3 1200 \nEPCallTime: 3 1 1 12 \nMaxEPTime: 200 7 3 110 \n"
  "NumMarks: 2 7 0.002500 9 0.000100 \n"
  "[0] 1 0 0 5 \n[0] 100 0 0 500 \n[0] 100 0 0 110 \n"
  "IdlePercent:   90  40   0+2\n";
static const char sumd[] =
  "ver:7.1 cpu:0/1 numIntervals:4 numEPs:4 intervalSize:1.000000e-03\n"
  "ExeTimePerEPperInterval 0 300 0+3 7 0+4 3 0+2 200 500+2\n"
  "EPCallTimePerInterval 0 3 0+3 1 0+4 1 0+2 2 5+2\n";
static const char sts[] =
  "MACHINE \"test\"\nPROCESSORS 1\nCHARE 0 \"Main\" -1\n"
  "ENTRY CHARE 0 \"run()\" 0 0\nENTRY CHARE 3 \"go()\" 0 0\nEVENT 7 Event7\nEND\n";

static KymoRun *
open_run (Scratch *scratch)
{
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_open_run (scratch->folder, NULL, NULL, &error);
  g_assert_no_error (error);
  return run;
}

static gint64
count_issues (KymoRun *run, KymoSeverity severity, const char *words)
{
  gint64 n = 0;
  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);
      if (issue->severity == severity && strstr (issue->what, words) != NULL)
        n += issue->count;
    }
  return n;
}

/* Time of the state with that name; NULL = idle, "" = overhead. */
static gint64
time_of (KymoRun *run, const char *name, gint64 begin_ns, gint64 end_ns)
{
  KymoSegment *segment = run->segments->pdata[0];
  gint64 ns = 0, all = 0;
  KymoSums sums;

  kymo_sums_init (&sums, KYMO_STATE_ACTIVITY + run->activities->len);
  kymo_segment_sum (segment, (KymoSpan) { begin_ns, end_ns }, NULL, &sums);
  for (guint s = 0; s < sums.n_states; s++)
    {
      const char *here = s == KYMO_STATE_OVERHEAD ? "" : s < KYMO_STATE_ACTIVITY ? NULL
        : kymo_run_peek_activity (run, s - KYMO_STATE_ACTIVITY)->name;
      all += sums.ns[s];
      if (s != KYMO_STATE_UNTRACED && g_strcmp0 (here, name) == 0)
        ns += sums.ns[s];
    }
  kymo_sums_clear (&sums);
  g_assert_cmpint (all, ==, end_ns - begin_ns);
  return ns;
}

#define MS G_GINT64_CONSTANT (1000000)
#define UNKNOWN "(entry method unknown)"

static void
test_whole (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.0.sumd", sumd);
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  KymoSegment *segment = run->segments->pdata[0];

  g_assert_cmpint (run->kind, ==, KYMO_RUN_SUMMARY);
  g_assert_cmpstr (run->format_version, ==, "7.1");
  g_assert_cmpint (run->span.begin_ns, ==, 0);
  g_assert_cmpint (run->span.end_ns, ==, 4 * MS);
  g_assert_true (kymo_report_is_complete (run->report));
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_NOTE, "phase"), ==, 3);
  g_assert_cmpint (time_of (run, NULL, 0, 4 * MS), ==, 1300000);
  g_assert_cmpint (time_of (run, "Main::run", 0, 4 * MS), ==, 300000);
  g_assert_cmpint (time_of (run, "Main::go", 0, 4 * MS), ==, 1200000);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, 4 * MS), ==, 1000000);
  g_assert_cmpint (time_of (run, "", 0, 4 * MS), ==, 200000);
  /* Half a bin: half of what is in it. */
  g_assert_cmpint (time_of (run, "Main::run", MS, MS + MS / 2), ==, 150000);
  g_assert_cmpint (time_of (run, "Main::go", 2 * MS, 2 * MS + 1), >=, 0);
  g_assert_cmpint (segment->bins->pack_ns, ==, 7000);
  g_assert_cmpint (segment->bins->unpack_ns, ==, 3000);
  g_assert_cmpuint (segment->bins->totals->len, ==, 2);
  g_assert_cmpuint (segment->points->len, ==, 2);
  g_assert_cmpint (g_array_index (segment->points, KymoPoint, 0).begin_ns, ==, 100000);
  g_assert_cmpint (g_array_index (segment->points, KymoPoint, 1).id, ==, 7);
  kymo_run_unref (run);
}

/* Adjacent ranges add up to the nanosecond, wherever they meet. */
static void
test_adjacent (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.0.sumd", sumd);
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  const char *names[] = { NULL, "", UNKNOWN, "Main::run", "Main::go" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (gint64 at = 1; at < 4 * MS; at += 99991)
      g_assert_cmpint (time_of (run, names[i], 0, at) + time_of (run, names[i], at, 4 * MS), ==,
                       time_of (run, names[i], 0, 4 * MS));
  kymo_run_unref (run);
}

static void
test_no_names (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.0.sumd", sumd);
  KymoRun *run = open_run (scratch);

  g_assert_cmpint (time_of (run, "entry 3", 0, 4 * MS), ==, 1200000);
  g_assert_false (kymo_report_is_complete (run->report));
  kymo_run_unref (run);
}

static void
test_one_of_both (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, 4 * MS), ==, 2500000);
  g_assert_true (kymo_report_is_complete (run->report));
  kymo_run_unref (run);

  g_autofree char *path = g_build_filename (scratch->folder, "app.0.sum", NULL);
  g_unlink (path);
  scratch_put (scratch, "app.0.sumd", sumd);
  run = open_run (scratch);
  g_assert_cmpint (time_of (run, "Main::go", 0, 4 * MS), ==, 1200000);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, 4 * MS), ==, 0);
  g_assert_cmpint (time_of (run, "", 0, 4 * MS), ==, 2500000);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "without a .sum"), ==, 1);
  kymo_run_unref (run);
}

static void
test_missing_pes (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.3.sum", sum);
  scratch_put (scratch, "app.9.sum", sum);
  scratch_put (scratch, "app.sum.sts", "PROCESSORS 6\nEND\n");
  KymoRun *run = open_run (scratch);
  g_assert_cmpuint (run->locations->len, ==, 2);
  g_assert_cmpint (run->n_locations_original, ==, 6);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "PEs without a summary: 1-2,4-5"), ==, 4);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "beyond the PROCESSORS"), ==, 1);
  kymo_run_unref (run);
}

/* Runs that could not be in so small a file, and totals beyond all bins. */
static void
test_implausible (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum",
               "ver:7.1 0/1 count:999999999 ep:2 interval:1.0e-03 phases:0\n"
               "1+99999999999\nEPExeTime: 9999999999 8796093022208 \n"
               "EPCallTime: 99999999999 1 \nMaxEPTime: -5 999999999999999999999 \n"
               "NumMarks: 99999 \nIdlePercent: 100+999999999999999999\n");
  scratch_put (scratch, "app.0.sumd",
               "ver:7.1 cpu:0/1 numIntervals:999999999 numEPs:999999999 intervalSize:1.0e-03\n"
               "ExeTimePerEPperInterval 8796093022208+999999999999\n"
               "EPCallTimePerInterval 1+999999999999 -3 x 99999999999999999999\n");
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  KymoSegment *segment = run->segments->pdata[0];
  g_assert_cmpuint (segment->bins->n_bins, <=, 1 << 17);
  g_assert_cmpuint (kymo_segment_get_bytes (segment), <, 64 << 20);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "than it can hold"), >, 1);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_REPAIRED, "EPExeTime"), ==, 1);
  time_of (run, UNKNOWN, 0, run->span.end_ns);
  kymo_run_unref (run);
}

static void
test_contradictions (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum",
               "ver:7.1 0/1 count:3 ep:4 interval:1.0e-03 phases:0\n  60  90 100\n"
               "EPExeTime: 0 0 0 0 \nEPCallTime: 0 0 0 0 \nMaxEPTime: 0 0 0 0 \nNumMarks: 0 \n"
               "IdlePercent:   60  10  0\n");
  scratch_put (scratch, "app.0.sumd",
               "ver:7.1 cpu:0/1 numIntervals:3 numEPs:4 intervalSize:1.0e-03\n"
               "ExeTimePerEPperInterval 0+2 3000 0+8 1000\nEPCallTimePerInterval 0+12\n");
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (time_of (run, NULL, 0, MS), ==, 400000);
  g_assert_cmpint (time_of (run, "Main::run", 2 * MS, 3 * MS), ==, 750000);
  g_assert_cmpint (time_of (run, "Main::go", 2 * MS, 3 * MS), ==, 250000);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_REPAIRED, "more than their time"), ==, 2);
  kymo_run_unref (run);
}

/* Percent hid the work of a nearly idle run; its totals did not. */
static void
test_hidden (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum",
               "ver:7.1 0/1 count:3 ep:4 interval:1.0e-03 phases:0\n   0+3\n"
               "EPExeTime: 0 0 0 20 \nEPCallTime: 0 0 0 2 \nMaxEPTime: 0 0 0 9 \nNumMarks: 0 \n"
               "IdlePercent:   98+2 99\n");
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, 3 * MS), ==, 20000);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, MS), ==, 8000);
  g_assert_cmpint (time_of (run, "", 0, 3 * MS), ==, 30000);
  g_assert_cmpuint (kymo_report_get_n_issues (run->report), ==, 0);
  kymo_run_unref (run);
}

/* A file may end anywhere: there is a run that says so, or one sentence. */
static void
test_cut (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.sum.sts", sts);
  for (gsize n = 0; n < sizeof sum - 1; n++)
    {
      g_autofree char *part = g_strndup (sum, n);
      g_autoptr (GError) error = NULL;
      scratch_put (scratch, "app.0.sum", part);
      KymoRun *run = kymo_open_run (scratch->folder, NULL, NULL, &error);
      if (run == NULL)
        {
          g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
          continue;
        }
      g_assert_false (kymo_report_is_complete (run->report));
      time_of (run, UNKNOWN, 0, run->span.end_ns);
      kymo_run_unref (run);
    }
  scratch_put (scratch, "app.0.sum", sum);
  for (gsize n = 0; n < sizeof sumd - 1; n++)
    {
      g_autofree char *part = g_strndup (sumd, n);
      scratch_put (scratch, "app.0.sumd", part);
      KymoRun *run = open_run (scratch);
      g_assert_false (kymo_report_is_complete (run->report));
      time_of (run, "Main::go", 0, run->span.end_ns);
      kymo_run_unref (run);
    }
}

static void
test_sumonly (Scratch *scratch, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  scratch_put (scratch, "app.sum.sts", "PROCESSORS 8\nEND\n");
  scratch_put (scratch, "app.sum",
               "ver:7.1 0/8 count:4 ep:4 interval:1.0e-03 numTracedPE:8\n"
               "  20  40-2147483648  60\n");
  KymoRun *run = open_run (scratch);
  g_assert_cmpuint (run->locations->len, ==, 1);
  g_assert_cmpstr (kymo_run_peek_location (run, 0)->label, ==, "All PEs");
  g_assert_cmpint (run->n_locations_original, ==, 8);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, MS), ==, 200000);
  g_assert_false (kymo_report_is_complete (run->report));
  kymo_run_unref (run);

  scratch_put (scratch, "app.sum",
               "ver:7.1 0/8 count:2 ep:4 interval:1.0e-03 numTracedPE:0\n-2147483648-2147483648\n");
  g_assert_null (kymo_open_run (scratch->folder, NULL, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE);
  g_assert_nonnull (strstr (error->message, "No bin"));
}

static void
test_other_bins (Scratch *scratch, gconstpointer data)
{
  scratch_put (scratch, "app.0.sum", sum);
  scratch_put (scratch, "app.0.sumd",
               "ver:7.1 cpu:0/1 numIntervals:2 numEPs:4 intervalSize:2.0e-03\n"
               "ExeTimePerEPperInterval 9+8\nEPCallTimePerInterval 1+8\n");
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "another length"), ==, 1);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, 4 * MS), ==, 2500000);
  kymo_run_unref (run);
}

/* A summary without work, but for its header. */
static void
put_idle (Scratch *scratch, const char *name, const char *pe, guint n_bins, const char *length)
{
  g_autofree char *text = g_strdup_printf ("ver:7.1 %s count:%u ep:1 interval:%s phases:0\n"
                                           "0+%u\nEPExeTime: 0 \nEPCallTime: 0 \nMaxEPTime: 0 \n"
                                           "NumMarks: 0 \nIdlePercent: 100+%u\n",
                                           pe, n_bins, length, n_bins, n_bins);
  scratch_put (scratch, name, text);
}

static gint64
end_of (KymoRun *run, guint i)
{
  return kymo_run_peek_location (run, i)->span.end_ns;
}

static void
test_lengths (Scratch *scratch, gconstpointer data)
{
  put_idle (scratch, "app.0.sum", "0/4", 100, "1.0e-03");
  put_idle (scratch, "app.1.sum", "1/4", 102, "9.0e-03");
  put_idle (scratch, "app.2.sum", "2/4", 51, "2.0e-03");
  put_idle (scratch, "app.3.sum", "3/9", 101, "1.0e-03");
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (run->n_locations_original, ==, 4);
  g_assert_cmpint (run->span.end_ns, ==, 102 * MS);
  g_assert_cmpint (end_of (run, 1), ==, 102 * MS);
  g_assert_cmpint (end_of (run, 2), ==, 102 * MS);
  g_assert_cmpint (count_issues (run, KYMO_SEVERITY_LOST, "does not fit the other files"), ==, 1);
  kymo_run_unref (run);
}

/* Two have no majority. */
static void
test_two_lengths (Scratch *scratch, gconstpointer data)
{
  put_idle (scratch, "app.0.sum", "0/2", 100, "1.0e-04");
  put_idle (scratch, "app.1.sum", "1/2", 100, "1.0e-03");
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (end_of (run, 0), ==, 100 * MS);
  g_assert_cmpint (end_of (run, 1), ==, 100 * MS);
  kymo_run_unref (run);

  put_idle (scratch, "app.0.sum", "0/2", 100, "4.0e-03");
  run = open_run (scratch);
  g_assert_cmpint (end_of (run, 0), ==, 100 * MS);
  g_assert_cmpint (end_of (run, 1), ==, 100 * MS);
  kymo_run_unref (run);
}

/* All bins stand on one line, which may be of any length. */
static void
test_long_line (Scratch *scratch, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("ver:7.1 0/1 count:400000 ep:1 interval:1.0e-03\n");
  for (guint i = 0; i < 400000; i++)
    g_string_append_printf (text, "%4u", i % 2 == 0 ? 10 : 30);
  g_string_append (text, "\nEPExeTime: 5 \nEPCallTime: 1 \nMaxEPTime: 5 \nNumMarks: 0 \n"
                   "IdlePercent: 0+400000\n");
  g_autofree char *path = scratch_path (scratch, "app.0.sum");

  scratch_put (scratch, "app.0.sum", text->str);
  g_autoptr (KymoReport) report = kymo_report_new ();
  g_autoptr (KymoSum) read = kymo_projections_sum_read (path, "app.0.sum", report, NULL);
  g_assert_nonnull (read);
  g_assert_cmpint (read->utilization.n_values, ==, 400000);
  g_assert_cmpuint (kymo_report_get_n_issues (report), ==, 0);
  scratch_put (scratch, "app.sum.sts", sts);
  KymoRun *run = open_run (scratch);
  g_assert_cmpint (time_of (run, UNKNOWN, 0, run->span.end_ns), ==, 80000 * MS);
  kymo_run_unref (run);
}

int
main (int argc, char **argv)
{
  static const struct { const char *path; void (*test) (Scratch *, gconstpointer); } tests[] =
  {
    { "/summary/whole", test_whole },
    { "/summary/adjacent", test_adjacent },
    { "/summary/no-names", test_no_names },
    { "/summary/one-of-both", test_one_of_both },
    { "/summary/missing-pes", test_missing_pes },
    { "/summary/implausible", test_implausible },
    { "/summary/contradictions", test_contradictions },
    { "/summary/hidden", test_hidden },
    { "/summary/cut", test_cut },
    { "/summary/sumonly", test_sumonly },
    { "/summary/other-bins", test_other_bins },
    { "/summary/lengths", test_lengths },
    { "/summary/two-lengths", test_two_lengths },
    { "/summary/long-line", test_long_line },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Scratch, NULL, scratch_up, tests[i].test, scratch_down);
  return g_test_run ();
}
