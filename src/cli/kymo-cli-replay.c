/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli replay: what a recording holds, a line a block, as `attach` tells
 * it of a running program. It keeps no more than a block of it in memory.
 */
#include "config.h"

#include "kymo-cli.h"

#include "kymo-cli-stream.h"
#include "kymo-stream-file.h"

/* Lines are written in pieces of this many bytes if --speed does not delay them. */
#define WRITE_BYTES (64 << 10)
/* Longest pause between two lines: a program that stood still for longer is not waited for. */
#define MAX_WAIT_NS (G_GINT64_CONSTANT (3600) * 1000000000)

/**
 * Replay:
 * @own_names: --names was given: those of the recording do not count
 * @speed: of the program's pace; 0 = at once
 * @begun_us: monotonic time at which @begun_ns of the program's time is told
 */
typedef struct
{
  KymoCli           *cli;
  char              *name;
  KymoStreamReader  *reader;
  KymoStreamDecoder *decoder;
  KymoStreamNames   *names;
  gboolean           own_names;
  KymoCliStream     *lines;
  KymoCliWatch      *watch;
  KymoCliOut        *out;
  GString           *text;
  double             speed;
  gint64             begun_us;
  gint64             begun_ns;
  gint64             n_lost;
} Replay;

static gboolean
check_speed (KymoCli  *cli,
             GError  **error)
{
  double speed = kymo_cli_get_number (cli, "speed", 1);

  if (speed >= 0.25 && speed <= 16)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "“%s” is no value for --speed: it can be from 0.25 to 16",
               kymo_cli_get (cli, "speed"));
  return FALSE;
}

static gboolean
open_all (Replay   *replay,
          GError  **error)
{
  KymoCli *cli = replay->cli;
  const char *names = kymo_cli_get (cli, "names");
  g_autofree char *path = kymo_stream_file_find (cli->words->pdata[0],
                                                 kymo_cli_get (cli, "base"), error);

  if (path == NULL || !check_speed (cli, error))
    return FALSE;
  replay->name = g_path_get_basename (path);
  replay->reader = kymo_stream_reader_new (path, error);
  if (replay->reader == NULL)
    return FALSE;
  kymo_stream_reader_set_cancellable (replay->reader, kymo_job_peek_cancellable (cli->job));
  replay->names = kymo_stream_names_new ();
  replay->own_names = names != NULL;
  if (names != NULL && !kymo_stream_names_read (replay->names, names, NULL, error))
    return FALSE;
  replay->decoder = kymo_stream_decoder_new ();
  replay->lines = kymo_cli_stream_new (cli);
  replay->watch = kymo_cli_watch_new (cli, FALSE, error);
  if (replay->watch == NULL)
    return FALSE;
  replay->text = g_string_new (NULL);
  replay->speed = kymo_cli_has (cli, "speed") ? kymo_cli_get_number (cli, "speed", 1) : 0;
  cli->report = kymo_report_new ();
  replay->out = kymo_cli_out_new (cli, error);
  return replay->out != NULL;
}

static gboolean
close_all (Replay   *replay,
           gboolean  fine,
           GError  **error)
{
  if (replay->out != NULL && !kymo_cli_out_finish (replay->out, fine, fine ? error : NULL))
    fine = FALSE;
  g_clear_pointer (&replay->reader, kymo_stream_reader_free);
  g_clear_pointer (&replay->decoder, kymo_stream_decoder_free);
  g_clear_pointer (&replay->names, kymo_stream_names_free);
  g_clear_pointer (&replay->lines, kymo_cli_stream_free);
  g_clear_pointer (&replay->watch, kymo_cli_watch_free);
  g_free (replay->name);
  if (replay->text != NULL)
    g_string_free (replay->text, TRUE);
  return fine;
}

/* Sleeps until the program's time `ns` is due, or somebody cancels. */
static void
wait_for (Replay *replay,
          gint64  ns)
{
  GCancellable *cancellable = kymo_job_peek_cancellable (replay->cli->job);
  GPollFD stop;
  gint64 left_us;

  if (replay->begun_us == 0)
    {
      replay->begun_us = g_get_monotonic_time ();
      replay->begun_ns = ns;
    }
  if (ns - replay->begun_ns > MAX_WAIT_NS)
    replay->begun_ns = ns - MAX_WAIT_NS;
  left_us = replay->begun_us + (gint64) ((ns - replay->begun_ns) / (1000 * replay->speed))
    - g_get_monotonic_time ();
  if (left_us > 0 && g_cancellable_make_pollfd (cancellable, &stop))
    {
      g_poll (&stop, 1, left_us / 1000 + 1);
      g_cancellable_release_fd (cancellable);
    }
}

static void
take_names (Replay          *replay,
            KymoStreamFrame *frame)
{
  g_autoptr (GError) why = NULL;

  if (frame->kind != KYMO_FRAME_NAMES || replay->own_names)
    return;
  if (!kymo_stream_names_take (replay->names, frame->bytes, &why))
    kymo_report_add (replay->cli->report, replay->name, KYMO_SEVERITY_LOST, 1, -1, "%s",
                     why->message);
}

static void
tell_alarms (Replay *replay)
{
  g_autoptr (GPtrArray) alarms = kymo_cli_watch_steal (replay->watch);

  for (guint i = 0; i < alarms->len; i++)
    kymo_cli_stream_print_alarm (replay->lines, alarms->pdata[i], replay->text);
}

static gboolean
tell_replay (Replay          *replay,
             KymoStreamFrame *frame,
             GError         **error)
{
  const KymoStreamBlock *block;
  g_autoptr (GError) why = NULL;
  KymoStreamResult result = kymo_stream_decoder_take (replay->decoder, frame, &block, &why);
  gsize before = replay->text->len;

  take_names (replay, frame);
  if (!kymo_cli_stream_is_asked (replay->lines, frame, block))
    return TRUE;
  replay->n_lost += result == KYMO_STREAM_BAD;
  kymo_cli_stream_print (replay->lines, frame, result, block, why != NULL ? why->message : NULL,
                         replay->names, replay->text);
  kymo_cli_watch_take (replay->watch, frame, block, replay->names);
  tell_alarms (replay);
  if (replay->text->len == before)
    return TRUE;
  if (replay->speed > 0)
    wait_for (replay, frame->begin_ns);
  if (replay->speed == 0 && replay->text->len < WRITE_BYTES)
    return TRUE;
  return kymo_cli_out_write (replay->out, replay->text, error);
}

static gboolean
tell_all (Replay   *replay,
          GError  **error)
{
  KymoJob *job = replay->cli->job;
  gboolean fine = TRUE;

  kymo_job_set_stage (job, "Reading the recording");
  kymo_job_set_total (job, 1000);
  for (gint64 done = 0; fine && !kymo_cli_out_is_gone (replay->out);)
    {
      g_autoptr (KymoStreamFrame) frame = NULL;
      gint64 now = 1000 * kymo_stream_reader_get_fraction (replay->reader);

      if (g_cancellable_set_error_if_cancelled (kymo_job_peek_cancellable (job), error))
        return FALSE;
      kymo_job_advance (job, now - done);
      done = now;
      frame = kymo_stream_reader_next (replay->reader, replay->cli->report);
      if (frame == NULL)
        break;
      fine = tell_replay (replay, frame, error);
    }
  return fine && kymo_cli_out_write (replay->out, replay->text, error);
}

/**
 * kymo_cli_run_replay:
 * @cli: the invocation; its word names a recording
 * @error: where to put the reason
 *
 * Returns: the exit code
 */
int
kymo_cli_run_replay (KymoCli  *cli,
                     GError  **error)
{
  Replay replay = { .cli = cli };
  gboolean fine;

  if (kymo_cli_has (cli, "serve"))
    return kymo_cli_serve (cli, error);
  fine = kymo_cli_serve_is_not_meant (cli, error) && open_all (&replay, error)
         && tell_all (&replay, error);

  if (replay.n_lost > 0)
    kymo_report_add (cli->report, replay.name, KYMO_SEVERITY_LOST, replay.n_lost, -1,
                     "Blocks of the stream were lost");
  return close_all (&replay, fine, error) ? KYMO_CLI_OK : KYMO_CLI_FAILED;
}
