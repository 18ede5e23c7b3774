/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each job is asked for its name and its port. The socket of a killed job gives no answer and is no
 * row of the list. Folders and sockets of other users are not opened.
 */
#include "config.h"

#include "kymo-jobs.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-ccs-target.h"

#define SUFFIX ".actions"
/* Sockets that are looked at, jobs that are told, and how long each may take. */
#define MOST_SOCKETS 4096
#define MOST_JOBS 64
#define PATIENCE_S 1
/* A socket of this age without a listener belongs to a job that was killed. */
#define STALE_S 60
#define MOST_GREETING 16384

/**
 * kymo_jobs_dup_folder:
 *
 * Returns: (transfer full): the folder in which jobs of this user have their sockets
 */
char *
kymo_jobs_dup_folder (void)
{
  return g_strdup_printf ("/tmp/kymo-%u", (guint) geteuid ());
}

/* What the job says until there are two lines, or the time is over. */
static char *
read_greeting (GSocket      *socket,
               GCancellable *cancellable)
{
  g_autoptr (GString) greeting = g_string_new (NULL);
  char piece[1024];
  const char *first;

  while (greeting->len < MOST_GREETING
         && ((first = strchr (greeting->str, '\n')) == NULL || strchr (first + 1, '\n') == NULL))
    {
      gssize n = g_socket_receive (socket, piece, sizeof piece, cancellable, NULL);

      if (n <= 0)
        return NULL;
      g_string_append_len (greeting, piece, n);
    }
  return g_string_free (g_steal_pointer (&greeting), FALSE);
}

static KymoJobInfo *
parse_greeting (const char *greeting)
{
  g_auto (GStrv) lines = g_strsplit (greeting, "\n", 3);
  g_auto (GStrv) fields = NULL;

  if (lines[0] == NULL || lines[1] == NULL || !g_str_has_prefix (lines[0], "kymo-actions\t"))
    return NULL;
  fields = kymo_job_line_split (lines[1], strlen (lines[1]));
  return kymo_job_info_parse ((const char *const *) fields);
}

/* (nullable): the job that listens at a socket. */
static KymoJobInfo *
ask_job (const char   *path,
         GCancellable *cancellable)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, 0, NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autofree char *greeting = NULL;
  g_autoptr (GError) error = NULL;
  KymoJobInfo *info;
  struct stat facts;

  if (socket == NULL || lstat (path, &facts) != 0 || !S_ISSOCK (facts.st_mode)
      || facts.st_uid != geteuid ())
    return NULL;
  g_socket_set_timeout (socket, PATIENCE_S);
  if (!g_socket_connect (socket, address, cancellable, &error))
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
          && facts.st_mtim.tv_sec < g_get_real_time () / G_USEC_PER_SEC - STALE_S)
        unlink (path);
      return NULL;
    }
  greeting = read_greeting (socket, cancellable);
  info = greeting != NULL ? parse_greeting (greeting) : NULL;
  if (info == NULL)
    return NULL;
  info->socket = g_strdup (path);
  info->begin_us = (gint64) facts.st_mtim.tv_sec * G_USEC_PER_SEC + facts.st_mtim.tv_nsec / 1000;
  return info;
}

static gboolean
is_own_folder (const char *folder)
{
  struct stat facts;

  return lstat (folder, &facts) == 0 && S_ISDIR (facts.st_mode) && facts.st_uid == geteuid ()
    && (facts.st_mode & 077) == 0;
}

static gint
compare_jobs (gconstpointer a,
              gconstpointer b)
{
  const KymoJobInfo *x = *(KymoJobInfo *const *) a, *y = *(KymoJobInfo *const *) b;

  if (x->begin_us != y->begin_us)
    return x->begin_us > y->begin_us ? -1 : 1;
  return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/**
 * kymo_jobs_list:
 * @folder: see kymo_jobs_dup_folder()
 *
 * Asks all jobs; a job that is stopped takes a second. Sockets that were left are removed.
 *
 * Returns: (transfer full) (element-type KymoJobInfo): the jobs that answer, the newest first
 */
GPtrArray *
kymo_jobs_list (const char   *folder,
                GCancellable *cancellable)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) kymo_job_info_free);
  g_autoptr (GDir) dir = is_own_folder (folder) ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  for (guint n = 0; dir != NULL && n < MOST_SOCKETS && jobs->len < MOST_JOBS
       && (name = g_dir_read_name (dir)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      KymoJobInfo *info;

      if (!g_str_has_suffix (name, SUFFIX) || g_cancellable_is_cancelled (cancellable))
        continue;
      info = ask_job (path, cancellable);
      if (info != NULL)
        g_ptr_array_add (jobs, info);
    }
  g_ptr_array_sort (jobs, compare_jobs);
  return jobs;
}

static void
list_thread (GTask        *task,
             gpointer      object,
             gpointer      data,
             GCancellable *cancellable)
{
  g_task_return_pointer (task, kymo_jobs_list (data, cancellable),
                         (GDestroyNotify) g_ptr_array_unref);
}

/**
 * kymo_jobs_list_async:
 *
 * kymo_jobs_list() on another thread.
 */
void
kymo_jobs_list_async (const char          *folder,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, g_strdup (folder), g_free);
  g_task_run_in_thread (task, list_thread);
}

/**
 * kymo_jobs_list_finish:
 * @error: where it was cancelled
 *
 * Returns: (transfer full) (nullable): what kymo_jobs_list() returns
 */
GPtrArray *
kymo_jobs_list_finish (GAsyncResult  *result,
                       GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * kymo_jobs_is_here: whether a name or an address is that of this host.
 */
gboolean
kymo_jobs_is_here (const char *host)
{
  return strcmp (host, "localhost") == 0 || strcmp (host, "127.0.0.1") == 0
    || strcmp (host, "::1") == 0 || g_ascii_strcasecmp (host, g_get_host_name ()) == 0;
}

/**
 * kymo_jobs_find:
 * @jobs: (element-type KymoJobInfo): of this machine
 * @address: HOST:PORT of a stream
 *
 * Returns: (transfer none) (nullable): the job that serves it
 */
const KymoJobInfo *
kymo_jobs_find (GPtrArray  *jobs,
                const char *address)
{
  g_autoptr (KymoCcsTarget) wanted = kymo_ccs_target_parse (address, NULL, NULL, NULL);

  if (wanted == NULL || wanted->through != NULL || !kymo_jobs_is_here (wanted->host))
    return NULL;
  for (guint i = 0; i < jobs->len; i++)
    {
      const KymoJobInfo *info = jobs->pdata[i];
      g_autoptr (KymoCcsTarget) own = kymo_ccs_target_parse (info->address, NULL, NULL, NULL);

      if (own != NULL && own->port == wanted->port)
        return info;
    }
  return NULL;
}
