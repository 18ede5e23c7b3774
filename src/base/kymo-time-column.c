/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-time-column.h.
 */
#include "config.h"

#include "kymo-time-column.h"

#include <math.h>
#include <string.h>


/* Digits of the largest time: three, and more where the least would vanish. */
#define LEAST_DIGITS 1e2
#define MOST_DIGITS 1e5
/* More decimals are hard to read; the next smaller unit has three fewer. */
#define MOST_DECIMALS_STEP 1000

static const struct
{
  gint64      ns;
  const char *name;
} units[] = {
  { G_GINT64_CONSTANT (1000000000), "s" }, { 1000000, "ms" }, { 1000, "µs" }, { 1, "ns" },
};

static const char *
name_of (gint64 unit_ns)
{
  guint u = 0;

  while (u < G_N_ELEMENTS (units) - 1 && units[u].ns > unit_ns)
    u++;
  return units[u].name;
}

/**
 * kymo_time_column_init:
 * @self: (out): to be filled
 * @least_ns: the smallest time of the column above 0, of absolute values; infinite for none
 * @most_ns: the largest absolute value
 *
 * Chooses unit and decimals for durations: the largest has three digits, and up to six where the
 * smallest is much smaller.
 */
void
kymo_time_column_init (KymoTimeColumn *self, double least_ns, double most_ns)
{
  gint64 step = 1;
  guint u = 0;

  while (step <= G_MAXINT64 / 10 && most_ns / step >= LEAST_DIGITS * 9.995
         && (most_ns / step >= MOST_DIGITS * 10 || least_ns >= step * 10.0))
    step *= 10;
  while (u < G_N_ELEMENTS (units) - 1
         && (units[u].ns > MAX (most_ns, 1) || units[u].ns / step > MOST_DECIMALS_STEP))
    u++;
  *self = (KymoTimeColumn) { units[u].ns, MIN (step, units[u].ns) };
}

/**
 * kymo_time_column_init_moments:
 * @self: (out): to be filled
 * @most_ns: the last moment of the column
 * @step_ns: how fine the moments are: a power of ten
 *
 * Chooses unit and decimals for moments of a run, of which no digit may be lost.
 */
void
kymo_time_column_init_moments (KymoTimeColumn *self, gint64 most_ns, gint64 step_ns)
{
  guint u = 0;

  while (u < G_N_ELEMENTS (units) - 1 && units[u].ns > MAX (most_ns, 1))
    u++;
  *self = (KymoTimeColumn) { units[u].ns, CLAMP (step_ns, 1, units[u].ns) };
}

/* (transfer full): with a comma after each three digits before the point */
static char *
group_digits (const char *number)
{
  const char *digits = number + (*number == '-');
  gsize whole = strcspn (digits, ".");
  GString *text = g_string_new_len (number, digits - number);

  for (gsize i = 0; i < whole; i++)
    {
      if (i > 0 && (whole - i) % 3 == 0)
        g_string_append_c (text, ',');
      g_string_append_c (text, digits[i]);
    }
  g_string_append (text, digits + whole);
  return g_string_free (text, FALSE);
}

/**
 * kymo_time_column_format:
 * @ns: a time of the column
 *
 * Returns: (transfer full): the time in the unit of the column, "5,600.12 ms"; "< 0.01 ms" where it
 *   is above 0 and would be written as 0; "–" where it is not finite
 */
char *
kymo_time_column_format (const KymoTimeColumn *self, double ns)
{
  gboolean vanishes = ns != 0 && fabs (ns) < self->step_ns / 2.0;
  char format[8], number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *grouped = NULL;
  int decimals = 0;

  if (!isfinite (ns))
    return g_strdup ("–");
  for (gint64 part = self->unit_ns; part > self->step_ns; part /= 10)
    decimals++;
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (number, sizeof number, format,
                   (vanishes ? self->step_ns : ns) / (double) self->unit_ns);
  grouped = group_digits (number);
  return g_strdup_printf ("%s%s %s", vanishes ? "< " : "", grouped, name_of (self->unit_ns));
}
