/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer about who calls whom as boxes and lines in an area: which functions are
 * shown, how large they are and where. Any thread may call.
 */
#pragma once

#include "kymo-graph-layout.h"
#include "kymo-measure.h"

G_BEGIN_DECLS

extern const KymoPlotClass kymo_plot_call_graph;

/**
 * KymoCallGraph:
 * @node_of, @edge_of: rows of the answer's tables, by box and by line
 * @back: by line: it goes up, or stays in its layer
 * @n_left_out: functions for which there is no room
 */
typedef struct
{
  KymoRect         area;
  const KymoTable *nodes, *edges;
  guint            n_boxes, n_lines, n_layers, n_left_out;
  KymoGraphBox    *boxes;
  KymoGraphLine   *lines;
  guint           *node_of, *edge_of;
  gboolean        *back;
  double           most_inclusive, most_exclusive, most_line;
  double           layer_px, box_px;
  KymoMeasure      inclusive_words, exclusive_words;
  gboolean         known;            /* FALSE: nothing can be painted */
} KymoCallGraph;

/** KymoCallCurve: a cubic Bézier curve */
typedef struct
{
  double x[4], y[4];
} KymoCallCurve;

/* FALSE where there is nothing to show; clear it in any case. */
gboolean      kymo_call_graph_init      (KymoCallGraph       *graph,
                                         const KymoTable     *answer,
                                         const KymoPlotFrame *frame);
void          kymo_call_graph_clear     (KymoCallGraph       *graph);
const char   *kymo_call_graph_name      (const KymoCallGraph *graph,
                                         guint                box);
double        kymo_call_graph_inclusive (const KymoCallGraph *graph,
                                         guint                box);
double        kymo_call_graph_exclusive (const KymoCallGraph *graph,
                                         guint                box);
KymoRect      kymo_call_graph_rect      (const KymoCallGraph *graph,
                                         guint                box);
double        kymo_call_graph_line_px   (const KymoCallGraph *graph,
                                         guint                line);
KymoCallCurve kymo_call_graph_curve     (const KymoCallGraph *graph,
                                         guint                line);
gboolean      kymo_call_graph_is_near   (const KymoCallGraph *graph,
                                         guint                line,
                                         double               x,
                                         double               y);

G_END_DECLS
