/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Map of a counter: locations are rows, x is time, and the colour is its value there, from the
 * least to the most of all that is shown (from 0, unless all lies far from it). Nothing is
 * painted where there was no sample. Where there are more locations than lines of pixels some
 * share a row. The key tells the scale, and what a value is of the samples in a column.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kymo-axis.h"
#include "kymo-legend.h"
#include "kymo-measure.h"
#include "kymo-pixels.h"
#include "kymo-text.h"
#include "kymo-theme.h"
#include "kymo-units.h"

extern const KymoPlotClass kymo_plot_counter_map;

#define HEAD_PX 34.0
#define KEY_PX 110.0
#define KEY_HEIGHT_PX 10.0
#define KEY_WORDS_PX 84.0
#define MOST_ROW_PX 28.0
#define LABEL_PX 14.0
#define MOST_ROWS 1024
/* Pixels to a column of the question. */
#define COLUMN_PX 2.0
/* Colours are told apart in this number of steps: in files neighbours of one step are one shape. */
#define STEPS 64
#define MOST_BOXES 50000

/**
 * Map:
 * @area: of the cells alone
 */
typedef struct
{
  KymoRect         area, head;
  const KymoTable *rows;
  const char      *name;
  guint            n_rows, n_columns;
  const gint64    *edges_ns;
  const double    *values;
  double           min, max;
  double           row_px;
  gboolean         known;            /* FALSE: nothing can be painted */
} Map;

/* The range of the colours: as the axis of a curve has it. */
static void
find_range (Map *map, const KymoTable *answer)
{
  map->min = kymo_table_get_double (answer, "min", 0);
  map->max = kymo_table_get_double (answer, "max", 0);
  if (map->min >= 0 && map->min <= map->max * 0.5)
    map->min = 0;
  if (map->max <= 0 && map->max >= map->min * 0.5)
    map->max = 0;
  /* One value alone is at the strong end. */
  if (map->min == map->max && map->max != 0)
    *(map->max > 0 ? &map->min : &map->max) = 0;
}

static gboolean
map_init (Map *map, const KymoTable *answer, const KymoPlotFrame *frame)
{
  guint n_edges = 0, width = 0;

  *map = (Map) { .area = kymo_plot_frame_area (&kymo_plot_counter_map, frame) };
  map->rows = kymo_table_peek_nested (answer, "rows", NULL);
  map->name = kymo_table_get_string (answer, "name", 0);
  map->edges_ns = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  map->head = map->area;
  map->head.height = MIN (HEAD_PX, map->area.height / 2);
  map->area.y += map->head.height;
  map->area.height -= map->head.height;
  if (map->rows == NULL || n_edges < 2 || kymo_table_get_n_rows (map->rows) == 0)
    return FALSE;
  map->n_rows = kymo_table_get_n_rows (map->rows);
  map->n_columns = n_edges - 1;
  map->values = kymo_table_peek_doubles (map->rows, "values", &width);
  find_range (map, answer);
  map->row_px = MIN (map->area.height / map->n_rows, MOST_ROW_PX);
  map->area.height = map->row_px * map->n_rows;
  return map->values != NULL && width == map->n_columns && isfinite (map->min)
         && isfinite (map->max) && map->row_px > 0;
}

static double
value_at (const Map *map, guint row, guint column)
{
  return map->values[(gsize) row * map->n_columns + column];
}

/* The step of a value's colour; -1 where nothing was sampled. */
static int
step_of (const Map *map, double value)
{
  if (isnan (value))
    return -1;
  return map->max > map->min
         ? (int) lrint ((value - map->min) / (map->max - map->min) * (STEPS - 1)) : STEPS - 1;
}

static KymoRgba
color_of (const KymoPlotFrame *frame, int step)
{
  return kymo_heat_color (frame, step / (double) (STEPS - 1));
}

static double
row_y (const Map *map, guint row)
{
  return map->area.y + row * map->row_px;
}

/* Rows of some height stand apart. */
static double
row_gap (const Map *map)
{
  return map->row_px >= 6 ? 1 : 0;
}

/* -- cells ------------------------------------------------------------------ */

/* (transfer full): the pixel at which each column begins; all rows have the same */
static int *
dup_edges_x (const Map *map, const KymoPlotFrame *frame, const KymoPixels *pixels)
{
  int *edges_x = g_new (int, map->n_columns + 1);

  for (guint i = 0; i <= map->n_columns; i++)
    {
      double x = kymo_frame_lattice_x (frame, map->edges_ns[i]) - map->area.x;

      edges_x[i] = lrint (CLAMP (x * pixels->scale, 0, pixels->width));
    }
  return edges_x;
}

static gboolean
paint_pixels (cairo_t *cr, const Map *map, const KymoPlotFrame *frame)
{
  g_autofree int *edges_x = NULL;
  guint32 colors[STEPS];
  KymoPixels pixels;

  if (!kymo_pixels_begin (&pixels, cr, map->area, frame))
    return FALSE;
  edges_x = dup_edges_x (map, frame, &pixels);
  for (int i = 0; i < STEPS; i++)
    colors[i] = kymo_pixel (color_of (frame, i));
  for (guint row = 0; row < map->n_rows; row++)
    {
      double top = row * map->row_px, end = top + map->row_px - row_gap (map);
      int y0 = CLAMP (lrint (top * pixels.scale), 0, pixels.height);
      int y1 = CLAMP (lrint (end * pixels.scale), 0, pixels.height);

      for (guint i = 0; i < map->n_columns; i++)
        {
          int step = step_of (map, value_at (map, row, i));

          for (int y = y0; step >= 0 && y < y1; y++)
            for (int x = edges_x[i]; x < edges_x[i + 1]; x++)
              kymo_pixels_line (&pixels, y)[x] = colors[step];
        }
    }
  kymo_pixels_end (&pixels, cr);
  return TRUE;
}

/* One shape for each stretch of one colour. */
static void
paint_row (cairo_t *cr, const Map *map, const KymoPlotFrame *frame, guint row)
{
  guint first = 0;
  int last = -1;

  for (guint i = 0; i <= map->n_columns; i++)
    {
      int step = i < map->n_columns ? step_of (map, value_at (map, row, i)) : -1;

      if (step == last && i < map->n_columns)
        continue;
      if (last >= 0)
        {
          double x0 = kymo_plot_time_to_x (frame, map->edges_ns[first]);
          double x1 = kymo_plot_time_to_x (frame, map->edges_ns[i]);

          kymo_set_source (cr, color_of (frame, last));
          cairo_rectangle (cr, x0, row_y (map, row), x1 - x0, map->row_px - row_gap (map));
          cairo_fill (cr);
        }
      first = i;
      last = step;
    }
}

static void
paint_cells (cairo_t *cr, const Map *map, const KymoPlotFrame *frame)
{
  cairo_save (cr);
  cairo_rectangle (cr, map->area.x, map->area.y, map->area.width, map->area.height);
  cairo_clip (cr);
  if (!paint_pixels (cr, map, frame))
    for (guint row = 0; row < map->n_rows; row++)
      paint_row (cr, map, frame, row);
  cairo_restore (cr);
}

/* -- words ------------------------------------------------------------------ */

/* (transfer full): "PE 8", or "PE 8 and 7 more" of a row of several */
static char *
dup_label (const Map *map, guint row)
{
  const char *label = kymo_table_peek_label (map->rows, "label", row);
  gint64 more = kymo_table_get_int (map->rows, "n_locations", row) - 1;

  if (more <= 0)
    return g_strdup (label);
  /* Translators: a location, as “PE 8”, and how many others share its row. */
  return g_strdup_printf (_("%s and %" PRId64 " more"), label, more);
}

static void
paint_labels (cairo_t *cr, const Map *map, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  KymoTextStyle style = { KYMO_TEXT_SMALL, FALSE, 1, map->area.x - 12 };
  guint step = 1;

  while (map->row_px * step < LABEL_PX)
    step *= 2;
  for (guint row = 0; row < map->n_rows; row += step)
    {
      double middle = row_y (map, row) + (map->row_px - row_gap (map)) / 2;

      kymo_text_draw (cr, kymo_table_peek_label (map->rows, "label", row), map->area.x - 8,
                      MAX (middle, map->area.y + LABEL_PX / 2 - 2), style, theme->secondary);
    }
}

/* What a value is of the samples in its column. */
static const char *
words_of (const char *statistic)
{
  static const struct { const char *statistic, *words; } known[] = {
    { "max", N_("largest value") }, { "min", N_("least value") }, { "mean", N_("mean of samples") },
    { "last", N_("newest value") }, { "weighted", N_("mean over time") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (known[i].statistic, statistic) == 0)
      return _(known[i].words);
  return "";
}

static void
paint_key (cairo_t *cr, const Map *map, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  double y = map->head.y + 9, end = map->head.x + map->head.width;
  KymoRect key = { end - KEY_WORDS_PX - KEY_PX, y - KEY_HEIGHT_PX / 2, KEY_PX, KEY_HEIGHT_PX };
  g_autofree char *min = kymo_counter_format (map->name, map->min);
  g_autofree char *max = kymo_counter_format (map->name, map->max);

  if (map->head.width < 2 * (KEY_PX + 2 * KEY_WORDS_PX))
    return;
  kymo_heat_paint_key (cr, frame, key);
  kymo_text_draw (cr, min, key.x - 6, y,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 1, KEY_WORDS_PX }, theme->secondary);
  kymo_text_draw (cr, max, key.x + KEY_PX + 6, y,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 0, KEY_WORDS_PX - 6 },
                  theme->secondary);
}

static void
paint_head (cairo_t *cr, const Map *map, const KymoTable *answer, const KymoPlotFrame *frame)
{
  const KymoTheme *theme = kymo_theme_get (frame->look);
  gint64 group = kymo_table_get_int (answer, "group", 0);
  g_autofree char *name = kymo_counter_dup_name (map->name,
                                                 kymo_table_get_string (answer, "unit", 0));
  g_autofree char *head = g_strdup_printf (
    "%s: %s", name, words_of (kymo_table_get_string (answer, "statistic", 0)));
  double most = MAX (map->head.width - KEY_PX - 2 * KEY_WORDS_PX - 12, map->head.width / 2);

  kymo_text_draw (cr, head, map->head.x, map->head.y + 9,
                  (KymoTextStyle) { KYMO_TEXT_SMALL, TRUE, 0, most }, theme->foreground);
  if (group > 1)
    {
      g_autofree char *words = g_strdup_printf (
        ngettext ("%" PRId64 " location shares a row", "%" PRId64 " locations share a row", group),
        group);

      kymo_text_draw (cr, words, map->head.x, map->head.y + 24,
                      (KymoTextStyle) { KYMO_TEXT_SMALL, FALSE, 0, most }, theme->secondary);
    }
  paint_key (cr, map, frame);
}

static void
counter_map_paint (cairo_t *cr, const KymoPicture *picture)
{
  const Map *map = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;

  kymo_decor_paint (cr, &kymo_plot_counter_map, frame, NULL);
  if (!map->known)
    {
      kymo_paint_empty (cr, frame, kymo_plot_frame_area (&kymo_plot_counter_map, frame),
                        _("Nothing was sampled in this range"));
      return;
    }
  paint_head (cr, map, answer, frame);
  paint_labels (cr, map, frame);
  paint_cells (cr, map, frame);
  if (frame->decorate)
    {
      KymoRect area = kymo_plot_frame_area (&kymo_plot_counter_map, frame);

      kymo_axis_time (cr, frame, area.y + area.height + 18, area.y + area.height);
    }
}

static char *
describe_counter_map (const Map *map, const KymoTable *answer, guint row, guint column)
{
  KymoSpan span = { map->edges_ns[column], map->edges_ns[column + 1] };
  g_autofree char *when = kymo_span_words (span);
  g_autofree char *label = dup_label (map, row);
  double value = value_at (map, row, column);
  g_autofree char *words = kymo_counter_format (map->name, value);

  if (isnan (value))
    return g_strdup_printf (_("%s\nno sample of %s\n%s"), label, map->name, when);
  return g_strdup_printf ("%s\n%s %s\n%s", label, words,
                          words_of (kymo_table_get_string (answer, "statistic", 0)), when);
}

static gboolean
counter_map_hit (const KymoPicture *picture, double x, double y, KymoPlotHit *hit)
{
  const Map *map = picture->layout;
  const KymoTable *answer = picture->answer;
  const KymoPlotFrame *frame = &picture->frame;
  gint64 time_ns = kymo_plot_x_to_time (frame, x);
  guint row, column = 0;
  double x0, x1;

  kymo_hit_init (hit);
  if (!map->known || !kymo_rect_contains (map->area, x, y)
      || time_ns < map->edges_ns[0] || time_ns >= map->edges_ns[map->n_columns])
    return FALSE;
  row = MIN ((guint) ((y - map->area.y) / map->row_px), map->n_rows - 1);
  for (guint end = map->n_columns; end - column > 1;)
    {
      guint middle = column + (end - column) / 2;

      if (map->edges_ns[middle] <= time_ns)
        column = middle;
      else
        end = middle;
    }
  x0 = kymo_plot_time_to_x (frame, map->edges_ns[column]);
  x1 = kymo_plot_time_to_x (frame, map->edges_ns[column + 1]);
  hit->time_ns = time_ns;
  hit->span = (KymoSpan) { map->edges_ns[column], map->edges_ns[column + 1] };
  hit->rect = (KymoRect) { x0, row_y (map, row), x1 - x0, map->row_px - row_gap (map) };
  hit->location = kymo_table_get_int (map->rows, "location", row);
  hit->name = g_strdup (map->name);
  hit->text = describe_counter_map (map, answer, row, column);
  return TRUE;
}

/* Cells that hold a sample. Of very many every second column, third, …: closer the columns
   are of less time. */
static GArray *
counter_map_boxes (const KymoPicture *picture)
{
  const Map *map = picture->layout;
  const KymoPlotFrame *frame = &picture->frame;
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (KymoPlotBox));
  guint step = 1;

  if (!map->known)
    return boxes;
  step += (guint) ((guint64) map->n_rows * map->n_columns / MOST_BOXES);
  for (guint row = 0; row < map->n_rows; row++)
    for (guint column = step / 2; column < map->n_columns; column += step)
      {
        double x0 = kymo_plot_time_to_x (frame, map->edges_ns[column]);
        double x1 = kymo_plot_time_to_x (frame, map->edges_ns[column + 1]);
        KymoPlotBox box = { .row = row, .part = column, .of_location = TRUE, .told = TRUE,
                            .location = kymo_table_get_int (map->rows, "location", row),
                            .rect = { x0, row_y (map, row), x1 - x0,
                                      map->row_px - row_gap (map) },
                            .name = map->name,
                            .span = { map->edges_ns[column], map->edges_ns[column + 1] } };

        if (!isnan (value_at (map, row, column)) && (x0 + x1) / 2 >= map->area.x
            && (x0 + x1) / 2 < map->area.x + map->area.width)
          g_array_append_val (boxes, box);
      }
  return boxes;
}

/* Whether a row has one of the locations; of several together the answer lists them all. */
static gboolean
row_has (const Map *map, const KymoTable *answer, guint row, const KymoIdSet *locations)
{
  gint64 group = kymo_table_get_int (answer, "group", 0);
  guint n_members = 0;
  const gint64 *members = group > 1 ? kymo_table_peek_ints (answer, "members", &n_members)
                                    : NULL;

  if (members == NULL)
    return kymo_id_set_contains (locations, kymo_table_get_int (map->rows, "location", row));
  for (guint64 i = (guint64) row * group; i < MIN ((guint64) (row + 1) * group, n_members); i++)
    if (kymo_id_set_contains (locations, members[i]))
      return TRUE;
  return FALSE;
}

static GArray *
counter_map_marks (const KymoPicture *picture, const KymoIdSet *locations)
{
  const Map *map = picture->layout;
  const KymoTable *answer = picture->answer;
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (KymoRect));

  if (!map->known)
    return marks;
  for (guint row = 0; row < map->n_rows; row++)
    {
      KymoRect rect = { map->area.x, row_y (map, row), map->area.width, map->row_px };

      if (row_has (map, answer, row, locations))
        g_array_append_val (marks, rect);
    }
  return marks;
}

static KymoQuestion *
counter_map_question (const KymoPlotFrame *frame)
{
  KymoQuestion *question = kymo_frame_question (frame, "counter-map");
  KymoRect area = kymo_plot_frame_area (&kymo_plot_counter_map, frame);

  kymo_question_set_resolution (question, CLAMP (area.width / COLUMN_PX, 10, 2000),
                                CLAMP (area.height - HEAD_PX, 1, MOST_ROWS));
  return question;
}

KYMO_DEFINE_PLAIN_LAYOUT (counter_map, Map, map_init)

const KymoPlotClass kymo_plot_counter_map = {
  .id = "counter-map",
  .title = N_("Map of a counter"),
  .time_axis = TRUE,
  .needs = KYMO_CAN_COUNTERS,
  .question = counter_map_question,
  .lay_out = counter_map_lay_out,
  .layout_free = g_free,
  .paint = counter_map_paint,
  .hit = counter_map_hit,
  .marks = counter_map_marks,
  .boxes = counter_map_boxes,
  .inset = { 0, 8, 0, 8 },
};
