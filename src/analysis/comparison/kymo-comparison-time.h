/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a comparison over time adds up, between kymo-comparison-time.c (the runs) and
 * kymo-comparison-time-answer.c (noise and tables).
 */
#pragma once

#include "kymo-comparison-private.h"

G_BEGIN_DECLS

/**
 * KymoTimeSeries: one name, or all that is busy, a bin each
 * @now: of the run that is read
 * @sum: over the runs of A and of the other side
 * @mean, @m2: the same, where there are repeats: see kymo_noise_add(). A run without
 *   the name has zeros, which is what a new series starts with
 * @share_mean, @share_m2: on scales of their own the same of shares of a bin, as bins of runs
 *   are not of one length
 * @noise: half width of the band, or NULL
 * @noise_rows: the same of shares, or NULL
 */
typedef struct
{
  char   *key;
  char   *kind;
  char   *role;
  gint64 *now;
  gint64 *sum[2];
  double *mean[2], *m2[2];
  double *share_mean[2], *share_m2[2];
  gint64 *noise;
  double *noise_rows;
  double  weight;               /* sum of |differences| */
} KymoTimeSeries;

typedef struct
{
  KymoCompared *compared;
  guint         n_bins;
  gboolean      own;
  KymoSpan      shared;         /* range of the bins in shared time */
  KymoSpan      axis;           /* what the bins of the answer are of */
  GHashTable   *series;         /* by key */
  KymoTimeSeries *busy;           /* all code */
  KymoTimeSeries *useful;         /* code that computes */
  gboolean      tells_useful;   /* there is other code, too */
  gboolean      has_noise;      /* there are repeats */
  double        bin_ns;         /* length of a bin of the run that is read */
  gint64        pes[2];         /* sums over the runs, in millionths */
  guint         n[2];           /* runs of each side, so far */
} KymoTimeWork;

KymoTable *kymo_compare_time_finish (KymoTimeWork *work,
                                     GCancellable *cancellable,
                                     GError      **error);

G_END_DECLS
