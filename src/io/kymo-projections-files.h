/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files make a Projections run: `<base>.sts` and `<base>.<pe>.log[.gz]`
 * beside it or in `<base>.projdir.<k>` folders.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gint64  pe;
  char   *path;
  char   *name;                 /* relative to the folder, for the report */
  gint64  size_bytes;
} KymoLogFile;

typedef struct
{
  char   *folder;
  char   *base;
  char   *sts;                  /* path */
  GArray *logs;                 /* KymoLogFile, by PE; of twins the larger */
  guint   n_summaries;          /* .sum and .sumd files of this base */
} KymoProjectionsFiles;

KymoProjectionsFiles *kymo_projections_find       (const char           *path,
                                                   const char           *base,
                                                   GError              **error);
void                  kymo_projections_files_free (KymoProjectionsFiles *files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProjectionsFiles, kymo_projections_files_free)

G_END_DECLS
