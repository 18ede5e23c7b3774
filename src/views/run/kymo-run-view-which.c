/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which views and panes a run has: that goes by what its source can answer,
 * never by its format. While a run is read it can answer less; views that come with
 * the exact run are added then.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-in-terms.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"

static const KymoViewInfo *
find_run_view_which (const char *id)
{
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (g_strcmp0 (kymo_views[i].id, id) == 0)
      return &kymo_views[i];
  return NULL;
}

/** kymo_run_view_title_of: Returns: (transfer none): in the run's own terms */
const char *
kymo_run_view_title_of (KymoRunView *self, const char *id)
{
  const KymoViewInfo *info = find_run_view_which (id);

  return info != NULL ? kymo_in_terms_of (self->session, _(info->title)) : id;
}

/* Now; "live" comes with a feed. */
static gboolean
can_be (KymoRunView *self, const KymoViewInfo *info)
{
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));

  if (g_strcmp0 (info->id, "live") == 0)
    return self->feed != NULL;
  if ((info->flags & KYMO_VIEW_OF_TIME)
      && !kymo_session_has_time (self->session))
    return FALSE;
  /* A stream is the mean of PEs. */
  if ((info->flags & KYMO_VIEW_OF_ROWS) && (can & KYMO_CAN_STREAM))
    return FALSE;
  return info->needs == 0 || (can & info->needs) != 0;
}

/** kymo_run_view_add_views: what the run can be seen in now; once it can, it can */
void
kymo_run_view_add_views (KymoRunView *self)
{
  g_autoptr (GPtrArray) parts = kymo_run_view_list_parts (self);
  guint n = 0;

  while (kymo_views[n].id != NULL)
    n++;
  if (self->known == NULL)
    self->known = g_new0 (gboolean, n);
  for (guint i = 0; i < n; i++)
    self->known[i] = self->known[i] || can_be (self, &kymo_views[i]);
  for (guint i = 0; i < parts->len; i++)
    kymo_desk_part_do_wish (parts->pdata[i]);
}

/** kymo_run_view_has_view: @id: of kymo_views */
gboolean
kymo_run_view_has_view (KymoRunView *self, const char *id)
{
  const KymoViewInfo *info = find_run_view_which (id);

  return info != NULL && self->known[info - kymo_views];
}

/** kymo_run_view_has_time: whether there is a time axis to zoom on */
gboolean
kymo_run_view_has_time (KymoRunView *self)
{
  return kymo_session_has_time (self->session);
}

/**
 * kymo_run_view_first_view:
 *
 * Returns: what is to be seen when the run opens: the first in the order of the table;
 * of a summary that is not the timeline, which could only say that there is none
 */
const char *
kymo_run_view_first_view (KymoRunView *self)
{
  KymoCapabilities can = kymo_source_get_capabilities (
    kymo_session_peek_source (self->session));

  if (kymo_session_has_time (self->session) && !(can & KYMO_CAN_ROWS))
    return "time-profile";
  for (guint i = 0; kymo_views[i].id != NULL; i++)
    if (kymo_run_view_has_view (self, kymo_views[i].id))
      return kymo_views[i].id;
  return "summary";
}
