/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-go-to-place.h.
 */
#include "config.h"

#include "kymo-go-to-place.h"

#include "kymo-bookmarks.h"
#include "kymo-run-view-private.h"
#include "kymo-session-profile.h"
#include "kymo-view-modes.h"

/**
 * kymo_place_free:
 * @data: a #KymoPlace that was allocated with g_new()
 *
 * Frees the place with its name and its target; a view mode is not owned.
 */
void
kymo_place_free (gpointer data)
{
  KymoPlace *place = data;

  g_free (place->name);
  g_clear_pointer (&place->target, g_variant_unref);
  g_free (place);
}

/**
 * kymo_place_go_to_location:
 * @location: row of the timeline
 *
 * Shows the timeline view and selects the block on @location at the time of the selected block,
 * where that is visible, else in the middle of the visible range. A selected range is cleared.
 */
void
kymo_place_go_to_location (KymoRunView *view, gint64 location)
{
  KymoSpan range = kymo_session_get_range (view->session);
  gint64 old, time_ns;

  if (!kymo_session_get_block (view->session, &old, &time_ns)
      || time_ns < range.begin_ns || time_ns >= range.end_ns)
    time_ns = range.begin_ns + kymo_span_length (range) / 2;
  kymo_run_view_show_view (view, "timeline");
  kymo_session_set_selection (view->session, NULL);
  kymo_session_set_block (view->session, location, time_ns);
}

/** kymo_place_go_to_time: how much is visible stays */
void
kymo_place_go_to_time (KymoRunView *view, gint64 time_ns)
{
  KymoSpan full = kymo_session_get_full_range (view->session);
  gint64 length = kymo_span_length (kymo_session_get_range (view->session));
  KymoSpan range;

  range.begin_ns = CLAMP (time_ns - length / 2, full.begin_ns,
                          full.end_ns - length);
  range.end_ns = range.begin_ns + length;
  kymo_session_set_range (view->session, range, TRUE);
}

/* Without a time axis a name is a function to choose, a number a thread. */
static void
choose_of_profile (KymoRunView *view, const KymoPlace *place)
{
  g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT, place->location);

  if (place->kind == KYMO_PLACE_NAME)
    kymo_session_set_function (view->session, place->name);
  else
    kymo_session_set_thread (view->session, of);
  kymo_run_view_show_view (view, place->kind == KYMO_PLACE_NAME ? "function"
                                                          : "thread-table");
}

static void
show_rows (KymoRunView *view, const char *which)
{
  g_autoptr (KymoIdSet) set = which != NULL ? kymo_id_set_parse (which, NULL) : NULL;

  kymo_session_set_locations (view->session, set);
}

/**
 * kymo_place_go:
 * @place: read here, not kept
 *
 * Goes to the place: selects a block, sets the visible range, shows a view or rows, or activates
 * an action. Without a time axis a name chooses a function and a location a thread. The run view
 * gets the keyboard focus, except after an action, a function or a thread.
 */
void
kymo_place_go (KymoRunView *view, const KymoPlace *place)
{
  if (!kymo_run_view_has_time (view)
      && (place->kind == KYMO_PLACE_NAME || place->kind == KYMO_PLACE_LOCATION))
    {
      choose_of_profile (view, place);
      return;
    }
  switch (place->kind)
    {
    case KYMO_PLACE_LOCATION:
      kymo_place_go_to_location (view, place->location);
      break;
    case KYMO_PLACE_TIME:
      kymo_place_go_to_time (view, place->span.begin_ns);
      break;
    case KYMO_PLACE_RANGE:
      kymo_session_set_range (view->session, place->span, TRUE);
      break;
    case KYMO_PLACE_NAME:
      kymo_run_view_show_view (view, "timeline");
      kymo_run_view_find_named (view, place->name, "next", TRUE);
      break;
    case KYMO_PLACE_ROWS:
      show_rows (view, place->name);
      break;
    case KYMO_PLACE_ACTION:
      gtk_widget_activate_action_variant (GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view))),
                                          place->name, place->target);
      return;
    case KYMO_PLACE_VIEW:
      kymo_run_view_show_view (view, place->name);
      if (place->mode != NULL)
        kymo_run_view_set_mode (view, place->mode);
      break;
    case KYMO_PLACE_BOOKMARK:
      if (place->location < kymo_session_count_bookmarks (view->session))
        kymo_session_go_to_bookmark (view->session, place->location);
      break;
    }
  kymo_run_view_focus (view);
}
