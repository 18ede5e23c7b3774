/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-in-terms.h.
 */
#include "config.h"

#include "kymo-in-terms.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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
