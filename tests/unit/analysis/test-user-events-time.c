/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User events over time of random runs: each column is what a plain walk over the events
 * gives, however the range is split and on however many threads, and sums are those of the
 * question profile.
 */
#include "config.h"

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-segment-builder.h"

#define N_NAMES 5
#define SPAN_NS 100000

/** Made: an event as it was put into the run */
typedef struct
{
  guint  location, name;
  gint64 begin_ns, end_ns;
} Made;

typedef struct
{
  KymoRun *run;
  GArray  *made;
} Case;

static int
compare_made (gconstpointer a,
              gconstpointer b)
{
  const Made *x = a, *y = b;

  return x->location != y->location ? (int) x->location - (int) y->location
    : (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

static void
make_events (Case  *c,
             GRand *rand,
             guint  location,
             guint  n)
{
  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = g_rand_int_range (rand, 0, SPAN_NS + 1);
      gint64 most = g_rand_int_range (rand, 0, 4) == 0 ? SPAN_NS : 300;
      gboolean bracket = g_rand_boolean (rand);
      Made made = { location, g_rand_int_range (rand, 0, N_NAMES), begin_ns, begin_ns };

      if (bracket)
        made.end_ns = MIN (begin_ns + g_rand_int_range (rand, 0, most), SPAN_NS);
      g_array_append_val (c->made, made);
    }
}

static KymoSegment *
make_segment (const Case *c,
              guint       location)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (location, N_NAMES + 1);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (b, 0);
  for (guint i = 0; i < c->made->len; i++)
    {
      const Made *made = &g_array_index (c->made, Made, i);

      if (made->location == location)
        kymo_segment_builder_point (b, &(KymoPoint) {
          made->begin_ns, made->end_ns,
          made->end_ns > made->begin_ns ? KYMO_POINT_BRACKET : KYMO_POINT_USER_EVENT, 0, 0,
          made->name, 10 + made->name, 0, { 0 }, NULL });
    }
  /* What is no user event, at the same times. */
  kymo_segment_builder_point (b, &(KymoPoint) { 50, 50, KYMO_POINT_USER_VALUE, 0, 0, 1, 11,
                                                0, { 3.5 } });
  kymo_segment_builder_point (b, &(KymoPoint) { 60, 60, KYMO_POINT_PHASE, 0, 0, G_MAXUINT32, 1 });
  kymo_segment_builder_touch (b, SPAN_NS);
  segment = kymo_segment_builder_seal (b, SPAN_NS, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

/* @n_more: names of user events that there are none of */
static void
case_init (Case  *c,
           guint  seed,
           guint  n_locations,
           guint  n,
           guint  n_more)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  c->run = kymo_run_new ();
  c->run->title = g_strdup ("events");
  c->run->format = g_strdup ("hand");
  c->run->n_locations_original = n_locations;
  c->made = g_array_new (FALSE, FALSE, sizeof (Made));
  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autofree char *name = g_strdup_printf ("event %u", i);

      kymo_run_add_activity (c->run, KYMO_ACTIVITY_EVENT, 10 + i, name, NULL, NULL);
    }
  kymo_run_add_activity (c->run, KYMO_ACTIVITY_ENTRY, 0, "main", NULL, NULL);
  for (guint i = 0; i < n_more; i++)
    {
      g_autofree char *name = g_strdup_printf ("more %u", i);

      kymo_run_add_activity (c->run, KYMO_ACTIVITY_EVENT, 100 + i, name, NULL, NULL);
    }
  for (guint i = 0; i < n_locations; i++)
    make_events (c, rand, i, n);
  g_array_sort (c->made, compare_made);
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (c->run, &location, make_segment (c, i));
    }
  kymo_run_seal (c->run);
}

static void
case_clear (Case *c)
{
  kymo_run_unref (c->run);
  g_array_unref (c->made);
}

static KymoTable *
ask (const Case *c,
     const char *kind,
     KymoSpan    span,
     KymoIdSet  *ids,
     guint       columns,
     const char *names,
     guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  kymo_question_set_locations (question, ids);
  kymo_question_set_resolution (question, columns, 0);
  if (names != NULL)
    kymo_question_set (question, "names", names);
  answer = kymo_engine_ask (c->run, question, n_threads, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static gint
find_row (KymoTable  *list,
          guint       id)
{
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (kymo_table_get_int (list, "id", i) == id)
      return i;
  return -1;
}

/* What of one name lies in one column. */
static void
count (const Case *c,
       KymoIdSet  *ids,
       guint       name,
       KymoSpan    column,
       gboolean    is_last,
       gint64     *events,
       gint64     *ns)
{
  *events = *ns = 0;
  for (guint i = 0; i < c->made->len; i++)
    {
      const Made *made = &g_array_index (c->made, Made, i);

      if (made->name != name || (ids != NULL && !kymo_id_set_contains (ids, made->location)))
        continue;
      *ns += MAX (MIN (made->end_ns, column.end_ns) - MAX (made->begin_ns, column.begin_ns), 0);
      *events += made->begin_ns >= column.begin_ns
        && (made->begin_ns < column.end_ns || (is_last && made->begin_ns == SPAN_NS));
    }
}

static void
check_series (const Case *c,
              KymoTable  *answer,
              KymoIdSet  *ids,
              guint       name)
{
  KymoTable *list = kymo_table_peek_nested (answer, "series", NULL);
  gint row = find_row (list, 10 + name);
  guint n_edges = 0, width = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &n_edges);
  const gint64 *events = kymo_table_peek_ints (list, "column_events", &width);
  const gint64 *ns = kymo_table_peek_ints (list, "column_ns", &width);
  gint64 all_events = 0, all_ns = 0;

  for (guint i = 0; i + 1 < n_edges; i++)
    {
      KymoSpan column = { edges[i], edges[i + 1] };
      gint64 some_events, some_ns;

      count (c, ids, name, column, i + 2 == n_edges && column.end_ns == SPAN_NS, &some_events,
             &some_ns);
      g_assert_cmpint (row >= 0 ? events[row * width + i] : 0, ==, some_events);
      g_assert_cmpint (row >= 0 ? ns[row * width + i] : 0, ==, some_ns);
      all_events += some_events;
      all_ns += some_ns;
    }
  g_assert_cmpint (row >= 0 ? kymo_table_get_int (list, "events", row) : 0, ==, all_events);
  g_assert_cmpint (row >= 0 ? kymo_table_get_int (list, "time_ns", row) : 0, ==, all_ns);
}

/* The same figures as the table of all activities has. */
static void
check_profile (KymoTable *answer,
               KymoTable *profile)
{
  KymoTable *list = kymo_table_peek_nested (answer, "series", NULL);
  KymoTable *activities = kymo_table_peek_nested (profile, "activities", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (activities); i++)
    {
      gint row = find_row (list, kymo_table_get_int (activities, "id", i));

      if (g_strcmp0 (kymo_table_get_string (activities, "kind", i), "event") != 0)
        continue;
      g_assert_cmpint (kymo_table_get_int (activities, "blocks", i), ==,
                       row >= 0 ? kymo_table_get_int (list, "events", row) : 0);
      g_assert_cmpint (kymo_table_get_int (activities, "inclusive_ns", i), ==,
                       row >= 0 ? kymo_table_get_int (list, "time_ns", row) : 0);
    }
}

static void
check_range (const Case *c,
             KymoSpan    span,
             KymoIdSet  *ids,
             guint       columns)
{
  g_autoptr (KymoTable) one = ask (c, "user-events-time", span, ids, columns, NULL, 1);
  g_autoptr (KymoTable) four = ask (c, "user-events-time", span, ids, columns, NULL, 4);
  g_autoptr (KymoTable) profile = ask (c, "profile", span, ids, 0, NULL, 1);
  g_autoptr (GVariant) x = g_variant_ref_sink (kymo_table_to_variant (one, FALSE));
  g_autoptr (GVariant) y = g_variant_ref_sink (kymo_table_to_variant (four, FALSE));

  g_assert_true (g_variant_equal (x, y));
  for (guint i = 0; i < N_NAMES; i++)
    check_series (c, one, ids, i);
  check_profile (one, profile);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 12; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoIdSet) some = kymo_id_set_parse ("0,2", NULL);
      Case c;

      case_init (&c, seed, 1 + seed % 4, seed * 9, 0);
      check_range (&c, KYMO_SPAN_ALL, NULL, 13);
      for (guint i = 0; i < 8; i++)
        {
          gint64 begin_ns = g_rand_int_range (rand, 0, SPAN_NS);
          gint64 end_ns = g_rand_int_range (rand, begin_ns + 1, SPAN_NS + 1);

          check_range (&c, (KymoSpan) { begin_ns, end_ns }, i % 2 == 0 ? NULL : some,
                       g_rand_int_range (rand, 1, 60));
        }
      /* Columns shorter than the clock's tick. */
      check_range (&c, (KymoSpan) { 500, 510 }, NULL, 40);
      case_clear (&c);
    }
}

/* Names that are asked for, and the order of a stack that stays while one zooms. */
static void
test_names (void)
{
  KymoTable *list;
  gint64 last = G_MAXINT64;
  Case c;

  case_init (&c, 7, 3, 40, 0);
  {
    g_autoptr (KymoTable) two = ask (&c, "user-events-time", KYMO_SPAN_ALL, NULL, 4,
                                     "event 1;event 3;nothing", 1);
    g_autoptr (KymoTable) whole = ask (&c, "user-events-time", KYMO_SPAN_ALL, NULL, 4, NULL, 1);
    g_autoptr (KymoTable) part = ask (&c, "user-events-time", (KymoSpan) { 10, 9000 }, NULL, 4,
                                      NULL, 1);

    g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (two, "series", NULL)), ==, 2);
    list = kymo_table_peek_nested (whole, "series", NULL);
    for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
      {
        g_assert_cmpint (kymo_table_get_int (list, "run_events", i), <=, last);
        g_assert_cmpint (kymo_table_get_int (list, "run_events", i), ==,
                         kymo_table_get_int (list, "events", i));
        last = kymo_table_get_int (list, "run_events", i);
      }
    for (guint i = 0; i < N_NAMES; i++)
      {
        gint in_part = find_row (kymo_table_peek_nested (part, "series", NULL), 10 + i);

        if (in_part >= 0)
          g_assert_cmpint (kymo_table_get_int (kymo_table_peek_nested (part, "series", NULL),
                                               "rank", in_part), ==,
                           kymo_table_get_int (list, "rank", find_row (list, 10 + i)));
      }
  }
  case_clear (&c);
}

static KymoTable *
ask_all (const Case *c,
         guint       columns,
         const char *names,
         GError    **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("user-events-time");

  kymo_question_set_resolution (question, columns, 0);
  if (names != NULL)
    kymo_question_set (question, "names", names);
  return kymo_engine_ask (c->run, question, 4, NULL, error);
}

/* What might take more memory than an answer may is refused; by names it is not. */
static void
test_too_many (void)
{
  Case c;

  case_init (&c, 7, 3, 40, 5000);
  {
    g_autoptr (GError) error = NULL, none = NULL;
    g_autoptr (KymoTable) refused = ask_all (&c, 10000, NULL, &error);
    g_autoptr (KymoTable) named = ask_all (&c, 10000, "event 1;more 7", &none);
    g_autoptr (KymoTable) fewer = ask_all (&c, 100, NULL, &none);

    g_assert_null (refused);
    g_assert_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE);
    g_assert_nonnull (strstr (error->message, "10000"));
    g_assert_no_error (none);
    g_assert_cmpuint (kymo_table_get_n_rows (kymo_table_peek_nested (named, "series", NULL)), ==,
                      1);
    g_assert_cmpint (kymo_table_get_int (fewer, "events", 0), ==, 3 * 40);
  }
  case_clear (&c);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/user-events-time/random", test_random);
  g_test_add_func ("/user-events-time/names", test_names);
  g_test_add_func ("/user-events-time/too-many", test_too_many);
  return g_test_run ();
}
