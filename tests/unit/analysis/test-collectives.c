/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations that are put together of functions, their names and times:
 * programs made by hand, random ones against a slow search, and a wide one whose
 * questions are cancelled.
 */
#include "config.h"

#include <stdio.h>

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define MOST_CALLS 64

/* A call in the making: one level of them, or one inside the one before. */
typedef struct
{
  guint    activity;
  gint64   begin_ns, end_ns;
  gboolean inside;
} Made;

static KymoRun *
new_run (const char *const *names)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  for (guint i = 0; names[i] != NULL; i++)
    {
      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, names[i], NULL, NULL);
      g_array_index (run->activities, KymoActivity, i).role = KYMO_ROLE_SYNCHRONIZATION;
    }
  return run;
}

static void
add_rank (KymoRun    *run,
          const Made *calls,
          guint       n,
          gint64      end_ns)
{
  guint id = run->locations->len;
  KymoSegmentBuilder *b = kymo_segment_builder_new (id, run->activities->len);
  KymoLocation location = { .id = id, .label = g_strdup_printf ("rank %u", id), .process = id,
                            .kept = TRUE };
  KymoRepairs repairs;

  kymo_segment_builder_touch (b, 0);
  for (guint i = 0; i < n; i++)
    {
      kymo_segment_builder_begin_block (b, calls[i].begin_ns, calls[i].activity, -1, -1, 0, NULL);
      if (i + 1 < n && calls[i + 1].inside)
        continue;
      kymo_segment_builder_end_block (b, calls[i].end_ns);
      if (i > 0 && calls[i].inside)
        kymo_segment_builder_end_block (b, calls[i - 1].end_ns);
    }
  kymo_segment_builder_touch (b, end_ns);
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (b, end_ns, FALSE, &repairs));
  kymo_segment_builder_free (b);
}

static KymoTable *
ask (KymoRun    *run,
     const char *kind,
     guint       n_threads)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

/* MPI_Barrier() around PMPI_Barrier(), as where both are measured: one call. */
static void
test_spellings (void)
{
  static const char *const names[] = { "mpi_barrier_", "PMPI_Barrier()", NULL };
  g_autoptr (KymoRun) run = new_run (names);
  g_autoptr (KymoTable) answer = NULL;

  for (gint64 r = 0; r < 3; r++)
    {
      Made calls[] = { { 0, 10 + r, 40, FALSE }, { 1, 11 + r, 39, TRUE },
                       { 0, 60 + r, 90, FALSE }, { 1, 61 + r, 89, TRUE } };

      add_rank (run, calls, 4, 100);
    }
  kymo_run_seal (run);
  answer = ask (run, "collectives", 1);
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (answer, "wait_ns", 0), ==, 6);
  g_assert_cmpint (kymo_table_get_int (answer, "left_out", 0), ==, 0);
}

/* Two pairs meet at the same time. Where the program makes no other communicator it
   is one operation of four; else nobody knows, and it is told. */
static void
test_doubt (void)
{
  static const char *const names[] = { "MPI_Allreduce()", NULL };
  static const char *const split[] = { "MPI_Allreduce()", "MPI_Comm_split()", NULL };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (KymoRun) run = new_run (i == 0 ? names : split);
      g_autoptr (KymoTable) answer = NULL, waiting = NULL;
      const KymoCollective *made;

      for (guint r = 0; r < 4; r++)
        {
          Made call = { 0, 10, r < 2 ? 30 : 32, FALSE };

          add_rank (run, &call, 1, 100);
        }
      kymo_run_seal (run);
      answer = ask (run, "collectives", 1);
      waiting = ask (run, "waiting", 1);
      g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, 1);
      g_assert_true (kymo_table_get_bool (answer, "inferred", 0));
      g_assert_cmpint (kymo_table_get_int (answer, "may_be_several", 0), ==, i);
      g_assert_cmpint (kymo_table_get_int (waiting, "collectives_may_be_several", 0), ==, i);
      /* Names and order tell neither. */
      made = &g_array_index (kymo_run_peek_collectives (run, 1, NULL)->list, KymoCollective, 0);
      g_assert_cmpint (made->comm, ==, -1);
      g_assert_cmpint (made->op, ==, -1);
    }
}

/* On one communicator the n-th calls are one, though the clock of a rank is wrong. */
static void
test_wrong_clock (void)
{
  static const char *const names[] = { "MPI_Barrier()", NULL };
  g_autoptr (KymoRun) run = new_run (names);
  g_autoptr (KymoTable) answer = NULL;

  for (gint64 r = 0; r < 2; r++)
    {
      Made calls[] = { { 0, 10 + 25 * r, 20 + 25 * r, FALSE },
                       { 0, 40 + 25 * r, 50 + 25 * r, FALSE } };

      add_rank (run, calls, 2, 100);
    }
  kymo_run_seal (run);
  answer = ask (run, "collectives", 1);
  g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, 2);
  g_assert_cmpint (kymo_table_get_int (answer, "left_out", 0), ==, 0);
}

/* -- random ones ------------------------------------------------------------ */

typedef struct
{
  guint  rank;
  gint64 begin_ns, end_ns;
} Found;

static int
compare_found (gconstpointer a,
               gconstpointer b)
{
  const Found *x = a, *y = b;

  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* What overlaps, call by call: the number of sets of two and more, and how long their
   members wait together. */
static void
search (GArray *calls,
        gint64 *count,
        gint64 *wait_ns,
        gint64 *left_out)
{
  g_array_sort (calls, compare_found);
  *count = *wait_ns = *left_out = 0;
  for (guint i = 0, end; i < calls->len; i = end)
    {
      gint64 first_end_ns = G_MAXINT64, last_ns = 0, sum_ns = 0;
      guint64 in = 0;

      for (end = i; end < calls->len; end++)
        {
          const Found *here = &g_array_index (calls, Found, end);

          if ((in & (G_GUINT64_CONSTANT (1) << here->rank)) || here->begin_ns > first_end_ns)
            break;
          in |= G_GUINT64_CONSTANT (1) << here->rank;
          first_end_ns = MIN (first_end_ns, here->end_ns);
          last_ns = here->begin_ns;
        }
      for (guint k = i; k < end; k++)
        sum_ns += last_ns - g_array_index (calls, Found, k).begin_ns;
      *count += end - i > 1;
      *wait_ns += sum_ns;
      *left_out += end - i == 1;
    }
}

/* Ranks that mostly meet, in one order or another. */
static KymoRun *
make_random (GRand  *random,
             GArray *found)
{
  static const char *const names[] = { "MPI_Barrier()", "MPI_Comm_split()", NULL };
  KymoRun *run = new_run (names);
  guint n_ranks = (guint) g_rand_int_range (random, 1, 9), n = 20;
  gboolean tidy = g_rand_boolean (random);

  for (guint r = 0; r < n_ranks; r++)
    {
      Made calls[MOST_CALLS];
      guint made = 0;
      gint64 end_ns = 0;

      for (guint k = 0; k < n; k++)
        {
          gint64 meet_ns = (gint64) (k + 1) * 100;
          gint64 early_ns = g_rand_int_range (random, 0, tidy ? 50 : 140);
          gint64 begin_ns = MAX (meet_ns - early_ns, end_ns);

          if (!tidy && g_rand_int_range (random, 0, 5) == 0)
            continue;
          end_ns = MAX (meet_ns, begin_ns) + g_rand_int_range (random, 1, tidy ? 49 : 90);
          calls[made++] = (Made) { 0, begin_ns, end_ns, FALSE };
          g_array_append_val (found, ((Found) { r, begin_ns, end_ns }));
        }
      add_rank (run, calls, made, 4000);
    }
  kymo_run_seal (run);
  return run;
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
      g_autoptr (KymoRun) run = make_random (random, found);
      g_autoptr (KymoTable) answer = ask (run, "collectives", 1 + round % 3);
      gint64 count, wait_ns, left_out;

      search (found, &count, &wait_ns, &left_out);
      g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, count);
      g_assert_cmpint (kymo_table_get_int (answer, "wait_ns", 0), ==, wait_ns);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out", 0), ==, left_out);
    }
}

/* -- a wide one -------------------------------------------------------------- */

/* KYMO_WIDE=16384x1000 measures ranks and collectives of that number, and prints. */
static void
read_size (guint *n_ranks,
           guint *n_calls)
{
  const char *size = g_getenv ("KYMO_WIDE");

  *n_ranks = 300;
  *n_calls = 50;
  if (size != NULL && sscanf (size, "%ux%u", n_ranks, n_calls) != 2)
    g_error ("KYMO_WIDE is no size: %s", size);
}

/* @uneven: every other rank leaves out the last one, so that all have to be sorted */
static KymoRun *
make_wide (guint    n_ranks,
           guint    n_calls,
           gboolean uneven)
{
  static const char *const names[] = { "MPI_Barrier()", "MPI_Comm_split()", NULL };
  KymoRun *run = new_run (names);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree Made *calls = g_new (Made, n_calls);

  for (guint r = 0; r < n_ranks; r++)
    {
      for (guint k = 0; k < n_calls; k++)
        {
          gint64 meet_ns = (gint64) (k + 1) * 10000;
          gint64 early_ns = g_rand_int_range (random, 1, 4000);

          calls[k] = (Made) { 0, meet_ns - early_ns, meet_ns + 1 + early_ns % 100, FALSE };
        }
      add_rank (run, calls, uneven && r % 2 == 1 ? n_calls - 1 : n_calls,
                (gint64) (n_calls + 1) * 10000);
    }
  kymo_run_seal (run);
  return run;
}

typedef struct
{
  KymoRun      *run;
  const char   *kind;
  GCancellable *cancellable;
  gint64        ended_us;
  gboolean      answered;
} Asked;

static gpointer
ask_aside (gpointer data)
{
  Asked *asked = data;
  g_autoptr (KymoQuestion) question = kymo_question_new (asked->kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (asked->run, 0);
  g_autoptr (KymoTable) answer = NULL;

  kymo_question_set_int (question, "waits", 1);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, asked->cancellable, NULL);
  asked->ended_us = g_get_monotonic_time ();
  asked->answered = answer != NULL;
  return NULL;
}

/* How long a question goes on after it was cancelled. */
static gint64
cancel_after (KymoRun    *run,
              const char *kind,
              gint64      after_us,
              gboolean   *answered)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Asked asked = { run, kind, cancellable, 0, FALSE };
  GThread *thread = g_thread_new ("asked", ask_aside, &asked);
  gint64 cancelled_us;

  g_usleep ((gulong) after_us);
  cancelled_us = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  g_thread_join (thread);
  *answered = asked.answered;
  return asked.ended_us - cancelled_us;
}

/* A question that is cancelled ends, and the next one answers the same as ever. */
static void
test_wide (void)
{
  static const char *const kinds[] = { "collectives", "waiting", "timeline" };
  guint n_ranks, n_calls;

  read_size (&n_ranks, &n_calls);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (kinds); i++)
    {
      gboolean uneven = i % 2 == 1, answered = FALSE;
      g_autoptr (KymoRun) run = make_wide (n_ranks, n_calls, uneven);
      g_autoptr (KymoTable) answer = NULL;
      gint64 worst_us = 0, begin_us;

      for (gint64 us = 0; us < 5000000 && !answered; us += MAX (us / 4, 500))
        worst_us = MAX (worst_us, cancel_after (run, kinds[i / 2], us, &answered));
      begin_us = g_get_monotonic_time ();
      answer = ask (run, "collectives", 0);
      g_assert_cmpint (kymo_table_get_int (answer, "count", 0), ==, n_calls);
      g_assert_cmpint (kymo_table_get_int (answer, "left_out", 0), ==, 0);
      g_test_message ("%s%s: at most %.1f ms after it was cancelled; then %.1f ms",
                      kinds[i / 2], uneven ? ", uneven" : "", worst_us / 1e3,
                      (g_get_monotonic_time () - begin_us) / 1e3);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/collectives/spellings", test_spellings);
  g_test_add_func ("/collectives/doubt", test_doubt);
  g_test_add_func ("/collectives/wrong-clock", test_wrong_clock);
  g_test_add_func ("/collectives/random", test_random);
  g_test_add_func ("/collectives/wide", test_wide);
  return g_test_run ();
}
