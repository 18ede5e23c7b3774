/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys in a picture of boxes (a node of a tree, a function, a bin): arrows go from box
 * to box, as they lie in the picture; the box is then as if the pointer were on it and
 * had clicked. Enter is a double click, Escape and Backspace go up one step in a
 * picture that a box fills.
 *
 * The box is known by its row of the answer (`box`), so it is the same one wherever it
 * lies after zooming; with another answer, by where it was.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"

/* To the side counts as much more than ahead, so that arrows go straight. */
#define SIDE_WEIGHT 4

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

/* The box that is chosen, or -1. */
static int
find_box (KymoCanvas *self, const GArray *boxes)
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
          && box_at (boxes, i)->row == self->box)
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
distance (const KymoRect *from, const KymoRect *to, guint key)
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
step_to (const GArray *boxes, int at, guint key)
{
  double least = INFINITY;
  int found = at;

  if (at < 0)
    return 0;
  for (guint i = 0; i < boxes->len; i++)
    {
      double away = i == (guint) at ? INFINITY
                    : distance (&box_at (boxes, at)->rect,
                                &box_at (boxes, i)->rect, key);

      if (away < least)
        {
          least = away;
          found = i;
        }
    }
  return found;
}

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
  self->box_answer = self->answer;
  self->box_x = middle_x (&rect);
  self->box_y = middle_y (&rect);
  self->inside = TRUE;
  self->x = CLAMP (self->box_x, area.x, area.x + area.width - 1);
  self->y = CLAMP (self->box_y, area.y, area.y + area.height - 1);
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
  int at = boxes != NULL ? find_box (self, boxes) : -1;

  if (at >= 0)
    kymo_canvas_choose_box (self, box_at (boxes, at));
}

static gboolean
is_step (guint key)
{
  return key == GDK_KEY_Left || key == GDK_KEY_Right || key == GDK_KEY_Up
         || key == GDK_KEY_Down;
}

static gboolean
is_of_boxes (guint key)
{
  static const guint keys[] = {
    GDK_KEY_Home, GDK_KEY_KP_Home, GDK_KEY_End, GDK_KEY_KP_End, GDK_KEY_Return,
    GDK_KEY_KP_Enter, GDK_KEY_Escape, GDK_KEY_BackSpace,
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i] == key)
      return TRUE;
  return is_step (key);
}

/** kymo_canvas_box_key: Returns: whether the key was one to choose with */
gboolean
kymo_canvas_box_key (KymoCanvas *self, guint key, GdkModifierType state)
{
  g_autoptr (GArray) boxes = NULL;
  int at;

  /* Where boxes are is found out for keys that go to them alone: that takes long. */
  if (!is_of_boxes (key)
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)))
    return FALSE;
  boxes = kymo_canvas_dup_boxes (self);
  if (boxes == NULL || boxes->len == 0)
    return FALSE;
  at = find_box (self, boxes);
  if (is_step (key))
    kymo_canvas_choose_box (self, box_at (boxes, step_to (boxes, at, key)));
  else if (key == GDK_KEY_Home || key == GDK_KEY_KP_Home)
    kymo_canvas_choose_box (self, box_at (boxes, 0));
  else if (key == GDK_KEY_End || key == GDK_KEY_KP_End)
    kymo_canvas_choose_box (self, box_at (boxes, boxes->len - 1));
  else if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && at >= 0)
    {
      kymo_canvas_choose_box (self, box_at (boxes, at));
      g_signal_emit_by_name (self, "activated", self->hit.name,
                             self->hit.location);
      follow_box (self);
    }
  else if (key == GDK_KEY_Escape || key == GDK_KEY_BackSpace)
    {
      if (!kymo_canvas_focus_up (self))
        return FALSE;
      follow_box (self);
    }
  else
    return FALSE;
  return TRUE;
}
