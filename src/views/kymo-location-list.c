/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-location-list.h"

/* -- an item -------------------------------------------------------------- */

struct _KymoLocationItem
{
  GObject    parent_instance;

  KymoTable *locations;
  guint      row;
};

G_DEFINE_FINAL_TYPE (KymoLocationItem, kymo_location_item, G_TYPE_OBJECT)

static void
kymo_location_item_finalize (GObject *object)
{
  kymo_table_unref (KYMO_LOCATION_ITEM (object)->locations);
  G_OBJECT_CLASS (kymo_location_item_parent_class)->finalize (object);
}

static void
kymo_location_item_class_init (KymoLocationItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_location_item_finalize;
}

static void
kymo_location_item_init (KymoLocationItem *self)
{
}

/** kymo_location_item_peek_label: */
const char *
kymo_location_item_peek_label (KymoLocationItem *item)
{
  const char *label = kymo_table_get_string (item->locations, "label",
                                             item->row);

  return label != NULL ? label : "";
}

/** kymo_location_item_get_weight: PEs it stands for; NAN = nothing is extrapolated */
double
kymo_location_item_get_weight (KymoLocationItem *item)
{
  return kymo_table_find_column (item->locations, "weight") < 0 ? NAN
         : kymo_table_get_double (item->locations, "weight", item->row);
}

/** kymo_location_item_get_busy: share of its span */
double
kymo_location_item_get_busy (KymoLocationItem *item)
{
  return kymo_table_get_double (item->locations, "busy", item->row);
}

/* -- the list ------------------------------------------------------------- */

struct _KymoLocationList
{
  GObject    parent_instance;

  KymoTable *locations;            /* or NULL */
};

static GType
list_get_item_type (GListModel *model)
{
  return KYMO_TYPE_LOCATION_ITEM;
}

static guint
list_get_n_items (GListModel *model)
{
  KymoLocationList *self = KYMO_LOCATION_LIST (model);

  return self->locations != NULL ? kymo_table_get_n_rows (self->locations) : 0;
}

static gpointer
list_get_item (GListModel *model, guint position)
{
  KymoLocationList *self = KYMO_LOCATION_LIST (model);
  KymoLocationItem *item;

  if (position >= list_get_n_items (model))
    return NULL;
  item = g_object_new (KYMO_TYPE_LOCATION_ITEM, NULL);
  item->locations = kymo_table_ref (self->locations);
  item->row = position;
  return item;
}

static void
list_iface (GListModelInterface *iface)
{
  iface->get_item_type = list_get_item_type;
  iface->get_n_items = list_get_n_items;
  iface->get_item = list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (KymoLocationList, kymo_location_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      list_iface))

static void
kymo_location_list_finalize (GObject *object)
{
  g_clear_pointer (&KYMO_LOCATION_LIST (object)->locations, kymo_table_unref);
  G_OBJECT_CLASS (kymo_location_list_parent_class)->finalize (object);
}

static void
kymo_location_list_class_init (KymoLocationListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_location_list_finalize;
}

static void
kymo_location_list_init (KymoLocationList *self)
{
}

/** kymo_location_list_new: */
KymoLocationList *
kymo_location_list_new (void)
{
  return g_object_new (KYMO_TYPE_LOCATION_LIST, NULL);
}

/** kymo_location_list_set: @locations: (nullable): of a usage answer */
void
kymo_location_list_set (KymoLocationList *self, KymoTable *locations)
{
  guint before = list_get_n_items (G_LIST_MODEL (self));

  if (locations != NULL)
    kymo_table_ref (locations);
  g_clear_pointer (&self->locations, kymo_table_unref);
  self->locations = locations;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before,
                              list_get_n_items (G_LIST_MODEL (self)));
}

/** kymo_location_list_get_id: -1 beyond the end */
gint64
kymo_location_list_get_id (KymoLocationList *self, guint position)
{
  if (position >= list_get_n_items (G_LIST_MODEL (self)))
    return -1;
  return kymo_table_get_int (self->locations, "location", position);
}
