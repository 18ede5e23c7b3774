/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-legend-item.h"

#include "kymo-safe-text.h"

G_DEFINE_FINAL_TYPE (KymoLegendItem, kymo_legend_item, G_TYPE_OBJECT)

static GParamSpec *share_prop;

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
kymo_legend_item_get_property (GObject *object, guint id, GValue *value,
                               GParamSpec *pspec)
{
  g_value_set_double (value, KYMO_LEGEND_ITEM (object)->share);
}

static void
kymo_legend_item_class_init (KymoLegendItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_legend_item_finalize;
  G_OBJECT_CLASS (klass)->get_property = kymo_legend_item_get_property;
  share_prop = g_param_spec_double ("share", NULL, NULL, -G_MAXDOUBLE,
                                    G_MAXDOUBLE, 0,
                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS
                                    | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1, share_prop);
}

static void
kymo_legend_item_init (KymoLegendItem *self)
{
}

/**
 * kymo_legend_item_set_share:
 * @share: share of the visible range, 0 to 1; NaN = unknown
 *
 * Sets the share and emits "notify::share" where it differs from the present share.
 */
void
kymo_legend_item_set_share (KymoLegendItem *self, double share)
{
  if (self->share == share)
    return;
  self->share = share;
  g_object_notify_by_pspec (G_OBJECT (self), share_prop);
}

/**
 * kymo_legend_item_new:
 * @name: display name of the activity, also its key
 * @label: text for people; a copy that is safe to display is kept
 * @kind: "entry", "function", "idle", "overhead", ...
 * @share: share of the visible range, 0 to 1; NaN = unknown
 *
 * Returns: (transfer full): the item, with copies of all strings
 */
KymoLegendItem *
kymo_legend_item_new (const char *name, const char *label, const char *kind,
                      double share)
{
  KymoLegendItem *self = g_object_new (KYMO_TYPE_LEGEND_ITEM, NULL);

  self->name = g_strdup (name);
  self->label = kymo_safe_text_dup (label);
  self->kind = g_strdup (kind);
  self->share = share;
  return self;
}
