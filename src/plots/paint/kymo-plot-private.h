/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the pictures share among themselves.
 */
#pragma once

#include "kymo-plot.h"
#include "kymo-theme.h"

G_BEGIN_DECLS

/* Its insets are those of the shared time axis. */
extern const KymoPlotClass kymo_plot_timeline;

/**
 * KYMO_DEFINE_LAYOUT:
 * @name: beginning of the names of the two functions
 * @Type: the layout, with a member `known`
 * @init: gboolean (Type *, const KymoTable *answer, const KymoPlotFrame *frame): fills in all of
 *   the layout; what it returns becomes `known`
 * @clear: void (Type *): frees what the layout holds
 *
 * Defines `name_lay_out()` and `name_layout_free()` of a plot class.
 */
#define KYMO_DEFINE_LAYOUT(name, Type, init, clear)     \
  KYMO_DEFINE_PLAIN_LAYOUT (name, Type, init)           \
                                                        \
  static void                                           \
  name##_layout_free (gpointer data)                    \
  {                                                     \
    clear (data);                                       \
    g_free (data);                                      \
  }

/** KYMO_DEFINE_PLAIN_LAYOUT: the same of a layout that holds nothing, to be freed by g_free() */
#define KYMO_DEFINE_PLAIN_LAYOUT(name, Type, init)      \
  static gpointer                                       \
  name##_lay_out (const KymoPicture *picture)           \
  {                                                     \
    Type *layout = g_new0 (Type, 1);                    \
                                                        \
    layout->known = init (layout, picture->answer, &picture->frame); \
    return layout;                                      \
  }

/* Display names of what is no entry method, as answers spell them. */
#define KYMO_NAME_IDLE "Idle"
#define KYMO_NAME_OVERHEAD "Overhead"
#define KYMO_NAME_UNTRACED "Untraced"
#define KYMO_NAME_REST "Idle or overhead"

/* x and width of the shared time axis; y and height are 0. */
KymoRect      kymo_frame_time_area  (const KymoPlotFrame *frame);
/* Where a time lies on the lattice of device pixels that begins at time 0: it
   goes by the time alone, so that what is panned moves by whole pixels. */
double        kymo_frame_lattice_x  (const KymoPlotFrame *frame,
                                     gint64               time_ns);
gboolean      kymo_rect_contains    (KymoRect             rect,
                                     double               x,
                                     double               y);
/* A question of that kind about the frame's span. */
KymoQuestion *kymo_frame_question   (const KymoPlotFrame *frame,
                                     const char          *kind);
KymoQuestion *kymo_frame_question_of_chosen (const KymoPlotFrame *frame,
                                     const char          *kind);
/* The names of a table with columns id and name (of no row twice), and by row a
   number of its name, from 1. */
GPtrArray    *kymo_number_names     (const KymoTable     *activities,
                                     guint                n,
                                     guint               *numbers);
const char   *kymo_flat_string      (const KymoTable     *flat,
                                     guint                row);
/* What entry methods left is idle time or overhead, which of both is unknown: it
   stands as overhead in such an answer, and is shown as one thing. */
gboolean      kymo_has_rest         (const KymoTable     *answer);
/* "1.2034 – 1.2051 s" */
char         *kymo_span_words       (KymoSpan             span);
/* The same, told from the begin of the frame's stretch where it has one. */
char         *kymo_frame_span_words (const KymoPlotFrame *frame,
                                     KymoSpan             span);
void          kymo_hit_init         (KymoPlotHit         *hit);
/* Alternating bands where the phases are, with labels or without. */
void          kymo_paint_phases     (cairo_t             *cr,
                                     const KymoPlotFrame *frame,
                                     const KymoTable     *phases,
                                     double               y,
                                     double               height,
                                     gboolean             labels);
/* Flags at the marks of a stream's answer; NULL is none. */
void          kymo_paint_marks      (cairo_t             *cr,
                                     const KymoPlotFrame *frame,
                                     const KymoTable     *marks,
                                     KymoRect             area);
/* Whether a flag lies under a point; then the hit has its words. */
gboolean      kymo_marks_hit        (const KymoPlotFrame *frame,
                                     const KymoTable     *answer,
                                     KymoRect             area,
                                     double               x,
                                     double               y,
                                     KymoPlotHit         *hit);
/* What stands beside figures that are of more PEs than were read; NULL where
   they are not. */
char         *kymo_extrapolated_words (const KymoTable   *answer,
                                     KymoTerms            terms);
/* The same in a corner. */
void          kymo_paint_extrapolated (cairo_t           *cr,
                                     const KymoPlotFrame *frame,
                                     KymoRect             area,
                                     const KymoTable     *answer);
/* In a corner: both, that and "4 workers; 2 communication threads left out", where the answer
   says so. */
void          kymo_paint_workers    (cairo_t             *cr,
                                     const KymoPlotFrame *frame,
                                     KymoRect             area,
                                     const KymoTable     *answer);
/* A sentence in the middle of an empty picture. */
void          kymo_paint_empty      (cairo_t             *cr,
                                     const KymoPlotFrame *frame,
                                     KymoRect             area,
                                     const char          *sentence);

G_END_DECLS
