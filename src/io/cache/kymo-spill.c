/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-spill.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "kymo-cache-folder.h"
#include "kymo-error.h"
#include "kymo-memory.h"
#include "kymo-segment-file.h"

/* Memory that threads use before they count it cannot be refused: a lower limit only limits what is
   written to disk. */
#define LEAST_BYTES (16 << 20)

/* Where the file lies; the places are tried in this order. */
typedef enum
{
  PLACE_NONE,                   /* not yet */
  PLACE_CACHE,
  PLACE_TEMPORARY,
  PLACE_NOWHERE,
} Place;

/* A sealed segment and who holds it. */
typedef struct
{
  KymoSegment **where;
  guint         place;
  gsize         n_bytes;        /* charged */
  gboolean      written;
} Sealed;

struct _KymoSpill
{
  gatomicrefcount    ref_count;
  guint              n_metrics, n_states;
  gint64             limit_bytes;
  gint64             soft_bytes;        /* from here on segments are written out */
  gint64             held_bytes;        /* atomic */
  gint               active;            /* atomic */
  KymoJob           *job;               /* borrowed while reading */
  void             (*notify) (gpointer data);
  gpointer           data;
  GMutex             mutex;             /* protects what follows */
  gboolean           may_keep;
  Place              place;
  int                folder;            /* of the cache, or -1 */
  char              *name;              /* in it; NULL where it has none yet */
  KymoSegmentWriter *writer;
  GArray            *sealed;            /* Sealed */
};

/**
 * kymo_spill_new:
 * @limit_bytes: what the run may take in memory
 * @may_keep: whether the file may lie among the kept runs
 * @job: (nullable): stops writing, and is told; must live until kymo_spill_map()
 *
 * Returns: (transfer full): the account of a load that holds nothing yet
 */
KymoSpill *
kymo_spill_new (gint64    limit_bytes,
                gboolean  may_keep,
                KymoJob  *job)
{
  KymoSpill *spill = g_new0 (KymoSpill, 1);

  g_atomic_ref_count_init (&spill->ref_count);
  g_mutex_init (&spill->mutex);
  spill->limit_bytes = limit_bytes;
  /* Columns grow by leaps, and threads at the same time. */
  spill->soft_bytes = limit_bytes - limit_bytes / 8;
  spill->may_keep = may_keep;
  spill->job = job;
  spill->folder = -1;
  spill->sealed = g_array_new (FALSE, TRUE, sizeof (Sealed));
  return spill;
}

/**
 * kymo_spill_ref:
 *
 * Returns: (transfer full): @spill, with one more reference
 */
KymoSpill *
kymo_spill_ref (KymoSpill *spill)
{
  g_atomic_ref_count_inc (&spill->ref_count);
  return spill;
}

/* A name that was not kept goes; who mapped the file keeps what it has. */
static void
leave_place (KymoSpill *spill)
{
  g_clear_pointer (&spill->writer, kymo_segment_writer_free);
  if (spill->name != NULL)
    unlinkat (spill->folder, spill->name, 0);
  g_clear_pointer (&spill->name, g_free);
  if (spill->folder >= 0)
    close (spill->folder);
  spill->folder = -1;
}

/**
 * kymo_spill_unref:
 *
 * Drops a reference to @spill and frees it with the last reference. %NULL is ignored. A file
 * without a name is gone then.
 */
void
kymo_spill_unref (KymoSpill *spill)
{
  if (spill == NULL || !g_atomic_ref_count_dec (&spill->ref_count))
    return;
  leave_place (spill);
  g_array_unref (spill->sealed);
  g_mutex_clear (&spill->mutex);
  g_free (spill);
}

/* In the cache's folder without a name, where the file system can give one
   later; else with that of a file in the making. */
static int
open_in_cache (KymoSpill *spill)
{
  int fd;

  spill->folder = kymo_cache_folder_open (TRUE, NULL);
  if (spill->folder < 0)
    return -1;
  fd = openat (spill->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return fd >= 0 ? fd : kymo_cache_folder_create (spill->folder, &spill->name, NULL);
}

static gboolean
copy_bytes (int     from,
            int     to,
            guint64 n_bytes)
{
  g_autofree guint8 *buffer = g_malloc (1 << 20);
  guint64 done = 0;

  while (done < n_bytes)
    {
      ssize_t n = pread (from, buffer, MIN (n_bytes - done, 1 << 20), done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      for (ssize_t put = 0, m; put < n; put += m)
        {
          m = pwrite (to, buffer + put, n - put, done + put);
          if (m < 0 && errno == EINTR)
            m = 0;
          else if (m <= 0)
            return FALSE;
        }
      done += n;
    }
  return TRUE;
}

/* Goes on with the next place, and takes what was written along. */
static gboolean
next_place (KymoSpill *spill)
{
  while (spill->place < PLACE_NOWHERE)
    {
      KymoSegmentWriter *before = g_steal_pointer (&spill->writer);
      int fd = -1;

      leave_place (spill);
      spill->place++;
      if (spill->place == PLACE_CACHE && spill->may_keep)
        fd = open_in_cache (spill);
      else if (spill->place == PLACE_TEMPORARY)
        fd = kymo_scratch_open_file ();
      if (fd >= 0 && before == NULL)
        spill->writer = kymo_segment_writer_new (fd, spill->n_metrics, spill->n_states);
      else if (fd >= 0 && copy_bytes (kymo_segment_writer_get_fd (before), fd,
                                      kymo_segment_writer_get_end (before)))
        {
          kymo_segment_writer_set_fd (before, fd);
          spill->writer = before;
        }
      else
        {
          if (fd >= 0)
            close (fd);
          spill->writer = before;
          continue;
        }
      g_debug ("Segments are written to a file: place %d", spill->place);
      return TRUE;
    }
  return FALSE;
}

/* FALSE where there is no place left, or reading was stopped. */
static gboolean
write_one (KymoSpill *spill,
           Sealed    *sealed)
{
  if (spill->place == PLACE_NONE && !next_place (spill))
    return FALSE;
  while (spill->place != PLACE_NOWHERE)
    {
      g_autoptr (GError) error = NULL;

      if (kymo_segment_writer_add (spill->writer, sealed->place, *sealed->where,
                                   spill->job != NULL ? kymo_job_peek_cancellable (spill->job)
                                   : NULL, &error))
        return TRUE;
      g_debug ("A segment was not written: %s", error->message);
      if (kymo_job_is_cancelled (spill->job)
          || g_error_matches (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE))
        return FALSE;
      if (!next_place (spill))
        return FALSE;
    }
  return FALSE;
}

/* With the mutex held: all sealed segments leave memory. */
static void
write_sealed (KymoSpill *spill)
{
  if (!kymo_spill_is_active (spill))
    {
      kymo_job_set_stage (spill->job, _("Writing to disk"));
      if (spill->notify != NULL)
        spill->notify (spill->data);
    }
  g_atomic_int_set (&spill->active, 1);
  for (guint i = 0; i < spill->sealed->len; i++)
    {
      Sealed *sealed = &g_array_index (spill->sealed, Sealed, i);

      if (sealed->written)
        continue;
      if (!write_one (spill, sealed))
        return;
      sealed->written = TRUE;
      g_clear_pointer (sealed->where, kymo_segment_unref);
      __atomic_sub_fetch (&spill->held_bytes, sealed->n_bytes, __ATOMIC_RELAXED);
    }
}

static gboolean
is_tight (KymoSpill *spill)
{
  return __atomic_load_n (&spill->held_bytes, __ATOMIC_RELAXED) > spill->soft_bytes;
}

/**
 * kymo_spill_set_run:
 * @n_metrics: hardware counters of the run
 * @n_states: states of the run
 *
 * To be called before anything is added.
 */
void
kymo_spill_set_run (KymoSpill *spill,
                    guint      n_metrics,
                    guint      n_states)
{
  spill->n_metrics = n_metrics;
  spill->n_states = n_states;
}

/**
 * kymo_spill_on_active:
 * @notify: called once, on any thread that charges or adds, before the first
 *   segment is written: who else holds segments lets go of them
 * @data: for @notify
 *
 * To be called before anything is charged.
 */
void
kymo_spill_on_active (KymoSpill  *spill,
                      void      (*notify) (gpointer data),
                      gpointer    data)
{
  spill->notify = notify;
  spill->data = data;
}

/**
 * kymo_spill_charge:
 * @n_bytes: what is taken, or, below 0, given back
 *
 * Writes sealed segments out when the limit comes near. Any thread.
 *
 * Returns: %FALSE where it is near all the same
 */
gboolean
kymo_spill_charge (KymoSpill *spill,
                   gint64     n_bytes)
{
  __atomic_add_fetch (&spill->held_bytes, n_bytes, __ATOMIC_RELAXED);
  if (n_bytes <= 0 || G_LIKELY (!is_tight (spill)))
    return TRUE;
  g_mutex_lock (&spill->mutex);
  if (is_tight (spill))
    write_sealed (spill);
  g_mutex_unlock (&spill->mutex);
  return !is_tight (spill);
}

/**
 * kymo_spill_is_over:
 *
 * Returns: whether more is held than the limit allows, and more than a few
 * megabytes. Any thread.
 */
gboolean
kymo_spill_is_over (KymoSpill *spill)
{
  return __atomic_load_n (&spill->held_bytes, __ATOMIC_RELAXED)
    > MAX (spill->limit_bytes, LEAST_BYTES);
}

/**
 * kymo_spill_is_active:
 *
 * Returns: whether segments are written out; that does not end. Any thread.
 */
gboolean
kymo_spill_is_active (KymoSpill *spill)
{
  return g_atomic_int_get (&spill->active) != 0;
}

/**
 * kymo_spill_add:
 * @place: number of the log; each is added once
 * @segment: (inout): sealed; becomes %NULL when the segment is written out,
 *   now or later, until kymo_spill_map()
 *
 * Any thread.
 */
void
kymo_spill_add (KymoSpill    *spill,
                guint         place,
                KymoSegment **segment)
{
  Sealed sealed = { segment, place, kymo_segment_get_held (*segment), FALSE };

  __atomic_add_fetch (&spill->held_bytes, sealed.n_bytes, __ATOMIC_RELAXED);
  g_mutex_lock (&spill->mutex);
  g_array_append_val (spill->sealed, sealed);
  if (is_tight (spill) || kymo_spill_is_active (spill))
    write_sealed (spill);
  g_mutex_unlock (&spill->mutex);
}

/**
 * kymo_spill_map:
 *
 * After all logs are read: segments that were written are mapped and put where they were.
 * Once one segment was written all are, so that memory is free for what follows; segments
 * that no file takes stay as they are. Sets %KYMO_ERROR_STALE if the file cannot be read.
 *
 * Returns: whether all segments are there again
 */
gboolean
kymo_spill_map (KymoSpill  *spill,
                GError    **error)
{
  KymoBacking *backing;

  if (!kymo_spill_is_active (spill))
    return TRUE;
  write_sealed (spill);
  if (spill->writer == NULL)
    return TRUE;
  backing = kymo_segment_writer_map (spill->writer, error);
  if (backing == NULL)
    return FALSE;
  for (guint i = 0; i < spill->sealed->len; i++)
    {
      const Sealed *sealed = &g_array_index (spill->sealed, Sealed, i);

      if (sealed->written)
        *sealed->where = kymo_segment_backing_lend (backing, sealed->place);
    }
  g_array_set_size (spill->sealed, 0);
  spill->job = NULL;
  kymo_backing_unref (backing);
  return TRUE;
}

/* Gives the file a name; a nameless one gets that of a file in the making
   first, since a link does not replace. */
static gboolean
give_name (KymoSpill   *spill,
           const char  *name,
           GError     **error)
{
  if (spill->name == NULL
      && !kymo_cache_folder_link (spill->folder, kymo_segment_writer_get_fd (spill->writer),
                                  &spill->name, error))
    return FALSE;
  if (!kymo_cache_folder_put (spill->folder, spill->name, name, error))
    return FALSE;
  g_clear_pointer (&spill->name, g_free);
  return TRUE;
}

/* A segment that was not written has no place in the file. */
static gboolean
is_written (const KymoRun *run)
{
  for (guint i = 0; i < run->segments->len; i++)
    if (((const KymoSegment *) g_ptr_array_index (run->segments, i))->backing == NULL)
      return FALSE;
  return TRUE;
}

/**
 * kymo_spill_keep:
 * @run: the run, sealed and with its roles
 * @key: (array fixed-size=32): as of kymo_segment_file_write()
 * @name: in the cache's folder
 * @cancellable: (nullable): looked at now and then
 *
 * Makes a cache file of the file the run is mapped from. Once; any thread.
 *
 * Returns: whether it is one now; the error's words are the system's, or say
 * why it may not stay
 */
gboolean
kymo_spill_keep (KymoSpill     *spill,
                 const KymoRun *run,
                 const guint8  *key,
                 const char    *name,
                 GCancellable  *cancellable,
                 GError       **error)
{
  gboolean done = FALSE;

  g_mutex_lock (&spill->mutex);
  if (spill->place != PLACE_CACHE || spill->writer == NULL || !is_written (run)
      || !kymo_cache_folder_has_room (spill->folder, kymo_segment_writer_get_end (spill->writer)))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Not enough room"));
  else
    done = kymo_segment_writer_finish (spill->writer, run, key, cancellable, error)
      && give_name (spill, name, error);
  leave_place (spill);
  spill->place = PLACE_NOWHERE;
  g_mutex_unlock (&spill->mutex);
  return done;
}
