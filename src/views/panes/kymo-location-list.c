/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "kymo-location-list.h"
#include "kymo-follow.h"
#include "kymo-time-parts.h"

/* Column of an answer about a profile. */
#define USEFUL "useful"

/* -- an item -------------------------------------------------------------- */

struct _KymoLocationItem
{
  GObject           parent_instance;

  KymoLocationList *list;          /* a reference */
  guint             position;
};

struct _KymoLocationList
{
  GObject    parent_instance;

  KymoTable *locations;            /* or NULL */
  guint     *order;                /* rows by position, or NULL: as they stand */
};

G_DEFINE_FINAL_TYPE (KymoLocationItem, kymo_location_item, G_TYPE_OBJECT)

static void
kymo_location_item_dispose (GObject *object)
{
  g_clear_object (&KYMO_LOCATION_ITEM (object)->list);
  G_OBJECT_CLASS (kymo_location_item_parent_class)->dispose (object);
}

static void
kymo_location_item_class_init (KymoLocationItemClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_location_item_dispose;
}

static void
kymo_location_item_init (KymoLocationItem *self)
{
}

static guint
row_at (KymoLocationList *list, guint position)
{
  return list->order != NULL ? list->order[position] : position;
}

/* FALSE for an item of a position that is no more. */
static gboolean
get_row (KymoLocationItem *item, guint *row)
{
  if (item->list->locations == NULL
      || item->position >= kymo_table_get_n_rows (item->list->locations))
    return FALSE;
  *row = row_at (item->list, item->position);
  return TRUE;
}

static double
get_double (KymoLocationItem *item, const char *column)
{
  guint row;

  return !get_row (item, &row)
         || kymo_table_find_column (item->list->locations, column) < 0 ? NAN
         : kymo_table_get_double (item->list->locations, column, row);
}

/**
 * kymo_location_item_peek_label:
 *
 * Returns: (transfer none): the label of the location; "" where the list has no such location any
 * more. Valid until the next kymo_location_list_set().
 */
const char *
kymo_location_item_peek_label (KymoLocationItem *item)
{
  guint row;
  const char *label = get_row (item, &row)
                      ? kymo_table_peek_label (item->list->locations, "label", row) : NULL;

  return label != NULL ? label : "";
}

/** kymo_location_item_get_weight: PEs it stands for; NAN = nothing is extrapolated */
double
kymo_location_item_get_weight (KymoLocationItem *item)
{
  return get_double (item, "weight");
}

/**
 * kymo_location_item_get_share:
 *
 * Returns: the share of its span that it was busy, or useful where it runs functions; %NAN where
 *   the list has no such location any more
 */
double
kymo_location_item_get_share (KymoLocationItem *item)
{
  guint n_parts;

  return item->list->locations == NULL ? NAN
         : get_double (item, kymo_time_parts (item->list->locations, &n_parts)->share);
}

/** kymo_location_item_get_useful: of a profile */
double
kymo_location_item_get_useful (KymoLocationItem *item)
{
  return get_double (item, USEFUL);
}

/* Of all functions, the rest among them. */
static double
sum_of_row (KymoTable *locations, guint row)
{
  guint width;
  const double *values = kymo_table_peek_doubles (locations, "values", &width);
  double sum = 0;

  for (guint i = 0; values != NULL && i < width; i++)
    sum += values[(gsize) row * width + i];
  return sum;
}

/** kymo_location_item_get_all: of a profile */
double
kymo_location_item_get_all (KymoLocationItem *item)
{
  guint row;

  return get_row (item, &row) ? sum_of_row (item->list->locations, row) : NAN;
}

/* -- the list ------------------------------------------------------------- */

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
  KymoLocationItem *item;

  if (position >= list_get_n_items (model))
    return NULL;
  item = g_object_new (KYMO_TYPE_LOCATION_ITEM, NULL);
  item->list = g_object_ref (KYMO_LOCATION_LIST (model));
  item->position = position;
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
  g_free (KYMO_LOCATION_LIST (object)->order);
  G_OBJECT_CLASS (kymo_location_list_parent_class)->finalize (object);
}

static void
kymo_location_list_class_init (KymoLocationListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kymo_location_list_finalize;
  kymo_signal_new ("refreshed", KYMO_TYPE_LOCATION_LIST, 0);
}

static void
kymo_location_list_init (KymoLocationList *self)
{
}

/**
 * kymo_location_list_new:
 *
 * Returns: (transfer full): a list without locations; kymo_location_list_set() fills it
 */
KymoLocationList *
kymo_location_list_new (void)
{
  return g_object_new (KYMO_TYPE_LOCATION_LIST, NULL);
}

/* -- an answer ------------------------------------------------------------ */

/**
 * kymo_location_list_has_useful:
 *
 * Returns: whether the locations belong to a profile, with a useful time for each
 */
gboolean
kymo_location_list_has_useful (KymoLocationList *self)
{
  return self->locations != NULL && kymo_table_find_column (self->locations, "values") >= 0;
}

/**
 * kymo_location_list_get_useful:
 *
 * Returns: the sum of useful time over all locations, in the unit of the answer; 0 where the list
 * is not of a profile
 */
double
kymo_location_list_get_useful (KymoLocationList *self)
{
  const double *useful = !kymo_location_list_has_useful (self) ? NULL
    : kymo_table_peek_doubles (self->locations, USEFUL, NULL);
  double sum = 0;

  for (guint i = 0; useful != NULL && i < list_get_n_items (G_LIST_MODEL (self)); i++)
    sum += useful[i];
  return sum;
}

static int
by_useful (gconstpointer a, gconstpointer b, gpointer values)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  const double *useful = values;

  if (useful[x] != useful[y])
    return useful[x] > useful[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Those with most first; where nothing computes, by all that they have. */
static guint *
order_of (KymoTable *locations)
{
  guint n = kymo_table_get_n_rows (locations);
  g_autofree double *values = g_new0 (double, MAX (n, 1));
  guint *order = g_new (guint, MAX (n, 1));
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      values[i] = kymo_table_get_double (locations, USEFUL, i);
      any |= values[i] > 0;
    }
  for (guint i = 0; !any && i < n; i++)
    values[i] = sum_of_row (locations, i);
  g_qsort_with_data (order, n, sizeof *order, by_useful, values);
  return order;
}

static GArray *
list_ids (KymoLocationList *self)
{
  guint n = list_get_n_items (G_LIST_MODEL (self));
  GArray *ids = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);

  for (guint i = 0; i < n; i++)
    {
      gint64 id = kymo_location_list_get_id (self, i);

      g_array_append_val (ids, id);
    }
  return ids;
}

/* Those that were there stay in their order, the others follow in that of the answer. */
static guint *
order_as_before (KymoTable *locations, GArray *before, const guint *order)
{
  guint n = kymo_table_get_n_rows (locations), k = 0;
  g_autoptr (GHashTable) rows = g_hash_table_new (g_int64_hash, g_int64_equal);
  const gint64 *ids = kymo_table_peek_ints (locations, "location", NULL);
  guint *kept = g_new0 (guint, MAX (n, 1));
  gpointer row;

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (rows, (gpointer) &ids[i], GUINT_TO_POINTER (i));
  for (guint i = 0; i < before->len; i++)
    if (g_hash_table_steal_extended (rows, &g_array_index (before, gint64, i), NULL, &row))
      kept[k++] = GPOINTER_TO_UINT (row);
  for (guint i = 0; i < n; i++)
    {
      guint at = order != NULL ? order[i] : i;

      if (g_hash_table_contains (rows, &ids[at]))
        kept[k++] = at;
    }
  return kept;
}

/* The first items stay, those that follow may be others. */
static void
tell_change (KymoLocationList *self, GArray *before)
{
  g_autoptr (GArray) ids = list_ids (self);
  guint same = 0;

  while (same < MIN (before->len, ids->len)
         && g_array_index (before, gint64, same) == g_array_index (ids, gint64, same))
    same++;
  if (same < MAX (before->len, ids->len))
    g_list_model_items_changed (G_LIST_MODEL (self), same, before->len - same,
                                ids->len - same);
  if (same > 0)
    g_signal_emit_by_name (self, "refreshed");
}

/**
 * kymo_location_list_set:
 * @locations: (nullable): of usage, or rows of thread bars
 * @keep_order: nothing moves, as of a run that grows under a person's eyes
 */
void
kymo_location_list_set (KymoLocationList *self, KymoTable *locations, gboolean keep_order)
{
  g_autoptr (GArray) before = list_ids (self);

  if (locations != NULL)
    kymo_table_ref (locations);
  g_clear_pointer (&self->locations, kymo_table_unref);
  g_clear_pointer (&self->order, g_free);
  self->locations = locations;
  if (kymo_location_list_has_useful (self))
    self->order = order_of (locations);
  if (keep_order && locations != NULL && before->len > 0)
    {
      guint *kept = order_as_before (locations, before, self->order);

      g_free (self->order);
      self->order = kept;
    }
  tell_change (self, before);
}

/** kymo_location_list_get_id: -1 beyond the end */
gint64
kymo_location_list_get_id (KymoLocationList *self, guint position)
{
  if (position >= list_get_n_items (G_LIST_MODEL (self)))
    return -1;
  return kymo_table_get_int (self->locations, "location", row_at (self, position));
}
