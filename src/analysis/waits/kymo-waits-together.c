/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting at what several locations do together: collectives that the run knows, and
 * barriers among the threads of one process, which are put together here.
 *
 * No member leaves a barrier before all have entered, so the calls of one barrier all
 * overlap at one moment; a call that begins behind the end of another one of the
 * same barrier's name, or of a thread that is in it already, is the next barrier's.
 *
 * Waits of a location are added by one thread at a time: collectives are walked by
 * stretches of locations, barriers by process.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-waits.h"

#include <string.h>

#include "kymo-share.h"

/* Stretches of locations that each thread takes, about. */
#define STRETCHES 4

/* Neighbours that are looked at for the call that a member made: one whose end was
   told later than the call's would have all of them walked over. */
#define MOST_NEIGHBOURS 64

/**
 * kymo_waits_block_around:
 * @begin_ns: of a member's part in something that is done together
 * @end_ns: its end
 *
 * Returns: the innermost block that lies around a stretch, or %KYMO_NO_BLOCK
 */
guint32
kymo_waits_block_around (const KymoSegment *segment,
                         gint64             begin_ns,
                         gint64             end_ns)
{
  guint depth = G_MAXUINT8 + 1, n = 0;

  for (guint i = kymo_segment_first_block (segment, begin_ns + 1);
       i-- > 0 && depth > 0 && n < MOST_NEIGHBOURS; n++)
    {
      guint here = segment->block_depth != NULL ? segment->block_depth[i] : 0;

      if (here >= depth)
        continue;
      if (kymo_segment_block_end (segment, i) >= end_ns)
        return i;
      depth = here;
    }
  return KYMO_NO_BLOCK;
}

static void
add_wait (KymoWaits                  *waits,
          const KymoCollectiveMember *member,
          const KymoCollectiveMember *late,
          guint32                     block,
          KymoWaitKind                kind)
{
  KymoWait wait = { member->begin_ns, kymo_collective_wait (member, late), late->begin_ns, block,
                    late->location, kind };

  if (block != KYMO_NO_BLOCK)
    g_array_append_val (waits->of[member->location], wait);
}

/* -- collectives ------------------------------------------------------------ */

static const KymoWaitKind kinds[] =
{
  [KYMO_COLLECTIVE_BARRIER] = KYMO_WAIT_BARRIER,
  [KYMO_COLLECTIVE_ONE_TO_ALL] = KYMO_WAIT_LATE_ROOT,
  [KYMO_COLLECTIVE_ALL_TO_ONE] = KYMO_WAIT_EARLY_ROOT,
  [KYMO_COLLECTIVE_ALL_TO_ALL] = KYMO_WAIT_ALL_TO_ALL,
  [KYMO_COLLECTIVE_PREFIX] = KYMO_WAIT_PREFIX,
  [KYMO_COLLECTIVE_OTHER] = KYMO_N_WAIT_KINDS,
};

/**
 * Together:
 * @late: by member of all collectives: the one it waits for, among all
 * @n_rootless: atomic
 */
typedef struct
{
  const KymoAsk         *ask;
  KymoWaits             *waits;
  const KymoCollectives *all;
  guint                 *late;
  guint                  n_stretches;
  gint                   n_rootless;
} Together;

/* It is unknown, or its call is not among the members: not all events were recorded. */
static gboolean
lacks_root (const KymoCollectives *all,
            const KymoCollective  *collective)
{
  guint i;

  if (collective->root < 0)
    return collective->n_members > 1;
  i = kymo_collective_find_member (all, collective, collective->root);
  return i == collective->n_members
    || kymo_collective_member (all, collective, i)->location != (guint32) collective->root;
}

static void
find_late (gpointer data,
           guint    i)
{
  Together *together = data;
  const KymoCollective *collective = &g_array_index (together->all->list, KymoCollective, i);
  guint *late = together->late + collective->first;
  gboolean rooted = collective->kind == KYMO_COLLECTIVE_ONE_TO_ALL
    || collective->kind == KYMO_COLLECTIVE_ALL_TO_ONE;

  kymo_collective_find_late (together->all, collective, late);
  for (guint m = 0; m < collective->n_members; m++)
    late[m] += collective->first;
  if (rooted && lacks_root (together->all, collective))
    g_atomic_int_inc (&together->n_rootless);
}

static void
add_members (const Together       *together,
             const KymoCollective *collective,
             guint                 begin,
             guint                 end)
{
  const KymoCollectives *all = together->all;

  for (guint i = kymo_collective_find_member (all, collective, begin);
       i < collective->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      const KymoCollectiveMember *late = &g_array_index (all->members, KymoCollectiveMember,
                                                         together->late[collective->first + i]);
      const KymoSegment *segment;

      if (member->location >= end)
        return;
      if (kymo_collective_wait (member, late) == 0)
        continue;
      segment = kymo_ask_segment_of (together->ask, member->location);
      add_wait (together->waits, member, late,
                kymo_waits_block_around (segment, member->begin_ns, member->end_ns),
                kinds[collective->kind]);
    }
}

static void
add_stretch (gpointer data,
             guint    stretch)
{
  const Together *together = data;
  guint64 n = together->waits->n_locations;
  guint begin = (guint) (n * stretch / together->n_stretches);
  guint end = (guint) (n * (stretch + 1) / together->n_stretches);

  for (guint i = 0; i < together->all->list->len
       && !g_cancellable_is_cancelled (together->ask->cancellable); i++)
    {
      const KymoCollective *collective = &g_array_index (together->all->list, KymoCollective, i);

      if (collective->wait_ns > 0)
        add_members (together, collective, begin, end);
    }
}

/** kymo_waits_add_collectives: of whatever the run knows to be made together */
void
kymo_waits_add_collectives (const KymoAsk *ask,
                            KymoWaits     *waits)
{
  const KymoCollectives *all = kymo_run_peek_collectives (ask->run, ask->n_threads,
                                                          ask->cancellable);
  Together together = { ask, waits, all, NULL, 0, 0 };

  if (all == NULL)
    return;
  together.late = g_new (guint, MAX (all->members->len, 1));
  together.n_stretches = ask->n_threads == 1 ? 1
    : MIN (ask->n_threads * STRETCHES, waits->n_locations);
  if (kymo_share_out (all->list->len, ask->n_threads, find_late, &together, ask->cancellable))
    kymo_share_out (together.n_stretches, ask->n_threads, add_stretch, &together,
                    ask->cancellable);
  g_free (together.late);
  waits->inferred = all->inferred;
  waits->n_doubtful = all->n_doubtful;
  waits->n_rootless = (guint) together.n_rootless;
}

/* -- barriers of threads --------------------------------------------------- */

typedef struct
{
  gint64               process;
  guint32              activity, block;
  KymoCollectiveMember call;
} Arrival;

/**
 * Meeting:
 * @own: by location: #Arrival
 * @all: of all locations, by process, function and begin
 * @first: into @all: where each process begins
 */
typedef struct
{
  const KymoAsk *ask;
  const guint8  *rules;
  KymoWaits     *waits;
  GArray       **own;
  Arrival       *all;
  gsize          n;
  GArray        *first;         /* gsize */
} Meeting;

static void
collect_waits_together (gpointer data,
                        guint    location)
{
  Meeting *meeting = data;
  const KymoAsk *ask = meeting->ask;
  const KymoSegment *segment = kymo_ask_segment_of (ask, location);
  gint64 process = kymo_run_peek_location (ask->run, location)->process;
  GArray *own = meeting->own[location] = g_array_new (FALSE, FALSE, sizeof (Arrival));

  for (guint i = 0; process >= 0 && i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    if (meeting->rules[segment->block_activity[i]] & KYMO_WAITS_FOR_THREADS)
      {
        Arrival arrival = { process, segment->block_activity[i], i,
                            { location, kymo_segment_block_begin (segment, i),
                              kymo_segment_block_end (segment, i) } };

        g_array_append_val (own, arrival);
      }
}

static int
compare_arrivals (gconstpointer a,
                  gconstpointer b,
                  gpointer      data)
{
  const Arrival *x = a, *y = b;

  KYMO_ORDER_BY (x->process, y->process);
  KYMO_ORDER_BY (x->activity, y->activity);
  KYMO_ORDER_BY (x->call.begin_ns, y->call.begin_ns);
  KYMO_ORDER_BY (x->call.location, y->call.location);
  KYMO_ORDER_BY (x->block, y->block);
  return 0;
}

static void
put_together (Meeting *meeting)
{
  guint n = meeting->waits->n_locations;

  for (guint i = 0; i < n; i++)
    meeting->n += meeting->own[i]->len;
  meeting->all = g_new (Arrival, MAX (meeting->n, 1));
  meeting->n = 0;
  for (guint i = 0; i < n; i++)
    {
      if (meeting->own[i]->len > 0)
        memcpy (meeting->all + meeting->n, meeting->own[i]->data,
                meeting->own[i]->len * sizeof (Arrival));
      meeting->n += meeting->own[i]->len;
      g_clear_pointer (&meeting->own[i], g_array_unref);
    }
}

static void
find_processes (Meeting *meeting)
{
  for (gsize i = 0; i < meeting->n; i++)
    if (i == 0 || meeting->all[i].process != meeting->all[i - 1].process)
      g_array_append_val (meeting->first, i);
  g_array_append_val (meeting->first, meeting->n);
}

/* Ends a barrier: of its members, in order of begin, the last to begin is late; of several the
   first in the list. */
static void
end_barrier (const Meeting *meeting,
             gsize          begin,
             gsize          end)
{
  const Arrival *late = &meeting->all[begin];

  for (gsize i = begin; i < end; i++)
    if (meeting->all[i].call.begin_ns > late->call.begin_ns)
      late = &meeting->all[i];
  for (gsize i = begin; i < end; i++)
    if (kymo_collective_wait (&meeting->all[i].call, &late->call) > 0)
      add_wait (meeting->waits, &meeting->all[i].call, &late->call, meeting->all[i].block,
                KYMO_WAIT_THREAD_BARRIER);
}

static void
walk_process (gpointer data,
              guint    process)
{
  const Meeting *meeting = data;
  gsize begin = g_array_index (meeting->first, gsize, process);
  gsize end = g_array_index (meeting->first, gsize, process + 1), first = begin;
  g_autoptr (GHashTable) in = g_hash_table_new (NULL, NULL);   /* locations in the barrier */
  gint64 first_end_ns = G_MAXINT64;

  for (gsize i = begin; i < end && !kymo_ask_is_stopped (meeting->ask, (guint) i); i++)
    {
      const Arrival *here = &meeting->all[i];
      gpointer key = GUINT_TO_POINTER (here->call.location);

      if (i > first && (here->activity != meeting->all[first].activity
                        || here->call.begin_ns > first_end_ns
                        || g_hash_table_contains (in, key)))
        {
          end_barrier (meeting, first, i);
          g_hash_table_remove_all (in);
          first = i;
          first_end_ns = G_MAXINT64;
        }
      g_hash_table_add (in, key);
      first_end_ns = MIN (first_end_ns, here->call.end_ns);
    }
  end_barrier (meeting, first, end);
}

static gboolean
any_rule (const KymoRun *run,
          const guint8  *rules)
{
  for (guint i = 0; i < run->activities->len; i++)
    if (rules[i] & KYMO_WAITS_FOR_THREADS)
      return TRUE;
  return FALSE;
}

static void
meet (Meeting *meeting)
{
  const KymoAsk *ask = meeting->ask;

  if (!kymo_share_out (meeting->waits->n_locations, ask->n_threads, collect_waits_together, meeting,
                       ask->cancellable))
    return;
  put_together (meeting);
  if (!kymo_share_sort (meeting->all, meeting->n, sizeof (Arrival), compare_arrivals, NULL,
                        ask->n_threads, ask->cancellable))
    return;
  find_processes (meeting);
  kymo_share_out (meeting->first->len - 1, ask->n_threads, walk_process, meeting,
                  ask->cancellable);
}

/** kymo_waits_add_thread_barriers: @rules: #KymoWaitRules by activity */
void
kymo_waits_add_thread_barriers (const KymoAsk *ask,
                                const guint8  *rules,
                                KymoWaits     *waits)
{
  Meeting meeting = { .ask = ask, .rules = rules, .waits = waits };

  if (!any_rule (ask->run, rules))
    return;
  meeting.own = g_new0 (GArray *, MAX (waits->n_locations, 1));
  meeting.first = g_array_new (FALSE, FALSE, sizeof (gsize));
  meet (&meeting);
  for (guint i = 0; i < waits->n_locations; i++)
    g_clear_pointer (&meeting.own[i], g_array_unref);
  g_free (meeting.own);
  g_free (meeting.all);
  g_array_unref (meeting.first);
}
