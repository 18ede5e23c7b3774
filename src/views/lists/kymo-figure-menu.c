/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu of a line of a table of figures: with the second button of that under the
 * pointer, which is chosen then, with the Menu key of the chosen one.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-figure-table-private.h"
#include "kymo-in-terms.h"
#include "kymo-session-profile.h"

#define MENU "kymo-figure-menu"
#define GO_TO_KEY "Return"          /* of the line that has the focus */

static KymoSession *
session_of (gpointer table)
{
  return kymo_figure_table_peek_session (table);
}

/* -- what it does --------------------------------------------------------- */

static void
focus_figure_menu (GSimpleAction *action, GVariant *parameter, gpointer table)
{
  g_autofree char *name = g_strdup (kymo_session_peek_function (session_of (table)));

  if (name != NULL)
    kymo_profile_options_set (kymo_figure_table_peek_options (table), "focus", name);
}

static void
all_calls (GSimpleAction *action, GVariant *parameter, gpointer table)
{
  kymo_profile_options_set (kymo_figure_table_peek_options (table), "focus", NULL);
}

static void
go_to (GSimpleAction *action, GVariant *parameter, gpointer table)
{
  g_autofree char *name = g_strdup (kymo_session_peek_function (session_of (table)));

  if (name != NULL)
    g_signal_emit_by_name (table, "activated", name);
}

static void
copy_figure_menu (GSimpleAction *action, GVariant *parameter, gpointer table)
{
  kymo_line_table_copy (table);
}

static const GActionEntry entries[] = {
  { "focus", focus_figure_menu, NULL, NULL, NULL, { 0 } },
  { "all-calls", all_calls, NULL, NULL, NULL, { 0 } },
  { "go-to", go_to, NULL, NULL, NULL, { 0 } },
  { "copy", copy_figure_menu, NULL, NULL, NULL, { 0 } },
};

/* -- the menu ------------------------------------------------------------- */

/* One function alone is what a tree can show. */
static void
add_of_function (KymoFigureTable *table, GMenu *menu)
{
  KymoSession *session = session_of (table);
  const char *focused = kymo_profile_options_peek (kymo_figure_table_peek_options (table),
                                                   "focus");
  const char *chosen = kymo_session_peek_function (session);
  gboolean tree = kymo_figure_table_peek_texts (table)->first_child != NULL;
  g_autoptr (GMenu) section = g_menu_new ();

  if (tree && chosen != NULL && g_strcmp0 (chosen, focused) != 0)
    g_menu_append (section, kymo_in_terms_of (session, _("_Focus on This {Code}")),
                   "figure.focus");
  if (tree && focused != NULL)
    g_menu_append (section, _("_All Calls"), "figure.all-calls");
  if (chosen != NULL)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (
        kymo_in_terms_of (session, _("_Go to This {Code}")), "figure.go-to");

      g_menu_item_set_attribute (item, "accel", "s", GO_TO_KEY);
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static GMenuModel *
build_menu (KymoFigureTable *table)
{
  const KymoFigureColumn *first = kymo_figure_table_peek_column (table, 0);
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuItem) copy = g_menu_item_new (_("_Copy Figures"), "figure.copy");
  GMenu *menu = g_menu_new ();

  /* User events are no functions. */
  if (first != NULL && first->kind <= KYMO_FIGURE_NODE)
    add_of_function (table, menu);
  g_menu_item_set_attribute (copy, "accel", "s", "<Control>c");
  g_menu_append_item (section, copy);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return G_MENU_MODEL (menu);
}

static void
popup (KymoFigureTable *table, const GdkRectangle *at)
{
  g_autoptr (GMenuModel) menu = build_menu (table);
  GtkWidget *popover = g_object_get_data (G_OBJECT (table), MENU);

  if (popover == NULL)
    {
      popover = gtk_popover_menu_new_from_model (NULL);
      gtk_widget_set_parent (popover, GTK_WIDGET (table));
      gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
      gtk_widget_set_halign (popover, GTK_ALIGN_START);
      g_object_set_data (G_OBJECT (table), MENU, popover);
    }
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (popover), menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), at);
  gtk_popover_popup (GTK_POPOVER (popover));
}

/* -- of which line -------------------------------------------------------- */

static void
on_second (GtkGestureClick *gesture, int n_press, double x, double y, KymoFigureTable *table)
{
  GtkWidget *view = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  guint line = kymo_line_table_pick (KYMO_LINE_TABLE (table), x, y);
  GdkRectangle at = { 0, 0, 1, 1 };
  double table_x, table_y;

  if (line == GTK_INVALID_LIST_POSITION)
    return;
  gtk_single_selection_set_selected (
    GTK_SINGLE_SELECTION (gtk_column_view_get_model (GTK_COLUMN_VIEW (view))), line);
  gtk_widget_translate_coordinates (view, GTK_WIDGET (table), x, y, &table_x, &table_y);
  at.x = table_x;
  at.y = table_y;
  popup (table, &at);
}

/* Below the line that has the focus. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        KymoFigureTable *table)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (table));
  GtkWidget *line = root != NULL ? gtk_root_get_focus (root) : NULL;
  GdkRectangle at = { 0, 0, 1, 1 };
  graphene_rect_t box;

  if (key != GDK_KEY_Menu && (key != GDK_KEY_F10 || !(state & GDK_SHIFT_MASK)))
    return FALSE;
  if (line != NULL && gtk_widget_is_ancestor (line, GTK_WIDGET (table))
      && gtk_widget_compute_bounds (line, GTK_WIDGET (table), &box))
    at = (GdkRectangle) { box.origin.x + 12, box.origin.y, 1, box.size.height };
  popup (table, &at);
  return TRUE;
}

/** kymo_figure_menu_attach: @view: the lines of the table */
void
kymo_figure_menu_attach (KymoFigureTable *table, GtkWidget *view)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkGesture *second = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries),
                                   table);
  gtk_widget_insert_action_group (GTK_WIDGET (table), "figure", G_ACTION_GROUP (group));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (second), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (second, "pressed", G_CALLBACK (on_second), table, 0);
  gtk_widget_add_controller (view, GTK_EVENT_CONTROLLER (second));
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), table, 0);
  gtk_widget_add_controller (view, keys);
}

/** kymo_figure_menu_forget: at the end of the table */
void
kymo_figure_menu_forget (KymoFigureTable *table)
{
  GtkWidget *popover = g_object_steal_data (G_OBJECT (table), MENU);

  if (popover != NULL)
    gtk_widget_unparent (popover);
}
