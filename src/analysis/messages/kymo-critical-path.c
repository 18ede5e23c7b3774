/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk along the critical path; see kymo-critical-path.h. It is at a
 * location and a time, and what is later is explained. What the location did
 * just before that time says what comes next:
 *
 *   a block            it is on the path, as far as its begin, or as the begin
 *                      of what is nested in it;
 *   overhead alone,    it is on the path: the PE was busy;
 *   and a block before
 *   else a wait        the message of the block that begins now is on the path,
 *                      and the walk goes on where it was sent; where there is
 *                      none the wait itself is on the path.
 *
 * Of functions that wait for each other: a function is on the path as far as its
 * begin, or as the end of a wait (kymo-waits.h); there the walk goes on at the location
 * that was late.
 *
 * Threads: where a thread began its part of a team, or its life, the walk goes on where
 * the team was forked or the thread created; the time in between belongs to the function
 * that forked. Where a thread waited for the end of others, the walk goes on at the one
 * that ended last. Both are links of the run (kymo-thread-links.h). Without links the
 * cause of a thread is unknown; but a thread outside all functions, or in nothing but TAU's
 * own outermost timer, does nothing: then the walk goes on at the first thread of the
 * process, if that one is inside a function.
 *
 * Times never ascend, and where one does not fall (a message that took no
 * tick) no location is left twice, so that the walk ends whatever a log says.
 * It looks at the path and the waits beside it, never at the whole run.
 */
#include "config.h"

#include "kymo-critical-path.h"

#include <string.h>

#include "kymo-ways.h"
#include "kymo-waits.h"

typedef struct
{
  const KymoAsk *ask;
  KymoPathFunc   func;
  gpointer       data;
  KymoSegment   *segment;       /* where the walk is */
  gint64         time_ns;
  gint64        *left_ns;       /* by location: when the walk left it last */
  const KymoWaits *waits;       /* of functions that exchange anything, else NULL */
  const KymoPathStep *until;    /* where it ends, or NULL */
  const GArray  *links;         /* KymoThreadLink, or NULL */
  guint         *first_of;      /* by location: the first thread of its process; NULL
                                   where the run has no functions */
} Walk;

/* TAU opens it for each thread that it meets, and closes it with the program. */
#define TAU_OUTERMOST ".TAU application"

static gboolean
is_block (const KymoSegment *segment,
          guint              piece)
{
  return segment->piece_state[piece] >= KYMO_STATE_ACTIVITY;
}

/**
 * kymo_path_may_visit:
 *
 * Returns: whether a location can be on the path: communication threads poll and are
 * never idle, so that a path would not find out of them
 */
gboolean
kymo_path_may_visit (const KymoAsk *ask,
                     guint          location)
{
  return ask->row_of[location] >= 0 && kymo_ask_is_averaged (ask, location);
}

/* Everything from a time on to where the walk is has one state. */
static void
step_to (Walk    *walk,
         guint32  state,
         gint64   begin_ns)
{
  KymoPathStep step = { walk->segment->location, state,
                        MAX (begin_ns, walk->ask->span.begin_ns), walk->time_ns };

  if (step.begin_ns < step.end_ns)
    walk->func (&step, walk->data);
  walk->time_ns = begin_ns;
}

/* The sender of the message that started the block that begins now; FALSE where it is unknown, or
   it would lead to where we were. */
static gboolean
find_message (const Walk *walk,
              KymoSender *sender)
{
  KymoSegment *segment = walk->segment;
  guint block = kymo_segment_first_block (segment, walk->time_ns);
  KymoWay way;

  if (block >= segment->n_blocks || kymo_segment_block_begin (segment, block) != walk->time_ns
      || segment->block_event[block] < 0 || !kymo_segment_is_first (segment, block))
    return FALSE;
  kymo_way_of_block (walk->ask, segment, block, &way);
  *sender = way.sender;
  if (way.match != KYMO_MATCH_SAME || !kymo_path_may_visit (walk->ask, sender->location))
    return FALSE;
  return sender->sent_ns < walk->time_ns
    || (sender->sent_ns == walk->time_ns && (guint) sender->location != segment->location
        && walk->left_ns[sender->location] != walk->time_ns);
}

/* Goes on where the message was sent. */
static void
step_over_message (Walk             *walk,
                   const KymoSender *sender)
{
  walk->left_ns[walk->segment->location] = walk->time_ns;
  step_to (walk, KYMO_PATH_MESSAGE, sender->sent_ns);
  walk->segment = kymo_ask_segment_of (walk->ask, sender->location);
}

/* The pieces between the block before and now, latest first. */
static void
step_over_gap (Walk  *walk,
               guint  piece,
               guint  first)
{
  for (guint i = piece + 1; i-- > first;)
    step_to (walk, walk->segment->piece_state[i], kymo_segment_piece_begin (walk->segment, i));
}

/* No block just before now: was it a wait? */
static void
step_before_block (Walk  *walk,
                   guint  piece)
{
  const KymoSegment *segment = walk->segment;
  guint first = piece + 1;
  gboolean waited = FALSE;
  KymoSender sender;

  while (first > 0 && !is_block (segment, first - 1))
    waited |= segment->piece_state[--first] != KYMO_STATE_OVERHEAD;
  if ((!waited && first > 0) || !find_message (walk, &sender))
    step_over_gap (walk, piece, first);
  else
    step_over_message (walk, &sender);
}

/* Before the first record of a location nothing is known of it, but the
   message of the block that it begins with. */
static void
step_before_log (Walk *walk)
{
  KymoSender sender;

  if (!find_message (walk, &sender))
    step_to (walk, KYMO_STATE_UNTRACED, walk->ask->span.begin_ns);
  else
    step_over_message (walk, &sender);
}

/* TRUE if a wait ends now and was for a location that the walk can go to. */
static gboolean
may_follow (const Walk     *walk,
            const KymoWait *wait)
{
  return wait->begin_ns + wait->wait_ns == walk->time_ns
    && kymo_path_may_visit (walk->ask, wait->by) && wait->by != walk->segment->location
    && walk->left_ns[wait->by] != walk->time_ns;
}

/* TRUE if the location works in a piece. The first thread of a process also works in TAU's
   outermost timer: its functions need not be measured. */
static gboolean
is_at_work (const Walk        *walk,
            const KymoSegment *segment,
            guint              piece)
{
  guint32 state = segment->piece_state[piece];

  if (state < KYMO_STATE_ACTIVITY)
    return FALSE;
  return walk->first_of == NULL || walk->first_of[segment->location] == segment->location
    || strcmp (kymo_ask_state_name (walk->ask, state), TAU_OUTERMOST) != 0;
}

/* TRUE if the location works just before now. */
static gboolean
is_at_work_now (const Walk        *walk,
                const KymoSegment *segment)
{
  return segment->n_pieces > 0 && kymo_segment_piece_begin (segment, 0) < walk->time_ns
    && is_at_work (walk, segment, kymo_segment_find_piece (segment, walk->time_ns - 1));
}

/* A thread that does nothing is not what the program waits for. */
static gboolean
leave_idle_thread (Walk *walk)
{
  guint here = walk->segment->location, first = walk->first_of[here];
  KymoSegment *segment;

  if (walk->until != NULL || first == here || !kymo_path_may_visit (walk->ask, first)
      || walk->left_ns[first] == walk->time_ns || is_at_work_now (walk, walk->segment))
    return FALSE;
  segment = kymo_ask_segment_of (walk->ask, first);
  if (!is_at_work_now (walk, segment))
    return FALSE;
  walk->left_ns[here] = walk->time_ns;
  walk->segment = segment;
  return TRUE;
}

/* To the thread that made it possible to go on from now. */
static gboolean
follow_link (Walk *walk)
{
  guint here = walk->segment->location;

  if (walk->links == NULL)
    return FALSE;
  for (guint i = kymo_thread_links_find (walk->links, here, walk->time_ns); i-- > 0;)
    {
      const KymoThreadLink *link = &g_array_index (walk->links, KymoThreadLink, i);
      KymoSegment *from = kymo_ask_segment_of (walk->ask, link->from);

      if (link->to != here || link->to_ns != walk->time_ns)
        return FALSE;
      if (!kymo_path_may_visit (walk->ask, link->from)
          || (link->from_ns == walk->time_ns && walk->left_ns[link->from] == walk->time_ns)
          || from->n_pieces == 0 || kymo_segment_piece_begin (from, 0) > link->from_ns)
        continue;
      walk->left_ns[here] = walk->time_ns;
      walk->segment = from;
      if (link->from_ns < walk->time_ns)
        step_to (walk, from->piece_state[kymo_segment_find_piece (from, link->from_ns)],
                 link->from_ns);
      return TRUE;
    }
  return FALSE;
}

/* When something let the location go on that is to be followed next. */
static gint64
end_of_link_before (const Walk *walk)
{
  guint here = walk->segment->location;
  const KymoThreadLink *link;
  guint i;

  if (walk->links == NULL)
    return G_MININT64;
  i = kymo_thread_links_find (walk->links, here, walk->time_ns - 1);
  link = i > 0 ? &g_array_index (walk->links, KymoThreadLink, i - 1) : NULL;
  return link != NULL && link->to == here ? link->to_ns : G_MININT64;
}

/* When the wait of the location that ends last before now does. */
static gint64
end_of_wait_before (const Walk   *walk,
                    const GArray *waits,
                    guint         next)
{
  while (next-- > 0)
    {
      const KymoWait *wait = &g_array_index (waits, KymoWait, next);

      /* A wait that ends now and leads nowhere is skipped. */
      if (wait->begin_ns + wait->wait_ns < walk->time_ns)
        return wait->begin_ns + wait->wait_ns;
    }
  return G_MININT64;
}

static void
step_back_from_function (Walk *walk)
{
  const KymoSegment *segment = walk->segment;
  const GArray *waits = walk->waits != NULL ? walk->waits->of[segment->location] : NULL;
  guint next = waits != NULL ? kymo_waits_find (waits, walk->time_ns) : 0, piece;
  gint64 begin_ns;

  if (next > 0 && may_follow (walk, &g_array_index (waits, KymoWait, next - 1)))
    {
      walk->left_ns[segment->location] = walk->time_ns;
      walk->segment = kymo_ask_segment_of (walk->ask,
                                           g_array_index (waits, KymoWait, next - 1).by);
      return;
    }
  if (follow_link (walk) || leave_idle_thread (walk))
    return;
  begin_ns = end_of_link_before (walk);
  if (segment->n_pieces == 0 || kymo_segment_piece_begin (segment, 0) >= walk->time_ns)
    {
      step_to (walk, KYMO_STATE_UNTRACED, MAX (walk->ask->span.begin_ns, begin_ns));
      return;
    }
  piece = kymo_segment_find_piece (segment, walk->time_ns - 1);
  begin_ns = MAX (begin_ns, end_of_wait_before (walk, waits, next));
  step_to (walk, segment->piece_state[piece],
           MAX (kymo_segment_piece_begin (segment, piece), begin_ns));
}

static void
step_back (Walk *walk)
{
  const KymoSegment *segment = walk->segment;
  guint piece;

  if (segment->n_pieces == 0 || kymo_segment_piece_begin (segment, 0) >= walk->time_ns)
    {
      step_before_log (walk);
      return;
    }
  piece = kymo_segment_find_piece (segment, walk->time_ns - 1);
  if (is_block (segment, piece))
    step_to (walk, segment->piece_state[piece], kymo_segment_piece_begin (segment, piece));
  else
    step_before_block (walk, piece);
}

/**
 * kymo_path_last_end:
 *
 * Returns: when the last block of a location that begins inside the asked range ends, cut
 * to the range; its begin where there is none
 */
gint64
kymo_path_last_end (const KymoAsk     *ask,
                    const KymoSegment *segment)
{
  gint64 count_end_ns = kymo_ask_count_end (ask);
  guint piece;

  if (segment->n_pieces == 0 || count_end_ns <= kymo_segment_piece_begin (segment, 0))
    return ask->span.begin_ns;
  piece = kymo_segment_find_piece (segment, count_end_ns - 1);
  while (piece > 0 && !is_block (segment, piece))
    piece--;
  return !is_block (segment, piece) ? ask->span.begin_ns
    : CLAMP (kymo_segment_piece_begin (segment, piece + 1), ask->span.begin_ns,
             ask->span.end_ns);
}

/* The same, of threads that may be open without doing anything. */
static gint64
last_work_end (const Walk        *walk,
               const KymoSegment *segment)
{
  gint64 end_ns = kymo_path_last_end (walk->ask, segment);
  guint piece;

  if (walk->first_of == NULL || end_ns <= walk->ask->span.begin_ns)
    return end_ns;
  piece = kymo_segment_find_piece (segment, end_ns - 1);
  while (piece > 0 && !is_at_work (walk, segment, piece))
    piece--;
  if (!is_at_work (walk, segment, piece))
    return walk->ask->span.begin_ns;
  return MIN (end_ns, MAX (kymo_segment_piece_begin (segment, piece + 1),
                           walk->ask->span.begin_ns));
}

/* Begins at the end of the path: the last block to end, or of several the block of the lowest
   PE. */
static void
begin_walk (Walk *walk)
{
  const KymoAsk *ask = walk->ask;

  walk->time_ns = ask->span.begin_ns;
  for (guint i = 0; i < ask->run->locations->len; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, i);
      gint64 end_ns = last_work_end (walk, segment);

      if (!kymo_path_may_visit (ask, segment->location) || end_ns <= walk->time_ns)
        continue;
      walk->segment = segment;
      walk->time_ns = end_ns;
    }
}

/* By location: the first one that the path may visit of its process, or itself. */
static guint *
find_first_threads (const KymoAsk *ask)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  guint n = ask->run->locations->len;
  guint *first_of = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (ask->run, i);
      gpointer known;

      first_of[i] = i;
      if (location->process < 0 || !kymo_path_may_visit (ask, i))
        continue;
      if (g_hash_table_lookup_extended (firsts, &location->process, NULL, &known))
        first_of[i] = GPOINTER_TO_UINT (known);
      else
        g_hash_table_insert (firsts, (gpointer) &location->process, GUINT_TO_POINTER (i));
    }
  return first_of;
}

static void
clear_walk (Walk *walk)
{
  g_free (walk->left_ns);
  g_free (walk->first_of);
}

/* FALSE with @error, where waits are needed and cannot be known. */
static gboolean
init_walk (Walk    *walk,
           GError **error)
{
  const KymoAsk *ask = walk->ask;

  walk->left_ns = g_new (gint64, MAX (ask->run->locations->len, 1));
  for (guint i = 0; i < ask->run->locations->len; i++)
    walk->left_ns[i] = G_MAXINT64;
  if (ask->run->terms.code != KYMO_CODE_FUNCTION)
    return TRUE;
  walk->first_of = find_first_threads (ask);
  walk->links = walk->until == NULL ? ask->run->thread_links : NULL;
  return !(kymo_capabilities_of (ask->run) & KYMO_CAN_WAITS)
    || (walk->waits = kymo_waits_peek (ask, error)) != NULL;
}

static gboolean
is_there (const Walk *walk)
{
  const KymoPathStep *until = walk->until;

  return until != NULL && walk->segment->location == until->location
    && walk->time_ns > until->begin_ns && walk->time_ns <= until->end_ns;
}

static void
walk_to_begin (Walk *walk)
{
  for (guint i = 0; walk->time_ns > walk->ask->span.begin_ns && !is_there (walk)
       && !kymo_ask_is_stopped (walk->ask, i); i++)
    if (walk->first_of != NULL)
      step_back_from_function (walk);
    else
      step_back (walk);
}

/**
 * kymo_critical_path_walk_from:
 * @location: index in the run
 * @time_ns: where the walk begins
 * @until: (nullable): a stretch of a location; the walk ends as soon as it comes there
 * @func: called for each step, but not for one in that stretch
 *
 * The same walk as kymo_critical_path_walk(), from a place of one's own: what that hung
 * on. With @until the walk follows waits alone, and not the links of threads: so
 * kymo_chain_forward_of_functions() finds the way back to where it began.
 *
 * Returns: when it came to an end: in @until, or at the begin of the asked range;
 * %KYMO_NO_PATH with @error when it was cancelled, or columns are not fit to be read
 */
gint64
kymo_critical_path_walk_from (const KymoAsk       *ask,
                              guint                location,
                              gint64               time_ns,
                              const KymoPathStep  *until,
                              KymoPathFunc         func,
                              gpointer             data,
                              GError             **error)
{
  Walk walk = { .ask = ask, .func = func, .data = data, .until = until,
                .segment = kymo_ask_segment_of (ask, location),
                .time_ns = MIN (time_ns, ask->span.end_ns) };
  gboolean is_ready = init_walk (&walk, error);

  if (is_ready)
    walk_to_begin (&walk);
  clear_walk (&walk);
  if (!is_ready)
    return KYMO_NO_PATH;
  return g_cancellable_set_error_if_cancelled (ask->cancellable, error) ? KYMO_NO_PATH
    : walk.time_ns;
}

/**
 * kymo_critical_path_walk:
 * @func: called for each step of the path inside the asked range
 *
 * Walks from the end of the block that ends last to the begin of the range,
 * over the asked locations alone. The engine has made the columns of
 * %KYMO_PATH_NEEDS ready. Any thread.
 *
 * Returns: the end of the path; the range's begin where no block is in it;
 * %KYMO_NO_PATH with @error when it was cancelled, or columns are not fit to be read
 */
gint64
kymo_critical_path_walk (const KymoAsk  *ask,
                         KymoPathFunc    func,
                         gpointer        data,
                         GError        **error)
{
  Walk walk = { .ask = ask, .func = func, .data = data };
  gint64 end_ns = KYMO_NO_PATH;

  if (init_walk (&walk, error))
    {
      begin_walk (&walk);
      end_ns = walk.time_ns;
      walk_to_begin (&walk);
    }
  clear_walk (&walk);
  if (end_ns == KYMO_NO_PATH)
    return KYMO_NO_PATH;
  return g_cancellable_set_error_if_cancelled (ask->cancellable, error) ? KYMO_NO_PATH : end_ns;
}
