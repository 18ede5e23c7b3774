/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-answer-alone.h"

/**
 * kymo_answer_no_state:
 *
 * The state_new of an answer class whose answer is made at one go.
 *
 * Returns: (transfer none) (nullable): %NULL always
 */
gpointer
kymo_answer_no_state (const KymoAsk *ask)
{
  return NULL;
}

/**
 * kymo_answer_free_nothing:
 * @state: %NULL, from kymo_answer_no_state()
 *
 * The state_free of an answer class without a state: does nothing.
 */
void
kymo_answer_free_nothing (gpointer state)
{
}

/**
 * kymo_answer_no_partial:
 * @state: %NULL
 * @segment: not looked at
 *
 * The partial of an answer class that walks over no segments: does nothing. Any thread.
 */
void
kymo_answer_no_partial (const KymoAsk *ask,
                        gpointer       state,
                        KymoSegment   *segment)
{
}

/**
 * kymo_answer_no_merge:
 * @into: %NULL
 * @from: %NULL
 *
 * The merge of an answer class without a state: does nothing.
 */
void
kymo_answer_no_merge (const KymoAsk *ask,
                      gpointer       into,
                      gpointer       from)
{
}
