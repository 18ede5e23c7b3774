/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stage attach.*: what it costs to follow a heavy stream on the command line.
 * A recording of 1,000 bins a second, with a record of each of 200 entry
 * methods, is made and served at its pace; the client is a process of its own,
 * so its start is in the figure.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "bench.h"

/* The server goes with the benchmark, however that ends; and hears signals,
   which the benchmark itself has blocked. */
static void
set_up_server (gpointer data)
{
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static GSubprocess *
serve (const Bench  *bench,
       const char   *stream,
       GError      **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);

  g_subprocess_launcher_set_child_setup (launcher, set_up_server, NULL, NULL);
  return g_subprocess_launcher_spawn (launcher, error, bench->cli, "replay", stream, "--serve", "0",
                                      "--repeat", "--quiet", NULL);
}

/* "ccs: Server IP = 127.0.0.1, Server port = N $" */
static guint
read_port (GSubprocess *server)
{
  g_autoptr (GDataInputStream) lines =
    g_data_input_stream_new (g_subprocess_get_stdout_pipe (server));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  const char *port = line != NULL ? strstr (line, "port = ") : NULL;

  return port != NULL ? atoi (port + strlen ("port = ")) : 0;
}

static void
follow (const Bench *bench,
        BenchRow    *row,
        guint        port)
{
  g_autofree char *target = g_strdup_printf ("127.0.0.1:%u", port);
  g_autofree char *seconds = g_strdup_printf ("%ds", bench->attach_s);
  const char *command[] = { bench->cli, "attach", target, "--for", seconds, "--format", "json",
                            "--quiet", NULL };
  BenchSample sample = bench_process (command, NULL);

  bench_row_set_figure (row, 1000 * sample.cpu_s / sample.wall_s);
  row->cpu_s = sample.cpu_s;
}

/** bench_attach: attach.* */
void
bench_attach (Bench *bench)
{
  BenchRow *row = bench_row ("attach.second");
  g_autofree char *stream = g_build_filename (bench->folder, "heavy.kymostream", NULL);
  const char *make[] = { bench->stream_maker, "--entries", "200", stream, NULL };
  g_autoptr (GSubprocess) server = NULL;
  g_autoptr (GError) error = NULL;
  guint port;

  if (!bench_wants (bench, row->key))
    return;
  bench_process (make, NULL);
  server = serve (bench, stream, &error);
  port = server != NULL ? read_port (server) : 0;
  if (port == 0)
    bench_row_skip (row, "the stream could not be served: %s",
                    error != NULL ? error->message : "no port was told");
  else
    follow (bench, row, port);
  if (server == NULL)
    return;
  g_subprocess_send_signal (server, SIGINT);
  g_subprocess_wait (server, NULL, NULL);
}
