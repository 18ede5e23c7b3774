/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Headers of groups beside the rows of a timeline: a click folds and unfolds, and
 * so do keys: plus and minus, Right and Left where the pointer is on a header, and
 * with Shift wherever it is, then for the row of the selected block, or that under
 * the pointer, or the first in sight. With Control as well for all groups.
 *
 * Arrow keys go from block to block along a row, and from row to row at the same time. A row of
 * several locations has the blocks of all of them, in the order in which they begin.
 */
#include "config.h"

#include "kymo-navigate.h"
#include "kymo-session-rows.h"
#include "kymo-timeline-canvas.h"

static void
fold_canvas_headers (KymoCanvas *canvas, gint64 group, gboolean folded)
{
  if (group >= 0)
    kymo_session_fold_group (canvas->session, (guint) group, folded);
}

/** kymo_timeline_canvas_click_header: whether a header was clicked, which is turned */
gboolean
kymo_timeline_canvas_click_header (KymoCanvas *canvas)
{
  KymoRowGroups *groups = kymo_session_peek_groups (canvas->session);
  gint64 group = canvas->clicked.group;

  if (group < 0 || groups == NULL || group >= kymo_row_groups_get_n (groups))
    return FALSE;
  fold_canvas_headers (canvas, group, !kymo_row_groups_peek (groups, (guint) group)->folded);
  return TRUE;
}

/* The row that keys are about. */
static gint
row_of_keys (KymoCanvas *canvas, const KymoTimeline *timeline)
{
  double at = (canvas->y - timeline->area.y + timeline->frame->scroll_px) / timeline->row_px
              - timeline->first_row;
  guint first, end;
  gint64 location, time_ns;
  gint row = -1;

  if (kymo_session_get_block (canvas->session, &location, &time_ns))
    row = kymo_timeline_canvas_row_of (timeline->rows, location);
  if (row < 0 && canvas->inside && at >= 0 && at < timeline->n_rows)
    row = (gint) at;
  kymo_timeline_visible (timeline, &first, &end);
  return row >= 0 ? row : (gint) first;
}

/* The group around that row which is to be folded, or unfolded: of those that are
   shown the innermost. */
static gint64
group_of_keys (KymoCanvas *canvas)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gint64 group = -1;

  if (timeline != NULL)
    {
      gint found = kymo_timeline_group_of_row (timeline, row_of_keys (canvas, timeline));

      if (found >= 0)
        group = kymo_table_get_int (timeline->groups, "group", found);
    }
  return group;
}

/* Folding what is folded already folds the group around it. */
static void
fold_row (KymoCanvas *canvas, gboolean folded)
{
  KymoRowGroups *groups = kymo_session_peek_groups (canvas->session);
  gint64 group = group_of_keys (canvas);

  /* The picture may still be of other groups than the session has by now. */
  if (group >= (gint64) kymo_row_groups_get_n (groups))
    return;
  while (folded && group >= 0 && kymo_row_groups_peek (groups, (guint) group)->folded)
    group = kymo_row_groups_peek (groups, (guint) group)->parent;
  fold_canvas_headers (canvas, group, folded);
}

static gboolean
header_key (KymoCanvas *canvas, guint key, GdkModifierType state)
{
  gboolean folds = key == GDK_KEY_Left || key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract;
  gboolean unfolds = key == GDK_KEY_Right || key == GDK_KEY_plus || key == GDK_KEY_KP_Add
                     || key == GDK_KEY_equal;
  gboolean arrow = key == GDK_KEY_Left || key == GDK_KEY_Right;
  GdkModifierType held = state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK
                                  | GDK_SUPER_MASK);

  if ((!folds && !unfolds) || canvas->answer == NULL
      || kymo_session_peek_groups (canvas->session) == NULL)
    return FALSE;
  if (arrow && held == (GDK_SHIFT_MASK | GDK_CONTROL_MASK))
    kymo_session_fold_from (canvas->session, folds ? 0 : G_MAXUINT);
  else if (arrow && held == GDK_SHIFT_MASK)
    fold_row (canvas, folds);
  else if (!arrow && (held & ~GDK_SHIFT_MASK) == 0 && canvas->inside && canvas->hit.group >= 0)
    fold_canvas_headers (canvas, canvas->hit.group, folds);
  else
    return FALSE;
  return TRUE;
}

/* -- arrows --------------------------------------------------------------- */

static void
step_row (KymoCanvas *canvas, const KymoTimeline *timeline, int step)
{
  gint64 location, time_ns;
  int row;

  if (!kymo_session_get_block (canvas->session, &location, &time_ns))
    return;
  row = kymo_timeline_canvas_row_of (timeline->rows, location);
  if (row < 0)
    {
      kymo_timeline_canvas_show_block (KYMO_TIMELINE_CANVAS (canvas));
      return;
    }
  row += step;
  if (row < 0 || row >= (int) timeline->n_rows)
    return;
  location = kymo_timeline_location (timeline, row);
  if (location >= 0)
    kymo_session_set_block (canvas->session, location, time_ns);
}

/* Without a selected block the row to begin with is the first in sight. A block whose row
   is not at hand is stepped from along its location. */
static void
step_block (KymoCanvas *canvas, const KymoTimeline *timeline,
            const char *direction)
{
  g_autoptr (KymoIdSet) merged = NULL;
  gint64 location, time_ns;
  guint first, end;
  int row;

  kymo_timeline_visible (timeline, &first, &end);
  if (!kymo_session_get_block (canvas->session, &location, &time_ns))
    location = kymo_timeline_location (timeline, first);
  if (location < 0)
    return;
  row = kymo_timeline_canvas_row_of (timeline->rows, location);
  if (row >= 0 && !kymo_timeline_canvas_is_single (timeline->rows, row))
    merged = kymo_timeline_canvas_dup_locations (timeline->rows, row, row + 1, NULL);
  kymo_navigate_step (canvas->session, location, merged, direction, NULL, NULL);
}

/* Up and Down need a selected block. */
static gboolean
arrow_key (KymoCanvas *canvas, guint key)
{
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  gboolean vertical = key == GDK_KEY_Up || key == GDK_KEY_Down;
  gint64 location, time_ns;

  if (timeline == NULL
      || (vertical && !kymo_session_get_block (canvas->session, &location, &time_ns)))
    return FALSE;
  if (vertical)
    step_row (canvas, timeline, key == GDK_KEY_Up ? -1 : 1);
  else
    step_block (canvas, timeline, key == GDK_KEY_Left ? "previous" : "next");
  return TRUE;
}

static gboolean
is_arrow (guint key)
{
  return key == GDK_KEY_Left || key == GDK_KEY_Right || key == GDK_KEY_Up
         || key == GDK_KEY_Down;
}

/** kymo_timeline_canvas_key: Returns: whether the key folds, or steps to another block */
gboolean
kymo_timeline_canvas_key (KymoCanvas *canvas, guint key, GdkModifierType state)
{
  return header_key (canvas, key, state)
         || (is_arrow (key) && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0
             && arrow_key (canvas, key));
}
