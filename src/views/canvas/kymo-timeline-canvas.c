/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The type, and what lies over its picture: the selected block, the rows of locations that are
 * pointed at elsewhere, and the words of the block under the pointer.
 */
#include "config.h"

#include <math.h>

#include "kymo-block-words.h"
#include "kymo-session-hover.h"
#include "kymo-theme.h"
#include "kymo-timeline-canvas.h"

/* Locations of a row that are looked at: a row may stand for a whole node. */
#define MOST_OF_ROW 64

G_DEFINE_FINAL_TYPE (KymoTimelineCanvas, kymo_timeline_canvas, KYMO_TYPE_CANVAS)

/**
 * kymo_timeline_canvas_peek:
 *
 * Returns: (transfer none) (nullable): the layout of the timeline, valid as long as the picture;
 *   %NULL without an answer that has rows
 */
const KymoTimeline *
kymo_timeline_canvas_peek (KymoCanvas *canvas)
{
  const KymoPicture *picture = kymo_canvas_peek_picture (canvas);
  const KymoTimeline *timeline = picture != NULL ? picture->layout : NULL;

  return timeline != NULL && timeline->known ? timeline : NULL;
}

/** kymo_timeline_layer_take: @answer: (nullable): what is painted from now on */
void
kymo_timeline_layer_take (KymoTimelineLayer *layer, KymoTable *answer)
{
  if (answer != NULL)
    kymo_table_ref (answer);
  g_clear_pointer (&layer->answer, kymo_table_unref);
  layer->answer = answer;
  layer->span = layer->asked;
}

/* -- the pointer ---------------------------------------------------------- */

/* How long the very block is by its median, once that is known. */
static void
add_standing (KymoCanvas *canvas, KymoPlotHit *hit)
{
  g_autofree char *words = NULL, *before = NULL;

  if (hit->name == NULL || hit->text == NULL || hit->location < 0
      || hit->time_ns == G_MININT64 || kymo_canvas_is_merged (canvas, hit->location))
    return;
  words = kymo_block_words_dup_rested (kymo_block_words_of (canvas->session), hit->name,
                                       hit->location, hit->time_ns);
  if (words == NULL)
    return;
  before = g_steal_pointer (&hit->text);
  hit->text = g_strconcat (before, "\n", words, NULL);
}

static void
tell_hit (KymoCanvas *canvas, KymoPlotHit *hit)
{
  add_standing (canvas, hit);
  kymo_timeline_canvas_hit_message (KYMO_TIMELINE_CANVAS (canvas), hit);
}

static gboolean
click_timeline (KymoCanvas *canvas, int n_press)
{
  return kymo_timeline_canvas_click_header (canvas)
         || (n_press == 1 && kymo_timeline_canvas_click_message (KYMO_TIMELINE_CANVAS (canvas)));
}

/* -- over the picture ----------------------------------------------------- */

static void
outline (cairo_t *cr, KymoRect rect, KymoRgba inner, KymoRgba outer)
{
  cairo_rectangle (cr, floor (rect.x) + 0.5, floor (rect.y) + 0.5,
                   MAX (round (rect.width) - 1, 2), round (rect.height) - 1);
  kymo_set_source (cr, outer);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  kymo_set_source (cr, inner);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
paint_block (KymoCanvas *canvas, const KymoTimeline *timeline, cairo_t *cr)
{
  KymoPlotHit hit = { 0 };
  gint64 location, time_ns;
  double x, y;
  int row;

  if (!kymo_session_get_block (canvas->session, &location, &time_ns)
      || time_ns < timeline->frame->span.begin_ns || time_ns >= timeline->frame->span.end_ns
      || (row = kymo_timeline_canvas_row_of (timeline->rows, location)) < 0)
    return;
  x = kymo_plot_time_to_x (timeline->frame, time_ns);
  y = kymo_timeline_row_y (timeline, row) + timeline->bar_px / 2;
  if (canvas->klass->hit (kymo_canvas_peek_picture (canvas), x, y, &hit) && hit.rect.height > 0)
    outline (cr, hit.rect, timeline->theme->foreground, timeline->theme->canvas);
  kymo_plot_hit_clear (&hit);
}

static void
paint_over (KymoCanvas *canvas, cairo_t *cr)
{
  KymoTimelineCanvas *self = KYMO_TIMELINE_CANVAS (canvas);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);

  g_clear_pointer (&self->lines, g_array_unref);
  if (timeline == NULL)
    return;
  kymo_timeline_canvas_paint_found (self, timeline, cr);
  kymo_timeline_canvas_paint_path (self, timeline, cr);
  kymo_timeline_canvas_paint_messages (self, timeline, cr);
  paint_block (canvas, timeline, cr);
}

static void
mark_label (GtkSnapshot *snapshot, const KymoTimeline *timeline, guint row)
{
  double y = kymo_timeline_row_y (timeline, row);
  double width = timeline->area.x - 2, height = MAX (timeline->bar_px, 1);
  cairo_t *cr = kymo_canvas_begin_node (snapshot, 0, y, width, height);

  kymo_set_source_alpha (cr, timeline->theme->accent, 0.28);
  cairo_rectangle (cr, 0, y, width, height);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static gboolean
row_is_in (const KymoTimeline *timeline, guint row, const KymoIdSet *set)
{
  const guint *offsets = NULL;
  KymoTable *list = kymo_table_peek_nested (timeline->rows, "locations", &offsets);
  const gint64 *ids = list != NULL ? kymo_table_peek_ints (list, "location", NULL) : NULL;
  guint end = ids != NULL ? MIN (offsets[row + 1], offsets[row] + MOST_OF_ROW) : 0;

  for (guint i = ids != NULL ? offsets[row] : 0; i < end; i++)
    if (kymo_id_set_contains (set, ids[i]))
      return TRUE;
  return FALSE;
}

/* The labels of the rows. */
static void
mark_rows (KymoCanvas *canvas, GtkSnapshot *snapshot)
{
  KymoIdSet *set = kymo_session_peek_hovered_set (canvas->session);
  gint64 location = kymo_session_get_marked_location (canvas->session);
  const KymoTimeline *timeline = kymo_timeline_canvas_peek (canvas);
  guint row = 0, end = 0;

  if (timeline != NULL)
    {
      kymo_timeline_visible (timeline, &row, &end);
      if (set == NULL)
        {
          int only = kymo_timeline_canvas_row_of (timeline->rows, location);

          row = MAX (only, 0);
          end = only + 1;
        }
    }
  for (; row < end; row++)
    if (set == NULL || row_is_in (timeline, row, set))
      mark_label (snapshot, timeline, row);
}

static const char *
peek_block_words (KymoCanvas *canvas)
{
  return kymo_block_words_peek (kymo_block_words_of (canvas->session));
}

/* -- following the session ------------------------------------------------ */

static void
on_selection_changed (KymoTimelineCanvas *self)
{
  kymo_timeline_canvas_show_block (self);
  kymo_timeline_canvas_ask_messages (self);
}

/* A block may have been selected before there was a picture. */
static void
on_answer_changed (KymoTimelineCanvas *self)
{
  if (self->show_when_found)
    kymo_timeline_canvas_show_block (self);
}

static void
on_filter_changed (KymoTimelineCanvas *self)
{
  g_hash_table_remove_all (self->places);
}

/* More is known of the block that the pointer is over. */
static void
on_rested (KymoCanvas *canvas)
{
  if (canvas->inside)
    kymo_canvas_update_hit (canvas);
}

static void
follow_session (KymoCanvas *canvas)
{
  KymoTimelineCanvas *self = KYMO_TIMELINE_CANVAS (canvas);
  KymoBlockWords *words = kymo_block_words_of (canvas->session);

  kymo_follow (canvas->session, "selection-changed", on_selection_changed, self);
  kymo_follow (canvas->session, "filter-changed", on_filter_changed, self);
  kymo_follow (self, "answer-changed", on_answer_changed, self);
  self->show_when_found = TRUE;
  kymo_timeline_canvas_follow_height (self);
  kymo_follow (words, "rested", on_rested, self);
  kymo_follow (words, "changed", kymo_canvas_update_accessible, self);
  kymo_timeline_canvas_follow_lines (self);
  kymo_timeline_canvas_follow_finder (self);
}

static void
clear_layer (KymoTimelineLayer *layer)
{
  g_clear_object (&layer->asker);
  g_clear_pointer (&layer->answer, kymo_table_unref);
}

static void
kymo_timeline_canvas_dispose (GObject *object)
{
  KymoTimelineCanvas *self = KYMO_TIMELINE_CANVAS (object);

  clear_layer (&self->messages);
  clear_layer (&self->path);
  clear_layer (&self->found);
  g_clear_pointer (&self->lines, g_array_unref);
  g_clear_pointer (&self->place_asker, kymo_asker_free);
  g_clear_pointer (&self->places, g_hash_table_unref);
  G_OBJECT_CLASS (kymo_timeline_canvas_parent_class)->dispose (object);
}

static void
kymo_timeline_canvas_class_init (KymoTimelineCanvasClass *klass)
{
  KymoCanvasClass *canvas_class = KYMO_CANVAS_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kymo_timeline_canvas_dispose;
  canvas_class->keeps = TRUE;
  canvas_class->follow = follow_session;
  canvas_class->hit = tell_hit;
  canvas_class->click = click_timeline;
  canvas_class->key = kymo_timeline_canvas_key;
  canvas_class->paint_over = paint_over;
  canvas_class->lift = kymo_timeline_canvas_lift_message;
  canvas_class->mark_rows = mark_rows;
  canvas_class->peek_words = peek_block_words;
  kymo_timeline_canvas_init_rows (canvas_class);
}

static void
kymo_timeline_canvas_init (KymoTimelineCanvas *self)
{
  self->line = -1;
  self->places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}
