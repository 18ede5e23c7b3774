/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a file with definitions; what is beyond is left out. */
#define MOST_TEXT_BYTES (256u << 20)
/* Ids are dense, but several threads may define at the same time. */
#define MOST_GAP 4096
#define MOST_RANKS ((1u << 24) - 1)
/* Records farther than this from the first moment of the clock are not believed: 104 days. */
#define MOST_AWAY_NS (INT64_C (1) << 53)

/**
 * kymo_archive_say:
 * @tell: (nullable): who hears it
 * @data: for @tell
 * @format: of a sentence, as for printf()
 *
 * Tells a sentence.
 */
void
kymo_archive_say (KymoArchiveTell  tell,
                  void            *data,
                  const char      *format,
                  ...)
{
  char sentence[2048];
  va_list arguments;

  if (tell == NULL)
    return;
  va_start (arguments, format);
  vsnprintf (sentence, sizeof sentence, format, arguments);
  va_end (arguments);
  tell (sentence, data);
}

/* -- definitions --------------------------------------------------------------------- */

/* The whole file as far as it is there, or false. */
static bool
read_file (const char       *path,
           KymoArchiveBytes *text,
           bool             *is_cut)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  bool good = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
  char part[65536];

  *is_cut = false;
  while (good)
    {
      ssize_t n = read (fd, part, sizeof part);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      *is_cut = text->n + (size_t) n > MOST_TEXT_BYTES;
      if (*is_cut)
        break;
      kymo_archive_bytes_add (text, part, (size_t) n);
      good = !text->failed;
    }
  if (fd >= 0)
    close (fd);
  return good;
}

/* Leaves whole lines alone, and of these none that only a summary may have. */
static void
clean_text (KymoArchiveBytes *text,
            bool             *is_torn)
{
  unsigned char *to = text->at, *at = text->at, *end = text->at + text->n;

  *is_torn = false;
  while (at < end)
    {
      unsigned char *stop = memchr (at, '\n', (size_t) (end - at));

      *is_torn = stop == NULL;
      if (stop == NULL)
        break;
      if (*at != '=')
        {
          memmove (to, at, (size_t) (stop + 1 - at));
          to += stop + 1 - at;
        }
      at = stop + 1;
    }
  text->n = (size_t) (to - text->at);
}

/* The place of a thing that has an id, of @size bytes; NULL = the id is not believed. */
static void *
place_of (KymoArchiveBytes *list,
          const char       *field,
          size_t            size)
{
  uint64_t id, n = list->n / size;

  if (!kymo_archive_get_number (field, n + MOST_GAP, &id))
    return NULL;
  if (id >= n)
    kymo_archive_bytes_grow (list, (size_t) (id + 1 - n) * size);
  return !list->failed ? list->at + id * size : NULL;
}

static void
take_clock (KymoArchiveProcess    *process,
            const KymoArchiveLine *line)
{
  KymoArchiveMoment moment;

  if (!kymo_archive_get_number (line->field[2], UINT64_MAX, &moment.ticks)
      || !kymo_archive_get_number (line->field[3], INT64_MAX, &moment.mono_ns)
      || !kymo_archive_get_number (line->field[4], INT64_MAX, &moment.real_ns))
    return;
  process->is_monotonic = strcmp (line->field[1], "monotonic") == 0;
  kymo_archive_bytes_add (&process->moments, &moment, sizeof moment);
}

static void
take_comm (KymoArchiveProcess    *process,
           const KymoArchiveLine *line)
{
  KymoArchiveMembers *members = place_of (&process->comms, line->field[1], sizeof *members);

  if (members == NULL || process->rank < 0)
    return;
  kymo_archive_bytes_clear (&members->ranks[0]);
  kymo_archive_bytes_clear (&members->ranks[1]);
  kymo_archive_get_ranks (line->field[6], (uint32_t) process->size - 1, members->ranks);
  members->side = 1;
  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&members->ranks[0], uint32_t); i++)
    if (KYMO_ARCHIVE_AT (&members->ranks[0], uint32_t)[i] == process->rank)
      members->side = 0;
}

static void
take_class (KymoArchiveProcess    *process,
            const KymoArchiveLine *line)
{
  uint8_t *values = place_of (&process->values, line->field[1], 256);

  for (unsigned i = 3; values != NULL && i < line->n && i < 258; i++)
    {
      const char *type = strchr (line->field[i], ';');

      type = type != NULL ? strchr (type + 1, ';') : NULL;
      values[0] = (uint8_t) (i - 2);
      values[i - 2] = type == NULL || strncmp (type, ";u64", 4) == 0 ? OTF2_TYPE_UINT64
        : strncmp (type, ";i64", 4) == 0 ? OTF2_TYPE_INT64 : OTF2_TYPE_DOUBLE;
    }
}

static void
take_line (KymoArchiveProcess    *process,
           const KymoArchiveLine *line)
{
  KymoArchiveOffset offset;
  uint64_t number;

  if (kymo_archive_is_line (line, "process", 3) && process->host == NULL)
    {
      process->host = strdup (line->field[1]);
      kymo_archive_get_number (line->field[2], UINT32_MAX, &process->pid);
    }
  else if (kymo_archive_is_line (line, "world", 4) && process->rank < 0
           && kymo_archive_get_number (line->field[2], MOST_RANKS, &process->size)
           && kymo_archive_get_number (line->field[1], process->size - 1, &number)
           && process->size > 0)
    {
      process->rank = (int64_t) number;
      process->world = strdup (line->field[3]);
    }
  else if (kymo_archive_is_line (line, "clock", 5))
    take_clock (process, line);
  else if (kymo_archive_is_line (line, "offset", 3)
           && kymo_archive_get_number (line->field[1], INT64_MAX, &offset.mono_ns)
           && kymo_archive_get_signed (line->field[2], &offset.delta_ns)
           && offset.delta_ns > -MOST_AWAY_NS * 64 && offset.delta_ns < MOST_AWAY_NS * 64)
    kymo_archive_bytes_add (&process->offsets, &offset, sizeof offset);
  else if (kymo_archive_is_line (line, "comm", 7))
    take_comm (process, line);
  else if (kymo_archive_is_line (line, "win", 3))
    {
      uint32_t *comm = place_of (&process->wins, line->field[1], sizeof *comm);

      if (comm != NULL)
        *comm = kymo_archive_get_number (line->field[2], UINT32_MAX, &number)
          ? (uint32_t) number : KYMO_ARCHIVE_NONE;
    }
  else if (kymo_archive_is_line (line, "class", 4))
    take_class (process, line);
  else if (kymo_archive_is_line (line, "lost", 4) && strcmp (line->field[1], "events") == 0)
    process->has_stopped = true;
  else if (kymo_archive_is_line (line, "end", 1))
    process->has_ended = true;
}

static int
compare_moments (const void *a,
                 const void *b)
{
  const KymoArchiveMoment *x = a, *y = b;

  return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

static int
compare_offsets (const void *a,
                 const void *b)
{
  const KymoArchiveOffset *x = a, *y = b;

  return x->mono_ns < y->mono_ns ? -1 : x->mono_ns > y->mono_ns;
}

/* Both clocks go forward from each moment to the next. */
static void
sort_moments (KymoArchiveProcess *process)
{
  KymoArchiveMoment *at = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment);
  size_t n = KYMO_ARCHIVE_COUNT (&process->moments, KymoArchiveMoment), kept = 0;
  KymoArchiveOffset *offsets = KYMO_ARCHIVE_AT (&process->offsets, KymoArchiveOffset);
  size_t n_offsets = KYMO_ARCHIVE_COUNT (&process->offsets, KymoArchiveOffset), left = 0;

  if (n > 0)
    qsort (at, n, sizeof *at, compare_moments);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || (at[i].ticks > at[kept - 1].ticks && at[i].mono_ns > at[kept - 1].mono_ns))
      at[kept++] = at[i];
  process->moments.n = kept * sizeof *at;
  process->has_rate = process->is_monotonic || kept > 1;
  process->alive_ns = kept > 0 ? at[kept - 1].mono_ns : 0;
  if (n_offsets > 0)
    qsort (offsets, n_offsets, sizeof *offsets, compare_offsets);
  for (size_t i = 0; i < n_offsets; i++)
    if (left == 0 || offsets[i].mono_ns > offsets[left - 1].mono_ns)
      offsets[left++] = offsets[i];
  process->offsets.n = left * sizeof *offsets;
}

static bool
read_lines (KymoArchiveProcess *process)
{
  KymoArchiveBytes copy = { 0 };
  KymoArchiveText text;
  KymoArchiveLine line;
  bool good;

  kymo_archive_bytes_add (&copy, process->text.at, process->text.n);
  text = (KymoArchiveText) { (char *) copy.at, (char *) copy.at + copy.n };
  good = !copy.failed && kymo_archive_next_line (&text, &line)
    && kymo_archive_is_line (&line, "kymo-raw", 2) && strcmp (line.field[1], "1") == 0;
  while (good && kymo_archive_next_line (&text, &line))
    take_line (process, &line);
  kymo_archive_bytes_clear (&copy);
  sort_moments (process);
  return good && process->host != NULL && !process->moments.failed && !process->offsets.failed
    && !process->comms.failed && !process->wins.failed && !process->values.failed;
}

/**
 * kymo_archive_process_open:
 * @process: (out): the process; cleared with kymo_archive_process_clear() even if this fails
 * @folder: path of its raw folder
 * @tell: (nullable): hears what its definitions lack
 * @data: for @tell
 *
 * Reads its definitions.
 *
 * Returns: FALSE, and tells why, if they are not readable
 */
bool
kymo_archive_process_open (KymoArchiveProcess *process,
                           const char         *folder,
                           KymoArchiveTell     tell,
                           void               *data)
{
  const char *slash = strrchr (folder, '/');
  char *path = NULL;
  bool is_cut = false, is_torn = false, good;

  *process = (KymoArchiveProcess) { .rank = -1, .folder = strdup (folder) };
  if (process->folder == NULL || asprintf (&path, "%s/definitions", folder) < 0)
    return false;
  process->label = process->folder + (slash != NULL ? slash + 1 - folder : 0);
  good = read_file (path, &process->text, &is_cut);
  free (path);
  clean_text (&process->text, &is_torn);
  good = good && read_lines (process);
  if (!good)
    kymo_archive_say (tell, data, "%s has no definitions that can be read; it is left out.",
                      process->label);
  else if (is_cut || is_torn)
    kymo_archive_say (tell, data, is_cut
                      ? "The definitions of %s are too long; the end is left out."
                      : "The last definition of %s is torn and left out.", process->label);
  return good;
}

/** kymo_archive_process_clear: frees what @process holds */
void
kymo_archive_process_clear (KymoArchiveProcess *process)
{
  KymoArchiveMembers *comms = KYMO_ARCHIVE_AT (&process->comms, KymoArchiveMembers);

  for (size_t i = 0; i < KYMO_ARCHIVE_COUNT (&process->comms, KymoArchiveMembers); i++)
    {
      kymo_archive_bytes_clear (&comms[i].ranks[0]);
      kymo_archive_bytes_clear (&comms[i].ranks[1]);
    }
  free (process->folder);
  free (process->host);
  free (process->world);
  kymo_archive_bytes_clear (&process->text);
  kymo_archive_bytes_clear (&process->moments);
  kymo_archive_bytes_clear (&process->offsets);
  kymo_archive_bytes_clear (&process->files);
  kymo_archive_bytes_clear (&process->comms);
  kymo_archive_bytes_clear (&process->wins);
  kymo_archive_bytes_clear (&process->values);
  kymo_archive_bytes_clear (&process->cancelled);
  *process = (KymoArchiveProcess) { .rank = -1 };
}

/* -- clock --------------------------------------------------------------------------- */

/**
 * kymo_archive_process_borrow_rate:
 * @process: a process whose clock was read once only
 * @other: a process of the same machine whose clock is known
 *
 * Takes the rate of the other clock: ticks of one machine are equally long.
 */
void
kymo_archive_process_borrow_rate (KymoArchiveProcess       *process,
                                  const KymoArchiveProcess *other)
{
  const KymoArchiveMoment *known = KYMO_ARCHIVE_AT (&other->moments, KymoArchiveMoment);
  size_t n = KYMO_ARCHIVE_COUNT (&other->moments, KymoArchiveMoment);
  KymoArchiveMoment moment;

  if (process->has_rate || !other->has_rate || n < 2 || process->moments.n == 0
      || strcmp (process->host, other->host) != 0)
    return;
  moment = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment)[0];
  moment.ticks += known[n - 1].ticks - known[0].ticks;
  moment.mono_ns += known[n - 1].mono_ns - known[0].mono_ns;
  moment.real_ns += known[n - 1].mono_ns - known[0].mono_ns;
  kymo_archive_bytes_add (&process->moments, &moment, sizeof moment);
  process->has_rate = moment.ticks > known[0].ticks;
}

/**
 * kymo_archive_to_ns:
 * @ticks: of the process's clock
 * @ns: (out): the moment on the node's clock, in nanoseconds
 *
 * Returns: FALSE if the ticks are too far from all that the clock showed
 */
bool
kymo_archive_to_ns (const KymoArchiveProcess *process,
                    uint64_t                  ticks,
                    uint64_t                 *ns)
{
  const KymoArchiveMoment *at = KYMO_ARCHIVE_AT (&process->moments, KymoArchiveMoment);
  size_t n = KYMO_ARCHIVE_COUNT (&process->moments, KymoArchiveMoment), low = 0;
  __int128 rise = 1, run = 1, away;

  if (n == 0)
    return false;
  while (low + 2 < n && at[low + 1].ticks <= ticks)
    low++;
  if (!process->is_monotonic && n > 1)
    {
      rise = at[low + 1].mono_ns - at[low].mono_ns;
      run = at[low + 1].ticks - at[low].ticks;
    }
  away = ((__int128) ticks - at[low].ticks) * rise;
  away = away >= 0 ? away / run : -((-away + run - 1) / run);
  away += at[low].mono_ns;
  if (away < 0 || away - at[0].mono_ns > MOST_AWAY_NS || at[0].mono_ns - away > MOST_AWAY_NS)
    return false;
  *ns = (uint64_t) away;
  return true;
}

/**
 * kymo_archive_to_root:
 * @ns: a moment on the node's clock
 *
 * Returns: the moment on the clock of the node of rank 0, to the nanosecond where the OTF2 library
 *   puts it when the archive is read
 */
uint64_t
kymo_archive_to_root (const KymoArchiveProcess *process,
                      uint64_t                  ns)
{
  const KymoArchiveOffset *at = KYMO_ARCHIVE_AT (&process->offsets, KymoArchiveOffset);
  size_t n = KYMO_ARCHIVE_COUNT (&process->offsets, KymoArchiveOffset), low = 0;
  __int128 moved = ns;

  if (n == 0)
    return ns;
  while (low + 2 < n && at[low + 1].mono_ns < ns)
    low++;
  moved += at[low].delta_ns;
  if (n > 1)
    {
      double slope = (double) (at[low + 1].delta_ns - at[low].delta_ns)
        / (double) (at[low + 1].mono_ns - at[low].mono_ns);

      moved += (int64_t) rint (slope * (double) (int64_t) (ns - at[low].mono_ns));
    }
  return moved < 0 ? 0 : (uint64_t) moved;
}
