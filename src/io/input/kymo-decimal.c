/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-decimal.h"

#include <locale.h>
#include <stdlib.h>

const double kymo_decimal_powers[23] = {
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static locale_t
c_locale (void)
{
  static gsize made;

  if (g_once_init_enter (&made))
    g_once_init_leave (&made, (gsize) newlocale (LC_ALL_MASK, "C", (locale_t) 0));
  return (locale_t) made;
}

/**
 * kymo_decimal_scan_slowly:
 * @at: (inout): the first byte of the number; behind it on success
 * @end: of the bytes
 * @value: (out): the number
 *
 * Reads a number by strtod() in the C locale; for kymo_decimal_scan(), and to compare it
 * with.
 *
 * Returns: whether there was a number, and a blank or the end after it
 */
gboolean
kymo_decimal_scan_slowly (const char **at,
                          const char  *end,
                          double      *value)
{
  char *behind = NULL;
  double found;

  if (*at >= end || kymo_decimal_is_end (*at, end))
    return FALSE;
  found = strtod_l (*at, &behind, c_locale ());
  if (behind == *at || behind > end || !kymo_decimal_is_end (behind, end))
    return FALSE;
  *at = behind;
  *value = found;
  return TRUE;
}
