/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The items of a picture (bars, bins, boxes, dots) as words, in the order in
 * which keys go through them, and which of them is chosen; for the table
 * behind the picture. A timeline has none: its blocks are asked for.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

/**
 * KymoCanvasItem:
 * @words: on one line; %NULL where they are still to be made, see
 *   kymo_canvas_dup_item_words()
 * @name: the activity it stands for, or %NULL
 * @location: or -1
 * @time_ns: or %G_MININT64
 * @row: of the answer's list, or -1 where the picture does not tell
 * @rect: where it lay when it was asked for
 */
typedef struct
{
  char    *words, *name;
  gint64   location, time_ns;
  int      row;
  KymoRect rect;
} KymoCanvasItem;

/* (transfer full): of KymoCanvasItem */
GPtrArray *kymo_canvas_dup_items           (KymoCanvas *self);
/* (transfer full): `item` is one of the picture as it is now */
char      *kymo_canvas_dup_item_words      (KymoCanvas           *self,
                                            const KymoCanvasItem *item);
/* (transfer full) (nullable): what keys have chosen, on one line */
char      *kymo_canvas_dup_cursor_words    (KymoCanvas *self);
/* Whether arrows go from item to item. */
gboolean   kymo_canvas_has_boxes           (KymoCanvas *self);
/* -1: none is chosen */
int        kymo_canvas_get_item            (KymoCanvas *self);
void       kymo_canvas_choose_item         (KymoCanvas *self,
                                            guint       index);
/* Of the first row of a timeline that can be seen; -1 where there is none. */
gint64     kymo_canvas_get_first_location  (KymoCanvas *self);

G_END_DECLS
