/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See profile-desk.h.
 */
#include "config.h"

#include "profile-desk.h"

#include <string.h>

#include "kymo-figure-table.h"

void
profile_desk_settle (ProfileDesk *desk)
{
  for (guint i = 0; i < 3; i++)
    {
      g_main_context_iteration (NULL, TRUE);
      WAIT_FOR (kymo_run_view_is_settled (desk->view));
    }
}

void
profile_desk_show (ProfileDesk *desk, const char *id)
{
  kymo_run_view_set_view (desk->view, id);
  g_assert_cmpstr (kymo_run_view_get_view (desk->view), ==, id);
  profile_desk_settle (desk);
}

void
profile_desk_open (ProfileDesk *desk, gconstpointer data)
{
  static const char *const made[] = { "thread-bars", "function",
                                      "thread-table", "icicle" };
  g_autofree char *path = g_build_filename ("tests", "data", "tau", data, NULL);
  g_autoptr (KymoTable) info = NULL;

  desk->source = desk_open_run (path);
  info = desk_ask (desk->source, "info", NULL, NULL);
  desk->session = kymo_session_new (desk->source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  /* They are made when they are first seen. */
  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    kymo_run_view_set_view (desk->view, made[i]);
  kymo_run_view_set_view (desk->view, kymo_run_view_has_view (desk->view, "timeline")
                          ? "timeline" : "thread-bars");
  desk->table = desk->view->tables->pdata[0];
  desk->window = desk_present (GTK_WIDGET (desk->view), 1100, 700);
  profile_desk_settle (desk);
}

void
profile_desk_close (ProfileDesk *desk, gconstpointer data)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
}

/* (transfer full): the lines of the table, without its head */
GStrv
profile_desk_lines (ProfileDesk *desk)
{
  g_autofree char *text = kymo_line_table_dup_figures (
    KYMO_LINE_TABLE (kymo_table_view_peek_table (desk->table)));
  char *head = strchr (text, '\n');

  g_assert_nonnull (head);
  return g_strsplit (g_strchomp (head + 1), "\n", -1);
}

char *
profile_desk_cell (const char *line, guint column)
{
  g_auto (GStrv) cells = g_strsplit (line, "\t", -1);

  g_assert_cmpuint (column, <, g_strv_length (cells));
  return g_strdup (cells[column]);
}

KymoCanvas *
profile_desk_canvas (ProfileDesk *desk, const char *id)
{
  for (guint i = 0; i < desk->view->canvases->len; i++)
    if (g_strcmp0 (kymo_canvas_get_plot (desk->view->canvases->pdata[i])->id,
                   id) == 0)
      return desk->view->canvases->pdata[i];
  g_assert_not_reached ();
}
