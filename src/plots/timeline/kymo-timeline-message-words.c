/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages over a timeline where the pointer is: which line it is at, and what that says.
 */
#include "config.h"

#include "kymo-timeline-messages.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-plot-terms.h"
#include "kymo-units.h"

#define NEAR_PX 4

static double
distance_timeline_message_words (const KymoMessageLine *line, double x, double y)
{
  double dx = line->x1 - line->x0, dy = line->y1 - line->y0;
  double length = dx * dx + dy * dy;
  double at = length > 0 ? ((x - line->x0) * dx + (y - line->y0) * dy) / length : 0;

  at = CLAMP (at, 0, 1);
  return hypot (line->x0 + at * dx - x, line->y0 + at * dy - y)
         - (line->of >= KYMO_LINES_OF_GROUPS ? kymo_message_line_width (line) / 2 : 0);
}

/**
 * kymo_message_lines_hit:
 *
 * Returns: index of the line under a point, the nearest one; -1 where there is none
 */
gint
kymo_message_lines_hit (const GArray *lines, double x, double y)
{
  double least = NEAR_PX;
  gint found = -1;

  for (guint i = 0; i < lines->len; i++)
    {
      double here = distance_timeline_message_words (&g_array_index (lines, KymoMessageLine, i), x,
                                                     y);

      if (here < least)
        {
          least = here;
          found = i;
        }
    }
  return found;
}

static const char *
label_or (const KymoTable *table, const char *key, guint row, const char *unknown)
{
  const char *label = kymo_table_peek_label (table, key, row);

  return label != NULL ? label : unknown;
}

static void
add_latency (GString *words, const KymoTable *table, guint row)
{
  gint64 ns = kymo_table_get_int (table, "latency_ns", row);
  g_autofree char *time = NULL;

  if (ns == KYMO_NULL_INT)
    return;
  time = kymo_format_duration (ABS (ns));
  g_string_append_printf (words, ns < 0
                          ? _("\nbegun %s before it was sent: the clocks disagree")
                          : _("\nbegun %s after it was sent"), time);
}

/* Between functions that send and receive. */
static gboolean
is_half_send (const KymoTable *table, guint row)
{
  return kymo_table_find_column (table, "half") >= 0
         && g_strcmp0 (kymo_table_get_string (table, "half", row), "send") == 0;
}

static char *
single_words (const KymoTable *table, guint row)
{
  const char *kind = kymo_table_get_string (table, "kind", row);
  const char *name = kymo_table_get_string (table, "name", row);
  g_autofree char *size = kymo_format_bytes (kymo_table_get_int (table, "bytes", row));
  GString *words = g_string_new (name != NULL ? name : _("Message"));

  g_string_append_printf (words, _("\nfrom %s to %s, %s"),
                          label_or (table, "from_label", row, _("an unknown sender")),
                          label_or (table, "to_label", row, _("an unknown receiver")),
                          size);
  add_latency (words, table, row);
  if (g_strcmp0 (kind, "uncertain") == 0)
    g_string_append (words, _("\nuncertain: it was created for another entry method"));
  else if (g_strcmp0 (kind, "unmatched") == 0)
    g_string_append (words, _("\nits sending was not recorded"));
  else if (g_strcmp0 (kind, "open") == 0 && is_half_send (table, row))
    g_string_append (words, _("\nits receiving was not recorded"));
  else if (g_strcmp0 (kind, "open") == 0)
    g_string_append (words, _("\nnothing is known of its arrival"));
  return g_string_free (words, FALSE);
}

static char *
group_words (const KymoTable *table, guint row)
{
  gint64 least = kymo_table_get_int (table, "min_latency_ns", row);
  gint64 early = kymo_table_get_int (table, "early", row);
  const char *kind = kymo_table_get_string (table, "kind", row);
  g_autofree char *count = kymo_words_messages (kymo_table_get_int (table, "count", row));
  g_autofree char *size = kymo_format_bytes (kymo_table_get_int (table, "bytes", row));
  GString *words = g_string_new (NULL);

  g_string_printf (words, _("%s, %s\nfrom %s to %s"), count, size,
                   label_or (table, "from_label", row, _("elsewhere")),
                   label_or (table, "to_label", row, _("elsewhere")));
  if (least != KYMO_NULL_INT)
    {
      g_autofree char *min = kymo_format_duration (least);
      g_autofree char *mean = kymo_format_duration (
        kymo_table_get_int (table, "mean_latency_ns", row));
      g_autofree char *max = kymo_format_duration (
        kymo_table_get_int (table, "max_latency_ns", row));

      g_string_append_printf (words, _("\nlatency %s to %s, %s on average"), min, max, mean);
    }
  if (early > 0)
    {
      g_autofree char *some = kymo_format_count (early);

      g_string_append_printf (words, _("\n%s of them begun before they were sent"), some);
    }
  if (g_strcmp0 (kind, "uncertain") == 0)
    g_string_append (words, _("\nuncertain: created for other entry methods"));
  else if (g_strcmp0 (kind, "unmatched") == 0)
    g_string_append (words, _("\ntheir sending was not recorded"));
  else if (g_strcmp0 (kind, "open") == 0)
    g_string_append (words, _("\nnothing is known of their arrival"));
  return g_string_free (words, FALSE);
}

/* From when the one came to the call to when the other was let go. */
static char *
fan_words (const KymoTable *table, guint row)
{
  const char *name = kymo_table_get_string (table, "name", row);
  const char *from = kymo_table_peek_label (table, "from_label", row);
  const char *to = kymo_table_peek_label (table, "to_label", row);
  g_autofree char *mean = kymo_format_duration (
    kymo_table_get_int (table, "mean_latency_ns", row));
  g_autofree char *least = NULL, *most = NULL, *count = NULL;

  if (kymo_table_get_int (table, "count", row) == 1)
    return g_strdup_printf (_("%s\n%s left it %s after %s came"), name, to, mean, from);
  count = kymo_format_count (kymo_table_get_int (table, "count", row));
  least = kymo_format_duration (kymo_table_get_int (table, "min_latency_ns", row));
  most = kymo_format_duration (kymo_table_get_int (table, "max_latency_ns", row));
  return g_strdup_printf (_("%s\nfrom %s to %s: %s lines\n%s to %s from coming to leaving, %s on "
                            "average"), name, from, to, count, least, most, mean);
}

/** kymo_message_line_words: (transfer full): */
char *
kymo_message_line_words (const KymoTable *messages, const KymoMessageLine *line)
{
  const KymoTable *table = kymo_message_line_table (messages, line->of);

  if (line->of == KYMO_LINES_OF_FAN)
    return fan_words (table, line->row);
  return line->of == KYMO_LINES_OF_GROUPS ? group_words (table, line->row)
                                          : single_words (table, line->row);
}
