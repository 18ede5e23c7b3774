/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-host-test.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-host.h"
#include "kymo-remote-link.h"
#include "kymo-safe-text.h"

/* Most of what a command there may print. */
#define MOST_PRINTED (64 * 1024)
/* A tarball of both programs has about 10 MB. */
#define MOST_TARBALL (G_GINT64_CONSTANT (1) << 30)

/* The new one takes the place of the old one only if it runs there. */
#define INSTALL \
  "set -e; d=\"$HOME/.local/kymo\"; n=\"$d.new.$$\"; trap \"rm -rf $n\" 0; mkdir -p \"$n\"; " \
  "tar -xzf - -C \"$n\"; p=$(find \"$n\" -maxdepth 3 -path \"*/bin/kymo-server\" | head -n 1); " \
  "test -n \"$p\"; chmod +x \"$p\"; \"$p\" --version; t=$(dirname \"$(dirname \"$p\")\"); " \
  "rm -rf \"$n.old\"; if [ -e \"$d\" ]; then mv \"$d\" \"$n.old\"; fi; mv \"$t\" \"$d\"; " \
  "rm -rf \"$n.old\""

/** Test: of a host */
typedef struct
{
  KymoHost          *host;
  KymoLaunch        *launch;
  KymoRemoteAddress *address;
  const char        *launch_words;
  KymoHostStepFunc   told;
  gpointer           data;
  KymoJob           *job;
} Test;

/* -- commands ---------------------------------------------------------------------------------- */

static char *
dup_last_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  const char *line = strrchr (g_strchomp (valid), '\n');

  return kymo_safe_text_dup (line != NULL ? line + 1 : valid);
}

static void
on_cancelled (GCancellable *cancellable, gpointer process)
{
  g_subprocess_send_signal (process, SIGTERM);
}

/* Runs a command there. @said: (out): the last line that it printed, or that ssh said where it
   failed. Returns: whether it went well */
static gboolean
run_there (const KymoHost *host, const char *command, GBytes *input, GCancellable *cancellable,
           char **said)
{
  g_autofree char *far = g_strdup_printf ("exec sh -c '%s'", command);
  g_auto (GStrv) words = kymo_host_dup_ssh (host, kymo_remote_can_ask (), far);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (
    (const char *const *) words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE
    | (input != NULL ? G_SUBPROCESS_FLAGS_STDIN_PIPE : 0), &error);
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  g_autoptr (GBytes) best = NULL;
  g_autofree char *text = NULL;
  gulong handler;
  gboolean done;

  *said = NULL;
  if (process == NULL)
    {
      *said = g_strdup (error->message);
      return FALSE;
    }
  handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), process, NULL);
  done = g_subprocess_communicate (process, input, cancellable, &out, &err, &error)
         && g_subprocess_get_successful (process);
  g_cancellable_disconnect (cancellable, handler);
  best = done && g_bytes_get_size (out) > 0 ? g_bytes_ref (out)
    : err != NULL && g_bytes_get_size (err) > 0 ? g_bytes_ref (err)
    : out != NULL ? g_bytes_ref (out) : g_bytes_new (NULL, 0);
  text = g_strndup (g_bytes_get_data (best, NULL), MIN (g_bytes_get_size (best), MOST_PRINTED));
  *said = error != NULL ? g_strdup (error->message) : dup_last_line (text);
  return done;
}

/* -- steps ------------------------------------------------------------------------------------- */

static gboolean
tell_step (Test *test, const char *title, gboolean passed, const char *words, gboolean is_missing)
{
  const KymoHostStep step = { title, passed, words, is_missing };

  test->told (&step, test->data);
  return passed;
}

static gboolean
test_ssh (Test *test)
{
  g_autofree char *said = NULL;
  gboolean passed = run_there (test->host, "uname -srm", NULL,
                               kymo_job_peek_cancellable (test->job), &said);

  return tell_step (test, _("Connection by ssh"), passed, said, FALSE);
}

static gboolean
test_server (Test *test)
{
  g_autofree char *command = kymo_host_dup_version_command (test->host);
  g_autofree char *said = NULL;
  gboolean passed = run_there (test->host, command, NULL,
                               kymo_job_peek_cancellable (test->job), &said);
  /* A login shell may print what it likes before. */
  gboolean is_server = passed && strstr (said, "kymo-server ") != NULL;

  return tell_step (test, _("Server"), is_server, said, !is_server);
}

static gboolean
test_launch (Test *test)
{
  static const char *const commands[] = {
    "echo login node: $(hostname)", "command -v mpirun", "command -v sbatch && command -v srun",
    "command -v qsub && command -v qstat",
  };
  g_autofree char *said = NULL;
  gboolean passed = run_there (test->host, commands[test->launch->method], NULL,
                               kymo_job_peek_cancellable (test->job), &said);

  if (!passed && *said == '\0')
    {
      g_free (said);
      said = g_strdup_printf (_("not found there: %s"), commands[test->launch->method]);
    }
  return tell_step (test, _("Start of the server"), passed, said, FALSE);
}

static gboolean
test_greeting (Test *test)
{
  const KymoRemoteWay way = { .shares = TRUE, .launch = test->launch_words };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRemoteLink) link = kymo_remote_link_get (test->address, &way, test->job, &error);
  const char *program = "", *node = "?";
  g_autofree char *words = NULL;

  if (link == NULL)
    return tell_step (test, _("Answer of the server"), FALSE, error->message, FALSE);
  g_variant_lookup (kymo_remote_link_peek_welcome (link), "program", "&s", &program);
  g_variant_lookup (kymo_remote_link_peek_welcome (link), "node", "&s", &node);
  words = g_strdup_printf (_("%s on %s"), program, node);
  return tell_step (test, _("Answer of the server"), TRUE, words, FALSE);
}

static KymoRemoteAddress *
parse_host (const char *host, GError **error)
{
  g_autofree char *text = g_strdup_printf ("ssh://%s/~", host);

  return kymo_remote_address_parse (text, error);
}

/**
 * kymo_host_test:
 * @host: "[USER@]HOST[:PORT]"
 * @launch: (nullable): how a server begins there, as kymo_host_dup_launch() takes it
 * @told: told of each step, up to the first that does not pass
 * @job: cancelling; is told what a job waits for
 *
 * Returns: whether all passed; an error is set only where nothing could be tried
 */
gboolean
kymo_host_test (const char *host, const char *launch, KymoHostStepFunc told, gpointer data,
                KymoJob *job, GError **error)
{
  g_autoptr (KymoRemoteAddress) address = parse_host (host, error);
  g_autoptr (KymoHost) known = address != NULL
                               ? kymo_hosts_find (address->host, address->port, error) : NULL;
  g_autoptr (KymoLaunch) chosen = known != NULL ? kymo_host_dup_launch (known, launch, error)
                                                : NULL;
  Test test = { known, chosen, address, launch, told, data, job };

  return chosen != NULL && test_ssh (&test) && test_server (&test) && test_launch (&test)
         && test_greeting (&test);
}

/* -- installing -------------------------------------------------------------------------------- */

/**
 * kymo_host_install:
 * @host: "[USER@]HOST[:PORT]"
 * @tarball: made by build-aux/portable
 * @job: progress and cancelling
 *
 * Copies the tarball to ~/.local/kymo there, where a server is found without any settings. What is
 * there stays if the new one does not run on that machine.
 *
 * Returns: (transfer full) (nullable): the version that runs there now; %NULL with the words of the
 *   other side, or of ssh
 */
char *
kymo_host_install (const char *host, const char *tarball, KymoJob *job, GError **error)
{
  g_autoptr (KymoRemoteAddress) address = parse_host (host, error);
  g_autoptr (KymoHost) known = address != NULL
                               ? kymo_hosts_find (address->host, address->port, error) : NULL;
  g_autoptr (GMappedFile) file = known != NULL ? g_mapped_file_new (tarball, FALSE, error) : NULL;
  g_autoptr (GBytes) bytes = file != NULL ? g_mapped_file_get_bytes (file) : NULL;
  g_autofree char *said = NULL;

  if (bytes == NULL)
    return NULL;
  if (g_bytes_get_size (bytes) < 2 || g_bytes_get_size (bytes) > MOST_TARBALL
      || memcmp (g_bytes_get_data (bytes, NULL), "\x1f\x8b", 2) != 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no kymo-server-VERSION-MACHINE.tar.gz"), tarball);
      return NULL;
    }
  kymo_job_begin (job, _("Copying the server"), 0);
  if (run_there (known, INSTALL, bytes, kymo_job_peek_cancellable (job), &said)
      && g_str_has_prefix (said, "kymo-server "))
    return g_strdup (said + strlen ("kymo-server "));
  if (!g_cancellable_set_error_if_cancelled (kymo_job_peek_cancellable (job), error))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE,
                 _("The server cannot be installed on %s: %s"), host, said);
  return NULL;
}
