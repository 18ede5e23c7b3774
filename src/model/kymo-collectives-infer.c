/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations where files tell only the functions: found by their names, as
 * if all were on one communicator, for which one it was is not recorded.
 *
 * Nobody leaves a barrier, or an operation where all need the data of all, before the
 * last one has come. So its calls all overlap: by begin, calls of one function belong
 * together as long as they begin before the first of them ends and are of locations
 * that are not in it yet. Operations on parts of the ranks are told apart in this way,
 * unless they run at the same time. Of the others, where some may leave early, the
 * n-th calls belong together where all locations that call the function do it equally
 * often; else they are left out.
 */
#include "config.h"

#include "kymo-collectives.h"

#include <stdlib.h>
#include <string.h>

#include "kymo-run-index.h"
#include "kymo-run.h"

typedef struct
{
  const char         *name;     /* after "mpi_" */
  KymoCollectiveKind  kind;
} Known;

static const Known known[] =
{
  { "barrier", KYMO_COLLECTIVE_BARRIER },
  { "allreduce", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "allgather", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "allgatherv", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoall", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoallv", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "alltoallw", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "reduce_scatter", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "reduce_scatter_block", KYMO_COLLECTIVE_ALL_TO_ALL },
  { "bcast", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "scatter", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "scatterv", KYMO_COLLECTIVE_ONE_TO_ALL },
  { "gather", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "gatherv", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "reduce", KYMO_COLLECTIVE_ALL_TO_ONE },
  { "scan", KYMO_COLLECTIVE_PREFIX },
  { "exscan", KYMO_COLLECTIVE_PREFIX },
  { "comm_dup", KYMO_COLLECTIVE_OTHER },
  { "comm_split", KYMO_COLLECTIVE_OTHER },
  { "comm_create", KYMO_COLLECTIVE_OTHER },
  { "cart_create", KYMO_COLLECTIVE_OTHER },
  { "win_create", KYMO_COLLECTIVE_OTHER },
  { "win_fence", KYMO_COLLECTIVE_OTHER },
};

/* One call. */
typedef struct
{
  guint                function; /* index in the list of functions */
  guint32              activity;
  guint                ordinal; /* among those of the function and the location */
  KymoCollectiveMember call;
} Call;

/**
 * kymo_collective_find_name:
 * @name: of a function: of MPI, or its profiling names; in capitals, with brackets or
 *   an underscore behind it, as it comes
 * @kind: (out): who waits for whom
 *
 * Returns: a number of the function, the same for all its spellings, or -1 where it is
 * no collective operation that blocks
 */
gint
kymo_collective_find_name (const char         *name,
                           KymoCollectiveKind *kind)
{
  gsize n;

  if (g_ascii_strncasecmp (name, "p", 1) == 0)
    name++;
  if (g_ascii_strncasecmp (name, "mpi_", 4) != 0)
    return -1;
  name += 4;
  n = strcspn (name, "( \t");
  while (n > 0 && name[n - 1] == '_')
    n--;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strlen (known[i].name) == n && g_ascii_strncasecmp (known[i].name, name, n) == 0)
      {
        *kind = known[i].kind;
        return i;
      }
  return -1;
}

/* By activity the index of its function, or -1. NULL where there is none. */
static gint *
find_functions (const KymoRun *run)
{
  gint *of = g_new (gint, MAX (run->activities->len, 1));
  KymoCollectiveKind kind;
  gboolean any = FALSE;

  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      of[i] = activity->kind == KYMO_ACTIVITY_FUNCTION
        ? kymo_collective_find_name (activity->name, &kind) : -1;
      any = any || of[i] >= 0;
    }
  if (!any)
    g_clear_pointer (&of, g_free);
  return of;
}

static gboolean
add_calls (KymoSegment *segment,
           const gint  *functions,
           GArray      *calls)
{
  guint ordinals[G_N_ELEMENTS (known)] = { 0 };

  if (!kymo_segment_use (segment, KYMO_PART_BLOCKS))
    return FALSE;
  for (guint i = 0; i < segment->n_blocks; i++)
    {
      gint function = functions[segment->block_activity[i]];

      if (G_UNLIKELY (function >= 0))
        {
          Call call = { function, segment->block_activity[i], ordinals[function]++,
                        { segment->location, kymo_segment_block_begin (segment, i),
                          kymo_segment_block_end (segment, i) } };

          g_array_append_val (calls, call);
        }
    }
  return TRUE;
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int
compare_begins (gconstpointer a,
                gconstpointer b)
{
  const Call *x = a, *y = b;

  COMPARE (x->function, y->function);
  COMPARE (x->call.begin_ns, y->call.begin_ns);
  COMPARE (x->call.location, y->call.location);
  return 0;
}

static int
compare_ordinals (gconstpointer a,
                  gconstpointer b)
{
  const Call *x = a, *y = b;

  COMPARE (x->ordinal, y->ordinal);
  COMPARE (x->call.location, y->call.location);
  return 0;
}

/* Calls that belong together; one alone is nothing that locations did together. */
static void
add_collective (KymoCollectives *made,
                const Call      *calls,
                guint            n)
{
  g_autofree KymoCollectiveMember *members = NULL;

  if (n < 2)
    {
      made->n_left_out += n;
      return;
    }
  members = g_new (KymoCollectiveMember, n);
  for (guint i = 0; i < n; i++)
    members[i] = calls[i].call;
  kymo_collectives_add (made, members, n, calls[0].activity, known[calls[0].function].kind, -1);
}

/* Calls of one function that nobody leaves before all have come, by begin. */
static void
join_by_overlap (KymoCollectives *made,
                 const Call      *calls,
                 guint            n,
                 guint           *member_of)
{
  guint number = 0;

  for (guint i = 0, end; i < n; i = end)
    {
      gint64 first_end_ns = calls[i].call.end_ns;

      number = ++member_of[0];
      for (end = i; end < n; end++)
        {
          guint *in = &member_of[1 + calls[end].call.location];

          if (*in == number || (end > i && calls[end].call.begin_ns > first_end_ns))
            break;
          *in = number;
          first_end_ns = MIN (first_end_ns, calls[end].call.end_ns);
        }
      add_collective (made, calls + i, end - i);
    }
}

/* Calls of one function that some may leave early: where all call it equally often. */
static void
join_by_number (KymoCollectives *made,
                Call            *calls,
                guint            n)
{
  guint width = 0;

  qsort (calls, n, sizeof *calls, compare_ordinals);
  while (width < n && calls[width].ordinal == 0)
    width++;
  if (n % width != 0 || calls[n - 1].ordinal != n / width - 1)
    {
      made->n_left_out += n;
      return;
    }
  for (guint i = 0; i < n; i += width)
    if (calls[i].ordinal != calls[i + width - 1].ordinal)
      {
        made->n_left_out += n;
        return;
      }
  for (guint i = 0; i < n; i += width)
    add_collective (made, calls + i, width);
}

static KymoCollectives *
join (const KymoRun *run,
      GArray        *calls)
{
  KymoCollectives *made = kymo_collectives_new ();
  /* First the number of collectives so far, then the last one each location is in. */
  g_autofree guint *member_of = g_new0 (guint, run->locations->len + 1);

  made->inferred = TRUE;
  g_array_sort (calls, compare_begins);
  for (guint i = 0, end; i < calls->len; i = end)
    {
      Call *first = &g_array_index (calls, Call, i);
      KymoCollectiveKind kind = known[first->function].kind;

      for (end = i + 1; end < calls->len && first[end - i].function == first->function; end++)
        ;
      if (kind == KYMO_COLLECTIVE_BARRIER || kind == KYMO_COLLECTIVE_ALL_TO_ALL)
        join_by_overlap (made, first, end - i, member_of);
      else
        join_by_number (made, first, end - i);
    }
  kymo_collectives_sort (made);
  return made;
}

/* NULL where columns that lie in a file cannot be read now. */
static KymoCollectives *
infer (const KymoRun *run)
{
  g_autofree gint *functions = find_functions (run);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Call));

  for (guint i = 0; functions != NULL && i < run->segments->len; i++)
    if (!add_calls (run->segments->pdata[i], functions, calls))
      return NULL;
  return join (run, calls);
}

/**
 * kymo_run_peek_collectives:
 * @run: sealed
 *
 * Those that the files tell, else what can be made of functions, their names and times:
 * at first use. Any thread; blocks that time.
 *
 * Returns: (transfer none) (nullable): the collective operations of the run
 */
const KymoCollectives *
kymo_run_peek_collectives (const KymoRun *run)
{
  KymoRunIndex *index = run->index;
  const KymoCollectives *found;

  if (run->collectives != NULL)
    return run->collectives;
  g_mutex_lock (&index->collectives_lock);
  if (index->collectives == NULL)
    index->collectives = infer (run);
  found = index->collectives;
  g_mutex_unlock (&index->collectives_lock);
  return found != NULL && found->list->len + found->n_left_out > 0 ? found : NULL;
}
