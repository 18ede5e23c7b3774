/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the machine can do at most, on the same data, on as many threads as
 * Kymo has: reading files, inflating them, looking for line ends, making
 * numbers of digits, touching new memory, reading memory, opening files.
 * Each is the best of the measurements: a bound, not a habit.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "kymo-inflate.h"

#define BUFFER_BYTES (1 << 20)

/* Looks at the bytes of a file; what it returns only keeps the work from being
   left out. */
typedef guint64 (*Look) (const guint8 *bytes,
                         gsize         n);

static guint64
look_nothing (const guint8 *bytes,
              gsize         n)
{
  return n;
}

static guint64
look_lines (const guint8 *bytes,
            gsize         n)
{
  const guint8 *end = bytes + n;
  guint64 lines = 0;

  for (; (bytes = memchr (bytes, '\n', end - bytes)) != NULL; bytes++)
    lines++;
  return lines;
}

/* Every run of digits becomes a number, the plainest way. */
static guint64
look_numbers (const guint8 *bytes,
              gsize         n)
{
  guint64 sum = 0, value = 0;

  for (gsize i = 0; i < n; i++)
    {
      guint8 digit = bytes[i] - '0';

      if (digit < 10)
        value = value * 10 + digit;
      else
        {
          sum += value;
          value = 0;
        }
    }
  return sum;
}

typedef struct
{
  Look     look;
  gboolean inflate;
  gint64   n_bytes;             /* atomic */
  guint64  sum;                 /* atomic */
} Walk;

static void
walk_plain (Walk       *walk,
            const char *path,
            guint8     *buffer)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    return;
  while ((n = read (fd, buffer, BUFFER_BYTES)) > 0)
    {
      __atomic_add_fetch (&walk->n_bytes, n, __ATOMIC_RELAXED);
      __atomic_add_fetch (&walk->sum, walk->look (buffer, n), __ATOMIC_RELAXED);
    }
  close (fd);
}

static void
walk_inflated (Walk       *walk,
               const char *path,
               guint8     *buffer)
{
  g_autoptr (KymoInflate) inflate = kymo_inflate_open (path, NULL);
  gsize n;

  while (inflate != NULL && (n = kymo_inflate_read (inflate, buffer, BUFFER_BYTES, NULL)) > 0)
    {
      __atomic_add_fetch (&walk->n_bytes, n, __ATOMIC_RELAXED);
      __atomic_add_fetch (&walk->sum, walk->look (buffer, n), __ATOMIC_RELAXED);
    }
}

static void
walk_file (gpointer data,
           gpointer user_data)
{
  static _Thread_local guint8 buffer[BUFFER_BYTES];
  Walk *walk = user_data;

  if (walk->inflate)
    walk_inflated (walk, data, buffer);
  else
    walk_plain (walk, data, buffer);
}

typedef struct
{
  GPtrArray *paths;
  Walk       walk;
} Walking;

static void
walk_all (gpointer data)
{
  Walking *walking = data;
  GThreadPool *pool;

  walking->walk.n_bytes = 0;
  pool = g_thread_pool_new (walk_file, &walking->walk, g_get_num_processors (), TRUE, NULL);
  for (guint i = 0; i < walking->paths->len; i++)
    g_thread_pool_push (pool, walking->paths->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}

static void
find_files (GPtrArray  *paths,
            const char *folder,
            gboolean    logs)           /* nothing else */
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (!logs || g_str_has_suffix (name, ".log") || g_str_has_suffix (name, ".log.gz"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
}

static double
walk (const Bench *bench,
      BenchLogs   *logs,
      Look         look,
      gboolean     inflate,
      gint64      *n_bytes)
{
  Walking walking = { logs->paths, { look, inflate } };
  double best = bench_measure (bench, NULL, walk_all, &walking, 0, 0);

  if (n_bytes != NULL)
    *n_bytes = walking.walk.n_bytes;
  return best;
}

/**
 * bench_logs_measure:
 * @folder: of a run
 * @logs: (out caller-allocates): to be cleared
 *
 * Finds the logs and measures what reading them takes at least.
 */
void
bench_logs_measure (const Bench *bench,
                    const char  *folder,
                    BenchLogs   *logs)
{
  *logs = (BenchLogs) { g_ptr_array_new_with_free_func (g_free) };
  find_files (logs->paths, folder, TRUE);
  logs->read_s = walk (bench, logs, look_nothing, FALSE, &logs->file_bytes);
  logs->inflate_s = walk (bench, logs, look_nothing, TRUE, &logs->plain_bytes);
  logs->scan_s = walk (bench, logs, look_lines, TRUE, NULL);
  logs->numbers_s = walk (bench, logs, look_numbers, TRUE, NULL);
}

void
bench_logs_clear (BenchLogs *logs)
{
  g_clear_pointer (&logs->paths, g_ptr_array_unref);
}

/* Memory, in as many parts as there are threads. */
typedef struct
{
  guint8  *bytes;
  gsize    n;
  gboolean write;
  guint64  sum;
} Part;

static gpointer
touch (gpointer data)
{
  Part *part = data;
  const guint64 *words = (const guint64 *) part->bytes;

  if (part->write)
    memset (part->bytes, 1, part->n);
  else
    for (gsize i = 0; i < part->n / sizeof *words; i++)
      part->sum += words[i];
  return NULL;
}

static void
touch_all (guint8   *bytes,
           gsize     n,
           gboolean  write)
{
  guint n_threads = g_get_num_processors ();
  g_autofree Part *parts = g_new0 (Part, n_threads);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  gsize each = n / n_threads / sizeof (guint64) * sizeof (guint64);
  static volatile guint64 kept;

  for (guint i = 0; i < n_threads; i++)
    {
      parts[i] = (Part) { bytes + i * each, each, write, 0 };
      threads[i] = g_thread_new ("touch", touch, &parts[i]);
    }
  for (guint i = 0; i < n_threads; i++)
    {
      g_thread_join (threads[i]);
      kept += parts[i].sum;
    }
}

static guint8 *
new_pages (gsize n)
{
  void *bytes = mmap (NULL, MAX (n, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);

  return bytes != MAP_FAILED ? bytes : NULL;
}

static void
write_pages (gpointer data)
{
  gsize n = *(gsize *) data;
  guint8 *bytes = new_pages (n);

  if (bytes == NULL)
    return;
  touch_all (bytes, n, TRUE);
  munmap (bytes, MAX (n, 1));
}

/**
 * bench_limit_pages:
 *
 * Returns: seconds to write so many bytes of memory nobody has used yet: the
 * system has to give and clear every page
 */
double
bench_limit_pages (const Bench *bench,
                   gsize        n_bytes)
{
  return bench_measure (bench, NULL, write_pages, &n_bytes, 0, 0);
}

typedef struct
{
  guint8 *bytes;
  gsize   n;
} Memory;

static void
read_memory (gpointer data)
{
  Memory *memory = data;

  touch_all (memory->bytes, memory->n, FALSE);
}

/**
 * bench_limit_memory:
 *
 * Returns: seconds to read so many bytes of memory once
 */
double
bench_limit_memory (const Bench *bench,
                    gsize        n_bytes)
{
  Memory memory = { new_pages (n_bytes), n_bytes };
  double best;

  if (memory.bytes == NULL)
    return 0;
  touch_all (memory.bytes, n_bytes, TRUE);
  best = bench_measure (bench, NULL, read_memory, &memory, 0, 0);
  munmap (memory.bytes, MAX (n_bytes, 1));
  return best;
}

/* Lists a folder, and of each file: state, open, read, close. */
static void
open_files (gpointer data)
{
  static guint8 buffer[BUFFER_BYTES];
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  struct stat info;

  find_files (paths, data, FALSE);
  for (guint i = 0; i < paths->len; i++)
    if (stat (paths->pdata[i], &info) == 0)
      {
        int fd = open (paths->pdata[i], O_RDONLY | O_CLOEXEC);

        while (read (fd, buffer, sizeof buffer) > 0)
          ;
        close (fd);
      }
}

/**
 * bench_limit_files:
 *
 * Returns: seconds to list a folder and open, read and close every file in it,
 * on one thread
 */
double
bench_limit_files (const Bench *bench,
                   const char  *folder)
{
  return bench_measure (bench, NULL, open_files, (gpointer) folder, 0, 0);
}
