/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"

/* Gives the question the groups of the run, folded as the client folds them. */
static gboolean
add_groups (KymoServerRun *run, KymoQuestion *question, const char *fold,
            GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoQuestion) tree = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (KymoRowGroups) all = NULL;
  g_autoptr (KymoRowGroups) groups = NULL;

  if (fold == NULL)
    return TRUE;
  answer = kymo_source_ask (KYMO_SOURCE (run->source), tree, cancellable, error);
  if (answer == NULL)
    return FALSE;
  all = kymo_row_groups_new (answer);
  groups = all != NULL ? kymo_row_groups_fold_text (all, fold, error) : NULL;
  kymo_question_set_groups (question, groups);
  return all == NULL || groups != NULL;
}

static KymoTable *
ask_run (KymoServerRequest *request, GError **error)
{
  g_autoptr (KymoServerRun) run = kymo_server_find_run (request, error);
  g_autofree char *fold = NULL;
  g_autoptr (KymoQuestion) question = kymo_frame_dup_question (request->frame->body, &fold);
  GCancellable *cancellable = kymo_job_peek_cancellable (request->job);

  if (run == NULL)
    return NULL;
  if (question == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The question is damaged"));
      return NULL;
    }
  return add_groups (run, question, fold, cancellable, error)
         ? kymo_source_ask (KYMO_SOURCE (run->source), question, cancellable, error) : NULL;
}

/* (transfer full) (nullable): the body of an answer. */
static GVariant *
make_answer (const KymoTable *table, GError **error)
{
  g_autoptr (GVariant) answer = NULL;
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "table", kymo_table_to_variant (table));
  answer = g_variant_ref_sink (g_variant_dict_end (&body));
  if (g_variant_get_size (answer) <= KYMO_FRAME_MOST_ANSWER)
    return g_steal_pointer (&answer);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("The answer has more than %u MiB; ask for less at a time"),
               (guint) (KYMO_FRAME_MOST_ANSWER >> 20));
  return NULL;
}

/** kymo_server_ask: answers the question of an ASK, and ends the request */
void
kymo_server_ask (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) table = NULL;
  g_autoptr (GVariant) body = NULL;

  if (!kymo_job_is_cancelled (request->job))
    table = ask_run (request, &error);
  if (table != NULL)
    body = make_answer (table, &error);
  if (body != NULL)
    kymo_server_answer (request, KYMO_FRAME_ANSWER, body);
  else if (error != NULL)
    kymo_server_answer_error (request, error);
}
