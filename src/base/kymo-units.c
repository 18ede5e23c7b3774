/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-units.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"

#define US_NS G_GINT64_CONSTANT (1000)
#define MS_NS G_GINT64_CONSTANT (1000000)
#define S_NS G_GINT64_CONSTANT (1000000000)

/* Three significant digits, plain decimal notation. */
static char *
format_three (double      value,
              const char *unit)
{
  double a = fabs (value);
  int decimals = a >= 99.95 ? 0 : a >= 9.995 ? 1 : 2;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];

  if (a == 0)
    decimals = 0;
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (number, sizeof number, format, value);
  return g_strdup_printf ("%s %s", number, unit);
}

/**
 * kymo_format_duration:
 *
 * Returns: (transfer full): three significant digits and a unit, "1.25 ms"
 */
char *
kymo_format_duration (gint64 ns)
{
  double v = (double) ns;
  double a = fabs (v);

  if (a < 1000)
    return g_strdup_printf ("%" G_GINT64_FORMAT " ns", ns);
  if (a < 999.5e3)
    return format_three (v / 1e3, "µs");
  if (a < 999.5e6)
    return format_three (v / 1e6, "ms");
  return format_three (v / 1e9, "s");
}

/* Fills `out` with value / unit as an exact decimal without trailing zeros. */
static char *
exact_decimal (gint64      ns,
               gint64      unit,
               int         digits,
               const char *name)
{
  guint64 magnitude = ns < 0 ? -(guint64) ns : (guint64) ns;
  g_autofree char *text =
    g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT, ns < 0 ? "-" : "",
                     magnitude / unit, digits, magnitude % unit);
  char *end = text + strlen (text);

  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    *--end = '\0';
  return g_strdup_printf ("%s %s", text, name);
}

/**
 * kymo_format_duration_exact:
 *
 * Returns: (transfer full): all digits, for hover and copy: "1.250003 ms"
 */
char *
kymo_format_duration_exact (gint64 ns)
{
  gint64 a = ns == G_MININT64 ? G_MAXINT64 : ABS (ns);

  if (a < US_NS)
    return g_strdup_printf ("%" G_GINT64_FORMAT " ns", ns);
  if (a < MS_NS)
    return exact_decimal (ns, US_NS, 3, "µs");
  if (a < S_NS)
    return exact_decimal (ns, MS_NS, 6, "ms");
  return exact_decimal (ns, S_NS, 9, "s");
}

/**
 * kymo_format_time:
 * @ns: a point in time
 * @step_ns: the distance of neighbouring ticks, which decides the digits and
 *   the unit
 *
 * Returns: (transfer full): the time for an axis, "1.25 s"
 */
char *
kymo_format_time (gint64 ns,
                  gint64 step_ns)
{
  static const struct { gint64 unit; const char *name; } units[] =
    { { S_NS, "s" }, { MS_NS, "ms" }, { US_NS, "µs" }, { 1, "ns" } };
  guint u = 0;
  int decimals = 0;
  gint64 part;
  char format[8], number[G_ASCII_DTOSTR_BUF_SIZE];

  step_ns = MAX (step_ns, 1);
  while (u < 3 && step_ns * 100 < units[u].unit)
    u++;
  for (part = units[u].unit; part > step_ns || step_ns % part != 0; part /= 10)
    {
      if (part == 1)
        break;
      decimals++;
    }
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (number, sizeof number, format,
                   (double) ns / (double) units[u].unit);
  return g_strdup_printf ("%s %s", number, units[u].name);
}

/**
 * kymo_format_bytes:
 *
 * Returns: (transfer full): the size in three significant digits with a decimal unit, "1.25
 *   MB"; whole bytes below 1000
 */
char *
kymo_format_bytes (gint64 bytes)
{
  static const char *const units[] = { "kB", "MB", "GB", "TB", "PB" };
  double v = (double) bytes;
  guint u = 0;

  if (ABS (v) < 1000)
    return g_strdup_printf ("%" G_GINT64_FORMAT " B", bytes);
  for (v /= 1000; ABS (v) >= 999.5 && u + 1 < G_N_ELEMENTS (units); v /= 1000)
    u++;
  return format_three (v, units[u]);
}

/**
 * kymo_format_count:
 * @count: any number of things
 *
 * Returns: (transfer full): its digits in groups of three, "202,648"
 */
char *
kymo_format_count (gint64 count)
{
  g_autofree char *plain = g_strdup_printf ("%" G_GINT64_FORMAT, count);
  const char *digits = plain[0] == '-' ? plain + 1 : plain;
  gsize n = strlen (digits);
  GString *out = g_string_new (plain[0] == '-' ? "-" : "");

  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, digits[i]);
    }
  return g_string_free (out, FALSE);
}

/**
 * kymo_format_count_short:
 * @count: any number of things
 *
 * Returns: (transfer full): the number in four significant digits with a letter for thousands
 *   and more, for axes: "950", "12 k", "3.5 M"
 */
char *
kymo_format_count_short (double count)
{
  static const char *const units[] = { "", " k", " M", " G", " T", " P" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double v = count;
  guint u = 0;

  for (; fabs (v) >= 1000 && u + 1 < G_N_ELEMENTS (units); v /= 1000)
    u++;
  g_ascii_formatd (number, sizeof number, "%.4g", v);
  return g_strconcat (number, units[u], NULL);
}

/**
 * kymo_format_number:
 * @value: of a unit that has no words, or of none; not a number is "–"
 * @digits: significant ones, at most 17; with fewer than 5 large numbers are whole
 *
 * For people, who read no exponents: "1.25", "10,430,000", "0.0000125". Only what is beyond
 * 10^15 or below 10^-9 has one.
 *
 * Returns: (transfer full): the number with thousands grouped
 */
char *
kymo_format_number (double value, guint digits)
{
  double a = fabs (value);
  char number[G_ASCII_DTOSTR_BUF_SIZE], format[16];

  if (!isfinite (value))
    return g_strdup ("–");
  if (a >= 1000 && a < 1e15 && (digits < 5 || a == floor (a)))
    return kymo_format_count (llround (value));
  if (a > 0 && a < 1e-4 && a >= 1e-9)
    g_snprintf (format, sizeof format, "%%.%df", (int) digits - 1 - (int) floor (log10 (a)));
  else
    g_snprintf (format, sizeof format, "%%.%ug", digits);
  g_ascii_formatd (number, sizeof number, format, value);
  /* More digits before the point than are asked for, as rounding can bring, too. */
  if (a >= 1 && a < 1e15 && strchr (number, 'e') != NULL)
    return kymo_format_count (llround (value));
  return g_strdup (number);
}

/**
 * kymo_format_exact:
 * @value: any number
 *
 * Returns: (transfer full): the number for copying: as few digits as it takes to read the
 *   same number again, without groups
 */
char *
kymo_format_exact (double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.15g", value);
  if (g_ascii_strtod (number, NULL) != value)
    g_ascii_formatd (number, sizeof number, "%.17g", value);
  return g_strdup (number);
}

/**
 * kymo_format_percent:
 * @share: 0 to 1, or NaN for a share that is not known
 *
 * Returns: (transfer full): the share in percent with one decimal, "12.5 %"; "–" for NaN, and
 *   "100 %" for what rounds to it
 */
char *
kymo_format_percent (double share)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double v = share * 100;

  if (isnan (share))
    return g_strdup ("–");
  g_ascii_formatd (number, sizeof number, v >= 99.95 && v < 100.05 ? "%.0f" : "%.1f", v);
  return g_strconcat (number, " %", NULL);
}

/**
 * kymo_format_part:
 * @share: 0 to 1, or NaN for a share that is not known
 *
 * Returns: (transfer full): the share as kymo_format_percent() has it, but “< 0.1 %” for one that
 *   is too small for its digits: it is not nothing
 */
char *
kymo_format_part (double share)
{
  return share > 0 && share < 0.0005 ? g_strdup (_("< 0.1 %")) : kymo_format_percent (share);
}

/**
 * kymo_format_bound:
 * @share: that something is not above
 *
 * Returns: (transfer full): it as percent, rounded up: what is 4.52 % off is not
 * within 4.5 %
 */
char *
kymo_format_bound (double share)
{
  /* 1.8 % is no more than that, whatever 0.018 is in binary. */
  double thousandths = ceil (fmax (share * 1000 - 1e-6, 0));

  return kymo_format_percent (isfinite (share) ? thousandths / 1000 : share);
}

static gboolean
bad_time (const char  *text,
          GError     **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is not a time like 12.5ms, 3s, 250us or plain nanoseconds"), text);
  return FALSE;
}

/* Reads "12.5" exactly as integer and fraction digits, so that 0.1ms is
   100,000 ns and never 99,999. */
static gboolean
scale_decimal (const char  *text,
               gint64       unit,
               gint64      *value,
               const char **end)
{
  const char *p = text;
  gboolean negative = FALSE;
  gint64 whole = 0, fraction = 0, place = unit;
  guint digits = 0;

  if (*p == '-' || *p == '+')
    negative = *p++ == '-';
  for (; g_ascii_isdigit (*p); p++, digits++)
    if (__builtin_mul_overflow (whole, 10, &whole)
        || __builtin_add_overflow (whole, *p - '0', &whole))
      return FALSE;
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p); p++, digits++)
      {
        place /= 10;
        fraction += place * (*p - '0');
      }
  if (digits == 0 || __builtin_mul_overflow (whole, unit, &whole)
      || __builtin_add_overflow (whole, fraction, &whole))
    return FALSE;
  *value = negative ? -whole : whole;
  *end = p;
  return TRUE;
}

/**
 * kymo_parse_time:
 * @text: `12.5ms`, `3s`, `250us`, `2min`; plain digits are nanoseconds
 * @ns: (out): the time
 *
 * Returns: whether @text is a time; else a usage error is set
 */
gboolean
kymo_parse_time (const char  *text,
                 gint64      *ns,
                 GError     **error)
{
  static const struct { const char *name; gint64 unit; } units[] =
    { { "", 1 }, { "ns", 1 }, { "us", US_NS }, { "µs", US_NS }, { "ms", MS_NS },
      { "s", S_NS }, { "min", 60 * S_NS }, { "h", 3600 * S_NS } };
  g_autofree char *clean = g_strstrip (g_strdup (text));
  const char *suffix = clean;

  while (*suffix == '-' || *suffix == '+' || *suffix == '.' || g_ascii_isdigit (*suffix))
    suffix++;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *word = g_strstrip (g_strdup (suffix));
      const char *end;

      if (strcmp (word, units[i].name) != 0)
        continue;
      if (!scale_decimal (clean, units[i].unit, ns, &end) || end != suffix)
        break;
      return TRUE;
    }
  return bad_time (text, error);
}

/**
 * kymo_parse_span:
 * @text: `1.15s..1.40s`; an end that is missing is open
 * @span: (out): the range; untouched on failure
 *
 * Reads a time range. %KYMO_ERROR_USAGE is set for text of another form, for times that
 * cannot be read, and for a range that does not end after its begin.
 *
 * Returns: %TRUE if @span is set
 */
gboolean
kymo_parse_span (const char  *text,
                 KymoSpan    *span,
                 GError     **error)
{
  const char *dots = strstr (text, "..");
  g_autofree char *first = NULL;
  KymoSpan out = KYMO_SPAN_ALL;

  if (dots == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("“%s” is not a range like 1.15s..1.40s"), text);
      return FALSE;
    }
  first = g_strndup (text, dots - text);
  if (*g_strstrip (first) != '\0' && !kymo_parse_time (first, &out.begin_ns, error))
    return FALSE;
  if (dots[2] != '\0' && !kymo_parse_time (dots + 2, &out.end_ns, error))
    return FALSE;
  if (out.end_ns <= out.begin_ns)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The range “%s” ends before it begins"), text);
      return FALSE;
    }
  *span = out;
  return TRUE;
}

/**
 * kymo_parse_size:
 * @text: `512M`, `2GiB`, `100kB` or plain bytes; letters in either case
 * @bytes: (out): the size
 *
 * Reads a size. Units of one letter and those with an i are powers of 1024, kB, MB and GB
 * powers of 1000. %KYMO_ERROR_USAGE is set for any other text.
 *
 * Returns: %TRUE if @bytes is set
 */
gboolean
kymo_parse_size (const char  *text,
                 gint64      *bytes,
                 GError     **error)
{
  static const struct { const char *name; gint64 unit; } units[] =
    { { "", 1 }, { "b", 1 }, { "k", 1 << 10 }, { "kib", 1 << 10 }, { "kb", 1000 },
      { "m", 1 << 20 }, { "mib", 1 << 20 }, { "mb", 1000000 },
      { "g", 1 << 30 }, { "gib", 1 << 30 }, { "gb", 1000000000 },
      { "t", G_GINT64_CONSTANT (1) << 40 }, { "tib", G_GINT64_CONSTANT (1) << 40 } };
  g_autofree char *clean = g_ascii_strdown (text, -1);
  const char *suffix = g_strstrip (clean);

  while (*suffix == '.' || g_ascii_isdigit (*suffix))
    suffix++;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      const char *end;

      if (strcmp (suffix, units[i].name) == 0
          && scale_decimal (clean, units[i].unit, bytes, &end) && end == suffix)
        return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is not a size like 512M or 2GiB"), text);
  return FALSE;
}

/**
 * kymo_nice_step:
 *
 * Returns: the smallest of 1, 2, 5 times a power of ten that cuts @span into
 * at most @max_ticks steps
 */
double
kymo_nice_step (double span,
                guint  max_ticks)
{
  double raw = span / MAX (max_ticks, 1);
  double power;

  if (!(raw > 0))
    return 1;
  power = pow (10, floor (log10 (raw)));
  for (guint i = 0; i < 4; i++)
    {
      static const double factors[] = { 1, 2, 5, 10 };

      if (raw <= power * factors[i] * (1 + 1e-12))
        return power * factors[i];
    }
  return power * 10;
}

/**
 * kymo_nice_time_step:
 * @span_ns: length of an axis
 * @max_ticks: most ticks on the axis
 *
 * Returns: the distance of ticks in whole nanoseconds (kymo_nice_step()); at least 1
 */
gint64
kymo_nice_time_step (gint64 span_ns,
                     guint  max_ticks)
{
  return MAX (1, llround (kymo_nice_step ((double) span_ns, max_ticks)));
}

/**
 * kymo_elide_middle:
 *
 * Returns: (transfer full): @text, or its beginning and end around an ellipsis
 * so that it has @max_chars characters
 */
char *
kymo_elide_middle (const char *text,
                   guint       max_chars)
{
  glong n = g_utf8_strlen (text, -1);
  guint head, tail;
  const char *rest;

  if (n <= (glong) max_chars || max_chars < 3)
    return g_strdup (text);
  head = (max_chars - 1 + 1) / 2;
  tail = max_chars - 1 - head;
  rest = g_utf8_offset_to_pointer (text, n - tail);
  return g_strdup_printf ("%.*s…%s",
                          (int) (g_utf8_offset_to_pointer (text, head) - text), text, rest);
}
