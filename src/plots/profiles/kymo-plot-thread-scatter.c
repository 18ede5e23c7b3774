/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads of a profile as dots where two functions, or two metrics, put them, in the
 * colours of their clusters.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-plot-scatter-private.h"

static void
thread_scatter_paint (cairo_t *cr, const KymoTable *answer, const KymoPlotFrame *frame)
{
  kymo_scatter_paint (cr, answer, frame, &kymo_plot_thread_scatter);
}

static gboolean
thread_scatter_hit (const KymoTable *answer, const KymoPlotFrame *frame, double x, double y,
                    KymoPlotHit *hit)
{
  return kymo_scatter_hit (answer, frame, x, y, hit, &kymo_plot_thread_scatter);
}

static GArray *
thread_scatter_places (const KymoTable *answer, const KymoPlotFrame *frame)
{
  return kymo_scatter_places (answer, frame, &kymo_plot_thread_scatter);
}

static KymoQuestion *
thread_scatter_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question (frame, "thread-scatter");
}

const KymoPlotClass kymo_plot_thread_scatter = {
  .id = "thread-scatter",
  .title = N_("Scatter of {rows}"),
  .needs = KYMO_CAN_METRICS,
  .question = thread_scatter_question,
  .paint = thread_scatter_paint,
  .hit = thread_scatter_hit,
  .inset = { 84, 30, 28, 48 },
  .has_legend = TRUE,
  .places = thread_scatter_places,
  .of_all = TRUE,
};
