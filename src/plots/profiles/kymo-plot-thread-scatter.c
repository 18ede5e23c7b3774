/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads of a profile as dots where two functions, or two metrics, put them, in the
 * colours of their clusters.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-plot-scatter-private.h"

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
  KYMO_OF_SCATTER,
};
