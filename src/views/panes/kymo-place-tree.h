/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoPlaceTree: the machines, nodes and processes that the locations of a run lie
 * in, as a tree; those that are chosen are shown in all views. Not visible where a
 * run knows no such tree. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_PLACE_TREE (kymo_place_tree_get_type ())
G_DECLARE_FINAL_TYPE (KymoPlaceTree, kymo_place_tree, KYMO, PLACE_TREE, GtkBox)

GtkWidget         *kymo_place_tree_new             (KymoSession   *session);
GtkSelectionModel *kymo_place_tree_peek_selection  (KymoPlaceTree *self);

G_END_DECLS
