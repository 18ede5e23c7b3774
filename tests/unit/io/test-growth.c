/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a folder that is followed is like before and after something happens to its files.
 */
#include "config.h"

#include "kymo-file-stamp.h"

#include <glib/gstdio.h>
#include <utime.h>


static KymoGrowth
look (const char *path)
{
  g_autoptr (GError) error = NULL;
  KymoGrowth growth;

  g_assert_true (kymo_growth_look (path, &growth, &error));
  g_assert_no_error (error);
  return growth;
}

static void
put (const char *path,
     const char *text,
     gint64      age_s)
{
  gint64 time_s = g_get_real_time () / G_USEC_PER_SEC - age_s;
  struct utimbuf times = { time_s, time_s };

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_utime (path, &times), ==, 0);
}

static void
test_fingerprint (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-test-XXXXXX", NULL);
  g_autofree char *a = g_build_filename (folder, "a.trc", NULL);
  g_autofree char *b = g_build_filename (folder, "b.trc", NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  KymoGrowth growth[6];

  put (a, "1", 5000);
  growth[0] = look (folder);
  g_assert_cmpuint (look (a).fingerprint, ==, growth[0].fingerprint);
  g_assert_cmpuint (look (folder).fingerprint, ==, growth[0].fingerprint);
  put (a, "12", 5000);
  growth[1] = look (folder);
  put (a, "12", 4000);
  growth[2] = look (folder);
  put (b, "12", 4000);
  growth[3] = look (folder);
  g_assert_cmpint (g_unlink (a), ==, 0);
  growth[4] = look (folder);
  g_assert_cmpint (g_rename (b, a), ==, 0);
  growth[5] = look (folder);
  for (guint i = 0; i < G_N_ELEMENTS (growth); i++)
    g_assert_true (g_hash_table_add (seen, g_memdup2 (&growth[i].fingerprint, 8)));
  g_unlink (a);
  g_rmdir (folder);
}

/* A time far ahead is that of a clock which was put right since. */
static void
test_age (void)
{
  g_autofree char *folder = g_dir_make_tmp ("kymo-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "a.trc", NULL);
  KymoGrowth growth;

  put (file, "1", 0);
  g_assert_true (look (folder).recent);
  put (file, "1", KYMO_GROWTH_S - 30);
  g_assert_true (look (folder).recent);
  put (file, "1", KYMO_GROWTH_S + 30);
  g_assert_false (look (folder).recent);
  put (file, "1", -3600);
  g_assert_false (look (folder).recent);
  g_unlink (file);
  g_assert_false (look (folder).recent);
  g_rmdir (folder);
  g_assert_false (kymo_growth_look (folder, &growth, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growth/fingerprint", test_fingerprint);
  g_test_add_func ("/growth/age", test_age);
  return g_test_run ();
}
