/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations where files tell only the functions: found by their names, as
 * if all were on one communicator, for which one it was is not recorded.
 *
 * No member leaves a barrier, or an operation where all need the data of all, before the
 * last one has come. So its calls all overlap: by begin, calls of one function belong
 * together as long as they begin before the first of them ends and are of locations
 * that are not in it yet. Operations on parts of the ranks are told apart in this way,
 * unless they run at the same time. Of the others, where some may leave early, the
 * n-th calls belong together where all locations that call the function do it equally
 * often; else they are left out.
 *
 * A run that calls no function that makes another communicator of other ranks has one
 * group of ranks alone (MPI_COMM_WORLD): what all of them call equally often is the
 * n-th call of each, whatever their clocks say. Of the others nothing more can be told
 * without guessing: four calls that overlap are one operation of four ranks as well as
 * two of two ranks, also where the same two ranks met alone before. Such ones are
 * counted (KymoCollectives.n_doubtful).
 *
 * All steps are shared out over threads and can be cancelled; the result does not
 * depend on their number.
 */
#include "config.h"

#include "kymo-collectives.h"
#include "kymo-order.h"

#include "kymo-run-index.h"
#include "kymo-run.h"
#include "kymo-share.h"

/* Number of segments whose calls are copied at once, in the order of their numbers, so that
   they lie side by side. */
#define SEGMENTS_AT_ONCE 16

#define N_KNOWN KYMO_N_COLLECTIVE_NAMES

/* A call of a function that may be part of a collective operation. */
typedef struct
{
  guint32              activity;
  guint                function;        /* index in the list of functions */
  KymoCollectiveMember call;
} Call;

static gboolean
makes_communicators (const KymoRun *run)
{
  for (guint i = 0; i < run->activities->len; i++)
    if (kymo_mpi_makes_communicator (kymo_run_peek_activity (run, i)->name))
      return TRUE;
  return FALSE;
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

/* -- the calls -------------------------------------------------------------- */

/** Group: calls that belong together, one behind the other */
typedef struct
{
  gsize first;
  guint n;
} Group;

/**
 * Work:
 * @own: by segment: its calls, by function and begin
 * @counts: by segment and function
 * @first: by segment and function: where its calls go among all
 * @calls: all calls by function: those that every location that calls it calls equally
 *   often by their number, the others by segment
 * @begins: by function, and after the last
 * @width: by function: how many locations call it, 0 where not equally often
 * @widest: how many locations call any of them
 */
typedef struct
{
  const KymoRun   *run;
  guint            n_threads;
  GCancellable    *cancellable;
  gint            *functions;
  gint             unfit;       /* atomic */
  GArray         **own;
  guint           *counts;
  gsize           *first;
  Call            *calls;
  gsize            begins[N_KNOWN + 1];
  guint            width[N_KNOWN];
  guint            widest;
  gboolean         one_group;   /* of ranks */
  GArray          *groups;      /* Group */
  KymoCollectives *made;
  gint             apart;       /* atomic: the n-th calls are no set of calls that overlap */
  guint            function;    /* looked at */
} Work;

/* Lists the calls of collective operations in a segment. A call inside another call of the same
   function is the same call by another name (of a wrapper) and is left out. */
static void
add_calls (Work              *work,
           const KymoSegment *segment,
           GArray            *calls)
{
  gint64 until_ns[N_KNOWN];
  guint depth[N_KNOWN] = { 0 };

  for (guint f = 0; f < N_KNOWN; f++)
    until_ns[f] = G_MININT64;
  for (guint i = 0; i < segment->n_blocks; i++)
    {
      gint f = work->functions[segment->block_activity[i]];
      guint here = segment->block_depth != NULL ? segment->block_depth[i] : 0;
      gint64 begin_ns, end_ns;

      if (G_LIKELY (f < 0))
        continue;
      begin_ns = kymo_segment_block_begin (segment, i);
      end_ns = kymo_segment_block_end (segment, i);
      if (end_ns <= until_ns[f] && (begin_ns < until_ns[f] || here > depth[f]))
        continue;
      until_ns[f] = end_ns;
      depth[f] = here;
      g_array_append_val (calls, ((Call) { segment->block_activity[i], (guint) f,
                                           { segment->location, begin_ns, end_ns } }));
    }
}

/* By function; the order of those of one stays. */
static GArray *
group_by_function (const GArray *calls,
                   guint        *counts)
{
  GArray *grouped = g_array_sized_new (FALSE, FALSE, sizeof (Call), calls->len);
  guint next[N_KNOWN], n = 0;

  g_array_set_size (grouped, calls->len);
  for (guint i = 0; i < calls->len; i++)
    counts[g_array_index (calls, Call, i).function]++;
  for (guint f = 0; f < N_KNOWN; n += counts[f++])
    next[f] = n;
  for (guint i = 0; i < calls->len; i++)
    {
      const Call *call = &g_array_index (calls, Call, i);

      g_array_index (grouped, Call, next[call->function]++) = *call;
    }
  return grouped;
}

static void
gather (gpointer data,
        guint    i)
{
  Work *work = data;
  KymoSegment *segment = work->run->segments->pdata[i];
  g_autoptr (GArray) calls = NULL;

  if (!kymo_segment_use (segment, KYMO_PART_BLOCKS))
    {
      g_atomic_int_set (&work->unfit, 1);
      return;
    }
  calls = g_array_new (FALSE, FALSE, sizeof (Call));
  add_calls (work, segment, calls);
  work->own[i] = group_by_function (calls, &work->counts[(gsize) i * N_KNOWN]);
}

/* Lays out a place in `calls` for each function and segment, functions first. */
static void
find_places (Work *work)
{
  guint n_segments = work->run->segments->len;
  gsize next = 0;

  for (guint f = 0; f < N_KNOWN; f++)
    {
      guint each = 0, width = 0;
      gboolean equal = TRUE;

      work->begins[f] = next;
      for (guint i = 0; i < n_segments; i++)
        {
          guint count = work->counts[(gsize) i * N_KNOWN + f];

          equal = equal && (count == 0 || each == 0 || count == each);
          each = MAX (each, count);
          width += count > 0;
          work->first[(gsize) i * N_KNOWN + f] = next;
          next += count;
        }
      work->width[f] = equal ? width : 0;
      for (guint i = 0, at = 0; equal && i < n_segments; i++)
        if (work->counts[(gsize) i * N_KNOWN + f] > 0)
          work->first[(gsize) i * N_KNOWN + f] = work->begins[f] + at++;
    }
  work->begins[N_KNOWN] = next;
  for (guint i = 0; i < n_segments; i++)
    work->widest += work->own[i]->len > 0;
}

static void
put_calls (gpointer data,
           guint    step)
{
  Work *work = data;
  guint first = step * SEGMENTS_AT_ONCE;
  guint end = MIN (first + SEGMENTS_AT_ONCE, work->run->segments->len);
  guint from[SEGMENTS_AT_ONCE] = { 0 };

  for (guint f = 0; f < N_KNOWN; f++)
    {
      gsize stride = MAX (work->width[f], 1);
      guint most = 0;

      for (guint i = first; i < end; i++)
        most = MAX (most, work->counts[(gsize) i * N_KNOWN + f]);
      for (guint k = 0; k < most; k++)
        for (guint i = first; i < end; i++)
          if (k < work->counts[(gsize) i * N_KNOWN + f])
            work->calls[work->first[(gsize) i * N_KNOWN + f] + k * stride]
              = g_array_index (work->own[i], Call, from[i - first] + k);
      for (guint i = first; i < end; i++)
        from[i - first] += work->counts[(gsize) i * N_KNOWN + f];
    }
  for (guint i = first; i < end; i++)
    g_clear_pointer (&work->own[i], g_array_unref);
}

/* -- which belong together -------------------------------------------------- */

/* Adds a group of calls. A call alone is no collective operation and is left out. */
static void
add_group (Work  *work,
           gsize  first,
           gsize  n)
{
  Group group = { first, (guint) n };

  if (n < 2)
    work->made->n_left_out += n;
  else
    g_array_append_val (work->groups, group);
}

static int
compare_begins (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const Call *x = a, *y = b;

  KYMO_ORDER_BY (x->call.begin_ns, y->call.begin_ns);
  KYMO_ORDER_BY (x->call.location, y->call.location);
  return x->call.end_ns < y->call.end_ns ? -1 : x->call.end_ns > y->call.end_ns;
}

/* Checks without sorting that the k-th calls of all locations overlap and begin before any next
   call: then join_by_overlap() would group just these. */
static void
check_number (gpointer data,
              guint    k)
{
  Work *work = data;
  guint width = work->width[work->function];
  const Call *calls = work->calls + work->begins[work->function] + (gsize) k * width;
  gboolean has_next = calls + width < work->calls + work->begins[work->function + 1];
  gint64 last_ns = G_MININT64, end_ns = G_MAXINT64;

  for (guint i = 0; i < width; i++)
    {
      last_ns = MAX (last_ns, calls[i].call.begin_ns);
      end_ns = MIN (end_ns, calls[i].call.end_ns);
    }
  for (guint i = width; has_next && i < 2 * width; i++)
    end_ns = MIN (end_ns, calls[i].call.begin_ns - 1);
  if (last_ns > end_ns)
    g_atomic_int_set (&work->apart, 1);
}

static gboolean
is_by_number (Work  *work,
              guint  f)
{
  gsize n = work->begins[f + 1] - work->begins[f];

  if (work->width[f] == 0)
    return FALSE;
  if (work->one_group && work->width[f] == work->widest)
    return TRUE;
  work->function = f;
  work->apart = 0;
  kymo_share_out ((guint) (n / work->width[f]), work->n_threads, check_number, work,
                  work->cancellable);
  return !work->apart;
}

static void
join_by_number (Work  *work,
                guint  f)
{
  if (work->width[f] == 0)
    work->made->n_left_out += work->begins[f + 1] - work->begins[f];
  else
    for (gsize i = work->begins[f]; i < work->begins[f + 1]; i += work->width[f])
      add_group (work, i, work->width[f]);
}

/* Calls of one function that no member leaves before all have entered, by begin. */
static gboolean
join_by_overlap (Work  *work,
                 guint  f)
{
  gsize n = work->begins[f + 1] - work->begins[f], end;
  Call *calls = work->calls + work->begins[f];
  g_autofree guint *member_of = g_new0 (guint, work->run->locations->len);
  guint number = 0;

  if (!kymo_share_sort (calls, n, sizeof *calls, compare_begins, NULL, work->n_threads,
                        work->cancellable))
    return FALSE;
  for (gsize i = 0; i < n && !g_cancellable_is_cancelled (work->cancellable); i = end)
    {
      gint64 first_end_ns = calls[i].call.end_ns;

      number++;
      for (end = i; end < n; end++)
        {
          guint *in = &member_of[calls[end].call.location];

          if (*in == number || (end > i && calls[end].call.begin_ns > first_end_ns))
            break;
          *in = number;
          first_end_ns = MIN (first_end_ns, calls[end].call.end_ns);
        }
      add_group (work, work->begins[f] + i, end - i);
    }
  return !g_cancellable_is_cancelled (work->cancellable);
}

static gboolean
join_collectives_infer (Work *work)
{
  for (guint f = 0; f < N_KNOWN; f++)
    {
      KymoCollectiveKind kind = kymo_collective_kind_of_name (f);
      gboolean all_wait = kind == KYMO_COLLECTIVE_BARRIER || kind == KYMO_COLLECTIVE_ALL_TO_ALL;

      if (work->begins[f] == work->begins[f + 1])
        continue;
      if (!all_wait || is_by_number (work, f))
        join_by_number (work, f);
      else if (!join_by_overlap (work, f))
        return FALSE;
    }
  return !g_cancellable_is_cancelled (work->cancellable);
}

/* -- making them ------------------------------------------------------------ */

static void
make_collective (gpointer data,
                 guint    i)
{
  Work *work = data;
  KymoCollective *made = &g_array_index (work->made->list, KymoCollective, i);
  const Call *calls = work->calls + g_array_index (work->groups, Group, i).first;
  KymoCollectiveMember *members = &g_array_index (work->made->members, KymoCollectiveMember,
                                                  made->first);

  made->activity = calls[0].activity;
  made->kind = kymo_collective_kind_of_name (calls[0].function);
  made->root = made->comm = made->op = -1;
  made->level = 0;
  made->sent_bytes = made->received_bytes = -1;
  for (guint m = 0; m < made->n_members; m++)
    members[m] = calls[m].call;
  kymo_collective_settle (work->made, made);
}

static gboolean
make_collectives (Work *work)
{
  KymoCollectives *made = work->made;
  guint first = 0;

  g_array_set_size (made->list, work->groups->len);
  for (guint i = 0; i < work->groups->len; i++)
    {
      KymoCollective *collective = &g_array_index (made->list, KymoCollective, i);

      collective->first = first;
      collective->n_members = g_array_index (work->groups, Group, i).n;
      first += collective->n_members;
      made->n_doubtful += !work->one_group && collective->n_members >= 4;
    }
  g_array_set_size (made->members, first);
  return kymo_share_out (made->list->len, work->n_threads, make_collective, work,
                         work->cancellable)
    && kymo_share_sort (made->list->data, made->list->len, sizeof (KymoCollective),
                        kymo_collective_compare, made, work->n_threads, work->cancellable);
}

static gboolean
find_collectives (Work *work)
{
  guint n_segments = work->run->segments->len;

  if (!kymo_share_out (n_segments, work->n_threads, gather, work, work->cancellable)
      || work->unfit)
    return FALSE;
  find_places (work);
  work->calls = g_new (Call, MAX (work->begins[N_KNOWN], 1));
  return kymo_share_out ((n_segments + SEGMENTS_AT_ONCE - 1) / SEGMENTS_AT_ONCE,
                         work->n_threads, put_calls, work, work->cancellable)
    && join_collectives_infer (work) && make_collectives (work);
}

/* NULL where it was cancelled, or columns that lie in a file cannot be read now. */
static KymoCollectives *
infer (const KymoRun *run,
       guint          n_threads,
       GCancellable  *cancellable)
{
  gsize n = MAX (run->segments->len, 1);
  Work work = { .run = run, .n_threads = n_threads, .cancellable = cancellable };

  work.made = kymo_collectives_new ();
  work.made->inferred = TRUE;
  work.functions = find_functions (run);
  if (work.functions == NULL)
    return work.made;
  work.one_group = !makes_communicators (run);
  work.own = g_new0 (GArray *, n);
  work.counts = g_new0 (guint, n * N_KNOWN);
  work.first = g_new (gsize, n * N_KNOWN);
  work.groups = g_array_new (FALSE, FALSE, sizeof (Group));
  if (!find_collectives (&work))
    g_clear_pointer (&work.made, kymo_collectives_free);
  for (guint i = 0; i < run->segments->len; i++)
    g_clear_pointer (&work.own[i], g_array_unref);
  g_free (work.own);
  g_free (work.counts);
  g_free (work.first);
  g_free (work.calls);
  g_array_unref (work.groups);
  g_free (work.functions);
  return work.made;
}

typedef struct
{
  const KymoRun *run;
  guint          n_threads;
  GCancellable  *cancellable;
} Asked;

static gpointer
make_collectives_infer (gconstpointer   data,
                        GError        **error)
{
  const Asked *asked = data;

  return infer (asked->run, asked->n_threads, asked->cancellable);
}

static void
free_made (gpointer made)
{
  kymo_collectives_free (made);
}

/**
 * kymo_run_peek_collectives:
 * @run: sealed
 * @n_threads: most threads, the caller's included; 0 = one per core
 * @cancellable: (nullable): also while another thread makes them
 *
 * Those that the files tell, else what can be made of functions, their names and times:
 * at first use. Any thread; blocks that time.
 *
 * Returns: (transfer none) (nullable): the collective operations of the run; %NULL
 * where there are none, it was cancelled, or columns are not fit to be read
 */
const KymoCollectives *
kymo_run_peek_collectives (const KymoRun *run,
                           guint          n_threads,
                           GCancellable  *cancellable)
{
  Asked asked = { run, n_threads, cancellable };
  const KymoCollectives *found;

  if (run->collectives != NULL)
    return run->collectives;
  found = kymo_made_get (&run->index->collectives, make_collectives_infer, &asked, free_made,
                         cancellable, NULL);
  if (found == NULL)
    return NULL;
  return found->list->len + found->n_left_out > 0 ? found : NULL;
}
