/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-measure.h.
 */
#include "config.h"

#include "kymo-measure.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-units.h"

#define HMS "hms"

typedef struct
{
  const char *name;
  double      ns;
} TimeUnit;

/* As formats spell them, and as a person chooses them. */
static const TimeUnit time_units[] = {
  { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "usec", 1e3 }, { "microseconds", 1e3 },
  { "ms", 1e6 }, { "s", 1e9 }, { "seconds", 1e9 }, { "min", 60e9 }, { "h", 3600e9 },
  { HMS, 1e9 },
};

static double
ns_of_unit (const char *name)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (time_units); i++)
    if (g_str_equal (time_units[i].name, name))
      return time_units[i].ns;
  return 0;
}

/* Of the answer's metric; 0 where it is no time. */
static double
find_unit_ns (const KymoTable *answer, const char *unit)
{
  return kymo_table_find_column (answer, "unit_ns") >= 0
         ? kymo_table_get_double (answer, "unit_ns", 0) : ns_of_unit (unit);
}

static gboolean
is_count (const char *value)
{
  return g_str_equal (value, "calls") || g_str_equal (value, "subroutines");
}

/**
 * kymo_measure_init:
 * @answer: an answer about profiles, which tells "metric" and "unit"
 * @value: (nullable): a value type, as questions spell it
 */
void
kymo_measure_init (KymoMeasure *measure, const KymoTable *answer, const KymoPlotFrame *frame,
                   const char *value)
{
  double unit_ns, fixed_ns;

  *measure = (KymoMeasure) { .kind = KYMO_UNIT_NUMBER, .factor = 1, .unit = "" };
  measure->metric = kymo_table_get_string (answer, "metric", 0);
  measure->unit = kymo_table_get_string (answer, "unit", 0);
  measure->value = value != NULL ? value : kymo_table_get_string (answer, "value", 0);
  if (measure->metric == NULL)
    measure->metric = "";
  if (measure->unit == NULL)
    measure->unit = "";
  if (measure->value == NULL)
    measure->value = "exclusive";
  if (is_count (measure->value))
    {
      measure->kind = KYMO_UNIT_COUNT;
      return;
    }
  unit_ns = find_unit_ns (answer, measure->unit);
  fixed_ns = ns_of_unit (frame->unit);
  if (unit_ns > 0)
    {
      measure->kind = fixed_ns > 0 ? KYMO_UNIT_NUMBER : KYMO_UNIT_NS;
      measure->fixed = fixed_ns > 0 ? frame->unit : NULL;
      measure->factor = unit_ns / (fixed_ns > 0 ? fixed_ns : 1);
    }
  else if (*measure->unit == 0)
    measure->kind = KYMO_UNIT_COUNT;
}

/* "1:02:03.500" */
static char *
format_hms (double seconds)
{
  double a = round (fabs (seconds) * 1000) / 1000;
  gint64 whole = a;
  char part[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (part, sizeof part, "%06.3f", a - whole + whole % 60);
  return g_strdup_printf ("%s%" G_GINT64_FORMAT ":%02d:%s", seconds < 0 ? "−" : "", whole / 3600,
                          (int) (whole / 60 % 60), part);
}

static char *
with_unit (char *number, const char *unit)
{
  g_autofree char *owned = number;

  return *unit == 0 ? g_steal_pointer (&owned) : g_strdup_printf ("%s %s", owned, unit);
}

static char *
format_value (const KymoMeasure *measure, double value, gboolean exact)
{
  double painted = value * measure->factor;

  if (!isfinite (value))
    return g_strdup ("–");
  if (measure->kind == KYMO_UNIT_NS && (fabs (painted) >= 1 || painted == 0)
      && fabs (painted) < 9e18)
    return exact ? kymo_format_duration_exact (llround (painted))
                 : kymo_format_duration (llround (painted));
  if (measure->kind == KYMO_UNIT_NS)
    return with_unit (kymo_format_number (painted, 3), "ns");
  if (measure->kind == KYMO_UNIT_COUNT)
    return kymo_format_number (painted, exact ? 10 : 4);
  if (measure->fixed != NULL && g_str_equal (measure->fixed, HMS))
    return format_hms (painted);
  return with_unit (kymo_format_number (painted, exact ? 10 : 4),
                    measure->fixed == NULL ? measure->unit
                    : g_str_equal (measure->fixed, "us") ? "µs" : measure->fixed);
}

/**
 * kymo_measure_format:
 * @value: of the answer, not multiplied by the factor
 *
 * Returns: (transfer full): the value with three or four digits and its unit, or as h:mm:ss where
 *   the person chose this form; "–" where it is not finite
 */
char *
kymo_measure_format (const KymoMeasure *measure, double value)
{
  return format_value (measure, value, FALSE);
}

/**
 * kymo_measure_exact:
 * @value: of the answer, not multiplied by the factor
 *
 * Returns: (transfer full): the value with its unit as kymo_measure_format() writes it, but a time
 *   of 1 ns and more in exact form and a number with up to ten digits
 */
char *
kymo_measure_exact (const KymoMeasure *measure, double value)
{
  return format_value (measure, value, TRUE);
}

static char *
axis_hms (double value, double step)
{
  return format_hms (value);
}

static char *
axis_plain (double value, double step)
{
  return step >= 100000 || step < 1e-6 ? kymo_format_count_short (value)
                                               : kymo_axis_number (value, step);
}

/**
 * kymo_measure_axis:
 *
 * Returns: the function that writes labels of painted values (multiplied by the factor), never
 *   %NULL
 */
KymoFormatValue
kymo_measure_axis (const KymoMeasure *measure)
{
  if (measure->fixed != NULL && g_str_equal (measure->fixed, HMS))
    return axis_hms;
  return measure->kind == KYMO_UNIT_NS ? kymo_unit_axis (KYMO_UNIT_NS) : axis_plain;
}

/**
 * kymo_value_words:
 * @value: (nullable): a value type, as questions spell it
 *
 * Returns: (transfer none): the translated words for it, "Inclusive per call"; @value itself where
 *   it is unknown, "" for %NULL
 */
const char *
kymo_value_words (const char *value)
{
  static const struct { const char *key, *words; } known[] = {
    { "exclusive", N_("Exclusive") }, { "inclusive", N_("Inclusive") },
    { "calls", N_("Calls") }, { "subroutines", N_("Subroutines") },
    { "exclusive-per-call", N_("Exclusive per call") },
    { "inclusive-per-call", N_("Inclusive per call") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (known[i].key, value) == 0)
      return _(known[i].words);
  return value != NULL ? value : "";
}

/**
 * kymo_measure_words:
 *
 * Returns: (transfer full): value type, metric and, where the labels of the axis have none, the
 *   unit: "Exclusive · TIME, ms"; of calls and subroutines the value type alone
 */
char *
kymo_measure_words (const KymoMeasure *measure)
{
  GString *words = g_string_new (kymo_value_words (measure->value));

  if (is_count (measure->value))
    return g_string_free (words, FALSE);
  if (*measure->metric != 0)
    g_string_append_printf (words, " · %s", measure->metric);
  if (measure->fixed != NULL && !g_str_equal (measure->fixed, HMS))
    g_string_append_printf (words, ", %s", g_str_equal (measure->fixed, "us") ? "µs"
                                           : measure->fixed);
  else if (measure->kind == KYMO_UNIT_NUMBER && *measure->unit != 0)
    g_string_append_printf (words, ", %s", measure->unit);
  return g_string_free (words, FALSE);
}

/**
 * kymo_counter_bytes:
 * @name: (nullable): of a counter
 *
 * Reads the unit in brackets in a counter's name: "(bytes)", "(B)", "(KB)" or "(MB)".
 *
 * Returns: how many bytes a value of 1 is; 0 where the name has none of these units
 */
double
kymo_counter_bytes (const char *name)
{
  static const struct { const char *words; double bytes; } units[] = {
    { "(bytes)", 1 }, { "(B)", 1 }, { "(KB)", 1024 }, { "(MB)", 1048576 },
  };

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (units); i++)
    if (strstr (name, units[i].words) != NULL)
      return units[i].bytes;
  return 0;
}

/**
 * kymo_counter_is_memory:
 * @name: (nullable): of a counter
 *
 * Returns: whether the counter is memory in use, whose values hold until the next sample: its name
 *   has "Memory" and a unit of bytes
 */
gboolean
kymo_counter_is_memory (const char *name)
{
  return name != NULL && kymo_counter_bytes (name) > 0 && strstr (name, "Memory") != NULL;
}

static char *
format_bytes (double bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  guint unit = 0;

  for (; fabs (bytes) >= 1024 && unit + 1 < G_N_ELEMENTS (units); unit++)
    bytes /= 1024;
  return g_strdup_printf ("%.4g %s", bytes, units[unit]);
}

/**
 * kymo_counter_dup_name:
 * @unit: (nullable): of its values; "" for none
 *
 * Returns: (transfer full): "power (W)"
 */
char *
kymo_counter_dup_name (const char *name, const char *unit)
{
  return unit != NULL && *unit != '\0' ? g_strdup_printf ("%s (%s)", name, unit)
    : g_strdup (name);
}

/**
 * kymo_counter_format:
 * @name: (nullable): of the counter
 * @value: in the counter's unit
 *
 * Returns: (transfer full): "83.9 MiB" where the name tells a unit of bytes, else the number with
 *   up to six digits
 */
char *
kymo_counter_format (const char *name, double value)
{
  double bytes = kymo_counter_bytes (name);

  return bytes > 0 ? format_bytes (value * bytes) : kymo_format_number (value, 6);
}
