/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-projections-cache.h"

#include "kymo-noted.h"

static void
add_files (KymoCacheEntry *entry,
           GArray         *files)
{
  for (guint i = 0; i < files->len; i++)
    {
      const KymoProjectionsFile *file = kymo_projections_file (files, i);

      kymo_cache_entry_add_file (entry, file->path, file->name);
    }
}

/* Of these the names are kept, as they stand in the run's folder. */
static void
add_names (KymoCacheEntry *entry,
           const char     *folder,
           GPtrArray      *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);

      kymo_cache_entry_add_file (entry, path, names->pdata[i]);
    }
}

/**
 * kymo_projections_make_cache_entry:
 * @files: of the run
 * @path: what was asked to be opened
 * @options: with which options
 *
 * Names every file of the run, also those of its other form, those that have a
 * larger twin and folders that are closed: whether there are any decides what
 * is told about it.
 *
 * Returns: (transfer full) (nullable): where the run is kept; %NULL where it
 * is not to be: summaries are small
 */
KymoCacheEntry *
kymo_projections_make_cache_entry (const KymoProjectionsFiles *files,
                                   const char                 *path,
                                   const KymoOpenOptions      *options)
{
  g_autofree char *sts_name = files->sts != NULL ? g_path_get_basename (files->sts) : NULL;
  g_autofree char *reduced = kymo_reduced_dup_path (files->folder, files->base);
  KymoCacheEntry *entry;

  if (options->no_cache || files->form != KYMO_PROJECTIONS_LOGS)
    return NULL;
  entry = kymo_cache_entry_new (path, options, files->folder, files->base, "projections logs");
  if (files->sts != NULL)
    kymo_cache_entry_add_file (entry, files->sts, sts_name);
  if (files->projrc != NULL)
    kymo_cache_entry_add_file (entry, files->projrc, "projrc");
  if (reduced != NULL)
    kymo_cache_entry_add_file (entry, reduced, "kymo");
  add_files (entry, files->logs);
  add_files (entry, files->sums);
  add_files (entry, files->details);
  add_names (entry, files->folder, files->twins);
  add_names (entry, files->folder, files->closed_folders);
  return entry;
}
