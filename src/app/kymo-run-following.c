/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reading is shared with the worker thread by reference count; once it is stopped the
 * worker's result is dropped.
 */
#include "config.h"

#include "kymo-run-following.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "kymo-open.h"
#include "kymo-run-source.h"
#include "kymo-settings.h"

#define LEAST_WAIT_MS 1000
#define MOST_WAIT_MS 60000
/* Of the time at most one part in so many is spent reading. */
#define DUTY 20

struct _KymoRunFollowing
{
  KymoRunSource *source;
  char          *path;
  gboolean       correct_clocks;
  gint64         memory_limit_bytes;
  KymoJob       *job;              /* cancelled when it is stopped */
  guint64        seen;             /* what the files were like when they were read; the
                                      worker's */
  gint64         read_us;          /* how long the last reading took; the worker's */
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
}

static void
following_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, following_clear);
}

/* Changes with every file that grows or comes. */
static guint64
fingerprint (const char *path)
{
  g_autofree char *folder = g_file_test (path, G_FILE_TEST_IS_DIR)
    ? g_strdup (path) : g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint64 sum = 1;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL);
      GStatBuf info;

      if (g_stat (file, &info) == 0)
        sum += g_str_hash (name) * (guint64) 2654435761u
               + (guint64) info.st_size * 31 + (guint64) info.st_mtime;
    }
  return sum;
}

/** Grown: what a reading tells; @info is NULL where nothing was written */
typedef struct
{
  KymoTable *info;
  gboolean   ended;
} Grown;

static void
grown_free (gpointer data)
{
  g_clear_pointer (&((Grown *) data)->info, kymo_table_unref);
  g_free (data);
}

static KymoRun *
read_run (KymoRunFollowing *self)
{
  KymoOpenOptions options = {
    .correct_clocks = self->correct_clocks,
    .memory_limit_bytes = self->memory_limit_bytes,
    .no_cache = TRUE,
  };
  gint64 begin_us = g_get_monotonic_time ();
  KymoRun *run = kymo_open_run (self->path, &options, self->job, NULL);

  self->read_us = g_get_monotonic_time () - begin_us;
  return run;
}

/* A folder that cannot be read just now is looked at again. A run that will not grow any
   more is read once more, for it may say so only by the age of its files. */
static void
read_thread (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  KymoRunFollowing *self = data;
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  Grown *grown = g_new0 (Grown, 1);
  guint64 now = fingerprint (self->path);
  g_autoptr (KymoRun) run = read_run (self);

  if (run != NULL && (now != self->seen || !run->growing))
    {
      self->seen = now;
      grown->ended = !run->growing;
      kymo_run_source_set_run (self->source, run);
      grown->info = kymo_source_ask (KYMO_SOURCE (self->source), question, cancellable, NULL);
    }
  g_task_return_pointer (task, grown, grown_free);
}

static void wait_and_read (KymoRunFollowing *self);

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  KymoRunFollowing *self = g_task_get_task_data (G_TASK (result));
  Grown *grown = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->grown != NULL && grown != NULL)
    {
      if (!grown->ended)
        wait_and_read (self);
      if (grown->info != NULL)
        self->grown (self->data, grown->info, grown->ended);
    }
  g_clear_pointer (&grown, grown_free);
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
  gint64 wait_ms = CLAMP (self->read_us * DUTY / 1000, LEAST_WAIT_MS, MOST_WAIT_MS);

  self->timer = g_timeout_add (wait_ms, on_time, self);
}

/**
 * kymo_run_following_start:
 * @source: a #KymoRunSource, whose run says that it grows
 * @path: what was opened
 * @read_us: how long that took
 * @grown: told on the main thread of each change
 *
 * Returns: (transfer full): to be stopped by whoever started it
 */
KymoRunFollowing *
kymo_run_following_start (KymoSource *source, const char *path, gboolean correct_clocks,
                          gint64 read_us, KymoGrownFunc grown, gpointer data)
{
  KymoRunFollowing *self = g_atomic_rc_box_new0 (KymoRunFollowing);

  self->source = g_object_ref (KYMO_RUN_SOURCE (source));
  self->path = g_strdup (path);
  self->correct_clocks = correct_clocks;
  self->memory_limit_bytes = kymo_settings_get_memory_limit ();
  self->job = kymo_job_new ();
  self->read_us = read_us;
  self->grown = grown;
  self->data = data;
  wait_and_read (self);
  return self;
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
