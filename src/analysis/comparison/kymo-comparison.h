/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoComparison: two or more runs as one source that answers how they differ.
 * What ran is mapped by display name, for the same program has other ids in
 * every run. Runs belong to sides: A (0) is what the others are compared with;
 * runs of one side are repeats of each other, and how far they are apart is what
 * counts as noise.
 *
 * Shared time is the time of the first run, until somebody moves that one, too: run time = shared
 * time + the run's offset, which is within KYMO_MOST_OFFSET_NS. Ranges of questions are in
 * shared time.
 *
 * kinds and their keywords (beside range, locations and workers-only, which go to every
 * run, and extrapolate, which goes to those that were reduced)
 *   compare         against=SIDE: which side A is compared with (the last)
 *                   figure=total|per-pe: what differences, effects and noise are of
 *                   (total); phase=N, region=NAME: each run in its own phase
 *                   or region (kymo-regions.h); begin-R, end-R (ns):
 *                   run R in that range of its own time (with scale=own over time)
 *                   metric=NAME: of profiles; what has no unit of time is told
 *                   in columns without _ns ("exclusive", "difference", …)
 *     "runs"        a row a run: run, side, label, title, pes, locations, begin_ns and
 *                   end_ns (asked range in the run's time), offset_ns, extrapolated
 *     "sides"       a row a side: side, label, n_runs, pes, elapsed_ns, speed_up and
 *                   efficiency (against A)
 *     "against"     the side; "per_pe": whether figure=per-pe; "pes_differ"; "align":
 *                   how the runs were aligned, in words; "unit"; "has_noise"; "is_family":
 *                   figures are of the profile family: all a program's functions, no idle
 *                   time
 *     "activities"  sorted by |difference|: name, kind (as profile, with idle, overhead
 *                   and untraced), group, role, present (both, new, gone, between: in
 *                   other sides alone), a number a side: calls (null: unknown),
 *                   exclusive_ns, mean_ns (exclusive per call), then of side "against"
 *                   less side A: difference_ns, ratio, mean_difference_ns, mean_ratio,
 *                   effect (difference over A's span), noise_ns (half width of the 95 %
 *                   band), has_noise, is_noise; where PEs differ also per_pe_ns (a number
 *                   a side), difference_per_pe_ns, ratio_per_pe; with three sides and more
 *                   trend (growing, shrinking, steady, insignificant)
 *     "totals"      elapsed, span, busy, useful, idle, overhead, untraced: the same
 *                   columns, with total_ns in place of exclusive_ns and without calls and
 *                   means. elapsed is of one clock, the others are sums over locations
 *     "sentences"   what grew, what shrank, what is noise, in words
 *   compare-time-profile  against, phase, region as above; columns = bins (100);
 *                   scale=shared|own: bins of shared time, or as many of each run's own
 *                   asked range
 *     "edges_ns"    of shared time (own: of the first run's range)
 *     "series"      sorted by the sum of |difference_ns|, idle, overhead and untraced last:
 *                   name, kind (code, idle, overhead, rest, untraced), role, a_ns, b_ns,
 *                   difference_ns (a number a bin); with repeats also noise_ns, the half
 *                   width of the 95 % band of the difference
 *     "bins"        all code together, a row a bin: begin_ns, end_ns, busy_a_ns, busy_b_ns,
 *                   difference_ns, noise_ns (0 without repeats), is_noise; of functions that
 *                   communicate or wait also useful_a_ns, useful_b_ns, useful_noise_ns
 *     "sentences"   how many bins are within noise, and where most lies beyond it
 *     "has_noise", "pes_a", "pes_b", "runs", "against", "scale", "align"
 *   compare-info    the surroundings: "facts": section, key, values (a string a run, null
 *                   where it has none), differs
 *   any other kind  run=N: put to that run as it is, in the time of that run
 *
 * Sides with several runs have the mean of them, in whole nanoseconds that still add up.
 * For all of them: difference = B − A exactly; the differences of what is no user event
 * sum up to the difference of the span.
 *
 * Runs are held. Asking may be done from any thread; the rest on the main thread but for
 * kymo_comparison_find_offsets(). "grown" comes when a run has grown and when offsets change.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMPARISON (kymo_comparison_get_type ())
G_DECLARE_FINAL_TYPE (KymoComparison, kymo_comparison, KYMO, COMPARISON, GObject)

/** More runs than this are not compared at once. */
#define KYMO_MOST_RUNS 64

/** No run is moved by more, either way: 104 days. */
#define KYMO_MOST_OFFSET_NS G_GINT64_CONSTANT (9000000000000000)

KymoComparison *kymo_comparison_new          (KymoSource    **sources,
                                              const guint    *sides,
                                              guint           n_sources);
guint           kymo_comparison_get_n_runs   (KymoComparison *self);
guint           kymo_comparison_get_n_sides  (KymoComparison *self);
KymoSource     *kymo_comparison_peek_run     (KymoComparison *self,
                                              guint           run);
guint           kymo_comparison_get_side     (KymoComparison *self,
                                              guint           run);
char           *kymo_comparison_dup_label    (KymoComparison *self,
                                              guint           run);
char           *kymo_comparison_dup_side_label (guint         side);
gint            kymo_comparison_parse_side   (const char     *label,
                                              guint           n_sides);
gint64          kymo_comparison_get_offset   (KymoComparison *self,
                                              guint           run);
void            kymo_comparison_set_offset   (KymoComparison *self,
                                              guint           run,
                                              gint64          offset_ns);
gboolean        kymo_comparison_find_offsets (KymoComparison *self,
                                              const char     *how,
                                              gint64         *offsets_ns,
                                              GCancellable   *cancellable,
                                              GError        **error);
gboolean        kymo_comparison_align        (KymoComparison *self,
                                              const char     *how,
                                              GCancellable   *cancellable,
                                              GError        **error);
void            kymo_comparison_set_aligned  (KymoComparison *self,
                                              const char     *how,
                                              const gint64   *offsets_ns);
char           *kymo_comparison_dup_align    (KymoComparison *self);

G_END_DECLS
