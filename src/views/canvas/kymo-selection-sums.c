/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-selection-sums.h"

#include <glib/gi18n-lib.h>

#include "kymo-time-parts.h"
#include "kymo-units.h"

/**
 * kymo_selection_dup_shares:
 * @profile: an answer of "profile"
 *
 * Returns: (transfer full): the shares of the parts of time (kymo-time-parts.h), without those
 *   that there is nothing of
 */
char *
kymo_selection_dup_shares (const KymoTable *profile)
{
  guint n_parts;
  const KymoTimePart *parts = kymo_time_parts (profile, &n_parts);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  double span = MAX (kymo_table_get_int (profile, "span_ns", 0), 1);

  for (guint i = 0; i < n_parts; i++)
    {
      gint64 ns = kymo_time_part_ns (profile, &parts[i]);
      g_autofree char *share = kymo_format_percent (ns / span);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      if (parts[i].always || ns > 0)
        g_ptr_array_add (words, g_strdup_printf (_(parts[i].words), share));
#pragma GCC diagnostic pop
    }
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" · ", (char **) words->pdata);
}

/* "shortest 12 µs, longest 21.2 ms"; sums by bins know no shortest, and extremes are never
   extrapolated: those are of what was kept. */
static char *
dup_lengths (const KymoTable *list, guint row, gboolean extrapolated)
{
  gint64 least = kymo_table_get_int (list, "min_ns", row);
  g_autofree char *shortest = least != KYMO_NULL_INT ? kymo_format_duration (least) : NULL;
  g_autofree char *longest
    = kymo_format_duration (kymo_table_get_int (list, "max_ns", row));

  if (shortest != NULL && extrapolated)
    return g_strdup_printf (_("of those kept shortest %s, longest %s"), shortest, longest);
  return shortest == NULL ? g_strdup_printf (_("longest %s"), longest)
         : g_strdup_printf (_("shortest %s, longest %s"), shortest, longest);
}

/* "Cell::compute 61.3 %, 491 ms (311 × 1.58 ms on average, shortest 12 µs, longest 21.2 ms)" */
static char *
words_of (const KymoTable *list, guint row, gboolean extrapolated)
{
  gint64 calls = kymo_table_get_int (list, "calls", row);
  g_autofree char *share = kymo_format_percent (kymo_table_get_double (list, "share", row));
  g_autofree char *count = calls != KYMO_NULL_INT ? kymo_format_count (calls) : NULL;
  g_autofree char *sum = NULL, *mean = NULL, *lengths = NULL;

  if (count == NULL || calls < 1 || kymo_table_get_int (list, "max_ns", row) == KYMO_NULL_INT)
    return g_strdup_printf ("%s %s", kymo_table_get_string (list, "name", row), share);
  mean = kymo_format_duration (kymo_table_get_int (list, "mean_ns", row));
  sum = kymo_format_duration (kymo_table_get_int (list, "exclusive_ns", row));
  lengths = dup_lengths (list, row, extrapolated);
  return g_strdup_printf (_("%s %s, %s (%s × %s on average, %s)"),
                          kymo_table_get_string (list, "name", row), share, sum, count, mean,
                          lengths);
}

/** kymo_selection_dup_activities: @most: limit of activities */
char *
kymo_selection_dup_activities (const KymoTable *profile, guint most)
{
  KymoTable *list = kymo_table_peek_nested (profile, "activities", NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  gboolean extrapolated = kymo_table_find_column (profile, "extrapolated") >= 0;
  guint n = list != NULL ? kymo_table_get_n_rows (list) : 0;

  for (guint row = 0; row < n && words->len < most; row++)
    if (kymo_table_get_double (list, "share", row) > 0)
      g_ptr_array_add (words, words_of (list, row, extrapolated));
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" · ", (char **) words->pdata);
}
