/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-terms.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * kymo_terms_row:
 * @plural: %TRUE for more than one row
 *
 * The window translates the words; nothing here does.
 *
 * Returns: "PE", "ranks" or the like: the word for the rows of a run, in English and in lower
 *   case but for PE; static
 */
const char *
kymo_terms_row (KymoTerms terms,
                gboolean  plural)
{
  static const char *const words[][2]
    = { { "PE", "PEs" }, { "rank", "ranks" }, { "thread", "threads" } };

  return words[terms.row][plural ? 1 : 0];
}

/**
 * kymo_terms_code:
 * @plural: %TRUE for more than one activity
 *
 * Returns: "entry method", "functions" or the like: the word for the activities of a run, in
 *   English; static
 */
const char *
kymo_terms_code (KymoTerms terms,
                 gboolean  plural)
{
  static const char *const words[][2]
    = { { "entry method", "entry methods" }, { "function", "functions" } };

  return words[terms.code][plural ? 1 : 0];
}

/**
 * kymo_terms_share:
 *
 * Returns: "busy" of entry methods, which never wait; of functions "useful"
 */
const char *
kymo_terms_share (KymoTerms terms)
{
  return terms.code == KYMO_CODE_FUNCTION ? "useful" : "busy";
}

/* -- labels of locations ----------------------------------------------------- */

#define MOST_NUMBERS 3

/* What readers call locations, and questions several of them; {1} and so on stand for numbers.
   The longest that fits is taken. */
static const char *const phrases[] = {
  /* Translators: labels of rows, as “PE 3”, of ranges of them, as “PE 0–15”, and of threads of
     ranks. {1}, {2} and {3} are numbers and may be in another order. */
  N_("PE {1}"), N_("PE {1}–{2}"), N_("PE {1} – PE {2}"),
  N_("Comm {1}"), N_("Comm {1}–{2}"), N_("Comm {1} – Comm {2}"),
  N_("rank {1}"), N_("rank {1}–{2}"), N_("rank {1} – rank {2}"),
  N_("rank {1}, thread {2}"), N_("rank {1}, context {2}"),
  N_("rank {1}, context {2}, thread {3}"),
  N_("thread {1}"), N_("thread {1}–{2}"), N_("thread {1} – thread {2}"),
  N_("main thread"), N_("samples {1}"), N_("node {1}"), N_("process {1}"), N_("id {1}"),
  N_("All PEs"), N_("all ranks"), N_("mean"), N_("mean of {1} PEs"),
  N_("Average"), N_("Average of workers"),
  N_("mean of {1} ranks"),
};

/* Where a phrase may end within a label: "rank 3, GPU 0", "PE 3 +15", "PE 3–Comm 0". */
static gboolean
ends_phrase (const char *rest)
{
  static const char *const joints[] = { ", ", " +", " (", " ×", "–", " – " };

  for (guint i = 0; i < G_N_ELEMENTS (joints); i++)
    if (g_str_has_prefix (rest, joints[i]))
      return TRUE;
  return *rest == '\0';
}

/* Returns: bytes of @text that the phrase takes, 0 for none; and where its numbers begin */
static gsize
match_phrase (const char *phrase, const char *text, const char **numbers)
{
  const char *at = text;
  guint n = 0;

  while (*phrase != '\0')
    if (*phrase == '{' && n < MOST_NUMBERS)
      {
        numbers[n++] = at;
        at += *at == '-';
        if (!g_ascii_isdigit (*at))
          return 0;
        while (g_ascii_isdigit (*at))
          at++;
        phrase += strlen ("{1}");
      }
    else if (*phrase++ != *at++)
      return 0;
  return ends_phrase (at) ? at - text : 0;
}

/* The numbers of a label in the place where the translation has them. */
static void
append_phrase (GString *text, const char *phrase, const char *const *numbers)
{
  for (; *phrase != '\0'; phrase++)
    {
      const char *number = phrase[0] == '{' && phrase[1] >= '1' && phrase[1] <= '0' + MOST_NUMBERS
                           && phrase[2] == '}' ? numbers[phrase[1] - '1'] : NULL;

      if (number == NULL)
        g_string_append_c (text, *phrase);
      else
        {
          g_string_append_len (text, number,
                               1 + strspn (number + 1, "0123456789"));
          phrase += strlen ("{1}") - 1;
        }
    }
}

/* Returns: (nullable): the longest phrase that @label begins with, how many bytes it takes there,
   and where its numbers begin */
static const char *
find_phrase (const char *label, gsize *length, const char **numbers)
{
  const char *best = NULL;

  *length = 0;
  for (guint i = 0; i < G_N_ELEMENTS (phrases); i++)
    {
      const char *own[MOST_NUMBERS] = { NULL };
      gsize taken = *phrases[i] == *label ? match_phrase (phrases[i], label, own) : 0;

      if (taken > *length)
        {
          *length = taken;
          best = phrases[i];
          memcpy (numbers, own, sizeof own);
        }
    }
  return best;
}

/**
 * kymo_shown_label:
 * @label: (nullable): of a location or of several, as answers have it
 *
 * Translates the labels that readers and questions make. Names that come from files are kept, as
 * is the part of a label that no phrase says ("rank 3, GPU 0"). Any thread may call.
 *
 * Returns: (transfer none) (nullable): the shown label; @label itself, or a text kept for good
 */
const char *
kymo_shown_label (const char *label)
{
  g_autoptr (GString) text = NULL;
  const char *numbers[MOST_NUMBERS], *rest = label, *phrase;
  gsize length;

  phrase = label != NULL ? find_phrase (label, &length, numbers) : NULL;
  if (phrase == NULL || _(phrase) == phrase)
    return label;
  text = g_string_new (NULL);
  while (phrase != NULL)
    {
      const char *dash;

      append_phrase (text, _(phrase), numbers);
      rest += length;
      dash = g_str_has_prefix (rest, " – ") ? " – " : g_str_has_prefix (rest, "–") ? "–" : "";
      g_string_append (text, dash);
      rest += strlen (dash);
      phrase = *dash != '\0' ? find_phrase (rest, &length, numbers) : NULL;
    }
  g_string_append (text, rest);
  return g_intern_string (text->str);
}
