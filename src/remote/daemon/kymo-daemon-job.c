/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said to standard error in lines that begin with "kymo-server: " is shown to the person
 * who waits. Whoever goes while the job waits in the queue takes it back.
 */
#include "config.h"

#include "kymo-daemon-job.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-launch.h"
#include "kymo-safe-text.h"

/* The queue is looked at so often, less and less. */
#define LEAST_PAUSE_MS 200
#define MOST_PAUSE_MS 10000
#define MOST_ID 100

/** JobState: of a job, as far as it matters here */
typedef enum
{
  JOB_GONE,
  JOB_WAITS,
  JOB_RUNS,
} JobState;

/**
 * Batch: a batch system
 * @variable: of the shell in a job: the job's number
 * @join: reaches a command on the node of a job
 * @find: (out): state of a job, its node, and why it waits; FALSE with an error
 */
typedef struct
{
  const char *const *submit;
  const char        *cancel;
  const char        *variable;
  const char        *join;
  gboolean         (*find) (const char *id, JobState *state, char **node, char **reason,
                            GError **error);
} Batch;

/* -- commands ---------------------------------------------------------------------------------- */

static char *
dup_first_line (const char *text)
{
  g_autofree char *line = g_strndup (text, strcspn (text, "\r\n"));

  return kymo_safe_text_dup (g_strstrip (line));
}

/* Runs a command. @said: (out): what it printed to standard error.
   Returns: (transfer full) (nullable): what it printed; NULL where it failed */
static char *
run_command (const char *const *words, const char *input, char **said, GError **error)
{
  GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE
                           | (input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : 0);
  g_autoptr (GSubprocess) process = g_subprocess_newv (words, flags, error);
  g_autofree char *out = NULL;

  *said = NULL;
  if (process == NULL
      || !g_subprocess_communicate_utf8 (process, input, NULL, &out, said, error))
    return NULL;
  if (g_subprocess_get_successful (process))
    return g_steal_pointer (&out);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("%s failed: %s"), words[0],
               *said != NULL && **said != '\0' ? *said : out);
  g_strchomp ((*error)->message);
  return NULL;
}

/* -- Slurm ------------------------------------------------------------------------------------- */

static gboolean
find_slurm (const char *id, JobState *state, char **node, char **reason, GError **error)
{
  g_autofree char *jobs = g_strconcat ("--jobs=", id, NULL);
  const char *const words[] = { "squeue", "--noheader", jobs, "--format=%T|%B|%r", NULL };
  g_autoptr (GError) why = NULL;
  g_autofree char *said = NULL;
  g_autofree char *out = run_command (words, NULL, &said, &why);
  g_autofree char *line = NULL;
  g_auto (GStrv) parts = NULL;

  *state = JOB_GONE;
  if (out == NULL && (said == NULL || strstr (said, "Invalid job id") == NULL))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  line = dup_first_line (out != NULL ? out : "");
  parts = g_strsplit (line, "|", 3);
  if (g_strv_length (parts) < 3)
    return TRUE;
  *state = strcmp (parts[0], "RUNNING") == 0 ? JOB_RUNS
    : strcmp (parts[0], "PENDING") == 0 || strcmp (parts[0], "CONFIGURING") == 0
      || strcmp (parts[0], "SUSPENDED") == 0 || strcmp (parts[0], "REQUEUED") == 0 ? JOB_WAITS
    : JOB_GONE;
  *node = g_strdup (parts[1]);
  *reason = g_strdup (parts[2]);
  return TRUE;
}

/* -- PBS --------------------------------------------------------------------------------------- */

/* (transfer full) (nullable): the value of "    KEY = VALUE" */
static char *
dup_pbs_value (const char *text, const char *key)
{
  g_autofree char *begin = g_strdup_printf ("%s = ", key);
  const char *found = strstr (text, begin);

  return found != NULL ? dup_first_line (found + strlen (begin)) : NULL;
}

static gboolean
find_pbs (const char *id, JobState *state, char **node, char **reason, GError **error)
{
  const char *const words[] = { "qstat", "-f", id, NULL };
  g_autoptr (GError) why = NULL;
  g_autofree char *said = NULL;
  g_autofree char *out = run_command (words, NULL, &said, &why);
  g_autofree char *letter = NULL;

  *state = JOB_GONE;
  if (out == NULL)
    {
      if (said != NULL && (strstr (said, "Unknown Job") != NULL
                           || strstr (said, "has finished") != NULL))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  letter = dup_pbs_value (out, "job_state");
  if (letter != NULL && *letter != '\0' && strchr ("QHWT", *letter) != NULL)
    *state = JOB_WAITS;
  else if (letter != NULL && *letter == 'R')
    *state = JOB_RUNS;
  *node = dup_pbs_value (out, "exec_host");
  if (*node != NULL)
    (*node)[strcspn (*node, "/")] = '\0';
  *reason = dup_pbs_value (out, "comment");
  return TRUE;
}

static const char *const submit_slurm[] = { "sbatch", "--parsable", NULL };
static const char *const submit_pbs[] = { "qsub", NULL };
/* Without --unbuffered srun holds what does not end with a line feed back. */
static const Batch slurm = {
  submit_slurm, "scancel", "SLURM_JOB_ID",
  "srun --jobid=%JOB% --overlap --unbuffered --nodes=1 --ntasks=1 --nodelist=%NODE% %SERVER%",
  find_slurm,
};
static const Batch pbs = {
  submit_pbs, "qdel", "PBS_JOBID", "ssh -o BatchMode=yes %NODE% %SERVER%", find_pbs,
};

/* -- what is kept of a job --------------------------------------------------------------------- */

/* It becomes words of commands, and a part of file names. */
static gboolean
is_id (const char *text)
{
  return *text != '\0' && *text != '-' && *text != '.' && strlen (text) <= MOST_ID
         && strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == strlen (text);
}

/* A descriptor of the file that has the number of the order's job, locked where there are locks;
   -1 with an error. */
static int
open_record (const char *order, GError **error)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, order, -1);
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "kymo", "jobs", NULL);
  g_autofree char *path = NULL;
  int fd;

  sum[16] = '\0';
  path = g_build_filename (folder, sum, NULL);
  fd = g_mkdir_with_parents (folder, 0700) == 0
       ? open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
  if (fd < 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be used: %s"), folder,
                 g_strerror (errno));
  else
    while (flock (fd, LOCK_EX) != 0 && errno == EINTR)
      ;
  return fd;
}

static char *
read_record (int fd)
{
  char text[MOST_ID + 1];
  gssize n = pread (fd, text, MOST_ID, 0);

  text[MAX (n, 0)] = '\0';
  g_strchomp (text);
  return is_id (text) ? g_strdup (text) : NULL;
}

static void
write_record (int fd, const char *id)
{
  if (ftruncate (fd, 0) != 0 || pwrite (fd, id, strlen (id), 0) < 0)
    fprintf (stderr, "kymo-server: %s\n", g_strerror (errno));
}

/* -- a job ------------------------------------------------------------------------------------- */

/* (transfer full): this program, as a shell takes it. */
static char *
dup_self (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return g_shell_quote (self != NULL ? self : "kymo-server");
}

/* (transfer full): words, as a shell takes them. */
static char *
dup_quoted (const char *const *words)
{
  GString *quoted = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *word = g_shell_quote (words[i]);

      g_string_append_printf (quoted, " %s", word);
    }
  return g_string_free (quoted, FALSE);
}

/* (transfer full): the script with the command of the server. */
static char *
dup_script (const char *script, const char *server)
{
  const char *const keys[] = { "%SERVER%", NULL };
  const char *const values[] = { server, NULL };

  return kymo_launch_fill (script, keys, values);
}

static char *
submit_job (const Batch *batch, const KymoLaunchOrder *order, const char *const *options,
            GError **error)
{
  g_autofree char *self = dup_self ();
  g_autofree char *more = dup_quoted (options);
  gint64 limit_s = order->time != NULL ? kymo_launch_parse_time (order->method, order->time) : 0;
  g_autofree char *server = g_strdup_printf ("%s --daemon --job-id \"$%s\" --job-time %"
                                             G_GINT64_FORMAT "%s", self, batch->variable, limit_s,
                                             more);
  g_autofree char *script = dup_script (order->script, server);
  g_autofree char *said = NULL;
  g_autofree char *out = run_command (batch->submit, script, &said, error);
  g_autofree char *line = out != NULL ? dup_first_line (out) : NULL;

  if (line == NULL)
    return NULL;
  line[strcspn (line, ";")] = '\0';     /* of Slurm: the cluster's name follows */
  if (is_id (line))
    return g_steal_pointer (&line);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("%s tells no number of a job: %s"),
               batch->submit[0], line);
  return NULL;
}

static void
cancel_job (const Batch *batch, const char *id)
{
  const char *const words[] = { batch->cancel, id, NULL };
  g_autofree char *said = NULL;
  g_autofree char *out = run_command (words, NULL, &said, NULL);
}

static volatile sig_atomic_t told_to_end;

static void
on_signal (int number)
{
  told_to_end = 1;
}

/* Until the job is joined a signal takes it back, also where nobody reads any more what it waits
   for. */
static void
heed_signals (void (*handler) (int number))
{
  static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGPIPE };
  const struct sigaction action = { .sa_handler = handler };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &action, NULL);
}

/* Waits a while. FALSE where the client has gone. */
static gboolean
pause_here (guint pause_ms)
{
  struct pollfd fd = { STDIN_FILENO, POLLRDHUP, 0 };
  gboolean gone = poll (&fd, 1, pause_ms) > 0
                  && (fd.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;

  return !gone && !told_to_end;
}

static void
tell_waiting (const char *id, const char *reason)
{
  if (reason != NULL && *reason != '\0' && strcmp (reason, "None") != 0)
    fprintf (stderr, _("kymo-server: job %s waits in the queue: %s\n"), id, reason);
  else
    fprintf (stderr, _("kymo-server: job %s waits in the queue\n"), id);
}

/* (transfer full) (nullable): the node of the job, once it runs. */
static char *
wait_for_node (const Batch *batch, const char *id, GError **error)
{
  g_autofree char *told = NULL;

  for (guint pause_ms = LEAST_PAUSE_MS;; pause_ms = MIN (pause_ms * 2, MOST_PAUSE_MS))
    {
      g_autofree char *node = NULL;
      g_autofree char *reason = NULL;
      JobState state;

      if (!batch->find (id, &state, &node, &reason, error))
        return NULL;
      if (state == JOB_RUNS && node != NULL && is_id (node))
        return g_steal_pointer (&node);
      if (state == JOB_GONE)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                       _("job %s: the job has ended before it could be reached"), id);
          return NULL;
        }
      if (told == NULL || g_strcmp0 (told, reason) != 0)
        tell_waiting (id, reason);
      g_free (told);
      told = g_strdup (reason != NULL ? reason : "");
      if (pause_here (pause_ms))
        continue;
      cancel_job (batch, id);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Cancelled"));
      return NULL;
    }
}

/* (transfer full) (nullable): the number of the order's job; it is submitted where none is. */
static char *
find_job (const Batch *batch, const KymoLaunchOrder *order, int record, gboolean rejoins,
          const char *const *options, GError **error)
{
  g_autofree char *id = read_record (record);
  g_autofree char *node = NULL;
  g_autofree char *reason = NULL;
  JobState state = JOB_GONE;

  if (id != NULL && !batch->find (id, &state, &node, &reason, error))
    return NULL;
  if (state != JOB_GONE)
    return g_steal_pointer (&id);
  if (rejoins)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                           "the job has ended; reconnect to start another one");
      return NULL;
    }
  g_free (id);
  id = submit_job (batch, order, options, error);
  if (id != NULL)
    write_record (record, id);
  return g_steal_pointer (&id);
}

/* -- joining ----------------------------------------------------------------------------------- */

static gboolean
become (const char *command, GError **error)
{
  execl ("/bin/sh", "sh", "-c", command, NULL);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("No command can be run: %s"),
               g_strerror (errno));
  return FALSE;
}

/* Becomes the command that carries bytes to the job; returns only where it fails. */
static gboolean
join_job (const Batch *batch, const KymoLaunchOrder *order, const char *id, const char *node,
          GError **error)
{
  const char *const keys[] = { "%JOB%", "%NODE%", "%SERVER%", NULL };
  g_autofree char *self = dup_self ();
  g_autofree char *server = g_strdup_printf ("%s --relay --job-id %s", self, id);
  const char *const values[] = { id, node, server, NULL };
  g_autofree char *filled = kymo_launch_fill (order->join != NULL ? order->join : batch->join,
                                              keys, values);
  g_autofree char *command = g_strconcat ("exec ", filled, NULL);

  fprintf (stderr, _("kymo-server: job %s runs on %s\n"), id, node);
  return become (command, error);
}

static gboolean
connect_batch (const Batch *batch, const KymoLaunchOrder *order, const char *text,
               gboolean rejoins, const char *const *options, GError **error)
{
  int record = open_record (text, error);
  g_autofree char *id = NULL;
  g_autofree char *node = NULL;

  if (record < 0)
    return FALSE;
  heed_signals (on_signal);
  id = find_job (batch, order, record, rejoins, options, error);
  close (record);
  node = id != NULL ? wait_for_node (batch, id, error) : NULL;
  heed_signals (SIG_DFL);
  return node != NULL && join_job (batch, order, id, node, error);
}

/* Becomes a command like mpirun, which carries standard input and output. */
static gboolean
run_here (const KymoLaunchOrder *order, const char *const *options, GError **error)
{
  g_autofree char *self = dup_self ();
  g_autofree char *more = dup_quoted (options);
  g_autofree char *server = g_strdup_printf ("%s --stdio%s", self, more);
  g_autofree char *command = dup_script (order->script, server);

  return become (command, error);
}

/**
 * kymo_daemon_connect_job:
 * @order: from kymo_launch_dup_order()
 * @rejoins: a job that has ended is not submitted again
 * @options: of a server that is started
 *
 * Joins standard input and output to the server of the order's job, by becoming another program.
 *
 * Returns: the exit status where that failed; standard error says why
 */
int
kymo_daemon_connect_job (const char *order, gboolean rejoins, const char *const *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoLaunchOrder) parsed = kymo_launch_order_parse (order, &error);

  if (parsed != NULL && parsed->method == KYMO_LAUNCH_MPIRUN)
    run_here (parsed, options, &error);
  else if (parsed != NULL)
    connect_batch (parsed->method == KYMO_LAUNCH_PBS ? &pbs : &slurm, parsed, order, rejoins,
                   options, &error);
  fprintf (stderr, "kymo-server: %s\n", error->message);
  return 1;
}
