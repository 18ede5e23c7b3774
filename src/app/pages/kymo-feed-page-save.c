/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving what was seen, and recording what comes. What is written to a file
 * that was there replaces it when it is whole, not before.
 */
#include "config.h"

#include "kymo-feed-page-private.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "kymo-stream-file.h"
#include "kymo-units.h"

/** kymo_feed_page_say_recorded: a sentence with the file */
void
kymo_feed_page_say_recorded (KymoFeedPage *self, const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_utf8_make_valid (base, -1);
  g_autofree char *sentence = g_strdup_printf (_("Recorded to %s"), name);

  g_signal_emit_by_name (self, "saved", path, sentence);
}

/** kymo_feed_page_get_unsaved_ns: 0 for a playback */
gint64
kymo_feed_page_get_unsaved_ns (KymoFeedPage *self)
{
  KymoFeedStatus status = { 0 };
  gint64 unsaved;

  if (kymo_feed_is_playback (self->feed) || self->recording != NULL)
    return 0;
  kymo_feed_get_status (self->feed, &status);
  unsaved = MIN (status.kept_ns, status.end_ns - self->saved_ns);
  kymo_feed_status_clear (&status);
  return MAX (unsaved, 0);
}

/**
 * kymo_feed_page_dup_file_name:
 *
 * Returns: (transfer full): a name for a recording, without a folder: the program, or else its
 * address, and the local time
 */
char *
kymo_feed_page_dup_file_name (KymoFeedPage *self)
{
  g_autofree char *address = kymo_feed_dup_title (self->feed);
  g_autofree char *program = kymo_feed_page_program_of (self->names);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y%m%d-%H%M%S");
  char *name = g_strdup_printf ("%s-%s" KYMO_STREAM_SUFFIX,
                                program != NULL ? program : address, when);

  /* A colon is no part of a file name everywhere. */
  return g_strdelimit (name, ":/\\", '-');
}

typedef struct
{
  KymoFeedPage *page;
  char         *path, *aside;      /* aside: the file that was there, or NULL */
  gint64        end_ns, kept_ns;
  gboolean      go_on;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->page);
  g_free (saving->path);
  g_free (saving->aside);
  g_free (saving);
}

static char *
sentence_of (const Saving *saving)
{
  g_autofree char *base = g_path_get_basename (saving->path);
  g_autofree char *name = g_utf8_make_valid (base, -1);
  g_autofree char *length = kymo_format_duration (saving->kept_ns);

  return saving->go_on
         ? g_strdup_printf (_("Recording to %s, from %s ago on"), name, length)
         : g_strdup_printf (_("Saved %s to %s"), length, name);
}

static void
on_saved (GObject *feed, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  KymoFeedPage *self = saving->page;
  g_autoptr (GError) error = NULL;

  if (!kymo_feed_save_finish (KYMO_FEED (feed), result, &error))
    {
      if (saving->aside != NULL)
        g_rename (saving->aside, saving->path);
      kymo_page_say (KYMO_PAGE (self), error->message);
    }
  else
    {
      g_autofree char *sentence = sentence_of (saving);

      if (saving->aside != NULL)
        g_unlink (saving->aside);
      self->saved_ns = MAX (self->saved_ns, saving->end_ns);
      g_signal_emit_by_name (self, "saved", saving->path, sentence);
    }
  saving_free (saving);
}

/* A recording is never written over another; where the person said so, the old
   one goes when the new one is there. */
static void
move_aside (Saving *saving)
{
  if (!g_file_test (saving->path, G_FILE_TEST_IS_REGULAR))
    return;
  saving->aside = g_strdup_printf ("%s.%08x~", saving->path, g_random_int ());
  if (g_rename (saving->path, saving->aside) != 0)
    g_clear_pointer (&saving->aside, g_free);
}

/**
 * kymo_feed_page_save:
 * @path: without the suffix of recordings that suffix is added
 * @go_on: record the blocks that still come, too
 * @replace: whether the person agreed to replace the file at @path; a file at a path with an added
 *   suffix, and a file that is being recorded to, is never replaced
 *
 * Starts to save the part of the stream that is kept, and returns. An old file is moved aside, and
 * comes back where the new file cannot be written. The outcome is told by "saved" or "message".
 */
void
kymo_feed_page_save (KymoFeedPage *self, const char *path, gboolean go_on,
                     gboolean replace)
{
  KymoFeedStatus status = { 0 };
  Saving *saving = g_new0 (Saving, 1);

  kymo_feed_get_status (self->feed, &status);
  saving->page = g_object_ref (self);
  saving->path = g_str_has_suffix (path, KYMO_STREAM_SUFFIX)
                 ? g_strdup (path) : g_strconcat (path, KYMO_STREAM_SUFFIX,
                                                  NULL);
  saving->end_ns = status.end_ns;
  saving->kept_ns = status.kept_ns;
  saving->go_on = go_on;
  kymo_feed_status_clear (&status);
  if (replace && g_strcmp0 (path, saving->path) == 0
      && !kymo_feed_page_is_recorded_to (path))
    move_aside (saving);
  kymo_feed_save_async (self->feed, saving->path, go_on, on_saved, saving);
}

/**
 * kymo_feed_page_stop_recording:
 * @at_once: tell of it now, for the page goes; else when the file is whole
 */
void
kymo_feed_page_stop_recording (KymoFeedPage *self, gboolean at_once)
{
  g_autofree char *path = g_strdup (self->recording);

  if (path == NULL || self->ending)
    return;
  self->ending = !at_once;
  kymo_feed_stop_recording (self->feed);
  if (at_once)
    kymo_feed_page_say_recorded (self, path);
}
