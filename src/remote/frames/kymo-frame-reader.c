/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Invariant: `bytes` holds what has come and is neither noise nor part of a whole part.
 */
#include "config.h"

#include "kymo-frame-reader.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

/* A login shell says less. */
#define MOST_NOISE (64 * 1024)
/* Letters of it that are shown. */
#define MOST_SHOWN 300
/* Messages of which parts have come and not all. */
#define MOST_OPEN 64
#define READ_AT_ONCE (64 * 1024)

/* A message in the making. */
typedef struct
{
  KymoFrameHead  head;          /* of its latest part */
  GByteArray    *bytes;
} OpenMessage;

struct _KymoFrameReader
{
  gsize       most, most_value;
  int         patience_ms;      /* -1 = for ever */
  GByteArray *bytes;
  GString    *noise;
  gboolean    has_begun;        /* a header has been seen */
  GHashTable *open;             /* guint64 * of the OpenMessage -> OpenMessage */
  GQueue      whole;            /* KymoFrame */
};

static void
open_message_free (gpointer data)
{
  OpenMessage *message = data;

  g_byte_array_unref (message->bytes);
  g_free (message);
}

/**
 * kymo_frame_reader_new:
 * @most: bytes of a message, before and after it is expanded; longer ones are an error
 *
 * Returns: (transfer full): a reader that has seen nothing
 */
KymoFrameReader *
kymo_frame_reader_new (gsize most)
{
  KymoFrameReader *reader = g_new0 (KymoFrameReader, 1);

  reader->most = reader->most_value = most;
  reader->patience_ms = -1;
  reader->bytes = g_byte_array_new ();
  reader->noise = g_string_new (NULL);
  reader->open = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, open_message_free);
  g_queue_init (&reader->whole);
  return reader;
}

/** kymo_frame_reader_free: @reader: (nullable): with the messages that nobody took */
void
kymo_frame_reader_free (KymoFrameReader *reader)
{
  if (reader == NULL)
    return;
  g_byte_array_unref (reader->bytes);
  g_string_free (reader->noise, TRUE);
  g_hash_table_unref (reader->open);
  g_queue_clear_full (&reader->whole, (GDestroyNotify) kymo_frame_free);
  g_free (reader);
}

/** kymo_frame_reader_allow_values: @most: bytes of a VALUE, which may be longer than others */
void
kymo_frame_reader_allow_values (KymoFrameReader *reader, gsize most)
{
  reader->most_value = most;
}

/** kymo_frame_reader_set_patience: @ms: kymo_frame_reader_wait() waits no longer for a byte */
void
kymo_frame_reader_set_patience (KymoFrameReader *reader, int ms)
{
  reader->patience_ms = ms;
}

static gsize
get_most (KymoFrameReader *reader, guint type)
{
  return type == KYMO_FRAME_VALUE ? reader->most_value : reader->most;
}

static gboolean
refuse_bytes (GError **error, const char *sentence)
{
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, sentence);
  return FALSE;
}

/* Where the next header begins, or may begin once more has come. */
static gsize
find_header (KymoFrameReader *reader)
{
  gsize at = 0;

  while (at + 4 <= reader->bytes->len && !kymo_frame_has_magic (reader->bytes->data + at))
    at++;
  return at;
}

/* Moves what comes before the first header into the noise. */
static gboolean
skip_noise (KymoFrameReader *reader, GError **error)
{
  gsize at = find_header (reader);

  g_string_append_len (reader->noise, (const char *) reader->bytes->data, at);
  g_byte_array_remove_range (reader->bytes, 0, at);
  return reader->noise->len <= MOST_NOISE
    || refuse_bytes (error, _("The other side does not answer as a server of Kymo"));
}

static gboolean
finish_message (KymoFrameReader *reader, OpenMessage *message, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (message->bytes->data, message->bytes->len);
  KymoFrame *frame;
  GVariant *body;

  g_byte_array_free (message->bytes, FALSE);
  message->bytes = g_byte_array_new ();
  body = kymo_frame_read_body (bytes, &message->head, get_most (reader, message->head.type),
                               error);
  if (body == NULL)
    return FALSE;
  frame = g_new0 (KymoFrame, 1);
  frame->type = message->head.type;
  frame->id = message->head.id;
  frame->body = body;
  kymo_frame_trace ("<", frame);
  g_queue_push_tail (&reader->whole, frame);
  g_hash_table_remove (reader->open, &message->head.id);
  return TRUE;
}

static OpenMessage *
find_message (KymoFrameReader *reader, const KymoFrameHead *head)
{
  OpenMessage *message = g_hash_table_lookup (reader->open, &head->id);

  /* The sender has given up what it had begun. */
  if (message != NULL && head->part == 0)
    {
      g_hash_table_remove (reader->open, &head->id);
      message = NULL;
    }
  if (message != NULL || head->part != 0 || g_hash_table_size (reader->open) >= MOST_OPEN)
    return message;
  message = g_new0 (OpenMessage, 1);
  message->head = *head;
  message->bytes = g_byte_array_new ();
  g_hash_table_insert (reader->open, &message->head.id, message);
  return message;
}

static gboolean
take_part (KymoFrameReader *reader, const KymoFrameHead *head, const guchar *bytes, GError **error)
{
  OpenMessage *message = find_message (reader, head);
  gboolean is_last = (head->flags & KYMO_FRAME_LAST) != 0;

  if (head->total > get_most (reader, head->type))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                   _("A message (%s) is longer than %u MiB"), kymo_frame_type_to_text (head->type),
                   (guint) (get_most (reader, head->type) >> 20));
      return FALSE;
    }
  if (message == NULL || head->type != message->head.type || head->total != message->head.total
      || (head->part != 0 && head->part != message->head.part + 1)
      || message->bytes->len + head->length > head->total
      || is_last != (message->bytes->len + head->length == head->total))
    return refuse_bytes (error, _("The messages of the other side do not fit together"));
  message->head.part = head->part;
  message->head.flags = head->flags;
  message->head.swapped = head->swapped;
  g_byte_array_append (message->bytes, bytes, head->length);
  return !is_last || finish_message (reader, message, error);
}

/* What is no header of ours. */
static gboolean
refuse_header (const guchar *bytes, GError **error)
{
  guint version = kymo_frame_get_version (bytes);

  if (!kymo_frame_has_magic (bytes) || version == KYMO_FRAME_VERSION)
    return refuse_bytes (error, _("The other side does not answer as a server of Kymo"));
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
               _("The other side sends messages of version %u; this program knows version %u"),
               version, KYMO_FRAME_VERSION);
  return FALSE;
}

/**
 * kymo_frame_reader_feed:
 * @bytes: what has come
 *
 * Returns: %FALSE with %KYMO_ERROR_UNREADABLE if that is not what a Kymo sends; no more is to be
 *   fed then
 */
gboolean
kymo_frame_reader_feed (KymoFrameReader *reader, gconstpointer bytes, gsize size, GError **error)
{
  gsize at = 0;

  g_byte_array_append (reader->bytes, bytes, size);
  if (!reader->has_begun && !skip_noise (reader, error))
    return FALSE;
  while (reader->bytes->len - at >= KYMO_FRAME_HEADER)
    {
      const guchar *part = reader->bytes->data + at;
      KymoFrameHead head;

      reader->has_begun = reader->has_begun || kymo_frame_has_magic (part);
      if (!kymo_frame_head_read (part, &head))
        return refuse_header (part, error);
      if (reader->bytes->len - at < KYMO_FRAME_HEADER + head.length)
        break;
      if (!take_part (reader, &head, part + KYMO_FRAME_HEADER, error))
        return FALSE;
      at += KYMO_FRAME_HEADER + head.length;
    }
  g_byte_array_remove_range (reader->bytes, 0, at);
  return TRUE;
}

/** kymo_frame_reader_take: Returns: (transfer full) (nullable): the next whole message */
KymoFrame *
kymo_frame_reader_take (KymoFrameReader *reader)
{
  return g_queue_pop_head (&reader->whole);
}

/* Returns FALSE where nothing came for longer than the reader waits. */
static gboolean
wait_for_bytes (KymoFrameReader *reader, int fd, GError **error)
{
  struct pollfd waiting = { fd, POLLIN, 0 };
  int n = 1;

  if (reader->patience_ms >= 0)
    do
      n = poll (&waiting, 1, reader->patience_ms);
    while (n < 0 && errno == EINTR);
  if (n != 0)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                       _("The other side has said nothing for too long"));
  return FALSE;
}

/**
 * kymo_frame_reader_wait:
 * @fd: where the bytes come from
 *
 * Blocks until a whole message has come.
 *
 * Returns: (transfer full) (nullable): the message; %NULL without an error where the other side
 *   has closed, %NULL with one where it sends something else, with %G_IO_ERROR_TIMED_OUT where it
 *   sends nothing; see kymo_frame_reader_set_patience()
 */
KymoFrame *
kymo_frame_reader_wait (KymoFrameReader *reader, int fd, GError **error)
{
  g_autofree guchar *bytes = NULL;
  KymoFrame *frame;

  while ((frame = kymo_frame_reader_take (reader)) == NULL)
    {
      gssize n;

      if (bytes == NULL)
        bytes = g_malloc (READ_AT_ONCE);
      if (!wait_for_bytes (reader, fd, error))
        return NULL;
      n = read (fd, bytes, READ_AT_ONCE);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || !kymo_frame_reader_feed (reader, bytes, n, error))
        return NULL;
    }
  return frame;
}

/**
 * kymo_frame_reader_dup_noise:
 *
 * Returns: (transfer full): the last line of what came before the first message, safe to show
 */
char *
kymo_frame_reader_dup_noise (KymoFrameReader *reader)
{
  g_autoptr (GString) noise = g_string_new_len (reader->noise->str, reader->noise->len);
  g_autofree char *valid = NULL;
  char *line;

  /* The last bytes wait, for a header might begin with them. */
  if (!reader->has_begun)
    g_string_append_len (noise, (const char *) reader->bytes->data, reader->bytes->len);
  valid = g_utf8_make_valid (noise->str, noise->len);
  line = strrchr (g_strchomp (valid), '\n');
  line = line != NULL ? line + 1 : valid;
  if (g_utf8_strlen (line, -1) > MOST_SHOWN)
    *g_utf8_offset_to_pointer (line, MOST_SHOWN) = '\0';
  return kymo_safe_text_dup (line);
}
