/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-cli attach: follows a running program, a line a block, and records it.
 *
 * The worker thread has a main context of its own for the connection; the
 * main thread's cancelling (SIGINT) comes in through the job. To be stopped
 * by the person, by --for or by the end of the program is no failure; never
 * to have got a stream is.
 */
#include "config.h"

#include "kymo-cli.h"

#include <string.h>

#include "kymo-attachment.h"
#include "kymo-cli-stream.h"
#include "kymo-stream-file.h"

/* Number of lost blocks that are reported each; later losses are only counted. */
#define MAX_TOLD 20
#define WAIT_NS (30 * G_GINT64_CONSTANT (1000000000))
#define TICK_NS (G_GINT64_CONSTANT (500000000))

typedef struct
{
  KymoCli           *cli;
  GMainContext      *context;
  GMainLoop         *loop;
  KymoAttachment    *attachment;
  KymoStreamDecoder *decoder;
  KymoStreamNames   *names;
  GBytes            *sts;          /* of --names, for the recording */
  KymoStreamWriter  *writer;       /* NULL = nothing is recorded (any more) */
  gint64             resumed_ns;   /* where a resumed recording goes on, or 0 */
  KymoCliStream     *lines;
  KymoCliWatch      *watch;
  KymoCliOut        *out;
  GString           *text;
  gint64             n_lost;
  gboolean           reached;      /* there was a stream */
  gboolean           done_waiting; /* the time of --wait is over */
  char              *sentence;     /* of the newest state */
  GError            *error;        /* the first that there was */
} Attach;

/* -- ends ------------------------------------------------------------------ */

static void
stop_attach (Attach *attach)
{
  g_main_loop_quit (attach->loop);
}

/* Takes over an error. The first error is the one that is reported. */
static void
keep_error (Attach *attach,
            GError *error)
{
  if (attach->error == NULL)
    attach->error = error;
  else
    g_error_free (error);
}

/* Ends without a stream. The error says why there is none; it leaves out that the attachment would
   have tried again. */
static void
stop_without (Attach *attach)
{
  KymoAttachmentState state = kymo_attachment_get_state (attach->attachment);
  const char *matter = kymo_attachment_peek_matter (attach->attachment);
  gboolean waits = state == KYMO_ATTACHMENT_WAITING || state == KYMO_ATTACHMENT_NO_STREAM;

  keep_error (attach, g_error_new (KYMO_ERROR, KYMO_ERROR_UNANSWERABLE, "%s",
                                   waits && matter != NULL ? matter : attach->sentence));
  stop_attach (attach);
}

/* Ends a recording that cannot be written any more. The lines go on, and the error is reported at
   the end. */
static void
stop_recording (Attach *attach)
{
  GError *why = NULL;

  if (attach->writer != NULL
      && !kymo_stream_writer_finish (g_steal_pointer (&attach->writer), &why))
    keep_error (attach, why);
}

static void
record (Attach          *attach,
        KymoStreamFrame *frame)
{
  GError *why = NULL;

  if (attach->writer == NULL || kymo_stream_writer_append (attach->writer, frame, &why))
    return;
  keep_error (attach, why);
  stop_recording (attach);
}

/* -- what comes ------------------------------------------------------------ */

/* A resumed recording continues its own time: frames before the first new block get the time at
   which the recording ended. */
static void
place_resumed (Attach          *attach,
               KymoStreamFrame *frame)
{
  if (kymo_stream_decoder_get_next_ns (attach->decoder) < attach->resumed_ns)
    frame->begin_ns = attach->resumed_ns;
}

static void
record_names (Attach *attach,
              gint64  at_us)
{
  g_autoptr (KymoStreamFrame) frame = NULL;

  if (attach->sts == NULL)
    return;
  frame = kymo_stream_frame_new (KYMO_FRAME_NAMES, at_us, attach->sts);
  kymo_stream_decoder_take (attach->decoder, frame, NULL, NULL);
  record (attach, frame);
  g_clear_pointer (&attach->sts, g_bytes_unref);
}

/* Reports a lost block on standard error, unless lines are text: those have it among them. The load
   report counts every loss. */
static void
tell_loss (Attach     *attach,
           const char *why)
{
  const char *format = kymo_cli_get (attach->cli, "format");

  attach->n_lost++;
  if (format == NULL || strcmp (format, "text") == 0 || kymo_cli_has (attach->cli, "quiet")
      || attach->n_lost > MAX_TOLD)
    return;
  kymo_cli_tell ("a block is lost: %s%s", why,
                 attach->n_lost == MAX_TOLD ? "; others are counted only" : "");
}

static void
write_lines (Attach *attach)
{
  GError *error = NULL;

  if (attach->text->len > 0 && !kymo_cli_out_write (attach->out, attach->text, &error))
    {
      keep_error (attach, error);
      stop_attach (attach);
    }
  else if (kymo_cli_out_is_gone (attach->out))
    stop_attach (attach);
}

/* Values that only --watch asked for are not printed. */
static gboolean
is_wanted (Attach                *attach,
           const KymoStreamFrame *frame)
{
  return frame->kind != KYMO_FRAME_SCALARS || kymo_cli_has (attach->cli, "scalars");
}

/* Conditions that were met are marks of the recording, as the window writes them. */
static void
take_alarms (Attach *attach)
{
  g_autoptr (GPtrArray) alarms = kymo_cli_watch_steal (attach->watch);

  for (guint i = 0; i < alarms->len; i++)
    {
      record (attach, alarms->pdata[i]);
      kymo_cli_stream_print_alarm (attach->lines, alarms->pdata[i], attach->text);
    }
}

static void
take_frame (KymoStreamFrame *frame,
            gpointer         data)
{
  Attach *attach = data;
  const KymoStreamBlock *block;
  g_autoptr (GError) why = NULL;
  KymoStreamResult result;

  place_resumed (attach, frame);
  result = kymo_stream_decoder_take (attach->decoder, frame, &block, &why);
  if (result == KYMO_STREAM_BAD)
    tell_loss (attach, why->message);
  record (attach, frame);
  /* A program under kymo-record tells its names, but those that were given count. */
  if (frame->kind == KYMO_FRAME_NAMES && kymo_cli_get (attach->cli, "names") == NULL)
    kymo_stream_names_take (attach->names, frame->bytes, NULL);
  if (frame->kind == KYMO_FRAME_FORM)
    {
      attach->reached = TRUE;
      record_names (attach, frame->at_us);
    }
  kymo_cli_watch_take (attach->watch, frame, block, attach->names);
  if (is_wanted (attach, frame) && kymo_cli_stream_is_asked (attach->lines, frame, block))
    kymo_cli_stream_print (attach->lines, frame, result, block,
                           why != NULL ? why->message : NULL, attach->names, attach->text);
  take_alarms (attach);
  write_lines (attach);
}

/* The state of the attachment, with the time until it tries again. */
static char *
dup_sentence (const char *sentence,
              gint64      retry_us)
{
  double left_s = (retry_us - g_get_monotonic_time ()) / (double) G_USEC_PER_SEC;

  return retry_us > 0 ? g_strdup_printf ("%s; trying again in %.2g s", sentence, MAX (left_s, 0))
                      : g_strdup (sentence);
}

static void
take_state (KymoAttachmentState  state,
            const char          *sentence,
            gint64               retry_us,
            gpointer             data)
{
  Attach *attach = data;
  gboolean fails = state == KYMO_ATTACHMENT_FAILED
    || (attach->done_waiting && !attach->reached && state == KYMO_ATTACHMENT_NO_STREAM);

  g_free (attach->sentence);
  attach->sentence = dup_sentence (sentence, retry_us);
  if (fails)
    stop_without (attach);
  else if (!kymo_cli_has (attach->cli, "quiet"))
    kymo_cli_tell ("%s", attach->sentence);
  if (state == KYMO_ATTACHMENT_ENDED)
    stop_attach (attach);
}

/* -- time ------------------------------------------------------------------ */

/* The time of --wait is over. A program that answers is asked until it is known to have no stream,
   which is the case by about now. */
static gboolean
at_wait (gpointer data)
{
  Attach *attach = data;
  KymoAttachmentState state = kymo_attachment_get_state (attach->attachment);

  attach->done_waiting = TRUE;
  if (!attach->reached && state != KYMO_ATTACHMENT_PROBING)
    stop_without (attach);
  return G_SOURCE_REMOVE;
}

static gboolean
at_tick (gpointer data)
{
  Attach *attach = data;
  KymoAttachmentState state = kymo_attachment_get_state (attach->attachment);

  kymo_cli_watch_tick (attach->watch, state == KYMO_ATTACHMENT_CATCHING_UP
                       || state == KYMO_ATTACHMENT_FOLLOWING
                       || (state == KYMO_ATTACHMENT_WAITING && attach->reached));
  take_alarms (attach);
  write_lines (attach);
  return G_SOURCE_CONTINUE;
}

static gboolean
at_end (gpointer data)
{
  Attach *attach = data;

  if (attach->reached)
    stop_attach (attach);
  else
    stop_without (attach);
  return G_SOURCE_REMOVE;
}

static gboolean
at_cancel (GCancellable *cancellable,
           gpointer      data)
{
  stop_attach (data);
  return G_SOURCE_REMOVE;
}

static void
add_timer (Attach      *attach,
           gint64       after_ns,
           GSourceFunc  callback)
{
  g_autoptr (GSource) source = g_timeout_source_new (MIN (after_ns / 1000000, G_MAXINT));

  g_source_set_callback (source, callback, attach, NULL);
  g_source_attach (source, attach->context);
}

static gint64
get_time (KymoCli    *cli,
          const char *name,
          gint64      fallback)
{
  const char *text = kymo_cli_get (cli, name);
  gint64 ns;

  return text != NULL && kymo_parse_time (text, &ns, NULL) ? ns : fallback;
}

/* -- begin ----------------------------------------------------------------- */

static gboolean
check_times (KymoCli  *cli,
             GError  **error)
{
  static const char *const names[] = { "for", "wait" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (get_time (cli, names[i], 0) < 0)
      {
        g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                     "“%s” is no value for --%s: it cannot be negative",
                     kymo_cli_get (cli, names[i]), names[i]);
        return FALSE;
      }
  return TRUE;
}

static KymoCcsTarget *
make_target (KymoCli  *cli,
             GError  **error)
{
  const char *level = kymo_cli_get (cli, "level");
  guint64 number = 0;
  KymoCcsTarget *target;

  if (!check_times (cli, error))
    return NULL;
  if (level != NULL && !g_ascii_string_to_unsigned (level, 10, 0, 254, &number, NULL))
    {
      g_autofree char *shown = g_utf8_make_valid (level, -1);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "“%s” is no value for --level: a number from 0 to 254 is needed", shown);
      return NULL;
    }
  target = kymo_ccs_target_parse (cli->words->pdata[0], kymo_cli_get (cli, "through"),
                                  kymo_cli_get (cli, "key"), error);
  if (target != NULL)
    target->level = number;
  return target;
}

static gboolean
read_names (Attach   *attach,
            GError  **error)
{
  const char *path = kymo_cli_get (attach->cli, "names");

  attach->names = kymo_stream_names_new ();
  return path == NULL || kymo_stream_names_read (attach->names, path, &attach->sts, error);
}

static gboolean
open_recording (Attach               *attach,
                const KymoCcsTarget  *target,
                GError              **error)
{
  const char *path = kymo_cli_get (attach->cli, "record");
  gboolean resume = kymo_cli_has (attach->cli, "resume");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *when = g_date_time_format_iso8601 (now);
  g_autofree char *provenance =
    g_strdup_printf ("writer: Kymo %s\nwritten: %s\ntarget: %s\n", KYMO_VERSION, when,
                     target->text);

  if (path == NULL && resume)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "--resume goes with --record FILE");
  if (path == NULL)
    return !resume;
  attach->writer = kymo_stream_writer_new (path, resume, provenance, error);
  if (attach->writer == NULL)
    return FALSE;
  attach->resumed_ns = kymo_stream_writer_get_next_ns (attach->writer);
  return TRUE;
}

static gboolean
open_all (Attach               *attach,
          const KymoCcsTarget  *target,
          GError              **error)
{
  attach->decoder = kymo_stream_decoder_new ();
  attach->lines = kymo_cli_stream_new (attach->cli);
  attach->watch = kymo_cli_watch_new (attach->cli, TRUE, error);
  if (attach->watch == NULL)
    return FALSE;
  attach->text = g_string_new (NULL);
  attach->cli->report = kymo_report_new ();
  if (!read_names (attach, error))
    return FALSE;
  attach->out = kymo_cli_out_new (attach->cli, error);
  return attach->out != NULL && open_recording (attach, target, error);
}

static void
follow_attach (Attach              *attach,
               const KymoCcsTarget *target)
{
  const KymoAttachmentEvents events = { take_frame, take_state };
  GCancellable *cancellable = kymo_job_peek_cancellable (attach->cli->job);
  g_autoptr (GSource) cancel = g_cancellable_source_new (cancellable);
  gint64 wait_ns = get_time (attach->cli, "wait", WAIT_NS);
  gint64 for_ns = get_time (attach->cli, "for", G_MAXINT64);

  attach->loop = g_main_loop_new (attach->context, FALSE);
  attach->sentence = g_strdup_printf ("There was no time to connect to %s", target->text);
  g_source_set_callback (cancel, G_SOURCE_FUNC (at_cancel), attach, NULL);
  g_source_attach (cancel, attach->context);
  attach->attachment = kymo_attachment_new (target, &events, attach);
  kymo_attachment_set_values (attach->attachment, kymo_cli_has (attach->cli, "scalars")
                              || kymo_cli_watch_needs_values (attach->watch));
  /* A little less than --wait, so that the reason is known before the time is over. */
  kymo_attachment_set_patience (attach->attachment, MIN (wait_ns, for_ns) / 1000 * 9 / 10);
  add_timer (attach, wait_ns, at_wait);
  if (kymo_cli_has (attach->cli, "for"))
    add_timer (attach, for_ns, at_end);
  if (kymo_cli_has (attach->cli, "watch"))
    add_timer (attach, TICK_NS, at_tick);
  kymo_attachment_start (attach->attachment);
  g_main_loop_run (attach->loop);
  g_source_destroy (cancel);
  g_clear_pointer (&attach->attachment, kymo_attachment_free);
  g_main_loop_unref (attach->loop);
  if (!attach->reached)
    g_cancellable_set_error_if_cancelled (cancellable, attach->error == NULL ? &attach->error
                                          : NULL);
}

static void
close_all (Attach *attach)
{
  GError *why = NULL;

  stop_recording (attach);
  if (attach->out != NULL && !kymo_cli_out_finish (attach->out, attach->reached, &why))
    keep_error (attach, why);
  if (attach->n_lost > 0)
    kymo_report_add (attach->cli->report, NULL, KYMO_SEVERITY_LOST, attach->n_lost, -1,
                     "Blocks of the stream were lost");
  g_clear_pointer (&attach->decoder, kymo_stream_decoder_free);
  g_clear_pointer (&attach->names, kymo_stream_names_free);
  g_clear_pointer (&attach->sts, g_bytes_unref);
  g_clear_pointer (&attach->lines, kymo_cli_stream_free);
  g_clear_pointer (&attach->watch, kymo_cli_watch_free);
  if (attach->text != NULL)
    g_string_free (attach->text, TRUE);
  g_free (attach->sentence);
}

/**
 * kymo_cli_run_attach:
 * @cli: the invocation; its word says where the program listens
 * @error: where to put the reason
 *
 * Returns: the exit code
 */
int
kymo_cli_run_attach (KymoCli  *cli,
                     GError  **error)
{
  Attach attach = { .cli = cli };
  g_autoptr (KymoCcsTarget) target = NULL;

  if (kymo_cli_has (cli, "list"))
    return kymo_cli_run_jobs (cli, error);
  if (kymo_cli_is_act (cli))
    return kymo_cli_run_act (cli, error);
  target = make_target (cli, error);
  if (target == NULL)
    return KYMO_CLI_FAILED;
  attach.context = g_main_context_new ();
  g_main_context_push_thread_default (attach.context);
  if (open_all (&attach, target, &attach.error))
    follow_attach (&attach, target);
  close_all (&attach);
  g_main_context_pop_thread_default (attach.context);
  g_main_context_unref (attach.context);
  if (attach.error == NULL)
    return KYMO_CLI_OK;
  g_propagate_error (error, attach.error);
  return KYMO_CLI_FAILED;
}
