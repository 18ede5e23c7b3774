/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-desk-words.h. The words are those of the questions, where there are such.
 */
#include "config.h"

#include "kymo-desk-words.h"

#include <string.h>

#include "kymo-desk-keys.h"

#define CHOICE(view, key, words) { view, key, KYMO_DESK_CHOICE, words, 0, 0 }
#define COUNT(view, key, least, most) { view, key, KYMO_DESK_COUNT, NULL, least, most }
#define FLAG(view, key) { view, key, KYMO_DESK_FLAG, NULL, 0, 0 }
#define NAME(view, key) { view, key, KYMO_DESK_NAME, NULL, 0, 0 }
#define SORT(view, key) { view, key, KYMO_DESK_SORT, NULL, 0, 0 }

const KymoDeskWord kymo_desk_words[] = {
  CHOICE ("histogram", "of", "duration|grain|message-size"),
  CHOICE ("histogram", "weight", "count|time"),
  CHOICE ("histogram", "scale", "lin|log"),
  COUNT ("histogram", "bins", 5, 500),
  SORT ("profile", "sort"),
  CHOICE ("communication", "picture", "communication|communication-locations|communication-time|"
          "call-table|communication-graph|message-graph"),
  CHOICE ("communication", "of", "bytes|messages"),
  SORT ("communication", "sort"),
  CHOICE ("counters", "mode", "curves|map"),
  NAME ("counters", "name"),
  CHOICE ("counters", "statistic", "fits|max|mean|weighted|last|min"),
  SORT ("critical-path", "sort"),
  SORT ("critical-path", "row-sort"),
  SORT ("critical-path", "step-sort"),
  CHOICE ("events", "kinds", "all|blocks|messages|user-events|values|notes|idle|packing"),
  NAME ("events", "filter"),
  FLAG ("events", "regex"),
  NAME ("events", "least"),
  FLAG ("events", "in-view"),
  CHOICE ("waiting", "by", "matrix|kind|function|path|location"),
  SORT ("waiting", "sort"),
  SORT ("waiting", "kind-sort"),
  SORT ("waiting", "function-sort"),
  SORT ("waiting", "path-sort"),
  SORT ("waiting", "location-sort"),
  SORT ("collectives", "sort"),
  SORT ("collectives", "name-sort"),
  CHOICE ("extrema", "by", "busy|most-idle|least-idle|overhead|longest|grain|sent|"
          "received|bytes-sent|bytes-received"),
  CHOICE ("extrema", "order", "value|location"),
  CHOICE ("extrema", "count", "all|10|25|50|100|250"),
  FLAG ("extrema", "stacked"),
  FLAG ("extrema", "kept"),
  CHOICE ("clusters", "how", "seeds|best"),
  COUNT ("clusters", "clusters", 1, 100),
  CHOICE ("clusters", "scale", "none|range|stddev"),
  CHOICE ("clusters", "time", "view|run"),
  FLAG ("clusters", "idle"),
  FLAG ("clusters", "overhead"),
  FLAG ("clusters", "messages"),
  FLAG ("clusters", "bytes"),
  CHOICE ("clusters", "seeding", "diagonal|random|k-means++"),
  COUNT ("clusters", "seed", 1, 999999),
  COUNT ("clusters", "outliers", 0, 1000000),
  CHOICE ("clusters", "outliers-in", "percent|rows"),
  FLAG ("clusters", "spread"),
  FLAG ("clusters", "union"),
  FLAG ("clusters", "critical-path"),
  NAME ("clusters", "x"),
  NAME ("clusters", "y"),
  FLAG ("thread-bars", "relative"),
  CHOICE ("thread-table", "list", "flat|tree|paths|phases|compared"),
  NAME ("thread-table", "compared"),
  SORT ("thread-table", "sort"),
  CHOICE ("call-tree", "list", "flat|tree|paths|phases|compared"),
  NAME ("call-tree", "compared"),
  SORT ("call-tree", "sort"),
  CHOICE ("user-events", "mode", "events|time|samples"),
  SORT ("user-events", "sort"),
  NAME ("thread-scatter", "x"),
  NAME ("thread-scatter", "y"),
  CHOICE ("icicle", "root", "top|bottom"),
  { NULL },
};

/**
 * kymo_desk_word_find:
 * @view: id of a view
 * @key: of a control of the view
 *
 * Returns: (transfer none) (nullable): what the control may be set to, from a static table; %NULL
 *   where a desk does not keep the control
 */
const KymoDeskWord *
kymo_desk_word_find (const char *view, const char *key)
{
  for (const KymoDeskWord *word = kymo_desk_words; word->view != NULL; word++)
    if (strcmp (word->view, view) == 0 && strcmp (word->key, key) == 0)
      return word;
  return NULL;
}

/**
 * kymo_desk_word_parse:
 * @name: "VIEW.KEY"; may come from anywhere
 *
 * Returns: (transfer none) (nullable): as kymo_desk_word_find(); %NULL where there is no dot
 */
const KymoDeskWord *
kymo_desk_word_parse (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", 2);

  return g_strv_length (parts) == 2 ? kymo_desk_word_find (parts[0], parts[1]) : NULL;
}

/**
 * kymo_desk_word_index:
 * @value: may come from anywhere
 *
 * Returns: the place of @value in the choice of @word, from 0; -1 where the choice has no such
 *   value, or @word is no choice
 */
int
kymo_desk_word_index (const KymoDeskWord *word, const char *value)
{
  g_auto (GStrv) words = g_strsplit (word->words != NULL ? word->words : "", "|", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (*value != '\0' && strcmp (words[i], value) == 0)
      return i;
  return -1;
}

/**
 * kymo_desk_word_at:
 * @index: from 0
 *
 * Returns: (transfer full) (nullable): the value at that place of the choice of @word; %NULL
 *   beyond the last value, or where @word is no choice
 */
char *
kymo_desk_word_at (const KymoDeskWord *word, guint index)
{
  g_auto (GStrv) words = g_strsplit (word->words != NULL ? word->words : "", "|", -1);

  return index < g_strv_length (words) ? g_strdup (words[index]) : NULL;
}

/* Names of columns, and numbers of one of several of a name. */
static gboolean
is_sort (const char *value)
{
  const char *begin = value + (*value == '-');

  return *begin != '\0' && strlen (begin) <= KYMO_DESK_SHORT_MOST
         && strspn (begin, "abcdefghijklmnopqrstuvwxyz0123456789_:") == strlen (begin);
}

/**
 * kymo_desk_word_check:
 * @value: any text
 *
 * Returns: whether the control can have this value
 */
gboolean
kymo_desk_word_check (const KymoDeskWord *word, const char *value)
{
  switch (word->kind)
    {
    case KYMO_DESK_CHOICE:
      return kymo_desk_word_index (word, value) >= 0;
    case KYMO_DESK_COUNT:
      return g_ascii_string_to_signed (value, 10, word->least, word->most, NULL, NULL);
    case KYMO_DESK_FLAG:
      return strcmp (value, "true") == 0 || strcmp (value, "false") == 0;
    case KYMO_DESK_SORT:
      return is_sort (value);
    case KYMO_DESK_NAME:
    default:
      return *value != '\0' && strlen (value) <= KYMO_DESK_TEXT_MOST;
    }
}
