/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is there: byte order, PEs, and which stream the program offers.
 *
 * An unknown handler answers with a length of 0, and so does a known one of
 * which the module is not up yet, so 0 means "later": all is asked again with
 * growing pauses. The answer of a stream's handler takes a block from the
 * program's queue, so it is kept like any other.
 */
#include "config.h"

#include "kymo-attachment-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-bytes.h"

#define ARCH_HANDLER "debug/converse/arch"
#define INFO_HANDLER "ccs_getinfo"

#define FIRST_PAUSE_US (100 * 1000)
#define LAST_PAUSE_US (5 * G_USEC_PER_SEC)

static void ask_kind (KymoAttachment *self,
                      KymoStreamKind  kind);

/* -- the form of the stream ------------------------------------------------- */

static gboolean
is_same_form (const KymoStreamForm *a,
              const KymoStreamForm *b)
{
  return a->kind == b->kind && a->big_endian == b->big_endian && a->n_pes == b->n_pes;
}

static char *
make_lines (KymoAttachment *self)
{
  GString *lines = g_string_new (NULL);

  if (self->n_processes > 0)
    g_string_append_printf (lines, "processes: %u\n", self->n_processes);
  if (self->word_bits > 0)
    g_string_append_printf (lines, "word-bits: %u\n", self->word_bits);
  if (!self->order_known)
    g_string_append (lines, "byte-order-from: assumed\n");
  g_string_append_printf (lines, "target: %s\n", self->target->text);
  if (self->target->through != NULL)
    g_string_append_printf (lines, "tunnel: %s\n", self->target->through);
  g_string_append (lines, "client: Kymo " KYMO_VERSION "\n");
  return g_string_free (lines, FALSE);
}

/**
 * kymo_attachment_give_form:
 *
 * Gives a frame of the form of the stream, unless it is the form given before. A form that
 * differs from the one before is another program, which the person is told first.
 */
void
kymo_attachment_give_form (KymoAttachment *self)
{
  g_autofree char *lines = make_lines (self);
  gboolean other = self->has_form;

  if (self->has_form && is_same_form (&self->form, &self->told_form))
    return;
  self->told_form = self->form;
  self->has_form = TRUE;
  if (other)
    kymo_attachment_give_text (self, KYMO_FRAME_STATE, _("Another program answers here now: its "
                               "byte order, PEs or stream are not those of before"));
  kymo_attachment_give (self, kymo_stream_frame_new_form (g_get_real_time (), &self->form, lines));
  if (!self->order_known)
    kymo_attachment_give_text (self, KYMO_FRAME_STATE, _("The program does not tell its byte "
                               "order; little endian is assumed"));
}

/* -- which stream ----------------------------------------------------------- */

static void
have_found (KymoAttachment *self,
            KymoStreamKind  kind,
            GBytes         *reply)
{
  self->form.kind = kind;
  self->has_stream = TRUE;
  self->probe_us = 0;
  kymo_attachment_give_form (self);
  kymo_attachment_take_reply (self, reply);
}

static void
tell_none (KymoAttachment *self)
{
  g_autofree char *sentence =
    g_strdup_printf (_("%s answers but offers no utilization stream; to get one, link the program "
                       "with -tracemode utilization and start it with ++server (of a "
                       "--with-production build of Charm++ this needs one PE: with more the "
                       "program dies about a second after its start), or link it with -tracemode "
                       "summary and call traceEnableCCS() in an entry method after start-up"),
                     self->target->text);

  self->has_stream = FALSE;
  kymo_attachment_set_matter (self, sentence);
  kymo_attachment_tell (self, KYMO_ATTACHMENT_NO_STREAM, 0, _("%s; asking on"), sentence);
}

/* None answers: again after a pause, which grows. */
static void
have_none (KymoAttachment *self)
{
  gint64 left_us = self->patience_us
    - (gint64) ((g_get_monotonic_time () - self->probe_us) * self->haste);
  gint64 pause_us = self->probe_pause_us;

  self->n_failed = 0;
  self->probe_pause_us = MIN (2 * pause_us, LAST_PAUSE_US);
  if (left_us > 0)
    pause_us = MIN (pause_us, left_us + 1000);
  else
    tell_none (self);
  kymo_attachment_wait (self, pause_us, kymo_attachment_probe);
}

static void
have_stream_reply (KymoAttachment *self,
                   GBytes         *reply)
{
  KymoStreamKind kind = self->form.kind;

  self->asks_stream = FALSE;
  if (g_bytes_get_size (reply) > 0)
    have_found (self, kind, reply);
  else if (++self->n_kinds_asked < KYMO_STREAM_N_KINDS)
    ask_kind (self, (kind + 1) % KYMO_STREAM_N_KINDS);
  else
    have_none (self);
}

static void
ask_kind (KymoAttachment *self,
          KymoStreamKind  kind)
{
  self->form.kind = kind;
  self->asks_stream = TRUE;
  kymo_attachment_ask (self, kymo_stream_kind_get_handler (kind), have_stream_reply);
}

/* The one that it offered before first. */
static void
ask_streams (KymoAttachment *self)
{
  if (self->is_recorder)
    {
      self->form.kind = KYMO_STREAM_DETAIL;
      self->has_stream = TRUE;
      self->probe_us = 0;
      kymo_attachment_give_form (self);
      kymo_attachment_recorder_begin (self);
      return;
    }
  self->n_kinds_asked = 0;
  ask_kind (self, self->has_stream ? self->told_form.kind : KYMO_STREAM_DETAIL);
}

/* -- byte order and PEs ----------------------------------------------------- */

/* int32 processes, then of each int32 PEs, big endian. 0 = not known. */
static guint
count_pes (const guint8 *bytes,
           gsize         n_bytes,
           guint        *n_processes)
{
  gint64 n_pes = 0;
  guint32 n = 0;

  *n_processes = 0;
  if (n_bytes >= 4)
    n = kymo_get_32 (bytes, TRUE);
  if (n == 0 || n_bytes != 4 * ((gsize) n + 1))
    return 0;
  for (guint i = 0; i < n; i++)
    n_pes += kymo_get_32 (bytes + 4 * (i + 1), TRUE);
  if (n_pes > KYMO_STREAM_MAX_PES)
    return 0;
  *n_processes = n;
  return n_pes;
}

/* The block is of the program that answered now; where that is not said, of the program
   that was known. */
static void
take_doubted (KymoAttachment *self)
{
  g_autoptr (GBytes) block = g_steal_pointer (&self->doubted);

  if (!self->order_known || self->form.n_pes == 0)
    self->form = self->told_form;
  kymo_attachment_give_form (self);
  kymo_attachment_take_reply (self, block);
}

static void
have_info (KymoAttachment *self,
           GBytes         *reply)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (reply, &n_bytes);

  self->form.n_pes = count_pes (bytes, n_bytes, &self->n_processes);
  if (self->doubted != NULL)
    take_doubted (self);
  else
    ask_streams (self);
}

/* major, minor ("K", version: kymo-record), word size (1 = 32 bit, 2 = 64), byte order (1 = little,
   2 = big), sizes of int, long, long long and bool. */
static void
have_arch (KymoAttachment *self,
           GBytes         *reply)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (reply, &n_bytes);

  self->order_known = n_bytes >= 4 && (bytes[3] == 1 || bytes[3] == 2);
  self->form.big_endian = self->order_known && bytes[3] == 2;
  self->is_recorder = self->order_known && n_bytes >= 8 && bytes[0] == 'K' && bytes[1] >= 1;
  self->word_bits = self->order_known && (bytes[2] == 1 || bytes[2] == 2) ? 32 * bytes[2] : 0;
  if (self->state != KYMO_ATTACHMENT_NO_STREAM)
    kymo_attachment_tell (self, KYMO_ATTACHMENT_PROBING, 0,
                          _("%s answers; looking for its utilization stream"), self->target->text);
  kymo_attachment_ask (self, INFO_HANDLER, have_info);
}

/**
 * kymo_attachment_probe:
 *
 * Asks the program for what is not known yet: its byte order, its PEs, or the stream that it
 * offers.
 */
void
kymo_attachment_probe (KymoAttachment *self)
{
  self->asks_stream = FALSE;
  if (self->probe_us == 0)
    {
      self->probe_us = g_get_monotonic_time ();
      self->probe_pause_us = FIRST_PAUSE_US;
      self->order_known = FALSE;
      self->form.n_pes = 0;
    }
  if (self->order_known && self->form.n_pes > 0)
    ask_streams (self);
  else
    kymo_attachment_ask (self, ARCH_HANDLER, have_arch);
}

/**
 * kymo_attachment_probe_again:
 * @block: a reply of the stream; a reference is kept until the program has answered
 * @n_pes: number of PEs that the block tells and the program does not have
 *
 * Asks the program again who it is, because another program may have taken its port between
 * two requests. The block is given after the answer. Each number of PEs is asked about once.
 */
void
kymo_attachment_probe_again (KymoAttachment *self,
                             GBytes         *block,
                             guint           n_pes)
{
  self->asks_stream = FALSE;
  self->doubted = g_bytes_ref (block);
  self->doubted_pes = n_pes;
  kymo_attachment_ask (self, ARCH_HANDLER, have_arch);
}

/**
 * kymo_attachment_keep_doubted:
 *
 * Gives the block of kymo_attachment_probe_again(), if there is one, as a block of the known
 * program, because it does not say of which program it is.
 */
void
kymo_attachment_keep_doubted (KymoAttachment *self)
{
  g_autoptr (GBytes) block = g_steal_pointer (&self->doubted);

  if (block == NULL)
    return;
  self->form = self->told_form;
  kymo_attachment_give (self, kymo_stream_frame_new (KYMO_FRAME_REPLY, g_get_real_time (), block));
}
