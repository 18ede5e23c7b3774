/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The archive that the ranks of a program write together.
 */
#include "kymo-archive-keep.h"

#include <stdlib.h>

/* -- a world of one ------------------------------------------------------------------ */

static bool
send_nothing (KymoArchiveWorld *world,
              int               peer,
              const void       *bytes,
              size_t            n_bytes)
{
  return false;
}

static void *
receive_nothing (KymoArchiveWorld *world,
                 int               peer,
                 size_t           *n_bytes)
{
  return NULL;
}

static bool
agree_alone (KymoArchiveWorld *world,
             bool              good)
{
  return good;
}

static bool
prepare_serial (KymoArchiveWorld *world,
                void             *archive)
{
  return OTF2_Archive_SetSerialCollectiveCallbacks (archive) == OTF2_SUCCESS;
}

void
kymo_archive_world_init_serial (KymoArchiveWorld *world)
{
  *world = (KymoArchiveWorld) { 0, 1, send_nothing, receive_nothing, agree_alone, prepare_serial,
                                NULL };
}

/* -- definitions of all ranks -------------------------------------------------------- */

/* Those of this process, or nothing. */
static KymoArchivePart *
read_own (KymoArchiveJob *job,
          const char     *process_folder)
{
  KymoArchivePart *part = process_folder != NULL
    ? kymo_archive_job_add_part (job, process_folder) : NULL;

  if (part != NULL && part->is_good)
    part->is_good = kymo_archive_process_survey (&part->process, job->tell, job->data);
  return part;
}

/* On rank 0: its own, those of the others by rank, and of what runs beside. */
static bool
merge_all (KymoArchiveJob *job,
           const char     *folder,
           const char     *process_folder)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  KymoArchiveWorld *world = job->world;
  size_t n_own = KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart);
  bool good = true;

  kymo_archive_merge_add (&job->merge, n_own > 0 ? parts[0].process.text.at : NULL,
                          n_own > 0 && parts[0].is_good ? parts[0].process.text.n : 0);
  for (int peer = 1; peer < world->size; peer++)
    {
      size_t n_bytes = 0;
      void *summary = world->receive (world, peer, &n_bytes);

      good = good && summary != NULL;
      kymo_archive_merge_add (&job->merge, summary, summary != NULL ? n_bytes : 0);
      free (summary);
    }
  kymo_archive_job_add_folders (job, folder, process_folder != NULL ? process_folder : "");
  parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  for (size_t i = n_own; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    {
      parts[i].is_good = kymo_archive_process_survey (&parts[i].process, job->tell, job->data);
      parts[i].index = kymo_archive_merge_add (&job->merge, parts[i].process.text.at,
                                               parts[i].is_good ? parts[i].process.text.n : 0);
    }
  kymo_archive_merge_add_missing (&job->merge);
  return kymo_archive_merge_finish (&job->merge) && good && !job->parts.failed;
}

static bool
hand_tables (KymoArchiveJob *job)
{
  const KymoArchiveTable *tables = KYMO_ARCHIVE_AT (&job->merge.tables, KymoArchiveTable);
  bool good = true;

  for (int peer = 1; peer < job->world->size; peer++)
    {
      KymoArchiveBytes packed = { 0 };

      kymo_archive_table_pack (&tables[peer], &packed);
      good = job->world->send (job->world, peer, packed.at, packed.failed ? 0 : packed.n) && good;
      kymo_archive_bytes_clear (&packed);
    }
  kymo_archive_job_take_tables (job);
  return good;
}

/* On other ranks: what this process defines, for the numbers that it has in the archive. */
static bool
exchange_definitions (KymoArchiveJob  *job,
                      KymoArchivePart *own)
{
  KymoArchiveTable table = { 0 };
  size_t n_bytes = 0;
  void *packed;
  bool good = job->world->send (job->world, 0, own != NULL ? own->process.text.at : NULL,
                                own != NULL && own->is_good ? own->process.text.n : 0);

  if (!job->world->agree (job->world, good))
    return false;
  packed = job->world->receive (job->world, 0, &n_bytes);
  good = packed != NULL && kymo_archive_table_unpack (&table, packed, n_bytes);
  job->definition_bytes = table.definition_bytes;
  free (packed);
  if (own != NULL)
    own->table = table;
  else
    kymo_archive_table_clear (&table);
  return good;
}

static bool
merge_definitions (KymoArchiveJob  *job,
                   KymoArchivePart *own,
                   const char      *folder,
                   const char      *process_folder)
{
  bool good;

  if (job->world->rank != 0)
    return job->world->agree (job->world, exchange_definitions (job, own));
  good = merge_all (job, folder, process_folder);
  if (!good)
    kymo_archive_say (job->tell, job->data, "There is no archive: the definitions need more "
                      "memory than there is.");
  else
    good = kymo_archive_job_has_room (job);
  if (!job->world->agree (job->world, good))
    {
      job->world->agree (job->world, false);
      return false;
    }
  return job->world->agree (job->world, hand_tables (job));
}

bool
kymo_archive_write (KymoArchiveWorld *world,
                    const char       *folder,
                    const char       *process_folder,
                    const char       *keep,
                    KymoArchiveTell   tell,
                    void             *data)
{
  KymoArchiveKeep wish;
  KymoArchiveJob job = { .world = world, .out = folder, .tell = tell, .data = data };
  KymoArchivePart *own = read_own (&job, process_folder);
  bool may = own == NULL || kymo_archive_out_may_write (own->process.largest_bytes);
  bool good;

  if (!may)
    kymo_archive_say (tell, data, "There is no archive: the process may not write so large a "
                      "file.");
  good = world->agree (world, may) && merge_definitions (&job, own, folder, process_folder);
  /* Whoever does not understand what is asked for keeps all; the launcher has refused that. */
  if (good && world->agree (world, keep != NULL && kymo_archive_keep_parse (keep, &wish)))
    kymo_archive_keep_choose (&job, &wish);
  good = good && kymo_archive_job_write (&job);
  kymo_archive_job_clear (&job);
  return good;
}
