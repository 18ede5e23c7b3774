/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a request that failed means, and what is done about it.
 *
 * A reply that breaks off after its head told of a block is a lost block, and
 * the next is asked for. After a reply whose content is no block there is a pause, which
 * grows with each such reply in a row. A program that was followed and at whose port nobody
 * listens any more, three times, has ended; a host that is silent is a fault
 * of the network and tried for ever, with pauses that grow. Through ssh a
 * refusal at the far end is what ssh says of it.
 */
#include "config.h"

#include "kymo-attachment-private.h"

#include <glib/gi18n-lib.h>

#define FIRST_PAUSE_US (G_USEC_PER_SEC / 2)
#define LAST_PAUSE_US (30 * G_USEC_PER_SEC)
/* A program may send one such reply among good ones. */
#define FIRST_UNREADABLE_PAUSE_US (G_USEC_PER_SEC / 4)
/* After this many refused connections, this far apart, the program has ended. */
#define N_REFUSED 3
#define REFUSED_PAUSE_US (G_USEC_PER_SEC)
/* Number of failed requests in a row that do not happen by chance. */
#define N_FAILED 3
/* ssh says why a little later than it does it. */
#define WORDS_PAUSE_US (200 * 1000)
#define TUNNEL_PAUSE_US (100 * 1000)
/* Somebody may be typing a password. */
#define TUNNEL_PATIENCE_US (120 * G_USEC_PER_SEC)

/* -- waiting ---------------------------------------------------------------- */

/* Failures in a row after which it happens. */
static gint64
get_pause (gint64 first_us,
           guint  n_failed)
{
  guint doublings = MIN (MAX (n_failed, 1) - 1, 10);

  return MIN (first_us << doublings, LAST_PAUSE_US);
}

/* Reports it, once in the stream, and connects again after the pause. */
static void
wait_and_open (KymoAttachment *self,
               gint64          pause_us,
               const char     *sentence)
{
  gint64 real_us = pause_us / self->haste;

  self->probe_us = 0;
  kymo_attachment_set_matter (self, sentence);
  if (self->has_form && !self->was_lost)
    {
      self->was_lost = TRUE;
      self->n_broken++;
      kymo_attachment_give_text (self, KYMO_FRAME_STATE, sentence);
    }
  kymo_attachment_tell (self, KYMO_ATTACHMENT_WAITING, g_get_monotonic_time () + real_us,
                        "%s", sentence);
  kymo_attachment_wait (self, pause_us, kymo_attachment_open);
}

static void
try_again (KymoAttachment *self,
           const char     *sentence)
{
  self->n_failed++;
  wait_and_open (self, get_pause (FIRST_PAUSE_US, self->n_failed), sentence);
}

/* -- one kind of failure after the other ------------------------------------ */

static void
take_refused (KymoAttachment *self)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autofree char *sentence = NULL;

  if (!self->was_reached)
    {
      sentence = g_strdup_printf (_("Nobody listens at %s yet"), self->target->text);
      try_again (self, sentence);
      return;
    }
  if (self->n_refused++ == 0)
    self->refused_us = now_us;
  sentence = g_strdup_printf (_("%s refuses connections: the program may have ended"),
                              self->target->text);
  if (self->n_refused < N_REFUSED)
    {
      wait_and_open (self, REFUSED_PAUSE_US, sentence);
      return;
    }
  g_free (sentence);
  sentence = g_strdup_printf (_("The program at %s has ended"), self->target->text);
  self->has_stream = FALSE;
  kymo_attachment_end (self, KYMO_ATTACHMENT_ENDED, sentence);
}

static void
take_denied (KymoAttachment *self,
             const GError   *error)
{
  if (self->was_reached && self->n_failed < N_FAILED)
    try_again (self, error->message);
  else
    kymo_attachment_end (self, KYMO_ATTACHMENT_FAILED, error->message);
}

/* A server that wants a key resets who has none. */
static void
take_reset (KymoAttachment *self,
            const GError   *error)
{
  g_autofree char *sentence = NULL;

  if (self->was_reached || self->target->key_file != NULL)
    {
      try_again (self, error->message);
      return;
    }
  sentence = g_strdup_printf (_("%s; it may want a key (that of ++server-auth)"), error->message);
  if (self->n_failed + 1 < N_FAILED)
    try_again (self, sentence);
  else
    kymo_attachment_end (self, KYMO_ATTACHMENT_FAILED, sentence);
}

/* Bytes of a reply that brings nothing new: it is its head alone. */
static gint64
get_nothing_bytes (KymoStreamKind kind)
{
  return kind == KYMO_STREAM_DETAIL ? 4 : kind == KYMO_STREAM_DOUBLES ? 8 : 1;
}

/* The block has left the program's queue and will not come again. */
static void
take_cut (KymoAttachment *self,
          const GError   *error)
{
  gboolean block = self->asks_stream
    && kymo_ccs_client_get_told (self->client) > get_nothing_bytes (self->form.kind);

  if (block)
    {
      self->has_stream = TRUE;
      kymo_attachment_give_form (self);
      kymo_attachment_take_loss (self);
      kymo_attachment_give_text (self, KYMO_FRAME_LOST, error->message);
    }
  if (!block || self->n_failed + 1 >= N_FAILED)
    {
      try_again (self, error->message);
      return;
    }
  self->n_failed++;
  kymo_attachment_wait (self, TUNNEL_PAUSE_US, kymo_attachment_follow);
}

static void
take_other (KymoAttachment *self,
            const GError   *error)
{
  if (error->code == KYMO_CCS_ERROR_NO_HOST && !self->was_reached)
    kymo_attachment_end (self, KYMO_ATTACHMENT_FAILED, error->message);
  else
    try_again (self, error->message);
}

static void
take_error (KymoAttachment *self,
            const GError   *error)
{
  switch ((KymoCcsError) error->code)
    {
    case KYMO_CCS_ERROR_REFUSED:
      take_refused (self);
      break;
    case KYMO_CCS_ERROR_DENIED:
      take_denied (self, error);
      break;
    case KYMO_CCS_ERROR_RESET:
      take_reset (self, error);
      break;
    case KYMO_CCS_ERROR_CUT:
    case KYMO_CCS_ERROR_SLOW:
    case KYMO_CCS_ERROR_LONG:
      take_cut (self, error);
      break;
    case KYMO_CCS_ERROR_NO_HOST:
    case KYMO_CCS_ERROR_NETWORK:
    case KYMO_CCS_ERROR_CLOSED:
    case KYMO_CCS_ERROR_LATE:
    case KYMO_CCS_ERROR_FAILED:
    default:
      take_other (self, error);
      break;
    }
}

/**
 * kymo_attachment_take_unreadable:
 * @why: what is wrong with the reply, a clause
 *
 * Tells that a whole reply is no block, and asks again after a pause. A server that sends
 * garbage sends it as fast as it is asked, so the pauses grow like those after other
 * failures.
 */
void
kymo_attachment_take_unreadable (KymoAttachment *self,
                                 const char     *why)
{
  gint64 pause_us = get_pause (FIRST_UNREADABLE_PAUSE_US, ++self->n_unreadable);
  gint64 real_us = pause_us / self->haste;
  g_autofree char *sentence = g_strdup_printf (_("%s sends replies that cannot be read: %s"),
                                               self->target->text, why);

  self->n_all_unreadable++;
  kymo_attachment_set_matter (self, sentence);
  kymo_attachment_tell (self, KYMO_ATTACHMENT_WAITING, g_get_monotonic_time () + real_us,
                        "%s", sentence);
  kymo_attachment_wait (self, pause_us, kymo_attachment_follow);
}

/* -- through ssh ------------------------------------------------------------ */

static void
tunnel_ended (KymoAttachment *self)
{
  gboolean stood = kymo_ccs_client_has_connected (self->client);
  g_autofree char *words = kymo_ssh_tunnel_dup_words (self->tunnel);
  g_autofree char *sentence = *words != 0
    ? g_strdup_printf (_("ssh to %s has ended: %s"), self->target->through, words)
    : g_strdup_printf (_("ssh to %s has ended"), self->target->through);

  if (!stood && kymo_ssh_tunnel_is_hopeless (self->tunnel))
    kymo_attachment_end (self, KYMO_ATTACHMENT_FAILED, sentence);
  else
    try_again (self, sentence);
}

static void judge_tunnel (KymoAttachment *self);

/* It may have ended instead; then what it said comes first. */
static void
try_tunnel (KymoAttachment *self)
{
  if (kymo_ssh_tunnel_is_running (self->tunnel))
    kymo_attachment_open (self);
  else
    kymo_attachment_wait (self, WORDS_PAUSE_US, judge_tunnel);
}

/* ssh has not opened its port yet. */
static void
await_tunnel (KymoAttachment *self)
{
  gint64 waited_us = (g_get_monotonic_time () - self->tunnel_us) * self->haste;
  g_autofree char *sentence = NULL;

  if (waited_us < TUNNEL_PATIENCE_US)
    {
      kymo_attachment_wait (self, TUNNEL_PAUSE_US, try_tunnel);
      return;
    }
  g_clear_pointer (&self->tunnel, kymo_ssh_tunnel_free);
  sentence = g_strdup_printf (_("ssh to %s does not get on"), self->target->through);
  try_again (self, sentence);
}

/* The words of ssh are here by now. */
static void
judge_tunnel (KymoAttachment *self)
{
  g_autoptr (GError) error = g_steal_pointer (&self->failure);

  if (error == NULL)
    tunnel_ended (self);
  else if (kymo_ssh_tunnel_take_refusal (self->tunnel))
    take_refused (self);
  else if (!kymo_ssh_tunnel_is_running (self->tunnel))
    tunnel_ended (self);
  else
    take_error (self, error);
}

static void
take_tunnel_error (KymoAttachment *self,
                   const GError   *error)
{
  if (error->code == KYMO_CCS_ERROR_REFUSED && kymo_ssh_tunnel_is_running (self->tunnel))
    {
      await_tunnel (self);
      return;
    }
  g_clear_error (&self->failure);
  self->failure = g_error_copy (error);
  kymo_attachment_wait (self, WORDS_PAUSE_US, judge_tunnel);
}

/**
 * kymo_attachment_fault:
 * @error: why the request failed
 *
 * Decides what a failed request means: another try after a pause, or the end of the
 * attachment. A failure of a tunnel is judged by what ssh said.
 */
void
kymo_attachment_fault (KymoAttachment *self,
                       const GError   *error)
{
  kymo_attachment_keep_doubted (self);
  if (self->tunnel != NULL)
    take_tunnel_error (self, error);
  else
    take_error (self, error);
}
