/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-own.h"

#include <string.h>

#include "kymo-rec-sys.h"

/* OTF2_Paradigm and OTF2_RegionRole, as kymo_rec_region() is told them. */
enum { PARADIGM_MPI = 4 };
enum
{
  ROLE_CRITICAL = 12, ROLE_ATOMIC = 14, ROLE_BARRIER = 15,
  ROLE_IMPLICIT_BARRIER = 16, ROLE_FLUSH = 17, ROLE_ORDERED = 18, ROLE_TASK_WAIT = 22,
  ROLE_COLL_ONE2ALL = 23, ROLE_COLL_ALL2ONE = 24, ROLE_COLL_ALL2ALL = 25, ROLE_COLL_OTHER = 26,
  ROLE_FILE_IO = 27, ROLE_POINT2POINT = 28, ROLE_RMA = 29, ROLE_DATA_TRANSFER = 30,
  ROLE_ARTIFICIAL = 31, ROLE_THREAD_WAIT = 33, ROLE_FILE_IO_METADATA = 38,
};

#define MAP_BYTES (65536 * sizeof (uint16_t))

/**
 * kymo_live_own_init: begins with bin 0.
 * @of_node: this process tells of its node
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_live_own_init (KymoLiveOwn *own,
                    uint32_t     rank,
                    bool         of_node)
{
  memset (own, 0, sizeof *own);
  own->rank = rank;
  own->room = sizeof (KymoLiveHead) + KYMO_LIVE_BINS * (2 + 4 * KYMO_LIVE_MOST_IN_BIN);
  own->second = kymo_sys_map (sizeof *own->second, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  own->ids = kymo_sys_map (MAP_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  own->bytes = kymo_sys_map (own->room, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  kymo_live_scalars_open (&own->scalars, rank, of_node);
  return own->second != NULL && own->ids != NULL && own->bytes != NULL;
}

static void
begin_second (KymoLiveOwn *own,
              uint64_t     number)
{
  own->number = number;
  memset (own->second->n, 0, sizeof own->second->n);
  memset (own->second->n_threads, 0, sizeof own->second->n_threads);
}

/**
 * kymo_live_own_skip: goes on at a later bin: those before it are lost.
 * @bin: the first of a second
 */
void
kymo_live_own_skip (KymoLiveOwn *own,
                    uint64_t     bin)
{
  if (bin <= own->n_taken)
    return;
  own->n_taken = bin;
  begin_second (own, bin / KYMO_LIVE_BINS);
}

/**
 * kymo_live_own_take: takes bins that are over into the second.
 * @n_bins: of the stream that are over
 *
 * Returns: whether the second is full
 */
bool
kymo_live_own_take (KymoLiveOwn *own,
                    uint64_t     n_bins)
{
  uint64_t end = (own->number + 1) * KYMO_LIVE_BINS;

  if (n_bins < end)
    end = n_bins;
  if (end > own->n_taken)
    kymo_live_bins_take (own->second, own->n_taken, (unsigned) (own->n_taken % KYMO_LIVE_BINS),
                         (unsigned) (end - own->n_taken));
  if (end > own->n_taken)
    own->n_taken = end;
  return own->n_taken == (own->number + 1) * KYMO_LIVE_BINS;
}

/* What a region is for, as the reader of archives says. */
static KymoLiveRole
role_of (int role,
         int paradigm)
{
  switch (role)
    {
    case ROLE_BARRIER:
    case ROLE_IMPLICIT_BARRIER:
    case ROLE_FLUSH:
    case ROLE_CRITICAL:
    case ROLE_ATOMIC:
    case ROLE_ORDERED:
      return KYMO_LIVE_SYNCHRONIZATION;
    case ROLE_THREAD_WAIT:
    case ROLE_TASK_WAIT:
      return KYMO_LIVE_WAIT;
    case ROLE_COLL_ONE2ALL:
    case ROLE_COLL_ALL2ONE:
    case ROLE_COLL_ALL2ALL:
    case ROLE_COLL_OTHER:
    case ROLE_POINT2POINT:
    case ROLE_RMA:
    case ROLE_DATA_TRANSFER:
      return KYMO_LIVE_COMMUNICATION;
    case ROLE_FILE_IO:
    case ROLE_FILE_IO_METADATA:
      return KYMO_LIVE_IO;
    default:
      return paradigm == PARADIGM_MPI || role >= ROLE_ARTIFICIAL ? KYMO_LIVE_RUNTIME
                                                               : KYMO_LIVE_COMPUTE;
    }
}

/* The number of a region's name; `region` is that of a bin. */
static uint16_t
find_id (KymoLiveOwn   *own,
         KymoLiveNames *names,
         uint16_t       region)
{
  const char *name;
  int role, paradigm;

  if (own->ids[region] != 0)
    return own->ids[region] - 1;
  uint16_t id = KYMO_LIVE_OTHER_REST;
  if (region != 0 && kymo_rec_region_look (region - 1u, &name, &role, &paradigm))
    id = kymo_live_names_add (names, name, strlen (name), role_of (role, paradigm));
  own->ids[region] = id + 1;
  return id;
}

/* Writes a bin. Returns where the next begins; *compute gets the shares that are compute. */
static uint8_t *
write_bin (KymoLiveOwn   *own,
           KymoLiveNames *names,
           unsigned       bin,
           uint8_t       *at,
           uint64_t      *compute)
{
  const KymoLiveSecond *second = own->second;
  uint64_t whole = kymo_live_bins_ticks () * second->n_threads[bin];
  uint16_t n = whole > 0 ? second->n[bin] : 0;

  memcpy (at, &n, 2);
  at += 2;
  for (unsigned i = 0; i < n; i++, at += 4)
    {
      uint16_t id = find_id (own, names, second->regions[i][bin]);
      uint64_t share = second->ticks[i][bin] * KYMO_LIVE_WHOLE / whole;
      uint16_t cut = share < KYMO_LIVE_WHOLE ? (uint16_t) share : KYMO_LIVE_WHOLE;
      memcpy (at, &id, 2);
      memcpy (at + 2, &cut, 2);
      if (kymo_live_names_role (names, id) == KYMO_LIVE_COMPUTE)
        *compute += cut;
    }
  return at;
}

/**
 * kymo_live_own_write: makes a block of the second, into `bytes`, and begins the next. What was not
 * taken of it is empty.
 * @names: gets names of new regions
 *
 * Returns: bytes of the block
 */
size_t
kymo_live_own_write (KymoLiveOwn   *own,
                     KymoLiveNames *names,
                     uint64_t       now_ns)
{
  KymoLiveHead head = { .number = own->number, .n_processes = 1 };
  uint8_t *at = own->bytes + sizeof head;
  uint64_t compute = 0, n_bins = own->n_taken - own->number * KYMO_LIVE_BINS;

  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    at = write_bin (own, names, bin, at, &compute);
  if (n_bins > 0)
    kymo_live_head_scalar (&head, KYMO_LIVE_LOAD, own->rank,
                           (int64_t) (compute * 1000000 / (n_bins * KYMO_LIVE_WHOLE)));
  kymo_live_scalars_read (&own->scalars, now_ns, &head);
  memcpy (own->bytes, &head, sizeof head);
  begin_second (own, own->number + 1);
  own->n_taken = own->number * KYMO_LIVE_BINS;
  return (size_t) (at - own->bytes);
}
