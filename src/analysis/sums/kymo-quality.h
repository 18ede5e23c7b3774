/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well some PEs of a run stand for all: the proportionality test over the
 * grain size histogram. Published for Projections (Lee, Mendes and Kale,
 * 2008: "Towards Scalable Performance Analysis and Visualization through
 * Data Reduction").
 */
#pragma once

#include "kymo-run.h"
#include "kymo-source.h"

G_BEGIN_DECLS

KymoQuestion *kymo_quality_new_question (void);
gint64        kymo_quality_count_pes    (const KymoRun   *run,
                                         const KymoIdSet *locations);
KymoTable    *kymo_quality_compare      (const KymoTable *original,
                                         const KymoTable *reduced,
                                         gint64           pes,
                                         gint64           pes_kept);

G_END_DECLS
