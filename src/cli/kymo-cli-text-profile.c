/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of the profile: where the time went, and the activities.
 */
#include "config.h"

#include "kymo-cli.h"
#include "kymo-time-parts.h"

#include <math.h>
#include <string.h>

#define MAX_ACTIVITIES 40

/** kymo_cli_compare_ranked: the longest first. */
int
kymo_cli_compare_ranked (gconstpointer a, gconstpointer b)
{
  const KymoCliRanked *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static void
add_sum (KymoCliGrid *grid, const char *label, gint64 ns, double span)
{
  kymo_cli_grid_add (grid, label);
  kymo_cli_grid_take (grid, kymo_format_duration (ns));
  kymo_cli_grid_take (grid, kymo_format_percent (ns / span));
}

static void
write_sums (const KymoTable *table, GString *out)
{
  static const struct { const char *key, *label; } sums[] = {
    { "span_ns", "Sum of the locations" },
    { "pack_ns", "of which packing" }, { "unpack_ns", "of which unpacking" },
    { "flush_ns", "of which writing the log" },
  };
  double span = MAX (kymo_table_get_int (table, "span_ns", 0), 1);
  gboolean rest = kymo_cli_has_rest (table);
  KymoCliGrid *grid = kymo_cli_grid_new (3);
  guint n_parts;
  const KymoTimePart *parts = kymo_time_parts (table, &n_parts);

  kymo_cli_grid_right (grid, 1);
  kymo_cli_grid_right (grid, 2);
  for (guint i = 0; i < n_parts; i++)
    {
      gint64 ns = kymo_time_part_ns (table, &parts[i]);
      gboolean of_rest = rest && g_str_equal (parts[i].key, "overhead_ns");

      if ((ns == 0 && g_str_equal (parts[i].key, "untraced_ns"))
          || (ns == 0 && parts[i].share == NULL && !parts[i].always)
          || (rest && g_str_equal (parts[i].key, "idle_ns")))
        continue;
      add_sum (grid, of_rest ? "Idle or overhead" : parts[i].title, ns, span);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      gint64 ns = kymo_table_get_int (table, sums[i].key, 0);

      if (i == 0 || (ns != 0 && ns != KYMO_NULL_INT))
        add_sum (grid, sums[i].label, ns, span);
    }
  kymo_cli_grid_end (grid, out);
}

/**
 * kymo_cli_describe_efficiency:
 * @table: an answer of info or profile
 *
 * Returns: (transfer full) (nullable): the parallel efficiency and what it is
 * made of; %NULL where it is not known
 */
char *
kymo_cli_describe_efficiency (const KymoTable *table)
{
  static const char *const keys[] =
    { "parallel_efficiency", "load_balance", "communication_efficiency",
      "serialization_efficiency", "transfer_efficiency" };
  g_auto (GStrv) shares = g_new0 (char *, G_N_ELEMENTS (keys) + 1);
  double balance;
  gboolean has_factors = kymo_table_find_column (table, keys[3]) >= 0
                         && !isnan (kymo_table_get_double (table, keys[3], 0));

  for (guint i = 0; i < (has_factors ? G_N_ELEMENTS (keys) : 3); i++)
    shares[i] = kymo_format_percent (kymo_table_get_double (table, keys[i], 0));
  if (isnan (kymo_table_get_double (table, keys[0], 0)))
    return NULL;
  balance = kymo_table_get_double (table, keys[1], 0);
  if (has_factors)
    return g_strdup_printf ("%s, load balance %s, communication efficiency %s (serialization %s, "
                            "transfer %s)", shares[0], shares[1], shares[2], shares[3], shares[4]);
  return isnan (balance) ? g_strdup (shares[0])
    : g_strdup_printf ("%s, load balance %s, communication efficiency %s", shares[0], shares[1],
                       shares[2]);
}

/* Activities that ran, the longest first. Idle time and the like have no id; they stand among the
   sums. Free with g_array_unref(). */
static GArray *
rank_activities (const KymoTable *table)
{
  guint n = kymo_table_get_n_rows (table);
  GArray *ranked = g_array_sized_new (FALSE, FALSE, sizeof (KymoCliRanked), n);
  for (guint i = 0; i < n; i++)
    {
      KymoCliRanked r = { i, kymo_table_get_int (table, "exclusive_ns", i) };
      if (kymo_table_get_int (table, "id", i) != KYMO_NULL_INT
          && (r.ns > 0 || kymo_table_get_int (table, "blocks", i) > 0))
        g_array_append_val (ranked, r);
    }
  g_array_sort (ranked, kymo_cli_compare_ranked);
  return ranked;
}

/* Error of an extrapolated time, measured when the run was reduced. */
static char *
format_error (const KymoTable *list, guint row)
{
  double error = kymo_table_get_double (list, "error", row);
  g_autofree char *share = isnan (error) ? NULL : kymo_format_percent (fabs (error));

  return share == NULL ? g_strdup ("–")
    : g_strconcat (error < 0 ? "−" : "+", share, NULL);
}

/* A user event overlaps entry methods, so its time is no share of the whole. */
static void
add_activity (KymoCliGrid *grid, const KymoTable *list, guint row, double span,
              gboolean roles)
{
  static const char *const lengths[] = { "mean_ns", "min_ns", "max_ns" };
  gint64 ns = kymo_table_get_int (list, "exclusive_ns", row);
  const char *kind = kymo_table_get_string (list, "kind", row);
  const char *role = kymo_table_get_string (list, "role", row);
  const guint *offsets = NULL;
  const KymoTable *counters = kymo_table_peek_nested (list, "counters",
                                                      &offsets);

  kymo_cli_grid_add (grid, kymo_table_get_string (list, "name", row));
  if (roles)
    kymo_cli_grid_add (grid, role ? role : "");
  kymo_cli_grid_take (grid, kymo_format_duration (ns));
  kymo_cli_grid_take (grid, g_strcmp0 (kind, "event") == 0
                      ? g_strdup ("–") : kymo_format_percent (ns / span));
  kymo_cli_grid_take (grid, kymo_cli_format_int (
    "blocks", kymo_table_get_int (list, "blocks", row)));
  kymo_cli_grid_take (grid, kymo_cli_format_int (
    "calls", kymo_table_get_int (list, "calls", row)));
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    kymo_cli_grid_take (grid, kymo_cli_format_int (
      lengths[i], kymo_table_get_int (list, lengths[i], row)));
  if (kymo_table_find_column (list, "error") >= 0)
    kymo_cli_grid_take (grid, format_error (list, row));
  if (kymo_table_find_column (list, "wait_ns") >= 0)
    kymo_cli_grid_time (grid, list, "wait_ns", row);
  for (guint i = 0; counters && i < offsets[row + 1] - offsets[row]; i++)
    kymo_cli_grid_take (grid, kymo_cli_format_int (
      "count", kymo_table_get_int (counters, "value", offsets[row] + i)));
}

/* TRUE if activities have different roles: without it a column of roles would tell nothing. */
static gboolean
has_roles (const KymoTable *list, const GArray *ranked)
{
  for (guint i = 0; i < ranked->len; i++)
    {
      const char *role = kymo_table_get_string (
        list, "role", g_array_index (ranked, KymoCliRanked, i).row);
      if (role != NULL && strcmp (role, "compute") != 0)
        return TRUE;
    }
  return FALSE;
}

static KymoCliGrid *
new_grid (const KymoTable *table, gboolean roles)
{
  static const char *const heads[] = { "Activity", "Role", "Time", "Share",
                                       "Blocks", "Calls", "Mean", "Shortest", "Longest" };
  const KymoTable *metrics = kymo_table_peek_nested (table, "metrics", NULL);
  guint n_metrics = metrics ? kymo_table_get_n_rows (metrics) : 0, column = 0;
  KymoTable *list = kymo_table_peek_nested (table, "activities", NULL);
  gboolean errors = kymo_table_find_column (list, "error") >= 0;
  gboolean waits = kymo_table_find_column (list, "wait_ns") >= 0;
  KymoCliGrid *grid = kymo_cli_grid_new (G_N_ELEMENTS (heads) - !roles
                                         + errors + waits + n_metrics);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      if (i == 1 && !roles)
        continue;
      kymo_cli_grid_add (grid, heads[i]);
      if (i > 1)
        kymo_cli_grid_right (grid, column);
      column++;
    }
  if (errors)
    {
      kymo_cli_grid_add (grid, "Error");
      kymo_cli_grid_right (grid, column++);
    }
  if (waits)
    {
      kymo_cli_grid_add (grid, "Waiting");
      kymo_cli_grid_right (grid, column++);
    }
  for (guint i = 0; i < n_metrics; i++)
    {
      kymo_cli_grid_add (grid, kymo_table_get_string (metrics, "value", i));
      kymo_cli_grid_right (grid, column++);
    }
  return grid;
}

/** kymo_cli_text_profile: sums, then the activities by time. */
void
kymo_cli_text_profile (KymoCli *cli, const KymoTable *table, GString *out)
{
  KymoTable *list = kymo_table_peek_nested (table, "activities", NULL);
  double span = MAX (kymo_table_get_int (table, "span_ns", 0), 1);

  if (kymo_table_get_string (table, "metric", 0) != NULL)
    {
      kymo_cli_text_metrics (cli, table, out);
      return;
    }
  g_autofree char *efficiency = kymo_cli_describe_efficiency (table);
  write_sums (table, out);
  if (efficiency != NULL)
    g_string_append_printf (out, "\nParallel efficiency %s\n", efficiency);
  if (list == NULL)
    return;
  g_autoptr (GArray) ranked = rank_activities (list);
  if (ranked->len == 0)
    {
      g_string_append_printf (out, "\nno %s ran here\n", kymo_cli_code (cli, FALSE));
      return;
    }
  gboolean roles = has_roles (list, ranked);
  KymoCliGrid *grid = new_grid (table, roles);
  guint shown = MIN (ranked->len, MAX_ACTIVITIES);
  for (guint i = 0; i < shown; i++)
    add_activity (grid, list, g_array_index (ranked, KymoCliRanked, i).row,
                  span, roles);
  g_string_append_c (out, '\n');
  kymo_cli_grid_end (grid, out);
  kymo_cli_write_more (shown, ranked->len, out);
  KymoTable *each = kymo_table_peek_nested (table, "per_location", NULL);
  if (each != NULL && kymo_table_get_n_rows (each) > 0)
    {
      g_string_append_c (out, '\n');
      kymo_cli_text_generic (each, out);
    }
}
