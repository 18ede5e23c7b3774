/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * communicators: calls of MPI are told apart by the communicator they are made on. A
 * function has a state for each communicator of its calls, behind those of the run, so
 * that cells still tell the function.
 *
 * Which communicator a call is made on is told by what was recorded inside it: messages
 * sent and received, requests posted or complete, and collectives, where the run defines
 * the communicators of these. As with waiting only calls count whose role is communication,
 * wait or synchronization: where MPI was not measured, a message lies in a function that
 * did other things, too.
 *
 * Locations are shared out over threads; none is the work of two.
 */
#include "config.h"

#include "kymo-definitions.h"
#include "kymo-message-filter.h"
#include "kymo-share.h"
#include "kymo-timeline-private.h"
#include "kymo-waits.h"

/* Beside numbers of communicators, which are their indices + 1: none was told, or several. */
#define NOT_TOLD 0
#define SEVERAL G_MAXUINT32

#define NO_COMM_NAME "(no communicator)"
#define SEVERAL_NAME "(several communicators)"

/** Member: the part of a location in a collective */
typedef struct
{
  KymoSpan span;
  guint32  comm;
} Member;

/**
 * KymoTimelineComms:
 * @run: the run
 * @of: by location of the run: (nullable): by block: number of its communicator
 * @pairs: number of a communicator << 32 | activity, in order: those of the states
 * @place_of: pair -> its place in @pairs
 */
struct _KymoTimelineComms
{
  const KymoRun *run;
  guint          n_locations;
  guint32      **of;
  GArray        *pairs;
  GHashTable    *place_of;
};

typedef struct
{
  const KymoAsk     *ask;
  KymoTimelineComms *comms;
  GArray           **members;   /* by location of the run: Member, or NULL */
  GMutex             lock;      /* of the pairs */
  gint               unfit;     /* atomic */
} Work;

static gboolean
is_call (const KymoRun *run,
         guint32        activity)
{
  const KymoActivity *known = kymo_run_peek_activity (run, activity);

  return known->kind == KYMO_ACTIVITY_FUNCTION
    && (known->role == KYMO_ROLE_COMMUNICATION || known->role == KYMO_ROLE_WAIT
        || known->role == KYMO_ROLE_SYNCHRONIZATION);
}

static void
note_comm (guint32 *of,
           guint32  block,
           guint32  comm)
{
  if (block != KYMO_NO_BLOCK && comm != NOT_TOLD)
    of[block] = of[block] == NOT_TOLD || of[block] == comm ? comm : SEVERAL;
}

static void
tell_request (GHashTable    *comm_of,
              const guint32 *requests,
              const guint32 *comms,
              guint          i)
{
  if (requests != NULL && requests[i] != 0)
    g_hash_table_insert (comm_of, GUINT_TO_POINTER (requests[i]), GUINT_TO_POINTER (comms[i]));
}

/* MPI_Irecv, and MPI_Wait of an MPI_Isend, hold no message but its request. */
static void
add_requests (const KymoSegment *segment,
              guint32           *of)
{
  const KymoExchange *x = segment->exchange;
  g_autoptr (GHashTable) comm_of = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < x->n_sends; i++)
    tell_request (comm_of, x->send_request, x->send_comm, i);
  for (guint i = 0; i < x->n_receives; i++)
    tell_request (comm_of, x->receive_request, x->receive_comm, i);
  for (guint i = 0; i < segment->n_asides; i++)
    if (segment->aside_op[i] <= KYMO_ASIDE_CANCELLED)
      note_comm (of, segment->aside_block[i], GPOINTER_TO_UINT (
        g_hash_table_lookup (comm_of, GUINT_TO_POINTER (segment->aside_number[i]))));
}

static void
add_exchange (const KymoSegment *segment,
              guint32           *of)
{
  const KymoExchange *x = segment->exchange;

  if (x == NULL)
    return;
  for (guint i = 0; i < x->n_sends; i++)
    note_comm (of, x->send_block[i], x->send_comm[i]);
  for (guint i = 0; i < x->n_receives; i++)
    note_comm (of, x->receive_block[i], x->receive_comm[i]);
  if (segment->n_asides > 0 && (x->send_request != NULL || x->receive_request != NULL))
    add_requests (segment, of);
}

static GHashTable *
pairs_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
add_pairs (Work       *work,
           GHashTable *found)
{
  GHashTableIter iter;
  gpointer key;

  g_mutex_lock (&work->lock);
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (work->comms->place_of, key))
      {
        g_hash_table_add (work->comms->place_of, g_memdup2 (key, sizeof (guint64)));
        g_array_append_vals (work->comms->pairs, key, 1);
      }
  g_mutex_unlock (&work->lock);
}

/* Forgets what is no call, and adds the pairs of those that are. */
static void
settle (Work              *work,
        const KymoSegment *segment,
        guint32           *of)
{
  g_autoptr (GHashTable) found = pairs_new ();

  for (guint i = 0; i < segment->n_blocks; i++)
    {
      guint64 pair = (guint64) of[i] << 32 | segment->block_activity[i];

      if (of[i] == NOT_TOLD || g_hash_table_contains (found, &pair))
        continue;
      if (is_call (work->ask->run, segment->block_activity[i]))
        g_hash_table_add (found, g_memdup2 (&pair, sizeof pair));
      else
        of[i] = NOT_TOLD;
    }
  add_pairs (work, found);
}

static void
add_location (gpointer data,
              guint    place)
{
  Work *work = data;
  guint location = work->ask->locations[place];
  KymoSegment *segment = kymo_ask_segment_of (work->ask, location);
  const GArray *members = work->members[location];
  guint32 *of;

  if (segment->bins != NULL)
    return;
  if (!kymo_segment_use (segment, KYMO_PART_TRACK | KYMO_PART_BLOCKS | KYMO_PART_SENDS))
    {
      g_atomic_int_set (&work->unfit, 1);
      return;
    }
  if (segment->n_blocks == 0 || (segment->exchange == NULL && members == NULL))
    return;
  of = work->comms->of[location] = g_new0 (guint32, segment->n_blocks);
  add_exchange (segment, of);
  for (guint i = 0; members != NULL && i < members->len; i++)
    {
      const Member *member = &g_array_index (members, Member, i);

      note_comm (of, kymo_waits_block_around (segment, member->span.begin_ns, member->span.end_ns),
            member->comm);
    }
  settle (work, segment, of);
}

/* Collectives by location. Inferred ones have no communicator. */
static void
find_members (Work *work)
{
  const KymoAsk *ask = work->ask;
  const KymoCollectives *all = kymo_run_peek_collectives (ask->run, ask->n_threads,
                                                          ask->cancellable);

  for (guint i = 0; all != NULL && i < all->list->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, i);

      for (guint m = 0; collective->comm >= 0 && m < collective->n_members; m++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (all, collective, m);
          Member own = { { member->begin_ns, member->end_ns }, collective->comm + 1 };
          GArray **members = &work->members[member->location];

          if (*members == NULL)
            *members = g_array_new (FALSE, FALSE, sizeof (Member));
          g_array_append_val (*members, own);
        }
    }
}

static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  const guint64 *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* In the same order however many threads found them. */
static void
number_pairs (KymoTimelineComms *comms)
{
  g_array_sort (comms->pairs, compare_pairs);
  for (guint i = 0; i < comms->pairs->len; i++)
    {
      guint64 pair = g_array_index (comms->pairs, guint64, i);

      g_hash_table_insert (comms->place_of, g_memdup2 (&pair, sizeof pair), GUINT_TO_POINTER (i));
    }
}

static KymoTimelineComms *
comms_new (const KymoRun *run)
{
  KymoTimelineComms *comms = g_new0 (KymoTimelineComms, 1);
  comms->run = run;
  comms->n_locations = run->segments->len;
  comms->of = g_new0 (guint32 *, MAX (comms->n_locations, 1));
  comms->pairs = g_array_new (FALSE, FALSE, sizeof (guint64));
  comms->place_of = pairs_new ();
  return comms;
}

/**
 * kymo_timeline_comms_find_all:
 * @comms: (out) (transfer full) (nullable): %NULL where the question does not tell
 *   communicators apart
 *
 * Finds on which communicator each call of the locations asked for is made.
 *
 * Returns: %FALSE with @error where it was cancelled, or the file lies
 */
gboolean
kymo_timeline_comms_find_all (const KymoAsk      *ask,
                              KymoTimelineComms **comms,
                              GError            **error)
{
  Work work = { .ask = ask };

  *comms = NULL;
  if (!kymo_question_get_flag (ask->question, "communicators"))
    return TRUE;
  work.comms = comms_new (ask->run);
  work.members = g_new0 (GArray *, MAX (work.comms->n_locations, 1));
  g_mutex_init (&work.lock);
  find_members (&work);
  kymo_share_out (ask->n_locations, ask->n_threads, add_location, &work, ask->cancellable);
  number_pairs (work.comms);
  g_mutex_clear (&work.lock);
  for (guint i = 0; i < work.comms->n_locations; i++)
    g_clear_pointer (&work.members[i], g_array_unref);
  g_free (work.members);
  *comms = work.comms;
  if (work.unfit)
    kymo_ask_set_stale (ask, error);
  return !work.unfit && !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
}

/** kymo_timeline_comms_free: frees what kymo_timeline_comms_find_all() made */
void
kymo_timeline_comms_free (KymoTimelineComms *comms)
{
  for (guint i = 0; i < comms->n_locations; i++)
    g_free (comms->of[i]);
  g_free (comms->of);
  g_array_unref (comms->pairs);
  g_hash_table_unref (comms->place_of);
  g_free (comms);
}

/** kymo_timeline_comms_count: how many states calls have beside those of their functions */
guint
kymo_timeline_comms_count (const KymoTimelineComms *comms)
{
  return comms->pairs->len;
}

/**
 * kymo_timeline_comms_find:
 * @block: of the segment
 *
 * Returns: the place of the block's function and communicator among the states behind those
 *   of the run, or -1 where no communicator is known
 */
gint
kymo_timeline_comms_find (const KymoTimelineComms *comms,
                          const KymoSegment       *segment,
                          guint                    block)
{
  const guint32 *of = comms->of[segment->location];
  guint64 pair;

  if (of == NULL || of[block] == NOT_TOLD)
    return -1;
  pair = (guint64) of[block] << 32 | segment->block_activity[block];
  return GPOINTER_TO_INT (g_hash_table_lookup (comms->place_of, &pair));
}

/** kymo_timeline_comms_activity: the function of a state, by its place behind those of the run */
guint32
kymo_timeline_comms_activity (const KymoTimelineComms *comms,
                              guint                    place)
{
  return (guint32) g_array_index (comms->pairs, guint64, place);
}

/**
 * kymo_timeline_comms_dup_name:
 * @place: behind the states of the run; -1 of calls without a communicator
 *
 * Returns: (transfer full): the name of the communicator, or a word in brackets
 */
char *
kymo_timeline_comms_dup_name (const KymoTimelineComms *comms,
                              gint                     place)
{
  guint32 comm = place < 0 ? NOT_TOLD : g_array_index (comms->pairs, guint64, place) >> 32;

  return comm == NOT_TOLD ? g_strdup (NO_COMM_NAME)
    : comm == SEVERAL ? g_strdup (SEVERAL_NAME) : kymo_comm_dup_name (comms->run, comm);
}
