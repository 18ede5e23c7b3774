/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions over profiles: of one that is made by hand, with every figure written down
 * here.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "kymo-derived-metrics.h"
#include "profile_run.h"

/* -- making ----------------------------------------------------------------- */

/* main calls work twice and send; rank 2 has no send. FLOPS are ten times the time of
   work and 0 of all else. */
static KymoRun *
make_by_hand (void)
{
  KymoProfileBuilder *builder = kymo_profile_builder_new (3);
  KymoProfilePart *part;
  guint32 main_, work, send, main_work, main_send;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  kymo_profile_builder_add_metric (builder, "PAPI_FP_OPS", "", 0);
  part = kymo_profile_builder_add_part (builder);
  main_ = event (part, "main", "USER", 0);
  work = event (part, "work", "USER|NUMBERS", 0);
  send = event (part, "MPI_Send() ", "MPI", 0);
  main_work = event (part, "main => work", "TAU_CALLPATH|USER|NUMBERS", KYMO_PROFILE_PATH);
  main_send = event (part, "main => MPI_Send() ", "TAU_CALLPATH|MPI", KYMO_PROFILE_PATH);
  for (guint i = 0; i < 3; i++)
    {
      double w = 100 * (i + 1), s = i < 2 ? 30 : 0, own = 10;
      KymoUserEventRow row = { kymo_profile_part_user_event (part, "bytes : main => work", 20),
                               2, 8 + i, 4, 6, 80 };

      kymo_profile_part_begin (part, i, 0);
      kymo_profile_part_add_all (part, main_, 1, i < 2 ? 3 : 2,
                                 (double[]) { own, own + w + s, 0, 10 * w });
      kymo_profile_part_add_all (part, work, 2, 0, (double[]) { w, w, 10 * w, 10 * w });
      kymo_profile_part_add_all (part, main_work, 2, 0, (double[]) { w, w, 10 * w, 10 * w });
      if (i < 2)
        {
          kymo_profile_part_add_all (part, send, 1, 0, (double[]) { s, s, 0, 0 });
          kymo_profile_part_add_all (part, main_send, 1, 0, (double[]) { s, s, 0, 0 });
        }
      kymo_profile_part_add_user (part, &row);
    }
  return make_run (3, kymo_profile_builder_finish (builder, 2));
}

/* -- by hand ---------------------------------------------------------------- */

static void
test_profile (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) answer = ask (run, "profile", "");
  KymoTable *list = kymo_table_peek_nested (answer, "activities", NULL);
  KymoTable *exclusive = kymo_table_peek_nested (list, "exclusive", NULL);
  KymoTable *calls = kymo_table_peek_nested (list, "calls", NULL);
  guint send = find (list, "name", "MPI_Send() ");
  guint work = find (list, "name", "work");

  g_assert_cmpstr (kymo_table_get_string (answer, "metric", 0), ==, "TIME");
  g_assert_cmpstr (kymo_table_get_string (answer, "unit", 0), ==, "us");
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 5);
  assert_near (kymo_table_get_double (exclusive, "total", send), 60);
  assert_near (kymo_table_get_double (exclusive, "mean", send), 20);
  assert_near (kymo_table_get_double (exclusive, "mean_present", send), 30);
  assert_near (kymo_table_get_double (exclusive, "min", send), 30);
  assert_near (kymo_table_get_double (exclusive, "stddev", send), sqrt (200));
  assert_near (kymo_table_get_double (exclusive, "stddev", work), sqrt (20000. / 3));
  assert_near (kymo_table_get_double (calls, "total", work), 6);
  g_assert_cmpstr (kymo_table_get_string (list, "kind", 4), ==, "path");
}

static void
test_metrics (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) counter = ask (run, "thread", "of=1,metric=papi_fp_ops");
  g_autoptr (KymoTable) derived = ask (run, "thread", "of=1,metric=PAPI_FP_OPS / TIME * 2");
  g_autoptr (KymoTable) grouped = ask (run, "thread", "of=1,groups=MPI|NUMBERS");
  KymoTable *list = kymo_table_peek_nested (counter, "functions", NULL);

  g_assert_cmpstr (kymo_table_get_string (counter, "metric", 0), ==, "PAPI_FP_OPS");
  assert_near (kymo_table_get_double (list, "exclusive", find (list, "name", "work")), 2000);
  list = kymo_table_peek_nested (derived, "functions", NULL);
  assert_near (kymo_table_get_double (list, "exclusive", find (list, "name", "work")), 20);
  assert_near (kymo_table_get_double (list, "inclusive", find (list, "name", "main")),
               2 * 2000. / 240);
  list = kymo_table_peek_nested (grouped, "functions", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  /* Of all functions, not of those that are listed. */
  assert_near (kymo_table_get_double (list, "exclusive_share", 0), 200. / 240);
}

static void
test_thread (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) mean = ask (run, "thread", "");
  g_autoptr (KymoTable) paths = ask (run, "thread", "of=max,paths=paths");
  KymoTable *list = kymo_table_peek_nested (mean, "functions", NULL);
  guint main_ = find (list, "name", "main");

  g_assert_cmpstr (kymo_table_get_string (list, "name", 0), ==, "work");
  assert_near (kymo_table_get_double (list, "exclusive", 0), 200);
  assert_near (kymo_table_get_double (list, "exclusive_per_call", 0), 100);
  assert_near (kymo_table_get_double (list, "inclusive", main_), 230);
  assert_near (kymo_table_get_double (list, "subroutines", main_), 8. / 3);
  list = kymo_table_peek_nested (paths, "functions", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  g_assert_cmpstr (kymo_table_get_string (list, "name", 0), ==, "main => work");
  assert_near (kymo_table_get_double (list, "exclusive", 0), 300);
  g_assert_true (isnan (kymo_table_get_double (list, "exclusive_per_call", 0)));
}

static void
test_bars (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) bars = ask (run, "thread-bars", "columns=1");
  g_autoptr (KymoTable) pairs = ask (run, "thread-bars", "rows=2");
  g_autoptr (KymoTable) send = ask (run, "function-bars", "of=MPI_Send(),value=inclusive,bins=4");
  g_autoptr (KymoTable) work = ask (run, "function-bars", "of=work,bins=4");
  KymoTable *list = kymo_table_peek_nested (bars, "functions", NULL);
  KymoTable *rows = kymo_table_peek_nested (bars, "rows", NULL), *histogram;
  const double *values = kymo_table_peek_doubles (rows, "values", NULL);
  const gint64 *counts;

  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  g_assert_cmpint (kymo_table_get_int (list, "rest", 1), ==, 2);
  assert_near (kymo_table_get_double (list, "mean", 1), 30);
  assert_near (kymo_table_get_double (list, "max", 1), 40);
  assert_near (kymo_table_get_double (list, "min", 1), 10);
  assert_near (values[0], 100);
  assert_near (values[1], 40);
  assert_near (values[4], 300);
  rows = kymo_table_peek_nested (pairs, "rows", NULL);
  values = kymo_table_peek_doubles (rows, "values", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (rows), ==, 2);
  g_assert_cmpint (kymo_table_get_int (rows, "n_locations", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (rows, "n_locations", 1), ==, 1);
  assert_near (values[0], 150);
  assert_near (values[3], 300);
  rows = kymo_table_peek_nested (send, "rows", NULL);
  g_assert_true (kymo_table_get_bool (rows, "has", 1));
  g_assert_false (kymo_table_get_bool (rows, "has", 2));
  g_assert_cmpint (kymo_table_get_int (send, "n_present", 0), ==, 2);
  /* All the same: one bin. */
  histogram = kymo_table_peek_nested (send, "histogram", NULL);
  counts = kymo_table_peek_ints (histogram, "counts", NULL);
  g_assert_cmpint (counts[0], ==, 2);
  histogram = kymo_table_peek_nested (work, "histogram", NULL);
  counts = kymo_table_peek_ints (histogram, "counts", NULL);
  g_assert_cmpint (counts[0], ==, 1);
  g_assert_cmpint (counts[1], ==, 0);
  g_assert_cmpint (counts[2], ==, 1);
  g_assert_cmpint (counts[3], ==, 1);
}

static void
test_calltree (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) answer = ask (run, "calltree", "");
  g_autoptr (KymoTable) roots = ask (run, "calltree", "depth-limit=1");
  KymoTable *nodes = kymo_table_peek_nested (answer, "nodes", NULL);

  g_assert_true (kymo_table_get_bool (answer, "has_paths", 0));
  g_assert_false (kymo_table_get_bool (answer, "cut", 0));
  g_assert_cmpuint (kymo_table_get_n_rows (nodes), ==, 3);
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", 0), ==, "main");
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", 1), ==, "work");
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", 2), ==, "MPI_Send()");
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", 2), ==, 0);
  assert_near (kymo_table_get_double (nodes, "inclusive", 0), 690);
  assert_near (kymo_table_get_double (nodes, "exclusive", 1), 600);
  nodes = kymo_table_peek_nested (roots, "nodes", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (nodes), ==, 1);
}

static void
test_user_events (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) answer = ask (run, "user-events", "");
  g_autoptr (KymoTable) one = ask (run, "user-events", "of=1");
  KymoTable *list = kymo_table_peek_nested (answer, "user_events", NULL);

  assert_near (kymo_table_get_double (list, "count", 0), 6);
  assert_near (kymo_table_get_double (list, "max", 0), 10);
  assert_near (kymo_table_get_double (list, "mean", 0), 6);
  assert_near (kymo_table_get_double (list, "stddev", 0), 2);
  g_assert_cmpstr (kymo_table_get_string (list, "base", 0), ==, "bytes");
  g_assert_cmpstr (kymo_table_get_string (list, "path", 0), ==, "main => work");
  list = kymo_table_peek_nested (one, "user_events", NULL);
  assert_near (kymo_table_get_double (list, "count", 0), 2);
}

static void
test_call_graph (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) answer = ask (run, "call-graph", "");
  KymoTable *nodes = kymo_table_peek_nested (answer, "nodes", NULL);
  KymoTable *edges = kymo_table_peek_nested (answer, "edges", NULL);
  guint work = find (nodes, "name", "work");

  g_assert_cmpuint (kymo_table_get_n_rows (nodes), ==, 3);
  g_assert_cmpuint (kymo_table_get_n_rows (edges), ==, 2);
  g_assert_cmpint (kymo_table_get_int (nodes, "layer", find (nodes, "name", "main")), ==, 0);
  g_assert_cmpint (kymo_table_get_int (nodes, "layer", work), ==, 1);
  assert_near (kymo_table_get_double (nodes, "inclusive", work), 600);
  for (guint i = 0; i < 2; i++)
    {
      gboolean is_work = kymo_table_get_int (edges, "to", i) == work;

      assert_near (kymo_table_get_double (edges, "calls", i), is_work ? 6 : 2);
      assert_near (kymo_table_get_double (edges, "inclusive", i), is_work ? 600 : 60);
      g_assert_false (kymo_table_get_bool (edges, "back", i));
    }
}

static void
test_threads (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoTable) answer = ask (run, "threads", "value=inclusive,of=2");
  g_autoptr (KymoTable) scatter = ask (run, "thread-scatter", "clusters=2,x=work,y=calls:main");
  KymoTable *list = NULL, *locations = kymo_table_peek_nested (scatter, "locations", NULL);
  const double *values;
  guint width;

  list = kymo_table_peek_nested (answer, "functions", NULL);
  values = kymo_table_peek_doubles (list, "values", &width);
  g_assert_cmpuint (width, ==, 1);
  assert_near (values[find (list, "name", "main")], 310);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 2);
  assert_near (kymo_table_get_double (locations, "x", 1), 200);
  assert_near (kymo_table_get_double (locations, "y", 1), 1);
  g_assert_cmpint (kymo_table_get_int (locations, "cluster", 0), !=,
                   kymo_table_get_int (locations, "cluster", 2));
}

static void
check_refusal (KymoRun    *run,
               const char *kind,
               const char *key,
               const char *value,
               const char *words)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;

  if (key != NULL)
    kymo_question_set (question, key, value);
  g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words));
}

/* A name stands for its expression, as long as it is kept. */
static void
test_derived (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (GError) error = NULL;
  KymoTable *list;

  g_assert_true (kymo_derived_metrics_set ("RATE", "PAPI_FP_OPS / TIME", NULL));
  g_assert_true (kymo_derived_metrics_set ("OTHER", "L2_MISS / TIME", NULL));
  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (KymoTable) answer = ask (run, "thread", "metric=RATE");
      KymoTable *metrics = kymo_table_peek_nested (answer, "metrics", NULL);

      list = kymo_table_peek_nested (answer, "functions", NULL);
      assert_near (kymo_table_get_double (list, "exclusive", find (list, "name", "work")), 10 * i);
      g_assert_cmpstr (kymo_table_get_string (answer, "metric", 0), ==, "RATE");
      /* Only those that the run can compute are told. */
      g_assert_cmpuint (kymo_table_get_n_rows (metrics), ==, 3);
      g_assert_cmpstr (kymo_table_get_string (metrics, "name", 2), ==, "RATE");
      g_assert_true (kymo_derived_metrics_set ("RATE", "2 * PAPI_FP_OPS / TIME", NULL));
    }
  g_assert_true (kymo_derived_metrics_set ("RATE", NULL, NULL));
  check_refusal (run, "thread", "metric", "RATE", "“RATE” is none");
  g_assert_false (kymo_derived_metrics_set ("RATE", NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (kymo_derived_metrics_set ("a b", "TIME", &error));
  g_assert_nonnull (error);
}

/* Figures that are kept are those of all locations, of one metric and value. */
static void
test_kept (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);

  for (guint round = 0; round < 3; round++)
    for (guint part = 0; part < 2; part++)
      {
        g_autoptr (KymoQuestion) question = kymo_question_new ("thread");
        g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0-1", NULL);
        g_autoptr (KymoTable) answer = NULL;
        KymoTable *list;

        if (part == 1)
          kymo_question_set_locations (question, some);
        if (round == 2)
          kymo_question_set (question, "metric", "TIME * 2");
        answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, NULL);
        list = kymo_table_peek_nested (answer, "functions", NULL);
        assert_near (kymo_table_get_double (list, "exclusive", find (list, "name", "work")),
                     (part == 1 ? 150 : 200) * (round == 2 ? 2 : 1));
      }
}

/* -- paths that were cut ---------------------------------------------------- */

/* The last two functions of a => b => c, x => b, and of r calling itself. */
static void
test_cut (void)
{
  static const struct { const char *name; double calls, exclusive, inclusive; } events[] = {
    { "a", 1, 1, 21 }, { "b", 2, 5, 12 }, { "c", 1, 7, 7 }, { "x", 1, 2, 4 }, { "r", 2, 8, 8 },
    { "a => b", 1, 3, 10 }, { "x => b", 1, 2, 2 }, { "b => c", 1, 7, 7 }, { "a => r", 1, 4, 8 },
    { "r => r", 1, 4, 4 },
  };
  KymoProfileBuilder *builder = kymo_profile_builder_new (1);
  KymoProfilePart *part;
  g_autoptr (KymoRun) run = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *nodes;
  guint chain, c, r;

  kymo_profile_builder_add_metric (builder, "TIME", "us", 1000);
  part = kymo_profile_builder_add_part (builder);
  kymo_profile_part_begin (part, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    kymo_profile_part_add_all (part, event (part, events[i].name, "G",
                                            i < 5 ? 0 : KYMO_PROFILE_PATH), events[i].calls, 0,
                               (double[]) { events[i].exclusive, events[i].inclusive });
  run = make_run (1, kymo_profile_builder_finish (builder, 1));
  answer = ask (run, "calltree", "of=0");
  nodes = kymo_table_peek_nested (answer, "nodes", NULL);
  g_assert_true (kymo_table_get_bool (answer, "cut", 0));
  /* Two can have called b => c: it stands below a b of its own. */
  c = find (nodes, "name", "c");
  chain = kymo_table_get_int (nodes, "parent", c);
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", chain), ==, "b");
  g_assert_false (kymo_table_get_bool (nodes, "known", chain));
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", chain), ==, -1);
  assert_near (kymo_table_get_double (nodes, "inclusive", chain), 7);
  /* r is called by a alone, but for itself. */
  r = find (nodes, "name", "r");
  g_assert_cmpstr (kymo_table_get_string (nodes, "name",
                                          kymo_table_get_int (nodes, "parent", r)), ==, "a");
  g_assert_cmpstr (kymo_table_get_string (nodes, "name", r + 1), ==, "r");
  g_assert_cmpint (kymo_table_get_int (nodes, "parent", r + 1), ==, r);
}

/* -- what cannot be answered ------------------------------------------------ */

static void
test_refusals (void)
{
  g_autoptr (KymoRun) run = make_by_hand ();

  check_refusal (run, "timeline", NULL, NULL, "This run is a profile");
  check_refusal (run, "usage", NULL, NULL, "This run is a profile");
  check_refusal (run, "extrema", "by", "grain", "has no time axis");
  check_refusal (run, "extrema", "by", "received", "has no time axis");
  check_refusal (run, "function-bars", NULL, NULL, "needs the function");
  check_refusal (run, "function-bars", "of", "nobody", "no function “nobody”");
  check_refusal (run, "thread", "of", "7", "no rank 7");
  check_refusal (run, "thread", "of", "x", "is no rank");
  check_refusal (run, "thread", "metric", "TIME *", "it ends too early");
  check_refusal (run, "thread", "metric", "(TIME", "not closed");
  check_refusal (run, "thread", "metric", "TIME)", "not opened");
  check_refusal (run, "thread", "metric", "L2_MISS / TIME", "“L2_MISS” is none");
  check_refusal (run, "thread", "metric", "TIME TIME", "an operator is missing");
  check_refusal (run, "thread", "step", "1", "There is no step 1");
  check_refusal (run, "thread-bars", "value", "much", "is no value");
}

/* What was cancelled is no answer, of whatever kind. */
static void
test_cancelled (void)
{
  static const char *const kinds[] = { "profile", "thread-bars", "function-bars", "thread",
    "threads", "calltree", "call-graph", "user-events", "thread-scatter" };
  g_autoptr (KymoRun) run = make_by_hand ();
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  g_cancellable_cancel (cancelled);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new (kinds[i]);
      g_autoptr (GError) error = NULL;

      if (strcmp (kinds[i], "function-bars") == 0)
        kymo_question_set (question, "of", "work");
      g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, cancelled, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

int
main (int   argc,
      char *argv[])
{
  /* Not G_TEST_OPTION_ISOLATE_DIRS: it leaks in GLib 2.74. */
  g_autofree char *config = g_dir_make_tmp ("kymo-profiles-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (config, "kymo", NULL);
  g_autofree char *kept = g_build_filename (folder, "metrics.conf", NULL);
  int status;

  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profiles/derived", test_derived);
  g_test_add_func ("/profiles/profile", test_profile);
  g_test_add_func ("/profiles/metrics", test_metrics);
  g_test_add_func ("/profiles/thread", test_thread);
  g_test_add_func ("/profiles/bars", test_bars);
  g_test_add_func ("/profiles/calltree", test_calltree);
  g_test_add_func ("/profiles/user-events", test_user_events);
  g_test_add_func ("/profiles/call-graph", test_call_graph);
  g_test_add_func ("/profiles/threads", test_threads);
  g_test_add_func ("/profiles/kept", test_kept);
  g_test_add_func ("/profiles/cut", test_cut);
  g_test_add_func ("/profiles/cancelled", test_cancelled);
  g_test_add_func ("/profiles/refusals", test_refusals);
  status = g_test_run ();
  g_unlink (kept);
  g_rmdir (folder);
  g_rmdir (config);
  return status;
}
