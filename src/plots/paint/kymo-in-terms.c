/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-in-terms.h.
 */
#include "config.h"

#include "kymo-in-terms.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-plot-terms.h"

/* What stands between braces in a translation that says a phrase of each term, "row:PE|rank|thread"
   or "code:entry method|function": where nothing is said of the last ones, the one before. */
static char *
dup_phrase (KymoTerms terms, const char *key, gsize length)
{
  g_autofree char *all = g_strndup (key, length);
  const char *phrases = g_str_has_prefix (all, "row:") ? all + strlen ("row:")
    : g_str_has_prefix (all, "code:") ? all + strlen ("code:") : NULL;
  g_auto (GStrv) parts = phrases != NULL ? g_strsplit (phrases, "|", -1) : NULL;
  guint term = g_str_has_prefix (all, "row:") ? (guint) terms.row : (guint) terms.code;

  return phrases == NULL || *phrases == '\0' ? NULL
         : g_strdup (parts[MIN (term, g_strv_length (parts) - 1)]);
}

/* (transfer full): what is said for what stands between braces, or NULL. */
static char *
dup_word (KymoTerms terms, const char *key, gsize length)
{
  static const struct
  {
    const char *key;
    gboolean    code, plural, heading;
  } words[] = {
    { "row", FALSE, FALSE, FALSE }, { "rows", FALSE, TRUE, FALSE },
    { "Row", FALSE, FALSE, TRUE }, { "Rows", FALSE, TRUE, TRUE },
    { "code", TRUE, FALSE, FALSE }, { "codes", TRUE, TRUE, FALSE },
    { "Code", TRUE, FALSE, TRUE }, { "Codes", TRUE, TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i].key) == length
        && strncmp (words[i].key, key, length) == 0)
      return g_strdup (words[i].code
                       ? kymo_word_code (terms, words[i].plural, words[i].heading)
                       : kymo_word_row (terms, words[i].plural, words[i].heading));
  return dup_phrase (terms, key, length);
}

/** kymo_in_terms: @words: translated, with placeholders */
const char *
kymo_in_terms (KymoTerms terms, const char *words)
{
  g_autoptr (GString) text = NULL;

  if (strchr (words, '{') == NULL)
    return words;
  text = g_string_new (NULL);
  while (*words != '\0')
    {
      const char *end = *words == '{' ? strchr (words, '}') : NULL;
      g_autofree char *word = end != NULL
                              ? dup_word (terms, words + 1, end - words - 1) : NULL;

      if (word != NULL)
        {
          g_string_append (text, word);
          words = end + 1;
        }
      else
        g_string_append_c (text, *words++);
    }
  return g_intern_string (text->str);
}

/**
 * kymo_in_terms_of:
 * @words: translated, with placeholders
 *
 * Puts the terms of the session's run into a sentence, see kymo_in_terms().
 *
 * Returns: (transfer none): the sentence, kept for good
 */
const char *
kymo_in_terms_of (KymoSession *session, const char *words)
{
  return kymo_in_terms (kymo_session_get_terms (session), words);
}

/**
 * kymo_plot_title:
 *
 * Returns: (transfer none): the translated title of a picture in the terms of a run, kept for good
 */
const char *
kymo_plot_title (const KymoPlotClass *klass, KymoTerms terms)
{
  return kymo_in_terms (terms, _(klass->title));
}

/**
 * kymo_session_get_terms:
 *
 * Returns: the terms for locations and activities in the session's run
 */
KymoTerms
kymo_session_get_terms (KymoSession *session)
{
  return kymo_source_get_terms (kymo_session_peek_source (session));
}

/** kymo_shown_name: @name: (nullable): as answers have it */
const char *
kymo_shown_name (const char *name)
{
  static const char *const states[] = {
    N_("Idle"), N_("Overhead"), N_("Untraced"), N_("Idle or overhead")
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (g_strcmp0 (states[i], name) == 0)
      return _(states[i]);
  return name;
}

static const struct { const char *flag, *mark, *sentence; } words[] = {
  { "throttled", N_("throttled"),
    N_("throttled: so many and so short calls that it was measured\n"
       "no more from some call on; it ran more often than is told") },
  { "cut", N_("cut"),
    N_("cut: the path lacks its beginning; its first function was\n"
       "called by others") },
};

static int
find_flag (const char *flags)
{
  g_auto (GStrv) parts = g_strsplit (flags != NULL ? flags : "", "|", -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strv_contains ((const char *const *) parts, words[i].flag))
      return i;
  return -1;
}

/** kymo_flags_mark: @flags: (nullable): words between bars; @name: (nullable): */
const char *
kymo_flags_mark (const char *flags, const char *name)
{
  int found = find_flag (flags);
  g_autofree char *lower = NULL;

  if (found < 0)
    return NULL;
  lower = g_ascii_strdown (name != NULL ? name : "", -1);
  return strstr (lower, words[found].flag) == NULL ? _(words[found].mark) : NULL;
}

/** kymo_flags_sentence: @flags: (nullable): words between bars */
const char *
kymo_flags_sentence (const char *flags)
{
  int found = find_flag (flags);

  return found >= 0 ? _(words[found].sentence) : NULL;
}

/** kymo_flags_add: @flags: (nullable): words between bars */
void
kymo_flags_add (char **text, const char *flags)
{
  const char *sentence = kymo_flags_sentence (flags);
  char *longer;

  if (sentence == NULL)
    return;
  longer = g_strconcat (*text, "\n", sentence, NULL);
  g_free (*text);
  *text = longer;
}
