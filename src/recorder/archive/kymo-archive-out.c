/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-archive-out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define BASE "traces"
#define EVENT_CHUNK_BYTES (1u << 20)
/* Chunks of one file in memory before they are written. */
#define MOST_CHUNKS 4
/* The library gathers 4 MiB of a file before it writes them, and crashes if it then cannot. */
#define MOST_SPARE_BYTES (8u << 20)
#define LEAST_SPARE_BYTES (256u << 10)

/* -- room ---------------------------------------------------------------------------- */

static uint64_t
lesser_of (uint64_t a,
           uint64_t b)
{
  return a < b ? a : b;
}

/* How much longer a file may get than the records that it is made of: samples grow by a fifth. */
static uint64_t
growth_of (uint64_t n_bytes)
{
  return lesser_of (n_bytes / 4 + LEAST_SPARE_BYTES, MOST_SPARE_BYTES);
}

/* How much the library may write at once of a file that is made of @n_bytes. */
static uint64_t
flush_bytes (uint64_t n_bytes)
{
  return lesser_of (n_bytes + growth_of (n_bytes), MOST_SPARE_BYTES);
}

/* Takes the room on the disk for a moment: quotas and full disks show only then. */
static bool
can_reserve (const char *folder,
             uint64_t    n_bytes)
{
  char *path = NULL;
  int fd;
  bool good = true;

  if (asprintf (&path, "%s/.room-XXXXXX", folder) < 0)
    return false;
  fd = mkostemp (path, O_CLOEXEC);
  if (fd >= 0)
    {
      if (fallocate (fd, 0, 0, (off_t) n_bytes) != 0)
        good = errno == EOPNOTSUPP || errno == ENOSYS || errno == EFBIG;
      close (fd);
      unlink (path);
    }
  else
    good = false;
  free (path);
  return good;
}

/**
 * kymo_archive_out_may_write:
 * @n_bytes: of a file
 *
 * Returns: whether the process may write so large a file; it is not killed by asking
 */
bool
kymo_archive_out_may_write (uint64_t n_bytes)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
    || limit.rlim_cur >= n_bytes + growth_of (n_bytes);
}

/**
 * kymo_archive_out_has_room:
 * @folder: where the archive goes
 * @n_bytes: of the raw records and definitions that it is made of, which are not smaller
 *
 * Returns: whether the disk takes so much
 */
bool
kymo_archive_out_has_room (const char *folder,
                           uint64_t    n_bytes)
{
  struct statvfs disk;

  n_bytes += flush_bytes (n_bytes);
  if (statvfs (folder, &disk) == 0 && (uint64_t) disk.f_bavail * disk.f_frsize < n_bytes)
    return false;
  return !kymo_archive_out_may_write (n_bytes) || can_reserve (folder, n_bytes);
}

/* -- callbacks of the library -------------------------------------------------------- */

static OTF2_ErrorCode
ignore_error (void           *data,
              const char     *file,
              uint64_t        line,
              const char     *function,
              OTF2_ErrorCode  code,
              const char     *format,
              va_list         arguments)
{
  return code;
}

static OTF2_FlushType
before_flush (void             *data,
              OTF2_FileType     type,
              OTF2_LocationRef  location,
              void             *caller,
              bool              is_final)
{
  KymoArchiveOut *out = data;
  struct statvfs disk;

  if (statvfs (out->folder, &disk) == 0
      && (uint64_t) disk.f_bavail * disk.f_frsize < flush_bytes (out->most_bytes))
    {
      out->is_full = true;
      kymo_archive_out_note (out, OTF2_ERROR_ENOSPC);
    }
  return out->code == OTF2_SUCCESS ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

/* Events are written after the program ended, so writing them is no part of it: no records of
   flushing. */
static const OTF2_FlushCallbacks flush = { before_flush, NULL };

/** Chunks: of one file */
typedef struct
{
  void    *at[MOST_CHUNKS];
  unsigned n;
} Chunks;

static void *
allocate_chunk (void             *data,
                OTF2_FileType     type,
                OTF2_LocationRef  location,
                void            **buffer,
                uint64_t          n_bytes)
{
  Chunks *chunks = *buffer;

  if (chunks == NULL)
    *buffer = chunks = calloc (1, sizeof *chunks);
  if (chunks == NULL || chunks->n == MOST_CHUNKS)
    return NULL;
  chunks->at[chunks->n] = malloc (n_bytes);
  return chunks->at[chunks->n] != NULL ? chunks->at[chunks->n++] : NULL;
}

static void
free_chunks (void             *data,
             OTF2_FileType     type,
             OTF2_LocationRef  location,
             void            **buffer,
             bool              is_final)
{
  Chunks *chunks = *buffer;

  while (chunks != NULL && chunks->n > 0)
    free (chunks->at[--chunks->n]);
  if (is_final)
    {
      free (chunks);
      *buffer = NULL;
    }
}

static const OTF2_MemoryCallbacks memory = { allocate_chunk, free_chunks };

/* -- the archive --------------------------------------------------------------------- */

/* The library makes it on rank 0; the folder of another node may be another one. */
static void
make_events_folder (const char *folder)
{
  char *path = NULL;

  if (asprintf (&path, "%s/" BASE, folder) < 0)
    return;
  mkdir (path, 0777);
  free (path);
}

/**
 * kymo_archive_out_open:
 * @out: (inout): with a folder
 * @world: the processes that write together
 * @definition_bytes: of a chunk of definitions
 *
 * Collective. Begins an archive, in the place of what another one left behind.
 *
 * Returns: FALSE if it cannot be begun; kymo_archive_out_close() is to be called even so
 */
bool
kymo_archive_out_open (KymoArchiveOut   *out,
                       KymoArchiveWorld *world,
                       uint64_t          definition_bytes)
{
  OTF2_Error_RegisterCallback (ignore_error, NULL);
  out->archive = OTF2_Archive_Open (out->folder, BASE, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                    definition_bytes, OTF2_SUBSTRATE_POSIX,
                                    OTF2_COMPRESSION_NONE);
  if (!world->agree (world, out->archive != NULL))
    return false;
  kymo_archive_out_note (out, OTF2_Archive_SetFlushCallbacks (out->archive, &flush, out));
  kymo_archive_out_note (out, OTF2_Archive_SetMemoryCallbacks (out->archive, &memory, out));
  if (!world->prepare (world, out->archive))
    kymo_archive_out_note (out, OTF2_ERROR_COLLECTIVE_CALLBACK);
  if (!world->agree (world, out->code == OTF2_SUCCESS))
    return false;
  kymo_archive_out_note (out, OTF2_Archive_SetCreator (out->archive, "kymo-record"));
  kymo_archive_out_note (out, OTF2_Archive_OpenEvtFiles (out->archive));
  if (!world->agree (world, out->code == OTF2_SUCCESS))
    {
      /* Closing an archive whose files could not be opened crashes in OTF2 3.0.2: it stays. */
      out->archive = NULL;
      return false;
    }
  make_events_folder (out->folder);
  return true;
}

/**
 * kymo_archive_out_close:
 *
 * Collective. Ends the archive.
 *
 * Returns: FALSE if anything of it failed
 */
bool
kymo_archive_out_close (KymoArchiveOut *out)
{
  if (out->archive != NULL)
    kymo_archive_out_note (out, OTF2_Archive_Close (out->archive));
  out->archive = NULL;
  return out->code == OTF2_SUCCESS;
}

static void
remove_events (const char *path)
{
  DIR *folder = opendir (path);
  const struct dirent *entry;

  while (folder != NULL && (entry = readdir (folder)) != NULL)
    {
      const char *dot = strrchr (entry->d_name, '.');

      if (dot != NULL && (strcmp (dot, ".evt") == 0 || strcmp (dot, ".def") == 0))
        unlinkat (dirfd (folder), entry->d_name, 0);
    }
  if (folder != NULL)
    closedir (folder);
  rmdir (path);
}

/**
 * kymo_archive_out_remove:
 * @folder: where an archive that is not whole lies
 *
 * Removes its files.
 */
void
kymo_archive_out_remove (const char *folder)
{
  static const char *const files[] = { BASE ".otf2", BASE ".def", BASE ".marker",
                                       BASE ".kymo", "tauprofile.xml" };
  char *path = NULL;

  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (asprintf (&path, "%s/%s", folder, files[i]) >= 0)
      {
        unlink (path);
        free (path);
      }
  if (asprintf (&path, "%s/" BASE, folder) >= 0)
    {
      remove_events (path);
      free (path);
    }
}
