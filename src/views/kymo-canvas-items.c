/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Items are the places of a picture that one chooses in, else its boxes; of
 * pictures that know neither, what is found by looking under points of a grid.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"

/* What is narrower than this step may be missed, as it is by the eye. */
#define STEP_PX 4
#define MOST_ITEMS 3000

/* -- looking -------------------------------------------------------------- */

typedef struct
{
  GArray     *boxes;               /* KymoPlotBox */
  GHashTable *seen;                /* "x,y,width,height" */
} Probe;

/* What is at a point; returns how far below it ends. */
static double
look_at (KymoCanvas *self, const KymoPlotFrame *frame, double x, double y,
         Probe *probe, double *right)
{
  KymoPlotHit hit = { .location = -1, .cluster = -1, .time_ns = G_MININT64 };
  double below = y + STEP_PX;

  if (self->klass->hit (self->answer, frame, x, y, &hit) && hit.text != NULL
      && hit.rect.width > 0 && hit.rect.height > 0)
    {
      KymoPlotBox box = { .row = probe->boxes->len, .rect = hit.rect };
      char *key = g_strdup_printf ("%.1f,%.1f,%.1f,%.1f", hit.rect.x,
                                   hit.rect.y, hit.rect.width,
                                   hit.rect.height);

      if (g_hash_table_add (probe->seen, key))
        g_array_append_val (probe->boxes, box);
      below = MAX (below, hit.rect.y + hit.rect.height + 0.5);
      *right = MIN (*right, hit.rect.x + hit.rect.width);
    }
  kymo_plot_hit_clear (&hit);
  return below;
}

static GArray *
probe (KymoCanvas *self, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (self->klass, frame);
  Probe probe = { g_array_new (FALSE, FALSE, sizeof (KymoPlotBox)),
                  g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         NULL) };
  double x = area.x + 1;

  while (x < area.x + area.width && probe.boxes->len < MOST_ITEMS)
    {
      double right = x + 4 * STEP_PX, y = area.y + 1;

      while (y < area.y + area.height)
        y = look_at (self, frame, x, y, &probe, &right);
      x = MAX (right + 0.5, x + STEP_PX);
    }
  g_hash_table_unref (probe.seen);
  return probe.boxes;
}

static gboolean
same_frame (const KymoPlotFrame *a, const KymoPlotFrame *b)
{
  return a->width_px == b->width_px && a->height_px == b->height_px
         && a->span.begin_ns == b->span.begin_ns
         && a->span.end_ns == b->span.end_ns && a->scroll_px == b->scroll_px
         && a->by_time == b->by_time && a->relative == b->relative;
}

static gboolean
is_stream (KymoCanvas *self)
{
  return (kymo_source_get_capabilities (kymo_session_peek_source (self->session))
          & KYMO_CAN_STREAM) != 0;
}

/**
 * kymo_canvas_dup_boxes:
 *
 * Returns: (transfer full) (nullable): what keys go to; %NULL in pictures that
 *   have none, or are chosen in otherwise
 */
GArray *
kymo_canvas_dup_boxes (KymoCanvas *self)
{
  KymoPlotFrame frame;

  if (self->answer == NULL || self->failure != NULL)
    return NULL;
  /* In a stream keys go along it, and End to where it is now. */
  if (is_stream (self))
    return NULL;
  kymo_canvas_get_frame (self, &frame);
  if (self->klass->boxes != NULL)
    return self->klass->boxes (self->answer, &frame);
  if (self->klass->places != NULL || self->klass->hit == NULL
      || g_strcmp0 (self->klass->id, "timeline") == 0)
    return NULL;
  if (self->probed == NULL || self->probed_answer != self->answer
      || !same_frame (&self->probed_frame, &frame))
    {
      g_clear_pointer (&self->probed, g_array_unref);
      g_clear_pointer (&self->probed_answer, kymo_table_unref);
      self->probed = probe (self, &frame);
      self->probed_answer = kymo_table_ref (self->answer);
      self->probed_frame = frame;
    }
  return g_array_ref (self->probed);
}

/* -- words ---------------------------------------------------------------- */

static void
item_free (gpointer data)
{
  KymoCanvasItem *item = data;

  g_free (item->words);
  g_free (item->name);
  g_free (item);
}

/* (transfer full): what the pointer would be told there, on one line; and the rest of it */
static char *
look (KymoCanvas *self, const KymoPlotFrame *frame, const KymoRect *rect, KymoPlotHit *hit)
{
  double x = rect->x + rect->width / 2, y = rect->y + rect->height / 2;

  *hit = (KymoPlotHit) { .location = -1, .cluster = -1, .time_ns = G_MININT64 };
  if (!self->klass->hit (self->answer, frame, x, y, hit) || hit->text == NULL)
    return g_strdup ("");
  return kymo_canvas_on_one_line (hit->text);
}

static KymoCanvasItem *
item_at (KymoCanvas *self, const KymoPlotFrame *frame, const KymoRect *rect)
{
  KymoCanvasItem *item = g_new0 (KymoCanvasItem, 1);
  KymoPlotHit hit;

  item->rect = *rect;
  item->words = look (self, frame, rect, &hit);
  item->name = g_steal_pointer (&hit.name);
  item->location = hit.location;
  item->time_ns = hit.time_ns;
  item->row = -1;
  kymo_plot_hit_clear (&hit);
  return item;
}

/* Of a box that tells what it stands for words are made when they are asked for. */
static KymoCanvasItem *
item_of_box (KymoCanvas *self, const KymoPlotFrame *frame, const KymoPlotBox *box)
{
  KymoCanvasItem *item = box->told ? g_new0 (KymoCanvasItem, 1)
                                   : item_at (self, frame, &box->rect);

  if (self->klass->boxes != NULL)
    item->row = box->row;
  if (!box->told)
    return item;
  item->rect = box->rect;
  item->name = g_strdup (box->name);
  item->location = box->of_location ? box->location : -1;
  item->time_ns = kymo_span_length (box->span) > 0 ? kymo_span_middle (box->span)
                                                   : G_MININT64;
  return item;
}

/** kymo_canvas_dup_items: Returns: (transfer full) (element-type KymoCanvasItem): */
GPtrArray *
kymo_canvas_dup_items (KymoCanvas *self)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (item_free);
  g_autoptr (GArray) boxes = kymo_canvas_dup_boxes (self), places = NULL;
  KymoPlotFrame frame;

  kymo_canvas_get_frame (self, &frame);
  if (self->answer != NULL && self->failure == NULL
      && self->klass->places != NULL)
    places = self->klass->places (self->answer, &frame);
  for (guint i = 0; places != NULL && i < MIN (places->len, MOST_ITEMS); i++)
    g_ptr_array_add (items, item_at (self, &frame, &g_array_index (
                                       places, KymoPlotPlace, i).rect));
  for (guint i = 0; places == NULL && boxes != NULL && i < boxes->len; i++)
    {
      const KymoPlotBox *box = &g_array_index (boxes, KymoPlotBox, i);

      if (box->told || i < MOST_ITEMS)
        g_ptr_array_add (items, item_of_box (self, &frame, box));
    }
  return items;
}

/** kymo_canvas_dup_item_words: */
char *
kymo_canvas_dup_item_words (KymoCanvas *self, const KymoCanvasItem *item)
{
  KymoPlotFrame frame;
  KymoPlotHit hit;
  char *words;

  if (item->words != NULL)
    return g_strdup (item->words);
  if (self->answer == NULL || self->klass->hit == NULL)
    return g_strdup ("");
  kymo_canvas_get_frame (self, &frame);
  words = look (self, &frame, &item->rect, &hit);
  kymo_plot_hit_clear (&hit);
  return words;
}

/* -- what is chosen ------------------------------------------------------- */

/** kymo_canvas_get_item: */
int
kymo_canvas_get_item (KymoCanvas *self)
{
  g_autoptr (GArray) places = NULL, boxes = NULL;
  KymoPlotFrame frame;

  if (self->answer == NULL || self->failure != NULL)
    return -1;
  kymo_canvas_get_frame (self, &frame);
  if (self->klass->places != NULL)
    places = self->klass->places (self->answer, &frame);
  for (guint i = 0; places != NULL && i < places->len; i++)
    if (g_array_index (places, KymoPlotPlace, i).location == self->cursor)
      return i;
  if (places != NULL || self->box < 0)
    return -1;
  boxes = kymo_canvas_dup_boxes (self);
  for (guint i = 0; boxes != NULL && i < boxes->len; i++)
    if (g_array_index (boxes, KymoPlotBox, i).row == self->box
        && g_array_index (boxes, KymoPlotBox, i).part == self->box_part)
      return i;
  return -1;
}

/** kymo_canvas_dup_cursor_words: of a picture that one chooses in */
char *
kymo_canvas_dup_cursor_words (KymoCanvas *self)
{
  g_autoptr (GArray) places = NULL;
  KymoPlotFrame frame;

  if (self->answer == NULL || self->failure != NULL || self->cursor < 0
      || self->klass->places == NULL)
    return NULL;
  kymo_canvas_get_frame (self, &frame);
  places = self->klass->places (self->answer, &frame);
  for (guint i = 0; places != NULL && i < places->len; i++)
    if (g_array_index (places, KymoPlotPlace, i).location == self->cursor)
      {
        KymoCanvasItem *item = item_at (self, &frame, &g_array_index (
                                          places, KymoPlotPlace, i).rect);
        char *words = g_steal_pointer (&item->words);

        item_free (item);
        return words;
      }
  return NULL;
}

/** kymo_canvas_has_boxes: without looking for them */
gboolean
kymo_canvas_has_boxes (KymoCanvas *self)
{
  return !is_stream (self)
         && (self->klass->boxes != NULL
             || (self->klass->places == NULL && self->klass->hit != NULL
                 && g_strcmp0 (self->klass->id, "timeline") != 0));
}

/** kymo_canvas_choose_item: */
void
kymo_canvas_choose_item (KymoCanvas *self, guint index)
{
  g_autoptr (GArray) places = NULL, boxes = NULL;
  KymoPlotFrame frame;

  if (self->answer == NULL || self->failure != NULL)
    return;
  kymo_canvas_get_frame (self, &frame);
  if (self->klass->places != NULL)
    places = self->klass->places (self->answer, &frame);
  if (places != NULL)
    {
      if (index < places->len)
        kymo_canvas_pick_one (self, places, index);
      return;
    }
  boxes = kymo_canvas_dup_boxes (self);
  if (boxes != NULL && index < boxes->len)
    kymo_canvas_choose_box (self, &g_array_index (boxes, KymoPlotBox, index));
}

/** kymo_canvas_get_first_location: */
gint64
kymo_canvas_get_first_location (KymoCanvas *self)
{
  return kymo_canvas_location_at (self, kymo_canvas_get_area (self).y + 2);
}
