/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-target.h"

#include <string.h>

#include "kymo-error.h"

#define SSH_SCHEME "ssh://"

static gboolean
parse_port (const char *text,
            guint16    *port)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &value, NULL))
    return FALSE;
  *port = value;
  return TRUE;
}

/* What ssh is given as a word of its command line must not look like an
   option, and what is shown must be text. */
static gboolean
is_host (const char *text)
{
  if (*text == 0 || *text == '-' || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *p = text; *p != 0; p++)
    if (g_ascii_isspace (*p) || g_ascii_iscntrl (*p) || strchr ("/'\"`$\\;|&<>(){}", *p) != NULL)
      return FALSE;
  return TRUE;
}

/* Cuts ":PORT" off the end; a host in brackets may hold colons. */
static gboolean
take_port (char    *text,
           guint16 *port)
{
  char *colon = strrchr (text, ':'), *bracket = strrchr (text, ']');

  if (colon == NULL || (bracket != NULL && bracket > colon) || !parse_port (colon + 1, port))
    return FALSE;
  *colon = 0;
  return TRUE;
}

/* Without its brackets. */
static char *
bare_host (const char *text)
{
  gsize n = strlen (text);

  if (n > 2 && text[0] == '[' && text[n - 1] == ']')
    return g_strndup (text + 1, n - 2);
  return g_strdup (text);
}

/* "[USER@]HOST[:PORT]" of an ssh server. */
static gboolean
take_through (KymoCcsTarget *target,
              const char    *text)
{
  g_autofree char *rest = g_strdup (text);
  char *at;

  if (strchr (rest, ']') != NULL || strchr (rest, ':') == strrchr (rest, ':'))
    take_port (rest, &target->through_port);
  at = strrchr (rest, '@');
  g_free (target->through);
  if (at == NULL)
    target->through = bare_host (rest);
  else
    {
      g_autofree char *host = bare_host (at + 1);

      *at = 0;
      if (!is_host (rest))
        return FALSE;
      target->through = g_strdup_printf ("%s@%s", rest, host);
    }
  return is_host (target->through) && !g_str_has_suffix (target->through, "@");
}

static gboolean
take_target (KymoCcsTarget *target,
             const char    *text)
{
  g_autofree char *rest = g_strdup (text);
  gboolean ssh = g_str_has_prefix (rest, SSH_SCHEME);

  if (ssh)
    memmove (rest, rest + strlen (SSH_SCHEME), strlen (rest + strlen (SSH_SCHEME)) + 1);
  if (g_str_has_suffix (rest, "/"))
    rest[strlen (rest) - 1] = 0;
  if (!take_port (rest, &target->port))
    return FALSE;
  if (ssh)
    {
      target->host = g_strdup ("localhost");
      return take_through (target, rest);
    }
  target->host = bare_host (rest);
  return is_host (target->host) && strchr (target->host, '@') == NULL
         && (strchr (target->host, ':') == NULL || rest[0] == '[');
}

/**
 * kymo_ccs_target_parse:
 * @text: "HOST:PORT", "[IPv6]:PORT" or "ssh://[USER@]HOST[:SSHPORT]:PORT"
 * @through: (nullable): "[USER@]HOST[:SSHPORT]" to tunnel through
 * @key_file: (nullable): keys of the server
 *
 * Nothing is looked up or opened.
 *
 * Returns: (transfer full) (nullable): the target; %NULL and
 * %KYMO_ERROR_USAGE, a sentence for people, where @text is none
 */
KymoCcsTarget *
kymo_ccs_target_parse (const char  *text,
                       const char  *through,
                       const char  *key_file,
                       GError     **error)
{
  g_autoptr (KymoCcsTarget) target = g_new0 (KymoCcsTarget, 1);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_strstrip (valid);
  target->text = g_strdup (valid);
  target->key_file = g_strdup (key_file);
  if (!take_target (target, valid))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no HOST:PORT and no ssh://USER@HOST:PORT"), valid);
      return NULL;
    }
  if (through == NULL || *through == 0)
    return g_steal_pointer (&target);
  if (target->through != NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is a way through ssh already; a second one cannot be tunnelled through"),
                   valid);
      return NULL;
    }
  if (!take_through (target, through))
    {
      g_autofree char *shown = g_utf8_make_valid (through, -1);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no [USER@]HOST to tunnel through"), shown);
      return NULL;
    }
  return g_steal_pointer (&target);
}

KymoCcsTarget *
kymo_ccs_target_copy (const KymoCcsTarget *target)
{
  KymoCcsTarget *copy = g_new (KymoCcsTarget, 1);

  *copy = *target;
  copy->text = g_strdup (target->text);
  copy->host = g_strdup (target->host);
  copy->through = g_strdup (target->through);
  copy->key_file = g_strdup (target->key_file);
  return copy;
}

void
kymo_ccs_target_free (KymoCcsTarget *target)
{
  if (target == NULL)
    return;
  g_free (target->text);
  g_free (target->host);
  g_free (target->through);
  g_free (target->key_file);
  g_free (target);
}
