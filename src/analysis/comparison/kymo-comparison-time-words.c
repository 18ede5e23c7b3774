/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A difference of time profiles in words: how much of it is noise, and where most lies
 * beyond that.
 *
 * Pure functions; any thread.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include <glib/gi18n-lib.h>

#include "kymo-term-words.h"
#include "kymo-units.h"

/** Stretch: bins one after the other that lie beyond noise, all on the same side of it */
typedef struct
{
  guint  first, end;
  gint64 sum;
} Stretch;

static Stretch
find_largest (const KymoTable *bins)
{
  guint n = kymo_table_get_n_rows (bins);
  Stretch largest = { 0, 0, 0 }, now = { 0, 0, 0 };

  for (guint i = 0; i < n; i++)
    {
      gint64 difference = kymo_table_get_int (bins, "difference_ns", i);
      gboolean noise = kymo_table_get_bool (bins, "is_noise", i);

      if (noise || now.sum == 0 || (difference > 0) != (now.sum > 0))
        now = (Stretch) { i, i, 0 };
      if (noise)
        continue;
      now.end = i + 1;
      now.sum = kymo_saturating_add (now.sum, difference);
      if (ABS (now.sum) > ABS (largest.sum))
        largest = now;
    }
  return largest;
}

/* (nullable): what differs most there, the way all does. */
static const char *
find_name (const KymoTable *series,
           Stretch          stretch)
{
  guint width = 0;
  const gint64 *difference = kymo_table_peek_ints (series, "difference_ns", &width);
  const char *name = NULL;
  gint64 most = 0;

  for (guint s = 0; difference != NULL && s < kymo_table_get_n_rows (series); s++)
    {
      gint64 sum = 0;

      if (g_strcmp0 (kymo_table_get_string (series, "kind", s), "code") != 0)
        continue;
      for (guint i = stretch.first; i < MIN (stretch.end, width); i++)
        sum = kymo_saturating_add (sum, difference[(gsize) s * width + i]);
      if ((sum > 0) == (stretch.sum > 0) && ABS (sum) > most)
        {
          most = ABS (sum);
          name = kymo_table_get_string (series, "name", s);
        }
    }
  return name;
}

static void
say_largest (const KymoTable *answer,
             const KymoTable *bins,
             KymoTable       *sentences)
{
  Stretch stretch = find_largest (bins);
  g_autofree char *side = kymo_comparison_dup_side_label (
    kymo_table_get_int (answer, "against", 0));
  g_autofree char *begin = NULL, *end = NULL, *much = NULL, *text = NULL;
  const char *name;

  if (stretch.sum == 0)
    return;
  name = find_name (kymo_table_peek_nested (answer, "series", NULL), stretch);
  begin = kymo_format_duration (kymo_table_get_int (bins, "begin_ns", stretch.first));
  end = kymo_format_duration (kymo_table_get_int (bins, "end_ns", stretch.end - 1));
  much = kymo_format_duration (ABS (stretch.sum));
  text = kymo_words_filled (
    stretch.sum > 0
    ? (name != NULL ? _("Beyond noise most from {begin} to {end}: {side} is busy for {time} more, "
                        "most of it in {name}.")
       : _("Beyond noise most from {begin} to {end}: {side} is busy for {time} more."))
    : name != NULL ? _("Beyond noise most from {begin} to {end}: {side} is busy for {time} less, "
                       "most of it in {name}.")
    : _("Beyond noise most from {begin} to {end}: {side} is busy for {time} less."),
    "{begin}", begin, "{end}", end, "{side}", side, "{time}", much, "{name}", name, NULL);
  kymo_table_append_string (sentences, 0, text);
}

/** kymo_compare_set_time_sentences: adds the list "sentences" to an answer that has all else */
void
kymo_compare_set_time_sentences (KymoTable *answer)
{
  const KymoTable *bins = kymo_table_peek_nested (answer, "bins", NULL);
  guint n = kymo_table_get_n_rows (bins), noise = 0;
  KymoTable *sentences = kymo_table_new (KYMO_STYLE_FLAT);
  gboolean own = g_strcmp0 (kymo_table_get_string (answer, "scale", 0), "own") == 0;
  g_autofree char *text = NULL;

  kymo_table_add_column (sentences, "value", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < n; i++)
    noise += kymo_table_get_bool (bins, "is_noise", i);
  if (!kymo_table_get_bool (answer, "has_noise", 0))
    kymo_table_append_string (sentences, 0, _(KYMO_COMPARE_NO_REPEATS));
  else
    {
      text = g_strdup_printf (
        own ? _("In %u of %u bins the sides are busy for shares that differ by no more than "
                "repeats do: noise (95 %%; one bin in twenty lies beyond it by chance).")
        : _("In %u of %u bins the sides are busy for times that differ by no more than repeats "
            "do: noise (95 %%; one bin in twenty lies beyond it by chance)."), noise, n);
      kymo_table_append_string (sentences, 0, text);
      /* Times of bins of other lengths say nothing of what differs beyond their shares. */
      if (!own)
        say_largest (answer, bins, sentences);
    }
  kymo_table_set_table (answer, "sentences", sentences);
}
