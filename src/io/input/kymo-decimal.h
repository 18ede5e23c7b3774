/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in text, bit for bit what strtod() makes of them, but faster.
 *
 * A number whose digits are an integer up to 2^53, divided or multiplied by a power of
 * ten up to 10^22, is one operation on two doubles that are exact, so its result is
 * rounded right (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 * Anything else (more digits, exponents, "inf", "nan") goes to strtod() in the C locale.
 *
 * The bytes must be followed by one that ends a number (a blank, a newline or NUL), as
 * strtod() knows no length. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean kymo_decimal_scan_slowly (const char **at,
                                   const char  *end,
                                   double      *value);

extern const double kymo_decimal_powers[23];

/**
 * kymo_decimal_is_end:
 * @p: a place in the bytes
 * @end: of the bytes
 *
 * Returns: whether a number may end there: at a blank, a line break or the end
 */
static inline gboolean
kymo_decimal_is_end (const char *p,
                     const char *end)
{
  return p >= end || *p == ' ' || *p == '\n' || *p == '\t' || *p == '\r';
}

/**
 * kymo_decimal_scan:
 * @at: (inout): where to read; blanks before the number are skipped; behind the number on
 *   success
 * @end: of the bytes
 * @value: (out): the number
 *
 * Returns: whether there was a number, and a blank or the end after it; else @at may have
 *   moved over blanks
 */
static inline gboolean
kymo_decimal_scan (const char **at,
                   const char  *end,
                   double      *value)
{
  const char *p = *at, *begin;
  guint64 digits = 0;
  guint n_behind = 0, digit;
  gboolean negative;

  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  *at = p;
  negative = p < end && *p == '-';
  begin = p += negative;
  while (p < end && (digit = (guchar) *p - '0') < 10)
    {
      digits = digits * 10 + digit;
      p++;
    }
  if (p < end && *p == '.' && p > begin)
    {
      const char *point = p++;

      while (p < end && (digit = (guchar) *p - '0') < 10)
        {
          digits = digits * 10 + digit;
          p++;
        }
      n_behind = p - point - 1;
    }
  /* Up to 18 digits cannot have run over. */
  if (G_UNLIKELY (p == begin || p - begin > 18 || digits > G_GUINT64_CONSTANT (1) << 53
                  || !kymo_decimal_is_end (p, end)))
    return kymo_decimal_scan_slowly (at, end, value);
  *at = p;
  *value = n_behind > 0 ? (gint64) digits / kymo_decimal_powers[n_behind]
    : (double) (gint64) digits;
  if (negative)
    *value = -*value;
  return TRUE;
}

G_END_DECLS
