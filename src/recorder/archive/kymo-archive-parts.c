/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-keep.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FOLDERS (1u << 20)

/**
 * kymo_archive_job_has_room:
 *
 * Returns: whether the disk takes the archive of what was merged; if not, that is told
 */
bool
kymo_archive_job_has_room (const KymoArchiveJob *job)
{
  uint64_t n_bytes = job->merge.n_bytes;

  if (kymo_archive_out_has_room (job->out, n_bytes))
    return true;
  kymo_archive_say (job->tell, job->data, "There is no archive: it may take %llu %s, which the "
                    "disk does not have.",
                    (unsigned long long) (n_bytes >> 20 != 0 ? n_bytes >> 20 : (n_bytes >> 10) + 1),
                    n_bytes >> 20 != 0 ? "MiB" : "KiB");
  return false;
}

/**
 * kymo_archive_job_add_part:
 * @folder: path of a raw folder
 *
 * Opens the process of a raw folder, and tells if that cannot be done.
 *
 * Returns: the part, owned by the job and valid until another one is added; NULL if there is no
 *   memory
 */
KymoArchivePart *
kymo_archive_job_add_part (KymoArchiveJob *job,
                           const char     *folder)
{
  KymoArchivePart *part = kymo_archive_bytes_grow (&job->parts, sizeof *part);

  if (part == NULL)
    return NULL;
  part->is_good = kymo_archive_process_open (&part->process, folder, job->tell, job->data);
  if (part->is_good && part->process.moments.n == 0)
    {
      kymo_archive_say (job->tell, job->data, "%s tells no time; it is left out.",
                        part->process.label);
      part->is_good = false;
    }
  return part;
}

/**
 * kymo_archive_job_add_folders:
 * @folder: of a run
 * @own: (nullable): path of a raw folder that is not added
 *
 * Adds the processes of all raw folders; if @own is given only those that have no rank.
 */
void
kymo_archive_job_add_folders (KymoArchiveJob *job,
                              const char     *folder,
                              const char     *own)
{
  static const char part_ending[] = ".part";    /* an agent copies it just now */
  const char *own_name = own != NULL ? strrchr (own, '/') : NULL;
  const struct dirent *entry;
  char *path = NULL;
  DIR *raw = asprintf (&path, "%s/raw", folder) >= 0 ? opendir (path) : NULL;

  own_name = own_name != NULL ? own_name + 1 : own;
  free (path);
  while (raw != NULL && (entry = readdir (raw)) != NULL
         && KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart) < MOST_FOLDERS)
    {
      KymoArchivePart *part;
      const char *ending = strrchr (entry->d_name, '.');

      if (entry->d_name[0] == '.' || (ending != NULL && strcmp (ending, part_ending) == 0)
          || (own_name != NULL && strcmp (entry->d_name, own_name) == 0)
          || asprintf (&path, "%s/raw/%s", folder, entry->d_name) < 0)
        continue;
      part = kymo_archive_job_add_part (job, path);
      free (path);
      if (part != NULL && own != NULL && (part->process.rank >= 0 || !part->is_good))
        {
          kymo_archive_process_clear (&part->process);
          job->parts.n -= sizeof *part;
        }
    }
  if (raw != NULL)
    closedir (raw);
}

/**
 * kymo_archive_job_take_tables:
 *
 * On rank 0: gives the processes of this program their tables.
 */
void
kymo_archive_job_take_tables (KymoArchiveJob *job)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  KymoArchiveTable *tables = KYMO_ARCHIVE_AT (&job->merge.tables, KymoArchiveTable);

  /* The tables move, because only these processes need them. */
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    {
      parts[i].table = tables[parts[i].index];
      tables[parts[i].index] = (KymoArchiveTable) { 0 };
    }
  job->definition_bytes = kymo_archive_merge_get_chunk_bytes (&job->merge);
}

/* -- the archive --------------------------------------------------------------------- */

/* Sends what this program learned to rank 0, or adds it there. */
static void
hand_result (KymoArchiveJob          *job,
             KymoArchiveOut          *out,
             const KymoArchiveResult *result,
             KymoArchiveResult       *all)
{
  KymoArchiveBytes packed = { 0 };

  kymo_archive_result_pack (result, &packed);
  if (packed.failed
      || (job->world->rank == 0 ? !kymo_archive_result_add (all, packed.at, packed.n)
          : !job->world->send (job->world, 0, packed.at, packed.n)))
    kymo_archive_out_note (out, OTF2_ERROR_MEM_ALLOC_FAILED);
  kymo_archive_bytes_clear (&packed);
}

/* Results in the order in which the definitions of their processes were added. */
static void
gather_results (KymoArchiveJob          *job,
                KymoArchiveOut          *out,
                const KymoArchiveResult *results,
                KymoArchiveResult       *all)
{
  static const KymoArchiveResult nothing;
  size_t n = KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart);

  if (job->world->rank != 0)
    {
      hand_result (job, out, n > 0 ? &results[0] : &nothing, NULL);
      return;
    }
  if (n > 0)
    hand_result (job, out, &results[0], all);
  for (int peer = 1; peer < job->world->size; peer++)
    {
      size_t n_bytes = 0;
      void *packed = job->world->receive (job->world, peer, &n_bytes);

      if (packed == NULL || !kymo_archive_result_add (all, packed, n_bytes))
        kymo_archive_out_note (out, OTF2_ERROR_MEM_ALLOC_FAILED);
      free (packed);
    }
  for (size_t i = 1; i < n; i++)
    hand_result (job, out, &results[i], all);
}

static void
write_events (KymoArchiveJob    *job,
              KymoArchiveOut    *out,
              KymoArchiveResult *results)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  const uint32_t *missing = KYMO_ARCHIVE_AT (&job->merge.missing, uint32_t);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    if (parts[i].is_good)
      kymo_archive_out_write_events (out, &parts[i].process, &parts[i].table, &results[i]);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->merge.missing, uint32_t); i++)
    kymo_archive_out_write_empty (out, missing[i], job->merge.begin_ns, job->merge.empty);
  kymo_archive_out_note (out, OTF2_Archive_CloseEvtFiles (out->archive));
  kymo_archive_out_note (out, OTF2_Archive_OpenDefFiles (out->archive));
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    if (parts[i].is_good)
      kymo_archive_out_write_offsets (out, &parts[i].process, parts[i].table.first_location);
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->merge.missing, uint32_t); i++)
    kymo_archive_out_write_offsets (out, NULL, missing[i]);
  kymo_archive_out_note (out, OTF2_Archive_CloseDefFiles (out->archive));
}

static void
set_property (KymoArchiveOut *out,
              const char     *name,
              uint64_t        value)
{
  char text[32];

  snprintf (text, sizeof text, "%llu", (unsigned long long) value);
  kymo_archive_out_note (out, OTF2_Archive_SetProperty (out->archive, name, text, true));
}

/* What of it is not whole stands in the archive, too. */
static void
tell_result (KymoArchiveJob          *job,
             KymoArchiveOut          *out,
             const KymoArchiveResult *all)
{
  /* Of ranks that are not kept there are no messages at all. */
  uint64_t n_halves = out->kept == NULL ? kymo_archive_result_get_halves (all) : 0;

  set_property (out, "KYMO_RECORD::OPEN_CALLS", all->n_open);
  set_property (out, "KYMO_RECORD::HALF_MESSAGES", n_halves);
  set_property (out, "KYMO_RECORD::UNKNOWN_RECORDS", all->n_unknown + all->n_unopened);
  if (all->n_open > 0)
    kymo_archive_say (job->tell, job->data, "%llu calls were still open; they end with the last "
                      "record of their process.", (unsigned long long) all->n_open);
  if (n_halves > 0)
    kymo_archive_say (job->tell, job->data, "Of %llu messages only the send or only the receive "
                      "was recorded.", (unsigned long long) n_halves);
  if (all->n_unknown > 0)
    kymo_archive_say (job->tell, job->data, "%llu records name what is not defined, or an "
                      "impossible time; they are left out.", (unsigned long long) all->n_unknown);
  if (all->n_unopened > 0)
    kymo_archive_say (job->tell, job->data, "%llu calls end that never began; their ends are left "
                      "out.", (unsigned long long) all->n_unopened);
}

static void
fill_archive (KymoArchiveJob    *job,
              KymoArchiveOut    *out,
              KymoArchiveResult *results)
{
  KymoArchiveResult all = { 0 };

  write_events (job, out, results);
  gather_results (job, out, results, &all);
  if (job->world->rank == 0 && out->code == OTF2_SUCCESS)
    {
      kymo_archive_out_write_definitions (out, &job->merge, &all);
      tell_result (job, out, &all);
      if (out->kept != NULL
          && !(kymo_archive_choice_write (job->choice, &job->merge, job->out)
               && kymo_archive_choice_write_profile (job->choice, &job->merge, job->out)))
        kymo_archive_out_note (out, OTF2_ERROR_ENOSPC);
    }
  kymo_archive_result_clear (&all);
}

/* Of the files that this program writes: those of its processes, and on rank 0 the definitions. */
static uint64_t
largest_file (const KymoArchiveJob *job)
{
  const KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  uint64_t most = job->merge.n_bytes;

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    if (parts[i].process.largest_bytes > most)
      most = parts[i].process.largest_bytes;
  return most;
}

/**
 * kymo_archive_job_write:
 * @job: with parts that have their tables, and on rank 0 all definitions
 *
 * Collective. Writes the archive; where it fails, nothing is left of it.
 *
 * Returns: whether it is whole, the same on all ranks
 */
bool
kymo_archive_job_write (KymoArchiveJob *job)
{
  size_t n = KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart);
  KymoArchiveResult *results = calloc (n > 0 ? n : 1, sizeof *results);
  KymoArchiveOut out = { .folder = job->out, .most_bytes = largest_file (job),
                         .kept = job->kept.n > 0 ? job->kept.at : NULL };
  bool good;

  if (job->world->rank == 0)
    kymo_archive_out_remove (job->out);
  good = job->world->agree (job->world, results != NULL);
  if (good && kymo_archive_out_open (&out, job->world, job->definition_bytes))
    fill_archive (job, &out, results);
  else
    good = false;
  good = kymo_archive_out_close (&out) && good;
  good = job->world->agree (job->world, good);
  if (!good && job->world->rank == 0)
    {
      kymo_archive_out_remove (job->out);
      if (out.is_full)
        kymo_archive_say (job->tell, job->data, "There is no archive: the disk is full.");
      else
        kymo_archive_say (job->tell, job->data, "There is no archive: %s.",
                          out.code != OTF2_SUCCESS ? OTF2_Error_GetDescription (out.code)
                          : "another process could not write");
    }
  for (size_t i = 0; results != NULL && i < n; i++)
    kymo_archive_result_clear (&results[i]);
  free (results);
  return good;
}

/** kymo_archive_job_clear: frees what @job holds */
void
kymo_archive_job_clear (KymoArchiveJob *job)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    {
      kymo_archive_process_clear (&parts[i].process);
      kymo_archive_table_clear (&parts[i].table);
    }
  kymo_archive_bytes_clear (&job->parts);
  kymo_archive_bytes_clear (&job->kept);
  kymo_archive_choice_clear (job->choice);
  kymo_archive_merge_clear (&job->merge);
}
