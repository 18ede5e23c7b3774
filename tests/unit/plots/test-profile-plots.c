/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of profiles, of made answers: what lies under a point is what is painted
 * there, sizes and figures that are odd do no harm, and 16,384 threads are painted
 * within a frame. With KYMO_TEST_PICTURES=FOLDER pictures are left there to be
 * looked at.
 */
#include "config.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "kymo-measure.h"
#include "made-frames.h"
#include "made_profiles.h"
#include "pictures.h"

static const char *const views[] = {
  "thread-bars", "function-bars", "function-threads-histogram", "icicle", "calltree",
  "call-graph", "thread", "user-events", "profile", "phases", "threads", "thread-scatter",
};

static cairo_surface_t *
paint (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, frame->width_px,
                                                         frame->height_px);
  cairo_t *cr = cairo_create (surface);

  picture_paint (klass, cr, answer, frame);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  return surface;
}

static void
leave_picture (const char *id, const char *name, const KymoTable *answer, KymoPlotFrame frame)
{
  const char *folder = g_getenv ("KYMO_TEST_PICTURES");

  for (frame.look = FALSE; folder != NULL && frame.look < 2; frame.look++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%s-%s-%s.png", folder, id, name,
                                               frame.look ? "dark" : "light");
      cairo_surface_t *surface;

      frame.decorate = !frame.look;
      frame.provenance = "made · Kymo";
      surface = paint (kymo_plot_find (id), answer, &frame);
      g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
      cairo_surface_destroy (surface);
    }
}

/* The least time of some paintings, in ms of this thread's processor. */
static double
time_of (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  double least = INFINITY;

  for (guint i = 0; i < 6; i++)
    {
      struct timespec begin, end;

      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &begin);
      cairo_surface_destroy (paint (klass, answer, frame));
      clock_gettime (CLOCK_THREAD_CPUTIME_ID, &end);
      least = MIN (least, (end.tv_sec - begin.tv_sec) * 1e3
                          + (end.tv_nsec - begin.tv_nsec) / 1e6);
    }
  return least;
}

static void
show (const char *id, const char *name, KymoTable *answer)
{
  KymoPlotFrame frame = made_frame (1100, 640);

  g_test_message ("%s %s: %.1f ms", id, name, time_of (kymo_plot_find (id), answer, &frame));
  frame.chosen = made_name (1);
  frame.chosen_location = 3;
  leave_picture (id, name, answer, frame);
  kymo_table_unref (answer);
}

static void
test_pictures (void)
{
  show ("thread-bars", "0", made_thread_bars (41, 0, 560));
  show ("thread-bars", "1", made_thread_bars (3, 1, 560));
  show ("thread-bars", "64", made_thread_bars (41, 64, 560));
  show ("thread-bars", "1000", made_thread_bars (41, 1000, 560));
  show ("thread-bars", "16384", made_thread_bars (41, 16384, 560));
  show ("function-bars", "8", made_function_bars (1, 8, 560, 40));
  show ("function-bars", "16384", made_function_bars (1, 16384, 560, 40));
  show ("function-threads-histogram", "16384", made_function_bars (1, 16384, 560, 40));
  show ("function-threads-histogram", "3", made_function_bars (1, 3, 560, 40));
  show ("icicle", "60", made_call_tree (60, 9));
  show ("icicle", "100000", made_call_tree (100000, 80));
  show ("calltree", "60", made_call_tree (60, 9));
  show ("calltree", "12", made_call_tree (12, 9));
  show ("calltree", "100000", made_call_tree (100000, 80));
  show ("call-graph", "14", made_call_graph (14, 5));
  show ("call-graph", "40", made_call_graph (40, 7));
  show ("call-graph", "3000", made_call_graph (3000, 40));
  show ("call-graph", "1", made_call_graph (1, 1));
  show ("thread", "101", made_thread (101));
  show ("user-events", "7", made_user_events (7));
  show ("user-events", "0", made_user_events (0));
  show ("phases", "6", made_phases (30, 6));
  show ("phases", "400", made_phases (101, 400));
  show ("threads", "4", made_threads (20, 4));
  show ("threads", "16", made_threads (101, 16));
  show ("thread-scatter", "40", made_thread_scatter (40));
  show ("thread-scatter", "16384", made_thread_scatter (16384));
}

/* -- what lies under a point is what is painted there ------------------------ */

static guint32
pixel_at (cairo_surface_t *surface, double x, double y)
{
  const guchar *data = cairo_image_surface_get_data (surface);

  return *(const guint32 *) (data + (gsize) y * cairo_image_surface_get_stride (surface)
                             + (gsize) x * 4) & 0xffffff;
}

static gboolean
has_color_of (const KymoPlotFrame *frame, guint32 pixel, const char *name)
{
  KymoRgba color = kymo_colors_get (frame->colors, name, FALSE);

  return fabs ((pixel >> 16) - color.red * 255) < 3
         && fabs ((pixel >> 8 & 255) - color.green * 255) < 3
         && fabs ((pixel & 255) - color.blue * 255) < 3;
}

/* Bars are opaque, so a point of a function has its colour, off the edges. */
static void
check_bars (const char *id, const KymoTable *answer, KymoPlotFrame frame)
{
  const KymoPlotClass *klass = kymo_plot_find (id);
  KymoRect area = kymo_plot_frame_area (klass, &frame);
  cairo_surface_t *surface = paint (klass, answer, &frame);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint named = 0;

  cairo_surface_flush (surface);
  for (guint i = 0; i < 4000; i++)
    {
      double x = area.x + floor (g_rand_double (rand) * (area.width - 2)) + 0.5;
      double y = area.y + floor (g_rand_double (rand) * (area.height - 2)) + 0.5;
      KymoPlotHit hit;

      if (picture_hit (klass, answer, &frame, x, y, &hit) && hit.name != NULL && hit.rect.width > 5
          && x > hit.rect.x + 2 && x < hit.rect.x + hit.rect.width - 2
          && y > hit.rect.y + 1 && y < hit.rect.y + hit.rect.height - 1)
        {
          g_assert_true (has_color_of (&frame, pixel_at (surface, x, y), hit.name));
          g_assert_nonnull (strstr (hit.text, hit.name));
          named++;
        }
      kymo_plot_hit_clear (&hit);
    }
  g_assert_cmpuint (named, >, 20);
  cairo_surface_destroy (surface);
}

static void
test_bars (void)
{
  static const guint counts[] = { 1, 8, 64, 500 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint scrolled = 0; scrolled < 2; scrolled++)
      {
        KymoPlotFrame frame = made_frame (900, 600);
        g_autoptr (KymoTable) all = made_thread_bars (30, counts[i], 5000);

        frame.row_px = scrolled * 18;
        frame.scroll_px = scrolled && counts[i] > 60 ? 333 : 0;
        /* Lines of pixels have no inside to hit. */
        if (counts[i] < 120 || scrolled)
          check_bars ("thread-bars", all, frame);
        frame.relative = TRUE;
        if (counts[i] < 120 || scrolled)
          check_bars ("thread-bars", all, frame);
      }
}

/* A place a row, and there lies its location; the chosen one's label is in sight. */
static void
test_places (void)
{
  static const char *const with_places[] = { "thread-bars", "function-bars" };

  for (guint v = 0; v < G_N_ELEMENTS (with_places); v++)
    for (guint n = 1; n < 20000; n = n * 3 + 1)
      {
        const KymoPlotClass *klass = kymo_plot_find (with_places[v]);
        KymoPlotFrame frame = made_frame (900, 500);
        g_autoptr (KymoTable) answer = v == 0 ? made_thread_bars (9, n, 380)
                                              : made_function_bars (1, n, 380, 20);
        g_autoptr (GArray) places = picture_places (klass, answer, &frame);

        g_assert_cmpuint (places->len, ==,
          kymo_table_get_n_rows (kymo_table_peek_nested (answer, "rows", NULL)));
        for (guint i = 0; i < places->len; i++)
          {
            const KymoPlotPlace *place = &g_array_index (places, KymoPlotPlace, i);
            KymoPlotHit hit;

            g_assert_true (picture_hit (klass, answer, &frame, place->rect.x + 1,
                                        place->rect.y + place->rect.height / 2, &hit));
            if (n < 100)
              g_assert_cmpint (hit.location, ==, place->location);
            g_assert_nonnull (hit.text);
            kymo_plot_hit_clear (&hit);
          }
      }
}

/* Bins cover the axis, and their counts are told. */
static void
test_histogram (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("function-threads-histogram");
  KymoPlotFrame frame = made_frame (900, 500);
  g_autoptr (KymoTable) answer = made_function_bars (1, 1000, 380, 20);
  KymoRect area = kymo_plot_frame_area (klass, &frame);
  const gint64 *counts = kymo_table_peek_ints (kymo_table_peek_nested (answer, "histogram",
                                                                       NULL), "counts", NULL);

  for (guint bin = 0; bin < 20; bin++)
    {
      g_autofree char *words = g_strdup_printf ("%" G_GINT64_FORMAT " rank", counts[bin]);
      KymoPlotHit hit;

      g_assert_true (picture_hit (klass, answer, &frame, area.x + (bin + 0.5) * area.width / 20,
                                  area.y + area.height - 1, &hit));
      g_assert_nonnull (strstr (hit.text, words));
      kymo_plot_hit_clear (&hit);
    }
}

/* -- tables ------------------------------------------------------------------------ */

/* Every cell and bar tells its own figure. */
static void
test_cells (void)
{
  const KymoPlotClass *phases = kymo_plot_find ("phases");
  const KymoPlotClass *threads = kymo_plot_find ("threads");
  g_autoptr (KymoTable) matrix = made_phases (12, 9);
  g_autoptr (KymoTable) compared = made_threads (12, 4);
  KymoPlotFrame frame = made_frame (1200, 900);
  KymoRect area = kymo_plot_frame_area (phases, &frame);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KymoPlotHit hit;

  for (double y = area.y; y < area.y + area.height; y += 4)
    for (double x = area.x; x < area.x + area.width; x += 10)
      if (picture_hit (phases, matrix, &frame, x, y, &hit))
        {
          g_hash_table_add (seen, g_strdup (hit.text));
          kymo_plot_hit_clear (&hit);
        }
  /* A name and nine phases a line. */
  g_assert_cmpuint (g_hash_table_size (seen), ==, 12 * 10);
  g_hash_table_remove_all (seen);
  for (double y = 0; y < 900; y += 2)
    if (picture_hit (threads, compared, &frame, 300, y, &hit))
      {
        g_hash_table_add (seen, g_strdup (hit.text));
        g_assert_true (hit.location == -1 || hit.location % 5 == 0);
        kymo_plot_hit_clear (&hit);
      }
  g_assert_cmpuint (g_hash_table_size (seen), ==, 12 * 4);
}

/* Each thread has its place in the plane, and figures are in the axes' units. */
static void
test_scatter (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("thread-scatter");
  g_autoptr (KymoTable) answer = made_thread_scatter (50);
  KymoPlotFrame frame = made_frame (1200, 900);
  g_autoptr (GArray) places = picture_places (klass, answer, &frame);

  g_assert_cmpuint (places->len, ==, 50);
  for (guint i = 1; i < places->len; i++)
    {
      const KymoPlotPlace *place = &g_array_index (places, KymoPlotPlace, i);
      g_autofree char *x = g_strdup_printf (": %u.%s µs", i, i < 10 ? "00" : "0");
      KymoPlotHit hit;

      g_assert_true (picture_hit (klass, answer, &frame, place->rect.x + place->rect.width / 2,
                                  place->rect.y + place->rect.height / 2, &hit));
      g_assert_cmpint (hit.location, ==, i);
      g_assert_nonnull (strstr (hit.text, x));
      kymo_plot_hit_clear (&hit);
    }
}

/* -- figures in words ----------------------------------------------------------- */

static void
check_words (const char *unit, double unit_ns, const char *chosen, const char *value,
             double number, const char *words, const char *exact)
{
  g_autoptr (KymoTable) answer = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autofree char *got = NULL, *all = NULL;
  KymoPlotFrame frame = made_frame (100, 100);
  KymoMeasure measure;

  kymo_table_set_string (answer, "metric", "M");
  kymo_table_set_string (answer, "unit", unit);
  kymo_table_set_double (answer, "unit_ns", unit_ns);
  frame.unit = chosen;
  kymo_measure_init (&measure, answer, &frame, value);
  got = kymo_measure_format (&measure, number);
  all = kymo_measure_exact (&measure, number);
  g_assert_cmpstr (got, ==, words);
  g_assert_cmpstr (all, ==, exact);
}

static void
test_words (void)
{
  check_words ("us", 1e3, NULL, "exclusive", 206474, "206 ms", "206.474 ms");
  check_words ("us", 1e3, "s", "inclusive", 206474, "0.2065 s", "0.206474 s");
  check_words ("us", 1e3, "us", "inclusive", 206474, "206,474 µs", "206,474 µs");
  check_words ("us", 1e3, "hms", "inclusive", 3723.5e6, "1:02:03.500", "1:02:03.500");
  check_words ("us", 1e3, "hms", "inclusive", 59999.9996e3, "0:01:00.000", "0:01:00.000");
  check_words ("us", 1e3, NULL, "exclusive-per-call", 0.0004, "0.4 ns", "0.4 ns");
  check_words ("us", 1e3, NULL, "calls", 1.5, "1.5", "1.5");
  check_words ("us", 1e3, NULL, "calls", 123456, "123,456", "123,456");
  check_words ("ns", 1, NULL, "exclusive", 1234567, "1.23 ms", "1.234567 ms");
  check_words ("", 0, "s", "exclusive", 12345678, "12,345,678", "12,345,678");
  check_words ("FLOP/us", 0, "s", "exclusive", 812.5, "812.5 FLOP/us", "812.5 FLOP/us");
  check_words ("us", 1e3, NULL, "exclusive", NAN, "–", "–");
  check_words ("us", 1e3, NULL, "exclusive", 0, "0 ns", "0 ns");
}

/* -- odd answers ------------------------------------------------------------------ */

static KymoTable *
answer_of (const char *view, guint n)
{
  if (strcmp (view, "thread-bars") == 0)
    return made_thread_bars (n % 50, n, 100);
  if (strcmp (view, "function-bars") == 0 || strcmp (view, "function-threads-histogram") == 0)
    return made_function_bars (n % 40, n, 100, 1 + n % 30);
  if (strcmp (view, "icicle") == 0 || strcmp (view, "calltree") == 0)
    return made_call_tree (n, 1 + n % 30);
  if (strcmp (view, "call-graph") == 0)
    return made_call_graph (n, 1 + n % 20);
  if (strcmp (view, "phases") == 0)
    return made_phases (n % 101, n / 3);
  if (strcmp (view, "threads") == 0)
    return made_threads (n % 101, n % 40);
  if (strcmp (view, "thread-scatter") == 0)
    return made_thread_scatter (n);
  return strcmp (view, "user-events") == 0 ? made_user_events (n) : made_thread (n);
}

/* Any size, empty, with a chosen one, a focus that is nowhere, hidden functions. */
static void
test_odd (void)
{
  static const guint sizes[] = { 1, 30, 90, 130, 250, 761 };
  g_autoptr (GHashTable) hidden = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_add (hidden, (gpointer) made_name (2));
  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint n = 0; n < 3000; n = n * 9 + 1)
        {
          const KymoPlotClass *klass = kymo_plot_find (views[v]);
          KymoPlotFrame frame = made_frame (sizes[s], sizes[G_N_ELEMENTS (sizes) - 1 - s]);
          g_autoptr (KymoTable) answer = answer_of (views[v], n);
          g_autoptr (KymoTable) empty = kymo_table_new (KYMO_STYLE_OBJECT);
          g_autoptr (KymoQuestion) question = klass->question (&frame);
          KymoPlotHit hit;

          for (frame.decorate = 0; frame.decorate < 2; frame.decorate++)
            {
              frame.hovered = frame.decorate ? made_name (1) : NULL;
              frame.hidden = frame.decorate ? hidden : NULL;
              frame.focus = frame.decorate ? "no => such" : NULL;
              frame.row_px = frame.decorate * 18;
              frame.scroll_px = frame.decorate * 70;
              frame.look = frame.decorate;
              cairo_surface_destroy (paint (klass, answer, &frame));
              cairo_surface_destroy (paint (klass, empty, &frame));
              picture_hit (klass, answer, &frame, sizes[s] / 2.0, 20, &hit);
              kymo_plot_hit_clear (&hit);
              g_assert_false (picture_hit (klass, empty, &frame, 10, 10, &hit));
              if (klass->natural_height != NULL)
                g_assert_cmpfloat (klass->natural_height (answer, &frame), >=, 0);
            }
        }
}

/* -- what does not all fit -------------------------------------------------- */

/* As many functions, and locations, as wait. */
static KymoTable *
made_waiting (guint n, const char *name_of, const char *time)
{
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (list, name_of, KYMO_COLUMN_STRING, 1);
  guint ns = kymo_table_add_column (list, "ns", KYMO_COLUMN_INT, 1);
  guint caused = kymo_table_add_column (list, time, KYMO_COLUMN_INT, 1);
  guint location = kymo_table_add_column (list, "location", KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < n; i++)
    {
      kymo_table_append_string (list, name, made_name (i));
      kymo_table_append_int (list, ns, 1000 - i);
      kymo_table_append_int (list, caused, 0);
      kymo_table_append_int (list, location, i);
    }
  return list;
}

/* However much height is left: what is not shown is counted, in the place of a line. */
static void
test_waiting (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("waiting");
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_int (answer, "total_ns", 1000);
  kymo_table_set_table (answer, "functions", made_waiting (2, "name", "max_ns"));
  kymo_table_set_table (answer, "locations", made_waiting (20, "label", "caused_ns"));
  for (double height = 300; height < 1200; height += 50)
    {
      KymoPlotFrame frame = made_frame (1600, height);
      gboolean seen[20] = { FALSE };
      guint n = 0;

      for (double y = 0; y < height; y += 2)
        {
          KymoPlotHit hit;

          if (picture_hit (klass, answer, &frame, 40, y, &hit) && hit.location >= 0)
            seen[hit.location] = TRUE;
          kymo_plot_hit_clear (&hit);
        }
      while (n < 20 && seen[n])
        n++;
      g_assert_cmpuint (n, <=, 14);
      g_assert_true (height < 900 || n == 14);
      cairo_surface_destroy (paint (klass, answer, &frame));
    }
  kymo_table_unref (answer);
}

/* A lane of several locations says so. */
static void
test_counters (void)
{
  static const gint64 edges_ns[] = { 0, 10 };
  const KymoPlotClass *klass = kymo_plot_find ("counters");

  for (gint64 group = 1; group <= 4; group += 3)
    {
      KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
      KymoTable *list = made_waiting (3, "label", "samples");
      guint name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
      KymoPlotFrame frame = made_frame (800, 400);
      KymoPlotHit hit;

      frame.span = (KymoSpan) { 0, 10 };
      for (guint i = 0; i < 3; i++)
        kymo_table_append_string (list, name, "heat");
      kymo_table_set_ints (answer, "edges_ns", edges_ns, 2);
      if (group > 1)
        kymo_table_set_int (answer, "group", group);
      kymo_table_set_table (answer, "series", list);
      g_assert_true (picture_hit (klass, answer, &frame, 400, 60, &hit));
      g_assert_cmpint (strstr (hit.text, "and up to 3 more · heat") != NULL, ==, group > 1);
      kymo_plot_hit_clear (&hit);
      kymo_table_unref (answer);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile-plots/pictures", test_pictures);
  g_test_add_func ("/profile-plots/bars", test_bars);
  g_test_add_func ("/profile-plots/places", test_places);
  g_test_add_func ("/profile-plots/histogram", test_histogram);
  g_test_add_func ("/profile-plots/cells", test_cells);
  g_test_add_func ("/profile-plots/scatter", test_scatter);
  g_test_add_func ("/profile-plots/words", test_words);
  g_test_add_func ("/profile-plots/odd", test_odd);
  g_test_add_func ("/profile-plots/waiting", test_waiting);
  g_test_add_func ("/profile-plots/counters", test_counters);
  return g_test_run ();
}
