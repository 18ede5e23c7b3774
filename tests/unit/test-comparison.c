/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing runs: by hand, and random runs against sums over single nanoseconds. A
 * run compared with itself is all zeros, A with B is minus B with A, and what parts
 * differ by sums up to what the whole differs by.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-comparison-private.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_NAMES 5
#define LENGTH_NS 300

/* What a location does in each nanosecond: an activity, or one of these. */
enum { NOTHING = -1, IDLE = -2, UNTRACED = -3 };

static const char *const all_names[] =
  { "Cell::step", "Cell::send", "Main::done", "Cell::step", "Grid::fill", "Tree::walk" };

/* Activities of a run have ids and an order of their own; "Cell::step" is there
   twice, overloaded. */
static KymoRun *
new_run (guint first)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  run->title = g_strdup_printf ("run %u", first);
  for (guint i = 0; i < N_NAMES; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 7 + i,
                           all_names[(first + i) % G_N_ELEMENTS (all_names)], NULL, "");
  return run;
}

static void
change (KymoSegmentBuilder *builder,
        gint64              time_ns,
        int                 from,
        int                 to)
{
  if (from >= 0)
    kymo_segment_builder_end_block (builder, time_ns);
  else if (from == IDLE)
    kymo_segment_builder_set_idle (builder, time_ns, FALSE);
  else if (from == UNTRACED)
    kymo_segment_builder_set_traced (builder, time_ns, TRUE);
  if (to >= 0)
    kymo_segment_builder_begin_block (builder, time_ns, (guint32) to, 0, -1, 0, NULL);
  else if (to == IDLE)
    kymo_segment_builder_set_idle (builder, time_ns, TRUE);
  else if (to == UNTRACED)
    kymo_segment_builder_set_traced (builder, time_ns, FALSE);
}

/* does[0] is what it does at begin_ns. */
static void
add_location (KymoRun   *run,
              const int *does,
              gint64     begin_ns,
              gint64     length_ns)
{
  guint id = run->locations->len;
  KymoSegmentBuilder *builder = kymo_segment_builder_new (id, N_NAMES);
  KymoLocation location = { .id = id, .label = g_strdup_printf ("PE %u", id), .process = id,
                            .kept = TRUE };
  KymoRepairs repairs;

  kymo_segment_builder_touch (builder, begin_ns);
  for (gint64 t = 0; t < length_ns; t++)
    if (t == 0 || does[t] != does[t - 1])
      change (builder, begin_ns + t, t == 0 ? NOTHING : does[t - 1], does[t]);
  change (builder, begin_ns + length_ns, does[length_ns - 1], NOTHING);
  kymo_segment_builder_touch (builder, begin_ns + length_ns);
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (builder, length_ns, FALSE, &repairs));
  kymo_segment_builder_free (builder);
}

/** Made: a run, and what the slow path needs to know of it */
typedef struct
{
  KymoSource *source;
  guint       first;            /* of all_names */
  guint       n_locations;
  gint64      begin_ns, length_ns;
  int         does[4][LENGTH_NS];
} Made;

static void
made_clear (Made *made)
{
  g_clear_object (&made->source);
}

static void
finish (Made *made)
{
  KymoRun *run = new_run (made->first);

  for (guint i = 0; i < made->n_locations; i++)
    add_location (run, made->does[i], made->begin_ns, made->length_ns);
  kymo_run_seal (run);
  made->source = KYMO_SOURCE (kymo_run_source_new (run, 2));
  kymo_run_unref (run);
}

static void
make_random (Made  *made,
             GRand *rand)
{
  made->first = g_rand_int_range (rand, 0, G_N_ELEMENTS (all_names));
  made->n_locations = g_rand_int_range (rand, 1, 5);
  made->begin_ns = g_rand_int_range (rand, -50, 1000);
  made->length_ns = g_rand_int_range (rand, 20, LENGTH_NS);
  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0, end = 0, does = 0; t < made->length_ns; t++)
      {
        if (t == end)
          {
            does = g_rand_int_range (rand, UNTRACED, N_NAMES);
            end = t + g_rand_int_range (rand, 1, 40);
          }
        made->does[i][t] = does;
      }
  finish (made);
}

static KymoComparison *
compare (Made        *made,
         const guint *sides,
         guint        n)
{
  g_autofree KymoSource **sources = g_new (KymoSource *, n);

  for (guint i = 0; i < n; i++)
    sources[i] = made[i].source;
  return kymo_comparison_new (sources, sides, n);
}

static KymoTable *
ask (KymoComparison *comparison,
     const char     *kind,
     KymoSpan        span,
     const char     *key,
     const char     *value,
     guint           columns)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  kymo_question_set_resolution (question, columns, 0);
  if (key != NULL)
    kymo_question_set (question, key, value);
  answer = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static KymoTable *
list_of (const KymoTable *answer,
         const char      *name)
{
  KymoTable *list = kymo_table_peek_nested (answer, name, NULL);

  g_assert_nonnull (list);
  return list;
}

static gint
find_row (const KymoTable *list,
          const char      *name)
{
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "name", i), name) == 0)
      return i;
  return -1;
}

static gint64
of_side (const KymoTable *list,
         const char      *column,
         guint            row,
         guint            side)
{
  guint width = 0;
  const gint64 *values = kymo_table_peek_ints (list, column, &width);

  g_assert_cmpuint (side, <, width);
  return values[(gsize) row * width + side];
}

/* -- the slow path ------------------------------------------------------------ */

static const char *
name_of_state (const Made *made,
               int         does)
{
  return does >= 0 ? all_names[(made->first + does) % G_N_ELEMENTS (all_names)]
    : does == IDLE ? "Idle" : does == UNTRACED ? "Untraced" : "Overhead";
}

/* Nanoseconds of a name in a range of the run's time, counted one by one. */
static gint64
count_ns (const Made *made,
          const char *name,
          KymoSpan    span)
{
  gint64 n = 0;

  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0; t < made->length_ns; t++)
      n += made->begin_ns + t >= span.begin_ns && made->begin_ns + t < span.end_ns
        && strcmp (name_of_state (made, made->does[i][t]), name) == 0;
  return n;
}

static gint64
count_calls (const Made *made,
             const char *name,
             KymoSpan    span)
{
  gint64 n = 0;

  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0; t < made->length_ns; t++)
      n += made->begin_ns + t >= span.begin_ns && made->begin_ns + t < span.end_ns
        && (t == 0 || made->does[i][t] != made->does[i][t - 1]) && made->does[i][t] >= 0
        && strcmp (name_of_state (made, made->does[i][t]), name) == 0;
  return n;
}

static KymoSpan
moved (KymoSpan span,
       gint64   by_ns)
{
  return kymo_span_is_all (span) ? span
    : (KymoSpan) { span.begin_ns + by_ns, span.end_ns + by_ns };
}

static void
check_activities (const Made     *made,
                  KymoComparison *comparison,
                  KymoTable      *answer,
                  KymoSpan        span)
{
  KymoTable *list = list_of (answer, "activities"), *totals = list_of (answer, "totals");
  gint64 sum = 0, last = G_MAXINT64;

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      const char *name = kymo_table_get_string (list, "name", i);
      gint64 ns[2], difference = kymo_table_get_int (list, "difference_ns", i);

      for (guint s = 0; s < 2; s++)
        {
          KymoSpan own = moved (span, kymo_comparison_get_offset (comparison, s));

          ns[s] = count_ns (&made[s], name, own);
          g_assert_cmpint (of_side (list, "exclusive_ns", i, s), ==, ns[s]);
          if (strcmp (name, "Idle") != 0 && strcmp (name, "Overhead") != 0
              && strcmp (name, "Untraced") != 0)
            {
              gint64 calls = count_calls (&made[s], name, own);

              g_assert_cmpint (of_side (list, "calls", i, s), ==, calls);
              g_assert_cmpint (of_side (list, "mean_ns", i, s), ==,
                               calls > 0 ? ns[s] / calls : KYMO_NULL_INT);
            }
        }
      g_assert_cmpint (difference, ==, ns[1] - ns[0]);
      g_assert_cmpint (ABS (difference), <=, last);
      g_assert_false (kymo_table_get_bool (list, "has_noise", i));
      if (ns[0] > 0)
        g_assert_cmpfloat (kymo_table_get_double (list, "ratio", i), ==,
                           (double) ns[1] / ns[0]);
      last = ABS (difference);
      sum += difference;
    }
  g_assert_cmpint (sum, ==, kymo_table_get_int (totals, "difference_ns",
                                                find_row (totals, "span")));
}

static void
check_sums (KymoTable *answer)
{
  static const char *const parts[] = { "busy", "idle", "overhead", "untraced" };
  KymoTable *totals = list_of (answer, "totals");
  guint n_sides = kymo_table_get_n_rows (list_of (answer, "sides"));
  gint64 whole = kymo_table_get_int (totals, "difference_ns", find_row (totals, "span"));

  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    whole -= kymo_table_get_int (totals, "difference_ns", find_row (totals, parts[k]));
  g_assert_cmpint (whole, ==, 0);
  for (guint side = 0; side < n_sides; side++)
    {
      KymoTable *list = list_of (answer, "activities");
      gint64 span = of_side (totals, "total_ns", find_row (totals, "span"), side);

      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        span -= of_side (totals, "total_ns", find_row (totals, parts[k]), side);
      g_assert_cmpint (span, ==, 0);
      span = of_side (totals, "total_ns", find_row (totals, "span"), side);
      for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
        span -= of_side (list, "exclusive_ns", i, side);
      g_assert_cmpint (span, ==, 0);
    }
}

static void
check_time (const Made     *made,
            KymoComparison *comparison,
            KymoTable      *answer)
{
  KymoTable *series = list_of (answer, "series");
  guint width = 0;
  const gint64 *edges = kymo_table_peek_ints (answer, "edges_ns", &width);

  g_assert_cmpuint (width, >, 1);
  for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
    for (guint bin = 0; bin + 1 < width; bin++)
      {
        KymoSpan shared = { edges[bin], edges[bin + 1] };
        const char *name = kymo_table_get_string (series, "name", i);
        gint64 a = count_ns (&made[0], name,
                             moved (shared, kymo_comparison_get_offset (comparison, 0)));
        gint64 b = count_ns (&made[1], name,
                             moved (shared, kymo_comparison_get_offset (comparison, 1)));

        g_assert_cmpint (of_side (series, "a_ns", i, bin), ==, a);
        g_assert_cmpint (of_side (series, "b_ns", i, bin), ==, b);
        g_assert_cmpint (of_side (series, "difference_ns", i, bin), ==, b - a);
      }
}

static void
check_mirrored (KymoTable *there,
                KymoTable *back)
{
  KymoTable *a = list_of (there, "activities"), *b = list_of (back, "activities");

  g_assert_cmpuint (kymo_table_get_n_rows (a), ==, kymo_table_get_n_rows (b));
  for (guint i = 0; i < kymo_table_get_n_rows (a); i++)
    {
      gint k = find_row (b, kymo_table_get_string (a, "name", i));

      g_assert_cmpint (k, >=, 0);
      g_assert_cmpint (kymo_table_get_int (a, "difference_ns", i), ==,
                       -kymo_table_get_int (b, "difference_ns", k));
    }
}

static void
test_random (void)
{
  static const guint sides[] = { 0, 1 };

  for (guint seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Made made[2] = { 0 }, other[2];
      g_autoptr (KymoComparison) there = NULL, back = NULL;
      g_autoptr (KymoTable) whole = NULL, part = NULL, mirrored = NULL, time = NULL;
      KymoSpan span;

      make_random (&made[0], rand);
      make_random (&made[1], rand);
      other[0] = made[1];
      other[1] = made[0];
      there = compare (made, sides, 2);
      back = compare (other, sides, 2);
      whole = ask (there, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      mirrored = ask (back, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      check_activities (made, there, whole, KYMO_SPAN_ALL);
      check_sums (whole);
      check_mirrored (whole, mirrored);
      span.begin_ns = made[0].begin_ns + g_rand_int_range (rand, 0, 20);
      span.end_ns = span.begin_ns + g_rand_int_range (rand, 1, LENGTH_NS);
      part = ask (there, "compare", span, NULL, NULL, 0);
      check_activities (made, there, part, span);
      check_sums (part);
      time = ask (there, "compare-time-profile", KYMO_SPAN_ALL, NULL, NULL,
                  g_rand_int_range (rand, 1, 30));
      check_time (made, there, time);
      made_clear (&made[0]);
      made_clear (&made[1]);
    }
}

/* A run with itself, twice and as its own repeat. */
static void
test_itself (void)
{
  static const guint sides[] = { 0, 1, 0 };
  static const char *const columns[] = { "difference_ns", "noise_ns" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  Made made[3] = { 0 };

  make_random (&made[0], rand);
  made[1] = made[2] = made[0];
  for (guint n = 2; n <= 3; n++)
    {
      g_autoptr (KymoComparison) comparison = compare (made, sides, n);
      g_autoptr (KymoTable) answer = ask (comparison, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      g_autoptr (KymoTable) time = ask (comparison, "compare-time-profile", KYMO_SPAN_ALL, "scale",
                                        n == 2 ? "own" : "shared", 9);
      KymoTable *list = list_of (answer, "activities"), *totals = list_of (answer, "totals");
      KymoTable *series = list_of (time, "series");

      g_assert_cmpuint (kymo_table_get_n_rows (list), >, 3);
      for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
        {
          for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
            g_assert_cmpint (kymo_table_get_int (list, columns[c], i), ==, 0);
          for (guint i = 0; i < kymo_table_get_n_rows (totals); i++)
            g_assert_cmpint (kymo_table_get_int (totals, columns[c], i), ==, 0);
        }
      for (guint i = 0; i < kymo_table_get_n_rows (series); i++)
        for (guint bin = 0; bin < 9; bin++)
          g_assert_cmpint (of_side (series, "difference_ns", i, bin), ==, 0);
      g_assert_true (kymo_table_get_bool (answer, "has_noise", 0) == (n == 3));
    }
  made_clear (&made[0]);
}

/* -- repeats and series --------------------------------------------------------- */

/* Means of repeats are those of the figures, rounded by less than one, and add up. */
static void
check_means (const Made  *made,
             const guint *sides,
             guint        n,
             KymoTable   *answer)
{
  KymoTable *list = list_of (answer, "activities");
  guint n_sides = kymo_table_get_n_rows (list_of (answer, "sides"));

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    for (guint side = 0; side < n_sides; side++)
      {
        gint64 sum = 0, n_runs = 0, pes = 0;

        for (guint run = 0; run < n; run++)
          if (sides[run] == side)
            {
              sum += count_ns (&made[run], kymo_table_get_string (list, "name", i),
                               KYMO_SPAN_ALL);
              pes += made[run].n_locations;
              n_runs++;
            }
        g_assert_cmpfloat (fabs (of_side (list, "exclusive_ns", i, side)
                                 - (double) sum / n_runs), <, 1);
        if (kymo_table_find_column (list, "per_pe_ns") >= 0)
          g_assert_cmpfloat (fabs (of_side (list, "per_pe_ns", i, side)
                                   - (double) sum / pes), <, 1);
      }
}

/* The band of each difference, by its definition once more. */
static void
check_bands (const Made  *made,
             const guint *sides,
             guint        n,
             KymoTable   *answer)
{
  KymoTable *list = list_of (answer, "activities");

  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    {
      double values[2][8], half;
      guint counts[2] = { 0, 0 };
      gint64 noise = kymo_table_get_int (list, "noise_ns", i);

      for (guint run = 0; run < n; run++)
        if (sides[run] < 2)
          values[sides[run]][counts[sides[run]]++]
            = count_ns (&made[run], kymo_table_get_string (list, "name", i), KYMO_SPAN_ALL);
      kymo_noise_band (values[0], counts[0], values[1], counts[1], &half);
      g_assert_cmpint (noise, ==, (gint64) ceil (half));
      g_assert_true (kymo_table_get_bool (list, "has_noise", i));
      g_assert_true (kymo_table_get_bool (list, "is_noise", i)
                     == (ABS (kymo_table_get_int (list, "difference_ns", i)) <= noise));
    }
}

static void
check_speed_up (KymoTable *answer)
{
  KymoTable *sides = list_of (answer, "sides");
  double first = kymo_table_get_int (sides, "elapsed_ns", 0);
  double pes = kymo_table_get_double (sides, "pes", 0);

  for (guint i = 0; i < kymo_table_get_n_rows (sides); i++)
    {
      double faster = first / kymo_table_get_int (sides, "elapsed_ns", i);

      g_assert_cmpfloat_with_epsilon (kymo_table_get_double (sides, "speed_up", i), faster, 1e-9);
      g_assert_cmpfloat_with_epsilon (kymo_table_get_double (sides, "efficiency", i),
                                      faster * pes / kymo_table_get_double (sides, "pes", i),
                                      1e-9);
    }
}

static void
test_repeats (void)
{
  static const guint sides[] = { 0, 0, 0, 1, 1, 2 };
  static const guint n = G_N_ELEMENTS (sides);

  for (guint seed = 100; seed < 112; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      Made made[G_N_ELEMENTS (sides)] = { 0 };
      g_autoptr (KymoComparison) comparison = NULL;
      g_autoptr (KymoTable) whole = NULL, each = NULL, against = NULL;

      for (guint i = 0; i < n; i++)
        make_random (&made[i], rand);
      comparison = compare (made, sides, n);
      g_assert_cmpuint (kymo_comparison_get_n_sides (comparison), ==, 3);
      whole = ask (comparison, "compare", KYMO_SPAN_ALL, NULL, NULL, 0);
      check_means (made, sides, n, whole);
      check_sums (whole);
      check_speed_up (whole);
      against = ask (comparison, "compare", KYMO_SPAN_ALL, "against", "1", 0);
      check_bands (made, sides, n, against);
      each = ask (comparison, "compare", KYMO_SPAN_ALL, "figure", "per-pe", 0);
      check_means (made, sides, n, each);
      for (guint i = 0; i < n; i++)
        made_clear (&made[i]);
    }
}

/* The n-th block of a name over all locations, and runs aligned there. */
static void
test_moments (void)
{
  static const guint sides[] = { 0, 1 };
  guint found = 0;

  for (guint seed = 200; seed < 240; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      gint wanted = g_rand_int_range (rand, 1, 5);
      g_autofree char *how = g_strdup_printf ("block Cell::send #%d", wanted);
      g_autoptr (KymoComparison) comparison = NULL;
      g_autoptr (GError) error = NULL;
      gint64 times[2] = { G_MININT64, G_MININT64 };
      Made made[2] = { 0 };

      for (guint i = 0; i < 2; i++)
        {
          gint n = 0;

          make_random (&made[i], rand);
          for (gint64 t = 0; t < made[i].length_ns && times[i] == G_MININT64; t++)
            for (guint k = 0; k < made[i].n_locations; k++)
              {
                const int *does = made[i].does[k];

                n += does[t] >= 0 && (t == 0 || does[t] != does[t - 1])
                  && strcmp (name_of_state (&made[i], does[t]), "Cell::send") == 0;
                if (n == wanted)
                  times[i] = made[i].begin_ns + t;
              }
        }
      comparison = compare (made, sides, 2);
      if (times[0] != G_MININT64 && times[1] != G_MININT64)
        {
          g_autofree char *align = NULL;

          g_assert_true (kymo_comparison_align (comparison, how, NULL, &error));
          align = kymo_comparison_dup_align (comparison);
          g_assert_no_error (error);
          g_assert_cmpstr (align, ==, how);
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 0), ==, 0);
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, times[1] - times[0]);
          found++;
        }
      else
        {
          gint64 before = kymo_comparison_get_offset (comparison, 1);

          g_assert_false (kymo_comparison_align (comparison, how, NULL, &error));
          g_assert_true (g_str_has_prefix (error->message,
                                           times[0] == G_MININT64 ? "A: " : "B: "));
          g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, before);
        }
      made_clear (&made[0]);
      made_clear (&made[1]);
    }
  g_assert_cmpuint (found, >, 3);
}

static void
count_grown (guint *n)
{
  (*n)++;
}

/* Offsets that change, and runs that grow, are told; labels tell repeats apart. */
static void
test_told (void)
{
  static const guint sides[] = { 0, 1, 1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (KymoComparison) comparison = NULL;
  g_autofree char *first = NULL, *repeat = NULL;
  g_autoptr (KymoQuestion) question = kymo_question_new ("info");
  g_autoptr (KymoTable) info = NULL;
  g_autoptr (GError) error = NULL;
  Made made[3] = { 0 };
  guint n = 0;

  for (guint i = 0; i < 3; i++)
    make_random (&made[i], rand);
  comparison = compare (made, sides, 3);
  g_signal_connect_swapped (comparison, "grown", G_CALLBACK (count_grown), &n);
  kymo_comparison_set_offset (comparison, 1, 17);
  g_assert_cmpint (kymo_comparison_get_offset (comparison, 1), ==, 17);
  g_assert_cmpuint (n, ==, 1);
  kymo_comparison_set_offset (comparison, 2, G_MININT64);
  g_assert_cmpint (kymo_comparison_get_offset (comparison, 2), ==, -KYMO_MOST_OFFSET_NS);
  g_assert_cmpint (kymo_span_length (kymo_source_get_span (KYMO_SOURCE (comparison))), >=,
                   KYMO_MOST_OFFSET_NS - made[2].begin_ns);
  n = 1;
  g_signal_emit_by_name (made[2].source, "grown");
  g_assert_cmpuint (n, ==, 2);
  first = kymo_comparison_dup_label (comparison, 1);
  repeat = kymo_comparison_dup_label (comparison, 2);
  g_assert_cmpstr (first, ==, "B");
  g_assert_cmpstr (repeat, ==, "B′2");
  g_assert_null (kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, &error));
  g_assert_nonnull (error);
  kymo_question_set_int (question, "run", 1);
  info = kymo_source_ask (KYMO_SOURCE (comparison), question, NULL, NULL);
  g_assert_cmpint (kymo_table_get_int (info, "begin_ns", 0), ==, made[1].begin_ns);
  for (guint i = 0; i < 3; i++)
    made_clear (&made[i]);
}

/* -- statistics --------------------------------------------------------------- */

/* Student's table, two-sided 95 %. */
static void
test_noise (void)
{
  static const double table[][2] =
    { { 1, 12.7062 }, { 2, 4.30265 }, { 3, 3.18245 }, { 4, 2.77645 }, { 10, 2.22814 },
      { 30, 2.04227 }, { 120, 1.97993 } };
  static const double a[] = { 10, 12 }, b[] = { 20, 21, 25 }, one[] = { 14 };
  double half;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpfloat_with_epsilon (kymo_student_quantile (0.95, table[i][0]), table[i][1], 1e-4);
  g_assert_cmpfloat_with_epsilon (kymo_student_quantile (0.99, 5), 4.03214, 1e-4);
  g_assert_false (kymo_noise_band (one, 1, one, 1, &half));
  g_assert_cmpfloat (half, ==, 0);
  /* One further run: t(1) · s · sqrt (1 + 1/2), s = sqrt (2). */
  g_assert_true (kymo_noise_band (a, 2, one, 1, &half));
  g_assert_cmpfloat_with_epsilon (half, 12.7062 * sqrt (2 * 1.5), 1e-3);
  g_assert_true (kymo_noise_band (one, 1, a, 2, &half));
  g_assert_cmpfloat_with_epsilon (half, 12.7062 * sqrt (2 * 1.5), 1e-3);
  /* Welch: variances 2 and 7, standard error sqrt (1 + 7/3), 2.882 degrees of freedom. */
  g_assert_true (kymo_noise_band (a, 2, b, 3, &half));
  g_assert_cmpfloat_with_epsilon (half, kymo_student_quantile (0.95, 100.0 / 9 / (1 + 49.0 / 18))
                                  * sqrt (1 + 7.0 / 3), 1e-9);
  g_assert_true (kymo_noise_band (a, 1, a, 1, &half) == FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comparison/random", test_random);
  g_test_add_func ("/comparison/itself", test_itself);
  g_test_add_func ("/comparison/repeats", test_repeats);
  g_test_add_func ("/comparison/moments", test_moments);
  g_test_add_func ("/comparison/told", test_told);
  g_test_add_func ("/comparison/noise", test_noise);
  return g_test_run ();
}
