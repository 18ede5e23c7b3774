/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping the pace of the program.
 *
 * While blocks come the next is asked for at once; so history is caught up
 * with, and the last answer is always "nothing". The next block is due one
 * interval after the one before; it is asked for AFTER_DUE_US later, and from
 * then on every 100 to 250 ms. The interval is that of the last blocks; when
 * a block was ready is only known to lie between two requests, so the
 * estimate creeps forward, faster with every block that was there at once
 * (by EARLIER_US, twice that, …), until a request comes too early, and is set
 * right by the answer to the one after it. So the delay stays near
 * AFTER_DUE_US, however long the session is.
 *
 * What this costs the program: with a block a second two requests a second
 * (the block, and the "nothing" after it) and one more every few blocks; while
 * a block is overdue, four a second; never more than ten that bring nothing.
 * Each takes PE 0 between two entry methods, and prints a line of its output.
 */
#include "config.h"

#include "kymo-attachment-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-bytes.h"

#define AFTER_DUE_US (120 * 1000)
#define EARLIER_US (8 * 1000)
#define FIRST_PAUSE_US (100 * 1000)
#define LAST_PAUSE_US (250 * 1000)
#define NOMINAL_US (1 * G_USEC_PER_SEC)
/* Blocks without a pause between them that show that the stream is behind. */
#define BURST 3
/* Empty answers in a row that show that the handler is gone. */
#define MAX_EMPTY 10

/* Another client takes blocks, or the program drops them, where the program's
   time gets so much further behind than it was in the last blocks. */
#define BEHIND_US (1 * G_USEC_PER_SEC)
/* Clocks drift by some 10 µs a second: against the last ten minutes, never
   against the begin of a session that may last for a week. */
#define STRETCH_BLOCKS 300

/* -- the pace --------------------------------------------------------------- */

/* Mean of the last blocks, however many of them came at once. A program that
   stands for long must not make the next block wait as long. */
static gint64
get_interval (const KymoPace *pace)
{
  gint64 nominal_us = pace->block_us > 0 ? pace->block_us : NOMINAL_US;
  guint n = MIN (pace->n_arrived, KYMO_PACE_BLOCKS);
  gint64 first, last;

  if (n < 3)
    return nominal_us;
  last = pace->arrived_us[(pace->n_arrived - 1) % KYMO_PACE_BLOCKS];
  first = pace->arrived_us[(pace->n_arrived - n) % KYMO_PACE_BLOCKS];
  return MIN ((last - first) / (n - 1), 2 * nominal_us);
}

static void
pace_block (KymoPace *pace,
            gint64    block_us,
            gint64    now_us)
{
  gint64 due_us = pace->ready_us + get_interval (pace);

  pace->n_at_once++;
  pace->in_phase |= pace->overdue;
  if (pace->ready_us == 0 || pace->overdue || !pace->caught_up)
    pace->ready_us = now_us;
  else
    pace->ready_us = MIN (now_us, due_us - EARLIER_US * ++pace->n_in_time);
  pace->block_us = block_us;
  pace->overdue = FALSE;
  pace->pause_us = FIRST_PAUSE_US;
  /* History comes as fast as it can. */
  if (!pace->caught_up)
    return;
  pace->arrived_us[pace->n_arrived++ % KYMO_PACE_BLOCKS] = now_us;
  /* The ring's index goes on for weeks. */
  if (pace->n_arrived >= 1000 * KYMO_PACE_BLOCKS)
    pace->n_arrived = 900 * KYMO_PACE_BLOCKS;
}

/* Pause after a reply without a new block. */
static gint64
pace_nothing (KymoPace *pace,
              gint64    now_us)
{
  gint64 due_us = pace->ready_us + get_interval (pace);
  gint64 pause_us = MAX (pace->pause_us, FIRST_PAUSE_US);

  pace->caught_up = TRUE;
  pace->n_at_once = 0;
  /* The moment at which the first blocks were ready is unknown. */
  if (pace->in_phase && now_us < due_us)
    return MAX (due_us + AFTER_DUE_US - now_us, FIRST_PAUSE_US);
  pace->overdue = TRUE;
  pace->n_in_time = 0;
  pace->pause_us = MIN (pause_us * 5 / 4, LAST_PAUSE_US);
  return pause_us;
}

/* -- the program's time ----------------------------------------------------- */

/* Bins of a block are 1 ms. One that lies about them is left to the decoder. */
static gint64
get_block_us (KymoAttachment *self,
              GBytes         *reply)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (reply, &n_bytes);
  guint32 n_bins = 0;
  guint32 most = self->form.kind == KYMO_STREAM_DETAIL ? KYMO_STREAM_MAX_BINS
    : KYMO_STREAM_MAX_SUMMARY_BINS;

  if (self->form.kind == KYMO_STREAM_DOUBLES)
    n_bins = n_bytes / sizeof (double);
  else if (self->form.kind == KYMO_STREAM_SHARES)
    n_bins = n_bytes;
  else if (n_bytes >= 4)
    n_bins = kymo_get_32 (bytes, self->form.big_endian);
  return n_bins > 0 && n_bins <= most ? n_bins * G_GINT64_CONSTANT (1000)
         : NOMINAL_US;
}

static gint64
get_smallest_recent (const KymoPace *pace)
{
  gint64 smallest_us = G_MAXINT64;

  for (guint i = 0; i < MIN (pace->n_delays, KYMO_PACE_DELAYS); i++)
    smallest_us = MIN (smallest_us, pace->delays_us[i]);
  return smallest_us;
}

/* The smallest delay of the last blocks, for a block may be late for many
   reasons, but none is early. */
static void
look_behind (KymoAttachment *self,
             gint64          block_us,
             gint64          now_us)
{
  KymoPace *pace = &self->pace;
  gint64 delay_us;

  pace->program_us += block_us;
  delay_us = now_us - pace->program_us;
  pace->delays_us[pace->n_delays % KYMO_PACE_DELAYS] = delay_us;
  if (pace->n_delays == 0)
    pace->smallest_us = pace->next_smallest_us = delay_us;
  if (++pace->n_delays % STRETCH_BLOCKS == 0)
    {
      pace->smallest_us = pace->next_smallest_us;
      pace->next_smallest_us = delay_us;
    }
  pace->smallest_us = MIN (pace->smallest_us, delay_us);
  pace->next_smallest_us = MIN (pace->next_smallest_us, delay_us);
  if (pace->told_behind || pace->n_delays < KYMO_PACE_DELAYS
      || get_smallest_recent (pace) < pace->smallest_us + BEHIND_US)
    return;
  pace->told_behind = TRUE;
  kymo_attachment_give_text (self, KYMO_FRAME_STATE, _("The program's time falls behind the "
                             "clock: another client may take blocks of this stream, or the "
                             "program drops some"));
}

/**
 * kymo_attachment_take_loss:
 *
 * Counts a block that was asked for and did not come. It stands for its time in the pace,
 * too.
 */
void
kymo_attachment_take_loss (KymoAttachment *self)
{
  self->n_lost++;
  self->pace.program_us += NOMINAL_US;
}

/* -- what came -------------------------------------------------------------- */

static void
tell_following (KymoAttachment *self)
{
  g_autoptr (GString) counts = g_string_new (NULL);

  if (self->n_lost > 0)
    g_string_append_printf (counts, _("; blocks cut off: %u"), self->n_lost);
  if (self->n_broken > 0)
    g_string_append_printf (counts, _("; connections lost: %u"), self->n_broken);
  if (self->n_all_unreadable > 0)
    g_string_append_printf (counts, _("; unreadable replies: %u"), self->n_all_unreadable);
  if (self->n_late > 0)
    g_string_append_printf (counts, _("; late replies: %u"), self->n_late);
  if (self->form.n_pes > 0)
    kymo_attachment_tell (self, KYMO_ATTACHMENT_FOLLOWING, 0,
                          g_dngettext (GETTEXT_PACKAGE, "Following %s on %u PE%s",
                                       "Following %s on %u PEs%s", self->form.n_pes),
                          self->target->text, self->form.n_pes, counts->str);
  else
    kymo_attachment_tell (self, KYMO_ATTACHMENT_FOLLOWING, 0, _("Following %s%s"),
                          self->target->text, counts->str);
}

static void
take_nothing (KymoAttachment *self,
              gboolean        empty)
{
  gint64 pause_us = pace_nothing (&self->pace, g_get_monotonic_time ());

  self->pace.n_empty = empty ? self->pace.n_empty + 1 : 0;
  if (self->pace.n_empty >= MAX_EMPTY)
    {
      /* Another program without the stream, or one that is starting. */
      self->pace.n_empty = 0;
      kymo_attachment_wait (self, FIRST_PAUSE_US, kymo_attachment_probe);
      return;
    }
  tell_following (self);
  kymo_attachment_wait (self, pause_us, kymo_attachment_follow);
}

/* It is decoded again by the receiver of the frame; two blocks of the largest reply at a
   time would be too much. */
static gboolean
is_readable (KymoAttachment  *self,
             const guint8    *bytes,
             gsize            n_bytes,
             GError         **why)
{
  KymoStreamBlock block;
  KymoStreamResult result;

  kymo_stream_block_init (&block);
  result = kymo_stream_block_decode (&block, &self->form, bytes, n_bytes, why);
  kymo_stream_block_clear (&block);
  return result != KYMO_STREAM_BAD;
}

/* A block of a program under kymo-record has a number. */
static void
give_block (KymoAttachment *self,
            GBytes         *reply)
{
  KymoStreamFrame *frame = kymo_stream_frame_new (KYMO_FRAME_REPLY, g_get_real_time (), reply);

  if (self->is_recorder)
    frame->begin_ns = self->block_ns;
  kymo_attachment_give (self, frame);
}

/**
 * kymo_attachment_take_reply:
 * @reply: the answer to a request for a block; while probing, too
 *
 * Gives the reply as a frame and decides when to ask again: at once while the stream is
 * behind, at the pace of the program otherwise, after a pause if the reply was empty or
 * unreadable.
 */
void
kymo_attachment_take_reply (KymoAttachment *self,
                            GBytes         *reply)
{
  gint64 now_us = g_get_monotonic_time ();
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (reply, &n_bytes);
  g_autoptr (GError) why = NULL;
  gboolean readable;
  gint64 block_us;

  self->n_failed = 0;
  self->asks_stream = FALSE;
  if (self->was_lost)
    kymo_attachment_give_text (self, KYMO_FRAME_STATE, _("Connected again"));
  self->was_lost = FALSE;
  readable = is_readable (self, bytes, n_bytes, &why);
  give_block (self, reply);
  if (kymo_stream_is_nothing (&self->form, bytes, n_bytes))
    {
      take_nothing (self, n_bytes == 0);
      return;
    }
  block_us = get_block_us (self, reply);
  self->pace.n_empty = 0;
  if (!readable)
    {
      self->pace.program_us += NOMINAL_US;
      kymo_attachment_take_unreadable (self, why->message);
      return;
    }
  self->n_unreadable = 0;
  /* A summary tells at once of all since the last reply; that is no pace. */
  pace_block (&self->pace, MIN (block_us, NOMINAL_US), now_us);
  look_behind (self, block_us, now_us);
  if (self->pace.n_at_once >= BURST || self->state == KYMO_ATTACHMENT_PROBING)
    kymo_attachment_tell (self, KYMO_ATTACHMENT_CATCHING_UP, 0,
                          _("Catching up with %s"), self->target->text);
  kymo_attachment_follow (self);
}

/* The number of PEs in a block, where it is another than the
   program's, and was not asked about before; else 0. */
static guint
get_other_pes (KymoAttachment *self,
               GBytes         *reply)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (reply, &n_bytes);
  guint32 n_pes;

  if (self->form.kind != KYMO_STREAM_DETAIL || self->form.n_pes == 0 || n_bytes < 8)
    return 0;
  n_pes = kymo_get_32 (bytes + 4, self->form.big_endian);
  return n_pes != self->form.n_pes && n_pes != self->doubted_pes && n_pes <= KYMO_STREAM_MAX_PES
         ? n_pes : 0;
}

static void
have_reply (KymoAttachment *self,
            GBytes         *reply)
{
  guint other = get_other_pes (self, reply);

  if (other > 0)
    kymo_attachment_probe_again (self, reply, other);
  else
    kymo_attachment_take_reply (self, reply);
}

/**
 * kymo_attachment_follow:
 *
 * Asks for the next block of the stream.
 */
void
kymo_attachment_follow (KymoAttachment *self)
{
  if (self->is_recorder)
    {
      kymo_attachment_recorder_follow (self);
      return;
    }
  self->asks_stream = TRUE;
  kymo_attachment_ask (self, kymo_stream_kind_get_handler (self->form.kind), have_reply);
}
