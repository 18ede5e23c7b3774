/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "made-runs.h"

#include <string.h>

#include "kymo-run-source.h"
#include "kymo-segment-builder.h"

const char *const made_names[MADE_N_NAMES] =
  { "Cell::step", "Cell::send", "Main::done", "Cell::step", "Grid::fill", "Tree::walk" };

/* Activities of a run have ids and an order of their own; "Cell::step" is there
   twice, overloaded. */
static KymoRun *
new_run (guint first)
{
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("hand");
  run->title = g_strdup_printf ("run %u", first);
  for (guint i = 0; i < MADE_ACTIVITIES; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, 7 + i,
                           made_names[(first + i) % MADE_N_NAMES], NULL, "");
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
  else if (from == MADE_IDLE)
    kymo_segment_builder_set_idle (builder, time_ns, FALSE);
  else if (from == MADE_UNTRACED)
    kymo_segment_builder_set_traced (builder, time_ns, TRUE);
  if (to >= 0)
    kymo_segment_builder_begin_block (builder, time_ns, (guint32) to, 0, -1, 0, NULL);
  else if (to == MADE_IDLE)
    kymo_segment_builder_set_idle (builder, time_ns, TRUE);
  else if (to == MADE_UNTRACED)
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
  KymoSegmentBuilder *builder = kymo_segment_builder_new (id, MADE_ACTIVITIES);
  KymoLocation location = { .id = id, .label = g_strdup_printf ("PE %u", id), .process = id,
                            .kept = TRUE };
  KymoRepairs repairs;

  kymo_segment_builder_touch (builder, begin_ns);
  for (gint64 t = 0; t < length_ns; t++)
    if (t == 0 || does[t] != does[t - 1])
      change (builder, begin_ns + t, t == 0 ? MADE_NOTHING : does[t - 1], does[t]);
  change (builder, begin_ns + length_ns, does[length_ns - 1], MADE_NOTHING);
  kymo_segment_builder_touch (builder, begin_ns + length_ns);
  kymo_run_add_location (run, &location,
                         kymo_segment_builder_seal (builder, length_ns, FALSE, &repairs));
  kymo_segment_builder_free (builder);
}

void
made_clear (Made *made)
{
  g_clear_object (&made->source);
}

static void
made_finish (Made *made)
{
  KymoRun *run = new_run (made->first);

  for (guint i = 0; i < made->n_locations; i++)
    add_location (run, made->does[i], made->begin_ns, made->length_ns);
  kymo_run_seal (run);
  made->source = KYMO_SOURCE (kymo_run_source_new (run, 2));
  kymo_run_unref (run);
}

void
made_random (Made  *made,
             GRand *rand)
{
  made->first = g_rand_int_range (rand, 0, MADE_N_NAMES);
  made->n_locations = g_rand_int_range (rand, 1, 5);
  made->begin_ns = g_rand_int_range (rand, -50, 1000);
  made->length_ns = g_rand_int_range (rand, 20, MADE_LENGTH_NS);
  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0, end = 0, does = 0; t < made->length_ns; t++)
      {
        if (t == end)
          {
            does = g_rand_int_range (rand, MADE_UNTRACED, MADE_ACTIVITIES);
            end = t + g_rand_int_range (rand, 1, 40);
          }
        made->does[i][t] = does;
      }
  made_finish (made);
}

/* One location that does the same all the time. */
void
made_busy (Made   *made,
           gint64  length_ns)
{
  made->n_locations = 1;
  made->length_ns = length_ns;
  made_finish (made);
}

KymoComparison *
made_compare (Made        *made,
         const guint *sides,
         guint        n)
{
  g_autofree KymoSource **sources = g_new (KymoSource *, n);

  for (guint i = 0; i < n; i++)
    sources[i] = made[i].source;
  return kymo_comparison_new (sources, sides, n);
}

KymoTable *
made_ask (KymoComparison *comparison,
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

KymoTable *
made_list (const KymoTable *answer,
         const char      *name)
{
  KymoTable *list = kymo_table_peek_nested (answer, name, NULL);

  g_assert_nonnull (list);
  return list;
}

gint
made_row (const KymoTable *list,
          const char      *name)
{
  for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
    if (g_strcmp0 (kymo_table_get_string (list, "name", i), name) == 0)
      return i;
  return -1;
}

gint64
made_value (const KymoTable *list,
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

const char *
made_name_of (const Made *made,
               int         does)
{
  return does >= 0 ? made_names[(made->first + does) % MADE_N_NAMES]
    : does == MADE_IDLE ? "Idle" : does == MADE_UNTRACED ? "Untraced" : "Overhead";
}

/* Nanoseconds of a name in a range of the run's time, counted one by one. */
gint64
made_count_ns (const Made *made,
          const char *name,
          KymoSpan    span)
{
  gint64 n = 0;

  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0; t < made->length_ns; t++)
      n += made->begin_ns + t >= span.begin_ns && made->begin_ns + t < span.end_ns
        && strcmp (made_name_of (made, made->does[i][t]), name) == 0;
  return n;
}

gint64
made_count_calls (const Made *made,
             const char *name,
             KymoSpan    span)
{
  gint64 n = 0;

  for (guint i = 0; i < made->n_locations; i++)
    for (gint64 t = 0; t < made->length_ns; t++)
      n += made->begin_ns + t >= span.begin_ns && made->begin_ns + t < span.end_ns
        && (t == 0 || made->does[i][t] != made->does[i][t - 1]) && made->does[i][t] >= 0
        && strcmp (made_name_of (made, made->does[i][t]), name) == 0;
  return n;
}

KymoSpan
made_moved (KymoSpan span,
       gint64   by_ns)
{
  return kymo_span_is_all (span) ? span
    : (KymoSpan) { span.begin_ns + by_ns, span.end_ns + by_ns };
}

/** made_check_sums: what parts of a comparison differ by adds up to what the whole differs by */
void
made_check_sums (KymoTable *answer)
{
  static const char *const parts[] = { "busy", "idle", "overhead", "untraced" };
  KymoTable *totals = made_list (answer, "totals");
  guint n_sides = kymo_table_get_n_rows (made_list (answer, "sides"));
  gint64 whole = kymo_table_get_int (totals, "difference_ns", made_row (totals, "span"));

  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    whole -= kymo_table_get_int (totals, "difference_ns", made_row (totals, parts[k]));
  g_assert_cmpint (whole, ==, 0);
  for (guint side = 0; side < n_sides; side++)
    {
      KymoTable *list = made_list (answer, "activities");
      gint64 span = made_value (totals, "total_ns", made_row (totals, "span"), side);

      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        span -= made_value (totals, "total_ns", made_row (totals, parts[k]), side);
      g_assert_cmpint (span, ==, 0);
      span = made_value (totals, "total_ns", made_row (totals, "span"), side);
      for (guint i = 0; i < kymo_table_get_n_rows (list); i++)
        span -= made_value (list, "exclusive_ns", i, side);
      g_assert_cmpint (span, ==, 0);
    }
}
