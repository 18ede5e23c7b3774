/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list is made when it is opened, as a run may have more views by then.
 */
#include "config.h"

#include "kymo-view-chooser.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-label.h"
#include "kymo-view-groups.h"
#include "kymo-window-private.h"

#define MOST_HEIGHT_PX 520
#define WIDTH_PX 400
#define ID "kymo-view-id"

static GtkWidget *
row_new (KymoRunView *view, const KymoViewInfo *info)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  const char *title = kymo_run_view_title_of (view, info->id);
  const char *question = kymo_run_view_question_of (view, info->id);
  g_autofree char *words = g_strdup_printf ("%s: %s", title, question);

  gtk_box_append (GTK_BOX (box), kymo_label_new_wrapped (title, NULL));
  gtk_box_append (GTK_BOX (box), kymo_label_new_wrapped (question, "kymo-question"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  kymo_accessible_name (row, words);
  g_object_set_data (G_OBJECT (row), ID, (gpointer) info->id);
  return row;
}

static GtkWidget *
heading_new (KymoViewGroup group)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                              kymo_label_new_wrapped (kymo_view_group_title (group), "heading"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, GtkWidget *popover)
{
  const char *id = g_object_get_data (G_OBJECT (row), ID);

  gtk_popover_popdown (GTK_POPOVER (popover));
  if (id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (list), "win.view", "s", id);
}

static GtkWidget *
list_new (KymoRunView *view)
{
  GtkWidget *list = gtk_list_box_new ();
  int group = -1;

  gtk_widget_add_css_class (list, "kymo-chooser");
  kymo_accessible_name (list, _("All views"));
  for (const KymoViewInfo *info = kymo_views; info->id != NULL; info++)
    {
      GtkWidget *row;

      if (!kymo_run_view_has_view (view, info->id))
        continue;
      if (group != (int) info->group)
        gtk_list_box_append (GTK_LIST_BOX (list), heading_new (info->group));
      group = info->group;
      row = row_new (view, info);
      gtk_list_box_append (GTK_LIST_BOX (list), row);
      if (g_strcmp0 (info->id, kymo_run_view_get_view (view)) == 0)
        gtk_list_box_select_row (GTK_LIST_BOX (list), GTK_LIST_BOX_ROW (row));
    }
  return list;
}

static void
on_shown (GtkWidget *popover, GtkListBox *list)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);

  gtk_widget_grab_focus (row != NULL ? GTK_WIDGET (row) : GTK_WIDGET (list));
}

static void
fill_chooser (GtkMenuButton *button, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (KYMO_WINDOW (gtk_widget_get_root (
    GTK_WIDGET (button))));
  GtkWidget *popover = gtk_popover_new (), *scroller = gtk_scrolled_window_new (), *list;

  if (view != NULL)
    {
      list = list_new (view);
      g_signal_connect_object (list, "row-activated", G_CALLBACK (on_row_activated), popover, 0);
      g_signal_connect_object (popover, "show", G_CALLBACK (on_shown), list, 0);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MOST_HEIGHT_PX);
  gtk_widget_set_size_request (scroller, WIDTH_PX, -1);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  gtk_menu_button_set_popover (button, popover);
}

/**
 * kymo_view_chooser_new:
 *
 * The button must stand in a #KymoWindow. Its list shows the views of the visible run.
 *
 * Returns: (transfer floating): a #GtkMenuButton
 */
GtkWidget *
kymo_view_chooser_new (void)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-list-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill_chooser, NULL, NULL);
  kymo_controls_name (button, _("All views and what they answer"));
  return button;
}
