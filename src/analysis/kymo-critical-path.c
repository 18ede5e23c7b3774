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
 * Times never ascend, and where one does not fall (a message that took no
 * tick) no location is left twice, so that the walk ends whatever a log says.
 * It looks at the path and the waits beside it, never at the whole run.
 */
#include "config.h"

#include "kymo-critical-path.h"
#include "kymo-messages.h"
#include "kymo-waits.h"

typedef struct
{
  const KymoAsk *ask;
  KymoPathFunc   func;
  gpointer       data;
  KymoSegment   *segment;       /* where the walk is */
  gint64         time_ns;
  gint64        *left_ns;       /* by location: when the walk left it last */
  const KymoWaits *waits;       /* of functions, else NULL */
  const KymoPathStep *until;    /* where it ends, or NULL */
} Walk;

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

/* The message that started the block that begins now, its sender and when it
   was sent; FALSE where nobody knows, or it would lead to where we were. */
static gboolean
find_message (const Walk   *walk,
              KymoSegment **sender,
              gint64       *sent_ns)
{
  KymoSegment *segment = walk->segment;
  guint block = kymo_segment_first_block (segment, walk->time_ns);
  KymoWay way;

  if (block >= segment->n_blocks || kymo_segment_block_begin (segment, block) != walk->time_ns
      || segment->block_event[block] < 0 || !kymo_segment_is_first (segment, block))
    return FALSE;
  kymo_way_of_block (walk->ask, segment, block, &way);
  if (way.match != KYMO_MATCH_SAME || !kymo_path_may_visit (walk->ask, way.sender->location))
    return FALSE;
  *sender = way.sender;
  *sent_ns = kymo_segment_send_time (way.sender, way.send);
  return *sent_ns < walk->time_ns
    || (*sent_ns == walk->time_ns && way.sender != segment
        && walk->left_ns[way.sender->location] != walk->time_ns);
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
  KymoSegment *sender;
  gint64 sent_ns;

  while (first > 0 && !is_block (segment, first - 1))
    waited |= segment->piece_state[--first] != KYMO_STATE_OVERHEAD;
  if ((!waited && first > 0) || !find_message (walk, &sender, &sent_ns))
    {
      step_over_gap (walk, piece, first);
      return;
    }
  walk->left_ns[segment->location] = walk->time_ns;
  step_to (walk, KYMO_PATH_MESSAGE, sent_ns);
  walk->segment = sender;
}

/* Before the first record of a location nothing is known of it, but the
   message of the block that it begins with. */
static void
step_before_log (Walk *walk)
{
  KymoSegment *sender;
  gint64 sent_ns;

  if (!find_message (walk, &sender, &sent_ns))
    {
      step_to (walk, KYMO_STATE_UNTRACED, walk->ask->span.begin_ns);
      return;
    }
  walk->left_ns[walk->segment->location] = walk->time_ns;
  step_to (walk, KYMO_PATH_MESSAGE, sent_ns);
  walk->segment = sender;
}

/* Whether a wait ends now for somebody the walk can go to. */
static gboolean
may_follow (const Walk     *walk,
            const KymoWait *wait)
{
  return wait->begin_ns + wait->wait_ns == walk->time_ns
    && kymo_path_may_visit (walk->ask, wait->by) && wait->by != walk->segment->location
    && walk->left_ns[wait->by] != walk->time_ns;
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

      /* One that ends now and leads nowhere is walked over. */
      if (wait->begin_ns + wait->wait_ns < walk->time_ns)
        return wait->begin_ns + wait->wait_ns;
    }
  return G_MININT64;
}

static void
step_back_from_function (Walk *walk)
{
  const KymoSegment *segment = walk->segment;
  const GArray *waits = walk->waits->of[segment->location];
  guint next = kymo_waits_find (waits, walk->time_ns), piece;

  if (next > 0 && may_follow (walk, &g_array_index (waits, KymoWait, next - 1)))
    {
      walk->left_ns[segment->location] = walk->time_ns;
      walk->segment = kymo_ask_segment_of (walk->ask,
                                           g_array_index (waits, KymoWait, next - 1).by);
      return;
    }
  if (segment->n_pieces == 0 || kymo_segment_piece_begin (segment, 0) >= walk->time_ns)
    {
      step_to (walk, KYMO_STATE_UNTRACED, walk->ask->span.begin_ns);
      return;
    }
  piece = kymo_segment_find_piece (segment, walk->time_ns - 1);
  step_to (walk, segment->piece_state[piece],
           MAX (kymo_segment_piece_begin (segment, piece),
                end_of_wait_before (walk, waits, next)));
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

/* Where the path ends: the last block to end, of several the lowest PE's. */
static void
begin_walk (Walk *walk)
{
  const KymoAsk *ask = walk->ask;

  walk->time_ns = ask->span.begin_ns;
  for (guint i = 0; i < ask->run->locations->len; i++)
    {
      KymoSegment *segment = kymo_ask_segment_of (ask, i);
      gint64 end_ns = kymo_path_last_end (ask, segment);

      if (!kymo_path_may_visit (ask, segment->location) || end_ns <= walk->time_ns)
        continue;
      walk->segment = segment;
      walk->time_ns = end_ns;
    }
}

/* FALSE with @error, where waits are needed and cannot be known. */
static gboolean
init_walk (Walk    *walk,
           gint64  *left_ns,
           GError **error)
{
  const KymoAsk *ask = walk->ask;

  for (guint i = 0; i < ask->run->locations->len; i++)
    left_ns[i] = G_MAXINT64;
  walk->left_ns = left_ns;
  return ask->run->terms.code != KYMO_CODE_FUNCTION
    || !(kymo_capabilities_of (ask->run) & KYMO_CAN_WAITS)
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
    if (walk->waits != NULL)
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
 * on.
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
  g_autofree gint64 *left_ns = g_new (gint64, MAX (ask->run->locations->len, 1));

  if (!init_walk (&walk, left_ns, error))
    return KYMO_NO_PATH;
  walk_to_begin (&walk);
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
  g_autofree gint64 *left_ns = g_new (gint64, MAX (ask->run->locations->len, 1));
  gint64 end_ns;

  if (!init_walk (&walk, left_ns, error))
    return KYMO_NO_PATH;
  begin_walk (&walk);
  end_ns = walk.time_ns;
  walk_to_begin (&walk);
  return g_cancellable_set_error_if_cancelled (ask->cancellable, error) ? KYMO_NO_PATH : end_ns;
}
