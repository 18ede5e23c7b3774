/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors of PEs for k-means: the exclusive time of each entry method in
 * whole nanoseconds, and further components. All are moved so that the least
 * is 0, which no distance notices. Scaled components are fixed-point numbers
 * of 2^-40, so that k-means adds whole numbers there, too.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-pe-vectors.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-kmeans-private.h"

#define LARGEST 0x1p53
#define SCALED_UNIT 0x1p40

/** Work: what the threads share; low, high and had_time under the lock */
typedef struct
{
  const KymoPeSums *sums;
  KymoPeVectors    *vectors;
  KymoPeScale       scale;
  guint             n_states;
  GMutex            lock;
  gboolean         *had_time;   /* by state */
  guint            *column_of;  /* by state */
  double           *low, *high; /* by component */
} Work;

static gboolean
for_each_row (const KymoAsk *ask,
              Work          *work,
              KymoRowsFunc   func)
{
  return kymo_rows_for_each (work->vectors->n_rows,
                             (guint64) work->vectors->n_rows * work->n_states, ask->n_threads,
                             func, work, ask->cancellable);
}

/* Entry methods that had time on any PE. */
static void
find_states (gpointer data,
             guint    first,
             guint    end)
{
  Work *work = data;
  g_autofree gboolean *had_time = g_new0 (gboolean, work->n_states);

  for (guint i = first; i < end; i++)
    {
      const GArray *shares = work->sums->times->locations[work->vectors->rows[i]].shares;

      for (guint k = 0; shares != NULL && k < shares->len; k++)
        had_time[g_array_index (shares, KymoLocationShare, k).state] |=
          g_array_index (shares, KymoLocationShare, k).exclusive_ns > 0;
    }
  g_mutex_lock (&work->lock);
  for (guint s = 0; s < work->n_states; s++)
    work->had_time[s] |= had_time[s];
  g_mutex_unlock (&work->lock);
}

/* In the order of the run, and what else was asked for. */
static void
choose_components (Work  *work,
                   guint  with)
{
  GArray *components = g_array_new (FALSE, TRUE, sizeof (KymoPeComponent));

  for (guint32 s = KYMO_STATE_ACTIVITY; s < work->n_states; s++)
    if (work->had_time[s] && !(with & KYMO_PE_WITHOUT_ENTRIES))
      {
        KymoPeComponent component = { 0, s, 0, 1 };

        work->column_of[s] = components->len;
        g_array_append_val (components, component);
      }
  for (guint bit = KYMO_PE_WITH_IDLE; bit <= KYMO_PE_WITH_BYTES; bit <<= 1)
    if (with & bit)
      {
        KymoPeComponent component = { bit, 0, 0, 1 };

        g_array_append_val (components, component);
      }
  work->vectors->n_components = components->len;
  work->vectors->components = (KymoPeComponent *) g_array_free (components, FALSE);
}

static void
fill_row (const Work *work,
          guint       row,
          double     *values)
{
  const GArray *shares = work->sums->times->locations[row].shares;
  const KymoPeVectors *vectors = work->vectors;

  for (guint k = 0; shares != NULL && k < shares->len; k++)
    {
      const KymoLocationShare *share = &g_array_index (shares, KymoLocationShare, k);

      if (share->exclusive_ns > 0)
        values[work->column_of[share->state]] = MIN (share->exclusive_ns, LARGEST);
    }
  for (guint c = 0; c < vectors->n_components; c++)
    if (vectors->components[c].with != 0)
      values[c] = MIN (kymo_pe_sums_get (work->sums, row, vectors->components[c].with),
                       LARGEST);
}

/* Least and largest value of each column, too. */
static void
fill_rows (gpointer data,
           guint    first,
           guint    end)
{
  Work *work = data;
  const KymoPeVectors *vectors = work->vectors;
  g_autofree double *low = g_new (double, vectors->n_columns);
  g_autofree double *high = g_new (double, vectors->n_columns);

  for (guint i = first; i < end; i++)
    {
      double *values = vectors->values + (gsize) i * vectors->n_columns;

      fill_row (work, vectors->rows[i], values);
      if (i == first)
        {
          memcpy (low, values, vectors->n_columns * sizeof (double));
          memcpy (high, values, vectors->n_columns * sizeof (double));
        }
      kymo_widen_box (low, high, values, vectors->n_columns);
    }
  g_mutex_lock (&work->lock);
  kymo_widen_box (work->low, work->high, low, vectors->n_columns);
  kymo_widen_box (work->low, work->high, high, vectors->n_columns);
  g_mutex_unlock (&work->lock);
}

/* Of the population; row by row as they lie in memory. */
static void
find_deviations (const KymoPeVectors *vectors,
                 double              *deviations)
{
  g_autofree long double *mean = g_new0 (long double, vectors->n_columns);
  g_autofree long double *squares = g_new0 (long double, vectors->n_columns);
  gsize n = vectors->n_columns;

  for (guint i = 0; i < vectors->n_rows; i++)
    for (gsize c = 0; c < n; c++)
      mean[c] += vectors->values[i * n + c];
  for (gsize c = 0; c < n; c++)
    mean[c] /= vectors->n_rows;
  for (guint i = 0; i < vectors->n_rows; i++)
    for (gsize c = 0; c < n; c++)
      squares[c] += (vectors->values[i * n + c] - mean[c]) * (vectors->values[i * n + c] - mean[c]);
  for (gsize c = 0; c < n; c++)
    deviations[c] = sqrtl (squares[c] / vectors->n_rows);
}

static void
find_factors (const Work *work)
{
  const KymoPeVectors *vectors = work->vectors;
  g_autofree double *by = g_new (double, vectors->n_columns);

  if (work->scale == KYMO_PE_SCALE_STDDEV)
    find_deviations (vectors, by);
  for (guint c = 0; c < vectors->n_components; c++)
    {
      vectors->components[c].low = work->low[c];
      if (work->scale == KYMO_PE_SCALE_RANGE)
        by[c] = work->high[c] - work->low[c];
      if (work->scale != KYMO_PE_SCALE_NONE && by[c] > 0)
        vectors->components[c].factor = vectors->unit / by[c];
      else
        vectors->components[c].factor = 1;
    }
}

static void
scale_rows (gpointer data,
            guint    first,
            guint    end)
{
  const Work *work = data;
  const KymoPeVectors *vectors = work->vectors;

  for (guint i = first; i < end; i++)
    {
      double *values = vectors->values + (gsize) i * vectors->n_columns;

      /* Padding has 0 in work->low. */
      for (guint c = 0; c < vectors->n_columns; c++)
        values[c] -= work->low[c];
      for (guint c = 0; c < vectors->n_components && work->scale != KYMO_PE_SCALE_NONE; c++)
        values[c] = MIN (rint (values[c] * vectors->components[c].factor), LARGEST);
    }
}

static void
choose_rows (const KymoAsk *ask,
             KymoPeVectors *vectors)
{
  vectors->rows = g_new (guint, ask->n_locations);
  for (guint row = 0; row < ask->n_locations; row++)
    if (kymo_ask_compares (ask, row))
      vectors->rows[vectors->n_rows++] = row;
}

static gboolean
allocate_pe_vectors (KymoPeVectors  *vectors,
                     GError        **error)
{
  vectors->n_columns = (MAX (vectors->n_components, 1) + KYMO_KMEANS_LANES - 1)
    / KYMO_KMEANS_LANES * KYMO_KMEANS_LANES;
  vectors->values = g_try_malloc0_n ((gsize) vectors->n_rows * vectors->n_columns,
                                     sizeof (double));
  if (vectors->values == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("There is no memory to compare %u PEs by %u figures"), vectors->n_rows,
                 vectors->n_components);
  return vectors->values != NULL;
}

/* Returns %FALSE when it was cancelled. */
static gboolean
fill_pe_vectors (const KymoAsk *ask,
                 Work          *work)
{
  g_autofree double *low = g_new (double, work->vectors->n_columns);
  g_autofree double *high = g_new (double, work->vectors->n_columns);

  for (guint c = 0; c < work->vectors->n_columns; c++)
    {
      low[c] = INFINITY;
      high[c] = -INFINITY;
    }
  work->low = low;
  work->high = high;
  if (!for_each_row (ask, work, fill_rows))
    return FALSE;
  find_factors (work);
  return for_each_row (ask, work, scale_rows);
}

/**
 * kymo_pe_vectors_new:
 * @sums: with %KYMO_PE_TIMES, and %KYMO_PE_SENT for messages and bytes
 * @with: #KymoPeComponents
 * @scale: by which components are divided
 *
 * Returns: (transfer full) (nullable): %NULL where there is no memory for them,
 * or it was cancelled
 */
KymoPeVectors *
kymo_pe_vectors_new (const KymoAsk     *ask,
                     const KymoPeSums  *sums,
                     guint              with,
                     KymoPeScale        scale,
                     GError           **error)
{
  g_autoptr (KymoPeVectors) vectors = g_new0 (KymoPeVectors, 1);
  g_autofree gboolean *had_time = g_new0 (gboolean, ask->n_states);
  g_autofree guint *column_of = g_new0 (guint, ask->n_states);
  Work work = { .sums = sums, .vectors = vectors, .scale = scale, .n_states = ask->n_states,
                .had_time = had_time, .column_of = column_of };
  gboolean whole;

  vectors->unit = scale == KYMO_PE_SCALE_NONE ? 1 : SCALED_UNIT;
  choose_rows (ask, vectors);
  g_mutex_init (&work.lock);
  whole = for_each_row (ask, &work, find_states);
  choose_components (&work, with);
  if (whole && allocate_pe_vectors (vectors, error))
    whole = fill_pe_vectors (ask, &work);
  g_mutex_clear (&work.lock);
  if (!whole)
    g_cancellable_set_error_if_cancelled (ask->cancellable, error);
  return whole && vectors->values != NULL ? g_steal_pointer (&vectors) : NULL;
}

/**
 * kymo_pe_vectors_new_rows:
 *
 * Returns: (transfer full): which PEs there are, without what they are compared by
 */
KymoPeVectors *
kymo_pe_vectors_new_rows (const KymoAsk *ask)
{
  KymoPeVectors *vectors = g_new0 (KymoPeVectors, 1);

  choose_rows (ask, vectors);
  return vectors;
}

/** kymo_pe_vectors_free: frees the vectors with their rows and components */
void
kymo_pe_vectors_free (KymoPeVectors *vectors)
{
  g_free (vectors->rows);
  g_free (vectors->components);
  g_free (vectors->values);
  g_free (vectors);
}
