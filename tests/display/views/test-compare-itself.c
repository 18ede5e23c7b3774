/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run with itself in the window: nothing differs on any page, and among repeats of it all
 * is noise.
 */
#include "config.h"

#include <string.h>

#include "compared.h"
#include "kymo-compare-view-private.h"

/* Nothing of a list but zeros, in each of its columns that are differences. */
static void
check_zeros (const KymoTable *list)
{
  static const char *const columns[] = { "difference_ns", "noise_ns", "mean_difference_ns" };

  for (guint c = 0; list != NULL && c < G_N_ELEMENTS (columns); c++)
    {
      guint width = 0;
      const gint64 *values = kymo_table_find_column (list, columns[c]) >= 0
                             ? kymo_table_peek_ints (list, columns[c], &width) : NULL;

      for (guint i = 0; values != NULL && i < width * kymo_table_get_n_rows (list); i++)
        g_assert_true (values[i] == 0 || values[i] == KYMO_NULL_INT);
    }
}

/* On every page, whatever the scale: the pictures have nothing to show, no fact differs, and
   the headline says so. */
static void
check_pages_of_itself (Compared *desk)
{
  static const char *const pages[] = { "time", "changes", "surroundings" };
  static const char *const lists[] = { "activities", "totals", "series", "bins" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      KymoTable *answer, *facts;

      kymo_compare_view_set_page (compared_view (desk), pages[i]);
      compared_settle (desk);
      answer = kymo_compare_view_peek_answer (compared_view (desk));
      for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
        check_zeros (kymo_table_peek_nested (answer, lists[k], NULL));
      facts = kymo_table_peek_nested (answer, "facts", NULL);
      for (guint k = 0; facts != NULL && k < kymo_table_get_n_rows (facts); k++)
        g_assert_false (kymo_table_get_bool (facts, "differs", k));
      g_assert_true (!g_str_equal (pages[i], "surroundings") || facts != NULL);
    }
  kymo_compare_view_set_page (compared_view (desk), "changes");
  compared_settle (desk);
  g_assert_nonnull (desk_find (GTK_WIDGET (compared_view (desk)), GTK_TYPE_LABEL,
                               "A and B took the same: 311 ms. There are no repeated runs, so "
                               "differences cannot be told from noise."));
}

/* What repeats differ by is said to be noise: in headline and table, and beside it nothing. */
static void
test_noise (void)
{
  static const char *const paths[] = { FEAT, "=" FEAT, "=" FEAT, FEAT, NULL };
  g_autofree char *figures = NULL;
  g_auto (GStrv) lines = NULL;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  figures = compared_figures (&desk);
  lines = g_strsplit (g_strstrip (figures), "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    g_assert_true (g_str_has_suffix (lines[i], "\twithin noise"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (
    compared_view (&desk)->headline)), "differ by no more than repeats do: noise"));
  kymo_compare_view_set_page (compared_view (&desk), "time");
  compared_settle (&desk);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (
    compared_view (&desk)->headline)), "differ by no more than repeats do: noise"));
  compared_close (&desk);
}

/* With itself a run has no differences. */
static void
test_itself (void)
{
  static const char *const paths[] = { FEAT, FEAT, NULL };
  g_autofree char *figures = NULL;
  g_auto (GStrv) lines = NULL;
  Compared desk;

  compared_open (&desk, paths);
  compared_settle (&desk);
  figures = compared_figures (&desk);
  lines = g_strsplit (g_strstrip (figures), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 5);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "\t", -1);

      g_assert_cmpstr (cells[1], ==, "0");
      g_assert_cmpstr (cells[2], ==, "0 ns");
    }
  check_pages_of_itself (&desk);
  gtk_widget_activate_action (GTK_WIDGET (compared_canvas (&desk, 0)), "compare.shared", NULL);
  check_pages_of_itself (&desk);
  compared_close (&desk);
}

int
main (int argc, char **argv)
{
  desk_init (&argc, &argv);
  g_test_add_func ("/compare-itself/zeros", test_itself);
  g_test_add_func ("/compare-itself/noise", test_noise);
  return g_test_run ();
}
