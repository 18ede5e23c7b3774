/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User events as a picture of a table: how many samples, their least, mean and largest
 * value and their deviation, and the same as a line from least to largest with a box of
 * the deviation around the mean. Each line has a scale of its own, from 0 or the least
 * value to the largest: events have units of their own.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-ledger.h"
#include "kymo-legend.h"
#include "kymo-measure.h"

extern const KymoPlotClass kymo_plot_user_events;

#define ROW_PX 24
#define N_COLUMNS 5

typedef struct
{
  KymoLedger ledger;
  KymoTable *events;
  const char *titles[N_COLUMNS + 1];
  gboolean   known;                  /* FALSE: nothing can be painted */
} Picture;

static const char *const keys[N_COLUMNS] = { "mean", "count", "min", "max", "stddev" };

static gboolean
user_events_init (Picture *p, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_user_events, frame);

  *p = (Picture) { .events = kymo_table_peek_nested (answer, "user_events", NULL),
                   .titles = { _("Mean"), _("Samples"), _("Minimum"), _("Maximum"),
                               _("Std. deviation") } };
  kymo_ledger_init (&p->ledger, frame, area, ROW_PX,
                    p->events != NULL ? kymo_table_get_n_rows (p->events) : 0, p->titles, TRUE);
  return p->ledger.n_lines > 0;
}

static double
value (const Picture *p, const char *key, guint event)
{
  return kymo_table_get_double (p->events, key, event);
}

static void
paint_spread (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint event,
              KymoRect bar)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double min = value (p, "min", event), max = value (p, "max", event);
  double mean = value (p, "mean", event), deviation = value (p, "stddev", event);
  double from = MIN (min, 0), to = MAX (max, 0), px, x0, x1, middle = bar.y + bar.height / 2;

  if (bar.width <= 4 || !isfinite (min) || !isfinite (max) || !(to > from))
    return;
  px = (bar.width - 4) / (to - from);
  x0 = bar.x + 2 + (min - from) * px;
  x1 = bar.x + 2 + (max - from) * px;
  kymo_set_source (cr, theme->axis);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x0, middle, MAX (x1, x0 + 1), middle);
  kymo_line (cr, x0, middle - 3, x0, middle + 4);
  kymo_line (cr, x1, middle - 3, x1, middle + 4);
  cairo_stroke (cr);
  if (isfinite (deviation) && deviation > 0)
    {
      double a = MAX (bar.x + 2 + (mean - deviation - from) * px, x0);
      double b = MIN (bar.x + 2 + (mean + deviation - from) * px, x1);

      kymo_set_source_alpha (cr, theme->accent, 0.35);
      cairo_rectangle (cr, a, bar.y, MAX (b - a, 1), bar.height);
      cairo_fill (cr);
    }
  kymo_set_source (cr, theme->accent);
  cairo_rectangle (cr, round (bar.x + 2 + (mean - from) * px) - 1, bar.y, 2, bar.height);
  cairo_fill (cr);
}

static void
paint_line (cairo_t *cr, const Picture *p, const KymoPlotFrame *frame, guint event)
{
  KymoMeasure count = { .kind = KYMO_UNIT_COUNT, .factor = 1, .unit = "" };
  g_auto (GStrv) strings = g_new0 (char *, N_COLUMNS + 1);

  for (guint i = 0; i < N_COLUMNS; i++)
    strings[i] = kymo_measure_format (&count, value (p, keys[i], event));
  paint_spread (cr, p, frame, event, kymo_ledger_bar (&p->ledger, event));
  kymo_ledger_line (cr, &p->ledger, frame, event, 0,
                    kymo_table_get_string (p->events, "name", event), NULL, strings);
}

static void
user_events_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Picture *p = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_user_events, frame, NULL);
  if (!p->known)
    {
      kymo_paint_empty (cr, frame, p->ledger.area, _("No user events were sampled"));
      return;
    }
  kymo_ledger_head (cr, &p->ledger, frame, _("User event"), _("Minimum, mean, maximum"));
  for (guint i = 0; i < p->ledger.shown; i++)
    paint_line (cr, p, frame, p->ledger.first + i);
  kymo_ledger_more (cr, &p->ledger, frame,
                    p->ledger.n_lines - p->ledger.first - p->ledger.shown);
}

static gboolean
user_events_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Picture *p = picture->layout;
  KymoMeasure count = { .kind = KYMO_UNIT_COUNT, .factor = 1, .unit = "" };
  char *figures[N_COLUMNS];
  guint event;

  kymo_hit_init (hit);
  if (!p->known)
    return FALSE;
  event = kymo_ledger_at (&p->ledger, x, y);
  if (event == G_MAXUINT)
    return FALSE;
  for (guint i = 0; i < N_COLUMNS; i++)
    figures[i] = kymo_measure_exact (&count, value (p, keys[i], event));
  hit->rect = kymo_ledger_rect (&p->ledger, event);
  hit->text = g_strdup_printf (
    _("%s\nmean %s of %s samples\n%s to %s, standard deviation %s"),
    kymo_table_get_string (p->events, "name", event), figures[0], figures[1], figures[2],
    figures[3], figures[4]);
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (figures[i]);
  return TRUE;
}

static double
user_events_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoTable *events = kymo_table_peek_nested (answer, "user_events", NULL);

  return kymo_ledger_height (events != NULL ? kymo_table_get_n_rows (events) : 0, ROW_PX,
                             &kymo_plot_user_events, frame);
}

static KymoQuestion *
user_events_question (const KymoPlotFrame *frame)
{
  return kymo_frame_question_of_chosen (frame, "user-events");
}

KYMO_DEFINE_PLAIN_LAYOUT (user_events, Picture, user_events_init)

const KymoPlotClass kymo_plot_user_events = {
  .id = "user-events",
  .title = N_("User events"),
  .needs = KYMO_CAN_USER_EVENTS,
  .question = user_events_question,
  .lay_out = user_events_lay_out,
  .layout_free = g_free,
  .paint = user_events_paint,
  .hit = user_events_hit,
  .natural_height = user_events_natural_height,
  .inset = { 16, 4, 20, 8 },
};
