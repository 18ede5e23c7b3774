/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that are pinned: a canvas whose rows can be pinned, by its menu and by a key, and the canvas
 * of the pinned rows alone.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-canvas-private.h"
#include "kymo-session-hover.h"
#include "kymo-session-pins.h"

/* As high as rows that are scrolled. */
#define ROW_PX 18

/**
 * kymo_canvas_set_own_rows:
 * @ids: (nullable) (transfer none) (element-type gint64): not changed afterwards
 *
 * Shows these locations alone, in this order and without groups, each in a row of a fixed height.
 */
void
kymo_canvas_set_own_rows (KymoCanvas *self, GArray *ids)
{
  if (ids == self->own_rows)
    return;
  if (ids != NULL)
    g_array_ref (ids);
  g_clear_pointer (&self->own_rows, g_array_unref);
  self->own_rows = ids;
  self->n_locations = 0;
  kymo_canvas_queue_answer (self);
  kymo_canvas_queue_paint (self);
}

/** kymo_canvas_prepare_own_rows: has a question be about the own rows, where there are some */
void
kymo_canvas_prepare_own_rows (KymoCanvas *self, KymoQuestion *question)
{
  g_autoptr (KymoIdSet) set = NULL;

  if (self->own_rows == NULL)
    return;
  set = kymo_id_set_new_list ((const gint64 *) self->own_rows->data, self->own_rows->len);
  kymo_question_set_locations (question, set);
  kymo_question_set_order (question, self->own_rows);
  kymo_question_set_groups (question, NULL);
}

/**
 * kymo_canvas_get_rows_height:
 *
 * Returns: the height of the widget in which @n own rows are seen as a whole, px
 */
int
kymo_canvas_get_rows_height (KymoCanvas *self, guint n_rows)
{
  KymoRect area;
  KymoPlotFrame frame;

  kymo_canvas_get_frame (self, &frame);
  frame.width_px = 1000;
  frame.height_px = 1000;
  area = kymo_plot_frame_area (self->klass, &frame);
  return (n_rows * ROW_PX + 1000 - area.height) * self->zoom;
}

/**
 * kymo_canvas_let_pin:
 *
 * Offers to pin rows of this canvas; to be called where somebody shows pinned rows.
 */
void
kymo_canvas_let_pin (KymoCanvas *self)
{
  self->can_pin = TRUE;
}

/**
 * kymo_canvas_may_pin:
 * @location: the first one of a row, or -1
 *
 * Returns: whether the row can be pinned: it is of one location
 */
gboolean
kymo_canvas_may_pin (KymoCanvas *self, gint64 location)
{
  return self->can_pin && location >= 0 && !kymo_canvas_is_merged (self, location);
}

static char *
dup_label (KymoCanvas *self, gint64 location)
{
  KymoTable *rows = self->answer != NULL
                    ? kymo_table_peek_nested (self->answer, "rows", NULL) : NULL;
  const guint *offsets = NULL;
  KymoTable *list = rows != NULL ? kymo_table_peek_nested (rows, "locations", &offsets) : NULL;

  for (guint row = 0; list != NULL && row < kymo_table_get_n_rows (rows); row++)
    if (offsets[row] < offsets[row + 1]
        && kymo_table_get_int (list, "location", offsets[row]) == location)
      return g_strdup (kymo_table_peek_label (rows, "label", row));
  return g_strdup_printf ("%" G_GINT64_FORMAT, location);
}

/**
 * kymo_canvas_turn_pin:
 * @location: of a row that kymo_canvas_may_pin() allows
 *
 * Pins the row, or takes the pin away, and says so.
 */
void
kymo_canvas_turn_pin (KymoCanvas *self, gint64 location)
{
  gboolean pinned = !kymo_session_is_pinned (self->session, location);
  g_autofree char *label = dup_label (self, location);
  g_autofree char *words = NULL;

  if (!kymo_session_set_pinned (self->session, location, pinned))
    words = g_strdup_printf (_("%d rows are pinned already"), KYMO_MOST_PINS);
  else if (pinned)
    words = g_strdup_printf (_("Pinned %s"), label);
  else
    words = g_strdup_printf (_("%s is no longer pinned"), label);
  g_signal_emit_by_name (self, "message", words);
}

/**
 * kymo_canvas_pin_key:
 *
 * Pins the row under the pointer, which may be in another canvas, or else that of the selected
 * block.
 *
 * Returns: whether there is such a row
 */
gboolean
kymo_canvas_pin_key (KymoCanvas *self)
{
  gint64 time_ns, location = self->inside ? kymo_canvas_location_at (self, self->y)
                             : kymo_session_get_hovered_location (self->session);

  if (location < 0 && !kymo_session_get_block (self->session, &location, &time_ns))
    return FALSE;
  if (!kymo_canvas_may_pin (self, location))
    return FALSE;
  kymo_canvas_turn_pin (self, location);
  return TRUE;
}
