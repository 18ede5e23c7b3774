/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Markers moved with keys: to the next edge of a block, or the one before.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-session-selected.h"

typedef struct
{
  KymoSession *session;
  guint        which;
  int          step;
} Step;

static void
on_edges (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Step *step = data;
  g_autoptr (KymoSession) session = step->session;
  g_autoptr (KymoTable) edges = kymo_source_ask_finish (KYMO_SOURCE (source),
                                                        result, NULL);

  if (edges != NULL && kymo_table_get_bool (edges, "found", 0))
    kymo_session_move_marker (session, step->which, kymo_table_get_int (
                                edges, step->step < 0 ? "before_ns"
                                                      : "after_ns", 0));
}

/* The row of the selected block, of the pointer, or the first one. */
static gint64
location_of_edges (KymoCanvas *self)
{
  gint64 location, time_ns;

  if (kymo_session_get_block (self->session, &location, &time_ns))
    return location;
  location = self->inside ? kymo_canvas_location_at (self, self->y) : -1;
  if (location < 0)
    location = kymo_canvas_location_at (self, kymo_canvas_get_area (self).y
                                              + 2);
  return location;
}

/**
 * kymo_canvas_step_marker:
 * @step: 1 for the next edge, -1 for the one before
 *
 * Moves the marker that was set last.
 */
void
kymo_canvas_step_marker (KymoCanvas *self, int step)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("edges");
  gint64 time_ns = 0, location = location_of_edges (self);
  guint which = kymo_session_get_marker (self->session, 1, &time_ns) ? 1 : 0;
  Step *data;

  if ((which == 0 && !kymo_session_get_marker (self->session, 0, &time_ns))
      || location < 0)
    return;
  data = g_new (Step, 1);
  *data = (Step) { g_object_ref (self->session), which, step };
  kymo_question_set_int (question, "location", location);
  /* At an edge itself the one before is the begin of what ends there. */
  kymo_question_set_int (question, "time", step < 0 ? time_ns - 1 : time_ns);
  kymo_source_ask_async (kymo_session_peek_source (self->session), question,
                         NULL, on_edges, data);
}
