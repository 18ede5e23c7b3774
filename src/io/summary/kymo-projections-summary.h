/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of summaries: `<base>.<pe>.sum` and `.sumd` put together to a
 * location of bins each.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-projections-files.h"
#include "kymo-projections-sum.h"

G_BEGIN_DECLS

/**
 * Numbers of states before the activities of the run are known: the unknown
 * one, then the entry methods by their ids.
 */
#define KYMO_SUMMARY_UNKNOWN KYMO_STATE_ACTIVITY
#define KYMO_SUMMARY_ENTRY (KYMO_STATE_ACTIVITY + 1)

/**
 * KymoSummaryFacts:
 * @sum_ns: length of the bins by the .sum, or 0 without it
 * @sumd_ns: the same by the .sumd
 * @n_bins: number of bins
 * @least_ns: no shorter bins hold the time of the entry methods
 * @bin_ns: length that counts
 *
 * What the files of one PE tell of its bins.
 */
typedef struct
{
  gint64 sum_ns, sumd_ns;
  gint64 n_bins;
  gint64 least_ns;
  gint64 bin_ns;
} KymoSummaryFacts;

void     kymo_summary_take_facts     (const KymoSum          *sum,
                                      const KymoSumd         *sumd,
                                      KymoSummaryFacts       *facts);
gint64   kymo_summary_find_usual     (GArray                 *values,
                                      gint64                  unit);
void     kymo_summary_settle_lengths (KymoSummaryFacts       *facts,
                                      guint                   n);
gboolean kymo_summary_is_settled     (const KymoSummaryFacts *facts);
void     kymo_summary_correct_length (const KymoSummaryFacts *facts,
                                      gint64                 *bin_ns,
                                      const char             *name,
                                      KymoReport             *report);

/**
 * kymo_summary_make_bins:
 * @sum: (nullable): the .sum of a PE
 * @sumd: (nullable): its .sumd; one of both is there
 * @name: what the load report calls them
 * @size_bytes: of the files: bounds what is believed
 * @report: told of what was lost or repaired
 * @n_entries: (out): entry ids are below
 *
 * Returns: (transfer full) (nullable): the bins, with states as above
 */
KymoBins *kymo_summary_make_bins         (const KymoSum               *sum,
                                          const KymoSumd              *sumd,
                                          const char                  *name,
                                          gint64                       size_bytes,
                                          KymoReport                  *report,
                                          guint                       *n_entries);
KymoRun  *kymo_projections_read_summary  (const KymoProjectionsFiles  *files,
                                          const char                  *path,
                                          const KymoOpenOptions       *options,
                                          KymoJob                     *job,
                                          GError                     **error);

G_END_DECLS
