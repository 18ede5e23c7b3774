/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of segments against their slow twin, the walk over the columns:
 * on random segments with nested blocks, recursion, resumed calls, brackets,
 * stretches and counters; in memory and out of a file.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kymo-profile.h"
#include "kymo-run-source.h"
#include "kymo-segment-builder.h"
#include "kymo-segment-file.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-totals.h"

#define N_ENTRIES 5
#define N_EVENTS 2
#define N_METRICS 2
#define N_RUNS 40

static const guint8 key[KYMO_SEGMENT_KEY_BYTES] = "totals";

static void
add_bracket (KymoSegmentBuilder *b,
             GRand              *random,
             gint64              t)
{
  KymoPoint point = { t, t + g_rand_int_range (random, 0, 300), KYMO_POINT_BRACKET, 0, 0,
                      N_ENTRIES + g_rand_int_range (random, 0, N_EVENTS), 7 };

  if (g_rand_int_range (random, 0, 4) == 0)
    point = (KymoPoint) { .begin_ns = t, .end_ns = t, .kind = KYMO_POINT_NOTE,
                          .activity = G_MAXUINT32, .id = 1, .text = g_strdup ("note") };
  kymo_segment_builder_point (b, &point);
}

static void
begin_block (KymoSegmentBuilder *b,
             GRand              *random,
             gint64              t,
             gint64             *totals)
{
  KymoObject object = { { g_rand_int_range (random, 0, 2) }, 1 };

  kymo_segment_builder_begin_block (b, t, g_rand_int_range (random, 0, N_ENTRIES),
                                    g_rand_int_range (random, 0, 2),
                                    g_rand_int_range (random, -1, 12), 8,
                                    g_rand_boolean (random) ? &object : NULL);
  if (totals == NULL)
    return;
  kymo_segment_builder_begin_counters (b, totals);
  totals[0] += g_rand_int_range (random, 0, 1000);
  totals[1] += g_rand_int_range (random, -1, 1000);
}

static KymoSegment *
make_segment (GRand    *random,
              guint     location,
              gboolean  nests,
              gboolean  counted)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (location, N_ENTRIES + N_EVENTS);
  gint64 t = g_rand_int_range (random, 0, 500), totals[N_METRICS] = { 5, 9 };
  guint depth = 0, n = g_rand_int_range (random, 0, 400);
  KymoRepairs repairs;
  KymoSegment *segment;

  if (counted)
    kymo_segment_builder_set_n_counters (b, N_METRICS);
  kymo_segment_builder_touch (b, t);
  for (guint i = 0; i < n; i++)
    {
      guint what = g_rand_int_range (random, 0, 10);

      t += g_rand_int_range (random, 0, 40);
      kymo_segment_builder_touch (b, t);
      if (what < 4 && depth < (nests ? 4 : 1))
        {
          begin_block (b, random, t, counted ? totals : NULL);
          depth++;
        }
      else if (what < 7 && depth > 0)
        {
          if (counted)
            kymo_segment_builder_end_counters (b, totals);
          kymo_segment_builder_end_block (b, t);
          depth--;
        }
      else if (what == 7)
        add_bracket (b, random, t);
      else if (what == 8)
        kymo_segment_builder_begin_stretch (b, g_rand_int_range (random, 0, 3), t);
      else
        kymo_segment_builder_end_stretch (b, g_rand_int_range (random, 0, 3), t);
    }
  segment = kymo_segment_builder_seal (b, n, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

static KymoRun *
make_run (guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();
  gboolean counted = seed % 3 == 0;
  guint n = g_rand_int_range (random, 1, 6);

  run->title = g_strdup ("random");
  run->format = g_strdup ("hand");
  run->n_locations_original = n;
  for (guint i = 0; counted && i < N_METRICS; i++)
    g_ptr_array_add (run->metrics, g_strdup_printf ("PAPI_%u", i));
  for (guint i = 0; i < N_ENTRIES + N_EVENTS; i++)
    {
      g_autofree char *name = g_strdup_printf ("A::a%u", i);

      kymo_run_add_activity (run, i < N_ENTRIES ? KYMO_ACTIVITY_ENTRY : KYMO_ACTIVITY_EVENT, i,
                             name, NULL, "group");
    }
  for (guint i = 0; i < n; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (run, &location, make_segment (random, i, seed % 2, counted));
    }
  kymo_run_seal (run);
  return run;
}

static KymoRun *
keep (const KymoRun *run,
      GByteArray    *change)
{
  g_autoptr (GError) error = NULL;
  int fd = memfd_create ("totals", MFD_CLOEXEC);
  KymoRun *back;

  if (change == NULL || change->len == 0)
    g_assert_true (kymo_segment_file_write (run, key, fd, NULL, &error));
  else
    g_assert_cmpint (write (fd, change->data, change->len), ==, change->len);
  if (change != NULL && change->len == 0)
    {
      g_byte_array_set_size (change, lseek (fd, 0, SEEK_END));
      g_assert_cmpint (pread (fd, change->data, change->len, 0), ==, change->len);
    }
  back = kymo_segment_file_read (fd, key, 0, NULL, NULL, NULL, &error);
  close (fd);
  return back;
}

/* All that an ask tells to the functions of the profile. */
static void
ask_of_run (KymoAsk *ask,
            KymoRun *run)
{
  *ask = (KymoAsk) { .run = run, .span = run->span, .n_locations = run->locations->len,
                     .n_states = KYMO_STATE_ACTIVITY + run->activities->len };
  ask->row_of = g_new (gint, ask->n_locations);
  for (guint i = 0; i < ask->n_locations; i++)
    ask->row_of[i] = i;
}

static void
assert_same_states (const KymoProfileState *a,
                    const KymoProfileState *b,
                    const gint64           *blocks_a,
                    const gint64           *blocks_b)
{
  gsize n = (gsize) a->n_states * a->n_metrics;

  for (guint i = 0; i < a->n_states; i++)
    {
      const KymoActivitySums *x = &a->activities[i], *y = &b->activities[i];

      g_assert_cmpint (x->blocks, ==, y->blocks);
      g_assert_cmpint (x->calls, ==, y->calls);
      g_assert_cmpint (x->inclusive_ns, ==, y->inclusive_ns);
      g_assert_cmpint (x->exclusive_ns, ==, y->exclusive_ns);
      g_assert_cmpint (x->length_ns, ==, y->length_ns);
      g_assert_cmpint (x->shortest_ns, ==, y->shortest_ns);
      g_assert_cmpint (x->longest_ns, ==, y->longest_ns);
      g_assert_cmpint (x->longest_begin_ns, ==, y->longest_begin_ns);
      g_assert_cmpint (x->longest_location, ==, y->longest_location);
    }
  g_assert_cmpmem (a->stretch_ns, sizeof a->stretch_ns, b->stretch_ns, sizeof b->stretch_ns);
  g_assert_cmpmem (a->counters, 8 * n, b->counters, 8 * n);
  g_assert_cmpmem (a->counted, 8 * n, b->counted, 8 * n);
  g_assert_cmpmem (blocks_a, 8 * a->n_states, blocks_b, 8 * b->n_states);
}

/* Returns how many blocks there were. */
static gint64
compare_with_walk (KymoRun *run,
                   guint   *n_taken)
{
  KymoAsk ask;
  KymoProfileState *walked, *taken;
  g_autofree gint64 *blocks_walked = NULL, *blocks_taken = NULL;
  gint64 n = 0;

  ask_of_run (&ask, run);
  walked = kymo_profile_state_new (&ask, FALSE);
  taken = kymo_profile_state_new (&ask, FALSE);
  blocks_walked = g_new0 (gint64, ask.n_states);
  blocks_taken = g_new0 (gint64, ask.n_states);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if (!kymo_ask_takes_totals (&ask, segment))
        continue;
      (*n_taken)++;
      kymo_profile_add_totals (&ask, taken, segment, blocks_taken);
      g_assert_true (kymo_segment_use (segment, KYMO_PARTS_ALL));
      kymo_profile_walk (&ask, walked, segment, blocks_walked);
      n += segment->n_blocks;
    }
  assert_same_states (walked, taken, blocks_walked, blocks_taken);
  kymo_profile_state_free (walked);
  kymo_profile_state_free (taken);
  g_free (ask.row_of);
  return n;
}

static void
test_walk (void)
{
  gint64 n_blocks = 0;
  guint n_taken = 0;

  for (guint seed = 0; seed < N_RUNS; seed++)
    {
      g_autoptr (KymoRun) run = make_run (seed);
      g_autoptr (KymoRun) kept = keep (run, NULL);

      g_assert_nonnull (kept);
      n_blocks += compare_with_walk (run, &n_taken);
      compare_with_walk (kept, &n_taken);
    }
  g_assert_cmpint (n_blocks, >, 2000);
  g_assert_cmpuint (n_taken, >, N_RUNS);
}

static char *
answer (KymoRun    *run,
        const char *kind,
        KymoSpan    span)
{
  g_autoptr (KymoQuestion) question = kymo_question_new (kind);
  g_autoptr (KymoRunSource) source = kymo_run_source_new (run, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoTable) table = NULL;
  GString *out = g_string_new (NULL);

  kymo_question_set_span (question, span);
  kymo_question_set (question, "per-location", "true");
  table = kymo_source_ask (KYMO_SOURCE (source), question, NULL, &error);
  g_assert_no_error (error);
  kymo_table_write_json (table, out);
  return g_string_free (out, FALSE);
}

static guint
count_parts_used (const KymoRun *run)
{
  guint n = 0;

  for (guint i = 0; i < run->segments->len; i++)
    for (guint k = 0; k < KYMO_N_PARTS; k++)
      n += ((KymoSegment *) g_ptr_array_index (run->segments, i))->used_once[k] != 0;
  return n;
}

/* Of the whole run no column is read; of a part the same as from memory. */
static void
test_columns_unread (void)
{
  static const char *const kinds[] = { "profile", "usage", "info" };

  for (guint seed = 0; seed < N_RUNS; seed++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        g_autoptr (KymoRun) run = make_run (seed);
        g_autoptr (KymoRun) kept = keep (run, NULL);
        KymoSpan part = { run->span.begin_ns + kymo_span_length (run->span) / 3,
                          run->span.end_ns - kymo_span_length (run->span) / 5 };
        g_autofree char *whole = answer (run, kinds[i], run->span);
        g_autofree char *whole_kept = answer (kept, kinds[i], run->span);
        g_autofree char *some = NULL, *some_kept = NULL;
        KymoAsk ask;
        guint n_taken = 0;

        g_assert_cmpstr (whole, ==, whole_kept);
        ask_of_run (&ask, kept);
        for (guint k = 0; k < kept->segments->len; k++)
          n_taken += kymo_ask_takes_totals (&ask, g_ptr_array_index (kept->segments, k));
        g_free (ask.row_of);
        if (n_taken == kept->segments->len || i > 0)
          g_assert_cmpuint (count_parts_used (kept), ==, 0);
        some = answer (run, kinds[i], part);
        some_kept = answer (kept, kinds[i], part);
        g_assert_cmpstr (some, ==, some_kept);
      }
}

/* One number of the sections becomes `value`, all hashes are right. */
static void
assert_refused (gsize  section,
                gsize  place,
                gint64 value)
{
  g_autoptr (KymoRun) run = make_run (3);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (KymoRun) good = keep (run, bytes);
  g_autoptr (KymoRun) bad = NULL;
  KymoSegmentHeader *header = (gpointer) bytes->data;
  KymoSegmentPlace *at = G_STRUCT_MEMBER_P (header, section);

  g_assert_nonnull (good);
  g_assert_cmpuint (place + 8, <=, at->n_bytes);
  *(gint64 *) (gpointer) (bytes->data + at->offset + place) = value;
  at->hash = kymo_hash_of (bytes->data + at->offset, kymo_segment_aligned (at->n_bytes));
  header->hash = 0;
  header->hash = kymo_hash_of (header, sizeof *header);
  bad = keep (run, bytes);
  g_assert_null (bad);
}

#define OF(type, member) G_STRUCT_OFFSET (type, member)

static void
test_deceit (void)
{
  gsize totals = OF (KymoSegmentHeader, totals);
  gsize activities = OF (KymoSegmentHeader, activity_totals);
  gsize counters = OF (KymoSegmentHeader, counter_totals);

  assert_refused (totals, OF (KymoStoredTotals, reach_begin_ns), G_MAXINT64);
  assert_refused (totals, OF (KymoStoredTotals, reach_begin_ns), G_MININT64);
  assert_refused (totals, OF (KymoStoredTotals, reach_end_ns), -1);
  assert_refused (totals, OF (KymoStoredTotals, stretch_ns), -1);
  assert_refused (totals, OF (KymoStoredTotals, n_activities), 1 << 30);
  assert_refused (totals, OF (KymoStoredTotals, n_activities), -1);
  assert_refused (totals, OF (KymoStoredTotals, n_activities), 0);
  assert_refused (activities, OF (KymoActivityTotal, state), 0);
  assert_refused (activities, OF (KymoActivityTotal, state), 99);
  assert_refused (activities, sizeof (KymoActivityTotal), KYMO_STATE_ACTIVITY);
  assert_refused (activities, OF (KymoActivityTotal, blocks), -1);
  assert_refused (activities, OF (KymoActivityTotal, blocks), G_MAXINT64);
  assert_refused (activities, OF (KymoActivityTotal, blocks), 0);
  assert_refused (activities, OF (KymoActivityTotal, calls), G_MAXINT64);
  assert_refused (activities, OF (KymoActivityTotal, brackets), 1 << 20);
  assert_refused (activities, OF (KymoActivityTotal, inclusive_ns), -1);
  assert_refused (activities, OF (KymoActivityTotal, longest_ns), -1);
  assert_refused (activities, OF (KymoActivityTotal, longest_begin_ns), G_MAXINT64);
  assert_refused (activities, OF (KymoActivityTotal, shortest_ns), -1);
  assert_refused (activities, OF (KymoActivityTotal, shortest_ns), G_MAXINT64);
  assert_refused (activities, OF (KymoActivityTotal, length_ns), -1);
  assert_refused (counters, OF (KymoCounterTotal, counted), -1);
  assert_refused (counters, OF (KymoCounterTotal, counted), G_MAXINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/totals/walk", test_walk);
  g_test_add_func ("/totals/columns-unread", test_columns_unread);
  g_test_add_func ("/totals/deceit", test_deceit);
  return g_test_run ();
}
