/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-ssh-host.h"

#include <string.h>

static gboolean
parse_port_number (const char *text,
                   guint16    *port)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &value, NULL))
    return FALSE;
  *port = value;
  return TRUE;
}

/* Letters of any script, digits and the punctuation of @more. The text becomes a word of
   ssh's command line, or a part of one, and must not look like an option there. */
static gboolean
is_word (const char *text,
         const char *more)
{
  if (*text == 0 || *text == '-' || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *p = text; *p != 0; p = g_utf8_next_char (p))
    if (!g_unichar_isalnum (g_utf8_get_char (p))
        && ((guchar) *p >= 0x80 || strchr (more, *p) == NULL))
      return FALSE;
  return TRUE;
}

/** kymo_ssh_is_host: Returns: whether @text may be a name or an address; colons and the zone are of
 * IPv6 */
gboolean
kymo_ssh_is_host (const char *text)
{
  return is_word (text, ".-_:%");
}

/* Some directories have users with a domain of their own, as "jane@lab". */
static gboolean
is_user (const char *text)
{
  return is_word (text, ".-_+@");
}

/**
 * kymo_ssh_take_port:
 * @text: "HOST:PORT"; the port is cut off. A host in brackets may hold colons
 * @port: (out): 1 to 65535
 *
 * Returns: whether there was one
 */
gboolean
kymo_ssh_take_port (char    *text,
                    guint16 *port)
{
  char *colon = strrchr (text, ':'), *bracket = strrchr (text, ']');

  if (colon == NULL || (bracket != NULL && bracket > colon) || !parse_port_number (colon + 1, port))
    return FALSE;
  *colon = 0;
  return TRUE;
}

/** kymo_ssh_bare_host: Returns: (transfer full): @text without the brackets of an address */
char *
kymo_ssh_bare_host (const char *text)
{
  gsize n = strlen (text);

  if (n > 2 && text[0] == '[' && text[n - 1] == ']')
    return g_strndup (text + 1, n - 2);
  return g_strdup (text);
}

/**
 * kymo_ssh_host_parse:
 * @text: "[USER@]HOST[:PORT]"
 * @host: (out) (transfer full) (nullable): "USER@HOST" or "HOST", an address without brackets;
 *   %NULL where @text is none
 * @port: (out): its port; not touched where @text has none
 *
 * Returns: whether @text is a host
 */
gboolean
kymo_ssh_host_parse (const char *text, char **host, guint16 *port)
{
  g_autofree char *rest = g_strdup (text);
  g_autofree char *bare = NULL;
  char *at;

  *host = NULL;
  if (strchr (rest, ']') != NULL || strchr (rest, ':') == strrchr (rest, ':'))
    kymo_ssh_take_port (rest, port);
  at = strrchr (rest, '@');
  if (at != NULL)
    *at = 0;
  bare = kymo_ssh_bare_host (at != NULL ? at + 1 : rest);
  if (!kymo_ssh_is_host (bare) || (at != NULL && !is_user (rest)))
    return FALSE;
  *host = at != NULL ? g_strdup_printf ("%s@%s", rest, bare) : g_strdup (bare);
  return TRUE;
}
