/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests wait in a queue for their answers, which come in their order; lines `state` may come
 * between. What is read is cut into lines here, since the readers of GIO would keep a line of any
 * length.
 */
#include "config.h"

#include "kymo-job-client.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-follow.h"

#define VERSION_LINE "kymo-actions"

/* A request that is not answered yet: its task, or NULL for a list. */
typedef struct
{
  GTask *task;
} Request;

struct _KymoJobClient
{
  GObject       parent_instance;

  char         *socket;         /* or NULL */
  char        **words;          /* of a command whose standard streams are the connection */
  GSubprocess  *process;
  GIOStream    *stream;
  GCancellable *cancellable;
  gboolean      is_greeted;
  KymoJobInfo  *info;
  GPtrArray    *actions;        /* KymoJobAction, of the last whole list */
  GPtrArray    *listed;         /* the same, of the list that comes */
  GQueue        requests;       /* Request */
  GString      *out;            /* that waits to be written */
  GString      *sent;           /* that is being written; empty = nothing */
  GString      *in;             /* a line that is not whole */
  gboolean      skips;          /* the rest of a line that is too long */
  char          piece[4096];
  char         *closed;         /* why; NULL while it is open */
};

G_DEFINE_FINAL_TYPE (KymoJobClient, kymo_job_client, G_TYPE_OBJECT)

enum { CHANGED, ORDER, N_SIGNALS };

static guint signals[N_SIGNALS];

static void write_more (KymoJobClient *self);
static void read_more (KymoJobClient *self);

/* -- the end ---------------------------------------------------------------- */

static void
drop_requests (KymoJobClient *self,
               const char    *why)
{
  Request *request;

  while ((request = g_queue_pop_head (&self->requests)) != NULL)
    {
      if (request->task != NULL)
        g_task_return_new_error (request->task, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "%s", why);
      g_clear_object (&request->task);
      g_free (request);
    }
}

static void
close_client (KymoJobClient *self,
              const char    *why)
{
  if (self->closed != NULL)
    return;
  self->closed = g_strdup (why);
  g_cancellable_cancel (self->cancellable);
  g_ptr_array_set_size (self->actions, 0);
  drop_requests (self, why);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* -- lines ------------------------------------------------------------------ */

static void
take_listed (KymoJobClient     *self,
             const char *const *fields)
{
  KymoJobAction *action = kymo_job_action_parse (fields);

  if (action != NULL && self->listed->len < KYMO_JOB_MOST_ACTIONS)
    g_ptr_array_add (self->listed, action);
  else
    kymo_job_action_free (action);
}

static void
end_list (KymoJobClient *self)
{
  g_free (g_queue_pop_head (&self->requests));
  g_ptr_array_unref (self->actions);
  self->actions = g_steal_pointer (&self->listed);
  self->listed = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_job_action_free);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
take_answer (KymoJobClient     *self,
             const char *const *fields)
{
  Request *request = g_queue_pop_head (&self->requests);
  g_autoptr (GTask) task = g_steal_pointer (&request->task);
  guint64 *number = g_new0 (guint64, 1);
  g_autofree char *why = NULL;

  g_free (request);
  if (strcmp (fields[0], "accepted") == 0 && fields[1] != NULL
      && g_ascii_string_to_unsigned (fields[1], 10, 0, G_MAXUINT64, number, NULL))
    {
      g_task_return_pointer (task, number, g_free);
      return;
    }
  g_free (number);
  why = kymo_job_line_dup_text (fields[1] != NULL ? fields[1] : _("The job refused the action"));
  g_task_return_new_error (task, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "%s", why);
}

static void
take_greeting (KymoJobClient     *self,
               const char *const *fields)
{
  g_autofree char *why = NULL;
  guint64 version;

  if (strcmp (fields[0], VERSION_LINE) == 0 && fields[1] != NULL
      && g_ascii_string_to_unsigned (fields[1], 10, 1, G_MAXUINT32, &version, NULL))
    {
      self->is_greeted = TRUE;
      return;
    }
  why = kymo_job_line_dup_text (strcmp (fields[0], "refused") == 0 && fields[1] != NULL ? fields[1]
                                : _("What listens there is no job under kymo-record"));
  close_client (self, why);
}

static void
take_job (KymoJobClient     *self,
          const char *const *fields)
{
  KymoJobInfo *info = kymo_job_info_parse (fields);

  if (info == NULL)
    return;
  kymo_job_info_free (self->info);
  self->info = info;
  info->socket = g_strdup (self->socket);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
take_order (KymoJobClient     *self,
            const char *const *fields)
{
  g_autoptr (KymoJobOrder) order = kymo_job_order_parse (fields);

  if (order == NULL)
    return;
  g_signal_emit (self, signals[ORDER], 0, order);
  /* Values and what can be done may be others now. */
  if (order->state != KYMO_JOB_RUNNING)
    kymo_job_client_list (self);
}

static void
take_line (KymoJobClient *self,
           const char    *line,
           gsize          n_bytes)
{
  g_auto (GStrv) owned = kymo_job_line_split (line, n_bytes);
  const char *const *fields = (const char *const *) owned;
  Request *request = g_queue_peek_head (&self->requests);

  if (fields[0] == NULL)
    return;
  if (!self->is_greeted)
    take_greeting (self, fields);
  else if (strcmp (fields[0], "job") == 0)
    take_job (self, fields);
  else if (strcmp (fields[0], "state") == 0)
    take_order (self, fields);
  else if (request == NULL)
    return;
  else if (request->task == NULL && strcmp (fields[0], "end") == 0)
    end_list (self);
  else if (request->task == NULL)
    take_listed (self, fields);
  else if (strcmp (fields[0], "accepted") == 0 || strcmp (fields[0], "refused") == 0)
    take_answer (self, fields);
}

/* A line of any length ends the room for it, not the connection. */
static void
take_bytes (KymoJobClient *self,
            const char    *bytes,
            gsize          n_bytes)
{
  while (n_bytes > 0 && self->closed == NULL)
    {
      const char *end = memchr (bytes, '\n', n_bytes);
      gsize n = end != NULL ? (gsize) (end - bytes) : n_bytes;

      self->skips |= self->in->len + n > KYMO_JOB_MOST_LINE;
      if (self->skips)
        g_string_truncate (self->in, 0);
      else
        g_string_append_len (self->in, bytes, n);
      if (end == NULL)
        return;
      if (!self->skips)
        take_line (self, self->in->str, self->in->len);
      self->skips = FALSE;
      g_string_truncate (self->in, 0);
      bytes += n + 1;
      n_bytes -= n + 1;
    }
}

/* -- the connection --------------------------------------------------------- */

static void
have_bytes (GObject      *input,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (KymoJobClient) self = data;
  g_autoptr (GError) error = NULL;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (input), result, &error);

  if (self->closed != NULL)
    return;
  if (n <= 0)
    {
      close_client (self, error != NULL ? error->message
                    : self->is_greeted ? _("The job has ended")
                    : _("The job does not take orders"));
      return;
    }
  take_bytes (self, self->piece, n);
  if (self->closed == NULL)
    read_more (self);
}

static void
read_more (KymoJobClient *self)
{
  g_input_stream_read_async (g_io_stream_get_input_stream (self->stream), self->piece,
                             sizeof self->piece, G_PRIORITY_DEFAULT, self->cancellable, have_bytes,
                             g_object_ref (self));
}

static void
have_written (GObject      *output,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (KymoJobClient) self = data;
  g_autoptr (GError) error = NULL;
  gboolean written = g_output_stream_write_all_finish (G_OUTPUT_STREAM (output), result, NULL,
                                                       &error);

  g_string_truncate (self->sent, 0);
  if (self->closed != NULL)
    return;
  if (written)
    write_more (self);
  else
    close_client (self, error->message);
}

static void
write_more (KymoJobClient *self)
{
  GString *rest = self->sent;

  if (self->stream == NULL || self->sent->len > 0 || self->out->len == 0 || self->closed != NULL)
    return;
  self->sent = self->out;
  self->out = rest;
  g_output_stream_write_all_async (g_io_stream_get_output_stream (self->stream), self->sent->str,
                                   self->sent->len, G_PRIORITY_DEFAULT, self->cancellable,
                                   have_written, g_object_ref (self));
}

static void
be_connected (KymoJobClient *self)
{
  read_more (self);
  write_more (self);
}

static void
have_connection (GObject      *client,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (KymoJobClient) self = data;
  g_autoptr (GError) error = NULL;
  GSocketConnection *connection =
    g_socket_client_connect_finish (G_SOCKET_CLIENT (client), result, &error);

  if (connection == NULL)
    {
      close_client (self, error->message);
      return;
    }
  self->stream = G_IO_STREAM (connection);
  be_connected (self);
}

static void
start_command (KymoJobClient *self)
{
  g_autoptr (GError) error = NULL;

  self->process = g_subprocess_newv ((const char *const *) self->words,
                                     G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                     | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  if (self->process == NULL)
    {
      close_client (self, error->message);
      return;
    }
  self->stream = g_simple_io_stream_new (g_subprocess_get_stdout_pipe (self->process),
                                         g_subprocess_get_stdin_pipe (self->process));
  be_connected (self);
}

/**
 * kymo_job_client_start:
 *
 * Connects, and asks for the list of actions. To be called once.
 */
void
kymo_job_client_start (KymoJobClient *self)
{
  kymo_job_client_list (self);
  if (self->words != NULL)
    start_command (self);
  else
    {
      g_autoptr (GSocketClient) client = g_socket_client_new ();
      g_autoptr (GSocketAddress) address = g_unix_socket_address_new (self->socket);

      g_socket_client_set_enable_proxy (client, FALSE);
      g_socket_client_connect_async (client, G_SOCKET_CONNECTABLE (address), self->cancellable,
                                     have_connection, g_object_ref (self));
    }
}

/**
 * kymo_job_client_stop:
 *
 * Ends the connection, which actions that are under way survive; no signal is emitted any more.
 */
void
kymo_job_client_stop (KymoJobClient *self)
{
  g_signal_handlers_disconnect_matched (self, G_SIGNAL_MATCH_ID, signals[CHANGED], 0, NULL, NULL,
                                        NULL);
  g_signal_handlers_disconnect_matched (self, G_SIGNAL_MATCH_ID, signals[ORDER], 0, NULL, NULL,
                                        NULL);
  close_client (self, _("The connection was closed"));
}

/* -- requests --------------------------------------------------------------- */

static void
send_request (KymoJobClient     *self,
              const char *const *fields,
              GTask             *task)
{
  g_autofree char *line = kymo_job_line_join (fields);
  Request *request = g_new0 (Request, 1);

  request->task = task;
  g_queue_push_tail (&self->requests, request);
  g_string_append (self->out, line);
  write_more (self);
}

/**
 * kymo_job_client_list:
 *
 * Asks the job for its list of actions again. The signal "changed" follows the answer.
 */
void
kymo_job_client_list (KymoJobClient *self)
{
  static const char *const fields[] = { "list", NULL };
  const Request *last = g_queue_peek_tail (&self->requests);

  /* One that was not answered yet is as good. */
  if (self->closed == NULL && (last == NULL || last->task != NULL))
    send_request (self, fields, NULL);
}

/**
 * kymo_job_client_do_async:
 * @name: of an action
 * @arguments: (array zero-terminated=1): "KEY=VALUE"
 * @callback: called when the job has accepted or refused it, not when it is done
 *
 * Orders an action.
 */
void
kymo_job_client_do_async (KymoJobClient       *self,
                          const char          *name,
                          const char *const   *arguments,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  GTask *task = g_task_new (self, self->cancellable, callback, data);

  g_task_set_check_cancellable (task, FALSE);
  if (self->closed != NULL)
    {
      g_task_return_new_error (task, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "%s", self->closed);
      g_object_unref (task);
      return;
    }
  g_ptr_array_add (fields, (gpointer) "do");
  g_ptr_array_add (fields, (gpointer) name);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (fields, (gpointer) arguments[i]);
  g_ptr_array_add (fields, NULL);
  send_request (self, (const char *const *) fields->pdata, task);
}

/**
 * kymo_job_client_do_finish:
 * @number: (out) (optional): of the order, an argument of the signal "order"
 * @error: the job's sentence, %KYMO_ERROR_UNANSWERABLE, if it refused
 *
 * Returns: TRUE if the job accepted the action
 */
gboolean
kymo_job_client_do_finish (KymoJobClient  *self,
                           GAsyncResult   *result,
                           guint64        *number,
                           GError        **error)
{
  g_autofree guint64 *told = g_task_propagate_pointer (G_TASK (result), error);

  if (told != NULL && number != NULL)
    *number = *told;
  return told != NULL;
}

/* -- facts about the job ----------------------------------------------------- */

/** kymo_job_client_peek_info: (nullable): the job, once it has told */
const KymoJobInfo *
kymo_job_client_peek_info (KymoJobClient *self)
{
  return self->info;
}

/** kymo_job_client_peek_actions: (element-type KymoJobAction): of the last list; empty before */
GPtrArray *
kymo_job_client_peek_actions (KymoJobClient *self)
{
  return self->actions;
}

/** kymo_job_client_find: (nullable): the action of that name in the last list */
const KymoJobAction *
kymo_job_client_find (KymoJobClient *self,
                      const char    *name)
{
  for (guint i = 0; i < self->actions->len; i++)
    if (strcmp (((KymoJobAction *) self->actions->pdata[i])->name, name) == 0)
      return self->actions->pdata[i];
  return NULL;
}

/** kymo_job_client_peek_closed: (nullable): why there is no connection any more, a sentence */
const char *
kymo_job_client_peek_closed (KymoJobClient *self)
{
  return self->closed;
}

static void
kymo_job_client_dispose (GObject *object)
{
  KymoJobClient *self = KYMO_JOB_CLIENT (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->stream);
  g_clear_object (&self->process);
  G_OBJECT_CLASS (kymo_job_client_parent_class)->dispose (object);
}

static void
kymo_job_client_finalize (GObject *object)
{
  KymoJobClient *self = KYMO_JOB_CLIENT (object);

  drop_requests (self, "");
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->actions);
  g_ptr_array_unref (self->listed);
  g_string_free (self->out, TRUE);
  g_string_free (self->sent, TRUE);
  g_string_free (self->in, TRUE);
  kymo_job_info_free (self->info);
  g_free (self->socket);
  g_strfreev (self->words);
  g_free (self->closed);
  G_OBJECT_CLASS (kymo_job_client_parent_class)->finalize (object);
}

static void
kymo_job_client_class_init (KymoJobClientClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_job_client_dispose;
  G_OBJECT_CLASS (klass)->finalize = kymo_job_client_finalize;
  signals[CHANGED] = kymo_signal_new ("changed", KYMO_TYPE_JOB_CLIENT, 0);
  signals[ORDER] = kymo_signal_new ("order", KYMO_TYPE_JOB_CLIENT, 1, G_TYPE_POINTER);
}

static void
kymo_job_client_init (KymoJobClient *self)
{
  self->cancellable = g_cancellable_new ();
  self->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_job_action_free);
  self->listed = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_job_action_free);
  self->out = g_string_new (NULL);
  self->sent = g_string_new (NULL);
  self->in = g_string_new (NULL);
  g_queue_init (&self->requests);
}

/**
 * kymo_job_client_new:
 * @socket: path of the job's socket on this machine
 *
 * Returns: (transfer full): a client that is not connected yet; a reference of its own keeps it
 *   until kymo_job_client_stop() or the end of the job
 */
KymoJobClient *
kymo_job_client_new (const char *socket)
{
  KymoJobClient *self = g_object_new (KYMO_TYPE_JOB_CLIENT, NULL);

  self->socket = g_strdup (socket);
  return self;
}

/**
 * kymo_job_client_new_command:
 * @words: (array zero-terminated=1): a program whose standard input and output are connected with
 *   the job, as `ssh HOST kymo-cli attach WHERE --relay`
 *
 * Returns: (transfer full): a client that is not connected yet
 */
KymoJobClient *
kymo_job_client_new_command (const char *const *words)
{
  KymoJobClient *self = g_object_new (KYMO_TYPE_JOB_CLIENT, NULL);

  self->words = g_strdupv ((char **) words);
  return self;
}
