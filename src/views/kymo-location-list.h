/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLocationList: the locations of a usage answer as a GListModel. An item
 * is made when it is looked at: a list shows some dozens of a hundred thousand.
 * Main thread only.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-table.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LOCATION_ITEM (kymo_location_item_get_type ())
G_DECLARE_FINAL_TYPE (KymoLocationItem, kymo_location_item, KYMO,
                      LOCATION_ITEM, GObject)

#define KYMO_TYPE_LOCATION_LIST (kymo_location_list_get_type ())
G_DECLARE_FINAL_TYPE (KymoLocationList, kymo_location_list, KYMO,
                      LOCATION_LIST, GObject)

KymoLocationList *kymo_location_list_new        (void);
void              kymo_location_list_set        (KymoLocationList *self,
                                                 KymoTable        *locations);
gint64            kymo_location_list_get_id     (KymoLocationList *self,
                                                 guint             position);
const char       *kymo_location_item_peek_label (KymoLocationItem *item);
double            kymo_location_item_get_busy   (KymoLocationItem *item);
double            kymo_location_item_get_weight  (KymoLocationItem *item);

G_END_DECLS
