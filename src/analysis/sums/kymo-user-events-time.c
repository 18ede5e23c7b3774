/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * user-events-time: user events over time, in columns: how many begin in each, and how long
 * brackets lasted in it, exactly. "names", a list (kymo-name.h), are the events to show, else
 * all.
 *
 * "events" and "time_ns" are those of the range, and with their sums by event the figures of
 * the question profile. Time is clipped to each column, so its sum over columns is that of the
 * range however it is split. Brackets lie over blocks and over each other: their time may be
 * more than that of the locations. "run_events" and "run_time_ns" are of the whole run, and "rank"
 * is the place in the order of what is shown, of=events or time, so that a stack keeps its order
 * while one zooms. Extrapolated, all of them but the longest are weighed.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-column-sums.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-name.h"
#include "kymo-profile.h"

#define DEFAULT_COLUMNS 100
#define MOST_COLUMNS 10000
/* Of the columns of all threads, where every user event is in each of them. */
#define MOST_BYTES ((guint64) 1 << 30)

typedef struct
{
  gint64   *edges_ns;
  guint     n_columns;
  gboolean *wanted;             /* by activity; NULL = all */
} Plan;

/* Figures of a column; the last are differences: brackets that fill whole columns begin and end
   there. */
enum
{
  EVENTS,
  TIME_NS,
  WHOLE,
  N_LINES,
};

/** Event: what there is of one activity */
typedef struct
{
  gint64 *columns;              /* N_LINES times n_columns, or NULL */
  gint64  events, ns, longest_ns;
  gint64  run_events, run_ns;
  gboolean brackets;
} Event;

typedef struct
{
  Event *events;                /* by activity */
  guint  n;
} State;

static gboolean *
find_wanted (const KymoRun *run,
             const char    *names)
{
  g_auto (GStrv) parts = kymo_name_list_split (names);
  gboolean *wanted;

  if (names == NULL)
    return NULL;
  wanted = g_new0 (gboolean, MAX (run->activities->len, 1));
  for (guint i = 0; i < run->activities->len; i++)
    wanted[i] = g_strv_contains ((const char *const *) parts,
                                 kymo_run_peek_activity (run, i)->name);
  return wanted;
}

static guint
count_events (const KymoRun *run,
              const Plan    *plan)
{
  guint n = 0;

  for (guint i = 0; i < run->activities->len; i++)
    n += kymo_run_peek_activity (run, i)->kind == KYMO_ACTIVITY_EVENT
      && (plan->wanted == NULL || plan->wanted[i]);
  return n;
}

/* Each thread has columns of its own: the more of them, the fewer threads. */
static gboolean
choose_threads (KymoAsk    *ask,
                const Plan *plan,
                GError    **error)
{
  guint n = count_events (ask->run, plan);
  guint64 bytes = (guint64) MAX (n, 1) * plan->n_columns * N_LINES * sizeof (gint64);

  if (bytes <= MOST_BYTES)
    {
      ask->n_threads = CLAMP (MOST_BYTES / bytes, 1, ask->n_threads);
      return TRUE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("%u columns of %u user events are too many for one answer; ask for fewer columns, "
                 "or for some of the events by their names"), plan->n_columns, n);
  return FALSE;
}

static gboolean
user_events_time_prepare (KymoAsk  *ask,
                          GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->edges_ns = kymo_ask_edges (ask, DEFAULT_COLUMNS, MOST_COLUMNS, &plan->n_columns, error);
  if (plan->edges_ns == NULL)
    return FALSE;
  plan->wanted = find_wanted (ask->run, kymo_question_get (ask->question, "names"));
  return choose_threads (ask, plan, error);
}

static void
user_events_time_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_free (plan->edges_ns);
  g_free (plan->wanted);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->n = ask->run->activities->len;
  state->events = g_new0 (Event, MAX (state->n, 1));
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  for (guint i = 0; i < state->n; i++)
    g_free (state->events[i].columns);
  g_free (state->events);
  g_free (state);
}

static void
add_user_events_time (gint64 *sum,
                      gint64  more)
{
  *sum = kymo_saturating_add (*sum, more);
}

static gint64 *
line_of (const Plan *plan,
         Event      *event,
         guint       line)
{
  if (event->columns == NULL)
    event->columns = g_new0 (gint64, (gsize) N_LINES * plan->n_columns);
  return event->columns + (gsize) line * plan->n_columns;
}

static void
add_part (const Plan *plan,
          Event      *event,
          guint       column,
          KymoSpan    bracket)
{
  add_user_events_time (&line_of (plan, event, TIME_NS)[column],
                        MIN (bracket.end_ns, plan->edges_ns[column + 1])
                        - MAX (bracket.begin_ns, plan->edges_ns[column]));
}

/* Both ends are added as they are; columns between them are two differences, so that a
   long bracket costs no more than a short one. */
static void
add_bracket (const KymoAsk *ask,
             Event         *event,
             KymoSpan       bracket)
{
  const Plan *plan = ask->plan;
  KymoSpan inside = kymo_span_intersect (bracket, ask->span);
  guint first, last;

  if (kymo_span_length (inside) <= 0)
    return;
  add_user_events_time (&event->ns, kymo_span_length (inside));
  first = kymo_find_column (plan->edges_ns, 0, plan->n_columns, inside.begin_ns);
  last = kymo_find_column (plan->edges_ns, first, plan->n_columns, inside.end_ns - 1);
  add_part (plan, event, first, inside);
  if (last > first)
    add_part (plan, event, last, inside);
  if (last - first > 1)
    {
      line_of (plan, event, WHOLE)[first + 1]++;
      line_of (plan, event, WHOLE)[last]--;
    }
}

static void
add_event (const KymoAsk   *ask,
           State           *state,
           const KymoPoint *point)
{
  const Plan *plan = ask->plan;
  Event *event = &state->events[point->activity];
  guint column;

  event->run_events++;
  event->brackets |= point->kind == KYMO_POINT_BRACKET;
  add_user_events_time (&event->run_ns, point->end_ns - point->begin_ns);
  add_bracket (ask, event, (KymoSpan) { point->begin_ns, point->end_ns });
  if (point->begin_ns < ask->span.begin_ns || point->begin_ns >= kymo_ask_count_end (ask))
    return;
  event->events++;
  event->longest_ns = MAX (event->longest_ns, point->end_ns - point->begin_ns);
  /* An event on the last nanosecond of the run lies in the last column. */
  column = kymo_find_column (plan->edges_ns, 0, plan->n_columns, point->begin_ns);
  line_of (plan, event, EVENTS)[MIN (column, plan->n_columns - 1)]++;
}

static void
user_events_time_partial (const KymoAsk *ask,
                          gpointer       data,
                          KymoSegment   *segment)
{
  const Plan *plan = ask->plan;

  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (kymo_point_is_user_event (point)
          && (plan->wanted == NULL || plan->wanted[point->activity]))
        add_event (ask, data, point);
    }
}

static void
user_events_time_merge (const KymoAsk *ask,
                        gpointer       into,
                        gpointer       from)
{
  const Plan *plan = ask->plan;
  State *a = into, *b = from;

  for (guint i = 0; i < a->n; i++)
    {
      Event *x = &a->events[i], *y = &b->events[i];

      for (gsize k = 0; y->columns != NULL && k < (gsize) N_LINES * plan->n_columns; k++)
        add_user_events_time (&line_of (plan, x, 0)[k], y->columns[k]);
      add_user_events_time (&x->events, y->events);
      add_user_events_time (&x->run_events, y->run_events);
      add_user_events_time (&x->ns, y->ns);
      add_user_events_time (&x->run_ns, y->run_ns);
      x->longest_ns = MAX (x->longest_ns, y->longest_ns);
      x->brackets |= y->brackets;
    }
}

/* Brings brackets that fill whole columns to what has a part of them. */
static void
end_brackets (const Plan *plan,
              Event      *event)
{
  gint64 *ns = line_of (plan, event, TIME_NS), *whole = line_of (plan, event, WHOLE);
  gint64 open = 0, all;

  for (guint i = 0; i < plan->n_columns; i++)
    {
      open += whole[i];
      if (__builtin_mul_overflow (open, plan->edges_ns[i + 1] - plan->edges_ns[i], &all))
        all = G_MAXINT64;
      add_user_events_time (&ns[i], all);
      whole[i] = 0;
    }
}

/* Counts are in millionths from here on. What fills whole columns is a part of them first: it
   could not be weighed as differences. */
static void
user_events_time_weigh (const KymoAsk *ask,
                        gpointer       data,
                        guint          location,
                        gint64         weight)
{
  const Plan *plan = ask->plan;
  State *state = data;

  for (guint i = 0; i < state->n; i++)
    {
      Event *event = &state->events[i];

      if (weight == 0)
        {
          g_free (event->columns);
          *event = (Event) { 0 };
          continue;
        }
      event->events = kymo_weigh_count (event->events, weight);
      event->run_events = kymo_weigh_count (event->run_events, weight);
      event->ns = kymo_weigh (event->ns, weight);
      event->run_ns = kymo_weigh (event->run_ns, weight);
      if (event->columns == NULL)
        continue;
      end_brackets (plan, event);
      for (guint k = 0; k < plan->n_columns; k++)
        {
          gint64 *events = &line_of (plan, event, EVENTS)[k];
          gint64 *ns = &line_of (plan, event, TIME_NS)[k];

          *events = kymo_weigh_count (*events, weight);
          *ns = kymo_weigh (*ns, weight);
        }
    }
}

static gint64
weight_of (const Event *event,
           gboolean     by_time)
{
  return by_time ? event->run_ns : event->run_events;
}

typedef struct
{
  const State *state;
  gboolean     by_time;
} Order;

static int
compare_events (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const Order *order = data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  gint64 x = weight_of (&order->state->events[i], order->by_time);
  gint64 y = weight_of (&order->state->events[j], order->by_time);

  return x != y ? (x > y ? -1 : 1) : (i > j) - (i < j);
}

/* (transfer full): activities with events in the run, those with most of them first */
static GArray *
rank_events (const State *state,
             gboolean     by_time)
{
  GArray *ranked = g_array_new (FALSE, FALSE, sizeof (guint));
  Order order = { state, by_time };

  for (guint i = 0; i < state->n; i++)
    if (state->events[i].run_events > 0)
      g_array_append_val (ranked, i);
  g_array_sort_with_data (ranked, compare_events, &order);
  return ranked;
}

static KymoTable *
make_series (const KymoAsk *ask,
             State         *state,
             gboolean       by_time)
{
  static const char *const keys[] = { "id", "rank", "events", "time_ns", "longest_ns", "run_events",
                                      "run_time_ns" };
  const Plan *plan = ask->plan;
  g_autoptr (GArray) ranked = rank_events (state, by_time);
  KymoTable *table = kymo_table_new_list ("name:string brackets:bool");
  guint first = 0, columns;

  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    first = kymo_table_add_column (table, keys[k], KYMO_COLUMN_INT, 1);
  first -= G_N_ELEMENTS (keys) - 1;
  columns = kymo_table_add_vector (table, "column_events", KYMO_COLUMN_INT, plan->n_columns);
  kymo_table_add_vector (table, "column_ns", KYMO_COLUMN_INT, plan->n_columns);
  for (guint i = 0; i < ranked->len; i++)
    {
      guint index = g_array_index (ranked, guint, i);
      Event *event = &state->events[index];
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, index);
      gint64 figures[] = { activity->id, i, kymo_ask_round (ask, event->events), event->ns,
                           event->longest_ns, kymo_ask_round (ask, event->run_events),
                           event->run_ns };

      if (event->columns == NULL)
        continue;
      end_brackets (plan, event);
      for (guint k = 0; k < plan->n_columns; k++)
        line_of (plan, event, EVENTS)[k]
          = kymo_ask_round (ask, line_of (plan, event, EVENTS)[k]);
      kymo_table_append_row (table, activity->name, event->brackets);
      for (guint k = 0; k < G_N_ELEMENTS (figures); k++)
        kymo_table_append_int (table, first + k, figures[k]);
      kymo_table_append_ints (table, columns, line_of (plan, event, EVENTS));
      kymo_table_append_ints (table, columns + 1, line_of (plan, event, TIME_NS));
    }
  return table;
}

/* By number, where nothing else is said. */
static gboolean
is_by_time (KymoQuestion *question)
{
  return g_strcmp0 (kymo_question_get (question, "of"), "time") == 0;
}

static KymoTable *
user_events_time_finish (const KymoAsk *ask,
                         gpointer       data)
{
  const Plan *plan = ask->plan;
  gboolean by_time = is_by_time (ask->question);
  State *state = data;
  KymoTable *answer = kymo_ask_answer_new (ask);
  gint64 events = 0, ns = 0;

  for (guint i = 0; i < state->n; i++)
    {
      add_user_events_time (&events, state->events[i].events);
      add_user_events_time (&ns, state->events[i].ns);
    }
  kymo_ask_set_counts (ask, answer);
  kymo_table_set_string (answer, "of", by_time ? "time" : "events");
  kymo_table_set_int (answer, "events", kymo_ask_round (ask, events));
  kymo_table_set_int (answer, "time_ns", ns);
  kymo_table_set_ints (answer, "edges_ns", plan->edges_ns, plan->n_columns + 1);
  kymo_table_set_table (answer, "series", make_series (ask, state, by_time));
  return answer;
}

static const KymoKeyword keywords[] =
{
  { "bins", KYMO_KEYWORD_COUNT, "N", "columns over time", KYMO_KEYWORD_TO_COLUMNS, 100 },
  { "names", KYMO_KEYWORD_TEXT, "NAMES", "only these events, separated by ; (\\; in a name)" },
  KYMO_KEYWORD_EXTRAPOLATE,
  { "of", KYMO_KEYWORD_WORD, "events|time", "what events are ranked by (events)",
    .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "series", "name brackets id rank events time_ns longest_ns run_events run_time_ns "
    "column_events column_ns" },
  { NULL }
};

const KymoAnswerClass kymo_answer_user_events_time =
{
  { "user-events-time", N_("A chart of user events over time"),
    "user events in bins: how many, and how long brackets were", keywords, KYMO_CAN_INTERVALS,
    .lists = lists,
    .topic = KYMO_TOPIC_TIME, .example = "--bins 20" },
  user_events_time_prepare, user_events_time_release, state_new, state_free,
  user_events_time_partial, user_events_time_merge, user_events_time_finish, KYMO_NEEDS_POINTS,
  .weigh = user_events_time_weigh,
};
