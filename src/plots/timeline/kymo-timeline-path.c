/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-timeline-path.h"

#include <math.h>
#include <string.h>

#include "kymo-text.h"
#include "kymo-timeline-messages.h"
#include "kymo-units.h"

#define WIDTH_PX 3
#define MESSAGE_PX 1.5
#define HALO_PX 2.5
#define FADED 0.5
/* Shorter steps are joined. */
#define JOINED_PX 3
/* The number of steps from which it holds. */
#define DENSE 200
#define AT_ONCE 4
/* Shorter rows have the line in their middle. */
#define LOW_PX 12
/* Of how long a step took. */
#define LABEL_PX 14
#define LABEL_BESIDE_PX 6

typedef struct
{
  const KymoTimeline *timeline;
  GHashTable         *rows;
  const gint64       *location, *begin_ns, *end_ns, *place;
  const KymoTable    *steps;
  guint               first, end;      /* steps that reach into sight */
} Path;

/** kymo_timeline_path_question: (transfer full): */
KymoQuestion *
kymo_timeline_path_question (const KymoPlotFrame *frame, KymoSpan part)
{
  KymoQuestion *question = kymo_question_new ("critical-path");
  KymoSpan span = frame->span;
  double length = MAX (kymo_span_length (span), 1);
  double width = MAX (frame->width_px - frame->left_px - frame->right_px, 16);

  kymo_question_set_int (question, "limit", 0);
  kymo_question_set_int (question, "part-begin", part.begin_ns);
  kymo_question_set_int (question, "part-end", part.end_ns);
  kymo_question_set_int (question, "column", MAX (length / width * JOINED_PX, 1));
  return question;
}

/* Of all locations: a chain goes where it goes, also over rows that are not shown. */
static KymoQuestion *
chain_question (KymoQuestion *timeline, const char *direction, GError **error)
{
  KymoQuestion *question;
  gint64 location, time_ns;

  if (!kymo_question_get_int (timeline, "follow-location", -1, &location, error)
      || !kymo_question_get_int (timeline, "follow-at-ns", 0, &time_ns, error))
    return NULL;
  question = kymo_question_new ("chain");
  kymo_question_set_int (question, "location", location);
  kymo_question_set_int (question, "time", time_ns);
  kymo_question_set (question, "direction", direction);
  kymo_question_set_int (question, "limit", KYMO_PATH_MOST_STEPS);
  return question;
}

/**
 * kymo_timeline_ask_path:
 * @timeline: the question of the picture, whose locations and order hold
 * @path: (out) (transfer full) (nullable): the answer
 *
 * Returns: FALSE with @error where what is wanted has no answer
 */
gboolean
kymo_timeline_ask_path (KymoSource *source, const KymoPlotFrame *frame, KymoQuestion *timeline,
                        GCancellable *cancellable, KymoTable **path, GError **error)
{
  const char *follow = kymo_question_get (timeline, "follow");
  g_autoptr (KymoQuestion) question = NULL;

  *path = NULL;
  if (follow == NULL || g_strcmp0 (kymo_question_get_kind (timeline), "timeline") != 0)
    return TRUE;
  if (strcmp (follow, "critical") != 0)
    question = chain_question (timeline, follow, error);
  else
    {
      question = kymo_timeline_path_question (frame, frame->span);
      kymo_question_set_locations (question, kymo_question_peek_locations (timeline));
    }
  if (question == NULL)
    return FALSE;
  kymo_question_set_order (question, kymo_question_peek_order (timeline));
  *path = kymo_source_ask (source, question, cancellable, error);
  return *path != NULL;
}

/** kymo_timeline_path_steps: of the critical path the part that was asked for */
KymoTable *
kymo_timeline_path_steps (const KymoTable *path)
{
  KymoTable *part = kymo_table_peek_nested (path, "part", NULL);

  return part != NULL ? part : kymo_table_peek_nested (path, "steps", NULL);
}

static gboolean
read_path (Path *path, const KymoTimeline *timeline, const KymoTable *steps)
{
  guint n = kymo_table_get_n_rows (steps);

  *path = (Path) { .timeline = timeline, .steps = steps };
  path->location = kymo_table_peek_ints (steps, "location", NULL);
  path->begin_ns = kymo_table_peek_ints (steps, "begin_ns", NULL);
  path->end_ns = kymo_table_peek_ints (steps, "end_ns", NULL);
  path->place = kymo_table_peek_ints (steps, "place", NULL);
  if (n == 0 || path->location == NULL || path->begin_ns == NULL
      || path->end_ns == NULL || path->place == NULL)
    return FALSE;
  while (path->first < n
         && path->end_ns[path->first] < timeline->frame->span.begin_ns)
    path->first++;
  for (path->end = path->first; path->end < n
       && path->begin_ns[path->end] < timeline->frame->span.end_ns;)
    path->end++;
  return TRUE;
}

static double
y_of (const Path *path, guint step)
{
  const KymoTimeline *timeline = path->timeline;
  double place = path->place[step] == KYMO_NULL_INT ? NAN : path->place[step];
  double y = kymo_timeline_location_y (timeline, path->rows, path->location[step], place);

  return timeline->bar_px < LOW_PX ? y : y + timeline->bar_px / 2 - WIDTH_PX - 1;
}

static gboolean
is_kind (const Path *path, guint step, const char *kind)
{
  return g_strcmp0 (kymo_table_get_string (path->steps, "kind", step), kind) == 0;
}

static void
fade_others (cairo_t *cr, const Path *path)
{
  const KymoTimeline *timeline = path->timeline;
  g_autofree gboolean *touched = g_new0 (gboolean, timeline->n_rows);
  guint first, end;

  for (guint i = path->first; i < path->end; i++)
    {
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (path->rows, &path->location[i]));

      if (row > 0)
        touched[row - 1] = TRUE;
    }
  kymo_timeline_visible (timeline, &first, &end);
  for (guint row = first; row < end; row++)
    if (!touched[row])
      cairo_rectangle (cr, timeline->area.x, kymo_timeline_row_y (timeline, row),
                       timeline->area.width, timeline->bar_px);
  kymo_set_source_alpha (cr, timeline->theme->canvas, FADED);
  cairo_fill (cr);
}

static void
trace_line (cairo_t *cr, const Path *path, gint64 begin_ns, double y0, gint64 end_ns, double y1)
{
  const KymoPlotFrame *frame = path->timeline->frame;
  double x0 = kymo_plot_time_to_x (frame, begin_ns), x1 = kymo_plot_time_to_x (frame, end_ns);

  kymo_timeline_clip_line (path->timeline, &x0, &y0, &x1, &y1);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}

/* From the row of the step before to that of this one; FALSE where there is no such line. */
static gboolean
trace_message (cairo_t *cr, const Path *path, guint i)
{
  gboolean message = is_kind (path, i, "message");
  double y0, y1;

  if (i == 0 || (!message && path->location[i] == path->location[i - 1]))
    return FALSE;
  y0 = y_of (path, i - 1);
  y1 = y_of (path, i);
  if (isnan (y0) || isnan (y1))
    return FALSE;
  trace_line (cr, path, path->begin_ns[i], y0,
              message ? path->end_ns[i] : path->begin_ns[i], y1);
  return TRUE;
}

static gboolean
trace_row (cairo_t *cr, const Path *path, guint i, gboolean queue)
{
  double y = y_of (path, i);

  if (is_kind (path, i, "message") || is_kind (path, i, "queue") != queue || isnan (y))
    return FALSE;
  trace_line (cr, path, path->begin_ns[i], y, path->end_ns[i], y);
  return TRUE;
}

typedef enum { MESSAGES, QUEUES, BLOCKS } Look;

/* Few at a time: strokes of many lines that cross cost more than each of them alone. */
static void
stroke_all (cairo_t *cr, const Path *path, Look look)
{
  guint n = 0;

  for (guint i = path->first; i < path->end; i++)
    {
      n += look == MESSAGES ? trace_message (cr, path, i) : trace_row (cr, path, i, look == QUEUES);
      if (n < AT_ONCE)
        continue;
      cairo_stroke (cr);
      n = 0;
    }
  cairo_stroke (cr);
}

/* The halo of all of them first, so that none lies over another's line; lines from row to
   row have none where they would cover everything else. */
static void
paint_look (cairo_t *cr, const Path *path, Look look)
{
  const KymoTheme *theme = path->timeline->theme;
  double width = look == BLOCKS ? WIDTH_PX : MESSAGE_PX;

  if (look != MESSAGES || path->end - path->first < DENSE)
    {
      kymo_set_source_alpha (cr, theme->canvas, 0.85);
      cairo_set_line_width (cr, width + HALO_PX);
      stroke_all (cr, path, look);
    }
  if (look == QUEUES)
    cairo_set_dash (cr, (double[]) { 5, 3 }, 2, 0);
  kymo_set_source (cr, theme->accent);
  cairo_set_line_width (cr, width);
  stroke_all (cr, path, look);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
paint_current (cairo_t *cr, const Path *path, guint step)
{
  double y = y_of (path, step);

  if (isnan (y) || is_kind (path, step, "message"))
    return;
  trace_line (cr, path, path->begin_ns[step], y, path->end_ns[step], y);
  kymo_set_source (cr, path->timeline->theme->foreground);
  cairo_set_line_width (cr, WIDTH_PX + 1);
  cairo_stroke (cr);
}

/* -- how long steps took ---------------------------------------------------- */

/* Where the label of a step goes: over the middle of what is seen of it. FALSE where it has
   no room of its own. */
static gboolean
label_place (const Path *path, guint i, double width, KymoRect *place)
{
  const KymoTimeline *timeline = path->timeline;
  gboolean message = is_kind (path, i, "message");
  double y1 = y_of (path, i), y0 = message && i > 0 ? y_of (path, i - 1) : y1;
  double x0 = kymo_plot_time_to_x (timeline->frame, path->begin_ns[i]);
  double x1 = kymo_plot_time_to_x (timeline->frame, path->end_ns[i]);
  double left = timeline->area.x, right = left + timeline->area.width;

  if (isnan (y0) || isnan (y1) || x1 < left || x0 > right)
    return FALSE;
  if (!message)
    {
      x0 = MAX (x0, left);
      x1 = MIN (x1, right);
    }
  if (message ? hypot (x1 - x0, y1 - y0) < width + 2 * LABEL_BESIDE_PX
      : x1 - x0 < width + 2 * LABEL_BESIDE_PX)
    return FALSE;
  *place = (KymoRect) { (x0 + x1 - width) / 2 - 3, (y0 + y1) / 2 - LABEL_PX / 2,
                        width + 6, LABEL_PX };
  /* Above the line; in the topmost row, where that is out of sight, below it. */
  if (!message)
    place->y += (place->y - LABEL_PX / 2 - WIDTH_PX < timeline->area.y ? 1 : -1)
      * (LABEL_PX / 2 + WIDTH_PX);
  return place->x >= left && place->x + place->width <= right;
}

static gboolean
is_free (const GArray *taken, const KymoRect *place)
{
  for (guint i = 0; i < taken->len; i++)
    {
      const KymoRect *other = &g_array_index (taken, KymoRect, i);

      if (place->x < other->x + other->width && other->x < place->x + place->width
          && place->y < other->y + other->height && other->y < place->y + place->height)
        return FALSE;
    }
  return TRUE;
}

/* The current step first: its label is what one looks for. */
static void
paint_took (cairo_t *cr, const Path *path, guint i, GArray *taken)
{
  const KymoTheme *theme = path->timeline->theme;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  g_autofree char *took = kymo_format_duration (path->end_ns[i] - path->begin_ns[i]);
  KymoRect place;

  if (!label_place (path, i, kymo_text_width (cr, took, style), &place)
      || !is_free (taken, &place))
    return;
  g_array_append_val (taken, place);
  kymo_set_source_alpha (cr, theme->canvas, 0.85);
  cairo_rectangle (cr, place.x, place.y, place.width, place.height);
  cairo_fill (cr);
  kymo_text_draw (cr, took, place.x + place.width / 2, place.y + place.height / 2, style,
                  theme->foreground);
}

static void
paint_times (cairo_t *cr, const Path *path, gint current)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (KymoRect));

  if (path->end - path->first >= DENSE)
    return;
  if (current >= (gint) path->first && current < (gint) path->end)
    paint_took (cr, path, current, taken);
  for (guint i = path->first; i < path->end; i++)
    if ((gint) i != current)
      paint_took (cr, path, i, taken);
}

/** kymo_timeline_paint_path: with how long steps took, where that finds room */
void
kymo_timeline_paint_path (cairo_t *cr, const KymoTimeline *timeline,
                          const KymoTable *steps, gint current)
{
  KymoRect area = timeline->area;
  Path path;

  if (!read_path (&path, timeline, steps))
    return;
  path.rows = kymo_timeline_rows_by_location (timeline);
  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  fade_others (cr, &path);
  paint_look (cr, &path, MESSAGES);
  paint_look (cr, &path, QUEUES);
  paint_look (cr, &path, BLOCKS);
  if (current >= 0 && current < (gint) kymo_table_get_n_rows (steps))
    paint_current (cr, &path, current);
  paint_times (cr, &path, current);
  cairo_restore (cr);
  g_hash_table_unref (path.rows);
}
