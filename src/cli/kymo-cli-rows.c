/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How rows are arranged: --order, a list of locations or a word that says by
 * what, of the range that is asked for; --fold, which groups of them are one row.
 *
 * Thread: the worker's; the run is open.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-row-order.h"

/**
 * kymo_cli_peek_order:
 *
 * Returns: (transfer none) (nullable): the text of --order, of commands whose
 * locations it puts in order
 */
const char *
kymo_cli_peek_order (KymoCli *cli)
{
  const KymoKeyword *option = cli->command->options;

  for (; option != NULL && option->name != NULL; option++)
    if (option->type == KYMO_KEYWORD_ORDER && kymo_cli_has (cli, option->name))
      return kymo_cli_get (cli, option->name);
  return NULL;
}

/**
 * kymo_cli_dup_order:
 * @text: (nullable): of --order
 * @order: (out) (transfer full) (nullable): ids in that order; %NULL without one
 *
 * Returns: %FALSE where the run has no such order
 */
gboolean
kymo_cli_dup_order (KymoCli *cli, const char *text, GArray **order, GError **error)
{
  g_autoptr (KymoSourceFacts) facts = NULL;
  g_autoptr (KymoIdSet) set = NULL;

  *order = NULL;
  if (text == NULL)
    return TRUE;
  if (!kymo_row_order_is_list (text))
    {
      *order = kymo_row_order_ask (cli->source, text, kymo_cli_get_span (cli),
                                   kymo_job_peek_cancellable (cli->job), error);
      return *order != NULL;
    }
  set = kymo_id_set_parse (text, error);
  if (set == NULL)
    return FALSE;
  facts = kymo_source_dup_facts (cli->source);
  *order = kymo_id_set_pick (set, (const gint64 *) facts->ids->data, facts->ids->len);
  return TRUE;
}

/**
 * kymo_cli_dup_groups:
 * @groups: (out) (transfer full) (nullable): those of the run, folded as --fold
 *   says; %NULL without it
 *
 * Returns: %FALSE where there is nothing of that kind to fold
 */
gboolean
kymo_cli_dup_groups (KymoCli *cli, KymoRowGroups **groups, GError **error)
{
  const char *text = kymo_cli_get (cli, "fold");
  g_autoptr (KymoQuestion) question = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (KymoRowGroups) all = NULL;

  *groups = NULL;
  if (text == NULL)
    return TRUE;
  answer = kymo_source_ask (cli->source, question, kymo_job_peek_cancellable (cli->job), error);
  if (answer == NULL)
    return FALSE;
  all = kymo_row_groups_new (answer);
  if (all == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "The run tells nothing of nodes or processes that several %s lie in",
                   kymo_cli_row (cli, TRUE));
      return FALSE;
    }
  *groups = kymo_row_groups_fold_text (all, text, error);
  return *groups != NULL;
}
