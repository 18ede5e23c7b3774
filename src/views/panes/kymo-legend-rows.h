/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the legend: a colour that hides and shows, a name and its share. The one
 * under the pointer is the session's hovered name. Main thread only.
 */
#pragma once

#include <gio/gio.h>
#include <gtk/gtk.h>

#include "kymo-session.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/* Items are KymoLegendItem. */
GtkListItemFactory *kymo_legend_rows_new (KymoSession *session);

/* The list, with words in its place where there are items and none is shown. */
GtkWidget *kymo_legend_rows_over (GtkWidget *list, GListModel *all, GListModel *shown,
                                  const char *words);

/* KymoLegendItem: one line of the legend, in a list model; its share
   may change ("notify::share"), so that a list is not made anew for it. */

#define KYMO_TYPE_LEGEND_ITEM (kymo_legend_item_get_type ())
G_DECLARE_FINAL_TYPE (KymoLegendItem, kymo_legend_item, KYMO, LEGEND_ITEM,
                      GObject)

struct _KymoLegendItem
{
  GObject  parent_instance;

  char    *name;                   /* activity's display name */
  char    *label;                  /* for people; as name but for idle etc. */
  char    *kind;                   /* "entry", "idle", ... */
  double   share;                  /* of the visible stretch, NaN unknown */
  gboolean is_value;               /* of a ratio, whose values are shares of nothing */
};

KymoLegendItem *kymo_legend_item_new (const char *name,
                                      const char *label,
                                      const char *kind,
                                      double      share);
void            kymo_legend_item_set_share (KymoLegendItem *self,
                                            double          share);
GPtrArray      *kymo_legend_items_of_communicators
                                           (KymoTable      *answer,
                                            GPtrArray      *others);

G_END_DECLS
