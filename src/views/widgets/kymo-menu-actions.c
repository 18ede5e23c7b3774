/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menus are found where they hang: at the menu buttons below a window. So no menu
 * has to be told of here, and none is forgotten.
 */
#include "config.h"

#include "kymo-menu-actions.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  char      *wanted;                   /* casefolded */
  guint      most;
  GPtrArray *found;                    /* KymoMenuAction */
} Search;

static void
action_free (gpointer data)
{
  KymoMenuAction *action = data;

  g_free (action->label);
  g_free (action->action);
  g_clear_pointer (&action->target, g_variant_unref);
  g_free (action);
}

static gboolean
is_enabled (GtkWidget *window, const char *action)
{
  GActionGroup *group = NULL;

  if (g_str_has_prefix (action, "win.") && G_IS_ACTION_GROUP (window))
    group = G_ACTION_GROUP (window);
  else if (g_str_has_prefix (action, "app.") && GTK_IS_WINDOW (window))
    group = G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window)));
  return group != NULL && g_action_group_has_action (group, action + 4)
         && g_action_group_get_action_enabled (group, action + 4);
}

/* (transfer full): without the underscores of mnemonics; "__" is one that is shown */
static char *
plain (const char *label)
{
  GString *text = g_string_new (NULL);

  for (const char *at = label; *at != '\0'; at++)
    {
      if (*at == '_' && at[1] != '\0')
        at++;
      g_string_append_c (text, *at);
    }
  return g_string_free (text, FALSE);
}

static void
add_line (Search *search, GMenuModel *menu, int index, const char *label)
{
  g_autofree char *action = NULL, *folded = g_utf8_casefold (label, -1);
  KymoMenuAction *line;

  if (!g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_ACTION, "s", &action)
      || strstr (folded, search->wanted) == NULL || !is_enabled (search->window, action))
    return;
  line = g_new0 (KymoMenuAction, 1);
  line->label = g_strdup (label);
  line->action = g_steal_pointer (&action);
  line->target = g_menu_model_get_item_attribute_value (menu, index, G_MENU_ATTRIBUTE_TARGET,
                                                        NULL);
  g_ptr_array_add (search->found, line);
}

static void
add_menu (Search *search, GMenuModel *menu, const char *around)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu) && search->found->len < search->most; i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) sub = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autofree char *raw = NULL, *own = NULL, *label = NULL;

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &raw))
        own = plain (raw);
      label = own == NULL ? g_strdup (around) : *around == '\0' ? g_strdup (own)
              : g_strdup_printf ("%s › %s", around, own);
      if (section != NULL)
        add_menu (search, section, around);
      else if (sub != NULL)
        add_menu (search, sub, label);
      else
        add_line (search, menu, i, label);
    }
}

static void
look_below (Search *search, GtkWidget *widget)
{
  GMenuModel *menu = GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_visible (widget)
                     ? gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)) : NULL;

  if (menu != NULL)
    add_menu (search, menu, "");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && menu == NULL;
       child = gtk_widget_get_next_sibling (child))
    look_below (search, child);
}

/**
 * kymo_menu_actions_find:
 * @window: whose menu buttons are looked through
 * @text: part of a label, in any case; "" finds all
 * @most: results at most
 *
 * Returns: (transfer full) (element-type KymoMenuAction): the enabled actions "win." and "app." of
 *   the menus, in their order; may be empty
 */
GPtrArray *
kymo_menu_actions_find (GtkWidget *window, const char *text, guint most)
{
  g_autofree char *wanted = g_utf8_casefold (text, -1);
  Search search = { window, wanted, most, g_ptr_array_new_with_free_func (action_free) };

  look_below (&search, window);
  return search.found;
}
