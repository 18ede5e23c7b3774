/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worlds, communicators, their groups and windows.
 */
#include "kymo-archive-merge.h"

#include <stdio.h>
#include <string.h>

/* More ranks than this are not believed. */
#define MOST_RANKS (1u << 20)

enum
{
  GROUP_OF_RANKS,
  GROUP_OF_THREADS,
};

/* The first fields of keys of communicators. */
enum
{
  COMM_WORLD,
  COMM_SELF,
  COMM_PAIR,
  COMM_TEAM,
};

static KymoArchiveComm *
comm_at (KymoArchiveMerge *merge,
         uint32_t          number)
{
  return &KYMO_ARCHIVE_AT (&merge->comm_list, KymoArchiveComm)[number];
}

static const KymoArchiveWorldPart *
world_of (const KymoArchiveAdding *adding)
{
  return &KYMO_ARCHIVE_AT (&adding->merge->parts, KymoArchiveWorldPart)[adding->world];
}

/**
 * kymo_archive_adding_world:
 *
 * Takes a line `world`: the process has a rank, unless another one has it already.
 */
void
kymo_archive_adding_world (KymoArchiveAdding     *adding,
                           const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  KymoArchiveLocationGroup *group = &KYMO_ARCHIVE_AT (&merge->location_groups,
                                                      KymoArchiveLocationGroup)[adding->group];
  uint64_t rank, size;
  uint32_t number, world, n_known = merge->ranks.n;
  char name[64];

  if (adding->world != KYMO_ARCHIVE_NONE
      || !kymo_archive_get_number (line->field[2], MOST_RANKS - merge->n_ranks, &size)
      || size == 0 || !kymo_archive_get_number (line->field[1], size - 1, &rank))
    return;
  number = kymo_archive_pool_add (&merge->worlds, line->field[3], strlen (line->field[3]) + 1);
  if (number != KYMO_ARCHIVE_NONE
      && number == KYMO_ARCHIVE_COUNT (&merge->parts, KymoArchiveWorldPart))
    {
      KymoArchiveWorldPart part = { merge->n_ranks, (uint32_t) size };

      kymo_archive_bytes_add (&merge->parts, &part, sizeof part);
      merge->n_ranks += (uint32_t) size;
    }
  if (number == KYMO_ARCHIVE_NONE || merge->parts.failed)
    return;
  world = number;
  adding->world = world;
  rank = rank < world_of (adding)->size ? rank + world_of (adding)->first : MOST_RANKS;
  number = (uint32_t) rank;
  if (rank == MOST_RANKS
      || kymo_archive_pool_add (&merge->ranks, &number, sizeof number) != n_known)
    {
      adding->world = KYMO_ARCHIVE_NONE;
      return;
    }
  merge->has_mpi = true;
  group->rank = adding->rank = (int64_t) rank;
  snprintf (name, sizeof name, world > 0 ? "MPI Rank %u (rank %.20s of world %u)" : "MPI Rank %u",
            number, line->field[1], world);
  group->name = kymo_archive_merge_string (merge, name);
}

/* -- communicators ------------------------------------------------------------------- */

/* The number of a regular group. */
static uint32_t
add_group (KymoArchiveMerge       *merge,
           uint64_t                kind,
           uint32_t                first,
           const KymoArchiveBytes *ranks)
{
  KymoArchiveBytes key = { 0 };
  uint32_t number = KYMO_ARCHIVE_NONE;

  kymo_archive_bytes_add (&key, &kind, sizeof kind);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (ranks, uint32_t); i++)
    {
      uint64_t member = (uint64_t) first + KYMO_ARCHIVE_AT (ranks, uint32_t)[i];

      kymo_archive_bytes_add (&key, &member, sizeof member);
    }
  if (!key.failed)
    number = kymo_archive_pool_add (&merge->groups, key.at, key.n);
  merge->failed = merge->failed || number == KYMO_ARCHIVE_NONE;
  kymo_archive_bytes_clear (&key);
  return number;
}

static void
add_all_ranks (const KymoArchiveAdding *adding,
               KymoArchiveBytes        *ranks)
{
  for (uint32_t i = 0; i < world_of (adding)->size; i++)
    kymo_archive_bytes_add (ranks, &i, sizeof i);
}

/* What a communicator that is new consists of. */
static KymoArchiveComm
describe_comm (KymoArchiveAdding     *adding,
               const KymoArchiveLine *line,
               uint32_t               kind)
{
  KymoArchiveMerge *merge = adding->merge;
  const KymoArchiveWorldPart *part = world_of (adding);
  KymoArchiveComm comm = { .name = KYMO_ARCHIVE_NONE, .group = KYMO_ARCHIVE_NONE,
                           .other = KYMO_ARCHIVE_NONE, .is_self = kind == COMM_SELF,
                           .is_world = kind == COMM_WORLD };
  KymoArchiveBytes ranks[2] = { { 0 }, { 0 } };

  if (*line->field[5] != '\0' || kind != COMM_PAIR)
    comm.name = kymo_archive_merge_string (merge, *line->field[5] != '\0' ? line->field[5]
                                           : kind == COMM_SELF ? "MPI_COMM_SELF"
                                           : "MPI_COMM_WORLD");
  if (kind == COMM_SELF)
    return comm;
  if (kind == COMM_WORLD)
    add_all_ranks (adding, &ranks[0]);
  else
    kymo_archive_get_ranks (line->field[6], part->size - 1, ranks);
  comm.group = add_group (merge, GROUP_OF_RANKS, part->first, &ranks[0]);
  if (strcmp (line->field[2], "inter") == 0)
    comm.other = add_group (merge, GROUP_OF_RANKS, part->first, &ranks[1]);
  kymo_archive_bytes_clear (&ranks[0]);
  kymo_archive_bytes_clear (&ranks[1]);
  return comm;
}

static uint32_t
find_comm (KymoArchiveAdding     *adding,
           const KymoArchiveLine *line,
           uint32_t               kind)
{
  KymoArchiveMerge *merge = adding->merge;
  struct { uint64_t kind, world, root, counter; } pair = { kind, adding->world, 0, 0 };
  KymoArchiveBytes key = { 0 };
  uint32_t number = KYMO_ARCHIVE_NONE;

  if (kind == COMM_SELF)
    {
      kymo_archive_bytes_print (&key, "s%.500s", line->field[5]);
      if (!key.failed)
        number = kymo_archive_pool_add (&merge->comms, key.at, key.n);
      kymo_archive_bytes_clear (&key);
      return number;
    }
  if (kind == COMM_PAIR && (!kymo_archive_get_number (line->field[3], UINT32_MAX, &pair.root)
                            || !kymo_archive_get_number (line->field[4], INT64_MAX, &pair.counter)))
    return KYMO_ARCHIVE_NONE;
  return kymo_archive_pool_add (&merge->comms, &pair, sizeof pair);
}

/**
 * kymo_archive_adding_comm:
 *
 * Takes a line `comm`.
 */
void
kymo_archive_adding_comm (KymoArchiveAdding     *adding,
                          const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint32_t kind = strcmp (line->field[2], "world") == 0 ? COMM_WORLD
    : strcmp (line->field[2], "self") == 0 ? COMM_SELF : COMM_PAIR;
  uint32_t number;
  uint64_t id;

  if (adding->world == KYMO_ARCHIVE_NONE
      || !kymo_archive_get_number (line->field[1], UINT32_MAX, &id))
    return;
  number = find_comm (adding, line, kind);
  if (number == KYMO_ARCHIVE_NONE)
    return;
  if (number == KYMO_ARCHIVE_COUNT (&merge->comm_list, KymoArchiveComm))
    {
      KymoArchiveComm comm = describe_comm (adding, line, kind);

      kymo_archive_bytes_add (&merge->comm_list, &comm, sizeof comm);
      if (merge->comm_list.failed)
        return;
    }
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_COMMS, id, number);
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_GROUPS, id,
                          comm_at (merge, number)->group);
}

/**
 * kymo_archive_adding_comm_name:
 *
 * Takes a line `commname`: the last name that any process gives a communicator is its name.
 */
void
kymo_archive_adding_comm_name (KymoArchiveAdding     *adding,
                               const KymoArchiveLine *line)
{
  uint32_t number;
  uint64_t id;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX - 1, &id) || *line->field[2] == '\0')
    return;
  number = kymo_archive_table_get (adding->table, KYMO_ARCHIVE_COMMS, (uint32_t) id);
  if (number != KYMO_ARCHIVE_NONE)
    comm_at (adding->merge, number)->name = kymo_archive_merge_string (adding->merge,
                                                                       line->field[2]);
}

static void
rename_win (KymoArchiveMerge *merge,
            uint32_t          number,
            const char       *name)
{
  if (*name != '\0' && !merge->win_list.failed)
    KYMO_ARCHIVE_AT (&merge->win_list, KymoArchiveWin)[number].name =
      kymo_archive_merge_string (merge, name);
}

/**
 * kymo_archive_adding_win:
 *
 * Takes a line `win`: the n-th window of a communicator is the same in all its processes. A second
 * line for the same window gives it another name.
 */
void
kymo_archive_adding_win (KymoArchiveAdding     *adding,
                         const KymoArchiveLine *line)
{
  KymoArchiveMerge *merge = adding->merge;
  uint64_t id, local;
  uint32_t key[2], number;

  if (!kymo_archive_get_number (line->field[1], UINT32_MAX, &id)
      || !kymo_archive_get_number (line->field[2], UINT32_MAX - 1, &local))
    return;
  number = kymo_archive_table_get (adding->table, KYMO_ARCHIVE_WINS, (uint32_t) id);
  if (number != KYMO_ARCHIVE_NONE)
    {
      rename_win (merge, number, line->field[3]);
      return;
    }
  key[0] = kymo_archive_table_get (adding->table, KYMO_ARCHIVE_COMMS, (uint32_t) local);
  if (key[0] == KYMO_ARCHIVE_NONE)
    return;
  key[1] = kymo_archive_adding_count (adding, KYMO_ARCHIVE_WINS, key[0], 0);
  number = kymo_archive_pool_add (&merge->wins, key, sizeof key);
  if (number == KYMO_ARCHIVE_COUNT (&merge->win_list, KymoArchiveWin))
    {
      KymoArchiveWin win = { kymo_archive_merge_string (merge, *line->field[3] != '\0'
                                                        ? line->field[3] : "window"), key[0] };

      kymo_archive_bytes_add (&merge->win_list, &win, sizeof win);
    }
  kymo_archive_table_set (adding->table, KYMO_ARCHIVE_WINS, id, number);
}

/**
 * kymo_archive_adding_team:
 *
 * Makes a communicator of the threads of a process that has several.
 */
void
kymo_archive_adding_team (KymoArchiveAdding *adding)
{
  KymoArchiveMerge *merge = adding->merge;
  const KymoArchiveLocation *locations = KYMO_ARCHIVE_AT (&merge->locations, KymoArchiveLocation);
  struct { uint64_t kind, index; } key = { COMM_TEAM, adding->index };
  KymoArchiveComm team = { .other = KYMO_ARCHIVE_NONE, .is_team = true };
  uint32_t first = (uint32_t) KYMO_ARCHIVE_COUNT (&merge->threads, uint64_t);
  uint32_t number, n_threads = 0;
  KymoArchiveBytes threads = { 0 };

  for (size_t i = adding->table->first_location;
       i < KYMO_ARCHIVE_COUNT (&merge->locations, KymoArchiveLocation); i++)
    if (!locations[i].is_metric)
      {
        uint64_t location = i;

        kymo_archive_bytes_add (&threads, &n_threads, sizeof n_threads);
        n_threads++;
        kymo_archive_bytes_add (&merge->threads, &location, sizeof location);
      }
  merge->failed = merge->failed || threads.failed;
  if (KYMO_ARCHIVE_COUNT (&threads, uint32_t) > 1)
    {
      char name[64] = "threads";

      if (adding->rank >= 0)
        snprintf (name, sizeof name, "threads of MPI Rank %lld", (long long) adding->rank);
      team.name = kymo_archive_merge_string (merge, name);
      team.group = add_group (merge, GROUP_OF_THREADS, first, &threads);
      number = kymo_archive_pool_add (&merge->comms, &key, sizeof key);
      if (number == KYMO_ARCHIVE_COUNT (&merge->comm_list, KymoArchiveComm))
        kymo_archive_bytes_add (&merge->comm_list, &team, sizeof team);
      adding->table->team = number;
    }
  else
    merge->threads.n = first * sizeof (uint64_t);
  kymo_archive_bytes_clear (&threads);
}
