/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterations by notes of very many numbers: those with the lowest numbers count, each at its
 * earliest time, however the run is split over threads.
 */
#include "config.h"

#include "kymo-engine.h"
#include "kymo-segment-builder.h"

#define N_LOCATIONS 6
#define N_NUMBERS 26000
#define N_NOTES 14000
/* As many as the question keeps, see kymo-regions-private.h. */
#define MOST 10000
#define SPAN_NS 1000000

/** Made: a run, and the earliest note of each number */
typedef struct
{
  KymoRun *run;
  gint64   first_ns[N_NUMBERS];
} Made;

static KymoSegment *
make_segment (Made  *made,
              GRand *rand,
              guint  location)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (location, 1);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (b, 0);
  for (guint i = 0; i < N_NOTES; i++)
    {
      guint number = g_rand_int_range (rand, 0, N_NUMBERS);
      gint64 at_ns = (gint64) i * SPAN_NS / N_NOTES;

      kymo_segment_builder_point (b, &(KymoPoint) {
        at_ns, at_ns, KYMO_POINT_NOTE, 0, 0, G_MAXUINT32, 0, 0, { 0 },
        g_strdup_printf ("iteration %u", number) });
      made->first_ns[number] = MIN (made->first_ns[number], at_ns);
    }
  kymo_segment_builder_touch (b, SPAN_NS);
  segment = kymo_segment_builder_seal (b, SPAN_NS, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

static void
made_init (Made *made)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  made->run = kymo_run_new ();
  made->run->title = g_strdup ("notes");
  made->run->format = g_strdup ("hand");
  made->run->n_locations_original = N_LOCATIONS;
  for (guint i = 0; i < N_NUMBERS; i++)
    made->first_ns[i] = G_MAXINT64;
  kymo_run_add_activity (made->run, KYMO_ACTIVITY_ENTRY, 0, "main", NULL, NULL);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (made->run, &location, make_segment (made, rand, i));
    }
  kymo_run_seal (made->run);
}

static KymoTable *
ask_regions (const Made *made,
             guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("regions");
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, KYMO_SPAN_ALL);
  answer = kymo_engine_ask (made->run, question, n_threads, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* Of the lowest numbers that there are, those that begin at one time have no length. */
static void
check_numbers (const Made *made,
               KymoTable  *answer)
{
  KymoTable *list = kymo_table_peek_nested (answer, "regions", NULL);
  guint n_told = 0, n_left = 0, number = 0;
  g_autofree guint8 *told = g_new0 (guint8, N_NUMBERS);

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "kind", i), "iteration") == 0)
      {
        gint64 which = kymo_table_get_int (list, "number", i);

        g_assert_cmpint (which, >=, 0);
        g_assert_cmpint (which, <, N_NUMBERS);
        g_assert_cmpint (kymo_table_get_int (list, "begin_ns", i), ==, made->first_ns[which]);
        told[which] = TRUE;
        n_told++;
      }
  g_assert_cmpuint (n_told, >, MOST / 4);
  for (; number < N_NUMBERS && n_left < MOST; number++)
    n_left += made->first_ns[number] != G_MAXINT64;
  g_assert_cmpuint (n_left, ==, MOST);
  for (; number < N_NUMBERS; number++)
    g_assert_false (told[number]);
}

static void
test_threads (void)
{
  g_autofree Made *made = g_new0 (Made, 1);

  made_init (made);
  {
    g_autoptr (KymoTable) one = ask_regions (made, 1);
    g_autoptr (GVariant) wanted = g_variant_ref_sink (kymo_table_to_variant (one, FALSE));

    check_numbers (made, one);
    for (guint n = 2; n <= N_LOCATIONS; n++)
      {
        g_autoptr (KymoTable) many = ask_regions (made, n);
        g_autoptr (GVariant) got = g_variant_ref_sink (kymo_table_to_variant (many, FALSE));

        g_assert_true (g_variant_equal (got, wanted));
      }
  }
  kymo_run_unref (made->run);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-notes/threads", test_threads);
  return g_test_run ();
}
