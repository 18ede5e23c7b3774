/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-timeline-extras.h"

#include <string.h>

#include "kymo-column-sums.h"
#include "kymo-details.h"
#include "kymo-lanes.h"
#include "kymo-order.h"

/* A ruler with more marks than this would be all marks. */
#define MAX_MARKS 500

/* Wide brackets of one lane that begin in one column hide one another. */
#define MOST_AT_ONE_COLUMN 8
/* Names that are weighed against each other in one column of one lane. */
#define MOST_IN_COLUMN 16

typedef struct
{
  gint32 nested_id;
  char  *label;
} KymoExtraLane;

/* Sums by name of points thinner than a column; the name with the most time (of equals the first)
   stands for the column. */
typedef struct
{
  guint   column;
  guint   n;
  guint32 states[MOST_IN_COLUMN];
  gint64  ns[MOST_IN_COLUMN];
  guint   wide_column, n_wide;
} Column;

typedef struct
{
  gint64      time_ns;
  gint64      location;         /* id */
  const char *kind;
  char       *text;
  const char *severity;         /* of a marker, else NULL */
} KymoMark;

/** kymo_row_extras_clear: frees what a row has beside its cells; may be called more than once */
void
kymo_row_extras_clear (KymoRowExtras *extras)
{
  g_clear_pointer (&extras->outer, g_array_unref);
  g_clear_pointer (&extras->events, g_array_unref);
  g_clear_pointer (&extras->lanes, g_array_unref);
  g_clear_pointer (&extras->records, g_array_unref);
  g_clear_pointer (&extras->files, g_array_unref);
}

/**
 * kymo_row_extras_place:
 * @edges_ns: (array): n_columns + 1 edges of the columns
 * @extra: (out): gets x0 and x1
 *
 * Returns: whether the stretch lies in the asked range
 */
gboolean
kymo_row_extras_place (const KymoAsk *ask,
                       const gint64  *edges_ns,
                       guint          n_columns,
                       gint64         begin_ns,
                       gint64         end_ns,
                       KymoExtra     *extra)
{
  KymoSpan here = { begin_ns, MAX (end_ns, begin_ns + 1) };
  KymoSpan visible = kymo_span_intersect (ask->span, here);

  if (kymo_span_length (visible) == 0)
    return FALSE;
  extra->x0 = MIN (kymo_find_column (edges_ns, 0, n_columns, visible.begin_ns), n_columns - 1);
  extra->x1 = MIN (kymo_find_column (edges_ns, 0, n_columns, visible.end_ns - 1) + 1, n_columns);
  return TRUE;
}

static void
append_extra (GArray         **into,
              const KymoExtra *extra)
{
  if (*into == NULL)
    *into = g_array_new (FALSE, FALSE, sizeof (KymoExtra));
  g_array_append_vals (*into, extra, 1);
}

/* The block before the range that none lies around, or the first: whatever
   comes before it ends before the range begins. */
static guint
first_outermost (const KymoSegment *segment,
                 gint64             time_ns)
{
  guint i = kymo_segment_first_block (segment, time_ns);

  if (i > 0)
    i--;
  while (i > 0 && segment->block_depth[i] > 0)
    i--;
  return i;
}

/* A block is outer where the next one is deeper. Those of a column's width
   only would not be seen. */
static void
collect_outer (const KymoAsk     *ask,
               const KymoSegment *segment,
               const gint64      *edges_ns,
               guint              n_columns,
               KymoRowExtras     *extras)
{
  gint64 column_ns = kymo_span_length (ask->span) / n_columns;

  if (segment->block_depth == NULL)
    return;
  for (guint i = first_outermost (segment, ask->span.begin_ns);
       i + 1 < segment->n_blocks && !kymo_ask_is_stopped (ask, i)
       && kymo_segment_block_begin (segment, i) <= ask->span.end_ns; i++)
    if (segment->block_depth[i + 1] > segment->block_depth[i]
        && kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i) > column_ns)
      {
        KymoExtra extra = { 0, 0, KYMO_STATE_ACTIVITY + segment->block_activity[i],
                            segment->block_depth[i] };

        if (kymo_row_extras_place (ask, edges_ns, n_columns,
                                   kymo_segment_block_begin (segment, i),
                                   kymo_segment_block_end (segment, i), &extra))
          append_extra (&extras->outer, &extra);
      }
}

/* -- user events ---------------------------------------------------------- */

static void
lane_clear (gpointer data)
{
  g_free (((KymoExtraLane *) data)->label);
}

static void
name_lanes (const KymoAsk     *ask,
            const KymoSegment *segment,
            const KymoLanes   *lanes,
            KymoRowExtras     *extras)
{
  extras->lanes = g_array_new (FALSE, TRUE, sizeof (KymoExtraLane));
  g_array_set_clear_func (extras->lanes, lane_clear);
  g_array_set_size (extras->lanes, lanes->lanes->len);
  for (guint i = 0; i < segment->points->len; i++)
    {
      KymoExtraLane *lane;

      if (lanes->of_point[i] < 0)
        continue;
      lane = &g_array_index (extras->lanes, KymoExtraLane, lanes->of_point[i]);
      if (lane->label != NULL)
        continue;
      lane->nested_id = g_array_index (lanes->lanes, KymoLane, lanes->of_point[i]).nested_id;
      lane->label = kymo_lane_label (ask->run, &g_array_index (segment->points, KymoPoint, i),
                                     g_array_index (lanes->lanes, KymoLane,
                                                    lanes->of_point[i]).depth);
    }
}

static void
flush_column (Column        *column,
              gint           lane,
              KymoRowExtras *extras)
{
  KymoExtra extra = { column->column, column->column + 1, 0, lane };
  guint best = 0;

  if (column->n == 0)
    return;
  for (guint i = 1; i < column->n; i++)
    if (column->ns[i] > column->ns[best])
      best = i;
  extra.state = column->states[best];
  append_extra (&extras->events, &extra);
  column->n = 0;
}

static void
add_thin (Column          *column,
          const KymoExtra *extra,
          gint64           ns,
          KymoRowExtras   *extras)
{
  guint i = 0;

  if (column->n > 0 && column->column != extra->x0)
    flush_column (column, extra->level, extras);
  column->column = extra->x0;
  while (i < column->n && column->states[i] != extra->state)
    i++;
  if (i == MOST_IN_COLUMN)
    return;
  if (i == column->n)
    {
      column->states[i] = extra->state;
      column->ns[i] = 0;
      column->n++;
    }
  column->ns[i] += ns;
}

static void
add_wide (Column          *column,
          const KymoExtra *extra,
          KymoRowExtras   *extras)
{
  if (column->n_wide > 0 && column->wide_column != extra->x0)
    column->n_wide = 0;
  column->wide_column = extra->x0;
  if (++column->n_wide <= MOST_AT_ONE_COLUMN)
    append_extra (&extras->events, extra);
}

/* At most one primitive a column and lane, and those that are wider. */
static void
collect_events (const KymoAsk     *ask,
                const KymoSegment *segment,
                const gint64      *edges_ns,
                guint              n_columns,
                KymoRowExtras     *extras)
{
  gint64 column_ns = kymo_span_length (ask->span) / n_columns;
  g_autofree Column *columns = NULL;
  KymoLanes lanes;

  kymo_lanes_init (&lanes, segment);
  if (lanes.lanes->len > 0)
    name_lanes (ask, segment, &lanes, extras);
  columns = g_new0 (Column, lanes.lanes->len + 1);
  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      KymoExtra extra = { 0, 0, KYMO_STATE_ACTIVITY + point->activity, lanes.of_point[i] };
      Column *column = &columns[lanes.of_point[i] + 1];

      if (point->activity == G_MAXUINT32
          || !kymo_row_extras_place (ask, edges_ns, n_columns, point->begin_ns, point->end_ns,
                                     &extra))
        continue;
      if (extra.x1 - extra.x0 > 1 && point->end_ns - point->begin_ns >= column_ns)
        add_wide (column, &extra, extras);
      else
        add_thin (column, &extra, point->end_ns - point->begin_ns, extras);
    }
  for (guint i = 0; i <= lanes.lanes->len; i++)
    flush_column (&columns[i], (gint) i - 1, extras);
  kymo_lanes_clear (&lanes);
}

/**
 * kymo_row_extras_collect:
 * @edges_ns: (array): n_columns + 1 edges of the columns
 * @with_outer: whether rows are high enough for what lies around a block
 */
void
kymo_row_extras_collect (const KymoAsk     *ask,
                         KymoSegment       *segment,
                         const gint64      *edges_ns,
                         guint              n_columns,
                         gboolean           with_outer,
                         KymoRowExtras     *extras)
{
  if (with_outer)
    collect_outer (ask, segment, edges_ns, n_columns, extras);
  if (segment->points->len > 0)
    collect_events (ask, segment, edges_ns, n_columns, extras);
  extras->records = kymo_timeline_collect_records (ask, segment, edges_ns, n_columns);
  extras->files = kymo_timeline_collect_files (ask, segment, extras->records, edges_ns, n_columns);
}

static void
mark_array (const GArray *extras,
            gboolean     *used)
{
  for (guint i = 0; extras != NULL && i < extras->len; i++)
    used[g_array_index (extras, KymoExtra, i).state] = TRUE;
}

/**
 * kymo_row_extras_mark_used:
 * @used: by state: set to %TRUE for the states of outer blocks and user events, else left alone
 */
void
kymo_row_extras_mark_used (const KymoRowExtras *extras,
                           gboolean            *used)
{
  mark_array (extras->outer, used);
  mark_array (extras->events, used);
}

/**
 * kymo_span_table_new:
 * @last_column: (nullable): name of a fourth column
 *
 * Returns: (transfer full): a table of tuples x0, x1, activity
 */
KymoTable *
kymo_span_table_new (const char *last_column)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);

  kymo_table_add_column (table, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "activity", KYMO_COLUMN_INT, 1);
  if (last_column != NULL)
    kymo_table_add_column (table, last_column, KYMO_COLUMN_INT, 1);
  return table;
}

static void
append_array (const GArray *extras,
              const guint32 *index_of,
              KymoTable    *table)
{
  gboolean has_level = kymo_table_get_n_columns (table) > 3;

  for (guint i = 0; extras != NULL && i < extras->len; i++)
    {
      const KymoExtra *extra = &g_array_index (extras, KymoExtra, i);

      kymo_table_append_row (table, extra->x0, extra->x1, index_of[extra->state]);
      if (has_level)
        kymo_table_append_int (table, 3, extra->level >= 0 ? extra->level : KYMO_NULL_INT);
    }
}

/**
 * kymo_row_extras_append:
 * @index_of: by state: its row in the list of activities of the answer
 * @outer: from kymo_span_table_new(), as @events
 * @lanes: from kymo_lane_table_new()
 *
 * Appends what the row has beside its cells; the caller ends the nested rows.
 */
void
kymo_row_extras_append (const KymoRowExtras *extras,
                        const guint32       *index_of,
                        KymoTable           *outer,
                        KymoTable           *events,
                        KymoTable           *lanes)
{
  append_array (extras->outer, index_of, outer);
  append_array (extras->events, index_of, events);
  for (guint i = 0; extras->lanes != NULL && i < extras->lanes->len; i++)
    {
      const KymoExtraLane *lane = &g_array_index (extras->lanes, KymoExtraLane, i);

      kymo_table_append_row (lanes, lane->nested_id, lane->label);
    }
}

/**
 * kymo_lane_table_new:
 *
 * Returns: (transfer full): a table of the lanes of a row: nested_id, label
 */
KymoTable *
kymo_lane_table_new (void)
{
  KymoTable *table = kymo_table_new_list ("nested_id label:string");

  return table;
}

static void
mark_clear (gpointer data)
{
  g_free (((KymoMark *) data)->text);
}

/** kymo_marks_new: Returns: (transfer full): an empty array for kymo_marks_collect() */
GArray *
kymo_marks_new (void)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoMark));

  g_array_set_clear_func (marks, mark_clear);
  return marks;
}

static const char *
mark_kind (const KymoPoint *point)
{
  switch (point->kind)
    {
    case KYMO_POINT_PHASE:
      return "phase";
    case KYMO_POINT_NOTE:
    case KYMO_POINT_BRACKET_NOTE:
      return "note";
    case KYMO_POINT_TRACE_ON:
      return "trace-on";
    case KYMO_POINT_TRACE_OFF:
      return "trace-off";
    default:
      return NULL;
    }
}

/**
 * kymo_marks_collect:
 * @marks: (element-type KymoMark): appended to
 *
 * Adds phases, notes, tracing on and off, and flushes inside the range.
 */
void
kymo_marks_collect (const KymoAsk *ask,
                    KymoSegment   *segment,
                    GArray        *marks)
{
  gint64 location = kymo_run_peek_location (ask->run, segment->location)->id;
  guint n = 0;

  for (guint i = 0; i < segment->points->len && n < MAX_MARKS; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      KymoMark mark = { point->begin_ns, location, mark_kind (point), NULL, NULL };

      if (mark.kind == NULL || point->begin_ns < ask->span.begin_ns
          || point->begin_ns > ask->span.end_ns)
        continue;
      mark.text = kymo_describe_point (ask, segment, i);
      g_array_append_val (marks, mark);
      n++;
    }
  for (guint i = 0; i < segment->stretches->len && n < MAX_MARKS; i++)
    {
      const KymoStretch *stretch = &g_array_index (segment->stretches, KymoStretch, i);
      KymoMark mark = { stretch->begin_ns, location, "flush", NULL, NULL };

      if (stretch->kind != KYMO_STRETCH_FLUSH || stretch->begin_ns < ask->span.begin_ns
          || stretch->begin_ns > ask->span.end_ns)
        continue;
      mark.text = g_strdup ("the log is written to disk");
      g_array_append_val (marks, mark);
      n++;
    }
}

/**
 * kymo_marks_collect_markers:
 * @marks: (element-type KymoMark): appended to
 *
 * Adds the markers of the files inside the range, each once: those about the whole run or
 * about something that an asked location is, or is part of.
 */
void
kymo_marks_collect_markers (const KymoAsk *ask,
                            GArray        *marks)
{
  const KymoDefinitions *definitions = ask->run->definitions;
  guint n = 0;

  for (guint i = 0; definitions != NULL && i < definitions->markers->len && n < MAX_MARKS; i++)
    {
      const KymoMarker *marker = &g_array_index (definitions->markers, KymoMarker, i);
      const KymoMarkerKind *kind = &g_array_index (definitions->marker_kinds, KymoMarkerKind,
                                                   marker->kind);
      KymoMark mark = { marker->begin_ns, 0, "marker", NULL,
                        kymo_marker_severity_to_string (kind->severity) };
      gint location;

      if (marker->begin_ns < ask->span.begin_ns || marker->begin_ns > ask->span.end_ns)
        continue;
      location = kymo_ask_location_of_marker (ask, marker);
      if (location < 0)
        continue;
      mark.location = kymo_run_peek_location (ask->run, location)->id;
      mark.text = kymo_describe_marker (ask->run, marker);
      g_array_append_val (marks, mark);
      n++;
    }
}

static int
compare_marks (gconstpointer a,
               gconstpointer b)
{
  const KymoMark *x = a, *y = b;

  KYMO_ORDER_BY (x->location, y->location);
  KYMO_ORDER_BY (x->time_ns, y->time_ns);
  return strcmp (x->kind, y->kind);
}

/**
 * kymo_marks_to_table:
 * @marks: (element-type KymoMark): sorted by this function
 *
 * The same mark (kind and words) of a later location is left out: all PEs end the same
 * phases, a few microseconds apart. Only markers have a severity, and answers without them no
 * such column.
 *
 * Returns: (transfer full): a row for each mark, in the order of time
 */
KymoTable *
kymo_marks_to_table (const KymoAsk *ask,
                     GArray        *marks)
{
  KymoTable *table = kymo_table_new_list ("time_ns location kind:string text:string");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint severity = 0, n = 0;

  for (guint i = 0; severity == 0 && i < marks->len; i++)
    if (g_array_index (marks, KymoMark, i).severity != NULL)
      severity = kymo_table_add_column (table, "severity", KYMO_COLUMN_STRING, 1);
  g_array_sort (marks, compare_marks);
  for (guint i = 0; i < marks->len && n < MAX_MARKS; i++)
    {
      const KymoMark *mark = &g_array_index (marks, KymoMark, i);
      gint64 first = GPOINTER_TO_SIZE (g_hash_table_lookup (seen, mark->text));

      if (first != 0 && first != mark->location + 1)
        continue;
      g_hash_table_insert (seen, mark->text, GSIZE_TO_POINTER (mark->location + 1));
      kymo_table_append_row (table, mark->time_ns, mark->location, mark->kind, mark->text);
      if (severity > 0)
        kymo_table_append_string (table, severity, mark->severity);
      n++;
    }
  return table;
}
