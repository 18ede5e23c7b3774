/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "watcher.h"

#include <string.h>

#define TIMEOUT_S 120

static void
take_frame (KymoStreamFrame *frame,
            gpointer         data)
{
  Watcher *watcher = data;

  g_assert_cmpint (frame->begin_ns, ==, KYMO_FRAME_NO_TIME);
  g_assert_cmpint (frame->at_us, >, 0);
  g_ptr_array_add (watcher->frames, kymo_stream_frame_ref (frame));
}

static void
take_state (KymoAttachmentState  state,
            const char          *sentence,
            gint64               retry_us,
            gpointer             data)
{
  Watcher *watcher = data;

  g_assert_true (g_utf8_validate (sentence, -1, NULL));
  g_assert_cmpint (retry_us != 0, ==, state == KYMO_ATTACHMENT_WAITING);
  g_string_append_printf (watcher->told, "%d: %s", state, sentence);
  if (retry_us > 0)
    g_string_append_printf (watcher->told, "; trying again in %.1g s",
                            (retry_us - g_get_monotonic_time ()) / (double) G_USEC_PER_SEC);
  g_string_append_c (watcher->told, '\n');
  if (state == watcher->until)
    g_main_loop_quit (watcher->loop);
}

static gboolean
give_up (gpointer data)
{
  Watcher *watcher = data;

  watcher->in_time = FALSE;
  g_main_loop_quit (watcher->loop);
  return G_SOURCE_CONTINUE;
}

/* Follows until it is in a state. */
Watcher *
watcher_follow (const char *text, double haste, KymoAttachmentState until)
{
  const KymoAttachmentEvents events = { take_frame, take_state };
  g_autoptr (KymoCcsTarget) target = kymo_ccs_target_parse (text, NULL, NULL, NULL);
  Watcher *watcher = g_new0 (Watcher, 1);
  guint timer = g_timeout_add_seconds (TIMEOUT_S, give_up, watcher);

  watcher->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_stream_frame_unref);
  watcher->told = g_string_new (NULL);
  watcher->loop = g_main_loop_new (NULL, FALSE);
  watcher->until = until;
  watcher->in_time = TRUE;
  watcher->attachment = kymo_attachment_new_hasty (target, &events, watcher, haste);
  kymo_attachment_start (watcher->attachment);
  g_main_loop_run (watcher->loop);
  g_source_remove (timer);
  if (!watcher->in_time)
    g_test_message ("told:\n%s", watcher->told->str);
  g_assert_true (watcher->in_time);
  return watcher;
}

Watcher *
watcher_follow_port_at (Play *play, double haste, KymoAttachmentState until)
{
  g_autofree char *text = g_strdup_printf ("127.0.0.1:%u", play_get_port (play));

  return watcher_follow (text, haste, until);
}

Watcher *
watcher_follow_port (Play *play, KymoAttachmentState until)
{
  return watcher_follow_port_at (play, HASTE, until);
}

void
watcher_free (Watcher *watcher)
{
  kymo_attachment_free (watcher->attachment);
  g_ptr_array_unref (watcher->frames);
  g_string_free (watcher->told, TRUE);
  g_main_loop_unref (watcher->loop);
  g_free (watcher);
}

/* "F" form, "b" block, "-" nothing, "L" lost, "S" state, "E" end. */
char *
watcher_dup_kinds (Watcher *watcher)
{
  GString *kinds = g_string_new (NULL);

  for (guint i = 0; i < watcher->frames->len; i++)
    {
      KymoStreamFrame *frame = watcher->frames->pdata[i];
      gsize n = g_bytes_get_size (frame->bytes);

      if (frame->kind == KYMO_FRAME_REPLY)
        g_string_append_c (kinds, n == 0 ? '0' : n == 1 || n == 4 ? '-' : 'b');
      else
        g_string_append_c (kinds, "?F?LNMSE"[frame->kind]);
    }
  return g_string_free (kinds, FALSE);
}

char *
watcher_dup_text_of (Watcher *watcher, KymoFrameKind kind)
{
  for (guint i = 0; i < watcher->frames->len; i++)
    {
      KymoStreamFrame *frame = watcher->frames->pdata[i];

      if (frame->kind == kind)
        return kymo_stream_frame_dup_text (frame);
    }
  return NULL;
}

GBytes *
watched_arch (gboolean big_endian)
{
  const guint8 bytes[8] = { 8, 10, 2, big_endian ? 2 : 1, 4, 8, 8, 1 };

  return g_bytes_new (bytes, sizeof bytes);
}

GBytes *
watched_info (guint n_pes)
{
  g_autofree guint32 *words = g_new (guint32, n_pes + 1);

  words[0] = GUINT32_TO_BE (n_pes);
  for (guint i = 0; i < n_pes; i++)
    words[i + 1] = GUINT32_TO_BE (1);
  return g_bytes_new (words, 4 * (n_pes + 1));
}

GBytes *
watched_nothing (void)
{
  return g_bytes_new ("\0\0\0\0", 4);
}

/* 1,000 bins of no records. */
GBytes *
watched_block (guint n_pes)
{
  g_autofree guint8 *bytes = g_malloc0 (8 + 2000);
  guint32 words[2] = { GUINT32_TO_LE (1000), GUINT32_TO_LE (n_pes) };

  memcpy (bytes, words, 8);
  return g_bytes_new (bytes, 8 + 2000);
}

Play *
watched_play_begin (guint n_pes)
{
  Play *play = play_new (FALSE);

  play_add (play, ARCH, PLAY_REPLY, watched_arch (FALSE));
  play_add (play, INFO, PLAY_REPLY, watched_info (n_pes));
  return play;
}
