/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Load balance, communication efficiency and parallel efficiency: runs made by
 * hand, and random ones against sums over single nanoseconds.
 */
#include "config.h"

#include <math.h>

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define LENGTH_NS 240
#define N_FUNCTIONS 6

/* What a location does in each nanosecond: a function, or one of these. */
enum { NOTHING = -1, UNTRACED = -2 };

static KymoRun *
new_run (void)
{
  static const KymoRole roles[N_FUNCTIONS] =
    { KYMO_ROLE_COMPUTE, KYMO_ROLE_COMMUNICATION, KYMO_ROLE_COMPUTE, KYMO_ROLE_SYNCHRONIZATION,
      KYMO_ROLE_IO, KYMO_ROLE_RUNTIME };
  static const char *const names[N_FUNCTIONS] =
    { "solve", "MPI_Recv", "main", "MPI_Barrier", "MPI_File_read", "MPI_Init" };
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  for (guint i = 0; i < N_FUNCTIONS; i++)
    {
      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, names[i], NULL, NULL);
      g_array_index (run->activities, KymoActivity, i).role = roles[i];
    }
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
  else if (from == UNTRACED)
    kymo_segment_builder_set_traced (builder, time_ns, TRUE);
  if (to >= 0)
    kymo_segment_builder_begin_block (builder, time_ns, (guint32) to, 0, -1, 0, NULL);
  else if (to == UNTRACED)
    kymo_segment_builder_set_traced (builder, time_ns, FALSE);
}

static void
add_location (KymoRun   *run,
              const int *does,
              gint64     begin_ns,
              gint64     end_ns)
{
  guint id = run->locations->len;
  KymoSegmentBuilder *builder = kymo_segment_builder_new (id, N_FUNCTIONS);
  KymoLocation location = { .id = id, .label = g_strdup_printf ("rank %u", id), .process = id,
                            .kept = TRUE };
  KymoRepairs repairs;

  kymo_segment_builder_touch (builder, begin_ns);
  for (gint64 t = begin_ns; t < end_ns; t++)
    if (t == begin_ns || does[t] != does[t - 1])
      change (builder, t, t == begin_ns ? NOTHING : does[t - 1], does[t]);
  change (builder, end_ns, does[end_ns - 1], NOTHING);
  kymo_segment_builder_touch (builder, end_ns);
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (builder, end_ns - begin_ns, FALSE, &repairs));
  kymo_segment_builder_free (builder);
}

static KymoTable *
ask (KymoRun    *run,
     const char *kind,
     KymoSpan    span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;

  kymo_question_set_span (question, span);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

static void
assert_figures (KymoTable *answer,
                gint64     elapsed_ns,
                gint64     mean_ns,
                gint64     highest_ns,
                gint64     who)
{
  g_assert_cmpint (kymo_table_get_int (answer, "elapsed_ns", 0), ==, elapsed_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_mean_ns", 0), ==, mean_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_max_ns", 0), ==, highest_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_max_location", 0), ==, who);
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "load_balance", 0),
                                  (double) mean_ns / highest_ns, 1e-12);
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "communication_efficiency", 0),
                                  (double) highest_ns / elapsed_ns, 1e-12);
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "parallel_efficiency", 0),
                                  (double) mean_ns / elapsed_ns, 1e-12);
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "imbalance", 0),
                                  (double) highest_ns / mean_ns, 1e-12);
}

static void
fill (int    *does,
      gint64  begin_ns,
      gint64  end_ns,
      int     what)
{
  for (gint64 t = begin_ns; t < end_ns; t++)
    does[t] = what;
}

/* Rank 0 solves for 60 ns, rank 1 for 20; then both receive until 100, and
   neither was traced from 100 to 120. Of a third one nothing was traced. */
static void
test_by_hand (void)
{
  g_autoptr (KymoRun) run = new_run ();
  g_autoptr (KymoTable) whole = NULL, info = NULL, part = NULL, none = NULL;
  int does[LENGTH_NS];

  fill (does, 0, 60, 0);
  fill (does, 60, 100, 1);
  fill (does, 100, 120, UNTRACED);
  add_location (run, does, 0, 120);
  fill (does, 20, 100, 1);
  add_location (run, does, 0, 120);
  fill (does, 0, 120, UNTRACED);
  add_location (run, does, 0, 120);
  kymo_run_seal (run);
  whole = ask (run, "profile", KYMO_SPAN_ALL);
  assert_figures (whole, 100, 40, 60, 0);
  g_assert_cmpint (kymo_table_get_int (whole, "useful_ns", 0), ==, 80);
  info = ask (run, "info", (KymoSpan) { 10, 20 });
  assert_figures (info, 100, 40, 60, 0);
  part = ask (run, "profile", (KymoSpan) { 10, 50 });
  assert_figures (part, 40, 25, 40, 0);
  none = ask (run, "profile", (KymoSpan) { 70, 90 });
  g_assert_true (isnan (kymo_table_get_double (none, "load_balance", 0)));
  g_assert_cmpfloat (kymo_table_get_double (none, "communication_efficiency", 0), ==, 0);
  g_assert_cmpfloat (kymo_table_get_double (none, "parallel_efficiency", 0), ==, 0);
}

/* Each is not traced for a while, but never both at once: all time has elapsed. */
static void
test_traced_in_turns (void)
{
  g_autoptr (KymoRun) run = new_run ();
  g_autoptr (KymoTable) whole = NULL, part = NULL;
  int does[LENGTH_NS];

  fill (does, 0, 50, UNTRACED);
  fill (does, 50, 100, 0);
  add_location (run, does, 0, 100);
  fill (does, 0, 50, 0);
  fill (does, 50, 100, UNTRACED);
  add_location (run, does, 0, 100);
  kymo_run_seal (run);
  whole = ask (run, "profile", KYMO_SPAN_ALL);
  assert_figures (whole, 100, 50, 50, 0);
  part = ask (run, "profile", (KymoSpan) { 40, 60 });
  assert_figures (part, 20, 10, 10, 0);
}

typedef struct
{
  int    does[LENGTH_NS];
  gint64 begin_ns, end_ns;
} Made;

static void
make_location (GRand   *random,
               KymoRun *run,
               Made    *made)
{
  int now = g_rand_int_range (random, UNTRACED, N_FUNCTIONS);

  made->begin_ns = g_rand_int_range (random, 0, 40);
  made->end_ns = LENGTH_NS - g_rand_int_range (random, 0, 40);
  for (gint64 t = 0; t < LENGTH_NS; t++)
    {
      if (g_rand_int_range (random, 0, 12) == 0)
        now = g_rand_int_range (random, UNTRACED, N_FUNCTIONS);
      made->does[t] = now;
    }
  add_location (run, made->does, made->begin_ns, made->end_ns);
}

/* Time of functions by what it was for. */
static void
assert_parts (KymoTable  *answer,
              const Made *made,
              guint       n,
              KymoSpan    span)
{
  static const struct { const char *key; int functions[2]; } parts[] = {
    { "useful_ns", { 0, 2 } }, { "communication_ns", { 1, 1 } }, { "waiting_ns", { 3, 3 } },
    { "io_ns", { 4, 4 } }, { "runtime_ns", { 5, 5 } },
  };
  gint64 busy_ns = 0;

  for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
    {
      const int *wanted = parts[part].functions;
      gint64 ns = 0;

      for (guint i = 0; i < n; i++)
        for (gint64 t = MAX (made[i].begin_ns, span.begin_ns);
             t < MIN (made[i].end_ns, span.end_ns); t++)
          ns += made[i].does[t] == wanted[0] || made[i].does[t] == wanted[1];
      g_assert_cmpint (kymo_table_get_int (answer, parts[part].key, 0), ==, ns);
      busy_ns += ns;
    }
  g_assert_cmpint (kymo_table_get_int (answer, "busy_ns", 0), ==, busy_ns);
  g_assert_cmpint (busy_ns + kymo_table_get_int (answer, "idle_ns", 0)
                   + kymo_table_get_int (answer, "overhead_ns", 0)
                   + kymo_table_get_int (answer, "untraced_ns", 0), ==,
                   kymo_table_get_int (answer, "span_ns", 0));
}

/* One nanosecond after the other. */
static void
assert_like_made (KymoTable  *answer,
                  const Made *made,
                  guint       n,
                  KymoSpan    span)
{
  gint64 elapsed_ns = 0, sum_ns = 0, highest_ns = 0;
  gboolean traced[LENGTH_NS] = { FALSE };
  guint n_traced = 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = MAX (made[i].begin_ns, span.begin_ns);
      gint64 end_ns = MIN (made[i].end_ns, span.end_ns), useful_ns = 0, untraced = 0;

      for (gint64 t = begin_ns; t < end_ns; t++)
        {
          useful_ns += made[i].does[t] == 0 || made[i].does[t] == 2;
          untraced += made[i].does[t] == UNTRACED;
        }
      if (begin_ns >= end_ns || untraced == end_ns - begin_ns)
        continue;
      n_traced++;
      for (gint64 t = begin_ns; t < end_ns; t++)
        traced[t] |= made[i].does[t] != UNTRACED;
      sum_ns += useful_ns;
      highest_ns = MAX (highest_ns, useful_ns);
    }
  for (guint t = 0; t < LENGTH_NS; t++)
    elapsed_ns += traced[t];
  if (n_traced == 0)
    {
      g_assert_true (isnan (kymo_table_get_double (answer, "parallel_efficiency", 0)));
      return;
    }
  g_assert_cmpint (kymo_table_get_int (answer, "elapsed_ns", 0), ==, elapsed_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_max_ns", 0), ==, highest_ns);
  g_assert_cmpint (kymo_table_get_int (answer, "useful_mean_ns", 0), ==,
                   llround ((double) sum_ns / n_traced));
  g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "parallel_efficiency", 0),
                                  (double) sum_ns / n_traced / (double) elapsed_ns, 1e-12);
  g_assert_cmpfloat (kymo_table_get_double (answer, "communication_efficiency", 0), <=, 1);
  if (sum_ns > 0)
    g_assert_cmpfloat_with_epsilon (kymo_table_get_double (answer, "load_balance", 0)
                                    * kymo_table_get_double (answer,
                                                             "communication_efficiency", 0),
                                    kymo_table_get_double (answer, "parallel_efficiency", 0),
                                    1e-12);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (KymoRun) run = new_run ();
      guint n = (guint) g_rand_int_range (random, 1, 6);
      g_autofree Made *made = g_new0 (Made, n);

      for (guint i = 0; i < n; i++)
        make_location (random, run, &made[i]);
      kymo_run_seal (run);
      for (guint i = 0; i < 4; i++)
        {
          gint64 begin_ns = g_rand_int_range (random, run->span.begin_ns, run->span.end_ns);
          KymoSpan span = i == 0 ? run->span
            : (KymoSpan) { begin_ns, g_rand_int_range (random, begin_ns + 1,
                                                       run->span.end_ns + 1) };
          g_autoptr (KymoTable) answer = ask (run, "profile", span);

          assert_like_made (answer, made, n, span);
          assert_parts (answer, made, n, span);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/efficiency/by-hand", test_by_hand);
  g_test_add_func ("/efficiency/traced-in-turns", test_traced_in_turns);
  g_test_add_func ("/efficiency/random", test_random);
  return g_test_run ();
}
