/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What becomes text: figures with their units, and names that are safe to show.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-safe-text.h"
#include "kymo-time-column.h"
#include "kymo-units.h"

#define assert_text(expression, expected)                               \
  G_STMT_START {                                                        \
    g_autofree char *text_ = (expression);                              \
    g_assert_cmpstr (text_, ==, expected);                              \
  } G_STMT_END

static void
test_durations (void)
{
  assert_text (kymo_format_duration (0), "0 ns");
  assert_text (kymo_format_duration (999), "999 ns");
  assert_text (kymo_format_duration (1250), "1.25 µs");
  assert_text (kymo_format_duration (12500000), "12.5 ms");
  assert_text (kymo_format_duration (1250000000), "1.25 s");
  assert_text (kymo_format_duration_exact (1250003), "1.250003 ms");
  assert_text (kymo_format_duration_exact (-1250003), "-1.250003 ms");
  assert_text (kymo_format_duration_exact (2000000000), "2 s");
}

/* Of no unit: never an exponent for what a person can read. */
static void
test_numbers (void)
{
  assert_text (kymo_format_number (0, 3), "0");
  assert_text (kymo_format_number (10429312.53, 4), "10,429,313");
  assert_text (kymo_format_number (-1234.5, 3), "-1,235");
  assert_text (kymo_format_number (12.345, 3), "12.3");
  assert_text (kymo_format_number (999.8, 3), "1,000");
  assert_text (kymo_format_number (1234567.5, 6), "1,234,568");
  assert_text (kymo_format_number (0.0000125, 3), "0.0000125");
  assert_text (kymo_format_number (NAN, 3), "–");
  assert_text (kymo_format_number (1e18, 3), "1e+18");
  assert_text (kymo_format_exact (10429312.53), "10429312.53");
  assert_text (kymo_format_exact (0.1), "0.1");
  assert_text (kymo_format_exact (1.0 / 3), "0.33333333333333331");
}

static void
test_counts (void)
{
  assert_text (kymo_format_count (0), "0");
  assert_text (kymo_format_count (999), "999");
  assert_text (kymo_format_count (202648), "202,648");
  assert_text (kymo_format_count (-1234567), "-1,234,567");
  assert_text (kymo_format_bytes (999), "999 B");
  assert_text (kymo_format_bytes (1500000), "1.50 MB");
  assert_text (kymo_format_percent (1), "100 %");
  assert_text (kymo_format_percent (NAN), "–");
  assert_text (kymo_format_percent (0.125), "12.5 %");
  assert_text (kymo_format_bound (0.0452), "4.6 %");
  assert_text (kymo_format_bound (0.018), "1.8 %");
  assert_text (kymo_format_bound (0.32), "32.0 %");
  assert_text (kymo_format_bound (1), "100 %");
  assert_text (kymo_format_bound (0), "0.0 %");
  assert_text (kymo_format_bound (NAN), "–");
}

/* Below each other: one unit, and as many digits as the least needs, but no more than six. */
static void
test_time_column (void)
{
  KymoTimeColumn column;

  kymo_time_column_init (&column, 28e3, 743e3);
  assert_text (kymo_time_column_format (&column, 743e3), "743 µs");
  assert_text (kymo_time_column_format (&column, 28e3), "28 µs");
  kymo_time_column_init (&column, 6e3, 5600123e3);
  assert_text (kymo_time_column_format (&column, 5600123e3), "5,600.12 ms");
  assert_text (kymo_time_column_format (&column, -5600123e3), "-5,600.12 ms");
  assert_text (kymo_time_column_format (&column, 6e3), "0.01 ms");
  assert_text (kymo_time_column_format (&column, 2e3), "< 0.01 ms");
  assert_text (kymo_time_column_format (&column, 0), "0.00 ms");
  assert_text (kymo_time_column_format (&column, NAN), "–");
  kymo_time_column_init (&column, 3e3, 99.2e6);
  assert_text (kymo_time_column_format (&column, 99.2e6), "99.200 ms");
  kymo_time_column_init (&column, 1.2e9, 7.25e9);
  assert_text (kymo_time_column_format (&column, 7.25e9), "7.25 s");
  kymo_time_column_init (&column, INFINITY, 0);
  assert_text (kymo_time_column_format (&column, 0), "0 ns");
  kymo_time_column_init_moments (&column, G_GINT64_CONSTANT (2110000000), 1000);
  assert_text (kymo_time_column_format (&column, 164771000), "0.164771 s");
}

static void
check_time (const char *text, gint64 expected)
{
  g_autoptr (GError) error = NULL;
  gint64 ns = -1;
  g_assert_true (kymo_parse_time (text, &ns, &error));
  g_assert_no_error (error);
  g_assert_cmpint (ns, ==, expected);
}

static void
test_parse_time (void)
{
  static const char *const bad[] = { "", "x", "1x", "1.2.3ms", "ms", "1-2s",
    "99999999999999999999", "9999999999h", "nan", "0x10", "1e3s", "--1" };
  check_time ("12", 12);
  check_time ("12.5ms", 12500000);
  check_time ("0.1ms", 100000);
  check_time ("3s", 3000000000);
  check_time ("250us", 250000);
  check_time (" 250 µs ", 250000);
  check_time ("-1ms", -1000000);
  check_time ("2min", G_GINT64_CONSTANT (120000000000));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 ns;
      g_assert_false (kymo_parse_time (bad[i], &ns, &error));
      g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
    }
}

static void
test_parse_size (void)
{
  gint64 bytes;
  g_assert_true (kymo_parse_size ("512M", &bytes, NULL));
  g_assert_cmpint (bytes, ==, 512 << 20);
  g_assert_true (kymo_parse_size ("100kB", &bytes, NULL));
  g_assert_cmpint (bytes, ==, 100000);
  g_assert_false (kymo_parse_size ("99999999999T", &bytes, NULL));
  g_assert_false (kymo_parse_size ("M", &bytes, NULL));
}

static void
test_parse_span (void)
{
  KymoSpan span;
  g_assert_true (kymo_parse_span ("1.15s..1.40s", &span, NULL));
  g_assert_cmpint (span.begin_ns, ==, 1150000000);
  g_assert_cmpint (span.end_ns, ==, 1400000000);
  g_assert_true (kymo_parse_span ("..3us", &span, NULL));
  g_assert_cmpint (span.begin_ns, ==, G_MININT64);
  g_assert_false (kymo_parse_span ("3us..1us", &span, NULL));
  g_assert_false (kymo_parse_span ("3us", &span, NULL));
}

/* Whatever the tick distance, the ticks must be even and few enough. */
static void
test_nice_steps (void)
{
  for (gint64 span = 1; span < G_MAXINT64 / 10; span = span * 3 + 1)
    {
      gint64 step = kymo_nice_time_step (span, 10);
      g_assert_cmpint (step, >=, 1);
      g_assert_cmpint (span / step, <=, 10);
    }
  g_assert_cmpfloat (kymo_nice_step (1.0, 10), >, 0);
}

static void
test_elide (void)
{
  assert_text (kymo_elide_middle ("short", 10), "short");
  g_autofree char *text = kymo_elide_middle ("äöüäöüäöüäöüäöü", 7);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (text, -1), <=, 7);
}

static void
assert_safe (const char *text, const char *expected)
{
  g_autofree char *safe = kymo_safe_text_dup (text);

  g_assert_cmpstr (safe, ==, expected);
  g_assert_cmpint (kymo_safe_text_is_safe (text), ==, g_str_equal (text, expected));
}

static void
test_safe_text (void)
{
  assert_safe ("", "");
  assert_safe ("Größe → 中文 ‍👩", "Größe → 中文 ‍👩");
  assert_safe ("\033[31m\n\t\177", "␛[31m␊␉␡");
  assert_safe ("a\302\233b\342\200\256c", "a�b�c");          /* U+009B, U+202E */
  assert_safe ("\342\200\250\342\201\251\330\234", "���");   /* U+2028, U+2069, U+061C */
  assert_safe ("\233[2J\303", "�[2J�");                        /* no UTF-8 */
  assert_safe ("\300\200\355\240\200", "�����");              /* too long; half a pair */
}

static void
assert_json (const char *text, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  kymo_safe_text_append_json (out, text);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_safe_json (void)
{
  assert_json ("a\"b\\c/", "\"a\\\"b\\\\c/\"");
  assert_json ("\033\n\177", "\"\\u001b\\u000a\\u007f\"");
  assert_json ("é\302\233\342\200\256", "\"é\\u009b\\u202e\"");
  assert_json ("\233x", "\"�x\"");
}

static void
assert_csv (const char *text, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  kymo_safe_text_append_csv (out, text);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_safe_csv (void)
{
  assert_csv ("", "");
  assert_csv ("a, \"b\"", "\"a, \"\"b\"\"\"");
  assert_csv ("=1+2", "'=1+2");
  assert_csv ("@SUM(1,2)", "\"'@SUM(1,2)\"");
  assert_csv ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0");
  assert_csv ("＝1", "'＝1");
  assert_csv ("a=1", "a=1");
  assert_csv ("-1.5e-3", "-1.5e-3");
  assert_csv ("+7", "+7");
  assert_csv ("-1-2", "'-1-2");
  assert_csv ("-", "'-");
  assert_csv ("-inf", "'-inf");
  assert_csv ("\t=1\r2", "␉=1␍2");
  assert_csv ("a\nb", "\"a\nb\"");
  assert_csv ("\n=1", "\"'\n=1\"");
}

/* Whatever the bytes: safe, valid, and the same when made safe again. */
static void
test_safe_random (void)
{
  static const char *const pieces[] = {
    "a", "\033", "\n", "é", "\302\233", "\342\200\256", "\233", "\360\237", "\"", "=", "\177",
  };

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GString) lines = NULL;

      for (int n = g_test_rand_int_range (0, 20); n > 0; n--)
        if (g_test_rand_int_range (0, 4) == 0)
          g_string_append_c (text, g_test_rand_int_range (1, 256));
        else
          g_string_append (text, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);

      g_autofree char *once = kymo_safe_text_dup (text->str);

      g_assert_true (g_utf8_validate (once, -1, NULL));
      g_assert_true (kymo_safe_text_is_safe (once));
      lines = g_string_new_len (text->str, text->len);
      kymo_safe_text_clean (lines, "\n");
      g_strdelimit (text->str, "\n", 'x');
      g_free (once);
      once = kymo_safe_text_dup (text->str);
      g_strdelimit (lines->str, "\n", 'x');
      g_assert_cmpstr (lines->str, ==, once);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/units/durations", test_durations);
  g_test_add_func ("/units/counts", test_counts);
  g_test_add_func ("/units/numbers", test_numbers);
  g_test_add_func ("/units/time-column", test_time_column);
  g_test_add_func ("/units/parse-time", test_parse_time);
  g_test_add_func ("/units/parse-size", test_parse_size);
  g_test_add_func ("/units/parse-span", test_parse_span);
  g_test_add_func ("/units/nice-steps", test_nice_steps);
  g_test_add_func ("/units/elide", test_elide);
  g_test_add_func ("/safe-text/known", test_safe_text);
  g_test_add_func ("/safe-text/json", test_safe_json);
  g_test_add_func ("/safe-text/csv", test_safe_csv);
  g_test_add_func ("/safe-text/random", test_safe_random);
  return g_test_run ();
}
