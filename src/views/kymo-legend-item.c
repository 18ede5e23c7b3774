/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-legend-item.h"

G_DEFINE_FINAL_TYPE (KymoLegendItem, kymo_legend_item, G_TYPE_OBJECT)

static void
kymo_legend_item_finalize (GObject *object)
{
  KymoLegendItem *self = KYMO_LEGEND_ITEM (object);

  g_free (self->name);
  g_free (self->label);
  g_free (self->kind);
  G_OBJECT_CLASS (kymo_legend_item_parent_class)->finalize (object);
}

static void
kymo_legend_item_class_init (KymoLegendItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_legend_item_finalize;
}

static void
kymo_legend_item_init (KymoLegendItem *self)
{
}

/** kymo_legend_item_new: */
KymoLegendItem *
kymo_legend_item_new (const char *name, const char *label, const char *kind,
                      double share)
{
  KymoLegendItem *self = g_object_new (KYMO_TYPE_LEGEND_ITEM, NULL);

  self->name = g_strdup (name);
  self->label = g_strdup (label);
  self->kind = g_strdup (kind);
  self->share = share;
  return self;
}
