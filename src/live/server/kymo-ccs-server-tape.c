/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-server-tape.h"

#include <string.h>

#include "kymo-error.h"

#define MAX_GAP_US (60 * G_USEC_PER_SEC)

/* `clock_us` is the recording's time at the last frame read, from its begin,
   over all repetitions; `next` the next block, already read. */
struct _KymoCcsTape
{
  KymoStreamReader *reader;
  KymoReport       *report;             /* not our own; NULL after the first time */
  KymoStreamForm    form;
  guint             n_pes;
  guint             n_processes;
  guint             word_bits;
  double            speed;
  gboolean          repeat;
  gint64            begin_us;
  gint64            clock_us;
  gint64            last_at_us;         /* of the frame before; -1 at the begin */
  GBytes           *next;
  KymoStreamFrame  *other;              /* the form of the program that comes next */
  gboolean          found;              /* a block, since the begin of the file */
  gint64            n_taken;
};

/* A number of a line of the form, or `fallback`. */
static guint
read_line (const KymoStreamFrame *frame,
           const char            *key,
           guint                  fallback)
{
  g_autofree char *text = kymo_stream_frame_dup_text (frame);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gsize n = strlen (key);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strncmp (lines[i], key, n) == 0 && lines[i][n] == ':')
      {
        guint64 value;

        if (g_ascii_string_to_unsigned (g_strstrip (lines[i] + n + 1), 10, 1, G_MAXINT32,
                                        &value, NULL))
          return value;
      }
  return fallback;
}

static void
advance_clock (KymoCcsTape           *tape,
               const KymoStreamFrame *frame)
{
  if (tape->last_at_us >= 0 && frame->at_us > tape->last_at_us)
    tape->clock_us += MIN (frame->at_us - tape->last_at_us, MAX_GAP_US);
  tape->last_at_us = MAX (frame->at_us, 0);
}

static gboolean
is_other_form (KymoCcsTape           *tape,
               const KymoStreamFrame *frame)
{
  KymoStreamForm form;

  return frame->kind == KYMO_FRAME_FORM && kymo_stream_frame_get_form (frame, &form, NULL)
         && (form.kind != tape->form.kind || form.big_endian != tape->form.big_endian
             || form.n_pes != tape->form.n_pes);
}

/* Reads on to the next block, or to another program; FALSE at the end of the
   file. */
static gboolean
read_next (KymoCcsTape *tape)
{
  KymoStreamFrame *frame;

  while (tape->next == NULL && tape->other == NULL)
    {
      gsize n_bytes;
      const guint8 *bytes;

      frame = kymo_stream_reader_next (tape->reader, tape->report);
      if (frame == NULL)
        return FALSE;
      bytes = g_bytes_get_data (frame->bytes, &n_bytes);
      advance_clock (tape, frame);
      if (is_other_form (tape, frame))
        tape->other = kymo_stream_frame_ref (frame);
      else if (frame->kind == KYMO_FRAME_REPLY && n_bytes > 0
               && !kymo_stream_is_nothing (&tape->form, bytes, n_bytes))
        tape->next = g_bytes_ref (frame->bytes);
      tape->found |= tape->next != NULL;
      kymo_stream_frame_unref (frame);
    }
  return TRUE;
}

/* A file without a block is not gone over again and again. */
static void
wind_on (KymoCcsTape *tape)
{
  if (read_next (tape) || !tape->repeat || !tape->found)
    return;
  kymo_stream_reader_rewind (tape->reader);
  tape->report = NULL;
  tape->last_at_us = -1;
  tape->found = FALSE;
  read_next (tape);
}

static gboolean
take_form (KymoCcsTape           *tape,
           const KymoStreamFrame *frame)
{
  if (frame->kind != KYMO_FRAME_FORM || !kymo_stream_frame_get_form (frame, &tape->form, NULL))
    return FALSE;
  tape->n_processes = read_line (frame, "processes", 0);
  tape->word_bits = read_line (frame, "word-bits", 64);
  return TRUE;
}

/* Up to the first form, which says how the replies are to be read. */
static gboolean
find_form (KymoCcsTape  *tape,
           const char   *path,
           GError      **error)
{
  KymoStreamFrame *frame;
  gboolean found = FALSE;

  while (!found && (frame = kymo_stream_reader_next (tape->reader, tape->report)) != NULL)
    {
      advance_clock (tape, frame);
      found = take_form (tape, frame);
      kymo_stream_frame_unref (frame);
    }
  if (!found)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("%s does not say what stream it is of"), path);
  return found;
}

/* Number of PEs by the form or else by the first block; 1 where neither tells it. */
static guint
count_pes (const KymoCcsTape *tape)
{
  KymoStreamBlock block;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (tape->next, &n_bytes);
  guint n_pes = tape->form.n_pes;

  kymo_stream_block_init (&block);
  if (n_pes == 0 && kymo_stream_block_decode (&block, &tape->form, bytes, n_bytes, NULL)
      == KYMO_STREAM_BLOCK)
    n_pes = block.n_pes;
  kymo_stream_block_clear (&block);
  return MAX (n_pes, 1);
}

/**
 * kymo_ccs_tape_new:
 * @path: of a recording
 * @speed: of the recorded pace; 0 = all is due at once
 * @repeat: begin again at the end
 * @now_us: monotonic time that is the recording's begin
 * @report: (nullable): gets what is damaged; has to outlive the tape
 *
 * Returns: (transfer full) (nullable): the tape, or %NULL and an error where
 * the file cannot be read or holds no block
 */
KymoCcsTape *
kymo_ccs_tape_new (const char  *path,
                   double       speed,
                   gboolean     repeat,
                   gint64       now_us,
                   KymoReport  *report,
                   GError     **error)
{
  g_autoptr (KymoCcsTape) tape = g_new0 (KymoCcsTape, 1);

  tape->speed = speed;
  tape->repeat = repeat;
  tape->report = report;
  tape->begin_us = now_us;
  tape->last_at_us = -1;
  tape->reader = kymo_stream_reader_new (path, error);
  if (tape->reader == NULL || !find_form (tape, path, error))
    return NULL;
  wind_on (tape);
  if (tape->next == NULL && !kymo_ccs_tape_next_program (tape))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("%s holds no block"), path);
      return NULL;
    }
  tape->n_pes = count_pes (tape);
  return g_steal_pointer (&tape);
}

/**
 * kymo_ccs_tape_free:
 *
 * Frees @tape. %NULL is ignored.
 */
void
kymo_ccs_tape_free (KymoCcsTape *tape)
{
  if (tape == NULL)
    return;
  g_clear_pointer (&tape->reader, kymo_stream_reader_free);
  g_clear_pointer (&tape->next, g_bytes_unref);
  g_clear_pointer (&tape->other, kymo_stream_frame_unref);
  g_free (tape);
}

/**
 * kymo_ccs_tape_get_form:
 *
 * Returns: the form of the stream of the program that is played now; the tape owns it
 */
const KymoStreamForm *
kymo_ccs_tape_get_form (const KymoCcsTape *tape)
{
  return &tape->form;
}

/** kymo_ccs_tape_get_n_pes: the number of PEs of the program; at least 1 */
guint
kymo_ccs_tape_get_n_pes (const KymoCcsTape *tape)
{
  return tape->n_pes;
}

/**
 * kymo_ccs_tape_get_processes:
 *
 * Returns: the number of processes of the program; one for each PE if the recording does not
 *   tell
 */
guint
kymo_ccs_tape_get_processes (const KymoCcsTape *tape)
{
  return tape->n_processes > 0 ? MIN (tape->n_processes, tape->n_pes) : tape->n_pes;
}

/** kymo_ccs_tape_get_word_bits: the width of a word of the program's machine in bits */
guint
kymo_ccs_tape_get_word_bits (const KymoCcsTape *tape)
{
  return tape->word_bits;
}

static gint64
due_us (const KymoCcsTape *tape)
{
  double after_us = tape->speed > 0 ? tape->clock_us / tape->speed : 0;

  return tape->begin_us + (gint64) MIN (after_us, (double) (G_MAXINT64 / 4));
}

/**
 * kymo_ccs_tape_take:
 * @now_us: monotonic time
 *
 * Returns: (transfer full) (nullable): the next block that is due
 */
GBytes *
kymo_ccs_tape_take (KymoCcsTape *tape,
                    gint64       now_us)
{
  GBytes *block;

  if (tape->next == NULL || now_us < due_us (tape))
    return NULL;
  block = g_steal_pointer (&tape->next);
  tape->n_taken++;
  wind_on (tape);
  return block;
}

/** kymo_ccs_tape_get_n_taken: the number of blocks that were taken, over all repetitions */
gint64
kymo_ccs_tape_get_n_taken (const KymoCcsTape *tape)
{
  return tape->n_taken;
}

/** kymo_ccs_tape_has_next_program: %TRUE if the recording has another
 * program; it need not have blocks */
gboolean
kymo_ccs_tape_has_next_program (const KymoCcsTape *tape)
{
  return tape->other != NULL;
}

/**
 * kymo_ccs_tape_next_program:
 *
 * Goes on to the next program of the recording that has blocks, once those of
 * the one before are taken.
 *
 * Returns: whether there is one
 */
gboolean
kymo_ccs_tape_next_program (KymoCcsTape *tape)
{
  while (tape->next == NULL && tape->other != NULL)
    {
      g_autoptr (KymoStreamFrame) form = g_steal_pointer (&tape->other);

      take_form (tape, form);
      wind_on (tape);
    }
  if (tape->next == NULL)
    return FALSE;
  tape->n_pes = count_pes (tape);
  return TRUE;
}

/**
 * kymo_ccs_tape_get_end_us:
 *
 * Returns: monotonic time at which the recorded program ended; -1 while there
 * are blocks of it
 */
gint64
kymo_ccs_tape_get_end_us (const KymoCcsTape *tape)
{
  return tape->next != NULL ? -1 : due_us (tape);
}
