/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All kinds of questions, in the order in which the command line lists them. A new kind
 * is a line in KINDS; no header names it, so that nothing else is built anew.
 */
#include "config.h"

#include <string.h>

#include "kymo-engine.h"

#define KINDS(X) \
  X (info) \
  X (regions) \
  X (profile) \
  X (usage) \
  X (time_profile) \
  X (histogram) \
  X (communication) \
  X (communication_time) \
  X (communication_locations) \
  X (call_table) \
  X (message_sizes) \
  X (messages) \
  X (clocks) \
  X (events) \
  X (search) \
  X (outliers) \
  X (stretched) \
  X (timeline) \
  X (busiest) \
  X (replies) \
  X (clusters) \
  X (extrema) \
  X (explain) \
  X (chain) \
  X (critical_path) \
  X (waiting) \
  X (thread_bars) \
  X (function_bars) \
  X (thread) \
  X (calltree) \
  X (call_graph) \
  X (threads) \
  X (thread_scatter) \
  X (phases) \
  X (user_events) \
  X (user_events_time) \
  X (counters) \
  X (counter_map) \
  X (system_metrics) \
  X (collectives) \
  X (call_quantiles) \
  X (details) \
  X (find) \
  X (edges) \
  X (moment) \
  X (place) \
  X (row_order) \
  X (row_groups)

#define DECLARE(name) extern const KymoAnswerClass kymo_answer_##name;
#define POINT_AT(name) &kymo_answer_##name,

KINDS (DECLARE)
DECLARE (profile_metrics)

static const KymoAnswerClass *const classes[] = { KINDS (POINT_AT) };

/* Of several runs, see kymo-comparison.h; ends with a NULL kind. */
extern const KymoQuestionClass kymo_compared_classes[];

/* The profile of a run of profiles has metrics; that of a trace, where one is asked for. */
static gboolean
is_of_metrics (const KymoRun *run,
               KymoQuestion  *question)
{
  return strcmp (kymo_question_get_kind (question), "profile") == 0
    && (run->profiles != NULL || kymo_question_get (question, "metric") != NULL);
}

/**
 * kymo_answer_class_of:
 * @run: the run that is asked
 * @question: of any kind
 *
 * Returns: (nullable): the class that answers @question about @run; %NULL where there is no such
 *   kind
 */
const KymoAnswerClass *
kymo_answer_class_of (const KymoRun *run,
                      KymoQuestion  *question)
{
  const char *kind = kymo_question_get_kind (question);

  if (is_of_metrics (run, question))
    return &kymo_answer_profile_metrics;
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (classes[i]->about.kind, kind) == 0)
      return classes[i];
  return NULL;
}

/**
 * kymo_question_class_at:
 * @index: from 0, in the order in which the command line lists the kinds of one run
 *
 * Returns: (nullable): the class with that number; %NULL beyond the last one
 */
const KymoQuestionClass *
kymo_question_class_at (guint index)
{
  return index < G_N_ELEMENTS (classes) ? &classes[index]->about : NULL;
}

/** kymo_question_class_find: Returns: (nullable): the class; %NULL where there is no such kind */
const KymoQuestionClass *
kymo_question_class_find (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (classes[i]->about.kind, kind) == 0)
      return &classes[i]->about;
  for (const KymoQuestionClass *klass = kymo_compared_classes; klass->kind != NULL; klass++)
    if (strcmp (klass->kind, kind) == 0)
      return klass;
  return NULL;
}

/**
 * kymo_question_class_find_keyword:
 * @key: as a question has it: of a time with "-ns"
 *
 * Returns: (nullable): the keyword; %NULL where the kind does not take it, but for those that
 *   every kind takes
 */
const KymoKeyword *
kymo_question_class_find_keyword (const KymoQuestionClass *klass,
                                  const char              *key)
{
  for (const KymoKeyword *k = klass->keywords; k != NULL && k->name != NULL; k++)
    {
      gsize length = strlen (k->name);

      if (strncmp (k->name, key, length) == 0
          && strcmp (key + length, k->type == KYMO_KEYWORD_TIME ? "-ns" : "") == 0)
        return k;
    }
  return NULL;
}
