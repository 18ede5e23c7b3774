/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators, and what each location did in collective operations.
 *
 * A reader joins the n-th collectives of the members of a communicator. So a collective goes
 * to a communicator only where all its members have taken part in as many as each other, and
 * began each of those before it; otherwise to another one of the same members.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

#include <stdlib.h>
#include <string.h>

/* -- communicators of messages ------------------------------------------------- */

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

static void
note_number (GHashTable *seen,
             guint32     number)
{
  if (!g_hash_table_contains (seen, GUINT_TO_POINTER (number)))
    g_hash_table_add (seen, GUINT_TO_POINTER (number));
}

/* Numbers that messages and one-sided transfers have; these have tags below zero. */
static void
find_numbers (const KymoOtf2Out *out,
              GHashTable        *comms,
              GHashTable        *wins)
{
  for (guint i = 0; i < out->convert->places->len; i++)
    {
      guint location = kymo_convert_place (out->convert, i)->location;
      const KymoSegment *segment = g_ptr_array_index (out->convert->run->segments, location);
      const KymoExchange *x = segment->exchange;

      for (guint k = 0; x != NULL && k < x->n_sends; k++)
        note_number (x->send_tag[k] >= 0 ? comms : wins, x->send_comm[k]);
      for (guint k = 0; x != NULL && k < x->n_receives; k++)
        note_number (x->receive_tag[k] >= 0 ? comms : wins, x->receive_comm[k]);
    }
}

/* Adds them in order; @numbers becomes a table from number to reference. */
static void
add_numbers (GHashTable *numbers,
             GArray     *list)
{
  guint n;
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (numbers, &n);
  g_autofree guint32 *sorted = g_new (guint32, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    sorted[i] = GPOINTER_TO_UINT (keys[i]);
  qsort (sorted, n, sizeof *sorted, compare_numbers);
  for (guint i = 0; i < n; i++)
    {
      KymoOtf2OutComm comm = { .number = sorted[i] };

      g_hash_table_insert (numbers, GUINT_TO_POINTER (sorted[i]), GUINT_TO_POINTER (list->len));
      g_array_append_val (list, comm);
    }
}

/* -- collectives ------------------------------------------------------------------- */

static OTF2_CollectiveOp
op_of_kind (KymoCollectiveKind kind)
{
  switch (kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
      return OTF2_COLLECTIVE_OP_BARRIER;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
      return OTF2_COLLECTIVE_OP_BCAST;
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      return OTF2_COLLECTIVE_OP_REDUCE;
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case KYMO_COLLECTIVE_PREFIX:
      return OTF2_COLLECTIVE_OP_SCAN;
    default:
      return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    }
}

/* By number of kymo_collective_find_name(). */
static const guint8 ops[] = {
  OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLGATHER,
  OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_COLLECTIVE_OP_ALLTOALLV,
  OTF2_COLLECTIVE_OP_ALLTOALLW, OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
  OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, OTF2_COLLECTIVE_OP_BCAST, OTF2_COLLECTIVE_OP_SCATTER,
  OTF2_COLLECTIVE_OP_SCATTERV, OTF2_COLLECTIVE_OP_GATHER, OTF2_COLLECTIVE_OP_GATHERV,
  OTF2_COLLECTIVE_OP_REDUCE, OTF2_COLLECTIVE_OP_SCAN, OTF2_COLLECTIVE_OP_EXSCAN,
  OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_OP_CREATE_HANDLE,
  OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_OP_CREATE_HANDLE,
  OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_OP_BARRIER,
};

G_STATIC_ASSERT (G_N_ELEMENTS (ops) == KYMO_N_COLLECTIVE_NAMES);

/* The operation: that of the function's name, where it agrees with who waits for whom. */
static OTF2_CollectiveOp
op_of (const KymoOtf2Out    *out,
       const KymoCollective *collective)
{
  const KymoActivity *activity = kymo_run_peek_activity (out->convert->run,
                                                         collective->activity);
  KymoCollectiveKind kind = KYMO_COLLECTIVE_OTHER;
  gint name = kymo_collective_find_name (activity->name, &kind);

  return name >= 0 && kind == collective->kind && ops[name] != OTF2_COLLECTIVE_OP_BARRIER
    ? ops[name] : op_of_kind (collective->kind);
}

/* One that does not block ends in a function that waits. */
static gboolean
is_blocking_call (const KymoOtf2Out    *out,
                  const KymoCollective *collective)
{
  KymoCollectiveKind kind;

  return kymo_collective_find_name (kymo_run_peek_activity (out->convert->run,
                                                            collective->activity)->name,
                                    &kind) >= 0;
}

static int
compare_begins (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoCollectives *all = data;
  const KymoCollective *x = &g_array_index (all->list, KymoCollective, *(const guint *) a);
  const KymoCollective *y = &g_array_index (all->list, KymoCollective, *(const guint *) b);

  if (x->span.begin_ns != y->span.begin_ns)
    return x->span.begin_ns < y->span.begin_ns ? -1 : 1;
  return (x->span.end_ns > y->span.end_ns) - (x->span.end_ns < y->span.end_ns);
}

static gboolean
has_members (const KymoOtf2OutComm *comm,
             const KymoCollectives *all,
             const KymoCollective  *collective)
{
  if (comm->n_members != collective->n_members)
    return FALSE;
  for (guint i = 0; i < comm->n_members; i++)
    if (comm->members[i] != kymo_collective_member (all, collective, i)->location)
      return FALSE;
  return TRUE;
}

/* Those that do not block are counted by themselves. */
static KymoSpan *
last_of (const KymoOtf2OutComm *comm,
         gboolean               asynchronous)
{
  return comm->last + (asynchronous ? comm->n_members : 0);
}

static gboolean
may_follow (const KymoOtf2OutComm *comm,
            const KymoCollectives *all,
            const KymoCollective  *collective,
            gboolean               asynchronous)
{
  const KymoSpan *last = last_of (comm, asynchronous);

  for (guint i = 0; i < comm->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);

      if (member->begin_ns < last[i].begin_ns
          || (member->begin_ns == last[i].begin_ns && member->end_ns < last[i].end_ns))
        return FALSE;
    }
  return TRUE;
}

static guint
hash_members (const KymoCollectives *all,
              const KymoCollective  *collective)
{
  guint hash = 5381 + collective->n_members;

  for (guint i = 0; i < collective->n_members; i++)
    hash = hash * 33 + kymo_collective_member (all, collective, i)->location;
  return hash;
}

static guint
new_comm (KymoOtf2Out           *out,
          const KymoCollectives *all,
          const KymoCollective  *collective)
{
  guint n = collective->n_members;
  KymoOtf2OutComm comm = { .n_members = n, .members = g_new (guint32, MAX (n, 1)),
                           .last = g_new (KymoSpan, MAX (2 * n, 1)) };

  for (guint i = 0; i < n; i++)
    comm.members[i] = kymo_collective_member (all, collective, i)->location;
  for (guint i = 0; i < 2 * n; i++)
    comm.last[i] = (KymoSpan) { G_MININT64, G_MININT64 };
  g_array_append_val (out->comms, comm);
  return out->comms->len - 1;
}

/* The communicator that it is counted in; a new one where none will do. */
static guint
comm_for (KymoOtf2Out           *out,
          GHashTable            *known,
          const KymoCollectives *all,
          const KymoCollective  *collective,
          gboolean               asynchronous)
{
  gpointer key = GUINT_TO_POINTER (hash_members (all, collective));
  GArray *list = g_hash_table_lookup (known, key);
  guint made;

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (known, key, list);
    }
  for (guint i = 0; i < list->len; i++)
    {
      guint at = g_array_index (list, guint, i);
      const KymoOtf2OutComm *comm = kymo_otf2_out_comm (out, at);

      if (has_members (comm, all, collective)
          && may_follow (comm, all, collective, asynchronous))
        return at;
    }
  made = new_comm (out, all, collective);
  g_array_append_val (list, made);
  return made;
}

static guint32
root_of (const KymoOtf2OutComm *comm,
         gint32                 root)
{
  for (guint i = 0; i < comm->n_members && root >= 0; i++)
    if (comm->members[i] == (guint32) root)
      return i;
  return OTF2_COLLECTIVE_ROOT_NONE;
}

/* What all moved together, in equal parts: what each moved the run does not know. */
static gint64
share (gint64 bytes,
       guint  n,
       guint  i)
{
  return bytes < 0 ? -1 : bytes / n + (i < bytes % n);
}

/* All of its members that are written take part in it. */
static void
add_parts (KymoOtf2Out           *out,
           const KymoCollectives *all,
           const KymoCollective  *collective,
           guint                  comm,
           gboolean               asynchronous,
           guint32                key)
{
  KymoSpan *last = last_of (kymo_otf2_out_comm (out, comm), asynchronous);
  guint n = collective->n_members;

  for (guint i = 0; i < n; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      KymoOtf2OutPart part = {
        .begin_ns = member->begin_ns, .end_ns = member->end_ns,
        .sent_bytes = share (collective->sent_bytes, n, i),
        .received_bytes = share (collective->received_bytes, n, i),
        .comm = comm, .root = root_of (kymo_otf2_out_comm (out, comm), collective->root),
        .activity = collective->activity, .key = key, .op = op_of (out, collective),
        .asynchronous = asynchronous,
      };
      GArray **list = &out->parts[member->location];

      last[i] = (KymoSpan) { member->begin_ns, member->end_ns };
      if (g_array_index (out->convert->place_of, gint, member->location) < 0)
        continue;
      if (*list == NULL)
        *list = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutPart));
      g_array_append_val (*list, part);
    }
}

/** Stay: a location in a collective that blocks */
typedef struct
{
  KymoSpan span;
  guint    collective;
} Stay;

static int
compare_stays (gconstpointer a,
               gconstpointer b)
{
  const Stay *x = a, *y = b;

  if (x->span.begin_ns != y->span.begin_ns)
    return x->span.begin_ns < y->span.begin_ns ? -1 : 1;
  return (x->span.end_ns > y->span.end_ns) - (x->span.end_ns < y->span.end_ns);
}

static gboolean
blocks (const KymoOtf2Out    *out,
        const KymoCollective *collective)
{
  return collective->kind != KYMO_COLLECTIVE_OTHER || is_blocking_call (out, collective);
}

/* (transfer full): those that a location is in while it is in another one: records of one that
   blocks are a pair that holds no other */
static guint8 *
find_overlaps (const KymoOtf2Out     *out,
               const KymoCollectives *all)
{
  guint n_locations = out->convert->run->locations->len;
  guint8 *found = g_new0 (guint8, MAX (all->list->len, 1));
  g_autofree GArray **stays = g_new0 (GArray *, MAX (n_locations, 1));

  for (guint i = 0; i < all->list->len; i++)
    {
      const KymoCollective *collective = &g_array_index (all->list, KymoCollective, i);

      for (guint k = 0; k < collective->n_members && blocks (out, collective); k++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (all, collective, k);
          Stay stay = { { member->begin_ns, member->end_ns }, i };

          if (stays[member->location] == NULL)
            stays[member->location] = g_array_new (FALSE, FALSE, sizeof (Stay));
          g_array_append_val (stays[member->location], stay);
        }
    }
  for (guint l = 0; l < n_locations; l++)
    {
      gint64 until_ns = G_MININT64;

      if (stays[l] == NULL)
        continue;
      g_array_sort (stays[l], compare_stays);
      for (guint i = 0; i < stays[l]->len; i++)
        {
          const Stay *stay = &g_array_index (stays[l], Stay, i);

          if (stay->span.begin_ns < until_ns)
            found[stay->collective] = TRUE;
          else
            until_ns = stay->span.end_ns;
        }
      g_array_unref (stays[l]);
    }
  return found;
}

static void
add_collective (KymoOtf2Out           *out,
                GHashTable            *known,
                const KymoCollectives *all,
                guint                  index,
                gboolean               overlaps)
{
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective, index);
  gboolean asynchronous = collective->kind == KYMO_COLLECTIVE_OTHER
    && (overlaps || !is_blocking_call (out, collective));

  if (!kymo_trace_choice_has_collective (&out->choice, all, collective))
    return;
  if (overlaps && !asynchronous)
    out->n_collectives++;
  else
    add_parts (out, all, collective, comm_for (out, known, all, collective, asynchronous),
               asynchronous, index);
}

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const KymoOtf2OutPart *x = a, *y = b;

  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static void
find_parts (KymoOtf2Out *out)
{
  const KymoCollectives *all = out->convert->run->collectives;
  guint n = all != NULL && !all->inferred ? all->list->len : 0;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  g_autofree guint8 *overlaps = n > 0 ? find_overlaps (out, all) : NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL,
                                                        (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  if (n > 0)
    g_qsort_with_data (order, n, sizeof *order, compare_begins, (gpointer) all);
  for (guint i = 0; i < n && kymo_convert_goes_on (out->convert, i); i++)
    add_collective (out, known, all, order[i], overlaps[order[i]]);
  for (guint i = 0; i < out->convert->run->locations->len; i++)
    if (out->parts[i] != NULL)
      g_array_sort (out->parts[i], compare_parts);
}

/**
 * kymo_otf2_out_find_comms:
 *
 * Finds the communicators and windows, and what the locations did in collectives.
 */
void
kymo_otf2_out_find_comms (KymoOtf2Out *out)
{
  out->comms = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutComm));
  out->wins = g_array_new (FALSE, FALSE, sizeof (KymoOtf2OutComm));
  out->comm_of = g_hash_table_new (NULL, NULL);
  out->win_of = g_hash_table_new (NULL, NULL);
  out->parts = g_new0 (GArray *, MAX (out->convert->run->locations->len, 1));
  find_numbers (out, out->comm_of, out->win_of);
  add_numbers (out->comm_of, out->comms);
  add_numbers (out->win_of, out->wins);
  find_parts (out);
}

void
kymo_otf2_out_clear_comms (KymoOtf2Out *out)
{
  for (guint i = 0; out->comms != NULL && i < out->comms->len; i++)
    {
      g_free (kymo_otf2_out_comm (out, i)->members);
      g_free (kymo_otf2_out_comm (out, i)->last);
    }
  for (guint i = 0; out->parts != NULL && i < out->convert->run->locations->len; i++)
    if (out->parts[i] != NULL)
      g_array_unref (out->parts[i]);
  g_clear_pointer (&out->comms, g_array_unref);
  g_clear_pointer (&out->wins, g_array_unref);
  g_clear_pointer (&out->comm_of, g_hash_table_unref);
  g_clear_pointer (&out->win_of, g_hash_table_unref);
  g_clear_pointer (&out->parts, g_free);
}

/* -- definitions ------------------------------------------------------------------- */

/* The list of what ranks are numbers of, and all ranks together. */
static void
write_all_ranks (KymoOtf2Out *out,
                 guint       *next_group)
{
  g_autofree guint64 *members = g_new (guint64, MAX (out->n_ranks, 1));
  OTF2_StringRef none = kymo_otf2_out_string (out, "");
  OTF2_StringRef all = kymo_otf2_out_string (out, "all ranks");

  for (guint i = 0; i < out->n_ranks; i++)
    members[i] = out->main_place[i];
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteGroup (
    out->defs, (*next_group)++, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
    OTF2_GROUP_FLAG_NONE, out->n_ranks, members));
  for (guint i = 0; i < out->n_ranks; i++)
    members[i] = i;
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteGroup (
    out->defs, (*next_group)++, all, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
    OTF2_GROUP_FLAG_NONE, out->n_ranks, members));
}

/* The location of the archive that stands for one of the run: itself, or that of its rank. */
static guint64
place_for (const KymoOtf2Out *out,
           guint32            location)
{
  guint32 place = out->place_of[location];

  return place != KYMO_OTF2_NO_REF ? place
    : out->main_place[g_array_index (out->convert->node_of, gint64, location)];
}

/* Members are ranks where each speaks for one, else locations. */
static void
write_members (KymoOtf2Out           *out,
               const KymoOtf2OutComm *comm,
               guint                  group)
{
  g_autofree guint64 *members = g_new (guint64, MAX (comm->n_members, 1));
  OTF2_StringRef name = kymo_otf2_out_string (out, "members");
  gboolean are_ranks = TRUE;

  for (guint i = 0; i < comm->n_members; i++)
    {
      members[i] = place_for (out, comm->members[i]);
      are_ranks &= out->main_place[kymo_otf2_out_place (out, members[i])->rank] == members[i];
    }
  for (guint i = 0; are_ranks && i < comm->n_members; i++)
    members[i] = kymo_otf2_out_place (out, members[i])->rank;
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteGroup (
    out->defs, group, name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
    are_ranks ? OTF2_GROUP_FLAG_NONE : OTF2_GROUP_FLAG_GLOBAL_MEMBERS, comm->n_members, members));
}

/** kymo_otf2_out_write_comms: @next_group: number of the next group; moves on */
void
kymo_otf2_out_write_comms (KymoOtf2Out *out,
                           guint       *next_group)
{
  guint all = *next_group + 1, n_comms = out->comms->len;

  write_all_ranks (out, next_group);
  for (guint i = 0; i < n_comms; i++)
    {
      const KymoOtf2OutComm *comm = kymo_otf2_out_comm (out, i);
      g_autofree char *text = g_strdup_printf ("communicator %u", i);
      OTF2_StringRef name = kymo_otf2_out_string (out, text);
      guint group = comm->members != NULL ? (*next_group)++ : all;

      if (comm->members != NULL)
        write_members (out, comm, group);
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteComm (
        out->defs, i, name, group, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
  for (guint i = 0; i < out->wins->len; i++)
    {
      g_autofree char *text = g_strdup_printf ("window %u", i);
      OTF2_StringRef name = kymo_otf2_out_string (out, text);

      if (i == 0)
        kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteComm (
          out->defs, n_comms, kymo_otf2_out_string (out, "all ranks"), all, OTF2_UNDEFINED_COMM,
          OTF2_COMM_FLAG_NONE));
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteRmaWin (
        out->defs, i, name, n_comms, OTF2_RMA_WIN_FLAG_NONE));
    }
}
