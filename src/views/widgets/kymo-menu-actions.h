/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the menus of a window offer, by its words: for going to a command by name. Main
 * thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** KymoMenuAction: a line of a menu that can be chosen now */
typedef struct
{
  char     *label;                     /* with the menus around it: "Export › Picture…" */
  char     *action;                    /* "win.export" */
  GVariant *target;                    /* or NULL */
} KymoMenuAction;

/* (transfer full): of KymoMenuAction, at most so many, whose label holds the text in any
   case; in the order of the menus. */
GPtrArray *kymo_menu_actions_find (GtkWidget  *window,
                                   const char *text,
                                   guint       most);

G_END_DECLS
