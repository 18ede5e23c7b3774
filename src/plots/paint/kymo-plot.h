/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plot is a pure function: answer + frame -> layout -> cairo. The window, PNG, SVG
 * and PDF share it. kymo_plots[] is the table of all pictures; a new picture
 * is one line there.
 *
 * Thread: all functions of a class are reentrant and touch no globals; a picture belongs to the
 * thread that made it.
 */
#pragma once

#include <cairo.h>

#include "kymo-colors.h"
#include "kymo-id-set.h"
#include "kymo-question.h"
#include "kymo-source.h"
#include "kymo-table.h"
#include "kymo-terms.h"

G_BEGIN_DECLS

typedef struct
{
  double x, y, width, height;
} KymoRect;

/** KymoLegendPlace: where a file has its legend */
typedef enum
{
  KYMO_LEGEND_AUTO,                  /* as the size of the picture allows */
  KYMO_LEGEND_RIGHT,
  KYMO_LEGEND_BELOW,
  KYMO_LEGEND_NONE,
} KymoLegendPlace;

/**
 * KymoPlotFrame:
 *
 * All that a picture depends on beside its answer.
 */
typedef struct
{
  double            width_px;        /* whole picture */
  double            height_px;
  double            left_px;         /* margin left of the data area, shared by
                                        all time-based charts */
  double            right_px;        /* margin right of it */
  double            scale;           /* device pixels per unit, 1 for vectors */
  KymoLook          look;
  gboolean          decorate;        /* TRUE for exports: title, axes, legend
                                        and provenance line are painted too */
  const char       *title;           /* for decorate; NULL = that of the picture, "" = none */
  const char       *provenance;      /* for decorate */
  KymoLegendPlace   legend;          /* for decorate */
  guint             legend_most;     /* activities listed in it; 0 = as many as there is room for */
  double            zoom;            /* size of a unit in a file, in px of 1/96 inch */
  KymoColors       *colors;
  KymoSpan          span;            /* visible time range */
  KymoSpan          stretch;         /* of the run, an iteration: times are told from its begin,
                                        and what lies outside is pale; empty = none */
  const char       *hovered;         /* name whose series lifts, or NULL */
  GHashTable       *hidden;          /* set of hidden names, or NULL */
  double            scroll_px;       /* rows scrolled away at the top */
  double            row_px;          /* height of a location in a timeline,
                                        0 = all share the height */
  guint             n_locations;     /* that rows are made of; 0 = unknown */
  gboolean          by_time;         /* histogram: bars weigh time, not count */
  const KymoTable  *classes;         /* clusters in whose order locations are,
                                        or NULL */
  GArray           *order;           /* that rows are asked for in (gint64 ids),
                                        or NULL; a session has its own */
  KymoRowGroups    *groups;          /* the same of groups of rows, or NULL */
  const KymoTable  *phases;          /* of the ruler, or NULL */
  const KymoTable  *marks;           /* of the ruler, or NULL */
  guint             cluster;         /* lifted while the others fade, from 1;
                                        0 = none. Pictures of clusters */
  const KymoTable  *messages;        /* over a timeline in a file, or NULL */
  gboolean          by_bytes;        /* weighs their arrows, not number */
  const KymoTable  *path;            /* an answer of chain or critical-path, over a timeline
                                        in a file, or NULL */
  KymoTerms         terms;           /* what rows and activities are called */
  /* Pictures of profiles */
  const char       *chosen;          /* name of the chosen function, or NULL */
  gint64            chosen_location; /* or -1 */
  const char       *focus;           /* path that fills the width of an icicle,
                                        parts divided by " => ", or NULL */
  const char       *unit;            /* of times: ns, us, ms, s, min, h or hms;
                                        NULL = as fits */
  gboolean          relative;        /* stacked bars all of full length */
} KymoPlotFrame;

/**
 * KymoPlotHit:
 *
 * What lies under a point. Strings are owned; clear with
 * kymo_plot_hit_clear().
 */
typedef struct
{
  char     *name;                    /* activity's display name, or NULL */
  char     *text;                    /* hover text, a few lines, or NULL */
  char     *path;                    /* of a node of a call tree, parts divided
                                        by " => ", or NULL */
  gint64    location;                /* or -1 */
  gint64    cluster;                 /* from 0, or -1 */
  gint64    group;                   /* header of a group of rows, or -1 */
  gint64    time_ns;                 /* or G_MININT64 */
  KymoSpan  span;                    /* of the cell, bin or bar */
  KymoRect  rect;                    /* outline to highlight, empty if none */
} KymoPlotHit;

/**
 * KymoPlotPlace:
 *
 * Where something that can be chosen is painted: a PE, or a cluster (then the
 * PE is its representative).
 */
typedef struct
{
  gint64    location;                /* never -1 */
  gint64    cluster;                 /* from 0, or -1 */
  KymoRect  rect;                    /* bar or dot; several may share one */
} KymoPlotPlace;

/**
 * KymoPlotBox:
 * @row: of the answer's list, or its bin
 * @part: which of the boxes of that row it is
 * @stacked: boxes of a row lie above each other: keys to the side go to the row
 *   beside it, to the same part where that has it
 * @of_location: whether it stands for @location
 * @told: whether @name, @location and @span say what it stands for; else one looks
 *   what is painted there
 *
 * Where something is painted that keys go to: a node, a function, a bin.
 */
typedef struct
{
  guint       row, part;
  gboolean    stacked;
  KymoRect    rect;                  /* may be out of sight where the picture
                                        is scrolled */
  gboolean    of_location;
  gint64      location;
  gboolean    told;
  const char *name;                  /* of the answer, or NULL */
  KymoSpan    span;                  /* empty = none */
} KymoPlotBox;

typedef struct _KymoPlotClass KymoPlotClass;

/**
 * KymoPicture: an answer that is laid out in a frame
 * @klass: which picture it is
 * @answer: held
 * @frame: a copy; what its members point to must outlive the picture
 * @layout: what lay_out() of @klass returned; %NULL without that function
 */
typedef struct
{
  const KymoPlotClass *klass;
  const KymoTable     *answer;
  KymoPlotFrame        frame;
  gpointer             layout;
} KymoPicture;

struct _KymoPlotClass
{
  const char *id;                    /* "time-profile": name of VIEW on the
                                        command line */
  const char *title;                 /* translatable */
  gboolean    time_axis;             /* x is time, shared with the others */
  guint       needs;                 /* KymoCapabilities */
  /* The question for a picture of this frame; NULL span means whole run. */
  KymoQuestion *(*question) (const KymoPlotFrame *frame);
  /* Where everything lies: made once for an answer and a frame, and kept while the
     pointer moves. `layout` of the picture is not set yet. Optional. */
  gpointer      (*lay_out)  (const KymoPicture   *picture);
  GDestroyNotify layout_free;
  void          (*paint)    (cairo_t             *cr,
                             const KymoPicture   *picture);
  gboolean      (*hit)      (const KymoPicture   *picture,
                             double               x,
                             double               y,
                             KymoPlotHit         *hit);
  /* The height the whole answer would like (rows of a timeline), or 0. */
  double        (*natural_height) (const KymoTable     *answer,
                                   const KymoPlotFrame *frame);
  /* Room around the data area; the sides of a time chart are the frame's. */
  KymoRect inset;                    /* x = left, y = top, width = right,
                                        height = bottom */
  gboolean has_legend;               /* exports list the series */
  gboolean wide;                     /* an answer about more time (and rows)
                                        than is visible is painted as well:
                                        to pan is no question */
  /* What can be chosen, in the order in which keys go through it: an array of
     KymoPlotPlace (transfer full). Optional. */
  GArray       *(*places)   (const KymoPicture   *picture);
  /* What keys go to, in the order of reading: an array of KymoPlotBox (transfer
     full), without what is too narrow to be seen. Optional. */
  GArray       *(*boxes)    (const KymoPicture   *picture);
  /* Where locations are painted that are no places to choose: an array of KymoRect
     (transfer full). Called with every move of the pointer. Optional; without it the
     boxes tell. */
  GArray       *(*marks)    (const KymoPicture   *picture,
                             const KymoIdSet     *locations);
  gboolean of_all;                   /* the question is about all PEs, whichever
                                        the session shows: it is here that one
                                        chooses them */
  gboolean compares;                 /* the source is a comparison of runs */
  gboolean of_blocks;                /* rows of blocks in time, laid out as a KymoTimeline:
                                        messages, paths and what is searched lie over them */
  gboolean focuses;                  /* a name in it can become the option "focus" of its
                                        profile */
  const char *lists;                 /* lists of the answer that it shows, divided by "|";
                                        NULL = those that KymoQuestionClass shows */
};

extern const KymoPlotClass *const kymo_plots[];   /* NULL terminated */

const KymoPlotClass *kymo_plot_find        (const char          *id);
void                 kymo_plot_frame_init  (KymoPlotFrame       *frame,
                                            double               width_px,
                                            double               height_px,
                                            KymoLook             look,
                                            KymoColors          *colors,
                                            KymoSpan             span);
/* The data area inside the margins. */
KymoRect             kymo_plot_frame_area  (const KymoPlotClass *klass,
                                            const KymoPlotFrame *frame);
double               kymo_plot_time_to_x   (const KymoPlotFrame *frame,
                                            gint64               time_ns);
gint64               kymo_plot_x_to_time   (const KymoPlotFrame *frame,
                                            double               x);
/* Height of the strip of phases that a ruler has above its labels. */
#define KYMO_PHASES_PX 16
/* The ruler (ticks and labels) of the shared time axis and the overview
   strip, painted alone for the window. */
void                 kymo_plot_paint_ruler (cairo_t             *cr,
                                            const KymoPlotFrame *frame);
/* What is searched: a tick where a column of `span`, of n, has some; with the
   top or at the bottom of a strip. */
void                 kymo_plot_paint_ticks (cairo_t             *cr,
                                            const KymoPlotFrame *frame,
                                            const gint64        *ticks,
                                            guint                n,
                                            KymoSpan             span,
                                            gboolean             top);
/* (transfer full) (nullable): what the ruler's mark at x says */
char                *kymo_plot_dup_mark    (const KymoPlotFrame *frame,
                                            const KymoTable     *marks,
                                            double               x);
void                 kymo_plot_paint_overview
                                           (cairo_t             *cr,
                                            const KymoTable     *time_profile,
                                            const KymoPlotFrame *frame,
                                            KymoSpan             full,
                                            KymoSpan             visible);
void                 kymo_plot_hit_clear   (KymoPlotHit         *hit);

KymoPicture         *kymo_picture_new      (const KymoPlotClass *klass,
                                            const KymoTable     *answer,
                                            const KymoPlotFrame *frame);
void                 kymo_picture_free     (KymoPicture         *picture);
void                 kymo_picture_paint    (cairo_t             *cr,
                                            const KymoPicture   *picture);
gboolean             kymo_picture_is_of    (const KymoPicture   *picture,
                                            const KymoTable     *answer,
                                            const KymoPlotFrame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPicture, kymo_picture_free)

G_END_DECLS
