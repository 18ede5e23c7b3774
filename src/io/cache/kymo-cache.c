/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The key is a hash over whatever the run depends on: the program's reader,
 * the options, and of each file its name, length, number, times to the
 * nanosecond and a hash of its head. It is made before the files are read and again before the run
 * is kept; only where both agree the file tells what was read.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-cache.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kymo-cache-folder.h"
#include "kymo-error.h"
#include "kymo-file-stamp.h"
#include "kymo-reader-id.h"
#include "kymo-roles.h"
#include "kymo-segment-file.h"
#include "kymo-segment-layout.h"

/* Smaller runs are read faster than a person notices. */
#define MIN_BYTES (2 << 20)

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* A file that was changed that short before may change again without a new
   time; where times are whole seconds that takes longer. */
#define SETTLED_NS (NS_PER_S / 20)
#define SETTLED_COARSE_NS (2 * NS_PER_S)

typedef struct
{
  char    *path;
  char    *name;
  gboolean may_lack;            /* and says something by that */
} RunFile;

/* Shared between a run and its segments' mapping; immutable but for `fresh`
   and `spill` after kymo_cache_load() and kymo_cache_attach(). */
struct _KymoCacheEntry
{
  gatomicrefcount  ref_count;
  char            *path;        /* as it was opened */
  char            *option_base, *option_roles;
  KymoOpenOptions  options;
  char            *folder;
  char            *identity;    /* what the name is a hash of */
  char            *name;
  GArray          *files;       /* RunFile */
  guint8           key[KYMO_SEGMENT_KEY_BYTES];
  gboolean         settled;     /* files are old enough to be kept */
  gboolean         served;      /* the run came from here */
  gint             fresh;       /* atomic: read from its files, not yet kept */
  KymoSpill       *spill;       /* whose file the run lies in, or NULL; of who
                                   clears `fresh` */
};

static void
run_file_clear (gpointer data)
{
  g_free (((RunFile *) data)->path);
  g_free (((RunFile *) data)->name);
}

/* The text that identifies a run, whatever its files hold at the moment. */
static char *
make_identity (const KymoOpenOptions *options,
               const char            *folder,
               const char            *base,
               const char            *form,
               gboolean               own_roles)
{
  g_autofree char *real = realpath (folder, NULL);
  g_autofree char *roles = own_roles ? NULL
    : g_compute_checksum_for_string (G_CHECKSUM_SHA256, options->roles, -1);

  return g_strdup_printf ("%s\n%s\n%s\nclocks %d\n%s%s%s", real != NULL ? real : folder, base, form,
                          options->correct_clocks, own_roles ? "" : "roles ",
                          own_roles ? "" : roles, own_roles ? "" : "\n");
}

/* Whether the roles of the run follow from the file of rules of this user, or from its absence. */
static gboolean
has_own_roles (const KymoOpenOptions *options)
{
  g_autofree char *path = kymo_roles_dup_path ();

  return options->roles == NULL
         || (*options->roles == '\0' && !g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
add_file (KymoCacheEntry *entry,
          char           *path,
          const char     *name,
          gboolean        may_lack)
{
  RunFile file = { path, g_strdup (name), may_lack };

  g_array_append_val (entry->files, file);
}

/**
 * kymo_cache_entry_new:
 * @path: what is opened
 * @options: with which options
 * @folder: of the run
 * @base: of the run
 * @form: which of its forms is read
 *
 * Returns: (transfer full): the place of the run in the cache; its files are
 * to be added before anything is asked of it
 */
KymoCacheEntry *
kymo_cache_entry_new (const char             *path,
                      const KymoOpenOptions  *options,
                      const char             *folder,
                      const char             *base,
                      const char             *form)
{
  KymoCacheEntry *entry = g_new0 (KymoCacheEntry, 1);
  gboolean own_roles = has_own_roles (options);
  g_autofree char *hash = NULL;

  g_atomic_ref_count_init (&entry->ref_count);
  entry->path = g_strdup (path);
  entry->option_base = g_strdup (options->base);
  entry->options = *options;
  entry->options.base = entry->option_base;
  entry->option_roles = g_strdup (options->roles);
  entry->options.roles = entry->option_roles;
  entry->options.no_cache = TRUE;
  entry->folder = g_strdup (folder);
  entry->identity = make_identity (options, folder, base, form, own_roles);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, entry->identity, -1);
  entry->name = g_strdup_printf ("%.32s.run", hash);
  entry->files = g_array_new (FALSE, FALSE, sizeof (RunFile));
  g_array_set_clear_func (entry->files, run_file_clear);
  if (own_roles)
    add_file (entry, kymo_roles_dup_path (), "roles.conf", TRUE);
  return entry;
}

static KymoCacheEntry *
entry_ref (KymoCacheEntry *entry)
{
  g_atomic_ref_count_inc (&entry->ref_count);
  return entry;
}

/**
 * kymo_cache_entry_unref:
 *
 * Drops a reference to @entry and frees it with the last reference. %NULL is ignored.
 */
void
kymo_cache_entry_unref (KymoCacheEntry *entry)
{
  if (entry == NULL || !g_atomic_ref_count_dec (&entry->ref_count))
    return;
  g_free (entry->path);
  g_free (entry->option_base);
  g_free (entry->option_roles);
  g_free (entry->folder);
  g_free (entry->identity);
  g_free (entry->name);
  g_array_unref (entry->files);
  kymo_spill_unref (entry->spill);
  g_free (entry);
}

/**
 * kymo_cache_entry_add_file:
 * @path: of a file the run is read from
 * @name: its name in the run's folder
 */
void
kymo_cache_entry_add_file (KymoCacheEntry *entry,
                           const char     *path,
                           const char     *name)
{
  add_file (entry, g_strdup (path), name, FALSE);
}

static KymoFileStamp *
take_stamps (const KymoCacheEntry *entry)
{
  KymoFileStamp *stamps = g_new (KymoFileStamp, entry->files->len);
  g_autofree const char **paths = g_new (const char *, entry->files->len);

  for (guint i = 0; i < entry->files->len; i++)
    paths[i] = g_array_index (entry->files, RunFile, i).path;
  kymo_file_stamps_take (paths, entry->files->len, stamps);
  return stamps;
}

/* A time without a fraction is one of a clock of whole seconds. */
static gboolean
is_settled (gint64   newest_ns,
            gboolean coarse)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return newest_ns + (coarse ? SETTLED_COARSE_NS : SETTLED_NS)
    <= now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Makes the key of the files as they are. FALSE where one cannot be looked at
   or all together are too small. */
static gboolean
make_key (const KymoCacheEntry *entry,
          guint8               *key,
          gboolean             *settled)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree KymoFileStamp *stamps = take_stamps (entry);
  gint64 newest_ns = 0, n_bytes = 0;
  gsize key_bytes = KYMO_SEGMENT_KEY_BYTES;
  gboolean coarse = TRUE;

  g_checksum_update (sum, (const guchar *) KYMO_READER_ID, -1);
  g_checksum_update (sum, (const guchar *) entry->identity, -1);
  for (guint i = 0; i < entry->files->len; i++)
    {
      const RunFile *file = &g_array_index (entry->files, RunFile, i);
      const KymoFileStamp *stamp = &stamps[i];

      if (stamp->n_bytes < 0 && file->may_lack)
        continue;
      if (stamp->n_bytes < 0)
        return FALSE;
      g_checksum_update (sum, (const guchar *) file->name, strlen (file->name) + 1);
      g_checksum_update (sum, (const guchar *) stamp, sizeof *stamp);
      newest_ns = MAX (newest_ns, MAX (stamp->mtime_ns, stamp->ctime_ns));
      coarse = coarse && stamp->ctime_ns % NS_PER_S == 0;
      n_bytes += file->may_lack ? 0 : stamp->n_bytes;
    }
  g_checksum_get_digest (sum, key, &key_bytes);
  *settled = is_settled (newest_ns, coarse);
  return n_bytes >= kymo_cache_get_limit ("KYMO_CACHE_MIN_BYTES", MIN_BYTES);
}

static KymoRun *
read_again (gpointer   origin,
            GError   **error)
{
  KymoCacheEntry *entry = origin;
  KymoRun *run = entry->options.open (entry->path, &entry->options, NULL, error);

  if (run != NULL)
    kymo_cache_attach (entry, run, NULL);
  return run;
}

static void
set_origin (KymoCacheEntry *entry,
            KymoRun        *run)
{
  run->origin = entry_ref (entry);
  run->origin_free = (GDestroyNotify) kymo_cache_entry_unref;
  run->read_again = read_again;
}

static void
on_damage (gpointer data)
{
  kymo_cache_folder_remove (data);
}

/* Of a run that would not fit into memory only what lies in the file and the
   disk is made use of. */
static void
note_scarcity (const KymoCacheEntry *entry,
               KymoRun              *run)
{
  gint64 left = entry->options.memory_limit_bytes;

  for (guint i = 0; i < run->segments->len && left >= 0; i++)
    left -= kymo_segment_get_bytes (g_ptr_array_index (run->segments, i));
  for (guint i = 0; i < run->segments->len && left < 0; i++)
    ((KymoSegment *) g_ptr_array_index (run->segments, i))->scarce = TRUE;
}

/**
 * kymo_cache_load:
 * @entry: all its files are added
 *
 * Makes the key; to be called before the run's files are read.
 *
 * Returns: (transfer full) (nullable): the run as it was kept; %NULL where it
 * was not, or has changed, or what was kept is damaged (that is removed)
 */
KymoRun *
kymo_cache_load (KymoCacheEntry *entry)
{
  g_autoptr (GError) error = NULL;
  KymoRun *run = NULL;
  int folder, fd;

  if (!make_key (entry, entry->key, &entry->settled))
    {
      entry->settled = FALSE;
      return NULL;
    }
  folder = kymo_cache_folder_open (FALSE, NULL);
  fd = folder >= 0 ? kymo_cache_folder_get (folder, entry->name) : -1;
  if (fd >= 0)
    {
      run = kymo_segment_file_read (fd, entry->key, entry->options.memory_limit_bytes,
                                    on_damage, g_strdup (entry->name), g_free, &error);
      close (fd);
    }
  if (folder >= 0)
    close (folder);
  if (error != NULL)
    g_debug ("%s: %s", entry->name, error->message);
  if (run == NULL)
    return NULL;
  entry->served = TRUE;
  note_scarcity (entry, run);
  run->path = g_strdup (entry->folder);
  set_origin (entry, run);
  return run;
}

/**
 * kymo_cache_served:
 *
 * Returns: whether the run came from the cache, complete with its roles
 */
gboolean
kymo_cache_served (const KymoRun *run)
{
  return run->read_again == read_again && ((const KymoCacheEntry *) run->origin)->served;
}

/**
 * kymo_cache_attach:
 * @run: was read from the files of @entry after kymo_cache_load()
 * @spill: (nullable): what it was read through
 *
 * So that kymo_cache_save() knows where to keep it.
 */
void
kymo_cache_attach (KymoCacheEntry *entry,
                   KymoRun        *run,
                   KymoSpill      *spill)
{
  if (!entry->settled)
    return;
  set_origin (entry, run);
  if (spill != NULL && kymo_spill_is_active (spill))
    entry->spill = kymo_spill_ref (spill);
  g_atomic_int_set (&entry->fresh, 1);
}

/**
 * kymo_cache_is_current:
 * @run: any run
 *
 * Blocks; any thread.
 *
 * Returns: whether the files of the run are still those that were read; %FALSE where that cannot
 * be told: of small runs, of formats that have no cache file, and of runs whose files had just
 * been written
 */
gboolean
kymo_cache_is_current (const KymoRun *run)
{
  const KymoCacheEntry *entry = run->read_again == read_again ? run->origin : NULL;
  guint8 key[KYMO_SEGMENT_KEY_BYTES];
  gboolean settled;

  return entry != NULL && make_key (entry, key, &settled)
    && memcmp (key, entry->key, sizeof key) == 0;
}

static gboolean
save_cache (KymoCacheEntry  *entry,
            KymoRun         *run,
            int              folder,
            GCancellable    *cancellable,
            GError         **error)
{
  g_autofree char *temporary = NULL;
  gboolean done;
  int fd = kymo_cache_folder_create (folder, &temporary, error);

  if (fd < 0)
    return FALSE;
  done = kymo_segment_file_write (run, entry->key, fd, cancellable, error);
  close (fd);
  done = done && kymo_cache_folder_put (folder, temporary, entry->name, error);
  if (!done)
    unlinkat (folder, temporary, 0);
  return done;
}

/**
 * kymo_cache_save:
 * @run: any run
 * @cancellable: (nullable): removes what is half written
 *
 * Keeps a run that was read from its files. Does nothing to others, to small
 * ones, and to those whose files have changed since. Blocks; any thread.
 *
 * Returns: %FALSE where it should have been kept and could not be; the error
 * is one sentence
 */
gboolean
kymo_cache_save (KymoRun       *run,
                 GCancellable  *cancellable,
                 GError       **error)
{
  KymoCacheEntry *entry = run->read_again == read_again ? run->origin : NULL;
  guint8 key[KYMO_SEGMENT_KEY_BYTES];
  g_autoptr (GError) local = NULL;
  gboolean settled, done = FALSE;
  guint64 n_bytes = 0;
  int folder;

  if (entry == NULL || !g_atomic_int_compare_and_exchange (&entry->fresh, 1, 0)
      || !make_key (entry, key, &settled) || memcmp (key, entry->key, sizeof key) != 0)
    return TRUE;
  for (guint i = 0; i < run->segments->len; i++)
    n_bytes += kymo_segment_get_bytes (g_ptr_array_index (run->segments, i));
  folder = entry->spill != NULL ? -1 : kymo_cache_folder_open (TRUE, &local);
  if (entry->spill != NULL)
    {
      done = kymo_spill_keep (entry->spill, run, entry->key, entry->name, cancellable, &local);
      g_clear_pointer (&entry->spill, kymo_spill_unref);
    }
  else if (folder >= 0)
    {
      if (kymo_cache_folder_has_room (folder, n_bytes))
        done = save_cache (entry, run, folder, cancellable, &local);
      else
        g_set_error (&local, KYMO_ERROR, KYMO_ERROR_WRITE, _("Not enough room"));
      close (folder);
    }
  if (done || g_error_matches (local, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE)
      || g_cancellable_is_cancelled (cancellable))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("The cache could not be written: %s; "
               "the next opening will read the logs again"), local->message);
  return FALSE;
}
