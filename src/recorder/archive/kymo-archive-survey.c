/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the event files of a process hold: looked at once before the definitions are merged, so
 * that locations and metrics are known to all.
 */
#include "kymo-archive-process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-archive-events.h"

#define MOST_FILES 65536
#define MOST_HANDLES (1u << 20)
#define MOST_CLASSES 4096u

enum
{
  IS_USED = 1,
  IS_OPENED = 2,
};

/**
 * Survey: of one file
 * @handles: (element-type uint8_t): of all files of the process
 * @classes: (element-type uint8_t): metric classes that the file has samples of
 */
typedef struct
{
  KymoArchiveProcess *process;
  KymoArchiveBytes   *handles;
  KymoArchiveBytes    classes;
  uint64_t            first_ns, last_ns;
  uint64_t            n_records, n_bytes, n_dropped;
} Survey;

static void
mark_flag (KymoArchiveBytes *list,
           uint32_t          id,
           uint32_t          most,
           uint8_t           flag)
{
  if (id >= most)
    return;
  if (id >= list->n)
    kymo_archive_bytes_grow (list, id + 1 - list->n);
  if (!list->failed)
    list->at[id] |= flag;
}

static bool
survey_record (const KymoRawCell  *cell,
               const KymoRawWords *words,
               void               *data)
{
  Survey *survey = data;
  uint64_t ns;

  if (cell->type != KYMO_RAW_OPEN && (cell->type != KYMO_RAW_CHUNK || cell->time > 0)
      && kymo_archive_to_ns (survey->process, cell->time, &ns))
    {
      survey->first_ns = ns < survey->first_ns ? ns : survey->first_ns;
      survey->last_ns = ns > survey->last_ns ? ns : survey->last_ns;
    }
  survey->n_bytes += cell->cells * KYMO_RAW_CELL_BYTES;
  survey->n_records += cell->type != KYMO_RAW_OPEN && cell->type != KYMO_RAW_CHUNK;
  switch (cell->type)
    {
    case KYMO_RAW_METRIC:
      mark_flag (&survey->classes, cell->arg, MOST_CLASSES, IS_USED);
      break;
    case KYMO_RAW_IO_OPEN:
      mark_flag (survey->handles, cell->arg, MOST_HANDLES, IS_OPENED);
      break;
    case KYMO_RAW_IO_DUP:
      mark_flag (survey->handles, (uint32_t) words->i, MOST_HANDLES, IS_OPENED);
      mark_flag (survey->handles, cell->arg, MOST_HANDLES, IS_USED);
      break;
    case KYMO_RAW_IO_CLOSE:
    case KYMO_RAW_IO_SEEK:
    case KYMO_RAW_IO_BEGIN:
    case KYMO_RAW_IO_LOCK:
    case KYMO_RAW_IO_STATUS:
      mark_flag (survey->handles, cell->arg, MOST_HANDLES, IS_USED);
      break;
    case KYMO_RAW_REQUEST_CANCELLED:
      kymo_archive_bytes_add (&survey->process->cancelled, &words->a, sizeof words->a);
      break;
    case KYMO_RAW_DROPPED:
      survey->n_dropped += words->a < UINT32_MAX ? words->a : UINT32_MAX;
      break;
    default:
      break;
    }
  return true;
}

static void
tell_losses (const Survey            *survey,
             const KymoArchiveEvents *events,
             const char              *name,
             KymoArchiveTell          tell,
             void                    *data)
{
  const char *label = survey->process->label;

  if (events->n_lost > 0)
    kymo_archive_say (tell, data, "Of %s of %s %llu parts of %u KiB were overwritten by "
                      "later ones.", name, label, (unsigned long long) events->n_lost,
                      events->header.chunk_bytes / 1024);
  if (events->n_damaged > 0)
    kymo_archive_say (tell, data, "%s of %s is damaged in %llu places; what stands there is left "
                      "out.", name, label, (unsigned long long) events->n_damaged);
  if (survey->n_dropped > 0)
    kymo_archive_say (tell, data, "In %s of %s %llu records are missing, which were not written.",
                      name, label, (unsigned long long) survey->n_dropped);
}

static void
add_summary (Survey                *survey,
             const KymoArchiveFile *file)
{
  KymoArchiveBytes *text = &survey->process->text;

  kymo_archive_bytes_print (text, "=file\t%s\t%u\t%u\n", file->is_system ? "system" : "thread",
                            file->n, file->tid);
  for (uint32_t i = 0; i < survey->classes.n; i++)
    if (survey->classes.at[i] != 0 && file->is_system)
      kymo_archive_bytes_print (text, "=metric\t%u\t%u\n", file->n, i);
    else if (survey->classes.at[i] != 0)
      kymo_archive_bytes_print (text, "=counter\t%u\n", i);
}

static bool
survey_file (KymoArchiveProcess *process,
             KymoArchiveFile    *file,
             KymoArchiveBytes   *handles,
             KymoArchiveTell     tell,
             void               *data)
{
  char *path = kymo_archive_process_dup_path (process, file);
  const char *name = path != NULL ? strrchr (path, '/') + 1 : NULL;
  Survey survey = { .process = process, .handles = handles, .first_ns = UINT64_MAX };
  KymoArchiveEvents events;
  const char *problem;

  if (path == NULL)
    return false;
  problem = kymo_archive_events_open (&events, path);
  if (problem != NULL)
    kymo_archive_say (tell, data, "%s of %s %s; it is left out.", name, process->label, problem);
  else
    {
      uint64_t n_damaged = events.n_damaged;

      file->tid = events.header.tid;
      if (!kymo_archive_events_read (&events, survey_record, &survey))
        problem = "needs more memory than there is";
      events.n_damaged += n_damaged;
      tell_losses (&survey, &events, name, tell, data);
      add_summary (&survey, file);
      if (survey.first_ns < process->begin_ns)
        process->begin_ns = survey.first_ns;
      if (survey.last_ns > process->end_ns)
        process->end_ns = survey.last_ns;
      if (survey.n_bytes > process->largest_bytes)
        process->largest_bytes = survey.n_bytes;
      kymo_archive_bytes_print (&process->text, "=bytes\t%llu\n",
                                (unsigned long long) survey.n_bytes);
      kymo_archive_events_close (&events);
    }
  kymo_archive_bytes_clear (&survey.classes);
  free (path);
  return problem == NULL;
}

static bool
parse_name (const char      *name,
            KymoArchiveFile *file)
{
  uint64_t n;

  *file = (KymoArchiveFile) { .is_system = strncmp (name, "system-", 7) == 0 };
  if ((!file->is_system && strncmp (name, "thread-", 7) != 0)
      || !kymo_archive_get_number (name + 7, UINT32_MAX - 1, &n))
    return false;
  file->n = (uint32_t) n;
  return true;
}

static int
compare_files (const void *a,
               const void *b)
{
  const KymoArchiveFile *x = a, *y = b;

  if (x->is_system != y->is_system)
    return x->is_system ? 1 : -1;
  return x->n < y->n ? -1 : x->n > y->n;
}

static bool
list_files (KymoArchiveProcess *process)
{
  DIR *folder = opendir (process->folder);
  const struct dirent *entry;

  while (folder != NULL && (entry = readdir (folder)) != NULL)
    {
      KymoArchiveFile file;

      if (parse_name (entry->d_name, &file)
          && KYMO_ARCHIVE_COUNT (&process->files, KymoArchiveFile) < MOST_FILES)
        kymo_archive_bytes_add (&process->files, &file, sizeof file);
    }
  if (folder != NULL)
    closedir (folder);
  if (folder == NULL || process->files.failed)
    return false;
  if (process->files.n > 0)
    qsort (process->files.at, KYMO_ARCHIVE_COUNT (&process->files, KymoArchiveFile),
           sizeof (KymoArchiveFile), compare_files);
  return true;
}

static int
compare_ids (const void *a,
             const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

/**
 * kymo_archive_process_has_cancelled:
 * @request: id of a request
 *
 * Returns: whether it was cancelled; known once the event files were looked at
 */
bool
kymo_archive_process_has_cancelled (const KymoArchiveProcess *process,
                                    uint64_t                  request)
{
  return process->cancelled.n > 0
    && bsearch (&request, process->cancelled.at, process->cancelled.n / sizeof request,
                sizeof request, compare_ids) != NULL;
}

/* The clock was read when the process was alive, too. */
static void
find_span (KymoArchiveProcess *process)
{
  const KymoArchiveMoment *moments = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment);
  size_t n = KYMO_ARCHIVE_COUNT (&process->moments, KymoArchiveMoment);

  if (process->alive_ns > process->end_ns)
    process->end_ns = process->alive_ns;
  if (n > 0 && process->begin_ns > process->end_ns)
    process->begin_ns = moments[0].mono_ns;
}

static void
add_moments (KymoArchiveProcess *process)
{
  const KymoArchiveMoment *moments = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment);

  kymo_archive_bytes_print (&process->text, "=span\t%llu\t%llu\n",
                            (unsigned long long) kymo_archive_to_root (process, process->begin_ns),
                            (unsigned long long) kymo_archive_to_root (process, process->end_ns));
  if (process->moments.n > 0)
    kymo_archive_bytes_print (&process->text, "=real\t%llu\t%llu\n",
                              (unsigned long long) moments[0].real_ns,
                              (unsigned long long) kymo_archive_to_root (process,
                                                                         moments[0].mono_ns));
  kymo_archive_bytes_print (&process->text, "=bytes\t%zu\n", process->text.n);
}

/**
 * kymo_archive_process_survey:
 * @process: (inout): an open process with a clock
 * @tell: (nullable): hears what its event files lack
 * @data: for @tell
 *
 * Looks at all event files, and adds to the summary what they hold. Files that cannot be read are
 * told of and left out.
 *
 * Returns: FALSE if there is no memory, or the folder cannot be read
 */
bool
kymo_archive_process_survey (KymoArchiveProcess *process,
                             KymoArchiveTell     tell,
                             void               *data)
{
  KymoArchiveBytes handles = { 0 };
  KymoArchiveFile *files;
  size_t n, kept = 0;

  process->begin_ns = UINT64_MAX;
  process->end_ns = 0;
  if (!list_files (process))
    return false;
  files = KYMO_ARCHIVE_AT (&process->files, KymoArchiveFile);
  n = KYMO_ARCHIVE_COUNT (&process->files, KymoArchiveFile);
  for (size_t i = 0; i < n; i++)
    if (survey_file (process, &files[i], &handles, tell, data))
      files[kept++] = files[i];
  process->files.n = kept * sizeof *files;
  for (uint32_t i = 0; i < handles.n; i++)
    if (handles.at[i] == IS_USED)
      kymo_archive_bytes_print (&process->text, "=open\t%u\n", i);
  if (process->cancelled.n > 0)
    qsort (process->cancelled.at, process->cancelled.n / sizeof (uint64_t), sizeof (uint64_t),
           compare_ids);
  find_span (process);
  add_moments (process);
  kymo_archive_bytes_clear (&handles);
  return !process->text.failed && !handles.failed && !process->cancelled.failed;
}

/**
 * kymo_archive_process_dup_path:
 * @file: of the process
 *
 * Returns: its path, which the caller frees; NULL if there is no memory
 */
char *
kymo_archive_process_dup_path (const KymoArchiveProcess *process,
                               const KymoArchiveFile    *file)
{
  char *path = NULL;

  if (asprintf (&path, "%s/%s-%u", process->folder, file->is_system ? "system" : "thread",
                file->n) < 0)
    return NULL;
  return path;
}
