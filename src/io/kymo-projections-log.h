/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One .log or .log.gz of a Projections run -> one segment.
 *
 * Reentrant: every log is read on a thread of its own.
 */
#pragma once

#include "kymo-projections-sts.h"

G_BEGIN_DECLS

/**
 * KymoLogRequest:
 * @path: the file
 * @name: what the load report calls it
 * @pe: the PE, from the file's name
 * @sts: names and versions
 * @n_activities: of the run
 * @report: told of what was lost or repaired
 * @memory_left: (atomic): bytes that all logs together may still use
 */
typedef struct
{
  const char    *path;
  const char    *name;
  gint64         pe;
  const KymoSts *sts;
  guint          n_activities;
  KymoReport    *report;
  gint64        *memory_left;
} KymoLogRequest;

/**
 * KymoLogResult:
 * @segment: (nullable): the records; %NULL where none could be read
 * @reduced: the runtime cut records away
 * @kept: records beside begin, end and phases were left
 * @out_of_memory: the limit was reached
 */
typedef struct
{
  KymoSegment *segment;
  gboolean     reduced;
  gboolean     kept;
  gboolean     out_of_memory;
} KymoLogResult;

void kymo_projections_log_read (const KymoLogRequest *request,
                                KymoJob              *job,
                                KymoLogResult        *result);

G_END_DECLS
