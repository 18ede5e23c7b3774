/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each location did in collective operations.
 *
 * A reader joins the n-th collectives of all who take part in any on a communicator or window.
 * So a collective goes to its own communicator, or else to any other, only where all its members
 * have taken part in all that were made there so far, and began each of those before it;
 * otherwise to a new one of the same members.
 */
#include "config.h"

#include "kymo-convert-otf2.h"
#include "kymo-order.h"

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

/* The operation: that of the files, else of the function's name, where it agrees with who waits
   for whom. */
static OTF2_CollectiveOp
op_of (const KymoOtf2Out    *out,
       const KymoCollective *collective)
{
  const KymoActivity *activity = kymo_run_peek_activity (out->convert->run,
                                                         collective->activity);
  KymoCollectiveKind kind = KYMO_COLLECTIVE_OTHER;
  gint name = kymo_collective_find_name (activity->name, &kind);

  if (collective->op >= 0 && collective->op <= G_MAXUINT8)
    return collective->op;
  return name >= 0 && kind == collective->kind && ops[name] != OTF2_COLLECTIVE_OP_BARRIER
    ? ops[name] : op_of_kind (collective->kind);
}

/* TRUE if a single call makes the collective operation and waits for it. An operation that does not
   block ends in a function that waits, and its kind is KYMO_COLLECTIVE_OTHER. */
static gboolean
blocks (const KymoOtf2Out    *out,
        const KymoCollective *collective)
{
  KymoCollectiveKind kind;

  if (collective->kind != KYMO_COLLECTIVE_OTHER)
    return TRUE;
  if (collective->op >= 0 && collective->op <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK)
    return FALSE;
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

  KYMO_ORDER_BY (x->span.begin_ns, y->span.begin_ns);
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

/**
 * Begun: what a location has begun on a communicator: collectives that block, and those that
 * do not
 */
typedef struct
{
  guint    n[2];
  KymoSpan last[2];
} Begun;

static Begun *
begun_by (const KymoOtf2OutComm *comm,
          guint32                location)
{
  return comm->begun != NULL
    ? g_hash_table_lookup (comm->begun, GUINT_TO_POINTER (location)) : NULL;
}

static gboolean
may_follow (const KymoOtf2OutComm *comm,
            const KymoCollectives *all,
            const KymoCollective  *collective,
            gboolean               asynchronous)
{
  for (guint i = 0; i < collective->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      const Begun *begun = begun_by (comm, member->location);
      KymoSpan last;

      if ((begun != NULL ? begun->n[asynchronous] : 0) != comm->n_begun[asynchronous])
        return FALSE;
      if (begun == NULL || begun->n[asynchronous] == 0)
        continue;
      last = begun->last[asynchronous];
      if (member->begin_ns < last.begin_ns
          || (member->begin_ns == last.begin_ns && member->end_ns < last.end_ns))
        return FALSE;
    }
  return TRUE;
}

static void
note_begun (KymoOtf2OutComm       *comm,
            const KymoCollectives *all,
            const KymoCollective  *collective,
            gboolean               asynchronous)
{
  if (comm->begun == NULL)
    comm->begun = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  comm->n_begun[asynchronous]++;
  for (guint i = 0; i < collective->n_members; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      Begun *begun = begun_by (comm, member->location);

      if (begun == NULL)
        {
          begun = g_new0 (Begun, 1);
          g_hash_table_insert (comm->begun, GUINT_TO_POINTER (member->location), begun);
        }
      begun->n[asynchronous]++;
      begun->last[asynchronous] = (KymoSpan) { member->begin_ns, member->end_ns };
    }
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
  gboolean is_named = kymo_otf2_out_comm_ref (out, collective->comm) != OTF2_UNDEFINED_COMM;
  KymoOtf2OutComm comm = { .defined = -1, .name = is_named ? collective->comm : -1,
                           .n_members = n, .members = g_new (guint32, MAX (n, 1)) };

  for (guint i = 0; i < n; i++)
    comm.members[i] = kymo_collective_member (all, collective, i)->location;
  g_array_append_val (out->comms, comm);
  return out->comms->len - 1;
}

/* A communicator of those members that it is counted in; a new one where none will do. */
static guint
own_comm_for (KymoOtf2Out           *out,
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

/* The communicator or window that it was made on, where it can be counted there. Of a window
   those that do not block have no records. */
static KymoOtf2OutComm *
defined_comm_for (KymoOtf2Out           *out,
                  const KymoCollectives *all,
                  const KymoCollective  *collective,
                  gboolean               asynchronous,
                  guint                 *ref,
                  gboolean              *is_window)
{
  KymoOtf2OutComm *comm;
  gpointer key = GUINT_TO_POINTER (collective->comm + 1u), value;

  if (collective->comm < 0 || out->members == NULL)
    return NULL;
  *is_window = !g_hash_table_lookup_extended (out->comm_of, key, NULL, &value);
  if (*is_window && (asynchronous
                     || !g_hash_table_lookup_extended (out->win_of, key, NULL, &value)))
    return NULL;
  *ref = GPOINTER_TO_UINT (value);
  comm = *is_window ? kymo_otf2_out_win (out, *ref) : kymo_otf2_out_comm (out, *ref);
  return may_follow (comm, all, collective, asynchronous) ? comm : NULL;
}

/* The root's rank as a member tells it: no other one knows the root that is no member. */
static guint32
root_of (const KymoOtf2Out     *out,
         const KymoOtf2OutComm *comm,
         gint32                 root,
         guint32                member)
{
  const KymoOtf2OutMembers *side = comm->defined >= 0
    ? kymo_otf2_out_side_of (out, kymo_otf2_out_defined (out, comm->defined), member) : NULL;
  guint rank = side != NULL && root >= 0
    ? GPOINTER_TO_UINT (g_hash_table_lookup (side->locations, GINT_TO_POINTER (root))) : 0;

  if (root < 0)
    return OTF2_COLLECTIVE_ROOT_NONE;
  if (rank > 0)
    return rank - 1;
  for (guint i = 0; i < comm->n_members && comm->members != NULL; i++)
    if (comm->members[i] == (guint32) root)
      return i;
  return (guint32) root == member ? OTF2_COLLECTIVE_ROOT_SELF : OTF2_COLLECTIVE_ROOT_NONE;
}

/* Bytes that a member moved; where the run does not know them, an equal part of the bytes of all
   members. */
static gint64
share_otf2_collectives (gint64 own_bytes,
                        gint64 bytes,
                        guint  n,
                        guint  i)
{
  return own_bytes >= 0 ? own_bytes : bytes < 0 ? -1 : bytes / n + (i < bytes % n);
}

/* All of its members that are written take part in it. */
static void
add_parts (KymoOtf2Out           *out,
           const KymoCollectives *all,
           const KymoCollective  *collective,
           const KymoOtf2OutComm *comm,
           const KymoOtf2OutPart *common)
{
  guint n = collective->n_members;

  for (guint i = 0; i < n; i++)
    {
      const KymoCollectiveMember *member = kymo_collective_member (all, collective, i);
      KymoCollectiveBytes moved = kymo_collective_bytes (all, collective, i);
      KymoOtf2OutPart part = *common;
      GArray **list = &out->parts[member->location];

      if (!kymo_otf2_out_is_chosen (out, member->location))
        continue;
      part.begin_ns = member->begin_ns;
      part.end_ns = member->end_ns;
      part.sent_bytes = share_otf2_collectives (moved.sent, collective->sent_bytes, n, i);
      part.received_bytes = share_otf2_collectives (moved.received, collective->received_bytes, n,
                                                    i);
      part.root = root_of (out, comm, collective->root, member->location);
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

  KYMO_ORDER_BY (x->span.begin_ns, y->span.begin_ns);
  return (x->span.end_ns > y->span.end_ns) - (x->span.end_ns < y->span.end_ns);
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
    && (overlaps || !blocks (out, collective));
  KymoOtf2OutPart part = { .activity = collective->activity, .key = index,
                           .op = op_of (out, collective), .level = collective->level,
                           .asynchronous = asynchronous };
  KymoOtf2OutComm *comm;

  if (!kymo_trace_choice_has_collective (&out->choice, all, collective))
    return;
  if (overlaps && !asynchronous)
    {
      out->n_collectives++;
      return;
    }
  comm = defined_comm_for (out, all, collective, asynchronous, &part.comm, &part.of_window);
  if (comm == NULL)
    {
      part.comm = own_comm_for (out, known, all, collective, asynchronous);
      part.of_window = FALSE;
      comm = kymo_otf2_out_comm (out, part.comm);
    }
  note_begun (comm, all, collective, asynchronous);
  add_parts (out, all, collective, comm, &part);
}

static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const KymoOtf2OutPart *x = a, *y = b;

  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/**
 * kymo_otf2_out_find_collectives:
 *
 * Finds what each location did in collectives; the communicators are found already, and some
 * may be added.
 */
void
kymo_otf2_out_find_collectives (KymoOtf2Out *out)
{
  const KymoCollectives *all = out->convert->run->collectives;
  guint n = all != NULL && !all->inferred ? all->list->len : 0;
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  g_autofree guint8 *overlaps = n > 0 ? find_overlaps (out, all) : NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL,
                                                        (GDestroyNotify) g_array_unref);

  out->parts = g_new0 (GArray *, MAX (out->convert->run->locations->len, 1));
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
