/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-counter-words.h"

#include "kymo-units.h"

#include <math.h>
#include <string.h>

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
