/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys in a picture of boxes (a node of a tree, a function, a bin): arrows go from box
 * to box, as they lie in the picture; in a stack up and down within a bin, and to the
 * side along the same part of it. The box is then as if the pointer were on it and
 * had clicked. Enter is a double click, Escape and Backspace go up one step in a
 * picture that a box fills.
 *
 * The box is known by its row of the answer and its part of that (`box`, `box_part`), so
 * it is the same one wherever it lies after zooming; with another answer, by where it was.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"

/* To the side counts as much more than ahead, so that arrows go straight. */
#define SIDE_WEIGHT 4
/* Bins that a page is, and the share of the height that it is elsewhere. */
#define PAGE_BINS 10
#define PAGE_SHARE 0.9

static const KymoPlotBox *
box_at (const GArray *boxes, guint index)
{
  return &g_array_index (boxes, KymoPlotBox, index);
}

static double
middle_x (const KymoRect *rect)
{
  return rect->x + rect->width / 2;
}

static double
middle_y (const KymoRect *rect)
{
  return rect->y + rect->height / 2;
}

/** kymo_canvas_find_box: Returns: index of the box that is chosen, or -1 */
int
kymo_canvas_find_box (KymoCanvas *self, const GArray *boxes)
{
  int nearest = -1;
  double least = INFINITY;

  if (self->box < 0)
    return -1;
  for (guint i = 0; i < boxes->len; i++)
    {
      const KymoRect *rect = &box_at (boxes, i)->rect;
      double away = hypot (middle_x (rect) - self->box_x,
                           middle_y (rect) - self->box_y);

      if (self->box_answer == self->answer
          && box_at (boxes, i)->row == self->box
          && box_at (boxes, i)->part == self->box_part)
        return i;
      if (away < least)
        {
          least = away;
          nearest = i;
        }
    }
  return nearest;
}

/* How much lies between two stretches; 0 where they overlap. */
static double
gap (double a, double a_length, double b, double b_length)
{
  return MAX (MAX (b - (a + a_length), a - (b + b_length)), 0);
}

/* How far a box is from another one in the direction of an arrow; infinite where it is
   not there. */
static double
distance_canvas_boxes (const KymoRect *from, const KymoRect *to, guint key)
{
  gboolean level = key == GDK_KEY_Left || key == GDK_KEY_Right;
  double dx = middle_x (to) - middle_x (from), dy = middle_y (to) - middle_y (from);
  double side = level ? gap (from->y, from->height, to->y, to->height)
                      : gap (from->x, from->width, to->x, to->width);

  /* Boxes that touch share a line of pixels. */
  if (level && (gap (from->y + 1, from->height - 2, to->y + 1, to->height - 2) > 0
                || fabs (dx) < 0.5 || (dx < 0) != (key == GDK_KEY_Left)))
    return INFINITY;
  if (!level && (fabs (dy) < 0.5 || (dy < 0) != (key == GDK_KEY_Up)
                 || gap (from->y + 1, from->height - 2, to->y + 1,
                         to->height - 2) == 0))
    return INFINITY;
  return level ? fabs (dx) : fabs (dy) + SIDE_WEIGHT * side
                             + fabs (to->x - from->x) / 1e3;
}

static int
nearest_box (const GArray *boxes, int at, guint key)
{
  double least = INFINITY;
  int found = at;

  for (guint i = 0; i < boxes->len; i++)
    {
      double away = i == (guint) at ? INFINITY
                    : distance_canvas_boxes (&box_at (boxes, at)->rect,
                                             &box_at (boxes, i)->rect, key);

      if (away < least)
        {
          least = away;
          found = i;
        }
    }
  return found;
}

/* -- stacks --------------------------------------------------------------- */

/* Of a row the part that is wanted, else what is as high as `y`. */
static int
part_of_row (const GArray *boxes, guint row, guint part, double y)
{
  double least = INFINITY;
  int found = -1;

  for (guint i = 0; i < boxes->len; i++)
    {
      const KymoPlotBox *box = box_at (boxes, i);
      double away = fabs (middle_y (&box->rect) - y);

      if (box->row != row)
        continue;
      if (box->part == part)
        return i;
      if (away < least)
        {
          least = away;
          found = i;
        }
    }
  return found;
}

static int
part_above (const GArray *boxes, int at, gboolean up)
{
  const KymoPlotBox *from = box_at (boxes, at);
  double least = INFINITY;
  int found = at;

  for (guint i = 0; i < boxes->len; i++)
    {
      const KymoPlotBox *box = box_at (boxes, i);
      double dy = middle_y (&box->rect) - middle_y (&from->rect);

      if (box->row == from->row && i != (guint) at && (dy < 0) == up && fabs (dy) < least)
        {
          least = fabs (dy);
          found = i;
        }
    }
  return found;
}

/* The row beside; what has none stays. */
static int
part_beside (const GArray *boxes, int at, gboolean left, guint part)
{
  const KymoPlotBox *from = box_at (boxes, at), *beside = NULL;
  double least = INFINITY;

  for (guint i = 0; i < boxes->len; i++)
    {
      const KymoPlotBox *box = box_at (boxes, i);
      double dx = middle_x (&box->rect) - middle_x (&from->rect);

      if (box->row != from->row && (dx < 0) == left && fabs (dx) < least)
        {
          least = fabs (dx);
          beside = box;
        }
    }
  return beside == NULL ? at : part_of_row (boxes, beside->row, part,
                                            middle_y (&from->rect));
}

/* -- where keys lead ------------------------------------------------------ */

static int
step_to (const GArray *boxes, int at, guint key, guint part)
{
  if (at < 0)
    return 0;
  if (!box_at (boxes, at)->stacked)
    return nearest_box (boxes, at, key);
  if (key == GDK_KEY_Up || key == GDK_KEY_Down)
    return part_above (boxes, at, key == GDK_KEY_Up);
  return part_beside (boxes, at, key == GDK_KEY_Left, part);
}

/* As many steps as are in sight; in a stack, where few lie above each other, to the side. */
static int
page_to (KymoCanvas *self, const GArray *boxes, int at, gboolean back, guint part)
{
  double page = kymo_canvas_get_area (self).height * PAGE_SHARE;
  gboolean stacked = box_at (boxes, MAX (at, 0))->stacked;
  guint key = stacked ? (back ? GDK_KEY_Left : GDK_KEY_Right)
                      : (back ? GDK_KEY_Up : GDK_KEY_Down);
  int now = MAX (at, 0);

  for (guint i = 0; !stacked || i < PAGE_BINS; i++)
    {
      int next = step_to (boxes, now, key, part);

      if (next == now || (!stacked && now != at
                          && fabs (middle_y (&box_at (boxes, next)->rect)
                                   - middle_y (&box_at (boxes, MAX (at, 0))->rect)) > page))
        break;
      now = next;
    }
  return now;
}

static int
end_to (const GArray *boxes, int at, gboolean first, guint part)
{
  const KymoPlotBox *end = box_at (boxes, first ? 0 : boxes->len - 1);

  if (at < 0 || !end->stacked)
    return first ? 0 : boxes->len - 1;
  return part_of_row (boxes, end->row, part, middle_y (&box_at (boxes, at)->rect));
}

/* -- choosing ------------------------------------------------------------- */

/* Scrolls until the box is to be seen; then it lies elsewhere. */
static KymoRect
show_box (KymoCanvas *self, const KymoPlotBox *box)
{
  KymoRect area = kymo_canvas_get_area (self), rect = box->rect;
  double before = gtk_adjustment_get_value (self->vadjustment);
  double from = rect.y - area.y + before;

  if (self->row_px <= 0)
    return rect;
  gtk_adjustment_clamp_page (self->vadjustment, from, from + rect.height);
  rect.y -= gtk_adjustment_get_value (self->vadjustment) - before;
  return rect;
}

/** kymo_canvas_choose_box: as if the pointer were there, and had clicked */
void
kymo_canvas_choose_box (KymoCanvas *self, const KymoPlotBox *box)
{
  KymoRect rect = show_box (self, box), area = kymo_canvas_get_area (self);

  self->box = box->row;
  self->box_part = self->box_wanted = box->part;
  self->box_answer = self->answer;
  self->box_x = middle_x (&rect);
  self->box_y = middle_y (&rect);
  self->inside = TRUE;
  self->x = CLAMP (self->box_x, area.x, area.x + area.width - 1);
  self->y = CLAMP (self->box_y, area.y, area.y + area.height - 0.25);
  kymo_canvas_update_hit (self);
  kymo_canvas_choose_hit (self);
  kymo_canvas_update_accessible (self);
}

/** kymo_canvas_forget_box: the pointer is somewhere else now */
void
kymo_canvas_forget_box (KymoCanvas *self)
{
  if (self->box < 0)
    return;
  self->box = -1;
  self->box_wanted = KYMO_BOX_NO_PART;
  kymo_canvas_update_accessible (self);
}

/** kymo_canvas_focus_up:
 *
 * To the caller of what fills the picture, and from a root to all.
 *
 * Returns: whether anything did fill it
 */
gboolean
kymo_canvas_focus_up (KymoCanvas *self)
{
  const char *last = self->focus != NULL ? g_strrstr (self->focus, " => ") : NULL;
  g_autofree char *above = last != NULL
                           ? g_strndup (self->focus, last - self->focus) : NULL;

  if (self->focus == NULL)
    return FALSE;
  kymo_canvas_set_focus_path (self, above);
  return TRUE;
}

/* What was chosen lies elsewhere in a picture that another box fills. */
static void
follow_box (KymoCanvas *self)
{
  g_autoptr (GArray) boxes = kymo_canvas_dup_boxes (self);
  int at = boxes != NULL ? kymo_canvas_find_box (self, boxes) : -1;

  if (at >= 0)
    kymo_canvas_choose_box (self, box_at (boxes, at));
}

/* Where a key leads; -1 for one that leads nowhere. */
static int
key_to (KymoCanvas *self, const GArray *boxes, int at, guint key)
{
  switch (key)
    {
    case GDK_KEY_Left: case GDK_KEY_Right: case GDK_KEY_Up: case GDK_KEY_Down:
      return step_to (boxes, at, key, self->box_wanted);
    case GDK_KEY_Page_Up: case GDK_KEY_KP_Page_Up:
      return page_to (self, boxes, at, TRUE, self->box_wanted);
    case GDK_KEY_Page_Down: case GDK_KEY_KP_Page_Down:
      return page_to (self, boxes, at, FALSE, self->box_wanted);
    case GDK_KEY_Home: case GDK_KEY_KP_Home:
      return end_to (boxes, at, TRUE, self->box_wanted);
    case GDK_KEY_End: case GDK_KEY_KP_End:
      return end_to (boxes, at, FALSE, self->box_wanted);
    default:
      return -1;
    }
}

/* A part that the row beside has not is looked for again in the one after that. */
static void
go_to_box (KymoCanvas *self, const KymoPlotBox *box, guint key)
{
  guint wanted = self->box_wanted;

  kymo_canvas_choose_box (self, box);
  if (box->stacked && key != GDK_KEY_Up && key != GDK_KEY_Down && wanted != KYMO_BOX_NO_PART)
    self->box_wanted = wanted;
}

/* Goes into the chosen one, or out of what fills the picture. */
static gboolean
act_key (KymoCanvas *self, const GArray *boxes, int at, guint key)
{
  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && at >= 0)
    {
      kymo_canvas_choose_box (self, box_at (boxes, at));
      g_signal_emit_by_name (self, "activated", self->hit.name,
                             self->hit.location);
    }
  else if ((key != GDK_KEY_Escape && key != GDK_KEY_BackSpace)
           || !kymo_canvas_focus_up (self))
    return FALSE;
  follow_box (self);
  return TRUE;
}

static gboolean
is_of_boxes (guint key)
{
  static const guint keys[] = {
    GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Home,
    GDK_KEY_KP_Home, GDK_KEY_End, GDK_KEY_KP_End, GDK_KEY_Page_Up,
    GDK_KEY_KP_Page_Up, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, GDK_KEY_Return,
    GDK_KEY_KP_Enter, GDK_KEY_Escape, GDK_KEY_BackSpace,
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i] == key)
      return TRUE;
  return FALSE;
}

/** kymo_canvas_box_key: Returns: whether the key was one to choose with */
gboolean
kymo_canvas_box_key (KymoCanvas *self, guint key, GdkModifierType state)
{
  g_autoptr (GArray) boxes = NULL;
  int at, to;

  /* Where boxes are is found out for keys that go to them alone: that takes long. */
  if (!is_of_boxes (key)
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)))
    return FALSE;
  boxes = kymo_canvas_dup_boxes (self);
  if (boxes == NULL || boxes->len == 0)
    return FALSE;
  at = kymo_canvas_find_box (self, boxes);
  to = key_to (self, boxes, at, key);
  if (to < 0)
    return act_key (self, boxes, at, key);
  go_to_box (self, box_at (boxes, to), key);
  return TRUE;
}
