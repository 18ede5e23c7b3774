/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators. What all processes of a communicator call it follows from what they all know,
 * without a message: who its members are, which communicator it was made from, and how often that
 * has happened before. Members of a group have made all earlier ones of the same members together,
 * so they count alike; with several threads too, since MPI orders what is made from one parent.
 * So MPI_Comm_idup, whose end each process sees at another time, needs no agreement.
 */
#include "kymo-mpi.h"

#include <stdio.h>
#include <string.h>

#define MOST_TEXT (128 << 10)

__thread __typeof__ (kymo_mpi_last_comm) kymo_mpi_last_comm
  __attribute__ ((tls_model ("initial-exec")));
_Atomic uint32_t kymo_mpi_generation;
KymoMpiComm *kymo_mpi_world;

static KymoMpiMap comms, seen;
static MPI_Group world_group;
static bool have_world_group;   /* not where sessions do without MPI_Init */
static _Atomic uint64_t n_foreign;
static KymoMpiComm *_Atomic free_comms;
static KymoSysLock free_lock;

/* The members of a communicator. */
typedef struct
{
  int n, n_far;
  int *ranks, *far_ranks;       /* in MPI_COMM_WORLD; far: of the remote group */
  bool foreign;
} Members;

/**
 * kymo_mpi_foreign_messages: messages to processes of another MPI_COMM_WORLD, which cannot be
 * recorded.
 */
uint64_t
kymo_mpi_foreign_messages (void)
{
  return atomic_load (&n_foreign);
}

static uint64_t
hash_bytes (uint64_t    hash,
            const void *bytes,
            size_t      n_bytes)
{
  const unsigned char *at = bytes;

  for (size_t i = 0; i < n_bytes; i++)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

/* The world ranks of a group, in scratch memory. */
static bool
translate_group (MPI_Group  group,
                 unsigned   which,
                 int       *n,
                 int      **ranks)
{
  if (!have_world_group || PMPI_Group_size (group, n) != MPI_SUCCESS)
    return false;
  int *own = kymo_mpi_scratch (which, 2 * (size_t) (*n + 1) * sizeof *own);
  if (own == NULL)
    return false;
  for (int i = 0; i < *n; i++)
    own[i] = i;
  *ranks = own + *n;
  if (*n > 0
      && PMPI_Group_translate_ranks (group, *n, own, world_group, *ranks) != MPI_SUCCESS)
    return false;
  for (int i = 0; i < *n; i++)
    if ((*ranks)[i] < 0)
      return false;
  return true;
}

static void
find_members (MPI_Comm  comm,
              bool      inter,
              Members  *members)
{
  MPI_Group group;

  memset (members, 0, sizeof *members);
  members->foreign = true;
  if (PMPI_Comm_group (comm, &group) != MPI_SUCCESS)
    return;
  members->foreign = !translate_group (group, 0, &members->n, &members->ranks);
  PMPI_Group_free (&group);
  if (members->foreign || !inter)
    return;
  members->foreign = true;
  if (PMPI_Comm_remote_group (comm, &group) != MPI_SUCCESS)
    return;
  members->foreign = !translate_group (group, 1, &members->n_far, &members->far_ranks);
  PMPI_Group_free (&group);
}

static int
put_ranks (char      *text,
           int        at,
           const int *ranks,
           int        n)
{
  for (int i = 0, last; i < n && at < MOST_TEXT - 64; i = last + 1)
    {
      for (last = i; last + 1 < n && ranks[last + 1] == ranks[last] + 1; last++)
        ;
      at += snprintf (text + at, (size_t) (MOST_TEXT - at), last > i ? "%s%d-%d" : "%s%d",
                      i > 0 ? "," : "", ranks[i], ranks[last]);
    }
  return at;
}

/* Writes the definition; group A of an intercommunicator is that with the lower first rank. */
static void
define_comm (KymoMpiComm   *entry,
             const char    *kind,
             const char    *name,
             const Members *members)
{
  char *text = kymo_mpi_scratch (2, MOST_TEXT);
  bool swap = entry->inter && members->far_ranks[0] < members->ranks[0];
  int at;

  if (text == NULL)
    {
      entry->id = KYMO_MPI_FOREIGN;
      return;
    }
  text[0] = '\0';
  at = put_ranks (text, 0, swap ? members->far_ranks : members->ranks,
                  swap ? members->n_far : members->n);
  if (entry->inter)
    {
      text[at++] = '|';
      put_ranks (text, at, swap ? members->ranks : members->far_ranks,
                 swap ? members->n : members->n_far);
    }
  entry->id = kymo_rec_next_id (KYMO_REC_COMM);
  kymo_rec_define ("comm", "usuUsr", entry->id, kind, entry->root, entry->counter, name, text);
}

static KymoMpiComm *
make_entry (void)
{
  kymo_sys_lock (&free_lock);
  KymoMpiComm *entry = atomic_load (&free_comms);
  if (entry != NULL)
    atomic_store (&free_comms, (KymoMpiComm *) (uintptr_t) entry->counter);
  kymo_sys_unlock (&free_lock);
  if (entry == NULL)
    entry = kymo_rec_arena (sizeof *entry);
  if (entry != NULL)
    memset (entry, 0, sizeof *entry);
  return entry;
}

static void
identify (KymoMpiComm   *entry,
          const Members *members,
          uint64_t       key)
{
  const int *first = members->ranks, *second = members->far_ranks;
  int n_first = members->n, n_second = members->n_far;

  if (n_second > 0 && second[0] < first[0])
    {
      first = members->far_ranks;
      second = members->ranks;
      n_first = members->n_far;
      n_second = members->n;
    }
  /* The two sides of an intercommunicator come from different parents. */
  uint64_t hash = hash_bytes (0xcbf29ce484222325u, first, (size_t) n_first * sizeof *first);
  if (n_second > 0)
    hash = hash_bytes (hash * 31, second, (size_t) n_second * sizeof *second);
  else
    hash = hash_bytes (hash, &key, sizeof key);
  uint64_t count = kymo_mpi_map_count (&seen, hash);
  entry->root = (uint32_t) first[0];
  entry->counter = (hash_bytes (hash, &count, sizeof count) >> 2) | 1;
}

/* An entry for a communicator of which nothing is known; KEY says where it comes from. */
static KymoMpiComm *
enter_comm (MPI_Comm comm,
            uint64_t key)
{
  KymoMpiComm *entry = make_entry ();
  Members members;
  int inter = 0;

  if (entry == NULL)
    return NULL;
  PMPI_Comm_test_inter (comm, &inter);
  entry->handle = KYMO_HANDLE (comm);
  entry->inter = inter != 0;
  entry->n_sources = entry->n_targets = -1;
  entry->id = KYMO_MPI_FOREIGN;
  PMPI_Comm_rank (comm, &entry->rank);
  PMPI_Comm_size (comm, &entry->size);
  entry->far_size = entry->size;
  if (entry->inter)
    PMPI_Comm_remote_size (comm, &entry->far_size);
  find_members (comm, entry->inter, &members);
  if (!members.foreign && members.n > 0)
    {
      identify (entry, &members, key);
      define_comm (entry, entry->inter ? "inter" : "group", "", &members);
    }
  kymo_mpi_map_set (&comms, entry->handle, entry);
  return entry;
}

/**
 * kymo_mpi_comm_look_up: as kymo_mpi_comm(), which asks here if it does not remember. A
 * communicator that was made while nothing was recorded is entered now.
 *
 * Returns: what is known of it, owned by the table; never NULL
 */
KymoMpiComm *
kymo_mpi_comm_look_up (MPI_Comm comm)
{
  static KymoMpiComm unknown = { .id = KYMO_MPI_FOREIGN, .size = 1, .far_size = 1 };

  if (comm == MPI_COMM_NULL)
    return &unknown;
  uint32_t generation = atomic_load (&kymo_mpi_generation);
  KymoMpiComm *entry = kymo_mpi_map_get (&comms, KYMO_HANDLE (comm));
  if (entry == NULL)
    entry = enter_comm (comm, 1);
  if (entry == NULL)
    return &unknown;
  kymo_mpi_last_comm.handle = comm;
  kymo_mpi_last_comm.comm = entry;
  kymo_mpi_last_comm.generation = generation;
  return entry;
}

/**
 * kymo_mpi_comm_key: what tells apart communicators that have the same members.
 * @parent: from which they are made
 */
uint64_t
kymo_mpi_comm_key (MPI_Comm parent)
{
  const KymoMpiComm *entry = kymo_mpi_comm (parent);

  return entry->counter * 0x9e3779b97f4a7c15u + entry->root;
}

/**
 * kymo_mpi_comm_add: a communicator was made.
 * @key: from kymo_mpi_comm_key()
 */
void
kymo_mpi_comm_add (KymoRecThread *thread,
                   MPI_Comm       comm,
                   uint64_t       key)
{
  if (comm == MPI_COMM_NULL)
    return;
  KymoMpiComm *entry = enter_comm (comm, key);
  atomic_fetch_add (&kymo_mpi_generation, 1);
  if (entry == NULL || entry->id == KYMO_MPI_FOREIGN)
    return;
  KymoRawCell *cell = kymo_rec_reserve (thread, 1);
  if (cell == NULL)
    return;
  cell->arg = entry->id;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_COMM_CREATE);
}

/**
 * kymo_mpi_comm_gone: a communicator is about to be freed: its handle may come back as another.
 */
void
kymo_mpi_comm_gone (KymoRecThread *thread,
                    MPI_Comm       comm)
{
  KymoMpiComm *entry = kymo_mpi_map_take (&comms, KYMO_HANDLE (comm));

  atomic_fetch_add (&kymo_mpi_generation, 1);
  if (entry == NULL || entry == kymo_mpi_world)
    return;
  uint32_t id = entry->id;
  kymo_sys_lock (&free_lock);
  entry->counter = (uint64_t) (uintptr_t) atomic_load (&free_comms);
  atomic_store (&free_comms, entry);
  kymo_sys_unlock (&free_lock);
  KymoRawCell *cell = id != KYMO_MPI_FOREIGN ? kymo_rec_reserve (thread, 1) : NULL;
  if (cell == NULL)
    return;
  cell->arg = id;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_COMM_DESTROY);
}

/**
 * kymo_mpi_comm_name: a communicator got a name.
 * @name: any text
 */
void
kymo_mpi_comm_name (MPI_Comm    comm,
                    const char *name)
{
  const KymoMpiComm *entry = kymo_mpi_comm (comm);

  if (entry->id != KYMO_MPI_FOREIGN && name != NULL)
    kymo_rec_define ("commname", "us", entry->id, name);
}

/**
 * kymo_mpi_comm_neighbours: asks MPI how many neighbours this process has in @comm.
 * @comm: with a topology
 * @entry: of @comm; gets the numbers
 */
void
kymo_mpi_comm_neighbours (MPI_Comm     comm,
                          KymoMpiComm *entry)
{
  int status = MPI_UNDEFINED, n_in = 0, n_out = 0, weighted;

  if (entry->n_sources >= 0)
    return;
  PMPI_Topo_test (comm, &status);
  if (status == MPI_CART)
    {
      PMPI_Cartdim_get (comm, &n_in);
      n_in = n_out = 2 * n_in;
    }
  else if (status == MPI_GRAPH)
    {
      PMPI_Graph_neighbors_count (comm, entry->rank, &n_in);
      n_out = n_in;
    }
  else if (status == MPI_DIST_GRAPH)
    PMPI_Dist_graph_neighbors_count (comm, &n_in, &n_out, &weighted);
  entry->n_targets = n_out;
  entry->n_sources = n_in;
}

/**
 * kymo_mpi_comms_init: enters MPI_COMM_WORLD and MPI_COMM_SELF.
 */
void
kymo_mpi_comms_init (KymoRecThread *thread)
{
  static KymoMpiComm world, self;
  Members members;

  have_world_group = PMPI_Comm_group (MPI_COMM_WORLD, &world_group) == MPI_SUCCESS;
  PMPI_Comm_rank (MPI_COMM_WORLD, &world.rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &world.size);
  world.handle = KYMO_HANDLE (MPI_COMM_WORLD);
  world.far_size = world.size;
  world.n_sources = world.n_targets = self.n_sources = self.n_targets = -1;
  self.handle = KYMO_HANDLE (MPI_COMM_SELF);
  self.size = self.far_size = 1;
  self.root = (uint32_t) world.rank;
  find_members (MPI_COMM_WORLD, false, &members);
  if (members.foreign)
    return;
  define_comm (&world, "world", "MPI_COMM_WORLD", &members);
  members.n = 1;
  members.ranks[0] = world.rank;
  define_comm (&self, "self", "MPI_COMM_SELF", &members);
  kymo_mpi_map_set (&comms, world.handle, &world);
  kymo_mpi_map_set (&comms, self.handle, &self);
  kymo_mpi_world = &world;
}

/**
 * kymo_mpi_can_record: whether a message has an other end that a record can name.
 * @peer: its rank, MPI_PROC_NULL or MPI_ANY_SOURCE
 */
bool
kymo_mpi_can_record (const KymoMpiComm *comm,
                     int                peer)
{
  if (peer == MPI_PROC_NULL)
    return false;
  if (comm->id != KYMO_MPI_FOREIGN)
    return true;
  atomic_fetch_add (&n_foreign, 1);
  return false;
}

static void
mark_message (KymoRecThread *thread,
              uint8_t        type,
              uint32_t       comm,
              int            peer,
              int            tag,
              int64_t        n_bytes)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 2);

  if (cell == NULL)
    return;
  cell->arg = comm;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->i = peer;
  kymo_rec_words (cell, 1)->j = tag;
  kymo_rec_words (cell, 1)->n = (uint64_t) n_bytes;
  kymo_rec_commit (cell, type);
}

/* For the live view. */
static inline void
count_message (KymoRecThread *thread,
               int64_t        n_bytes)
{
  thread->n_messages++;
  thread->n_message_bytes += (uint64_t) n_bytes;
}

/**
 * kymo_mpi_mark_send: a message is about to be sent.
 * @peer: rank of the receiver in @comm
 * @tag: of the message
 * @n_bytes: its size
 */
void
kymo_mpi_mark_send (KymoRecThread *thread,
                    MPI_Comm       comm,
                    int            peer,
                    int            tag,
                    int64_t        n_bytes)
{
  const KymoMpiComm *entry = kymo_mpi_comm (comm);

  if (!kymo_mpi_can_record (entry, peer))
    return;
  count_message (thread, n_bytes);
  mark_message (thread, KYMO_RAW_SEND, entry->id, peer, tag, n_bytes);
}

/**
 * kymo_mpi_mark_recv: a message was received.
 * @comm: (nullable): of the message
 * @status: says from whom and how much
 */
void
kymo_mpi_mark_recv (KymoRecThread     *thread,
                    const KymoMpiComm *comm,
                    const MPI_Status  *status)
{
  if (comm != NULL && kymo_mpi_can_record (comm, status->MPI_SOURCE))
    mark_message (thread, KYMO_RAW_RECV, comm->id, status->MPI_SOURCE, status->MPI_TAG,
                  kymo_mpi_received (status));
}

/**
 * kymo_mpi_mark_isend: a message is about to be sent and its end will be seen.
 */
void
kymo_mpi_mark_isend (KymoRecThread        *thread,
                     const KymoMpiRequest *request)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 3);

  if (cell == NULL)
    return;
  count_message (thread, request->sent);
  cell->arg = request->target;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->i = request->peer;
  kymo_rec_words (cell, 1)->j = request->tag;
  kymo_rec_words (cell, 1)->n = (uint64_t) request->sent;
  kymo_rec_words (cell, 2)->a = request->kind == KYMO_MPI_SENDRECV ? request->send_id : request->id;
  kymo_rec_commit (cell, KYMO_RAW_ISEND);
}

/**
 * kymo_mpi_mark_id: something happened to a request.
 * @type: a KymoRawType of two cells
 * @id: of the request
 */
void
kymo_mpi_mark_id (KymoRecThread *thread,
                  uint8_t        type,
                  uint64_t       id)
{
  KymoRawCell *cell = kymo_rec_reserve (thread, 2);

  if (cell == NULL)
    return;
  cell->time = kymo_rec_now ();
  kymo_rec_words (cell, 1)->a = id;
  kymo_rec_commit (cell, type);
}
