/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Offsets of clocks: small graphs by hand, and small runs through the reader.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "kymo-clocks.h"
#include "kymo-open.h"

static const gint64 four[] = { 0, 1, 2, 3 };

typedef struct
{
  gint64 from, to, latency_us;
} Case;

/* The estimate of up to four processes from smallest latencies. */
static KymoClockEstimate *
estimate (guint n, const Case *cases, guint n_cases)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, TRUE, sizeof (KymoClockPair));
  for (guint i = 0; i < n_cases; i++)
    {
      KymoClockPair pair = { .from = cases[i].from, .to = cases[i].to,
                             .n_messages = 1,
                             .min_latency_ns = cases[i].latency_us * 1000 };
      g_array_append_val (pairs, pair);
    }
  return kymo_clocks_estimate (four, n, pairs, NULL);
}

static gint64
offset_us (const KymoClockEstimate *e, guint i)
{
  gint64 ns = g_array_index (e->offsets, KymoClockOffset, i).offset_ns;
  g_assert_cmpint (ns % 1000, ==, 0);
  return ns / 1000;
}

static void
test_midpoint (void)
{
  static const Case cases[] = { { 0, 1, -90 }, { 1, 0, 110 } };
  g_autoptr (KymoClockEstimate) e = estimate (2, cases, 2);
  g_assert_true (e->consistent);
  g_assert_cmpint (offset_us (e, 0), ==, 0);
  g_assert_cmpint (offset_us (e, 1), ==, 100);
}

static void
test_one_way (void)
{
  static const Case forth[] = { { 0, 1, -7 } }, back[] = { { 1, 0, -7 } };
  static const Case fine[] = { { 0, 1, 7 } };
  g_autoptr (KymoClockEstimate) a = estimate (2, forth, 1);
  g_autoptr (KymoClockEstimate) b = estimate (2, back, 1);
  g_autoptr (KymoClockEstimate) c = estimate (2, fine, 1);
  g_assert_cmpint (offset_us (a, 1), ==, 7);
  g_assert_cmpint (offset_us (b, 1), ==, -7);
  g_assert_cmpint (offset_us (c, 1), ==, 0);
  g_assert_true (a->consistent && b->consistent && c->consistent);
}

/* Only the clock that is wrong moves; lopsided latencies move nothing. */
static void
test_least (void)
{
  static const Case cases[] = {
    { 0, 1, 10 }, { 0, 2, 4000 }, { 0, 3, -4990 }, { 1, 0, 10 },
    { 1, 3, -4000 }, { 2, 0, 10 }, { 3, 0, 5010 },
  };
  g_autoptr (KymoClockEstimate) e = estimate (4, cases, G_N_ELEMENTS (cases));
  g_assert_true (e->consistent);
  g_assert_cmpint (offset_us (e, 1), ==, 0);
  g_assert_cmpint (offset_us (e, 2), ==, 0);
  g_assert_cmpint (offset_us (e, 3), ==, 5000);
}

static void
test_contradiction (void)
{
  static const Case cases[] = { { 0, 1, -30 }, { 1, 2, 5 }, { 2, 0, -5 } };
  static const Case pair[] = { { 0, 1, -30 }, { 1, 0, 10 } };
  g_autoptr (KymoClockEstimate) e = estimate (3, cases, 3);
  g_autoptr (KymoClockEstimate) p = estimate (2, pair, 2);
  g_assert_false (e->consistent);
  g_assert_cmpint (e->residual_ns, ==, 10000);   /* -30 over three messages */
  g_assert_false (p->consistent);
  g_assert_cmpint (p->residual_ns, ==, 10000);
  g_assert_cmpint (offset_us (p, 1), ==, 20);
}

/* Offsets of runs of nothing, or of numbers that no file could hold. */
static void
test_extremes (void)
{
  static const Case far[] = { { 0, 1, G_MININT64 / 3000 } };
  g_autoptr (KymoClockEstimate) none = estimate (0, NULL, 0);
  g_autoptr (KymoClockEstimate) alone = estimate (3, NULL, 0);
  g_autoptr (KymoClockEstimate) e = estimate (2, far, 1);
  g_assert_cmpuint (none->offsets->len, ==, 0);
  g_assert_true (none->consistent && alone->consistent);
  g_assert_cmpint (offset_us (alone, 2), ==, 0);
  g_assert_false (e->consistent);
  g_assert_cmpint (offset_us (e, 1), ==, 0);
}

/* -- through the reader ---------------------------------------------------- */

static const char sts[] =
  "VERSION 11.0\nMACHINE \"m\"\nPROCESSORS 2\nTOTAL_CHARES 1\nTOTAL_EPS 2\n"
  "TOTAL_MSGS 1\nTOTAL_PSEUDOS 0\nTOTAL_EVENTS 0\nCHARE 0 \"A\" 0\n"
  "ENTRY CHARE 0 \"go()\" 0 0\nENTRY CHARE 1 \"redn()\" 0 0\n"
  "MESSAGE 0 8\nTOTAL_STATS 0\nEND\n";

/* PE 0 sends at 100 and 200 us; PE 1 executes at 80 (20 us too early) and
   290, and answers at 90, which PE 0 executes at 140. */
static const char log_0[] =
  "PROJECTIONS-RECORD 6\n6 50\n1 21 0 100 0 0 64 0\n2 21 0 140 0 1 64 0 0\n"
  "3 0 0 150 0 0 0 0\n1 21 0 200 1 0 64 0\n7 400\n";
static const char log_1[] =
  "PROJECTIONS-RECORD 7\n6 60\n2 21 0 80 0 0 64 0 0\n1 21 0 90 0 1 64 0\n"
  "3 0 0 95 0 1 0 0\n2 21 0 290 1 0 64 0 0\n3 0 0 300 0 1 0 0\n7 400\n";
/* The same, and two blocks of an entry method that carries stale numbers. */
static const char stale_1[] =
  "PROJECTIONS-RECORD 11\n6 60\n2 21 0 80 0 0 64 0 0\n1 21 0 90 0 1 64 0\n"
  "3 0 0 95 0 1 0 0\n2 21 1 96 1 0 64 0 0\n3 0 1 97 0 1 0 0\n"
  "2 21 1 98 2 0 64 0 0\n3 0 1 99 0 1 0 0\n"
  "2 21 0 290 1 0 64 0 0\n3 0 0 300 0 1 0 0\n7 400\n";

static void
put (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static KymoRun *
open_two (const char *names, const char *second, gboolean correct)
{
  static const char *const files[] = { "a.sts", "a.0.log", "a.1.log" };
  g_autofree char *folder = g_dir_make_tmp ("kymo-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;
  KymoOpenOptions options = { .correct_clocks = correct, .no_cache = TRUE };
  KymoRun *run;

  g_assert_nonnull (folder);
  put (folder, "a.sts", names);
  put (folder, "a.0.log", log_0);
  put (folder, "a.1.log", second);
  run = kymo_open_run (folder, &options, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
  return run;
}

static gint64
count_issue (KymoRun *run, KymoSeverity severity, const char *words)
{
  for (guint i = 0; i < kymo_report_get_n_issues (run->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (run->report, i);
      if (issue->severity == severity && strstr (issue->what, words) != NULL)
        return issue->count;
    }
  return 0;
}

static void
test_measure (void)
{
  static const char *const logs[] = { log_1, stale_1 };
  for (guint i = 0; i < G_N_ELEMENTS (logs); i++)
    {
      g_autoptr (KymoRun) run = open_two (sts, logs[i], FALSE);
      g_autoptr (GArray) pairs = kymo_clocks_measure (run, 2, NULL);
      const KymoClockPair *pair = (KymoClockPair *) pairs->data;

      g_assert_cmpuint (pairs->len, ==, 2);
      g_assert_cmpint (pair[0].from, ==, 0);
      g_assert_cmpint (pair[0].n_messages, ==, 2);
      g_assert_cmpint (pair[0].n_negative, ==, 1);
      g_assert_cmpint (pair[0].min_latency_ns, ==, -20000);
      g_assert_cmpint (pair[0].begin_ns, ==, 80000);
      g_assert_cmpint (pair[1].min_latency_ns, ==, 50000);
      g_assert_cmpint (pair[1].n_negative, ==, 0);
      g_assert_cmpint (count_issue (run, KYMO_SEVERITY_NOTE, "before they were sent"),
                       ==, 1);
      g_assert_false (kymo_run_has_corrected_clocks (run));
    }
}

static void
test_correct (void)
{
  g_autoptr (KymoRun) run = open_two (sts, log_1, TRUE);
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, 1, NULL);
  const KymoSegment *second = run->segments->pdata[1];

  /* (50 - -20) / 2 = 35: the floor is 15 us both ways. */
  g_assert_cmpint (g_array_index (pairs, KymoClockPair, 0).min_latency_ns, ==, 15000);
  g_assert_cmpint (g_array_index (pairs, KymoClockPair, 1).min_latency_ns, ==, 15000);
  g_assert_cmpint (kymo_run_peek_location (run, 0)->clock_offset_ns, ==, 0);
  g_assert_cmpint (kymo_run_peek_location (run, 1)->clock_offset_ns, ==, 35000);
  g_assert_cmpint (second->span.begin_ns, ==, 95000);
  g_assert_cmpint (kymo_segment_block_begin (second, 0), ==, 115000);
  g_assert_cmpint (kymo_segment_block_end (second, 0), ==, 130000);
  g_assert_cmpint (run->span.begin_ns, ==, 50000);
  g_assert_cmpint (run->span.end_ns, ==, 435000);
  g_assert_cmpint (count_issue (run, KYMO_SEVERITY_REPAIRED, "by choice"), ==, 1);
  g_assert_cmpint (count_issue (run, KYMO_SEVERITY_NOTE, "still"), ==, 0);
}

/* What the files tell of collectives moves with the clocks of their members: who came last,
   and which of two was first, may be another one after. */
static void
test_collectives (void)
{
  g_autoptr (KymoRun) run = open_two (sts, log_1, FALSE);
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, 1, NULL);
  guint n;
  g_autofree gint64 *processes = kymo_run_dup_processes (run, &n);
  g_autoptr (KymoClockEstimate) estimate = kymo_clocks_estimate (processes, n, pairs, NULL);
  KymoCollectiveMember both[] = { { 0, 100000, 110000 }, { 1, 90000, 120000 } };
  KymoCollectiveMember one = { 0, 105000, 106000 };
  const KymoCollective *first, *second;

  run->collectives = kymo_collectives_new ();
  kymo_collectives_add (run->collectives, both, 2, 0, KYMO_COLLECTIVE_BARRIER, -1);
  kymo_collectives_add (run->collectives, &one, 1, 1, KYMO_COLLECTIVE_OTHER, -1);
  kymo_collectives_sort (run->collectives);
  g_assert_cmpuint (kymo_clocks_correct (run, estimate), ==, 1);
  first = &g_array_index (run->collectives->list, KymoCollective, 0);
  second = &g_array_index (run->collectives->list, KymoCollective, 1);
  g_assert_cmpuint (first->n_members, ==, 1);
  g_assert_cmpuint (second->last, ==, 1);
  g_assert_cmpint (kymo_collective_member (run->collectives, second, 1)->begin_ns, ==, 125000);
  g_assert_cmpint (second->span.begin_ns, ==, 100000);
  g_assert_cmpint (second->span.end_ns, ==, 155000);
}

/* PEs of one process share a clock: nothing is said, nothing is moved. */
static void
test_one_process (void)
{
  g_autofree char *smp = g_strconcat ("SMPMODE 2 1\n", sts, NULL);
  g_autoptr (KymoRun) run = open_two (smp, log_1, TRUE);
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, 2, NULL);

  g_assert_cmpuint (pairs->len, ==, 0);
  g_assert_cmpint (count_issue (run, KYMO_SEVERITY_NOTE, "disagree"), ==, 0);
  g_assert_false (kymo_run_has_corrected_clocks (run));
}

static void
test_cancelled (void)
{
  g_autoptr (KymoRun) run = open_two (sts, log_1, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_autoptr (GArray) pairs = kymo_clocks_measure (run, 2, cancellable);
  g_assert_cmpuint (pairs->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clocks/midpoint", test_midpoint);
  g_test_add_func ("/clocks/one-way", test_one_way);
  g_test_add_func ("/clocks/least", test_least);
  g_test_add_func ("/clocks/contradiction", test_contradiction);
  g_test_add_func ("/clocks/extremes", test_extremes);
  g_test_add_func ("/clocks/measure", test_measure);
  g_test_add_func ("/clocks/correct", test_correct);
  g_test_add_func ("/clocks/collectives", test_collectives);
  g_test_add_func ("/clocks/one-process", test_one_process);
  g_test_add_func ("/clocks/cancelled", test_cancelled);
  return g_test_run ();
}
