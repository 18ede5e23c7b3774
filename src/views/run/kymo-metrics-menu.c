/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: the states of the actions are what the session has; a choice goes to the session,
 * which tells the menu.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"
#include "kymo-listed.h"
#include "kymo-metrics-menu.h"
#include "kymo-session-rows.h"

#define MOST_METRICS 40
/* Stands for all metrics in a question. */
#define ALL "all"

struct _KymoMetricsMenu
{
  GtkBox              parent_instance;

  KymoSession        *session;
  GSimpleActionGroup *actions;
  GMenu              *menu;
  GPtrArray          *names;       /* char *, by number of the action */
  KymoAsker          *asker;       /* for what was measured */
};

G_DEFINE_FINAL_TYPE (KymoMetricsMenu, kymo_metrics_menu, GTK_TYPE_BOX)

static gboolean
is_shown (KymoMetricsMenu *self, const char *name)
{
  const char *text = kymo_session_peek_metrics (self->session);

  return text != NULL && (kymo_is_listed (text, name) || kymo_is_listed (text, ALL));
}

static void
fill_states (KymoMetricsMenu *self)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *id = g_strdup_printf ("metric-%u", i);
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), id);

      g_simple_action_set_state (G_SIMPLE_ACTION (action),
                                 g_variant_new_boolean (is_shown (self, self->names->pdata[i])));
    }
}

/* Chooses what is chosen with one more name, or without it. */
static void
on_metric (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoMetricsMenu *self = data;
  guint at = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (action), "number"));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->names->len; i++)
    if (i == at ? g_variant_get_boolean (state) : is_shown (self, self->names->pdata[i]))
      g_string_append_printf (text, "%s;", (char *) self->names->pdata[i]);
  kymo_session_set_metrics (self->session, text->len > 0 ? text->str : NULL);
}

static void
on_all (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_session_set_metrics (KYMO_METRICS_MENU (data)->session, ALL);
}

static void
on_none (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_session_set_metrics (KYMO_METRICS_MENU (data)->session, NULL);
}

static void
add_metric (KymoMetricsMenu *self, GMenu *section, const char *name)
{
  g_autofree char *id = g_strdup_printf ("metric-%u", self->names->len);
  g_autofree char *whole = g_strconcat ("metrics.", id, NULL);
  g_autofree char *label = kymo_controls_dup_label (name);
  g_autoptr (GSimpleAction) action
    = g_simple_action_new_stateful (id, NULL, g_variant_new_boolean (FALSE));

  g_object_set_data (G_OBJECT (action), "number", GUINT_TO_POINTER (self->names->len));
  g_signal_connect (action, "change-state", G_CALLBACK (on_metric), self);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  g_ptr_array_add (self->names, g_strdup (name));
  g_menu_append (section, label, whole);
}

/* The metrics of a node and those of another one of the same name are one line. */
static GMenu *
new_section (KymoMetricsMenu *self, KymoTable *metrics, gboolean of_process)
{
  GMenu *section = g_menu_new ();
  guint n = metrics != NULL ? kymo_table_get_n_rows (metrics) : 0;

  for (guint i = 0; i < n && self->names->len < MOST_METRICS; i++)
    {
      const char *name = kymo_table_get_string (metrics, "name", i);

      if (!!kymo_table_get_bool (metrics, "of_process", i) == of_process
          && !g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL))
        add_metric (self, section, name);
    }
  return section;
}

static void
on_info (KymoTable *answer, const GError *error, gpointer data)
{
  KymoMetricsMenu *self = data;
  static const char *const titles[] = { N_("Of the System"), N_("Of Each Process") };
  KymoTable *metrics = answer != NULL
    ? kymo_table_peek_nested (answer, "system_metrics", NULL) : NULL;

  g_menu_remove_all (self->menu);
  g_ptr_array_set_size (self->names, 0);
  g_menu_append (self->menu, _("_None"), "metrics.none");
  g_menu_append (self->menu, _("_All"), "metrics.all");
  /* Processes first: they are the rows above. */
  for (gint of_process = 1; of_process >= 0; of_process--)
    {
      g_autoptr (GMenu) section = new_section (self, metrics, of_process);

      if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
        g_menu_append_section (self->menu, _(titles[of_process]), G_MENU_MODEL (section));
    }
  gtk_widget_set_visible (GTK_WIDGET (self), self->names->len > 0);
  fill_states (self);
}

static void
ask_for_metrics (KymoMetricsMenu *self)
{
  kymo_asker_ask (self->asker, kymo_question_new ("info"));
}

static void
kymo_metrics_menu_dispose (GObject *object)
{
  KymoMetricsMenu *self = KYMO_METRICS_MENU (object);

  g_clear_pointer (&self->asker, kymo_asker_free);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_object (&self->actions);
  g_clear_object (&self->menu);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (kymo_metrics_menu_parent_class)->dispose (object);
}

static void
kymo_metrics_menu_class_init (KymoMetricsMenuClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_metrics_menu_dispose;
}

static void
kymo_metrics_menu_init (KymoMetricsMenu *self)
{
  static const GActionEntry entries[] = {
    { "all", on_all, NULL, NULL, NULL, { 0 } },
    { "none", on_none, NULL, NULL, NULL, { 0 } },
  };

  self->menu = g_menu_new ();
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
}

/** kymo_metrics_menu_new: the menu of a session's timeline */
GtkWidget *
kymo_metrics_menu_new (KymoSession *session)
{
  KymoMetricsMenu *self = g_object_new (KYMO_TYPE_METRICS_MENU, NULL);
  GtkWidget *button = gtk_menu_button_new ();

  self->session = g_object_ref (session);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "metrics", G_ACTION_GROUP (self->actions));
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _("System"));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (self->menu));
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  kymo_controls_name (button, kymo_in_terms_of (session, _("The system metrics that are shown "
                                                           "under all {rows}")));
  gtk_box_append (GTK_BOX (self), button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->asker = kymo_asker_new (kymo_session_peek_source (session), on_info, self);
  kymo_follow (session, "rows-changed", fill_states, self);
  kymo_follow (session, "grown", ask_for_metrics, self);
  ask_for_metrics (self);
  return GTK_WIDGET (self);
}
