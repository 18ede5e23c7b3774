/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one file of metrics that a person has typed.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "kymo-derived-metrics.h"
#include "scratch.h"

/* What was typed without a name lies in the same file; where an earlier version kept it
   is taken over once. */
static void
test_typed (void)
{
  static const char *const typed[] = { "A / B", "2 * TIME; no", NULL };
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "kymo", NULL);
  g_autofree char *old = g_build_filename (folder, "kept-metrics", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) before = NULL, after = NULL, names = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (old, "A / B\n\n C * 2\n", -1, NULL));
  before = kymo_derived_metrics_list_typed ();
  g_assert_cmpuint (g_strv_length (before), ==, 2);
  g_assert_cmpstr (before[1], ==, "C * 2");
  g_assert_true (kymo_derived_metrics_set ("ratio", "A / B", &error));
  g_assert_true (kymo_derived_metrics_set_typed (typed, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  after = kymo_derived_metrics_list_typed ();
  g_assert_true (g_strv_equal ((const char *const *) after, typed));
  names = kymo_derived_metrics_list ();
  g_assert_true (g_strv_contains ((const char *const *) names, "ratio"));
  g_assert_true (kymo_derived_metrics_set ("ratio", NULL, &error));
  g_rmdir (folder);
}

int
main (int   argc,
      char *argv[])
{
  Scratch scratch;
  int status;

  scratch_up (&scratch, NULL);
  g_setenv ("XDG_CONFIG_HOME", scratch.folder, TRUE);
  g_setenv ("XDG_STATE_HOME", scratch.folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/typed", test_typed);
  status = g_test_run ();
  scratch_down (&scratch, NULL);
  return status;
}
