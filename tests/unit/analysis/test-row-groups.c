/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a timeline by node and process: cells of a folded row are the sums of its
 * members, whatever is folded and however rows are sorted, and with short blocks
 * hidden; compared nanosecond by nanosecond with the blocks. Lines under rows are of
 * all samples of their members. Runs are random, of fixed seeds.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kymo-column-sums.h"
#include "kymo-row-groups.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

#define N_LOCATIONS 13
#define N_ENTRIES 4
#define N_STATES (KYMO_STATE_ACTIVITY + N_ENTRIES)
#define SHORT N_STATES
#define N_COLUMNS 24

/* -- a run ---------------------------------------------------------------- */

/* Blocks, some with one or two inside them. */
static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ENTRIES);
  gint64 time = g_rand_int_range (rand, 0, 90);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, time);
  for (guint i = 0; i < 40; i++)
    {
      guint n = g_rand_int_range (rand, 1, 4);

      time += g_rand_int_range (rand, 0, 20);
      for (guint k = 0; k < 2; k++)
        kymo_segment_builder_point (builder, &(KymoPoint) {
          .begin_ns = time, .end_ns = time, .kind = KYMO_POINT_USER_VALUE, .id = 2 + (gint32) k,
          .activity = G_MAXUINT32, .value = g_rand_int_range (rand, -50, 50) });
      for (guint k = 0; k < n; k++)
        {
          kymo_segment_builder_begin_block (builder, time, g_rand_int_range (rand, 0, N_ENTRIES),
                                            0, -1, 10, NULL);
          time += g_rand_int_range (rand, 0, 14);
        }
      for (guint k = 0; k < n; k++)
        {
          kymo_segment_builder_end_block (builder, time);
          time += g_rand_int_range (rand, 0, 9);
        }
      kymo_segment_builder_set_idle (builder, time, g_rand_boolean (rand));
    }
  segment = kymo_segment_builder_seal (builder, 160, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

/* A machine of three nodes: PEs 0 to 3 in two processes, 4 to 9 in one, 10 alone on
   the third, and two without a place. With processes alone 3 PEs each. */
static KymoRun *
random_run (guint32  seed,
            gboolean with_places)
{
  static const gint64 places[N_LOCATIONS] = { 2, 2, 4, 4, 5, 5, 5, 5, 5, 5, 6, -1, -1 };
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
      KymoLocation location = { .id = 3 * i, .label = g_strdup_printf ("PE %u", 3 * i),
                                .kept = TRUE, .process = with_places ? -1 : (gint64) i / 3,
                                .place = with_places ? places[i] : -1 };

      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  if (with_places)
    {
      kymo_run_add_place (run, "machine", "machine", -1);
      kymo_run_add_place (run, "node", "node a", 0);
      kymo_run_add_place (run, "process", "process 0", 1);
      kymo_run_add_place (run, "node", "node b", 0);
      kymo_run_add_place (run, "process", "process 1", 1);
      kymo_run_add_place (run, "process", "process 2", 3);
      kymo_run_add_place (run, "node", "node c", 0);
    }
  run->n_locations_original = N_LOCATIONS;
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

static KymoRowGroups *
groups_of (KymoRun *run)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("row-groups");
  g_autoptr (KymoTable) answer = ask (run, question);

  return kymo_row_groups_new (answer);
}

/* -- what ran, by looking at every nanosecond ------------------------------ */

static gboolean
is_short (const KymoSegment *segment,
          gint64             time_ns,
          gint64             least_ns)
{
  gint found = -1;

  for (guint i = 0; i < segment->n_blocks; i++)
    if (kymo_segment_block_begin (segment, i) <= time_ns
        && time_ns < kymo_segment_block_end (segment, i))
      found = (gint) i;
  return found >= 0 && kymo_segment_block_end (segment, found)
    - kymo_segment_block_begin (segment, found) < least_ns;
}

/* The state at a time; KYMO_NO_STATE outside of the segment. */
static guint32
state_at (const KymoSegment *segment,
          gint64             time_ns,
          gint64             least_ns)
{
  guint32 state;

  if (time_ns < segment->span.begin_ns || time_ns >= segment->span.end_ns)
    return KYMO_NO_STATE;
  state = segment->piece_state[kymo_segment_find_piece (segment, time_ns)];
  return state >= KYMO_STATE_ACTIVITY && is_short (segment, time_ns, least_ns) ? SHORT : state;
}

static void
sum_column (KymoRun      *run,
            const gint64 *ids,
            guint         n,
            KymoSpan      column,
            gint64        least_ns,
            gint64       *ns)
{
  memset (ns, 0, (N_STATES + 1) * sizeof (gint64));
  for (guint i = 0; i < n; i++)
    for (gint64 t = column.begin_ns; t < column.end_ns; t++)
      {
        guint32 state = state_at (g_ptr_array_index (run->segments, ids[i] / 3), t, least_ns);

        if (state != (guint32) KYMO_NO_STATE)
          ns[state]++;
      }
}

static guint32
state_of_name (const char *name)
{
  static const char *const names[] = { "Overhead", "Idle", "Untraced" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i]) == 0)
      return i;
  return strcmp (name, "Shorter blocks") == 0 ? SHORT
    : KYMO_STATE_ACTIVITY + (guint) (name[strlen (name) - 1] - '0');
}

/* One column of a row: nothing has more time than what the cell tells. */
static void
check_column (const gint64 *ns,
              gint64        all_ns,
              const char   *name,
              double        share,
              double        within)
{
  gint64 most = 0;

  for (guint s = 0; s <= N_STATES; s++)
    most = MAX (most, ns[s]);
  if (name == NULL)
    {
      g_assert_cmpint (most, ==, 0);
      return;
    }
  g_assert_cmpint (ns[state_of_name (name)], ==, most);
  g_assert_cmpfloat_with_epsilon (share, (double) most / (double) all_ns, within);
}

/* A cell of single locations may span columns; then its share is 1 in all of them. */
static void
check_rows (KymoRun   *run,
            KymoTable *answer,
            gint64     least_ns)
{
  const guint *cells_of, *ids_of;
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  KymoTable *cells = kymo_table_peek_nested (rows, "cells", &cells_of);
  KymoTable *locations = kymo_table_peek_nested (rows, "locations", &ids_of);
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  const gint64 *ids = kymo_table_peek_ints (locations, "location", NULL);
  gint64 begin = kymo_table_get_int (answer, "begin_ns", 0);
  gint64 end = kymo_table_get_int (answer, "end_ns", 0);
  gint64 n_columns = kymo_table_get_int (answer, "columns", 0);

  for (guint row = 0; row < kymo_table_get_n_rows (rows); row++)
    {
      guint n = ids_of[row + 1] - ids_of[row], cell = cells_of[row];

      for (gint64 c = 0; c < n_columns; c++)
        {
          KymoSpan column = { begin + (end - begin) * c / n_columns,
                              begin + (end - begin) * (c + 1) / n_columns };
          gint64 ns[N_STATES + 1];
          gboolean there;

          while (cell < cells_of[row + 1] && kymo_table_get_int (cells, "x1", cell) <= c)
            cell++;
          there = cell < cells_of[row + 1] && kymo_table_get_int (cells, "x0", cell) <= c;
          sum_column (run, ids + ids_of[row], n, column, least_ns, ns);
          check_column (ns, kymo_span_length (column) * n, !there ? NULL
                        : kymo_table_get_string (names, "name", kymo_table_get_int (
                          cells, "activity", cell)),
                        there ? kymo_table_get_double (cells, "share", cell) : 0, 2e-5);
        }
    }
}

/* Samples of "User value 3" on the locations of each row, column by column. */
static void
check_lines (KymoRun   *run,
             KymoTable *answer)
{
  const guint *ids_of;
  KymoTable *rows = kymo_table_peek_nested (answer, "rows", NULL);
  KymoTable *locations = kymo_table_peek_nested (rows, "locations", &ids_of);
  KymoTable *lines = kymo_table_peek_nested (answer, "lines", NULL);
  gint64 begin = kymo_table_get_int (answer, "begin_ns", 0);
  gint64 end = kymo_table_get_int (answer, "end_ns", 0);
  gint64 n_columns = kymo_table_get_int (answer, "columns", 0);
  guint at = 0;

  for (guint row = 0; row < kymo_table_get_n_rows (rows); row++)
    for (gint64 c = 0; c < n_columns; c++)
      {
        KymoSpan column = { begin + (end - begin) * c / n_columns,
                            begin + (end - begin) * (c + 1) / n_columns };
        double low = INFINITY, high = -INFINITY, sum = 0;
        guint n = 0;

        for (guint i = ids_of[row]; i < ids_of[row + 1]; i++)
          {
            const KymoSegment *segment
              = g_ptr_array_index (run->segments,
                                   kymo_table_get_int (locations, "location", i) / 3);

            for (guint k = 0; k < segment->points->len; k++)
              {
                const KymoPoint *point = &g_array_index (segment->points, KymoPoint, k);

                if (point->id != 3 || point->begin_ns < column.begin_ns
                    || point->begin_ns >= column.end_ns)
                  continue;
                low = MIN (low, (double) point->value);
                high = MAX (high, (double) point->value);
                sum += (double) point->value;
                n++;
              }
          }
        if (n == 0)
          continue;
        g_assert_cmpint (kymo_table_get_int (lines, "row", at), ==, row);
        g_assert_cmpint (kymo_table_get_int (lines, "x", at), ==, c);
        g_assert_cmpfloat (kymo_table_get_double (lines, "min", at), ==, low);
        g_assert_cmpfloat (kymo_table_get_double (lines, "max", at), ==, high);
        g_assert_cmpfloat (kymo_table_get_double (lines, "mean", at), ==, sum / n);
        g_assert_cmpfloat (low, >=, kymo_table_get_double (answer, "line_min", 0));
        g_assert_cmpfloat (high, <=, kymo_table_get_double (answer, "line_max", 0));
        at++;
      }
  g_assert_cmpuint (kymo_table_get_n_rows (lines), ==, at);
  g_assert_cmpuint (at, >, 0);
}

/* -- the tests ------------------------------------------------------------ */

static void
test_tree (void)
{
  g_autoptr (KymoRun) run = random_run (1, TRUE);
  g_autoptr (KymoRun) flat = random_run (2, FALSE);
  g_autoptr (KymoRowGroups) groups = groups_of (run);
  g_autoptr (KymoRowGroups) processes = groups_of (flat);
  g_autoptr (KymoRowGroups) folded = NULL, nodes = NULL, again = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  /* The machine holds only 11 of 13, so it is one; node b is its one process, node c
     its one PE. */
  g_assert_cmpuint (kymo_row_groups_get_n (groups), ==, 5);
  g_assert_cmpuint (kymo_row_groups_get_levels (groups), ==, 3);
  g_assert_cmpstr (kymo_row_groups_peek (groups, 1)->label, ==, "node a");
  g_assert_cmpint (kymo_row_groups_peek (groups, 2)->parent, ==, 1);
  g_assert_cmpuint (kymo_row_groups_peek (groups, 0)->n_locations, ==, 11);
  g_assert_cmpint (kymo_row_groups_find (groups, 3 * 11), ==, -1);
  g_assert_cmpint (kymo_row_groups_find (groups, 3 * 10), ==, 0);
  g_assert_cmpint (kymo_row_groups_find (groups, 1), ==, -1);
  g_assert_cmpuint (kymo_row_groups_get_n (processes), ==, 4);
  g_assert_cmpstr (kymo_row_groups_peek (processes, 3)->label, ==, "Process 3");

  folded = kymo_row_groups_fold_text (groups, "2", NULL);
  nodes = kymo_row_groups_fold_text (groups, "node", NULL);
  g_assert_true (kymo_row_groups_peek (folded, 2)->folded);
  g_assert_false (kymo_row_groups_peek (groups, 2)->folded);
  text = kymo_row_groups_to_text (nodes);
  again = kymo_row_groups_fold_text (groups, text, NULL);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (kymo_row_groups_peek (again, i)->folded, ==,
                     kymo_row_groups_peek (nodes, i)->folded);
  g_assert_null (kymo_row_groups_fold_text (groups, "cabinet", &error));
  g_assert_nonnull (strstr (error->message, "process"));
}

static void
check_folding (KymoRun       *run,
               KymoRowGroups *groups,
               GArray        *order,
               gint64         least_ns,
               guint          rows,
               gboolean       on_grid)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoTable) answer = NULL, whole = NULL;
  KymoTable *a, *b;

  kymo_question_set_resolution (question, N_COLUMNS, rows);
  kymo_question_set_span (question, (KymoSpan) { 60, 830 });
  kymo_question_set_groups (question, groups);
  kymo_question_set_order (question, order);
  kymo_question_set_int (question, "grid", on_grid);
  kymo_question_set_int (question, "least-ns", least_ns);
  kymo_question_set (question, "line", "User value 3");
  answer = ask (run, question);
  check_rows (run, answer, least_ns);
  check_lines (run, answer);
  /* What is hidden, folded and sorted changes no sum. */
  kymo_question_set_groups (question, NULL);
  kymo_question_set_order (question, NULL);
  kymo_question_set_int (question, "least-ns", 0);
  whole = ask (run, question);
  a = kymo_table_peek_nested (answer, "names_ns", NULL);
  b = kymo_table_peek_nested (whole, "names_ns", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (a), ==, kymo_table_get_n_rows (b) + (least_ns > 0));
  for (guint i = 0; i < kymo_table_get_n_rows (b); i++)
    g_assert_cmpint (kymo_table_get_int (a, "ns", i), ==, kymo_table_get_int (b, "ns", i));
}

static void
test_sums (void)
{
  for (guint seed = 0; seed < 24; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = random_run (seed, seed % 3 != 0);
      g_autoptr (KymoRowGroups) groups = groups_of (run);
      g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));

      for (guint i = 0; i < 5; i++)
        {
          gint64 id = 3 * g_rand_int_range (rand, 0, N_LOCATIONS);

          g_array_append_val (order, id);
        }
      for (guint i = 0; i < kymo_row_groups_get_n (groups); i++)
        if (g_rand_boolean (rand))
          {
            KymoRowGroups *other = kymo_row_groups_fold (groups, i, TRUE);

            kymo_row_groups_unref (groups);
            groups = other;
          }
      check_folding (run, groups, seed % 2 != 0 ? order : NULL,
                     seed % 4 < 2 ? 0 : g_rand_int_range (rand, 1, 40),
                     seed % 5 == 0 ? 4 : 0, seed % 7 < 3);
    }
}

/* Every location in a row, once; members of a group together; headers and places
   agree with the rows. */
static void
test_rows (void)
{
  const gint64 ids[] = { 36, 27, 6 };
  const char *const labels[] = { "PE 36", "node b", "process 1", "PE 0", "PE 3", "PE 30",
                                 "PE 33" };
  g_autoptr (KymoRun) run = random_run (4, TRUE);
  g_autoptr (KymoRowGroups) all = groups_of (run), groups = NULL;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (KymoQuestion) question = kymo_question_new ("timeline");
  g_autoptr (KymoQuestion) place = kymo_question_new ("place");
  g_autoptr (KymoTable) answer = NULL, where = NULL, merged = NULL;
  KymoTable *rows, *list, *places;
  const guint *offsets;

  g_array_append_vals (order, ids, G_N_ELEMENTS (ids));
  groups = kymo_row_groups_fold_text (all, "3-4", NULL);
  kymo_question_set_resolution (question, N_COLUMNS, 0);
  kymo_question_set_int (question, "grid", 1);
  kymo_question_set_order (question, order);
  kymo_question_set_groups (question, groups);
  answer = ask (run, question);
  rows = kymo_table_peek_nested (answer, "rows", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (rows), ==, G_N_ELEMENTS (labels));
  g_assert_cmpint (kymo_table_get_int (answer, "places_total", 0), ==, G_N_ELEMENTS (labels));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    g_assert_cmpstr (kymo_table_get_string (rows, "label", i), ==, labels[i]);
  list = kymo_table_peek_nested (rows, "locations", &offsets);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, N_LOCATIONS);

  kymo_question_set (place, "of", "0-99");
  kymo_question_set_order (place, order);
  kymo_question_set_groups (place, groups);
  where = ask (run, place);
  places = kymo_table_peek_nested (where, "places", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (places), ==, N_LOCATIONS);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      gint64 row = kymo_table_get_int (places, "place", i);

      g_assert_cmpint (kymo_table_get_int (list, "location", i), ==,
                       kymo_table_get_int (places, "location", i));
      g_assert_true (offsets[row] <= i && i < offsets[row + 1]);
    }

  list = kymo_table_peek_nested (answer, "groups", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (list), ==, 5);
  g_assert_cmpint (kymo_table_get_int (list, "place", 0), ==, 1);
  g_assert_cmpint (kymo_table_get_int (list, "end_place", 0), ==, 6);
  g_assert_cmpint (kymo_table_get_int (list, "n_locations", 0), ==, 11);

  kymo_question_set_resolution (question, N_COLUMNS, 4);
  merged = ask (run, question);
  rows = kymo_table_peek_nested (merged, "rows", NULL);
  g_assert_cmpuint (kymo_table_get_n_rows (rows), ==, 4);
  g_assert_cmpstr (kymo_table_get_string (rows, "label", 1), ==, "process 1 +1");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-groups/tree", test_tree);
  g_test_add_func ("/row-groups/sums", test_sums);
  g_test_add_func ("/row-groups/rows", test_rows);
  return g_test_run ();
}
