/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice holds the names of the first answer about all counters of the whole run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-controls.h"
#include "kymo-counters-view.h"

struct _KymoCountersView
{
  GtkBox         parent_instance;

  KymoCanvas    *canvas;
  KymoAsker     *asker;
  GtkWidget     *choice;
  GtkStringList *names;              /* behind the first line, all of them */
};

G_DEFINE_FINAL_TYPE (KymoCountersView, kymo_counters_view, GTK_TYPE_BOX)

static void
on_choice (KymoCountersView *self)
{
  guint chosen = kymo_controls_chosen (self->choice);

  kymo_canvas_set_parameter (self->canvas, "name", chosen == 0 ? NULL
                             : gtk_string_list_get_string (self->names, chosen));
}

static void
on_names (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCountersView *self = data;
  KymoTable *list = answer != NULL ? kymo_table_peek_nested (answer, "names", NULL) : NULL;
  const char *last = NULL;

  for (guint i = 0; list != NULL && i < kymo_table_get_n_rows (list); i++)
    {
      const char *name = kymo_table_get_string (list, "name", i);

      /* A metric and a user event of one name are asked for together. */
      if (name != NULL && g_strcmp0 (name, last) != 0)
        gtk_string_list_append (self->names, name);
      last = name;
    }
}

/** kymo_counters_view_choose: */
void
kymo_counters_view_choose (KymoCountersView *self, const char *name)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->names));

  for (guint i = 1; name != NULL && i < n; i++)
    if (g_str_equal (gtk_string_list_get_string (self->names, i), name))
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), i);
        return;
      }
  if (name == NULL)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), 0);
}

/* A lane that is activated has the picture; one of a location goes nowhere. */
static void
on_activated (KymoCountersView *self, const char *name)
{
  if (kymo_controls_chosen (self->choice) == 0)
    kymo_counters_view_choose (self, name);
}

static void
kymo_counters_view_dispose (GObject *object)
{
  g_clear_pointer (&KYMO_COUNTERS_VIEW (object)->asker, kymo_asker_free);
  G_OBJECT_CLASS (kymo_counters_view_parent_class)->dispose (object);
}

static void
kymo_counters_view_class_init (KymoCountersViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_counters_view_dispose;
}

static void
kymo_counters_view_init (KymoCountersView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

/** kymo_counters_view_new: */
GtkWidget *
kymo_counters_view_new (KymoSession *session)
{
  KymoCountersView *self = g_object_new (KYMO_TYPE_COUNTERS_VIEW, NULL);
  const char *const all[] = { _("All counters"), NULL };
  GtkWidget *bar = kymo_controls_new ();

  self->canvas = KYMO_CANVAS (kymo_canvas_new (kymo_plot_find ("counters"), session));
  self->choice = kymo_controls_add_choice (bar, _("Which counter is shown"), all);
  self->names = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (self->choice)));
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->choice), TRUE);
  gtk_box_append (GTK_BOX (self), bar);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->canvas));
  g_signal_connect_object (self->choice, "notify::selected", G_CALLBACK (on_choice), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "activated", G_CALLBACK (on_activated), self,
                           G_CONNECT_SWAPPED);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_names, self);
  kymo_asker_ask (self->asker, kymo_question_new ("counters"));
  return GTK_WIDGET (self);
}

/** kymo_counters_view_get_canvas: */
KymoCanvas *
kymo_counters_view_get_canvas (KymoCountersView *self)
{
  return self->canvas;
}
