/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-compare-pictures.h"
#include "kymo-label.h"
#include "kymo-ruler.h"
#include "kymo-scrolled-canvas.h"
#include "kymo-session-profile.h"
#include "kymo-side-box.h"
#include "kymo-text-zoom.h"

#define LEAST_WIDTH_PX 300
#define LEAST_HEIGHT_PX 170
#define FEW_RUNS 3
/* [ and ] move by this fraction of the visible range. */
#define STEPS 50

typedef struct
{
  KymoComparePictures *pictures;       /* borrowed */
  guint                run;
  KymoSession         *session;        /* borrowed of the coupling */
  char                *title;
  GtkWidget           *box, *words, *place;
  KymoCanvas          *canvas;
  gint64               offset_ns;      /* when a drag began */
} Cell;

struct _KymoComparePictures
{
  GtkBox               parent_instance;

  KymoSessionCoupling *coupling;
  GtkWidget           *row;
  GPtrArray           *cells;          /* Cell */
  gboolean             scrolling;      /* one cell's rows to those of the others */
  Cell                *leader;         /* that a person scrolled last, or NULL */
  const KymoPlotClass *plot;
};

G_DEFINE_FINAL_TYPE (KymoComparePictures, kymo_compare_pictures, GTK_TYPE_BOX)

static Cell *
cell_at (KymoComparePictures *self, guint run)
{
  return g_ptr_array_index (self->cells, run);
}

/* -- moving a run against the others -------------------------------------- */

static void
shift_to (Cell *cell, gint64 offset_ns)
{
  g_signal_emit_by_name (cell->pictures, "shifted", cell->run, offset_ns);
}

static gint64
offset_of (Cell *cell)
{
  return kymo_session_coupling_get_offset (cell->pictures->coupling, cell->run + 1);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, Cell *cell)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
    GTK_EVENT_CONTROLLER (gesture));

  cell->offset_ns = offset_of (cell);
  gtk_gesture_set_state (GTK_GESTURE (gesture),
                         (state & GDK_ALT_MASK) && kymo_session_has_time (cell->session)
                         ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
}

/* What is dragged to the right happens later among the others. */
static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, Cell *cell)
{
  KymoRect area = kymo_canvas_get_area (cell->canvas);
  gint64 length = kymo_span_length (kymo_session_get_range (cell->session));

  shift_to (cell, cell->offset_ns - llround (dx / MAX (area.width, 1) * length));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code,
        GdkModifierType state, Cell *cell)
{
  gint64 step = kymo_span_length (kymo_session_get_range (cell->session)) / STEPS;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || !kymo_session_has_time (cell->session))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_bracketleft)
    shift_to (cell, offset_of (cell) + MAX (step, 1));
  else if (key == GDK_KEY_bracketright)
    shift_to (cell, offset_of (cell) - MAX (step, 1));
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
add_moving (Cell *cell)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), cell);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), cell);
  gtk_widget_add_controller (cell->place, GTK_EVENT_CONTROLLER (drag));
  /* Before the picture, in which they would step the marker. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), cell);
  gtk_widget_add_controller (cell->place, keys);
}

/* -- rows ----------------------------------------------------------------- */

/* The same share of what there is to scroll. */
static void
scroll_share (GtkAdjustment *from, GtkAdjustment *to)
{
  double whole = gtk_adjustment_get_upper (from) - gtk_adjustment_get_page_size (from);
  double other = gtk_adjustment_get_upper (to) - gtk_adjustment_get_page_size (to);

  if (whole > 0 && other > 0)
    gtk_adjustment_set_value (to, gtk_adjustment_get_value (from) / whole * other);
}

/* The first PE in sight is so in all runs that have it; others go on by as much of their
   rows. */
static void
on_scrolled (Cell *cell)
{
  KymoComparePictures *self = cell->pictures;
  GtkAdjustment *own = kymo_canvas_get_vadjustment (cell->canvas);
  double beyond = 0;
  gint64 top;

  if (self->scrolling || kymo_canvas_is_led (cell->canvas))
    return;
  self->scrolling = TRUE;
  self->leader = cell;
  top = kymo_canvas_get_top (cell->canvas, &beyond);
  for (guint i = 0; i < self->cells->len; i++)
    {
      KymoCanvas *other = cell_at (self, i)->canvas;

      if (other != cell->canvas && (top < 0 || !kymo_canvas_set_top (other, top, beyond)))
        scroll_share (own, kymo_canvas_get_vadjustment (other));
    }
  self->scrolling = FALSE;
}

/* -- a picture ------------------------------------------------------------ */

static void
on_find (Cell *cell, const char *direction)
{
  g_signal_emit_by_name (cell->pictures, "find", cell->run, direction);
}

static void
on_command (Cell *cell, const char *command)
{
  g_signal_emit_by_name (cell->pictures, "command", command);
}

static void
on_answer (Cell *cell)
{
  /* Only now it may be known which PE is the first. */
  if (cell->pictures->leader == cell)
    on_scrolled (cell);
  g_signal_emit_by_name (cell->pictures, "answer-changed");
}

static void
show_plot (Cell *cell)
{
  GtkWidget *before = gtk_widget_get_first_child (cell->place), *canvas;
  gboolean focused = cell->canvas != NULL && gtk_widget_is_focus (GTK_WIDGET (cell->canvas));

  canvas = kymo_canvas_new (cell->pictures->plot, cell->session);
  kymo_canvas_set_subject (KYMO_CANVAS (canvas), cell->title);
  g_signal_connect_swapped (canvas, "find", G_CALLBACK (on_find), cell);
  g_signal_connect_swapped (canvas, "command", G_CALLBACK (on_command), cell);
  g_signal_connect_swapped (canvas, "answer-changed", G_CALLBACK (on_answer), cell);
  cell->canvas = KYMO_CANVAS (canvas);
  g_signal_connect_swapped (kymo_canvas_get_vadjustment (cell->canvas), "value-changed",
                            G_CALLBACK (on_scrolled), cell);
  if (before != NULL)
    gtk_box_remove (GTK_BOX (cell->place), before);
  gtk_box_append (GTK_BOX (cell->place), kymo_scrolled_canvas_new (cell->canvas));
  if (focused)
    gtk_widget_grab_focus (canvas);
}

/**
 * kymo_compare_pictures_set_plot:
 * @plot: id of a picture; an unknown id is ignored
 *
 * Shows another picture of every run. Each cell gets a new canvas, and the keyboard focus stays in
 * its cell.
 */
void
kymo_compare_pictures_set_plot (KymoComparePictures *self, const char *plot)
{
  const KymoPlotClass *klass = kymo_plot_find (plot);

  if (klass == NULL || self->plot == klass)
    return;
  self->plot = klass;
  self->leader = NULL;
  for (guint i = 0; i < self->cells->len; i++)
    show_plot (cell_at (self, i));
}

/**
 * kymo_compare_pictures_get_plot:
 *
 * Returns: (transfer none): id of the picture that is shown; a constant
 */
const char *
kymo_compare_pictures_get_plot (KymoComparePictures *self)
{
  return self->plot->id;
}

/* -- cells ---------------------------------------------------------------- */

static GtkWidget *
build_head (Cell *cell, guint side, const char *label, const char *title)
{
  GtkWidget *head = kymo_side_box_new (side, label);
  GtkWidget *name = gtk_label_new (NULL);

  kymo_label_set (name, title);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_box_append (GTK_BOX (head), name);
  cell->words = gtk_label_new (NULL);
  gtk_widget_set_hexpand (cell->words, TRUE);
  gtk_widget_set_halign (cell->words, GTK_ALIGN_END);
  gtk_widget_set_margin_end (cell->words, 8);
  gtk_widget_add_css_class (cell->words, "dim-label");
  gtk_widget_add_css_class (cell->words, "numeric");
  gtk_box_append (GTK_BOX (head), cell->words);
  return head;
}

/** kymo_compare_pictures_add: @label: "A"; @title: of the run */
void
kymo_compare_pictures_add (KymoComparePictures *self, guint side, const char *label,
                           const char *title)
{
  Cell *cell = g_new0 (Cell, 1);

  cell->pictures = self;
  cell->run = self->cells->len;
  cell->session = kymo_session_coupling_peek (self->coupling, cell->run + 1);
  cell->title = g_strdup_printf ("%s, %s", label, title);
  cell->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (cell->box), build_head (cell, side, label, title));
  if (kymo_session_has_time (cell->session))
    gtk_box_append (GTK_BOX (cell->box), kymo_ruler_new (cell->session, NULL));
  cell->place = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_vexpand (cell->place, TRUE);
  gtk_box_append (GTK_BOX (cell->box), cell->place);
  gtk_widget_set_size_request (cell->box, LEAST_WIDTH_PX, LEAST_HEIGHT_PX);
  /* Few fit beside each other; of more, which are all as wide as the widest, some are
     scrolled to anyway, and have room for larger text. */
  if (cell->run >= FEW_RUNS)
    gtk_widget_set_size_request (cell->box, kymo_text_px (LEAST_WIDTH_PX), LEAST_HEIGHT_PX);
  gtk_widget_set_hexpand (cell->box, TRUE);
  gtk_widget_add_css_class (cell->box, "kymo-compare-cell");
  add_moving (cell);
  g_ptr_array_add (self->cells, cell);
  gtk_box_append (GTK_BOX (self->row), cell->box);
  show_plot (cell);
}

/** kymo_compare_pictures_set_stacked: one below the other */
void
kymo_compare_pictures_set_stacked (KymoComparePictures *self, gboolean stacked)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->row),
                                  stacked ? GTK_ORIENTATION_VERTICAL
                                          : GTK_ORIENTATION_HORIZONTAL);
}

/**
 * kymo_compare_pictures_set_words:
 * @run: below kymo_compare_pictures_get_n()
 * @words: offset of the run in words; "" where it has none
 *
 * Sets the words beside the title of a run.
 */
void
kymo_compare_pictures_set_words (KymoComparePictures *self, guint run, const char *words)
{
  kymo_label_set (cell_at (self, run)->words, words);
}

/**
 * kymo_compare_pictures_get_n:
 *
 * Returns: the number of runs that were added
 */
guint
kymo_compare_pictures_get_n (KymoComparePictures *self)
{
  return self->cells->len;
}

/**
 * kymo_compare_pictures_peek:
 * @run: below kymo_compare_pictures_get_n()
 *
 * Returns: (transfer none): the canvas of the run, valid until another picture is set
 */
KymoCanvas *
kymo_compare_pictures_peek (KymoComparePictures *self, guint run)
{
  return cell_at (self, run)->canvas;
}

/**
 * kymo_compare_pictures_get_focused:
 *
 * Returns: the run whose picture has the keyboard focus; 0 where none has it
 */
guint
kymo_compare_pictures_get_focused (KymoComparePictures *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    if (gtk_widget_is_focus (GTK_WIDGET (cell_at (self, i)->canvas)))
      return i;
  return 0;
}

/* -- the widget ----------------------------------------------------------- */

static void
cell_free (gpointer data)
{
  Cell *cell = data;

  g_free (cell->title);
  g_free (cell);
}

/* Widgets go first: gestures that end with them tell their cell. */
static void
kymo_compare_pictures_dispose (GObject *object)
{
  KymoComparePictures *self = KYMO_COMPARE_PICTURES (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), child);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_clear_object (&self->coupling);
  G_OBJECT_CLASS (kymo_compare_pictures_parent_class)->dispose (object);
}

static void
kymo_compare_pictures_class_init (KymoComparePicturesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_compare_pictures_dispose;
  kymo_signal_new ("shifted", KYMO_TYPE_COMPARE_PICTURES, 2, G_TYPE_UINT, G_TYPE_INT64);
  kymo_signal_new ("find", KYMO_TYPE_COMPARE_PICTURES, 2, G_TYPE_UINT, G_TYPE_STRING);
  kymo_signal_new ("answer-changed", KYMO_TYPE_COMPARE_PICTURES, 0);
  kymo_signal_new ("command", KYMO_TYPE_COMPARE_PICTURES, 1, G_TYPE_STRING);
}

static void
kymo_compare_pictures_init (KymoComparePictures *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->cells = g_ptr_array_new_with_free_func (cell_free);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  gtk_box_set_homogeneous (GTK_BOX (self->row), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->row);
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self), scrolled);
}

/**
 * kymo_compare_pictures_new:
 * @coupling: the sessions of all runs; referenced
 *
 * Returns: (transfer floating): the widget, without a run and with the timeline as its picture;
 * kymo_compare_pictures_add() adds each run
 */
GtkWidget *
kymo_compare_pictures_new (KymoSessionCoupling *coupling)
{
  KymoComparePictures *self = g_object_new (KYMO_TYPE_COMPARE_PICTURES, NULL);

  self->coupling = g_object_ref (coupling);
  self->plot = kymo_plot_find ("timeline");
  return GTK_WIDGET (self);
}
