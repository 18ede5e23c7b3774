/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-error.h"
#include "kymo-pattern.h"

/* Steps of one match (PCRE2's, see pcre2pattern(3)): far more than a name or a note needs,
   and below a millisecond. Without it nested repetitions take ten million steps a name. */
#define LIMIT "(*LIMIT_MATCH=100000)"
/* Number of texts with too many steps after which no other text is tried. */
#define MOST_UNDECIDED 256

struct _KymoPattern
{
  char   *part;                 /* casefolded, or NULL */
  GRegex *regex;                /* or NULL */
  gint    n_undecided;          /* atomic */
};

/* Compiles the text twice: first as it was typed, so that an error quotes what the person wrote,
   then with the limit on steps before it. */
static GRegex *
compile (const char *text, GError **error)
{
  g_autoptr (GRegex) tried = g_regex_new (text, G_REGEX_CASELESS, 0, error);
  g_autofree char *limited = g_strconcat (LIMIT, text, NULL);

  return tried == NULL ? NULL
    : g_regex_new (limited, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, error);
}

/* GLib says the expression once more, and which character it is, before it says what is
   wrong: that alone finds room beside an entry. In any language the expression is in it. */
static const char *
what_is_wrong (const char *text, const char *message)
{
  const char *said = strstr (message, text);
  const char *colon = said != NULL ? strstr (said + strlen (text), ": ") : NULL;

  return colon != NULL && colon[2] != '\0' ? colon + 2 : message;
}

static KymoPattern *
set_reason (const char *text, const GError *why, GError **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no regular expression: %s"), text, what_is_wrong (text, why->message));
  return NULL;
}

/**
 * kymo_pattern_new:
 * @text: what is looked for
 * @regex: whether it is a regular expression
 * @error: where to put what is wrong with it
 *
 * Returns: (transfer full) (nullable): %NULL with %KYMO_ERROR_USAGE for an
 *   empty text or an expression that cannot be read
 */
KymoPattern *
kymo_pattern_new (const char *text, gboolean regex, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autoptr (GRegex) compiled = NULL;
  g_autoptr (GError) why = NULL;
  KymoPattern *pattern;

  if (*valid == '\0')
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("There is no text to search for"));
      return NULL;
    }
  if (regex)
    {
      compiled = compile (valid, &why);
      if (compiled == NULL)
        return set_reason (valid, why, error);
    }
  pattern = g_new0 (KymoPattern, 1);
  if (regex)
    pattern->regex = g_steal_pointer (&compiled);
  else
    pattern->part = g_utf8_casefold (valid, -1);
  return pattern;
}

/**
 * kymo_pattern_free:
 * @pattern: (nullable): no thread may match with it any more
 */
void
kymo_pattern_free (KymoPattern *pattern)
{
  if (pattern == NULL)
    return;
  g_free (pattern->part);
  g_clear_pointer (&pattern->regex, g_regex_unref);
  g_free (pattern);
}

static gboolean
matches_regex (KymoPattern *pattern, const char *text, gboolean *gave_up)
{
  g_autoptr (GError) error = NULL;
  gboolean spent = kymo_pattern_is_spent (pattern);
  gboolean found = !spent && g_regex_match_full (pattern->regex, text, -1, 0, 0, NULL, &error);

  /* An expression may be one for which the limit of steps is not enough;
     the caller that counts has to say. */
  if (error != NULL)
    g_atomic_int_inc (&pattern->n_undecided);
  if ((spent || error != NULL) && gave_up != NULL)
    *gave_up = TRUE;
  return found && error == NULL;
}

/**
 * kymo_pattern_is_spent:
 *
 * Returns: whether it was too much for so many texts that the others are not
 *   even tried; so a search that cannot end well ends soon. However the texts
 *   are shared out over threads, it is spent in the end or it is not.
 */
gboolean
kymo_pattern_is_spent (const KymoPattern *pattern)
{
  return g_atomic_int_get (&pattern->n_undecided) > MOST_UNDECIDED;
}

/**
 * kymo_pattern_check:
 * @all: whether one text of which the steps were not enough is one too many;
 *   else it has to be spent
 * @error: (nullable): where to put a sentence that says so
 */
gboolean
kymo_pattern_check (const KymoPattern *pattern, gboolean all, GError **error)
{
  if (!kymo_pattern_is_spent (pattern)
      && (!all || g_atomic_int_get (&pattern->n_undecided) == 0))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("The regular expression takes too many steps to be matched; "
                 "fewer nested repetitions would help"));
  return FALSE;
}

/**
 * kymo_pattern_matches:
 * @text: (nullable): a name or a note; bytes that are no UTF-8 are replaced
 * @gave_up: (nullable) (out): set to %TRUE, else left alone, where matching
 *   took too many steps to be decided
 */
gboolean
kymo_pattern_matches (KymoPattern *pattern, const char *text,
                      gboolean *gave_up)
{
  g_autofree char *valid = NULL, *folded = NULL;

  if (text == NULL)
    return FALSE;
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  if (pattern->regex != NULL)
    return matches_regex (pattern, text, gave_up);
  folded = g_utf8_casefold (text, -1);
  return strstr (folded, pattern->part) != NULL;
}
