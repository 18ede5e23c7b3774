/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map of a counter, of random samples: each value is what a plain reading of the samples
 * of its row and column gives, by every statistic, for rows of one location and of several.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-engine.h"
#include "kymo-segment-builder.h"

#define SPAN_NS 20000
#define STAT 7

typedef struct
{
  guint  location;
  gint64 time_ns;
  double value;
} Sample;

typedef struct
{
  KymoRun *run;
  GArray  *samples;             /* Sample, by location in order of time */
  guint    n_locations;
} Case;

static void
case_init (Case  *c,
           guint  seed,
           guint  n_locations)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoFact stat = { g_strdup ("7"), g_strdup ("queue") };

  *c = (Case) { kymo_run_new (), g_array_new (FALSE, FALSE, sizeof (Sample)), n_locations };
  c->run->title = g_strdup ("map");
  c->run->format = g_strdup ("hand");
  c->run->n_locations_original = n_locations;
  g_array_append_val (c->run->stat_names, stat);
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };
      KymoSegmentBuilder *b = kymo_segment_builder_new (i, 0);
      KymoRepairs repairs;

      kymo_segment_builder_touch (b, 0);
      for (gint64 t = g_rand_int_range (rand, 0, 900); t <= SPAN_NS && i % 4 != 3;
           t += g_rand_int_range (rand, 0, 1200))
        {
          Sample sample = { i, t, g_rand_int_range (rand, -50, 100) };

          g_array_append_val (c->samples, sample);
          kymo_segment_builder_point (b, &(KymoPoint) { t, t, KYMO_POINT_USER_STAT, 0, 0,
                                                        G_MAXUINT32, STAT, 0, { sample.value } });
          kymo_segment_builder_point (b, &(KymoPoint) { t, t, KYMO_POINT_MEMORY, 0, 0,
                                                        G_MAXUINT32, 0, 0,
                                                        { sample.value + 1000 } });
        }
      kymo_segment_builder_touch (b, SPAN_NS);
      kymo_run_add_location (c->run, &location,
                             kymo_segment_builder_seal (b, SPAN_NS, FALSE, &repairs));
      kymo_segment_builder_free (b);
    }
  kymo_run_seal (c->run);
}

static void
case_clear (Case *c)
{
  kymo_run_unref (c->run);
  g_array_unref (c->samples);
}

static KymoTable *
ask (const Case  *c,
     const char  *name,
     const char  *statistic,
     KymoSpan     span,
     guint        columns,
     guint        rows,
     guint        n_threads,
     GError     **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("counter-map");

  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, columns, rows);
  if (name != NULL)
    kymo_question_set (question, "name", name);
  if (statistic != NULL)
    kymo_question_set (question, "statistic", statistic);
  return kymo_engine_ask (c->run, question, n_threads, NULL, error);
}

/* The value that holds on a location over each nanosecond of a column, added up. */
static void
hold (const Case *c,
      guint       location,
      KymoSpan    column,
      double     *held,
      gint64     *known)
{
  for (gint64 t = column.begin_ns; t < column.end_ns; t++)
    {
      const Sample *newest = NULL;

      for (guint i = 0; i < c->samples->len; i++)
        {
          const Sample *sample = &g_array_index (c->samples, Sample, i);

          if (sample->location == location && sample->time_ns <= t)
            newest = sample;
        }
      if (newest != NULL)
        {
          *held += newest->value;
          (*known)++;
        }
    }
}

static double
expected (const Case *c,
          guint       first,
          guint       end,
          KymoSpan    column,
          gboolean    is_last,
          const char *statistic)
{
  double min = INFINITY, max = -INFINITY, sum = 0, last = NAN, held = 0;
  gint64 last_ns = G_MININT64, known = 0;
  guint n = 0;

  for (guint i = 0; i < c->samples->len; i++)
    {
      const Sample *sample = &g_array_index (c->samples, Sample, i);

      if (sample->location < first || sample->location >= end || sample->time_ns < column.begin_ns
          || !(sample->time_ns < column.end_ns || (is_last && sample->time_ns == SPAN_NS)))
        continue;
      min = MIN (min, sample->value);
      max = MAX (max, sample->value);
      sum += sample->value;
      n++;
      if (sample->time_ns >= last_ns)
        {
          last = sample->value;
          last_ns = sample->time_ns;
        }
    }
  if (n == 0)
    return NAN;
  if (strcmp (statistic, "weighted") == 0)
    for (guint location = first; location < end; location++)
      hold (c, location, column, &held, &known);
  return strcmp (statistic, "min") == 0 ? min : strcmp (statistic, "max") == 0 ? max
    : strcmp (statistic, "mean") == 0 ? sum / n : strcmp (statistic, "last") == 0 || known == 0
    ? last : held / (double) known;
}

static void
check_map (const Case *c,
           const char *statistic,
           KymoSpan    span,
           guint       columns,
           guint       rows)
{
  g_autoptr (KymoTable) answer = ask (c, "queue", statistic, span, columns, rows, 1, NULL);
  g_autoptr (KymoTable) again = ask (c, "queue", statistic, span, columns, rows, 3, NULL);
  g_autoptr (GVariant) x = g_variant_ref_sink (kymo_table_to_variant (answer, FALSE));
  g_autoptr (GVariant) y = g_variant_ref_sink (kymo_table_to_variant (again, FALSE));
  KymoTable *list = kymo_table_peek_nested (answer, "rows", NULL);
  guint group = kymo_table_get_int (answer, "group", 0), n_edges = 0, width = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  const double *values = kymo_table_peek_doubles (list, "values", &width);

  g_assert_cmpuint (g_variant_get_size (x), ==, g_variant_get_size (y));
  g_assert_cmpmem (g_variant_get_data (x), g_variant_get_size (x), g_variant_get_data (y),
                   g_variant_get_size (y));
  g_assert_cmpstr (kymo_table_get_string (answer, "statistic", 0), ==, statistic);
  g_assert_cmpuint (width, ==, columns);
  for (guint row = 0; row < kymo_table_get_n_rows (list); row++)
    for (guint i = 0; i < width; i++)
      {
        KymoSpan column = { edges[i], edges[i + 1] };
        double got = values[row * width + i];
        double truth = expected (c, row * group, MIN ((row + 1) * group, c->n_locations), column,
                                 i + 1 == width && column.end_ns == SPAN_NS, statistic);

        if (isnan (truth))
          g_assert_true (isnan (got));
        else
          g_assert_cmpfloat_with_epsilon (got, truth, 1e-9 * MAX (fabs (truth), 1));
      }
}

static void
test_random (void)
{
  static const char *const statistics[] = { "max", "min", "mean", "last", "weighted" };

  for (guint seed = 0; seed < 3; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Case c;

      case_init (&c, seed, 3 + 2 * seed);
      for (guint i = 0; i < G_N_ELEMENTS (statistics); i++)
        {
          gint64 begin_ns = g_rand_int_range (rand, 0, SPAN_NS - 3000);
          gint64 end_ns = begin_ns + g_rand_int_range (rand, 1, 3000);

          check_map (&c, statistics[i], (KymoSpan) { begin_ns, end_ns }, 11, 0);
          check_map (&c, statistics[i], (KymoSpan) { SPAN_NS - 2000, SPAN_NS }, 7, 2);
          check_map (&c, statistics[i], (KymoSpan) { 900, 905 }, 12, 0);
        }
      case_clear (&c);
    }
}

static void
assert_statistic (const Case *c,
                  const char *name,
                  const char *statistic)
{
  g_autoptr (KymoTable) answer = ask (c, name, NULL, KYMO_SPAN_ALL, 10, 0, 1, NULL);

  g_assert_cmpstr (kymo_table_get_string (answer, "statistic", 0), ==, statistic);
}

/* What a counter is decides what its values are; what makes no sense is refused. */
static void
test_statistics (void)
{
  static const struct { const char *name, *statistic; } wrong[] = {
    { NULL, "max" }, { "queue", "median" }, { "CYCLES", "weighted" } };
  Case c;

  case_init (&c, 5, 4);
  g_ptr_array_add (c.run->metrics, g_strdup ("CYCLES"));
  assert_statistic (&c, "Memory (bytes)", "max");
  assert_statistic (&c, "queue", "weighted");
  assert_statistic (&c, "CYCLES", "mean");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ask (&c, wrong[i].name, wrong[i].statistic, KYMO_SPAN_ALL, 10, 0, 1, &error));
      g_assert_nonnull (error);
    }
  case_clear (&c);
}

/* Rows of several in an order tell whom they are of; rows of one need not. */
static void
test_members (void)
{
  static const gint64 order[] = { 4, 2, 0, 1, 3 };
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoQuestion) question = kymo_question_new ("counter-map");
  g_autoptr (KymoTable) merged = NULL, single = NULL;
  const gint64 *members;
  KymoTable *rows;
  guint n = 0;
  Case c;

  case_init (&c, 1, G_N_ELEMENTS (order));
  g_array_append_vals (ids, order, G_N_ELEMENTS (order));
  kymo_question_set (question, "name", "queue");
  kymo_question_set_order (question, ids);
  kymo_question_set_resolution (question, 10, 3);
  merged = kymo_engine_ask (c.run, question, 1, NULL, NULL);
  members = kymo_table_peek_ints (merged, "members", &n);
  g_assert_cmpmem (members, n * sizeof (gint64), order, sizeof order);
  rows = kymo_table_peek_nested (merged, "rows", NULL);
  g_assert_cmpint (kymo_table_get_int (merged, "group", 0), ==, 2);
  for (guint row = 0; row < 3; row++)
    g_assert_cmpint (kymo_table_get_int (rows, "location", row), ==, order[2 * row]);
  kymo_question_set_resolution (question, 10, 5);
  single = kymo_engine_ask (c.run, question, 1, NULL, NULL);
  g_assert_cmpint (kymo_table_find_column (single, "members"), <, 0);
  case_clear (&c);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/counter-map/random", test_random);
  g_test_add_func ("/counter-map/statistics", test_statistics);
  g_test_add_func ("/counter-map/members", test_members);
  return g_test_run ();
}
