/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-link-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-frame-reader.h"
#include "kymo-safe-text.h"

/* Number of the last bytes that the process said to standard error. */
#define MOST_WORDS 2048
/* Steps of a job whose fraction the server tells. */
#define JOB_STEPS 1000
#define MOST_WORDS_WAIT_US (G_USEC_PER_SEC / 2)

/* On the stack of whoever waits. */
typedef struct
{
  guint64    id;
  GQueue     told;              /* KymoFrame: OUTPUT and GROWN */
  KymoFrame *last;              /* the final one */
  KymoJob   *job;
  char      *stage;
  gint       steps;             /* that the job has been told of this stage */
} Request;

/* -- what comes ------------------------------------------------------------------------------- */

static void
tell_job (Request *request, GVariant *body)
{
  const char *stage = "";
  double fraction = 0;
  gint steps;

  if (request->job == NULL)
    return;
  g_variant_lookup (body, "stage", "&s", &stage);
  g_variant_lookup (body, "fraction", "d", &fraction);
  steps = CLAMP (fraction, 0, 1) * JOB_STEPS;
  if (g_strcmp0 (stage, request->stage) != 0)
    {
      g_free (request->stage);
      request->stage = g_strdup (stage);
      request->steps = 0;
      kymo_job_begin (request->job, stage, JOB_STEPS);
    }
  if (steps > request->steps)
    kymo_job_advance (request->job, steps - request->steps);
  request->steps = MAX (steps, request->steps);
}

static gboolean
tell_grown (gpointer data)
{
  KymoRemoteRun *run = data;
  g_autoptr (GObject) source = NULL;

  g_atomic_int_set (&run->telling, 0);
  source = g_weak_ref_get (&run->source);
  if (source != NULL)
    g_signal_emit_by_name (source, "grown");
  return G_SOURCE_REMOVE;
}

static gboolean
tell_ended (gpointer data)
{
  KymoRemoteRun *run = data;
  g_autoptr (GObject) source = g_weak_ref_get (&run->source);

  if (source != NULL)
    g_signal_emit_by_name (source, "line-ended", run);
  return G_SOURCE_REMOVE;
}

/* The sources of all runs hear of it on the main thread. The mutex is held. */
static void
tell_end (KymoRemoteLink *link)
{
  GHashTableIter iter;
  gpointer run;

  g_hash_table_iter_init (&iter, link->runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    g_idle_add_full (G_PRIORITY_DEFAULT, tell_ended, g_atomic_rc_box_acquire (run),
                     kymo_remote_run_unref);
}

static void
remote_run_clear (gpointer data)
{
  KymoRemoteRun *run = data;

  kymo_frame_run_clear (&run->known);
  g_weak_ref_clear (&run->source);
  g_mutex_clear (&run->mutex);
}

/** kymo_remote_run_unref: @run: (transfer full): freed with its last reference */
void
kymo_remote_run_unref (gpointer run)
{
  g_atomic_rc_box_release_full (run, remote_run_clear);
}

/* Takes what is known now of a run that is open. The mutex of the link is held. */
static void
take_growth (KymoRemoteLink *link, GVariant *body)
{
  KymoFrameRun known;
  KymoRemoteRun *run;

  if (!kymo_frame_read_run (body, &known, NULL))
    return;
  run = g_hash_table_lookup (link->runs, GUINT_TO_POINTER (known.run));
  if (run == NULL)
    {
      kymo_frame_run_clear (&known);
      return;
    }
  g_mutex_lock (&run->mutex);
  kymo_frame_run_clear (&run->known);
  run->known = known;
  g_mutex_unlock (&run->mutex);
  if (g_atomic_int_compare_and_exchange (&run->telling, 0, 1))
    g_idle_add_full (G_PRIORITY_DEFAULT, tell_grown, g_atomic_rc_box_acquire (run),
                     kymo_remote_run_unref);
}

/* The server ends because of what this side sent, and says why. */
static void
take_refusal (KymoRemoteLink *link, GVariant *body)
{
  g_autoptr (GError) error = kymo_frame_dup_error (body);

  g_free (link->refusal);
  link->refusal = kymo_safe_text_dup (error->message);
}

/* Frees the frame, or hands it to whoever waits. The mutex is held. */
static void
take_frame (KymoRemoteLink *link, KymoFrame *frame)
{
  Request *request = g_hash_table_lookup (link->requests, &frame->id);

  switch (frame->type)
    {
    case KYMO_FRAME_WELCOME:
      if (link->welcome != NULL)
        break;
      link->welcome = g_variant_ref (frame->body);
      link->welcome_us = g_get_monotonic_time ();
      break;
    case KYMO_FRAME_GROWN:
    case KYMO_FRAME_OUTPUT:
    case KYMO_FRAME_DRAFT:
      if (frame->type == KYMO_FRAME_GROWN)
        take_growth (link, frame->body);
      if (request == NULL)
        break;
      g_queue_push_tail (&request->told, frame);
      return;
    case KYMO_FRAME_PROGRESS:
      if (request != NULL)
        tell_job (request, frame->body);
      break;
    case KYMO_FRAME_OPENED:
      take_growth (link, frame->body);
      G_GNUC_FALLTHROUGH;
    case KYMO_FRAME_ANSWER:
    case KYMO_FRAME_ERROR:
      if (frame->id == 0)
        take_refusal (link, frame->body);
      G_GNUC_FALLTHROUGH;
    case KYMO_FRAME_DONE:
    case KYMO_FRAME_LISTING:
    case KYMO_FRAME_BYTES:
      if (request == NULL || request->last != NULL)
        break;
      request->last = frame;
      return;
    default:
      break;
    }
  kymo_frame_free (frame);
}

/* (transfer full): the last line that the process said, or that came before any frame. */
static char *
dup_last_words (KymoRemoteLink *link, KymoFrameReader *reader)
{
  g_autofree char *valid = g_utf8_make_valid (link->words->str, link->words->len);
  char *line = strrchr (g_strchomp (valid), '\n');

  if (*valid == '\0')
    return kymo_frame_reader_dup_noise (reader);
  return kymo_safe_text_dup (g_strstrip (line != NULL ? line + 1 : valid));
}

/* (transfer full): a sentence that says why no more frames come. */
static char *
dup_end_words (KymoRemoteLink *link, KymoFrameReader *reader, const GError *error)
{
  g_autofree char *words = error != NULL ? kymo_frame_reader_dup_noise (reader)
                                         : dup_last_words (link, reader);
  const char *why = error != NULL ? error->message : link->refusal != NULL ? link->refusal : words;

  if (link->welcome != NULL)
    return *why != '\0'
           ? g_strdup_printf (_("The connection to %s is lost: %s"), link->host, why)
           : g_strdup_printf (_("The connection to %s is lost"), link->host);
  if (error != NULL && *words != '\0')
    return g_strdup_printf (_("No server of Kymo answers on %s; it said: %s"), link->host, words);
  return *why != '\0'
         ? g_strdup_printf (_("No server of Kymo can be started on %s: %s"), link->host, why)
         : g_strdup_printf (_("No server of Kymo can be started on %s"), link->host);
}

/* What the process says last comes after its last frame. A child of it may keep the line open. The
   mutex is held. */
static void
wait_for_last_words (KymoRemoteLink *link)
{
  gint64 until = g_get_monotonic_time () + MOST_WORDS_WAIT_US;

  while (!link->has_said_all && g_cond_wait_until (&link->changed, &link->mutex, until))
    ;
}

/** kymo_remote_link_read_frames: @data: the link; its thread, until the other side is gone */
gpointer
kymo_remote_link_read_frames (gpointer data)
{
  KymoRemoteLink *link = data;
  g_autoptr (KymoFrameReader) reader = kymo_frame_reader_new (KYMO_FRAME_MOST_ANSWER);
  g_autoptr (GError) error = NULL;
  KymoFrame *frame;

  while ((frame = kymo_frame_reader_wait (reader, link->line, &error)) != NULL)
    {
      g_mutex_lock (&link->mutex);
      take_frame (link, frame);
      g_cond_broadcast (&link->changed);
      g_mutex_unlock (&link->mutex);
    }
  if (error != NULL)
    g_subprocess_send_signal (link->process, SIGTERM);
  shutdown (link->line, SHUT_RDWR);
  g_mutex_lock (&link->mutex);
  wait_for_last_words (link);
  link->has_ended = TRUE;
  link->end_words = dup_end_words (link, reader, error);
  tell_end (link);
  g_cond_broadcast (&link->changed);
  g_cond_broadcast (&link->ended);
  g_mutex_unlock (&link->mutex);
  return NULL;
}

static void
take_words (KymoRemoteLink *link, const char *piece, gssize n)
{
  g_mutex_lock (&link->mutex);
  g_string_append_len (link->words, piece, n);
  if (link->words->len > MOST_WORDS)
    g_string_erase (link->words, 0, link->words->len - MOST_WORDS);
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->mutex);
}

/** kymo_remote_link_read_words: @data: the link; reads what the process says to standard error */
gpointer
kymo_remote_link_read_words (gpointer data)
{
  KymoRemoteLink *link = data;
  char piece[512];
  gssize n;

  while ((n = read (link->words_fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
    take_words (link, piece, MAX (n, 0));
  g_mutex_lock (&link->mutex);
  link->has_said_all = TRUE;
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->mutex);
  return NULL;
}

/** kymo_remote_link_stay_alive: @data: the link; tells the server that this side is there, for a
 *  line may look open for hours after the other side is gone */
gpointer
kymo_remote_link_stay_alive (gpointer data)
{
  KymoRemoteLink *link = data;
  gboolean knows = FALSE;

  g_mutex_lock (&link->mutex);
  while (!link->has_ended)
    if (!g_cond_wait_until (&link->ended, &link->mutex,
                            g_get_monotonic_time () + KYMO_REMOTE_ALIVE_S * G_USEC_PER_SEC)
        && link->welcome != NULL && g_variant_lookup (link->welcome, "alive", "b", &knows) && knows)
      kymo_frame_writer_push (link->writer, KYMO_FRAME_ALIVE, 0, g_variant_new ("a{sv}", NULL));
  g_mutex_unlock (&link->mutex);
  return NULL;
}

/* -- asking ------------------------------------------------------------------------------------ */

/** kymo_remote_link_on_cancelled: @data: the link; wakes who waits for it */
void
kymo_remote_link_on_cancelled (GCancellable *cancellable, gpointer data)
{
  KymoRemoteLink *link = data;

  g_mutex_lock (&link->mutex);
  g_cond_broadcast (&link->changed);
  g_mutex_unlock (&link->mutex);
}

/* Hands on what has come, without the mutex, and takes it again. */
static void
tell_frames (KymoRemoteLink *link, Request *request, KymoRemoteFrameFunc told, gpointer data)
{
  KymoFrame *frame;

  while ((frame = g_queue_pop_head (&request->told)) != NULL)
    {
      g_mutex_unlock (&link->mutex);
      if (told != NULL)
        told (frame, data);
      kymo_frame_free (frame);
      g_mutex_lock (&link->mutex);
    }
}

static KymoFrame *
make_result (KymoRemoteLink *link, Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (KymoFrame) last = g_steal_pointer (&request->last);

  if (last != NULL && last->type != KYMO_FRAME_ERROR)
    return g_steal_pointer (&last);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (last != NULL)
    g_propagate_error (error, kymo_frame_dup_error (last->body));
  else
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, link->end_words);
  return NULL;
}

static guint32
get_limit (KymoRemoteLink *link, const char *key, guint32 most, guint32 otherwise)
{
  guint32 limit = otherwise;

  g_variant_lookup (link->welcome, key, "u", &limit);
  return MIN (limit, most);
}

/* Waits until a question may be sent: of several the newest is the first, because a view that asks
   again does not want the older answer. The mutex is held. */
static void
wait_for_turn (KymoRemoteLink *link, Request *request, GCancellable *cancellable)
{
  guint at_once = get_limit (link, "at-once", KYMO_FRAME_AT_ONCE, KYMO_FRAME_AT_ONCE);

  g_queue_push_head (&link->waiting, request);
  while ((link->n_asked >= MAX (at_once, 1) || g_queue_peek_head (&link->waiting) != request)
         && !link->has_ended && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&link->changed, &link->mutex);
  g_queue_remove (&link->waiting, request);
  link->n_asked++;
  g_cond_broadcast (&link->changed);
}

/* The number of a list that the server has, or is sent now. The mutex is held. */
static guint32
name_value (GVariant *value, gpointer data)
{
  KymoRemoteLink *link = data;
  guint32 n = get_limit (link, "values", KYMO_FRAME_VALUE_LISTS, 0), number;
  GVariantDict body;

  for (guint i = 0; i < n; i++)
    if (link->values[i] != NULL && g_variant_equal (link->values[i], value))
      return i;
  number = link->last_value = (link->last_value + 1) % n;
  g_clear_pointer (&link->values[number], g_variant_unref);
  link->values[number] = g_variant_ref (value);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "number", "u", number);
  g_variant_dict_insert_value (&body, "value", value);
  kymo_frame_writer_push (link->writer, KYMO_FRAME_VALUE, 0, g_variant_dict_end (&body));
  return number;
}

/* Sends the request; FALSE with an error where it is too long. The mutex is held. */
static gboolean
send_request (KymoRemoteLink *link, guint type, guint64 id, GVariant *body, GError **error)
{
  g_autoptr (GVariant) sent = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, body);
  if (type == KYMO_FRAME_ASK && get_limit (link, "values", KYMO_FRAME_VALUE_LISTS, 0) > 0)
    kymo_frame_name_values (&dict, name_value, link);
  sent = g_variant_ref_sink (g_variant_dict_end (&dict));
  if (g_variant_get_size (sent) > KYMO_FRAME_MOST_QUESTION)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The question is longer than %u MiB, more than a server takes"),
                   (guint) (KYMO_FRAME_MOST_QUESTION >> 20));
      return FALSE;
    }
  kymo_frame_writer_push (link->writer, type, id, sent);
  return TRUE;
}

/* Waits for the last frame of a request that was sent. The mutex is held. */
static void
wait_for_last (KymoRemoteLink *link, Request *request, KymoRemoteFrameFunc told, gpointer data,
               GCancellable *cancellable)
{
  while (request->last == NULL && !link->has_ended && !g_cancellable_is_cancelled (cancellable))
    {
      if (g_queue_is_empty (&request->told))
        g_cond_wait (&link->changed, &link->mutex);
      tell_frames (link, request, told, data);
    }
  tell_frames (link, request, told, data);
  if (request->last == NULL && !link->has_ended)
    kymo_frame_writer_push (link->writer, KYMO_FRAME_CANCEL, request->id,
                            g_variant_new ("a{sv}", NULL));
}

/**
 * kymo_remote_link_ask:
 * @type: OPEN, ASK, KEEP, WORK, LIST or READ
 * @body: (transfer floating): its keys and values
 * @job: (nullable): told how far the server is
 * @told: (nullable): told of frames that come before the last one
 * @cancellable: (nullable): ends the waiting at once, and the request on the server
 *
 * Blocks until the request has ended.
 *
 * Returns: (transfer full) (nullable): the last frame, none of type ERROR; %NULL with
 *   %G_IO_ERROR_CANCELLED, with the error of the server, with %KYMO_ERROR_USAGE where the request
 *   is too long, or with %KYMO_ERROR_UNREADABLE where the line is lost
 */
KymoFrame *
kymo_remote_link_ask (KymoRemoteLink *link, guint type, GVariant *body, KymoJob *job,
                      KymoRemoteFrameFunc told, gpointer data, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (body);
  Request request = { .job = job };
  KymoFrame *frame = NULL;
  gboolean is_sent = FALSE;
  gulong handler = cancellable == NULL ? 0
    : g_cancellable_connect (cancellable, G_CALLBACK (kymo_remote_link_on_cancelled), link, NULL);

  g_queue_init (&request.told);
  g_mutex_lock (&link->mutex);
  if (type == KYMO_FRAME_ASK)
    wait_for_turn (link, &request, cancellable);
  request.id = ++link->last_id;
  g_hash_table_insert (link->requests, &request.id, &request);
  if (link->has_ended || g_cancellable_is_cancelled (cancellable)
      || (is_sent = send_request (link, type, request.id, held, error)))
    {
      if (is_sent)
        wait_for_last (link, &request, told, data, cancellable);
      frame = make_result (link, &request, cancellable, error);
    }
  g_hash_table_remove (link->requests, &request.id);
  if (type == KYMO_FRAME_ASK)
    {
      link->n_asked--;
      g_cond_broadcast (&link->changed);
    }
  g_mutex_unlock (&link->mutex);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  g_free (request.stage);
  return frame;
}

/**
 * kymo_remote_link_tell:
 * @type: CLOSE
 * @body: (transfer floating): its keys and values
 *
 * Sends a message that has no answer.
 */
void
kymo_remote_link_tell (KymoRemoteLink *link, guint type, GVariant *body)
{
  kymo_frame_writer_push (link->writer, type, 0, body);
}

/* -- runs -------------------------------------------------------------------------------------- */

/**
 * kymo_remote_link_add_run:
 * @frame: OPENED, or GROWN while the run is being read
 *
 * Returns: (transfer full) (nullable): the run, to be given back with
 *   kymo_remote_link_drop_run(); %NULL with %KYMO_ERROR_UNREADABLE where the frame tells of none
 */
KymoRemoteRun *
kymo_remote_link_add_run (KymoRemoteLink *link, const KymoFrame *frame, GError **error)
{
  KymoFrameRun known;
  KymoRemoteRun *run;

  if (!kymo_frame_read_run (frame->body, &known, error))
    return NULL;
  run = g_atomic_rc_box_new0 (KymoRemoteRun);
  g_mutex_init (&run->mutex);
  g_weak_ref_init (&run->source, NULL);
  run->known = known;
  g_mutex_lock (&link->mutex);
  g_hash_table_insert (link->runs, GUINT_TO_POINTER (known.run), g_atomic_rc_box_acquire (run));
  g_mutex_unlock (&link->mutex);
  return run;
}

/** kymo_remote_link_drop_run: @run: (transfer full): nobody asks it any more */
void
kymo_remote_link_drop_run (KymoRemoteLink *link, KymoRemoteRun *run)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "run", "u", run->known.run);
  kymo_remote_link_tell (link, KYMO_FRAME_CLOSE, g_variant_dict_end (&body));
  g_mutex_lock (&link->mutex);
  g_hash_table_remove (link->runs, GUINT_TO_POINTER (run->known.run));
  g_mutex_unlock (&link->mutex);
  kymo_remote_run_unref (run);
}
