/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constant colours of every picture: canvas, text, grid, and the looks of
 * idle (paper with a light hatch), overhead (ink), what may be either (paper
 * with a hatch that falls the other way) and untraced (canvas with a dotted
 * edge). Nothing here has state; any thread may call.
 */
#pragma once

#include <cairo.h>

#include "kymo-plot-private.h"
#include "kymo-plot.h"

G_BEGIN_DECLS

/** KYMO_WAITING_PX: from line to line of the hatch of functions that wait */
#define KYMO_WAITING_PX 5
/** KYMO_WAITING_COVER: share of the canvas in that hatch */
#define KYMO_WAITING_COVER 0.5
/** KYMO_REST_PX: from line to line of the hatch of "idle or overhead" */
#define KYMO_REST_PX 6

typedef struct
{
  KymoRgba canvas, paper, hatch, rest_hatch, ink;
  KymoRgba paper_edge;                 /* where idle time lies on the canvas of a chart */
  KymoRgba foreground, secondary, grid, axis, accent, dotted;
  KymoRgba match;                      /* of what is searched */
} KymoTheme;

/**
 * KymoActivityKind:
 *
 * How an activity of an answer is painted.
 */
typedef enum
{
  KYMO_KIND_ENTRY,
  KYMO_KIND_IDLE,
  KYMO_KIND_OVERHEAD,
  KYMO_KIND_REST,                    /* idle or overhead, unknown which */
  KYMO_KIND_UNTRACED,
  KYMO_KIND_EVENT,
  KYMO_KIND_SHORT,                   /* blocks that are hidden */
} KymoActivityKind;

const KymoTheme *kymo_theme_get         (KymoLook          look);
KymoActivityKind kymo_activity_kind     (const char       *kind);
KymoRgba         kymo_theme_activity    (const KymoPlotFrame *frame,
                                         const char       *name,
                                         KymoActivityKind  kind);
/* The colour of a series while another one is hovered. */
KymoRgba         kymo_theme_series      (const KymoPlotFrame *frame,
                                         const char       *name,
                                         KymoActivityKind  kind);
KymoRgba         kymo_rgba_mix          (KymoRgba          a,
                                         KymoRgba          b,
                                         double            share_of_b);
KymoRgba         kymo_rgba_shade        (KymoRgba          color,
                                         double            factor);
/* Of the line between two blocks of that colour. */
KymoRgba         kymo_rgba_edge         (KymoRgba          color);
KymoRgba         kymo_rgba_text_on      (KymoRgba          background);
void             kymo_set_source        (cairo_t          *cr,
                                         KymoRgba          color);
void             kymo_set_source_alpha  (cairo_t          *cr,
                                         KymoRgba          color,
                                         double            alpha);
gboolean         kymo_theme_is_hatched  (const KymoPlotFrame *frame,
                                         const char       *name,
                                         KymoActivityKind  kind);
/* Hatches what was filled last and is still the path; clears the path. */
void             kymo_hatch_waiting     (cairo_t          *cr,
                                         const KymoTheme  *theme);
void             kymo_hatch_path        (cairo_t          *cr,
                                         KymoRect          rect);
gboolean         kymo_is_vector         (cairo_t          *cr);
gboolean         kymo_is_hidden         (const KymoPlotFrame *frame,
                                         const char       *name);
/* Fills the current path's rectangles with paper and hatch. */
void             kymo_fill_idle         (cairo_t          *cr,
                                         const KymoTheme  *theme,
                                         KymoRect          rect);
/* Fills the rectangle with the looks of "idle or overhead". */
void             kymo_fill_rest         (cairo_t          *cr,
                                         const KymoTheme  *theme,
                                         KymoRect          rect);
/* Strokes its hatch over the rectangle, which is paper already. */
void             kymo_hatch_rest        (cairo_t          *cr,
                                         const KymoTheme  *theme,
                                         KymoRect          rect);
/* Fills the rectangle as an activity looks: its colour, or hatch, or ink. */
void             kymo_fill_activity      (cairo_t          *cr,
                                         const KymoPlotFrame *frame,
                                         const char       *name,
                                         KymoActivityKind  kind,
                                         KymoRect          rect);
void             kymo_line              (cairo_t          *cr,
                                         double            x0,
                                         double            y0,
                                         double            x1,
                                         double            y1);

/* One scale of colours for amounts, from faint to strong through one hue, and its key.
   Any thread may call. */

/* The colour of a share of the largest, 0 to 1. */
KymoRgba kymo_heat_color     (const KymoPlotFrame *frame,
                              double               share);
/* Of an amount between the least and the most of a picture, by their logarithms. */
double   kymo_heat_share     (double               least,
                              double               most,
                              double               amount);
/* The scale from left to right, strongest last. */
void     kymo_heat_paint_key (cairo_t             *cr,
                              const KymoPlotFrame *frame,
                              KymoRect             rect);

G_END_DECLS
