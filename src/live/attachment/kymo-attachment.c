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

/* Silence of PE 0 after which the attachment reports that PE 0 does not answer. */
#define LATE_US (3 * G_USEC_PER_SEC)

static void
unref (KymoAttachment *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;
  g_clear_error (&self->failure);
  g_clear_pointer (&self->doubted, g_bytes_unref);
  g_clear_pointer (&self->block, g_bytes_unref);
  g_clear_pointer (&self->names, g_bytes_unref);
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

/* -- callbacks -------------------------------------------------------------- */

/**
 * kymo_attachment_tell:
 * @state: the state from now on
 * @retry_us: monotonic time of the next try, or 0
 * @format: a sentence for the person, as for printf()
 *
 * Calls the state callback, unless state, time and sentence are those told last.
 */
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

/**
 * kymo_attachment_set_matter:
 * @matter: a sentence without what is done about it; copied
 *
 * Stores the reason why the attachment waits or found no stream, see
 * kymo_attachment_peek_matter().
 */
void
kymo_attachment_set_matter (KymoAttachment *self,
                            const char     *matter)
{
  g_free (self->matter);
  self->matter = g_strdup (matter);
}

/**
 * kymo_attachment_give:
 * @frame: (transfer full): what came
 *
 * Hands a frame to the frame callback; drops it if the attachment is closed.
 */
void
kymo_attachment_give (KymoAttachment  *self,
                      KymoStreamFrame *frame)
{
  if (!self->closed)
    self->events.frame (frame, self->data);
  kymo_stream_frame_unref (frame);
}

/**
 * kymo_attachment_give_text:
 * @kind: a kind of frame whose content is text
 * @text: the content
 *
 * Hands a frame of the present time to the frame callback.
 */
void
kymo_attachment_give_text (KymoAttachment *self,
                           KymoFrameKind   kind,
                           const char     *text)
{
  kymo_attachment_give (self, kymo_stream_frame_new_text (kind, g_get_real_time (), text));
}

/**
 * kymo_attachment_end:
 * @state: why it ends; %KYMO_ATTACHMENT_ENDED also gives a frame of the kind END
 * @sentence: the same for the person
 *
 * Gives up the request under way, closes the tunnel and asks nothing more.
 */
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

/**
 * kymo_attachment_wait:
 * @pause_us: how long to wait, before it is divided by the haste
 * @step: called after the pause, unless something else was waited for or asked meanwhile
 */
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

/**
 * kymo_attachment_ask:
 * @handler: name of the CCS handler
 * @replied: called with the reply; a failure goes to kymo_attachment_fault()
 *
 * Sends a request to PE 0. No other request may be under way. Ends a kymo_attachment_wait().
 */
void
kymo_attachment_ask (KymoAttachment       *self,
                     const char           *handler,
                     KymoAttachmentReplied replied)
{
  kymo_attachment_ask_with (self, handler, NULL, replied);
}

/**
 * kymo_attachment_ask_with:
 * @handler: name of the CCS handler
 * @data: (nullable): sent with the request
 * @replied: called with the reply
 *
 * As kymo_attachment_ask().
 */
void
kymo_attachment_ask_with (KymoAttachment       *self,
                          const char           *handler,
                          GBytes               *data,
                          KymoAttachmentReplied replied)
{
  if (self->closed)
    return;
  self->replied = replied;
  kymo_ccs_drop_source (&self->timer);
  kymo_ccs_drop_source (&self->late);
  self->late = add_timer (self, LATE_US, at_late);
  kymo_ccs_client_ask (self->client, 0, handler, data, on_replied, self);
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

/**
 * kymo_attachment_open:
 *
 * Opens the tunnel, if the target needs one, and begins to probe the program. Ends the
 * attachment as failed if the key cannot be read or ssh cannot be run.
 */
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

/**
 * kymo_attachment_new_hasty:
 * @target: where the program listens; copied
 * @events: callbacks for states and frames; copied
 * @data: for the callbacks
 * @haste: all pauses are divided by it; 1 in the program, more in tests
 *
 * Makes an attachment that does nothing before kymo_attachment_start().
 *
 * Returns: (transfer full): free with kymo_attachment_free()
 */
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
 * @events: callbacks for states and frames; copied
 * @data: for the callbacks
 *
 * Nothing happens before kymo_attachment_start().
 *
 * Returns: (transfer full): free with kymo_attachment_free()
 */
KymoAttachment *
kymo_attachment_new (const KymoCcsTarget        *target,
                     const KymoAttachmentEvents *events,
                     gpointer                    data)
{
  return kymo_attachment_new_hasty (target, events, data, 1);
}

/**
 * kymo_attachment_set_patience:
 * @patience_us: how long a program without a stream is asked for one before the person is
 *   told that there is none; 30 s at first
 *
 * To be called before kymo_attachment_start().
 */
void
kymo_attachment_set_patience (KymoAttachment *self,
                              gint64          patience_us)
{
  self->patience_us = MAX (patience_us, 0);
}

/**
 * kymo_attachment_set_values:
 * @values: whether values beside the stream are asked for, where the program has them; not at
 *   first. The values of a second are a frame before the frame of its block
 */
void
kymo_attachment_set_values (KymoAttachment *self,
                            gboolean        values)
{
  self->wants_values = values;
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

/**
 * kymo_attachment_free:
 *
 * Gives up requests under way and frees the attachment. No callback is called any more. %NULL
 * is ignored.
 */
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

/** kymo_attachment_get_state: the state that was told last */
KymoAttachmentState
kymo_attachment_get_state (const KymoAttachment *self)
{
  return self->state;
}

/**
 * kymo_attachment_peek_matter:
 *
 * Returns: (nullable): why it last waited or found no stream: a sentence without what is done
 *   about it, valid until the next callback
 */
const char *
kymo_attachment_peek_matter (const KymoAttachment *self)
{
  return self->matter;
}

/** kymo_attachment_get_bytes_sent: the bytes of all requests sent so far, with their headers */
gint64
kymo_attachment_get_bytes_sent (const KymoAttachment *self)
{
  return self->bytes_sent
         + (self->client != NULL ? kymo_ccs_client_get_bytes_sent (self->client) : 0);
}
