/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file `definitions` of the process: lines that are appended with one write() each, so that
 * they survive the process and precede what uses them. Some room is preallocated, so a disk that
 * fills up has room for names.
 */
#include "kymo-rec-inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define ROOM_BYTES (256 << 10)
#define MOST_LINE (192 << 10)
#define FIRST_SLOTS 2048

typedef struct
{
  uint64_t hash;
  uint32_t id;
  int32_t line;
  int16_t role, paradigm;
  const char *name;             /* with the file's name behind it */
} Region;

static KymoSysLock define_lock, region_lock;
static char definitions_path[KYMO_SYS_MOST_PATH];
static int definitions_fd = -1;
static struct stat definitions_stat;
static char *line_bytes;        /* MOST_LINE, guarded by define_lock */

static Region *regions;         /* a hash table, guarded by region_lock */
static uint32_t n_slots, n_regions;
static _Atomic uint32_t n_of_kind[KYMO_REC_N_KINDS];

/* A number that programs are unlikely to use. */
static int
move_up (int fd)
{
  struct rlimit limit;
  int least = 200;

  if (getrlimit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 400)
    least = limit.rlim_cur > 20 ? (int) limit.rlim_cur - 10 : 10;
  int higher = (int) syscall (SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
  if (higher < 0)
    return fd;
  kymo_sys_close (fd);
  return higher;
}

/* The descriptor to write to, or -1. The program may close all its descriptors, or open a file of
 * its own under our number; and a helper thread may have a table of descriptors of its own, in
 * which the file is opened each time. */
static int
take_definitions (bool *opened)
{
  struct stat now;

  *opened = false;
  if (definitions_fd >= 0 && kymo_rec_self.depth < KYMO_REC_HELPER_DEPTH
      && kymo_sys_stat_fd (definitions_fd, &now)
      && now.st_ino == definitions_stat.st_ino && now.st_dev == definitions_stat.st_dev)
    return definitions_fd;
  int fd = kymo_sys_open (definitions_path, O_WRONLY | O_APPEND | O_NOFOLLOW, 0);
  *opened = fd >= 0;
  return fd;
}

/**
 * kymo_rec_definitions_open:
 * @folder: the folder of the process, which must exist
 *
 * Returns: FALSE with errno if the file cannot be made
 */
bool
kymo_rec_definitions_open (const char *folder)
{
  static const char name[] = "/definitions";
  size_t length = strlen (folder);

  if (length + sizeof name > sizeof definitions_path)
    {
      errno = ENAMETOOLONG;
      return false;
    }
  memcpy (definitions_path, folder, length);
  memcpy (definitions_path + length, name, sizeof name);
  definitions_fd = kymo_sys_open (definitions_path,
                                  O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (definitions_fd < 0)
    return false;
  definitions_fd = move_up (definitions_fd);
  if (!kymo_sys_stat_fd (definitions_fd, &definitions_stat))
    return false;
  syscall (SYS_fallocate, definitions_fd, FALLOC_FL_KEEP_SIZE, 0L, (long) ROOM_BYTES);
  line_bytes = kymo_rec_arena (MOST_LINE);
  return line_bytes != NULL;
}

static size_t
put_text (size_t      at,
          const char *text,
          bool        as_it_is)
{
  static const char digits[] = "0123456789ABCDEF";

  for (; text != NULL && *text != '\0' && at < MOST_LINE - 64; text++)
    {
      unsigned char c = (unsigned char) *text;
      if (as_it_is || (c > 31 && c != 127 && c != '%'))
        line_bytes[at++] = *text;
      else
        {
          line_bytes[at++] = '%';
          line_bytes[at++] = digits[c >> 4];
          line_bytes[at++] = digits[c & 15];
        }
    }
  return at;
}

static size_t
put_number (size_t   at,
            uint64_t value,
            bool     negative)
{
  char digits[24];
  int n = 0;

  do
    digits[n++] = (char) ('0' + value % 10);
  while ((value /= 10) != 0);
  if (negative)
    line_bytes[at++] = '-';
  while (n > 0)
    line_bytes[at++] = digits[--n];
  return at;
}

static size_t
put_field (size_t  at,
           char    type,
           va_list *values)
{
  int64_t number;

  switch (type)
    {
    case 's':
    case 'r':
      return put_text (at, va_arg (*values, const char *), type == 'r');
    case 'u':
      return put_number (at, va_arg (*values, uint32_t), false);
    case 'U':
      return put_number (at, va_arg (*values, uint64_t), false);
    case 'i':
      number = va_arg (*values, int);
      break;
    default:
      number = va_arg (*values, int64_t);
      break;
    }
  return put_number (at, number < 0 ? -(uint64_t) number : (uint64_t) number, number < 0);
}

/**
 * kymo_rec_define: appends a line to the definitions; does nothing in a process that has not
 * woken up. If the disk is full, recording stops.
 * @kind: the first word of the line
 * @fields: the type of each further field: u uint32_t, U uint64_t, i int, I int64_t,
 *   s a string, which is escaped, r one that is not: what it holds may be several fields
 */
void
kymo_rec_define (const char *kind,
                 const char *fields,
                 ...)
{
  int state = atomic_load (&kymo_rec_page->state);
  int code = errno;
  va_list values;

  if (state != KYMO_REC_AWAKE && state != KYMO_REC_PAUSED && state != KYMO_REC_STOPPED)
    return;
  va_start (values, fields);
  kymo_sys_lock (&define_lock);
  size_t at = put_text (0, kind, true);
  for (; *fields != '\0'; fields++)
    {
      line_bytes[at++] = '\t';
      at = put_field (at, *fields, &values);
    }
  line_bytes[at++] = '\n';
  va_end (values);

  struct rlimit limit;
  struct stat now;
  bool opened;
  int fd = take_definitions (&opened);
  bool good = fd >= 0;
  if (good && getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    good = kymo_sys_stat_fd (fd, &now) && (uint64_t) now.st_size + at <= limit.rlim_cur;
  if (good)
    good = kymo_sys_write (fd, line_bytes, at);
  int failure = errno;
  if (opened)
    kymo_sys_close (fd);
  kymo_sys_unlock (&define_lock);
  if (!good && state != KYMO_REC_STOPPED)
    kymo_rec_stop_errno ("the definitions cannot be written", failure);
  errno = code;
}

/**
 * kymo_rec_next_id: the next of the dense ids, beginning with 0, of things of a kind. Who takes
 * one defines it at once.
 */
uint32_t
kymo_rec_next_id (KymoRecKind kind)
{
  return atomic_fetch_add (&n_of_kind[kind], 1);
}

static uint64_t
hash_text (uint64_t    hash,
           const char *text)
{
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 0x100000001b3u;
  return hash;
}

static bool
grow_regions (void)
{
  uint32_t n = n_slots == 0 ? FIRST_SLOTS : n_slots * 2;
  Region *larger = kymo_rec_arena (n * sizeof *larger);

  if (larger == NULL)
    return false;
  for (uint32_t i = 0; i < n_slots; i++)
    if (regions[i].name != NULL)
      {
        uint32_t slot = regions[i].hash & (n - 1);
        while (larger[slot].name != NULL)
          slot = (slot + 1) & (n - 1);
        larger[slot] = regions[i];
      }
  regions = larger;
  n_slots = n;
  return true;
}

/* The slot of a region, a new one if it has no name. */
static Region *
find_region (uint64_t    hash,
             const char *name,
             const char *file,
             int         line)
{
  for (uint32_t slot = hash & (n_slots - 1);; slot = (slot + 1) & (n_slots - 1))
    {
      Region *region = &regions[slot];
      if (region->name == NULL
          || (region->hash == hash && region->line == line && strcmp (region->name, name) == 0
              && strcmp (region->name + strlen (name) + 1, file) == 0))
        return region;
    }
}

static bool
name_region (Region     *region,
             const char *name,
             const char *file)
{
  size_t name_bytes = strlen (name) + 1, file_bytes = strlen (file) + 1;
  char *kept = kymo_rec_arena (name_bytes + file_bytes);

  if (kept == NULL)
    return false;
  memcpy (kept, name, name_bytes);
  memcpy (kept + name_bytes, file, file_bytes);
  region->name = kept;
  return true;
}

/**
 * kymo_rec_region:
 * @name: of a function or another stretch of the program
 * @role: an OTF2_RegionRole
 * @paradigm: an OTF2_Paradigm
 * @file: (nullable): where it is defined
 * @line: in @file, or 0
 *
 * Returns: its id, the same for the same name, file and line; KYMO_RAW_NONE if nothing is
 *   recorded. Costs a look-up: who calls keeps the id.
 */
uint32_t
kymo_rec_region (const char *name,
                 int         role,
                 int         paradigm,
                 const char *file,
                 int         line)
{
  uint32_t id = KYMO_RAW_NONE;
  int code = errno;

  if (!kymo_rec_is_awake ())
    return id;
  if (file == NULL)
    file = "";
  uint64_t hash = hash_text (hash_text (0xcbf29ce484222325u, name) * 31 + (unsigned) paradigm, file)
                  + (uint64_t) (unsigned) line * 0x9e3779b97f4a7c15u;
  kymo_sys_lock (&region_lock);
  if (n_regions * 2 < n_slots || grow_regions ())
    {
      Region *region = find_region (hash, name, file, line);
      if (region->name != NULL)
        id = region->id;
      else if (name_region (region, name, file))
        {
          id = region->id = n_regions++;
          region->hash = hash;
          region->line = line;
          region->role = (int16_t) role;
          region->paradigm = (int16_t) paradigm;
          kymo_rec_define ("region", "uiissi", id, role, paradigm, name, file, line);
        }
    }
  kymo_sys_unlock (&region_lock);
  errno = code;
  return id;
}

/**
 * kymo_rec_region_look: what is known of a region. Looks through all of them: who calls keeps it.
 * @id: from kymo_rec_region()
 * @name: (out): static
 * @role: (out): an OTF2_RegionRole
 * @paradigm: (out): an OTF2_Paradigm
 *
 * Returns: FALSE if there is no such region
 */
bool
kymo_rec_region_look (uint32_t     id,
                      const char **name,
                      int         *role,
                      int         *paradigm)
{
  bool found = false;

  kymo_sys_lock (&region_lock);
  for (uint32_t i = 0; i < n_slots && !found; i++)
    if (regions[i].name != NULL && regions[i].id == id)
      {
        *name = regions[i].name;
        *role = regions[i].role;
        *paradigm = regions[i].paradigm;
        found = true;
      }
  kymo_sys_unlock (&region_lock);
  return found;
}
