/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a run with some of its PEs. A reader knows such a run again by the `.kymo` file
 * beside its names (kymo-noted.h, docs/formats/kymo.md).
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-job.h"
#include "kymo-noted.h"
#include "kymo-projections-files.h"
#include "kymo-run-writer.h"
#include "kymo-run.h"

G_BEGIN_DECLS

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

G_END_DECLS
