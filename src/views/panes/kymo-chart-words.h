/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of an answer in words, by the names of its columns: "12 ms busy", "sent 3.5 MB".
 * Main thread only.
 */
#pragma once

#include "kymo-plot.h"

G_BEGIN_DECLS

/**
 * KymoChartWords:
 * @answer: whose cells they are
 * @unit: (nullable): of times, as the person chose it
 */
typedef struct
{
  const KymoTable *answer;
  const char      *unit;
  KymoTerms        terms;
} KymoChartWords;

/* (transfer full): a number of a column; "" for null */
char *kymo_chart_number (const KymoChartWords *self,
                         const char           *column,
                         double                value,
                         gboolean              is_int);
/* Adds all cells of a row that say something. */
void  kymo_chart_add_row (const KymoChartWords *self,
                          const KymoTable      *table,
                          guint                 row,
                          GString              *words);
/* Adds "heading value", after a comma; NULL or "" of either is left out. */
void  kymo_chart_add     (GString              *words,
                          const char           *heading,
                          const char           *value);
/* (transfer none): what a column is called; NULL where its value says it */
const char *
      kymo_chart_heading (const char           *column);

G_END_DECLS
