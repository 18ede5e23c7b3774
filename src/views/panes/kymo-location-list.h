/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLocationList: the locations of an answer as a GListModel, of usage in its
 * order, of thread bars those with most useful time first. An item is made when
 * it is looked at: a list shows some dozens of a hundred thousand. Where an
 * answer has the same locations as the one before, items stay and "refreshed"
 * is emitted: they tell other figures. Main thread only.
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
                                                 KymoTable        *locations,
                                                 gboolean          keep_order);
/* Whether the rows are those of a profile. */
gboolean          kymo_location_list_has_useful (KymoLocationList *self);
/* Sum over all locations of what functions have that compute. */
double            kymo_location_list_get_useful (KymoLocationList *self);
gint64            kymo_location_list_get_id     (KymoLocationList *self,
                                                 guint             position);
const char       *kymo_location_item_peek_label (KymoLocationItem *item);
double            kymo_location_item_get_share  (KymoLocationItem *item);
/* Of a profile, in the unit of its answer: of functions that compute, and of all. */
double            kymo_location_item_get_useful (KymoLocationItem *item);
double            kymo_location_item_get_all    (KymoLocationItem *item);
double            kymo_location_item_get_weight  (KymoLocationItem *item);

G_END_DECLS
