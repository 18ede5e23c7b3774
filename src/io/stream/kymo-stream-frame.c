/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames, and the clock of the program's time that they are laid along.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include <string.h>

#include "kymo-error.h"
#include "kymo-stream-frame.h"

/* A block that was lost or cannot be read stands for so long. */
#define LOST_NS (1000 * KYMO_STREAM_BIN_NS)

/* Most lines of a form that are looked at; a recording may have millions. */
#define MAX_LINES 256

struct _KymoStreamDecoder
{
  KymoStreamForm  form;
  gboolean        has_form;
  gint64          next_ns;
  KymoStreamBlock block;
};

/**
 * kymo_stream_frame_new:
 * @at_us: microseconds since 1970
 * @bytes: (transfer none): payload
 *
 * Returns: (transfer full): a frame without a place in the program's time
 */
KymoStreamFrame *
kymo_stream_frame_new (KymoFrameKind kind,
                       gint64        at_us,
                       GBytes       *bytes)
{
  KymoStreamFrame *frame = g_new (KymoStreamFrame, 1);

  g_atomic_ref_count_init (&frame->ref_count);
  frame->kind = kind;
  frame->at_us = at_us;
  frame->begin_ns = KYMO_FRAME_NO_TIME;
  frame->bytes = g_bytes_ref (bytes);
  return frame;
}

/**
 * kymo_stream_frame_new_text:
 * @at_us: wall clock at which it came
 * @text: copied
 *
 * Returns: (transfer full): a frame whose content is a text
 */
KymoStreamFrame *
kymo_stream_frame_new_text (KymoFrameKind kind,
                            gint64        at_us,
                            const char   *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return kymo_stream_frame_new (kind, at_us, bytes);
}

/**
 * kymo_stream_frame_new_form:
 * @more_lines: (nullable): "key: value" lines after those that the form needs
 *
 * Returns: (transfer full): a frame of kind %KYMO_FRAME_FORM
 */
KymoStreamFrame *
kymo_stream_frame_new_form (gint64                at_us,
                            const KymoStreamForm *form,
                            const char           *more_lines)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "handler: %s\nbyte-order: %s\n",
                          kymo_stream_kind_get_handler (form->kind),
                          form->big_endian ? "big" : "little");
  if (form->n_pes > 0)
    g_string_append_printf (text, "pes: %u\n", form->n_pes);
  if (more_lines != NULL)
    g_string_append (text, more_lines);
  return kymo_stream_frame_new_text (KYMO_FRAME_FORM, at_us, text->str);
}

/**
 * kymo_stream_frame_ref:
 *
 * Returns: (transfer full): @frame, with one more reference
 */
KymoStreamFrame *
kymo_stream_frame_ref (KymoStreamFrame *frame)
{
  g_atomic_ref_count_inc (&frame->ref_count);
  return frame;
}

/**
 * kymo_stream_frame_unref:
 *
 * Drops a reference to @frame and frees it with the last reference. %NULL is ignored.
 */
void
kymo_stream_frame_unref (KymoStreamFrame *frame)
{
  if (frame == NULL || !g_atomic_ref_count_dec (&frame->ref_count))
    return;
  g_bytes_unref (frame->bytes);
  g_free (frame);
}

/**
 * kymo_stream_frame_dup_text:
 *
 * Returns: (transfer full): the payload as UTF-8, whatever it is
 */
char *
kymo_stream_frame_dup_text (const KymoStreamFrame *frame)
{
  gsize n_bytes;
  const char *bytes = g_bytes_get_data (frame->bytes, &n_bytes);

  return n_bytes > 0 ? g_utf8_make_valid (bytes, n_bytes) : g_strdup ("");
}

/* The value of a line "key: value", or NULL; the first line of a key counts. */
static char *
find_value (char      **lines,
            const char *key)
{
  gsize length = strlen (key);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strncmp (lines[i], key, length) == 0 && lines[i][length] == ':')
      return g_strstrip (g_strdup (lines[i] + length + 1));
  return NULL;
}

static gboolean
refuse_form (GError    **error,
             const char *what,
             const char *told)
{
  if (told == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("the form of the stream does not tell %s"), what);
  else
    {
      g_autofree char *word = g_utf8_substring (told, 0, MIN (60, g_utf8_strlen (told, -1)));

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("the form of the stream tells %s as “%s”, which is not known"),
                   what, word);
    }
  return FALSE;
}

/**
 * kymo_stream_frame_get_form:
 * @form: (out): what the frame tells; pes that are not told are 0
 *
 * Returns: whether it is a form; else %KYMO_ERROR_UNREADABLE
 */
gboolean
kymo_stream_frame_get_form (const KymoStreamFrame *frame,
                            KymoStreamForm        *form,
                            GError               **error)
{
  g_autofree char *text = kymo_stream_frame_dup_text (frame);
  g_auto (GStrv) lines = g_strsplit (text, "\n", MAX_LINES);
  g_autofree char *handler = find_value (lines, "handler");
  g_autofree char *order = find_value (lines, "byte-order");
  g_autofree char *pes = find_value (lines, "pes");
  KymoStreamForm told = { 0 };
  guint64 n_pes = 0;

  if (handler == NULL || !kymo_stream_kind_from_handler (handler, &told.kind))
    return refuse_form (error, _("its handler"), handler);
  if (order == NULL || (strcmp (order, "little") != 0 && strcmp (order, "big") != 0))
    return refuse_form (error, _("its byte order"), order);
  if (pes != NULL && !g_ascii_string_to_unsigned (pes, 10, 0, KYMO_STREAM_MAX_PES, &n_pes, NULL))
    return refuse_form (error, _("its PEs"), pes);
  told.big_endian = strcmp (order, "big") == 0;
  told.n_pes = n_pes;
  *form = told;
  return TRUE;
}

/** kymo_stream_decoder_new: (transfer full): at time 0, without a form */
KymoStreamDecoder *
kymo_stream_decoder_new (void)
{
  KymoStreamDecoder *decoder = g_new0 (KymoStreamDecoder, 1);

  kymo_stream_block_init (&decoder->block);
  return decoder;
}

/**
 * kymo_stream_decoder_free:
 *
 * Frees @decoder. %NULL is ignored.
 */
void
kymo_stream_decoder_free (KymoStreamDecoder *decoder)
{
  if (decoder == NULL)
    return;
  kymo_stream_block_clear (&decoder->block);
  g_free (decoder);
}

/* Sets the begin of a frame that covers a range of time: the begin that it tells, else the time of
   the clock. */
static gboolean
set_clock (KymoStreamDecoder *decoder,
           KymoStreamFrame   *frame,
           GError           **error)
{
  if (frame->begin_ns == KYMO_FRAME_NO_TIME)
    frame->begin_ns = decoder->next_ns;
  if (frame->begin_ns < decoder->next_ns)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("a block is said to begin at %" PRId64 " ns, before the end of the "
                     "one before it at %" PRId64 " ns"), frame->begin_ns, decoder->next_ns);
      return FALSE;
    }
  if (frame->begin_ns % KYMO_STREAM_BIN_NS != 0 || frame->begin_ns > KYMO_STREAM_MAX_NS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("a block is said to begin at %" PRId64 " ns, which cannot be"),
                   frame->begin_ns);
      return FALSE;
    }
  decoder->next_ns = frame->begin_ns;
  return TRUE;
}

static KymoStreamResult
take_form (KymoStreamDecoder *decoder,
           KymoStreamFrame   *frame,
           GError           **error)
{
  /* Bytes read in another form than theirs would be nonsense. */
  decoder->has_form = kymo_stream_frame_get_form (frame, &decoder->form, error);
  return decoder->has_form ? KYMO_STREAM_NOTHING : KYMO_STREAM_BAD;
}

static KymoStreamResult
take_reply (KymoStreamDecoder *decoder,
            KymoStreamFrame   *frame,
            GError           **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (frame->bytes, &n_bytes);
  KymoStreamResult result = KYMO_STREAM_BAD;

  if (n_bytes == 0 || (decoder->has_form
                       && kymo_stream_is_nothing (&decoder->form, bytes, n_bytes)))
    return KYMO_STREAM_NOTHING;
  if (!set_clock (decoder, frame, error))
    return KYMO_STREAM_BAD;
  if (!decoder->has_form)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("a reply came before the form of the stream is known"));
  else
    result = kymo_stream_block_decode (&decoder->block, &decoder->form, bytes, n_bytes, error);
  decoder->next_ns += result == KYMO_STREAM_BLOCK ? decoder->block.n_bins * KYMO_STREAM_BIN_NS
    : LOST_NS;
  return result;
}

static KymoStreamResult
take_lost (KymoStreamDecoder *decoder,
           KymoStreamFrame   *frame,
           GError           **error)
{
  if (set_clock (decoder, frame, error))
    {
      g_autofree char *text = kymo_stream_frame_dup_text (frame);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, "%s",
                   text[0] != '\0' ? text : _("a block was lost"));
      decoder->next_ns += LOST_NS;
    }
  return KYMO_STREAM_BAD;
}

/**
 * kymo_stream_decoder_take:
 * @frame: the next frame; its begin_ns is set if it was not
 * @block: (out) (optional): the block of a reply that has one, owned by the decoder until the
 *   next call
 * @error: a sentence, with %KYMO_STREAM_BAD
 *
 * A begin_ns ahead of the end of the last block moves the clock: the time between is missing.
 * Of frames that are no blocks, a begin_ns is kept and moves nothing.
 *
 * Returns: %KYMO_STREAM_BLOCK for a reply with a block. %KYMO_STREAM_BAD for a reply that
 *   cannot be read (before any form, or damaged) and for a lost reply: a second is missing;
 *   and, with no second missing, for a form that cannot be read and a block that begins
 *   before the end of the last one. %KYMO_STREAM_NOTHING for all others
 */
KymoStreamResult
kymo_stream_decoder_take (KymoStreamDecoder      *decoder,
                          KymoStreamFrame        *frame,
                          const KymoStreamBlock **block,
                          GError                **error)
{
  KymoStreamResult result = KYMO_STREAM_NOTHING;

  if (frame->kind == KYMO_FRAME_FORM)
    result = take_form (decoder, frame, error);
  else if (frame->kind == KYMO_FRAME_REPLY)
    result = take_reply (decoder, frame, error);
  else if (frame->kind == KYMO_FRAME_LOST)
    result = take_lost (decoder, frame, error);
  if (frame->begin_ns < 0)
    frame->begin_ns = decoder->next_ns;
  if (block != NULL)
    *block = result == KYMO_STREAM_BLOCK ? &decoder->block : NULL;
  return result;
}

/** kymo_stream_decoder_get_next_ns: the program's time at which the next block begins */
gint64
kymo_stream_decoder_get_next_ns (const KymoStreamDecoder *decoder)
{
  return decoder->next_ns;
}

/**
 * kymo_stream_decoder_get_form:
 * @form: (out): of the stream
 *
 * Returns: %FALSE before the first form
 */
gboolean
kymo_stream_decoder_get_form (const KymoStreamDecoder *decoder,
                              KymoStreamForm          *form)
{
  if (decoder->has_form)
    *form = decoder->form;
  return decoder->has_form;
}
