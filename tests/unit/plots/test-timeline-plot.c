/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline's two forms of an answer are one picture: rows of packed
 * columns (the fast path) and the same as a list of cells (the slow twin) give
 * the same pixels and the same hits, at any place; so do some rows of many.
 */
#include "config.h"

#include <string.h>

#include "kymo-plot.h"
#include "pictures.h"

#define N_NAMES 7
#define N_ROWS 30
#define N_COLUMNS 400
#define COLUMN_NS 1024
#define FULL 0xffffu
#define NOTHING G_MAXUINT32

/* -- answers -------------------------------------------------------------- */

static KymoTable *
flat_strings (const char *const *values, guint n)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_FLAT);
  guint column = kymo_table_add_column (table, "value", KYMO_COLUMN_STRING, 1);

  for (guint i = 0; i < n; i++)
    kymo_table_append_string (table, column, values[i]);
  return table;
}

/* Stretches of one state, single columns of part of one, and gaps. */
static void
fill_row (GRand *random, guint32 *cells)
{
  for (guint x = 0; x < N_COLUMNS;)
    {
      guint length = g_rand_int_range (random, 1, 12);
      guint32 name = g_rand_int_range (random, 0, N_NAMES);
      guint32 share = g_rand_boolean (random) ? FULL
                      : (guint32) g_rand_int_range (random, 0, FULL);
      guint32 cell = g_rand_int_range (random, 0, 9) == 0 ? NOTHING
                     : name << 16 | share;

      for (; length > 0 && x < N_COLUMNS; length--)
        cells[x++] = cell;
    }
}

static void
append_cells (KymoTable *cells, const guint32 *row)
{
  for (guint x = 0, end; x < N_COLUMNS; x = end)
    {
      for (end = x + 1; end < N_COLUMNS && (row[x] & FULL) == FULL
                        && row[end] == row[x]; end++)
        ;
      if (row[x] == NOTHING)
        continue;
      kymo_table_append_int (cells, 0, x);
      kymo_table_append_int (cells, 1, end);
      kymo_table_append_int (cells, 2, row[x] >> 16);
      kymo_table_append_double (cells, 3, (row[x] & FULL) / 65535.0);
    }
}

/* Rows first .. end of the N_ROWS, packed or as cells. */
static KymoTable *
make_answer (const guint32 *data, guint first, guint end, gboolean packed)
{
  static const char *const names[N_NAMES]
    = { "idle", "overhead", "untraced", "A::a", "B::b", "C::c", "D::d" };
  static const char *const kinds[N_NAMES]
    = { "idle", "overhead", "untraced", "entry", "entry", "entry", "entry" };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *cells = kymo_table_new (KYMO_STYLE_TUPLES);
  guint label = kymo_table_add_column (rows, "label", KYMO_COLUMN_STRING, 1);
  guint nested = kymo_table_add_nested (rows, "cells", cells);
  KymoTable *dense = kymo_table_new (KYMO_STYLE_FLAT);
  guint column = kymo_table_add_column (dense, "cell", KYMO_COLUMN_PACKED, 1);
  gsize n = (gsize) (end - first) * N_COLUMNS;

  kymo_table_add_column (cells, "x0", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "x1", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "activity", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (cells, "share", KYMO_COLUMN_DOUBLE, 1);
  for (guint row = first; row < end; row++)
    {
      g_autofree char *text = g_strdup_printf ("PE %u", row);

      kymo_table_append_string (rows, label, text);
      if (!packed)
        append_cells (cells, data + (gsize) row * N_COLUMNS);
      kymo_table_end_nested (rows, nested);
    }
  kymo_table_set_int (answer, "begin_ns", 0);
  kymo_table_set_int (answer, "end_ns", N_COLUMNS * COLUMN_NS);
  kymo_table_set_int (answer, "columns", N_COLUMNS);
  kymo_table_set_int (answer, "group", 1);
  kymo_table_set_int (answer, "first_row", first);
  kymo_table_set_int (answer, "rows_total", N_ROWS);
  kymo_table_set_table (answer, "names", flat_strings (names, N_NAMES));
  kymo_table_set_table (answer, "kinds", flat_strings (kinds, N_NAMES));
  kymo_table_set_table (answer, "rows", rows);
  kymo_table_take_packed (dense, column,
                          g_memdup2 (data + (gsize) first * N_COLUMNS,
                                     n * sizeof (guint32)), n);
  if (packed)
    kymo_table_set_table (answer, "dense", dense);
  else
    kymo_table_unref (dense);
  return answer;
}

static guint32 *
random_data (guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint32 *data = g_new (guint32, N_ROWS * N_COLUMNS);

  for (guint row = 0; row < N_ROWS; row++)
    fill_row (random, data + (gsize) row * N_COLUMNS);
  return data;
}

/* -- pictures ------------------------------------------------------------- */

static cairo_surface_t *
paint (const KymoTable *answer, const KymoPlotFrame *frame)
{
  cairo_surface_t *surface
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                  frame->width_px * frame->scale,
                                  frame->height_px * frame->scale);
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, frame->scale, frame->scale);
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  picture_paint (kymo_plot_find ("timeline"), cr, answer, frame);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
assert_same (const KymoTable *a, const KymoTable *b, const KymoPlotFrame *frame)
{
  cairo_surface_t *x = paint (a, frame), *y = paint (b, frame);
  int height = cairo_image_surface_get_height (x);
  int stride = cairo_image_surface_get_stride (x);

  for (int line = 0; line < height; line++)
    for (int at = 0; at < stride / 4; at++)
      {
        gsize place = (gsize) line * stride / 4 + at;
        guint32 p = ((guint32 *) cairo_image_surface_get_data (x))[place];
        guint32 q = ((guint32 *) cairo_image_surface_get_data (y))[place];

        if (((p ^ q) & 0xffffff) != 0)
          g_error ("pixel %d of line %d: %06x is not %06x, range %"
                   G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                   ", row_px %g, scale %g", at, line, p & 0xffffff,
                   q & 0xffffff, frame->span.begin_ns, frame->span.end_ns,
                   frame->row_px, frame->scale);
      }
  cairo_surface_destroy (x);
  cairo_surface_destroy (y);
}

/* A view of 150 to 250 columns, in which a column is 1 to 2 pixels wide. */
static void
random_frame (GRand *random, KymoColors *colors, KymoPlotFrame *frame)
{
  static const double heights[] = { 0, 1.3, 4, 9.5, 18, 40 };
  gint64 length = g_rand_int_range (random, 150, 250) * COLUMN_NS;
  gint64 begin = g_rand_int_range (random, 0, N_COLUMNS * COLUMN_NS - length);

  kymo_plot_frame_init (frame, 112 + 20 + 280, 220, g_rand_boolean (random),
                        colors, (KymoSpan) { begin, begin + length });
  frame->scale = g_rand_int_range (random, 1, 3);
  /* At twice the scale half the time, for columns of 1 to 2 pixels again. */
  if (frame->scale > 1)
    frame->width_px = 112 + 20 + 140;
  frame->row_px = heights[g_rand_int_range (random, 0, 6)];
  frame->n_locations = N_ROWS;
  if (frame->row_px > 0)
    frame->scroll_px = g_rand_int_range (random, 0, 200);
  frame->hovered = g_rand_boolean (random) ? "B::b" : NULL;
}

static void
test_two_forms (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autoptr (KymoColors) colors = kymo_colors_new (KYMO_PALETTE_STANDARD);
  g_autoptr (GHashTable) hidden = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_add (hidden, (gpointer) "C::c");
  for (guint i = 0; i < 40; i++)
    {
      g_autofree guint32 *data = random_data (i);
      g_autoptr (KymoTable) packed = make_answer (data, 0, N_ROWS, TRUE);
      g_autoptr (KymoTable) cells = make_answer (data, 0, N_ROWS, FALSE);
      KymoPlotFrame frame;

      random_frame (random, colors, &frame);
      frame.hidden = i % 4 == 0 ? hidden : NULL;
      assert_same (packed, cells, &frame);
    }
}

/* Of more rows than are in sight it does not matter how many are there. */
static void
test_some_rows (void)
{
  g_autofree guint32 *data = random_data (3);
  g_autoptr (KymoTable) all = make_answer (data, 0, N_ROWS, TRUE);
  g_autoptr (KymoTable) some = make_answer (data, 8, 26, TRUE);
  KymoPlotFrame frame;

  kymo_plot_frame_init (&frame, 400, 220, FALSE, NULL,
                        (KymoSpan) { 5000, 200000 });
  frame.row_px = 18;
  frame.n_locations = N_ROWS;
  frame.scroll_px = 8 * 18;
  assert_same (all, some, &frame);
  frame.scroll_px = 8 * 18 + 100;
  assert_same (all, some, &frame);
}

/* A picture that is panned by a whole number of pixels is the same pixels. */
static void
test_panning_moves_pixels (void)
{
  g_autofree guint32 *data = random_data (5);
  g_autoptr (KymoTable) answer = make_answer (data, 0, N_ROWS, TRUE);
  const gint64 ns_per_px = 700;
  KymoPlotFrame frame;
  cairo_surface_t *before, *after;

  kymo_plot_frame_init (&frame, 112 + 20 + 200, 100, FALSE, NULL,
                        (KymoSpan) { 20000, 20000 + 200 * ns_per_px });
  frame.row_px = 3;
  frame.n_locations = N_ROWS;
  before = paint (answer, &frame);
  frame.span.begin_ns += 30 * ns_per_px + 100;
  frame.span.end_ns += 30 * ns_per_px + 100;
  after = paint (answer, &frame);
  for (int y = 20; y < 90; y++)
    {
      gsize line = (gsize) y * cairo_image_surface_get_stride (before);
      const guchar *a = cairo_image_surface_get_data (before) + line;
      const guchar *b = cairo_image_surface_get_data (after) + line;

      g_assert_cmpmem (a + (112 + 31) * 4, 150 * 4, b + (112 + 1) * 4, 150 * 4);
    }
  cairo_surface_destroy (before);
  cairo_surface_destroy (after);
}

static void
test_hits (void)
{
  const KymoPlotClass *plot = kymo_plot_find ("timeline");
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autofree guint32 *data = random_data (2);
  g_autoptr (KymoTable) packed = make_answer (data, 0, N_ROWS, TRUE);
  g_autoptr (KymoTable) cells = make_answer (data, 0, N_ROWS, FALSE);
  guint found = 0;

  for (guint i = 0; i < 500; i++)
    {
      KymoPlotFrame frame;
      KymoPlotHit a, b;
      double x = g_rand_double_range (random, 0, 412);
      double y = g_rand_double_range (random, 0, 220);

      random_frame (random, NULL, &frame);
      g_assert_cmpint (picture_hit (plot, packed, &frame, x, y, &a), ==,
                                    picture_hit (plot, cells, &frame, x, y, &b));
      g_assert_cmpstr (a.name, ==, b.name);
      g_assert_cmpstr (a.text, ==, b.text);
      g_assert_cmpfloat (a.rect.x, ==, b.rect.x);
      g_assert_cmpfloat (a.rect.width, ==, b.rect.width);
      found += a.name != NULL;
      kymo_plot_hit_clear (&a);
      kymo_plot_hit_clear (&b);
    }
  g_assert_cmpuint (found, >, 100);
}

/* From a nanosecond to an hour, and at times far from zero: each nanosecond has its place, in
   order, and what is far away stays within what cairo can hold. */
static void
test_places (void)
{
  static const gint64 lengths[] = { 1, 10, 999, 1000000, G_GINT64_CONSTANT (3600000000000) };
  static const gint64 begins[] = { 0, -5, G_GINT64_CONSTANT (1795000000000000123) };

  for (guint b = 0; b < G_N_ELEMENTS (begins); b++)
    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
      {
        KymoPlotFrame frame;
        double before = -G_MAXDOUBLE;
        gint64 step = MAX (lengths[i] / 10, 1);

        kymo_plot_frame_init (&frame, 1000, 300, FALSE, NULL,
                              (KymoSpan) { begins[b], begins[b] + lengths[i] });
        for (gint64 at = begins[b]; at <= begins[b] + lengths[i]; at += step)
          {
            double x = kymo_plot_time_to_x (&frame, at);

            g_assert_cmpfloat (x, >, before);
            g_assert_cmpint (ABS (kymo_plot_x_to_time (&frame, x + 1e-6) - at), <=,
                             lengths[i] / 1000000);
            before = x;
          }
        g_assert_cmpfloat (kymo_plot_time_to_x (&frame, G_MAXINT64), <, 2e6);
        g_assert_cmpfloat (kymo_plot_time_to_x (&frame, G_MAXINT64), >, 1000);
        g_assert_cmpfloat (kymo_plot_time_to_x (&frame, G_MININT64), >, -2e6);
        g_assert_cmpfloat (kymo_plot_time_to_x (&frame, G_MININT64), <, 0);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-plot/two-forms", test_two_forms);
  g_test_add_func ("/timeline-plot/some-rows", test_some_rows);
  g_test_add_func ("/timeline-plot/panning", test_panning_moves_pixels);
  g_test_add_func ("/timeline-plot/hits", test_hits);
  g_test_add_func ("/timeline-plot/places", test_places);
  return g_test_run ();
}
