/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The desk of a run kept and taken back: what the session knows, and which views
 * stand where.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-run-view-keep.h"
#include "kymo-run-view-private.h"
#include "kymo-session-desk.h"

/**
 * kymo_run_view_keep:
 * @desk: a new one
 *
 * Where the run lies is its page's to fill.
 */
void
kymo_run_view_keep (KymoRunView *self, KymoDesk *desk)
{
  kymo_session_keep (self->session, desk);
  desk->n_locations = kymo_table_get_int (self->info, "locations", 0);
  desk->layout = kymo_run_view_dup_layout (self);
  desk->view = g_strdup (kymo_run_view_get_view (self));
  if (self->search_text != NULL && *self->search_text != '\0')
    desk->search = g_strdup (self->search_text);
  for (guint i = 0; i < KYMO_DESK_N_PANES; i++)
    desk->panes[i] = !self->folded[i];
}

/** kymo_run_view_restore_layout: which views; a run that lacks one shows another */
void
kymo_run_view_restore_layout (KymoRunView *self, const KymoDesk *desk)
{
  if ((desk->layout == NULL || !kymo_run_view_set_layout (self, desk->layout))
      && desk->view != NULL)
    kymo_run_view_set_view (self, desk->view);
}

/**
 * kymo_run_view_restore:
 *
 * All but views and panes; of an exact run. What the run can not nobody asked for
 * now, so clusters and extrapolating are wishes.
 *
 * Returns: (transfer full): what was left out, in words, NULL-terminated
 */
char **
kymo_run_view_restore (KymoRunView *self, const KymoDesk *desk)
{
  char **left_out = kymo_session_restore (self->session, desk, self->info);

  self->wants_by_class = desk->by_class > 0;
  self->wants_extrapolates = desk->extrapolates > 0;
  kymo_run_view_do_wishes (self);
  return left_out;
}

/** kymo_run_view_start_fresh: as when a run is opened for the first time */
void
kymo_run_view_start_fresh (KymoRunView *self)
{
  self->wants_by_class = self->wants_extrapolates = FALSE;
  kymo_session_start_fresh (self->session);
  kymo_run_view_search (self, "", FALSE);
  kymo_run_view_set_layout (self, kymo_run_view_first_view (self));
}
