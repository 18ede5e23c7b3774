/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `reduce`: a run with the PEs that stand for its clusters, and those that
 * stick out; with weights and a statement of how good it is (kymo-reducer.h).
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-reducer.h"

static gboolean
check_options (KymoCli *cli, const char *out, GError **error)
{
  if (!kymo_cli_has (cli, "locations"))
    return kymo_reducer_check_out (out, error);
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       "A reduction chooses among all PEs; --locations is not for it");
  return FALSE;
}

static KymoTable *
reduce (KymoCli *cli, const char *path, const char *out, GError **error)
{
  const KymoReducerWish wish =
    {
      .clusters = kymo_cli_get (cli, "clusters"),
      .outliers = kymo_cli_get (cli, "outliers"),
      .keep = kymo_cli_get (cli, "keep"),
      .span = kymo_cli_get_span (cli),
    };
  g_autoptr (KymoTable) choice = kymo_reducer_choose (cli->source, &wish, cli->job, error);
  gint64 before = 0, after = 0;

  if (choice == NULL || !kymo_reducer_write (path, kymo_cli_get (cli, "base"), choice, out,
                                             &before, &after, cli->job, error))
    return NULL;
  kymo_table_set_int (choice, "bytes_before", before);
  kymo_table_set_int (choice, "bytes_after", after);
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

  if (!check_options (cli, out, error) || !kymo_cli_open (cli, path, error))
    return KYMO_CLI_FAILED;
  g_autoptr (KymoTable) answer = reduce (cli, path, out, error);
  return answer != NULL && kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK
    : KYMO_CLI_FAILED;
}

/** kymo_cli_text_reduce: what was kept, and how good it is */
void
kymo_cli_text_reduce (KymoCli *cli, const KymoTable *answer, GString *out)
{
  KymoTable *quality = kymo_table_peek_nested (answer, "quality", NULL);
  guint n;
  const gint64 *kept = kymo_table_peek_ints (answer, "kept", &n);
  g_autofree char *pes = kymo_ids_to_text (kept, n);
  g_autofree char *before = kymo_format_bytes (kymo_table_get_int (answer, "bytes_before", 0));
  g_autofree char *after = kymo_format_bytes (kymo_table_get_int (answer, "bytes_after", 0));

  g_string_append_printf (out, "PEs %s: %s of %s.\n", pes, after, before);
  kymo_cli_text_quality_sums (quality, out);
}
