/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving what a feed keeps, and going on with it, while frames come faster
 * than any program sends them; disks that do not take it.
 *
 * Here the work of the feed's thread is done on the test's, frame by frame.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "blocks.h"
#include "kymo-error.h"
#include "kymo-feed-private.h"
#include "scratch.h"

static Scratch scratch;

typedef struct
{
  gboolean done;
  GError  *error;
} Told;

/* The work of a feed without its thread is done here, too. */
static void
wait_done (Told *told)
{
  GMainContext *here = g_main_context_get_thread_default ();

  while (!told->done)
    if (!g_main_context_iteration (here, FALSE) && !g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  told->done = FALSE;
}

static KymoFeedWork *
begin_work (KymoFeedCore **core,
            gsize          ring_bytes)
{
  KymoCcsTarget *target = kymo_ccs_target_parse ("localhost:1", NULL, NULL, NULL);

  *core = kymo_feed_core_new (target, NULL);
  kymo_ccs_target_free (target);
  (*core)->ring_bytes = ring_bytes;
  g_main_context_push_thread_default ((*core)->context);
  (*core)->work = kymo_feed_work_new (*core);
  return (*core)->work;
}

static void
end_work (KymoFeedCore *core)
{
  g_clear_pointer (&core->work, kymo_feed_work_free);
  while (g_main_context_iteration (core->context, FALSE))
    ;
  g_main_context_pop_thread_default (core->context);
  kymo_feed_core_unref (core);
}

static void
task_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      data)
{
  Told *told = data;

  g_assert_cmpint (g_task_propagate_boolean (G_TASK (result), &told->error), ==,
                   told->error == NULL);
  told->done = TRUE;
}

static void
save (KymoFeedWork *work,
      const char   *path,
      gboolean      go_on,
      Told         *told)
{
  GMainContext *context = work->core->context;
  KymoFeedJob *job = g_new0 (KymoFeedJob, 1);

  /* Tasks answer where they were made. */
  g_main_context_pop_thread_default (context);
  *job = (KymoFeedJob) { g_task_new (NULL, NULL, task_cb, told), g_strdup (path), go_on };
  g_main_context_push_thread_default (context);
  kymo_feed_save_start (work, job);
  kymo_feed_job_abandon (job);
}

/* The text of MARK frames in the file, by number: begin, end, and whether none
   is missing or twice. */
static void
assert_marks (const char *path,
              guint       first,
              guint       n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, &error);
  guint found = 0;

  g_assert_no_error (error);
  while (TRUE)
    {
      g_autoptr (KymoStreamFrame) frame = kymo_stream_reader_next (reader, NULL);
      g_autofree char *text = frame != NULL ? kymo_stream_frame_dup_text (frame) : NULL;

      if (frame == NULL)
        break;
      g_assert_cmpint (frame->begin_ns, >=, 0);
      if (frame->kind != KYMO_FRAME_MARK)
        continue;
      g_assert_cmpuint (atoi (text), ==, first + found);
      found++;
    }
  g_assert_cmpuint (found, ==, n);
}

static void
take_mark (KymoFeedWork *work,
           guint         number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);
  g_autoptr (KymoStreamFrame) frame = kymo_stream_frame_new_text (KYMO_FRAME_MARK, 1000 + number,
                                                                  text);

  kymo_feed_work_take (work, frame);
}

/* Frames come all the while, faster than any program sends them. */
static void
test_seam (void)
{
  static const struct { gboolean go_on; guint at; } saves[] =
    { { FALSE, 100 }, { TRUE, 1000 }, { FALSE, 1001 }, { FALSE, 4000 }, { FALSE, 4999 } };
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 64 << 20);
  Told told[G_N_ELEMENTS (saves)] = { 0 };
  char *paths[G_N_ELEMENTS (saves)];
  g_autoptr (KymoStreamFrame) form = blocks_make_form (1000);

  kymo_feed_work_take (work, form);
  for (guint i = 0; i < 5000; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (saves); k++)
        if (saves[k].at == i)
          {
            g_autofree char *name = g_strdup_printf ("seam-%u%s", k, KYMO_STREAM_SUFFIX);

            paths[k] = scratch_path (&scratch, name);
            save (work, paths[k], saves[k].go_on, &told[k]);
          }
      take_mark (work, i);
      if (i % 50 == 0)
        {
          g_autoptr (KymoStreamFrame) reply = blocks_make_reply (1000 + i, i, 50);

          kymo_feed_work_take (work, reply);
        }
      g_main_context_iteration (core->context, FALSE);
    }
  kymo_feed_save_end (work);
  while (work->saves->len > 0)
    g_main_context_iteration (core->context, TRUE);
  for (guint k = 0; k < G_N_ELEMENTS (saves); k++)
    {
      wait_done (&told[k]);
      g_assert_no_error (told[k].error);
      assert_marks (paths[k], 0, saves[k].go_on ? 5000 : saves[k].at);
      g_free (paths[k]);
    }
  end_work (core);
}

/* A ring that holds little: what is left of it, then all that comes. */
static void
test_small_ring (void)
{
  g_autofree char *path = scratch_path (&scratch, "small.kymostream");
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 100 * 64);
  g_autoptr (KymoStreamFrame) form = blocks_make_form (1000);
  Told told = { 0 };
  guint kept;

  kymo_feed_work_take (work, form);
  for (guint i = 0; i < 1000; i++)
    take_mark (work, i);
  {
    g_autoptr (GPtrArray) frames = kymo_stream_ring_dup_frames (work->ring);

    kept = frames->len - 1;
    g_assert_cmpuint (kept, >, 50);
  }
  save (work, path, TRUE, &told);
  for (guint i = 1000; i < 1100; i++)
    take_mark (work, i);
  kymo_feed_save_end (work);
  while (work->saves->len > 0)
    g_main_context_iteration (core->context, TRUE);
  assert_marks (path, 1000 - kept, kept + 100);
  wait_done (&told);
  end_work (core);
}

static void
test_save_errors (void)
{
  g_autofree char *path = scratch_path (&scratch, "errors.kymostream");
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 1 << 20);
  Told told = { 0 };

  take_mark (work, 0);
  save (work, "/nowhere/at/all.kymostream", FALSE, &told);
  wait_done (&told);
  g_assert_error (told.error, KYMO_ERROR, KYMO_ERROR_WRITE);
  g_clear_error (&told.error);
  save (work, path, TRUE, &told);
  while (core->status.recording == NULL)
    g_main_context_iteration (core->context, TRUE);
  wait_done (&told);
  g_assert_no_error (told.error);
  g_assert_cmpstr (core->status.recording, ==, path);
  save (work, path, FALSE, &told);              /* it is there */
  wait_done (&told);
  g_assert_error (told.error, KYMO_ERROR, KYMO_ERROR_WRITE);
  g_clear_error (&told.error);
  save (work, "/tmp/never-made.kymostream", TRUE, &told);       /* one at a time */
  wait_done (&told);
  g_assert_error (told.error, KYMO_ERROR, KYMO_ERROR_USAGE);
  g_clear_error (&told.error);
  take_mark (work, 1);
  end_work (core);                              /* what came is in the file */
  assert_marks (path, 0, 2);
}

static void
limit_files (rlim_t bytes)
{
  struct rlimit limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* A disk that fills up: the stream goes on, the recording does not. */
static void
test_disk_full (void)
{
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 1 << 20);
  g_autofree char *path = scratch_path (&scratch, "full.kymostream");
  g_autoptr (KymoStreamFrame) form = blocks_make_form (1000);
  Told told = { 0 };

  kymo_feed_work_take (work, form);
  save (work, path, TRUE, &told);
  while (core->status.recording == NULL)
    g_main_context_iteration (core->context, TRUE);
  wait_done (&told);
  limit_files (10000);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (KymoStreamFrame) reply = blocks_make_reply (2000 + i, i, 50);

      kymo_feed_work_take (work, reply);
    }
  while (core->status.recording != NULL)
    g_main_context_iteration (core->context, TRUE);
  limit_files (RLIM_INFINITY);
  g_assert_cmpuint (core->alarms->len, ==, 1);
  g_assert_nonnull (strstr (core->alarms->pdata[0], "full.kymostream"));
  g_assert_cmpint (core->status.n_blocks, ==, 10);
  end_work (core);
}

/* --- The run's past is let go --- */

static void
test_let_go (void)
{
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 1 << 20);
  g_autoptr (KymoStreamFrame) form = blocks_make_form (1000);
  g_autoptr (KymoRun) first = NULL, last = NULL;

  kymo_feed_work_take (work, form);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (KymoStreamFrame) reply = blocks_make_reply (2000 + i, i, 50);
      gint64 before = work->published_us;

      kymo_feed_work_take (work, reply);
      while (work->published_us == before)
        g_main_context_iteration (core->context, TRUE);
      if (first == NULL)
        first = kymo_run_source_ref_run (core->source);
    }
  last = kymo_run_source_ref_run (core->source);
  g_assert_true (last != first);
  g_assert_true (g_atomic_ref_count_compare (&first->ref_count, 1));
  end_work (core);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static const char sts[] = "VERSION 11.0\nMACHINE \"x\"\nPROCESSORS 4\nTOTAL_CHARES 1\n"
  "TOTAL_EPS 1\nTOTAL_MSGS 1\nCHARE 0 \"Cell\" 1\nENTRY CHARE 1 \"go()\" 0 0\n"
  "MESSAGE 0 8\nEND\n";

static void
set_names (KymoFeedWork *work,
           const char   *path,
           Told         *told)
{
  GMainContext *context = work->core->context;
  KymoFeedJob *job = g_new0 (KymoFeedJob, 1);

  g_main_context_pop_thread_default (context);
  *job = (KymoFeedJob) { g_task_new (NULL, NULL, task_cb, told), g_strdup (path), FALSE };
  g_main_context_push_thread_default (context);
  kymo_feed_work_set_names (work, job);
  kymo_feed_job_abandon (job);
  wait_done (told);
  g_assert_no_error (told->error);
}

/* The names that came last in a recording. */
static GBytes *
read_names (const char *path)
{
  g_autoptr (KymoStreamReader) reader = kymo_stream_reader_new (path, NULL);
  GBytes *names = NULL;

  while (TRUE)
    {
      g_autoptr (KymoStreamFrame) frame = kymo_stream_reader_next (reader, NULL);

      if (frame == NULL)
        return names;
      if (frame->kind != KYMO_FRAME_NAMES)
        continue;
      g_clear_pointer (&names, g_bytes_unref);
      names = g_bytes_ref (frame->bytes);
    }
}

/* What is recorded are the names, whether an .sts had them or a recording. */
static void
test_recorded_names (void)
{
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 1 << 20);
  g_autofree char *from = scratch_path (&scratch, "names.util.sts");
  g_autofree char *first = scratch_path (&scratch, "names-1.kymostream");
  g_autofree char *second = scratch_path (&scratch, "names-2.kymostream");
  g_autoptr (GBytes) wanted = g_bytes_new_static (sts, strlen (sts));
  g_autoptr (GBytes) got = NULL;
  Told told = { 0 };

  g_assert_true (g_file_set_contents (from, sts, -1, NULL));
  set_names (work, from, &told);
  save (work, first, FALSE, &told);
  wait_done (&told);
  set_names (work, first, &told);
  save (work, second, FALSE, &told);
  wait_done (&told);
  got = read_names (second);
  g_assert_nonnull (got);
  g_assert_true (g_bytes_equal (got, wanted));
  end_work (core);
}

/* Blocks that come in a burst make pictures 30 times a second, and the last of
   them is soon there. */
static void
test_burst (void)
{
  KymoFeedCore *core;
  KymoFeedWork *work = begin_work (&core, 1 << 20);
  g_autoptr (KymoStreamFrame) form = blocks_make_form (1000);
  gint64 begin = g_get_monotonic_time (), last = 0, passed;
  guint n_published = 0;

  kymo_feed_work_take (work, form);
  for (guint i = 0; i < 500; i++)
    {
      g_autoptr (KymoStreamFrame) reply = blocks_make_reply (2000 + i, i % 9, 50);

      kymo_feed_work_take (work, reply);
      g_usleep (500);
      g_main_context_iteration (core->context, FALSE);
      n_published += work->published_us != last;
      last = work->published_us;
    }
  passed = g_get_monotonic_time () - begin;
  g_assert_cmpuint (n_published, >, 2);
  g_assert_cmpuint (n_published, <=, passed * 30 / G_USEC_PER_SEC + 2);
  while (work->publishing)
    g_main_context_iteration (core->context, TRUE);
  g_assert_cmpint (kymo_source_get_span (KYMO_SOURCE (core->source)).end_ns, ==,
                   500 * G_GINT64_CONSTANT (1000000000));
  g_assert_cmpint (g_get_monotonic_time () - begin - passed, <, 200000);
  end_work (core);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  scratch_up (&scratch, NULL);
  g_test_add_func ("/feed-save/seam", test_seam);
  g_test_add_func ("/feed-save/small-ring", test_small_ring);
  g_test_add_func ("/feed-save/errors", test_save_errors);
  g_test_add_func ("/feed-save/disk-full", test_disk_full);
  g_test_add_func ("/feed-save/let-go", test_let_go);
  g_test_add_func ("/feed-save/recorded-names", test_recorded_names);
  g_test_add_func ("/feed-save/burst", test_burst);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
