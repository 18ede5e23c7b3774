/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-target.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"

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

/* A name, or an address; the colons and the zone are of IPv6. */
static gboolean
is_host (const char *text)
{
  return is_word (text, ".-_:%");
}

/* Some directories have users with a domain of their own, as "jane@lab". */
static gboolean
is_user (const char *text)
{
  return is_word (text, ".-_+@");
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
  g_autofree char *host = NULL;
  char *at;

  if (strchr (rest, ']') != NULL || strchr (rest, ':') == strrchr (rest, ':'))
    take_port (rest, &target->through_port);
  at = strrchr (rest, '@');
  if (at != NULL)
    *at = 0;
  host = bare_host (at != NULL ? at + 1 : rest);
  if (!is_host (host) || (at != NULL && !is_user (rest)))
    return FALSE;
  g_free (target->through);
  target->through = at != NULL ? g_strdup_printf ("%s@%s", rest, host) : g_strdup (host);
  return TRUE;
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
  return is_host (target->host)
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
      g_autofree char *safe = kymo_safe_text_dup (valid);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no HOST:PORT and no ssh://USER@HOST:PORT"), safe);
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
      g_autofree char *shown = kymo_safe_text_dup (through);

      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is no [USER@]HOST to tunnel through"), shown);
      return NULL;
    }
  return g_steal_pointer (&target);
}

/**
 * kymo_ccs_target_copy:
 *
 * Returns: (transfer full): a copy with texts of its own, to be freed with
 *   kymo_ccs_target_free()
 */
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

/**
 * kymo_ccs_target_free:
 *
 * Frees @target. %NULL is ignored.
 */
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
