/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every kind of question, in forms that have different lists of answers, and recordings in the
 * tree of which each kind is answered by one at least.
 */
#pragma once

#include "kymo-source.h"

typedef void (*EveryQuestionFunc) (KymoQuestion *question,
                                   gpointer      data);

/* Below the root of the sources; ends with NULL. */
extern const char *const every_recording[];

void every_question (KymoSource        *source,
                     EveryQuestionFunc  ask,
                     gpointer           data);
