/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run view of a stream has beside the others: the live view, and panes
 * that stand aside for it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-run-view-private.h"

/** kymo_run_view_show_marks: those of the info at hand, on all rulers */
void
kymo_run_view_show_marks (KymoRunView *self)
{
  KymoTable *marks = kymo_table_peek_nested (self->info, "marks", NULL);
  KymoTable *phases = kymo_table_peek_nested (self->info, "phases", NULL);
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  g_autoptr (GPtrArray) live = kymo_run_view_list_built (self, "live");

  for (guint i = 0; i < parts->len; i++)
    {
      kymo_desk_part_set_marks (parts->pdata[i], marks);
      if (kymo_run_view_is_exact (self))
        kymo_desk_part_set_phases (parts->pdata[i], phases);
    }
  for (guint i = 0; i < live->len; i++)
    kymo_live_view_set_marks (live->pdata[i], marks);
}

/* Whether nothing but the live view is to be seen. */
static gboolean
is_live (KymoRunView *self)
{
  return kymo_run_view_get_n_parts (self) == 1
         && g_strcmp0 (kymo_run_view_get_view (self), "live") == 0;
}

/**
 * kymo_run_view_fold:
 *
 * Shows the panes that the person wants. The live view has a legend of its
 * own, its table; a list of one location tells nothing; where there is no time no
 * block can be selected.
 */
void
kymo_run_view_fold (KymoRunView *self)
{
  gboolean legend = !self->folded[KYMO_PANE_LEGEND];
  gboolean time = kymo_run_view_has_time (self);
  g_autoptr (GPtrArray) live = kymo_run_view_list_built (self, "live");

  gtk_widget_set_visible (self->sidebar, !self->folded[KYMO_PANE_SIDEBAR]
                          && kymo_table_get_int (self->info, "locations", 0)
                             != 1);
  gtk_widget_set_visible (self->legend, legend && !is_live (self));
  for (guint i = 0; i < live->len; i++)
    kymo_live_view_show_legend (live->pdata[i], legend);
  gtk_widget_set_visible (self->details,
                          !self->folded[KYMO_PANE_DETAILS] && time);
}

/**
 * kymo_run_view_set_feed:
 * @self: the view of the feed's source
 * @feed: where it comes from
 *
 * Adds the view "live" and shows it. To be called once.
 */
void
kymo_run_view_set_feed (KymoRunView *self, KymoFeed *feed)
{
  g_return_if_fail (self->feed == NULL);
  self->feed = g_object_ref (feed);
  kymo_run_view_add_views (self);
  kymo_run_view_set_view (self, "live");
}

/** kymo_run_view_build_live: Returns: (transfer floating): the live view */
GtkWidget *
kymo_run_view_build_live (KymoRunView *self)
{
  GtkWidget *view = kymo_live_view_new (self->session, self->feed);
  GPtrArray *canvases = kymo_live_view_peek_canvases (KYMO_LIVE_VIEW (view));

  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  kymo_live_view_set_marks (KYMO_LIVE_VIEW (view),
                            kymo_table_peek_nested (self->info, "marks", NULL));
  return view;
}
