/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "every-question.h"

#include "kymo-question-class.h"

const char *const every_recording[] = {
  "data/sample", "tests/data/feat-p4-text", "tests/data/v10-feat-p3-text",
  "tests/data/feat-notes-p3-text", "tests/data/ampi-jacobi-p4-gz",
  "tests/data/jacobi2d-traceprocs-p6", "tests/data/jacobi2d-sum-p8",
  "tests/data/jacobi2d-sumbins-p4", "tests/data/streams/leanmd-p6.kymostream",
  "tests/data/record-live/p2.kymostream", "tests/data/tau/callpath-d3-coll-4",
  "tests/data/tau/callpath-deep-4", "tests/data/tau/phase-8", "tests/data/tau/trace-stencil-4",
#ifdef KYMO_HAVE_OTF2
  "tests/data/record-made",
#endif
  NULL
};

/* Keywords that a kind cannot do without, or that its answer has other lists with.
   {mid}: the middle of the run; {name}: what took most time; {counter}: what was sampled. */
static const struct { const char *kind, *keywords; } variants[] = {
  { "profile", "per-location=1|waits=1|told-roles=1" },
  { "profile", "metric=TIME|per-location=1|callpath-depth=3" },
  { "time-profile", "bar-ns=10000000" },
  { "histogram", "preset=grain" },
  { "messages", "limit=3" },
  { "messages", "crossing=1|limit=3" },
  { "messages", "crossing=1|limit=100000" },
  { "messages", "location=1|time={mid}" },
  { "events", "anchors=10|limit=20" },
  { "search", "text={name}" },
  { "search", "text={name}|direction=next|place=0" },
  { "search", "text={name}|marks=1" },
  { "outliers", "location=1|at-ns={mid}" },
  { "timeline", "grid=1|dense=1" },
  { "timeline", "waits=1|line={counter}|metrics=all" },
  { "clusters", "clusters=2-3|vectors=1|x=principal-1|y=idle" },
  { "clusters", "union=idle|critical-path=1" },
  { "extrema", "stacked=1|kept=1" },
  { "extrema", "by=bytes-sent|stacked=1" },
  { "extrema", "by=longest|stacked=1" },
  { "extrema", "by=sent|stacked=1" },
  { "explain", "of=1" },
  { "chain", "location=1|time={mid}" },
  { "chain", "location=1|time={mid}|direction=forward" },
  { "critical-path", "part-begin=0|part-end={mid}" },
  { "waiting", "turns=1" },
  { "thread", "of=0|paths=all" },
  { "calltree", "search={name}|root=bottom" },
  { "calltree", "focus={name}" },
  { "calltree", "callpath-depth=3" },
  { "function-bars", "of={name}" },
  { "threads", "of=0,1,mean" },
  { "thread-scatter", "x={name}|y=calls:{name}" },
  { "phases", "by-phase=1" },
  { "user-events", "of=1" },
  { "counters", "name={counter}" },
  { "counter-map", "name={counter}" },
  { "details", "location=1|time={mid}" },
  { "find", "name={name}" },
  { "find", "location=1|time={mid}|direction=previous" },
  { "edges", "location=1|time={mid}" },
  { "moment", "name={name}" },
  { "place", "of=0,1" },
  { "row-order", "by=busy" },
  { "row-order", "by=first:{name}" },
  { "row-order", "by=similarity" },
};

/** Words: what the placeholders of variants stand for in a run */
typedef struct
{
  char             *mid, *name, *counter;
  EveryQuestionFunc ask;
  gpointer          data;
} Words;

static void
put_question (const Words *words, const char *kind, const char *keywords, guint columns, guint rows,
              KymoIdWeights *weights)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_auto (GStrv) pairs = g_strsplit (keywords, "|", -1);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
      g_autoptr (GString) value = g_string_new (pair[1]);

      g_string_replace (value, "{mid}", words->mid, 0);
      g_string_replace (value, "{name}", words->name, 0);
      g_string_replace (value, "{counter}", words->counter, 0);
      kymo_question_set (question, pair[0], value->str);
    }
  kymo_question_set_resolution (question, columns, rows);
  kymo_question_set_weights (question, weights);
  words->ask (question, words->data);
}

/* The name of the first row of a list, or what is none. */
static char *
first_name (KymoSource *source, const char *kind, const char *list)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoTable) answer = kymo_source_ask (source, question, NULL, NULL);
  KymoTable *names = answer != NULL ? kymo_table_peek_nested (answer, list, NULL) : NULL;

  return g_strdup (names != NULL && kymo_table_get_n_rows (names) > 0
                   ? kymo_table_get_string (names, "name", 0) : "none");
}

static void
put_all (const Words *words, guint columns, guint rows, KymoIdWeights *weights)
{
  const KymoQuestionClass *klass;

  for (guint i = 0; (klass = kymo_question_class_at (i)) != NULL; i++)
    put_question (words, klass->kind, "", columns, rows, weights);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    put_question (words, variants[i].kind, variants[i].keywords, columns, rows, weights);
}

/* Each location stands for two. */
static KymoIdWeights *
weights_of (KymoSource *source)
{
  g_autoptr (KymoSourceFacts) facts = kymo_source_dup_facts (source);
  g_autofree gint64 *weights = g_new (gint64, facts->ids->len);

  for (guint i = 0; i < facts->ids->len; i++)
    weights[i] = 2 * KYMO_WEIGHT_ONE;
  return kymo_id_weights_new ((const gint64 *) facts->ids->data, weights, facts->ids->len);
}

/**
 * every_question:
 * @source: a run, which is asked for names that some keywords need
 * @ask: is given each question
 *
 * Puts each kind of question of every recording in several forms.
 */
void
every_question (KymoSource *source, EveryQuestionFunc ask, gpointer data)
{
  KymoSpan span = kymo_source_get_span (source);
  g_autoptr (KymoIdWeights) weights = weights_of (source);
  g_autofree char *mid = g_strdup_printf ("%" G_GINT64_FORMAT,
                                          span.begin_ns + (span.end_ns - span.begin_ns) / 2);
  g_autofree char *name = first_name (source, "profile", "activities");
  g_autofree char *counter = first_name (source, "counters", "names");
  Words words = { mid, name, counter, ask, data };

  put_all (&words, 8, 0, NULL);
  put_all (&words, 0, 2, weights);
}
