/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Callers and callees of one function, of random nested runs with recursion: each node of the
 * two trees is what a plain walk over all paths of the whole tree gives, and callers, and callees
 * with the function's own time, add up to its inclusive time.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-engine.h"
#include "kymo-segment-builder.h"

#define N_FUNCTIONS 5
#define MOST_DEPTH 9

static void
make_calls (KymoSegmentBuilder *b,
            GRand              *rand,
            gint64              end_ns)
{
  guint depth = 0;

  kymo_segment_builder_touch (b, 0);
  for (gint64 t = 0; t < end_ns; t += g_rand_int_range (rand, 1, 9))
    {
      gboolean deeper = depth == 0 || (depth < MOST_DEPTH && g_rand_boolean (rand));

      if (deeper)
        kymo_segment_builder_begin_block (b, t, g_rand_int_range (rand, 0, N_FUNCTIONS), 0, -1, 8,
                                          NULL);
      else
        kymo_segment_builder_end_block (b, t);
      depth += deeper ? 1 : -1;
    }
  while (depth-- > 0)
    kymo_segment_builder_end_block (b, end_ns);
}

static KymoRun *
make_run (guint seed,
          guint n_locations)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->title = g_strdup ("focus");
  run->format = g_strdup ("hand");
  run->n_locations_original = n_locations;
  for (guint i = 0; i < N_FUNCTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, name, NULL, "USER");
    }
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i), .kept = TRUE };
      KymoSegmentBuilder *b = kymo_segment_builder_new (i, N_FUNCTIONS);
      KymoRepairs repairs;

      make_calls (b, rand, g_rand_int_range (rand, 10, 2500));
      kymo_run_add_location (run, &location, kymo_segment_builder_seal (b, 2500, FALSE, &repairs));
      kymo_segment_builder_free (b);
    }
  kymo_run_seal (run);
  return run;
}

static KymoTable *
ask (KymoRun     *run,
     const char  *of,
     const char  *focus,
     GError     **error)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("calltree");

  kymo_question_set (question, "of", of);
  if (focus != NULL)
    kymo_question_set (question, "focus", focus);
  return kymo_engine_ask (run, question, 2, NULL, error);
}

static double *
sum_at (GHashTable *sums,
        const char *path)
{
  double *sum = g_hash_table_lookup (sums, path);

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (sums, g_strdup (path), sum);
    }
  return sum;
}

/* What a node of the whole tree has, put to all that its path gives of one function. */
static void
add_node (KymoTable  *nodes,
          guint       row,
          const char *function,
          GHashTable *callees,
          GHashTable *callers)
{
  const gint64 *parents = kymo_table_peek_ints (nodes, "parent", NULL);
  g_autoptr (GPtrArray) up = g_ptr_array_new ();
  GString *path = g_string_new (NULL);
  double exclusive = kymo_table_get_double (nodes, "exclusive", row);
  double inclusive = kymo_table_get_double (nodes, "inclusive", row);
  guint inner = G_MAXUINT, n_found = 0;

  for (gint64 i = row; i >= 0; i = parents[i])
    g_ptr_array_add (up, (gpointer) kymo_table_get_string (nodes, "name", i));
  for (guint i = 0; i < up->len; i++)
    if (strcmp (up->pdata[i], function) == 0)
      {
        inner = MIN (inner, i);
        n_found++;
      }
  /* From the innermost call of the function down. */
  for (guint i = inner + 1; inner != G_MAXUINT && i-- > 0;)
    {
      g_string_append_printf (path, "/%s", (char *) up->pdata[i]);
      *sum_at (callees, path->str) += exclusive;
    }
  g_string_truncate (path, 0);
  for (guint i = 0; inner == 0 && n_found == 1 && i < up->len; i++)
    {
      g_string_append_printf (path, "/%s", (char *) up->pdata[i]);
      *sum_at (callers, path->str) += inclusive;
    }
  g_string_free (path, TRUE);
}

static void
assert_near (double a,
             double b)
{
  g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * MAX (fabs (a), 1));
}

/* The nodes of one side are those of the sums, with their figures; and each has what its
   children have and, among callees, its own. */
static void
check_side (KymoTable  *nodes,
            const char *side,
            GHashTable *sums)
{
  const gint64 *parents = kymo_table_peek_ints (nodes, "parent", NULL);
  guint n = kymo_table_get_n_rows (nodes), found = 0;
  const guint *offsets = NULL;
  KymoTable *paths = kymo_table_peek_nested (nodes, "path", &offsets);
  g_autofree double *children = g_new0 (double, n);

  for (guint i = n; i-- > 0;)
    {
      GString *path = g_string_new (NULL);
      double inclusive = kymo_table_get_double (nodes, "inclusive", i);
      double *expected;

      if (parents[i] >= 0)
        children[parents[i]] += inclusive;
      if (strcmp (kymo_table_get_string (nodes, "side", i), side) != 0)
        {
          g_string_free (path, TRUE);
          continue;
        }
      for (guint k = offsets[i]; k < offsets[i + 1]; k++)
        g_string_append_printf (path, "/%s", kymo_table_get_string (paths, "value", k));
      expected = g_hash_table_lookup (sums, path->str);
      g_assert_nonnull (expected);
      assert_near (inclusive, *expected);
      if (strcmp (side, "callees") == 0)
        assert_near (inclusive, children[i] + kymo_table_get_double (nodes, "exclusive", i));
      else
        g_assert_true (isnan (kymo_table_get_double (nodes, "exclusive", i)));
      found++;
      g_string_free (path, TRUE);
    }
  g_assert_cmpuint (found, ==, g_hash_table_size (sums));
}

/* Callers, and what nobody called, are the inclusive time; so are both roots. */
static void
check_roots (KymoTable  *answer,
             KymoTable  *nodes,
             GHashTable *callers,
             const char *function)
{
  g_autofree char *root = g_strdup_printf ("/%s", function);
  double all = *sum_at (callers, root), sum = kymo_table_get_double (answer, "uncalled", 0);
  const gint64 *parents = kymo_table_peek_ints (nodes, "parent", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (nodes); i++)
    if (parents[i] < 0)
      assert_near (kymo_table_get_double (nodes, "inclusive", i), all);
    else if (parents[parents[i]] < 0
             && strcmp (kymo_table_get_string (nodes, "side", i), "callers") == 0)
      sum += kymo_table_get_double (nodes, "inclusive", i);
  assert_near (sum, all);
}

static void
check_function (KymoRun    *run,
                KymoTable  *whole,
                const char *of,
                const char *function)
{
  g_autoptr (GHashTable) callees = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) callers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  KymoTable *nodes = kymo_table_peek_nested (whole, "nodes", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) answer = ask (run, of, function, &error);

  for (guint i = 0; i < kymo_table_get_n_rows (nodes); i++)
    add_node (nodes, i, function, callees, callers);
  if (g_hash_table_size (callees) == 0)
    {
      g_assert_nonnull (error);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpstr (kymo_table_get_string (answer, "focus", 0), ==, function);
  nodes = kymo_table_peek_nested (answer, "nodes", NULL);
  check_side (nodes, "callees", callees);
  check_side (nodes, "callers", callers);
  check_roots (answer, nodes, callers, function);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 20; seed++)
    {
      static const char *const whom[] = { "total", "0", "mean" };
      g_autoptr (KymoRun) run = make_run (seed, 1 + seed % 3);
      const char *of = whom[seed % G_N_ELEMENTS (whom)];
      g_autoptr (KymoTable) whole = ask (run, of, NULL, NULL);

      for (guint i = 0; i < N_FUNCTIONS; i++)
        {
          g_autofree char *name = g_strdup_printf ("f%u", i);

          check_function (run, whole, of, name);
        }
    }
}

/* Who is not there, and what does not add up, is told in a sentence. */
static void
test_refused (void)
{
  g_autoptr (KymoRun) run = make_run (3, 2);
  g_autoptr (GError) none = NULL, extreme = NULL;

  g_assert_null (ask (run, "total", "nobody", &none));
  g_assert_nonnull (strstr (none->message, "nobody"));
  g_assert_null (ask (run, "max", "f1", &extreme));
  g_assert_nonnull (extreme);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/call-focus/random", test_random);
  g_test_add_func ("/call-focus/refused", test_refused);
  return g_test_run ();
}
