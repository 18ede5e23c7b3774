/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs ssh with a list of words, never through a shell. It may ask for a
 * password only where somebody can answer: at a terminal, or by SSH_ASKPASS.
 *
 * No connection is made only to see whether the tunnel stands: at its other end that
 * would be a client that sends nothing, on which the program waits. Until the
 * first request gets a connection, ssh is not ready.
 *
 * What ssh says is read line by line and bounded. A port at the far end that
 * no program listens on shows only there: ssh accepts and closes at once.
 */
#include "config.h"

#include "kymo-ssh-tunnel.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

/* Number of the last bytes of output of ssh that are kept. */
#define MAX_WORDS 2048

struct _KymoSshTunnel
{
  GSubprocess  *process;
  guint16       port;
  GCancellable *cancellable;
  GString      *words;
  char          piece[512];     /* being read */
  gboolean      refused;
};

static guint16
find_free_port (GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                             G_SOCKET_PROTOCOL_TCP, error);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;

  if (socket == NULL || !g_socket_bind (socket, any, FALSE, error))
    return 0;
  bound = g_socket_get_local_address (socket, error);
  return bound != NULL ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound)) : 0;
}

static void
add_word (GPtrArray *words,
          char      *word)
{
  g_ptr_array_add (words, word);
}

/* An address of IPv6 has colons of its own. */
static char *
make_forward (const KymoCcsTarget *target,
              guint16              port)
{
  gboolean brackets = strchr (target->host, ':') != NULL;

  return g_strdup_printf ("127.0.0.1:%u:%s%s%s:%u", port, brackets ? "[" : "", target->host,
                          brackets ? "]" : "", target->port);
}

static GPtrArray *
make_words (const KymoCcsTarget *target,
            guint16              port)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  gboolean asks = isatty (STDIN_FILENO) || g_getenv ("SSH_ASKPASS") != NULL;
  const char *options[] = {
    "ExitOnForwardFailure=yes", "ConnectTimeout=20", "ServerAliveInterval=10",
    "ServerAliveCountMax=3", asks ? "BatchMode=no" : "BatchMode=yes",
  };

  add_word (words, g_strdup ("ssh"));
  add_word (words, g_strdup ("-N"));
  add_word (words, g_strdup ("-T"));
  add_word (words, g_strdup ("-L"));
  add_word (words, make_forward (target, port));
  if (target->through_port != 0)
    {
      add_word (words, g_strdup ("-p"));
      add_word (words, g_strdup_printf ("%u", target->through_port));
    }
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      add_word (words, g_strdup ("-o"));
      add_word (words, g_strdup (options[i]));
    }
  add_word (words, g_strdup ("--"));
  add_word (words, g_strdup (target->through));
  add_word (words, NULL);
  return words;
}

/* ssh must not outlive a program that was killed. In the child, before exec:
   nothing but system calls. */
static void
set_up_child (gpointer data)
{
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGTERM);
#endif
}

static void read_words (KymoSshTunnel *tunnel);

static void
on_words (GObject      *stream,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) why = NULL;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (stream), result, &why);
  KymoSshTunnel *tunnel = data;

  /* Cancelled: the tunnel is gone. */
  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED) || n <= 0)
    return;
  g_string_append_len (tunnel->words, tunnel->piece, n);
  if (strstr (tunnel->words->str, "open failed: connect failed") != NULL)
    {
      tunnel->refused = TRUE;
      g_string_truncate (tunnel->words, 0);
    }
  if (tunnel->words->len > MAX_WORDS)
    g_string_erase (tunnel->words, 0, tunnel->words->len - MAX_WORDS);
  read_words (tunnel);
}

static void
read_words (KymoSshTunnel *tunnel)
{
  g_input_stream_read_async (g_subprocess_get_stderr_pipe (tunnel->process), tunnel->piece,
                             sizeof tunnel->piece, G_PRIORITY_DEFAULT, tunnel->cancellable,
                             on_words, tunnel);
}

/**
 * kymo_ssh_tunnel_new:
 * @target: has a host to tunnel through
 *
 * Starts ssh, which forwards a free port of 127.0.0.1 to the program. The tunnel stands when
 * a connection to its port is accepted. Sets an error if there is no free port or ssh cannot
 * be run.
 *
 * Returns: (transfer full) (nullable): free with kymo_ssh_tunnel_free()
 */
KymoSshTunnel *
kymo_ssh_tunnel_new (const KymoCcsTarget  *target,
                     GError              **error)
{
  g_autoptr (KymoSshTunnel) tunnel = g_new0 (KymoSshTunnel, 1);
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GPtrArray) words = NULL;

  tunnel->words = g_string_new (NULL);
  tunnel->cancellable = g_cancellable_new ();
  tunnel->port = find_free_port (error);
  if (tunnel->port == 0)
    return NULL;
  words = make_words (target, tunnel->port);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE
                                        | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, NULL, NULL);
  tunnel->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata,
                                                  error);
  if (tunnel->process == NULL)
    {
      g_prefix_error (error, _("ssh cannot be run: "));
      return NULL;
    }
  read_words (tunnel);
  return g_steal_pointer (&tunnel);
}

/**
 * kymo_ssh_tunnel_free:
 *
 * Sends SIGTERM to ssh and frees the tunnel without waiting for the process. %NULL is
 * ignored.
 */
void
kymo_ssh_tunnel_free (KymoSshTunnel *tunnel)
{
  if (tunnel == NULL)
    return;
  g_cancellable_cancel (tunnel->cancellable);
  if (tunnel->process != NULL)
    g_subprocess_send_signal (tunnel->process, SIGTERM);
  g_clear_object (&tunnel->process);
  g_object_unref (tunnel->cancellable);
  g_string_free (tunnel->words, TRUE);
  g_free (tunnel);
}

/** kymo_ssh_tunnel_get_port: the port of 127.0.0.1 that leads to the program */
guint16
kymo_ssh_tunnel_get_port (const KymoSshTunnel *tunnel)
{
  return tunnel->port;
}

/** kymo_ssh_tunnel_is_running: TRUE while the process of ssh has not ended */
gboolean
kymo_ssh_tunnel_is_running (const KymoSshTunnel *tunnel)
{
  return g_subprocess_get_identifier (tunnel->process) != NULL;
}

/** kymo_ssh_tunnel_take_refusal: whether ssh has told since the last call that
 * no program listens at the far end. */
gboolean
kymo_ssh_tunnel_take_refusal (KymoSshTunnel *tunnel)
{
  gboolean refused = tunnel->refused;

  tunnel->refused = FALSE;
  return refused;
}

/** kymo_ssh_tunnel_dup_words: (transfer full): the last line that ssh wrote to standard
 * error, safe to show; empty where it wrote nothing */
char *
kymo_ssh_tunnel_dup_words (const KymoSshTunnel *tunnel)
{
  g_autofree char *valid = g_utf8_make_valid (tunnel->words->str, tunnel->words->len);
  g_auto (GStrv) lines = g_strsplit_set (g_strstrip (valid), "\r\n", -1);
  guint n = g_strv_length (lines);

  return n > 0 ? kymo_safe_text_dup (g_strstrip (lines[n - 1])) : g_strdup ("");
}

/** kymo_ssh_tunnel_is_hopeless: whether to try again would end the same way:
 * ssh was not let in, does not trust the host or does not know it. Trying a
 * wrong password again and again gets people locked out. */
gboolean
kymo_ssh_tunnel_is_hopeless (const KymoSshTunnel *tunnel)
{
  const char *const hopeless[] = {
    "Permission denied", "verification failed", "Could not resolve hostname",
    "Too many authentication failures", "Bad configuration option", "unknown option",
  };

  for (guint i = 0; i < G_N_ELEMENTS (hopeless); i++)
    if (strstr (tunnel->words->str, hopeless[i]) != NULL)
      return TRUE;
  return FALSE;
}
