/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting at what several locations do together: collectives that the run knows, and
 * barriers among the threads of one process, which are put together here.
 *
 * Nobody leaves a barrier before all have come, so the calls of one barrier all
 * overlap at one moment; a call that begins behind the end of another one of the
 * same barrier's name, or of a thread that is in it already, is the next barrier's.
 */
#include "config.h"

#include "kymo-waits.h"

/* The innermost block that lies around a stretch, or %KYMO_NO_BLOCK. */
static guint32
block_around (const KymoSegment *segment,
              gint64             begin_ns,
              gint64             end_ns)
{
  guint depth = G_MAXUINT8 + 1;

  for (guint i = kymo_segment_first_block (segment, begin_ns + 1); i-- > 0 && depth > 0;)
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
add_wait (const KymoAsk              *ask,
          KymoWaits                  *waits,
          const KymoCollectiveMember *member,
          const KymoCollectiveMember *late,
          KymoWaitKind                kind)
{
  gint64 end_ns = MIN (late->begin_ns, member->end_ns);
  KymoWait wait = { member->begin_ns, end_ns - member->begin_ns, late->begin_ns, KYMO_NO_BLOCK,
                    late->location, kind };

  if (wait.wait_ns <= 0)
    return;
  wait.block = block_around (kymo_ask_segment_of (ask, member->location), member->begin_ns,
                             member->end_ns);
  if (wait.block != KYMO_NO_BLOCK)
    g_array_append_val (waits->of[member->location], wait);
}

/* The one that came last, the first of equals; the root is left out for itself. */
static const KymoCollectiveMember *
find_last (const KymoCollectiveMember *members,
           guint                       n,
           gint64                      root)
{
  const KymoCollectiveMember *last = NULL;

  for (guint i = 0; i < n; i++)
    if (members[i].location != root
        && (last == NULL || members[i].begin_ns > last->begin_ns))
      last = &members[i];
  return last;
}

static const KymoCollectiveMember *
find_root (const KymoCollectiveMember *members,
           guint                       n,
           gint32                      root)
{
  for (guint i = 0; i < n; i++)
    if (root >= 0 && members[i].location == (guint32) root)
      return &members[i];
  return NULL;
}

static void
add_all (const KymoAsk              *ask,
         KymoWaits                  *waits,
         const KymoCollectiveMember *members,
         guint                       n,
         KymoWaitKind                kind)
{
  const KymoCollectiveMember *last = find_last (members, n, -1);

  for (guint i = 0; i < n; i++)
    add_wait (ask, waits, &members[i], last, kind);
}

static void
add_rooted (const KymoAsk              *ask,
            KymoWaits                  *waits,
            const KymoCollective       *collective,
            const KymoCollectiveMember *members)
{
  guint n = collective->n_members;
  const KymoCollectiveMember *root = find_root (members, n, collective->root);
  const KymoCollectiveMember *last;

  if (root == NULL)
    {
      waits->n_rootless++;
      return;
    }
  if (collective->kind == KYMO_COLLECTIVE_ONE_TO_ALL)
    for (guint i = 0; i < n; i++)
      add_wait (ask, waits, &members[i], root, KYMO_WAIT_LATE_ROOT);
  else if ((last = find_last (members, n, root->location)) != NULL)
    add_wait (ask, waits, root, last, KYMO_WAIT_EARLY_ROOT);
}

static void
add_prefix (const KymoAsk              *ask,
            KymoWaits                  *waits,
            const KymoCollectiveMember *members,
            guint                       n)
{
  const KymoCollectiveMember *last = &members[0];

  for (guint i = 0; i < n; i++)
    {
      if (members[i].begin_ns > last->begin_ns)
        last = &members[i];
      add_wait (ask, waits, &members[i], last, KYMO_WAIT_PREFIX);
    }
}

static void
add_collective (const KymoAsk         *ask,
                KymoWaits             *waits,
                const KymoCollectives *all,
                const KymoCollective  *collective)
{
  const KymoCollectiveMember *members = &g_array_index (all->members, KymoCollectiveMember,
                                                        collective->first);
  guint n = collective->n_members;

  switch ((KymoCollectiveKind) collective->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
      add_all (ask, waits, members, n, KYMO_WAIT_BARRIER);
      break;
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      add_all (ask, waits, members, n, KYMO_WAIT_ALL_TO_ALL);
      break;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      add_rooted (ask, waits, collective, members);
      break;
    case KYMO_COLLECTIVE_PREFIX:
      add_prefix (ask, waits, members, n);
      break;
    case KYMO_COLLECTIVE_OTHER:
      break;
    }
}

/** kymo_waits_add_collectives: of whatever the run knows to be made together */
void
kymo_waits_add_collectives (const KymoAsk *ask,
                            KymoWaits     *waits)
{
  const KymoCollectives *all = kymo_run_peek_collectives (ask->run);

  if (all == NULL)
    return;
  waits->inferred = all->inferred;
  for (guint i = 0; i < all->list->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, i);

      if (collective->n_members > 1)
        add_collective (ask, waits, all, collective);
    }
}

/* -- barriers of threads --------------------------------------------------- */

typedef struct
{
  gint64               process;
  guint32              activity;
  KymoCollectiveMember call;
} Arrival;

static void
collect (const KymoAsk *ask,
         const guint8  *rules,
         guint          location,
         GArray        *arrivals)
{
  const KymoSegment *segment = kymo_ask_segment_of (ask, location);
  gint64 process = kymo_run_peek_location (ask->run, location)->process;

  for (guint i = 0; process >= 0 && i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    if (rules[segment->block_activity[i]] & KYMO_WAITS_FOR_THREADS)
      {
        Arrival arrival = { process, segment->block_activity[i],
                            { location, kymo_segment_block_begin (segment, i),
                              kymo_segment_block_end (segment, i) } };

        g_array_append_val (arrivals, arrival);
      }
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int
compare_arrivals (gconstpointer a,
                  gconstpointer b)
{
  const Arrival *x = a, *y = b;

  COMPARE (x->process, y->process);
  COMPARE (x->activity, y->activity);
  COMPARE (x->call.begin_ns, y->call.begin_ns);
  COMPARE (x->call.location, y->call.location);
  COMPARE (x->call.end_ns, y->call.end_ns);
  return 0;
}

static void
end_barrier (const KymoAsk *ask,
             KymoWaits     *waits,
             GArray        *members)
{
  if (members->len > 1)
    add_all (ask, waits, (const KymoCollectiveMember *) (gpointer) members->data, members->len,
             KYMO_WAIT_THREAD_BARRIER);
  g_array_set_size (members, 0);
}

static void
walk (const KymoAsk *ask,
      const GArray  *arrivals,
      KymoWaits     *waits)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (KymoCollectiveMember));
  g_autofree guint *barrier_of = g_new0 (guint, MAX (waits->n_locations, 1));
  const Arrival *before = NULL;
  gint64 first_end_ns = 0;
  guint barrier = 0;

  for (guint i = 0; i < arrivals->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const Arrival *here = &g_array_index (arrivals, Arrival, i);

      if (before == NULL || here->process != before->process
          || here->activity != before->activity || here->call.begin_ns > first_end_ns
          || barrier_of[here->call.location] == barrier)
        {
          end_barrier (ask, waits, members);
          first_end_ns = here->call.end_ns;
          barrier++;
        }
      barrier_of[here->call.location] = barrier;
      g_array_append_val (members, here->call);
      first_end_ns = MIN (first_end_ns, here->call.end_ns);
      before = here;
    }
  end_barrier (ask, waits, members);
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

/** kymo_waits_add_thread_barriers: @rules: #KymoWaitRules by activity */
void
kymo_waits_add_thread_barriers (const KymoAsk *ask,
                                const guint8  *rules,
                                KymoWaits     *waits)
{
  g_autoptr (GArray) arrivals = g_array_new (FALSE, FALSE, sizeof (Arrival));

  if (!any_rule (ask->run, rules))
    return;
  for (guint i = 0; i < ask->run->locations->len; i++)
    collect (ask, rules, i, arrivals);
  g_array_sort (arrivals, compare_arrivals);
  walk (ask, arrivals, waits);
}
