/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Items are the places of a picture that one chooses in, else its boxes.
 */
#include "config.h"

#include "kymo-canvas-items.h"
#include "kymo-canvas-private.h"

/* At which one has to look. */
#define MOST_ITEMS 3000

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

  /* In a stream keys go along it, and End to where it is now. */
  if (self->answer == NULL || self->failure != NULL || self->klass->boxes == NULL
      || is_stream (self))
    return NULL;
  return self->klass->boxes (kymo_canvas_peek_picture (self));
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
look_canvas_items (KymoCanvas *self, const KymoRect *rect, KymoPlotHit *hit)
{
  double x = rect->x + rect->width / 2, y = rect->y + rect->height / 2;

  *hit = (KymoPlotHit) { .location = -1, .cluster = -1, .time_ns = G_MININT64 };
  if (!self->klass->hit (kymo_canvas_peek_picture (self), x, y, hit) || hit->text == NULL)
    return g_strdup ("");
  return kymo_canvas_on_one_line (hit->text);
}

static KymoCanvasItem *
item_at (KymoCanvas *self, const KymoRect *rect)
{
  KymoCanvasItem *item = g_new0 (KymoCanvasItem, 1);
  KymoPlotHit hit;

  item->rect = *rect;
  item->words = look_canvas_items (self, rect, &hit);
  item->name = g_steal_pointer (&hit.name);
  item->location = hit.location;
  item->time_ns = hit.time_ns;
  item->row = -1;
  kymo_plot_hit_clear (&hit);
  return item;
}

/* Of a box that tells what it stands for words are made when they are asked for. */
static KymoCanvasItem *
item_of_box (KymoCanvas *self, const KymoPlotBox *box)
{
  KymoCanvasItem *item = box->told ? g_new0 (KymoCanvasItem, 1)
                                   : item_at (self, &box->rect);

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

  if (self->answer != NULL && self->failure == NULL
      && self->klass->places != NULL)
    places = self->klass->places (kymo_canvas_peek_picture (self));
  for (guint i = 0; places != NULL && i < MIN (places->len, MOST_ITEMS); i++)
    g_ptr_array_add (items, item_at (self, &g_array_index (
                                       places, KymoPlotPlace, i).rect));
  for (guint i = 0; places == NULL && boxes != NULL && i < boxes->len; i++)
    {
      const KymoPlotBox *box = &g_array_index (boxes, KymoPlotBox, i);

      if (box->told || i < MOST_ITEMS)
        g_ptr_array_add (items, item_of_box (self, box));
    }
  return items;
}

/**
 * kymo_canvas_dup_item_words:
 * @item: of the picture as it is now
 *
 * Returns: (transfer full): the text of the tooltip over the item, on one line; may be ""
 */
char *
kymo_canvas_dup_item_words (KymoCanvas *self, const KymoCanvasItem *item)
{
  KymoPlotHit hit;
  char *words;

  if (item->words != NULL)
    return g_strdup (item->words);
  if (self->answer == NULL || self->klass->hit == NULL)
    return g_strdup ("");
  words = look_canvas_items (self, &item->rect, &hit);
  kymo_plot_hit_clear (&hit);
  return words;
}

/* -- what is chosen ------------------------------------------------------- */

/**
 * kymo_canvas_get_item:
 *
 * Returns: the index of the chosen place or box, for kymo_canvas_choose_item(); -1 for none
 */
int
kymo_canvas_get_item (KymoCanvas *self)
{
  g_autoptr (GArray) places = NULL, boxes = NULL;

  if (self->answer == NULL || self->failure != NULL)
    return -1;
  if (self->klass->places != NULL)
    places = self->klass->places (kymo_canvas_peek_picture (self));
  for (guint i = 0; places != NULL && i < places->len; i++)
    if (g_array_index (places, KymoPlotPlace, i).location == self->cursor)
      return i;
  if (places != NULL || self->box < 0)
    return -1;
  boxes = kymo_canvas_dup_boxes (self);
  return boxes != NULL ? kymo_canvas_find_box (self, boxes) : -1;
}

/** kymo_canvas_dup_cursor_words: of a picture that one chooses in */
char *
kymo_canvas_dup_cursor_words (KymoCanvas *self)
{
  g_autoptr (GArray) places = NULL;

  if (self->answer == NULL || self->failure != NULL || self->cursor < 0
      || self->klass->places == NULL)
    return NULL;
  places = self->klass->places (kymo_canvas_peek_picture (self));
  for (guint i = 0; places != NULL && i < places->len; i++)
    if (g_array_index (places, KymoPlotPlace, i).location == self->cursor)
      {
        KymoCanvasItem *item = item_at (self, &g_array_index (
                                          places, KymoPlotPlace, i).rect);
        char *words = g_steal_pointer (&item->words);

        item_free (item);
        return words;
      }
  return NULL;
}

/** kymo_canvas_has_boxes: without making them */
gboolean
kymo_canvas_has_boxes (KymoCanvas *self)
{
  return self->klass->boxes != NULL && !is_stream (self);
}

/**
 * kymo_canvas_choose_item:
 * @index: of a place, or of a box in a picture without places; beyond the last one nothing happens
 *
 * Chooses an item as a click or a key does.
 */
void
kymo_canvas_choose_item (KymoCanvas *self, guint index)
{
  g_autoptr (GArray) places = NULL, boxes = NULL;

  if (self->answer == NULL || self->failure != NULL)
    return;
  if (self->klass->places != NULL)
    places = self->klass->places (kymo_canvas_peek_picture (self));
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

/**
 * kymo_canvas_get_first_location:
 *
 * Returns: the first location of the timeline's top row in sight; -1 in other pictures, and without
 *   an answer
 */
gint64
kymo_canvas_get_first_location (KymoCanvas *self)
{
  return kymo_canvas_location_at (self, kymo_canvas_get_area (self).y + 2);
}
