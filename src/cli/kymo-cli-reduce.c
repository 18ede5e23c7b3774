/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `reduce`: a run with the PEs that stand for its clusters, and those that
 * stick out; with weights and a statement of how good it is (kymo-reducer.h).
 */
#include "config.h"

#include "kymo-cli.h"

#include <math.h>

#include "kymo-reduce.h"
#include "kymo-reducer.h"

static gboolean
check_options (KymoCli *cli, const char *path, const char *out, GError **error)
{
  static const char *const chosen[] = { "clusters", "outliers", "keep" };
  const char *conflict = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (chosen) && kymo_cli_has (cli, "error"); i++)
    if (kymo_cli_has (cli, chosen[i]))
      conflict = chosen[i];
  if (kymo_cli_has (cli, "locations"))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "A reduction chooses among all PEs; --locations is not for it");
  else if (conflict != NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 "With --error the smallest set is searched; --%s is not for it", conflict);
  else if (kymo_cli_has (cli, "error") && !(kymo_cli_get_number (cli, "error", 0) > 0))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "An error of 0 leaves all PEs; --error takes more, as 2%");
  else if (kymo_cli_has (cli, "error") && kymo_cli_get_number (cli, "error", 0) > 1)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 "An error of %.4g%% bounds nothing; --error takes a share, as 2%% or 0.02",
                 100 * kymo_cli_get_number (cli, "error", 0));
  else
    return kymo_cli_has (cli, "dry-run") || kymo_reduce_check_place (path, out, error);
  return FALSE;
}

/* About how much would be written. */
static void
set_estimate (KymoCli *cli, const char *path, KymoTable *choice)
{
  guint n;
  const gint64 *kept = kymo_table_peek_ints (choice, "kept", &n);

  kymo_table_set_int (choice, "bytes_after",
                      kymo_reducer_count_bytes (cli->source, path, kept, n));
}

static KymoTable *
reduce (KymoCli *cli, const char *path, const char *out, GError **error)
{
  const KymoReducerWish wish =
    {
      .clusters = kymo_cli_get (cli, "clusters"),
      .outliers = kymo_cli_get (cli, "outliers"),
      .keep = kymo_cli_get (cli, "keep"),
      .quota = kymo_cli_get (cli, "quota"),
      .union_of = kymo_cli_get (cli, "union"),
      .critical_path = kymo_cli_has (cli, "critical-path"),
      .also = kymo_cli_get (cli, "also"),
      .error = kymo_cli_get_number (cli, "error", 0),
      .span = kymo_cli_get_span (cli),
    };
  g_autoptr (KymoTable) choice = kymo_reducer_choose (cli->source, &wish, cli->job, error);
  g_auto (KymoExtractResult) result = { NULL };

  if (choice == NULL)
    return NULL;
  if (kymo_cli_has (cli, "dry-run"))
    {
      set_estimate (cli, path, choice);
      return g_steal_pointer (&choice);
    }
  if (!kymo_reducer_write (cli->source, path, kymo_cli_get (cli, "base"),
                                             choice, out, &result, cli->job, error))
    return NULL;
  kymo_cli_set_written (choice, &result);
  return g_steal_pointer (&choice);
}

/**
 * kymo_cli_run_reduce:
 * @cli: the invocation; its words are the run and the folder to be made
 * @error: where to put the reason
 *
 * Writes a run with the PEs that stand for the others.
 *
 * Returns: the exit code
 */
int
kymo_cli_run_reduce (KymoCli *cli, GError **error)
{
  const char *path = cli->words->pdata[0], *out = cli->words->pdata[1];

  if (!check_options (cli, path, out, error) || !kymo_cli_open (cli, path, error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = reduce (cli, path, out, error);
  return answer != NULL && kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK
    : KYMO_CLI_FAILED;
}

#define MOST_ERRORS 12

static void
add_error (KymoCliGrid *grid, const KymoTable *errors, guint row)
{
  double error = kymo_table_get_double (errors, "error", row);

  kymo_cli_grid_cells (grid, errors, row, "name true_ns estimated_ns");
  kymo_cli_grid_take (grid, isnan (error) ? g_strdup ("–")
                      : g_strdup_printf ("%+.2f %%", 100 * error));
}

/* Errors of the entry methods with the most time, then of idle time and overhead. */
static void
add_errors (const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Time of all PEs", "True", "Estimated", "Off" };
  KymoTable *errors = kymo_table_peek_nested (answer, "errors", NULL);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);
  guint n_entries = 0;

  g_string_append_c (out, '\n');
  for (guint i = 0; i < kymo_table_get_n_rows (errors); i++)
    if (kymo_table_get_int (errors, "id", i) == KYMO_NULL_INT || n_entries++ < MOST_ERRORS)
      add_error (grid, errors, i);
  kymo_cli_grid_end (grid, out);
  if (n_entries > MOST_ERRORS)
    g_string_append_printf (out, "and %u entry methods with less time\n",
                            n_entries - MOST_ERRORS);
}

static void
add_time_profile (const KymoTable *answer, GString *out)
{
  gint64 n_outliers = kymo_table_get_int (answer, "outliers", 0);
  double error = kymo_table_get_double (answer, "time_profile_error", 0);

  if (kymo_table_find_column (answer, "wished_error") >= 0)
    {
      gint64 n_sets = kymo_table_get_int (answer, "sets_tried", 0);

      g_string_append_printf (out, "%" G_GINT64_FORMAT " %s tried for an error of %.4g %%; "
                              "this one has k = %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                              " %s.\n", n_sets, n_sets == 1 ? "set was" : "sets were",
                              100 * kymo_table_get_double (answer, "wished_error", 0),
                              kymo_table_get_int (answer, "k", 0), n_outliers,
                              n_outliers == 1 ? "outlier" : "outliers");
    }
  if (isnan (error))
    g_string_append (out, "The range has no time: no error could be measured.\n");
  else
    g_string_append_printf (out, "Extrapolated, a time profile of %" G_GINT64_FORMAT " bars is "
                            "at most %.2f %% off.\n", kymo_table_get_int (answer, "bars", 0),
                            100 * error);
}

/* As the window tells them, and what would keep the PEs that are named. */
static void
add_warnings (const KymoTable *answer, GString *out)
{
  g_auto (GStrv) warnings = kymo_reducer_dup_warnings (answer);
  g_autofree char *missed = kymo_reducer_dup_missed (answer);

  for (guint i = 0; warnings[i] != NULL; i++)
    g_string_append_printf (out, "%s\n", warnings[i]);
  if (missed != NULL)
    g_string_append_printf (out, "To keep them: --also %s\n", missed);
}

/** kymo_cli_text_reduce: what was kept, and how good it is */
void
kymo_cli_text_reduce (KymoCli *cli, const KymoTable *answer, GString *out)
{
  KymoTable *quality = kymo_table_peek_nested (answer, "quality", NULL);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (answer, "kept", &n);
  g_autofree char *pes = kymo_ids_to_text (kept, n);
  g_autofree char *size = kymo_cli_dup_written (answer);
  g_autofree char *rows = kymo_cli_heading (kymo_cli_row (cli, TRUE));

  g_string_append_printf (out, "%s %s: %s.\n", rows, pes, size);
  add_time_profile (answer, out);
  kymo_cli_text_quality_sums (quality, out);
  add_warnings (answer, out);
  add_errors (answer, out);
  kymo_cli_text_left_out (answer, out);
}
