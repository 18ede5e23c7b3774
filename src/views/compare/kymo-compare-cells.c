/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-compare-cells.h"
#include "kymo-report-list.h"
#include "kymo-term-words.h"
#include "kymo-units.h"

#define MINUS "\342\210\222"

/* -- numbers -------------------------------------------------------------- */

/* The name a column has in this list. */
static const char *
key_in (const KymoTable *list, const KymoCompareColumn *column, char *room,
        gsize size)
{
  gsize length = strlen (column->key);

  if (kymo_table_find_column (list, column->key) >= 0 || length >= size
      || !g_str_has_suffix (column->key, "_ns"))
    return column->key;
  memcpy (room, column->key, length - 3);
  room[length - 3] = '\0';
  return room;
}

/**
 * kymo_compare_number:
 *
 * Returns: the number of a cell, in the unit of its column; NaN for null, for texts, and where
 * @list lacks the column or the element of its vector
 */
double
kymo_compare_number (const KymoTable *list, const KymoCompareColumn *column,
                     guint row)
{
  char room[64];
  const char *key = key_in (list, column, room, sizeof room);
  guint width = 0;
  const gint64 *ints = kymo_table_peek_ints (list, key, &width);
  const double *doubles = ints == NULL ? kymo_table_peek_doubles (list, key, &width)
                                       : NULL;

  if (column->element >= MAX (width, 1) || (ints == NULL && doubles == NULL))
    return NAN;
  if (doubles != NULL)
    return doubles[row * width + column->element];
  if (ints[row * width + column->element] == KYMO_NULL_INT)
    return NAN;
  return ints[row * width + column->element];
}

/* -- words ---------------------------------------------------------------- */

static const char *
words_of_trend (const char *trend)
{
  static const struct { const char *trend, *words; } known[] = {
    { "growing", N_("growing") }, { "shrinking", N_("shrinking") },
    { "steady", N_("steady") }, { "insignificant", N_("too little to matter") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (trend, known[i].trend) == 0)
      return _(known[i].words);
  return NULL;
}

/* Where it is new or gone that says it all; else what the repeats say. */
static char *
words_of (const KymoTable *list, guint row)
{
  const char *present = kymo_table_get_string (list, "present", row);
  const char *trend = words_of_trend (kymo_table_get_string (list, "trend", row));
  const char *words = "";

  if (g_strcmp0 (present, "new") == 0)
    words = _("new");
  else if (g_strcmp0 (present, "gone") == 0)
    words = _("gone");
  else if (g_strcmp0 (present, "between") == 0)
    words = _("in other runs alone");
  else if (kymo_table_get_bool (list, "is_noise", row))
    words = _("within noise");
  else if (kymo_table_get_bool (list, "has_noise", row))
    words = _("beyond noise");
  if (trend == NULL || g_str_equal (words, ""))
    return g_strdup (trend != NULL ? trend : words);
  return g_strdup_printf (_("%s, %s"), words, trend);
}

/** kymo_compare_is_faded: within the band of noise */
gboolean
kymo_compare_is_faded (const KymoTable *list, guint row)
{
  return kymo_table_get_bool (list, "is_noise", row);
}

/* -- cells ---------------------------------------------------------------- */

static char *
signed_text (double number, const char *text)
{
  return g_strdup_printf ("%s%s", number < 0 ? MINUS : number > 0 ? "+" : "", text);
}

/* @times NULL: with all digits */
static char *
figure_text (const KymoTable *list, const KymoCompareColumn *column,
             double number, const KymoTimeColumn *times)
{
  char room[64];

  if (key_in (list, column, room, sizeof room) == column->key)
    return times == NULL ? kymo_format_duration_exact (llround (number))
                         : kymo_time_column_format (times, number);
  return times == NULL ? kymo_format_exact (number) : kymo_format_number (number, 3);
}

static char *
ratio_text (double number, gboolean exact)
{
  if (exact)
    return kymo_format_exact (number);
  return g_strdup_printf (number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f",
                          number);
}

#define OF_KIND "places of kind "

/* What facts of the program are called, and values that are words. */
static const char *
fact_words (const char *text)
{
  static const char *const known[] = {
    N_("program"), N_("command line"), N_("user"), N_("host"), N_("machine"), N_("timestamp"),
    N_("runtime version"), N_("title"), N_("path"), N_("kind"), N_("format"), N_("format version"),
    N_("clocks"), N_("workers"), N_("communication threads"), N_("locations of the program"),
    N_("locations in the files"), N_("activities"), N_("records"), N_("blocks"), N_("messages"),
    N_("points"), N_("begin"), N_("length"), N_("phases"), N_("PEs it stands for"), N_("PEs kept"),
    N_("clusters"), N_("outliers"), N_("complete"), N_("intervals"), N_("binned time"),
    N_("profile"), N_("metrics"), N_("paths"), N_("waits"), N_("rows"), N_("counters"),
    N_("user events"), N_("user event times"), N_("stream"), N_("trace"), N_("summary"),
    N_("reduced"),
    N_("corrected"), N_("as in the files"), N_("yes"), N_("no"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (known[i], text))
      return _(known[i]);
  return text;
}

static char *
fact_key (const char *key)
{
  g_autofree char *words = g_strdelimit (g_strdup (key), "_-", ' ');

  if (g_str_has_prefix (words, OF_KIND))
    return g_strdup_printf (_("places of kind %s"), words + strlen (OF_KIND));
  return g_strdup (fact_words (words));
}

/* "lost: A log is missing" */
static char *
issue_text (const char *key)
{
  const char *what = strstr (key, ": ");
  g_autofree char *severity = what != NULL ? g_strndup (key, what - key) : NULL;

  /* Translators: how bad a problem is, as “lost”, and a sentence about it. */
  return severity != NULL ? g_strdup_printf (_("%s: %s"), kymo_report_severity_word (severity),
                                             _(what + strlen (": ")))
         : g_strdup (fact_words (key));
}

/* Sections of facts, and what they are called where that is no word of a file. */
static char *
fact_text (const KymoTable *list, const KymoCompareColumn *column, guint row,
           const char *text)
{
  static const struct { const char *section, *words; gboolean of_file; } known[] = {
    { "provenance", N_("Provenance"), FALSE }, { "run", N_("Run"), FALSE },
    { "environment", N_("Environment"), TRUE },
    { "size", N_("Size"), FALSE }, { "reduction", N_("Reduction"), FALSE },
    { "metric", N_("Metric"), TRUE }, { "capability", N_("Can answer"), FALSE },
    { "metadata", N_("Metadata"), TRUE }, { "report", N_("Load report"), TRUE },
  };
  const char *section = kymo_table_get_string (list, "section", row);
  guint i = 0;

  while (i < G_N_ELEMENTS (known) && g_strcmp0 (section, known[i].section) != 0)
    i++;
  if (i < G_N_ELEMENTS (known) && g_str_equal (column->key, "section"))
    return g_strdup (_(known[i].words));
  if (i < G_N_ELEMENTS (known) && g_str_equal (column->key, "key") && !known[i].of_file)
    return fact_key (text);
  if (g_strcmp0 (section, "report") == 0 && g_str_equal (column->key, "key"))
    return issue_text (text);
  return g_strdup (fact_words (text));
}

/* A string of the list, or of what a row of it nests. */
static char *
string_text (const KymoTable *list, const KymoCompareColumn *column, guint row)
{
  const guint *offsets = NULL;
  KymoTable *nested = kymo_table_peek_nested (list, column->key, &offsets);
  const char *text;

  if (nested == NULL)
    text = kymo_table_get_string (list, column->key, row);
  else if (offsets[row] + column->element < offsets[row + 1])
    text = kymo_table_get_string (nested, kymo_table_get_column_name (nested, 0),
                                  offsets[row] + column->element);
  else
    text = NULL;
  if (text != NULL && kymo_table_find_column (list, "section") >= 0)
    return fact_text (list, column, row, text);
  return g_strdup (text != NULL ? kymo_shown_name (text) : "–");
}

/**
 * kymo_compare_text:
 * @times: (nullable): unit and decimals of its column, for the screen; %NULL gives all digits, for
 *   copies
 *
 * Returns: (transfer full): the words of a cell; "–" where a number is missing
 */
char *
kymo_compare_text (const KymoTable *list, const KymoCompareColumn *column,
                   guint row, const KymoTimeColumn *times)
{
  gboolean exact = times == NULL;
  g_autofree char *text = NULL;
  double number;

  if (column->kind == KYMO_COMPARE_WORDS)
    return words_of (list, row);
  if (column->kind <= KYMO_COMPARE_TEXT)
    return string_text (list, column, row);
  number = kymo_compare_number (list, column, row);
  if (isnan (number))
    return g_strdup ("–");
  switch (column->kind)
    {
    case KYMO_COMPARE_COUNT:
      return kymo_format_count (llround (number));
    case KYMO_COMPARE_FIGURE:
      return figure_text (list, column, number, times);
    case KYMO_COMPARE_CHANGE:
      text = figure_text (list, column, fabs (number), times);
      return signed_text (number, text);
    case KYMO_COMPARE_EFFECT:
      text = exact ? kymo_format_exact (fabs (number))
                   : kymo_format_part (fabs (number));
      /* "< 0.1 %" in either direction: the difference beside it has the sign. */
      return *text == '<' ? g_steal_pointer (&text) : signed_text (number, text);
    default:
      return ratio_text (number, exact);
    }
}
