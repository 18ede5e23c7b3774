/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The feed's thread: what is done with each frame, and with what the main
 * thread asks for. All functions are for this thread; nothing here waits.
 *
 * A run of what came goes to the source when blocks have come, at most 30
 * times a second, however many they are; so catching up with a long queue
 * costs the blocks, not the pictures.
 */
#include "config.h"

#include "kymo-feed-private.h"

#include <glib/gi18n-lib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "kymo-error.h"
#include "kymo-timer.h"

#define PUBLISH_US 33334
/** ten minutes of the program */
#define TRIM_BLOCKS 600
#define TICK_US 500000

/* --- Telling --- */

/**
 * kymo_feed_work_alarm:
 * @sentence: what happened, for the person; copied
 *
 * Queues an alarm, which the main thread emits as a signal.
 */
void
kymo_feed_work_alarm (KymoFeedWork *work,
                      const char   *sentence)
{
  KymoFeedCore *core = work->core;

  g_mutex_lock (&core->mutex);
  g_ptr_array_add (core->alarms, g_strdup (sentence));
  kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

/**
 * kymo_feed_work_set_state:
 * @sentence: for people
 * @retry_us: monotonic time of the next try, or 0
 */
void
kymo_feed_work_set_state (KymoFeedWork        *work,
                          KymoAttachmentState  state,
                          const char          *sentence,
                          gint64               retry_us)
{
  KymoFeedCore *core = work->core;

  work->state = state;
  g_mutex_lock (&core->mutex);
  core->status.state = state;
  core->status.retry_us = retry_us;
  g_free (core->status.sentence);
  core->status.sentence = g_strdup (sentence);
  kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

static gboolean
is_seeking (const KymoFeedWork *work)
{
  return work->playback != NULL && kymo_feed_playback_is_seeking (work->playback);
}

/* Bins, which stay for long, lie between payloads, which do not: pages that
   nothing is on any more go back to the system now and then, or a long session
   would hold half as much again as it needs. Some milliseconds each time. */
static void
trim_memory (KymoFeedWork *work)
{
  if (work->n_untrimmed < TRIM_BLOCKS)
    return;
  work->n_untrimmed = 0;
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

static void
publish_cb (gpointer data)
{
  KymoFeedWork *work = data;
  KymoFeedCore *core = work->core;
  g_autoptr (KymoRun) run = NULL;

  work->publishing = FALSE;
  kymo_timer_set (work->publisher, -1);
  if (is_seeking (work))
    return;
  run = kymo_stream_store_snapshot (work->store, !work->ended);
  if (run == NULL)
    return;
  work->published_us = g_get_monotonic_time ();
  if (core->source != NULL)
    {
      kymo_run_source_set_run (core->source, run);
      trim_memory (work);
      return;
    }
  g_mutex_lock (&core->mutex);
  core->source = kymo_run_source_new (run, 0);
  kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

/**
 * kymo_feed_work_publish:
 *
 * Gives the source a new run of all that came: now, or within a 30th of a second after the
 * last one.
 */
void
kymo_feed_work_publish (KymoFeedWork *work)
{
  if (work->publishing)
    return;
  work->publishing = TRUE;
  kymo_timer_set (work->publisher,
                  MAX (g_get_monotonic_time (), work->published_us + PUBLISH_US));
}

/**
 * kymo_feed_work_publish_now:
 *
 * Gives the source a new run of all that came, at once.
 */
void
kymo_feed_work_publish_now (KymoFeedWork *work)
{
  publish_cb (work);
}

/* --- Frames --- */

static void
count_reply (KymoFeedWork          *work,
             const KymoStreamFrame *frame,
             KymoStreamResult       result)
{
  KymoFeedStatus *status = &work->core->status;

  status->bytes_received += (gint64) g_bytes_get_size (frame->bytes) + 4;
  status->n_empty += result == KYMO_STREAM_NOTHING;
  if (result != KYMO_STREAM_BLOCK)
    return;
  status->n_blocks++;
  status->arrived_us = frame->at_us;
}

/* TRUE if the frame changed anything that is shown. */
static gboolean
is_news (const KymoStreamFrame *frame,
         KymoStreamResult       result)
{
  return frame->kind != KYMO_FRAME_REPLY || result != KYMO_STREAM_NOTHING;
}

static void
count_frame (KymoFeedWork          *work,
             const KymoStreamFrame *frame,
             const KymoStreamBlock *block,
             KymoStreamResult       result)
{
  KymoFeedCore *core = work->core;
  KymoStreamForm form;

  g_mutex_lock (&core->mutex);
  if (frame->kind == KYMO_FRAME_REPLY)
    count_reply (work, frame, result);
  if (result == KYMO_STREAM_BAD && frame->kind != KYMO_FRAME_FORM)
    core->status.n_lost++;
  if (block != NULL && block->n_pes > 0)
    core->status.n_pes = block->n_pes;
  else if (frame->kind == KYMO_FRAME_FORM && result == KYMO_STREAM_NOTHING
           && kymo_stream_frame_get_form (frame, &form, NULL) && form.n_pes > 0)
    core->status.n_pes = form.n_pes;
  core->status.end_ns = kymo_stream_store_get_end_ns (work->store);
  if (work->ring != NULL)
    {
      core->status.kept_bytes = kymo_stream_ring_get_bytes (work->ring);
      core->status.kept_ns = MAX (0, core->status.end_ns
                                  - kymo_stream_ring_get_begin_ns (work->ring));
    }
  core->status.recorded_bytes = kymo_feed_save_get_bytes (work);
  if (is_news (frame, result) && !is_seeking (work))
    kymo_feed_core_tell_locked (core);
  g_mutex_unlock (&core->mutex);
}

/* Reports the conditions that the last block met. This is done after the block, since their marks
   are frames, too, and frames are taken in turn. */
static void
tell_met (KymoFeedWork *work)
{
  g_autoptr (GPtrArray) met = g_steal_pointer (&work->met);

  work->met = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  for (guint i = 0; i < met->len; i++)
    {
      g_autofree char *sentence = kymo_stream_frame_dup_text (met->pdata[i]);

      kymo_feed_work_alarm (work, sentence);
      if (work->playback == NULL)
        kymo_feed_work_take (work, met->pdata[i]);
    }
}

static void
met_cb (const KymoCondition *condition,
        gint64               begin_ns,
        const char          *sentence,
        gpointer             data)
{
  KymoFeedWork *work = data;
  KymoStreamFrame *frame = kymo_stream_frame_new_text (KYMO_FRAME_MARK, g_get_real_time (),
                                                       sentence);

  frame->begin_ns = MAX (begin_ns, 0);
  g_ptr_array_add (work->met, frame);
}

/**
 * kymo_feed_work_take:
 * @frame: the next one, wherever it comes from
 */
void
kymo_feed_work_take (KymoFeedWork    *work,
                     KymoStreamFrame *frame)
{
  const KymoStreamBlock *block = NULL;
  KymoStreamResult result = kymo_stream_store_take (work->store, frame, &block, NULL);

  if (work->ring != NULL)
    kymo_stream_ring_push (work->ring, frame);
  kymo_feed_save_push (work, frame);
  count_frame (work, frame, block, result);
  work->had_block |= block != NULL;
  work->n_untrimmed += block != NULL;
  if (block != NULL && !is_seeking (work))
    kymo_watch_block (work->watch, block, frame->begin_ns, g_get_monotonic_time ());
  if (frame->kind == KYMO_FRAME_SCALARS)
    kymo_feed_values_take (work->core, frame, is_seeking (work) ? NULL : work->watch);
  if (frame->kind == KYMO_FRAME_NAMES)
    kymo_watch_names_changed (work->watch);
  if (is_news (frame, result))
    kymo_feed_work_publish (work);
  if (work->met->len > 0)
    tell_met (work);
}

/**
 * kymo_feed_work_frame_cb:
 * @frame: of a running program or of a playback
 * @data: the #KymoFeedWork
 *
 * Takes a frame, unless it has names and others were given by hand.
 */
void
kymo_feed_work_frame_cb (KymoStreamFrame *frame,
                         gpointer         data)
{
  KymoFeedWork *work = data;

  if (frame->kind != KYMO_FRAME_NAMES || !work->own_names)
    kymo_feed_work_take (work, frame);
}

/* --- A running program --- */

/* The attachment may be tried again after its end. */
static void
set_ended (KymoFeedWork *work,
           gboolean      ended)
{
  if (work->ended == ended)
    return;
  work->ended = ended;
  if (ended)
    kymo_feed_save_end (work);
  kymo_feed_work_publish_now (work);
}

static void
state_cb (KymoAttachmentState  state,
          const char          *sentence,
          gint64               retry_us,
          gpointer             data)
{
  KymoFeedWork *work = data;

  set_ended (work, state == KYMO_ATTACHMENT_ENDED || state == KYMO_ATTACHMENT_FAILED);
  kymo_feed_work_set_state (work, state, sentence, retry_us);
}

/* Blocks are expected: also while the connection fails, for a program that
   hangs may not even answer. */
static gboolean
is_attached (const KymoFeedWork *work)
{
  return work->attachment != NULL
    && (work->state == KYMO_ATTACHMENT_CATCHING_UP || work->state == KYMO_ATTACHMENT_FOLLOWING
        || (work->state == KYMO_ATTACHMENT_WAITING && work->had_block));
}

static void
tick_cb (gpointer data)
{
  KymoFeedWork *work = data;

  kymo_watch_tick (work->watch, g_get_monotonic_time (), is_attached (work));
  if (work->met->len > 0)
    tell_met (work);
  kymo_timer_set (work->ticker, g_get_monotonic_time () + TICK_US);
}

static void
start_attachment (KymoFeedWork *work)
{
  static const KymoAttachmentEvents events = { kymo_feed_work_frame_cb, state_cb };

  work->attachment = kymo_attachment_new (work->core->target, &events, work);
  kymo_attachment_set_values (work->attachment, TRUE);
  kymo_attachment_start (work->attachment);
}

/* --- What is asked for --- */

/**
 * kymo_feed_work_retry:
 *
 * Tries at once where it waits; begins again where it was stopped.
 */
void
kymo_feed_work_retry (KymoFeedWork *work)
{
  if (work->attachment != NULL)
    kymo_attachment_retry (work->attachment);
  else if (work->core->target != NULL)
    start_attachment (work);
}

/**
 * kymo_feed_work_stop:
 *
 * Nothing comes any more; all that came stays.
 */
void
kymo_feed_work_stop (KymoFeedWork *work)
{
  gboolean live = work->attachment != NULL && !work->ended;
  const char *sentence = live ? _("Following was stopped") : _("The playback was stopped");

  if (work->attachment == NULL && work->playback == NULL)
    return;
  g_clear_pointer (&work->attachment, kymo_attachment_free);
  if (work->playback == NULL && !live)
    return;
  if (live)
    {
      g_autoptr (KymoStreamFrame) frame =
        kymo_stream_frame_new_text (KYMO_FRAME_END, g_get_real_time (), sentence);

      kymo_feed_work_take (work, frame);
    }
  g_clear_pointer (&work->playback, kymo_feed_playback_free);
  set_ended (work, TRUE);
  kymo_feed_work_set_state (work, KYMO_ATTACHMENT_ENDED, sentence, 0);
}

/* The names go where frames go, but not to the store, which has them. */
static void
keep_names (KymoFeedWork *work,
            GBytes       *sts)
{
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new (KYMO_FRAME_NAMES,
                                                             g_get_real_time (), sts);

  frame->begin_ns = kymo_stream_store_get_end_ns (work->store);
  if (work->ring != NULL)
    kymo_stream_ring_push (work->ring, frame);
  kymo_feed_save_push (work, frame);
}

/**
 * kymo_feed_work_set_names:
 * @job: of its path
 */
void
kymo_feed_work_set_names (KymoFeedWork *work,
                          KymoFeedJob  *job)
{
  g_autoptr (GBytes) sts = NULL;
  g_autoptr (GError) error = NULL;

  if (kymo_stream_store_set_names (work->store, job->path, &sts, &error))
    {
      work->own_names = TRUE;
      if (sts != NULL)
        keep_names (work, sts);
      kymo_watch_names_changed (work->watch);
      kymo_feed_work_publish (work);
      g_mutex_lock (&work->core->mutex);
      g_free (work->core->status.names);
      work->core->status.names = g_strdup (job->path);
      kymo_feed_core_tell_locked (work->core);
      g_mutex_unlock (&work->core->mutex);
    }
  kymo_feed_job_done (job, error);
}

/**
 * kymo_feed_work_set_conditions:
 * @conditions: (element-type KymoCondition): copied; they replace those before
 *
 * Sets what to watch for. The clock for silence runs only if a condition asks for it.
 */
void
kymo_feed_work_set_conditions (KymoFeedWork *work,
                               GPtrArray    *conditions)
{
  gboolean silence = FALSE;

  for (guint i = 0; i < conditions->len; i++)
    silence |= ((KymoCondition *) conditions->pdata[i])->kind == KYMO_CONDITION_SILENT;
  kymo_watch_set_conditions (work->watch, conditions);
  kymo_timer_set (work->ticker, silence ? g_get_monotonic_time () : -1);
}

/* --- The thread --- */

static char *
name_cb (gint64   id,
         gpointer data)
{
  return kymo_stream_store_dup_name (((KymoFeedWork *) data)->store, id);
}

static gboolean
counts_cb (gint64   id,
           gpointer data)
{
  return kymo_stream_store_is_compute (((KymoFeedWork *) data)->store, id);
}

/**
 * kymo_feed_work_new:
 *
 * Makes what the feed's thread works with. To be called in the thread-default context of that
 * thread.
 *
 * Returns: (transfer full): free with kymo_feed_work_free()
 */
KymoFeedWork *
kymo_feed_work_new (KymoFeedCore *core)
{
  KymoFeedWork *work = g_new0 (KymoFeedWork, 1);

  work->core = core;
  work->loop = g_main_loop_new (core->context, FALSE);
  work->store = kymo_stream_store_new (core->title, core->budget_bytes);
  work->ring = core->path == NULL ? kymo_stream_ring_new (core->ring_bytes) : NULL;
  work->watch = kymo_watch_new (met_cb, name_cb, work);
  kymo_watch_set_counts (work->watch, counts_cb);
  work->met = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  work->saves = g_ptr_array_new_with_free_func (kymo_feed_save_free);
  work->publisher = kymo_timer_new (core->context, publish_cb, work);
  work->ticker = kymo_timer_new (core->context, tick_cb, work);
  work->state = KYMO_ATTACHMENT_CONNECTING;
  return work;
}

/**
 * kymo_feed_work_free:
 *
 * Ends the attachment or playback, waits until all that came is in the files of its
 * recordings, and frees @work.
 */
void
kymo_feed_work_free (KymoFeedWork *work)
{
  g_clear_pointer (&work->attachment, kymo_attachment_free);
  g_clear_pointer (&work->playback, kymo_feed_playback_free);
  kymo_timer_free (work->publisher);
  kymo_timer_free (work->ticker);
  g_ptr_array_unref (work->saves);
  g_ptr_array_unref (work->met);
  kymo_watch_free (work->watch);
  g_clear_pointer (&work->ring, kymo_stream_ring_free);
  kymo_stream_store_free (work->store);
  g_main_loop_unref (work->loop);
  g_free (work);
}

/* From here on nothing is posted; what was is let go, and so are the ends of
   what was given up. */
static void
close_core (KymoFeedCore *core)
{
  g_mutex_lock (&core->mutex);
  core->closed = TRUE;
  g_mutex_unlock (&core->mutex);
  while (g_main_context_iteration (core->context, FALSE))
    ;
  g_mutex_lock (&core->mutex);
  core->done = TRUE;
  g_cond_broadcast (&core->cond);
  g_mutex_unlock (&core->mutex);
}

static gpointer
feed_thread (gpointer data)
{
  KymoFeedCore *core = data;

  g_main_context_push_thread_default (core->context);
  core->work = kymo_feed_work_new (core);
  if (core->target != NULL)
    start_attachment (core->work);
  else
    kymo_feed_play_start (core->work);
  g_main_loop_run (core->work->loop);
  g_clear_pointer (&core->work, kymo_feed_work_free);
  close_core (core);
  g_main_context_pop_thread_default (core->context);
  kymo_feed_core_unref (core);
  return NULL;
}

/**
 * kymo_feed_thread_start:
 *
 * Starts the thread of the feed, which holds a reference to @core until it ends. Main thread.
 */
void
kymo_feed_thread_start (KymoFeedCore *core)
{
  g_thread_unref (g_thread_new ("kymo-feed", feed_thread, kymo_feed_core_ref (core)));
}
