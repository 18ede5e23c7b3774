/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page is a widget: it is held and let go of on the main thread alone, so
 * not with the reading, whose last part the worker may be the last to hold.
 */
#include "config.h"

#include "kymo-run-reading.h"

#include "kymo-cache.h"
#include "kymo-open.h"
#include "kymo-remote-settings.h"
#include "kymo-remote-source.h"
#include "kymo-run-source.h"
#include "kymo-settings.h"

#define KEEP_AFTER_MS 1500
/* A run that is read by then has no draft. */
#define DRAFT_AFTER_MS 100

typedef struct
{
  GObject        *page;            /* a reference, until it is loaded */
  KymoLoadedFunc  show;
  KymoJob        *job;
  char           *path;
  char           *launch;          /* where the run is on another machine, or NULL */
  gboolean        correct_clocks;
  gint64          memory_limit_bytes;
  KymoSource     *source;          /* the worker's: once there is a draft */
} Reading;

/* What the worker sends of a draft. */
typedef struct
{
  Reading    *reading;             /* a reference */
  KymoLoaded  loaded;
} Message;

static void
reading_clear (gpointer data)
{
  Reading *reading = data;

  g_clear_object (&reading->job);
  g_clear_object (&reading->source);
  g_free (reading->path);
  g_free (reading->launch);
}

static void
reading_unref (gpointer reading)
{
  g_atomic_rc_box_release_full (reading, reading_clear);
}

static void
message_free (gpointer data)
{
  Message *message = data;

  g_clear_object (&message->loaded.source);
  g_clear_pointer (&message->loaded.info, kymo_table_unref);
  reading_unref (message->reading);
  g_free (message);
}

static void
take_run (Reading *reading, KymoRun *run)
{
  KymoRunSource *source;

  if (reading->source != NULL)
    {
      kymo_source_set_run (reading->source, run);
      return;
    }
  source = kymo_run_source_new (run, 0);
  kymo_run_source_set_keeper (source, kymo_cache_save);
  kymo_run_source_build_aside (source);
  reading->source = KYMO_SOURCE (source);
}

/* The run as it is known now. */
static Message *
make_message (Reading *reading, GError **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autofree char *draft = kymo_source_dup_draft (reading->source);
  KymoTable *info = kymo_source_ask (reading->source, question,
                                     kymo_job_peek_cancellable (reading->job), error);
  Message *message;

  if (info == NULL)
    return NULL;
  message = g_new0 (Message, 1);
  message->reading = g_atomic_rc_box_acquire (reading);
  message->loaded.source = g_object_ref (reading->source);
  message->loaded.info = info;
  message->loaded.is_draft = draft != NULL;
  return message;
}

static gboolean
show_draft (gpointer data)
{
  Message *message = data;
  Reading *reading = message->reading;

  if (reading->page != NULL)
    reading->show (reading->page, reading->job, &message->loaded, NULL);
  return G_SOURCE_REMOVE;
}

static void
send_draft (Reading *reading)
{
  Message *message = make_message (reading, NULL);

  if (message != NULL)
    g_idle_add_full (G_PRIORITY_DEFAULT, show_draft, message, message_free);
}

/* On the reader's threads, one at a time, and never once it has returned. */
static void
on_draft (KymoRun *run, gpointer data)
{
  take_run (data, run);
  send_draft (data);
}

static void
on_far_draft (KymoSource *source, gpointer data)
{
  Reading *reading = data;

  g_set_object (&reading->source, source);
  send_draft (reading);
}

/* Returns: whether the run could be read where it lies; then it has a source. */
static gboolean
read_far (Reading *reading, GError **error)
{
  KymoRemoteOptions options = {
    .server = g_getenv ("KYMO_SERVER"), .correct_clocks = reading->correct_clocks,
    .launch = reading->launch, .shares = TRUE, .reconnects = TRUE,
    .draft = on_far_draft, .draft_data = reading,
  };
  g_autoptr (KymoSource) source = kymo_remote_source_open (reading->path, &options, reading->job,
                                                           error);

  if (source != NULL)
    g_set_object (&reading->source, source);
  return source != NULL;
}

static gboolean
read_here (Reading *reading, GError **error)
{
  KymoOpenOptions options = {
    .correct_clocks = reading->correct_clocks,
    .memory_limit_bytes = reading->memory_limit_bytes,
    .draft = on_draft, .draft_data = reading,
    .draft_after_ms = DRAFT_AFTER_MS,
  };
  g_autoptr (KymoRun) run = kymo_open_run (reading->path, &options, reading->job, error);

  if (run != NULL)
    take_run (reading, run);
  return run != NULL;
}

static void
read_thread (GTask *task, gpointer object, gpointer data,
             GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  gint64 begin_us = g_get_monotonic_time ();
  gboolean is_read = (kymo_remote_is_address (reading->path) ? read_far : read_here) (reading,
                                                                                      &error);
  gint64 read_us = g_get_monotonic_time () - begin_us;
  Message *message = is_read ? make_message (reading, &error) : NULL;

  if (message != NULL)
    message->loaded.read_us = read_us;
  if (message != NULL)
    g_task_return_pointer (task, message, message_free);
  else
    g_task_return_error (task, error);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GObject) page = g_steal_pointer (&reading->page);
  g_autoptr (GError) error = NULL;
  Message *message = g_task_propagate_pointer (G_TASK (result), &error);

  reading->show (page, reading->job,
                 message != NULL ? &message->loaded : NULL, error);
  g_clear_pointer (&message, message_free);
}

/**
 * kymo_run_reading_start:
 * @page: is kept alive until the last call of @show
 * @job: progress and cancelling
 * @show: told of drafts and of the run
 */
void
kymo_run_reading_start (GObject *page, const char *path,
                        gboolean correct_clocks, KymoJob *job,
                        KymoLoadedFunc show)
{
  g_autoptr (GTask) task = g_task_new (NULL, kymo_job_peek_cancellable (job),
                                       on_read, NULL);
  Reading *reading = g_atomic_rc_box_new0 (Reading);

  reading->page = g_object_ref (page);
  reading->show = show;
  reading->job = g_object_ref (job);
  reading->path = g_strdup (path);
  reading->launch = kymo_remote_settings_dup_launch_of (path);
  reading->correct_clocks = correct_clocks;
  reading->memory_limit_bytes = kymo_settings_get_memory_limit ();
  g_task_set_task_data (task, reading, reading_unref);
  g_task_run_in_thread (task, read_thread);
}

/* -- keeping -------------------------------------------------------------- */

/* Nobody waits for it, and where it fails nothing is lost but time. */
static gpointer
keep_thread (gpointer data)
{
  g_autoptr (KymoSource) source = data;
  g_autoptr (GError) error = NULL;

  if (!kymo_source_keep (source, NULL, &error))
    g_info ("%s", error->message);
  return NULL;
}

static gboolean
keep_run_reading (gpointer source)
{
  g_thread_unref (g_thread_new ("kymo-keep", keep_thread,
                                g_object_ref (source)));
  return G_SOURCE_REMOVE;
}

/** kymo_run_reading_keep: keeps an exact run for the next opening */
void
kymo_run_reading_keep (KymoSource *source)
{
  /* The first pictures come before the disk is busy. */
  g_timeout_add_full (G_PRIORITY_LOW, KEEP_AFTER_MS, keep_run_reading,
                      g_object_ref (source), g_object_unref);
}
