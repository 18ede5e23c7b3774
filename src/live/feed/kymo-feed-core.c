/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the main thread and the feed's thread share: posts one way, tellings
 * the other.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-error.h"
#include "kymo-timer.h"

#define DEFAULT_RING_BYTES (32 << 20)
/** 30 tellings a second */
#define TELL_US 33334

/* --- Core --- */

static char *
title_of (const char *path)
{
  char *title = g_path_get_basename (path);

  if (g_str_has_suffix (title, KYMO_STREAM_SUFFIX))
    title[strlen (title) - strlen (KYMO_STREAM_SUFFIX)] = 0;
  return title;
}

/**
 * kymo_feed_core_new:
 * @target: (nullable): the program to follow, or
 * @path: (nullable): the recording to play
 *
 * Returns: (transfer full): what both threads of a feed share, with a main context for the
 *   feed's thread; drop with kymo_feed_core_unref()
 */
KymoFeedCore *
kymo_feed_core_new (const KymoCcsTarget *target,
                    const char          *path)
{
  KymoFeedCore *core = g_new0 (KymoFeedCore, 1);

  g_atomic_ref_count_init (&core->ref_count);
  core->target = target != NULL ? kymo_ccs_target_copy (target) : NULL;
  core->path = g_strdup (path);
  core->title = target != NULL ? g_strdup (target->text) : title_of (path);
  core->cancellable = g_cancellable_new ();
  core->ring_bytes = DEFAULT_RING_BYTES;
  core->context = g_main_context_new ();
  g_mutex_init (&core->mutex);
  g_cond_init (&core->cond);
  core->alarms = g_ptr_array_new_with_free_func (g_free);
  core->status.state = KYMO_ATTACHMENT_CONNECTING;
  core->status.sentence = g_strdup ("");
  core->status.speed = 1;
  return core;
}

/**
 * kymo_feed_core_ref:
 *
 * Returns: (transfer full): @core, with one more reference
 */
KymoFeedCore *
kymo_feed_core_ref (KymoFeedCore *core)
{
  g_atomic_ref_count_inc (&core->ref_count);
  return core;
}

/**
 * kymo_feed_core_unref:
 *
 * Drops a reference to @core and frees it with the last reference.
 */
void
kymo_feed_core_unref (KymoFeedCore *core)
{
  if (!g_atomic_ref_count_dec (&core->ref_count))
    return;
  kymo_ccs_target_free (core->target);
  g_clear_pointer (&core->teller, g_source_unref);
  g_main_context_unref (core->context);
  g_mutex_clear (&core->mutex);
  g_cond_clear (&core->cond);
  g_ptr_array_unref (core->alarms);
  kymo_feed_status_clear (&core->status);
  kymo_feed_values_free (core->values);
  g_clear_object (&core->source);
  g_object_unref (core->cancellable);
  g_free (core->path);
  g_free (core->title);
  g_free (core);
}

/* --- To the thread --- */

typedef struct
{
  KymoFeedCore  *core;          /* not a reference: the context is the core's */
  KymoFeedPost   func;
  gpointer       data;
  GDestroyNotify free_func;
} Post;

static gboolean
post_cb (gpointer data)
{
  Post *post = data;

  if (post->core->work != NULL)
    post->func (post->core->work, post->data);
  return G_SOURCE_REMOVE;
}

static void
post_free (gpointer data)
{
  Post *post = data;

  if (post->free_func != NULL)
    post->free_func (post->data);
  g_free (post);
}

/**
 * kymo_feed_core_post:
 * @func: to be called on the feed's thread, unless that has ended
 * @free_func: (nullable): called with @data in any case, on any thread
 *
 * Posts are done in their order.
 */
void
kymo_feed_core_post (KymoFeedCore   *core,
                     KymoFeedPost    func,
                     gpointer        data,
                     GDestroyNotify  free_func)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Post *post = g_new (Post, 1);

  *post = (Post) { core, func, data, free_func };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, post_cb, post, post_free);
  g_mutex_lock (&core->mutex);
  if (!core->closed)
    g_source_attach (source, core->context);
  g_mutex_unlock (&core->mutex);
}

/* --- To the main thread --- */

/**
 * kymo_feed_core_tell_locked:
 *
 * "changed" is due; with the mutex held. What happens within a 30th of a
 * second is told once.
 */
void
kymo_feed_core_tell_locked (KymoFeedCore *core)
{
  if (core->telling || core->teller == NULL)
    return;
  core->telling = TRUE;
  kymo_timer_set (core->teller, MAX (g_get_monotonic_time (), core->told_us + TELL_US));
}

/* --- Jobs --- */

typedef struct
{
  GTask  *task;
  GError *error;
} Answer;

static gboolean
answer_cb (gpointer data)
{
  Answer *answer = data;

  if (answer->error != NULL)
    g_task_return_error (answer->task, g_steal_pointer (&answer->error));
  else
    g_task_return_boolean (answer->task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_object_unref (answer->task);
  g_clear_error (&answer->error);
  g_free (answer);
}

/**
 * kymo_feed_job_done:
 * @error: (nullable): %NULL = it is done
 */
void
kymo_feed_job_done (KymoFeedJob  *job,
                    const GError *error)
{
  Answer *answer;

  if (job->task == NULL)
    return;
  answer = g_new (Answer, 1);
  *answer = (Answer) { g_steal_pointer (&job->task), error != NULL ? g_error_copy (error) : NULL };
  g_idle_add_full (G_PRIORITY_DEFAULT, answer_cb, answer, answer_free);
}

/**
 * kymo_feed_job_steal:
 * @job: left without task and path
 *
 * Returns: (transfer full): a copy with the task of @job, to be answered later; free with
 *   kymo_feed_job_abandon()
 */
KymoFeedJob *
kymo_feed_job_steal (KymoFeedJob *job)
{
  KymoFeedJob *stolen = g_new (KymoFeedJob, 1);

  *stolen = *job;
  job->task = NULL;
  job->path = NULL;
  return stolen;
}

/**
 * kymo_feed_job_abandon:
 * @data: (nullable): a #KymoFeedJob
 *
 * Frees a job. If it was not answered, its task ends with %KYMO_ERROR_UNANSWERABLE: the
 * stream is closed.
 */
void
kymo_feed_job_abandon (gpointer data)
{
  KymoFeedJob *job = data;

  if (job == NULL)
    return;
  if (job->task != NULL)
    {
      g_autoptr (GError) error = g_error_new_literal (KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                                                      _("The stream is closed"));

      kymo_feed_job_done (job, error);
    }
  g_free (job->path);
  g_free (job);
}
