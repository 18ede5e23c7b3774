/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of the selected block of a timeline: a line from where the one
 * that it executes was sent, by way of the communication threads that passed
 * it on, to the begin of the block; of a function a line for each message
 * that it sends and receives, from record to record. The canvas asks for them
 * itself, a question a selection, and paints them with its overlay.
 */
#include "config.h"

#include <math.h>

#include "kymo-canvas-private.h"
#include "kymo-theme.h"
#include "kymo-timeline.h"

#define HEAD_PX 7

/** Arrow: from where a message was sent to where it arrived */
typedef struct
{
  gint64           from, to;    /* locations */
  gint64           sent_ns, arrived_ns;
  gboolean         certain;
  const KymoTable *via, *via_ns;        /* or NULL */
} Arrow;

/* The message that started a block. */
static gboolean
get_cause (const KymoTable *details, Arrow *arrow)
{
  if (kymo_table_find_column (details, "sent_ns") < 0)
    return FALSE;
  *arrow = (Arrow) {
    kymo_table_get_int (details, "source_location", 0),
    kymo_table_get_int (details, "location", 0),
    kymo_table_get_int (details, "sent_ns", 0),
    kymo_table_get_int (details, "begin_ns", 0),
    kymo_table_get_bool (details, "certain", 0),
    kymo_table_peek_nested (details, "via", NULL),
    kymo_table_peek_nested (details, "via_ns", NULL),
  };
  return TRUE;
}

/* A message that a function sends or receives; FALSE where its other end is
   not known. */
static gboolean
get_exchanged (const KymoTable *details, const KymoTable *messages, guint i,
               Arrow *arrow)
{
  gint64 here = kymo_table_get_int (details, "location", 0);
  gint64 there = kymo_table_get_int (messages, "location", i);
  gboolean sends = g_strcmp0 (kymo_table_get_string (messages, "direction", i),
                              "send") == 0;

  *arrow = (Arrow) { sends ? here : there, sends ? there : here,
                     kymo_table_get_int (messages, "sent_ns", i),
                     kymo_table_get_int (messages, "received_ns", i),
                     TRUE, NULL, NULL };
  return there != KYMO_NULL_INT;
}

/* One message after the other, that which started the block first; i is 0 at
   first. FALSE behind the last. */
static gboolean
next_arrow (const KymoTable *details, guint *i, Arrow *arrow)
{
  KymoTable *messages = kymo_table_peek_nested (details, "messages", NULL);
  guint n = messages != NULL ? kymo_table_get_n_rows (messages) : 0;

  if (*i == 0)
    {
      *i = 1;
      if (get_cause (details, arrow))
        return TRUE;
    }
  while (*i <= n)
    if (get_exchanged (details, messages, (*i)++ - 1, arrow))
      return TRUE;
  return FALSE;
}

static void
find_places (KymoCanvas *self)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint i = 0;
  Arrow arrow;

  while (next_arrow (self->message, &i, &arrow))
    {
      guint n = arrow.via != NULL ? kymo_table_get_n_rows (arrow.via) : 0;

      g_array_append_val (ids, arrow.from);
      g_array_append_val (ids, arrow.to);
      for (guint k = 0; k < n; k++)
        {
          gint64 hop = kymo_table_get_int (arrow.via, "via", k);

          g_array_append_val (ids, hop);
        }
    }
  kymo_canvas_find_places (self, (const gint64 *) ids->data, ids->len);
}

static void
on_message (KymoTable *answer, const GError *error, gpointer data)
{
  KymoCanvas *self = data;
  Arrow arrow;

  g_clear_pointer (&self->message, kymo_table_unref);
  if (answer != NULL && next_arrow (answer, &(guint) { 0 }, &arrow))
    {
      self->message = kymo_table_ref (answer);
      find_places (self);
    }
  kymo_canvas_queue_still (self);
}

/** kymo_canvas_ask_message: after the selection has changed */
void
kymo_canvas_ask_message (KymoCanvas *self)
{
  KymoQuestion *question;
  gint64 location, time_ns;

  g_clear_pointer (&self->message, kymo_table_unref);
  if (g_strcmp0 (self->klass->id, "timeline") != 0)
    return;
  if (self->message_asker == NULL)
    self->message_asker = kymo_asker_new (
      kymo_session_peek_source (self->session), on_message, self);
  kymo_asker_cancel (self->message_asker);
  if (!kymo_session_get_block (self->session, &location, &time_ns))
    return;
  question = kymo_question_new ("details");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_asker_ask (self->message_asker, question);
}

/* The next point of the line; FALSE where its location has no row. */
static gboolean
add_point (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
           gint64 location, gint64 time_ns, double *x, double *y)
{
  gint64 row = kymo_canvas_row_at (self, timeline, location);

  if (row < 0)
    return FALSE;
  *x = kymo_plot_time_to_x (timeline->frame, time_ns);
  *y = timeline->area.y + (row + 0.5) * timeline->row_px
       - timeline->frame->scroll_px;
  if (cairo_has_current_point (cr))
    cairo_line_to (cr, *x, *y);
  else
    cairo_move_to (cr, *x, *y);
  return TRUE;
}

static void
line_of (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
         const Arrow *arrow)
{
  guint n = arrow->via != NULL && arrow->via_ns != NULL
            ? kymo_table_get_n_rows (arrow->via) : 0;
  double x, y;

  cairo_new_path (cr);
  if (!add_point (cr, self, timeline, arrow->from, arrow->sent_ns, &x, &y))
    return;
  for (guint i = 0; i < n; i++)
    add_point (cr, self, timeline, kymo_table_get_int (arrow->via, "via", i),
               kymo_table_get_int (arrow->via_ns, "ns", i), &x, &y);
  add_point (cr, self, timeline, arrow->to, arrow->arrived_ns, &x, &y);
}

static void
paint_ends (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
            const Arrow *arrow)
{
  double x, y;

  cairo_new_path (cr);
  if (add_point (cr, self, timeline, arrow->from, arrow->sent_ns, &x, &y))
    {
      cairo_new_path (cr);
      cairo_arc (cr, x, y, 3, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  if (add_point (cr, self, timeline, arrow->to, arrow->arrived_ns, &x, &y))
    {
      cairo_new_path (cr);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x - HEAD_PX, y - HEAD_PX / 2.0);
      cairo_line_to (cr, x - HEAD_PX, y + HEAD_PX / 2.0);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
}

/* Dashed where the match is uncertain. */
static void
paint_arrow (cairo_t *cr, KymoCanvas *self, const KymoTimeline *timeline,
             const Arrow *arrow)
{
  const KymoTheme *theme = kymo_theme_get (timeline->frame->dark);

  line_of (cr, self, timeline, arrow);
  kymo_set_source_alpha (cr, theme->canvas, 0.9);
  cairo_set_line_width (cr, 4);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_stroke_preserve (cr);
  if (!arrow->certain)
    cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  paint_ends (cr, self, timeline, arrow);
}

/** kymo_canvas_paint_message: all of them, of a function */
void
kymo_canvas_paint_message (KymoCanvas *self, cairo_t *cr,
                           const KymoPlotFrame *frame)
{
  KymoTimeline timeline;
  guint i = 0;
  Arrow arrow;

  if (self->message == NULL || self->answer == NULL)
    return;
  if (kymo_timeline_init (&timeline, self->answer, frame))
    {
      KymoRect area = timeline.area;

      cairo_save (cr);
      cairo_rectangle (cr, area.x, area.y, area.width, area.height);
      cairo_clip (cr);
      while (next_arrow (self->message, &i, &arrow))
        paint_arrow (cr, self, &timeline, &arrow);
      cairo_restore (cr);
    }
  kymo_timeline_clear (&timeline);
}
