/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Headers of groups beside the rows of a timeline: a click folds and unfolds, and
 * so do keys: plus and minus, Right and Left where the pointer is on a header, and
 * with Shift wherever it is, then for the row of the selected block, or that under
 * the pointer, or the first in sight. With Control as well for all groups.
 */
#include "config.h"

#include "kymo-canvas-private.h"
#include "kymo-navigate.h"
#include "kymo-session-rows.h"

static void
fold_canvas_headers (KymoCanvas *self, gint64 group, gboolean folded)
{
  if (group >= 0)
    kymo_session_fold_group (self->session, (guint) group, folded);
}

/** kymo_canvas_click_header: whether a header was clicked, which is turned */
gboolean
kymo_canvas_click_header (KymoCanvas *self)
{
  KymoRowGroups *groups = kymo_session_peek_groups (self->session);
  gint64 group = self->clicked.group;

  if (group < 0 || groups == NULL || group >= kymo_row_groups_get_n (groups))
    return FALSE;
  fold_canvas_headers (self, group, !kymo_row_groups_peek (groups, (guint) group)->folded);
  return TRUE;
}

/* The row that keys are about. */
static gint
row_of_keys (KymoCanvas *self, const KymoTimeline *timeline)
{
  double at = (self->y - timeline->area.y + timeline->frame->scroll_px) / timeline->row_px
              - timeline->first_row;
  guint first, end;
  gint64 location, time_ns;
  gint row = -1;

  if (kymo_session_get_block (self->session, &location, &time_ns))
    row = kymo_canvas_row_of (timeline->rows, location);
  if (row < 0 && self->inside && at >= 0 && at < timeline->n_rows)
    row = (gint) at;
  kymo_timeline_visible (timeline, &first, &end);
  return row >= 0 ? row : (gint) first;
}

/* The group around that row which is to be folded, or unfolded: of those that are
   shown the innermost. */
static gint64
group_of_keys (KymoCanvas *self)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  gint64 group = -1;

  if (timeline != NULL)
    {
      gint found = kymo_timeline_group_of_row (timeline, row_of_keys (self, timeline));

      if (found >= 0)
        group = kymo_table_get_int (timeline->groups, "group", found);
    }
  return group;
}

/* Folding what is folded already folds the group around it. */
static void
fold_row (KymoCanvas *self, gboolean folded)
{
  KymoRowGroups *groups = kymo_session_peek_groups (self->session);
  gint64 group = group_of_keys (self);

  /* The picture may still be of other groups than the session has by now. */
  if (group >= (gint64) kymo_row_groups_get_n (groups))
    return;
  while (folded && group >= 0 && kymo_row_groups_peek (groups, (guint) group)->folded)
    group = kymo_row_groups_peek (groups, (guint) group)->parent;
  fold_canvas_headers (self, group, folded);
}

/** kymo_canvas_header_key: whether it was one of folding */
gboolean
kymo_canvas_header_key (KymoCanvas *self, guint key, GdkModifierType state)
{
  gboolean folds = key == GDK_KEY_Left || key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract;
  gboolean unfolds = key == GDK_KEY_Right || key == GDK_KEY_plus || key == GDK_KEY_KP_Add
                     || key == GDK_KEY_equal;
  gboolean arrow = key == GDK_KEY_Left || key == GDK_KEY_Right;
  GdkModifierType held = state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK
                                  | GDK_SUPER_MASK);

  if ((!folds && !unfolds) || self->answer == NULL
      || !kymo_canvas_is_timeline (self)
      || kymo_session_peek_groups (self->session) == NULL)
    return FALSE;
  if (arrow && held == (GDK_SHIFT_MASK | GDK_CONTROL_MASK))
    kymo_session_fold_from (self->session, folds ? 0 : G_MAXUINT);
  else if (arrow && held == GDK_SHIFT_MASK)
    fold_row (self, folds);
  else if (!arrow && (held & ~GDK_SHIFT_MASK) == 0 && self->inside && self->hit.group >= 0)
    fold_canvas_headers (self, self->hit.group, folds);
  else
    return FALSE;
  return TRUE;
}

/* -- arrows --------------------------------------------------------------- */

static void
step_row (KymoCanvas *self, const KymoTimeline *timeline, int step)
{
  gint64 location, time_ns;
  int row;

  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return;
  row = kymo_canvas_row_of (timeline->rows, location);
  if (row < 0)
    {
      kymo_canvas_show_block (self);
      return;
    }
  row += step;
  if (row < 0 || row >= (int) timeline->n_rows)
    return;
  location = kymo_timeline_location (timeline, row);
  if (location >= 0)
    kymo_session_set_block (self->session, location, time_ns);
}

/* Without a selected block the row to begin with is the first in sight. A block whose row
   is not at hand is stepped from along its location. */
static void
step_block (KymoCanvas *self, const KymoTimeline *timeline,
            const char *direction)
{
  g_autoptr (KymoIdSet) merged = NULL;
  gint64 location, time_ns;
  guint first, end;
  int row;

  kymo_timeline_visible (timeline, &first, &end);
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    location = kymo_timeline_location (timeline, first);
  if (location < 0)
    return;
  row = kymo_canvas_row_of (timeline->rows, location);
  if (row >= 0 && !kymo_canvas_is_single_row (timeline->rows, row))
    merged = kymo_canvas_dup_locations (timeline->rows, row);
  kymo_navigate_step (self->session, location, merged, direction, NULL, NULL);
}

/**
 * kymo_canvas_arrow:
 * @key: GDK_KEY_Left, Right, Up or Down
 *
 * Returns: whether the picture has blocks to step along; %FALSE for Up and
 *   Down without a selected block
 */
gboolean
kymo_canvas_arrow (KymoCanvas *self, guint key)
{
  const KymoTimeline *timeline = kymo_canvas_peek_timeline (self);
  gboolean vertical = key == GDK_KEY_Up || key == GDK_KEY_Down;

  if (!kymo_canvas_is_timeline (self) || self->answer == NULL
      || (vertical && !kymo_session_get_block (self->session, &(gint64) { 0 },
                                               &(gint64) { 0 })))
    return FALSE;
  if (timeline != NULL && vertical)
    step_row (self, timeline, key == GDK_KEY_Up ? -1 : 1);
  else if (timeline != NULL)
    step_block (self, timeline, key == GDK_KEY_Left ? "previous" : "next");
  return timeline != NULL;
}
