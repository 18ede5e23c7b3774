/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of an answer in words, by the names of its columns: "busy 12 ms", "sent 3.5 MB". The cells
 * of a line are one string, which kymo_chart_cell() and kymo_chart_phrase() read. Main thread
 * only.
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
                          GString              *cells);
/* Adds a cell; without a heading it is of the column of names. */
void  kymo_chart_add     (GString              *cells,
                          const char           *heading,
                          const char           *value,
                          double                number);
/* (transfer full): cells as "heading value, heading value" */
char *kymo_chart_phrase  (const char           *cells);
/* (transfer full) (nullable): the cell of a heading */
char *kymo_chart_cell    (const char           *cells,
                          const char           *heading,
                          double               *number);
void  kymo_chart_add_headings (const char      *cells,
                               GHashTable      *known,
                               GPtrArray       *headings);
/* (transfer none): what a column is called; NULL where its value says it */
const char *
      kymo_chart_heading (const char           *column);

G_END_DECLS
