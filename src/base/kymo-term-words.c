/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-term-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * kymo_word_row:
 * @heading: %TRUE for the form of a heading, %FALSE for the form within a sentence
 *
 * Returns: (transfer none): the translated word for a location, static: "PE", "Ranks", "thread"
 */
const char *
kymo_word_row (KymoTerms terms, gboolean plural, gboolean heading)
{
  switch (terms.row)
    {
    case KYMO_ROW_RANK:
      return heading ? (plural ? _("Ranks") : _("Rank")) : plural ? _("ranks") : _("rank");
    case KYMO_ROW_THREAD:
      return heading ? (plural ? _("Threads") : _("Thread"))
                     : plural ? _("threads") : _("thread");
    case KYMO_ROW_PE:
    default:
      return plural ? _("PEs") : _("PE");
    }
}

/**
 * kymo_word_code:
 * @heading: %TRUE for the form of a heading, %FALSE for the form within a sentence
 *
 * Returns: (transfer none): the translated word for an activity, static: "entry method",
 *   "Functions"
 */
const char *
kymo_word_code (KymoTerms terms, gboolean plural, gboolean heading)
{
  if (terms.code == KYMO_CODE_FUNCTION)
    return heading ? (plural ? _("Functions") : _("Function"))
                   : plural ? _("functions") : _("function");
  return heading ? (plural ? _("Entry methods") : _("Entry method"))
                 : plural ? _("entry methods") : _("entry method");
}

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

/* (transfer full): the words in place of a name between braces, or NULL. */
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

/**
 * kymo_in_terms:
 * @words: translated, with placeholders
 *
 * Returns: (transfer none): the words in the terms of a run, kept for good
 */
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

/* What to put in the place of a key that @at begins with. */
static const char *
find_value (const char *at, va_list pairs, gsize *length)
{
  const char *key;

  while ((key = va_arg (pairs, const char *)) != NULL)
    {
      const char *value = va_arg (pairs, const char *);

      *length = strlen (key);
      if (strncmp (at, key, *length) == 0)
        return value != NULL ? value : "";
    }
  return NULL;
}

/**
 * kymo_words_filled:
 * @words: translated, with keys
 * @...: keys and their values, %NULL at the end
 *
 * Puts each value in the place of its key. Keys within values stay: names may have braces.
 *
 * Returns: (transfer full): the sentence
 */
char *
kymo_words_filled (const char *words, ...)
{
  GString *text = g_string_new (NULL);
  gsize length = 1;

  for (const char *at = words; *at != '\0'; at += length)
    {
      const char *value;
      va_list pairs;

      va_start (pairs, words);
      value = *at == '{' ? find_value (at, pairs, &length) : NULL;
      va_end (pairs);
      if (value != NULL)
        g_string_append (text, value);
      else
        g_string_append_len (text, at, length = 1);
    }
  return g_string_free (text, FALSE);
}

/* -- names and kinds in answers ------------------------------------------- */

/* Names that answers make: of states, of kinds of waiting, of what sent a message. */
static const char *const names[] = {
  N_("Idle"), N_("Overhead"), N_("Untraced"), N_("Idle or overhead"), N_("(unknown)"),
  N_("(outside)"), N_("(entry method unknown)"), N_("(no communicator)"),
  N_("Late sender"), N_("Late receiver"), N_("Wait at barrier"), N_("Wait at all-to-all"),
  N_("Late root of one-to-all"), N_("Early root of all-to-one"), N_("Wait for lower ranks"),
  N_("Wait at barrier of threads"),
};

/**
 * kymo_shown_name:
 * @name: (nullable): of an activity, as answers have it
 *
 * Returns: (transfer none) (nullable): the name as the person reads it: idle time and other states
 *   are translated, names of the program stay
 */
const char *
kymo_shown_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (names[i], name) == 0)
      return _(names[i]);
  return name;
}

/* Words of answers for kinds of rows and of records. */
static const struct { const char *word, *words; } kinds[] = {
  { "entry", N_("entry method") }, { "function", N_("function") }, { "event", N_("user event") },
  { "overhead", N_("overhead") }, { "idle", N_("idle") }, { "untraced", N_("untraced") },
  { "rest", N_("idle or overhead") }, { "message", N_("message") }, { "queue", N_("queue") },
  { "messages", N_("messages") }, { "bytes", N_("bytes") }, { "wait", N_("wait") },
  { "worker", N_("worker") }, { "comm", N_("communication thread") },
  { "packing", N_("packing") }, { "unpacking", N_("unpacking") }, { "flush", N_("flush") },
  { "block", N_("block") }, { "user-event", N_("user event") }, { "bracket", N_("bracket") },
  { "note", N_("note") }, { "bracket-note", N_("bracket with note") },
  { "user-value", N_("user value") }, { "user-stat", N_("user statistic") },
  { "memory", N_("memory") }, { "phase", N_("phase") }, { "trace-on", N_("tracing on") },
  { "trace-off", N_("tracing off") }, { "parameter", N_("parameter") }, { "io", N_("I/O") },
  { "send", N_("send") }, { "receive", N_("receive") }, { "marker", N_("marker") },
  { "late-sender", N_("Late sender") }, { "late-receiver", N_("Late receiver") },
  { "barrier", N_("Barrier") }, { "all-to-all", N_("All to all") },
  { "late-root", N_("Late root") }, { "early-root", N_("Early root") },
  { "prefix", N_("Scan: waiting for lower ranks") },
  { "thread-barrier", N_("Barrier of threads") },
};

/**
 * kymo_shown_kind:
 * @kind: (nullable): as answers have it, "late-sender" or "send"
 *
 * Returns: (transfer none) (nullable): translated words for the kind, kept for good; @kind itself
 *   where there are none
 */
const char *
kymo_shown_kind (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i].word, kind) == 0)
      return _(kinds[i].words);
  return kind;
}
