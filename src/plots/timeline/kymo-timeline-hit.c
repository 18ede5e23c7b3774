/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lies under a point of the timeline, in words.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-timeline.h"
#include "kymo-in-terms.h"
#include "kymo-plot-terms.h"
#include "kymo-units.h"

/* Columns whose parameters and I/O are told at one place: they are near each other. */
#define MOST_RECORDS 3

static gboolean
row_at (const KymoTimeline *timeline, double y, guint *row)
{
  double at = (y - timeline->area.y + timeline->frame->scroll_px)
              / timeline->row_px - timeline->first_row;

  if (at < 0 || at >= timeline->n_rows)
    return FALSE;
  *row = at;
  return TRUE;
}

/* The cell over column `at`: of the answer, or the block that fills the
   columns around it. FALSE when there is none. */
static gboolean
cell_at (const KymoTimeline *timeline, guint row, double at,
         KymoTimelineRun *found)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE,
                                         sizeof (KymoTimelineRun));

  kymo_timeline_runs (timeline, row, 0, timeline->n_columns, runs);
  for (guint i = 0; i < runs->len; i++)
    {
      *found = g_array_index (runs, KymoTimelineRun, i);
      if (at < found->x1)
        return found->x0 <= at;
    }
  return FALSE;
}

/* The lane under a height of a row, or -1. */
static gint64
lane_at (const KymoTimeline *timeline, guint row, double y)
{
  guint n = kymo_timeline_lanes (timeline, row);

  for (guint lane = 0; lane < n; lane++)
    {
      KymoRect rect = kymo_timeline_lane_rect (timeline, row, lane);

      if (y >= rect.y && y < rect.y + rect.height + 1)
        return lane;
    }
  return -1;
}

/* Events may overlap and be thinner than a pointer: the nearest one; of the
   lane under the pointer, if lanes are shown. */
static int
event_near (const KymoTimeline *timeline, guint row, double x, double y)
{
  const KymoTimelineCells *events = &timeline->events;
  int best = -1;
  double best_width = G_MAXDOUBLE;
  gint64 lane = lane_at (timeline, row, y);

  if (events->offsets == NULL)
    return -1;
  for (guint i = events->offsets[row]; i < events->offsets[row + 1]; i++)
    {
      double x0 = kymo_timeline_x (timeline, events->x0[i]);
      double x1 = kymo_timeline_x (timeline, events->x1[i]);

      if (lane >= 0 && events->lane[i] >= 0 && events->lane[i] != lane)
        continue;
      if (x >= x0 - 2 && x <= MAX (x1, x0 + 1) + 2 && x1 - x0 < best_width)
        {
          best = i;
          best_width = x1 - x0;
        }
    }
  return best;
}

static KymoSpan
columns_span (const KymoTimeline *timeline, gint64 x0, gint64 x1)
{
  return (KymoSpan) { kymo_timeline_time (timeline, x0),
                      kymo_timeline_time (timeline, x1) };
}

static char *
share_words (const KymoTimeline *timeline, KymoSpan span, double share)
{
  g_autofree char *length = kymo_format_duration (kymo_span_length (span));
  g_autofree char *percent = NULL;

  if (share >= 0.9995)
    return g_strdup_printf (_("about %s"), length);
  percent = kymo_format_percent (share);
  return g_strdup_printf (_("%s of %s; zoom in for single blocks"), percent,
                          length);
}

/* A function, and on which communicator it was called. */
static char *
dup_cell_name (const KymoTimelineActivity *activity)
{
  const char *name = activity->kind == KYMO_KIND_SHORT ? _("Shorter blocks, hidden")
    : kymo_shown_name (activity->name);

  return activity->comm != NULL ? g_strdup_printf ("%s · %s", name, activity->comm)
                                : g_strdup (name);
}

static void
describe_cell (const KymoTimeline *timeline, guint row,
               const KymoTimelineRun *cell, KymoPlotHit *hit)
{
  const KymoTimelineActivity *activity;
  g_autofree char *label = kymo_timeline_dup_label (timeline, row);
  g_autofree char *words = NULL, *range = NULL, *name = NULL;

  hit->span = columns_span (timeline, cell->x0, cell->x1);
  activity = kymo_timeline_activity (timeline, cell->activity);
  if (activity == NULL || activity->hidden)
    return;
  if (activity->kind != KYMO_KIND_SHORT)
    hit->name = g_strdup (activity->name);
  hit->rect.x = kymo_timeline_x (timeline, cell->x0);
  hit->rect.width = kymo_timeline_x (timeline, cell->x1) - hit->rect.x;
  hit->rect.y = kymo_timeline_row_y (timeline, row);
  hit->rect.height = timeline->bar_px;
  words = share_words (timeline, hit->span, cell->share);
  range = kymo_frame_span_words (timeline->frame, hit->span);
  name = dup_cell_name (activity);
  hit->text = g_strdup_printf ("%s\n%s · %s · %s", name, label, range, words);
}

/* A parameter has been told with its value. */
static gboolean
is_told (const char *text, const char *name)
{
  g_autofree char *words = g_strdup_printf ("parameter %s = ", name);

  return text != NULL && strstr (text, words) != NULL;
}

static void
describe_event (const KymoTimeline *timeline, guint row, int event,
                KymoPlotHit *hit)
{
  const KymoTimelineActivity *activity
    = kymo_timeline_activity (timeline, timeline->events.activity[event]);
  KymoSpan span = columns_span (timeline, timeline->events.x0[event],
                                timeline->events.x1[event]);
  g_autofree char *old = g_steal_pointer (&hit->text);
  g_autofree char *range = kymo_frame_span_words (timeline->frame, span);
  const char *lane = timeline->events.lane == NULL ? NULL
    : kymo_timeline_lane_label (timeline, row, timeline->events.lane[event]);

  if (activity != NULL && !activity->hidden && !is_told (old, activity->name))
    hit->text = g_strdup_printf (_("%s%sUser event: %s\n%s%s%s"),
                                 old != NULL ? old : "",
                                 old != NULL ? "\n" : "", activity->name,
                                 lane != NULL ? lane : "",
                                 lane != NULL ? " · " : "", range);
  else
    hit->text = g_steal_pointer (&old);
}

static void
describe_outer (const KymoTimeline *timeline, guint row, double column,
                KymoPlotHit *hit)
{
  const KymoTimelineCells *outer = &timeline->outer;

  if (outer->offsets == NULL || hit->text == NULL)
    return;
  for (guint i = outer->offsets[row]; i < outer->offsets[row + 1]; i++)
    {
      const KymoTimelineActivity *activity
        = kymo_timeline_activity (timeline, outer->activity[i]);
      g_autofree char *old = NULL;

      if (activity == NULL || column < outer->x0[i] || column >= outer->x1[i])
        continue;
      old = g_steal_pointer (&hit->text);
      hit->text = g_strdup_printf (_("%s\ninside %s"), old,
                                   kymo_shown_name (activity->name));
    }
}

static void
describe_waiting (const KymoTable *answer, guint row, double column,
                  KymoPlotHit *hit)
{
  double share = 0;
  const char *kind = kymo_timeline_waiting_at (answer, row, column, &share);
  g_autofree char *old = NULL, *part = NULL;

  if (kind == NULL || hit->text == NULL)
    return;
  old = g_steal_pointer (&hit->text);
  if (share >= 1)
    {
      /* The second is a kind of waiting: "Late sender". */
      hit->text = g_strdup_printf (_("%s\nwaits: %s"), old, kymo_shown_name (kind));
      return;
    }
  part = kymo_format_percent (share);
  /* A share, "38 %", and a kind of waiting: "Late sender". */
  hit->text = g_strdup_printf (_("%s\nabout %s wait: %s"), old, part,
                               kymo_shown_name (kind));
}

static void
add_collective (const KymoTimeline *timeline, const KymoTable *answer,
                double x, double y, KymoPlotHit *hit)
{
  g_autofree char *words
    = kymo_timeline_describe_collective (timeline, answer, x, y);
  g_autofree char *old = NULL;

  if (words == NULL)
    return;
  old = g_steal_pointer (&hit->text);
  hit->text = g_strdup_printf ("%s%s%s", words, old != NULL ? "\n" : "",
                               old != NULL ? old : "");
}

static void
add_line (const KymoTimeline *timeline, const KymoTable *answer, guint row,
          double column, KymoPlotHit *hit)
{
  g_autofree char *words = kymo_timeline_describe_line (timeline, answer, row, column);
  g_autofree char *old = NULL;

  if (words == NULL)
    return;
  old = g_steal_pointer (&hit->text);
  hit->text = g_strdup_printf ("%s%s%s", old != NULL ? old : "", old != NULL ? "\n" : "", words);
}

static void
add_records (const KymoTimeline *timeline, const KymoTable *answer, guint row, double x,
             KymoPlotHit *hit)
{
  KymoTable *records = kymo_table_peek_nested (answer, "records", NULL);
  guint n = records != NULL ? kymo_table_get_n_rows (records) : 0, found = 0;

  for (guint i = 0; i < n && found < MOST_RECORDS; i++)
    {
      g_autofree char *old = NULL, *number = NULL;
      const char *text = kymo_table_get_string (records, "text", i);
      guint count = kymo_table_get_int (records, "count", i);

      if (kymo_table_get_int (records, "row", i) != row
          || x < kymo_timeline_x (timeline, kymo_table_get_int (records, "x0", i)) - 2
          || x > kymo_timeline_x (timeline, kymo_table_get_int (records, "x1", i)) + 2)
        continue;
      if (text == NULL)
        text = number = g_strdup_printf (g_dngettext (
          GETTEXT_PACKAGE, "%u parameter or I/O operation; zoom in to see it",
          "%u parameters and I/O operations; zoom in to see them", count), count);
      old = g_steal_pointer (&hit->text);
      hit->text = g_strdup_printf ("%s%s%s", old != NULL ? old : "", old != NULL ? "\n" : "",
                                   text);
      found++;
    }
}

static void
hit_mark (const KymoTimeline *timeline, const KymoTable *answer, double x,
          KymoPlotHit *hit)
{
  KymoTable *marks = kymo_table_peek_nested (answer, "marks", NULL);
  guint n = marks != NULL ? kymo_table_get_n_rows (marks) : 0;
  GString *text = g_string_new (NULL);
  guint found = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 time_ns = kymo_table_get_int (marks, "time_ns", i);
      const char *words = kymo_table_get_string (marks, "text", i);
      g_autofree char *when = NULL;

      if (fabs (kymo_plot_time_to_x (timeline->frame, time_ns) - x) > 5
          || ++found > 6)
        continue;
      when = kymo_format_time (time_ns - timeline->frame->stretch.begin_ns, 1000);
      g_string_append_printf (text, "%s%s · %s", text->len > 0 ? "\n" : "",
                              words != NULL ? words
                              : kymo_table_get_string (marks, "kind", i),
                              when);
      hit->time_ns = time_ns;
    }
  if (found > 6)
    g_string_append_printf (text, _("\nand %u more"), found - 6);
  if (found > 0)
    hit->text = g_string_free (text, FALSE);
  else
    g_string_free (text, TRUE);
}

/**
 * kymo_timeline_weight:
 * @row: of the answer
 *
 * Returns: how many PEs the row stands for; NaN where nothing is extrapolated
 */
double
kymo_timeline_weight (const KymoTimeline *timeline, guint row)
{
  return kymo_table_find_column (timeline->rows, "weight") >= 0
         ? kymo_table_get_double (timeline->rows, "weight", row) : NAN;
}

static void
hit_row_label (const KymoTimeline *timeline, guint row, KymoPlotHit *hit)
{
  g_autofree char *label = kymo_timeline_dup_label (timeline, row);
  g_autofree char *busy = kymo_format_percent (
    kymo_table_get_double (timeline->rows, kymo_terms_share (timeline->frame->terms), row));
  gboolean comm = g_strcmp0 (kymo_table_get_string (timeline->rows, "kind",
                                                    row),
                             "communication") == 0;

  hit->text = g_strdup_printf (
    comm ? _("%s: a communication thread\n%s busy in this range")
    : timeline->frame->terms.code == KYMO_CODE_FUNCTION ? _("%s\n%s useful in this range")
    : _("%s\n%s busy in this range"), label, busy);
  if (!isnan (kymo_timeline_weight (timeline, row)))
    {
      g_autofree char *words = g_steal_pointer (&hit->text);

      hit->text = g_strdup_printf (kymo_in_terms (timeline->frame->terms,
                                                  _("%s\nstands for %.2f {rows}")), words,
                                   kymo_timeline_weight (timeline, row));
    }
}

/**
 * kymo_timeline_hit:
 * @x: px
 * @y: px
 * @hit: (out caller-allocates): overwritten without being freed; kymo_plot_hit_clear() is due
 *
 * Describes the object at a point: flags above the rows, the header of a group, the label of a
 * row, in a row its block, user events, waiting, samples and collective operations, or a system
 * metric below the rows.
 *
 * Returns: whether the point is on flags, on a header, on a row or on a metric
 */
gboolean
kymo_timeline_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoTimeline *timeline = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  guint row = 0;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  if (!timeline->known)
    {
      return FALSE;
    }
  if (y < timeline->area.y && x >= timeline->area.x)
    {
      hit_mark (timeline, answer, x, hit);
      found = hit->text != NULL;
    }
  else if (kymo_timeline_hit_metric (timeline, x, y, hit))
    found = TRUE;
  else if (x < timeline->gutter_px && y < timeline->area.y + timeline->area.height
           && kymo_timeline_hit_group (timeline, x, y, hit))
    found = TRUE;
  else if (y < timeline->area.y + timeline->area.height
           && row_at (timeline, y, &row)
           && x < timeline->area.x + timeline->area.width)
    {
      double column = (x - timeline->x_zero) / timeline->x_step;
      KymoTimelineRun cell;
      gboolean over = cell_at (timeline, row, column, &cell);
      int event = event_near (timeline, row, x, y);

      hit->location = kymo_timeline_location (timeline, row);
      found = TRUE;
      if (x < timeline->area.x)
        hit_row_label (timeline, row, hit);
      else
        {
          hit->time_ns = kymo_plot_x_to_time (frame, x);
          if (over)
            describe_cell (timeline, row, &cell, hit);
          describe_outer (timeline, row, column, hit);
          describe_waiting (answer, row, column, hit);
          add_line (timeline, answer, row, column, hit);
          add_records (timeline, answer, row, x, hit);
          if (event >= 0)
            describe_event (timeline, row, event, hit);
          add_collective (timeline, answer, x, y, hit);
        }
    }
  return found;
}
