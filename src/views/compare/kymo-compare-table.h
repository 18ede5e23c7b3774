/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCompareTable: a list of an answer of a comparison as a table, to be sorted
 * by any column. Columns are told when the answer is: there are some for each side.
 * What lies within noise is grey. The chosen function of the session is its selected
 * line, and the other way round.
 *
 * Signal: "activated" (name). Main thread only.
 */
#pragma once

#include "kymo-compare-cells.h"
#include "kymo-line-table.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMPARE_TABLE (kymo_compare_table_get_type ())
G_DECLARE_FINAL_TYPE (KymoCompareTable, kymo_compare_table, KYMO, COMPARE_TABLE,
                      KymoLineTable)

GtkWidget *kymo_compare_table_new         (KymoSession             *session,
                                           const char              *name);
/* Copied; where they are the same as before nothing happens. */
void       kymo_compare_table_set_columns (KymoCompareTable        *self,
                                           const KymoCompareColumn *columns,
                                           guint                    n_columns);
/* All rows of a list, or those that `rows` has; NULL empties it. */
void       kymo_compare_table_set         (KymoCompareTable        *self,
                                           KymoTable               *list,
                                           const guint             *rows,
                                           guint                    n_rows);

G_END_DECLS
