/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The *position* is the time, in microseconds of the recording, that was
 * played; it goes on with the clock, `speed` times as fast, from an anchor
 * that is set anew when the speed changes and where something was sought. The
 * next frame is due at its own position.
 */
#include "config.h"

#include "kymo-feed-playback.h"

#include <fcntl.h>

#include "kymo-span.h"
#include "kymo-stream-scan.h"
#include "kymo-timer.h"

#define SLICE_US 5000
#define SLOWEST 0.25
#define FASTEST 16.0
/** what is looked at first for the last block of a recording */
#define TAIL_BYTES (256 << 10)

struct _KymoFeedPlayback
{
  KymoFeedPlaybackEvents events;
  gpointer               data;
  KymoStreamReader      *reader;
  KymoStreamFrame       *next;          /* NULL = at the end */
  gint64                 next_us;       /* its position */
  gint64                 last_us;       /* of the frame before it */
  gint64                 last_at_us;    /* when that came, or G_MININT64 */
  gint64                 anchor_us;     /* position at … */
  gint64                 anchor_at_us;  /* … this monotonic time */
  double                 speed;
  gint64                 sought_ns;     /* -1 = nothing */
  gboolean               told_end;
  GSource               *timer;
};

static gint64
get_position (const KymoFeedPlayback *playback)
{
  gint64 passed = g_get_monotonic_time () - playback->anchor_at_us;
  double position = playback->anchor_us + passed * playback->speed;

  /* Where reading frames is slow the clock waits at the next frame. */
  return playback->next != NULL && position > playback->next_us ? playback->next_us : position;
}

static void
set_anchor (KymoFeedPlayback *playback,
            gint64            position_us)
{
  playback->anchor_us = position_us;
  playback->anchor_at_us = g_get_monotonic_time ();
}

static void
read_next (KymoFeedPlayback *playback)
{
  gint64 step = 0;

  g_clear_pointer (&playback->next, kymo_stream_frame_unref);
  playback->next = kymo_stream_reader_next (playback->reader, NULL);
  if (playback->next == NULL)
    return;
  playback->last_us = playback->next_us;
  if (playback->last_at_us != G_MININT64)
    __builtin_sub_overflow (playback->next->at_us, playback->last_at_us, &step);
  playback->next_us = kymo_saturating_add (playback->last_us, CLAMP (step, 0, G_MAXINT64 / 4));
  playback->next_us = MIN (playback->next_us, G_MAXINT64 / 4);
  playback->last_at_us = playback->next->at_us;
}

static void
rewind_all (KymoFeedPlayback *playback)
{
  kymo_stream_reader_rewind (playback->reader);
  playback->next_us = playback->last_us = 0;
  playback->last_at_us = G_MININT64;
  playback->told_end = FALSE;
  read_next (playback);
}

static void
give_next (KymoFeedPlayback *playback)
{
  g_autoptr (KymoStreamFrame) frame = g_steal_pointer (&playback->next);

  read_next (playback);
  playback->events.frame (frame, playback->data);
}

static void
set_timer (KymoFeedPlayback *playback)
{
  gint64 now = g_get_monotonic_time ();
  double wait;

  if (playback->sought_ns >= 0 || (playback->next == NULL && !playback->told_end))
    kymo_timer_set (playback->timer, now);
  else if (playback->next == NULL || playback->speed == 0)
    kymo_timer_set (playback->timer, -1);
  else
    {
      wait = (playback->next_us - playback->anchor_us) / playback->speed;
      kymo_timer_set (playback->timer,
                      wait < 1e15 ? MAX (now, playback->anchor_at_us + (gint64) wait) : -1);
    }
}

/* Gives frames until the position that is sought, or the end, is reached; FALSE where the slice of
   time ended before. */
static gboolean
seek_slice (KymoFeedPlayback *playback)
{
  gint64 until = g_get_monotonic_time () + SLICE_US;

  while (playback->next != NULL && playback->events.end_ns (playback->data) < playback->sought_ns)
    {
      give_next (playback);
      if (g_get_monotonic_time () >= until)
        return FALSE;
    }
  return TRUE;
}

static void
play_slice (KymoFeedPlayback *playback)
{
  gint64 until = g_get_monotonic_time () + SLICE_US;

  while (playback->next != NULL && playback->speed > 0
         && playback->next_us <= get_position (playback))
    {
      /* Late frames come at once, but the pace is that of the recording. */
      if (g_get_monotonic_time () >= until)
        break;
      give_next (playback);
    }
}

static void
timer_cb (gpointer data)
{
  KymoFeedPlayback *playback = data;

  if (playback->sought_ns >= 0 && seek_slice (playback))
    {
      playback->sought_ns = -1;
      set_anchor (playback, playback->next != NULL ? playback->last_us : playback->next_us);
      playback->events.sought (playback->data);
    }
  else if (playback->sought_ns < 0)
    play_slice (playback);
  if (playback->next == NULL && playback->sought_ns < 0 && !playback->told_end)
    {
      playback->told_end = TRUE;
      playback->events.ended (playback->data);
    }
  set_timer (playback);
}

/**
 * kymo_feed_playback_new:
 * @path: a recording
 * @events: callbacks; copied
 * @data: for the callbacks
 * @cancellable: (nullable): nothing is read after; the recording may be on another machine
 *
 * Begins to play at once, at speed 1. Sets the error of kymo_stream_reader_new() if the file
 * is no recording.
 *
 * Returns: (transfer full) (nullable): free with kymo_feed_playback_free()
 */
KymoFeedPlayback *
kymo_feed_playback_new (const char                    *path,
                        const KymoFeedPlaybackEvents  *events,
                        gpointer                       data,
                        GCancellable                  *cancellable,
                        GError                       **error)
{
  KymoStreamReader *reader = kymo_stream_reader_new (path, error);
  KymoFeedPlayback *playback;

  if (reader == NULL)
    return NULL;
  kymo_stream_reader_set_cancellable (reader, cancellable);
  playback = g_new0 (KymoFeedPlayback, 1);
  playback->events = *events;
  playback->data = data;
  playback->reader = reader;
  playback->speed = 1;
  playback->sought_ns = -1;
  playback->timer = kymo_timer_new (g_main_context_get_thread_default (), timer_cb, playback);
  rewind_all (playback);
  set_anchor (playback, 0);
  set_timer (playback);
  return playback;
}

/**
 * kymo_feed_playback_free:
 *
 * Stops playing and frees the playback; no callback is called any more. %NULL is ignored.
 */
void
kymo_feed_playback_free (KymoFeedPlayback *playback)
{
  if (playback == NULL)
    return;
  kymo_timer_free (playback->timer);
  g_clear_pointer (&playback->next, kymo_stream_frame_unref);
  kymo_stream_reader_free (playback->reader);
  g_free (playback);
}

/**
 * kymo_feed_playback_set_speed:
 * @speed: 0.25 to 16; 0 = stand still
 *
 * Returns: what is played at from now on
 */
double
kymo_feed_playback_set_speed (KymoFeedPlayback *playback,
                              double            speed)
{
  set_anchor (playback, get_position (playback));
  playback->speed = speed > 0 ? CLAMP (speed, SLOWEST, FASTEST) : 0;
  set_timer (playback);
  return playback->speed;
}

/**
 * kymo_feed_playback_seek:
 * @time_ns: of the program; what came ends with the block that holds it, and
 *   holds one block at least
 *
 * Takes the place of one that is under way.
 */
void
kymo_feed_playback_seek (KymoFeedPlayback *playback,
                         gint64            time_ns)
{
  playback->sought_ns = MAX (time_ns, 1);
  if (playback->sought_ns < playback->events.end_ns (playback->data))
    {
      playback->events.reset (playback->data);
      rewind_all (playback);
    }
  playback->told_end = FALSE;
  set_timer (playback);
}

/**
 * kymo_feed_playback_is_seeking:
 *
 * Returns: TRUE while blocks are read up to the time of kymo_feed_playback_seek()
 */
gboolean
kymo_feed_playback_is_seeking (const KymoFeedPlayback *playback)
{
  return playback->sought_ns >= 0;
}

/**
 * kymo_feed_playback_peek_failure:
 *
 * Returns: (nullable): why nothing more could be read, where the recording did not just end
 */
const char *
kymo_feed_playback_peek_failure (const KymoFeedPlayback *playback)
{
  return kymo_stream_reader_peek_failure (playback->reader);
}

/* --- How long it is --- */

static KymoStreamFrame *
read_frame (KymoStreamScan       *scan,
            gint64                at,
            const KymoStreamHead *head)
{
  g_autofree guint8 *payload = g_try_malloc (MAX (head->n_bytes, 1));
  g_autoptr (GBytes) bytes = NULL;
  KymoStreamFrame *frame;

  if (payload == NULL || head->n_bytes > scan->size - at
      || kymo_stream_scan_read (scan, at + KYMO_STREAM_FRAME_BYTES, payload, head->n_bytes)
         != head->n_bytes)
    return NULL;
  bytes = g_bytes_new_take (g_steal_pointer (&payload), head->n_bytes);
  frame = kymo_stream_frame_new (head->kind, head->at_us, bytes);
  frame->begin_ns = MAX (head->begin_ns, KYMO_FRAME_NO_TIME);
  return frame;
}

/* The frames from `at` on go to the decoder, up to `n_most`: forms, and what
   has a time of its own, for others are elsewhere when not all are read. How
   many blocks that was. */
static guint
decode_from (KymoStreamScan    *scan,
             KymoStreamDecoder *decoder,
             gint64             at,
             guint              n_most)
{
  gboolean all = at == 0;
  KymoStreamHead head;
  guint n_blocks = 0;

  for (guint i = 0; i < n_most && (at = kymo_stream_scan_find (scan, at, &head)) >= 0; i++)
    {
      g_autoptr (KymoStreamFrame) frame = read_frame (scan, at, &head);

      if (frame == NULL)
        at++;
      else
        {
          at += KYMO_STREAM_FRAME_BYTES + head.n_bytes;
          if ((all || frame->begin_ns >= 0 || frame->kind == KYMO_FRAME_FORM)
              && (kymo_stream_decoder_take (decoder, frame, NULL, NULL) == KYMO_STREAM_BLOCK
                  || frame->kind == KYMO_FRAME_LOST))
            n_blocks++;
        }
    }
  return n_blocks;
}

/**
 * kymo_feed_playback_find_length:
 * @path: a recording
 * @cancellable: (nullable): ends the looking
 *
 * Finds the length of a recording without reading all of it: from its last blocks, which tell
 * their own times. The form is looked for at the begin of the file.
 *
 * Returns: the end of the last block in nanoseconds of the program; 0 if there is none or the
 *   file cannot be read
 */
gint64
kymo_feed_playback_find_length (const char   *path,
                                GCancellable *cancellable)
{
  KymoStreamScan scan;
  gint64 length = 0;

  if (kymo_stream_scan_init (&scan, path, O_RDONLY, cancellable, NULL))
    for (gint64 tail = TAIL_BYTES;; tail *= 16)
      {
        g_autoptr (KymoStreamDecoder) decoder = kymo_stream_decoder_new ();

        if (tail < scan.size)
          decode_from (&scan, decoder, 0, 1);
        if (decode_from (&scan, decoder, MAX (scan.size - tail, 0), G_MAXUINT) > 0
            || tail >= scan.size)
          {
            length = kymo_stream_decoder_get_next_ns (decoder);
            break;
          }
      }
  kymo_stream_scan_clear (&scan);
  return length;
}
