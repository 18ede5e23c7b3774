/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Controls of a view whose values are kept with the desk: each is told once which
 * line of kymo_desk_words[] it stands for. From then on a view is a tree of widgets
 * in which kymo_kept_collect() finds what differs from what it was at first, and
 * kymo_kept_restore() sets it; what cannot be set yet, for the answer with the names
 * is still to come, is set when it can be.
 *
 * A change activates the action "part.kept" of the part it is in. Main thread only.
 */
#pragma once

#include <glib.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A drop-down, check button, spin button or other editable, as it stands at first.
   `view`, `key`: of kymo_desk_words[] */
void       kymo_kept_add        (GtkWidget  *control,
                                 const char *view,
                                 const char *key);
/* A drop-down of names that come later: `of` tells the name of a line. */
typedef const char *(*KymoKeptName) (gpointer data, guint line);
void       kymo_kept_add_names  (GtkWidget    *drop,
                                 const char   *view,
                                 const char   *key,
                                 KymoKeptName  of,
                                 gpointer      data);
/* What a control stands at now is its value at first: its names came later than it did. */
void       kymo_kept_set_first  (GtkWidget  *control);
/* By which column a table is sorted; its columns are told apart by the sorters that
   kymo_kept_sorter_new() makes (kymo-kept-sorter.h). */
void       kymo_kept_add_sort   (GtkWidget  *column_view,
                                 const char *view,
                                 const char *key);
/* Of a table or drop-down whose columns or lines are others now: sets what was to be
   set. FALSE where nothing was, or it still cannot be. */
gboolean   kymo_kept_try        (GtkWidget  *control);

/* Whether it is other than at first, or is to be, or was kept. */
gboolean   kymo_kept_is_changed (GtkWidget  *control);
/* As it is now the view has made it: that is how it is at first. */
void       kymo_kept_settle     (GtkWidget  *control);

/* "VIEW.KEY" -> value of all controls of a view, with `view` for its id. */
void       kymo_kept_collect    (GtkWidget  *top,
                                 const char *view,
                                 GHashTable *values);
void       kymo_kept_restore    (GtkWidget  *top,
                                 const char *view,
                                 GHashTable *values);

/* Expressions of metrics ("PAPI_FP_OPS / TIME") that a person has typed, kept from one
   run to the next in the person's file of metrics, which the command line reads and
   writes, too (kymo-derived-metrics.h; those that were given a name are there). Whether one
   can be computed of a run, its source says. Main thread only. */

/* More are not kept; the oldest goes. */
#define KYMO_KEPT_METRICS_MOST 24

/* (transfer full): the newest last; free with g_strfreev() */
char    **kymo_kept_metrics_load   (void);
gboolean  kymo_kept_metrics_keep   (const char  *expression,
                                       GError     **error);
gboolean  kymo_kept_metrics_forget (const char  *expression,
                                       GError     **error);
/* How often this program changed them: without another number they are the same. */
guint     kymo_kept_metrics_get_changes (void);

G_END_DECLS
