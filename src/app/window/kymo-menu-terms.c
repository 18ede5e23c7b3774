/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of a GMenu cannot be changed: another one takes its place. Lines are found by
 * their action.
 */
#include "config.h"

#include "kymo-menu-terms.h"

#include <glib/gi18n.h>

#include "kymo-in-terms.h"

static const struct { const char *action, *label; } lines[] = {
  { "win.explain", N_("Why {Rows} Stick O_ut") },
  { "win.by-class", N_("{Rows} by Cl_uster") },
  { "win.extrapolate", N_("E_xtrapolate to All {Rows}") },
  { "win.sidebar", N_("List of _{Rows}") },
};

static void
set_label (GMenuModel *menu, int index, const char *label)
{
  g_autoptr (GMenuItem) item = NULL;
  g_autofree char *before = NULL;

  g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s",
                                   &before);
  if (g_strcmp0 (before, label) == 0)
    return;
  item = g_menu_item_new_from_model (menu, index);
  g_menu_item_set_label (item, label);
  g_menu_remove (G_MENU (menu), index);
  g_menu_insert_item (G_MENU (menu), index, item);
}

static void
set_line (GMenuModel *menu, int index, KymoTerms terms)
{
  g_autofree char *action = NULL;

  if (!g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_ACTION,
                                        "s", &action))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (g_str_equal (action, lines[i].action))
      set_label (menu, index, kymo_in_terms (terms, _(lines[i].label)));
}

/** kymo_menu_set_terms: @menu: a #GMenu of sections; submenus are left alone */
void
kymo_menu_set_terms (GMenuModel *menu, KymoTerms terms)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      if (section != NULL)
        kymo_menu_set_terms (section, terms);
      else
        set_line (menu, i, terms);
    }
}
