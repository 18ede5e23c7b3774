/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare-time-profile: time by activity in bins, A's and another side's, what they
 * differ by, and with repeats how much of that is noise. In shared time every run is
 * asked for the same bins, moved by its offset; in own time for as many of its own range.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-comparison-private.h"
#include "kymo-order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-id-weights.h"

#define DEFAULT_BINS 100
#define MOST_BINS 10000
/* Number of bins between two looks for cancelling. */
#define CANCEL_BINS 64

/**
 * Series: one name, or all that is busy, a bin each
 * @now: of the run that is read
 * @sum: over the runs of A and of the other side
 * @mean, @m2: the same, where there are repeats: see kymo_noise_add(). A run without
 *   the name has zeros, which is what a new series starts with
 * @share_mean, @share_m2: on scales of their own the same of shares of a bin, as bins of runs
 *   are not of one length
 * @noise: half width of the band, or NULL
 * @noise_rows: the same of shares, or NULL
 */
typedef struct
{
  char   *key;
  char   *kind;
  char   *role;
  gint64 *now;
  gint64 *sum[2];
  double *mean[2], *m2[2];
  double *share_mean[2], *share_m2[2];
  gint64 *noise;
  double *noise_rows;
  double  weight;               /* sum of |differences| */
} Series;

typedef struct
{
  KymoCompared *compared;
  guint         n_bins;
  gboolean      own;
  KymoSpan      shared;         /* range of the bins in shared time */
  GHashTable   *series;         /* by key */
  Series       *busy;           /* all code */
  Series       *useful;         /* code that computes */
  gboolean      tells_useful;   /* there is other code, too */
  gboolean      has_noise;      /* there are repeats */
  double        bin_ns;         /* length of a bin of the run that is read */
  gint64        pes[2];         /* sums over the runs, in millionths */
  guint         n[2];           /* runs of each side, so far */
} Work;

static void
series_free (gpointer data)
{
  Series *series = data;

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
find_shared (Work *work)
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

static Series *
series_new (const Work *work,
            const char *kind)
{
  Series *series = g_new0 (Series, 1);

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

static Series *
series_of (Work       *work,
           char        letter,
           const char *name,
           const char *kind)
{
  g_autofree char *key = g_strdup_printf ("%c%s", letter, name);
  Series *series = g_hash_table_lookup (work->series, key);

  if (series != NULL)
    return series;
  series = series_new (work, kind);
  series->key = g_steal_pointer (&key);
  g_hash_table_insert (work->series, series->key, series);
  return series;
}

static void
add_bins (const Work   *work,
          Series       *series,
          const gint64 *ns,
          guint         n)
{
  for (guint i = 0; ns != NULL && i < MIN (n, work->n_bins); i++)
    series->now[i] = kymo_saturating_add (series->now[i], ns[i]);
}

/* Adds the time profile of a name in a run to the sums of its side. */
static void
fold_comparison_time (const Work *work,
                      Series     *series,
                      guint       which)
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
fold_all (Work  *work,
          guint  which)
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
add_answer (Work            *work,
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
      Series *series = series_of (work, 'c', kymo_table_get_string (table, "name", i), "code");

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
ask_run (Work          *work,
         guint          run,
         GCancellable  *cancellable,
         GError       **error)
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
  figures->span = (KymoSpan) { kymo_table_get_int (answer, "begin_ns", 0),
                               kymo_table_get_int (answer, "end_ns", 0) };
  figures->extrapolated = kymo_table_get_bool (answer, "extrapolated", 0);
  figures->n_locations = kymo_table_get_int (answer, "workers", 0)
    + kymo_table_get_int (answer, "communication_threads", 0);
  figures->pes = kymo_compare_pes (answer);
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
mirror (Work *work)
{
  GHashTableIter iter;
  gpointer value;

  if (work->compared->against != 0)
    return;
  work->n[1] = work->n[0];
  work->pes[1] = work->pes[0];
  g_hash_table_iter_init (&iter, work->series);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    memcpy (((Series *) value)->sum[1], ((Series *) value)->sum[0],
            work->n_bins * sizeof (gint64));
  memcpy (work->busy->sum[1], work->busy->sum[0], work->n_bins * sizeof (gint64));
  memcpy (work->useful->sum[1], work->useful->sum[0], work->n_bins * sizeof (gint64));
}

/* -- noise -------------------------------------------------------------------- */

/* Half the width of the band of a bin. */
static double
width_of_bin (const Work    *work,
              double *const *m2,
              guint          bin)
{
  double variance[2] = { 0, 0 }, half_width;

  for (guint which = 0; which < 2; which++)
    if (work->n[which] > 1)
      variance[which] = MAX (m2[which][bin], 0) / (work->n[which] - 1);
  kymo_noise_width (variance[0], work->n[0], variance[1], work->n[1], &half_width);
  return half_width;
}

/* Returns: %FALSE once cancelled; a bin may take a search for its quantile. */
static gboolean
set_noise (const Work    *work,
           Series        *series,
           GCancellable  *cancellable,
           GError       **error)
{
  series->noise = g_new0 (gint64, work->n_bins);
  series->noise_rows = work->own ? g_new0 (double, work->n_bins) : NULL;
  for (guint i = 0; i < work->n_bins; i++)
    {
      if (i % CANCEL_BINS == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      series->noise[i] = (gint64) MIN (ceil (width_of_bin (work, series->m2, i)), 9e18);
      if (work->own)
        series->noise_rows[i] = width_of_bin (work, series->share_m2, i);
    }
  return TRUE;
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

/* -- the answer --------------------------------------------------------------- */

static int
compare_keys (gconstpointer a,
              gconstpointer b)
{
  return strcmp ((*(Series *const *) a)->key, (*(Series *const *) b)->key);
}

static guint
rank_of (const Series *series)
{
  return *series->key == 'c' ? 0 : *series->key == 'i' ? 1 : *series->key == 'o' ? 2 : 3;
}

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const Series *x = *(Series *const *) a, *y = *(Series *const *) b;

  KYMO_ORDER_BY (rank_of (x), rank_of (y));
  KYMO_ORDER_BY (y->weight, x->weight);
  return strcmp (x->key, y->key);
}

/* Sums over the runs of a side become means, which bin by bin add up. */
static GPtrArray *
take_means (Work *work)
{
  g_autoptr (GList) values = g_hash_table_get_values (work->series);
  GPtrArray *list = g_ptr_array_new ();
  g_autofree gint64 *before = g_new0 (gint64, 2 * (gsize) work->n_bins);

  for (GList *item = values; item != NULL; item = item->next)
    g_ptr_array_add (list, item->data);
  g_ptr_array_sort (list, compare_keys);
  for (guint s = 0; s < list->len; s++)
    {
      Series *series = list->pdata[s];

      for (guint which = 0; which < 2; which++)
        for (guint i = 0; i < work->n_bins; i++)
          series->sum[which][i]
            = kymo_compare_part (&before[which * work->n_bins + i], series->sum[which][i],
                                 (KymoCompareScale) { 1, work->n[which] });
      for (guint i = 0; i < work->n_bins; i++)
        series->weight += ABS (kymo_saturating_add (series->sum[1][i], -series->sum[0][i]));
    }
  g_ptr_array_sort (list, compare_weights);
  return list;
}

static gint64
difference_of (const Series *series,
               guint         bin)
{
  return kymo_saturating_add (series->sum[1][bin], -series->sum[0][bin]);
}

static gboolean
list_series (Work         *work,
             KymoTable    *table,
             GCancellable *cancellable,
             GError      **error)
{
  g_autoptr (GPtrArray) list = take_means (work);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  guint role = kymo_table_add_column (table, "role", KYMO_COLUMN_STRING, 1);
  guint a = kymo_table_add_vector (table, "a_ns", KYMO_COLUMN_INT, work->n_bins);
  guint b = kymo_table_add_vector (table, "b_ns", KYMO_COLUMN_INT, work->n_bins);
  guint difference = kymo_table_add_vector (table, "difference_ns", KYMO_COLUMN_INT,
                                            work->n_bins);
  guint noise = work->has_noise
    ? kymo_table_add_vector (table, "noise_ns", KYMO_COLUMN_INT, work->n_bins) : 0;
  guint rows = work->has_noise && work->own
    ? kymo_table_add_vector (table, "noise_rows", KYMO_COLUMN_DOUBLE, work->n_bins) : 0;
  guint shares[2] = { 0, 0 };
  g_autofree gint64 *less = g_new (gint64, work->n_bins);

  for (guint which = 0; which < 2 && rows > 0; which++)
    shares[which] = kymo_table_add_vector (table, which == 0 ? "a_rows" : "b_rows",
                                           KYMO_COLUMN_DOUBLE, work->n_bins);
  for (guint s = 0; s < list->len; s++)
    {
      Series *series = list->pdata[s];

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint i = 0; i < work->n_bins; i++)
        less[i] = difference_of (series, i);
      kymo_table_append_string (table, name, series->key + 1);
      kymo_table_append_string (table, kind, series->kind);
      kymo_table_append_string (table, role, series->role);
      kymo_table_append_ints (table, a, series->sum[0]);
      kymo_table_append_ints (table, b, series->sum[1]);
      kymo_table_append_ints (table, difference, less);
      if (!work->has_noise)
        continue;
      if (!set_noise (work, series, cancellable, error))
        return FALSE;
      kymo_table_append_ints (table, noise, series->noise);
      if (!work->own)
        continue;
      kymo_table_append_doubles (table, rows, series->noise_rows);
      for (guint which = 0; which < 2; which++)
        kymo_table_append_doubles (table, shares[which], series->share_mean[which]);
    }
  return TRUE;
}

/* On scales of their own bins have not one length: shares of them are compared, not times. */
static gboolean
is_noise_of_busy (const Work *work,
                  guint       bin)
{
  const Series *busy = work->busy;

  if (!work->has_noise)
    return FALSE;
  if (work->own)
    return fabs (busy->share_mean[1][bin] - busy->share_mean[0][bin]) <= busy->noise_rows[bin];
  return ABS (difference_of (busy, bin)) <= busy->noise[bin];
}

/* Functions also communicate and wait: what computes of all that is busy. */
static void
add_useful (const Work *work,
            KymoTable  *table)
{
  static const char *const names[] = { "useful_a_ns", "useful_b_ns", "useful_noise_ns" };
  const Series *useful = work->useful;
  gboolean shares = work->has_noise && work->own;
  guint rows = shares ? kymo_table_add_column (table, "useful_noise_rows", KYMO_COLUMN_DOUBLE, 1)
               : 0;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      guint column = kymo_table_add_column (table, names[k], KYMO_COLUMN_INT, 1);

      for (guint i = 0; i < work->n_bins; i++)
        kymo_table_append_int (table, column, k < 2
                               ? kymo_compare_mean (useful->sum[k][i],
                                                    (KymoCompareScale) { 1, work->n[k] })
                               : work->has_noise ? useful->noise[i] : 0);
    }
  for (guint i = 0; shares && i < work->n_bins; i++)
    kymo_table_append_double (table, rows, useful->noise_rows[i]);
}

/* All that is busy: a row a bin. */
static KymoTable *
list_bins (Work         *work,
           const gint64 *edges_ns)
{
  static const char *const names[] =
    { "begin_ns", "end_ns", "busy_a_ns", "busy_b_ns", "difference_ns", "noise_ns" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  Series *busy = work->busy;
  guint is_noise, rows = 0;

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    kymo_table_add_column (table, names[k], KYMO_COLUMN_INT, 1);
  is_noise = kymo_table_add_column (table, "is_noise", KYMO_COLUMN_BOOL, 1);
  if (work->has_noise && work->own)
    rows = kymo_table_add_column (table, "noise_rows", KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < work->n_bins; i++)
    {
      for (guint which = 0; which < 2; which++)
        busy->sum[which][i] = kymo_compare_mean (busy->sum[which][i],
                                                 (KymoCompareScale) { 1, work->n[which] });
      kymo_table_append_int (table, 0, edges_ns[i]);
      kymo_table_append_int (table, 1, edges_ns[i + 1]);
      kymo_table_append_int (table, 2, busy->sum[0][i]);
      kymo_table_append_int (table, 3, busy->sum[1][i]);
      kymo_table_append_int (table, 4, difference_of (busy, i));
      kymo_table_append_int (table, 5, work->has_noise ? busy->noise[i] : 0);
      kymo_table_append_bool (table, is_noise, is_noise_of_busy (work, i));
      if (rows > 0)
        kymo_table_append_double (table, rows, busy->noise_rows[i]);
    }
  if (work->tells_useful)
    add_useful (work, table);
  return table;
}

static void
set_edges (Work      *work,
           KymoTable *answer)
{
  const KymoCompared *compared = work->compared;
  KymoSpan span = work->shared;
  g_autofree gint64 *edges_ns = g_new (gint64, work->n_bins + 1);

  if (work->own)
    {
      span = compared->runs[0]->span;
      span.begin_ns = moved_comparison_time (span.begin_ns, -compared->offset_ns[0]);
      span.end_ns = moved_comparison_time (span.end_ns, -compared->offset_ns[0]);
    }
  for (guint i = 0; i <= work->n_bins; i++)
    edges_ns[i] = span.begin_ns
      + (gint64) ((__int128) kymo_span_length (span) * i / work->n_bins);
  kymo_table_set_int (answer, "begin_ns", span.begin_ns);
  kymo_table_set_int (answer, "end_ns", span.end_ns);
  kymo_table_set_ints (answer, "edges_ns", edges_ns, work->n_bins + 1);
  kymo_table_set_table (answer, "bins", list_bins (work, edges_ns));
}

static KymoTable *
comparison_time_finish (Work          *work,
                        GCancellable  *cancellable,
                        GError       **error)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *series = kymo_table_new (KYMO_STYLE_OBJECTS);

  mirror (work);
  if (work->has_noise && (!set_noise (work, work->busy, cancellable, error)
                          || !set_noise (work, work->useful, cancellable, error)))
    {
      kymo_table_unref (series);
      kymo_table_unref (answer);
      return NULL;
    }
  set_edges (work, answer);
  kymo_compared_set_runs (work->compared, answer);
  kymo_table_set_string (answer, "scale", work->own ? "own" : "shared");
  kymo_table_set_double (answer, "pes_a", (double) work->pes[0] / KYMO_WEIGHT_ONE
                         / MAX (work->n[0], 1));
  kymo_table_set_double (answer, "pes_b", (double) work->pes[1] / KYMO_WEIGHT_ONE
                         / MAX (work->n[1], 1));
  kymo_table_set_bool (answer, "has_noise", work->has_noise);
  kymo_table_set_table (answer, "series", series);
  if (!list_series (work, series, cancellable, error))
    {
      kymo_table_unref (answer);
      return NULL;
    }
  kymo_compare_set_time_sentences (answer);
  return answer;
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
kymo_compare_time (KymoCompared  *compared,
                   GCancellable  *cancellable,
                   GError       **error)
{
  guint columns = kymo_question_get_columns (compared->question);
  Work work = { .compared = compared, .n_bins = columns > 0 ? columns : DEFAULT_BINS };
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
      answer = comparison_time_finish (&work, cancellable, error);
  series_free (work.busy);
  series_free (work.useful);
  g_hash_table_unref (work.series);
  return answer;
}
