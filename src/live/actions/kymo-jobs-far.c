/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is that of the job itself (docs/formats/actions.md), with two fields more: the path of its
 * socket, and when it began in microseconds since 1970. What a login shell says besides is passed
 * over; the last of it is the reason where the command fails.
 */
#include "config.h"

#include "kymo-jobs-far.h"

#include <glib/gi18n.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

#define MOST_BYTES (256 * 1024)
#define MOST_JOBS 64
#define N_FIELDS 9
#define ATTACH "exec kymo-cli attach "

/**
 * kymo_jobs_dup_relay:
 * @where: HOST:PORT or the path of the socket of a job on the other host
 *
 * Returns: (transfer full): what ssh runs there to move bytes between the job and this program
 */
char *
kymo_jobs_dup_relay (const char *where)
{
  g_autofree char *quoted = g_shell_quote (where);

  return g_strconcat (ATTACH, quoted, " --relay", NULL);
}

/**
 * kymo_jobs_dup_lines:
 * @jobs: (element-type KymoJobInfo)
 *
 * Returns: (transfer full): a line for each job, for kymo_jobs_ask() on another host
 */
char *
kymo_jobs_dup_lines (GPtrArray *jobs)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < jobs->len; i++)
    {
      const KymoJobInfo *info = jobs->pdata[i];
      g_autofree char *n_ranks = g_strdup_printf ("%u", info->n_ranks);
      g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, info->pid);
      g_autofree char *begin = g_strdup_printf ("%" G_GINT64_FORMAT, info->begin_us);
      const char *fields[] = { "job", info->folder, info->program, n_ranks, info->address,
                               info->host, pid, info->socket, begin, NULL };
      g_autofree char *line = kymo_job_line_join (fields);

      g_string_append (lines, line);
    }
  return g_string_free (g_steal_pointer (&lines), FALSE);
}

/* (nullable): the job of a line; NULL if it is no line of a job */
static KymoJobInfo *
parse_line (const char *line)
{
  g_auto (GStrv) fields = kymo_job_line_split (line, strlen (line));
  gint64 begin_us;
  KymoJobInfo *info;

  if (g_strv_length (fields) < N_FIELDS
      || !g_ascii_string_to_signed (fields[8], 10, 0, G_MAXINT64, &begin_us, NULL))
    return NULL;
  info = kymo_job_info_parse ((const char *const *) fields);
  if (info == NULL)
    return NULL;
  info->socket = kymo_job_line_dup_text (fields[7]);
  info->begin_us = begin_us;
  return info;
}

/* All that a process says, as far as it is wanted. */
static char *
read_words (GSubprocess   *process,
            GCancellable  *cancellable,
            GError       **error)
{
  GInputStream *stream = g_subprocess_get_stdout_pipe (process);
  g_autofree char *text = g_malloc (MOST_BYTES + 1);
  gsize n = 0;

  if (!g_input_stream_read_all (stream, text, MOST_BYTES, &n, cancellable, error))
    return NULL;
  text[n] = '\0';
  return g_steal_pointer (&text);
}

static GPtrArray *
parse_lines (const char  *text,
             char       **last)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_job_info_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      KymoJobInfo *info = jobs->len < MOST_JOBS ? parse_line (lines[i]) : NULL;

      if (info != NULL)
        g_ptr_array_add (jobs, info);
      else if (*g_strstrip (lines[i]) != '\0' && !g_str_has_prefix (lines[i], "job\t"))
        {
          g_free (*last);
          *last = kymo_job_line_dup_text (lines[i]);
        }
    }
  return g_steal_pointer (&jobs);
}

/**
 * kymo_jobs_ask:
 * @words: a command that runs %KYMO_JOBS_FAR_LIST on another host
 * @error: where to put the reason; a sentence of ssh, the shell or Kymo there
 *
 * Asks another host for the jobs of the user there. Waits for it: any thread but the one of a
 * window.
 *
 * Returns: (transfer full) (element-type KymoJobInfo) (nullable): the jobs, the newest first
 */
GPtrArray *
kymo_jobs_ask (const char *const  *words,
               GCancellable       *cancellable,
               GError            **error)
{
  g_autoptr (GSubprocess) process
    = g_subprocess_newv (words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE,
                         error);
  g_autofree char *text = NULL, *last = NULL;
  g_autoptr (GPtrArray) jobs = NULL;

  if (process == NULL)
    return NULL;
  text = read_words (process, cancellable, error);
  /* Who says more than this is not waited for. */
  if (text == NULL || strlen (text) == MOST_BYTES)
    g_subprocess_force_exit (process);
  if (text == NULL || !g_subprocess_wait (process, cancellable, error))
    return NULL;
  jobs = parse_lines (text, &last);
  if (g_subprocess_get_successful (process))
    return g_steal_pointer (&jobs);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("The jobs of the other host cannot be listed: %s"),
               last != NULL ? last : _("the command there ended without a word"));
  return NULL;
}

static void
ask_thread (GTask        *task,
            gpointer      object,
            gpointer      data,
            GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *jobs = kymo_jobs_ask (data, cancellable, &error);

  if (jobs != NULL)
    g_task_return_pointer (task, jobs, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * kymo_jobs_ask_async:
 * @words: copied
 *
 * kymo_jobs_ask() on another thread.
 */
void
kymo_jobs_ask_async (const char *const   *words,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdupv ((char **) words), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, ask_thread);
}

/**
 * kymo_jobs_ask_finish:
 * @error: where to put the reason
 *
 * Returns: (transfer full) (nullable): what kymo_jobs_ask() returns
 */
GPtrArray *
kymo_jobs_ask_finish (GAsyncResult  *result,
                      GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
