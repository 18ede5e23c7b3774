/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in text, the fast way: bit for bit what strtod() says, of numbers printed in
 * every way that profiles have, and of strings of digits and signs that are none.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "kymo-decimal.h"

#define ROUNDS 200000

static void
compare (const char *text)
{
  const char *end = text + strlen (text), *fast = text, *slow = text;
  double a = 0, b = 0;
  gboolean is_a = kymo_decimal_scan (&fast, end, &a);
  gboolean is_b = kymo_decimal_scan_slowly (&slow, end, &b);

  if (is_a != is_b || (is_a && (fast != slow || memcmp (&a, &b, sizeof a) != 0)))
    g_error ("“%s”: %d %.17g, and slowly %d %.17g", text, is_a, a, is_b, b);
}

static void
test_printed (void)
{
  static const char *const forms[] = { "%.16G", "%.17g", "%.0f", "%.3f", "%.10f", "%g", "%.1e" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  char text[400];

  for (guint i = 0; i < ROUNDS; i++)
    {
      const char *form = forms[g_rand_int_range (rand, 0, G_N_ELEMENTS (forms))];
      double value = g_rand_double (rand);

      for (int k = g_rand_int_range (rand, 0, 20); k > 0; k--)
        value *= g_rand_boolean (rand) ? 9.7 : 0.3;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      snprintf (text, sizeof text, form, g_rand_int (rand) % 4 == 0 ? -value : value);
#pragma GCC diagnostic pop
      compare (text);
    }
}

static void
test_made (void)
{
  static const char letters[] = "0123456789012345678901234567890123456789...-+eExnaif";
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  char text[32];

  for (guint i = 0; i < ROUNDS; i++)
    {
      guint n = g_rand_int_range (rand, 1, 24);

      for (guint k = 0; k < n; k++)
        text[k] = letters[g_rand_int_range (rand, 0, sizeof letters - 1)];
      text[n] = '\0';
      compare (text);
    }
}

static void
test_known (void)
{
  static const char *const texts[] = {
    "0", "-0", "9007199254740992", "9007199254740993", "0.1", "0.30000000000000004", "5.", ".5",
    "1E+300", "INF", "-inf", "nan", "NAN", "4.9e-324", "1.7976931348623157e308", "-", ".", "1.2.3",
    "209.6156523227692", "123456789012345678", "1234567890123456789", "0x1p3", "+3", "1e", "",
  };
  const char *at = "  42 17\n", *end = at + 8;
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    compare (texts[i]);
  g_assert_true (kymo_decimal_scan (&at, end, &value) && value == 42);
  g_assert_true (kymo_decimal_scan (&at, end, &value) && value == 17);
  g_assert_false (kymo_decimal_scan (&at, end, &value));
  at = "17";
  g_assert_true (kymo_decimal_scan (&at, at + 1, &value) && value == 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decimal/printed", test_printed);
  g_test_add_func ("/decimal/made", test_made);
  g_test_add_func ("/decimal/known", test_known);
  return g_test_run ();
}
