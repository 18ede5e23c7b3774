/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations in an order of their own: lists follow it, and nothing else
 * changes, whichever order it is; and which order that is by a figure, or by
 * similarity, compared with what looking at all gives. Runs are random, of fixed
 * seeds.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-row-order.h"
#include "kymo-row-walk.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_LOCATIONS 11
#define N_RUNS 8
#define N_ENTRIES 4

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ENTRIES);
  gint64 time = g_rand_int_range (rand, 0, 400);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, time);
  for (guint i = 0; i < 80; i++)
    {
      time += g_rand_int_range (rand, 0, 90);
      kymo_segment_builder_begin_block (builder, time, g_rand_int_range (rand, 0, N_ENTRIES),
                                        g_rand_int_range (rand, 0, N_LOCATIONS), -1, 10, NULL);
      time += g_rand_int_range (rand, 0, 40);
      kymo_segment_builder_end_block (builder, time);
    }
  segment = kymo_segment_builder_seal (builder, 160, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

/* Ids are even; the last two are communication threads. */
static KymoRun *
random_run (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("entry %u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      KymoLocation location = { .id = 2 * i, .label = g_strdup_printf ("PE %u", 2 * i),
                                .kept = TRUE };

      location.kind = i + 2 < N_LOCATIONS ? KYMO_LOCATION_WORKER : KYMO_LOCATION_COMM;
      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = 2 * N_LOCATIONS;
  kymo_run_seal (run);
  return run;
}

static KymoTable *
ask (KymoRun      *run,
     KymoQuestion *question)
{
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static char *
to_json (KymoTable *answer)
{
  GString *text = g_string_new (NULL);

  kymo_table_write_json (answer, text);
  return g_string_free (text, FALSE);
}

static GArray *
order_of (const gint64 *ids,
          guint         n)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_vals (order, ids, n);
  return order;
}

/* What is no list of locations does not know of their order. */
static void
test_figures (void)
{
  static const char *const kinds[] =
    { "info", "profile", "time-profile", "histogram", "communication", "messages", "events",
      "details", "find", "clocks", "busiest", "clusters", "extrema" };
  const gint64 ids[] = { 18, 4, 20, 4, 7, 0, 16 };
  g_autoptr (KymoRun) run = random_run (11);
  g_autoptr (GArray) order = order_of (ids, G_N_ELEMENTS (ids));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (KymoQuestion) question = kymo_question_new (kinds[i]);
      g_autoptr (KymoTable) plain = NULL, ordered = NULL;
      g_autofree char *a = NULL, *b = NULL;

      kymo_question_set_resolution (question, 20, 0);
      kymo_question_set (question, "per-location", "1");
      kymo_question_set (question, "by", "busy");
      kymo_question_set (question, "location", "4");
      kymo_question_set (question, "time", "500");
      plain = ask (run, question);
      kymo_question_set_order (question, order);
      ordered = ask (run, question);
      a = to_json (plain);
      b = to_json (ordered);
      g_assert_cmpstr (a, ==, b);
      g_assert_cmpuint (strlen (a), >, 20);
    }
}

static void
check_places (KymoRun      *run,
              const char   *locations,
              gboolean      workers_only,
              GArray       *order,
              const gint64 *expected,
              guint         n)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("place");
  g_autoptr (KymoIdSet) set = locations != NULL ? kymo_id_set_parse (locations, NULL) : NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoTable *places;

  kymo_question_set (question, "of", "0-100");
  kymo_question_set_locations (question, set);
  kymo_question_set_int (question, "workers-only", workers_only);
  kymo_question_set_order (question, order);
  answer = ask (run, question);
  places = kymo_table_peek_nested (answer, "places", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (places), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (kymo_table_get_int (places, "place", i), ==, i);
      g_assert_cmpint (kymo_table_get_int (places, "location", i), ==, expected[i]);
    }
}

/* Once each, what is not there is passed over, the others follow by id. */
static void
test_places (void)
{
  const gint64 ids[] = { 18, 4, 20, 4, 7, 0, 16, -3, 1000 };
  const gint64 all[] = { 18, 4, 20, 0, 16, 2, 6, 8, 10, 12, 14 };
  const gint64 workers[] = { 4, 0, 16, 2, 6, 8, 10, 12, 14 };
  const gint64 some[] = { 18, 4, 2, 6 };
  const gint64 plain[] = { 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 };
  g_autoptr (KymoRun) run = random_run (11);
  g_autoptr (GArray) order = order_of (ids, G_N_ELEMENTS (ids));
  g_autoptr (GArray) empty = order_of (ids, 0);

  check_places (run, NULL, FALSE, order, all, G_N_ELEMENTS (all));
  check_places (run, NULL, TRUE, order, workers, G_N_ELEMENTS (workers));
  check_places (run, "2-6,18", FALSE, order, some, G_N_ELEMENTS (some));
  check_places (run, NULL, FALSE, NULL, plain, G_N_ELEMENTS (plain));
  check_places (run, NULL, FALSE, empty, plain, G_N_ELEMENTS (plain));
}

/* Rows of one location each: the same rows, elsewhere. */
static void
test_rows (void)
{
  const gint64 ids[] = { 12, 2, 14 };
  const char *const labels[] = { "PE 12 +2", "PE 0 +2", "PE 8 +2", "PE 18–20" };
  g_autoptr (KymoRun) run = random_run (11);
  g_autoptr (GArray) order = order_of (ids, G_N_ELEMENTS (ids));
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoTable) plain = NULL, ordered = NULL, merged = NULL;
  KymoTable *a, *b;

  kymo_question_set_resolution (question, 30, 0);
  plain = ask (run, question);
  kymo_question_set_order (question, order);
  ordered = ask (run, question);
  a = kymo_table_peek_nested (plain, "rows", NULL);
  b = kymo_table_peek_nested (ordered, "rows", NULL);
  g_assert_cmpstr (kymo_table_get_string (b, "label", 0), ==, "PE 12");
  g_assert_cmpstr (kymo_table_get_string (b, "label", 1), ==, "PE 2");
  g_assert_cmpstr (kymo_table_get_string (b, "label", 3), ==, "PE 0");
  g_assert_cmpfloat (kymo_table_get_double (b, "busy", 0), ==,
                     kymo_table_get_double (a, "busy", 6));
  g_assert_cmpfloat (kymo_table_get_double (b, "busy", 3), ==,
                     kymo_table_get_double (a, "busy", 0));
  kymo_question_set_resolution (question, 30, 4);
  merged = ask (run, question);
  b = kymo_table_peek_nested (merged, "rows", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (b), ==, G_N_ELEMENTS (labels));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    g_assert_cmpstr (kymo_table_get_string (b, "label", i), ==, labels[i]);
}

/* -- orders by a figure --------------------------------------------------- */

static KymoTable *
ask_order (KymoRun    *run,
           const char *by,
           KymoSpan    span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("row-order");

  kymo_question_set (question, "by", by);
  kymo_question_set_span (question, span);
  return ask (run, question);
}

static gint64
time_on (KymoTable  *locations,
         guint       row,
         const char *name)
{
  const guint *offsets;
  KymoTable *activities = kymo_table_peek_nested (locations, "activities", &offsets);

  for (guint i = offsets[row]; i < offsets[row + 1]; i++)
    if (strcmp (kymo_table_get_string (activities, "name", i), name) == 0)
      return kymo_table_get_int (activities, "ns", i);
  return KYMO_NULL_INT;
}

/* The first nanosecond in which an entry method runs, piece by piece. */
static gint64
first_on (KymoRun  *run,
          guint     row,
          KymoSpan  span,
          guint     entry)
{
  const KymoSegment *segment = g_ptr_array_index (run->segments, row);

  for (guint i = 0; i < segment->n_pieces; i++)
    {
      KymoSpan piece = { kymo_segment_piece_begin (segment, i),
                         kymo_segment_piece_begin (segment, i + 1) };

      piece = kymo_span_intersect (piece, span);
      if (segment->piece_state[i] == KYMO_STATE_ACTIVITY + entry && kymo_span_length (piece) > 0)
        return piece.begin_ns;
    }
  return KYMO_NULL_INT;
}

static gint64
figure_on (KymoRun    *run,
           KymoTable  *locations,
           guint       row,
           KymoSpan    span,
           const char *by)
{
  if (strcmp (by, "number") == 0)
    return kymo_table_get_int (locations, "location", row);
  if (g_str_has_prefix (by, "time:"))
    return time_on (locations, row, by + 5);
  if (g_str_has_prefix (by, "first:"))
    return first_on (run, row, span, by[strlen (by) - 1] - '0');
  return kymo_table_get_int (locations, strcmp (by, "busy") == 0 ? "busy_ns"
                             : strcmp (by, "idle") == 0 ? "idle_ns" : "overhead_ns", row);
}

/* Figures are those that usage tells; they ascend, or descend, unknown ones come
   last, and of equal ones the smaller number is first. */
static void
check_order (KymoRun    *run,
             const char *by,
             KymoSpan    span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("usage");
  g_autoptr (KymoTable) usage = NULL, answer = ask_order (run, by, span);
  KymoTable *list = kymo_table_peek_nested (answer, "locations", NULL), *locations;
  const char *word = by + (*by == '-');
  const char *key = strcmp (word, "number") == 0 ? "number" : "ns";
  guint seen = 0;

  kymo_question_set_span (question, span);
  usage = ask (run, question);
  locations = kymo_table_peek_nested (usage, "locations", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, N_LOCATIONS);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      gint64 id = kymo_table_get_int (list, "location", i), figure;

      g_assert_false (seen & (1u << (id / 2)));
      seen |= 1u << (id / 2);
      figure = kymo_table_get_int (list, key, i);
      g_assert_cmpint (figure, ==, figure_on (run, locations, id / 2, span, word));
      if (i > 0)
        {
          gint64 last = kymo_table_get_int (list, key, i - 1);

          g_assert_true (figure == KYMO_NULL_INT
                         || (last != KYMO_NULL_INT && (*by == '-' ? last >= figure
                                                                  : last <= figure)));
          g_assert_true (last != figure || kymo_table_get_int (list, "location", i - 1) < id);
        }
    }
}

static void
test_by_figure (void)
{
  static const char *const words[] = { "number", "-number", "busy", "-busy", "idle", "-idle",
                                       "overhead", "-overhead", "time:entry 1", "-time:entry 3",
                                       "first:entry 0", "-first:entry 2", "first:entry 3" };
  const KymoSpan spans[] = { KYMO_SPAN_ALL, { 700, 2900 }, { 1000, 1040 } };

  for (guint n = 0; n < N_RUNS; n++)
    {
      g_autoptr (KymoRun) run = random_run (11 + n);

      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        for (guint k = 0; k < G_N_ELEMENTS (spans); k++)
          check_order (run, words[i], spans[k]);
    }
}

static void
test_no_order (void)
{
  static const char *const words[] = { "", "-", "busier", "time:", "first:", "--busy", "1-" };
  KymoRowOrder order;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (kymo_row_order_parse (words[i], &order, &error));
      g_assert_nonnull (error);
    }
  g_assert_true (kymo_row_order_parse ("-time:a: b", &order, NULL));
  g_assert_cmpint (order.by, ==, KYMO_ROWS_BY_TIME);
  g_assert_true (order.descends);
  g_assert_cmpstr (order.name, ==, "a: b");
}

/* -- similarity ----------------------------------------------------------- */

#define N_POINTS 240
#define N_COLUMNS 16
#define N_COMPONENTS 11

static double
square (const double *points,
        guint         a,
        guint         b)
{
  double sum = 0;

  for (guint c = 0; c < N_COLUMNS; c++)
    sum += (points[a * N_COLUMNS + c] - points[b * N_COLUMNS + c])
      * (points[a * N_COLUMNS + c] - points[b * N_COLUMNS + c]);
  return sum;
}

/* Each step is to one that is nearest of all not yet visited, by looking at all. */
static void
check_walk (const double *points,
            guint         n,
            guint         n_threads)
{
  g_autofree double *steps = NULL;
  g_autofree guint *walk = kymo_row_walk_new (points, n, N_COLUMNS, N_COMPONENTS, n_threads,
                                              &steps, NULL, NULL);
  g_autofree gboolean *visited = g_new0 (gboolean, n);

  g_assert_nonnull (walk);
  for (guint i = 0; i < n; i++)
    {
      double nearest = INFINITY;

      g_assert_false (visited[walk[i]]);
      for (guint k = 0; i > 0 && k < n; k++)
        if (!visited[k])
          nearest = MIN (nearest, square (points, walk[i - 1], k));
      visited[walk[i]] = TRUE;
      if (i == 0)
        g_assert_cmpfloat (steps[0], ==, 0);
      else
        {
          g_assert_cmpfloat (square (points, walk[i - 1], walk[i]), ==, nearest);
          g_assert_cmpfloat (steps[i], ==, sqrt (nearest));
        }
    }
}

static void
test_walk (void)
{
  g_autofree double *points = g_new0 (double, N_POINTS * N_COLUMNS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  /* Whole numbers, a few of them often, so that many are equally far. */
  for (guint spread = 2; spread <= 20000; spread *= 100)
    {
      for (guint i = 0; i < N_POINTS; i++)
        for (guint c = 0; c < N_COMPONENTS; c++)
          points[i * N_COLUMNS + c] = g_rand_int_range (rand, 0, c < 3 ? spread : 4);
      check_walk (points, N_POINTS, 1);
      check_walk (points, N_POINTS, 3);
    }
  for (guint i = 0; i < N_POINTS * N_COLUMNS; i++)
    points[i] = 7;
  check_walk (points, N_POINTS, 1);
  check_walk (points, 1, 1);
}

/* Workers in a walk, its other way round the same steps; communication threads are
   not compared and come last. */
static void
test_similarity (void)
{
  g_autoptr (KymoRun) run = random_run (11);
  g_autoptr (KymoTable) there = ask_order (run, "similarity", KYMO_SPAN_ALL);
  g_autoptr (KymoTable) back = ask_order (run, "-similarity", KYMO_SPAN_ALL);
  KymoTable *a = kymo_table_peek_nested (there, "locations", NULL);
  KymoTable *b = kymo_table_peek_nested (back, "locations", NULL);
  guint n = N_LOCATIONS - 2;

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (kymo_table_get_int (a, "location", i), ==,
                       kymo_table_get_int (b, "location", n - 1 - i));
      g_assert_cmpint (kymo_table_get_int (a, "location", i), <, 18);
      if (i > 0)
        g_assert_cmpfloat (kymo_table_get_double (a, "distance", i), ==,
                           kymo_table_get_double (b, "distance", n - i));
    }
  for (guint i = n; i < N_LOCATIONS; i++)
    {
      g_assert_cmpint (kymo_table_get_int (a, "location", i), ==, 2 * i);
      g_assert_true (isnan (kymo_table_get_double (a, "distance", i)));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order/figures", test_figures);
  g_test_add_func ("/order/places", test_places);
  g_test_add_func ("/order/rows", test_rows);
  g_test_add_func ("/order/by-figure", test_by_figure);
  g_test_add_func ("/order/no-order", test_no_order);
  g_test_add_func ("/order/walk", test_walk);
  g_test_add_func ("/order/similarity", test_similarity);
  return g_test_run ();
}
