/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-frame-reader.h"
#include "kymo-question-class.h"

/* A question uses all cores by itself; two more let short ones pass. */
#define ASKED_AT_ONCE 3
/* More requests than these are not under way for one client. */
#define MOST_REQUESTS 64
/* A client that has said nothing for so many times the time it promised is gone, though the line to
   it may look open for hours. */
#define MISSED 6
#define MOST_PROMISED_S 600

/* -- requests ---------------------------------------------------------------------------------- */

static void
request_clear (gpointer data)
{
  KymoServerRequest *request = data;

  kymo_frame_free (request->frame);
  g_object_unref (request->job);
}

static void
request_unref (gpointer request)
{
  g_atomic_rc_box_release_full (request, request_clear);
}

/* Whether the request was under way; it is not any more. The mutex is held. */
static gboolean
forget_request (KymoServerSession *session, guint64 id)
{
  KymoServerRequest *request = g_hash_table_lookup (session->requests, &id);

  if (request != NULL && request->frame->type == KYMO_FRAME_ASK)
    session->n_questions--;
  return g_hash_table_remove (session->requests, &id);
}

static gboolean
is_open (KymoServerRequest *request)
{
  KymoServerSession *session = request->session;
  gboolean is_there;

  g_mutex_lock (&session->mutex);
  is_there = g_hash_table_contains (session->requests, &request->frame->id);
  g_mutex_unlock (&session->mutex);
  return is_there;
}

/**
 * kymo_server_answer:
 * @type: of the last frame of the request
 * @body: (transfer floating): its keys and values
 *
 * Ends a request.
 *
 * Returns: %FALSE if it has ended before, because the client cancelled it
 */
gboolean
kymo_server_answer (KymoServerRequest *request, guint type, GVariant *body)
{
  KymoServerSession *session = request->session;
  KymoFrameParcel *parcel;
  gboolean was_open;

  if (!is_open (request))
    {
      g_variant_unref (g_variant_ref_sink (body));
      return FALSE;
    }
  parcel = kymo_frame_writer_pack (session->writer, type, request->frame->id, body,
                                   kymo_job_peek_cancellable (request->job));
  if (parcel == NULL)
    return FALSE;
  g_mutex_lock (&session->mutex);
  was_open = forget_request (session, request->frame->id);
  if (was_open)
    kymo_frame_writer_send (session->writer, parcel);
  g_mutex_unlock (&session->mutex);
  if (!was_open)
    kymo_frame_parcel_free (parcel);
  return was_open;
}

/** kymo_server_answer_error: ends a request with the reason why it has no answer */
void
kymo_server_answer_error (KymoServerRequest *request, const GError *error)
{
  kymo_server_answer (request, KYMO_FRAME_ERROR, kymo_frame_error_to_body (error));
}

/* -- runs -------------------------------------------------------------------------------------- */

static void
server_run_clear (gpointer data)
{
  KymoServerRun *run = data;

  g_object_unref (run->source);
  g_free (run->path);
  g_free (run->base);
  g_free (run->roles);
}

/** kymo_server_run_unref: @run: (transfer full): freed with its last reference; any thread */
void
kymo_server_run_unref (KymoServerRun *run)
{
  g_atomic_rc_box_release_full (run, server_run_clear);
}

/**
 * kymo_server_add_run:
 * @run: what is known of a run
 * @aside: whether a client asks again and again: see kymo_run_source_build_aside()
 *
 * Returns: (transfer full): the run under a number of its own, which the session holds, too
 */
KymoServerRun *
kymo_server_add_run (KymoServerSession *session, KymoRun *run, gboolean aside)
{
  KymoServerRun *served = g_atomic_rc_box_new0 (KymoServerRun);

  served->session = session;
  served->source = kymo_run_source_new (run, session->options->n_threads);
  if (aside)
    kymo_run_source_build_aside (served->source);
  g_mutex_lock (&session->mutex);
  served->number = ++session->last_run;
  g_hash_table_insert (session->runs, GUINT_TO_POINTER (served->number),
                       g_atomic_rc_box_acquire (served));
  g_mutex_unlock (&session->mutex);
  return served;
}

/**
 * kymo_server_find_run:
 * @request: its body has a "run"
 *
 * Returns: (transfer full) (nullable): that run; %NULL with %KYMO_ERROR_USAGE if it is not open
 */
KymoServerRun *
kymo_server_find_run (KymoServerRequest *request, GError **error)
{
  KymoServerSession *session = request->session;
  KymoServerRun *run;
  guint32 number = 0;

  g_variant_lookup (request->frame->body, "run", "u", &number);
  g_mutex_lock (&session->mutex);
  run = g_hash_table_lookup (session->runs, GUINT_TO_POINTER (number));
  if (run != NULL)
    g_atomic_rc_box_acquire (run);
  g_mutex_unlock (&session->mutex);
  if (run == NULL)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         _("The run is not open on the server any more"));
  return run;
}

/** kymo_server_describe_run: Returns: (transfer floating): what a client should know of it now */
GVariant *
kymo_server_describe_run (KymoServerRun *run)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  kymo_frame_add_run (&body, run->number, KYMO_SOURCE (run->source));
  return g_variant_dict_end (&body);
}

/* -- work -------------------------------------------------------------------------------------- */

/* The threads of a pool serve other sessions afterwards. */
static locale_t
begin_language (KymoServerRequest *request)
{
  locale_t language = g_atomic_pointer_get (&request->session->language);

  return uselocale (language != (locale_t) 0 ? language : LC_GLOBAL_LOCALE);
}

static void
answer_question (gpointer data, gpointer unused)
{
  KymoServerRequest *request = data;
  locale_t before = begin_language (request);

  kymo_server_ask (request);
  uselocale (before);
  request_unref (request);
}

static int
compare_newest (gconstpointer a, gconstpointer b, gpointer unused)
{
  guint64 x = ((const KymoServerRequest *) a)->number, y = ((const KymoServerRequest *) b)->number;

  return x > y ? -1 : x < y;
}

static void
do_work (gpointer data, gpointer unused)
{
  KymoServerRequest *request = data;
  locale_t before = begin_language (request);

  if (request->frame->type == KYMO_FRAME_OPEN)
    kymo_server_open (request);
  else if (request->frame->type == KYMO_FRAME_KEEP)
    kymo_server_keep (request);
  else if (request->frame->type == KYMO_FRAME_LIST)
    kymo_server_list (request);
  else if (request->frame->type == KYMO_FRAME_FILES)
    kymo_server_files (request);
  else if (request->frame->type == KYMO_FRAME_DIGEST)
    kymo_server_digest (request);
  else if (request->frame->type == KYMO_FRAME_READ)
    kymo_server_read (request);
  else
    kymo_server_work (request);
  uselocale (before);
  request_unref (request);
}

/* -- frames ------------------------------------------------------------------------------------ */

static GVariant *
list_kinds (void)
{
  GVariantBuilder kinds;
  const KymoQuestionClass *klass;

  g_variant_builder_init (&kinds, G_VARIANT_TYPE ("a{sas}"));
  for (guint i = 0; (klass = kymo_question_class_at (i)) != NULL; i++)
    {
      const KymoKeyword *keyword = klass->keywords;
      GVariantBuilder keywords;

      g_variant_builder_init (&keywords, G_VARIANT_TYPE_STRING_ARRAY);
      for (; keyword != NULL && keyword->name != NULL; keyword++)
        g_variant_builder_add (&keywords, "s", keyword->name);
      g_variant_builder_add (&kinds, "{sas}", klass->kind, &keywords);
    }
  return g_variant_builder_end (&kinds);
}

static void
set_compression (KymoServerSession *session, const char *compress)
{
  kymo_frame_writer_set_compression (session->writer,
                                     g_str_equal (compress, "always") ? KYMO_COMPRESSION_ALWAYS
                                     : g_str_equal (compress, "never") ? KYMO_COMPRESSION_NEVER
                                     : KYMO_COMPRESSION_AUTO);
}

/* Sentences are made here and read there. A language that is not installed here is left out. */
static void
set_language (KymoServerSession *session, const char *language)
{
  locale_t locale = newlocale (LC_MESSAGES_MASK, language, (locale_t) 0);

  if (locale == (locale_t) 0 || session->language != (locale_t) 0)
    {
      if (locale != (locale_t) 0)
        freelocale (locale);
      return;
    }
  g_atomic_pointer_set (&session->language, locale);
  uselocale (locale);
}

static void
take_hello (KymoServerSession *session, GVariant *hello)
{
  const char *language = "C", *compress = "auto";
  GVariantDict body;

  g_variant_lookup (hello, "language", "&s", &language);
  g_variant_lookup (hello, "compress", "&s", &compress);
  set_compression (session, compress);
  if (!g_str_equal (language, "C"))
    set_language (session, language);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "version", "u", KYMO_FRAME_VERSION);
  g_variant_dict_insert (&body, "program", "s", "kymo-server " KYMO_VERSION);
  g_variant_dict_insert_value (&body, "kinds", list_kinds ());
  g_variant_dict_insert (&body, "at-once", "u", (guint32) KYMO_FRAME_AT_ONCE);
  g_variant_dict_insert (&body, "values", "u", (guint32) KYMO_FRAME_VALUE_LISTS);
  g_variant_dict_insert (&body, "alive", "b", TRUE);
  if (session->options->end_s > 0)
    g_variant_dict_insert (&body, "left", "x",
                           session->options->end_s - g_get_real_time () / G_USEC_PER_SEC);
  if (session->options->greet != NULL)
    session->options->greet (&body, session->options->greet_data);
  kymo_frame_writer_push (session->writer, KYMO_FRAME_WELCOME, 0, g_variant_dict_end (&body));
}

static void
take_cancel (KymoServerSession *session, guint64 id)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                                  _("Cancelled"));
  KymoServerRequest *request;
  gboolean is_dropped;

  g_mutex_lock (&session->mutex);
  request = g_hash_table_lookup (session->requests, &id);
  if (request != NULL)
    g_atomic_rc_box_acquire (request);
  forget_request (session, id);
  g_mutex_unlock (&session->mutex);
  is_dropped = kymo_frame_writer_drop (session->writer, id);
  /* A request ends with one message, also where it was answered and that was on its way. */
  if (request != NULL || is_dropped)
    kymo_frame_writer_push (session->writer, KYMO_FRAME_ERROR, id,
                            kymo_frame_error_to_body (error));
  if (request == NULL)
    return;
  kymo_job_cancel (request->job);
  request_unref (request);
}

/* Keeps a list that questions will name. */
static void
take_value (KymoServerSession *session, GVariant *body)
{
  GVariant *value = g_variant_lookup_value (body, "value", G_VARIANT_TYPE ("ax"));
  guint32 number = 0;
  GVariant **place;

  g_variant_lookup (body, "number", "u", &number);
  place = &session->values[number % KYMO_FRAME_VALUE_LISTS];
  g_clear_pointer (place, g_variant_unref);
  *place = value;
}

/* Main thread, where runs are followed. Takes the reference of the session's table. */
static gboolean
close_run (gpointer data)
{
  KymoServerRun *run = data;

  kymo_run_following_stop (g_steal_pointer (&run->following));
  kymo_server_run_unref (run);
  return G_SOURCE_REMOVE;
}

/** kymo_server_close_run: @number: of a run that nobody asks any more, or of none; any thread */
void
kymo_server_close_run (KymoServerSession *session, guint32 number)
{
  gpointer run = NULL;

  g_mutex_lock (&session->mutex);
  g_hash_table_steal_extended (session->runs, GUINT_TO_POINTER (number), NULL, &run);
  g_mutex_unlock (&session->mutex);
  if (run != NULL)
    g_idle_add (close_run, run);
}

static void
take_close (KymoServerSession *session, GVariant *body)
{
  guint32 number = 0;

  g_variant_lookup (body, "run", "u", &number);
  kymo_server_close_run (session, number);
}

static void
refuse_frame (KymoServerSession *session, guint64 id, const char *sentence)
{
  g_autoptr (GError) error = g_error_new_literal (KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, sentence);

  kymo_frame_writer_push (session->writer, KYMO_FRAME_ERROR, id,
                          kymo_frame_error_to_body (error));
}

static void
start_request (KymoServerSession *session, KymoFrame *frame)
{
  KymoServerRequest *request = g_atomic_rc_box_new0 (KymoServerRequest);
  gboolean is_question = frame->type == KYMO_FRAME_ASK;
  gboolean is_new;

  if (is_question)
    frame->body = kymo_frame_put_values (frame->body, session->values);
  request->session = session;
  request->frame = frame;
  request->job = kymo_job_new ();
  g_mutex_lock (&session->mutex);
  request->number = ++session->last_number;
  is_new = g_hash_table_size (session->requests) < MOST_REQUESTS
           && (!is_question || session->n_questions < KYMO_FRAME_AT_ONCE)
           && !g_hash_table_contains (session->requests, &frame->id);
  session->n_questions += is_new && is_question;
  if (is_new)
    g_hash_table_insert (session->requests, &frame->id, g_atomic_rc_box_acquire (request));
  g_mutex_unlock (&session->mutex);
  if (!is_new)
    {
      refuse_frame (session, frame->id, _("Too many requests are under way"));
      request_unref (request);
      return;
    }
  g_thread_pool_push (is_question ? session->askers : session->workers, request, NULL);
}

/* Takes the frame. */
static void
take_frame (KymoServerSession *session, KymoFrame *frame)
{
  switch (frame->type)
    {
    case KYMO_FRAME_HELLO:
      take_hello (session, frame->body);
      break;
    case KYMO_FRAME_CANCEL:
      take_cancel (session, frame->id);
      break;
    case KYMO_FRAME_CLOSE:
      take_close (session, frame->body);
      break;
    case KYMO_FRAME_VALUE:
      take_value (session, frame->body);
      break;
    case KYMO_FRAME_ALIVE:
      break;
    case KYMO_FRAME_OPEN:
    case KYMO_FRAME_ASK:
    case KYMO_FRAME_KEEP:
    case KYMO_FRAME_WORK:
    case KYMO_FRAME_LIST:
    case KYMO_FRAME_READ:
    case KYMO_FRAME_FILES:
    case KYMO_FRAME_DIGEST:
      start_request (session, frame);
      return;
    default:
      refuse_frame (session, frame->id, _("This server does not know such requests"));
    }
  kymo_frame_free (frame);
}

/* -- life -------------------------------------------------------------------------------------- */

static void
cancel_all (KymoServerSession *session)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (request_unref);
  GHashTableIter iter;
  gpointer request;

  g_mutex_lock (&session->mutex);
  g_hash_table_iter_init (&iter, session->requests);
  while (g_hash_table_iter_next (&iter, NULL, &request))
    g_ptr_array_add (requests, g_atomic_rc_box_acquire (request));
  g_hash_table_remove_all (session->requests);
  g_mutex_unlock (&session->mutex);
  for (guint i = 0; i < requests->len; i++)
    kymo_job_cancel (((KymoServerRequest *) requests->pdata[i])->job);
}

/* Nobody reads what is being written, which may wait for ever. A pipe cannot be shut; then the
   process has no other session. */
static void
give_up (int out)
{
  if (shutdown (out, SHUT_RDWR) != 0)
    kill (getpid (), SIGTERM);
}

/** End: of a session, which waits for the main thread */
typedef struct
{
  KymoServerSession *session;
  GMutex             mutex;
  GCond              done;
  gboolean           is_done;
} End;

static gboolean
end_following (gpointer data)
{
  End *end = data;
  GHashTableIter iter;
  gpointer run;

  g_hash_table_iter_init (&iter, end->session->runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    {
      g_hash_table_iter_steal (&iter);
      close_run (run);
    }
  g_mutex_lock (&end->mutex);
  end->is_done = TRUE;
  g_cond_signal (&end->done);
  g_mutex_unlock (&end->mutex);
  return G_SOURCE_REMOVE;
}

/* Nothing is told of a run after this. */
static void
end_runs (KymoServerSession *session)
{
  End end = { .session = session };

  g_mutex_init (&end.mutex);
  g_cond_init (&end.done);
  g_idle_add (end_following, &end);
  g_mutex_lock (&end.mutex);
  while (!end.is_done)
    g_cond_wait (&end.done, &end.mutex);
  g_mutex_unlock (&end.mutex);
  g_cond_clear (&end.done);
  g_mutex_clear (&end.mutex);
}

/**
 * kymo_server_session_run:
 * @in: where frames of the client come from
 * @out: where frames for it go
 * @options: outlive the session
 *
 * Serves a client until it goes, on a thread that has no other work; the default main context
 * must run on another one.
 *
 * Returns: whether the client asked for anything but a greeting
 */
gboolean
kymo_server_session_run (int in, int out, const KymoServerOptions *options)
{
  KymoServerSession session = { .options = options };
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (KYMO_FRAME_MOST_QUESTION);
  guint32 promised_s;
  g_autoptr (GError) error = NULL;
  KymoFrame *frame;

  g_mutex_init (&session.mutex);
  session.requests = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, request_unref);
  session.runs = g_hash_table_new (NULL, NULL);
  session.writer = kymo_frame_writer_new (out);
  session.askers = g_thread_pool_new (answer_question, &session, ASKED_AT_ONCE, FALSE, NULL);
  g_thread_pool_set_sort_function (session.askers, compare_newest, NULL);
  session.workers = g_thread_pool_new (do_work, &session, -1, FALSE, NULL);
  kymo_frame_reader_allow_values (reader, KYMO_FRAME_MOST_VALUE);
  while ((frame = kymo_frame_reader_wait (reader, in, &error)) != NULL)
    {
      if (frame->type == KYMO_FRAME_HELLO
          && g_variant_lookup (frame->body, "alive", "u", &promised_s) && promised_s > 0)
        kymo_frame_reader_set_patience (reader, 1000 * MISSED * MIN (promised_s, MOST_PROMISED_S));
      take_frame (&session, frame);
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    give_up (out);
  else if (error != NULL)
    refuse_frame (&session, 0, error->message);
  cancel_all (&session);
  g_thread_pool_free (session.askers, FALSE, TRUE);
  g_thread_pool_free (session.workers, FALSE, TRUE);
  end_runs (&session);
  g_hash_table_unref (session.requests);
  g_hash_table_unref (session.runs);
  for (guint i = 0; i < KYMO_FRAME_VALUE_LISTS; i++)
    g_clear_pointer (&session.values[i], g_variant_unref);
  kymo_frame_writer_free (session.writer);
  g_mutex_clear (&session.mutex);
  if (options->runs != NULL)
    kymo_server_runs_trim (options->runs);
  uselocale (LC_GLOBAL_LOCALE);
  if (session.language != (locale_t) 0)
    freelocale (session.language);
  return session.last_number > 0;
}
