/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of summaries while it is read: kymo-projections-summary.c reads the
 * files, kymo-projections-summary-assemble.c puts the run together.
 */
#pragma once

#include "kymo-projections-sts.h"
#include "kymo-projections-summary.h"

G_BEGIN_DECLS

/** KymoSummaryPart: the files of one PE and what came of them */
typedef struct
{
  gint64                     pe;        /* -1: of all PEs */
  const KymoProjectionsFile *sum;       /* or NULL */
  const KymoProjectionsFile *sumd;      /* or NULL */
  char                      *version;
  gint64                     n_pes;     /* of its header */
  guint                      n_entries;
  gboolean                   has_idle;
  gboolean                   has_sum;   /* the file could be read */
  gboolean                   has_sumd;
  GArray                    *marks;
  KymoBins                  *bins;
  KymoReport                *report;
} KymoSummaryPart;

/** KymoSummaryReading: a run while its summaries are read */
typedef struct
{
  const KymoProjectionsFiles *files;
  KymoRun                    *run;
  KymoSts                    *sts;      /* or NULL */
  KymoJob                    *job;
  GArray                     *parts;    /* KymoSummaryPart, by PE */
  KymoSummaryFacts           *facts;    /* by part */
  gint64                      memory_left;      /* atomic */
} KymoSummaryReading;

/**
 * kymo_summary_peek_part:
 * @i: index of a part
 *
 * Returns: (transfer none): the part, owned by the reading
 */
static inline KymoSummaryPart *
kymo_summary_peek_part (KymoSummaryReading *reading,
                        guint               i)
{
  return &g_array_index (reading->parts, KymoSummaryPart, i);
}

void kymo_summary_assemble (KymoSummaryReading *reading);

G_END_DECLS
