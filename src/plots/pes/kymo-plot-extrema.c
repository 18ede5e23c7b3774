/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Extrema: a bar a PE for what is compared, stacked by entry method, and the
 * average of all as a line. Below the bars stand the shapes of representatives
 * and outliers, in the colours of their clusters. A bar of several PEs is their
 * mean; a line above it goes on to the largest of them.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-plot-extrema-private.h"
#include "kymo-in-terms.h"
#include "kymo-plot-terms.h"
#include "kymo-text.h"
#include "kymo-units.h"

/* Below the bars: shapes, then labels. */
#define BADGES_PX 16

static double
height_of (const KymoExtrema *extrema, double value)
{
  return MAX (value, 0) / extrema->max * extrema->area.height;
}

static double
bottom_of (const KymoExtrema *extrema)
{
  return extrema->area.y + extrema->area.height;
}

static void
fill_part (cairo_t *cr, const KymoPlotFrame *frame,
           const KymoExtremaSeries *series, KymoRect rect)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);

  if (series->ranked_by && series->kind == KYMO_KIND_IDLE)
    {
      kymo_fill_idle (cr, theme, rect);
      kymo_set_source (cr, theme->dotted);
      cairo_set_line_width (cr, 1);
      kymo_line (cr, rect.x, rect.y, rect.x + rect.width, rect.y);
      cairo_stroke (cr);
      return;
    }
  kymo_set_source (cr, series->color);
  cairo_rectangle (cr, rect.x, rect.y, rect.width, rect.height);
  cairo_fill_preserve (cr);
  if (kymo_theme_is_hatched (frame, series->name, series->kind))
    kymo_hatch_waiting (cr, theme);
  cairo_new_path (cr);
}

/* Parts, or one plain bar where an answer has none. */
static void
paint_bar (cairo_t *cr, const KymoExtrema *extrema, const KymoPlotFrame *frame,
           guint b)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const KymoExtremaBar *bar = &extrema->bars[b];
  KymoRect rect = kymo_extrema_rect (extrema, b);
  double y = bottom_of (extrema), top;

  for (guint s = 0; s < extrema->n_series; s++)
    {
      double height = height_of (
        extrema, extrema->parts[(gsize) b * extrema->n_series + s]);

      y -= height;
      if (height > 0 && !extrema->series[s].hidden)
        fill_part (cr, frame, &extrema->series[s],
                   (KymoRect) { rect.x, y, rect.width, height });
    }
  top = bottom_of (extrema) - height_of (extrema, bar->mean);
  if (extrema->n_series == 0)
    {
      kymo_set_source (cr, theme->accent);
      cairo_rectangle (cr, rect.x, top, rect.width, bottom_of (extrema) - top);
      cairo_fill (cr);
    }
  if (extrema->whole || bar->largest <= bar->mean)
    return;
  kymo_set_source_alpha (cr, theme->secondary, 0.75);
  cairo_rectangle (cr, rect.x, bottom_of (extrema) - height_of (extrema, bar->largest),
                   MIN (rect.width, 1), top - (bottom_of (extrema)
                                               - height_of (extrema, bar->largest)));
  cairo_fill (cr);
}

/* -- words ----------------------------------------------------------------- */

static const char *
label_of (const KymoExtrema *extrema, guint pe)
{
  const char *label = kymo_table_peek_label (extrema->pes, "label", pe);

  return label != NULL ? label : "";
}

/* Under the figures of the bars. */
static void
paint_average (cairo_t *cr, const KymoExtrema *extrema,
               const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double right = extrema->area.x + extrema->area.width, y;

  if (!isfinite (extrema->average))
    return;
  y = round (bottom_of (extrema) - height_of (extrema, extrema->average));
  cairo_save (cr);
  cairo_set_line_width (cr, 3);
  cairo_set_dash (cr, (double[]) { 6, 3 }, 2, 0);
  kymo_set_source_alpha (cr, theme->canvas, 0.6);
  kymo_line (cr, extrema->area.x, y, right, y);
  cairo_stroke (cr);
  cairo_set_line_width (cr, 1);
  kymo_set_source (cr, theme->foreground);
  kymo_line (cr, extrema->area.x, y, right, y);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static const KymoTextStyle average_style = { KYMO_TEXT_SMALL, TRUE, 1, 0 };

/* (transfer full) (nullable): the figure of that line; @paper: (out): where it stands */
static char *
average_words (cairo_t *cr, const KymoExtrema *extrema, KymoRect *paper)
{
  double right = extrema->area.x + extrema->area.width, y, width, middle;
  g_autofree char *figure = NULL;
  char *words;

  *paper = (KymoRect) { 0 };
  if (!isfinite (extrema->average))
    return NULL;
  figure = kymo_unit_format (extrema->unit, extrema->average);
  words = g_strdup_printf (_("average %s"), figure);
  y = round (bottom_of (extrema) - height_of (extrema, extrema->average));
  width = kymo_text_width (cr, words, average_style);
  middle = y - 11 > extrema->area.y ? y - 11 : y + 11;
  *paper = (KymoRect) { right - width - 10, middle - 8, width + 10, 16 };
  return words;
}

/* Over all others, on paper of its own. */
static void
paint_average_words (cairo_t *cr, const KymoExtrema *extrema, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoRect paper;
  g_autofree char *words = average_words (cr, extrema, &paper);

  if (words == NULL)
    return;
  kymo_set_source_alpha (cr, theme->canvas, 0.88);
  cairo_rectangle (cr, paper.x, paper.y, paper.width, paper.height);
  cairo_fill (cr);
  kymo_text_draw (cr, words, paper.x + paper.width - 4, paper.y + paper.height / 2, average_style,
                  theme->foreground);
}

/* Labels that are looked at to tell how wide they are. */
#define MOST_LOOKED 200
/* Of a figure above a bar; no figure is narrower. */
#define FIGURE_PX 14.0
#define FIGURE_LEAST_PX 16

/* The line of the average does not strike figures out. */
static void
paint_figure (cairo_t *cr, const KymoExtrema *extrema, const KymoPlotFrame *frame,
              const char *figure, double x, double y, KymoTextStyle style)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double width = kymo_text_width (cr, figure, style) + 4;
  double average = bottom_of (extrema) - height_of (extrema, extrema->average);

  if (isfinite (average) && fabs (average - y) < FIGURE_PX / 2)
    {
      kymo_set_source (cr, theme->canvas);
      cairo_rectangle (cr, x - width / 2, y - FIGURE_PX / 2, width, FIGURE_PX);
      cairo_fill (cr);
    }
  kymo_text_draw (cr, figure, x, y, style, theme->secondary);
}

/* Of bars that have a label, the distance: see kymo_axis_every(). */
static guint
every_of_labels (cairo_t *cr, const KymoExtrema *extrema, KymoTextStyle style)
{
  guint looked = MAX (1, extrema->n_bars / MOST_LOOKED);
  double widest = 0;

  for (guint b = 0; b < extrema->n_bars; b += looked)
    widest = fmax (widest,
                   kymo_text_width (cr, label_of (extrema, extrema->bars[b].first), style));
  return kymo_axis_every (widest + 8, extrema->slot_px);
}

/* A figure of which half can be seen tells nothing. */
static gboolean
is_below_paper (const KymoRect *paper, double right, double y)
{
  return right > paper->x && fabs (y - paper->y - paper->height / 2)
                             < (paper->height + FIGURE_PX) / 2;
}

/* Labels below and figures above the bars, as many as have room. To measure a
   text takes longer than to paint a bar. */
static void
paint_words (cairo_t *cr, const KymoExtrema *extrema,
             const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0.5, 0 };
  double end = -1e9, figure_end = -1e9;
  guint every = every_of_labels (cr, extrema, style);
  KymoRect paper;
  g_autofree char *average = average_words (cr, extrema, &paper);

  for (guint b = 0; b < extrema->n_bars; b++)
    {
      const KymoExtremaBar *bar = &extrema->bars[b];
      KymoRect rect = kymo_extrema_rect (extrema, b);
      const char *label = label_of (extrema, bar->first);
      double x = rect.x + rect.width / 2;
      double width = b % every == 0 ? kymo_text_width (cr, label, style) : 1e9;
      double top = bottom_of (extrema)
        - height_of (extrema, extrema->whole ? extrema->max / 1.04 : bar->largest);
      g_autofree char *figure = NULL;
      double figure_width;

      if (x - width / 2 >= end + 8 && x + width / 2 <= frame->width_px - 2)
        {
          kymo_text_draw (cr, label, x, bottom_of (extrema) + BADGES_PX + 8,
                          style, theme->secondary);
          end = x + width / 2;
        }
      if (extrema->slot_px < FIGURE_LEAST_PX)
        continue;
      figure = kymo_unit_format (extrema->unit, bar->mean);
      figure_width = kymo_text_width (cr, figure, style);
      if (extrema->slot_px < figure_width + 4 || x - figure_width / 2 < figure_end + 4
          || (average != NULL && is_below_paper (&paper, x + figure_width / 2, top - 9)))
        continue;
      paint_figure (cr, extrema, frame, figure, x, top - 9, style);
      figure_end = x + figure_width / 2;
    }
}

static gint64
cluster_of (const KymoExtrema *extrema, guint pe)
{
  const gint64 *clusters = kymo_table_peek_ints (extrema->pes, "cluster", NULL);

  return clusters != NULL && clusters[pe] != KYMO_NULL_INT ? clusters[pe] : -1;
}

/* Outliers may be a tenth of thousands: thinner shapes then, representatives
   over them. */
static void
paint_badges (cairo_t *cr, const KymoExtrema *extrema,
              const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = bottom_of (extrema) + BADGES_PX / 2.0;
  double size = CLAMP (extrema->slot_px * 0.8, 5, 9);

  for (gint badge = KYMO_BADGE_OTHER; badge > KYMO_BADGE_NONE; badge--)
    for (guint b = 0; b < extrema->n_bars; b++)
      {
        const KymoExtremaBar *bar = &extrema->bars[b];
        KymoRect rect = kymo_extrema_rect (extrema, b);

        if (bar->badge == (KymoBadge) badge)
          kymo_badge_paint (cr, badge, rect.x + rect.width / 2, y,
                            badge == KYMO_BADGE_REPRESENTATIVE ? MAX (size, 8)
                            : size,
                            kymo_class_shown (frame, cluster_of (extrema, bar->kept)),
                            theme->canvas);
      }
}

static const char *
attribute_words (const KymoTable *answer, KymoTerms terms)
{
  static const struct { const char *by, *words; } known[] = {
    { "busy", N_("Busy time") }, { "most-idle", N_("Idle time, within all of the time") },
    { "least-idle", N_("Idle time, within all of the time, least first") },
    { "overhead", N_("Overhead, within all of the time") },
    { "longest", N_("Longest single block") }, { "grain", N_("Mean block") },
    { "sent", N_("Messages sent") }, { "received", N_("Messages received") },
    { "bytes-sent", N_("Bytes sent") }, { "bytes-received", N_("Bytes received") },
  };
  const char *by = kymo_table_get_string (answer, "by", 0);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (known[i].by, by) == 0)
      return i == 0 && terms.code == KYMO_CODE_FUNCTION ? _("Useful time") : _(known[i].words);
  return by;
}

static gboolean
any_badge (const KymoExtrema *extrema, KymoBadge badge)
{
  for (guint i = 0; i < extrema->n_pes; i++)
    if (kymo_badge_of (kymo_table_get_string (extrema->pes, "kept_as", i)) == badge)
      return TRUE;
  return FALSE;
}

/* In the window: a file has the shapes in its legend. Returns where what is left of them ends. */
static double
paint_key (cairo_t *cr, const KymoExtrema *extrema, const KymoPlotFrame *frame)
{
  double right = extrema->area.x + extrema->area.width;

  for (KymoBadge badge = KYMO_BADGE_OTHER; !frame->decorate && badge > KYMO_BADGE_NONE; badge--)
    if (any_badge (extrema, badge))
      right = kymo_badge_paint_key (cr, frame, badge, right, extrema->area.y - 20);
  return right;
}

/* What is compared; and where a bar is of several PEs it must be said. */
static void
paint_note (cairo_t *cr, const KymoExtrema *extrema, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle head = { KYMO_TEXT_SMALL, FALSE, 0, extrema->area.width / 2 };
  double right = paint_key (cr, extrema, frame);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, MAX (right - extrema->area.x - 16, 1) };
  g_autofree char *words = NULL, *count = NULL;

  kymo_text_draw (cr, attribute_words (extrema->answer, frame->terms), extrema->area.x,
                  extrema->area.y - 20, head, theme->foreground);
  if (extrema->per_bar < 2)
    return;
  count = kymo_words_rows (frame->terms, extrema->per_bar);
  words = g_strdup_printf (_("a bar is the mean of %s, the line above it their largest"), count);
  kymo_text_draw (cr, words, right, extrema->area.y - 20, style, theme->secondary);
}

static GArray *
legend_items (const KymoExtrema *extrema, const KymoPlotFrame *frame)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  double sum = 0;

  for (guint s = 0; s < extrema->n_series; s++)
    sum += extrema->series[s].total;
  for (guint s = 0; s < extrema->n_series; s++)
    {
      const KymoExtremaSeries *series = &extrema->series[s];
      KymoLegendItem item = { series->name, series->kind, series->color,
                              series->total / MAX (sum, 1),
                              .order = series->place == 2 };

      if (!series->hidden)
        g_array_append_val (items, item);
    }
  for (KymoBadge badge = KYMO_BADGE_REPRESENTATIVE; badge <= KYMO_BADGE_OTHER;
       badge++)
    if (any_badge (extrema, badge))
      kymo_legend_add_badge (items, frame, badge);
  return items;
}

static void
extrema_paint (cairo_t *cr, const KymoPicture *picture)
{
  const KymoExtrema *extrema = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  g_autoptr (GArray) items = NULL;

  if (!extrema->known)
    {
      kymo_decor_paint (cr, &kymo_plot_extrema, frame, NULL);
      kymo_paint_empty (cr, frame, extrema->area, kymo_words_no_rows (frame->terms));
      return;
    }
  items = legend_items (extrema, frame);
  kymo_decor_paint (cr, &kymo_plot_extrema, frame, items);
  kymo_axis_values (cr, frame, extrema->area, FALSE, 0, extrema->max,
                    kymo_unit_axis (extrema->unit));
  for (guint b = 0; b < extrema->n_bars; b++)
    paint_bar (cr, extrema, frame, b);
  paint_average (cr, extrema, frame);
  paint_words (cr, extrema, frame);
  paint_badges (cr, extrema, frame);
  paint_average_words (cr, extrema, frame);
  paint_note (cr, extrema, frame);
}

/* -- what lies under a point ------------------------------------------------ */

static const KymoExtremaSeries *
series_at (const KymoExtrema *extrema, guint b, double up_px, double *value)
{
  double sum = 0;

  for (guint s = 0; s < extrema->n_series; s++)
    {
      *value = extrema->parts[(gsize) b * extrema->n_series + s];
      sum += height_of (extrema, *value);
      if (*value > 0 && up_px < sum)
        return &extrema->series[s];
    }
  return NULL;
}

/* "PE 3: 879 ms, 1.06 × the average", or of several. */
static char *
describe_bar (const KymoExtrema *extrema, const KymoExtremaBar *bar)
{
  g_autofree char *count = kymo_words_rows (extrema->terms, bar->end - bar->first);
  g_autofree char *mean = kymo_unit_format (extrema->unit, bar->mean);
  g_autofree char *least = kymo_unit_format (extrema->unit, bar->least);
  g_autofree char *largest = kymo_unit_format (extrema->unit, bar->largest);

  if (bar->end - bar->first > 1)
    /* Translators: the first is a count with its word, as “12 PEs”. */
    return g_strdup_printf (_("%s, with %s: %s on average, %s to %s"), count,
                            label_of (extrema, bar->most), mean, least, largest);
  if (!(extrema->average > 0))
    return g_strdup_printf ("%s: %s", label_of (extrema, bar->first), mean);
  return g_strdup_printf (_("%s: %s, %.2f × the average"),
                          label_of (extrema, bar->first), mean,
                          bar->mean / extrema->average);
}

static void
describe_hit (const KymoExtrema *extrema, guint b, double up_px,
              KymoPlotHit *hit)
{
  const KymoExtremaBar *bar = &extrema->bars[b];
  double value = 0, total = 0;
  const KymoExtremaSeries *series = series_at (extrema, b, up_px, &value);
  GString *text = g_string_new (NULL);
  g_autofree char *head = describe_bar (extrema, bar);

  g_string_append (text, head);
  for (guint s = 0; s < extrema->n_series; s++)
    total += extrema->parts[(gsize) b * extrema->n_series + s];
  if (series != NULL)
    {
      g_autofree char *words = kymo_unit_format (extrema->unit, value);
      g_autofree char *share = kymo_format_percent (value / total);

      g_string_append_printf (text, "\n%s: %s (%s)", kymo_shown_name (series->name), words,
                              share);
      hit->name = g_strdup (series->name);
    }
  if (bar->badge != KYMO_BADGE_NONE)
    {
      g_autofree char *name = kymo_class_name (cluster_of (extrema, bar->kept));

      g_string_append_printf (text, "\n%s: %s, %s", label_of (extrema, bar->kept),
                              name, kymo_badge_words (bar->badge));
    }
  else if (bar->end - bar->first == 1 && cluster_of (extrema, bar->first) >= 0)
    {
      g_autofree char *name = kymo_class_name (cluster_of (extrema, bar->first));

      g_string_append_printf (text, "\n%s", name);
    }
  hit->text = g_string_free (text, FALSE);
}

static gboolean
extrema_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const KymoExtrema *extrema = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  for (guint b = extrema->known ? 0 : G_MAXUINT;
       b < extrema->n_bars && !found; b++)
    {
      KymoRect rect = kymo_extrema_rect (extrema, b);
      KymoRect column = rect;

      column.width = MAX (extrema->slot_px, rect.width);
      column.height += BADGES_PX;
      if (!kymo_rect_contains (column, x, y))
        continue;
      found = TRUE;
      hit->rect = rect;
      hit->location = kymo_table_get_int (extrema->pes, "location",
                                          extrema->bars[b].most);
      hit->cluster = cluster_of (extrema, extrema->bars[b].most);
      describe_hit (extrema, b, rect.y + rect.height - y, hit);
    }
  return found;
}

static GArray *
extrema_places (const KymoPicture *picture)
{
  const KymoExtrema *extrema = picture->layout;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (KymoPlotPlace));

  if (extrema->known)
    for (guint i = 0; i < extrema->n_pes; i++)
      {
        KymoPlotPlace place = {
          kymo_table_get_int (extrema->pes, "location", i), -1,
          kymo_extrema_rect (extrema, i / extrema->per_bar) };

        g_array_append_val (places, place);
      }
  return places;
}

/* All PEs: those in the middle show how far out the others are. */
static KymoQuestion *
extrema_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "extrema");

  kymo_question_set_int (question, "count", G_MAXINT);
  kymo_question_set_int (question, "stacked", 1);
  kymo_question_set_int (question, "kept", 1);
  return question;
}

KYMO_DEFINE_LAYOUT (extrema, KymoExtrema, kymo_extrema_init, kymo_extrema_clear)

const KymoPlotClass kymo_plot_extrema = {
  .id = "extrema",
  .title = N_("Extrema"),
  .needs = KYMO_CAN_PROFILE,
  .question = extrema_question,
  .lay_out = extrema_lay_out,
  .layout_free = extrema_layout_free,
  .paint = extrema_paint,
  .hit = extrema_hit,
  .inset = { 76, 34, 20, 42 },
  .has_legend = TRUE,
  .places = extrema_places,
  .of_all = TRUE,
};
