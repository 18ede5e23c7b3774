/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Above the views of a part: the head of a part that is not alone, and the buttons of the views
 * that share a tab.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"
#include "kymo-desk-part-private.h"
#include "kymo-view-groups.h"

/** kymo_desk_part_say_view: the drop-down and the action tell which view is visible */
void
kymo_desk_part_say_view (KymoDeskPart *self)
{
  const char *id = kymo_desk_part_get_view (self);
  const char *title = self->owner.title (self->owner.data, id);
  g_autofree char *words = g_strdup_printf (_("View of this part: %s"), title);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->choice), title);
  kymo_controls_name (self->choice, words);
  g_simple_action_set_state (self->action, g_variant_new_string (id));
}

/* -- the head --------------------------------------------------------------- */

static void
append_group (KymoDeskPart *self, KymoViewGroup group)
{
  g_autoptr (GMenu) section = g_menu_new ();

  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    if (view->group == group && self->owner.has (self->owner.data, view->id))
      {
        g_autofree char *action = g_strdup_printf ("part.view::%s", view->id);

        g_menu_append (section, self->owner.title (self->owner.data, view->id), action);
      }
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (self->menu, kymo_view_group_title (group), G_MENU_MODEL (section));
}

static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  KymoDeskPart *self = data;

  g_menu_remove_all (self->menu);
  for (guint i = 0; i < KYMO_N_VIEW_GROUPS; i++)
    append_group (self, i);
}

static GtkWidget *
build_close (void)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");

  kymo_controls_name (button, _("Close this part (Ctrl+Shift+W)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "part.close");
  gtk_widget_add_css_class (button, "flat");
  return button;
}

/**
 * kymo_desk_part_build_head:
 *
 * Returns: (transfer floating): the hidden bar with the drop-down of views and the button that
 * closes the part
 */
GtkWidget *
kymo_desk_part_build_head (KymoDeskPart *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *gap = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->menu = g_menu_new ();
  self->choice = gtk_menu_button_new ();
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->choice), FALSE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->choice), G_MENU_MODEL (self->menu));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->choice), fill_menu, self,
                                         NULL);
  gtk_widget_set_hexpand (gap, TRUE);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), gap);
  gtk_box_append (GTK_BOX (box), build_close ());
  gtk_widget_add_css_class (box, "kymo-part-head");
  gtk_widget_set_visible (box, FALSE);
  return box;
}

/**
 * kymo_desk_part_show_head:
 *
 * Shows or hides the head with the drop-down of views; a part that is alone has no use for it.
 */
void
kymo_desk_part_show_head (KymoDeskPart *self, gboolean visible)
{
  gtk_widget_set_visible (self->head, visible);
}

/** kymo_desk_part_set_current: @current: its head says that it is the one */
void
kymo_desk_part_set_current (KymoDeskPart *self, gboolean current)
{
  if (current)
    gtk_widget_add_css_class (self->head, "kymo-current");
  else
    gtk_widget_remove_css_class (self->head, "kymo-current");
}

/* -- views that share a tab ------------------------------------------------- */

static void
add_shared (KymoDeskPart *self, const char *id)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (self->owner.title (self->owner.data, id));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "part.view");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", id);
  gtk_box_append (GTK_BOX (self->shared), button);
}

static gboolean
is_in_tab (KymoDeskPart *self, const KymoViewInfo *view, const char *tab)
{
  return g_strcmp0 (kymo_view_tab_of (view->id), tab) == 0
         && self->owner.has (self->owner.data, view->id);
}

/**
 * kymo_desk_part_fill_shared:
 *
 * Makes a button for each view of the visible tab, where there are several. They stay while the
 * tab and its views do: one of them may have the keyboard.
 */
void
kymo_desk_part_fill_shared (KymoDeskPart *self)
{
  const char *tab = kymo_view_tab_of (kymo_desk_part_get_view (self));
  GtkWidget *button;
  guint n = 0;

  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    n += is_in_tab (self, view, tab);
  if (g_strcmp0 (tab, self->tab) == 0 && n == self->n_shared)
    return;
  self->tab = tab;
  self->n_shared = n;
  while ((button = gtk_widget_get_first_child (self->shared)) != NULL)
    gtk_box_remove (GTK_BOX (self->shared), button);
  for (const KymoViewInfo *view = kymo_views; view->id != NULL; view++)
    if (is_in_tab (self, view, tab))
      add_shared (self, view->id);
  gtk_widget_set_visible (self->bar, n > 1);
}

/**
 * kymo_desk_part_build_shared:
 *
 * Returns: (transfer floating): the hidden bar for the buttons of views that share a tab
 */
GtkWidget *
kymo_desk_part_build_shared (KymoDeskPart *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->shared = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->shared, "linked");
  gtk_box_append (GTK_BOX (bar), self->shared);
  gtk_widget_add_css_class (bar, "kymo-shared");
  gtk_widget_set_visible (bar, FALSE);
  return bar;
}
