/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of one log and their bytes, one after the other, for what is
 * made of them beside a segment.
 *
 * Reentrant: every log is walked over on a thread of its own.
 */
#pragma once

#include "kymo-projections-log.h"
#include "kymo-projections-record.h"

G_BEGIN_DECLS

/**
 * KymoLogVisit:
 * @record: what it says
 * @bytes: (array length=n_bytes): as it stands in the log, with its newline
 *
 * Returns: whether to go on
 */
typedef gboolean (*KymoLogVisit) (const KymoLogRecord *record,
                                  const char          *bytes,
                                  gsize                n_bytes,
                                  gpointer             data);

/**
 * KymoLogWalk:
 * @is_plain: every byte of the log belongs to its header or to a record that
 *   is understood, from BEGIN_COMPUTATION to END_COMPUTATION; and the runtime
 *   cut nothing away
 * @is_binary: its form
 * @swap: of the binary form: not this machine's byte order
 * @is_compressed: by gzip
 * @n_records: how many were visited
 */
typedef struct
{
  gboolean is_plain;
  gboolean is_binary;
  gboolean swap;
  gboolean is_compressed;
  gint64   n_records;
} KymoLogWalk;

void kymo_projections_log_walk (const KymoLogRequest *request,
                                KymoJob              *job,
                                KymoLogVisit          visit,
                                gpointer              data,
                                KymoLogWalk          *walk);

G_END_DECLS
