/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoTimelineCanvas: the canvas of a picture of blocks (KymoPlotClass.of_blocks). It scrolls its
 * rows to locations, folds groups of them, steps from block to block with the arrow keys, and
 * paints messages, the session's path and what is searched over the picture.
 * kymo_canvas_new() makes it; outside of its files it is a KymoCanvas. Its files:
 * kymo-timeline-canvas.c (the type, and the selected block), kymo-timeline-canvas-rows.c (where
 * locations are), kymo-timeline-canvas-keys.c (folding and arrow keys),
 * kymo-timeline-canvas-lines.c (messages and path) and kymo-timeline-canvas-found.c (what is
 * searched).
 */
#pragma once

#include "kymo-canvas-private.h"
#include "kymo-timeline.h"
#include "kymo-view-asker.h"

G_BEGIN_DECLS

#define KYMO_TYPE_TIMELINE_CANVAS (kymo_timeline_canvas_get_type ())
G_DECLARE_FINAL_TYPE (KymoTimelineCanvas, kymo_timeline_canvas, KYMO, TIMELINE_CANVAS, KymoCanvas)

/**
 * KymoTimelineLayer: an answer that is painted over the timeline
 * @answer: (nullable): what is painted
 * @asked: the range of the last question
 * @span: the range of @answer
 */
typedef struct
{
  KymoViewAsker *asker;
  KymoTable     *answer;
  KymoSpan       asked, span;
} KymoTimelineLayer;

struct _KymoTimelineCanvas
{
  KymoCanvas        parent_instance;

  KymoTimelineLayer messages;
  GArray           *lines;             /* KymoMessageLine as painted, or NULL */
  gint              line;              /* under the pointer, or -1 */
  KymoTimelineLayer path;              /* the critical path alone */
  KymoTimelineLayer found;             /* what is searched */

  KymoAsker        *place_asker;       /* or NULL */
  GHashTable       *places;            /* gint64 -> row + 1, without groups */
  gboolean          show_when_found;   /* the selected block's row */
  double            page_px;           /* how high the picture was */
};

const KymoTimeline *
         kymo_timeline_canvas_peek            (KymoCanvas          *canvas);

int      kymo_timeline_canvas_row_of          (const KymoTable     *rows,
                                               gint64               location);
gboolean kymo_timeline_canvas_is_single       (const KymoTable     *rows,
                                               guint                row);
KymoIdSet *
         kymo_timeline_canvas_dup_locations   (const KymoTable     *rows,
                                               guint                first,
                                               guint                end,
                                               guint               *n);

gint64   kymo_timeline_canvas_row_at          (KymoTimelineCanvas  *self,
                                               const KymoTimeline  *timeline,
                                               gint64               location);
void     kymo_timeline_canvas_show_block      (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_follow_height   (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_init_rows       (KymoCanvasClass     *klass);

gboolean kymo_timeline_canvas_click_header    (KymoCanvas          *canvas);
gboolean kymo_timeline_canvas_key             (KymoCanvas          *canvas,
                                               guint                key,
                                               GdkModifierType      state);

void     kymo_timeline_layer_take             (KymoTimelineLayer   *layer,
                                               KymoTable           *answer);
void     kymo_timeline_canvas_follow_lines    (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_ask_messages    (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_paint_messages  (KymoTimelineCanvas  *self,
                                               const KymoTimeline  *timeline,
                                               cairo_t             *cr);
void     kymo_timeline_canvas_lift_message    (KymoCanvas          *canvas,
                                               GtkSnapshot         *snapshot);
void     kymo_timeline_canvas_hit_message     (KymoTimelineCanvas  *self,
                                               KymoPlotHit         *hit);
gboolean kymo_timeline_canvas_click_message   (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_paint_path      (KymoTimelineCanvas  *self,
                                               const KymoTimeline  *timeline,
                                               cairo_t             *cr);

void     kymo_timeline_canvas_follow_finder   (KymoTimelineCanvas  *self);
void     kymo_timeline_canvas_paint_found     (KymoTimelineCanvas  *self,
                                               const KymoTimeline  *timeline,
                                               cairo_t             *cr);

G_END_DECLS
