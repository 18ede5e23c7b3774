/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following a program under kymo-record (docs/formats/live.md): blocks are asked for by number, so
 * other clients take none of them, and a block that was cut off is asked for again. Before a block
 * its values are asked for, if they are wanted, and after a block that has new ids the names.
 */
#include "config.h"

#include "kymo-attachment-private.h"

#include "kymo-bytes.h"

#define BLOCK_HANDLER "kymo/record block"
#define VALUES_HANDLER "kymo/record values"
#define NAMES_HANDLER "kymo/record names"
#define HEAD_BYTES 24
#define SECOND_NS G_GINT64_CONSTANT (1000000000)

static gint64
get_number (KymoAttachment *self,
            const guint8   *bytes)
{
  gint64 number;

  memcpy (&number, bytes, sizeof number);
  return self->form.big_endian ? GINT64_FROM_BE (number) : GINT64_FROM_LE (number);
}

static void
ask_number (KymoAttachment        *self,
            const char            *handler,
            KymoAttachmentReplied  replied)
{
  gint64 number = self->form.big_endian ? GINT64_TO_BE (self->next_block)
    : GINT64_TO_LE (self->next_block);
  g_autoptr (GBytes) data = g_bytes_new (&number, sizeof number);

  kymo_attachment_ask_with (self, handler, data, replied);
}

/* The block goes out, behind what belongs to it. */
static void
give_kept (KymoAttachment *self)
{
  g_autoptr (GBytes) block = g_steal_pointer (&self->block);

  self->next_block++;
  kymo_attachment_take_reply (self, block);
}

static void
have_values (KymoAttachment *self,
             GBytes         *reply)
{
  gsize n_bytes = g_bytes_get_size (reply);
  const guint8 *bytes = g_bytes_get_data (reply, NULL);

  if (n_bytes > HEAD_BYTES && get_number (self, bytes) == self->next_block)
    {
      g_autoptr (GBytes) text = g_bytes_new_from_bytes (reply, HEAD_BYTES, n_bytes - HEAD_BYTES);
      KymoStreamFrame *frame = kymo_stream_frame_new (KYMO_FRAME_SCALARS, g_get_real_time (), text);

      frame->begin_ns = self->block_ns;
      kymo_attachment_give (self, frame);
    }
  give_kept (self);
}

static void
go_on_with_block (KymoAttachment *self)
{
  if (self->wants_values)
    ask_number (self, VALUES_HANDLER, have_values);
  else
    give_kept (self);
}

static void
have_names (KymoAttachment *self,
            GBytes         *reply)
{
  if (g_bytes_get_size (reply) > 0
      && (self->names == NULL || !g_bytes_equal (self->names, reply)))
    {
      g_clear_pointer (&self->names, g_bytes_unref);
      self->names = g_bytes_ref (reply);
      kymo_attachment_give (self, kymo_stream_frame_new (KYMO_FRAME_NAMES, g_get_real_time (),
                                                         reply));
    }
  go_on_with_block (self);
}

/* Nothing new is told as the program of Charm++ would. */
static void
take_no_block (KymoAttachment *self)
{
  const gint32 none = 0;
  g_autoptr (GBytes) nothing = g_bytes_new (&none, sizeof none);

  self->block_ns = KYMO_FRAME_NO_TIME;
  kymo_attachment_take_reply (self, nothing);
}

static void
have_block (KymoAttachment *self,
            GBytes         *reply)
{
  gsize n_bytes = g_bytes_get_size (reply);
  const guint8 *bytes = g_bytes_get_data (reply, NULL);
  gint64 number, n_blocks;

  if (n_bytes < HEAD_BYTES)
    {
      self->is_recorder = FALSE;
      kymo_attachment_wait (self, SECOND_NS / 10000, kymo_attachment_probe);
      return;
    }
  number = get_number (self, bytes);
  n_blocks = get_number (self, bytes + 16);
  /* Another job answers here now, whose stream has only begun. */
  if (n_blocks < self->next_block || number < self->next_block
      || number > KYMO_STREAM_MAX_NS / SECOND_NS)
    {
      self->next_block = 0;
      g_clear_pointer (&self->names, g_bytes_unref);
      take_no_block (self);
      return;
    }
  if (number >= n_blocks || n_bytes == HEAD_BYTES)
    {
      take_no_block (self);
      return;
    }
  /* Only where blocks are not kept any more the place has to be told. */
  self->block_ns = number == self->next_block ? KYMO_FRAME_NO_TIME : number * SECOND_NS;
  self->next_block = number;
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = g_bytes_new_from_bytes (reply, HEAD_BYTES, n_bytes - HEAD_BYTES);
  kymo_attachment_ask (self, NAMES_HANDLER, have_names);
}

/**
 * kymo_attachment_recorder_begin:
 *
 * Begins with the oldest block that the program keeps, or after a failure with the one that was to
 * come next.
 */
void
kymo_attachment_recorder_begin (KymoAttachment *self)
{
  kymo_attachment_recorder_follow (self);
}

/**
 * kymo_attachment_recorder_follow:
 *
 * Asks for the next block. A request that fails takes none.
 */
void
kymo_attachment_recorder_follow (KymoAttachment *self)
{
  self->asks_stream = FALSE;
  ask_number (self, BLOCK_HANDLER, have_block);
}
