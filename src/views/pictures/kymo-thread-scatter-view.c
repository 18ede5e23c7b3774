/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an axis may be: the busiest functions, what of them is called how often, and the
 * metrics that the answer tells. The axis across begins as the busiest function, the
 * one up as the next.
 *
 * To find clusters among ten thousands of threads may take a while, where they lie is there at
 * once: so the first picture is of places alone, and the next one has the colours.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-kept.h"
#include "kymo-label.h"
#include "kymo-profile-bar.h"
#include "kymo-session-profile.h"
#include "kymo-thread-scatter-view.h"

/* Most functions that are offered for an axis. */
#define MOST_FUNCTIONS 60
#define LABEL_CHARS 24

struct _KymoThreadScatterView
{
  GtkBox          parent_instance;

  KymoSession    *session;
  KymoCanvas     *canvas;
  KymoProfileBar *bar;
  GtkWidget      *axes[2];
  GStrv           keys;                /* of the choices, in their order */
  gboolean        filling;
  gboolean        is_first;            /* places alone were asked for */
};

G_DEFINE_FINAL_TYPE (KymoThreadScatterView, kymo_thread_scatter_view,
                     GTK_TYPE_BOX)

static const char *const keywords[] = { "x", "y" };

/* -- the axes ------------------------------------------------------------- */

static void
ask_thread_scatter_view (KymoThreadScatterView *self)
{
  guint n = self->keys != NULL ? g_strv_length (self->keys) : 0;

  for (guint i = 0; !self->filling && i < 2; i++)
    {
      guint chosen = kymo_controls_chosen (self->axes[i]);

      if (chosen < n)
        kymo_canvas_set_parameter (self->canvas, keywords[i], self->keys[chosen]);
    }
}

static void
add_keys (GStrvBuilder *keys, GStrvBuilder *words, const char *prefix,
          const char *format, const char *name)
{
  g_autofree char *key = g_strconcat (prefix, name, NULL);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *text = g_strjoinv (name, parts);

  g_strv_builder_add (keys, key);
  g_strv_builder_add (words, text);
}

/* Functions first, then metrics, then calls. */
static GStrv
list_keys (KymoThreadScatterView *self, GStrv *words)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();
  const char *const *names = kymo_session_peek_names (self->session);
  KymoTable *answer = kymo_canvas_peek_answer (self->canvas);
  KymoTable *metrics = answer != NULL
                       ? kymo_table_peek_nested (answer, "metrics", NULL) : NULL;
  guint n = metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;

  for (guint i = 0; names != NULL && names[i] != NULL && i < MOST_FUNCTIONS; i++)
    add_keys (keys, labels, "", "%s", names[i]);
  for (guint i = 0; i < n; i++)
    /* Translators: all that a thread has of a metric. */
    add_keys (keys, labels, "metric:", _("%s of all"),
              kymo_table_get_string (metrics, "name", i));
  for (guint i = 0; names != NULL && names[i] != NULL && i < MOST_FUNCTIONS; i++)
    add_keys (keys, labels, "calls:", _("Calls of %s"), names[i]);
  *words = g_strv_builder_end (labels);
  return g_strv_builder_end (keys);
}

static guint
find_key (KymoThreadScatterView *self, const char *key, guint fallback)
{
  guint n = g_strv_length (self->keys);

  for (guint i = 0; key != NULL && i < n; i++)
    if (g_str_equal (self->keys[i], key))
      return i;
  return MIN (fallback, n - 1);
}

/* With the names of the run, and with the metrics of the first answer. */
static void
fill_thread_scatter_view (KymoThreadScatterView *self)
{
  g_auto (GStrv) words = NULL, keys = list_keys (self, &words);

  if (keys[0] == NULL
      || (self->keys != NULL && g_strv_equal ((const char *const *) keys,
                                              (const char *const *) self->keys)))
    return;
  g_strfreev (self->keys);
  self->keys = g_steal_pointer (&keys);
  self->filling = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GtkStringList) list
        = gtk_string_list_new ((const char *const *) words);
      const char *key = g_hash_table_lookup (
        kymo_canvas_peek_parameters (self->canvas), keywords[i]);
      guint at = find_key (self, key, i);

      gtk_drop_down_set_model (GTK_DROP_DOWN (self->axes[i]),
                               G_LIST_MODEL (list));
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->axes[i]), at);
      if (key == NULL)
        kymo_kept_set_first (self->axes[i]);
    }
  self->filling = FALSE;
  for (guint i = 0; i < 2; i++)
    kymo_kept_try (self->axes[i]);
  ask_thread_scatter_view (self);
}

static const char *
key_at (gpointer data, guint line)
{
  KymoThreadScatterView *self = data;

  return self->keys != NULL && line < g_strv_length (self->keys) ? self->keys[line] : NULL;
}

static void
on_answer (KymoThreadScatterView *self)
{
  KymoTable *answer = kymo_canvas_peek_answer (self->canvas);

  kymo_profile_bar_set_answer (self->bar, answer);
  fill_thread_scatter_view (self);
  if (answer == NULL || !self->is_first)
    return;
  self->is_first = FALSE;
  kymo_canvas_set_parameter (self->canvas, "clusters", NULL);
}

/* -- choosing threads ----------------------------------------------------- */

static void
on_picked (KymoThreadScatterView *self, gint64 cluster, gboolean activated)
{
  if (kymo_profile_bar_pick (self->bar, self->canvas) && activated)
    g_signal_emit_by_name (self, "show-view", "thread-table");
}

/* -- the widget ----------------------------------------------------------- */

static void
kymo_thread_scatter_view_dispose (GObject *object)
{
  KymoThreadScatterView *self = KYMO_THREAD_SCATTER_VIEW (object);

  g_clear_pointer (&self->keys, g_strfreev);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_thread_scatter_view_parent_class)->dispose (object);
}

static void
kymo_thread_scatter_view_class_init (KymoThreadScatterViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_thread_scatter_view_dispose;
  kymo_signal_new ("show-view", KYMO_TYPE_THREAD_SCATTER_VIEW, 1, G_TYPE_STRING);
}

static void
kymo_thread_scatter_view_init (KymoThreadScatterView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self),
                                  GTK_ORIENTATION_VERTICAL);
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), LABEL_CHARS);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item)
{
  kymo_label_set (gtk_list_item_get_child (item),
                  gtk_string_object_get_string (
                    gtk_list_item_get_item (item)));
}

static GtkWidget *
build_axis (KymoThreadScatterView *self, GtkWidget *box, const char *name)
{
  const char *const none[] = { "–", NULL };
  GtkWidget *drop = kymo_controls_add_choice (box, name, none);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop), factory);
  kymo_follow (drop, "notify::selected", ask_thread_scatter_view, self);
  return drop;
}

/**
 * kymo_thread_scatter_view_new:
 *
 * Makes the picture of threads by two functions or metrics. The first answer has their places
 * alone, the next answer has the colours of clusters as well, so a large run has a picture at
 * once.
 *
 * Returns: (transfer floating): the widget, which holds a reference to @session
 */
GtkWidget *
kymo_thread_scatter_view_new (KymoSession *session)
{
  KymoThreadScatterView *self = g_object_new (KYMO_TYPE_THREAD_SCATTER_VIEW,
                                              NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->session = g_object_ref (session);
  self->canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("thread-scatter"),
                                               session));
  self->bar = KYMO_PROFILE_BAR (kymo_profile_bar_new (
    session, KYMO_PROFILE_BAR_METRIC | KYMO_PROFILE_BAR_VALUE));
  self->axes[0] = build_axis (self, box, _("Across: a function, or a metric"));
  self->axes[1] = build_axis (self, box, _("Up: a function, or a metric"));
  for (guint i = 0; i < 2; i++)
    kymo_kept_add_names (self->axes[i], "thread-scatter", keywords[i], key_at, self);
  kymo_profile_bar_add (self->bar, box);
  self->is_first = TRUE;
  kymo_canvas_set_parameter (self->canvas, "clusters", "none");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->canvas));
  kymo_follow (self->canvas, "answer-changed", on_answer, self);
  kymo_follow (self->canvas, "picked", on_picked, self);
  kymo_follow (session, "colors-changed", fill_thread_scatter_view, self);
  fill_thread_scatter_view (self);
  return GTK_WIDGET (self);
}

/**
 * kymo_thread_scatter_view_get_canvas:
 *
 * Returns: (transfer none): the canvas of the dots
 */
KymoCanvas *
kymo_thread_scatter_view_get_canvas (KymoThreadScatterView *self)
{
  return self->canvas;
}
