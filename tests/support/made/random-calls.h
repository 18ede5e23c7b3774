/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random runs of functions that call each other: recursion, resumed calls, two activities of
 * one name, hardware counters, phases and user events.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

#define RANDOM_CALLS_N_ACTIVITIES 5
/** RANDOM_CALLS_N_RUNS: so many seeds are tried */
#define RANDOM_CALLS_N_RUNS 30

/* The last activity has the name of the first; the third is a phase. */
extern const char *const random_calls_names[RANDOM_CALLS_N_ACTIVITIES];

/* (transfer full): @n steps; a phase ends in one of @marks (0 = never). */
KymoSegment *random_calls_segment (GRand       *random,
                                   guint        location,
                                   gboolean     counted,
                                   guint        n,
                                   guint        marks);
/* (transfer full): without locations, to be sealed. */
KymoRun     *random_calls_new     (guint        n_locations);
void         random_calls_add     (KymoRun     *run,
                                   guint        i,
                                   KymoSegment *segment);
/* (transfer full): sealed; with hardware counters where the seed can be divided by 3. */
KymoRun     *random_calls_run     (guint        seed,
                                   gboolean     phases);

G_END_DECLS
