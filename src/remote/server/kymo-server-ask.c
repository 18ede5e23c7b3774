/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-question-class.h"

/* Longer answers that take so long have a draft of about so many bytes. Packing, checking and
   unpacking take 5 ns a byte. */
#define DRAFT_FROM (300 * 1000)
#define DRAFT_FROM_US (20 * 1000)
#define DRAFT_BYTES (100 * 1000)
#define BYTES_PER_US 200
#define LEAST_COLUMNS 16

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

/* Asks for @columns at most; 0 = for as many as the client does. */
static KymoTable *
ask_run (KymoServerRequest *request, guint columns, GError **error)
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
  if (columns > 0)
    kymo_question_set_resolution (question, columns, kymo_question_get_rows (question));
  return add_groups (run, question, fold, cancellable, error)
         ? kymo_source_ask (KYMO_SOURCE (run->source), question, cancellable, error) : NULL;
}

/* (transfer floating): the body of an answer or a draft. */
static GVariant *
make_body (KymoServerRequest *request, const KymoTable *table)
{
  gboolean narrow = FALSE;
  GVariantDict body;

  g_variant_lookup (request->frame->body, "narrow", "b", &narrow);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "table", kymo_table_to_variant (table, narrow));
  return g_variant_dict_end (&body);
}

/* (transfer full) (nullable): the body of an answer. */
static GVariant *
make_answer (KymoServerRequest *request, const KymoTable *table, GError **error)
{
  g_autoptr (GVariant) answer = NULL;

  if (kymo_table_count_bytes (table) <= KYMO_TABLE_MOST_BYTES)
    answer = g_variant_ref_sink (make_body (request, table));
  if (answer != NULL && g_variant_get_size (answer) <= KYMO_FRAME_MOST_ANSWER)
    return g_steal_pointer (&answer);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("The answer has more than %u MiB; ask for less at a time"),
               (guint) (KYMO_FRAME_MOST_ANSWER >> 20));
  return NULL;
}

/* How long a draft is: a slow line shall not take long for it either. */
static guint64
choose_bytes (KymoFrameWriter *writer)
{
  gint64 us = kymo_frame_writer_estimate_us (writer, DRAFT_BYTES);

  return us > DRAFT_FROM_US ? (gint64) DRAFT_BYTES * DRAFT_FROM_US / us : DRAFT_BYTES;
}

/* How many columns a draft has of an answer of @bytes, 0 = there is none: it is short, or its kind
   has no coarser form. */
static guint
choose_draft (KymoServerRequest *request, gsize bytes)
{
  GVariant *body = request->frame->body;
  const KymoQuestionClass *klass;
  const char *kind = "";
  gboolean wanted = FALSE;
  guint32 columns = 0;
  guint few;

  g_variant_lookup (body, "draft", "b", &wanted);
  g_variant_lookup (body, "kind", "&s", &kind);
  g_variant_lookup (body, "columns", "u", &columns);
  klass = kymo_question_class_find (kind);
  if (!wanted || klass == NULL || !klass->coarsens || bytes < DRAFT_FROM
      || kymo_frame_writer_estimate_us (request->session->writer, bytes)
         + (gint64) (bytes / BYTES_PER_US) < DRAFT_FROM_US)
    return 0;
  few = MAX ((guint64) columns * choose_bytes (request->session->writer) / bytes, LEAST_COLUMNS);
  return few < columns / 2 ? few : 0;
}

/* Sends a frame that does not end the request, unless the client has cancelled that. */
static void
tell_client (KymoServerRequest *request, guint type, GVariant *body)
{
  KymoServerSession *session = request->session;
  KymoFrameParcel *parcel = kymo_frame_writer_pack (session->writer, type, request->frame->id,
                                                    body, kymo_job_peek_cancellable (request->job));

  if (parcel == NULL)
    return;
  g_mutex_lock (&session->mutex);
  if (g_hash_table_contains (session->requests, &request->frame->id))
    kymo_frame_writer_send (session->writer, g_steal_pointer (&parcel));
  g_mutex_unlock (&session->mutex);
  if (parcel != NULL)
    kymo_frame_parcel_free (parcel);
}

static void
send_draft (KymoServerRequest *request, guint columns)
{
  g_autoptr (KymoTable) draft = ask_run (request, columns, NULL);

  if (draft == NULL || kymo_job_is_cancelled (request->job))
    return;
  if (kymo_table_find_column (draft, "draft") < 0)
    kymo_table_set_string (draft, "draft", _("the whole answer is on its way"));
  tell_client (request, KYMO_FRAME_DRAFT, make_body (request, draft));
}

/** kymo_server_ask: answers the question of an ASK, and ends the request */
void
kymo_server_ask (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) table = NULL;
  g_autoptr (GVariant) body = NULL;
  guint columns;

  if (!kymo_job_is_cancelled (request->job))
    table = ask_run (request, 0, &error);
  if (table != NULL)
    body = make_answer (request, table, &error);
  columns = body != NULL ? choose_draft (request, g_variant_get_size (body)) : 0;
  if (columns > 0)
    send_draft (request, columns);
  if (body != NULL)
    kymo_server_answer (request, KYMO_FRAME_ANSWER, body);
  else if (error != NULL)
    kymo_server_answer_error (request, error);
}
