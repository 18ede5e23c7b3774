/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of a trace against a slow twin that looks at every pair of blocks: on
 * random runs with recursion, resumed calls, two activities of one name, hardware
 * counters and phases, for whole runs and ranges, for each kind of paths
 * (test-trace-profile-events.c has its lists of events, and which profiles are kept).
 */
#include "config.h"

#include <string.h>

#include "kymo-trace-profile.h"
#include "random-calls.h"

typedef struct
{
  double calls, subroutines, exclusive, inclusive, own_count, all_count;
} Figures;

static guint
depth_of (const KymoSegment *segment,
          guint              block)
{
  return segment->block_depth != NULL ? segment->block_depth[block] : 0;
}

/* The block that a block lies in; -1 = none. */
static gint
parent_of (const KymoSegment *segment,
           guint              block)
{
  for (gint i = (gint) block - 1; i >= 0; i--)
    if (depth_of (segment, i) < depth_of (segment, block))
      return i;
  return -1;
}

static gint64
clip (const KymoSegment *segment,
      guint              block,
      KymoSpan           span)
{
  return kymo_span_length (kymo_span_intersect (
    span, (KymoSpan) { kymo_segment_block_begin (segment, block),
                       kymo_segment_block_end (segment, block) }));
}

static const char *
name_of (const KymoSegment *segment,
         guint              block)
{
  return random_calls_names[segment->block_activity[block]];
}

static gboolean
is_phase (const KymoSegment *segment,
          guint              block)
{
  return segment->block_activity[block] == 2;
}

/* The name of the event that a block counts for; NULL = none. */
static char *
class_of (const KymoSegment             *segment,
          guint                          block,
          const KymoTraceProfileOptions *options,
          gboolean                       flat)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  const char *phase = NULL;
  GString *text;
  guint first = 0;

  if (flat)
    return g_strdup (name_of (segment, block));
  for (gint i = block; i >= 0; i = parent_of (segment, i))
    {
      g_ptr_array_insert (stack, 0, (gpointer) name_of (segment, i));
      if (i != (gint) block && phase == NULL
          && (is_phase (segment, i) || parent_of (segment, i) < 0))
        phase = name_of (segment, i);
    }
  if (options->by_phase)
    return phase != NULL ? g_strdup_printf ("%s => %s", phase, name_of (segment, block)) : NULL;
  if (options->depth > 0 ? stack->len > options->depth : stack->len < 2)
    return NULL;
  if (options->depth == 0 && stack->len > options->last)
    first = stack->len - options->last;
  text = g_string_new (NULL);
  for (guint i = first; i < stack->len; i++)
    g_string_append_printf (text, "%s%s", i > first ? " => " : "",
                            (char *) g_ptr_array_index (stack, i));
  return g_string_free (text, FALSE);
}

static Figures *
figures_at (GHashTable *table,
            const char *name)
{
  Figures *figures = g_hash_table_lookup (table, name);

  if (figures == NULL)
    {
      figures = g_new0 (Figures, 1);
      g_hash_table_insert (table, g_strdup (name), figures);
    }
  return figures;
}

static void
add_block (KymoSegment                   *segment,
           guint                          block,
           const KymoTraceProfileOptions *options,
           gboolean                       flat,
           GHashTable                    *table)
{
  g_autofree char *class = class_of (segment, block, options, flat);
  gint64 begin_ns = kymo_segment_block_begin (segment, block);
  gboolean counted = begin_ns >= options->span.begin_ns && begin_ns < options->count_end_ns;
  gboolean outermost = TRUE, known = segment->n_counters > 0;
  gint64 own = known ? segment->block_counters[block] : 0;
  Figures *figures;

  if (class == NULL)
    return;
  figures = figures_at (table, class);
  for (gint i = parent_of (segment, block); i >= 0; i = parent_of (segment, i))
    {
      g_autofree char *above = class_of (segment, i, options, flat);

      outermost &= g_strcmp0 (above, class) != 0;
    }
  figures->exclusive += clip (segment, block, options->span);
  figures->inclusive += outermost ? clip (segment, block, options->span) : 0;
  figures->calls += counted && kymo_segment_is_first (segment, block);
  for (guint i = block + 1; i < segment->n_blocks; i++)
    if (parent_of (segment, i) == (gint) block)
      {
        gint64 child_ns = kymo_segment_block_begin (segment, i);

        figures->exclusive -= clip (segment, i, options->span);
        figures->subroutines += child_ns >= options->span.begin_ns
          && child_ns < options->count_end_ns;
        if (!known || own == KYMO_NO_COUNT)
          continue;
        own = segment->block_counters[i] == KYMO_NO_COUNT ? KYMO_NO_COUNT
          : own - segment->block_counters[i];
      }
  if (!counted || !known)
    return;
  figures->own_count += own != KYMO_NO_COUNT ? own : 0;
  figures->all_count += segment->block_counters[block] != KYMO_NO_COUNT && outermost
    ? segment->block_counters[block] : 0;
}

static gboolean
is_zero (const Figures *figures)
{
  return figures->calls == 0 && figures->subroutines == 0 && figures->exclusive == 0
    && figures->inclusive == 0 && figures->own_count == 0 && figures->all_count == 0;
}

static GHashTable *
brute_force (KymoSegment                   *segment,
             const KymoTraceProfileOptions *options,
             gboolean                       flat)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < segment->n_blocks; i++)
    add_block (segment, i, options, flat, table);
  return table;
}

/* -- comparing -------------------------------------------------------------- */

static void
check_row (const KymoProfileData  *data,
           guint64                 row,
           const KymoProfileEvent *event,
           GHashTable             *expected,
           gboolean                counted)
{
  const Figures *figures = g_hash_table_lookup (expected, event->name);
  const double *values = data->values + row * data->metrics->len * 2;

  g_assert_nonnull (figures);
  g_assert_cmpfloat (data->calls[row], ==, figures->calls);
  g_assert_cmpfloat (data->subroutines[row], ==, figures->subroutines);
  g_assert_cmpfloat (values[0], ==, figures->exclusive);
  g_assert_cmpfloat (values[1], ==, figures->inclusive);
  if (counted)
    {
      g_assert_cmpfloat (values[2], ==, figures->own_count);
      g_assert_cmpfloat (values[3], ==, figures->all_count);
    }
}

static guint
count_rows (GHashTable *table)
{
  GHashTableIter iter;
  gpointer figures;
  guint n = 0;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, NULL, &figures))
    n += !is_zero (figures);
  return n;
}

static void
check_location (const KymoRun                 *run,
                const KymoProfileData         *data,
                const KymoTraceProfileOptions *options,
                guint                          location)
{
  KymoSegment *segment = g_ptr_array_index (run->segments, location);
  g_autoptr (GHashTable) flat = brute_force (segment, options, TRUE);
  g_autoptr (GHashTable) paths = brute_force (segment, options, FALSE);
  guint states = KYMO_PROFILE_IDLE | KYMO_PROFILE_OVERHEAD | KYMO_PROFILE_UNTRACED;
  gboolean has_paths = options->by_phase || options->depth > 0 || options->last > 1;
  guint n_flat = 0, n_paths = 0;
  double sum = 0;

  for (guint64 r = data->first[location]; r < data->first[location + 1]; r++)
    {
      const KymoProfileEvent *event = &g_array_index (data->events, KymoProfileEvent,
                                                      data->event[r]);
      gboolean is_path = event->flags & KYMO_PROFILE_PATH;

      g_assert_true (r == data->first[location] || data->event[r - 1] < data->event[r]);
      if (!is_path)
        sum += data->values[r * data->metrics->len * 2];
      if (event->flags & states)
        continue;
      check_row (data, r, event, is_path ? paths : flat, segment->n_counters > 0);
      n_flat += !is_path;
      n_paths += is_path;
    }
  g_assert_cmpuint (n_flat, ==, count_rows (flat));
  g_assert_cmpuint (n_paths, ==, has_paths ? count_rows (paths) : 0);
  g_assert_cmpfloat (sum, ==,
                     kymo_span_length (kymo_span_intersect (options->span, segment->span)));
}

static void
check_profile (const KymoRun                 *run,
               const KymoTraceProfileOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoProfileData) data = kymo_trace_profile_new (run, options, 3, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (data->n_locations, ==, run->locations->len);
  for (guint l = 0; l < run->locations->len; l++)
    check_location (run, data, options, l);
}

static void
check_range (const KymoRun *run,
             KymoSpan       span,
             gint64         count_end_ns)
{
  const KymoTraceProfileOptions all[] = {
    { span, count_end_ns }, { span, count_end_ns, .last = 2 }, { span, count_end_ns, .last = 3 },
    { span, count_end_ns, .depth = 3 }, { span, count_end_ns, .depth = G_MAXUINT },
    { span, count_end_ns, .by_phase = TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    check_profile (run, &all[i]);
}

static void
test_brute_force (void)
{
  for (guint seed = 0; seed < RANDOM_CALLS_N_RUNS; seed++)
    {
      g_autoptr (KymoRun) run = random_calls_run (seed, TRUE);
      gint64 length = kymo_span_length (run->span);

      check_range (run, run->span, G_MAXINT64);
      check_range (run, (KymoSpan) { run->span.begin_ns + length / 3,
                                     run->span.begin_ns + length / 2 },
                   run->span.begin_ns + length / 2);
    }
}

/* -- marked phases ---------------------------------------------------------- */

/* Rows of a profile by phase that lie below one: against what the slow twin finds in the
   same time. */
static void
check_phase (const KymoRun         *run,
             const KymoProfileData *data,
             guint                  location,
             gint64                 phase,
             KymoSpan               span)
{
  gboolean to_end = span.end_ns == run->span.end_ns;
  KymoTraceProfileOptions options = { span, to_end ? G_MAXINT64 : span.end_ns };
  KymoSegment *segment = g_ptr_array_index (run->segments, location);
  g_autoptr (GHashTable) expected = brute_force (segment, &options, TRUE);
  g_autofree char *begin = g_strdup_printf ("Phase %" G_GINT64_FORMAT " => ", phase);
  guint states = KYMO_PROFILE_IDLE | KYMO_PROFILE_OVERHEAD | KYMO_PROFILE_UNTRACED, n = 0;

  for (guint64 r = data->first[location]; r < data->first[location + 1]; r++)
    {
      KymoProfileEvent event = g_array_index (data->events, KymoProfileEvent, data->event[r]);

      if (!(event.flags & KYMO_PROFILE_PATH) || (event.flags & states)
          || !g_str_has_prefix (event.name, begin))
        continue;
      event.name += strlen (begin);
      check_row (data, r, &event, expected, segment->n_counters > 0);
      n++;
    }
  g_assert_cmpuint (n, ==, kymo_span_length (span) > 0 ? count_rows (expected) : 0);
}

/* Where each location ends its phases itself; one that marks none, where the last of the
   others does. */
static void
check_marked (const KymoRun *run)
{
  KymoTraceProfileOptions options = { run->span, G_MAXINT64, .by_phase = TRUE };
  g_autoptr (KymoProfileData) data = kymo_trace_profile_new (run, &options, 2, NULL, NULL);
  g_autoptr (GArray) last = g_array_new (FALSE, TRUE, sizeof (gint64));
  gint64 begin_ns = run->span.begin_ns;

  for (guint l = 0; l < run->locations->len; l++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, l);
      gint64 from_ns = run->span.begin_ns;

      for (guint i = 0; i < segment->points->len; i++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

          if (point->kind != KYMO_POINT_PHASE)
            continue;
          check_phase (run, data, l, point->id, (KymoSpan) { from_ns, point->begin_ns });
          from_ns = point->begin_ns;
          g_array_set_size (last, MAX (last->len, (guint) point->id));
          g_array_index (last, gint64, point->id - 1) =
            MAX (g_array_index (last, gint64, point->id - 1), from_ns);
        }
    }
  for (guint i = 0; i < last->len; i++)
    {
      gint64 end_ns = MAX (g_array_index (last, gint64, i), begin_ns);

      check_phase (run, data, 0, i + 1, (KymoSpan) { begin_ns, end_ns });
      begin_ns = end_ns;
    }
}

static void
test_marks (void)
{
  for (guint seed = 0; seed < RANDOM_CALLS_N_RUNS; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (KymoRun) run = random_calls_new (4);
      gboolean counted = seed % 3 == 0;

      if (counted)
        g_ptr_array_add (run->metrics, g_strdup ("PAPI_FP_OPS"));
      for (guint i = 0; i < 4; i++)
        random_calls_add (run, i, random_calls_segment (random, i, counted, 150, i == 0 ? 0 : 20));
      kymo_run_seal (run);
      check_marked (run);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-profile/brute-force", test_brute_force);
  g_test_add_func ("/trace-profile/marks", test_marks);
  return g_test_run ();
}
