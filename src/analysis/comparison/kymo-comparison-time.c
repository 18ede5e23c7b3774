/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare-time-profile: time by activity in bins, A's and another side's, what they
 * differ by, and with repeats how much of that is noise. In shared time every run is
 * asked for the same bins, moved by its offset; in own time for as many of its own range.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-comparison-time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-id-weights.h"

#define DEFAULT_BINS 100
#define MOST_BINS 10000

static void
series_free (gpointer data)
{
  KymoTimeSeries *series = data;

  g_free (series->key);
  g_free (series->kind);
  g_free (series->role);
  g_free (series->now);
  g_free (series->noise);
  g_free (series->noise_rows);
  for (guint which = 0; which < 2; which++)
    {
      g_free (series->sum[which]);
      g_free (series->mean[which]);
      g_free (series->m2[which]);
      g_free (series->share_mean[which]);
      g_free (series->share_m2[which]);
    }
  g_free (series);
}

/* -- ranges ------------------------------------------------------------------- */

static gint64
moved_comparison_time (gint64 time_ns,
                       gint64 by_ns)
{
  return kymo_saturating_add (time_ns, by_ns);
}

/* The part of the run that is asked for. */
static KymoSpan
own_range (const KymoCompared *compared,
           guint               run)
{
  return kymo_span_intersect (compared->asked[run], kymo_source_get_span (
    kymo_comparison_peek_run (compared->comparison, run)));
}

/* In shared time from the first begin to the last end of the asked ranges; of phases and regions,
   which begin together only if runs were aligned so, each from its own begin. */
static void
find_shared (KymoTimeWork *work)
{
  KymoCompared *compared = work->compared;
  gboolean phases = kymo_question_get (compared->question, "phase") != NULL
    || kymo_question_get (compared->question, "region") != NULL;
  KymoSpan all = { G_MAXINT64, G_MININT64 };
  gint64 longest_ns = 0;

  for (guint i = 0; i < compared->n_runs; i++)
    {
      KymoSpan own = own_range (compared, i);

      longest_ns = MAX (longest_ns, kymo_span_length (own));
      if (kymo_span_length (own) == 0)
        continue;
      all.begin_ns = MIN (all.begin_ns, moved_comparison_time (own.begin_ns,
                                                               -compared->offset_ns[i]));
      all.end_ns = MAX (all.end_ns, moved_comparison_time (own.end_ns, -compared->offset_ns[i]));
    }
  if (phases)
    {
      all.begin_ns = moved_comparison_time (compared->asked[0].begin_ns, -compared->offset_ns[0]);
      all.end_ns = moved_comparison_time (all.begin_ns, longest_ns);
      for (guint i = 0; i < compared->n_runs; i++)
        compared->asked[i].end_ns = moved_comparison_time (compared->asked[i].begin_ns, longest_ns);
    }
  if (all.begin_ns >= all.end_ns)
    all = (KymoSpan) { 0, 0 };
  for (guint i = 0; i < compared->n_runs && !phases; i++)
    compared->asked[i] = (KymoSpan) { moved_comparison_time (all.begin_ns, compared->offset_ns[i]),
                                      moved_comparison_time (all.end_ns, compared->offset_ns[i]) };
  work->shared = all;
}

/* -- figures ------------------------------------------------------------------ */

static KymoTimeSeries *
series_new (const KymoTimeWork *work,
            const char         *kind)
{
  KymoTimeSeries *series = g_new0 (KymoTimeSeries, 1);

  series->kind = g_strdup (kind);
  series->now = g_new0 (gint64, work->n_bins);
  for (guint which = 0; which < 2; which++)
    {
      series->sum[which] = g_new0 (gint64, work->n_bins);
      if (!work->has_noise)
        continue;
      series->mean[which] = g_new0 (double, work->n_bins);
      series->m2[which] = g_new0 (double, work->n_bins);
      if (!work->own)
        continue;
      series->share_mean[which] = g_new0 (double, work->n_bins);
      series->share_m2[which] = g_new0 (double, work->n_bins);
    }
  return series;
}

static KymoTimeSeries *
series_of (KymoTimeWork *work,
           char          letter,
           const char   *name,
           const char   *kind)
{
  g_autofree char *key = g_strdup_printf ("%c%s", letter, name);
  KymoTimeSeries *series = g_hash_table_lookup (work->series, key);

  if (series != NULL)
    return series;
  series = series_new (work, kind);
  series->key = g_steal_pointer (&key);
  g_hash_table_insert (work->series, series->key, series);
  return series;
}

static void
add_bins (const KymoTimeWork *work,
          KymoTimeSeries     *series,
          const gint64       *ns,
          guint               n)
{
  for (guint i = 0; ns != NULL && i < MIN (n, work->n_bins); i++)
    series->now[i] = kymo_saturating_add (series->now[i], ns[i]);
}

/* Adds the time profile of a name in a run to the sums of its side. */
static void
fold_comparison_time (const KymoTimeWork *work,
                      KymoTimeSeries     *series,
                      guint               which)
{
  for (guint i = 0; i < work->n_bins; i++)
    {
      gint64 ns = series->now[i];

      series->now[i] = 0;
      series->sum[which][i] = kymo_saturating_add (series->sum[which][i], ns);
      if (work->has_noise)
        kymo_noise_add (&series->mean[which][i], &series->m2[which][i], (double) ns,
                        work->n[which]);
      if (work->has_noise && work->own)
        kymo_noise_add (&series->share_mean[which][i], &series->share_m2[which][i],
                        (double) ns / work->bin_ns, work->n[which]);
    }
}

static void
fold_all (KymoTimeWork *work,
          guint         which)
{
  GHashTableIter iter;
  gpointer value;

  work->n[which]++;
  g_hash_table_iter_init (&iter, work->series);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    fold_comparison_time (work, value, which);
  fold_comparison_time (work, work->busy, which);
  fold_comparison_time (work, work->useful, which);
}

static void
add_answer (KymoTimeWork    *work,
            const KymoTable *answer)
{
  gboolean is_rest = kymo_table_get_bool (answer, "overhead_is_rest", 0);
  const struct { const char *key; char letter; const char *name, *kind; } others[] =
  {
    { "idle_ns", 'i', "Idle", "idle" },
    { "overhead_ns", 'o', is_rest ? "Idle or overhead" : "Overhead",
      is_rest ? "rest" : "overhead" },
    { "untraced_ns", 'u', "Untraced", "untraced" },
  };
  KymoTable *table = kymo_table_peek_nested (answer, "series", NULL);
  guint n = 0;
  const gint64 *ns = kymo_table_peek_ints (table, "ns", &n);

  for (guint i = 0; i < kymo_table_get_n_rows (table) && ns != NULL; i++)
    {
      KymoTimeSeries *series = series_of (work, 'c', kymo_table_get_string (table, "name", i),
                                          "code");

      if (series->role == NULL)
        series->role = g_strdup (kymo_table_get_string (table, "role", i));
      add_bins (work, series, ns + (gsize) i * n, n);
      add_bins (work, work->busy, ns + (gsize) i * n, n);
      if (series->role == NULL || strcmp (series->role, "compute") == 0)
        add_bins (work, work->useful, ns + (gsize) i * n, n);
      else
        work->tells_useful = TRUE;
    }
  for (guint k = 0; k < G_N_ELEMENTS (others); k++)
    {
      ns = kymo_table_peek_ints (answer, others[k].key, &n);
      add_bins (work, series_of (work, others[k].letter, others[k].name, others[k].kind), ns, n);
    }
}

static gboolean
ask_run (KymoTimeWork *work,
         guint         run,
         GCancellable *cancellable,
         GError      **error)
{
  KymoCompared *compared = work->compared;
  guint side = compared->side[run];
  g_autoptr (KymoQuestion) question = NULL;
  g_autoptr (KymoTable) answer = NULL;
  KymoComparedRun *figures = g_new0 (KymoComparedRun, 1);

  figures->activities = g_hash_table_new (g_str_hash, g_str_equal);
  compared->runs[run] = figures;
  question = kymo_compared_question (compared, "time-profile", run);
  kymo_question_set_resolution (question, work->n_bins, 0);
  if (!work->own)
    kymo_question_set_int (question, "uncut", 1);
  answer = kymo_source_ask (kymo_comparison_peek_run (compared->comparison, run), question,
                            cancellable, error);
  if (answer == NULL)
    return FALSE;
  kymo_compared_note (compared, run, answer);
  kymo_compared_run_take (figures, answer);
  if (side == 0 || side == compared->against)
    {
      guint which = side == 0 ? 0 : 1;

      work->pes[which] = kymo_saturating_add (work->pes[which], figures->pes);
      work->bin_ns = MAX ((double) kymo_span_length (figures->span), 1) / work->n_bins;
      add_answer (work, answer);
      fold_all (work, which);
    }
  return TRUE;
}

/* A side with itself: what it has is on both. */
static void
mirror (KymoTimeWork *work)
{
  GHashTableIter iter;
  gpointer value;

  if (work->compared->against != 0)
    return;
  work->n[1] = work->n[0];
  work->pes[1] = work->pes[0];
  g_hash_table_iter_init (&iter, work->series);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    memcpy (((KymoTimeSeries *) value)->sum[1], ((KymoTimeSeries *) value)->sum[0],
            work->n_bins * sizeof (gint64));
  memcpy (work->busy->sum[1], work->busy->sum[0], work->n_bins * sizeof (gint64));
  memcpy (work->useful->sum[1], work->useful->sum[0], work->n_bins * sizeof (gint64));
}

/* TRUE if either side has repeats. */
static gboolean
has_repeats (const KymoCompared *compared)
{
  guint n[2] = { 0, 0 };

  for (guint i = 0; i < compared->n_runs; i++)
    {
      n[0] += compared->side[i] == 0;
      n[1] += compared->side[i] == compared->against;
    }
  return compared->against != 0 && (n[0] > 1 || n[1] > 1);
}

/* In time of their own the bins of A stand for all. */
static void
set_axis (KymoTimeWork *work)
{
  const KymoCompared *compared = work->compared;

  work->axis = work->shared;
  if (!work->own)
    return;
  work->axis.begin_ns = moved_comparison_time (compared->runs[0]->span.begin_ns,
                                               -compared->offset_ns[0]);
  work->axis.end_ns = moved_comparison_time (compared->runs[0]->span.end_ns,
                                             -compared->offset_ns[0]);
}

/**
 * kymo_compare_time:
 *
 * Answers "compare-time-profile": how the sides differ over time. Sets %KYMO_ERROR_USAGE for
 * too many bins, the error of a run that cannot tell, or %G_IO_ERROR_CANCELLED.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_compare_time (KymoCompared *compared,
                   GCancellable *cancellable,
                   GError      **error)
{
  guint columns = kymo_question_get_columns (compared->question);
  KymoTimeWork work = { .compared = compared, .n_bins = columns > 0 ? columns : DEFAULT_BINS };
  KymoTable *answer = NULL;

  if (work.n_bins > MOST_BINS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("%u bins are more than the %u that can be compared"), work.n_bins, MOST_BINS);
      return NULL;
    }
  work.own = g_strcmp0 (kymo_question_get (compared->question, "scale"), "own") == 0;
  work.has_noise = has_repeats (compared);
  work.series = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, series_free);
  work.busy = series_new (&work, "busy");
  work.useful = series_new (&work, "useful");
  if (!work.own)
    find_shared (&work);
  for (guint i = 0; i < compared->n_runs; i++)
    if (!ask_run (&work, i, cancellable, error))
      break;
    else if (i + 1 == compared->n_runs)
      {
        mirror (&work);
        set_axis (&work);
        answer = kymo_compare_time_finish (&work, cancellable, error);
      }
  series_free (work.busy);
  series_free (work.useful);
  g_hash_table_unref (work.series);
  return answer;
}
