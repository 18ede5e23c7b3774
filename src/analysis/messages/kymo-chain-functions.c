/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of functions that wait for each other; see kymo-chain.h.
 *
 * Forward the ends of all waits behind the stretch are gone through in order of time. At
 * each the chain back from the location that waited goes over to the one that was late:
 * so it leads through the stretch from then on just where that one's does. Waits that end
 * at one tick are decided together, as the walk back does: from each of them it goes on as
 * long as somebody waited until then, but to no location twice. It costs the waits behind
 * the stretch, as long as any location hangs on it: a few, where nothing waited for it.
 */
#include "config.h"

#include "kymo-chain.h"

#include "kymo-critical-path.h"
#include "kymo-waits.h"

/* -- steps ----------------------------------------------------------------- */

static void
on_path_step (const KymoPathStep *step,
              gpointer            data)
{
  KymoChain *chain = data;
  const KymoChainStep *last = chain->steps->len == 0 ? NULL
    : &g_array_index (chain->steps, KymoChainStep, chain->steps->len - 1);
  KymoChainStep here = { KYMO_CHAIN_OTHER, step->state, step->location, step->location,
                         step->begin_ns, step->end_ns, 0 };

  if (step->state >= KYMO_STATE_ACTIVITY)
    here.kind = KYMO_CHAIN_BLOCK;
  if (last != NULL && last->location != step->location)
    {
      KymoChainStep message = { KYMO_CHAIN_MESSAGE, last->state, last->location, step->location,
                                last->begin_ns, last->begin_ns, 0 };

      g_array_append_val (chain->steps, message);
    }
  g_array_append_val (chain->steps, here);
}

/* The stretch that a time lies in; FALSE where no call runs there. */
static gboolean
find_stretch (const KymoSegment *segment,
              gint64             time_ns,
              KymoPathStep      *stretch)
{
  guint piece;

  if (segment->n_pieces == 0 || time_ns < segment->span.begin_ns
      || time_ns >= segment->span.end_ns)
    return FALSE;
  piece = kymo_segment_find_piece (segment, time_ns);
  *stretch = (KymoPathStep) { segment->location, segment->piece_state[piece],
                              kymo_segment_piece_begin (segment, piece),
                              kymo_segment_piece_begin (segment, piece + 1) };
  return stretch->state >= KYMO_STATE_ACTIVITY;
}

/**
 * kymo_chain_of_functions:
 * @time_ns: in the stretch that the chain begins with; itself where no call runs then
 *
 * Returns: (transfer full) (nullable): what a location hung on at a time; %NULL when it
 * was cancelled
 */
KymoChain *
kymo_chain_of_functions (const KymoAsk  *ask,
                         guint           location,
                         gint64          time_ns,
                         GError        **error)
{
  KymoChain *chain = kymo_chain_new ();
  KymoPathStep stretch;

  if (find_stretch (kymo_ask_segment_of (ask, location), time_ns, &stretch))
    time_ns = stretch.end_ns;
  chain->end = KYMO_CHAIN_BEGIN;
  if (kymo_critical_path_walk_from (ask, location, time_ns, NULL, on_path_step, chain, error)
      != KYMO_NO_PATH)
    return chain;
  kymo_chain_free (chain);
  return NULL;
}

/* -- forward --------------------------------------------------------------- */

/* State of a location at the time of the sweep. */
typedef enum
{
  UNKNOWN,
  ASKED,                        /* on the way that is walked right now */
  ELSEWHERE,                    /* its chain does not lead through the stretch */
  THROUGH,
} Now;

/**
 * Sweep: over the ends of waits
 * @next: by location: its first wait that ends later than the time
 * @heap: locations with such a wait, the one whose ends first on top
 * @hangs: by location: whether its chain led through the stretch until now
 * @now: by location: a #Now
 * @here: locations whose waits end now
 * @way: locations, from one to the one it waited for
 * @best_ns: the last moment that is known to hang on the stretch
 */
typedef struct
{
  const KymoAsk      *ask;
  const KymoWaits    *waits;
  const KymoPathStep *stretch;
  KymoChain          *chain;
  guint              *next;
  guint              *heap;
  guint               n_heap;
  gboolean           *hangs;
  guint8             *now;
  guint               n_hanging;
  GArray             *here, *way;
  gint64              time_ns;
  gint64              best_ns;
  guint               best;
} Sweep;

static const KymoWait *
next_wait (const Sweep *sweep,
           guint        location)
{
  return &g_array_index (sweep->waits->of[location], KymoWait, sweep->next[location]);
}

static gint64
next_end (const Sweep *sweep,
          guint        location)
{
  const KymoWait *wait = next_wait (sweep, location);

  return wait->begin_ns + wait->wait_ns;
}

static void
sift_down (Sweep *sweep,
           guint  at)
{
  guint moved = sweep->heap[at], child;
  gint64 moved_ns = next_end (sweep, moved);

  for (; (child = 2 * at + 1) < sweep->n_heap; at = child)
    {
      if (child + 1 < sweep->n_heap && next_end (sweep, sweep->heap[child + 1])
          < next_end (sweep, sweep->heap[child]))
        child++;
      if (moved_ns <= next_end (sweep, sweep->heap[child]))
        break;
      sweep->heap[at] = sweep->heap[child];
    }
  sweep->heap[at] = moved;
}

static void
make_heap (Sweep *sweep)
{
  gint64 begin_ns = MAX (sweep->stretch->begin_ns, sweep->ask->span.begin_ns);

  for (guint i = 0; i < sweep->waits->n_locations; i++)
    {
      sweep->next[i] = kymo_waits_find (sweep->waits->of[i], begin_ns);
      if (sweep->next[i] < sweep->waits->of[i]->len)
        sweep->heap[sweep->n_heap++] = i;
    }
  for (guint i = sweep->n_heap / 2; i-- > 0;)
    sift_down (sweep, i);
}

/* Takes what is on top, which goes on with its next wait. */
static void
pass_chain_functions (Sweep *sweep)
{
  guint location = sweep->heap[0];

  if (++sweep->next[location] == sweep->waits->of[location]->len)
    sweep->heap[0] = sweep->heap[--sweep->n_heap];
  if (sweep->n_heap > 0)
    sift_down (sweep, 0);
}

static gboolean
is_in_stretch (const Sweep *sweep,
               guint        location)
{
  return location == sweep->stretch->location && sweep->time_ns <= sweep->stretch->end_ns;
}

/* The wait of a location that ends now, if one can go over to whom it waited for. */
static const KymoWait *
wait_now (const Sweep *sweep,
          guint        location)
{
  const KymoWait *wait;

  if (sweep->next[location] == 0)
    return NULL;
  wait = &g_array_index (sweep->waits->of[location], KymoWait, sweep->next[location] - 1);
  return wait->begin_ns + wait->wait_ns == sweep->time_ns && wait->by != location
    && kymo_path_may_visit (sweep->ask, wait->by) ? wait : NULL;
}

/* From which locations on the way goes round: each of these leads to the one before it,
   which the walk back from there comes to last. */
static Now
settle_round (Sweep *sweep,
              guint  first)
{
  const GArray *way = sweep->way;
  guint last = g_array_index (way, guint, way->len - 1), begin = 0;

  while (g_array_index (way, guint, begin) != first)
    begin++;
  for (guint i = begin; i < way->len; i++)
    sweep->now[g_array_index (way, guint, i)]
      = sweep->hangs[i > begin ? g_array_index (way, guint, i - 1) : last] ? THROUGH : ELSEWHERE;
  g_array_set_size (sweep->way, begin);
  return sweep->now[first];
}

static void
settle_chain_functions (Sweep *sweep,
                        guint  location)
{
  Now now;

  g_array_set_size (sweep->way, 0);
  while ((now = sweep->now[location]) == UNKNOWN)
    {
      const KymoWait *wait = is_in_stretch (sweep, location) ? NULL : wait_now (sweep, location);

      if (wait == NULL)
        {
          now = sweep->hangs[location] ? THROUGH : ELSEWHERE;
          break;
        }
      sweep->now[location] = ASKED;
      g_array_append_val (sweep->way, location);
      location = wait->by;
    }
  if (now == ASKED)
    now = settle_round (sweep, location);
  for (guint i = 0; i < sweep->way->len; i++)
    sweep->now[g_array_index (sweep->way, guint, i)] = now;
}

static void
offer (Sweep  *sweep,
       guint   location,
       gint64  time_ns)
{
  if (time_ns > sweep->best_ns || (time_ns == sweep->best_ns && location < sweep->best))
    {
      sweep->best_ns = time_ns;
      sweep->best = location;
    }
}

/* The location's work before it waited for another location still depends on the stretch. */
static void
go_on (Sweep *sweep,
       guint  location)
{
  const KymoWait *wait = wait_now (sweep, location);
  gboolean through = sweep->now[location] == THROUGH;

  sweep->now[location] = UNKNOWN;
  if (wait == NULL || is_in_stretch (sweep, location))
    return;
  if (through)
    {
      sweep->chain->caused++;
      sweep->chain->caused_ns = kymo_saturating_add (sweep->chain->caused_ns, wait->wait_ns);
    }
  else if (sweep->hangs[location])
    offer (sweep, location, location != sweep->stretch->location ? wait->begin_ns
           : MAX (wait->begin_ns, sweep->stretch->end_ns));
  sweep->n_hanging += (guint) through - (guint) sweep->hangs[location];
  sweep->hangs[location] = through;
}

static void
sweep_tick (Sweep *sweep)
{
  sweep->time_ns = next_end (sweep, sweep->heap[0]);
  g_array_set_size (sweep->here, 0);
  while (sweep->n_heap > 0 && next_end (sweep, sweep->heap[0]) == sweep->time_ns)
    {
      g_array_append_val (sweep->here, sweep->heap[0]);
      pass_chain_functions (sweep);
    }
  for (guint i = 0; i < sweep->here->len; i++)
    settle_chain_functions (sweep, g_array_index (sweep->here, guint, i));
  for (guint i = 0; i < sweep->here->len; i++)
    go_on (sweep, g_array_index (sweep->here, guint, i));
}

static void
sweep_all (Sweep *sweep)
{
  const KymoAsk *ask = sweep->ask;

  make_heap (sweep);
  for (guint i = 0; sweep->n_heap > 0 && sweep->n_hanging > 0 && !kymo_ask_is_stopped (ask, i)
       && next_end (sweep, sweep->heap[0]) <= ask->span.end_ns; i++)
    sweep_tick (sweep);
  for (guint i = 0; i < ask->run->locations->len; i++)
    if (sweep->hangs[i])
      offer (sweep, i, kymo_path_last_end (ask, kymo_ask_segment_of (ask, i)));
}

/* Finds where the chain ends, in @best and @best_ns. */
static gboolean
find_last (Sweep   *sweep,
           GError **error)
{
  guint n = MAX (sweep->ask->run->locations->len, 1);

  sweep->next = g_new0 (guint, n);
  sweep->heap = g_new (guint, n);
  sweep->hangs = g_new0 (gboolean, n);
  sweep->now = g_new0 (guint8, n);
  sweep->here = g_array_new (FALSE, FALSE, sizeof (guint));
  sweep->way = g_array_new (FALSE, FALSE, sizeof (guint));
  sweep->hangs[sweep->stretch->location] = TRUE;
  sweep->n_hanging = 1;
  sweep->best = sweep->stretch->location;
  sweep->best_ns = sweep->stretch->end_ns;
  sweep_all (sweep);
  g_free (sweep->next);
  g_free (sweep->heap);
  g_free (sweep->hangs);
  g_free (sweep->now);
  g_array_unref (sweep->here);
  g_array_unref (sweep->way);
  return !g_cancellable_set_error_if_cancelled (sweep->ask->cancellable, error);
}

/* Back from there; the stretch itself is its first step. */
static gboolean
walk_back (Sweep   *sweep,
           GError **error)
{
  KymoPathStep first = *sweep->stretch;
  gint64 reached_ns = kymo_critical_path_walk_from (sweep->ask, sweep->best, sweep->best_ns,
                                                    sweep->stretch, on_path_step, sweep->chain,
                                                    error);

  if (reached_ns == KYMO_NO_PATH)
    return FALSE;
  sweep->chain->end = KYMO_CHAIN_REACHED;
  first.end_ns = CLAMP (reached_ns, first.begin_ns, first.end_ns);
  on_path_step (&first, sweep->chain);
  return TRUE;
}

/**
 * kymo_chain_forward_of_functions:
 * @location: index in the run
 * @time_ns: in the stretch that the chain begins with
 *
 * Returns: (transfer full) (nullable): from the stretch to the last moment that hung on it;
 *   %NULL when it was cancelled, or no call runs at the time inside the asked range
 */
KymoChain *
kymo_chain_forward_of_functions (const KymoAsk  *ask,
                                 guint           location,
                                 gint64          time_ns,
                                 GError        **error)
{
  KymoPathStep stretch;
  Sweep sweep = { .ask = ask, .stretch = &stretch };

  if (time_ns < ask->span.begin_ns || time_ns >= ask->span.end_ns
      || !find_stretch (kymo_ask_segment_of (ask, location), time_ns, &stretch))
    {
      kymo_chain_set_nothing_there (ask, location, time_ns, error);
      return NULL;
    }
  sweep.waits = kymo_waits_peek (ask, error);
  if (sweep.waits == NULL)
    return NULL;
  sweep.chain = kymo_chain_new ();
  if (find_last (&sweep, error) && walk_back (&sweep, error))
    return sweep.chain;
  kymo_chain_free (sweep.chain);
  return NULL;
}
