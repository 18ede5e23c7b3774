/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See run_desk.h.
 */
#include "config.h"

#include "run_desk.h"

void
desk_settle (Desk *desk)
{
  for (guint i = 0; i < 3; i++)
    desk_turn ();
  WAIT_FOR (kymo_run_view_is_settled (desk->view));
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
