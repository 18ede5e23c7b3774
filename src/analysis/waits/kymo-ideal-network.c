/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The replay. Each rank goes on until it needs what has not happened yet; the rank that makes that
 * happen wakes it. A rank's clock is the largest of what it computed and what it waited for, so
 * the result does not depend on the order in which ranks are looked at. Clocks of the recording
 * are compared within one rank only: they need not be synchronized.
 */
#include "config.h"

#include "kymo-ideal-network.h"

#include "kymo-order.h"
#include "kymo-waits.h"

/* When it has not happened yet. */
#define NOT_YET (-1)

/**
 * Call: one end of a rank's part in a collective operation
 * @member: among all members of all operations
 * @leaves: its end, not its begin
 */
typedef struct
{
  gint64   time_ns;
  guint32  collective, member;
  gboolean leaves;
} Call;

/**
 * Rank:
 * @segment: (nullable): %NULL if the location takes no part
 * @at_ns: how far it is in the recording
 * @clock_ns: how far it is on the ideal network
 */
typedef struct
{
  KymoSegment *segment;
  GArray      *calls;           /* Call, by time */
  gint64      *sent_ns;         /* by send, on the ideal network */
  guint        send, receive, call, piece;
  gint64       at_ns, clock_ns;
  gboolean     waits, done;
} Rank;

/**
 * Meeting: a collective operation
 * @root: among all members, or -1
 * @n_in_order: members of lowest location that have all come
 */
typedef struct
{
  guint  n_missing, n_in_order;
  gint   root;
  gint64 latest_ns;
} Meeting;

typedef struct
{
  const KymoAsk         *ask;
  const KymoCollectives *all;           /* or NULL */
  gboolean              *lasts;         /* by state: lasts as long on an ideal network */
  Rank                  *ranks;         /* by location */
  guint                  n_ranks;
  Meeting               *meetings;
  gint64                *came_ns;       /* by member, on the ideal network */
  GArray                *ready;         /* guint: ranks to go on with */
} Replay;

typedef enum
{
  EVENT_SEND,
  EVENT_COME,
  EVENT_RECEIVE,
  EVENT_LEAVE,
  EVENT_NONE,
} Event;

/* -- what can be replayed --------------------------------------------------- */

/* Ranks of several threads wait for each other in ways that are not replayed. */
static gboolean
has_one_thread_each (const KymoAsk *ask)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < ask->run->locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, i);

      if (kymo_ask_is_averaged (ask, i) && location->process >= 0
          && !g_hash_table_add (seen, (gpointer) &location->process))
        return FALSE;
    }
  return TRUE;
}

static gboolean
can_replay (const KymoAsk *ask)
{
  const KymoRun *run = ask->run;

  return run->terms.code == KYMO_CODE_FUNCTION && run->kind == KYMO_RUN_TRACE
    && run->draft == NULL && ask->weights == NULL && ask->n_locations == run->locations->len
    && (kymo_capabilities_of (run) & KYMO_CAN_WAITS) && has_one_thread_each (ask);
}

/* -- making it --------------------------------------------------------------- */

static gboolean
is_asked (const Replay *replay,
          gint64        time_ns)
{
  return time_ns >= replay->ask->span.begin_ns && time_ns < replay->ask->span.end_ns;
}

static int
compare_calls (gconstpointer a,
               gconstpointer b)
{
  const Call *x = a, *y = b;

  KYMO_ORDER_BY (x->time_ns, y->time_ns);
  KYMO_ORDER_BY (x->leaves, y->leaves);
  return x->member < y->member ? -1 : x->member > y->member;
}

static void
add_call (Replay  *replay,
          guint    location,
          Call     call)
{
  if (is_asked (replay, call.time_ns))
    g_array_append_val (replay->ranks[location].calls, call);
}

/* Moves on over the members that came in the order of locations. Each then has the time of the
   latest one up to itself. */
static void
count_in_order (Replay *replay,
                guint   collective)
{
  const KymoCollective *made = &g_array_index (replay->all->list, KymoCollective, collective);
  Meeting *meeting = &replay->meetings[collective];
  gint64 *came_ns = replay->came_ns + made->first;

  while (meeting->n_in_order < made->n_members && came_ns[meeting->n_in_order] != NOT_YET)
    {
      guint i = meeting->n_in_order++;

      came_ns[i] = MAX (came_ns[i], i > 0 ? came_ns[i - 1] : 0);
    }
}

static void
add_meeting (Replay *replay,
             guint   collective)
{
  const KymoCollective *made = &g_array_index (replay->all->list, KymoCollective, collective);
  Meeting *meeting = &replay->meetings[collective];

  meeting->root = -1;
  for (guint i = 0; i < made->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (replay->all, made, i);
      guint32 number = made->first + i;
      gboolean comes = replay->ranks[member->location].segment != NULL
        && is_asked (replay, member->begin_ns);

      if (made->root >= 0 && member->location == (guint32) made->root)
        meeting->root = (gint) number;
      replay->came_ns[number] = comes ? NOT_YET : 0;
      meeting->n_missing += comes;
      if (replay->ranks[member->location].segment == NULL)
        continue;
      add_call (replay, member->location, (Call) { member->begin_ns, collective, number, FALSE });
      add_call (replay, member->location, (Call) { member->end_ns, collective, number, TRUE });
    }
  if (made->kind == KYMO_COLLECTIVE_PREFIX)
    count_in_order (replay, collective);
}

/* FALSE if its columns cannot be read. */
static gboolean
add_rank (Replay *replay,
          guint   location)
{
  KymoSegment *segment = kymo_ask_segment_of (replay->ask, location);
  Rank *rank = &replay->ranks[location];
  const KymoExchange *x;
  gint64 begin_ns = replay->ask->span.begin_ns;

  if (!kymo_ask_use (replay->ask, segment, KYMO_WAIT_NEEDS & KYMO_PARTS_ALL))
    return FALSE;
  if (segment->n_pieces == 0)
    return TRUE;
  x = segment->exchange;
  rank->segment = segment;
  rank->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  rank->at_ns = MAX (begin_ns, kymo_segment_piece_begin (segment, 0));
  rank->piece = kymo_segment_find_piece (segment, rank->at_ns);
  if (x == NULL)
    return TRUE;
  rank->sent_ns = g_new (gint64, MAX (x->n_sends, 1));
  for (guint i = 0; i < x->n_sends; i++)
    rank->sent_ns[i] = is_asked (replay, kymo_segment_send_time (segment, i)) ? NOT_YET : 0;
  while (rank->send < x->n_sends && kymo_segment_send_time (segment, rank->send) < begin_ns)
    rank->send++;
  while (rank->receive < x->n_receives
         && kymo_segment_receive_time (segment, rank->receive) < begin_ns)
    rank->receive++;
  return TRUE;
}

static gboolean
prepare_replay (Replay *replay)
{
  const KymoAsk *ask = replay->ask;

  for (guint s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
    {
      KymoRole role = kymo_run_peek_activity (ask->run, s - KYMO_STATE_ACTIVITY)->role;

      replay->lasts[s] = role == KYMO_ROLE_COMPUTE || role == KYMO_ROLE_IO;
    }
  for (guint i = 0; i < replay->n_ranks && !kymo_ask_is_stopped (ask, i); i++)
    if (kymo_ask_is_averaged (ask, i) && !add_rank (replay, i))
      return FALSE;
  replay->all = kymo_run_peek_collectives (ask->run, ask->n_threads, ask->cancellable);
  if (replay->all != NULL)
    {
      replay->meetings = g_new0 (Meeting, MAX (replay->all->list->len, 1));
      replay->came_ns = g_new0 (gint64, MAX (replay->all->members->len, 1));
      for (guint i = 0; i < replay->all->list->len && !kymo_ask_is_stopped (ask, i); i++)
        add_meeting (replay, i);
    }
  for (guint i = 0; i < replay->n_ranks; i++)
    if (replay->ranks[i].segment != NULL)
      {
        g_array_sort (replay->ranks[i].calls, compare_calls);
        g_array_append_val (replay->ready, i);
      }
  return !g_cancellable_is_cancelled (ask->cancellable);
}

static void
replay_clear (Replay *replay)
{
  for (guint i = 0; i < replay->n_ranks; i++)
    {
      g_clear_pointer (&replay->ranks[i].calls, g_array_unref);
      g_free (replay->ranks[i].sent_ns);
    }
  g_free (replay->ranks);
  g_free (replay->lasts);
  g_free (replay->meetings);
  g_free (replay->came_ns);
  g_array_unref (replay->ready);
}

/* -- the walk ---------------------------------------------------------------- */

static void
wake_rank (Replay *replay,
           guint   location)
{
  Rank *rank = &replay->ranks[location];

  if (rank->segment == NULL || !rank->waits)
    return;
  rank->waits = FALSE;
  g_array_append_val (replay->ready, location);
}

/* Lets time pass up to a moment of the recording. */
static void
pass_time (const Replay *replay,
           Rank         *rank,
           gint64        to_ns)
{
  const KymoSegment *segment = rank->segment;

  while (rank->at_ns < to_ns && rank->piece < segment->n_pieces)
    {
      gint64 end_ns = kymo_segment_piece_begin (segment, rank->piece + 1);
      gint64 until_ns = MAX (MIN (end_ns, to_ns), rank->at_ns);

      if (replay->lasts[segment->piece_state[rank->piece]])
        rank->clock_ns += until_ns - rank->at_ns;
      rank->at_ns = until_ns;
      rank->piece += end_ns <= to_ns;
    }
}

/* What the rank does next, and when in the recording. */
static Event
next_event (const Replay *replay,
            const Rank   *rank,
            gint64       *time_ns)
{
  const KymoExchange *x = rank->segment->exchange;
  const Call *call = rank->call < rank->calls->len
    ? &g_array_index (rank->calls, Call, rank->call) : NULL;
  const gint64 times[] = {
    [EVENT_SEND] = x != NULL && rank->send < x->n_sends
      ? kymo_segment_send_time (rank->segment, rank->send) : G_MAXINT64,
    [EVENT_COME] = call != NULL && !call->leaves ? call->time_ns : G_MAXINT64,
    [EVENT_RECEIVE] = x != NULL && rank->receive < x->n_receives
      ? kymo_segment_receive_time (rank->segment, rank->receive) : G_MAXINT64,
    [EVENT_LEAVE] = call != NULL && call->leaves ? call->time_ns : G_MAXINT64,
  };
  Event event = EVENT_NONE;

  *time_ns = replay->ask->span.end_ns;
  /* Of the same time the ones that wait for no rank come first. */
  for (Event i = EVENT_SEND; i < EVENT_NONE; i++)
    if (times[i] < *time_ns)
      {
        *time_ns = times[i];
        event = i;
      }
  return event;
}

static void
send_now (Replay *replay,
          Rank   *rank)
{
  const KymoExchange *x = rank->segment->exchange;
  guint32 to = x->send_location != NULL ? x->send_location[rank->send] : KYMO_UNMATCHED;

  rank->sent_ns[rank->send++] = rank->clock_ns;
  if (to != KYMO_UNMATCHED)
    wake_rank (replay, to);
}

static void
come_now (Replay *replay,
          Rank   *rank)
{
  const Call *call = &g_array_index (rank->calls, Call, rank->call++);
  const KymoCollective *made = &g_array_index (replay->all->list, KymoCollective,
                                               call->collective);
  Meeting *meeting = &replay->meetings[call->collective];
  guint from = 0, end = made->n_members;

  replay->came_ns[call->member] = rank->clock_ns;
  meeting->latest_ns = MAX (meeting->latest_ns, rank->clock_ns);
  meeting->n_missing--;
  if (made->kind == KYMO_COLLECTIVE_PREFIX)
    {
      from = meeting->n_in_order;
      count_in_order (replay, call->collective);
      end = meeting->n_in_order;
    }
  else if (meeting->n_missing > 0
           && (made->kind != KYMO_COLLECTIVE_ONE_TO_ALL || (gint) call->member != meeting->root))
    return;
  for (guint i = from; i < end; i++)
    wake_rank (replay, kymo_collective_member (replay->all, made, i)->location);
}

/* When a member may leave: NOT_YET if whom it waits for has not come. */
static gint64
may_leave (const Replay *replay,
           const Call   *call)
{
  const KymoCollective *made = &g_array_index (replay->all->list, KymoCollective,
                                               call->collective);
  const Meeting *meeting = &replay->meetings[call->collective];
  gint64 all_came_ns = meeting->n_missing == 0 ? meeting->latest_ns : NOT_YET;

  switch ((KymoCollectiveKind) made->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      return all_came_ns;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
      return meeting->root >= 0 ? replay->came_ns[meeting->root] : 0;
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      return meeting->root == (gint) call->member ? all_came_ns : 0;
    case KYMO_COLLECTIVE_PREFIX:
      return call->member - made->first < meeting->n_in_order ? replay->came_ns[call->member]
        : NOT_YET;
    case KYMO_COLLECTIVE_OTHER:
    default:
      return 0;
    }
}

static gint64
may_receive (const Replay *replay,
             const Rank   *rank)
{
  const KymoExchange *x = rank->segment->exchange;
  guint32 from = x->receive_location != NULL ? x->receive_location[rank->receive]
    : KYMO_UNMATCHED;

  return from != KYMO_UNMATCHED && replay->ranks[from].sent_ns != NULL
    ? replay->ranks[from].sent_ns[x->receive_send[rank->receive]] : 0;
}

/* FALSE if the rank has to wait. */
static gboolean
go_past (Replay *replay,
         Rank   *rank,
         Event   event)
{
  gint64 there_ns = event == EVENT_RECEIVE ? may_receive (replay, rank)
    : may_leave (replay, &g_array_index (rank->calls, Call, rank->call));

  if (there_ns == NOT_YET)
    return FALSE;
  rank->clock_ns = MAX (rank->clock_ns, there_ns);
  if (event == EVENT_RECEIVE)
    rank->receive++;
  else
    rank->call++;
  return TRUE;
}

static void
run_rank (Replay *replay,
          Rank   *rank)
{
  for (guint n = 0; !kymo_ask_is_stopped (replay->ask, n); n++)
    {
      gint64 time_ns;
      Event event = next_event (replay, rank, &time_ns);

      pass_time (replay, rank, time_ns);
      if (event == EVENT_SEND)
        send_now (replay, rank);
      else if (event == EVENT_COME)
        come_now (replay, rank);
      else if (event == EVENT_NONE)
        {
          rank->done = TRUE;
          return;
        }
      else if (!go_past (replay, rank, event))
        {
          rank->waits = TRUE;
          return;
        }
    }
}

/* When the last rank is done; -1 if some never get what they wait for. */
static gint64
find_end (Replay *replay)
{
  gint64 end_ns = 0;

  while (replay->ready->len > 0 && !g_cancellable_is_cancelled (replay->ask->cancellable))
    {
      guint location = g_array_index (replay->ready, guint, replay->ready->len - 1);

      g_array_set_size (replay->ready, replay->ready->len - 1);
      run_rank (replay, &replay->ranks[location]);
    }
  for (guint i = 0; i < replay->n_ranks; i++)
    {
      const Rank *rank = &replay->ranks[i];

      if (rank->segment != NULL && !rank->done)
        return -1;
      end_ns = MAX (end_ns, rank->clock_ns);
    }
  return end_ns;
}

/**
 * kymo_ideal_network_ns:
 * @ask: of the whole run: all locations, nothing extrapolated
 *
 * Replays the asked range of a run of ranks on an ideal network. Reads all messages; may take
 * seconds for a large run, and stops when @ask is cancelled.
 *
 * Returns: nanoseconds until the last rank would be done; -1 if the run cannot be replayed, or
 *   its recorded messages contradict each other
 */
gint64
kymo_ideal_network_ns (const KymoAsk *ask)
{
  Replay replay = { .ask = ask };
  gint64 end_ns;

  if (!can_replay (ask))
    return -1;
  replay.n_ranks = ask->run->locations->len;
  replay.ranks = g_new0 (Rank, MAX (replay.n_ranks, 1));
  replay.lasts = g_new0 (gboolean, ask->n_states);
  replay.ready = g_array_new (FALSE, FALSE, sizeof (guint));
  end_ns = prepare_replay (&replay) ? find_end (&replay) : -1;
  replay_clear (&replay);
  return end_ns;
}
