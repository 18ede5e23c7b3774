/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCanvas: the widget of every picture. It asks the plot's question for
 * what is visible, keeps the answer and a painted image of it, and paints
 * pointer, selection and markers over that image alone. While a newer answer
 * is on its way the old one is painted where its times are now.
 *
 * Signals: "answer-changed"; "find" (direction: next, previous, longest);
 * "command" (name), what a key asks of the whole run view; "activated" (name,
 * location): a double click, or Enter, on something that is no block in time;
 * "focus-changed": another path fills the picture, or none;
 * "described": what is chosen is told otherwise; "picked"
 * (cluster, activated): other PEs are chosen (cluster: of the last one, or -1),
 * or are to be shown, by double click or Enter.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-plot.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_CANVAS (kymo_canvas_get_type ())
#define KYMO_CANVAS(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), KYMO_TYPE_CANVAS, KymoCanvas))
#define KYMO_IS_CANVAS(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), KYMO_TYPE_CANVAS))

/* Types derived from it see its members (kymo-canvas-private.h). */
typedef struct _KymoCanvas KymoCanvas;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCanvas, g_object_unref)

GType          kymo_canvas_get_type          (void);
GtkWidget     *kymo_canvas_new               (const KymoPlotClass *klass,
                                              KymoSession         *session);
const KymoPlotClass *
               kymo_canvas_get_plot          (KymoCanvas          *self);
void           kymo_canvas_set_subject       (KymoCanvas          *self,
                                              const char          *subject);
void           kymo_canvas_set_parameter     (KymoCanvas          *self,
                                              const char          *key,
                                              const char          *value);
GHashTable    *kymo_canvas_peek_parameters   (KymoCanvas          *self);
void           kymo_canvas_set_by_time       (KymoCanvas          *self,
                                              gboolean             by_time);
gboolean       kymo_canvas_get_by_time       (KymoCanvas          *self);
/* Rows of these locations alone (gint64), whatever the session has; NULL = as the session. */
void           kymo_canvas_set_own_rows      (KymoCanvas          *self,
                                              GArray              *ids);
/* The height that its rows need, with what lies around them. */
int            kymo_canvas_get_rows_height   (KymoCanvas          *self,
                                              guint                n_rows);
/* Its menu and the key N pin rows. */
void           kymo_canvas_let_pin           (KymoCanvas          *self);
/* Another range is shown when its answer is there, not before. */
void           kymo_canvas_set_replaces      (KymoCanvas          *self,
                                              gboolean             replaces);
/* In px, with text of the usual size; 80 otherwise. */
void           kymo_canvas_set_least_height  (KymoCanvas          *self,
                                              int                  least_px);
/* A range of its own in place of the session's; NULL takes it away. */
void           kymo_canvas_set_span          (KymoCanvas          *self,
                                              const KymoSpan      *span);
KymoSpan       kymo_canvas_get_span          (KymoCanvas          *self);
/* For pictures of one answer: the canvas asks nothing, its owner says that an
   answer is on its way, and hands it over. */
void           kymo_canvas_expect            (KymoCanvas          *self);
void           kymo_canvas_take_answer       (KymoCanvas          *self,
                                              KymoTable           *answer,
                                              const GError        *error);
/* The chosen PEs of a picture that has places; NULL is none. */
KymoIdSet     *kymo_canvas_peek_picks        (KymoCanvas          *self);
void           kymo_canvas_set_picks         (KymoCanvas          *self,
                                              KymoIdSet           *picks);
void           kymo_canvas_set_cursor        (KymoCanvas          *self,
                                              gint64               location);
gint64         kymo_canvas_get_cursor        (KymoCanvas          *self);
/* Chooses what lies in a rectangle, as a rubber band does. */
void           kymo_canvas_pick_in           (KymoCanvas          *self,
                                              const KymoRect      *band,
                                              gboolean             extend);
char          *kymo_canvas_dup_picked_words  (KymoCanvas          *self);
/* The cluster whose members are lifted while others fade; -1 is none. */
void           kymo_canvas_lift_cluster      (KymoCanvas          *self,
                                              gint                 cluster);
/* Of an icicle: the path that fills its width; NULL is all. */
void           kymo_canvas_set_focus_path    (KymoCanvas          *self,
                                              const char          *path);
gboolean       kymo_canvas_focus_up          (KymoCanvas          *self);
const char    *kymo_canvas_peek_focus_path   (KymoCanvas          *self);
const char    *kymo_canvas_peek_hit_path     (KymoCanvas          *self);
void           kymo_canvas_set_relative      (KymoCanvas          *self,
                                              gboolean             relative);
gboolean       kymo_canvas_get_relative      (KymoCanvas          *self);
KymoSession   *kymo_canvas_peek_session      (KymoCanvas          *self);
KymoTable     *kymo_canvas_peek_answer       (KymoCanvas          *self);
gboolean       kymo_canvas_has_failed        (KymoCanvas          *self);
gboolean       kymo_canvas_is_settled        (KymoCanvas          *self);
GtkAdjustment *kymo_canvas_get_vadjustment   (KymoCanvas          *self);
/* The location of the first row in sight of a timeline that is scrolled, or -1; @beyond:
   how much of it is out of sight, in rows. */
gint64         kymo_canvas_get_top           (KymoCanvas          *self,
                                              double              *beyond);
/* Scrolls so that a location is there, at once (TRUE) or when it is known where it is. */
gboolean       kymo_canvas_set_top           (KymoCanvas          *self,
                                              gint64               location,
                                              double               beyond);
gboolean       kymo_canvas_is_led            (KymoCanvas          *self);
gint64         kymo_canvas_get_pointer_time  (KymoCanvas          *self);

/* The time under the pointer, wherever that is, as a line over a ruler or its like. */
void           kymo_canvas_paint_hovered_time (KymoSession         *session,
                                               cairo_t             *cr,
                                               const KymoPlotFrame *frame);

/* Of all canvases: a person's preference. */
void           kymo_canvas_set_drag_pans     (gboolean             pans);
gboolean       kymo_canvas_get_drag_pans     (void);

void           kymo_canvas_set_snaps         (gboolean             snaps);

/* Height of a location's row in pixels, of all timelines: a person's
   preference, or one of these. */
#define KYMO_ROWS_AUTOMATIC 0
#define KYMO_ROWS_FIT       (-1)

typedef void (*KymoRowsChanged) (double px, gpointer data);

void           kymo_canvas_set_row_height    (double               px);
void           kymo_canvas_on_row_height     (KymoRowsChanged      changed,
                                              gpointer             data);

/* "1.15 s" with as many digits as tell the ends of a range apart */
char          *kymo_range_time_text          (gint64               time_ns,
                                              KymoSpan             range);
/* The same of the visible range, since the begin of the stretch where the session has one */
char          *kymo_shown_time_text          (KymoSession         *session,
                                              gint64               time_ns);

G_END_DECLS
