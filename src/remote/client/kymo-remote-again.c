/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line that is lost is made again by itself: after 1, 2, 4, … 30 seconds, without asking anybody
 * anything. Where that cannot help, because ssh was refused or the run is gone, a person has to
 * say when. Questions wait until the line stands, and are asked again.
 */
#include "config.h"

#include "kymo-remote-source-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"

#define MOST_DELAY_S 30

/* -- waiting ----------------------------------------------------------------------------------- */

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  KymoRemoteSource *self = data;

  g_mutex_lock (&self->mutex);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static gboolean
tell_lost (gpointer data)
{
  KymoRemoteSource *self = data;
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (self);

  kymo_remote_source_on_ended (self, line->run);
  return G_SOURCE_REMOVE;
}

/**
 * kymo_remote_source_wait:
 * @lost: a line that has ended
 * @cancellable: (nullable): ends the waiting
 *
 * Blocks until there is another line, which may be long.
 *
 * Returns: %FALSE where there will be none, or nobody waits any more
 */
gboolean
kymo_remote_source_wait (KymoRemoteSource *self, KymoRemoteLine *lost, GCancellable *cancellable)
{
  gulong handler = 0;
  gboolean found;

  if (!self->options.reconnects)
    return FALSE;
  /* The line may have ended before anybody watched it. */
  g_idle_add_full (G_PRIORITY_DEFAULT, tell_lost, g_object_ref (self), g_object_unref);
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL);
  g_mutex_lock (&self->mutex);
  while (self->line == lost && self->state != KYMO_REMOTE_LINE_DOWN
         && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&self->changed, &self->mutex);
  found = self->line != lost;
  g_mutex_unlock (&self->mutex);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  return found;
}

/* -- trying ------------------------------------------------------------------------------------ */

/* Main thread. */
static void
set_state (KymoRemoteSource *self, KymoRemoteLineState state, const char *words)
{
  g_mutex_lock (&self->mutex);
  self->state = state;
  if (words != NULL)
    {
      g_free (self->words);
      self->words = g_strdup (words);
    }
  self->next_us = g_get_monotonic_time () + self->delay_s * G_USEC_PER_SEC;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_signal_emit_by_name (self, "line-changed");
}

/* Whether trying again would end the same way. A wrong password again and again gets people
   locked out; a job that has ended does not come back. */
static gboolean
is_hopeless (const GError *error)
{
  static const char *const hopeless[] = {
    "Permission denied", "verification failed", "Too many authentication failures",
    "Bad configuration option", "unknown option", "the job has ended",
  };

  if (g_error_matches (error, KYMO_ERROR, KYMO_ERROR_USAGE))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (hopeless); i++)
    if (strstr (error->message, hopeless[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
try_thread (GTask *task, gpointer source, gpointer quiet, GCancellable *cancellable)
{
  KymoRemoteSource *self = source;
  KymoJob *job = g_object_get_data (G_OBJECT (task), "kymo-job");
  GError *error = NULL;
  KymoRemoteLine *line = kymo_remote_source_make_line (self, GPOINTER_TO_INT (quiet), job, &error);

  if (line != NULL)
    g_task_return_pointer (task, line, (GDestroyNotify) kymo_remote_line_unref);
  else
    g_task_return_error (task, error);
}

static void
take_line (KymoRemoteSource *self, KymoRemoteLine *line)
{
  g_autoptr (KymoRemoteLine) before = NULL;

  g_mutex_lock (&self->mutex);
  before = self->line;
  self->line = line;
  g_mutex_unlock (&self->mutex);
  g_weak_ref_set (&before->run->source, NULL);
  g_weak_ref_set (&line->run->source, self);
  self->delay_s = 0;
  set_state (self, KYMO_REMOTE_LINE_UP, NULL);
  /* What is known of the run may be more by now. */
  g_signal_emit_by_name (self, "grown");
}

static void wait_for_try (KymoRemoteSource *self, const char *words);

static void
on_tried (GObject *source, GAsyncResult *result, gpointer data)
{
  KymoRemoteSource *self = KYMO_REMOTE_SOURCE (source);
  KymoJob *job = g_object_get_data (G_OBJECT (result), "kymo-job");
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteLine) line = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->job != job)
    return;
  g_clear_object (&self->job);
  if (line != NULL)
    take_line (self, g_steal_pointer (&line));
  else if (is_hopeless (error))
    set_state (self, KYMO_REMOTE_LINE_DOWN, error->message);
  else
    wait_for_try (self, error->message);
}

static void
begin_try (KymoRemoteSource *self, gboolean quiet)
{
  g_autoptr (GTask) task = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  self->job = kymo_job_new ();
  task = g_task_new (self, NULL, on_tried, NULL);
  g_object_set_data_full (G_OBJECT (task), "kymo-job", g_object_ref (self->job), g_object_unref);
  g_task_set_task_data (task, GINT_TO_POINTER (quiet), NULL);
  set_state (self, KYMO_REMOTE_LINE_TRYING, NULL);
  g_task_run_in_thread (task, try_thread);
}

static gboolean
on_due (gpointer data)
{
  KymoRemoteSource *self = data;

  self->timer = 0;
  begin_try (self, TRUE);
  return G_SOURCE_REMOVE;
}

static void
wait_for_try (KymoRemoteSource *self, const char *words)
{
  self->delay_s = CLAMP (self->delay_s * 2, 1, MOST_DELAY_S);
  self->timer = g_timeout_add_seconds (self->delay_s, on_due, self);
  set_state (self, KYMO_REMOTE_LINE_LOST, words);
}

/**
 * kymo_remote_source_on_ended:
 * @run: whose line has ended, on the main thread
 *
 * Begins to connect again, if the run is the one that is asked now.
 */
void
kymo_remote_source_on_ended (KymoRemoteSource *self, gpointer run)
{
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (self);
  g_autofree char *words = NULL;

  if (!self->options.reconnects || line->run != run || self->state != KYMO_REMOTE_LINE_UP
      || !kymo_remote_link_has_ended (line->link))
    return;
  words = kymo_remote_link_dup_end_words (line->link);
  wait_for_try (self, words);
}

/** kymo_remote_source_end_again: tries no more; main thread */
void
kymo_remote_source_end_again (KymoRemoteSource *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->job != NULL)
    kymo_job_cancel (self->job);
  g_clear_object (&self->job);
}

/* -- for a person ------------------------------------------------------------------------------ */

/**
 * kymo_remote_source_get_line:
 * @words: (out) (optional) (transfer full): a sentence that says why the line is lost
 * @wait_us: (out) (optional): time until it is tried again
 *
 * Returns: whether the machine can be asked now
 */
KymoRemoteLineState
kymo_remote_source_get_line (KymoRemoteSource *self, char **words, gint64 *wait_us)
{
  KymoRemoteLineState state;

  g_mutex_lock (&self->mutex);
  state = self->state;
  if (words != NULL)
    *words = g_strdup (self->words != NULL ? self->words : "");
  if (wait_us != NULL)
    *wait_us = MAX (self->next_us - g_get_monotonic_time (), 0);
  g_mutex_unlock (&self->mutex);
  return state;
}

/** kymo_remote_source_get_end: Returns: monotonic time at which the job that answers ends, in us;
 *  0 = it is in none, or does not know */
gint64
kymo_remote_source_get_end (KymoRemoteSource *self)
{
  g_autoptr (KymoRemoteLine) line = kymo_remote_source_ref_line (self);

  return kymo_remote_link_get_end (line->link);
}

/**
 * kymo_remote_source_reconnect:
 *
 * Tries at once because a person wants it: ssh may ask for a password, and a job that has ended is
 * submitted again. Main thread; nothing happens while the line stands or is being tried.
 */
void
kymo_remote_source_reconnect (KymoRemoteSource *self)
{
  if (self->state == KYMO_REMOTE_LINE_LOST || self->state == KYMO_REMOTE_LINE_DOWN)
    begin_try (self, FALSE);
}

/**
 * kymo_remote_source_give_up:
 *
 * Nobody wants the run any more: what is asked ends with an error. Main thread.
 */
void
kymo_remote_source_give_up (KymoRemoteSource *self)
{
  if (self->state == KYMO_REMOTE_LINE_UP)
    return;
  kymo_remote_source_end_again (self);
  set_state (self, KYMO_REMOTE_LINE_DOWN, NULL);
}
