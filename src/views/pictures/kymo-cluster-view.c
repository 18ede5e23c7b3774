/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * There is one question, and one answer, for all pictures and tables. It is
 * put when the view is seen and at rest.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cluster-view-private.h"
#include "kymo-in-terms.h"
#include "kymo-text-zoom.h"

/* So long after the last change the view is at rest. */
#define REST_MS 200
/* Pictures get this share of the height at first. */
#define PICTURES_SHARE 0.58
/* The table of clusters needs so much, and gets at most that share. */
#define CLUSTERS_PX 474
#define CLUSTERS_SHARE 0.61

G_DEFINE_FINAL_TYPE (KymoClusterView, kymo_cluster_view, GTK_TYPE_BOX)

/* -- asking --------------------------------------------------------------- */

/* Done once, when what the first answer shows has its size; then the person moves the handles. */
static gboolean
place_handles (GtkWidget *paned, GdkFrameClock *clock, gpointer data)
{
  KymoClusterView *self = data;
  int height = gtk_widget_get_height (self->paned);
  int width = gtk_widget_get_width (self->paned);

  if (height < 100)
    return G_SOURCE_CONTINUE;
  gtk_paned_set_position (GTK_PANED (self->paned), height * PICTURES_SHARE);
  gtk_paned_set_position (GTK_PANED (self->tables),
                          MIN (kymo_text_px (CLUSTERS_PX), width * CLUSTERS_SHARE));
  return G_SOURCE_REMOVE;
}

static void
on_answer (KymoTable *answer, const GError *error, gpointer data)
{
  KymoClusterView *self = data;

  for (guint i = 0; i < self->canvases->len; i++)
    kymo_canvas_take_answer (self->canvases->pdata[i], answer, error);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    answer != NULL ? "desk" : "message");
  if (answer == NULL)
    {
      g_autofree char *words = g_strdup_printf (
        kymo_in_terms_of (self->session,
                          _("Classes of {rows} that behave alike, and the "
                            "{rows} that stand for them.\n\n%s")),
        error->message);

      gtk_label_set_text (GTK_LABEL (self->message), words);
      return;
    }
  kymo_table_ref (answer);
  g_clear_pointer (&self->answer, kymo_table_unref);
  self->answer = answer;
  kymo_session_set_classes (self->session, answer);
  kymo_cluster_view_fill (self);
  if (!self->placed)
    gtk_widget_add_tick_callback (self->paned, place_handles, self, NULL);
  self->placed = TRUE;
}

/* The pictures are exported by questions of their own, with these words. */
static void
set_words (KymoClusterView *self, KymoQuestion *question, GHashTable *words)
{
  static const char *const keys[] = { "clusters", "scale", "seeding", "seed",
                                      "outliers", "with", "quota", "union",
                                      "critical-path", "x", "y" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *word = g_hash_table_lookup (words, keys[i]);

      if (word != NULL)
        kymo_question_set (question, keys[i], word);
      for (guint c = 0; c < self->canvases->len; c++)
        kymo_canvas_set_parameter (self->canvases->pdata[c], keys[i], word);
    }
}

static KymoQuestion *
new_question (gpointer view)
{
  KymoClusterView *self = view;
  KymoSpan full = kymo_session_get_full_range (self->session);
  gboolean whole = kymo_cluster_controls_get_whole (self->controls);
  KymoQuestion *question = kymo_question_new ("clusters");
  g_autoptr (GHashTable) words
    = kymo_cluster_controls_dup_words (self->controls);

  g_hash_table_insert (words, g_strdup ("x"), g_strdup (
    kymo_cluster_axes_peek_x (self->axes)));
  g_hash_table_insert (words, g_strdup ("y"), g_strdup (
    kymo_cluster_axes_peek_y (self->axes)));
  set_words (self, question, words);
  for (guint i = 0; i < self->canvases->len; i++)
    kymo_canvas_set_span (self->canvases->pdata[i], whole ? &full : NULL);
  kymo_question_set_span (question, whole ? full
                          : kymo_session_get_range (self->session));
  return question;
}

static void
on_queued (gpointer view)
{
  KymoClusterView *self = view;

  for (guint i = 0; i < self->canvases->len; i++)
    kymo_canvas_expect (self->canvases->pdata[i]);
}

/**
 * kymo_cluster_view_queue_ask:
 *
 * What is asked now is another thing, wherever the answer before stands.
 */
void
kymo_cluster_view_queue_ask (KymoClusterView *self)
{
  kymo_view_asker_queue (self->asker);
}

static void
on_range_changed (KymoClusterView *self)
{
  if (!kymo_cluster_controls_get_whole (self->controls))
    kymo_cluster_view_queue_ask (self);
}

/** kymo_cluster_view_is_settled: whether what is shown is what was last asked */
gboolean
kymo_cluster_view_is_settled (KymoClusterView *self)
{
  return kymo_view_asker_is_settled (self->asker);
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_cluster_view_dispose (GObject *object)
{
  KymoClusterView *self = KYMO_CLUSTER_VIEW (object);

  g_clear_object (&self->asker);
  g_clear_pointer (&self->answer, kymo_table_unref);
  g_clear_pointer (&self->picks, kymo_id_set_unref);
  g_ptr_array_set_size (self->canvases, 0);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_cluster_view_parent_class)->dispose (object);
}

static void
kymo_cluster_view_finalize (GObject *object)
{
  g_ptr_array_unref (KYMO_CLUSTER_VIEW (object)->canvases);
  G_OBJECT_CLASS (kymo_cluster_view_parent_class)->finalize (object);
}

static void
kymo_cluster_view_class_init (KymoClusterViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_cluster_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_cluster_view_finalize;
  kymo_signal_new ("show-view", KYMO_TYPE_CLUSTER_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("explain", KYMO_TYPE_CLUSTER_VIEW, 1, G_TYPE_STRING);
  kymo_signal_new ("message", KYMO_TYPE_CLUSTER_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_cluster_view_init (KymoClusterView *self)
{
  self->canvases = g_ptr_array_new ();
  self->cluster = -1;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static const KymoViewQuestion clusters_at_rest = {
  .question = new_question, .answered = on_answer, .queued = on_queued, .pause_ms = REST_MS,
  .at_rest = TRUE,
};

/**
 * kymo_cluster_view_new:
 *
 * Makes the view of clusters for @session. It asks once it is visible and its controls and range
 * are at rest, and again when the run grows.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_cluster_view_new (KymoSession *session)
{
  KymoClusterView *self = g_object_new (KYMO_TYPE_CLUSTER_VIEW, NULL);

  self->session = g_object_ref (session);
  self->asker = kymo_view_asker_new (&clusters_at_rest, self, session);
  self->axes = KYMO_CLUSTER_AXES (kymo_cluster_axes_new (
    kymo_session_get_terms (session)));
  kymo_cluster_view_build (self);
  kymo_view_asker_follow (self->asker, self->axes, "changed");
  kymo_follow (session, "range-changed", on_range_changed, self);
  kymo_follow (session, "filter-changed", kymo_cluster_view_follow, self);
  return GTK_WIDGET (self);
}

/**
 * kymo_cluster_view_peek_canvases:
 *
 * Returns: (transfer none) (element-type KymoCanvas): the pictures of the view, valid as long as
 * the view
 */
GPtrArray *
kymo_cluster_view_peek_canvases (KymoClusterView *self)
{
  return self->canvases;
}
