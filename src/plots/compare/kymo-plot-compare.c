/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What grew and what shrank between two runs: a bar an activity, to the right for more
 * in B, to the left for less, the largest effect on top. Where there are repeats a grey
 * band around zero is what they are apart by chance; bars inside it are pale.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-axis.h"
#include "kymo-in-terms.h"
#include "kymo-legend.h"
#include "kymo-compare-series.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_compare_activities;

#define ROW_PX 24
#define HEAD_PX 22
#define FIGURE_PX 76

/** Line: a row of the picture; @row: of the answer's activities */
typedef struct
{
  const char       *name;
  guint             row;
  gint64            difference, noise;
  KymoActivityKind  kind;
  gboolean          has_noise, is_noise;
} Line;

/** Chart: where things lie; @zero_x: no difference */
typedef struct
{
  const KymoTable *answer;
  const KymoTable *table;
  GArray          *lines;
  KymoRect         area;                /* names, bars and figures */
  KymoRect         bars;                /* of the bars alone */
  double           name_px;
  double           low, high;           /* scale, in the unit of the answer */
  guint            n_figures;           /* columns right of the bars: 0 to 2 */
  double           scroll_px;
  guint            first, shown;        /* lines in sight, also those cut */
} Chart;

static KymoActivityKind
kind_of (const KymoTable *table, guint row)
{
  return kymo_activity_kind (kymo_table_get_string (table, "kind", row));
}

static GArray *
make_lines (const KymoTable *answer, const KymoTable *table, const KymoPlotFrame *frame)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  const gint64 *difference = table != NULL
    ? kymo_compare_column (answer, table, "difference", NULL) : NULL;
  const gint64 *noise = table != NULL ? kymo_compare_column (answer, table, "noise", NULL) : NULL;

  for (guint i = 0; difference != NULL && noise != NULL && i < kymo_table_get_n_rows (table); i++)
    {
      Line line = { kymo_table_get_string (table, "name", i), i, difference[i], noise[i],
                    kind_of (table, i), kymo_table_get_bool (table, "has_noise", i),
                    kymo_table_get_bool (table, "is_noise", i) };

      if (line.difference != 0 && !kymo_is_hidden (frame, line.name))
        g_array_append_val (lines, line);
    }
  return lines;
}

static void
find_scale (Chart *chart)
{
  double least;

  for (guint i = 0; i < chart->lines->len; i++)
    {
      double value = g_array_index (chart->lines, Line, i).difference;

      chart->low = MIN (chart->low, value);
      chart->high = MAX (chart->high, value);
    }
  /* Each side has room for its heading. */
  least = MAX (chart->high - chart->low, 1) * 0.12;
  chart->low = MIN (chart->low, -least);
  chart->high = MAX (chart->high, least);
}

static void
chart_init (Chart *chart, const KymoTable *answer, const KymoPlotFrame *frame)
{
  KymoRect area = kymo_plot_frame_area (&kymo_plot_compare_activities, frame);
  double room = MAX (0, area.height - HEAD_PX);

  *chart = (Chart) { answer, kymo_table_peek_nested (answer, "activities", NULL) };
  chart->area = area;
  chart->lines = make_lines (answer, chart->table, frame);
  chart->name_px = CLAMP (area.width * 0.28, 80, 300);
  chart->n_figures = area.width > 640 ? 2 : area.width > 400 ? 1 : 0;
  chart->bars = (KymoRect) { area.x + chart->name_px + 12, area.y + HEAD_PX, 0,
                             MAX (area.height - HEAD_PX, 0) };
  chart->bars.width = MAX (area.x + area.width - chart->bars.x - chart->n_figures * FIGURE_PX, 1);
  chart->scroll_px = MAX (frame->scroll_px, 0);
  chart->first = MIN (chart->lines->len, (guint) (chart->scroll_px / ROW_PX));
  /* What cannot be scrolled to is not cut. */
  chart->shown = frame->row_px > 0 ? ceil ((chart->scroll_px + room) / ROW_PX) - chart->first
                 : floor (room / ROW_PX);
  chart->shown = MIN (chart->shown, chart->lines->len - chart->first);
  find_scale (chart);
}

static void
chart_clear (Chart *chart)
{
  g_array_unref (chart->lines);
}

static const Line *
line_at (const Chart *chart, guint i)
{
  return &g_array_index (chart->lines, Line, i);
}

static double
x_of (const Chart *chart, double value)
{
  return chart->bars.x + (value - chart->low) / (chart->high - chart->low) * chart->bars.width;
}

static KymoRect
row_rect (const Chart *chart, guint i)
{
  return (KymoRect) { chart->area.x,
                      chart->bars.y + (double) i * ROW_PX - chart->scroll_px,
                      chart->area.width, ROW_PX };
}

static KymoRect
bar_rect (const Chart *chart, guint i)
{
  KymoRect row = row_rect (chart, i);
  double zero = round (x_of (chart, 0)), end = round (x_of (chart, line_at (chart, i)->difference));

  if (end == zero)
    end += line_at (chart, i)->difference > 0 ? 1 : -1;
  return (KymoRect) { MIN (zero, end), row.y + 5, fabs (end - zero), ROW_PX - 10 };
}

/* -- painting ------------------------------------------------------------------ */

static void
paint_noise (cairo_t *cr, const Chart *chart, guint i, const KymoTheme *theme)
{
  const Line *line = line_at (chart, i);
  KymoRect row = row_rect (chart, i);
  double begin = x_of (chart, -(double) line->noise), end = x_of (chart, line->noise);
  double left = MAX (begin, chart->bars.x);
  double right = MIN (end, chart->bars.x + chart->bars.width);

  if (!line->has_noise || line->noise <= 0)
    return;
  kymo_set_source_alpha (cr, theme->secondary, 0.18);
  cairo_rectangle (cr, left, row.y + 2, right - left, ROW_PX - 4);
  cairo_fill (cr);
  kymo_set_source_alpha (cr, theme->secondary, 0.7);
  cairo_set_line_width (cr, 1);
  /* A band that goes on has no edge. */
  if (begin >= left)
    kymo_line (cr, left, row.y + 2, left, row.y + ROW_PX - 2);
  if (end <= right)
    kymo_line (cr, right, row.y + 2, right, row.y + ROW_PX - 2);
  cairo_stroke (cr);
}

static void
paint_bar (cairo_t *cr, const Chart *chart, guint i, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const Line *line = line_at (chart, i);
  KymoRect bar = bar_rect (chart, i);
  KymoRgba color = kymo_theme_series (frame, line->name, line->kind);

  if (line->kind == KYMO_KIND_IDLE || line->kind == KYMO_KIND_REST)
    kymo_fill_activity (cr, frame, line->name, line->kind, bar);
  else if (line->kind != KYMO_KIND_UNTRACED && line->kind != KYMO_KIND_EVENT)
    {
      kymo_set_source (cr, line->is_noise ? kymo_rgba_mix (color, theme->canvas, 0.65) : color);
      cairo_rectangle (cr, bar.x, bar.y, bar.width, bar.height);
      cairo_fill (cr);
    }
  if (line->kind == KYMO_KIND_ENTRY || bar.width < 2)
    return;
  cairo_save (cr);
  if (line->kind == KYMO_KIND_UNTRACED)
    cairo_set_dash (cr, (double[]) { 1, 2 }, 2, 0);
  kymo_set_source (cr, line->kind == KYMO_KIND_EVENT ? color
                       : line->kind == KYMO_KIND_OVERHEAD ? theme->ink : theme->dotted);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, bar.x + 0.5, bar.y + 0.5, bar.width - 1, bar.height - 1);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* "×1.25", or that only one run has it. */
static char *
ratio_words (const Chart *chart, const Line *line)
{
  const char *present = kymo_table_get_string (chart->table, "present", line->row);
  double ratio = kymo_table_get_double (chart->table, "ratio", line->row);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_strcmp0 (present, "new") == 0)
    return g_strdup (_("new"));
  if (g_strcmp0 (present, "gone") == 0)
    return g_strdup (_("gone"));
  if (!isfinite (ratio))
    return g_strdup ("");
  g_ascii_formatd (number, sizeof number, ratio < 9.995 ? "%.2f" : "%.0f", ratio);
  return g_strconcat ("×", number, NULL);
}

static void
paint_words (cairo_t *cr, const Chart *chart, guint i, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  const Line *line = line_at (chart, i);
  KymoRect row = row_rect (chart, i);
  double y = row.y + ROW_PX / 2.0, right = row.x + row.width;
  KymoTextStyle name = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, chart->name_px };
  KymoTextStyle figure = { KYMO_TEXT_NORMAL - 0.5, FALSE, 1, 0 };
  KymoRgba color = line->is_noise ? theme->secondary : theme->foreground;
  g_autofree char *label = kymo_text_fitting_name (cr, kymo_shown_name (line->name), name);
  g_autofree char *amount = kymo_compare_signed (chart->answer, line->difference);
  g_autofree char *marked = g_strdup_printf ("%s%s", line->is_noise ? "≈ " : "", amount);
  g_autofree char *ratio = ratio_words (chart, line);

  kymo_text_draw (cr, label, row.x + chart->name_px, y, name, color);
  if (chart->n_figures > 1)
    kymo_text_draw (cr, ratio, right, y, figure, theme->secondary);
  if (chart->n_figures > 0)
    kymo_text_draw (cr, marked, right - (chart->n_figures - 1) * 60, y, figure, color);
}

/* Which way is which, above the bars. */
static void
paint_head (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  g_autofree char *b = kymo_compare_side (chart->answer,
                                          kymo_table_get_int (chart->answer, "against", 0));
  g_autofree char *less = g_strdup_printf (_("less in %s"), b);
  g_autofree char *more = g_strdup_printf (_("more in %s"), b);
  double zero = x_of (chart, 0), y = chart->area.y + HEAD_PX / 2.0 - 1;
  KymoTextStyle left = { KYMO_TEXT_SMALL, FALSE, 1, MAX (zero - chart->bars.x - 8, 1) };
  KymoTextStyle right = { KYMO_TEXT_SMALL, FALSE, 0,
                          MAX (chart->bars.x + chart->bars.width - zero - 8, 1) };

  if (kymo_text_width (cr, less, left) <= left.max_px)
    kymo_text_draw (cr, less, zero - 8, y, left, theme->secondary);
  if (kymo_text_width (cr, more, right) <= right.max_px)
    kymo_text_draw (cr, more, zero + 8, y, right, theme->secondary);
  if (kymo_table_get_bool (chart->answer, "per_pe", 0)
      || kymo_table_get_bool (chart->answer, "has_noise", 0))
    {
      KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, chart->name_px };
      const char *words = kymo_table_get_bool (chart->answer, "has_noise", 0)
                          ? _("Grey: what repeats differ by") : _("Of one on average");

      kymo_text_draw (cr, words, chart->area.x, y, style, theme->secondary);
    }
}

static void
paint_axis (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gboolean is_time = kymo_table_get_bool (chart->answer, "is_time", 0);
  double unit_ns = 1, most = MAX (chart->high, -chart->low);
  const char *unit = is_time ? kymo_axis_time_unit (most / 2, &unit_ns)
                     : kymo_table_get_string (chart->answer, "unit", 0);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, 0 };

  kymo_axis_values (cr, frame, chart->bars, TRUE, chart->low / unit_ns, chart->high / unit_ns,
                    kymo_axis_number);
  kymo_text_draw (cr, unit, chart->bars.x + chart->bars.width,
                  chart->bars.y + chart->bars.height + 27, style, theme->secondary);
  kymo_set_source (cr, theme->foreground);
  cairo_set_line_width (cr, 1);
  kymo_line (cr, x_of (chart, 0), chart->bars.y, x_of (chart, 0),
             chart->bars.y + chart->bars.height);
  cairo_stroke (cr);
}

static void
paint_more (cairo_t *cr, const Chart *chart, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  guint n = chart->lines->len - chart->first - chart->shown;
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 0, 0 };
  g_autofree char *words = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%u more", "%u more", n), n);

  /* Where one scrolls a bar tells. */
  if (n > 0 && frame->row_px <= 0)
    kymo_text_draw (cr, words, chart->area.x, chart->bars.y + chart->bars.height + 13, style,
                    theme->secondary);
}

static void
compare_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Chart *chart = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_compare_activities, frame, NULL);
  if (chart->lines->len == 0)
    kymo_paint_empty (cr, frame, chart->area, _("Nothing differs"));
  else
    {
      paint_axis (cr, chart, frame);
      cairo_save (cr);
      cairo_rectangle (cr, 0, chart->bars.y, frame->width_px, chart->bars.height);
      cairo_clip (cr);
      for (guint i = chart->first; i < chart->first + chart->shown; i++)
        {
          paint_noise (cr, chart, i, kymo_theme_get (frame->look));
          paint_bar (cr, chart, i, frame);
          paint_words (cr, chart, i, frame);
        }
      cairo_restore (cr);
      paint_head (cr, chart, frame);
      paint_more (cr, chart, frame);
    }
}

/* -- what lies under a point ----------------------------------------------------- */

static gint64
of_side (const Chart *chart, const char *name, guint row, guint side)
{
  guint width = 0;
  const gint64 *values = kymo_compare_column (chart->answer, chart->table, name, &width);

  return values != NULL && side < width ? values[(gsize) row * width + side] : KYMO_NULL_INT;
}

static void
add_calls (const Chart *chart, const Line *line, guint b, GString *text)
{
  guint width = 0;
  const gint64 *calls = kymo_table_peek_ints (chart->table, "calls", &width);
  const gint64 *here = calls != NULL ? calls + (gsize) line->row * width : NULL;
  g_autofree char *mean_a = kymo_compare_amount (chart->answer,
                                                 of_side (chart, "mean", line->row, 0));
  g_autofree char *mean_b = kymo_compare_amount (chart->answer,
                                                 of_side (chart, "mean", line->row, b));
  g_autofree char *count_a = NULL, *count_b = NULL;

  if (here == NULL || here[0] == KYMO_NULL_INT || here[b] == KYMO_NULL_INT)
    return;
  count_a = kymo_format_count (here[0]);
  count_b = kymo_format_count (here[b]);
  g_string_append_printf (text, _("\nCalls: %s, then %s\nA call: %s, then %s"), count_a, count_b,
                          mean_a, mean_b);
}

static void
describe_compare (const Chart *chart, const Line *line, KymoPlotHit *hit)
{
  guint b = kymo_table_get_int (chart->answer, "against", 0);
  GString *text = g_string_new (kymo_shown_name (line->name));
  g_autofree char *amount = kymo_compare_signed (chart->answer, line->difference);
  g_autofree char *share = kymo_format_percent (
    fabs (kymo_table_get_double (chart->table, "effect", line->row)));
  g_autofree char *label_a = kymo_compare_side (chart->answer, 0);
  g_autofree char *label_b = kymo_compare_side (chart->answer, b);
  g_autofree char *of_a = kymo_compare_amount (chart->answer,
                                               of_side (chart, "exclusive", line->row, 0));
  g_autofree char *of_b = kymo_compare_amount (chart->answer,
                                               of_side (chart, "exclusive", line->row, b));
  g_autofree char *noise = kymo_compare_amount (chart->answer, line->noise);

  g_string_append_printf (text, _("\n%s: %s of the time of %s\n%s: %s, %s: %s"), amount, share,
                          label_a, label_a, of_a, label_b, of_b);
  add_calls (chart, line, b, text);
  if (line->has_noise)
    g_string_append_printf (text, line->is_noise ? _("\nNoise: repeats differ by up to %s")
                            : _("\nMore than noise, which is up to %s"), noise);
  hit->name = g_strdup (line->name);
  hit->text = g_string_free (text, FALSE);
}

static gboolean
compare_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Chart *chart = picture->layout;
  gboolean found = FALSE;

  kymo_hit_init (hit);
  for (guint i = chart->first; i < chart->first + chart->shown && !found; i++)
    if (kymo_rect_contains (row_rect (chart, i), x, y) && y >= chart->bars.y
        && y < chart->bars.y + chart->bars.height)
      {
        found = TRUE;
        hit->rect = row_rect (chart, i);
        describe_compare (chart, line_at (chart, i), hit);
      }
  return found;
}

static GArray *
compare_boxes (const KymoPicture *picture)
{
  const Chart *chart = picture->layout;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));

  for (guint i = 0; i < chart->lines->len; i++)
    {
      KymoPlotBox box = { .row = line_at (chart, i)->row, .rect = row_rect (chart, i) };

      g_array_append_val (boxes, box);
    }
  return boxes;
}

static double
compare_natural_height (const KymoTable *answer, const KymoPlotFrame *frame)
{
  double height;
  Chart chart;

  chart_init (&chart, answer, frame);
  height = frame->height_px - chart.area.height + HEAD_PX + chart.lines->len * ROW_PX;
  chart_clear (&chart);
  return height;
}

static KymoQuestion *
compare_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "compare");

  kymo_question_set_int (question, "workers-only", 1);
  return question;
}

static gpointer
compare_lay_out (const KymoPicture *picture)
{
  Chart *layout = g_new0 (Chart, 1);

  chart_init (layout, picture->answer, &picture->frame);
  return layout;
}

static void
compare_layout_free (gpointer data)
{
  chart_clear (data);
  g_free (data);
}

const KymoPlotClass kymo_plot_compare_activities = {
  .id = "compare-activities",
  .title = N_("What grew and what shrank"),
  .needs = KYMO_CAN_PROFILE,
  .question = compare_question,
  .lay_out = compare_lay_out,
  .layout_free = compare_layout_free,
  .paint = compare_paint,
  .hit = compare_hit,
  .natural_height = compare_natural_height,
  .boxes = compare_boxes,
  .inset = { 16, 4, 32, 36 },
  .compares = TRUE,
};
