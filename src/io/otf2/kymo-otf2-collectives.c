/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations: the parts of single locations as their events tell them, and
 * what they make together. On a communicator all members begin collectives in the
 * same order (MPI 4.0, section 6.12), so the n-th of each belong together; those that
 * do not block are counted by themselves, in the order of their requests.
 */
#include "config.h"

#include "kymo-otf2-collectives.h"
#include "kymo-order.h"
#include "kymo-otf2-events-private.h"

#include <stdlib.h>

KYMO_OTF2_EVENT (on_collective_begin)
{
  KymoOtf2Stream *stream = data;
  gint64 ns;

  if (kymo_otf2_begin_record (stream, time, &ns))
    stream->collective_ns = ns;
  return OTF2_CALLBACK_SUCCESS;
}

static gint64
known_bytes (guint64 bytes)
{
  return bytes <= G_MAXINT64 ? (gint64) bytes : -1;
}

static gint32
root_of (KymoOtf2Stream     *stream,
         const KymoOtf2Comm *comm,
         guint32             root)
{
  if (root == OTF2_COLLECTIVE_ROOT_SELF)
    return stream->location;
  if (root == OTF2_COLLECTIVE_ROOT_NONE || root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
    return -1;
  return kymo_otf2_comm_location (comm, stream->location, root);
}

static void
add_part (KymoOtf2Stream     *stream,
          KymoOtf2Part       *part,
          const KymoOtf2Comm *comm,
          guint32             root)
{
  /* A communicator of one: no member waits. */
  if (comm != NULL && comm->group != NULL && comm->group->type == OTF2_GROUP_TYPE_COMM_SELF)
    return;
  part->location = stream->location;
  part->activity = kymo_otf2_innermost (stream);
  part->root = root_of (stream, comm, root);
  g_array_append_val (stream->parts, *part);
}

KYMO_OTF2_EVENT (on_collective_end, OTF2_CollectiveOp op, OTF2_CommRef comm_id, uint32_t root,
                 uint64_t sent, uint64_t received)
{
  KymoOtf2Stream *stream = data;
  KymoOtf2Part part = { .op = op, .sent_bytes = known_bytes (sent),
                        .received_bytes = known_bytes (received) };
  const KymoOtf2Comm *comm = kymo_otf2_comm_of (stream, comm_id, &part.comm);

  if (!kymo_otf2_begin_record (stream, time, &part.end_ns))
    return OTF2_CALLBACK_SUCCESS;
  part.begin_ns = stream->collective_ns != G_MININT64
    ? MIN (stream->collective_ns, part.end_ns) : part.end_ns;
  stream->collective_ns = G_MININT64;
  if (comm != NULL)
    add_part (stream, &part, comm, root);
  else
    stream->counts.n_unknown_comms++;
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_window_collective_end, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level,
                 OTF2_RmaWinRef win_id, uint32_t root, uint64_t sent, uint64_t received)
{
  KymoOtf2Stream *stream = data;
  guint32 index = kymo_otf2_ids_find (&stream->defs->win_ids, win_id);
  KymoOtf2Part part = { .op = op, .level = level, .comm = index | KYMO_OTF2_OF_WINDOW,
                        .sent_bytes = known_bytes (sent),
                        .received_bytes = known_bytes (received) };
  guint comm;

  if (!kymo_otf2_begin_record (stream, time, &part.end_ns))
    return OTF2_CALLBACK_SUCCESS;
  part.begin_ns = stream->collective_ns != G_MININT64
    ? MIN (stream->collective_ns, part.end_ns) : part.end_ns;
  stream->collective_ns = G_MININT64;
  if (index == KYMO_OTF2_NONE)
    {
      stream->counts.n_unknown_comms++;
      return OTF2_CALLBACK_SUCCESS;
    }
  comm = g_array_index (stream->defs->wins, KymoOtf2Win, index).comm;
  add_part (stream, &part, comm != KYMO_OTF2_NONE
            ? &g_array_index (stream->defs->comms, KymoOtf2Comm, comm) : NULL, root);
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_collective_request, uint64_t request)
{
  KymoOtf2Stream *stream = data;
  gint64 ns;

  if (kymo_otf2_begin_record (stream, time, &ns))
    g_hash_table_replace (stream->requests, g_memdup2 (&request, sizeof request),
                          g_memdup2 (&ns, sizeof ns));
  return OTF2_CALLBACK_SUCCESS;
}

KYMO_OTF2_EVENT (on_collective_complete, OTF2_CollectiveOp op, OTF2_CommRef comm_id,
                 uint32_t root, uint64_t sent, uint64_t received, uint64_t request)
{
  KymoOtf2Stream *stream = data;
  KymoOtf2Part part = { .op = op, .sent_bytes = known_bytes (sent), .asynchronous = TRUE,
                        .received_bytes = known_bytes (received) };
  const KymoOtf2Comm *comm = kymo_otf2_comm_of (stream, comm_id, &part.comm);
  const gint64 *begun = g_hash_table_lookup (stream->requests, &request);

  if (!kymo_otf2_begin_record (stream, time, &part.end_ns))
    return OTF2_CALLBACK_SUCCESS;
  part.begin_ns = begun != NULL ? MIN (*begun, part.end_ns) : part.end_ns;
  g_hash_table_remove (stream->requests, &request);
  if (comm != NULL)
    add_part (stream, &part, comm, root);
  else
    stream->counts.n_unknown_comms++;
  return OTF2_CALLBACK_SUCCESS;
}

/**
 * kymo_otf2_add_collective_callbacks:
 *
 * Sets the callbacks for collective operations, those of windows and those that do not block
 * included.
 */
void
kymo_otf2_add_collective_callbacks (KymoOtf2Events *calls)
{
  calls->MpiCollectiveBegin = on_collective_begin;
  calls->MpiCollectiveEnd = on_collective_end;
  calls->RmaCollectiveBegin = on_collective_begin;
  calls->RmaCollectiveEnd = on_window_collective_end;
  calls->NonBlockingCollectiveRequest = on_collective_request;
  calls->NonBlockingCollectiveComplete = on_collective_complete;
}

static KymoCollectiveKind
kind_of (const KymoOtf2Part *part)
{
  /* A member that only began the operation waits elsewhere, if at all. */
  if (part->asynchronous)
    return KYMO_COLLECTIVE_OTHER;
  switch (part->op)
    {
    case OTF2_COLLECTIVE_OP_BARRIER:
      return KYMO_COLLECTIVE_BARRIER;
    case OTF2_COLLECTIVE_OP_BCAST:
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
      return KYMO_COLLECTIVE_ONE_TO_ALL;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
    case OTF2_COLLECTIVE_OP_REDUCE:
      return KYMO_COLLECTIVE_ALL_TO_ONE;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
    case OTF2_COLLECTIVE_OP_ALLTOALL:
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
      return KYMO_COLLECTIVE_ALL_TO_ALL;
    case OTF2_COLLECTIVE_OP_SCAN:
    case OTF2_COLLECTIVE_OP_EXSCAN:
      return KYMO_COLLECTIVE_PREFIX;
    default:
      return KYMO_COLLECTIVE_OTHER;
    }
}

/* In the order in which a location began them. */
static int
compare_begins (gconstpointer a,
                gconstpointer b)
{
  const KymoOtf2Part *x = a, *y = b;

  KYMO_ORDER_BY (x->comm, y->comm);
  KYMO_ORDER_BY (x->asynchronous, y->asynchronous);
  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  KYMO_ORDER_BY (x->end_ns, y->end_ns);
  return 0;
}

/* Numbers the parts of one location. */
static void
number_parts (GArray *parts)
{
  g_array_sort (parts, compare_begins);
  for (guint i = 0; i < parts->len; i++)
    {
      KymoOtf2Part *part = &g_array_index (parts, KymoOtf2Part, i);

      part->ordinal = i > 0 && part[-1].comm == part->comm
        && part[-1].asynchronous == part->asynchronous ? part[-1].ordinal + 1 : 0;
    }
}

/* Parts of one collective side by side, by location. */
static int
compare_parts (gconstpointer a,
               gconstpointer b)
{
  const KymoOtf2Part *x = a, *y = b;

  KYMO_ORDER_BY (x->comm, y->comm);
  KYMO_ORDER_BY (x->asynchronous, y->asynchronous);
  KYMO_ORDER_BY (x->ordinal, y->ordinal);
  KYMO_ORDER_BY (x->location, y->location);
  return 0;
}

static gboolean
is_same (const KymoOtf2Part *x,
         const KymoOtf2Part *y)
{
  return x->comm == y->comm && x->asynchronous == y->asynchronous && x->ordinal == y->ordinal;
}

static gboolean
agree_otf2_collectives (const KymoOtf2Part *parts,
                        guint               n)
{
  for (guint i = 1; i < n; i++)
    if (parts[i].op != parts[0].op)
      return FALSE;
  return TRUE;
}

static guint32
row_of (const KymoOtf2Defs *defs,
        gint                location)
{
  return g_array_index (defs->locations, KymoOtf2Location, location).row;
}

/* Index of the communicator or window in the definitions of the run. */
static gint32
comm_of (const KymoOtf2Defs *defs,
         const KymoOtf2Part *part)
{
  guint32 index = part->comm & KYMO_OTF2_OF_WINDOW
    ? defs->comms->len + (part->comm & ~KYMO_OTF2_OF_WINDOW) : part->comm;

  return index <= G_MAXINT32 ? (gint32) index : -1;
}

/** Taking: a member of a collective, and what it moved */
typedef struct
{
  KymoCollectiveMember member;
  KymoCollectiveBytes  bytes;
} Taking;

static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const Taking *x = a, *y = b;

  KYMO_ORDER_BY (x->member.location, y->member.location);
  return 0;
}

/* In the order of rows. */
static void
fill_members (const KymoOtf2Defs   *defs,
              const KymoOtf2Part   *parts,
              guint                 n,
              KymoCollectiveMember *members,
              KymoCollectiveBytes  *bytes)
{
  g_autofree Taking *taking = g_new (Taking, n);

  for (guint i = 0; i < n; i++)
    taking[i] = (Taking) { { row_of (defs, parts[i].location), parts[i].begin_ns,
                             parts[i].end_ns },
                           { parts[i].sent_bytes, parts[i].received_bytes } };
  qsort (taking, n, sizeof *taking, compare_rows);
  for (guint i = 0; i < n; i++)
    {
      members[i] = taking[i].member;
      bytes[i] = taking[i].bytes;
    }
}

/* Makes a collective operation of its parts. FALSE where none of its functions is known. */
static gboolean
add_collective (KymoCollectives    *made,
                const KymoOtf2Defs *defs,
                const KymoOtf2Part *parts,
                guint               n)
{
  g_autofree KymoCollectiveMember *members = g_new (KymoCollectiveMember, n);
  g_autofree KymoCollectiveBytes *bytes = g_new (KymoCollectiveBytes, n);
  guint32 activity = G_MAXUINT32, root = KYMO_OTF2_NONE;
  KymoCollective *collective;

  for (guint i = 0; i < n; i++)
    {
      if (activity == G_MAXUINT32)
        activity = parts[i].activity;
      if (parts[i].root >= 0)
        root = row_of (defs, parts[i].root);
    }
  if (activity == G_MAXUINT32)
    return FALSE;
  fill_members (defs, parts, n, members, bytes);
  collective = kymo_collectives_add (made, members, n, activity, kind_of (parts),
                                     root != KYMO_OTF2_NONE ? (gint) root : -1);
  collective->comm = comm_of (defs, parts);
  collective->op = (gint16) parts->op;
  collective->level = parts->level;
  kymo_collectives_set_bytes (made, collective, bytes);
  return TRUE;
}

/**
 * kymo_otf2_join_collectives:
 * @parts: (array length=n) (nullable): of each location, some %NULL, on the clock of the run;
 *   they are sorted
 * @n: number of locations
 *
 * Returns: (transfer full) (nullable): the collectives; %NULL if there are none
 */
KymoCollectives *
kymo_otf2_join_collectives (const KymoOtf2Defs *defs,
                            GArray            **parts,
                            guint               n)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (KymoOtf2Part));
  KymoCollectives *made;

  for (guint i = 0; i < n; i++)
    if (parts[i] != NULL && row_of (defs, i) != KYMO_OTF2_NONE)
      {
        number_parts (parts[i]);
        g_array_append_vals (all, parts[i]->data, parts[i]->len);
      }
  if (all->len == 0)
    return NULL;
  g_array_sort (all, compare_parts);
  made = kymo_collectives_new ();
  for (guint i = 0, end; i < all->len; i = end)
    {
      const KymoOtf2Part *first = &g_array_index (all, KymoOtf2Part, i);

      for (end = i + 1; end < all->len && is_same (first, first + end - i); end++)
        ;
      if (!agree_otf2_collectives (first, end - i) || !add_collective (made, defs, first, end - i))
        made->n_left_out += end - i;
    }
  kymo_collectives_sort (made);
  return made;
}
