/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The helper sends a letter for the kind and the words, then the end of file; back come "y" and
 * what was typed, or nothing. A helper that ends, because ssh does, ends the question.
 */
#include "config.h"

#include "kymo-askpass.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "kymo-safe-text.h"

#define PLACE "KYMO_ASKPASS"
#define MOST_WORDS 4096
static const char kinds[] = "stci";

struct _KymoAskpass
{
  char            *path;
  GSocketService  *service;
  KymoAskpassFunc  ask;
  gpointer         data;
};

struct _KymoAskpassQuestion
{
  KymoAskpass       *askpass;
  GSocketConnection *connection;
  GString           *words;     /* as they come: kind and words */
  char               piece[512];
  GSource           *watch;     /* for the end of the helper, or NULL */
  void             (*gone) (gpointer data);
  gpointer           gone_data;
};

/* -- the helper -------------------------------------------------------------------------------- */

static char
find_kind (const char *words)
{
  const char *prompt = g_getenv ("SSH_ASKPASS_PROMPT");

  if (g_strcmp0 (prompt, "confirm") == 0)
    return kinds[KYMO_ASKPASS_CONFIRM];
  if (g_strcmp0 (prompt, "none") == 0)
    return kinds[KYMO_ASKPASS_TOLD];
  return kinds[strstr (words, "(yes/no") != NULL ? KYMO_ASKPASS_TRUST : KYMO_ASKPASS_SECRET];
}

/* Returns FALSE where the answer is no, or nobody is there. */
static gboolean
ask_window (const char *path, const char *words, GString *answer)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketConnection) line = g_socket_client_connect (
    client, G_SOCKET_CONNECTABLE (address), NULL, NULL);
  const char kind = find_kind (words);
  GIOStream *stream = G_IO_STREAM (line);
  char piece[256];
  gssize n;

  if (line == NULL
      || !g_output_stream_write_all (g_io_stream_get_output_stream (stream), &kind, 1, NULL, NULL,
                                     NULL)
      || !g_output_stream_write_all (g_io_stream_get_output_stream (stream), words,
                                     MIN (strlen (words), MOST_WORDS), NULL, NULL, NULL)
      || !g_socket_shutdown (g_socket_connection_get_socket (line), FALSE, TRUE, NULL))
    return FALSE;
  while ((n = g_input_stream_read (g_io_stream_get_input_stream (stream), piece, sizeof piece,
                                   NULL, NULL)) > 0)
    g_string_append_len (answer, piece, n);
  return answer->len > 0 && answer->str[0] == 'y';
}

/* The variables are in the environment of all that the program starts. */
static gboolean
is_started_by_ssh (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", (int) getppid ());
  g_autofree char *name = NULL;

  return g_getenv (PLACE) != NULL && g_file_get_contents (path, &name, NULL, NULL)
         && g_str_has_prefix (name, "ssh");
}

/**
 * kymo_askpass_help:
 *
 * To be called first in main().
 *
 * Returns: the exit status of a process that ssh started to ask; -1 in any other
 */
int
kymo_askpass_help (int argc, char **argv)
{
  const char *path = g_getenv (PLACE);
  g_autoptr (GString) answer = g_string_new (NULL);

  if (argc != 2 || !is_started_by_ssh ())
    return -1;
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (ask_window (path, argv[1], answer))
    return printf ("%s\n", answer->str + 1) < 0;
  /* ssh would take no answer for an empty one, and ask again. */
  if (find_kind (argv[1]) == kinds[KYMO_ASKPASS_SECRET])
    {
      fputs (_("The question of ssh was not answered"), stderr);
      fputc ('\n', stderr);
      fflush (stderr);
      kill (getppid (), SIGTERM);
    }
  return 1;
}

/* -- the window -------------------------------------------------------------------------------- */

/**
 * kymo_askpass_prepare:
 *
 * Sets the environment of ssh processes so that they ask through kymo_askpass_start(). A person's
 * own SSH_ASKPASS stays. To be called in main() before there is any thread.
 */
void
kymo_askpass_prepare (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *name = g_strdup_printf ("kymo-ask-%d-%08x", (int) getpid (), g_random_int ());
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), name, "socket", NULL);

  if (g_getenv ("SSH_ASKPASS") != NULL || self == NULL)
    return;
  g_setenv ("SSH_ASKPASS", self, TRUE);
  g_setenv ("SSH_ASKPASS_REQUIRE", "force", TRUE);
  g_setenv (PLACE, path, TRUE);
}

static void
question_free (KymoAskpassQuestion *question)
{
  if (question->watch != NULL)
    g_source_destroy (question->watch);
  g_clear_pointer (&question->watch, g_source_unref);
  g_object_unref (question->connection);
  g_string_free (question->words, TRUE);
  g_free (question);
}

/**
 * kymo_askpass_watch:
 * @gone: called when ssh has ended and wants no answer any more; then the question is freed
 */
void
kymo_askpass_watch (KymoAskpassQuestion *question, void (*gone) (gpointer data), gpointer data)
{
  question->gone = gone;
  question->gone_data = data;
}

/**
 * kymo_askpass_answer:
 * @question: (transfer full): is freed
 * @text: (nullable): what the person typed; %NULL: no answer
 */
void
kymo_askpass_answer (KymoAskpassQuestion *question, const char *text)
{
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (question->connection));
  g_autofree char *answer = text != NULL ? g_strconcat ("y", text, NULL) : g_strdup ("n");

  /* It is shorter than what a socket takes at once. */
  g_output_stream_write_all (out, answer, strlen (answer), NULL, NULL, NULL);
  g_io_stream_close (G_IO_STREAM (question->connection), NULL, NULL);
  question_free (question);
}

static void
ask_person (KymoAskpassQuestion *question)
{
  const char *kind = question->words->len > 0 ? strchr (kinds, question->words->str[0]) : NULL;
  g_autofree char *safe = NULL;
  g_autoptr (GString) words = NULL;

  if (kind == NULL)
    {
      kymo_askpass_answer (question, NULL);
      return;
    }
  words = g_string_new (question->words->str + 1);
  kymo_safe_text_clean (words, "\n");
  safe = g_strchomp (g_strdup (words->str));
  question->askpass->ask (question, kind - kinds, safe, question->askpass->data);
}

/* Once the helper has shut its end a socket tells by a hang-up that the process has gone. */
static gboolean
on_gone (GSocket *socket, GIOCondition condition, gpointer data)
{
  KymoAskpassQuestion *question = data;

  if (question->gone != NULL)
    question->gone (question->gone_data);
  question_free (question);
  return G_SOURCE_REMOVE;
}

static void
watch_helper (KymoAskpassQuestion *question)
{
  GSocket *socket = g_socket_connection_get_socket (question->connection);

  question->watch = g_socket_create_source (socket, G_IO_HUP | G_IO_ERR, NULL);
  g_source_set_callback (question->watch, G_SOURCE_FUNC (on_gone), question, NULL);
  g_source_attach (question->watch, NULL);
}

static void
on_piece (GObject *stream, GAsyncResult *result, gpointer data)
{
  KymoAskpassQuestion *question = data;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (stream), result, NULL);

  if (n > 0)
    g_string_append_len (question->words, question->piece, n);
  if (n > 0 && question->words->len <= MOST_WORDS)
    g_input_stream_read_async (G_INPUT_STREAM (stream), question->piece, sizeof question->piece,
                               G_PRIORITY_DEFAULT, NULL, on_piece, question);
  else if (n < 0)
    question_free (question);
  else
    {
      watch_helper (question);
      ask_person (question);
    }
}

/* The folder is closed to others; the kernel says so once more. */
static gboolean
is_ours (GSocketConnection *connection)
{
  g_autoptr (GCredentials) peer = g_socket_get_credentials (
    g_socket_connection_get_socket (connection), NULL);

  return peer != NULL && g_credentials_get_unix_user (peer, NULL) == geteuid ();
}

static gboolean
on_helper (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  KymoAskpassQuestion *question;

  if (!is_ours (connection))
    return TRUE;
  question = g_new0 (KymoAskpassQuestion, 1);
  question->askpass = data;
  question->connection = g_object_ref (connection);
  question->words = g_string_new (NULL);
  g_input_stream_read_async (g_io_stream_get_input_stream (G_IO_STREAM (connection)),
                             question->piece, sizeof question->piece, G_PRIORITY_DEFAULT, NULL,
                             on_piece, question);
  return TRUE;
}

static gboolean
listen_at (KymoAskpass *askpass)
{
  g_autofree char *folder = g_path_get_dirname (askpass->path);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (askpass->path);
  g_autoptr (GError) error = NULL;

  if (g_mkdir (folder, 0700) == 0
      && g_socket_listener_add_address (G_SOCKET_LISTENER (askpass->service), address,
                                        G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL,
                                        NULL, &error))
    return TRUE;
  g_info ("questions of ssh cannot be asked in a window: %s",
          error != NULL ? error->message : folder);
  return FALSE;
}

/**
 * kymo_askpass_start:
 * @ask: called for each question of ssh
 *
 * Returns: (transfer full) (nullable): listens until it is freed; %NULL where
 *   kymo_askpass_prepare() did nothing, or there is no private folder
 */
KymoAskpass *
kymo_askpass_start (KymoAskpassFunc ask, gpointer data)
{
  KymoAskpass *askpass;

  if (g_getenv (PLACE) == NULL)
    return NULL;
  askpass = g_new0 (KymoAskpass, 1);
  askpass->path = g_strdup (g_getenv (PLACE));
  askpass->service = g_socket_service_new ();
  askpass->ask = ask;
  askpass->data = data;
  g_signal_connect (askpass->service, "incoming", G_CALLBACK (on_helper), askpass);
  if (listen_at (askpass))
    return askpass;
  kymo_askpass_free (askpass);
  return NULL;
}

/** kymo_askpass_free: @askpass: (nullable): with its socket and the folder of it */
void
kymo_askpass_free (KymoAskpass *askpass)
{
  g_autofree char *folder = NULL;

  if (askpass == NULL)
    return;
  folder = g_path_get_dirname (askpass->path);
  g_socket_service_stop (askpass->service);
  g_socket_listener_close (G_SOCKET_LISTENER (askpass->service));
  g_object_unref (askpass->service);
  g_unlink (askpass->path);
  g_rmdir (folder);
  g_free (askpass->path);
  g_free (askpass);
}
