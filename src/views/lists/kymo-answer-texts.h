/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the cells of a KymoAnswerList say: texts of a table by its columns. Main thread
 * only.
 */
#pragma once

#include "kymo-answer-list.h"
#include "kymo-time-column.h"

G_BEGIN_DECLS

/**
 * KymoAnswerTexts:
 * @table: or %NULL; then nothing is asked
 * @words: for texts of the table, or %NULL
 * @is_time: distances are ns
 */
typedef struct
{
  KymoTable       *table;
  KymoAnswerWords  words;
  gboolean         is_time;
} KymoAnswerTexts;

/* (transfer full): a point in time, exact, below others: with at least as many digits as
   clocks of microseconds have */
char  *kymo_moment_text   (gint64                  ns);
/* What a cell sorts by; NaN for nothing. */
double kymo_answer_number (const KymoAnswerTexts  *self,
                           const KymoAnswerColumn *column,
                           guint                   row);
/* (transfer full): as it is shown, and with all its digits; of nested numbers the
   numbers */
char  *kymo_answer_text   (const KymoAnswerTexts  *self,
                           const KymoAnswerColumn *column,
                           guint                   row,
                           const KymoTimeColumn   *times);
char  *kymo_answer_exact  (const KymoAnswerTexts  *self,
                           const KymoAnswerColumn *column,
                           guint                   row);

G_END_DECLS
