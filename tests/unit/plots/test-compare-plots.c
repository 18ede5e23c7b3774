/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of comparisons, of two sources that tell made figures: what lies under a
 * point is what is painted there, bars of what grew lie right of those of what shrank, and
 * sizes that are odd do no harm.
 */
#include "config.h"

#include <string.h>

#include "kymo-comparison.h"
#include "kymo-plot.h"
#include "pictures.h"

/* -- a source of made figures --------------------------------------------------- */

#define FAKE_TYPE_SOURCE (fake_source_get_type ())
G_DECLARE_FINAL_TYPE (FakeSource, fake_source, FAKE, SOURCE, GObject)

struct _FakeSource
{
  GObject parent_instance;
  gint64  ns[3];                /* of "A::a", "B::b" and idle time */
  gint64  pes;
};

static void fake_source_iface_init (KymoSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeSource, fake_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (KYMO_TYPE_SOURCE, fake_source_iface_init))

static const char *const names[] = { "A::a", "B::b", "Idle" };

/* What "B::b" does, in the profiles of time of all runs; %NULL where they tell no roles. */
static const char *role_of_b = NULL;

static KymoTable *
make_profile (const FakeSource *self)
{
  static const char *const keys[] =
    { "begin_ns", "span_ns", "busy_ns", "useful_ns", "idle_ns", "overhead_ns", "untraced_ns" };
  gint64 busy = self->ns[0] + self->ns[1], all = busy + self->ns[2];
  const gint64 values[] = { 0, all, busy, busy, self->ns[2], 0, 0 };
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (list, "kind", KYMO_COLUMN_STRING, 1);
  guint calls = kymo_table_add_column (list, "calls", KYMO_COLUMN_INT, 1);
  guint ns = kymo_table_add_column (list, "exclusive_ns", KYMO_COLUMN_INT, 1);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    kymo_table_set_int (answer, keys[i], values[i]);
  kymo_table_set_int (answer, "end_ns", all / self->pes);
  kymo_table_set_int (answer, "workers", self->pes);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      kymo_table_append_string (list, name, names[i]);
      kymo_table_append_string (list, kind, i < 2 ? "entry" : "idle");
      kymo_table_append_int (list, calls, 10);
      kymo_table_append_int (list, ns, self->ns[i]);
    }
  kymo_table_set_table (answer, "activities", list);
  return answer;
}

/* Bins are alike, but the last one has nothing. */
static KymoTable *
make_time (const FakeSource *self, guint n)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *list = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (list, "name", KYMO_COLUMN_STRING, 1);
  guint vector = kymo_table_add_vector (list, "ns", KYMO_COLUMN_INT, n);
  guint role = role_of_b != NULL
               ? kymo_table_add_column (list, "role", KYMO_COLUMN_STRING, 1) : 0;
  g_autofree gint64 *ns = g_new0 (gint64, n);

  for (guint i = 0; i < 3; i++)
    {
      for (guint bin = 0; bin + 1 < n; bin++)
        ns[bin] = self->ns[i] / n;
      if (i == 2)
        {
          kymo_table_set_ints (answer, "idle_ns", ns, n);
          continue;
        }
      kymo_table_append_string (list, name, names[i]);
      kymo_table_append_ints (list, vector, ns);
      if (role_of_b != NULL)
        kymo_table_append_string (list, role, i == 0 ? "compute" : role_of_b);
    }
  kymo_table_set_int (answer, "begin_ns", 0);
  kymo_table_set_int (answer, "end_ns", (self->ns[0] + self->ns[1] + self->ns[2]) / self->pes);
  kymo_table_set_int (answer, "workers", self->pes);
  kymo_table_set_table (answer, "series", list);
  return answer;
}

static KymoTable *
fake_ask (KymoSource    *source,
          KymoQuestion  *question,
          GCancellable  *cancellable,
          GError       **error)
{
  FakeSource *self = FAKE_SOURCE (source);

  return strcmp (kymo_question_get_kind (question), "time-profile") == 0
    ? make_time (self, kymo_question_get_columns (question)) : make_profile (self);
}

static KymoCapabilities
fake_get_capabilities (KymoSource *source)
{
  return KYMO_CAN_PROFILE | KYMO_CAN_BINNED_TIME;
}

static KymoSpan
fake_get_span (KymoSource *source)
{
  FakeSource *self = FAKE_SOURCE (source);

  return (KymoSpan) { 0, (self->ns[0] + self->ns[1] + self->ns[2]) / self->pes };
}

static char *
fake_dup_title (KymoSource *source)
{
  return g_strdup ("made");
}

static void
fake_source_iface_init (KymoSourceInterface *iface)
{
  iface->ask = fake_ask;
  iface->get_capabilities = fake_get_capabilities;
  iface->get_span = fake_get_span;
  iface->dup_title = fake_dup_title;
}

static void
fake_source_class_init (FakeSourceClass *klass)
{
}

static void
fake_source_init (FakeSource *self)
{
}

static KymoSource *
fake_new (gint64 a, gint64 b, gint64 idle, gint64 pes)
{
  FakeSource *self = g_object_new (FAKE_TYPE_SOURCE, NULL);

  self->ns[0] = a;
  self->ns[1] = b;
  self->ns[2] = idle;
  self->pes = pes;
  return KYMO_SOURCE (self);
}

/* A::a grows by 3 ms, B::b shrinks by 2 ms, idle time grows by 4 ms. */
static KymoComparison *
make_comparison (guint n)
{
  static const guint sides[] = { 0, 1, 2 };
  KymoSource *sources[] = { fake_new (5000000, 6000000, 1000000, 2),
                            fake_new (8000000, 4000000, 5000000, 2),
                            fake_new (9000000, 3000000, 12000000, 4) };
  KymoComparison *comparison = kymo_comparison_new (sources, sides, n);

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    g_object_unref (sources[i]);
  return comparison;
}

/* -- pictures -------------------------------------------------------------------- */

static void
init_frame (KymoPlotFrame *frame, KymoComparison *comparison, double width, double height)
{
  kymo_plot_frame_init (frame, width, height, FALSE, NULL,
                        kymo_source_get_span (KYMO_SOURCE (comparison)));
}

static KymoTable *
ask_of (const KymoPlotClass *klass, KymoComparison *comparison, const KymoPlotFrame *frame)
{
  g_autoptr (KymoQuestion) question = klass->question (frame);
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static void
test_activities (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("compare-activities");
  g_autoptr (KymoComparison) comparison = make_comparison (2);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GArray) boxes = NULL;
  KymoPlotFrame frame;
  static const char *const order[] = { "Idle", "A::a", "B::b" };

  init_frame (&frame, comparison, 900, 300);
  answer = ask_of (klass, comparison, &frame);
  boxes = picture_boxes (klass, answer, &frame);
  g_assert_cmpuint (boxes->len, ==, 3);
  for (guint i = 0; i < boxes->len; i++)
    {
      KymoRect rect = g_array_index (boxes, KymoPlotBox, i).rect;
      KymoPlotHit hit;

      g_assert_true (picture_hit (klass, answer, &frame, rect.x + 3, rect.y + rect.height / 2,
                                  &hit));
      g_assert_cmpstr (hit.name, ==, order[i]);
      g_assert_nonnull (strstr (hit.text, i == 0 ? "+4.00 ms" : i == 1 ? "+3.00 ms"
                                : "−2.00 ms"));
      kymo_plot_hit_clear (&hit);
    }
  g_assert_cmpfloat (klass->natural_height (answer, &frame), >, 3 * 20);
}

static void
test_time (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("compare-time-profile");
  g_autoptr (KymoComparison) comparison = make_comparison (2);
  g_autoptr (KymoTable) answer = NULL;
  gboolean up = FALSE, down = FALSE;
  double up_y = 0, down_y = 0;
  KymoPlotFrame frame;
  KymoRect area;

  init_frame (&frame, comparison, 900, 300);
  answer = ask_of (klass, comparison, &frame);
  area = kymo_plot_frame_area (klass, &frame);
  for (double y = area.y + 1; y < area.y + area.height; y++)
    {
      KymoPlotHit hit;

      g_assert_true (picture_hit (klass, answer, &frame, area.x + area.width / 3, y, &hit));
      if (g_strcmp0 (hit.name, "A::a") == 0)
        {
          up = TRUE;
          up_y = y;
        }
      if (g_strcmp0 (hit.name, "B::b") == 0)
        {
          down = TRUE;
          down_y = y;
        }
      kymo_plot_hit_clear (&hit);
    }
  g_assert_true (up && down);
  g_assert_cmpfloat (up_y, <, down_y);
}

/* Repeats of other lengths in which the same part is busy are alike on scales of their own; one
   in which more is lies beyond them. */
static void
test_own_scales (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("compare-time-profile");
  static const guint sides[] = { 0, 0, 0, 1 };

  for (guint busy = 0; busy < 2; busy++)
    {
      KymoSource *sources[] = { fake_new (5000000, 5000000, 10000000, 2),
                                fake_new (5500000, 5500000, 11000000, 2),
                                fake_new (6000000, 6000000, 12100000, 2),
                                fake_new (busy ? 18000000 : 8000000, 8000000, 16000000, 2) };
      g_autoptr (KymoComparison) comparison = kymo_comparison_new (sources, sides, 4);
      g_autoptr (KymoQuestion) question = NULL;
      g_autoptr (KymoTable) answer = NULL;
      KymoPlotFrame frame;
      KymoPlotHit hit;
      KymoRect area;

      init_frame (&frame, comparison, 900, 300);
      question = klass->question (&frame);
      kymo_question_set (question, "scale", "own");
      answer = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, NULL);
      area = kymo_plot_frame_area (klass, &frame);
      /* Above all layers: what is said of all that is busy. */
      g_assert_true (picture_hit (klass, answer, &frame, area.x + area.width / 9, area.y + 1,
                                  &hit));
      g_assert_nonnull (strstr (hit.text, busy ? "More than noise" : "Noise: repeats differ"));
      kymo_plot_hit_clear (&hit);
      for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
        g_object_unref (sources[i]);
    }
}

/* Of functions that wait the lines and their band tell what computes. */
static void
test_useful (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("compare-time-profile");
  static const guint sides[] = { 0, 0, 1 };
  KymoSource *sources[] = { fake_new (5000000, 1000000, 4000000, 1),
                            fake_new (5000000, 4000000, 1000000, 1),
                            fake_new (8000000, 1000000, 1000000, 1) };
  g_autoptr (KymoComparison) comparison = kymo_comparison_new (sources, sides, 3);

  for (guint waits = 0; waits < 2; waits++)
    {
      g_autoptr (KymoTable) answer = NULL;
      const KymoTable *bins;
      KymoPlotFrame frame;
      KymoPlotHit hit;
      KymoRect area;

      role_of_b = waits ? "wait" : "compute";
      init_frame (&frame, comparison, 900, 300);
      answer = ask_of (klass, comparison, &frame);
      bins = kymo_table_peek_nested (answer, "bins", NULL);
      g_assert_cmpint (kymo_table_find_column (bins, "useful_a_ns") >= 0, ==, waits);
      if (waits)
        {
          g_assert_cmpint (kymo_table_get_int (bins, "useful_b_ns", 0)
                           - kymo_table_get_int (bins, "useful_a_ns", 0), >, 0);
          /* Repeats compute for as long; only their waiting differs. */
          g_assert_cmpint (kymo_table_get_int (bins, "useful_noise_ns", 0), ==, 0);
          g_assert_cmpint (kymo_table_get_int (bins, "noise_ns", 0), >, 0);
        }
      area = kymo_plot_frame_area (klass, &frame);
      g_assert_true (picture_hit (klass, answer, &frame, area.x + area.width / 9, area.y + 1,
                                  &hit));
      g_assert_true (g_str_has_prefix (hit.text, waits ? "All useful time"
                                                       : "All that is busy"));
      kymo_plot_hit_clear (&hit);
    }
  role_of_b = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    g_object_unref (sources[i]);
}

static void
test_series (void)
{
  const KymoPlotClass *klass = kymo_plot_find ("compare-series");
  g_autoptr (KymoComparison) comparison = make_comparison (3);
  g_autoptr (KymoTable) answer = NULL;
  g_autoptr (GHashTable) met = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  KymoPlotFrame frame;

  init_frame (&frame, comparison, 900, 500);
  answer = ask_of (klass, comparison, &frame);
  for (double y = 0; y < 500; y += 3)
    for (double x = 0; x < 900; x += 6)
      {
        KymoPlotHit hit;

        if (picture_hit (klass, answer, &frame, x, y, &hit))
          {
            g_auto (GStrv) lines = g_strsplit (hit.text, "\n", 3);

            g_hash_table_add (met, g_strconcat (hit.name != NULL ? hit.name : "faster", " ",
                                                hit.name != NULL ? lines[1] : lines[0], NULL));
          }
        kymo_plot_hit_clear (&hit);
      }
  g_assert_true (g_hash_table_contains (met, "A::a A: 5.00 ms, 41.7 %"));
  g_assert_true (g_hash_table_contains (met, "Idle C: 12.0 ms, 50.0 %"));
  g_assert_true (g_hash_table_contains (met, "faster B"));
  g_assert_cmpuint (g_hash_table_size (met), ==, 12);
}

/* Of any size, in both colours, decorated or not. */
static void
test_sizes (void)
{
  static const char *const views[] =
    { "compare-activities", "compare-time-profile", "compare-series" };
  static const double sizes[][2] = { { 1, 1 }, { 64, 64 }, { 130, 900 }, { 1600, 70 },
                                     { 500, 300 }, { 1200, 800 } };

  for (guint v = 0; v < G_N_ELEMENTS (views); v++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint k = 0; k < 4; k++)
        {
          const KymoPlotClass *klass = kymo_plot_find (views[v]);
          g_autoptr (KymoComparison) comparison = make_comparison (2 + k % 2);
          g_autoptr (KymoTable) answer = NULL;
          cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, sizes[s][0],
                                                                 sizes[s][1]);
          cairo_t *cr = cairo_create (surface);
          KymoPlotFrame frame;
          KymoPlotHit hit;

          init_frame (&frame, comparison, sizes[s][0], sizes[s][1]);
          frame.look = k > 1;
          frame.decorate = k % 2;
          answer = ask_of (klass, comparison, &frame);
          picture_paint (klass, cr, answer, &frame);
          g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
          picture_hit (klass, answer, &frame, sizes[s][0] / 2, sizes[s][1] / 2, &hit);
          kymo_plot_hit_clear (&hit);
          cairo_destroy (cr);
          cairo_surface_destroy (surface);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare-plots/activities", test_activities);
  g_test_add_func ("/compare-plots/time", test_time);
  g_test_add_func ("/compare-plots/own-scales", test_own_scales);
  g_test_add_func ("/compare-plots/useful", test_useful);
  g_test_add_func ("/compare-plots/series", test_series);
  g_test_add_func ("/compare-plots/sizes", test_sizes);
  return g_test_run ();
}
