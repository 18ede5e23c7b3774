/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where what stands in a cluster view.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-cluster-view-private.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-scrolled-canvas.h"
#include "kymo-tiles.h"

/* For the tiles, and some lines of the tables */
#define LEAST_HEIGHT_PX 270

static const KymoAnswerColumn cluster_columns[] = {
  { "cluster", N_("Cluster"), KYMO_CELL_CLUSTER, 60 },
  { "size", N_("{Rows}"), KYMO_CELL_COUNT, 52 },
  { "representative", N_("Representative"), KYMO_CELL_PE, 112 },
  { "outliers", N_("Outliers"), KYMO_CELL_LIST, 66 },
  { "mean_distance", N_("Spread"), KYMO_CELL_DISTANCE, 76 },
  { "silhouette", N_("Silhouette"), KYMO_CELL_NUMBER, 82 },
};

static const KymoAnswerColumn member_columns[] = {
  { "location", N_("{Row}"), KYMO_CELL_PE, 46 },
  { "cluster", N_("Cluster"), KYMO_CELL_CLUSTER, 60 },
  { "distance", N_("Distance"), KYMO_CELL_DISTANCE, 76 },
  { "kept_as", N_("Kept as"), KYMO_CELL_TEXT, 0 },
};

static const char *
words_of_kept (const char *kept)
{
  static const struct { const char *kept, *words; } all[] = {
    { "representative", N_("representative") },
    { "outlier", N_("outlier") },
    { "union", N_("by another attribute") },
    { "critical-path", N_("on the critical path") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i].kept, kept) == 0)
      return _(all[i].words);
  return kept;
}

/* -- building ------------------------------------------------------------- */

static void
say_copied (KymoClusterView *self)
{
  g_signal_emit_by_name (self, "message", _("Figures copied"));
}

static void
add_tile (KymoClusterView *self, GtkWidget *tiles, const char *title,
          const char *id, GtkWidget *controls)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  GtkWidget *canvas;

  if (klass == NULL)
    return;
  canvas = kymo_canvas_new (klass, self->session);
  kymo_canvas_expect (KYMO_CANVAS (canvas));
  g_ptr_array_add (self->canvases, canvas);
  kymo_tiles_add (KYMO_TILES (tiles), title, controls, canvas);
  g_signal_connect_object (canvas, "picked",
                           G_CALLBACK (kymo_cluster_view_on_picked), self, 0);
}

static GtkWidget *
build_tiles (KymoClusterView *self)
{
  GtkWidget *tiles = kymo_tiles_new ();

  add_tile (self, tiles, _("Members"), "clusters", NULL);
  add_tile (self, tiles, _("Scatter"), "scatter", GTK_WIDGET (self->axes));
  add_tile (self, tiles, _("Distances"), "distances", NULL);
  return tiles;
}

static KymoAnswerList *
build_list (KymoClusterView *self, const KymoAnswerColumn *columns, guint n,
            const char *name)
{
  static const KymoAnswerLinks cluster = { .location = "representative" };
  static const KymoAnswerLinks member = { .location = "location" };
  GtkWidget *list = kymo_answer_list_new (columns, n, name);

  kymo_answer_list_set_terms (KYMO_ANSWER_LIST (list),
                              kymo_session_get_terms (self->session));
  kymo_answer_list_link (KYMO_ANSWER_LIST (list), self->session,
                         columns == cluster_columns ? &cluster : &member);
  kymo_follow (list, "copied", say_copied, self);
  return KYMO_ANSWER_LIST (list);
}

/* A line of words over a table; what is appended to it stands at its right. */
static GtkWidget *
head_new (GtkWidget *label)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (head, "kymo-words");
  gtk_widget_add_css_class (head, "kymo-strip");
  gtk_box_append (GTK_BOX (head), label);
  return head;
}

static GtkWidget *
with_head (GtkWidget *head, KymoAnswerList *list)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (list));
  return box;
}

/* Why does what is chosen stick out? */
static GtkWidget *
build_members_head (KymoClusterView *self)
{
  GtkWidget *head = head_new (self->title);

  self->why = kymo_controls_add_button (
    head, _("_Why?"),
    kymo_in_terms_of (self->session, _("Why does the chosen {row}, or "
                                       "cluster, stick out?")));
  gtk_widget_set_sensitive (self->why, FALSE);
  g_signal_connect_swapped (self->why, "clicked",
                            G_CALLBACK (kymo_cluster_view_on_why), self);
  return head;
}

static GtkWidget *
build_tables (KymoClusterView *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->tables = paned;
  self->words = gtk_label_new (NULL);
  self->title = gtk_label_new (NULL);
  self->clusters = build_list (self, cluster_columns,
                               G_N_ELEMENTS (cluster_columns), _("Clusters"));
  self->members = build_list (self, member_columns,
                              G_N_ELEMENTS (member_columns),
                              kymo_in_terms_of (self->session,
                                                _("{Rows} of the cluster")));
  kymo_answer_list_set_words (self->members, words_of_kept);
  gtk_paned_set_start_child (GTK_PANED (paned),
                             with_head (head_new (self->words), self->clusters));
  gtk_paned_set_end_child (GTK_PANED (paned),
                           with_head (build_members_head (self),
                                      self->members));
  kymo_follow (self->clusters, "selected", kymo_cluster_view_on_cluster, self);
  kymo_follow (self->clusters, "activated", kymo_cluster_view_on_cluster_activated, self);
  kymo_follow (self->members, "selected", kymo_cluster_view_on_member, self);
  kymo_follow (self->members, "activated", kymo_cluster_view_on_member_activated, self);
  return paned;
}

static GtkWidget *
build_bar (KymoClusterView *self)
{
  GtkWidget *bar = kymo_cluster_controls_new (kymo_session_get_terms (self->session));

  self->controls = KYMO_CLUSTER_CONTROLS (bar);
  kymo_controls_add_gap (bar);
  self->by_class = kymo_controls_add_check (
    bar, kymo_in_terms_of (self->session, _("{Rows} by _Cluster")),
    _("Rows of the timeline and bars of the usage picture in the order of "
      "their clusters"));
  g_object_bind_property (self->session, "by-class", self->by_class, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  kymo_view_asker_follow (self->asker, self->controls, "changed");
  return bar;
}

static GtkWidget *
build_desk (KymoClusterView *self)
{
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), build_tiles (self));
  gtk_paned_set_end_child (GTK_PANED (self->paned), build_tables (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->message), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->message, "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack),
                       kymo_scrolled_pictures_new (self->paned, LEAST_HEIGHT_PX), "desk");
  gtk_stack_add_named (GTK_STACK (self->stack), self->message, "message");
  gtk_widget_set_vexpand (self->stack, TRUE);
  return self->stack;
}

/** kymo_cluster_view_build: controls, pictures and tables */
void
kymo_cluster_view_build (KymoClusterView *self)
{
  self->axes = KYMO_CLUSTER_AXES (kymo_cluster_axes_new (
    kymo_session_get_terms (self->session)));
  gtk_box_append (GTK_BOX (self), build_bar (self));
  gtk_box_append (GTK_BOX (self), build_desk (self));
}
