/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * events: what happened on a location, in words, one a line, in order of time. With
 * limit=N the first N (or with tail the last N) of those that pass the filter: kinds=LIST
 * of the words of kymo_event_sorts[], text=WORDS (regex=1: a regular expression) of the name of
 * an entry method, a user event or a function, or of a note, or in a marker; least-ns=NS: those
 * that last at least NS. A marker stands at the first of the locations that it is about.
 *
 * Pages of a long list: first=N: from that record on, at=NS: from the first one at that time
 * on (the answer's "first" tells its number). Records of one kind are in order, so those of
 * one location are merged, and only records of the page get words; of several locations each
 * gives as many as may be on the page. Records have the number they have in that order.
 *
 * To count them takes a walk over all. Of one location anchors=N gives, beside the page, the
 * place of each N-th record ("anchors": its time, and how many before it have the same);
 * brief=1 begins at the time "at" without a look at what is before, ends with the page, and
 * counts nothing. So any page of a list of millions costs the steps from an anchor to it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-details.h"
#include "kymo-error.h"
#include "kymo-event-columns.h"
#include "kymo-events-list.h"
#include "kymo-order.h"
#include "kymo-pattern.h"
#include "kymo-share.h"
#include "kymo-units.h"

#define DEFAULT_EVENTS 1000
#define MAX_EVENTS 10000000
/* Records are dropped when a thread holds this multiple of a page, and at least LEAST_DROPPED. */
#define MORE_THAN_A_PAGE 4
#define LEAST_DROPPED 8192

typedef struct
{
  gint64       limit, first;
  gint64       at_ns;           /* or KYMO_NULL_INT */
  gboolean     tail, brief;
  gint64       anchors;         /* distance of two anchors in records; 0 = none */
  gint64       least_ns;        /* shorter ones are left out, and what has no length */
  guint32      sorts;           /* bits of those that are wanted */
  KymoPattern *pattern;         /* or NULL */
  gboolean    *names;           /* by activity: whether it matches; or NULL */
  GArray      *markers;         /* ToldMarker, by location and begin */
} Plan;

/** ToldMarker: a marker of the run and the location where it is told, by index */
typedef struct
{
  guint location;
  guint marker;
} ToldMarker;

typedef struct
{
  GArray *events;
  gint64  n_total;
  gint64  n_before;             /* before the time of the keyword "at" */
  GArray *anchors;              /* Anchor */
} State;

/** Anchor: a record by its time, and how many before it have the same */
typedef struct
{
  gint64 time_ns, same;
} Anchor;

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

      while (k < KYMO_EVENT_N_SORTS && strcmp (g_strstrip (list[i]), kymo_event_sorts[k]) != 0)
        k++;
      if (k == KYMO_EVENT_N_SORTS)
        {
          const char *known[KYMO_EVENT_N_SORTS + 1] = { NULL };
          g_autofree char *all = NULL;

          memcpy (known, kymo_event_sorts, sizeof kymo_event_sorts);
          all = g_strjoinv (", ", (char **) known);
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
marker_passes (const KymoAsk *ask,
               guint          i)
{
  const Plan *plan = ask->plan;
  const KymoMarker *marker = kymo_event_marker (ask, i);

  if (!(plan->sorts & 1u << KYMO_EVENT_SORT_MARKER)
      || (plan->least_ns > 0 && kymo_event_marker_length (marker) < plan->least_ns))
    return FALSE;
  return plan->pattern == NULL
    || kymo_pattern_matches (plan->pattern, kymo_event_marker_kind (ask, i)->category, NULL)
    || kymo_pattern_matches (plan->pattern, kymo_event_marker_kind (ask, i)->group, NULL)
    || kymo_pattern_matches (plan->pattern, marker->text, NULL);
}

static int
compare_markers (gconstpointer a,
                 gconstpointer b)
{
  const ToldMarker *x = a, *y = b;

  KYMO_ORDER_BY (x->location, y->location);
  return x->marker < y->marker ? -1 : x->marker > y->marker;
}

/* Adds the markers that pass the filter; markers of a run are placed by their begin. */
static void
take_markers (KymoAsk *ask,
              Plan    *plan)
{
  guint n = ask->run->definitions != NULL ? ask->run->definitions->markers->len : 0;

  plan->markers = g_array_new (FALSE, FALSE, sizeof (ToldMarker));
  for (guint i = 0; i < n && !kymo_ask_is_stopped (ask, i << 8); i++)
    {
      gint location = kymo_ask_location_of_marker (ask, kymo_event_marker (ask, i));
      ToldMarker told = { (guint) location, i };

      if (location >= 0 && marker_passes (ask, i))
        g_array_append_val (plan->markers, told);
    }
  g_array_sort (plan->markers, compare_markers);
}

static gboolean
events_prepare (KymoAsk  *ask,
                GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  const char *kinds = kymo_question_get (ask->question, "kinds");

  ask->plan = plan;
  plan->tail = kymo_question_get_flag (ask->question, "tail");
  plan->sorts = (1u << KYMO_EVENT_N_SORTS) - 1;
  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_EVENTS, &plan->limit, error)
      || !kymo_question_get_int (ask->question, "first", 0, &plan->first, error)
      || !kymo_question_get_int (ask->question, "at", KYMO_NULL_INT, &plan->at_ns, error)
      || !kymo_question_get_int (ask->question, "least-ns", 0, &plan->least_ns, error)
      || !kymo_question_get_int (ask->question, "anchors", 0, &plan->anchors, error)
      || (kinds != NULL && *kinds != '\0' && !read_kinds (plan, kinds, error))
      || !read_pattern (ask, plan, error))
    return FALSE;
  plan->brief = kymo_question_get_flag (ask->question, "brief")
    && plan->at_ns != KYMO_NULL_INT && ask->n_locations == 1 && !plan->tail;
  if (ask->n_locations != 1 || plan->tail || plan->brief || plan->anchors < 0)
    plan->anchors = 0;
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
  take_markers (ask, plan);
  return TRUE;
}

static void
events_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_clear_pointer (&plan->pattern, kymo_pattern_free);
  g_free (plan->names);
  g_clear_pointer (&plan->markers, g_array_unref);
  g_free (plan);
}

static gboolean
passes (const Plan        *plan,
        const KymoSegment *segment,
        guint              column,
        guint              i)
{
  guint32 activity;
  KymoEventSort sort = kymo_event_sort_of (segment, column, i, &activity);

  if (sort == KYMO_EVENT_N_SORTS || !(plan->sorts & 1u << sort))
    return FALSE;
  /* A moment has KYMO_NULL_INT, the least number, as its length. */
  if (plan->least_ns > 0 && kymo_event_length_of (segment, column, i) < plan->least_ns)
    return FALSE;
  if (plan->pattern == NULL)
    return TRUE;
  if (activity != G_MAXUINT32)
    return plan->names[activity];
  if (column == KYMO_EVENT_POINTS && g_array_index (segment->points, KymoPoint, i).text != NULL)
    return kymo_pattern_matches (plan->pattern,
                                 g_array_index (segment->points, KymoPoint, i).text, NULL);
  return kymo_pattern_matches (plan->pattern, kymo_event_sorts[sort], NULL);
}

/* -- taking ---------------------------------------------------------------- */

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->events = g_array_new (FALSE, FALSE, sizeof (KymoEvent));
  state->anchors = g_array_new (FALSE, FALSE, sizeof (Anchor));
  return state;
}

static void
state_free (gpointer data)
{
  g_array_unref (((State *) data)->events);
  g_array_unref (((State *) data)->anchors);
  g_free (data);
}

static gboolean
is_inside (const KymoAsk *ask,
           gint64         time_ns)
{
  return time_ns >= ask->span.begin_ns
    && time_ns < kymo_ask_count_end (ask);
}

/** Cursor: the next record of a column that is to be told, forward or back */
typedef struct
{
  KymoEventColumn   column;
  const ToldMarker *markers;    /* of the column of markers, else NULL */
  guint    k;                   /* records passed, of column.n */
  gboolean left;
  guint    index;
  gint64   time_ns;
} Cursor;

static gint64
time_of (const KymoAsk     *ask,
         const KymoSegment *segment,
         const Cursor      *cursor,
         guint              i)
{
  return cursor->markers != NULL ? kymo_event_marker (ask, cursor->markers[i].marker)->begin_ns
    : cursor->column.get_time (segment, i);
}

static void
cursor_move (const KymoAsk     *ask,
             const KymoSegment *segment,
             guint              column,
             Cursor            *cursor)
{
  const Plan *plan = ask->plan;

  cursor->left = FALSE;
  for (; cursor->k < cursor->column.n
         && !kymo_ask_is_stopped (ask, column == KYMO_EVENT_POINTS ? cursor->k << 8 : cursor->k);
       cursor->k++)
    {
      guint i = plan->tail ? cursor->column.n - 1 - cursor->k : cursor->k;
      gint64 time_ns = time_of (ask, segment, cursor, i);

      if (!is_inside (ask, time_ns)
          || (cursor->markers == NULL && !passes (plan, segment, column, i)))
        continue;
      cursor->left = TRUE;
      cursor->index = cursor->markers != NULL ? cursor->markers[i].marker : i;
      cursor->time_ns = time_ns;
      cursor->k++;
      return;
    }
}

/* The column whose next record is the earliest (or latest); KYMO_EVENT_N_COLUMNS where all are
   at their end. */
static guint
next_column (const Plan   *plan,
             const Cursor *cursors)
{
  guint best = KYMO_EVENT_N_COLUMNS;

  for (guint k = 0; k < KYMO_EVENT_N_COLUMNS; k++)
    {
      guint column = plan->tail ? KYMO_EVENT_N_COLUMNS - 1 - k : k;

      if (cursors[column].left
          && (best == KYMO_EVENT_N_COLUMNS
              || (plan->tail ? cursors[column].time_ns > cursors[best].time_ns
                  : cursors[column].time_ns < cursors[best].time_ns)))
        best = column;
    }
  return best;
}

/* The first record of a column that is not before a time. */
static guint
first_at (const KymoAsk     *ask,
          const KymoSegment *segment,
          const Cursor      *cursor,
          gint64             time_ns)
{
  return KYMO_FIND_FIRST (i, 0, cursor->column.n, time_of (ask, segment, cursor, i) >= time_ns);
}

/* The markers that are told with a location. */
static void
set_markers (const Plan *plan,
             guint       location,
             Cursor     *cursor)
{
  const ToldMarker *markers = (gconstpointer) plan->markers->data;
  guint first = KYMO_FIND_FIRST (i, 0, plan->markers->len, markers[i].location >= location);
  guint end = first;

  while (end < plan->markers->len && markers[end].location == location)
    end++;
  cursor->column.n = end - first;
  if (end > first)
    cursor->markers = &markers[first];
}

/* Before a record is counted. */
static void
drop_anchor (const Plan *plan,
             State      *state,
             gint64      time_ns,
             Anchor     *last)
{
  last->same = time_ns == last->time_ns ? last->same + 1 : 0;
  last->time_ns = time_ns;
  if (plan->anchors > 0 && state->n_total % plan->anchors == 0)
    g_array_append_val (state->anchors, *last);
}

static int
compare_events (gconstpointer a,
                gconstpointer b,
                gpointer      unused)
{
  const KymoEvent *x = a, *y = b;

  KYMO_ORDER_BY (x->time_ns, y->time_ns);
  KYMO_ORDER_BY (x->location, y->location);
  KYMO_ORDER_BY (x->column, y->column);
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Of more than one location the page is known when all are: no thread keeps more than a few times
   what the page can be made of, the first records or the last. */
static void
drop_far_events (const KymoAsk *ask,
                 State         *state,
                 gint64         most)
{
  const Plan *plan = ask->plan;
  guint n = state->events->len;

  if (n < LEAST_DROPPED || n / MORE_THAN_A_PAGE < most
      || !kymo_share_sort (state->events->data, n, sizeof (KymoEvent), compare_events, NULL, 1,
                           ask->cancellable))
    return;
  if (plan->tail)
    g_array_remove_range (state->events, 0, n - (guint) most);
  else
    g_array_set_size (state->events, (guint) most);
}

static void
events_partial (const KymoAsk *ask,
                gpointer       data,
                KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  State *state = data;
  gboolean alone = ask->n_locations == 1 && !plan->tail;
  gint64 skip = alone ? plan->first : 0;
  gint64 most = alone ? plan->limit : kymo_saturating_add (plan->first, plan->limit);
  gint64 taken = 0, passed = 0;
  Anchor last = { KYMO_NULL_INT, 0 };
  KymoEventColumn columns[KYMO_EVENT_N_COLUMNS];
  Cursor cursors[KYMO_EVENT_N_COLUMNS];
  guint column;

  kymo_event_list_columns (segment, columns);
  for (guint i = 0; i < KYMO_EVENT_N_COLUMNS; i++)
    {
      cursors[i] = (Cursor) { .column = columns[i] };
      if (i == KYMO_EVENT_MARKERS)
        set_markers (plan, segment->location, &cursors[i]);
      if (plan->brief)
        cursors[i].k = first_at (ask, segment, &cursors[i], plan->at_ns);
      cursor_move (ask, segment, i, &cursors[i]);
    }
  while ((column = next_column (plan, cursors)) < KYMO_EVENT_N_COLUMNS
         && !(plan->brief && taken >= most))
    {
      KymoEvent event = { cursors[column].time_ns, segment->location, column,
                          cursors[column].index };
      gboolean before = plan->at_ns != KYMO_NULL_INT && event.time_ns < plan->at_ns;

      drop_anchor (plan, state, event.time_ns, &last);
      state->n_total++;
      state->n_before += before;
      if (!before && passed++ >= skip && taken < most)
        {
          g_array_append_val (state->events, event);
          taken++;
        }
      cursor_move (ask, segment, column, &cursors[column]);
    }
  if (!alone)
    drop_far_events (ask, state, most);
}

static void
events_merge (const KymoAsk *ask,
              gpointer       into,
              gpointer       from)
{
  State *a = into, *b = from;

  g_array_append_vals (a->events, b->events->data, b->events->len);
  g_array_append_vals (a->anchors, b->anchors->data, b->anchors->len);
  a->n_total += b->n_total;
  a->n_before += b->n_before;
}

/* -- the answer ------------------------------------------------------------- */

static KymoTable *
make_anchors (const State *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);
  guint time = kymo_table_add_column (table, "time_ns", KYMO_COLUMN_INT, 1);
  guint same = kymo_table_add_column (table, "same", KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < state->anchors->len; i++)
    {
      kymo_table_append_int (table, time, g_array_index (state->anchors, Anchor, i).time_ns);
      kymo_table_append_int (table, same, g_array_index (state->anchors, Anchor, i).same);
    }
  return table;
}

static KymoTable *
events_conclude (const KymoAsk  *ask,
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
  if (!kymo_share_sort (state->events->data, n, sizeof (KymoEvent), compare_events, NULL,
                        ask->n_threads, ask->cancellable))
    {
      g_cancellable_set_error_if_cancelled (ask->cancellable, error);
      return NULL;
    }
  answer = kymo_ask_answer_new (ask);
  if (plan->anchors > 0)
    kymo_table_set_table (answer, "anchors", make_anchors (state));
  if (!plan->brief)
    kymo_table_set_int (answer, "total", state->n_total);
  if (!plan->brief)
    kymo_table_set_int (answer, "first", plan->tail ? MAX (state->n_total - plan->first - count, 0)
                      : MIN (kymo_saturating_add (state->n_before, plan->first),
                             state->n_total));
  kymo_table_set_table (answer, "events",
                        kymo_events_list (ask, state->events,
                                          plan->tail ? n - left - count : left, count));
  return answer;
}

static const KymoKeyword keywords[] =
{
  { "limit", KYMO_KEYWORD_COUNT, "N", "list at most N records" },
  { "tail", KYMO_KEYWORD_FLAG, NULL, "the last records instead of the first" },
  { "first", KYMO_KEYWORD_INTEGER, "N", "from record N on, from 0" },
  { "text", KYMO_KEYWORD_TEXT, "WORDS", "only records whose name or note contains these words" },
  { "regex", KYMO_KEYWORD_FLAG, NULL, "the words are a regular expression" },
  { "kinds", KYMO_KEYWORD_TEXT, "LIST", "only records of these kinds, as block,send,note" },
  { "least", KYMO_KEYWORD_TIME, "T", "records that last at least this long" },
  { "at", KYMO_KEYWORD_INTEGER, "NS", "from the first one at that time on", .internal = TRUE },
  { "anchors", KYMO_KEYWORD_INTEGER, "N", "the place of each N-th record", .internal = TRUE },
  { "brief", KYMO_KEYWORD_FLAG, NULL, "of one location: no look at what is before the page",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "events", "time_ns location label duration_ns kind name text" },
  { NULL }
};

const KymoAnswerClass kymo_answer_events =
{
  { "events", N_("A list of records"), "the records in words, one a line", keywords,
    KYMO_CAN_INTERVALS, .lists = lists,
    .topic = KYMO_TOPIC_RECORDS, .example = "--limit 20" },
  events_prepare, events_release, state_new, state_free, events_partial, events_merge, NULL,
  .conclude = events_conclude,
};
