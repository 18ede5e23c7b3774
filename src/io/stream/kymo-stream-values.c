/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-values.h"

#include <string.h>

#include "kymo-units.h"

#define MOST_LINE 1024
#define MOST_LINES 256
#define MOST_WORDS (2 * KYMO_STREAM_MOST_EXTREMES + 1)

static gboolean
read_number (const char *word,
             gint64     *number)
{
  return g_ascii_string_to_signed (word, 10, G_MININT64, G_MAXINT64, number, NULL);
}

static gboolean
read_count (const char *word,
            guint      *count)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT32, &number, NULL))
    return FALSE;
  *count = (guint) number;
  return TRUE;
}

static void
read_value (KymoStreamValues *values,
            char            **words)
{
  KymoStreamValue *value = &values->values[values->n_values];

  if (values->n_values == KYMO_STREAM_MOST_VALUES || strlen (words[0]) >= sizeof value->name
      || strlen (words[1]) >= sizeof value->unit || words[0][0] == '\0'
      || !read_count (words[2], &value->n) || value->n == 0 || !read_number (words[3], &value->sum)
      || !read_number (words[4], &value->least) || !read_number (words[5], &value->least_rank)
      || !read_number (words[6], &value->most) || !read_number (words[7], &value->most_rank))
    return;
  g_strlcpy (value->name, words[0], sizeof value->name);
  g_strlcpy (value->unit, words[1], sizeof value->unit);
  values->n_values++;
}

static guint
read_extremes (KymoStreamExtreme *extremes,
               char             **words)
{
  guint n = 0;

  for (guint i = 1; words[i] != NULL && words[i + 1] != NULL && n < KYMO_STREAM_MOST_EXTREMES;
       i += 2)
    {
      if (!read_number (words[i], &extremes[n].rank) || !read_number (words[i + 1],
                                                                      &extremes[n].load))
        break;
      n++;
    }
  return n;
}

static void
read_line (KymoStreamValues *values,
           const char       *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", MOST_WORDS);
  guint n = g_strv_length (words);

  if (n == 2 && strcmp (words[0], "second") == 0)
    {
      if (!read_number (words[1], &values->second))
        values->second = -1;
    }
  else if (n == 3 && strcmp (words[0], "processes") == 0)
    {
      if (!read_count (words[1], &values->n_processes) || !read_count (words[2], &values->n_all))
        values->n_processes = values->n_all = 0;
    }
  else if (n > 0 && strcmp (words[0], "idlest") == 0)
    values->n_idlest = read_extremes (values->idlest, words);
  else if (n > 0 && strcmp (words[0], "busiest") == 0)
    values->n_busiest = read_extremes (values->busiest, words);
  else if (n == 8)
    read_value (values, words);
}

/**
 * kymo_stream_values_parse:
 * @values: (out): what could be read; lines that are not known are passed over
 * @text: (array length=n_bytes): not terminated, and not trusted
 *
 * Returns: TRUE if the text has the values of a second
 */
gboolean
kymo_stream_values_parse (KymoStreamValues *values,
                          const char       *text,
                          gsize             n_bytes)
{
  const char *at = text, *end = text + n_bytes;

  memset (values, 0, sizeof *values);
  values->second = -1;
  for (guint i = 0; i < MOST_LINES && at < end; i++)
    {
      const char *newline = memchr (at, '\n', end - at);
      gsize length = (newline != NULL ? newline : end) - at;

      if (length <= MOST_LINE)
        {
          g_autofree char *line = g_strndup (at, length);

          read_line (values, line);
        }
      at += length + 1;
    }
  return values->second >= 0;
}

/**
 * kymo_stream_values_find:
 *
 * Returns: (transfer none) (nullable): the value of that name
 */
const KymoStreamValue *
kymo_stream_values_find (const KymoStreamValues *values,
                         const char             *name)
{
  for (guint i = 0; i < values->n_values; i++)
    if (strcmp (values->values[i].name, name) == 0)
      return &values->values[i];
  return NULL;
}

/**
 * kymo_stream_value_format:
 * @amount: in the unit of @value
 *
 * Returns: (transfer full): the amount for people: "12.5 MB", "84.0 %", "1,200"
 */
char *
kymo_stream_value_format (const KymoStreamValue *value,
                          double                 amount)
{
  if (strcmp (value->unit, "B") == 0)
    return kymo_format_bytes ((gint64) amount);
  if (strcmp (value->unit, "ppm") == 0)
    return kymo_format_percent (amount / 1e6);
  if (strcmp (value->unit, "ns") == 0)
    return kymo_format_duration ((gint64) amount);
  return kymo_format_count ((gint64) amount);
}
