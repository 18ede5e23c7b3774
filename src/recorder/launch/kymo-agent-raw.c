/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-agent-raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define N_CELLS (KYMO_AGENT_CHUNK_BYTES / KYMO_RAW_CELL_BYTES)
#define LEAST_FREE (64 << 20)

static bool
write_whole (int         fd,
             const char *bytes,
             size_t      n_bytes,
             off_t       at)
{
  while (n_bytes > 0)
    {
      ssize_t n = at >= 0 ? pwrite (fd, bytes, n_bytes, at) : write (fd, bytes, n_bytes);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return false;
      bytes += n;
      n_bytes -= (size_t) n;
      at += at >= 0 ? n : 0;
    }
  return true;
}

/* A folder in memory, else on the disk of temporary files: no file system that is served to
 * others. */
static bool
make_folder (char *folder)
{
  const char *temporary = getenv ("TMPDIR");
  const char *const places[] = { "/dev/shm", temporary != NULL ? temporary : "/tmp", "/tmp" };

  for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
    {
      struct statfs disk;

      if (statfs (places[i], &disk) != 0
          || (uint64_t) disk.f_bavail * (uint64_t) disk.f_bsize < LEAST_FREE)
        continue;
      snprintf (folder, PATH_MAX, "%s/kymo-agent-XXXXXX", places[i]);
      if (mkdtemp (folder) != NULL)
        return true;
    }
  return false;
}

static int
make_file (const KymoAgentRaw *raw,
           const char         *name)
{
  char path[PATH_MAX + 32];

  snprintf (path, sizeof path, "%s/%s", raw->folder, name);
  return open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/**
 * kymo_agent_raw_open: makes the files of a process of the host @host.
 *
 * Returns: FALSE with errno if there is no place for them
 */
bool
kymo_agent_raw_open (KymoAgentRaw *raw,
                     const char   *host)
{
  struct
  {
    KymoRawHeader header;
    char rest[KYMO_RAW_HEADER_BYTES - sizeof (KymoRawHeader)];
  } head = { .header = { .byte_order = KYMO_RAW_BYTE_ORDER, .version = 1,
                         .chunk_bytes = KYMO_AGENT_CHUNK_BYTES,
                         .pid = (uint32_t) getpid (), .tid = (uint32_t) getpid () } };

  memset (raw, 0, sizeof *raw);
  memcpy (head.header.magic, KYMO_RAW_MAGIC, sizeof head.header.magic);
  if (!make_folder (raw->folder))
    return false;
  raw->definitions = make_file (raw, "definitions");
  raw->events = make_file (raw, "system-0");
  return raw->definitions >= 0 && raw->events >= 0
         && write_whole (raw->events, (const char *) &head, sizeof head, -1);
}

/**
 * kymo_agent_raw_define: appends a line to the definitions.
 * @format: as of printf(), with tabs between the fields and without newline; what it prints must
 *   not hold other control characters
 */
void
kymo_agent_raw_define (KymoAgentRaw *raw,
                       const char   *format,
                       ...)
{
  char line[16 << 10];
  va_list values;
  int n;

  va_start (values, format);
  n = vsnprintf (line, sizeof line - 1, format, values);
  va_end (values);
  if (n < 0 || n >= (int) sizeof line - 1)
    return;
  line[n] = '\n';
  if (!write_whole (raw->definitions, line, (size_t) n + 1, -1))
    raw->failed = true;
}

/* The chunk is full: the next one takes its place in memory. */
static void
begin_chunk (KymoAgentRaw *raw,
             uint64_t      time_ns)
{
  kymo_agent_raw_save (raw);
  memset (raw->chunk, 0, sizeof raw->chunk);
  raw->chunk[0] = (KymoRawCell) { .type = KYMO_RAW_CHUNK, .cells = 2, .time = time_ns };
  ((KymoRawWords *) &raw->chunk[1])->a = ++raw->sequence;
  raw->used = 2;
  raw->saved = 0;
}

/**
 * kymo_agent_raw_sample: adds a record of the values of the class @id.
 * @n: number of values, at most 500
 * @time_ns: of CLOCK_MONOTONIC, not before the last one
 */
void
kymo_agent_raw_sample (KymoAgentRaw   *raw,
                       uint32_t        id,
                       const uint64_t *values,
                       unsigned        n,
                       uint64_t        time_ns)
{
  unsigned cells = 1 + (n + 1) / 2;

  if (raw->sequence == 0 || raw->used + cells > N_CELLS)
    {
      if (raw->sequence > 0 && raw->used < N_CELLS)
        raw->chunk[raw->used++] = (KymoRawCell) { .type = KYMO_RAW_PAD, .cells = 1 };
      begin_chunk (raw, time_ns);
    }
  raw->chunk[raw->used] = (KymoRawCell) { KYMO_RAW_METRIC, (uint8_t) cells, (uint16_t) n, id,
                                          time_ns };
  memcpy (&raw->chunk[raw->used + 1], values, n * sizeof *values);
  raw->used += cells;
}

/**
 * kymo_agent_raw_save: writes what the file does not have yet.
 */
void
kymo_agent_raw_save (KymoAgentRaw *raw)
{
  off_t at;

  if (raw->sequence == 0 || raw->used == raw->saved)
    return;
  /* The whole chunk at first: zeros behind the last record say where it ends. */
  at = KYMO_RAW_HEADER_BYTES + (off_t) (raw->sequence - 1) * KYMO_AGENT_CHUNK_BYTES;
  if (!write_whole (raw->events, (const char *) (raw->chunk + raw->saved),
                    ((raw->saved == 0 ? N_CELLS : raw->used) - raw->saved) * sizeof *raw->chunk,
                    at + raw->saved * KYMO_RAW_CELL_BYTES))
    raw->failed = true;
  raw->saved = raw->used;
}

static bool
copy_file (const char *from,
           const char *to)
{
  char bytes[64 << 10];
  int in = open (from, O_RDONLY | O_CLOEXEC);
  int out = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = in >= 0 && out >= 0;
  ssize_t n;

  while (good && (n = read (in, bytes, sizeof bytes)) != 0)
    good = n > 0 && write_whole (out, bytes, (size_t) n, -1);
  if (in >= 0)
    close (in);
  if (out >= 0 && close (out) != 0)
    good = false;
  return good;
}

/**
 * kymo_agent_raw_move: copies the files to the folder @target, which appears when they are whole,
 * and removes the originals.
 *
 * Returns: FALSE with errno if that fails: then the originals stay
 */
bool
kymo_agent_raw_move (KymoAgentRaw *raw,
                     const char   *target)
{
  static const char *const names[] = { "definitions", "system-0" };
  char from[PATH_MAX + 32], to[PATH_MAX + 32], part[PATH_MAX];

  close (raw->definitions);
  close (raw->events);
  snprintf (part, sizeof part, "%s.part", target);
  if (mkdir (part, 0700) != 0)
    return false;
  for (unsigned i = 0; i < 2; i++)
    {
      snprintf (from, sizeof from, "%s/%s", raw->folder, names[i]);
      snprintf (to, sizeof to, "%s/%s", part, names[i]);
      if (!copy_file (from, to))
        return false;
    }
  if (rename (part, target) != 0)
    return false;
  for (unsigned i = 0; i < 2; i++)
    {
      snprintf (from, sizeof from, "%s/%s", raw->folder, names[i]);
      unlink (from);
    }
  rmdir (raw->folder);
  return true;
}
