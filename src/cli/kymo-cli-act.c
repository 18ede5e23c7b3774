/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli attach with an action: asks a job under kymo-record --live for something
 * (docs/formats/actions.md), tells how it goes on standard error, and prints what was written.
 *
 * The job's socket is on the host of rank 0. From another host ssh runs `kymo-cli attach --relay`
 * there, which only moves bytes between the socket and its standard input and output.
 */
#include "config.h"

#include "kymo-cli.h"

#include <gio/gunixsocketaddress.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-ccs-target.h"
#include "kymo-cli-stream.h"
#include "kymo-host.h"
#include "kymo-job-client.h"
#include "kymo-jobs-far.h"
#include "kymo-safe-text.h"

#define MOST_NOTE 8192

typedef struct
{
  KymoCli       *cli;
  GMainContext  *context;
  GMainLoop     *loop;
  KymoJobClient *client;
  GString       *text;          /* what is printed */
  char          *name;          /* of the action; NULL: they are listed */
  char         **arguments;
  gboolean       asked;
  guint64        number;        /* of the action, once it is accepted */
  GError        *error;
} Act;

/* -- where the job is ------------------------------------------------------ */

/* The socket as the folder of a run names it: HOST:PATH. */
static gboolean
read_note (const char  *folder,
           char       **host,
           char       **socket,
           GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "live.actions", NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  char *colon;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (path, &text, &length, NULL) || length > MOST_NOTE
      || (colon = strchr (g_strstrip (text), ':')) == NULL || colon[1] != '/')
    {
      g_autofree char *shown = g_utf8_make_valid (folder, -1);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "%s is not the folder of a job that runs under kymo-record --live", shown);
      return FALSE;
    }
  *colon = '\0';
  *host = g_strdup (text);
  *socket = g_strdup (colon + 1);
  return TRUE;
}

/* Words that run ssh, which runs kymo-cli there. */
static char **
make_ssh (const char  *host,
          guint16      port,
          const char  *through,
          const char  *where,
          GError     **error)
{
  gboolean asks = isatty (STDIN_FILENO) || g_getenv ("SSH_ASKPASS") != NULL;
  g_autofree char *command = kymo_jobs_dup_relay (where);
  g_autoptr (KymoHost) there = kymo_hosts_find (host, port, error);
  g_auto (GStrv) words = there != NULL ? kymo_host_dup_ssh (there, asks, command) : NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (words == NULL)
    return NULL;
  g_strv_builder_add (builder, words[0]);
  if (through != NULL)
    g_strv_builder_add_many (builder, "-J", through, NULL);
  g_strv_builder_addv (builder, (const char **) words + 1);
  return g_strv_builder_end (builder);
}

/* A job that serves its stream at HOST:PORT: its socket, or words of ssh. */
static gboolean
find_address (KymoCli  *cli,
              char    **socket,
              char   ***words,
              GError  **error)
{
  const char *text = cli->words->pdata[0];
  g_autoptr (KymoCcsTarget) target =
    kymo_ccs_target_parse (text, kymo_cli_get (cli, "through"), NULL, error);
  g_autofree char *there = NULL, *folder = NULL;
  g_autoptr (GPtrArray) jobs = NULL;
  const KymoJobInfo *job;

  if (target == NULL)
    return FALSE;
  there = g_strdup_printf ("localhost:%u", target->port);
  if (g_str_has_prefix (text, "ssh://"))
    return (*words = make_ssh (target->through, target->through_port, NULL, there, error)) != NULL;
  folder = kymo_jobs_dup_folder ();
  jobs = kymo_jobs_list (folder, kymo_job_peek_cancellable (cli->job));
  job = kymo_jobs_find (jobs, text);
  if (job != NULL)
    return (*socket = g_strdup (job->socket)) != NULL;
  if (target->through != NULL || !kymo_jobs_is_here (target->host))
    return (*words = make_ssh (target->host, 0, target->through, there, error)) != NULL;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               "no job of this user that takes actions serves its stream at %s", target->text);
  return FALSE;
}

static gboolean
find_job (KymoCli  *cli,
          char    **socket,
          char   ***words,
          GError  **error)
{
  const char *where = cli->words->pdata[0];
  g_autofree char *host = NULL;

  if (g_file_test (where, G_FILE_TEST_IS_DIR))
    {
      if (!read_note (where, &host, socket, error))
        return FALSE;
      if (!kymo_jobs_is_here (host))
        {
          *words = make_ssh (host, 0, kymo_cli_get (cli, "through"), *socket, error);
          g_clear_pointer (socket, g_free);
          return *words != NULL;
        }
      return TRUE;
    }
  if (where[0] == '/')
    {
      *socket = g_strdup (where);
      return TRUE;
    }
  return find_address (cli, socket, words, error);
}

/* -- what is asked --------------------------------------------------------- */

/* Options that are actions. */
static const struct
{
  const char *option, *name, *key;
} options[] = {
  { "trace-ranks", "trace", "ranks" }, { "trace-idlest", "trace", "idlest" },
  { "trace-busiest", "trace", "busiest" }, { "profile-now", "profile", NULL },
  { "marker", "marker", "text" }, { "checkpoint", "checkpoint", NULL },
  { "end-at-checkpoint", "end-at-checkpoint", NULL }, { "set", "set", NULL },
  { "call", "call", NULL },
  { "sample", "sampling", "hz" }, { "actions", NULL, NULL }, { "relay", NULL, NULL },
};

/**
 * kymo_cli_is_act: whether the command line asks for an action rather than for the stream.
 */
gboolean
kymo_cli_is_act (KymoCli *cli)
{
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (kymo_cli_has (cli, options[i].option))
      return TRUE;
  return FALSE;
}

static void
add_pair (GStrvBuilder *builder,
          const char   *key,
          const char   *value)
{
  g_autofree char *pair = g_strconcat (key, "=", value, NULL);

  g_strv_builder_add (builder, pair);
}

static gboolean
take_option (Act      *act,
             guint     i,
             GError  **error)
{
  const char *value = kymo_cli_get (act->cli, options[i].option);
  const char *time = kymo_cli_get (act->cli, "for");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *equals;

  act->name = g_strdup (options[i].name);
  if (options[i].key != NULL)
    add_pair (builder, options[i].key, value);
  if (g_strcmp0 (act->name, "trace") == 0 && time != NULL)
    add_pair (builder, "for", time);
  if (g_strcmp0 (act->name, "call") == 0 || g_strcmp0 (act->name, "set") == 0)
    {
      g_autofree char *kind = g_steal_pointer (&act->name);

      equals = strcmp (kind, "set") == 0 ? strchr (value, '=') : value + strlen (value);
      if (equals == NULL || equals == value)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--%s needs %s", kind,
                       strcmp (kind, "set") == 0 ? "NAME=VALUE" : "the name of an action");
          return FALSE;
        }
      act->name = g_strdup_printf ("%s:%.*s", kind, (int) (equals - value), value);
      if (*equals == '=')
        add_pair (builder, "value", equals + 1);
    }
  act->arguments = g_strv_builder_end (builder);
  return TRUE;
}

static gboolean
take_options (Act     *act,
              GError **error)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (kymo_cli_has (act->cli, options[i].option))
      {
        if (n++ > 0)
          {
            g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                         "one action at a time can be asked for");
            return FALSE;
          }
        if (!take_option (act, i, error))
          return FALSE;
      }
  return TRUE;
}

/* -- what comes ------------------------------------------------------------ */

static void
stop_act (Act    *act,
          GError *error)
{
  if (act->error == NULL)
    act->error = error;
  else
    g_clear_error (&error);
  g_main_loop_quit (act->loop);
}

static void
fail_act (Act        *act,
          const char *sentence)
{
  stop_act (act, g_error_new (KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "%s", sentence));
}

static gboolean
is_json (const Act *act)
{
  return g_strcmp0 (kymo_cli_get (act->cli, "format"), "json") == 0;
}

/* A member of an object of JSON. */
static void
print_member (Act        *act,
              const char *separator,
              const char *key,
              const char *text)
{
  g_string_append_printf (act->text, "%s\"%s\":", separator, key);
  kymo_safe_text_append_json (act->text, text);
}

static void
print_argument (const KymoJobArgument *argument,
                GString               *out)
{
  g_autofree char *words = argument->words != NULL ? g_strjoinv ("|", argument->words) : NULL;

  switch (argument->type)
    {
    case KYMO_JOB_INTEGER:
      g_string_append_printf (out, "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", now %"
                              G_GINT64_FORMAT, argument->least, argument->most, argument->now);
      break;
    case KYMO_JOB_REAL:
      g_string_append_printf (out, "%g to %g, now %g", argument->least_real, argument->most_real,
                              argument->now_real);
      break;
    case KYMO_JOB_CHOICE:
      g_string_append_printf (out, "%s, now %s", words != NULL ? words : "",
                              argument->word != NULL ? argument->word : "");
      break;
    case KYMO_JOB_TEXT:
      g_string_append_printf (out, "text of at most %" G_GINT64_FORMAT " bytes", argument->most);
      break;
    case KYMO_JOB_TIME:
      g_string_append_printf (out, "time, %" G_GINT64_FORMAT " ns", argument->now);
      break;
    case KYMO_JOB_RANKS:
      g_string_append_printf (out, "0 to %" G_GINT64_FORMAT, argument->most - 1);
      break;
    }
}

static void
print_action (Act                 *act,
              const KymoJobAction *action)
{
  if (is_json (act))
    {
      print_member (act, act->text->len == 0 ? "{\"actions\":[{" : ",{", "name", action->name);
      print_member (act, ",", "title", action->title);
      if (action->reason != NULL)
        print_member (act, ",", "reason", action->reason);
      g_string_append_printf (act->text, ",\"together\":%s,\"arguments\":{",
                              action->together ? "true" : "false");
      for (guint i = 0; i < action->arguments->len; i++)
        {
          const KymoJobArgument *argument = action->arguments->pdata[i];
          g_autoptr (GString) range = g_string_new (NULL);

          print_argument (argument, range);
          print_member (act, i > 0 ? "," : "", argument->key, range->str);
        }
      g_string_append (act->text, "}}");
      return;
    }
  g_string_append_printf (act->text, "%s%s\n", action->name,
                          action->together ? "  (together)" : "");
  if (action->reason != NULL)
    g_string_append_printf (act->text, "    not now: %s\n", action->reason);
  for (guint i = 0; i < action->arguments->len; i++)
    {
      const KymoJobArgument *argument = action->arguments->pdata[i];

      g_string_append_printf (act->text, "    %s: ", argument->key);
      print_argument (argument, act->text);
      g_string_append_c (act->text, '\n');
    }
}

static void
at_order (KymoJobClient *client,
          KymoJobOrder  *order,
          Act           *act)
{
  if (act->number == 0 || order->number != act->number)
    return;
  if (order->state == KYMO_JOB_FAILED)
    fail_act (act, order->sentence);
  else if (order->state == KYMO_JOB_DONE)
    {
      if (!kymo_cli_has (act->cli, "quiet"))
        kymo_cli_tell ("%s", order->sentence);
      if (is_json (act))
        {
          g_string_append_printf (act->text, "{\"action\":%" G_GUINT64_FORMAT, order->number);
          print_member (act, ",", "name", order->name);
          print_member (act, ",", "sentence", order->sentence);
          print_member (act, ",", "path", order->path);
          g_string_append (act->text, "}\n");
        }
      else if (order->path[0] != '\0')
        g_string_append_printf (act->text, "%s\n", order->path);
      g_main_loop_quit (act->loop);
    }
  else if (!kymo_cli_has (act->cli, "quiet"))
    kymo_cli_tell ("%s", order->sentence);
}

static void
at_answer (GObject      *client,
           GAsyncResult *result,
           gpointer      data)
{
  Act *act = data;
  GError *why = NULL;

  if (!kymo_job_client_do_finish (KYMO_JOB_CLIENT (client), result, &act->number, &why))
    stop_act (act, why);
}

static void
at_change (KymoJobClient *client,
           Act           *act)
{
  GPtrArray *actions = kymo_job_client_peek_actions (client);

  if (kymo_job_client_peek_closed (client) != NULL)
    fail_act (act, kymo_job_client_peek_closed (client));
  else if (actions->len == 0 || act->asked)
    return;
  else if (act->name == NULL)
    {
      for (guint i = 0; i < actions->len; i++)
        print_action (act, actions->pdata[i]);
      if (is_json (act))
        g_string_append (act->text, "]}\n");
      g_main_loop_quit (act->loop);
    }
  else
    kymo_job_client_do_async (client, act->name, (const char *const *) act->arguments, at_answer,
                              act);
  act->asked = TRUE;
}

static gboolean
at_cancel (GCancellable *cancellable,
           gpointer      data)
{
  g_main_loop_quit (((Act *) data)->loop);
  return G_SOURCE_REMOVE;
}

static void
run_act (Act        *act,
         const char *socket,
         char      **words)
{
  GCancellable *cancellable = kymo_job_peek_cancellable (act->cli->job);
  g_autoptr (GSource) cancel = g_cancellable_source_new (cancellable);

  act->loop = g_main_loop_new (act->context, FALSE);
  g_source_set_callback (cancel, G_SOURCE_FUNC (at_cancel), act, NULL);
  g_source_attach (cancel, act->context);
  act->client = socket != NULL ? kymo_job_client_new (socket)
                : kymo_job_client_new_command ((const char *const *) words);
  g_signal_connect (act->client, "changed", G_CALLBACK (at_change), act);
  g_signal_connect (act->client, "order", G_CALLBACK (at_order), act);
  kymo_job_client_start (act->client);
  g_main_loop_run (act->loop);
  g_source_destroy (cancel);
  g_signal_handlers_disconnect_by_data (act->client, act);
  kymo_job_client_stop (act->client);
  g_object_unref (act->client);
  g_main_loop_unref (act->loop);
  g_cancellable_set_error_if_cancelled (cancellable, act->error == NULL ? &act->error : NULL);
}

/* -- relay ----------------------------------------------------------------- */

/* Moves what comes at one descriptor to another, until one of them ends. */
static void
move_bytes (int from,
            int to)
{
  char bytes[4096];
  gssize n, done, at;

  while ((n = read (from, bytes, sizeof bytes)) > 0)
    for (at = 0; at < n; at += done)
      if ((done = write (to, bytes + at, n - at)) <= 0)
        return;
}

static gpointer
move_in (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);

  move_bytes (STDIN_FILENO, fd);
  /* The job sees that nothing more will come. */
  shutdown (fd, SHUT_WR);
  return NULL;
}

/* The thread that reads standard input ends with the process. */
static gboolean
relay_job (const char    *path,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) there = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, 0, error);

  if (there == NULL || !g_socket_connect (there, address, cancellable, error))
    return FALSE;
  g_thread_unref (g_thread_new ("relay", move_in, GINT_TO_POINTER (g_socket_get_fd (there))));
  /* GSocket made it not block. */
  g_unix_set_fd_nonblocking (g_socket_get_fd (there), FALSE, NULL);
  move_bytes (g_socket_get_fd (there), STDOUT_FILENO);
  return TRUE;
}

/* -- all ------------------------------------------------------------------- */

static gboolean
print_text (Act     *act,
            GError **error)
{
  KymoCliOut *out = kymo_cli_out_new (act->cli, error);

  return out != NULL && (act->text->len == 0 || kymo_cli_out_write (out, act->text, error))
         && kymo_cli_out_finish (out, TRUE, error);
}

/**
 * kymo_cli_run_act:
 * @cli: the invocation; its word says where the job is
 * @error: where to put the reason
 *
 * Returns: the exit code
 */
int
kymo_cli_run_act (KymoCli  *cli,
                  GError  **error)
{
  Act act = { .cli = cli };
  g_autofree char *socket = NULL;
  g_auto (GStrv) words = NULL;
  gboolean good = take_options (&act, &act.error) && find_job (cli, &socket, &words, &act.error);

  act.text = g_string_new (NULL);
  cli->report = kymo_report_new ();
  act.context = g_main_context_new ();
  g_main_context_push_thread_default (act.context);
  if (good && kymo_cli_has (cli, "relay") && socket == NULL)
    fail_act (&act, "the job is on another host");
  else if (good && kymo_cli_has (cli, "relay"))
    relay_job (socket, kymo_job_peek_cancellable (cli->job), &act.error);
  else if (good)
    run_act (&act, socket, words);
  if (act.error == NULL && !kymo_cli_has (cli, "relay"))
    print_text (&act, &act.error);
  g_main_context_pop_thread_default (act.context);
  g_main_context_unref (act.context);
  g_string_free (act.text, TRUE);
  g_strfreev (act.arguments);
  g_free (act.name);
  if (act.error == NULL)
    return KYMO_CLI_OK;
  g_propagate_error (error, act.error);
  return KYMO_CLI_FAILED;
}
