/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-remote-address.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-host.h"
#include "kymo-place.h"
#include "kymo-safe-text.h"
#include "kymo-ssh-host.h"

#define SCHEME KYMO_PLACE_SCHEME

/** kymo_remote_is_address: Returns: whether @text names a run on another machine */
gboolean
kymo_remote_is_address (const char *text)
{
  return kymo_place_is_far (text);
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

/** kymo_remote_address_dup_host: Returns: (transfer full): "[USER@]HOST[:PORT]" */
char *
kymo_remote_address_dup_host (const KymoRemoteAddress *address)
{
  g_autofree char *text = kymo_remote_address_dup_text (address, "");

  return g_strdup (text + strlen (SCHEME));
}

/** kymo_remote_can_ask: Returns: whether somebody could answer ssh, at a terminal or in a window */
gboolean
kymo_remote_can_ask (void)
{
  int terminal = g_getenv ("SSH_ASKPASS") == NULL ? open ("/dev/tty", O_RDWR | O_CLOEXEC) : -1;

  if (terminal < 0)
    return g_getenv ("SSH_ASKPASS") != NULL;
  close (terminal);
  return TRUE;
}

static char **
dup_ssh (const KymoRemoteAddress *address, const KymoRemoteWay *way, GError **error)
{
  g_autoptr (KymoHost) host = kymo_hosts_find (address->host, address->port, error);
  g_autoptr (KymoLaunch) launch = host != NULL
                                  ? kymo_host_dup_launch (host, way->launch, error) : NULL;

  return launch == NULL ? NULL
         : kymo_host_dup_command (host, launch, !way->quiet && kymo_remote_can_ask (), way->shares,
                                  way->quiet);
}

/**
 * kymo_remote_address_dup_command:
 *
 * Returns: (transfer full) (nullable): words of the command that starts a server and is joined to
 *   it by its standard input and output; %NULL with %KYMO_ERROR_USAGE where the command of @way
 *   cannot be split, or hosts.conf does not allow one
 */
char **
kymo_remote_address_dup_command (const KymoRemoteAddress *address, const KymoRemoteWay *way,
                                 GError **error)
{
  g_autoptr (GError) why = NULL;
  char **words;

  if (way->server == NULL || *way->server == '\0')
    return dup_ssh (address, way, error);
  if (!g_shell_parse_argv (way->server, NULL, &words, &why))
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
