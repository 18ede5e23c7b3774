/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of `clusters`: a line a cluster, its members as ranges, and how it was
 * done.
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>
#include <string.h>

#define MAX_CLUSTERS 40
#define MAX_RANGES 6

static gint64
number_at (const KymoTable *list, guint i)
{
  return kymo_table_peek_ints (list, "value", NULL)[i];
}

/* Numbers first to end as "0-3, 7, 9-12"; ranges where they ascend by 1. */
static char *
format_ranges (const KymoTable *list, guint first, guint end)
{
  GString *out = g_string_new (NULL);
  guint n = 0;

  for (guint i = first, last; i < end; i = last + 1)
    {
      for (last = i; last + 1 < end
           && number_at (list, last + 1) == number_at (list, last) + 1;)
        last++;
      if (n++ == MAX_RANGES)
        {
          g_string_append (out, ", …");
          break;
        }
      g_string_append_printf (out, "%s%" G_GINT64_FORMAT, n > 1 ? ", " : "",
                              number_at (list, i));
      if (last > i)
        g_string_append_printf (out, "-%" G_GINT64_FORMAT,
                                number_at (list, last));
    }
  return g_string_free (out, FALSE);
}

static char *
format_list (const KymoTable *table, const char *name, guint row)
{
  const guint *offsets;
  KymoTable *list = kymo_table_peek_nested (table, name, &offsets);

  return offsets[row] == offsets[row + 1] ? g_strdup ("–")
    : format_ranges (list, offsets[row], offsets[row + 1]);
}

/* The entry method with the most time in the mean of a cluster. */
static const char *
name_of_largest (const KymoTable *answer, const KymoTable *clusters, guint row)
{
  const guint *offsets;
  KymoTable *means = kymo_table_peek_nested (clusters, "means", &offsets);
  KymoTable *components = kymo_table_peek_nested (answer, "components", NULL);
  const double *values = kymo_table_peek_doubles (means, "value", NULL);
  guint n = MIN (offsets[row + 1] - offsets[row],
                 kymo_table_get_n_rows (components));
  gint largest = -1;

  for (guint i = 0; i < n; i++)
    if (values[offsets[row] + i]
        > (largest < 0 ? 0 : values[offsets[row] + largest]))
      largest = i;
  return largest < 0 ? "–"
    : kymo_table_get_string (components, "name", largest);
}

/* Distances are of time where nothing else is compared. */
static char *
format_distance (const KymoTable *answer, const KymoTable *clusters, guint row)
{
  double distance = kymo_table_get_double (clusters, "mean_distance", row);
  const char *with = kymo_table_get_string (answer, "with", 0);
  const char *scale = kymo_table_get_string (answer, "scale", 0);
  gboolean time = strstr (with, "messages") == NULL
    && strstr (with, "bytes") == NULL && strcmp (scale, "none") == 0;

  return time ? kymo_format_duration (llround (distance))
    : kymo_cli_format_double ("distance", distance);
}

static void
write_clusters (KymoCli *cli, const KymoTable *answer, GString *out)
{
  g_autofree char *rows = kymo_cli_heading (kymo_cli_row (cli, TRUE));
  const char *const heads[] = { "Cluster", rows, "Spread", "Representative", "Outliers",
                                "Most time in", "Members" };
  KymoTable *clusters = kymo_table_peek_nested (answer, "clusters", NULL);
  guint n = kymo_table_get_n_rows (clusters);
  KymoCliGrid *grid = kymo_cli_grid_new (G_N_ELEMENTS (heads));

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      kymo_cli_grid_add (grid, heads[i]);
      if (i < 4)
        kymo_cli_grid_right (grid, i);
    }
  for (guint i = 0; i < MIN (n, MAX_CLUSTERS); i++)
    {
      kymo_cli_grid_take (grid, g_strdup_printf ("%u", i));
      kymo_cli_grid_count (grid, clusters, "size", i);
      kymo_cli_grid_take (grid, format_distance (answer, clusters, i));
      kymo_cli_grid_take (grid, g_strdup_printf (
        "%" G_GINT64_FORMAT, kymo_table_get_int (clusters, "representative", i)));
      kymo_cli_grid_take (grid, format_list (clusters, "outliers", i));
      kymo_cli_grid_add (grid, name_of_largest (answer, clusters, i));
      kymo_cli_grid_take (grid, format_list (clusters, "members", i));
    }
  kymo_cli_grid_end (grid, out);
  if (n > MAX_CLUSTERS)
    g_string_append_printf (out, "and %u more; --format json lists them all\n",
                            n - MAX_CLUSTERS);
}

/* How many of the PEs are kept, and how well the clusters are separated. */
static void
write_sums (KymoCli *cli, const KymoTable *answer, GString *out)
{
  gint64 pes = kymo_table_get_int (answer, "pes", 0);
  gint64 rounds = kymo_table_get_int (answer, "rounds", 0);
  double silhouette = kymo_table_get_double (answer, "silhouette", 0);
  guint n_kept = 0, n_left_out = 0;

  kymo_table_peek_ints (answer, "kept", &n_kept);
  kymo_table_peek_ints (answer, "left_out", &n_left_out);
  g_string_append_printf (
    out, "\n%u of %" G_GINT64_FORMAT " %s are kept. k = %" G_GINT64_FORMAT ", %s seeds, scale "
    "%s; %s %" G_GINT64_FORMAT " rounds", n_kept, pes, kymo_cli_row (cli, TRUE),
    kymo_table_get_int (answer, "k", 0),
    kymo_table_get_string (answer, "seeding", 0), kymo_table_get_string (answer, "scale", 0),
    kymo_table_get_bool (answer, "settled", 0) ? "settled after" : "not settled after", rounds);
  if (isfinite (silhouette))
    g_string_append_printf (out, "; silhouette %.2f", silhouette);
  g_string_append (out, ".\n");
  if (n_left_out > 0)
    g_string_append_printf (out, "%u left out: communication threads, and %s whose logs were "
                            "cut away.\n", n_left_out, kymo_cli_row (cli, TRUE));
}

/** kymo_cli_text_clusters: a line a cluster, and how it was done */
void
kymo_cli_text_clusters (KymoCli *cli, const KymoTable *table, GString *out)
{
  write_clusters (cli, table, out);
  write_sums (cli, table, out);
}
