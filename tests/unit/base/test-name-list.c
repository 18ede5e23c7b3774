/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names as one text: whatever they hold, they come out as they went in; what people type is
 * read as they mean it.
 */
#include "config.h"

#include "kymo-name.h"

static void
test_nasty (void)
{
  static const char *const names[] = {
    "a;b", ";", "\\", "\\;", "ends in \\", "one, two", "\"quoted\"", "new\nline", "a\\b", " blank ",
    "Main::f(std::map<int;char>)", "Füße;", "'", NULL,
  };
  g_autofree char *list = kymo_name_list_join (names);
  g_auto (GStrv) again = kymo_name_list_split (list);

  g_assert_true (g_strv_equal (names, (const char *const *) again));
}

static void
test_random (void)
{
  static const char letters[] = "a;\\,\" \n;\\";

  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
      g_auto (GStrv) names = NULL, again = NULL;
      g_autofree char *list = NULL;

      for (int n = g_test_rand_int_range (0, 6); n > 0; n--)
        {
          char name[8] = { 0 };

          for (int i = g_test_rand_int_range (1, 8); i-- > 0;)
            name[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
          g_strv_builder_add (builder, name);
        }
      names = g_strv_builder_end (builder);
      list = kymo_name_list_join ((const char *const *) names);
      again = kymo_name_list_split (list);
      g_assert_true (g_strv_equal ((const char *const *) names, (const char *const *) again));
    }
}

static void
test_typed (void)
{
  static const char *const two[] = { "a", "b", NULL }, *const path[] = { "C:\\dir\\x", NULL };
  g_auto (GStrv) plain = kymo_name_list_split ("a;b"), gaps = kymo_name_list_split (";a;;b;");
  g_auto (GStrv) slashes = kymo_name_list_split ("C:\\dir\\x"), none = kymo_name_list_split (NULL);

  g_assert_true (g_strv_equal (two, (const char *const *) plain));
  g_assert_true (g_strv_equal (two, (const char *const *) gaps));
  g_assert_true (g_strv_equal (path, (const char *const *) slashes));
  g_assert_null (none[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name-list/nasty", test_nasty);
  g_test_add_func ("/name-list/random", test_random);
  g_test_add_func ("/name-list/typed", test_typed);
  return g_test_run ();
}
