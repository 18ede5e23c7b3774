/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoKeptSorter: a sorter of a column that knows its column's key. GTK 4.8 does not
 * tell by which column a table is sorted, and which way: asked about nothing, the
 * first sorter of the table that is asked says so. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_KEPT_SORTER (kymo_kept_sorter_get_type ())
G_DECLARE_FINAL_TYPE (KymoKeptSorter, kymo_kept_sorter, KYMO, KEPT_SORTER, GtkSorter)

/* (transfer full): does what `sorter` does; takes it */
GtkSorter *kymo_kept_sorter_new (GtkSorter     *sorter,
                                 const char    *column);
/* (transfer full) (nullable): "-KEY" with the largest first; NULL = not sorted */
char      *kymo_kept_sort_dup   (GtkColumnView *view);
/* The place among `columns`, or -1. */
int        kymo_kept_sort_find  (GtkColumnView *view,
                                 GPtrArray     *columns);
/* FALSE where there is no such column. */
gboolean   kymo_kept_sort_set   (GtkColumnView *view,
                                 const char    *text);

G_END_DECLS
