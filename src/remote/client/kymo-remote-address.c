/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-address.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"
#include "kymo-ssh-host.h"

#define SCHEME "ssh://"
/* For the login shell there, whichever it is. What a person installs for themselves is often not
   in the PATH of a shell that is not interactive. */
#define FAR_COMMAND(option) \
  "exec sh -c 'PATH=\"$PATH:$HOME/.local/bin:$HOME/.local/kymo/bin\"; exec kymo-server " option "'"

/** kymo_remote_is_address: Returns: whether @text names a run on another machine */
gboolean
kymo_remote_is_address (const char *text)
{
  return g_str_has_prefix (text, SCHEME);
}

/**
 * kymo_remote_address_parse:
 * @text: ssh://[USER@]HOST[:PORT]/PATH
 *
 * Nothing is looked up.
 *
 * Returns: (transfer full) (nullable): the address; %NULL with %KYMO_ERROR_USAGE where @text is
 *   none
 */
KymoRemoteAddress *
kymo_remote_address_parse (const char *text, GError **error)
{
  g_autoptr (KymoRemoteAddress) address = g_new0 (KymoRemoteAddress, 1);
  const char *begin = text + strlen (SCHEME);
  const char *slash = kymo_remote_is_address (text) ? strchr (begin, '/') : NULL;
  g_autofree char *host = slash != NULL ? g_strndup (begin, slash - begin) : NULL;
  g_autofree char *shown = kymo_safe_text_dup (text);

  if (slash != NULL && slash[1] != '\0'
      && kymo_ssh_host_parse (host, &address->host, &address->port))
    {
      address->path = g_strdup (slash);
      return g_steal_pointer (&address);
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no run on another machine: ssh://[USER@]HOST[:PORT]/PATH is needed"),
               shown);
  return NULL;
}

/** kymo_remote_address_free: @address: (nullable): with its texts */
void
kymo_remote_address_free (KymoRemoteAddress *address)
{
  if (address == NULL)
    return;
  g_free (address->host);
  g_free (address->path);
  g_free (address);
}

/**
 * kymo_remote_address_dup_text:
 * @path: of a run on the machine of @address; begins with a slash
 *
 * Returns: (transfer full): ssh://[USER@]HOST[:PORT]/PATH
 */
char *
kymo_remote_address_dup_text (const KymoRemoteAddress *address, const char *path)
{
  const char *at = strrchr (address->host, '@');
  const char *name = at != NULL ? at + 1 : address->host;
  gboolean has_colons = strchr (name, ':') != NULL;
  g_autofree char *port = address->port != 0 ? g_strdup_printf (":%u", address->port)
                                             : g_strdup ("");

  return g_strdup_printf (SCHEME "%.*s%s%s%s%s%s", (int) (name - address->host), address->host,
                          has_colons ? "[" : "", name, has_colons ? "]" : "", port, path);
}

/* ssh may ask for a password only where somebody can answer. */
static gboolean
can_ask (void)
{
  return isatty (STDIN_FILENO) || g_getenv ("SSH_ASKPASS") != NULL;
}

static void
add_word (GPtrArray *words, const char *word)
{
  g_ptr_array_add (words, g_strdup (word));
}

static char **
make_ssh_words (const KymoRemoteAddress *address, gboolean shares)
{
  const char *const options[] = {
    "Compression=no", "ConnectTimeout=20", "ServerAliveInterval=10", "ServerAliveCountMax=3",
    "ClearAllForwardings=yes", can_ask () ? "BatchMode=no" : "BatchMode=yes",
  };
  GPtrArray *words = g_ptr_array_new ();

  add_word (words, "ssh");
  add_word (words, "-T");
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      add_word (words, "-o");
      add_word (words, options[i]);
    }
  if (address->port != 0)
    {
      add_word (words, "-p");
      g_ptr_array_add (words, g_strdup_printf ("%u", address->port));
    }
  add_word (words, "--");
  add_word (words, address->host);
  add_word (words, shares ? FAR_COMMAND ("--connect") : FAR_COMMAND ("--stdio"));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/**
 * kymo_remote_address_dup_command:
 * @server: (nullable): a command in place of ssh, split as a shell would but by no shell; the
 *   word "%p" becomes the path
 * @shares: where ssh is used, whether the server there is one that other clients share
 *
 * Returns: (transfer full) (nullable): words of the command that starts a server and is joined to
 *   it by its standard input and output; %NULL with %KYMO_ERROR_USAGE where @server cannot be
 *   split
 */
char **
kymo_remote_address_dup_command (const KymoRemoteAddress *address, const char *server,
                                 gboolean shares, GError **error)
{
  g_autoptr (GError) why = NULL;
  char **words;

  if (server == NULL || *server == '\0')
    return make_ssh_words (address, shares);
  if (!g_shell_parse_argv (server, NULL, &words, &why))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The command of the server cannot be split into words: %s"), why->message);
      return NULL;
    }
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], "%p") == 0)
      {
        g_free (words[i]);
        words[i] = g_strdup (address->path);
      }
  return words;
}
