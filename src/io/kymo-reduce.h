/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a run with some of its PEs, and knowing such a run again by the
 * `.kymo` file beside its names (docs/formats/kymo.md).
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-job.h"
#include "kymo-projections-files.h"
#include "kymo-run-writer.h"
#include "kymo-run.h"

G_BEGIN_DECLS

#define KYMO_REDUCED_GROUP "Reduction"
#define KYMO_REDUCED_VERSION 1

gboolean kymo_reduce_check_out   (const char                  *out,
                                  GError                     **error);
gboolean kymo_reduce_check_place (const char                  *path,
                                  const char                  *out,
                                  GError                     **error);
gboolean kymo_reduce_write       (const char                  *path,
                                  const char                  *base,
                                  const KymoIdSet             *pes,
                                  const char                  *out,
                                  const char                  *note,
                                  gint64                      *bytes_before,
                                  gint64                      *bytes_after,
                                  KymoJob                     *job,
                                  GError                     **error);

gint64   kymo_reduce_count_bytes (const char                  *path,
                                  const char                  *base,
                                  const gint64                *pes,
                                  guint                        n_pes);

/* Parts of a run that is written anew; see kymo-extract.h, too. */
gboolean kymo_reduce_copy_beside (KymoRunWriter               *writer,
                                  const KymoProjectionsFiles  *files,
                                  gint64                      *bytes_before,
                                  GError                     **error);
gboolean kymo_reduce_write_note  (KymoRunWriter               *writer,
                                  const KymoProjectionsFiles  *files,
                                  const char                  *note,
                                  GError                     **error);

/**
 * KymoNoted: a run beside which a .kymo file may lie
 * @base: of the name of that file
 * @n_pes: PEs of the original, as other files say; -1 = nothing but the .kymo file
 *   tells
 * @ids: (array length=n_ids): PEs that are there, ascending
 */
typedef struct
{
  const char   *folder;
  const char   *base;
  gint64        n_pes;
  const gint64 *ids;
  guint         n_ids;
} KymoNoted;

char    *kymo_reduced_dup_path   (const char                  *folder,
                                  const char                  *base);
void     kymo_reduced_check      (const KymoNoted             *noted,
                                  KymoReport                  *report);
gboolean kymo_reduced_load       (const KymoNoted             *noted,
                                  GKeyFile                    *file);
gboolean kymo_reduced_report     (const KymoNoted             *noted,
                                  KymoRun                     *run);
KymoReduction *
         kymo_reduced_parse_weights (GKeyFile                 *file,
                                     const int                *kept,
                                     gsize                     n_kept,
                                     gint64                    length_ns,
                                     const char              **why);
void     kymo_reduced_take_weights (const KymoNoted          *noted,
                                    KymoRun                  *run,
                                    KymoReport               *report);

G_END_DECLS
