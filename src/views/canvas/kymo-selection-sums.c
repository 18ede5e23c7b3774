/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-selection-sums.h"

#include <glib/gi18n-lib.h>

#include "kymo-units.h"

static gint64
ns_of (const KymoTable *profile, const char *key)
{
  gint64 ns = kymo_table_find_column (profile, key) >= 0
              ? kymo_table_get_int (profile, key, 0) : KYMO_NULL_INT;

  return ns != KYMO_NULL_INT ? ns : 0;
}

/**
 * kymo_selection_dup_shares:
 * @profile: an answer of "profile"
 *
 * Returns: (transfer full): the shares of busy and idle time, and of overhead and untraced time
 *   where there are any
 */
char *
kymo_selection_dup_shares (const KymoTable *profile)
{
  static const struct { const char *key, *words; } parts[] = {
    { "busy_ns", N_("busy %s") }, { "idle_ns", N_("idle %s") },
    { "overhead_ns", N_("overhead %s") }, { "untraced_ns", N_("untraced %s") },
  };
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  double span = MAX (ns_of (profile, "span_ns"), 1);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gint64 ns = ns_of (profile, parts[i].key);
      g_autofree char *share = kymo_format_percent (ns / span);

      /* What is always there, and what there is. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      if (i < 2 || ns > 0)
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

/** kymo_selection_dup_activities: @most: so many */
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
