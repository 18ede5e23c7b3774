/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ccs-target.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"
#include "kymo-ssh-host.h"

#define SSH_SCHEME "ssh://"

static gboolean
take_through (KymoCcsTarget *target,
              const char    *text)
{
  g_free (g_steal_pointer (&target->through));
  return kymo_ssh_host_parse (text, &target->through, &target->through_port);
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
  if (!kymo_ssh_take_port (rest, &target->port))
    return FALSE;
  if (ssh)
    {
      target->host = g_strdup ("localhost");
      return take_through (target, rest);
    }
  target->host = kymo_ssh_bare_host (rest);
  return kymo_ssh_is_host (target->host)
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
