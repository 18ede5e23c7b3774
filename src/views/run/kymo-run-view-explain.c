/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why some PEs stick out: a pane below the pictures that stays while one looks
 * at the instances it names.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-explain-view.h"
#include "kymo-in-terms.h"
#include "kymo-navigate.h"
#include "kymo-run-view-private.h"

/* A row that is hidden cannot be gone to. */
static void
on_go_to (KymoRunView *self, gint64 location, gint64 time_ns)
{
  if (!kymo_id_set_contains (kymo_session_peek_locations (self->session),
                             location))
    kymo_session_set_locations (self->session, NULL);
  kymo_run_view_show_view (self, "timeline");
  kymo_session_set_block (self->session, location, time_ns);
  kymo_navigate_zoom_to_block (self->session, location, time_ns);
  kymo_run_view_focus (self);
}

static void
on_close (KymoRunView *self)
{
  gtk_widget_set_visible (self->explain, FALSE);
  kymo_run_view_focus (self);
}

static GtkWidget *
build_run_view_explain (KymoRunView *self)
{
  GtkWidget *view = kymo_explain_view_new (self->session);

  g_signal_connect_object (view, "go-to", G_CALLBACK (on_go_to), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "close", G_CALLBACK (on_close), self,
                           G_CONNECT_SWAPPED);
  gtk_box_insert_child_after (GTK_BOX (self), view,
                              gtk_widget_get_prev_sibling (self->details));
  return view;
}

/**
 * kymo_run_view_explain:
 * @pes: as text, "17" or "0-3,8"
 *
 * Shows why these PEs stick out, over the visible time.
 */
void
kymo_run_view_explain (KymoRunView *self, const char *pes)
{
  g_autoptr (KymoIdSet) of = kymo_id_set_parse (pes, NULL);
  g_autofree char *title = NULL;

  if (of == NULL)
    return;
  if (self->explain == NULL)
    self->explain = build_run_view_explain (self);
  title = g_strdup_printf (
    strpbrk (pes, ",-") != NULL
    ? kymo_in_terms_of (self->session, _("Why {rows} %s stick out"))
    : kymo_in_terms_of (self->session, _("Why {row} %s sticks out")), pes);
  gtk_widget_set_visible (self->explain, TRUE);
  kymo_explain_view_set_pes (KYMO_EXPLAIN_VIEW (self->explain), of, title);
}

/**
 * kymo_run_view_explain_chosen:
 *
 * The same for the PEs that are shown, where they are not all; else for the PE
 * of the selected block.
 */
void
kymo_run_view_explain_chosen (KymoRunView *self)
{
  KymoIdSet *shown = kymo_session_peek_locations (self->session);
  g_autofree char *pes = NULL;
  gint64 location, time_ns;

  if (shown != NULL)
    pes = kymo_id_set_to_text (shown);
  else if (kymo_session_get_block (self->session, &location, &time_ns))
    pes = g_strdup_printf ("%" G_GINT64_FORMAT, location);
  if (pes != NULL)
    kymo_run_view_explain (self, pes);
  else
    kymo_run_view_say (self, kymo_in_terms_of (
      self->session, _("Choose {rows} in the list of {rows}, or a block of one, to see "
                       "why they stick out")));
}
