/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The archive of a run that did not write one: its processes were killed, or there was no room.
 */
#include "kymo-archive-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How long the clock is watched where a run tells nothing of its rate. */
#define WATCH_NS 20000000
/* Ranks that are told of one by one. */
#define MOST_TOLD 16

static bool
has_archive (const char *out)
{
  char *path = NULL;
  bool there = asprintf (&path, "%s/traces.otf2", out) < 0 || access (path, F_OK) == 0;

  free (path);
  return there;
}

/* -- order --------------------------------------------------------------------------- */

static bool
is_same_world (const KymoArchiveProcess *a,
               const KymoArchiveProcess *b)
{
  return a->world != NULL && b->world != NULL && strcmp (a->world, b->world) == 0;
}

static int
compare_parts (const void *a,
               const void *b)
{
  const KymoArchivePart *x = a, *y = b;
  int order;

  /* Those without a rank last. */
  if ((x->process.rank < 0) != (y->process.rank < 0))
    return x->process.rank < 0 ? 1 : -1;
  if (x->process.world != NULL && y->process.world != NULL)
    {
      order = strcmp (x->process.world, y->process.world);
      if (order != 0)
        return order;
      if (x->process.rank != y->process.rank)
        return x->process.rank < y->process.rank ? -1 : 1;
    }
  return strcmp (x->process.label, y->process.label);
}

static int
compare_worlds (const void *a,
                const void *b)
{
  const KymoArchivePart *x = a, *y = b;

  if ((x->process.rank < 0) != (y->process.rank < 0))
    return x->process.rank < 0 ? 1 : -1;
  if (x->first_ns != y->first_ns)
    return x->first_ns < y->first_ns ? -1 : 1;
  return compare_parts (a, b);
}

static uint64_t
began_at (const KymoArchivePart *part)
{
  return part->is_good ? KYMO_ARCHIVE_AT (&part->process.moments, KymoArchiveMoment)[0].real_ns
    : UINT64_MAX;
}

/* By world, the one that began first before those that it started, and rank. */
static void
sort_parts (KymoArchiveJob *job)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  size_t n = KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart);

  qsort (parts, n, sizeof *parts, compare_parts);
  for (size_t i = 0, end; i < n; i = end)
    {
      uint64_t first = began_at (&parts[i]);

      for (end = i + 1; end < n && is_same_world (&parts[i].process, &parts[end].process); end++)
        first = began_at (&parts[end]) < first ? began_at (&parts[end]) : first;
      for (size_t k = i; k < end; k++)
        parts[k].first_ns = first;
    }
  qsort (parts, n, sizeof *parts, compare_worlds);
}

/* -- clocks -------------------------------------------------------------------------- */

#if defined (__x86_64__)
static void
read_clocks (KymoArchiveMoment *moment)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  moment->ticks = __builtin_ia32_rdtsc ();
  moment->mono_ns = (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* If the processes ran on this machine, its ticks are as long as they were. */
static bool
watch_clock (KymoArchiveProcess *process)
{
  KymoArchiveMoment moment = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment)[0];
  KymoArchiveMoment begin, end;
  char host[256] = "";

  gethostname (host, sizeof host - 1);
  if (strcmp (host, process->host) != 0)
    return false;
  read_clocks (&begin);
  nanosleep (&(struct timespec) { .tv_nsec = WATCH_NS }, NULL);
  read_clocks (&end);
  moment.ticks += end.ticks - begin.ticks;
  moment.mono_ns += end.mono_ns - begin.mono_ns;
  moment.real_ns += end.mono_ns - begin.mono_ns;
  kymo_archive_bytes_add (&process->moments, &moment, sizeof moment);
  process->has_rate = end.ticks > begin.ticks && end.mono_ns > begin.mono_ns;
  return process->has_rate;
}
#else
static bool
watch_clock (KymoArchiveProcess *process)
{
  return false;
}
#endif

static void
find_rates (KymoArchiveJob *job)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  size_t n = KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart);

  for (size_t i = 0; i < n; i++)
    {
      KymoArchiveProcess *process = &parts[i].process;

      if (!parts[i].is_good || process->has_rate)
        continue;
      for (size_t k = 0; k < n && !process->has_rate; k++)
        if (parts[k].is_good && k != i)
          kymo_archive_process_borrow_rate (process, &parts[k].process);
      if (process->has_rate)
        kymo_archive_say (job->tell, job->data, "%s read its clock once only; it ticks here as "
                          "that of another process of %s.", process->label, process->host);
      else if (watch_clock (process))
        kymo_archive_say (job->tell, job->data, "%s read its clock once only; it ticks here as "
                          "that of this machine does now.", process->label);
      else
        {
          process->is_monotonic = process->has_rate = true;
          kymo_archive_say (job->tell, job->data, "%s read its clock once only; its times are in "
                            "ticks, not in nanoseconds.", process->label);
        }
    }
}

/* -- all ----------------------------------------------------------------------------- */

static void
tell_ends (KymoArchiveJob *job)
{
  const KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    {
      const KymoArchiveProcess *process = &parts[i].process;

      if (!parts[i].is_good || process->has_ended)
        continue;
      if (process->rank >= 0)
        kymo_archive_say (job->tell, job->data, "Rank %lld (%s) did not end by itself; its last "
                          "records may be missing.", (long long) process->rank, process->label);
      else
        kymo_archive_say (job->tell, job->data, "%s did not end by itself; its last records may be "
                          "missing.", process->label);
    }
}

/* Ranks of the world that has the most, or of a later one, that have no folder. */
static void
tell_missing (KymoArchiveJob *job)
{
  const KymoArchiveLocationGroup *groups = KYMO_ARCHIVE_AT (&job->merge.location_groups,
                                                            KymoArchiveLocationGroup);
  const KymoArchiveLocation *locations = KYMO_ARCHIVE_AT (&job->merge.locations,
                                                          KymoArchiveLocation);
  const uint32_t *missing = KYMO_ARCHIVE_AT (&job->merge.missing, uint32_t);
  size_t n = KYMO_ARCHIVE_COUNT (&job->merge.missing, uint32_t);

  for (size_t i = 0; i < n && i < MOST_TOLD; i++)
    kymo_archive_say (job->tell, job->data, "Rank %lld of %u has no raw folder here.",
                      (long long) groups[locations[missing[i]].group].rank, job->merge.n_ranks);
  if (n > MOST_TOLD)
    kymo_archive_say (job->tell, job->data, "%zu further ranks have no raw folder here.",
                      n - MOST_TOLD);
}

static bool
may_write (const KymoArchiveJob *job)
{
  const KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  bool may = true;

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    may = may && kymo_archive_out_may_write (parts[i].process.largest_bytes);
  return may;
}

static bool
merge_parts (KymoArchiveJob *job)
{
  KymoArchivePart *parts = KYMO_ARCHIVE_AT (&job->parts, KymoArchivePart);
  bool good;

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&job->parts, KymoArchivePart); i++)
    {
      if (parts[i].is_good)
        parts[i].is_good = kymo_archive_process_survey (&parts[i].process, job->tell, job->data);
      parts[i].index = kymo_archive_merge_add (&job->merge, parts[i].process.text.at,
                                               parts[i].is_good ? parts[i].process.text.n : 0);
    }
  kymo_archive_merge_add_missing (&job->merge);
  good = kymo_archive_merge_finish (&job->merge);
  if (!good)
    kymo_archive_say (job->tell, job->data, "There is no archive: the definitions need more "
                      "memory than there is.");
  else if (!may_write (job))
    {
      kymo_archive_say (job->tell, job->data, "There is no archive: the process may not write so "
                        "large a file.");
      good = false;
    }
  else
    good = kymo_archive_job_has_room (job);
  kymo_archive_job_take_tables (job);
  return good;
}

static bool
has_records (const KymoArchiveJob *job)
{
  return KYMO_ARCHIVE_COUNT (&job->merge.locations, KymoArchiveLocation)
    > KYMO_ARCHIVE_COUNT (&job->merge.missing, uint32_t);
}

bool
kymo_archive_recover (const char      *folder,
                      const char      *out,
                      KymoArchiveTell  tell,
                      void            *data)
{
  KymoArchiveWorld world;
  KymoArchiveJob job = { .world = &world, .out = out != NULL ? out : folder, .tell = tell,
                         .data = data };
  bool good = false;

  kymo_archive_world_init_serial (&world);
  if (out != NULL && mkdir (out, 0700) != 0 && errno != EEXIST)
    kymo_archive_say (tell, data, "There is no archive: %s cannot be made (%s).", out,
                      strerror (errno));
  else if (has_archive (job.out))
    kymo_archive_say (tell, data, "%s has an archive already.", job.out);
  else
    {
      kymo_archive_job_add_folders (&job, folder, NULL);
      good = job.parts.n > 0 && !job.parts.failed;
      if (good)
        {
          sort_parts (&job);
          find_rates (&job);
          tell_ends (&job);
          good = merge_parts (&job);
        }
      else
        kymo_archive_say (tell, data, "%s has no raw folders: nothing can be recovered.",
                          folder);
      if (good && !has_records (&job))
        {
          kymo_archive_say (tell, data, "The raw folders of %s hold no records.", folder);
          good = false;
        }
      if (good)
        tell_missing (&job);
      good = good && kymo_archive_job_write (&job);
    }
  kymo_archive_job_clear (&job);
  return good;
}
