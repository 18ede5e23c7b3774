/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reading is shared with the worker thread by reference count; once it is stopped the
 * worker's result is dropped.
 */
#include "config.h"

#include "kymo-file-stamp.h"
#include "kymo-run-following.h"

#include <gio/gio.h>

#include "kymo-open.h"
#include "kymo-run-source.h"

#define MOST_WAIT_MS 60000
/* At most this fraction of time is spent looking and reading. */
#define DUTY 20
/* Each time it waits twice as long: a minute in all. */
#define MOST_FAILURES 6

static guint least_wait_ms = 1000;

struct _KymoRunFollowing
{
  KymoSource    *source;
  char          *path, *base, *roles;
  KymoOpenOptions options;         /* its strings are these */
  KymoJob       *job;              /* cancelled when it is stopped */
  guint64        seen;             /* what the files were like when they were read, 0 = not
                                      yet; the worker's */
  gint64         cost_us;          /* of the last look, and reading; the worker's */
  guint          n_failures;       /* in a row */
  guint          timer;
  KymoGrownFunc  grown;            /* NULL once it is stopped */
  gpointer       data;
};

static void
following_clear (gpointer data)
{
  KymoRunFollowing *self = data;

  g_clear_object (&self->source);
  g_clear_object (&self->job);
  g_free (self->path);
  g_free (self->base);
  g_free (self->roles);
}

static void
following_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, following_clear);
}

/** Grown: what a reading tells; neither @info nor @error where nothing was written */
typedef struct
{
  KymoTable *info;
  GError    *error;
  gboolean   ended;
} Grown;

static void
grown_free (gpointer data)
{
  g_clear_pointer (&((Grown *) data)->info, kymo_table_unref);
  g_clear_error (&((Grown *) data)->error);
  g_free (data);
}

/* The run is the source's when this has been answered. */
static void
take_run (KymoRunFollowing *self, KymoRun *run, Grown *grown)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");

  kymo_source_set_run (self->source, run);
  grown->ended = !run->growing;
  grown->info = kymo_source_ask (self->source, question,
                                 kymo_job_peek_cancellable (self->job), &grown->error);
}

/* A run that will not grow any more is taken even where its files did not change: it may
   say so only by their age. */
static void
read_run (KymoRunFollowing *self, guint64 now, Grown *grown)
{
  g_autoptr (KymoRun) run = kymo_open_run (self->path, &self->options, self->job, &grown->error);

  if (run == NULL || kymo_job_is_cancelled (self->job))
    return;
  if (now != self->seen || !run->growing)
    take_run (self, run, grown);
  self->seen = grown->error == NULL ? now : 0;
}

/* Files that no process writes any more are read once again, for a run may have ended by
   their age alone; a folder that is gone, for the words that tell it. */
static void
read_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  KymoRunFollowing *self = data;
  gint64 begin_us = g_get_monotonic_time ();
  Grown *grown = g_new0 (Grown, 1);
  KymoGrowth growth;

  if (!kymo_growth_look (self->path, &growth, NULL) || growth.fingerprint != self->seen
      || !growth.recent)
    read_run (self, growth.fingerprint, grown);
  self->cost_us = g_get_monotonic_time () - begin_us;
  g_task_return_pointer (task, grown, grown_free);
}

static void wait_and_read (KymoRunFollowing *self);

/* What fails may be a file that is being replaced just now. */
static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoRunFollowing *self = g_task_get_task_data (G_TASK (result));
  Grown *grown = g_task_propagate_pointer (G_TASK (result), NULL);

  self->n_failures = grown->error != NULL ? self->n_failures + 1 : 0;
  if (self->grown != NULL)
    {
      gboolean given_up = self->n_failures >= MOST_FAILURES;
      gboolean ended = given_up || (grown->info != NULL && grown->ended);

      if (!ended)
        wait_and_read (self);
      if (grown->info != NULL || given_up)
        self->grown (self->data, grown->info, ended, grown->error);
    }
  grown_free (grown);
}

static gboolean
on_time (gpointer data)
{
  KymoRunFollowing *self = data;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_read, NULL);

  self->timer = 0;
  g_task_set_task_data (task, g_atomic_rc_box_acquire (self), following_unref);
  g_task_run_in_thread (task, read_thread);
  return G_SOURCE_REMOVE;
}

static void
wait_and_read (KymoRunFollowing *self)
{
  gint64 wait_ms = CLAMP (self->cost_us * DUTY / 1000, least_wait_ms << self->n_failures,
                          MOST_WAIT_MS);

  self->timer = g_timeout_add (wait_ms, on_time, self);
}

/**
 * kymo_run_following_start:
 * @source: with a run in memory, which says that it grows
 * @path: what was opened
 * @options: with which options; copied. Those of a single opening, as drafts, do not count
 * @read_us: how long that took
 * @grown: told on the main thread of each change; may stop it
 *
 * Returns: (transfer full): to be stopped by the caller
 */
KymoRunFollowing *
kymo_run_following_start (KymoSource *source, const char *path, const KymoOpenOptions *options,
                          gint64 read_us, KymoGrownFunc grown, gpointer data)
{
  KymoRunFollowing *self = g_atomic_rc_box_new0 (KymoRunFollowing);

  self->source = g_object_ref (source);
  self->path = g_strdup (path);
  self->base = g_strdup (options->base);
  self->roles = g_strdup (options->roles);
  self->options = (KymoOpenOptions) {
    .base = self->base, .roles = self->roles, .again = TRUE, .no_cache = TRUE,
    .n_threads = options->n_threads, .correct_clocks = options->correct_clocks,
    .memory_limit_bytes = options->memory_limit_bytes,
  };
  self->job = kymo_job_new ();
  self->cost_us = read_us;
  self->grown = grown;
  self->data = data;
  wait_and_read (self);
  return self;
}

/**
 * kymo_run_following_set_least_wait:
 * @ms: at least so long nothing is looked at; a second as the program starts
 *
 * For all that are followed from then on; tests have no second to spare.
 */
void
kymo_run_following_set_least_wait (guint ms)
{
  least_wait_ms = CLAMP (ms, 1, 1000);
}

/** kymo_run_following_stop: @self: (transfer full) (nullable): nothing is told after */
void
kymo_run_following_stop (KymoRunFollowing *self)
{
  if (self == NULL)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  kymo_job_cancel (self->job);
  self->grown = NULL;
  following_unref (self);
}
