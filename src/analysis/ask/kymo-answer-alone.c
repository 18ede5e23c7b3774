/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-answer-alone.h"

/** kymo_answer_no_state: */
gpointer
kymo_answer_no_state (const KymoAsk *ask)
{
  return NULL;
}

/** kymo_answer_free_nothing: */
void
kymo_answer_free_nothing (gpointer state)
{
}

/** kymo_answer_no_partial: */
void
kymo_answer_no_partial (const KymoAsk *ask,
                        gpointer       state,
                        KymoSegment   *segment)
{
}

/** kymo_answer_no_merge: */
void
kymo_answer_no_merge (const KymoAsk *ask,
                      gpointer       into,
                      gpointer       from)
{
}
