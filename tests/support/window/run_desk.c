/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See run_desk.h.
 */
#include "config.h"

#include "kymo-session-profile.h"
#include "kymo-view-modes.h"
#include "run_desk.h"

void
desk_settle (Desk *desk)
{
  for (guint i = 0; i < 3; i++)
    desk_turn ();
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
}

void
desk_resize (Desk *desk, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (desk->window), width, height);
  WAIT_FOR (gtk_widget_get_width (desk->window) == width
            && gtk_widget_get_height (desk->window) == height);
  desk_settle (desk);
}

void
desk_open (Desk *desk, gconstpointer path)
{
  g_autoptr (KymoTable) info = NULL;

  desk->source = desk_open_run (path != NULL ? path : "data/sample");
  info = desk_ask (desk->source, "info", NULL, NULL);
  desk->session = kymo_session_new (desk->source);
  desk->view = KYMO_RUN_VIEW (kymo_run_view_new (desk->session, info));
  g_signal_connect_swapped (desk->view, "message", G_CALLBACK (desk_keep_word), &desk->said);
  desk->window = desk_present (GTK_WIDGET (desk->view), 1500, 900);
  desk_settle (desk);
}

void
desk_close (Desk *desk, gconstpointer path)
{
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
  g_clear_pointer (&desk->said, g_free);
}

/* -- pictures ------------------------------------------------------------- */

/* The first function that took any time. */
static void
choose_function (Desk *desk)
{
  gboolean time = kymo_session_has_time (desk->session);
  g_autoptr (KymoTable) answer = desk_ask (desk->source, time ? "profile" : "thread", NULL,
                                           NULL);
  KymoTable *list = kymo_table_peek_nested (answer, time ? "activities" : "functions", NULL);
  const char *kind, *name;

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      kind = kymo_table_get_string (list, "kind", i);
      name = kymo_table_get_string (list, "name", i);
      if (kind == NULL || g_str_equal (kind, "entry") || g_str_equal (kind, "function"))
        {
          kymo_session_set_function (desk->session, name);
          return;
        }
    }
}

/* What is in sight of the current part. */
static void
look_at_view (Desk *desk, DeskLook look, GHashTable *seen, GHashTable *plots)
{
  g_autoptr (GPtrArray) canvases = NULL;

  desk_settle (desk);
  canvases = g_ptr_array_copy (desk->view->canvases, NULL, NULL);
  for (guint i = 0; i < canvases->len; i++)
    {
      KymoCanvas *canvas = canvases->pdata[i];
      KymoTable *answer = kymo_canvas_peek_answer (canvas);

      if (answer == NULL || !gtk_widget_get_mapped (GTK_WIDGET (canvas))
          || !gtk_widget_is_ancestor (GTK_WIDGET (canvas), GTK_WIDGET (desk->view->current))
          || g_hash_table_lookup (seen, canvas) == answer)
        continue;
      g_hash_table_insert (seen, canvas, kymo_table_ref (answer));
      if (look (desk, canvas))
        g_hash_table_add (plots, (gpointer) kymo_canvas_get_plot (canvas)->id);
    }
}

GHashTable *
desk_each_picture (Desk *desk, DeskLook look)
{
  GHashTable *plots = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (NULL, NULL, NULL,
                                                       (GDestroyNotify) kymo_table_unref);

  choose_function (desk);
  for (const KymoViewInfo *info = kymo_views; info->id != NULL; info++)
    if (kymo_run_view_has_view (desk->view, info->id))
      {
        kymo_run_view_set_view (desk->view, info->id);
        look_at_view (desk, look, seen, plots);
      }
  for (const KymoViewMode *mode = kymo_view_modes; mode->view != NULL; mode++)
    if (kymo_run_view_has_view (desk->view, mode->view))
      {
        kymo_run_view_set_view (desk->view, mode->view);
        kymo_run_view_set_mode (desk->view, mode->mode);
        look_at_view (desk, look, seen, plots);
      }
  return plots;
}
