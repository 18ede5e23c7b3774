/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latencies between processes; see kymo-clocks.h for what counts.
 *
 * Cost: two walks over the blocks, the first for the stale activities. Sends
 * ascend by event number and messages of one sender arrive roughly in order,
 * so a creation is galloped to from where the sender's last one was.
 * Sums of a segment stand in an array by process and leave it as a sparse
 * list: a matcher takes room for the locations of the run and the pairs that
 * exist, not for all pairs.
 *
 * A matcher belongs to one thread. The run is only read.
 */
#include "config.h"

#include "kymo-clocks.h"

#include "kymo-order.h"
#include "kymo-share.h"

struct _KymoClockMatcher
{
  const KymoRun *run;
  const gint    *stale;         /* by activity */
  gint64        *processes;     /* distinct and known, ascending */
  guint          n_processes;
  gint          *process_of;    /* by location: index in processes, or -1 */
  guint         *hint;          /* by location: the send found last */
  KymoClockPair *sums;          /* by process: to the segment at hand */
  guint         *touched;       /* processes with a sum */
  guint          n_touched;
  GArray        *pairs;         /* KymoClockPair; one a segment and sender */
};

/**
 * kymo_run_dup_processes:
 * @run: a run
 * @n_processes: (out): how many
 *
 * Returns: (transfer full): the known processes of the run's locations, each
 * once, ascending
 */
gint64 *
kymo_run_dup_processes (const KymoRun *run,
                        guint         *n_processes)
{
  gint64 *processes = g_new (gint64, MAX (run->locations->len, 1));
  guint n = 0, n_distinct = 0;

  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_run_peek_location (run, i)->process >= 0)
      processes[n++] = kymo_run_peek_location (run, i)->process;
  qsort (processes, n, sizeof (gint64), kymo_compare_ints);
  for (guint i = 0; i < n; i++)
    if (i == 0 || processes[i] != processes[i - 1])
      processes[n_distinct++] = processes[i];
  *n_processes = n_distinct;
  return processes;
}

/**
 * kymo_find_process:
 * @processes: ascending, as of kymo_run_dup_processes()
 * @n_processes: how many
 * @process: a process, or -1
 *
 * Returns: its index, or -1
 */
gint
kymo_find_process (const gint64 *processes,
                   guint         n_processes,
                   gint64        process)
{
  const gint64 *found = process < 0 ? NULL
    : bsearch (&process, processes, n_processes, sizeof process, kymo_compare_ints);

  return found != NULL ? (gint) (found - processes) : -1;
}

/**
 * kymo_clock_matcher_new:
 * @run: its locations and segments are complete; must outlive the matcher
 * @stale: what kymo_clocks_find_stale() found; must outlive the matcher
 *
 * Returns: (transfer full): a matcher that has seen nothing yet
 */
KymoClockMatcher *
kymo_clock_matcher_new (const KymoRun *run,
                        const gint    *stale)
{
  KymoClockMatcher *matcher = g_new0 (KymoClockMatcher, 1);
  guint n = MAX (run->locations->len, 1);

  matcher->run = run;
  matcher->stale = stale;
  matcher->processes = kymo_run_dup_processes (run, &matcher->n_processes);
  matcher->process_of = g_new (gint, n);
  for (guint i = 0; i < run->locations->len; i++)
    matcher->process_of[i] = kymo_find_process (matcher->processes, matcher->n_processes,
                                                kymo_run_peek_location (run, i)->process);
  matcher->hint = g_new0 (guint, n);
  matcher->sums = g_new0 (KymoClockPair, n);
  matcher->touched = g_new (guint, n);
  matcher->pairs = g_array_new (FALSE, FALSE, sizeof (KymoClockPair));
  return matcher;
}

/**
 * kymo_clock_matcher_free:
 *
 * Frees @matcher. %NULL is ignored.
 */
void
kymo_clock_matcher_free (KymoClockMatcher *matcher)
{
  if (matcher == NULL)
    return;
  g_free (matcher->processes);
  g_free (matcher->process_of);
  g_free (matcher->hint);
  g_free (matcher->sums);
  g_free (matcher->touched);
  g_array_unref (matcher->pairs);
  g_free (matcher);
}

typedef struct
{
  guint              process;   /* of the sender: index in processes */
  const KymoSegment *sender;
  guint              send;
} Creation;

/* The creation in another process that a block names. */
static inline gboolean
find_creation (KymoClockMatcher  *matcher,
               const KymoSegment *segment,
               gint               own,
               guint              block,
               Creation          *creation)
{
  gint location, process, send;

  if (segment->block_event[block] < 0)
    return FALSE;
  location = kymo_run_find_location (matcher->run, segment->block_source[block]);
  process = location >= 0 ? matcher->process_of[location] : -1;
  if (process < 0 || process == own)
    return FALSE;
  send = kymo_segment_find_send_near (g_ptr_array_index (matcher->run->segments, location),
                                      segment->block_event[block], &matcher->hint[location]);
  if (send < 0)
    return FALSE;
  creation->process = process;
  creation->sender = g_ptr_array_index (matcher->run->segments, location);
  creation->send = send;
  return TRUE;
}

static inline gboolean
is_for_another (const Creation *creation,
                guint32         activity)
{
  return kymo_segment_send_kind (creation->sender, creation->send) == KYMO_SEND_ONE
    && creation->sender->send_activity[creation->send] != activity;
}

static inline void
add_message (KymoClockMatcher *matcher,
             guint             process,
             guint             location,
             gint64            begin_ns,
             gint64            latency_ns)
{
  KymoClockPair *sum = &matcher->sums[process];

  if (sum->n_messages++ == 0)
    matcher->touched[matcher->n_touched++] = process;
  sum->n_negative += latency_ns < 0;
  /* The first of equals: blocks ascend by begin. */
  if (sum->n_messages == 1 || latency_ns < sum->min_latency_ns)
    {
      sum->min_latency_ns = latency_ns;
      sum->location = location;
      sum->begin_ns = begin_ns;
    }
}

/* The sums of a segment leave the array, which is empty again after. */
static void
take_sums (KymoClockMatcher *matcher,
           guint             to)
{
  for (guint i = 0; i < matcher->n_touched; i++)
    {
      KymoClockPair *sum = &matcher->sums[matcher->touched[i]];

      sum->from = matcher->processes[matcher->touched[i]];
      sum->to = matcher->processes[to];
      g_array_append_vals (matcher->pairs, sum, 1);
      *sum = (KymoClockPair) { 0 };
    }
  matcher->n_touched = 0;
}

static void
add_receives (KymoClockMatcher  *matcher,
              const KymoSegment *segment,
              gint64             begin_ns,
              gint64             end_ns,
              GCancellable      *cancellable)
{
  const KymoExchange *x = segment->exchange;
  gint own = matcher->process_of[segment->location];

  for (guint i = 0; x->receive_location != NULL && i < x->n_receives; i++)
    {
      gint64 time_ns = kymo_segment_receive_time (segment, i);
      gint process = x->receive_location[i] == KYMO_UNMATCHED ? -1
        : matcher->process_of[x->receive_location[i]];

      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (cancellable))
        break;
      if (process < 0 || process == own || time_ns < begin_ns || time_ns >= end_ns)
        continue;
      add_message (matcher, process, segment->location, time_ns, time_ns
                   - kymo_segment_send_time (g_ptr_array_index (matcher->run->segments,
                                                                x->receive_location[i]),
                                             x->receive_send[i]));
    }
}

/**
 * kymo_clock_matcher_add:
 * @segment: a segment of the run
 * @begin_ns: messages that are executed before are left out
 * @end_ns: so are those from here on
 * @cancellable: (nullable): stops it; the sums are of no use then
 *
 * Adds the messages that the segment executes.
 */
void
kymo_clock_matcher_add (KymoClockMatcher  *matcher,
                        const KymoSegment *segment,
                        gint64             begin_ns,
                        gint64             end_ns,
                        GCancellable      *cancellable)
{
  gint own = matcher->process_of[segment->location];

  if (own < 0 || matcher->n_processes < 2)
    return;
  for (guint i = kymo_segment_first_block (segment, begin_ns);
       i < segment->n_blocks && kymo_segment_block_begin (segment, i) < end_ns; i++)
    {
      Creation creation;

      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (cancellable))
        break;
      if (!matcher->stale[segment->block_activity[i]]
          && find_creation (matcher, segment, own, i, &creation))
        add_message (matcher, creation.process, segment->location,
                     kymo_segment_block_begin (segment, i),
                     kymo_segment_block_begin (segment, i)
                     - kymo_segment_send_time (creation.sender, creation.send));
    }
  if (segment->exchange != NULL)
    add_receives (matcher, segment, begin_ns, end_ns, cancellable);
  take_sums (matcher, own);
}

/**
 * kymo_clock_matcher_merge:
 *
 * Adds what @from has seen to @into; both are of the same run.
 */
void
kymo_clock_matcher_merge (KymoClockMatcher *into,
                          KymoClockMatcher *from)
{
  g_array_append_vals (into->pairs, from->pairs->data, from->pairs->len);
}

static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  const KymoClockPair *x = a, *y = b;

  KYMO_ORDER_BY (x->from, y->from);
  KYMO_ORDER_BY (x->to, y->to);
  return x->location < y->location ? -1 : x->location > y->location;
}

/* The next of the same processes, from a later location. */
static void
join_pairs (KymoClockPair       *sum,
            const KymoClockPair *next)
{
  sum->n_messages += next->n_messages;
  sum->n_negative += next->n_negative;
  if (next->min_latency_ns < sum->min_latency_ns)
    {
      sum->min_latency_ns = next->min_latency_ns;
      sum->location = next->location;
      sum->begin_ns = next->begin_ns;
    }
}

/**
 * kymo_clock_matcher_finish:
 *
 * Returns: (transfer full) (element-type KymoClockPair): the ordered pairs of
 * processes that have messages, by @from, then @to. The matcher has seen
 * nothing after.
 */
GArray *
kymo_clock_matcher_finish (KymoClockMatcher *matcher)
{
  GArray *pairs = g_steal_pointer (&matcher->pairs);
  KymoClockPair *all = (KymoClockPair *) pairs->data;
  guint n = 0;

  matcher->pairs = g_array_new (FALSE, FALSE, sizeof (KymoClockPair));
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    if (n > 0 && all[n - 1].from == all[i].from && all[n - 1].to == all[i].to)
      join_pairs (&all[n - 1], &all[i]);
    else
      all[n++] = all[i];
  g_array_set_size (pairs, n);
  return pairs;
}

typedef struct
{
  KymoClockMatcher *matcher;
  GCancellable     *cancellable;
  gint             *stale;      /* by activity, atomic: to be found; or NULL */
  gint             *next;       /* atomic: next segment to take */
} Worker;

static void
mark_stale (Worker            *worker,
            const KymoSegment *segment)
{
  KymoClockMatcher *matcher = worker->matcher;
  gint own = matcher->process_of[segment->location];

  for (guint i = 0; own >= 0 && i < segment->n_blocks; i++)
    {
      guint32 activity = segment->block_activity[i];
      Creation creation;

      if ((i & 0xfff) == 0 && g_cancellable_is_cancelled (worker->cancellable))
        return;
      if (!g_atomic_int_get (&worker->stale[activity])
          && find_creation (matcher, segment, own, i, &creation)
          && is_for_another (&creation, activity))
        g_atomic_int_set (&worker->stale[activity], TRUE);
    }
}

static gpointer
clocks_work (gpointer data)
{
  Worker *worker = data;
  const KymoRun *run = worker->matcher->run;
  gint i;

  while ((i = g_atomic_int_add (worker->next, 1)) < (gint) run->segments->len
         && !g_cancellable_is_cancelled (worker->cancellable))
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (worker->stale != NULL)
        mark_stale (worker, segment);
      else
        kymo_clock_matcher_add (worker->matcher, segment, G_MININT64, G_MAXINT64,
                                worker->cancellable);
    }
  return NULL;
}

/* Gives the segments of the run to as many workers; what all have seen ends
   up in the first. */
static void
run_workers (KymoClockMatcher *first,
             gint             *stale,
             guint             n_threads,
             GCancellable     *cancellable)
{
  guint n = CLAMP (first->run->segments->len, 1,
                   n_threads > 0 ? n_threads : g_get_num_processors ());
  g_autofree Worker *workers = g_new (Worker, n);
  gint next = 0;

  for (guint i = 0; i < n; i++)
    {
      workers[i] = (Worker) { first, cancellable, stale, &next };
      if (i > 0)
        workers[i].matcher = kymo_clock_matcher_new (first->run, first->stale);
    }
  kymo_share_run ("kymo-clocks", n, clocks_work, workers, sizeof *workers);
  for (guint i = 1; i < n; i++)
    {
      kymo_clock_matcher_merge (first, workers[i].matcher);
      kymo_clock_matcher_free (workers[i].matcher);
    }
}

/**
 * kymo_clocks_find_stale:
 * @run: its locations and segments are complete
 * @n_threads: most threads, the caller's included; 0 = one per core
 * @cancellable: (nullable): stops it; what was found is of no use then
 *
 * Blocks; costs nothing where all locations are of one process.
 *
 * Returns: (transfer full): by activity: whether one of its messages from
 * another process names a creation for another activity
 */
gint *
kymo_clocks_find_stale (const KymoRun *run,
                        guint          n_threads,
                        GCancellable  *cancellable)
{
  gint *stale = g_new0 (gint, MAX (run->activities->len, 1));
  g_autoptr (KymoClockMatcher) matcher = kymo_clock_matcher_new (run, stale);

  if (matcher->n_processes > 1)
    run_workers (matcher, stale, n_threads, cancellable);
  return stale;
}

/**
 * kymo_clocks_measure:
 * @run: its locations and segments are complete
 * @n_threads: most threads, the caller's included; 0 = one per core
 * @cancellable: (nullable): stops it; the pairs are of no use then
 *
 * Blocks; costs nothing where all locations are of one process.
 *
 * Returns: (transfer full) (element-type KymoClockPair): see
 * kymo_clock_matcher_finish()
 */
GArray *
kymo_clocks_measure (const KymoRun *run,
                     guint          n_threads,
                     GCancellable  *cancellable)
{
  g_autofree gint *stale = kymo_clocks_find_stale (run, n_threads, cancellable);
  g_autoptr (KymoClockMatcher) matcher = kymo_clock_matcher_new (run, stale);

  if (matcher->n_processes > 1)
    run_workers (matcher, NULL, n_threads, cancellable);
  return kymo_clock_matcher_finish (matcher);
}

/**
 * kymo_clocks_correct:
 * @run: a run that is not sealed yet and that no other thread has
 * @estimate: an offset for each process of the run
 *
 * Shifts all times of the locations of each process; durations stay. The run
 * must be sealed after.
 *
 * Returns: the number of processes whose times were shifted
 */
guint
kymo_clocks_correct (KymoRun                 *run,
                     const KymoClockEstimate *estimate)
{
  guint n_processes, n_shifted = 0;
  g_autofree gint64 *processes = kymo_run_dup_processes (run, &n_processes);
  g_autofree gint64 *offsets_ns = g_new0 (gint64, MAX (run->locations->len, 1));

  g_return_val_if_fail (n_processes == estimate->offsets->len, 0);
  for (guint i = 0; i < run->locations->len; i++)
    {
      KymoLocation *location = &g_array_index (run->locations, KymoLocation, i);
      KymoSegment *segment = g_ptr_array_index (run->segments, i);
      gint process = kymo_find_process (processes, n_processes, location->process);
      gint64 offset_ns = process < 0 ? 0
        : g_array_index (estimate->offsets, KymoClockOffset, process).offset_ns;

      kymo_segment_shift (segment, offset_ns);
      location->span = segment->span;
      location->clock_offset_ns += offset_ns;
      offsets_ns[i] = offset_ns;
    }
  kymo_stretched_shift (run->stretched, offsets_ns);
  if (run->collectives != NULL)
    kymo_collectives_shift (run->collectives, offsets_ns);
  if (run->thread_links != NULL)
    kymo_thread_links_shift (run->thread_links, offsets_ns);
  for (guint i = 0; i < n_processes; i++)
    n_shifted += g_array_index (estimate->offsets, KymoClockOffset, i).offset_ns != 0;
  return n_shifted;
}
