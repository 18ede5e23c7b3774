/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The attachment itself: one request, one timer or an end at any time, and
 * what is told of it. Frames and states are given out at once; who gets them
 * may free the attachment there and then, so everybody who goes on after it
 * looks at `closed` first, and the entries from the main loop hold a
 * reference.
 */
#include "config.h"

#include "kymo-attachment-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-link.h"
#include "kymo-error.h"

/* So long PE 0 may be silent before it is told. */
#define LATE_US (3 * G_USEC_PER_SEC)

static void
unref (KymoAttachment *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;
  g_clear_error (&self->failure);
  g_clear_pointer (&self->doubted, g_bytes_unref);
  kymo_ccs_target_free (self->target);
  g_main_context_unref (self->context);
  g_free (self->sentence);
  g_free (self->matter);
  g_free (self);
}

static GSource *
add_timer (KymoAttachment *self,
           gint64          after_us,
           GSourceFunc     callback)
{
  gint64 after_ms = after_us / self->haste / 1000;
  GSource *source = g_timeout_source_new (CLAMP (after_ms, 0, G_MAXINT));

  g_source_set_callback (source, callback, self, NULL);
  g_source_attach (source, self->context);
  return source;
}

/* -- what is told ----------------------------------------------------------- */

/* The same thing is told once. */
void
kymo_attachment_tell (KymoAttachment      *self,
                      KymoAttachmentState  state,
                      gint64               retry_us,
                      const char          *format,
                      ...)
{
  g_autofree char *sentence = NULL;
  va_list args;

  va_start (args, format);
  sentence = g_strdup_vprintf (format, args);
  va_end (args);
  if (self->closed || (state == self->state && retry_us == self->retry_us
                       && g_strcmp0 (sentence, self->sentence) == 0))
    return;
  self->state = state;
  self->retry_us = retry_us;
  g_free (self->sentence);
  self->sentence = g_strdup (sentence);
  self->events.state (state, sentence, retry_us, self->data);
}

void
kymo_attachment_set_matter (KymoAttachment *self,
                            const char     *matter)
{
  g_free (self->matter);
  self->matter = g_strdup (matter);
}

/* Takes the frame. */
void
kymo_attachment_give (KymoAttachment  *self,
                      KymoStreamFrame *frame)
{
  if (!self->closed)
    self->events.frame (frame, self->data);
  kymo_stream_frame_unref (frame);
}

void
kymo_attachment_give_text (KymoAttachment *self,
                           KymoFrameKind   kind,
                           const char     *text)
{
  kymo_attachment_give (self, kymo_stream_frame_new_text (kind, g_get_real_time (), text));
}

/* Nothing more is asked. */
void
kymo_attachment_end (KymoAttachment      *self,
                     KymoAttachmentState  state,
                     const char          *sentence)
{
  kymo_ccs_drop_source (&self->timer);
  kymo_ccs_drop_source (&self->late);
  if (self->client != NULL)
    kymo_ccs_client_cancel (self->client);
  g_clear_pointer (&self->tunnel, kymo_ssh_tunnel_free);
  if (state == KYMO_ATTACHMENT_ENDED)
    kymo_attachment_give_text (self, KYMO_FRAME_END, sentence);
  kymo_attachment_tell (self, state, 0, "%s", sentence);
}

/* -- what is done ----------------------------------------------------------- */

static gboolean
at_timer (gpointer data)
{
  KymoAttachment *self = data;

  g_ref_count_inc (&self->ref_count);
  kymo_ccs_drop_source (&self->timer);
  self->step (self);
  unref (self);
  return G_SOURCE_REMOVE;
}

/* `step` after a pause, in place of what was waited for. */
void
kymo_attachment_wait (KymoAttachment     *self,
                      gint64              pause_us,
                      KymoAttachmentStep  step)
{
  kymo_ccs_drop_source (&self->timer);
  if (self->closed)
    return;
  self->step = step;
  self->timer = add_timer (self, pause_us, at_timer);
}

static gboolean
at_late (gpointer data)
{
  KymoAttachment *self = data;
  KymoAttachmentState state = self->state == KYMO_ATTACHMENT_WAITING
    ? KYMO_ATTACHMENT_CONNECTING : self->state;

  kymo_ccs_drop_source (&self->late);
  /* Still connecting, or the reply is on its way. */
  if (!kymo_ccs_client_has_asked (self->client))
    {
      self->late = add_timer (self, LATE_US, at_late);
      return G_SOURCE_REMOVE;
    }
  g_ref_count_inc (&self->ref_count);
  self->n_late++;
  kymo_attachment_tell (self, state, 0,
                        _("PE 0 of %s has not answered for a while: it may be busy in one long "
                          "entry method; waiting"), self->target->text);
  unref (self);
  return G_SOURCE_REMOVE;
}

/* The client does not outlive the attachment, so `data` is there. */
static void
on_replied (GBytes       *reply,
            const GError *error,
            gpointer      data)
{
  KymoAttachment *self = data;

  g_ref_count_inc (&self->ref_count);
  kymo_ccs_drop_source (&self->late);
  if (error != NULL)
    kymo_attachment_fault (self, error);
  else
    {
      self->was_reached = TRUE;
      self->n_refused = 0;
      self->replied (self, reply);
    }
  unref (self);
}

/* A request to PE 0; nothing else is under way. `replied` where all is well,
   else kymo_attachment_fault(). */
void
kymo_attachment_ask (KymoAttachment       *self,
                     const char           *handler,
                     KymoAttachmentReplied replied)
{
  if (self->closed)
    return;
  self->replied = replied;
  kymo_ccs_drop_source (&self->timer);
  kymo_ccs_drop_source (&self->late);
  self->late = add_timer (self, LATE_US, at_late);
  kymo_ccs_client_ask (self->client, 0, handler, NULL, on_replied, self);
}

static gboolean
make_client (KymoAttachment  *self,
             GError         **error)
{
  const KymoCcsTarget *target = self->target;
  gboolean tunnel = target->through != NULL;
  KymoCcsAuth *auth = NULL;
  KymoCcsTimes times = {
    kymo_ccs_times.connect_us / self->haste, kymo_ccs_times.answer_us / self->haste,
    kymo_ccs_times.reply_us / self->haste,
  };

  if (target->key_file != NULL)
    {
      auth = kymo_ccs_auth_new (target->key_file, target->level, error);
      if (auth == NULL)
        return FALSE;
    }
  self->client = kymo_ccs_client_new (tunnel ? "127.0.0.1" : target->host, target->port,
                                      target->text, auth, &times);
  return TRUE;
}

static gboolean
make_tunnel (KymoAttachment  *self,
             GError         **error)
{
  if (self->target->through == NULL
      || (self->tunnel != NULL && kymo_ssh_tunnel_is_running (self->tunnel)))
    return TRUE;
  g_clear_pointer (&self->tunnel, kymo_ssh_tunnel_free);
  self->tunnel = kymo_ssh_tunnel_new (self->target, error);
  if (self->tunnel == NULL)
    return FALSE;
  self->tunnel_us = g_get_monotonic_time ();
  kymo_ccs_client_set_port (self->client, kymo_ssh_tunnel_get_port (self->tunnel));
  return TRUE;
}

/* Tunnel, byte order, PEs, stream. */
void
kymo_attachment_open (KymoAttachment *self)
{
  g_autoptr (GError) error = NULL;

  if ((self->client == NULL && !make_client (self, &error)) || !make_tunnel (self, &error))
    kymo_attachment_end (self, KYMO_ATTACHMENT_FAILED, error->message);
  else
    kymo_attachment_probe (self);
}

static void
begin_at_begin (KymoAttachment *self)
{
  if (self->target->through != NULL)
    kymo_attachment_tell (self, KYMO_ATTACHMENT_CONNECTING, 0,
                          _("Connecting to %s through ssh to %s"), self->target->text,
                          self->target->through);
  else
    kymo_attachment_tell (self, KYMO_ATTACHMENT_CONNECTING, 0, _("Connecting to %s"),
                          self->target->text);
  if (!self->closed)
    kymo_attachment_open (self);
}

/* -- from outside ----------------------------------------------------------- */

KymoAttachment *
kymo_attachment_new_hasty (const KymoCcsTarget        *target,
                           const KymoAttachmentEvents *events,
                           gpointer                    data,
                           double                      haste)
{
  KymoAttachment *self = g_new0 (KymoAttachment, 1);

  g_ref_count_init (&self->ref_count);
  self->context = g_main_context_ref_thread_default ();
  self->target = kymo_ccs_target_copy (target);
  self->events = *events;
  self->data = data;
  self->haste = haste;
  self->patience_us = KYMO_ATTACHMENT_PATIENCE_US;
  return self;
}

/**
 * kymo_attachment_new:
 * @target: where the program listens; copied
 * @events: who is told; copied
 * @data: for them
 *
 * Nothing happens before kymo_attachment_start().
 */
KymoAttachment *
kymo_attachment_new (const KymoCcsTarget        *target,
                     const KymoAttachmentEvents *events,
                     gpointer                    data)
{
  return kymo_attachment_new_hasty (target, events, data, 1);
}

void
kymo_attachment_set_patience (KymoAttachment *self,
                              gint64          patience_us)
{
  self->patience_us = MAX (patience_us, 0);
}

/** kymo_attachment_start: begins; the events come from the main loop. */
void
kymo_attachment_start (KymoAttachment *self)
{
  kymo_attachment_wait (self, 0, begin_at_begin);
}

/** kymo_attachment_retry: tries at once where it waits, has ended or has
 * failed; elsewhere it does nothing. */
void
kymo_attachment_retry (KymoAttachment *self)
{
  switch (self->state)
    {
    case KYMO_ATTACHMENT_WAITING:
    case KYMO_ATTACHMENT_NO_STREAM:
      if (self->timer != NULL)
        kymo_attachment_wait (self, 0, self->step);
      break;
    case KYMO_ATTACHMENT_ENDED:
    case KYMO_ATTACHMENT_FAILED:
      /* The key may be another one now. */
      if (self->client != NULL)
        self->bytes_sent += kymo_ccs_client_get_bytes_sent (self->client);
      g_clear_pointer (&self->client, kymo_ccs_client_free);
      self->was_reached = FALSE;
      self->n_failed = self->n_refused = self->n_unreadable = 0;
      self->probe_us = 0;
      self->pace = (KymoPace) { 0 };
      kymo_attachment_wait (self, 0, begin_at_begin);
      break;
    default:
      break;
    }
}

void
kymo_attachment_free (KymoAttachment *self)
{
  if (self == NULL)
    return;
  self->closed = TRUE;
  kymo_ccs_drop_source (&self->timer);
  kymo_ccs_drop_source (&self->late);
  g_clear_pointer (&self->client, kymo_ccs_client_free);
  g_clear_pointer (&self->tunnel, kymo_ssh_tunnel_free);
  unref (self);
}

KymoAttachmentState
kymo_attachment_get_state (const KymoAttachment *self)
{
  return self->state;
}

const char *
kymo_attachment_peek_matter (const KymoAttachment *self)
{
  return self->matter;
}

gint64
kymo_attachment_get_bytes_sent (const KymoAttachment *self)
{
  return self->bytes_sent
         + (self->client != NULL ? kymo_ccs_client_get_bytes_sent (self->client) : 0);
}
