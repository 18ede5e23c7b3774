/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-line-widths.h. A width is that for text of the usual size, so that it fits on a screen
 * with larger text as well. What is read from settings is not trusted: widths are bounded, and so
 * is their number.
 */
#include "config.h"

#include "kymo-line-widths.h"

#define LEAST_PX 8
#define MOST_PX 4000
#define MOST_COLUMNS 500

static GHashTable *widths;               /* column -> px */
static GSettings *store;                 /* or NULL */
static const char *store_key;

static void
keep (const char *column, int width_px)
{
  if (widths == NULL)
    widths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (width_px < LEAST_PX || width_px > MOST_PX
      || (g_hash_table_size (widths) >= MOST_COLUMNS
          && !g_hash_table_contains (widths, column)))
    return;
  g_hash_table_insert (widths, g_strdup (column), GINT_TO_POINTER (width_px));
}

static GVariant *
dup_all (void)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer column, width;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{si}"));
  g_hash_table_iter_init (&iter, widths);
  while (g_hash_table_iter_next (&iter, &column, &width))
    g_variant_builder_add (&builder, "{si}", (const char *) column, GPOINTER_TO_INT (width));
  return g_variant_builder_end (&builder);
}

/**
 * kymo_line_widths_use:
 * @settings: (nullable): from where the widths are taken, and where they are kept from now on;
 *   %NULL forgets all and keeps them in memory alone
 * @key: of type a{si}; static
 */
void
kymo_line_widths_use (GSettings *settings, const char *key)
{
  g_autoptr (GVariant) all = NULL;
  GVariantIter iter;
  const char *column;
  int width_px;

  g_clear_pointer (&widths, g_hash_table_unref);
  g_set_object (&store, settings);
  store_key = key;
  if (settings == NULL)
    return;
  all = g_settings_get_value (settings, key);
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "{&si}", &column, &width_px))
    keep (column, width_px);
}

/**
 * kymo_line_widths_get:
 * @column: name of a column, unique among all lists
 *
 * Returns: its width in px, for text of the usual size; 0 where no person changed it
 */
int
kymo_line_widths_get (const char *column)
{
  return widths != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (widths, column)) : 0;
}

/**
 * kymo_line_widths_set:
 * @width_px: for text of the usual size
 *
 * Keeps the width that a person gave to a column.
 */
void
kymo_line_widths_set (const char *column, int width_px)
{
  if (kymo_line_widths_get (column) == width_px)
    return;
  keep (column, width_px);
  if (store != NULL && widths != NULL)
    g_settings_set_value (store, store_key, dup_all ());
}
