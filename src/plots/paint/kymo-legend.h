/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an exported picture carries beside its data: title, range, legend and
 * provenance line, and how much room they take. The room depends on the frame
 * alone, so that the data area is known before there is an answer.
 */
#pragma once

#include "kymo-plot-private.h"
#include "kymo-text.h"

G_BEGIN_DECLS

/** KymoBadge: the shape of a PE that is kept, and why it is */
typedef enum
{
  KYMO_BADGE_NONE,
  KYMO_BADGE_REPRESENTATIVE,         /* diamond */
  KYMO_BADGE_OUTLIER,                /* triangle */
  KYMO_BADGE_OTHER,                  /* square */
} KymoBadge;

/**
 * KymoLegendItem:
 * @name: (not owned): the words
 * @share: 0 to 1, or NaN for none
 * @badge: the swatch is this shape
 * @order: stands before those with a larger one, whatever the share
 */
typedef struct
{
  const char       *name;
  KymoActivityKind  kind;
  KymoRgba          color;
  double            share;
  KymoBadge         badge;
  guint             order;
} KymoLegendItem;

/* A shape around a point; kymo-badge.c. */
void     kymo_badge_paint (cairo_t              *cr,
                           KymoBadge             badge,
                           double                x,
                           double                y,
                           double                size_px,
                           KymoRgba              fill,
                           KymoRgba              edge);

/* Room taken by decoration: x = left, y = top, width = right, height =
   bottom; zeros where the frame is not decorated. */
KymoRect kymo_decor_inset (const KymoPlotClass  *klass,
                           const KymoPlotFrame  *frame);
void     kymo_legend_add  (GArray               *items,
                           const KymoPlotFrame  *frame,
                           const char           *name,
                           KymoActivityKind      kind,
                           double                share);
/* Of idle time and overhead: one line where which of both is unknown. */
void     kymo_legend_add_idle (GArray             *items,
                           const KymoPlotFrame  *frame,
                           gboolean              rest,
                           double                idle,
                           double                overhead);
/* Fills the canvas; with frame->decorate also all the words. `items` (of
   KymoLegendItem, may be NULL) are listed largest share first, idle, overhead
   and untraced last. */
void     kymo_decor_paint (cairo_t              *cr,
                           const KymoPlotClass  *klass,
                           const KymoPlotFrame  *frame,
                           GArray               *items);

G_END_DECLS
