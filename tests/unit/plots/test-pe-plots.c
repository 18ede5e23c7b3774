/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of PEs and their clusters, of made answers: every PE has a place,
 * what lies there is that PE, a bar of many tells the most extreme one, sizes
 * and figures that are odd do no harm.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-plot.h"
#include "pictures.h"
#include "kymo-row-bars.h"

static const char *const views[] = { "extrema", "clusters", "scatter", "distances" };

/* -- made answers ------------------------------------------------------------ */

static const char *
kept_of (guint i)
{
  return i % 7 == 3 ? "outlier" : i % 11 == 5 ? "union" : i < 3 ? "representative" : NULL;
}

/* PE i has 1000 i + 500 ns, a third of it by another entry method. */
static KymoTable *
extrema_new (guint n, const char *key)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *pes = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *parts = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint nested;

  for (guint c = 0; c < 4; c++)
    kymo_table_add_column (pes, ((const char *[]) { "location", "label", key, "kept_as" })[c],
                           c % 2 ? KYMO_COLUMN_STRING : KYMO_COLUMN_INT, 1);
  kymo_table_add_column (pes, "cluster", KYMO_COLUMN_INT, 1);
  for (guint c = 0; c < 4; c++)
    kymo_table_add_column (parts, ((const char *[]) { "id", "name", "value", "kind" })[c],
                           c % 2 ? KYMO_COLUMN_STRING : KYMO_COLUMN_INT, 1);
  nested = kymo_table_add_nested (pes, "parts", parts);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = g_strdup_printf ("PE %u", i);
      gint64 value = 1000 * (gint64) i + 500;

      kymo_table_append_int (pes, 0, i);
      kymo_table_append_string (pes, 1, label);
      kymo_table_append_int (pes, 2, value);
      kymo_table_append_string (pes, 3, kept_of (i));
      kymo_table_append_int (pes, 4, i % 3);
      for (guint k = 0; k < 2; k++)
        {
          kymo_table_append_int (parts, 0, k);
          kymo_table_append_string (parts, 1, k == 0 ? "A::a" : "B::b");
          kymo_table_append_int (parts, 2, k == 0 ? value - value / 3 : value / 3);
          kymo_table_append_string (parts, 3, "entry");
        }
      kymo_table_end_nested (pes, nested);
    }
  kymo_table_set_string (answer, "by", "busy");
  kymo_table_set_string (answer, "order", "location");
  kymo_table_set_int (answer, "average_ns", 500 * (gint64) n);
  kymo_table_set_table (answer, "extrema", pes);
  return answer;
}

static void
add_axis (KymoTable *answer, const char *name)
{
  KymoTable *axis = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_string (axis, "key", "principal-1");
  kymo_table_set_string (axis, "label", "Strongest direction");
  kymo_table_set_string (axis, "unit", "ns");
  kymo_table_set_double (axis, "share_of_variance", NAN);
  kymo_table_set_table (answer, name, axis);
}

static KymoTable *
list_clusters (guint n_pes, guint n)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  KymoTable *means = kymo_table_new (KYMO_STYLE_FLAT);
  KymoTable *outliers = kymo_table_new (KYMO_STYLE_FLAT);
  guint of_means, of_outliers;

  kymo_table_add_column (table, "size", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (table, "representative", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (means, "value", KYMO_COLUMN_DOUBLE, 1);
  kymo_table_add_column (outliers, "value", KYMO_COLUMN_INT, 1);
  of_means = kymo_table_add_nested (table, "means", means);
  of_outliers = kymo_table_add_nested (table, "outliers", outliers);
  for (guint k = 0; k < n; k++)
    {
      kymo_table_append_int (table, 0, (n_pes + n - 1 - k) / n);
      kymo_table_append_int (table, 1, k);
      kymo_table_append_double (means, 0, 1e6 * (k + 1));
      kymo_table_append_double (means, 0, 3e5);
      kymo_table_append_int (outliers, 0, k + n);
      kymo_table_end_nested (table, of_means);
      kymo_table_end_nested (table, of_outliers);
    }
  return table;
}

static KymoTable *
list_components (void)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);

  kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  for (guint c = 0; c < 2; c++)
    {
      kymo_table_append_string (table, 0, c == 0 ? "A::a" : "Idle");
      kymo_table_append_string (table, 1, c == 0 ? "entry" : "idle");
    }
  return table;
}

/* PE i is in cluster i % 3 and lies at i, i * i, as far from the mean as i. */
static KymoTable *
clusters_new (guint n, double scale)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *pes = kymo_table_new (KYMO_STYLE_OBJECTS);
  static const char *const doubles[] = { "distance", "x", "y" };

  kymo_table_add_column (pes, "location", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (pes, "label", KYMO_COLUMN_STRING, 1);
  kymo_table_add_column (pes, "cluster", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (pes, "kept_as", KYMO_COLUMN_STRING, 1);
  for (guint c = 0; c < 3; c++)
    kymo_table_add_column (pes, doubles[c], KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = g_strdup_printf ("PE %u", i);

      kymo_table_append_int (pes, 0, i);
      kymo_table_append_string (pes, 1, label);
      kymo_table_append_int (pes, 2, i % 3);
      kymo_table_append_string (pes, 3, kept_of (i));
      kymo_table_append_double (pes, 4, i * scale);
      kymo_table_append_double (pes, 5, i * scale);
      kymo_table_append_double (pes, 6, (double) i * i * scale);
    }
  kymo_table_set_int (answer, "pes", n);
  kymo_table_set_string (answer, "scale", "none");
  kymo_table_set_string (answer, "with", "");
  kymo_table_set_table (answer, "locations", pes);
  kymo_table_set_table (answer, "clusters", list_clusters (n, 3));
  kymo_table_set_table (answer, "components", list_components ());
  add_axis (answer, "x");
  add_axis (answer, "y");
  return answer;
}

static KymoTable *
answer_new (const char *view, guint n)
{
  return strcmp (view, "extrema") == 0 ? extrema_new (n, "value_ns") : clusters_new (n, 1000);
}

/* -- pictures ---------------------------------------------------------------- */

static void
paint (const KymoPlotClass *klass, const KymoTable *answer, const KymoPlotFrame *frame)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, frame->width_px,
                                                         frame->height_px);
  cairo_t *cr = cairo_create (surface);

  picture_paint (klass, cr, answer, frame);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static KymoPlotFrame
frame_of (double width, double height)
{
  KymoPlotFrame frame;

  kymo_plot_frame_init (&frame, width, height, FALSE, NULL, (KymoSpan) { 0, 1000 });
  return frame;
}

/* Each PE (or cluster) has a place, and there lies it, or one that shares it. */
static void
test_places (void)
{
  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint n = 2; n < 4000; n = n * 3 + 1)
      {
        const KymoPlotClass *klass = kymo_plot_find (views[v]);
        KymoPlotFrame frame = frame_of (900, 500);
        g_autoptr (KymoTable) answer = answer_new (views[v], n);
        g_autoptr (GArray) places = picture_places (klass, answer, &frame);
        gboolean of_clusters = strcmp (views[v], "clusters") == 0;

        g_assert_true (klass->of_all);
        g_assert_cmpuint (places->len, ==, of_clusters ? 3 : n);
        for (guint i = 0; i < places->len; i += MAX (1, places->len / 50))
          {
            const KymoPlotPlace *place = &g_array_index (places, KymoPlotPlace, i);
            KymoPlotHit hit;
            double x = place->rect.x + place->rect.width / 2;
            double y = place->rect.y + place->rect.height / 2;

            g_assert_cmpint (place->cluster, ==, of_clusters ? (gint) i : -1);
            g_assert_true (picture_hit (klass, answer, &frame, x, y, &hit));
            g_assert_cmpint (hit.location, >=, 0);
            g_assert_nonnull (hit.text);
            if (of_clusters)
              g_assert_cmpint (hit.cluster, ==, i);
            if (n <= 40)
              g_assert_cmpint (hit.location, ==, place->location);
            kymo_plot_hit_clear (&hit);
          }
      }
}

/* Of a bar of many PEs the one with the largest value is told, and the first
   kept one of them; parts are told by height. */
static void
test_bars (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("extrema");
  KymoPlotFrame frame = frame_of (600, 400);
  g_autoptr (KymoTable) answer = extrema_new (5000, "value_ns");
  KymoRect area = kymo_plot_frame_area (klass, &frame);
  KymoBarLattice lattice = kymo_bar_lattice (area.width, 5000, 96, 1);
  guint per_bar = lattice.per_bar;

  g_assert_cmpuint (per_bar, ==, ceil (5000 / area.width));
  for (guint bar = 0; bar < 5000 / per_bar; bar += 37)
    {
      double x, width;
      KymoPlotHit hit;

      kymo_bar_lattice_edges (&lattice, area.x, bar, &x, &width);
      g_assert_true (picture_hit (klass, answer, &frame, x + width / 2,
                                  area.y + area.height - 0.5, &hit));
      g_assert_cmpint (hit.location, ==, (bar + 1) * per_bar - 1);
      g_assert_true (bar < 40 || g_strcmp0 (hit.name, "A::a") == 0);
      kymo_plot_hit_clear (&hit);
    }
}

/* Any size, no PEs, many, all on one place, figures that are none. */
static void
test_odd (void)
{
  static const guint sizes[] = { 1, 30, 90, 130, 250, 761 };

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint n = 0; n < 3000; n = n * 9 + 1)
        {
          const KymoPlotClass *klass = kymo_plot_find (views[v]);
          KymoPlotFrame frame = frame_of (sizes[s], sizes[G_N_ELEMENTS (sizes) - 1 - s]);
          g_autoptr (KymoTable) answer = answer_new (views[v], n);
          g_autoptr (KymoTable) equal = clusters_new (n, 0);
          g_autoptr (KymoTable) unknown = clusters_new (n, NAN);
          g_autoptr (KymoTable) empty = kymo_table_new (KYMO_STYLE_OBJECT);
          KymoPlotHit hit;

          for (frame.decorate = 0; frame.decorate < 2; frame.decorate++)
            {
              frame.cluster = frame.decorate * 2;
              frame.hovered = frame.decorate ? "A::a" : NULL;
              frame.look = frame.decorate;
              paint (klass, answer, &frame);
              paint (klass, empty, &frame);
              paint (klass, v > 0 ? equal : answer, &frame);
              paint (klass, v > 0 ? unknown : answer, &frame);
              g_assert_false (picture_hit (klass, empty, &frame, 10, 10, &hit));
            }
        }
}

/* Values of 0 are a picture, too. */
static void
test_nothing (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("extrema");
  KymoPlotFrame frame = frame_of (600, 400);
  g_autoptr (KymoTable) messages = extrema_new (9, "value");
  g_autoptr (KymoTable) bytes = extrema_new (9, "value_bytes");
  g_autoptr (KymoTable) none = extrema_new (9, "value_of_nothing");

  paint (klass, messages, &frame);
  paint (klass, bytes, &frame);
  paint (klass, none, &frame);
}

/* A hundred thousand PEs: a picture and what lies under the pointer. */
static void
test_many (void)
{
  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    {
      const KymoPlotClass *klass = kymo_plot_find (views[v]);
      KymoPlotFrame frame = frame_of (1200, 700);
      g_autoptr (KymoTable) answer = answer_new (views[v], 100000);
      gint64 begin = g_get_monotonic_time (), painted;
      KymoPlotHit hit;

      paint (klass, answer, &frame);
      painted = g_get_monotonic_time ();
      picture_hit (klass, answer, &frame, 400, 300, &hit);
      kymo_plot_hit_clear (&hit);
      g_test_message ("%s of 100,000: painted in %.1f ms, hit in %.1f ms", views[v],
                      (painted - begin) / 1e3, (g_get_monotonic_time () - painted) / 1e3);
    }
}

/* Bars fill the width on whole pixels, and each thing is in one of them. */
static void
test_lattice (void)
{
  const double width = 866, left = 110.4;

  for (guint n = 1; n < 5000; n = n * 5 / 4 + 1)
    for (double scale = 1; scale < 2.5; scale += 0.5)
      {
        KymoBarLattice lattice = kymo_bar_lattice (width, n, 96, scale);
        double x = 0, bar = 0, end = left;

        g_assert_cmpuint (lattice.n_bars * lattice.per_bar, >=, n);
        g_assert_cmpuint ((lattice.n_bars - 1) * lattice.per_bar, <, n);
        for (guint i = 0; i < lattice.n_bars; i++)
          {
            kymo_bar_lattice_edges (&lattice, left, i, &x, &bar);
            g_assert_cmpfloat (fabs (x * scale - round (x * scale)), <, 1e-6);
            g_assert_cmpfloat (bar * scale, >, 1 - 1e-6);
            g_assert_cmpfloat (x, >=, end - 0.51 / scale);
            if (lattice.slot_px < 3 && i > 0)
              g_assert_cmpfloat_with_epsilon (x, end, 1e-6);
            end = x + bar;
          }
        if (n >= 10)
          g_assert_cmpfloat (end, >=, left + width - lattice.slot_px * 0.4 - 1);
        g_assert_cmpfloat (end, <=, left + width + 1);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pe-plots/places", test_places);
  g_test_add_func ("/pe-plots/bars", test_bars);
  g_test_add_func ("/pe-plots/odd", test_odd);
  g_test_add_func ("/pe-plots/nothing", test_nothing);
  g_test_add_func ("/pe-plots/lattice", test_lattice);
  g_test_add_func ("/pe-plots/many", test_many);
  return g_test_run ();
}
