/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations in an order of their own: lists follow it, and nothing else
 * changes, whichever order it is. The run is random, of a fixed seed.
 */
#include "config.h"

#include <string.h>

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_LOCATIONS 11
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
random_run (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
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
  g_autoptr (KymoRun) run = random_run ();
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
  g_autoptr (KymoRun) run = random_run ();
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
  g_autoptr (KymoRun) run = random_run ();
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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order/figures", test_figures);
  g_test_add_func ("/order/places", test_places);
  g_test_add_func ("/order/rows", test_rows);
  return g_test_run ();
}
