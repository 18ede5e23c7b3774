/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a server of another version can answer.
 */
#include "config.h"

#include "kymo-remote-link-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-question-class.h"

/* Whether the question has a keyword that changes its answer. */
static gboolean
uses_keyword (KymoQuestion *question, const KymoKeyword *keyword)
{
  g_autofree char *in_ns = g_strconcat (keyword->name, "-ns", NULL);
  g_autofree char *usual = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) keyword->value);
  const char *value = kymo_question_get (question, keyword->name);

  return (value != NULL && strcmp (value, usual) != 0)
         || kymo_question_get (question, in_ns) != NULL;
}

/* (nullable): a keyword of the question that the server does not know, while this program does. */
static const char *
find_unknown (KymoQuestion *question, const char *const *known)
{
  const KymoQuestionClass *klass = kymo_question_class_find (kymo_question_get_kind (question));
  const KymoKeyword *keyword = klass != NULL ? klass->keywords : NULL;

  for (; keyword != NULL && keyword->name != NULL; keyword++)
    if (!g_strv_contains (known, keyword->name) && uses_keyword (question, keyword))
      return keyword->name;
  return NULL;
}

/**
 * kymo_remote_link_knows:
 *
 * Returns: whether the server answers such questions; %FALSE with %KYMO_ERROR_UNANSWERABLE if it
 *   is another version that knows not the kind, or not a keyword: its answer would be another one
 */
gboolean
kymo_remote_link_knows (KymoRemoteLink *link, KymoQuestion *question, GError **error)
{
  const char *kind = kymo_question_get_kind (question), *program = "kymo", *unknown;
  g_autoptr (GVariant) kinds = g_variant_lookup_value (link->welcome, "kinds",
                                                       G_VARIANT_TYPE ("a{sas}"));
  g_autofree const char **known = NULL;

  g_variant_lookup (link->welcome, "program", "&s", &program);
  if (kinds == NULL || !g_variant_lookup (kinds, kind, "^a&s", &known))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("The server on %s (%s) does not answer “%s”; another version would"),
                   link->host, program, kind);
      return FALSE;
    }
  unknown = find_unknown (question, known);
  if (unknown == NULL)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("The server on %s (%s) does not know “%s” of “%s”; another version would"),
               link->host, program, unknown, kind);
  return FALSE;
}
