/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All pictures, in the order in which the command line lists them. A new picture is a line in
 * PICTURES; no header names it, so that nothing else is built anew.
 */
#include "config.h"

#include "kymo-plot.h"

#define PICTURES(X) \
  X (timeline) \
  X (time_profile) \
  X (usage) \
  X (histogram) \
  X (profile) \
  X (communication) \
  X (communication_time) \
  X (communication_rows) \
  X (communication_graph) \
  X (call_table) \
  X (message_graph) \
  X (message_sizes) \
  X (summary) \
  X (replies) \
  X (extrema) \
  X (clusters) \
  X (scatter) \
  X (distances) \
  X (thread_bars) \
  X (function_bars) \
  X (function_histogram) \
  X (icicle) \
  X (flame_graph) \
  X (call_tree) \
  X (call_graph) \
  X (thread) \
  X (user_events) \
  X (user_events_time) \
  X (phases) \
  X (threads) \
  X (thread_scatter) \
  X (counters) \
  X (counter_map) \
  X (collectives) \
  X (waiting) \
  X (waiting_matrix) \
  X (compare_activities) \
  X (compare_time_profile) \
  X (compare_series) \
  X (critical_path)

#define DECLARE(name) extern const KymoPlotClass kymo_plot_##name;
#define POINT_AT(name) &kymo_plot_##name,

PICTURES (DECLARE)

const KymoPlotClass *const kymo_plots[] = { PICTURES (POINT_AT) NULL };
