/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of kymo-cli that write a run where it lies: they run beside the server, as the same
 * user, and what they print goes to the client.
 */
#include "config.h"

#include "kymo-server-private.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "kymo-error.h"

#define MOST_PIECE (32 * 1024)

static const char *const allowed[] = { "cache", "convert", "extract", "filter", "quality", "reduce",
                                       NULL };

/** Pump: of one stream of the process */
typedef struct
{
  KymoServerRequest *request;
  GInputStream      *stream;
  guint32            number;
} Pump;

static gpointer
pump_output (gpointer data)
{
  Pump *pump = data;
  g_autofree guchar *piece = g_malloc (MOST_PIECE);
  gssize n;

  while ((n = g_input_stream_read (pump->stream, piece, MOST_PIECE, NULL, NULL)) > 0)
    {
      GVariantDict body;

      g_variant_dict_init (&body, NULL);
      g_variant_dict_insert (&body, "stream", "u", pump->number);
      g_variant_dict_insert_value (&body, "bytes",
                                   g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, piece, n, 1));
      kymo_frame_writer_push (pump->request->session->writer, KYMO_FRAME_OUTPUT,
                              pump->request->frame->id, g_variant_dict_end (&body));
    }
  return NULL;
}

/* (transfer full): the kymo-cli that was installed with this server, else that of the PATH. */
static char *
dup_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : NULL;
  char *program = folder != NULL ? g_build_filename (folder, "kymo-cli", NULL) : NULL;

  if (program != NULL && g_file_test (program, G_FILE_TEST_IS_EXECUTABLE))
    return program;
  g_free (program);
  return g_strdup (g_getenv ("KYMO_CLI") != NULL ? g_getenv ("KYMO_CLI") : "kymo-cli");
}

/* (transfer full) (nullable): the words of the process. */
static char **
dup_command (KymoServerRequest *request, GError **error)
{
  g_autofree const char **words = NULL;
  GPtrArray *command;

  g_variant_lookup (request->frame->body, "words", "^a&ay", &words);
  if (words == NULL || words[0] == NULL || !g_strv_contains (allowed, words[0]))
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           _("The server runs no such command"));
      return NULL;
    }
  command = g_ptr_array_new ();
  g_ptr_array_add (command, dup_program ());
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (command, kymo_server_expand_path (words[i]));
  g_ptr_array_add (command, NULL);
  return (char **) g_ptr_array_free (command, FALSE);
}

static void
on_cancelled (GCancellable *cancellable, gpointer process)
{
  g_subprocess_send_signal (process, SIGTERM);
}

static void
wait_for_process (KymoServerRequest *request, GSubprocess *process)
{
  GCancellable *cancellable = kymo_job_peek_cancellable (request->job);
  gulong handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), process, NULL);
  Pump out = { request, g_subprocess_get_stdout_pipe (process), 1 };
  Pump words = { request, g_subprocess_get_stderr_pipe (process), 2 };
  GThread *thread = g_thread_new ("kymo-words", pump_output, &words);
  GVariantDict body;

  pump_output (&out);
  g_thread_join (thread);
  g_subprocess_wait (process, NULL, NULL);
  g_cancellable_disconnect (cancellable, handler);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "status", "i", g_subprocess_get_if_exited (process)
                         ? g_subprocess_get_exit_status (process) : 1);
  kymo_server_answer (request, KYMO_FRAME_DONE, g_variant_dict_end (&body));
}

/* In the child: it ends with the server, however that ends. The signal comes when the thread ends
   that made the child, which waits for it. */
static void
end_with_server (gpointer server)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != GPOINTER_TO_INT (server))
    _exit (1);
}

static GSubprocess *
start_process (char **command, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  GSubprocess *process;

  g_subprocess_launcher_set_child_setup (launcher, end_with_server, GINT_TO_POINTER (getpid ()),
                                         NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) command, error);
  if (process == NULL)
    g_prefix_error (error, "%s: ", _("kymo-cli, which writes runs, does not start there"));
  return process;
}

/** kymo_server_work: runs the command that a WORK names, and ends the request */
void
kymo_server_work (KymoServerRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) command = dup_command (request, &error);
  g_autoptr (GSubprocess) process = command == NULL ? NULL : start_process (command, &error);

  if (process != NULL)
    wait_for_process (request, process);
  else
    kymo_server_answer_error (request, error);
}
