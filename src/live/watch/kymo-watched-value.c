/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-watched-value.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-units.h"

static const KymoWatchedValue watched[] = {
  { "load", N_("Load"), KYMO_WATCHED_SHARE },
  { "memory", N_("Memory"), KYMO_WATCHED_BYTES },
  { "page-faults", N_("Page faults"), KYMO_WATCHED_COUNT },
  { "run-delay", N_("Run delay"), KYMO_WATCHED_TIME },
  { "messages", N_("Messages sent"), KYMO_WATCHED_COUNT },
  { "message-bytes", N_("Bytes sent"), KYMO_WATCHED_BYTES },
  { "pressure-cpu", N_("CPU pressure"), KYMO_WATCHED_SHARE },
  { "pressure-memory", N_("Memory pressure"), KYMO_WATCHED_SHARE },
  { "pressure-io", N_("I/O pressure"), KYMO_WATCHED_SHARE },
  { "network-received", N_("Network received"), KYMO_WATCHED_BYTES },
  { "network-sent", N_("Network sent"), KYMO_WATCHED_BYTES },
};

/**
 * kymo_watched_value_at:
 * @index: from 0
 *
 * Returns: (transfer none) (nullable): the value; %NULL behind the last one
 */
const KymoWatchedValue *
kymo_watched_value_at (guint index)
{
  return index < G_N_ELEMENTS (watched) ? &watched[index] : NULL;
}

/**
 * kymo_watched_value_find:
 * @id: a name of the stream, in any case
 *
 * Returns: the index of the value of that name; the number of values if there is none
 */
guint
kymo_watched_value_find (const char *id)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (watched) && g_ascii_strcasecmp (watched[i].id, id) != 0)
    i++;
  return i;
}

/**
 * kymo_watched_figure_word:
 *
 * Returns: (transfer none): the word of a figure in a condition: "lowest", "mean", "highest"
 */
const char *
kymo_watched_figure_word (KymoWatchedFigure figure)
{
  static const char *const words[KYMO_WATCHED_N_FIGURES] = { "lowest", "mean", "highest" };

  return words[figure];
}

/**
 * kymo_watched_value_format:
 * @amount: in the unit of @value
 *
 * Returns: (transfer full): the amount for people: "20 %", "12.5 MB", "3 ms", "1,200"
 */
char *
kymo_watched_value_format (const KymoWatchedValue *value,
                           gint64                  amount)
{
  g_autofree char *percent = NULL;
  g_auto (GStrv) parts = NULL;

  if (value->unit == KYMO_WATCHED_BYTES)
    return kymo_format_bytes (amount);
  if (value->unit == KYMO_WATCHED_TIME)
    return kymo_format_duration (amount);
  if (value->unit == KYMO_WATCHED_COUNT)
    return kymo_format_count (amount);
  percent = kymo_format_percent (amount / 1e6);
  parts = g_strsplit (percent, ".0 %", 2);
  return g_strjoinv (" %", parts);
}
