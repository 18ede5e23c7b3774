/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing PEs in a picture that has places: click, Shift or Ctrl and click,
 * a rubber band, and the same with keys. The canvas keeps what is chosen and
 * tells its owner ("picked"); what that means for the session the owner knows.
 *
 * Invariant: `picks` is NULL or not empty. The cursor is where keys go on
 * from, the anchor where a range that Shift makes begins; both are locations,
 * -1 for none, for places change with every answer.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-order.h"
#include "kymo-theme.h"

#define PAGE_STEP 10
/* More outlines than these are thin, or they would hide what they mark. */
#define MOST_THICK 64
#define LEAST_PX 4
/* The middle of a line that is clear of what it marks. */
#define BESIDE_PX 2
#define ARROW_PX 6.0

/* -- places --------------------------------------------------------------- */

/* (transfer full): where something can be chosen now; NULL for nowhere. */
static GArray *
places_of (KymoCanvas *self)
{

  if (self->klass->places == NULL || self->answer == NULL
      || self->failure != NULL)
    return NULL;
  return self->klass->places (kymo_canvas_peek_picture (self));
}

static const KymoPlotPlace *
place_at (const GArray *places, guint index)
{
  return &g_array_index (places, KymoPlotPlace, index);
}

static int
find_place (const GArray *places, gint64 location)
{
  for (guint i = 0; location >= 0 && i < places->len; i++)
    if (place_at (places, i)->location == location)
      return i;
  return -1;
}

/* A picture of clusters may not say which PE it is about. */
static int
find_hit (const GArray *places, const KymoPlotHit *hit)
{
  int index = find_place (places, hit->location);

  for (guint i = 0; index < 0 && hit->cluster >= 0 && i < places->len; i++)
    if (place_at (places, i)->cluster == hit->cluster)
      index = i;
  return index;
}

/* Where there is little room several PEs are one bar, or dot: they are chosen
   together, and keys go from bar to bar. */
static gboolean
is_same_place (const GArray *places, guint a, guint b)
{
  const KymoRect *x = &place_at (places, a)->rect;
  const KymoRect *y = &place_at (places, b)->rect;

  return x->x == y->x && x->y == y->y && x->width == y->width
         && x->height == y->height;
}

/* -- what is chosen ------------------------------------------------------- */

/** kymo_canvas_peek_picks: (nullable): the chosen PEs; %NULL is none */
KymoIdSet *
kymo_canvas_peek_picks (KymoCanvas *self)
{
  return self->picks;
}

/** kymo_canvas_set_picks: @picks: (nullable) (transfer none): not told of */
void
kymo_canvas_set_picks (KymoCanvas *self, KymoIdSet *picks)
{
  if (picks == self->picks)
    return;
  if (picks != NULL)
    kymo_id_set_ref (picks);
  g_clear_pointer (&self->picks, kymo_id_set_unref);
  self->picks = picks;
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_set_cursor: @location: where keys go on from, or -1; a range
 * that Shift makes goes on where it is the same */
void
kymo_canvas_set_cursor (KymoCanvas *self, gint64 location)
{
  if (self->cursor != location)
    self->cursor = self->anchor = location;
}

/**
 * kymo_canvas_get_cursor:
 *
 * Returns: the location where keys go on from, or -1
 */
gint64
kymo_canvas_get_cursor (KymoCanvas *self)
{
  return self->cursor;
}

/* Of the places those that are wanted, and tells the owner. */
static void
pick (KymoCanvas *self, const GArray *places, const gboolean *wanted,
      gint64 cluster, gboolean activated)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoIdSet) picks = NULL;

  for (guint i = 0; i < places->len; i++)
    if (wanted[i])
      g_array_append_val (ids, place_at (places, i)->location);
  g_array_sort (ids, kymo_compare_ints);
  if (ids->len > 0)
    picks = kymo_id_set_new_list ((const gint64 *) ids->data, ids->len);
  kymo_canvas_set_picks (self, picks);
  kymo_canvas_update_accessible (self);
  g_signal_emit_by_name (self, "picked", cluster, activated);
}

static gboolean *
wanted_now (KymoCanvas *self, const GArray *places)
{
  gboolean *wanted = g_new0 (gboolean, MAX (places->len, 1));

  for (guint i = 0; self->picks != NULL && i < places->len; i++)
    wanted[i] = kymo_id_set_contains (self->picks,
                                      place_at (places, i)->location);
  return wanted;
}

static void
pick_none (KymoCanvas *self)
{
  kymo_canvas_set_picks (self, NULL);
  kymo_canvas_set_cursor (self, -1);
  g_signal_emit_by_name (self, "picked", (gint64) -1, FALSE);
}

static void
want_place (const GArray *places, guint index, gboolean want,
            gboolean *wanted)
{
  for (guint i = 0; i < places->len; i++)
    if (is_same_place (places, i, index))
      wanted[i] = want;
}

/* One place alone; with Shift all from the anchor to it, with Ctrl it joins
   those that are chosen, or leaves them. */
static void
pick_place (KymoCanvas *self, const GArray *places, guint index,
            GdkModifierType state)
{
  const KymoPlotPlace *place = place_at (places, index);
  int anchor = find_place (places, self->anchor);
  g_autofree gboolean *wanted = NULL;

  if ((state & GDK_SHIFT_MASK) && anchor >= 0)
    {
      wanted = g_new0 (gboolean, places->len);
      for (guint i = MIN ((guint) anchor, index);
           i <= MAX ((guint) anchor, index); i++)
        wanted[i] = TRUE;
      want_place (places, anchor, TRUE, wanted);
      want_place (places, index, TRUE, wanted);
    }
  else if (state & GDK_CONTROL_MASK)
    {
      wanted = wanted_now (self, places);
      want_place (places, index, !wanted[index], wanted);
      self->anchor = place->location;
    }
  else
    {
      wanted = g_new0 (gboolean, places->len);
      want_place (places, index, TRUE, wanted);
      self->anchor = place->location;
    }
  self->cursor = place->location;
  pick (self, places, wanted, place->cluster, FALSE);
}

/** kymo_canvas_pick_one: of all @places that of an index, alone */
void
kymo_canvas_pick_one (KymoCanvas *self, const GArray *places, guint index)
{
  pick_place (self, places, index, 0);
}

/* -- pointer -------------------------------------------------------------- */

/**
 * kymo_canvas_pick_click:
 * @n_press: 2 for a double click
 * @state: Shift and Ctrl
 *
 * Returns: whether the picture is one to choose in
 */
gboolean
kymo_canvas_pick_click (KymoCanvas *self, int n_press, GdkModifierType state)
{
  g_autoptr (GArray) places = places_of (self);
  int index;

  if (places == NULL)
    return self->klass->places != NULL;
  index = find_hit (places, &self->clicked);
  if (index < 0 && n_press == 1)
    pick_none (self);
  else if (index >= 0 && n_press == 1)
    pick_place (self, places, index, state);
  else if (index >= 0 && n_press == 2)
    g_signal_emit_by_name (self, "picked", place_at (places, index)->cluster,
                           TRUE);
  return TRUE;
}

/* A bar stands on its axis, and its whole column is it; a dot is a dot. */
static gboolean
is_in_band (const KymoPlotPlace *place, const KymoRect *area,
            const KymoRect *band)
{
  const KymoRect *rect = &place->rect;
  gboolean bar = rect->y + rect->height >= area->y + area->height - 1;

  return rect->x <= band->x + band->width && band->x <= rect->x + rect->width
         && (bar || (rect->y <= band->y + band->height
                     && band->y <= rect->y + rect->height));
}

/** kymo_canvas_band: the rubber band from where it was begun to the pointer */
KymoRect
kymo_canvas_band (KymoCanvas *self)
{
  return (KymoRect) { MIN (self->drag_x, self->x), MIN (self->drag_y, self->y),
                      fabs (self->x - self->drag_x),
                      fabs (self->y - self->drag_y) };
}

/** kymo_canvas_pick_in: @extend: beside what is chosen */
void
kymo_canvas_pick_in (KymoCanvas *self, const KymoRect *band, gboolean extend)
{
  g_autoptr (GArray) places = places_of (self);
  g_autofree gboolean *wanted = NULL;
  KymoRect area = kymo_canvas_get_area (self);

  if (places == NULL)
    return;
  wanted = extend ? wanted_now (self, places)
                  : g_new0 (gboolean, MAX (places->len, 1));
  for (guint i = 0; i < places->len; i++)
    if (is_in_band (place_at (places, i), &area, band))
      {
        wanted[i] = TRUE;
        self->cursor = self->anchor = place_at (places, i)->location;
      }
  pick (self, places, wanted, -1, FALSE);
}

/* -- keys ----------------------------------------------------------------- */

/* Moves by a number of bars, or back; stops at the last one. */
static int
step_from (const GArray *places, int at, int step)
{
  for (int left = ABS (step); left > 0; left--)
    {
      int next = at;

      while (next >= 0 && next < (int) places->len
             && is_same_place (places, next, at))
        next += step < 0 ? -1 : 1;
      if (next < 0 || next >= (int) places->len)
        break;
      at = next;
    }
  return at;
}

/* Where a key leads from the place `at`, which is -1 without one. */
static gboolean
step_to (const GArray *places, guint key, int at, int *to)
{
  int step = 0, last = (int) places->len - 1;

  switch (key)
    {
    case GDK_KEY_Left: case GDK_KEY_Up:
      step = -1;
      break;
    case GDK_KEY_Right: case GDK_KEY_Down:
      step = 1;
      break;
    case GDK_KEY_Page_Up:
      step = -PAGE_STEP;
      break;
    case GDK_KEY_Page_Down:
      step = PAGE_STEP;
      break;
    case GDK_KEY_Home: case GDK_KEY_KP_Home:
      at = step = 0;
      break;
    case GDK_KEY_End: case GDK_KEY_KP_End:
      at = last;
      break;
    default:
      return FALSE;
    }
  *to = at < 0 ? (step < 0 ? last : 0) : step_from (places, at, step);
  return TRUE;
}

static gboolean
pick_all (KymoCanvas *self, const GArray *places)
{
  g_autofree gboolean *wanted = g_new (gboolean, places->len);

  for (guint i = 0; i < places->len; i++)
    wanted[i] = TRUE;
  pick (self, places, wanted, -1, FALSE);
  return TRUE;
}

/* Enter shows what is chosen; Space chooses more, or less. */
static gboolean
act_key (KymoCanvas *self, const GArray *places, guint key, int at)
{
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    {
      if (self->picks == NULL)
        return FALSE;
      g_signal_emit_by_name (self, "picked",
                             at >= 0 ? place_at (places, at)->cluster : -1,
                             TRUE);
      return TRUE;
    }
  if (key != GDK_KEY_space || at < 0)
    return FALSE;
  pick_place (self, places, at, GDK_CONTROL_MASK);
  return TRUE;
}

/** kymo_canvas_pick_key: Returns: whether the key was one to choose with */
gboolean
kymo_canvas_pick_key (KymoCanvas *self, guint key, GdkModifierType state)
{
  g_autoptr (GArray) places = places_of (self);
  GdkModifierType with = state & (GDK_CONTROL_MASK | GDK_ALT_MASK
                                  | GDK_SUPER_MASK);
  int at, to;

  if (places == NULL || places->len == 0)
    return FALSE;
  at = find_place (places, self->cursor);
  if (with == GDK_CONTROL_MASK && gdk_keyval_to_lower (key) == GDK_KEY_a)
    return pick_all (self, places);
  if (with != 0)
    return FALSE;
  if (key == GDK_KEY_Escape && self->picks != NULL)
    {
      pick_none (self);
      return TRUE;
    }
  if (!step_to (places, key, at, &to))
    return act_key (self, places, key, at);
  pick_place (self, places, to, state & GDK_SHIFT_MASK);
  return TRUE;
}

/* -- words ---------------------------------------------------------------- */

/**
 * kymo_canvas_dup_picked_words:
 *
 * Returns: (transfer full) (nullable): the words of each chosen
 *   place, as if the pointer were there
 */
char *
kymo_canvas_dup_picked_words (KymoCanvas *self)
{
  g_autoptr (GArray) places = places_of (self);
  GString *text;
  int before = -1;

  if (places == NULL || self->picks == NULL || self->klass->hit == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < places->len; i++)
    {
      const KymoPlotPlace *place = place_at (places, i);
      KymoPlotHit hit = { .location = -1 };

      if (!kymo_id_set_contains (self->picks, place->location)
          || (before >= 0 && is_same_place (places, before, i)))
        continue;
      before = i;
      if (self->klass->hit (kymo_canvas_peek_picture (self),
                            place->rect.x + place->rect.width / 2,
                            place->rect.y + place->rect.height / 2, &hit)
          && hit.text != NULL)
        g_string_append_printf (text, "%s\n", hit.text);
      kymo_plot_hit_clear (&hit);
    }
  return g_string_free (text, text->len == 0);
}

/* -- painting ------------------------------------------------------------- */

static void
add_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}

/* Down to the point. */
static void
add_arrow (cairo_t *cr, double x, double y)
{
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - ARROW_PX / 2, y - ARROW_PX);
  cairo_line_to (cr, x + ARROW_PX / 2, y - ARROW_PX);
  cairo_close_path (cr);
}

/* Ends of what is so thin that an outline would cover it, and what lies beside it. */
static void
add_ends (cairo_t *cr, const KymoRect *rect)
{
  double width = MAX (rect->width, LEAST_PX), height = MAX (rect->height, LEAST_PX);
  double x = rect->x - (width - rect->width) / 2, y = rect->y - (height - rect->height) / 2;

  if (rect->width < rect->height)
    {
      add_arrow (cr, rect->x + rect->width / 2, rect->y - BESIDE_PX);
      add_line (cr, x, rect->y + rect->height + BESIDE_PX, x + width,
                rect->y + rect->height + BESIDE_PX);
      return;
    }
  add_line (cr, rect->x - BESIDE_PX, y, rect->x - BESIDE_PX, y + height);
  add_line (cr, rect->x + rect->width + BESIDE_PX, y, rect->x + rect->width + BESIDE_PX,
            y + height);
}

/**
 * kymo_canvas_add_outline:
 *
 * Adds a path that marks @rect without covering it: inside of what is wide, since others may
 * touch it, around a dot, and at the ends of a narrow bar.
 */
void
kymo_canvas_add_outline (cairo_t *cr, const KymoRect *rect)
{
  gboolean is_dot = MAX (rect->width, rect->height) < KYMO_NARROW_PX;

  if (is_dot)
    cairo_rectangle (cr, rect->x - BESIDE_PX, rect->y - BESIDE_PX, rect->width + 2 * BESIDE_PX,
                     rect->height + 2 * BESIDE_PX);
  else if (MIN (rect->width, rect->height) < KYMO_NARROW_PX)
    add_ends (cr, rect);
  else
    cairo_rectangle (cr, floor (rect->x) + 0.5, floor (rect->y) + 0.5, round (rect->width) - 1,
                     round (rect->height) - 1);
}

/** kymo_canvas_paint_picks: outlines what is chosen, without covering it */
void
kymo_canvas_paint_picks (KymoCanvas *self, cairo_t *cr,
                         const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect area = kymo_canvas_get_area (self);
  g_autoptr (GArray) places = NULL;
  guint n = 0;

  if (self->picks == NULL || (places = places_of (self)) == NULL)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, area.x - 4, area.y - ARROW_PX - 4, area.width + 8,
                   area.height + ARROW_PX + 8);
  cairo_clip (cr);
  for (guint i = 0; i < places->len; i++)
    if (kymo_id_set_contains (self->picks, place_at (places, i)->location))
      {
        kymo_canvas_add_outline (cr, &place_at (places, i)->rect);
        n++;
      }
  if (n <= MOST_THICK)
    {
      kymo_set_source (cr, theme->canvas);
      cairo_set_line_width (cr, 4);
      cairo_stroke_preserve (cr);
    }
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, n <= MOST_THICK ? 2 : 1);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/** kymo_canvas_paint_band: the rubber band, while it is drawn */
void
kymo_canvas_paint_band (KymoCanvas *self, cairo_t *cr,
                        const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect band = kymo_canvas_band (self);

  cairo_rectangle (cr, floor (band.x) + 0.5, floor (band.y) + 0.5,
                   round (band.width), round (band.height));
  kymo_set_source_alpha (cr, theme->accent, 0.16);
  cairo_fill_preserve (cr);
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}
