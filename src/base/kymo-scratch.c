/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch: see kymo-memory.h. Regions are given out at ascending offsets of
 * one sparse file; of a region that is freed the disk gets its room back at
 * once. Room on the disk is reserved before a region is given out: a full
 * disk is a %NULL, never a signal at the first touch.
 */
#include "config.h"

#include "kymo-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct
{
  gint64 offset;
  gsize  n_bytes;
} Region;

static GMutex mutex;
static GHashTable *regions;     /* address -> Region */
static int n_regions;           /* atomic: most processes never have one */
static int file = -1;
static gint64 end;              /* of the last region, a multiple of a page */
static gsize held;

/**
 * kymo_scratch_dup_folder:
 *
 * Returns: (transfer full): where temporary files go that may be large:
 * $TMPDIR, else /var/tmp, which unlike /tmp is rarely made of memory
 */
char *
kymo_scratch_dup_folder (void)
{
  const char *folder = g_getenv ("TMPDIR");

  return g_strdup (folder != NULL && folder[0] == '/' ? folder : "/var/tmp");
}

/**
 * kymo_scratch_open_file:
 *
 * Returns: a descriptor of an empty file without a name, for reading and
 * writing, that only we can read; -1 and errno where there is no place
 */
int
kymo_scratch_open_file (void)
{
  g_autofree char *folder = kymo_scratch_dup_folder ();
  g_autofree char *name = g_build_filename (folder, "kymo-XXXXXX", NULL);
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    return fd;
  fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    unlink (name);
  return fd;
}

static gsize
whole_pages (gsize n_bytes)
{
  gsize page = sysconf (_SC_PAGESIZE);

  return (n_bytes + page - 1) & ~(page - 1);
}

/* With the mutex held. */
static gpointer
map_region (gsize n_bytes)
{
  gpointer memory;
  int failed;

  if (file < 0)
    file = kymo_scratch_open_file ();
  if (file < 0 || n_bytes > (gsize) (G_MAXINT64 - end))
    return NULL;
  while ((failed = posix_fallocate (file, end, n_bytes)) == EINTR)
    continue;
  if (failed != 0)
    return NULL;
  memory = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, end);
  if (memory != MAP_FAILED)
    return memory;
  fallocate (file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, end, n_bytes);
  return NULL;
}

/**
 * kymo_scratch_new:
 * @n_bytes: how many
 *
 * Returns: (nullable): that many bytes, all 0, at an address of whole pages;
 * %NULL where there is no room. Freed with kymo_scratch_free().
 */
gpointer
kymo_scratch_new (gsize n_bytes)
{
  gpointer memory;

  if (n_bytes == 0 || n_bytes > G_MAXINT64 / 2)
    return NULL;
  n_bytes = whole_pages (n_bytes);
  g_mutex_lock (&mutex);
  memory = map_region (n_bytes);
  if (memory != NULL)
    {
      Region *region = g_new (Region, 1);

      *region = (Region) { end, n_bytes };
      end += n_bytes;
      held += n_bytes;
      if (regions == NULL)
        regions = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      g_hash_table_insert (regions, memory, region);
      g_atomic_int_inc (&n_regions);
    }
  g_mutex_unlock (&mutex);
  return memory;
}

/**
 * kymo_scratch_owns:
 *
 * Returns: whether @memory is of kymo_scratch_new()
 */
gboolean
kymo_scratch_owns (gconstpointer memory)
{
  gboolean ours;

  if (memory == NULL || g_atomic_int_get (&n_regions) == 0)
    return FALSE;
  g_mutex_lock (&mutex);
  ours = g_hash_table_contains (regions, memory);
  g_mutex_unlock (&mutex);
  return ours;
}

/**
 * kymo_scratch_free:
 * @memory: (nullable): of kymo_scratch_new(), or of g_malloc()
 *
 * So the caller frees both kinds alike.
 */
void
kymo_scratch_free (gpointer memory)
{
  Region *region = NULL;

  if (memory != NULL && g_atomic_int_get (&n_regions) > 0)
    {
      g_mutex_lock (&mutex);
      region = g_hash_table_lookup (regions, memory);
      if (region != NULL)
        {
          munmap (memory, region->n_bytes);
          if (fallocate (file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, region->offset,
                         region->n_bytes) != 0)
            g_debug ("Scratch keeps its room on disk: %s", g_strerror (errno));
          held -= region->n_bytes;
          g_hash_table_remove (regions, memory);
          g_atomic_int_add (&n_regions, -1);
        }
      g_mutex_unlock (&mutex);
    }
  if (region == NULL)
    g_free (memory);
}

/**
 * kymo_scratch_get_bytes:
 *
 * Returns: bytes of all regions there are
 */
gsize
kymo_scratch_get_bytes (void)
{
  gsize n;

  g_mutex_lock (&mutex);
  n = held;
  g_mutex_unlock (&mutex);
  return n;
}
