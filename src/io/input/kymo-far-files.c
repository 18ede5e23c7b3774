/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-far-files.h"

static const KymoFarFiles *far_files;

/**
 * kymo_far_files_set:
 * @files: (nullable): used from now on; never freed
 *
 * To be called before other threads run.
 */
void
kymo_far_files_set (const KymoFarFiles *files)
{
  g_atomic_pointer_set (&far_files, files);
}

/**
 * kymo_far_files_of:
 *
 * Returns: (nullable): how a path is read; %NULL if it is a file of this machine
 */
const KymoFarFiles *
kymo_far_files_of (const char *path)
{
  const KymoFarFiles *files = g_atomic_pointer_get (&far_files);

  return files != NULL && files->is_far (path) ? files : NULL;
}
