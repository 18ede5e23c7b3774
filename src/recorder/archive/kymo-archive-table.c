/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-table.h"

#include <string.h>

/* Ids are dense, but several threads may define at the same time. */
#define MOST_GAP 4096

/**
 * kymo_archive_table_set:
 * @kind: of the thing
 * @local: its number in the process
 * @number: its number in the archive
 *
 * Notes a number; one that leaves too large a gap is not believed, and one that is there stays.
 */
void
kymo_archive_table_set (KymoArchiveTable *table,
                        KymoArchiveKind   kind,
                        uint64_t          local,
                        uint32_t          number)
{
  KymoArchiveBytes *ids = &table->ids[kind];
  size_t n = KYMO_ARCHIVE_COUNT (ids, uint32_t);

  if (local > n + MOST_GAP || number == KYMO_ARCHIVE_NONE)
    return;
  if (local >= n)
    kymo_archive_bytes_grow (ids, (size_t) (local + 1 - n) * sizeof (uint32_t));
  if (!ids->failed && KYMO_ARCHIVE_AT (ids, uint32_t)[local] == 0)
    KYMO_ARCHIVE_AT (ids, uint32_t)[local] = number + 1;
}

static void
pack_list (const KymoArchiveBytes *list,
           KymoArchiveBytes       *bytes)
{
  uint64_t n = list->n;

  kymo_archive_bytes_add (bytes, &n, sizeof n);
  kymo_archive_bytes_add (bytes, list->at, list->n);
  bytes->failed = bytes->failed || list->failed;
}

/**
 * kymo_archive_table_pack:
 * @bytes: (inout): gets the table
 *
 * Writes the table for another process of the same program.
 */
void
kymo_archive_table_pack (const KymoArchiveTable *table,
                         KymoArchiveBytes       *bytes)
{
  kymo_archive_bytes_add (bytes, &table->first_location, sizeof table->first_location);
  kymo_archive_bytes_add (bytes, &table->definition_bytes, sizeof table->definition_bytes);
  kymo_archive_bytes_add (bytes, &table->program, sizeof table->program);
  kymo_archive_bytes_add (bytes, &table->team, sizeof table->team);
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_KINDS; i++)
    pack_list (&table->ids[i], bytes);
  pack_list (&table->instances, bytes);
}

static bool
unpack_bytes (const unsigned char **at,
              size_t               *left,
              void                 *to,
              size_t                n)
{
  if (n > *left)
    return false;
  memcpy (to, *at, n);
  *at += n;
  *left -= n;
  return true;
}

static bool
unpack_list (const unsigned char **at,
             size_t               *left,
             KymoArchiveBytes     *list)
{
  uint64_t n;

  if (!unpack_bytes (at, left, &n, sizeof n) || n > *left)
    return false;
  kymo_archive_bytes_add (list, *at, n);
  *at += n;
  *left -= n;
  return !list->failed;
}

/**
 * kymo_archive_table_unpack:
 * @table: (out): the table, cleared with kymo_archive_table_clear() even if this fails
 * @bytes: what kymo_archive_table_pack() wrote
 * @n_bytes: how many they are
 *
 * Returns: FALSE if the bytes are no table, or there is no memory
 */
bool
kymo_archive_table_unpack (KymoArchiveTable *table,
                           const void       *bytes,
                           size_t            n_bytes)
{
  const unsigned char *at = bytes;
  bool good;

  *table = (KymoArchiveTable) { 0 };
  good = unpack_bytes (&at, &n_bytes, &table->first_location, sizeof table->first_location)
    && unpack_bytes (&at, &n_bytes, &table->definition_bytes, sizeof table->definition_bytes)
    && unpack_bytes (&at, &n_bytes, &table->program, sizeof table->program)
    && unpack_bytes (&at, &n_bytes, &table->team, sizeof table->team);
  for (unsigned i = 0; good && i < KYMO_ARCHIVE_N_KINDS; i++)
    good = unpack_list (&at, &n_bytes, &table->ids[i]);
  return good && unpack_list (&at, &n_bytes, &table->instances) && n_bytes == 0;
}

/** kymo_archive_table_clear: frees what @table holds */
void
kymo_archive_table_clear (KymoArchiveTable *table)
{
  for (unsigned i = 0; i < KYMO_ARCHIVE_N_KINDS; i++)
    kymo_archive_bytes_clear (&table->ids[i]);
  kymo_archive_bytes_clear (&table->instances);
}
