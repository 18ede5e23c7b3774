/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table behind a picture of the comparison, which is that of the picture with the focus.
 * Each run has a session of its own, and a table belongs to one: with a picture of another one
 * it is made anew.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-chart-table.h"
#include "kymo-compare-view-private.h"

static gboolean
is_shown (KymoCompareView *self)
{
  return self->list != NULL;
}

static void
drop_list (KymoCompareView *self)
{
  GtkWidget *list = g_steal_pointer (&self->list);

  self->list_session = NULL;
  /* The focus, where it was in there, goes elsewhere now: no list follows it. */
  if (list != NULL)
    gtk_box_remove (GTK_BOX (self), list);
}

static gboolean
has_focus (GtkWidget *list)
{
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, list);
}

/* The focus stays where it is: in the list, where it is in the one before. */
static void
show_list (KymoCompareView *self, KymoCanvas *canvas)
{
  KymoSession *session = kymo_canvas_peek_session (canvas);
  gboolean focused = self->list != NULL && has_focus (self->list);

  if (self->list != NULL && self->list_session != session)
    drop_list (self);
  if (self->list == NULL)
    {
      self->list = kymo_chart_table_new (session);
      kymo_follow (self->list, "closed", kymo_compare_view_turn_list, self);
      self->list_session = session;
      gtk_box_insert_child_after (GTK_BOX (self), self->list, self->paned);
      kymo_chart_table_set_shown (KYMO_CHART_TABLE (self->list), TRUE);
      if (focused)
        kymo_chart_table_focus (KYMO_CHART_TABLE (self->list));
    }
  kymo_chart_table_set_canvas (KYMO_CHART_TABLE (self->list), canvas);
}

static void
on_focus (KymoCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (is_shown (self) && KYMO_IS_CANVAS (focus)
      && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    show_list (self, KYMO_CANVAS (focus));
}

/** kymo_compare_view_review_list: another page, or other pictures on it */
void
kymo_compare_view_review_list (KymoCompareView *self)
{
  KymoCanvas *canvas = is_shown (self) ? kymo_compare_view_canvas (self) : NULL;

  if (canvas != NULL)
    show_list (self, canvas);
  else if (is_shown (self))
    kymo_chart_table_set_canvas (KYMO_CHART_TABLE (self->list), NULL);
}

/** kymo_compare_view_turn_list: shown or not; a page without a picture has none */
void
kymo_compare_view_turn_list (KymoCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  KymoCanvas *canvas = kymo_compare_view_canvas (self);

  g_signal_handlers_disconnect_by_func (root, on_focus, self);
  if (is_shown (self))
    {
      drop_list (self);
      kymo_compare_view_focus (self);
      return;
    }
  if (canvas == NULL)
    {
      kymo_compare_view_say (self, _("This page is a table itself"));
      return;
    }
  show_list (self, canvas);
  kymo_chart_table_focus (KYMO_CHART_TABLE (self->list));
  kymo_follow (root, "notify::focus-widget", on_focus, self);
}
