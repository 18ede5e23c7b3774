/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links are made here, found again by who needs the same machine, and ended.
 */
#include "config.h"

#include "kymo-remote-link-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

static GMutex links_mutex;
static GHashTable *links;       /* key -> KymoRemoteLink, borrowed */

/* Two ends of a line. Unlike those of a pipe they can be shut, which ends a wait for a process that
   does not end. */
static gboolean
make_ends (int *ours, int *theirs, GError **error)
{
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      int why = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (why),
                   _("No connection can be made: %s"), g_strerror (why));
      return FALSE;
    }
  *ours = ends[0];
  *theirs = ends[1];
  return TRUE;
}

static GSubprocess *
start_process (char **command, int *line, int *words, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GSubprocess *process;
  int far_line = -1, far_words = -1;

  if (!make_ends (line, &far_line, error))
    return NULL;
  if (!make_ends (words, &far_words, error))
    {
      close (*line);
      close (far_line);
      return NULL;
    }
  g_subprocess_launcher_take_stdin_fd (launcher, fcntl (far_line, F_DUPFD_CLOEXEC, 0));
  g_subprocess_launcher_take_stdout_fd (launcher, far_line);
  g_subprocess_launcher_take_stderr_fd (launcher, far_words);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) command, error);
  if (process == NULL)
    {
      close (*line);
      close (*words);
    }
  return process;
}

static void
say_hello (KymoRemoteLink *link)
{
  const char *compress = g_getenv ("KYMO_COMPRESS");
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "version", "u", KYMO_FRAME_VERSION);
  g_variant_dict_insert (&body, "program", "s", "kymo " KYMO_VERSION);
  g_variant_dict_insert (&body, "language", "s", setlocale (LC_MESSAGES, NULL));
  g_variant_dict_insert (&body, "compress", "s", compress != NULL ? compress : "auto");
  g_variant_dict_insert (&body, "alive", "u", (guint32) KYMO_REMOTE_ALIVE_S);
  kymo_frame_writer_push (link->writer, KYMO_FRAME_HELLO, 0, g_variant_dict_end (&body));
}

static KymoRemoteLink *
make_link (const KymoRemoteAddress *address, char **command, const char *key, GError **error)
{
  KymoRemoteLink *link;
  int line = -1, words = -1;
  GSubprocess *process = start_process (command, &line, &words, error);

  if (process == NULL)
    {
      g_prefix_error (error, _("No server of Kymo can be started on %s: "), address->host);
      return NULL;
    }
  link = g_new0 (KymoRemoteLink, 1);
  link->n_refs = 1;
  link->key = g_strdup (key);
  link->host = g_strdup (address->host);
  link->process = process;
  link->line = line;
  link->words_fd = words;
  g_mutex_init (&link->mutex);
  g_cond_init (&link->changed);
  g_cond_init (&link->ended);
  g_queue_init (&link->waiting);
  link->requests = g_hash_table_new (g_int64_hash, g_int64_equal);
  link->runs = g_hash_table_new_full (NULL, NULL, NULL, kymo_remote_run_unref);
  link->words = g_string_new (NULL);
  link->writer = kymo_frame_writer_new (link->line);
  /* Questions name lists that were sent before them, and what was cancelled makes room. */
  kymo_frame_writer_keep_order (link->writer);
  link->listener = g_thread_new ("kymo-words", kymo_remote_link_read_words, link);
  link->reader = g_thread_new ("kymo-link", kymo_remote_link_read_frames, link);
  say_hello (link);
  link->alive = g_thread_new ("kymo-alive", kymo_remote_link_stay_alive, link);
  return link;
}

/* (transfer full) (nullable): the last whole line that a server said before it could answer: what
   it waits for. The mutex is held. */
static char *
dup_stage (KymoRemoteLink *link)
{
  const char *end = strrchr (link->words->str, '\n');
  g_autofree char *lines = end != NULL ? g_strndup (link->words->str, end - link->words->str)
                                       : g_strdup ("");
  const char *last = strrchr (lines, '\n');

  last = last != NULL ? last + 1 : lines;
  return g_str_has_prefix (last, KYMO_REMOTE_STAGE)
         ? kymo_safe_text_dup (last + strlen (KYMO_REMOTE_STAGE)) : NULL;
}

/* Without the mutex. */
static void
tell_stage (KymoJob *job, const char *stage)
{
  g_autofree char *before = kymo_job_dup_stage (job);

  if (g_strcmp0 (before, stage) != 0)
    kymo_job_begin (job, stage, 0);
}

/* A greeting that comes. The mutex is held, but not while the job is told. */
static void
wait_until_greeted (KymoRemoteLink *link, KymoJob *job, GCancellable *cancellable)
{
  while (link->welcome == NULL && !link->has_ended && !g_cancellable_is_cancelled (cancellable))
    {
      g_autofree char *stage = job != NULL ? dup_stage (link) : NULL;
      gsize said = link->words->len;

      if (stage != NULL)
        {
          g_mutex_unlock (&link->mutex);
          tell_stage (job, stage);
          g_mutex_lock (&link->mutex);
        }
      if (link->welcome == NULL && !link->has_ended && said == link->words->len
          && !g_cancellable_is_cancelled (cancellable))
        g_cond_wait (&link->changed, &link->mutex);
    }
}

static gboolean
wait_for_welcome (KymoRemoteLink *link, KymoJob *job, GError **error)
{
  GCancellable *cancellable = job != NULL ? kymo_job_peek_cancellable (job) : NULL;
  gulong handler = cancellable == NULL ? 0
    : g_cancellable_connect (cancellable, G_CALLBACK (kymo_remote_link_on_cancelled), link, NULL);
  gboolean welcome;

  g_mutex_lock (&link->mutex);
  wait_until_greeted (link, job, cancellable);
  welcome = link->welcome != NULL && !link->has_ended;
  if (!welcome && !g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, link->end_words);
  g_mutex_unlock (&link->mutex);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  return welcome;
}

/* (transfer full) (nullable): a link that is made already and has not ended. The links are
   locked. */
static KymoRemoteLink *
find_link (const char *key)
{
  KymoRemoteLink *link;
  gboolean has_ended;

  if (links == NULL)
    links = g_hash_table_new (g_str_hash, g_str_equal);
  link = g_hash_table_lookup (links, key);
  if (link == NULL)
    return NULL;
  g_mutex_lock (&link->mutex);
  has_ended = link->has_ended;
  g_mutex_unlock (&link->mutex);
  if (has_ended)
    g_hash_table_remove (links, key);
  else
    link->n_refs++;
  return has_ended ? NULL : link;
}

/* (transfer full): what tells machines and their servers apart; not, whether ssh may ask. */
static char *
dup_key (const KymoRemoteAddress *address, const KymoRemoteWay *way, GError **error)
{
  const KymoRemoteWay quiet = { way->server, way->shares, way->launch, TRUE };
  g_auto (GStrv) command = kymo_remote_address_dup_command (address, &quiet, error);

  return command != NULL ? g_strjoinv ("\n", command) : NULL;
}

/**
 * kymo_remote_link_get:
 * @way: how the machine is reached
 * @job: (nullable): cancelling it ends the waiting; it is told what the server waits for
 *
 * Blocks until a server answers, which may be long if ssh asks a person or a job has to wait.
 *
 * Returns: (transfer full) (nullable): a link to the machine of @address, that of its other runs
 *   where there are any; %NULL with the words of ssh where there is none
 */
KymoRemoteLink *
kymo_remote_link_get (const KymoRemoteAddress *address, const KymoRemoteWay *way, KymoJob *job,
                      GError **error)
{
  g_autofree char *key = dup_key (address, way, error);
  g_auto (GStrv) command = key != NULL ? kymo_remote_address_dup_command (address, way, error)
                                       : NULL;
  KymoRemoteLink *link;

  if (command == NULL)
    return NULL;
  g_mutex_lock (&links_mutex);
  link = find_link (key);
  if (link == NULL)
    {
      link = make_link (address, command, key, error);
      if (link != NULL)
        g_hash_table_insert (links, link->key, link);
    }
  g_mutex_unlock (&links_mutex);
  if (link == NULL || wait_for_welcome (link, job, error))
    return link;
  kymo_remote_link_unref (link);
  return NULL;
}

/** kymo_remote_link_ref: Returns: (transfer full): the link once more */
KymoRemoteLink *
kymo_remote_link_ref (KymoRemoteLink *link)
{
  g_mutex_lock (&links_mutex);
  link->n_refs++;
  g_mutex_unlock (&links_mutex);
  return link;
}

/** kymo_remote_link_has_ended: Returns: whether the line is lost, for good */
gboolean
kymo_remote_link_has_ended (KymoRemoteLink *link)
{
  gboolean has_ended;

  g_mutex_lock (&link->mutex);
  has_ended = link->has_ended;
  g_mutex_unlock (&link->mutex);
  return has_ended;
}

/** kymo_remote_link_dup_end_words: Returns: (transfer full): a sentence: why it has ended */
char *
kymo_remote_link_dup_end_words (KymoRemoteLink *link)
{
  char *words;

  g_mutex_lock (&link->mutex);
  words = g_strdup (link->end_words != NULL ? link->end_words : "");
  g_mutex_unlock (&link->mutex);
  return words;
}

/** kymo_remote_link_peek_welcome: Returns: (transfer none): the body of the server's greeting */
GVariant *
kymo_remote_link_peek_welcome (KymoRemoteLink *link)
{
  return link->welcome;
}

/** kymo_remote_link_get_end: Returns: monotonic time at which the job of the server ends, in us;
 *  0 = it is in none, or does not know */
gint64
kymo_remote_link_get_end (KymoRemoteLink *link)
{
  gint64 left_s;

  return g_variant_lookup (link->welcome, "left", "x", &left_s)
         ? link->welcome_us + CLAMP (left_s, 1, G_MAXINT32) * G_USEC_PER_SEC : 0;
}

/* The process ends because it is told to, or sees its standard input close, as the server on the
   other machine does. */
static void
destroy_link (KymoRemoteLink *link)
{
  g_subprocess_send_signal (link->process, SIGTERM);
  shutdown (link->line, SHUT_RDWR);
  shutdown (link->words_fd, SHUT_RDWR);
  g_thread_join (link->reader);
  g_thread_join (link->listener);
  g_thread_join (link->alive);
  kymo_frame_writer_free (link->writer);
  close (link->line);
  close (link->words_fd);
  g_object_unref (link->process);
  g_hash_table_unref (link->requests);
  g_hash_table_unref (link->runs);
  g_clear_pointer (&link->welcome, g_variant_unref);
  for (guint i = 0; i < KYMO_FRAME_VALUE_LISTS; i++)
    g_clear_pointer (&link->values[i], g_variant_unref);
  g_string_free (link->words, TRUE);
  g_free (link->refusal);
  g_free (link->end_words);
  g_cond_clear (&link->changed);
  g_cond_clear (&link->ended);
  g_mutex_clear (&link->mutex);
  g_free (link->key);
  g_free (link->host);
  g_free (link);
}

/** kymo_remote_link_unref: @link: (nullable) (transfer full): ends with its last reference */
void
kymo_remote_link_unref (KymoRemoteLink *link)
{
  gboolean is_last;

  if (link == NULL)
    return;
  g_mutex_lock (&links_mutex);
  is_last = --link->n_refs == 0;
  if (is_last && g_hash_table_lookup (links, link->key) == link)
    g_hash_table_remove (links, link->key);
  g_mutex_unlock (&links_mutex);
  if (is_last)
    destroy_link (link);
}
