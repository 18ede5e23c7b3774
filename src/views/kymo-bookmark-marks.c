/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-bookmark-marks.h.
 */
#include "config.h"

#include "kymo-bookmark-marks.h"
#include "kymo-theme.h"

/* More cannot be told apart. */
#define MOST_MARKS 500
#define LINE_PX 3
#define FOOT_PX 7

/** kymo_paint_bookmarks: @y: of the upper edge of the lines */
void
kymo_paint_bookmarks (cairo_t *cr, KymoSession *session, const KymoPlotFrame *frame,
                      double y)
{
  guint n = MIN (kymo_session_get_n_bookmarks (session), MOST_MARKS);

  kymo_set_source_alpha (cr, kymo_theme_get (frame->look)->accent, 0.7);
  for (guint i = 0; i < n; i++)
    {
      KymoSpan span = kymo_span_intersect (kymo_session_peek_bookmark (session, i)->span,
                                           frame->span);
      double x0 = kymo_plot_time_to_x (frame, span.begin_ns);
      double x1 = kymo_plot_time_to_x (frame, span.end_ns);

      if (kymo_span_length (span) == 0)
        continue;
      cairo_rectangle (cr, x0, y, MAX (x1 - x0, 2), LINE_PX);
      cairo_rectangle (cr, x0, y, 2, FOOT_PX);
      cairo_fill (cr);
    }
}
