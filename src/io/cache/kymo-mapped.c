/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "kymo-error.h"

/* Reading takes 0.7 ms a megabyte more than mapping: a second and more of larger files. */
#define MOST_READ_BYTES (G_GINT64_CONSTANT (1) << 30)

/* More files than that are not mapped: a comparison has some ten. */
#define MOST_RANGES 256

/* The entry that the signal handler looks up; the handler may take no lock. kymo-mapped.c removes
   the entry of a range before it unmaps the range, after the last reader has let go of it. */
typedef struct
{
  gsize begin;                  /* atomic; 0: free */
  gsize n_bytes;                /* whole pages */
  gint  damaged;                /* atomic */
} Range;

struct _KymoMapped
{
  guint8 *bytes;
  gsize   n_bytes;
  Range  *range;                /* NULL where parts are read */
  int     fd;
  guint8 *pinned;               /* of a mapped file: whether a page is memory of our own */
  gint    cut;                  /* atomic: a read found less than there was */
};

static GMutex mutex;            /* held while `ranges` is changed */
static Range ranges[MOST_RANGES];
static struct sigaction before;

/* -- the signal ------------------------------------------------------------ */

static gsize
get_page (void)
{
  static gsize page;

  if (page == 0)
    page = sysconf (_SC_PAGESIZE);
  return page;
}

static Range *
find_range (gsize address)
{
  for (guint i = 0; i < MOST_RANGES; i++)
    {
      gsize begin = __atomic_load_n (&ranges[i].begin, __ATOMIC_ACQUIRE);

      if (begin != 0 && address >= begin && address - begin < ranges[i].n_bytes)
        return &ranges[i];
    }
  return NULL;
}

/* The handler that was there before; by default the same signal ends the program here. */
static void
pass_on (int        number,
         siginfo_t *info,
         void      *context)
{
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction (number, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler (number);
  else
    signal (number, SIG_DFL);
}

/* Behind the end of a file that was cut all pages are gone, so all are replaced at once: the
   kernel limits the number of mappings. */
static void
on_bus_error (int        number,
              siginfo_t *info,
              void      *context)
{
  int code = errno;
  gsize address = (gsize) info->si_addr;
  Range *range = find_range (address);
  gsize at = address & ~(get_page () - 1);

  if (range == NULL)
    {
      pass_on (number, info, context);
      return;
    }
  __atomic_store_n (&range->damaged, 1, __ATOMIC_SEQ_CST);
  if (mmap ((void *) at, range->begin + range->n_bytes - at, PROT_READ,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
    pass_on (number, info, context);
  errno = code;
}

static void
install (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

      get_page ();
      action.sa_sigaction = on_bus_error;
      sigemptyset (&action.sa_mask);
      sigaction (SIGBUS, &action, &before);
      g_once_init_leave (&once, 1);
    }
}

static Range *
list_range (gpointer begin,
            gsize    n_bytes)
{
  Range *range = NULL;

  install ();
  g_mutex_lock (&mutex);
  for (guint i = 0; i < MOST_RANGES && range == NULL; i++)
    if (ranges[i].begin == 0)
      range = &ranges[i];
  if (range != NULL)
    {
      range->n_bytes = n_bytes;
      range->damaged = 0;
      __atomic_store_n (&range->begin, (gsize) begin, __ATOMIC_RELEASE);
    }
  g_mutex_unlock (&mutex);
  return range;
}

static void
unlist_range (Range *range)
{
  g_mutex_lock (&mutex);
  __atomic_store_n (&range->begin, 0, __ATOMIC_RELEASE);
  g_mutex_unlock (&mutex);
}

/* -- files ----------------------------------------------------------------- */

/* Magic numbers of file systems that another machine, or a program, serves (statfs(2); not all
   are in the headers of the kernel). */
static gboolean
is_remote (int fd)
{
  static const guint32 kinds[] =
  {
    0x6969,             /* NFS */
    0x517b,             /* SMB */
    0xff534d42,         /* CIFS */
    0xfe534d42,         /* SMB 2 and later */
    0x0bd00bd0,         /* Lustre */
    0x47504653,         /* GPFS */
    0x65735546,         /* FUSE, and what is mounted through it */
    0x5346414f,         /* AFS */
    0x6b414653,         /* AFS of the kernel */
    0x01021997,         /* 9P */
    0x00c36400,         /* Ceph */
    0x73757245,         /* Coda */
    0x564c,             /* NCP */
    0x19830326,         /* BeeGFS */
    0x20030528,         /* OrangeFS */
    0x7461636f,         /* OCFS2 */
    0x01161970,         /* GFS2 */
    0xaad7aaea,         /* PanFS */
    0x786f4256,         /* folders that a virtual machine shares */
  };
  struct statfs info;

  if (fstatfs (fd, &info) != 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if ((guint32) info.f_type == kinds[i])
      return TRUE;
  return FALSE;
}

static gsize
whole_pages (gsize n_bytes)
{
  return (n_bytes + get_page () - 1) & ~(get_page () - 1);
}

static gboolean
read_into (KymoMapped *mapped,
           gsize       offset,
           gsize       n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n = pread (mapped->fd, mapped->bytes + offset, n_bytes, offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_atomic_int_set (&mapped->cut, 1);
          return FALSE;
        }
      offset += n;
      n_bytes -= n;
    }
  return TRUE;
}

/* Room for all of it, which takes memory only where something is read into it. */
static gboolean
reserve (KymoMapped *mapped)
{
  mapped->bytes = mmap (NULL, mapped->n_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped->bytes != MAP_FAILED;
}

static gboolean
map (KymoMapped *mapped)
{
  mapped->bytes = mmap (NULL, mapped->n_bytes, PROT_READ, MAP_SHARED, mapped->fd, 0);
  if (mapped->bytes == MAP_FAILED)
    return FALSE;
  mapped->range = list_range (mapped->bytes, whole_pages (mapped->n_bytes));
  if (mapped->range != NULL)
    {
      mapped->pinned = g_malloc0 (mapped->n_bytes / get_page () + 1);
      return TRUE;
    }
  munmap (mapped->bytes, mapped->n_bytes);
  return reserve (mapped);
}

/**
 * kymo_mapped_new:
 * @fd: a file, open for reading; may be closed after
 * @memory_bytes: what the program may use: a file that is larger than half of it, or than
 *   1 GiB, is mapped, if it does not lie on a file system of the network; 0 maps every file
 * @error: %KYMO_ERROR_STALE, what the system says
 *
 * Returns: (transfer full) (nullable): the file, as long as it is now; an empty one has no bytes
 */
KymoMapped *
kymo_mapped_new (int        fd,
                 gint64     memory_bytes,
                 GError   **error)
{
  KymoMapped *mapped = g_new0 (KymoMapped, 1);
  struct stat info;

  mapped->fd = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  if (mapped->fd >= 0 && fstat (mapped->fd, &info) == 0)
    {
      mapped->n_bytes = info.st_size;
      if (info.st_size == 0)
        return mapped;
      if (info.st_size <= MIN (memory_bytes / 2, MOST_READ_BYTES)
          || (memory_bytes > 0 && is_remote (fd)) ? reserve (mapped) : map (mapped))
        return mapped;
    }
  g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_STALE, g_strerror (errno));
  mapped->bytes = NULL;
  kymo_mapped_free (mapped);
  return NULL;
}

/**
 * kymo_mapped_free:
 *
 * Frees @mapped. %NULL is ignored. Its memory must not be read any more; its file is closed.
 */
void
kymo_mapped_free (KymoMapped *mapped)
{
  if (mapped == NULL)
    return;
  if (mapped->range != NULL)
    unlist_range (mapped->range);
  if (mapped->bytes != NULL)
    munmap (mapped->bytes, mapped->n_bytes);
  if (mapped->fd >= 0)
    close (mapped->fd);
  g_free (mapped->pinned);
  g_free (mapped);
}

/**
 * kymo_mapped_peek:
 * @mapped: the file
 * @n_bytes: (out): how many bytes it has
 *
 * Returns: its bytes; where parts are read, only those of kymo_mapped_pin() and
 * kymo_mapped_need() are those of the file
 */
const guint8 *
kymo_mapped_peek (const KymoMapped *mapped,
                  gsize            *n_bytes)
{
  *n_bytes = mapped->n_bytes;
  return mapped->bytes;
}

static gboolean
is_inside (const KymoMapped *mapped,
           guint64           offset,
           guint64           n_bytes)
{
  return offset <= mapped->n_bytes && n_bytes <= mapped->n_bytes - offset;
}

/* A page that was pinned may have been looked at: it is not read again. */
static gboolean
pin_page (KymoMapped *mapped,
          gsize       page)
{
  gsize begin = page * get_page ();

  if (mapped->pinned[page])
    return TRUE;
  mapped->pinned[page] = TRUE;
  return mmap (mapped->bytes + begin, get_page (), PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED
    && read_into (mapped, begin, MIN (get_page (), mapped->n_bytes - begin));
}

/**
 * kymo_mapped_pin:
 * @mapped: the file
 * @offset: of the first byte
 * @n_bytes: how many
 *
 * For bytes that must never change once they were looked at: they become memory of the
 * program. Before any other thread reads the file.
 *
 * Returns: whether the bytes are inside the file, and it had them still
 */
gboolean
kymo_mapped_pin (KymoMapped *mapped,
                 guint64     offset,
                 guint64     n_bytes)
{
  gboolean done = is_inside (mapped, offset, n_bytes);

  if (!done || n_bytes == 0)
    return done;
  if (mapped->range == NULL)
    return read_into (mapped, offset, n_bytes);
  for (gsize page = offset / get_page (); done && page <= (offset + n_bytes - 1) / get_page ();
       page++)
    done = pin_page (mapped, page);
  return done;
}

/**
 * kymo_mapped_need:
 * @mapped: the file
 * @offset: of the first byte
 * @n_bytes: how many
 *
 * Reads them, if the file is not mapped. Any thread, each byte once: another thread may read
 * other bytes meanwhile.
 *
 * Returns: whether the bytes are inside the file, and it had them still
 */
gboolean
kymo_mapped_need (KymoMapped *mapped,
                  guint64     offset,
                  guint64     n_bytes)
{
  return is_inside (mapped, offset, n_bytes)
    && (mapped->range != NULL || read_into (mapped, offset, n_bytes));
}

/**
 * kymo_mapped_is_damaged:
 *
 * Returns: whether bytes of the file were not there when they were read, or are not there now.
 *   Any thread; to be asked before the file is read, so that no reader meets zeros if it can be
 *   helped, and after whatever was computed of it.
 */
gboolean
kymo_mapped_is_damaged (KymoMapped *mapped)
{
  struct stat info;

  if (g_atomic_int_get (&mapped->cut) != 0)
    return TRUE;
  if ((mapped->range == NULL || __atomic_load_n (&mapped->range->damaged, __ATOMIC_SEQ_CST) == 0)
      && fstat (mapped->fd, &info) == 0 && (guint64) info.st_size >= mapped->n_bytes)
    return FALSE;
  g_atomic_int_set (&mapped->cut, 1);
  return TRUE;
}
