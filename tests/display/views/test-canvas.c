/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCanvas in a real window, with a plot and a source made for the test:
 * what is asked when, what is painted, and what keys, wheel and clicks do to
 * the session. The source can be told to be slow: then it answers only when
 * it is let go or cancelled.
 *
 * Needs a display; GTK_A11Y=test for the words of the canvas.
 */
#include "config.h"

#include <adwaita.h>

#include "desk.h"
#include "kymo-canvas-private.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

/* -- a source ------------------------------------------------------------- */

/* It is asked on threads of workers: atomic. */
static int n_asked, n_cancelled, is_slow;

static KymoTable *
answer_question (KymoQuestion  *question,
                 GCancellable  *cancellable,
                 GError       **error)
{
  KymoTable *answer;
  guint column;

  if (g_str_equal (kymo_question_get_kind (question), "test"))
    {
      g_atomic_int_inc (&n_asked);
      while (g_atomic_int_get (&is_slow)
             && !g_cancellable_is_cancelled (cancellable))
        g_usleep (1000);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_atomic_int_inc (&n_cancelled);
          return NULL;
        }
      if (kymo_question_get_flag (question, "refuse"))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                               "This run holds no messages");
          return NULL;
        }
    }
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  column = kymo_table_add_column (answer, "begin_ns", KYMO_COLUMN_INT, 1);
  kymo_table_append_int (answer, column,
                         kymo_question_get_span (question).begin_ns);
  return answer;
}

/* -- a plot --------------------------------------------------------------- */

static guint painted;
static KymoSpan painted_span;
static double painted_width, painted_scale;

static KymoQuestion *
plot_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_question_new ("test");

  kymo_question_set_span (question, frame->span);
  return question;
}

static guint laid_out;

static gpointer
plot_lay_out (const KymoPicture *picture)
{
  laid_out++;
  return g_strdup ("of the plot");
}

static void
plot_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoPlotFrame *frame = &picture->frame;

  g_assert_cmpstr (picture->layout, ==, "of the plot");
  painted++;
  painted_span = frame->span;
  painted_width = frame->width_px;
  painted_scale = frame->scale;
  cairo_set_source_rgb (cr, 1, 0, 0);
  cairo_rectangle (cr, 0, 0, frame->width_px, frame->height_px);
  cairo_fill (cr);
}

/* Of the row under the pointer. */
static gint64 hit_location = 3;

static gboolean
plot_hit (const KymoPicture *picture,
          double             x,
          double             y,
          KymoPlotHit       *hit)
{
  const KymoPlotFrame *frame = &picture->frame;

  g_assert_cmpstr (picture->layout, ==, "of the plot");
  hit->name = g_strdup ("Cell::work");
  hit->text = g_strdup ("Cell::work\nPE 3");
  hit->location = hit_location;
  hit->time_ns = kymo_plot_x_to_time (frame, x);
  hit->span = (KymoSpan) { hit->time_ns, hit->time_ns + 1 };
  hit->rect = (KymoRect) { x, y, 1, 1 };
  return TRUE;
}

static const KymoPlotClass plot = {
  .id = "test",
  .title = "Test",
  .time_axis = TRUE,
  .needs = KYMO_CAN_INTERVALS,
  .question = plot_question,
  .lay_out = plot_lay_out,
  .layout_free = g_free,
  .paint = plot_paint,
  .hit = plot_hit,
};

/* The same, painted from answers about more than is visible. */
static const KymoPlotClass wide_plot = {
  .id = "test",
  .title = "Test",
  .time_axis = TRUE,
  .wide = TRUE,
  .needs = KYMO_CAN_INTERVALS,
  .question = plot_question,
  .lay_out = plot_lay_out,
  .layout_free = g_free,
  .paint = plot_paint,
  .hit = plot_hit,
};

/* -- the desk ------------------------------------------------------------- */

typedef struct
{
  DeskSource  *source;
  KymoSession *session;
  GtkWidget   *window;
  KymoCanvas  *canvas;
} Desk;

static void
desk_settle (Desk *desk)
{
  WAIT_FOR (kymo_canvas_is_settled (desk->canvas));
}

static void
desk_open (Desk *desk, gconstpointer data)
{
  n_asked = n_cancelled = 0;
  desk->source = desk_source_new (answer_question, KYMO_CAN_INTERVALS,
                                  8 * SECOND);
  desk->session = kymo_session_new (KYMO_SOURCE (desk->source));
  desk->canvas = KYMO_CANVAS (kymo_canvas_new (data != NULL ? data : &plot,
                                                desk->session));
  kymo_canvas_set_subject (desk->canvas, "8 PEs");
  painted = 0;
  desk->window = desk_present (GTK_WIDGET (desk->canvas), 800, 400);
  desk_settle (desk);
}

static void
desk_close (Desk *desk, gconstpointer data)
{
  g_atomic_int_set (&is_slow, 0);
  desk_clear_window (&desk->window);
  g_clear_object (&desk->session);
  g_clear_object (&desk->source);
}

static gint64
visible_length (Desk *desk)
{
  return kymo_span_length (kymo_session_get_range (desk->session));
}

/* -- the tests ------------------------------------------------------------ */

static void
test_asks_and_paints (Desk *desk, gconstpointer data)
{
  g_assert_cmpint (g_atomic_int_get (&n_asked), >=, 1);
  g_assert_cmpuint (painted, >=, 1);
  g_assert_cmpint (painted_span.begin_ns, ==, 0);
  g_assert_cmpint (painted_span.end_ns, ==, 8 * SECOND);
  g_assert_nonnull (kymo_canvas_peek_answer (desk->canvas));
}

static void
test_words (Desk *desk, gconstpointer data)
{
  gtk_test_accessible_assert_role (desk->canvas, GTK_ACCESSIBLE_ROLE_IMG);
  g_assert_true (gtk_test_accessible_has_property (
    GTK_ACCESSIBLE (desk->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL));
  g_assert_true (gtk_test_accessible_has_property (
    GTK_ACCESSIBLE (desk->canvas), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
}

/* Any number of changes between two frames cost one question. */
static void
test_one_question_a_frame (Desk *desk, gconstpointer data)
{
  int before = g_atomic_int_get (&n_asked);

  for (guint i = 1; i <= 20; i++)
    kymo_session_set_range (desk->session,
                            (KymoSpan) { i * 1000000, 2 * SECOND }, FALSE);
  desk_settle (desk);
  g_assert_cmpint (g_atomic_int_get (&n_asked), ==, before + 1);
  g_assert_cmpint (painted_span.begin_ns, ==, 20 * 1000000);
}

/* A newer question cancels the older one, whose answer is never shown. */
static void
test_newer_cancels_older (Desk *desk, gconstpointer data)
{
  int before = g_atomic_int_get (&n_asked);

  g_atomic_int_set (&is_slow, 1);
  kymo_session_set_range (desk->session, (KymoSpan) { 0, SECOND }, FALSE);
  WAIT_FOR (g_atomic_int_get (&n_asked) == before + 1);
  kymo_session_set_range (desk->session,
                          (KymoSpan) { SECOND, 2 * SECOND }, FALSE);
  WAIT_FOR (g_atomic_int_get (&n_cancelled) == 1);
  g_assert_false (kymo_canvas_is_settled (desk->canvas));
  g_atomic_int_set (&is_slow, 0);
  desk_settle (desk);
  g_assert_cmpint (kymo_table_get_int (kymo_canvas_peek_answer (desk->canvas),
                                       "begin_ns", 0), ==, SECOND);
  g_assert_cmpint (painted_span.begin_ns, ==, SECOND);
}

static gint64
answer_begin (Desk *desk)
{
  return kymo_table_get_int (kymo_canvas_peek_answer (desk->canvas),
                             "begin_ns", 0);
}

/* To pan is to paint what is at hand; at rest, and where it does not reach,
   more is asked for. */
static void
test_panning (Desk *desk, gconstpointer data)
{
  int before;

  kymo_session_set_range (desk->session,
                          (KymoSpan) { 2 * SECOND, 4 * SECOND }, FALSE);
  desk_settle (desk);
  g_assert_cmpint (answer_begin (desk), ==, SECOND);
  g_atomic_int_set (&is_slow, 1);
  kymo_session_set_range (desk->session,
                          (KymoSpan) { 5 * SECOND / 2, 9 * SECOND / 2 }, FALSE);
  WAIT_FOR (painted_span.begin_ns == 5 * SECOND / 2);
  g_assert_cmpint (answer_begin (desk), ==, SECOND);
  g_assert_false (kymo_canvas_is_settled (desk->canvas));
  g_atomic_int_set (&is_slow, 0);
  desk_settle (desk);
  g_assert_cmpint (answer_begin (desk), ==, 3 * SECOND / 2);

  before = g_atomic_int_get (&n_asked);
  kymo_session_set_range (desk->session,
                          (KymoSpan) { 6 * SECOND, 8 * SECOND }, FALSE);
  desk_settle (desk);
  g_assert_cmpint (g_atomic_int_get (&n_asked), ==, before + 1);
  g_assert_cmpint (answer_begin (desk), ==, 5 * SECOND);
}

/* The view may go while a worker still computes for it. */
static void
test_closed_while_asking (Desk *desk, gconstpointer data)
{
  int before = g_atomic_int_get (&n_asked);

  g_atomic_int_set (&is_slow, 1);
  kymo_session_set_range (desk->session, (KymoSpan) { 0, SECOND }, FALSE);
  WAIT_FOR (g_atomic_int_get (&n_asked) == before + 1);
  gtk_window_destroy (GTK_WINDOW (desk->window));
  desk->window = NULL;
  WAIT_FOR (g_atomic_int_get (&n_cancelled) == 1);
}

/* What the run cannot tell is said, and is no end: the next answer shows. */
static void
test_refusal (Desk *desk, gconstpointer data)
{
  kymo_canvas_set_parameter (desk->canvas, "refuse", "1");
  WAIT_FOR (kymo_canvas_is_settled (desk->canvas));
  kymo_canvas_set_parameter (desk->canvas, "refuse", NULL);
  desk_settle (desk);
  g_assert_nonnull (kymo_canvas_peek_answer (desk->canvas));
}

static void
test_keys (Desk *desk, gconstpointer data)
{
  KymoSpan zoomed;

  /* Far enough in that a step to the side meets no end of the run. */
  for (guint i = 0; i < 5; i++)
    g_assert_true (desk_press (desk->canvas, GDK_KEY_w, 0));
  g_assert_cmpint (visible_length (desk), <, 4 * SECOND);
  zoomed = kymo_session_get_range (desk->session);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_d, 0));
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, >,
                   zoomed.begin_ns);
  g_assert_cmpint (visible_length (desk), ==, kymo_span_length (zoomed));
  g_assert_true (desk_press (desk->canvas, GDK_KEY_a, 0));
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, ==,
                   zoomed.begin_ns);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_W, GDK_SHIFT_MASK));
  g_assert_true (desk_press (desk->canvas, GDK_KEY_f, 0));
  g_assert_cmpint (visible_length (desk), ==, 8 * SECOND);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_BackSpace, 0));
  g_assert_cmpint (visible_length (desk), <, 8 * SECOND);
}

/* With Ctrl or Alt a letter belongs to the window. */
static void
test_keys_of_the_window (Desk *desk, gconstpointer data)
{
  g_assert_false (desk_press (desk->canvas, GDK_KEY_w, GDK_CONTROL_MASK));
  g_assert_false (desk_press (desk->canvas, GDK_KEY_f, GDK_CONTROL_MASK));
  g_assert_false (desk_press (desk->canvas, GDK_KEY_Left, GDK_ALT_MASK));
  g_assert_cmpint (visible_length (desk), ==, 8 * SECOND);
}

static void
test_selection (Desk *desk, gconstpointer data)
{
  KymoSpan span = { SECOND, 3 * SECOND };

  kymo_session_set_selection (desk->session, &span);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_Return, 0));
  g_assert_cmpint (kymo_session_get_range (desk->session).begin_ns, ==, SECOND);
  g_assert_cmpint (kymo_session_get_range (desk->session).end_ns, ==,
                   3 * SECOND);
  g_assert_false (kymo_session_get_selection (desk->session, &span));

  span = (KymoSpan) { 3 * SECOND / 2, 2 * SECOND };
  kymo_session_set_selection (desk->session, &span);
  g_assert_true (desk_press (desk->canvas, GDK_KEY_Escape, 0));
  g_assert_false (kymo_session_get_selection (desk->session, &span));
  g_assert_cmpint (visible_length (desk), ==, 2 * SECOND);
}

static void
test_click (Desk *desk, gconstpointer data)
{
  gint64 location = -1, time_ns = -1;

  g_signal_emit_by_name (desk_find_controller (GTK_WIDGET (desk->canvas),
                                               GTK_TYPE_GESTURE_CLICK),
                         "released", 1, 400.0, 200.0);
  g_assert_true (kymo_session_get_block (desk->session, &location, &time_ns));
  g_assert_cmpint (location, ==, 3);
  g_assert_cmpint (time_ns, >, 2 * SECOND);
  g_assert_cmpint (time_ns, <, 6 * SECOND);
}

/* The first click of two may move the rows: the second one is about the same block. */
static void
test_double_click (Desk *desk, gconstpointer data)
{
  GtkEventController *clicks = desk_find_controller (GTK_WIDGET (desk->canvas),
                                                     GTK_TYPE_GESTURE_CLICK);
  gint64 location = -1, first_ns = -1, time_ns = -1;

  g_signal_emit_by_name (clicks, "released", 1, 400.0, 200.0);
  g_assert_true (kymo_session_get_block (desk->session, &location, &first_ns));
  hit_location = 7;
  g_signal_emit_by_name (clicks, "released", 2, 430.0, 200.0);
  hit_location = 3;
  g_assert_true (kymo_session_get_block (desk->session, &location, &time_ns));
  g_assert_cmpint (location, ==, 3);
  g_assert_cmpint (time_ns, ==, first_ns);
}

static gint64
click_at (Desk *desk, double x)
{
  gint64 location = -1, time_ns = -1;

  g_signal_emit_by_name (desk_find_controller (GTK_WIDGET (desk->canvas),
                                               GTK_TYPE_GESTURE_CLICK),
                         "released", 1, x, 200.0);
  g_assert_true (kymo_session_get_block (desk->session, &location, &time_ns));
  return time_ns;
}

/* With text of twice the size a picture has half the width, in units of twice
   the size: as sharp as before, and found by the pointer where it is seen. */
static void
test_text_size (Desk *desk, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  double width = gtk_widget_get_width (GTK_WIDGET (desk->canvas));
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (desk->canvas));
  gint64 begin_ns = kymo_session_get_range (desk->session).begin_ns;
  KymoPlotFrame frame;

  g_object_set (settings, "gtk-xft-dpi", 192 * 1024, NULL);
  desk_settle (desk);
  g_assert_cmpfloat (painted_width * 2, ==, width);
  g_assert_cmpfloat (painted_scale, ==, 2 * scale);
  kymo_plot_frame_init (&frame, width / 2, 100, FALSE, NULL,
                        kymo_session_get_range (desk->session));
  g_assert_cmpint (ABS (click_at (desk, 2 * frame.left_px) - begin_ns), <,
                   SECOND / 100);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  desk_settle (desk);
  g_assert_cmpfloat (painted_width, ==, width);
  g_assert_cmpint (ABS (click_at (desk, frame.left_px) - begin_ns), <,
                   SECOND / 100);
}

static void
on_find (KymoCanvas *canvas, const char *direction, GString *heard)
{
  g_string_append_printf (heard, "%s ", direction);
}

static void
test_find_keys (Desk *desk, gconstpointer data)
{
  g_autoptr (GString) heard = g_string_new (NULL);

  g_signal_connect (desk->canvas, "find", G_CALLBACK (on_find), heard);
  g_signal_connect (desk->canvas, "command", G_CALLBACK (on_find), heard);
  desk_press (desk->canvas, GDK_KEY_period, 0);
  desk_press (desk->canvas, GDK_KEY_comma, 0);
  desk_press (desk->canvas, GDK_KEY_l, 0);
  desk_press (desk->canvas, GDK_KEY_slash, 0);
  desk_press (desk->canvas, GDK_KEY_b, 0);
  g_assert_cmpstr (heard->str, ==, "next previous longest search bookmark ");
}

static void
test_markers (Desk *desk, gconstpointer data)
{
  gint64 time_ns;

  g_assert_false (kymo_session_get_marker (desk->session, 0, &time_ns));
  desk_press (desk->canvas, GDK_KEY_m, 0);
  g_assert_true (kymo_session_get_marker (desk->session, 0, &time_ns));
  g_assert_false (kymo_session_get_marker (desk->session, 1, &time_ns));
  desk_press (desk->canvas, GDK_KEY_m, 0);
  g_assert_true (kymo_session_get_marker (desk->session, 1, &time_ns));
}

/* The kept image serves while only pointer and selection change. */
static void
test_overlay_alone (Desk *desk, gconstpointer data)
{
  KymoSpan span = { SECOND, 2 * SECOND };
  guint before = painted;

  kymo_session_set_selection (desk->session, &span);
  kymo_session_put_marker (desk->session, SECOND);
  gtk_widget_queue_draw (GTK_WIDGET (desk->canvas));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (desk->canvas));
  desk_settle (desk);
  g_assert_cmpuint (painted, ==, before);
}

/* A moving pointer reads nothing: the answer is laid out once for it and the picture, and anew
   when it is painted anew. */
static void
test_laid_out_once (Desk *desk, gconstpointer data)
{
  guint before;

  /* The name that is pointed at is lifted: the picture is painted for that. */
  desk->canvas->inside = TRUE;
  desk->canvas->x = 199;
  desk->canvas->y = 100;
  kymo_canvas_update_hit (desk->canvas);
  WAIT_FOR (!desk->canvas->need_paint);
  before = laid_out;
  for (guint i = 0; i < 100; i++)
    {
      desk->canvas->x = 200 + i;
      kymo_canvas_update_hit (desk->canvas);
      g_assert_cmpint (desk->canvas->hit.location, ==, hit_location);
    }
  g_assert_cmpuint (laid_out, ==, before);
  kymo_session_set_hidden (desk->session, "Cell::work", TRUE);
  kymo_canvas_update_hit (desk->canvas);
  g_assert_cmpuint (laid_out, ==, before + 1);
}

static void
test_dark (Desk *desk, gconstpointer data)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  guint before = painted;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  WAIT_FOR (painted > before);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  desk_settle (desk);
}

#define ADD(path, function)                                             \
  g_test_add ("/canvas/" path, Desk, NULL, desk_open, function, desk_close)

int
main (int argc, char *argv[])
{
  desk_init (&argc, &argv);

  ADD ("asks-and-paints", test_asks_and_paints);
  ADD ("words", test_words);
  ADD ("one-question-a-frame", test_one_question_a_frame);
  ADD ("newer-cancels-older", test_newer_cancels_older);
  g_test_add ("/canvas/panning", Desk, &wide_plot, desk_open, test_panning,
              desk_close);
  ADD ("closed-while-asking", test_closed_while_asking);
  ADD ("refusal", test_refusal);
  ADD ("keys", test_keys);
  ADD ("keys-of-the-window", test_keys_of_the_window);
  ADD ("selection", test_selection);
  ADD ("click", test_click);
  ADD ("double-click", test_double_click);
  ADD ("text-size", test_text_size);
  ADD ("find-keys", test_find_keys);
  ADD ("markers", test_markers);
  ADD ("overlay-alone", test_overlay_alone);
  ADD ("laid-out-once", test_laid_out_once);
  ADD ("dark", test_dark);
  return g_test_run ();
}
