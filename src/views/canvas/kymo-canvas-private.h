/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoCanvas, shared by its files: kymo-canvas.c (the widget),
 * kymo-canvas-ask.c (its questions), kymo-canvas-rows.c (how high rows are),
 * kymo-canvas-paint.c (the picture), kymo-canvas-overlay.c (what lies over
 * it), kymo-canvas-input.c (pointer and keys), kymo-canvas-drag.c (what is
 * dragged), kymo-canvas-menu.c, kymo-canvas-picks.c (PEs to choose),
 * kymo-canvas-boxes.c (boxes that keys go to), kymo-canvas-profile.c (pictures
 * of profiles). What only a timeline has is a type of its own
 * (kymo-timeline-canvas.h), which KymoCanvasClass calls.
 */
#pragma once

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-profile-options.h"

G_BEGIN_DECLS

/** An outline inside of what is narrower would leave little of it to be seen. */
#define KYMO_NARROW_PX 10

/** Keys to the side look for no part of a stack before one was chosen. */
#define KYMO_BOX_NO_PART G_MAXUINT

/** KymoDrag: what the pointer is doing while a button is down */
typedef enum
{
  KYMO_DRAG_NONE,
  KYMO_DRAG_SELECT,
  KYMO_DRAG_PAN,
  KYMO_DRAG_BAND,                      /* around places to choose */
  KYMO_DRAG_MEASURE,
  KYMO_DRAG_MARKER,                    /* one of the session's */
} KymoDrag;

/**
 * KymoCoverage:
 *
 * What an answer is about: the range and rows for which it was asked, and the
 * more of both that it holds.
 */
typedef struct
{
  KymoSpan view;                       /* the visible range when asked */
  KymoSpan span;                       /* with what lies beside it */
  double   width_px, height_px, scale;
  double   row_px;                     /* 0 = all rows share the height */
  guint    group;                      /* locations a row */
  gint64   first_row, end_row;
  gboolean all_rows;                   /* one for each location */
} KymoCoverage;

typedef struct _KymoCanvasDrag KymoCanvasDrag;

struct _KymoCanvas
{
  GtkWidget            parent_instance;

  const KymoPlotClass *klass;
  KymoSession         *session;
  KymoProfileOptions  *options;        /* of its part */
  char                *subject;        /* "8 PEs", or NULL */
  char                *label, *description;  /* for who does not see it */
  GHashTable          *parameters;     /* keyword -> value */
  gboolean             by_time;
  gboolean             replaces;       /* no picture but that of its range */
  gboolean             given;          /* answers come from the owner */
  gboolean             has_span;       /* of its own, not the session's */
  KymoSpan             span;

  KymoAsker           *asker;
  KymoTable           *answer;
  KymoPicture         *laid_out;       /* of the answer, or NULL until it is looked at */
  gint64               top;            /* location to be scrolled to the top when it is
                                          found, or -1 */
  double               top_beyond;     /* rows that are out of sight of it */
  char                *failure;        /* why there is no answer, or NULL */
  gboolean             need_answer;
  gboolean             need_paint;
  gboolean             need_still;
  gboolean             dimmed;
  guint                tick_id;
  guint                dim_id;
  guint                rest_id;
  KymoCoverage         asked;          /* of the question under way */
  KymoCoverage         shown;          /* of the answer */

  cairo_surface_t     *surfaces[2];    /* painted in turns: the frame before
                                          still shows the other one */
  guint                turn;
  GskRenderNode       *picture;        /* the painted picture, or NULL */
  GskRenderNode       *still;          /* what lies over it and stays where
                                          the pointer moves, or NULL */

  GtkAdjustment       *vadjustment;
  GArray              *own_rows;       /* gint64: the only locations of its rows, or NULL */
  gboolean             can_pin;        /* its rows may be pinned */
  double               row_px;         /* of a location; 0 = rows share the
                                          height */
  guint                n_locations;    /* that rows are made of; 0 = unknown */

  KymoIdSet           *picks;          /* chosen PEs, or NULL */
  gint64               cursor, anchor; /* of choosing with keys, or -1 */
  gint                 cluster;        /* that is lifted, or -1 */
  char                *focus;          /* path of an icicle, or NULL */
  char                *root;           /* of the levels that were last scrolled to, or NULL */
  double               root_scroll;    /* where that was */
  gint64               counted_least, counted_tag;  /* of messages, as last asked for */
  gint64               box;            /* that keys go on from, a row of
                                          box_answer; -1 = none */
  guint                box_part;       /* of that row */
  guint                box_wanted;     /* part that keys to the side look for */
  gconstpointer        box_answer;     /* compared, never read; NULL = one before */
  double               box_x, box_y;   /* its middle */
  gboolean             relative;       /* stacked bars of full length */

  char                *lifted;         /* name that is painted lifted, or NULL */
  gboolean             told_place;

  gboolean             inside;
  double               x, y;           /* pointer, or the box of keys */
  double               pointer_x, pointer_y;
  KymoPlotHit          hit;
  KymoPlotHit          clicked;        /* by the first press of a click: a double click is
                                          about it, wherever it lies by then */
  KymoDrag             drag;
  gboolean             moved;          /* a press that became a drag */
  double               drag_x, drag_y; /* where it began */
  gint64               drag_ns;        /* of a pinch */
  KymoDrag             drag_kind;      /* of the last drag, for edges that
                                          come late */
  gboolean             on_marker;      /* where it began */
  KymoCanvasDrag      *dragging;       /* or NULL before the first one */

  double               zoom;           /* of text and all else: size of the
                                          widget by that of the picture */
  int                  least_px;       /* height, see kymo_canvas_set_least_height() */
  GtkWidget           *menu;           /* or NULL before it was opened */
  GtkWidget           *tip;            /* what the hit says, where it has no room in the picture;
                                          or NULL before the first one */
  GtkWidget           *color;          /* the popover of a colour: weak, or NULL */
  char                *menu_name;      /* what it is of, or NULL */
  gint64               menu_location, menu_time_ns;
  KymoSpan             drag_range;     /* range when a pan began */
};

/**
 * KymoCanvasClass:
 * @keeps: a name that is pointed at in this picture lifts nothing in it
 * @follow: connects the canvas to its session; called once, when it is made
 * @hit: tells more of what is under the pointer; @hit is what the plot says of it
 * @click: acts on a click; returns TRUE if that is all that it does
 * @key: the same of a key
 * @paint_over: paints what lies over the picture
 * @lift: paints again what is under the pointer, beside its outline
 * @mark_rows: marks the rows of the locations that are pointed at in another view
 * @peek_words: (transfer none) (nullable): what is chosen
 * @location_at: returns the first location of the row at a height, or -1
 * @dup_rows: (transfer full) (nullable): the locations of all rows between two heights; %NULL
 *   where that is one row, or all
 * @dup_merged: (transfer full) (nullable): the locations of the row whose first one is @location;
 *   %NULL where it is alone
 * @selected_rows: finds where the rows of the selection lie; @top and @bottom are those of the
 *   picture
 * @middle_of_row: returns where the row of a location is, or @fallback
 * @find_block: finds where the selected block is; FALSE where it is out of sight
 * @get_top, @set_top: see kymo_canvas_get_top() and kymo_canvas_set_top()
 *
 * What a picture has that others have not. All are optional; a picture without one has no rows of
 * locations, or nothing over it.
 */
struct _KymoCanvasClass
{
  GtkWidgetClass parent_class;

  gboolean    keeps;
  void        (*follow)        (KymoCanvas          *self);
  void        (*hit)           (KymoCanvas          *self,
                                KymoPlotHit         *hit);
  gboolean    (*click)         (KymoCanvas          *self,
                                int                  n_press);
  gboolean    (*key)           (KymoCanvas          *self,
                                guint                key,
                                GdkModifierType      state);
  void        (*paint_over)    (KymoCanvas          *self,
                                cairo_t             *cr);
  void        (*lift)          (KymoCanvas          *self,
                                GtkSnapshot         *snapshot);
  void        (*mark_rows)     (KymoCanvas          *self,
                                GtkSnapshot         *snapshot);
  const char *(*peek_words)    (KymoCanvas          *self);
  gint64      (*location_at)   (KymoCanvas          *self,
                                double               y);
  KymoIdSet  *(*dup_rows)      (KymoCanvas          *self,
                                double               from_y,
                                double               to_y);
  KymoIdSet  *(*dup_merged)    (KymoCanvas          *self,
                                gint64               location);
  void        (*selected_rows) (KymoCanvas          *self,
                                double              *top,
                                double              *bottom);
  double      (*middle_of_row) (KymoCanvas          *self,
                                gint64               location,
                                double               fallback);
  gboolean    (*find_block)    (KymoCanvas          *self,
                                double              *x,
                                double              *y);
  gint64      (*get_top)       (KymoCanvas          *self,
                                double              *beyond);
  gboolean    (*set_top)       (KymoCanvas          *self,
                                gint64               location,
                                double               beyond);
};

typedef struct _KymoCanvasClass KymoCanvasClass;

#define KYMO_CANVAS_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), KYMO_TYPE_CANVAS, KymoCanvasClass))
#define KYMO_CANVAS_GET_CLASS(object) \
  (G_TYPE_INSTANCE_GET_CLASS ((object), KYMO_TYPE_CANVAS, KymoCanvasClass))

void     kymo_canvas_get_frame    (KymoCanvas          *self,
                                   KymoPlotFrame       *frame);
KymoRect kymo_canvas_get_area     (KymoCanvas          *self);
const KymoPicture *
         kymo_canvas_peek_picture (KymoCanvas          *self);
gboolean kymo_canvas_waits        (KymoCanvas          *self);
void     kymo_canvas_queue_answer (KymoCanvas          *self);
void     kymo_canvas_queue_paint  (KymoCanvas          *self);
void     kymo_canvas_queue_still  (KymoCanvas          *self);
void     kymo_canvas_review       (KymoCanvas          *self);
void     kymo_canvas_stop_asking  (KymoCanvas          *self);
void     kymo_canvas_on_answer    (KymoTable           *answer,
                                   const GError        *error,
                                   gpointer             data);
void     kymo_canvas_configure_rows (KymoCanvas        *self);
gboolean kymo_canvas_has_levels   (KymoCanvas          *self);
void     kymo_canvas_zoom_rows    (KymoCanvas          *self,
                                   double               factor);
void     kymo_canvas_fit_rows     (KymoCanvas          *self);
void     kymo_canvas_update_accessible (KymoCanvas     *self);
char    *kymo_canvas_on_one_line  (const char          *text);
void     kymo_canvas_place_tip    (KymoCanvas          *self);
char    *kymo_canvas_in_three_lines (const char        *text);
void     kymo_canvas_paint        (GtkWidget           *widget,
                                   GtkSnapshot         *snapshot);
void     kymo_canvas_add_input    (KymoCanvas          *self);
void     kymo_canvas_update_hit   (KymoCanvas          *self);
void     kymo_canvas_still        (KymoCanvas          *self,
                                   cairo_t             *cr,
                                   const KymoPlotFrame *frame);
void     kymo_canvas_pointer      (KymoCanvas          *self,
                                   GtkSnapshot         *snapshot,
                                   const KymoPlotFrame *frame);
void     kymo_canvas_unzoom_text  (KymoCanvas          *self,
                                   PangoLayout         *layout);
GtkGesture *
         kymo_canvas_add_drag     (KymoCanvas          *self);
void     kymo_canvas_forget_drag  (KymoCanvas          *self);
gint64   kymo_canvas_location_at  (KymoCanvas          *self,
                                   double               y);
const char *
         kymo_canvas_edge_words   (KymoCanvas          *self);
char    *kymo_edges_nearest       (KymoTable           *edges,
                                   gint64              *time_ns,
                                   gint64               within_ns);
void     kymo_canvas_paint_gauge  (KymoCanvas          *self,
                                   cairo_t             *cr,
                                   const KymoPlotFrame *frame,
                                   const KymoRect      *area);
void     kymo_canvas_paint_label  (cairo_t             *cr,
                                   const KymoPlotFrame *frame,
                                   const char          *words,
                                   double               x,
                                   double               y);
void     kymo_canvas_add_menu     (KymoCanvas          *self);
void     kymo_canvas_forget_menu  (KymoCanvas          *self);
void     kymo_canvas_popup        (KymoCanvas          *self,
                                   double               x,
                                   double               y);
void     kymo_canvas_popup_chosen (KymoCanvas          *self);
void     kymo_canvas_step_marker  (KymoCanvas          *self,
                                   int                  step);
void     kymo_canvas_prepare_own_rows (KymoCanvas      *self,
                                   KymoQuestion        *question);
gboolean kymo_canvas_may_pin      (KymoCanvas          *self,
                                   gint64               location);
void     kymo_canvas_turn_pin     (KymoCanvas          *self,
                                   gint64               location);
gboolean kymo_canvas_pin_key      (KymoCanvas          *self);
gboolean kymo_canvas_is_merged    (KymoCanvas          *self,
                                   gint64               location);
KymoIdSet *
         kymo_canvas_dup_merged   (KymoCanvas          *self,
                                   gint64               location);
void     kymo_canvas_follow_counted (KymoCanvas        *self);
cairo_t *kymo_canvas_begin_node   (GtkSnapshot         *snapshot,
                                   double               x,
                                   double               y,
                                   double               width,
                                   double               height);
GArray  *kymo_canvas_dup_boxes    (KymoCanvas          *self);
gboolean kymo_canvas_pick_click   (KymoCanvas          *self,
                                   int                  n_press,
                                   GdkModifierType      state);
gboolean kymo_canvas_pick_key     (KymoCanvas          *self,
                                   guint                key,
                                   GdkModifierType      state);
gboolean kymo_canvas_box_key      (KymoCanvas          *self,
                                   guint                key,
                                   GdkModifierType      state);
int      kymo_canvas_find_box     (KymoCanvas          *self,
                                   const GArray        *boxes);
void     kymo_canvas_forget_box   (KymoCanvas          *self);
void     kymo_canvas_choose_box   (KymoCanvas          *self,
                                   const KymoPlotBox   *box);
void     kymo_canvas_pick_one     (KymoCanvas          *self,
                                   const GArray        *places,
                                   guint                index);
void     kymo_canvas_tell_hover   (KymoCanvas          *self,
                                   const KymoPlotHit   *hit);
void     kymo_canvas_stop_telling (KymoCanvas          *self);
void     kymo_canvas_follow_hover (KymoCanvas          *self);
const char *kymo_canvas_lifted_name (KymoCanvas        *self);
void     kymo_canvas_paint_linked (KymoCanvas          *self,
                                   GtkSnapshot         *snapshot,
                                   const KymoPlotFrame *frame);
KymoRect kymo_canvas_band         (KymoCanvas          *self);
gboolean kymo_canvas_is_profile   (KymoCanvas          *self);
void     kymo_canvas_frame_profile (KymoCanvas         *self,
                                    KymoPlotFrame      *frame);
void     kymo_canvas_follow_profile (KymoCanvas        *self);
void     kymo_canvas_choose_hit   (KymoCanvas          *self);
void     kymo_canvas_add_outline  (cairo_t             *cr,
                                   const KymoRect      *rect);
void     kymo_canvas_paint_picks  (KymoCanvas          *self,
                                   cairo_t             *cr,
                                   const KymoPlotFrame *frame);
void     kymo_canvas_paint_band   (KymoCanvas          *self,
                                   cairo_t             *cr,
                                   const KymoPlotFrame *frame);

G_END_DECLS
