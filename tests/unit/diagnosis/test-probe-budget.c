/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the diagnosis starts probes: only if somebody allowed it, in the order of the queue, each
 * once, within the budget, and never what was not triggered or is only shown. Nothing is started
 * here: a made prober tells figures, and how long it took. Also the lists of hosts of batch jobs.
 */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "kymo-allocation.h"
#include "kymo-findings.h"

/* -- a run that tells how it was started, and nothing else --------------------------- */

#define FAKE_TYPE_RUN (fake_run_get_type ())
G_DECLARE_FINAL_TYPE (FakeRun, fake_run, FAKE, RUN, GObject)

struct _FakeRun
{
  GObject  parent_instance;
  gboolean is_recorded;
};

static void fake_run_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeRun, fake_run, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE, fake_run_iface_init))

static KymoTable *
new_lines (void)
{
  KymoTable *lines = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (lines, "group", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (lines, "key", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (lines, "value", KYMO_COLUMN_STRING, 1);
  return lines;
}

static void
add_line (KymoTable  *lines,
          const char *group,
          const char *key,
          const char *value)
{
  kymo_table_append_string (lines, 0, group);
  kymo_table_append_string (lines, 1, key);
  kymo_table_append_string (lines, 2, value);
}

static KymoTable *
fake_ask (KymoSource    *source,
          KymoQuestion  *question,
          GCancellable  *cancellable,
          GError       **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT), *lines = new_lines ();

  if (FAKE_RUN (source)->is_recorded)
    {
      add_line (lines, "Command", "launcher", "Open MPI");
      add_line (lines, "Placement", "ranks", "4");
    }
  add_line (lines, "System", "host", "a");
  kymo_table_set_table (answer, "environment", lines);
  return answer;
}

static KymoCapabilities
fake_get_capabilities (KymoSource *source)
{
  return 0;
}

static KymoSpan
fake_get_span (KymoSource *source)
{
  return (KymoSpan) { 0, 1000000000 };
}

static char *
fake_dup_title (KymoSource *source)
{
  return g_strdup ("made");
}

static void
fake_run_iface_init (KymoSourceInterface *iface)
{
  iface->ask = fake_ask;
  iface->get_capabilities = fake_get_capabilities;
  iface->get_span = fake_get_span;
  iface->dup_title = fake_dup_title;
}

static void
fake_run_class_init (FakeRunClass *klass)
{
}

static void
fake_run_init (FakeRun *self)
{
}

/* -- a prober that starts nothing ---------------------------------------------------- */

typedef struct
{
  GString *started;             /* words, and bounds in ms */
  gint64   took_ns;
  gboolean fails;
} Fake;

static gboolean
fake_start (gpointer       data,
            KymoSource    *source,
            const char    *part,
            gint64         bound_ns,
            KymoProbed    *probed,
            GCancellable  *cancellable,
            GError       **error)
{
  Fake *fake = data;

  g_string_append_printf (fake->started, "%s %" G_GINT64_FORMAT ";", part, bound_ns / 1000000);
  probed->command = g_strdup ("made");
  probed->took_ns = fake->took_ns;
  if (fake->fails)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "it hung");
      return FALSE;
    }
  probed->lines = new_lines ();
  add_line (probed->lines, "Probe Rank 0", "fwq-noise-share", "0.250000");
  add_line (probed->lines, "Probe Rank 1", "fwq-noise-share", "0.500000");
  add_line (probed->lines, "Probe Pair 0 1", "pingpong-latency-ns", "700");
  add_line (probed->lines, "Probe Node 0", "memory-bytes-per-s", "5000");
  return TRUE;
}

/* Memory has the second rank though it stands first; pingpong is behind a trigger; "both" names
   noise once more. */
static const char text[] =
  "[Kymo Rules]\nversion=1\n"
  "[metric m]\ntitle=Memory\nquestion=info\nlist=environment\nwhere=key=memory-bytes-per-s\n"
  "value=value\nfold=min\nunit=B/s\nprice=2\nprobe=memory\nmissing=a probe\n"
  "[metric n]\ntitle=Noise\nquestion=info\nlist=environment\nwhere=key=fwq-noise-share\n"
  "value=value\nfold=max\nname=group\nunit=share\nprice=2\nprobe=noise\nmissing=a probe\n"
  "[metric p]\ntitle=Latency\nquestion=info\nlist=environment\nwhere=key=pingpong-latency-ns\n"
  "value=value\nfold=max\nunit=ns\nprobe=pingpong\nmissing=a probe\n"
  "[metric twice]\ntitle=Twice\nof=2 * p\nunit=ns\n"
  "[metric r]\ntitle=Allocations\nquestion=info\nlist=environment\nwhere=key=heap\nvalue=value\n"
  "fold=max\nunit=B\nprice=3\nrecord=memory\nmissing=allocations\n"
  "[metric host]\ntitle=Hosts\nquestion=info\nlist=environment\nwhere=key=host\nfold=count\n"
  "unit=1\n"
  "[diagnosis memory]\ntitle=Memory\nwhen=m < 1 KiB/s\npriority=2\n"
  "[diagnosis noise]\ntitle=Noise\nwhen=n > 40 %\npriority=1\ntriggers=messages\n"
  "[diagnosis messages]\ntitle=Messages\nwhen=twice > 1 us\npriority=4\n"
  "[diagnosis both]\ntitle=Both\nwhen=n > 10 % and host >= 0\n"
  "[diagnosis heap]\ntitle=Heap\nwhen=r > 1 KiB\n"
  "[diagnosis cheap]\ntitle=Cheap\nwhen=host > 0\npriority=2\n";

static KymoRules *
read_rules (const char *line,
            const char *other)
{
  KymoRules *rules = kymo_rules_new ();
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) all = g_string_new (text);

  g_string_replace (all, " and host >= 0", " and host >= 0", 0);
  if (line != NULL)
    g_assert_cmpuint (g_string_replace (all, line, other, 1), ==, 1);
  kymo_rules_add_text (rules, "made.rules", all->str, all->len, faults);
  kymo_rules_check (rules, faults);
  for (guint i = 0; i < faults->len; i++)
    g_test_message ("%s", (char *) faults->pdata[i]);
  g_assert_cmpuint (faults->len, ==, 0);
  return rules;
}

typedef struct
{
  KymoRules       *rules;
  KymoSource      *source;
  KymoProbeBudget *budget;
  KymoRunMetrics  *measure;
  KymoEvaluation  *evaluation;
} Tested;

/* @budget_ns: 0: nobody allowed anything */
static Tested
test_rules (KymoRules *rules,
            Fake      *fake,
            gint64     budget_ns,
            gboolean   is_recorded)
{
  Tested tested = { rules, g_object_new (FAKE_TYPE_RUN, NULL) };

  FAKE_RUN (tested.source)->is_recorded = is_recorded;
  fake->started = g_string_new (NULL);
  if (budget_ns > 0)
    tested.budget = kymo_probe_budget_new (budget_ns, fake_start, fake);
  tested.measure = kymo_run_metrics_new (rules, tested.source, NULL, NULL, NULL);
  kymo_run_metrics_set_budget (tested.measure, tested.budget);
  tested.evaluation = kymo_evaluation_new (rules, tested.measure);
  return tested;
}

static const KymoVerdict *
get_verdict (const Tested *tested,
             const char   *name)
{
  return kymo_evaluation_get (tested->evaluation, kymo_rules_find (tested->rules, name));
}

static void
end_test (Tested *tested,
          Fake   *fake)
{
  kymo_evaluation_free (tested->evaluation);
  kymo_run_metrics_free (tested->measure);
  kymo_probe_budget_free (tested->budget);
  g_object_unref (tested->source);
  kymo_rules_free (tested->rules);
  g_string_free (fake->started, TRUE);
}

/* Noise has the first rank, memory the second; noise leads to messages, which are last. Both of
   noise are one probe. */
static void
test_order (void)
{
  Fake fake = { .took_ns = 2500000000 };
  Tested tested = test_rules (read_rules (NULL, NULL), &fake, 60000000000, TRUE);
  g_autoptr (KymoTable) list = kymo_probe_budget_list (tested.budget);
  g_autoptr (KymoTable) explained = kymo_findings_explain (tested.rules, tested.evaluation,
                                                           kymo_rules_find (tested.rules, "noise"));
  const KymoTable *shown = kymo_table_peek_nested (explained, "probes", NULL);

  g_assert_cmpstr (fake.started->str, ==, "noise 23000;memory 23000;pingpong 23000;");
  g_assert_cmpint (get_verdict (&tested, "noise")->truth, ==, KYMO_TRUTH_TRUE);
  g_assert_cmpint (get_verdict (&tested, "messages")->truth, ==, KYMO_TRUTH_TRUE);
  g_assert_cmpint (get_verdict (&tested, "memory")->truth, ==, KYMO_TRUTH_FALSE);
  g_assert_cmpint (get_verdict (&tested, "both")->truth, ==, KYMO_TRUTH_TRUE);
  /* With one rank, what costs nothing is before what a probe tells. */
  g_assert_cmpuint (get_verdict (&tested, "cheap")->step, <, get_verdict (&tested, "memory")->step);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 3);
  g_assert_cmpstr (kymo_table_get_string (list, "metric", 0), ==, "n");
  g_assert_cmpstr (kymo_table_get_string (list, "state", 0), ==, "measured");
  g_assert_cmpint (kymo_table_get_int (list, "took_ns", 2), ==, 2500000000);
  g_assert_cmpuint (kymo_table_get_n_rows (shown), ==, 3);
  end_test (&tested, &fake);
}

/* What is not true leads to nothing, however much time there is. */
static void
test_triggered (void)
{
  Fake fake = { .took_ns = 1 };
  Tested tested = test_rules (read_rules ("n > 40 %", "n > 60 %"), &fake, 60000000000, TRUE);

  g_assert_cmpstr (fake.started->str, ==, "noise 23000;memory 23000;");
  g_assert_cmpint (get_verdict (&tested, "messages")->truth, ==, KYMO_TRUTH_UNTESTED);
  /* To be shown is no reason to measure. */
  kymo_run_metrics_get (tested.measure, kymo_rules_find (tested.rules, "p"));
  g_assert_cmpstr (fake.started->str, ==, "noise 23000;memory 23000;");
  end_test (&tested, &fake);
}

static void
test_consent (void)
{
  Fake fake = { .took_ns = 1 };
  Tested tested = test_rules (read_rules (NULL, NULL), &fake, 0, TRUE);

  g_assert_cmpstr (fake.started->str, ==, "");
  g_assert_cmpint (get_verdict (&tested, "noise")->truth, ==, KYMO_TRUTH_UNTESTED);
  g_assert_cmpstr (get_verdict (&tested, "noise")->why, ==,
                   "a probe of about 3 s (--probe-time 3s)");
  g_assert_cmpstr (get_verdict (&tested, "heap")->why, ==,
                   "another run: mpirun -n 4 kymo-record --memory PROGRAM");
  end_test (&tested, &fake);
}

/* The second probe does not fit; the first one may not take longer than all. */
static void
test_budget (void)
{
  Fake fake = { .took_ns = 3500000000 };
  Tested tested = test_rules (read_rules (NULL, NULL), &fake, 6000000000, TRUE);
  g_autoptr (KymoTable) list = kymo_probe_budget_list (tested.budget);

  g_assert_cmpstr (fake.started->str, ==, "noise 6000;");
  g_assert_cmpint (get_verdict (&tested, "noise")->truth, ==, KYMO_TRUTH_TRUE);
  g_assert_cmpint (get_verdict (&tested, "memory")->truth, ==, KYMO_TRUTH_UNTESTED);
  g_assert_cmpstr (get_verdict (&tested, "memory")->why, ==,
                   "more time for probes, refused by budget: 3.00 s needed, 2.50 s left");
  g_assert_cmpint (get_verdict (&tested, "messages")->truth, ==, KYMO_TRUTH_UNTESTED);
  g_assert_cmpstr (kymo_table_get_string (list, "state", 1), ==, "refused");
  g_assert_nonnull (strstr (get_verdict (&tested, "heap")->why, "--memory"));
  end_test (&tested, &fake);
}

/* A probe that hangs is not started again, and what it took is gone. */
static void
test_failure (void)
{
  Fake fake = { .took_ns = 5000000000, .fails = TRUE };
  Tested tested = test_rules (read_rules (NULL, NULL), &fake, 9000000000, TRUE);

  g_assert_cmpstr (fake.started->str, ==, "noise 9000;memory 4000;");
  g_assert_cmpint (get_verdict (&tested, "both")->truth, ==, KYMO_TRUTH_UNTESTED);
  g_assert_cmpstr (get_verdict (&tested, "both")->why, ==, "a probe, which failed: it hung");
  end_test (&tested, &fake);
}

/* Where a run does not tell how it was started nothing can be started. */
static void
test_unknown (void)
{
  Fake fake = { .took_ns = 1 };
  Tested tested = test_rules (read_rules (NULL, NULL), &fake, 60000000000, FALSE);

  g_assert_cmpstr (fake.started->str, ==, "");
  g_assert_cmpstr (get_verdict (&tested, "noise")->why, ==, "a probe");
  end_test (&tested, &fake);
}

/* Rules that could start something unknown are refused. */
static void
test_faults (void)
{
  static const char *const lines[][2] = {
    { "probe=noise", "probe=rm" }, { "price=2\nprobe=noise\n", "price=2\n" },
    { "record=memory", "record=all" }, { "price=2\nprobe=noise", "price=1\nprobe=noise" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (KymoRules) rules = kymo_rules_new ();
      g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GString) all = g_string_new (text);

      g_string_replace (all, " and host >= 0", "", 0);
      g_assert_cmpuint (g_string_replace (all, lines[i][0], lines[i][1], 1), ==, 1);
      kymo_rules_add_text (rules, "made.rules", all->str, all->len, faults);
      g_assert_cmpuint (faults->len, >=, 1);
      g_assert_true (g_str_has_prefix (faults->pdata[0], "made.rules:"));
    }
}

static void
test_hosts (void)
{
  static const char *const good[][2] = {
    { "a", "a" }, { "login,n[01-03,7]", "login n01 n02 n03 n7" },
    { "n[9-11]-ib,m", "n9-ib n10-ib n11-ib m" },
    { "r[1-2]n[3-4]", "r1n3 r1n4 r2n3 r2n4" }, { "a,a,b", "a b" },
  };
  static const char *const bad[] = { "n[1-", "n]", "n[2-1]", "n[a-b]", "n[1-99999999]", "n[[1]]" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *joined = NULL;

      g_assert_true (kymo_allocation_add_list (hosts, good[i][0]));
      g_ptr_array_add (hosts, NULL);
      joined = g_strjoinv (" ", (char **) hosts->pdata);
      g_assert_cmpstr (joined, ==, good[i][1]);
      g_ptr_array_set_size (hosts, hosts->len - 1);
      g_assert_cmpstr (kymo_allocation_find (hosts, "M.cluster"), ==, i == 2 ? "m" : NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func (g_free);

      g_assert_false (kymo_allocation_add_list (hosts, bad[i]));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-budget/order", test_order);
  g_test_add_func ("/probe-budget/triggered", test_triggered);
  g_test_add_func ("/probe-budget/consent", test_consent);
  g_test_add_func ("/probe-budget/budget", test_budget);
  g_test_add_func ("/probe-budget/failure", test_failure);
  g_test_add_func ("/probe-budget/unknown", test_unknown);
  g_test_add_func ("/probe-budget/faults", test_faults);
  g_test_add_func ("/probe-budget/hosts", test_hosts);
  return g_test_run ();
}
