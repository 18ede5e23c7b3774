/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a cluster view, and what is chosen. Which cluster is chosen is
 * read off what the session shows, so that every change of it is followed.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-cluster-view-private.h"
#include "kymo-in-terms.h"
#include "kymo-plot-terms.h"
#include "kymo-shown-bar.h"
#include "kymo-units.h"

static KymoTable *
part (KymoClusterView *self, const char *name)
{
  return self->answer != NULL
         ? kymo_table_peek_nested (self->answer, name, NULL) : NULL;
}

/* As the command line has it: distances of nothing but time are time. */
static gboolean
is_time (const KymoTable *answer)
{
  const char *with = kymo_table_get_string (answer, "with", 0);
  const char *scale = kymo_table_get_string (answer, "scale", 0);

  return g_strcmp0 (scale, "none") == 0
         && (with == NULL || (strstr (with, "messages") == NULL
                              && strstr (with, "bytes") == NULL));
}

/* -- tables --------------------------------------------------------------- */

/* The PEs of the chosen cluster, else all. */
static void
fill_members (KymoClusterView *self)
{
  KymoTable *list = part (self, "locations");
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *title = self->cluster >= 0
    ? g_strdup_printf (kymo_in_terms_of (self->session,
                                         _("{Rows} of cluster %d")),
                       self->cluster)
    : g_strdup (kymo_in_terms_of (self->session, _("All {rows}")));

  gtk_label_set_text (GTK_LABEL (self->title), title);
  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    if (self->cluster < 0
        || kymo_table_get_int (list, "cluster", i) == self->cluster)
      g_array_append_val (rows, i);
  kymo_answer_list_set (self->members, list, (const guint *) rows->data,
                        rows->len, list != NULL && is_time (self->answer));
}

/* The row of the chosen PE, where it is one. */
static void
select_member (KymoClusterView *self)
{
  KymoTable *list = part (self, "locations");
  int row = -1;

  for (guint i = 0; self->picks != NULL && list != NULL
                    && i < kymo_table_get_n_rows (list); i++)
    if (kymo_id_set_contains (self->picks,
                              kymo_table_get_int (list, "location", i)))
      {
        if (row >= 0)
          {
            row = -1;
            break;
          }
        row = i;
      }
  kymo_answer_list_select (self->members, row);
}

/* How the classes came about, in a line. */
static void
say_answer (KymoClusterView *self)
{
  KymoTable *answer = self->answer;
  double silhouette = kymo_table_get_double (answer, "silhouette", 0);
  guint n = kymo_table_get_n_rows (part (self, "clusters")), n_kept = 0;
  guint n_left = 0;
  GString *words = g_string_new (NULL);
  g_autofree char *rows = NULL, *kept = NULL;

  kymo_table_peek_ints (answer, "kept", &n_kept);
  kymo_table_peek_ints (answer, "left_out", &n_left);
  g_string_append_printf (words, g_dngettext (GETTEXT_PACKAGE, "%u cluster",
                                              "%u clusters", n), n);
  rows = kymo_words_rows (kymo_session_get_terms (self->session),
                          kymo_table_get_int (answer, "pes", 0));
  kept = kymo_format_count (n_kept);
  g_string_append_printf (words, _(" of %s, %s kept"), rows, kept);
  if (!isnan (silhouette))
    g_string_append_printf (words, _(" · silhouette %.2f"), silhouette);
  if (!kymo_table_get_bool (answer, "settled", 0))
    g_string_append (words, _(" · not settled"));
  if (n_left > 0)
    g_string_append_printf (words, _(" · %u left out"), n_left);
  gtk_label_set_text (GTK_LABEL (self->words), words->str);
  gtk_widget_set_tooltip_text (
    self->words, n_left > 0
    ? kymo_in_terms_of (self->session, _("Left out are communication threads, and "
                                         "{rows} whose logs were cut away"))
    : NULL);
  g_string_free (words, TRUE);
}

/* -- what is chosen ------------------------------------------------------- */

/* In the first picture one chooses clusters, in the others PEs. */
static gboolean
is_of_clusters (KymoClusterView *self, KymoCanvas *canvas)
{
  return canvas == self->canvases->pdata[0];
}

static void
set_picks (KymoClusterView *self, KymoIdSet *picks, gint64 cursor)
{
  if (picks != NULL)
    kymo_id_set_ref (picks);
  g_clear_pointer (&self->picks, kymo_id_set_unref);
  self->picks = picks;
  for (guint i = 0; i < self->canvases->len; i++)
    if (!is_of_clusters (self, self->canvases->pdata[i]))
      {
        kymo_canvas_set_picks (self->canvases->pdata[i], picks);
        kymo_canvas_set_cursor (self->canvases->pdata[i], cursor);
      }
  gtk_widget_set_sensitive (self->why, self->picks != NULL
                                       || self->cluster >= 0);
}

/* The picture of clusters outlines that which is shown. */
static void
outline_cluster (KymoClusterView *self)
{
  KymoTable *clusters = part (self, "clusters");
  g_autoptr (KymoIdSet) stands = NULL;
  gint64 representative = -1;

  if (self->cluster >= 0 && clusters != NULL)
    {
      representative = kymo_table_get_int (clusters, "representative",
                                           self->cluster);
      stands = kymo_id_set_new_list (&representative, 1);
    }
  for (guint i = 0; i < self->canvases->len; i++)
    {
      kymo_canvas_lift_cluster (self->canvases->pdata[i], self->cluster);
      if (!is_of_clusters (self, self->canvases->pdata[i]))
        continue;
      kymo_canvas_set_picks (self->canvases->pdata[i], stands);
      kymo_canvas_set_cursor (self->canvases->pdata[i], representative);
    }
}

/* What the session shows now: the members of a cluster, or something else. */
void
kymo_cluster_view_follow (KymoClusterView *self)
{
  int cluster = self->answer != NULL
                && kymo_session_peek_classes (self->session) == self->answer
                ? kymo_shown_cluster (self->session) : -1;

  if (cluster == self->cluster)
    return;
  self->cluster = cluster;
  outline_cluster (self);
  fill_members (self);
  select_member (self);
  kymo_answer_list_select (self->clusters, cluster);
  gtk_widget_set_sensitive (self->why, self->picks != NULL || cluster >= 0);
}

/* Shows the members alone, in all views; -1 shows all PEs again. */
static void
choose_cluster (KymoClusterView *self, int cluster)
{
  const guint *offsets = NULL;
  KymoTable *clusters = part (self, "clusters"), *members;
  g_autoptr (KymoIdSet) set = NULL;

  if (cluster == self->cluster || clusters == NULL)
    return;
  if (cluster >= 0)
    {
      members = kymo_table_peek_nested (clusters, "members", &offsets);
      set = kymo_id_set_new_list (kymo_table_peek_ints (members, "value", NULL)
                                  + offsets[cluster],
                                  offsets[cluster + 1] - offsets[cluster]);
    }
  kymo_session_set_locations (self->session, set);
}

/* The chosen PEs, else the members of the chosen cluster, in the timeline. */
static void
show_chosen (KymoClusterView *self)
{
  if (self->picks != NULL)
    kymo_session_set_locations (self->session, self->picks);
  g_signal_emit_by_name (self, "show-view", "timeline");
}

void
kymo_cluster_view_on_cluster (KymoClusterView *self, int row)
{
  set_picks (self, NULL, -1);
  choose_cluster (self, row);
}

void
kymo_cluster_view_on_cluster_activated (KymoClusterView *self, int row)
{
  kymo_cluster_view_on_cluster (self, row);
  show_chosen (self);
}

void
kymo_cluster_view_on_member (KymoClusterView *self, int row)
{
  gint64 pe = row >= 0 ? kymo_table_get_int (part (self, "locations"),
                                             "location", row) : -1;
  g_autoptr (KymoIdSet) picks = pe >= 0 ? kymo_id_set_new_list (&pe, 1) : NULL;

  set_picks (self, picks, pe);
}

void
kymo_cluster_view_on_member_activated (KymoClusterView *self, int row)
{
  kymo_cluster_view_on_member (self, row);
  show_chosen (self);
}

/* In the picture of clusters a cluster is chosen, in the others a PE and with
   it the cluster that it is of. Beside all, nothing is: all PEs are shown. */
void
kymo_cluster_view_on_picked (KymoCanvas *canvas, gint64 cluster, gboolean activated,
           KymoClusterView *self)
{
  KymoIdSet *picks = kymo_canvas_peek_picks (canvas);

  if (activated)
    {
      show_chosen (self);
      return;
    }
  if (is_of_clusters (self, canvas))
    set_picks (self, NULL, -1);
  else
    set_picks (self, picks, kymo_canvas_get_cursor (canvas));
  if (picks == NULL || cluster >= 0)
    choose_cluster (self, cluster);
  select_member (self);
}

void
kymo_cluster_view_on_why (KymoClusterView *self)
{
  KymoIdSet *of = self->picks != NULL ? self->picks
                  : self->cluster >= 0
                  ? kymo_session_peek_locations (self->session) : NULL;
  g_autofree char *text = of != NULL ? kymo_id_set_to_text (of) : NULL;

  if (text != NULL)
    g_signal_emit_by_name (self, "explain", text);
}

/* -- an answer --------------------------------------------------------------- */

void
kymo_cluster_view_fill (KymoClusterView *self)
{
  KymoTable *clusters = part (self, "clusters");

  kymo_cluster_axes_fill (self->axes, part (self, "components"));
  say_answer (self);
  kymo_answer_list_set (self->clusters, clusters, NULL, 0,
                        is_time (self->answer));
  self->cluster = kymo_shown_cluster (self->session);
  outline_cluster (self);
  fill_members (self);
  select_member (self);
  kymo_answer_list_select (self->clusters, self->cluster);
  gtk_widget_set_sensitive (self->why, self->picks != NULL
                                       || self->cluster >= 0);
}
