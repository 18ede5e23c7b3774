/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files make a Projections run, and in which of its forms it is read:
 * `<base>.sts` with `<base>.<pe>.log[.gz]` beside it or in
 * `<base>.projdir.<k>` folders, or `<base>.sum.sts` with `<base>.<pe>.sum`
 * and `.sumd`.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-format.h"
#include "kymo-report.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_PROJECTIONS_LOGS,
  KYMO_PROJECTIONS_SUMMARY,
} KymoProjectionsForm;

/** KymoProjectionsFile: one file of one PE */
typedef struct
{
  gint64  pe;                   /* -1: of all PEs together (+sumonly) */
  char   *path;
  char   *name;                 /* relative to the folder, for the report */
  gint64  size_bytes;
} KymoProjectionsFile;

/**
 * KymoProjectionsFiles:
 * @sts: (nullable): path of the file with the names
 * @sts_of_other_form: it was written by another trace mode of the same
 *   program (same entry methods, no user events), for want of a better one
 * @logs: #KymoProjectionsFile by PE; of twins the larger
 * @sums: .sum, by PE
 * @details: .sumd, by PE
 * @projrc: (nullable): path
 * @twins: names of files for which there is another of the same PE, a larger
 *   one, in @logs, @sums or @details
 * @closed_folders: names of folders of logs that cannot be opened
 *
 * A run may have logs and sums: then @form tells which are to be read.
 */
typedef struct
{
  char                *folder;
  char                *base;
  KymoProjectionsForm  form;
  char                *sts;
  gboolean             sts_of_other_form;
  GArray              *logs;
  GArray              *sums;
  GArray              *details;
  char                *projrc;
  GPtrArray           *twins;
  GPtrArray           *closed_folders;
} KymoProjectionsFiles;

KymoProjectionsFiles *kymo_projections_find       (const char           *path,
                                                   const char           *base,
                                                   GError              **error);
void                  kymo_projections_files_report
                                                  (const KymoProjectionsFiles *files,
                                                   KymoReport           *report);
void                  kymo_projections_files_free (KymoProjectionsFiles *files);

/**
 * kymo_projections_file:
 * @files: a list of #KymoProjectionsFiles
 * @index: in the list
 *
 * Returns: (transfer none): the file, owned by the list
 */
static inline const KymoProjectionsFile *
kymo_projections_file (GArray *files,
                       guint   index)
{
  return &g_array_index (files, KymoProjectionsFile, index);
}

KymoPart kymo_projections_files_part (const char  *folder,
                                      const char  *name,
                                      char       **base);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoProjectionsFiles, kymo_projections_files_free)

G_END_DECLS
