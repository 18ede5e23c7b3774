/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * events: what happened on a location, in words, one a line, in order of
 * time. With a limit the first (or with tail the last) so many; each kind of
 * record is sorted, so no more than the limit of each is looked at.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-details.h"
#include "kymo-error.h"
#include "kymo-units.h"

#define DEFAULT_EVENTS 1000
#define MAX_EVENTS 10000000

typedef struct
{
  gint64 limit;
  gboolean tail;
} Plan;

typedef struct
{
  gint64  time_ns;
  guint   location;
  guint   order;                /* of what happens at one time on a location */
  char   *text;
} Event;

typedef struct
{
  GArray *events;
  gint64  n_total;
} State;

static void
event_clear (gpointer data)
{
  g_free (((Event *) data)->text);
}

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  plan->tail = kymo_question_get_flag (ask->question, "tail");
  if (!kymo_question_get_int (ask->question, "limit", DEFAULT_EVENTS, &plan->limit, error))
    return FALSE;
  if (plan->limit < 0 || plan->limit > MAX_EVENTS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("The limit must be 0 to %d"), MAX_EVENTS);
      return FALSE;
    }
  return TRUE;
}

static void
release (KymoAsk *ask)
{
  g_free (ask->plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_array_set_clear_func (state->events, event_clear);
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

/* A kind of record: how many there are, when one was, and in words. */
typedef struct
{
  guint   n;
  gint64 (*get_time) (const KymoSegment *segment,
                      guint              i);
  char  *(*describe) (const KymoAsk     *ask,
                      KymoSegment       *segment,
                      guint              i);
  guint   order;
} Kind;

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

static char *
describe_stretch (const KymoAsk *ask,
                  KymoSegment   *segment,
                  guint          i)
{
  static const char *const words[] = { "packs", "unpacks", "writes its log to disk" };
  const KymoStretch *stretch = &g_array_index (segment->stretches, KymoStretch, i);
  g_autofree char *length = kymo_format_duration (stretch->end_ns - stretch->begin_ns);

  return g_strdup_printf ("%s for %s", words[stretch->kind], length);
}

/* Idle and untraced pieces of the track; the others are told elsewhere. */
static char *
describe_piece (const KymoAsk *ask,
                KymoSegment   *segment,
                guint          i)
{
  g_autofree char *length = NULL;

  if (segment->piece_state[i] != KYMO_STATE_IDLE && segment->piece_state[i] != KYMO_STATE_UNTRACED)
    return NULL;
  length = kymo_format_duration (kymo_segment_piece_begin (segment, i + 1)
                                 - kymo_segment_piece_begin (segment, i));
  return g_strdup_printf ("%s for %s",
                          segment->piece_state[i] == KYMO_STATE_IDLE ? "idle" : "untraced",
                          length);
}

/* Takes the first or last `limit` of a kind. Sends may be out of order in bad
   logs; then the sorting at the end still puts right what was taken. */
static void
collect (const KymoAsk *ask,
         State         *state,
         KymoSegment   *segment,
         const Kind    *kind)
{
  const Plan *plan = ask->plan;
  gint64 taken = 0;

  for (guint k = 0; k < kind->n; k++)
    {
      guint i = plan->tail ? kind->n - 1 - k : k;
      gint64 time_ns = kind->get_time (segment, i);
      Event event = { time_ns, segment->location, kind->order, NULL };

      if (kymo_ask_is_stopped (ask, k))
        return;
      if (!is_inside (ask, time_ns)
          || (kind->describe == describe_piece && segment->piece_state[i] != KYMO_STATE_IDLE
              && segment->piece_state[i] != KYMO_STATE_UNTRACED))
        continue;
      state->n_total++;
      if (taken == plan->limit)
        continue;
      event.text = kind->describe (ask, segment, i);
      g_array_append_val (state->events, event);
      taken++;
    }
}

static void
partial (const KymoAsk *ask,
         gpointer       state,
         KymoSegment   *segment)
{
  const Kind kinds[] =
  {
    { segment->n_pieces, piece_time, describe_piece, 0 },
    { segment->stretches->len, stretch_time, describe_stretch, 1 },
    { segment->n_blocks, block_time, kymo_describe_block, 2 },
    { segment->points->len, point_time, kymo_describe_point, 3 },
    { segment->n_sends, send_time, kymo_describe_send, 4 },
    { segment->exchange != NULL ? segment->exchange->n_receives : 0, receive_time,
      kymo_describe_receive, 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    collect (ask, state, segment, &kinds[i]);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  State *a = into, *b = from;

  g_array_append_vals (a->events, b->events->data, b->events->len);
  a->n_total += b->n_total;
  /* The texts moved. */
  g_array_set_clear_func (b->events, NULL);
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
  return x->order < y->order ? -1 : x->order > y->order;
}

static KymoTable *
finish (const KymoAsk *ask,
        gpointer       data)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint time = kymo_table_add_column (table, "time_ns", KYMO_COLUMN_INT, 1);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint label = kymo_table_add_column (table, "label", KYMO_COLUMN_STRING, 1);
  guint text = kymo_table_add_column (table, "text", KYMO_COLUMN_STRING, 1);
  guint n = state->events->len, count = MIN ((gint64) n, plan->limit);
  guint first = plan->tail ? n - count : 0;

  g_array_sort (state->events, compare_events);
  for (guint i = first; i < first + count; i++)
    {
      const Event *event = &g_array_index (state->events, Event, i);
      const KymoLocation *where = kymo_run_peek_location (ask->run, event->location);

      kymo_table_append_int (table, time, event->time_ns);
      kymo_table_append_int (table, location, where->id);
      kymo_table_append_string (table, label, where->label);
      kymo_table_append_string (table, text, event->text);
    }
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "total", state->n_total);
  kymo_table_set_table (answer, "events", table);
  return answer;
}

const KymoAnswerClass kymo_answer_events =
  { "events", prepare, release, state_new, state_free, partial, merge, finish,
    .requires = KYMO_CAN_INTERVALS };
