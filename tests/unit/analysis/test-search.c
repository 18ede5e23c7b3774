/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search against brute force: random runs of fixed seeds with blocks that nest,
 * user events and notes; and what a pattern matches.
 */
#include "config.h"

#include <string.h>

#include "kymo-error.h"
#include "kymo-pattern.h"
#include "kymo-run-source.h"
#include "kymo-search.h"
#include "kymo-segment-builder.h"

static const char *const names[] =
  { "Cell::force", "Cell::move", "Main::done", "send MPI", "mark" };
#define N_BLOCK_NAMES 3
#define N_LOCATIONS 5

static const char *const note_texts[] = { "step begins", "Force is late", NULL, "x" };

static void
add_point (GRand              *rand,
           KymoSegmentBuilder *builder,
           gint64              time)
{
  guint which = g_rand_int_range (rand, 0, 4);
  KymoPoint point = { time, time, KYMO_POINT_USER_EVENT, 0, 0, G_MAXUINT32 };

  if (which < 2)
    {
      point.activity = N_BLOCK_NAMES + which;
      if (which == 0)
        {
          point.kind = KYMO_POINT_BRACKET;
          point.end_ns = time + g_rand_int_range (rand, 0, 40);
        }
    }
  else
    {
      point.kind = KYMO_POINT_NOTE;
      point.text = g_strdup (note_texts[g_rand_int_range (rand, 0, 4)]);
    }
  kymo_segment_builder_point (builder, &point);
}

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, G_N_ELEMENTS (names));
  gint64 time = g_rand_int_range (rand, 0, 100);
  gint n = g_rand_int_range (rand, 0, 4) == 0 ? 2 : g_rand_int_range (rand, 50, 400);
  KymoRepairs repairs;
  KymoSegment *segment;
  guint depth = 0;

  kymo_segment_builder_touch (builder, time);
  for (gint i = 0; i < n; i++)
    {
      gint move = g_rand_int_range (rand, 0, 12);

      time += g_rand_int_range (rand, 0, 3) == 0 ? 0 : g_rand_int_range (rand, 0, 30);
      if (move < 5 && depth < 3)
        {
          kymo_segment_builder_begin_block (builder, time, g_rand_int_range (rand, 0,
                                            N_BLOCK_NAMES), 0, -1, 0, NULL);
          depth++;
        }
      else if (move < 9 && depth > 0)
        {
          kymo_segment_builder_end_block (builder, time);
          depth--;
        }
      else if (move >= 9)
        add_point (rand, builder, time);
    }
  kymo_segment_builder_touch (builder, time + 5);
  segment = kymo_segment_builder_seal (builder, n + 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

static KymoRun *
random_run (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    kymo_run_add_activity (run, i < N_BLOCK_NAMES ? KYMO_ACTIVITY_ENTRY : KYMO_ACTIVITY_EVENT, i,
                           names[i], NULL, NULL);
  for (guint i = 0; i < N_LOCATIONS; i++)
    {
      KymoLocation location = { .id = 10 + i, .label = g_strdup_printf ("PE %u", 10 + i),
                                .kept = TRUE };

      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = N_LOCATIONS;
  kymo_run_seal (run);
  return run;
}

/* -- brute force ---------------------------------------------------------- */

typedef struct
{
  gint64      begin_ns, end_ns;
  guint       location, is_point, index;
  const char *name;
} One;

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const One *x = a, *y = b;
  gint64 with[] = { x->begin_ns, x->location, x->is_point, x->index };
  gint64 to[] = { y->begin_ns, y->location, y->is_point, y->index };

  for (guint i = 0; i < G_N_ELEMENTS (with); i++)
    if (with[i] != to[i])
      return with[i] < to[i] ? -1 : 1;
  return 0;
}

static gboolean
has_part (const char *name,
          const char *part)
{
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && strstr (lower, part) != NULL;
}

static gboolean
is_in (const KymoRun *run,
       KymoSpan       span,
       gint64         time)
{
  return time >= span.begin_ns && (time < span.end_ns || span.end_ns >= run->span.end_ns);
}

static GArray *
all_matches (const KymoRun *run,
             KymoSpan       span,
             const char    *part)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (One));

  for (guint l = 0; l < run->segments->len; l++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);

      for (guint i = 0; i < segment->n_blocks; i++)
        {
          One one = { kymo_segment_block_begin (segment, i), kymo_segment_block_end (segment, i),
                      l, 0, i, names[segment->block_activity[i]] };

          if (is_in (run, span, one.begin_ns) && has_part (one.name, part))
            g_array_append_val (all, one);
        }
      for (guint i = 0; i < segment->points->len; i++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
          One one = { point->begin_ns, point->end_ns, l, 1, i,
                      point->activity != G_MAXUINT32 ? names[point->activity] : point->text };

          if (is_in (run, span, one.begin_ns) && has_part (one.name, part))
            g_array_append_val (all, one);
        }
    }
  g_array_sort (all, compare);
  return all;
}

static void
assert_is (KymoTable *table,
           guint      row,
           const One *one)
{
  g_assert_cmpint (kymo_table_get_int (table, "begin_ns", row), ==, one->begin_ns);
  g_assert_cmpint (kymo_table_get_int (table, "end_ns", row), ==, one->end_ns);
  g_assert_cmpint (kymo_table_get_int (table, "location", row), ==, 10 + one->location);
  g_assert_cmpstr (kymo_table_get_string (table, "name", row), ==, one->name);
}

/* Keywords and their values end with NULL. */
static KymoTable *
ask (KymoRun    *run,
     KymoSpan    span,
     guint       n_threads,
     const char *text,
     guint       columns,
     const char *first_key,
     ...)
{
  g_autoptr (KymoQuestion) question = kymo_question_new ("search");
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, n_threads);
  g_autoptr (GError) error = NULL;
  KymoTable *answer;
  va_list args;

  kymo_question_set_span (question, span);
  kymo_question_set (question, "text", text);
  kymo_question_set_resolution (question, columns, 0);
  va_start (args, first_key);
  for (const char *key = first_key; key != NULL; key = va_arg (args, const char *))
    kymo_question_set (question, key, va_arg (args, const char *));
  va_end (args);
  answer = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* Every count, the earliest ones, and each name's figures. */
static void
check_counts (KymoRun      *run,
              KymoSpan      span,
              const char   *part,
              const GArray *all,
              guint         n_threads)
{
  g_autoptr (KymoTable) answer = ask (run, span, n_threads, part, 7, "limit", "9", NULL);
  KymoTable *found = kymo_table_peek_nested (answer, "found", NULL);
  KymoTable *by_name = kymo_table_peek_nested (answer, "names", NULL);
  KymoSpan clipped = kymo_span_intersect (span, run->span);
  gint64 sum = 0, ticks[7] = { 0 };
  guint width;

  g_assert_cmpint (kymo_table_get_int (answer, "matches", 0), ==, all->len);
  g_assert_cmpuint (kymo_table_get_n_rows (found), ==, MIN (all->len, 9));
  for (guint i = 0; i < MIN (all->len, 9); i++)
    assert_is (found, i, &g_array_index (all, One, i));
  for (guint row = 0; row < kymo_table_get_n_rows (by_name); row++)
    {
      const char *name = kymo_table_get_string (by_name, "name", row);
      gint64 count = 0, longest = 0, shortest = G_MAXINT64, first = G_MAXINT64;

      for (guint i = 0; i < all->len; i++)
        {
          const One *one = &g_array_index (all, One, i);

          if (strcmp (one->name, name) != 0)
            continue;
          count++;
          longest = MAX (longest, one->end_ns - one->begin_ns);
          shortest = MIN (shortest, one->end_ns - one->begin_ns);
          first = MIN (first, one->begin_ns);
        }
      g_assert_cmpint (kymo_table_get_int (by_name, "count", row), ==, count);
      g_assert_cmpint (kymo_table_get_int (by_name, "longest_ns", row), ==, longest);
      g_assert_cmpint (kymo_table_get_int (by_name, "shortest_ns", row), ==, shortest);
      g_assert_cmpint (kymo_table_get_int (by_name, "first_ns", row), ==, first);
      sum += count;
    }
  g_assert_cmpint (sum, ==, all->len);
  for (guint i = 0; i < all->len; i++)
    {
      guint column = 6;

      while (column > 0 && kymo_span_edge (clipped, 7, column)
             > g_array_index (all, One, i).begin_ns)
        column--;
      ticks[column]++;
    }
  for (guint i = 0; i < 7; i++)
    g_assert_cmpint (kymo_table_peek_ints (answer, "ticks", &width)[i], ==, ticks[i]);
}

/* From each match to the next, and round again; back the same way. */
static void
check_steps (KymoRun      *run,
             const char   *part,
             const GArray *all,
             const char   *direction)
{
  g_autofree char *place = NULL;
  gboolean next = strcmp (direction, "next") == 0;

  for (guint step = 0; all->len > 0 && step < MIN (all->len + 2, 40); step++)
    {
      g_autoptr (KymoTable) answer = place == NULL
        ? ask (run, KYMO_SPAN_ALL, 2, part, 0, "direction", direction, "limit", "0", NULL)
        : ask (run, KYMO_SPAN_ALL, 2, part, 0, "direction", direction, "limit", "0", "place",
               place, NULL);
      KymoTable *one = kymo_table_peek_nested (answer, "next", NULL);
      guint at = next ? step % all->len : all->len - 1 - step % all->len;

      assert_is (one, 0, &g_array_index (all, One, at));
      g_assert_cmpint (kymo_table_get_int (answer, "number", 0), ==, at + 1);
      g_assert_cmpint (kymo_table_get_bool (answer, "wrapped", 0), ==,
                       step > 0 && step % all->len == 0);
      g_free (place);
      place = g_strdup (kymo_table_get_string (one, "place", 0));
    }
}

/* A column is marked where a piece of a wanted state, or a point, reaches into it. */
static void
check_marks (KymoRun    *run,
             KymoSpan    span,
             const char *part)
{
  enum { N = 23 };
  KymoSpan clipped = kymo_span_intersect (span, run->span);
  g_autoptr (KymoTable) answer = ask (run, span, 2, part, N, "marks", "1", NULL);
  KymoTable *marks = kymo_table_peek_nested (answer, "marks", NULL);
  gboolean told[N_LOCATIONS][N] = { { FALSE } };

  for (guint row = 0; row < kymo_table_get_n_rows (marks); row++)
    for (gint64 x = kymo_table_get_int (marks, "first", row);
         x <= kymo_table_get_int (marks, "last", row); x++)
      told[kymo_table_get_int (marks, "location", row) - 10][x] = TRUE;
  for (guint l = 0; l < N_LOCATIONS; l++)
    for (guint x = 0; x < N; x++)
      {
        const KymoSegment *segment = g_ptr_array_index (run->segments, l);
        gint64 from = kymo_span_edge (clipped, N, x), to = kymo_span_edge (clipped, N, x + 1);
        gboolean is = FALSE;

        for (guint i = 0; i < segment->n_pieces; i++)
          {
            gint64 begin = kymo_segment_piece_begin (segment, i);
            gint64 end = MAX (kymo_segment_piece_begin (segment, i + 1), begin + 1);

            is |= segment->piece_state[i] >= KYMO_STATE_ACTIVITY && begin < to && end > from
              && has_part (names[segment->piece_state[i] - KYMO_STATE_ACTIVITY], part);
          }
        for (guint i = 0; i < segment->points->len; i++)
          {
            const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
            gint64 end = MAX (point->end_ns, point->begin_ns + 1);

            is |= point->begin_ns < to && end > from
              && has_part (point->activity != G_MAXUINT32 ? names[point->activity]
                           : point->text, part);
          }
        g_assert_cmpint (told[l][x], ==, is);
      }
}

static void
test_random (void)
{
  static const char *const parts[] = { "force", "cell", "m", "nothing", "x" };

  for (guint32 seed = 1; seed <= 12; seed++)
    {
      g_autoptr (KymoRun) run = random_run (seed);
      KymoSpan middle = { run->span.begin_ns + 300, run->span.begin_ns + 1500 };

      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        {
          g_autoptr (GArray) all = all_matches (run, KYMO_SPAN_ALL, parts[i]);
          g_autoptr (GArray) some = all_matches (run, middle, parts[i]);

          check_counts (run, KYMO_SPAN_ALL, parts[i], all, 1);
          check_counts (run, KYMO_SPAN_ALL, parts[i], all, 3);
          check_counts (run, middle, parts[i], some, 2);
          check_marks (run, KYMO_SPAN_ALL, parts[i]);
          check_marks (run, middle, parts[i]);
          if (seed < 4)
            {
              check_steps (run, parts[i], all, "next");
              check_steps (run, parts[i], all, "previous");
            }
        }
    }
}

/* From a time alone, what begins there is the next one of a location after it. */
static void
test_regex_and_over (void)
{
  g_autoptr (KymoRun) run = random_run (5);
  g_autoptr (KymoTable) either = ask (run, KYMO_SPAN_ALL, 1, "^(cell::f|main)", 0, "regex", "1",
                                      NULL);
  g_autoptr (KymoTable) plain = ask (run, KYMO_SPAN_ALL, 1, "^(cell::f|main)", 0, NULL);
  g_autoptr (KymoTable) notes = ask (run, KYMO_SPAN_ALL, 1, "force", 0, "over", "notes", NULL);
  g_autoptr (GArray) force = all_matches (run, KYMO_SPAN_ALL, "cell::force");
  g_autoptr (GArray) done = all_matches (run, KYMO_SPAN_ALL, "main::done");

  g_assert_cmpint (kymo_table_get_int (either, "matches", 0), ==, force->len + done->len);
  g_assert_cmpint (kymo_table_get_int (plain, "matches", 0), ==, 0);
  g_assert_cmpint (kymo_table_get_int (notes, "blocks", 0), ==, 0);
  g_assert_cmpint (kymo_table_get_int (notes, "notes_found", 0), ==,
                   kymo_table_get_int (notes, "matches", 0));
}

static void
assert_refused (const char *key,
                const char *value,
                const char *part)
{
  g_autoptr (KymoRun) run = random_run (1);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 1);
  g_autoptr (KymoQuestion) question = kymo_question_new ("search");
  g_autoptr (GError) error = NULL;

  kymo_question_set (question, "regex", "1");
  kymo_question_set (question, "text", "a");
  kymo_question_set (question, key, value);
  g_assert_null (kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error));
  g_assert_error (error, KYMO_ERROR, KYMO_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  assert_refused ("text", "", "no text");
  assert_refused ("text", "f(", "“f(” is no regular expression: "
                  "missing terminating )");
  assert_refused ("over", "blocks,colours", "“colours” cannot be searched");
  assert_refused ("limit", "-1", "The limit must be");
}

static void
test_pattern (void)
{
  g_autoptr (KymoPattern) part = kymo_pattern_new ("GRÖSSE", FALSE, NULL);
  g_autoptr (KymoPattern) bad = kymo_pattern_new ("(a+)+$", TRUE, NULL);
  g_autofree char *many = g_strnfill (60, 'a');
  g_autofree char *long_text = g_strconcat (many, "b", NULL);
  gboolean gave_up = FALSE;

  g_assert_true (kymo_pattern_matches (part, "die größe", NULL));
  g_assert_false (kymo_pattern_matches (part, NULL, NULL));
  g_assert_false (kymo_pattern_matches (part, "gr\xf6sse", NULL));
  /* Too many steps: told, and no match. */
  g_assert_false (kymo_pattern_matches (bad, long_text, &gave_up));
  g_assert_true (kymo_pattern_matches (bad, many, NULL));
  g_assert_true (gave_up);
  g_assert_true (kymo_pattern_check (bad, FALSE, NULL));
  g_assert_false (kymo_pattern_check (bad, TRUE, NULL));
}

/* A hundred thousand notes for which the steps are not enough end soon all the same, and what
   is wrong with an expression is told without what is put before it. */
static void
test_pattern_bounded (void)
{
  g_autoptr (KymoPattern) bad = kymo_pattern_new ("(a+)+$", TRUE, NULL);
  g_autoptr (KymoPattern) looser = kymo_pattern_new ("(*LIMIT_MATCH=99999999)(a+)+$", TRUE, NULL);
  g_autofree char *many = g_strnfill (60, 'a');
  g_autofree char *long_text = g_strconcat (many, "b", NULL);
  g_autofree char *long_note = g_strnfill (20000, 'x');
  g_autoptr (KymoPattern) plain = kymo_pattern_new ("x.*x.*x$", TRUE, NULL);
  g_autoptr (GError) error = NULL, wrong = NULL;
  gint64 begin_us = g_get_monotonic_time ();
  gboolean gave_up = FALSE;

  for (guint i = 0; i < 100000; i++)
    g_assert_false (kymo_pattern_matches (bad, long_text, NULL));
  g_assert_true (kymo_pattern_is_spent (bad));
  g_assert_false (kymo_pattern_check (bad, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "too many steps"));
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 60 * G_USEC_PER_SEC);
  /* The limit cannot be lifted by who types the expression. */
  g_assert_false (kymo_pattern_matches (looser, long_text, &gave_up));
  g_assert_true (gave_up);
  /* Long notes and plain expressions are far from it. */
  g_assert_true (kymo_pattern_matches (plain, long_note, NULL));
  g_assert_true (kymo_pattern_check (plain, TRUE, NULL));
  g_assert_null (kymo_pattern_new ("f(", TRUE, &wrong));
  g_assert_null (strstr (wrong->message, "LIMIT"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/random", test_random);
  g_test_add_func ("/search/regex-and-over", test_regex_and_over);
  g_test_add_func ("/search/refused", test_refused);
  g_test_add_func ("/search/pattern", test_pattern);
  g_test_add_func ("/search/pattern-bounded", test_pattern_bounded);
  return g_test_run ();
}
