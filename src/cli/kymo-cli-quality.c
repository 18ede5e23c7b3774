/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `quality`: whether the PEs of a reduced run stand for all of the original.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-quality.h"

/* The run that the invocation has open. */
static KymoTable *
ask_grain (KymoCli *cli, const char *path, gint64 *n_pes, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_quality_new_question ();
  g_autoptr (KymoIdSet) locations = kymo_cli_dup_locations (cli);
  KymoTable *answer = kymo_cli_ask (cli, question, error);
  g_autofree char *shown = g_utf8_make_valid (path, -1);

  if (answer == NULL)
    g_prefix_error (error, "“%s”: ", shown);
  *n_pes = kymo_quality_count_pes (cli->run, locations);
  return answer;
}

/* Refuses a reduced run with a PE that the full run does not have. Nothing else is compared: a
   reduced run may lie anywhere, and have another name. */
static gboolean
check_pes (const KymoRun *full, const KymoRun *reduced, GError **error)
{
  for (guint i = 0; i < reduced->locations->len; i++)
    {
      gint64 id = kymo_run_peek_location (reduced, i)->id;

      if (kymo_run_find_location (full, id) >= 0)
        continue;
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "PE %" G_GINT64_FORMAT " of the reduced run is none of the first run, which "
                   "must be the original", id);
      return FALSE;
    }
  return TRUE;
}

/* The original stays the run of the invocation: its report is told at the end,
   that of the reduced run here. */
static KymoTable *
ask_reduced (KymoCli *cli, const char *path, gint64 *n_pes, int *status, GError **error)
{
  KymoRun *run = g_steal_pointer (&cli->run);
  KymoSource *source = g_steal_pointer (&cli->source);
  KymoTable *answer = kymo_cli_open (cli, path, error)
    ? ask_grain (cli, path, n_pes, error) : NULL;

  if (answer != NULL && !check_pes (run, cli->run, error))
    g_clear_pointer (&answer, kymo_table_unref);
  if (answer != NULL)
    *status = kymo_cli_tell_report (cli, *status);
  g_clear_object (&cli->source);
  g_clear_pointer (&cli->run, kymo_run_unref);
  cli->run = run;
  cli->source = source;
  return answer;
}

/**
 * kymo_cli_run_quality:
 * @cli: the invocation; its words are the original and the reduced run
 * @error: where to put the reason
 *
 * The proportionality test of two runs; see kymo_quality_compare().
 *
 * Returns: the exit code
 */
int
kymo_cli_run_quality (KymoCli *cli, GError **error)
{
  const char *full = cli->words->pdata[0], *reduced = cli->words->pdata[1];
  int status = KYMO_CLI_OK;
  gint64 pes, pes_kept;

  if (!kymo_cli_open (cli, full, error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) of_full = ask_grain (cli, full, &pes, error);
  g_autoptr (KymoTable) of_reduced = of_full != NULL
    ? ask_reduced (cli, reduced, &pes_kept, &status, error) : NULL;
  if (of_reduced == NULL)
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = kymo_quality_compare (of_full, of_reduced, pes, pes_kept);
  return kymo_cli_write_table (cli, answer, error) ? status : KYMO_CLI_FAILED;
}

/** kymo_cli_text_quality_sums: two lines of figures, without the bars */
void
kymo_cli_text_quality_sums (const KymoTable *answer, GString *out)
{
  gint64 n_kept = kymo_table_get_int (answer, "pes_kept", 0);
  gint64 n_bars = kymo_table_get_int (answer, "bars_compared", 0);
  double share = kymo_table_get_double (answer, "share", 0);
  g_autofree char *percent = kymo_format_percent (share);

  g_string_append_printf (out, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " PEs %s kept: %s.\n",
                          n_kept, kymo_table_get_int (answer, "pes", 0),
                          n_kept == 1 ? "is" : "are", percent);
  if (n_bars == 0)
    g_string_append (out, "The original has no block of 0.1 ms or more: nothing to compare.\n");
  else
    g_string_append_printf (out, "Mean ratio of the blocks %.4f, where %.4f would be in "
                            "proportion; standard deviation %.4f over %" G_GINT64_FORMAT
                            " %s.\n", kymo_table_get_double (answer, "mean_ratio", 0), share,
                            kymo_table_get_double (answer, "stddev", 0),
                            n_bars, n_bars == 1 ? "bar" : "bars");
}

static char *
format_range (const KymoTable *bars, guint row)
{
  gint64 end_ns = kymo_table_get_int (bars, "end_ns", row);
  g_autofree char *begin = kymo_format_duration (kymo_table_get_int (bars, "begin_ns", row));
  g_autofree char *end = end_ns != KYMO_NULL_INT ? kymo_format_duration (end_ns) : NULL;

  return end != NULL ? g_strdup_printf ("%s to %s", begin, end)
    : g_strdup_printf ("%s and more", begin);
}

static void
add_bar (KymoCliGrid *grid, const KymoTable *bars, guint row)
{
  gint64 original = kymo_table_get_int (bars, "original", row);
  gint64 reduced = kymo_table_get_int (bars, "reduced", row);

  if (original == 0 && reduced == 0)
    return;
  kymo_cli_grid_take (grid, format_range (bars, row));
  kymo_cli_grid_take (grid, kymo_format_count (original));
  kymo_cli_grid_take (grid, kymo_format_count (reduced));
  kymo_cli_grid_take (grid, original == 0 ? g_strdup ("–")
                      : g_strdup_printf ("%.4f", kymo_table_get_double (bars, "ratio", row)));
}

/** kymo_cli_text_quality: the figures, and the bars that have blocks */
void
kymo_cli_text_quality (KymoCli *cli, const KymoTable *answer, GString *out)
{
  static const char *const heads[] = { "Blocks of", "Original", "Reduced", "Ratio" };
  KymoTable *bars = kymo_table_peek_nested (answer, "bars", NULL);
  KymoCliGrid *grid = kymo_cli_grid_begin (heads, G_N_ELEMENTS (heads), 1);

  kymo_cli_text_quality_sums (answer, out);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < kymo_table_get_n_rows (bars); i++)
    add_bar (grid, bars, i);
  kymo_cli_grid_end (grid, out);
}
