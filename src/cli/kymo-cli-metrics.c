/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * metrics: derived metrics that are kept by name; of a run, which metrics there are.
 *
 * Thread: the worker's.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-derived-metrics.h"
#include "kymo-metric-expression.h"

/* Keeps "NAME=EXPRESSION". Without a run the names of its metrics are not known, so only errors
   that no run could mend are refused. */
static gboolean
set_metric (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);

  if (g_strv_length (parts) != 2)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "--set takes a name and an expression, as FLOPS='PAPI_FP_OPS / TIME'");
      return FALSE;
    }
  g_strstrip (parts[0]);
  g_strstrip (parts[1]);
  return kymo_metric_expression_check (parts[1], error)
    && kymo_derived_metrics_set (parts[0], parts[1], error);
}

static KymoTable *
list_kept (void)
{
  g_auto (GStrv) names = kymo_derived_metrics_list ();
  g_auto (GStrv) typed = kymo_derived_metrics_list_typed ();
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint text = kymo_table_add_column (table, "expression", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *expression = kymo_derived_metrics_dup (names[i]);

      kymo_table_append_string (table, name, names[i]);
      kymo_table_append_string (table, text, expression);
    }
  for (guint i = 0; typed[i] != NULL; i++)
    {
      kymo_table_append_string (table, name, NULL);
      kymo_table_append_string (table, text, typed[i]);
    }
  return table;
}

/* A name, or an expression that was typed without one. */
static gboolean
remove_metric (const char *word, GError **error)
{
  g_auto (GStrv) typed = kymo_derived_metrics_list_typed ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) rest = NULL;

  if (!g_strv_contains ((const char *const *) typed, word))
    return kymo_derived_metrics_set (word, NULL, error);
  for (guint i = 0; typed[i] != NULL; i++)
    if (!g_str_equal (typed[i], word))
      g_strv_builder_add (builder, typed[i]);
  rest = g_strv_builder_end (builder);
  return kymo_derived_metrics_set_typed ((const char *const *) rest, error);
}

/* Metrics of the run's profile, and kept metrics that can be computed from these. */
static KymoTable *
list_of_run (KymoCli *cli, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread");
  g_autoptr (KymoTable) answer = NULL;

  if (!kymo_cli_open (cli, cli->words->pdata[0], error))
    return NULL;
  answer = kymo_cli_ask (cli, question, error);
  return answer == NULL ? NULL
    : kymo_table_ref (kymo_table_peek_nested (answer, "metrics", NULL));
}

/**
 * kymo_cli_run_metrics:
 * @cli: the invocation
 * @error: where to put the reason
 *
 * Returns: the exit code
 */
int
kymo_cli_run_metrics (KymoCli *cli, GError **error)
{
  g_autofree char *path = kymo_derived_metrics_dup_path ();
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *list;

  if (kymo_cli_has (cli, "set") && !set_metric (kymo_cli_get (cli, "set"), error))
    return KYMO_CLI_FAILED;
  if (kymo_cli_has (cli, "remove")
      && !remove_metric (kymo_cli_get (cli, "remove"), error))
    return KYMO_CLI_FAILED;
  list = cli->words->len > 0 ? list_of_run (cli, error) : list_kept ();
  if (list == NULL)
    return KYMO_CLI_FAILED;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_string (answer, "file", path);
  kymo_table_set_table (answer, "metrics", list);
  return kymo_cli_write_table (cli, answer, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
