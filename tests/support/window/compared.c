/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "compared.h"

#include "kymo-compare-pictures.h"
#include "kymo-compare-table.h"

char *
compared_path (const char *path)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", path, NULL);
}

KymoCompareView *
compared_view (Compared *desk)
{
  return kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (desk->page));
}

void
compared_wait (Compared *desk)
{
  for (guint i = 0; i < MOST_TURNS && kymo_page_is_loading (KYMO_PAGE (desk->page)); i++)
    desk_turn ();
  g_assert_false (kymo_page_is_loading (KYMO_PAGE (desk->page)));
}

void
compared_settle (Compared *desk)
{
  guint quiet = 0;

  compared_wait (desk);
  g_assert_nonnull (compared_view (desk));
  for (guint i = 0; i < MOST_TURNS && quiet < 5; i++)
    {
      desk_turn ();
      quiet = kymo_compare_view_is_settled (compared_view (desk)) ? quiet + 1 : 0;
    }
  g_assert_cmpuint (quiet, ==, 5);
}

/* Sides in the order of the paths; a path that begins with "=" repeats the one before. */
void
compared_open (Compared *desk, const char *const *paths)
{
  *desk = (Compared) { NULL };
  desk->page = kymo_compare_page_new ();
  g_signal_connect_swapped (desk->page, "message", G_CALLBACK (desk_keep_word), &desk->said);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      gboolean repeats = *paths[i] == '=';
      g_autofree char *path = compared_path (paths[i] + repeats);

      kymo_compare_page_add (KYMO_COMPARE_PAGE (desk->page), path, NULL,
                             repeats ? kymo_compare_page_get_last_side (
                               KYMO_COMPARE_PAGE (desk->page)) : KYMO_COMPARE_APART);
    }
  desk->window = desk_present (desk->page, 1024, 640);
  kymo_compare_page_start (KYMO_COMPARE_PAGE (desk->page));
}

void
compared_close (Compared *desk)
{
  desk_clear_window (&desk->window);
  g_free (desk->said);
}

char *
compared_figures (Compared *desk)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  desk_collect (GTK_WIDGET (compared_view (desk)), KYMO_TYPE_COMPARE_TABLE, found);
  g_assert_cmpuint (found->len, ==, 2);
  /* The facts come first, the table below all pages. */
  return kymo_line_table_dup_figures (found->pdata[1]);
}

KymoSession *
compared_session (Compared *desk, guint i)
{
  return kymo_session_coupling_peek (kymo_compare_view_peek_coupling (compared_view (desk)), i);
}

KymoCanvas *
compared_canvas (Compared *desk, guint run)
{
  GtkWidget *pictures = desk_need (GTK_WIDGET (compared_view (desk)), KYMO_TYPE_COMPARE_PICTURES,
                                   NULL);

  return kymo_compare_pictures_peek (KYMO_COMPARE_PICTURES (pictures), run);
}

void
compared_act (Compared *desk, const char *action, GVariant *parameter)
{
  g_autofree char *name = g_strconcat ("compare.", action, NULL);

  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (compared_canvas (desk, 0)), name,
                                                     parameter));
}
