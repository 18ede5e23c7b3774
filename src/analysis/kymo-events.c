/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * events: what happened on a location, in words, one a line, in order of time. With a
 * limit the first (or with tail the last) so many of those that pass the filter: kinds=LIST
 * of the words of sorts[], text=WORDS (regex=1: a regular expression) of the name of an entry
 * method, a user event or a function, or of a note; least-ns=NS: those that last so long.
 *
 * Pages of a long list: first=N: from that record on, at=NS: from the first one at that time
 * on (the answer's "first" tells its number). Records of one kind are in order, so those of
 * one location are merged, and only what is told is described; of several locations so many
 * are taken of each as may be on the page. Records have the number they have in that order.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-details.h"
#include "kymo-error.h"
#include "kymo-pattern.h"
#include "kymo-units.h"

#define DEFAULT_EVENTS 1000
#define MAX_EVENTS 10000000
#define N_COLUMNS 6

/** Sort: what a record tells; the words are the keywords of "kinds" */
typedef enum
{
  SORT_IDLE,
  SORT_UNTRACED,
  SORT_PACK,
  SORT_UNPACK,
  SORT_FLUSH,
  SORT_BLOCK,
  SORT_POINT,                   /* and as many as there are kinds of points */
  SORT_SEND = SORT_POINT + KYMO_N_POINT_KINDS,
  SORT_RECEIVE,
  N_SORTS,
} Sort;

static const char *const sorts[N_SORTS] = {
  "idle", "untraced", "packing", "unpacking", "flush", "block",
  "user-event", "bracket", "note", "bracket-note", "user-value", "user-stat", "memory",
  "phase", "trace-on", "trace-off",
  "send", "receive",
};

typedef struct
{
  gint64       limit, first;
  gint64       at_ns;           /* or KYMO_NULL_INT */
  gboolean     tail;
  gint64       least_ns;        /* shorter ones are left out, and what has no length */
  guint32      sorts;           /* bits of those that are wanted */
  KymoPattern *pattern;         /* or NULL */
  gboolean    *names;           /* by activity: whether it matches; or NULL */
} Plan;

/** Event: record @index of column @column of a location */
typedef struct
{
  gint64 time_ns;
  guint  location;
  guint  column;
  guint  index;
} Event;

typedef struct
{
  GArray *events;
  gint64  n_total;
  gint64  n_before;             /* before the time of the keyword "at" */
} State;

/* Points at one time at which a column of records may be looked into. */
typedef struct
{
  guint   n;
  gint64 (*get_time) (const KymoSegment *segment,
                      guint              i);
} Column;

static gint64
block_time (const KymoSegment *segment,
            guint              i)
{
  return kymo_segment_block_begin (segment, i);
}

static gint64
send_time (const KymoSegment *segment,
           guint              i)
{
  return kymo_segment_send_time (segment, i);
}

static gint64
receive_time (const KymoSegment *segment,
              guint              i)
{
  return kymo_segment_receive_time (segment, i);
}

static gint64
point_time (const KymoSegment *segment,
            guint              i)
{
  return g_array_index (segment->points, KymoPoint, i).begin_ns;
}

static gint64
stretch_time (const KymoSegment *segment,
              guint              i)
{
  return g_array_index (segment->stretches, KymoStretch, i).begin_ns;
}

static gint64
piece_time (const KymoSegment *segment,
            guint              i)
{
  return kymo_segment_piece_begin (segment, i);
}

/* In the order in which those of one time are told. */
enum { PIECES, STRETCHES, BLOCKS, POINTS, SENDS, RECEIVES };

static void
list_columns (const KymoSegment *segment,
              Column            *columns)
{
  columns[PIECES] = (Column) { segment->n_pieces, piece_time };
  columns[STRETCHES] = (Column) { segment->stretches->len, stretch_time };
  columns[BLOCKS] = (Column) { segment->n_blocks, block_time };
  columns[POINTS] = (Column) { segment->points->len, point_time };
  columns[SENDS] = (Column) { segment->n_sends, send_time };
  columns[RECEIVES] = (Column) { segment->exchange != NULL ? segment->exchange->n_receives : 0,
                                 receive_time };
}

/* What a record is, or N_SORTS where it is told elsewhere (pieces of activities), and the
   activity it is about, or G_MAXUINT32. */
static Sort
sort_of (const KymoSegment *segment,
         guint              column,
         guint              i,
         guint32           *activity)
{
  const KymoPoint *point;
  guint32 block;

  *activity = G_MAXUINT32;
  switch (column)
    {
    case PIECES:
      return segment->piece_state[i] == KYMO_STATE_IDLE ? SORT_IDLE
        : segment->piece_state[i] == KYMO_STATE_UNTRACED ? SORT_UNTRACED : N_SORTS;
    case STRETCHES:
      return SORT_PACK + g_array_index (segment->stretches, KymoStretch, i).kind;
    case BLOCKS:
      *activity = segment->block_activity[i];
      return SORT_BLOCK;
    case POINTS:
      point = &g_array_index (segment->points, KymoPoint, i);
      *activity = point->activity;
      return SORT_POINT + MIN (point->kind, KYMO_N_POINT_KINDS - 1);
    case SENDS:
      *activity = segment->send_activity[i];
      return SORT_SEND;
    default:
      block = segment->exchange->receive_block[i];
      *activity = block != KYMO_NO_BLOCK ? segment->block_activity[block] : G_MAXUINT32;
      return SORT_RECEIVE;
    }
}

/* How long a record lasts, or KYMO_NULL_INT where it is a moment. */
static gint64
length_of (const KymoSegment *segment,
           guint              column,
           guint              i)
{
  const KymoPoint *point;

  switch (column)
    {
    case PIECES:
      return kymo_segment_piece_begin (segment, i + 1) - kymo_segment_piece_begin (segment, i);
    case STRETCHES:
      return g_array_index (segment->stretches, KymoStretch, i).end_ns
        - g_array_index (segment->stretches, KymoStretch, i).begin_ns;
    case BLOCKS:
      return kymo_segment_block_end (segment, i) - kymo_segment_block_begin (segment, i);
    case POINTS:
      point = &g_array_index (segment->points, KymoPoint, i);
      return point->kind == KYMO_POINT_BRACKET || point->kind == KYMO_POINT_BRACKET_NOTE
        ? point->end_ns - point->begin_ns : KYMO_NULL_INT;
    default:
      return KYMO_NULL_INT;
    }
}

/* -- the filter ------------------------------------------------------------ */

static gboolean
read_kinds (Plan        *plan,
            const char  *words,
            GError     **error)
{
  g_auto (GStrv) list = g_strsplit (words, ",", -1);

  plan->sorts = 0;
  for (guint i = 0; list[i] != NULL; i++)
    {
      guint k = 0;

      while (k < N_SORTS && strcmp (g_strstrip (list[i]), sorts[k]) != 0)
        k++;
      if (k == N_SORTS)
        {
          g_autofree char *all = g_strjoinv (", ", (char **) (const char *[]) {
            sorts[0], sorts[1], sorts[2], sorts[3], sorts[4], sorts[5], sorts[6], sorts[7],
            sorts[8], sorts[9], sorts[10], sorts[11], sorts[12], sorts[13], sorts[14],
            sorts[15], sorts[16], sorts[17], NULL });

          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       _("There are no records of kind “%s”; there are %s"), list[i], all);
          return FALSE;
        }
      plan->sorts |= 1u << k;
    }
  return TRUE;
}

static gboolean
read_pattern (KymoAsk  *ask,
              Plan     *plan,
              GError  **error)
{
  const char *text = kymo_question_get (ask->question, "text");

  if (text == NULL || *text == '\0')
    return TRUE;
  plan->pattern = kymo_pattern_new (text, kymo_question_get_flag (ask->question, "regex"), error);
  if (plan->pattern == NULL)
    return FALSE;
  plan->names = g_new0 (gboolean, ask->run->activities->len + 1);
  for (guint i = 0; i < ask->run->activities->len && !kymo_ask_is_stopped (ask, i << 8); i++)
    plan->names[i] = kymo_pattern_matches (plan->pattern,
                                           kymo_run_peek_activity (ask->run, i)->name, NULL);
  return kymo_pattern_check (plan->pattern, TRUE, error);
}

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  const char *kinds = kymo_question_get (ask->question, "kinds");

  ask->plan = plan;
  plan->tail = kymo_question_get_flag (ask->question, "tail");
  plan->sorts = (1u << N_SORTS) - 1;
  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_EVENTS, &plan->limit, error)
      || !kymo_question_get_int (ask->question, "first", 0, &plan->first, error)
      || !kymo_question_get_int (ask->question, "at", KYMO_NULL_INT, &plan->at_ns, error)
      || !kymo_question_get_int (ask->question, "least-ns", 0, &plan->least_ns, error)
      || (kinds != NULL && *kinds != '\0' && !read_kinds (plan, kinds, error))
      || !read_pattern (ask, plan, error))
    return FALSE;
  if (plan->limit < 0 || plan->limit > MAX_EVENTS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The limit must be 0 to %d"),
                   MAX_EVENTS);
      return FALSE;
    }
  if (plan->first < 0 || (ask->n_locations > 1 && plan->first > MAX_EVENTS))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The first record must be 0 to %d, or of one location alone"), MAX_EVENTS);
      return FALSE;
    }
  return TRUE;
}

static void
release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_clear_pointer (&plan->pattern, kymo_pattern_free);
  g_free (plan->names);
  g_free (plan);
}

static gboolean
passes (const Plan        *plan,
        const KymoSegment *segment,
        guint              column,
        guint              i)
{
  guint32 activity;
  Sort sort = sort_of (segment, column, i, &activity);

  if (sort == N_SORTS || !(plan->sorts & 1u << sort))
    return FALSE;
  /* What has no length has the least number there is. */
  if (plan->least_ns > 0 && length_of (segment, column, i) < plan->least_ns)
    return FALSE;
  if (plan->pattern == NULL)
    return TRUE;
  if (activity != G_MAXUINT32)
    return plan->names[activity];
  if (column == POINTS && g_array_index (segment->points, KymoPoint, i).text != NULL)
    return kymo_pattern_matches (plan->pattern,
                                 g_array_index (segment->points, KymoPoint, i).text, NULL);
  return kymo_pattern_matches (plan->pattern, sorts[sort], NULL);
}

/* -- taking ---------------------------------------------------------------- */

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->events = g_array_new (FALSE, FALSE, sizeof (Event));
  return state;
}

static void
state_free (gpointer data)
{
  g_array_unref (((State *) data)->events);
  g_free (data);
}

static gboolean
is_inside (const KymoAsk *ask,
           gint64         time_ns)
{
  return time_ns >= ask->span.begin_ns
    && (time_ns < ask->span.end_ns || ask->span.end_ns == ask->run->span.end_ns);
}

/** Cursor: the next record of a column that is to be told, forward or back */
typedef struct
{
  Column   column;
  guint    k;                   /* records passed, of column.n */
  gboolean left;
  guint    index;
  gint64   time_ns;
} Cursor;

static void
cursor_move (const KymoAsk     *ask,
             const KymoSegment *segment,
             guint              column,
             Cursor            *cursor)
{
  const Plan *plan = ask->plan;

  cursor->left = FALSE;
  for (; cursor->k < cursor->column.n
         && !kymo_ask_is_stopped (ask, column == POINTS ? cursor->k << 8 : cursor->k);
       cursor->k++)
    {
      guint i = plan->tail ? cursor->column.n - 1 - cursor->k : cursor->k;
      gint64 time_ns = cursor->column.get_time (segment, i);

      if (!is_inside (ask, time_ns) || !passes (plan, segment, column, i))
        continue;
      cursor->left = TRUE;
      cursor->index = i;
      cursor->time_ns = time_ns;
      cursor->k++;
      return;
    }
}

/* The column whose next record is the earliest (or latest); N_COLUMNS where all are at
   their end. */
static guint
next_column (const Plan   *plan,
             const Cursor *cursors)
{
  guint best = N_COLUMNS;

  for (guint k = 0; k < N_COLUMNS; k++)
    {
      guint column = plan->tail ? N_COLUMNS - 1 - k : k;

      if (cursors[column].left
          && (best == N_COLUMNS
              || (plan->tail ? cursors[column].time_ns > cursors[best].time_ns
                  : cursors[column].time_ns < cursors[best].time_ns)))
        best = column;
    }
  return best;
}

static void
partial (const KymoAsk *ask,
         gpointer       data,
         KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  State *state = data;
  gboolean alone = ask->n_locations == 1 && !plan->tail;
  gint64 skip = alone ? plan->first : 0;
  gint64 most = alone ? plan->limit : kymo_saturating_add (plan->first, plan->limit);
  gint64 taken = 0, passed = 0;
  Column columns[N_COLUMNS];
  Cursor cursors[N_COLUMNS];
  guint column;

  list_columns (segment, columns);
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      cursors[i] = (Cursor) { .column = columns[i] };
      cursor_move (ask, segment, i, &cursors[i]);
    }
  while ((column = next_column (plan, cursors)) < N_COLUMNS)
    {
      Event event = { cursors[column].time_ns, segment->location, column,
                      cursors[column].index };
      gboolean before = plan->at_ns != KYMO_NULL_INT && event.time_ns < plan->at_ns;

      state->n_total++;
      state->n_before += before;
      if (!before && passed++ >= skip && taken < most)
        {
          g_array_append_val (state->events, event);
          taken++;
        }
      cursor_move (ask, segment, column, &cursors[column]);
    }
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  State *a = into, *b = from;

  g_array_append_vals (a->events, b->events->data, b->events->len);
  a->n_total += b->n_total;
  a->n_before += b->n_before;
}

static int
compare_events (gconstpointer a,
                gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  if (x->location != y->location)
    return x->location < y->location ? -1 : 1;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* -- telling --------------------------------------------------------------- */

static char *
describe_stretch (const KymoSegment *segment,
                  guint              i)
{
  static const char *const words[] = { "packs", "unpacks", "writes its log to disk" };
  const KymoStretch *stretch = &g_array_index (segment->stretches, KymoStretch, i);
  g_autofree char *length = kymo_format_duration (stretch->end_ns - stretch->begin_ns);

  return g_strdup_printf ("%s for %s", words[stretch->kind], length);
}

/* Idle and untraced pieces of the track; the others are told elsewhere. */
static char *
describe_piece (const KymoSegment *segment,
                guint              i)
{
  g_autofree char *length = kymo_format_duration (kymo_segment_piece_begin (segment, i + 1)
                                                  - kymo_segment_piece_begin (segment, i));

  return g_strdup_printf ("%s for %s",
                          segment->piece_state[i] == KYMO_STATE_IDLE ? "idle" : "untraced",
                          length);
}

static char *
describe (const KymoAsk *ask,
          const Event   *event)
{
  KymoSegment *segment = kymo_ask_segment_of (ask, event->location);

  switch (event->column)
    {
    case PIECES:
      return describe_piece (segment, event->index);
    case STRETCHES:
      return describe_stretch (segment, event->index);
    case BLOCKS:
      return kymo_describe_block (ask, segment, event->index);
    case POINTS:
      return kymo_describe_point (ask, segment, event->index);
    case SENDS:
      return kymo_describe_send (ask, segment, event->index);
    default:
      return kymo_describe_receive (ask, segment, event->index);
    }
}

static KymoTable *
make_list (const KymoAsk *ask,
           const GArray  *events,
           guint          first,
           guint          count)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint time = kymo_table_add_column (table, "time_ns", KYMO_COLUMN_INT, 1);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint label = kymo_table_add_column (table, "label", KYMO_COLUMN_STRING, 1);
  guint length = kymo_table_add_column (table, "duration_ns", KYMO_COLUMN_INT, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint text = kymo_table_add_column (table, "text", KYMO_COLUMN_STRING, 1);

  for (guint i = first; i < first + count && !kymo_ask_is_stopped (ask, i); i++)
    {
      const Event *event = &g_array_index (events, Event, i);
      const KymoLocation *where = kymo_run_peek_location (ask->run, event->location);
      g_autofree char *words = describe (ask, event);
      guint32 activity;
      Sort sort = sort_of (kymo_ask_segment_of (ask, event->location), event->column,
                           event->index, &activity);

      kymo_table_append_int (table, time, event->time_ns);
      kymo_table_append_int (table, location, where->id);
      kymo_table_append_string (table, label, where->label);
      kymo_table_append_int (table, length, length_of (kymo_ask_segment_of (ask, event->location),
                                                       event->column, event->index));
      kymo_table_append_string (table, kind, sorts[sort]);
      kymo_table_append_string (table, name, activity == G_MAXUINT32 ? NULL
                                : kymo_run_peek_activity (ask->run, activity)->name);
      kymo_table_append_string (table, text, words);
    }
  return table;
}

static KymoTable *
conclude (const KymoAsk  *ask,
          gpointer        data,
          GError        **error)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = NULL;
  gboolean alone = ask->n_locations == 1 && !plan->tail;
  guint n = state->events->len, left = alone ? 0 : MIN (plan->first, n);
  guint count = MIN ((gint64) n - left, plan->limit);

  /* Notes that are left out though they might match would not be missed by anyone. */
  if (plan->pattern != NULL && !kymo_pattern_check (plan->pattern, TRUE, error))
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_array_sort (state->events, compare_events);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "total", state->n_total);
  kymo_table_set_int (answer, "first", plan->tail ? MAX (state->n_total - plan->first - count, 0)
                      : MIN (kymo_saturating_add (state->n_before, plan->first),
                             state->n_total));
  kymo_table_set_table (answer, "events",
                        make_list (ask, state->events, plan->tail ? n - left - count : left,
                                   count));
  return answer;
}

const KymoAnswerClass kymo_answer_events =
  { "events", prepare, release, state_new, state_free, partial, merge, NULL,
    .requires = KYMO_CAN_INTERVALS, .conclude = conclude };
