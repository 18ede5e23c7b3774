/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files make a TAU trace: `tautrace.<node>.<context>.<thread>.trc`, a file a
 * thread, with `events.<node>.edf`, or one merged `<name>.trc` with `<name>.edf`.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-format.h"

G_BEGIN_DECLS

/**
 * KymoTauFile:
 * @node: of the name; of a merged trace all are 0
 */
typedef struct
{
  guint   node, context, thread;
  char   *path;
  char   *name;
  gint64  size_bytes;
} KymoTauFile;

/**
 * KymoTauFiles:
 * @base: name of the run
 * @merged: there is one trace, of all threads
 * @traces: #KymoTauFile, by node, context and thread
 * @edfs: path by node (guint); of a merged trace that of node 0
 */
typedef struct
{
  char       *folder;
  char       *base;
  gboolean    merged;
  GArray     *traces;
  GHashTable *edfs;
} KymoTauFiles;

KymoTauFiles *kymo_tau_files_find (const char    *path,
                                   const char    *base,
                                   GError       **error);
void          kymo_tau_files_free (KymoTauFiles  *files);

/**
 * kymo_tau_file:
 * @index: in the list of traces
 *
 * Returns: (transfer none): the file, owned by @files
 */
static inline const KymoTauFile *
kymo_tau_file (const KymoTauFiles *files,
               guint               index)
{
  return &g_array_index (files->traces, KymoTauFile, index);
}

KymoPart kymo_tau_files_part (const char  *folder,
                              const char  *name,
                              char       **base);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoTauFiles, kymo_tau_files_free)

G_END_DECLS
