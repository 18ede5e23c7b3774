/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For kinds of questions whose answer is made at one go, in `finish` or `conclude`, from
 * what belongs to the run: nothing is done by location, and nothing put together.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

gpointer kymo_answer_no_state     (const KymoAsk *ask);
void     kymo_answer_free_nothing (gpointer       state);
void     kymo_answer_no_partial   (const KymoAsk *ask,
                                   gpointer       state,
                                   KymoSegment   *segment);
void     kymo_answer_no_merge     (const KymoAsk *ask,
                                   gpointer       into,
                                   gpointer       from);

G_END_DECLS
