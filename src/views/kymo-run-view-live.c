/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run view of a stream has beside the others: the live view, and panes
 * that stand aside for it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-ruler.h"
#include "kymo-run-view-private.h"

/** kymo_run_view_show_marks: those of the info at hand, on all rulers */
void
kymo_run_view_show_marks (KymoRunView *self)
{
  KymoTable *marks = kymo_table_peek_nested (self->info, "marks", NULL);

  kymo_ruler_set_marks (KYMO_RULER (self->ruler), marks);
  if (self->live != NULL)
    kymo_live_view_set_marks (self->live, marks);
}

/** kymo_run_view_is_live: whether the live view is to be seen */
gboolean
kymo_run_view_is_live (KymoRunView *self)
{
  return self->live != NULL
         && adw_view_stack_get_visible_child (self->stack)
            == GTK_WIDGET (self->live);
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

  gtk_widget_set_visible (self->sidebar, !self->folded[KYMO_PANE_SIDEBAR]
                          && kymo_table_get_int (self->info, "locations", 0)
                             != 1);
  gtk_widget_set_visible (self->legend, legend
                                        && !kymo_run_view_is_live (self));
  if (self->live != NULL)
    kymo_live_view_show_legend (self->live, legend);
  gtk_widget_set_visible (self->details,
                          !self->folded[KYMO_PANE_DETAILS] && time);
  kymo_run_view_fold_beside (self);
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
  GtkWidget *view;
  GPtrArray *canvases;

  g_return_if_fail (self->live == NULL);
  view = kymo_live_view_new (self->session, feed);
  self->live = KYMO_LIVE_VIEW (view);
  canvases = kymo_live_view_peek_canvases (self->live);
  for (guint i = 0; i < canvases->len; i++)
    kymo_run_view_adopt (self, canvases->pdata[i]);
  kymo_run_view_show_marks (self);
  adw_view_stack_add_titled (self->stack, view, "live", _("Live"));
  kymo_run_view_set_view (self, "live");
}
