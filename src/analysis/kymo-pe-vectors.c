/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors of PEs for k-means: the exclusive time of each entry method in
 * whole nanoseconds, and further components. All are moved so that the least
 * is 0, which no distance notices. Scaled components are fixed-point numbers
 * of 2^-40, so that k-means adds whole numbers there, too.
 */
#include "config.h"

#include "kymo-pe-vectors.h"

#include <math.h>

#include "kymo-error.h"

#define LARGEST 0x1p53
#define SCALED_UNIT 0x1p40

static gint64
value_of (const KymoPeSums *sums,
          guint             row,
          guint             with)
{
  switch (with)
    {
    case KYMO_PE_WITH_IDLE: return sums->times->locations[row].idle_ns;
    case KYMO_PE_WITH_OVERHEAD: return sums->times->locations[row].overhead_ns;
    case KYMO_PE_WITH_MESSAGES: return sums->counts[row].sent;
    default: return sums->counts[row].sent_bytes;
    }
}

/* Entry methods that had time on any PE, in the order of the run, and what
   else was asked for. `column_of`: by state. */
static void
choose_components (const KymoAsk    *ask,
                   const KymoPeSums *sums,
                   guint             with,
                   KymoPeVectors    *vectors,
                   guint            *column_of)
{
  GArray *components = g_array_new (FALSE, TRUE, sizeof (KymoPeComponent));
  g_autofree gboolean *had_time = g_new0 (gboolean, ask->n_states);

  for (guint i = 0; i < vectors->n_rows; i++)
    {
      const GArray *shares = sums->times->locations[vectors->rows[i]].shares;

      for (guint k = 0; shares != NULL && k < shares->len; k++)
        had_time[g_array_index (shares, KymoLocationShare, k).state] |=
          g_array_index (shares, KymoLocationShare, k).exclusive_ns > 0;
    }
  for (guint32 s = KYMO_STATE_ACTIVITY; s < ask->n_states; s++)
    if (had_time[s])
      {
        KymoPeComponent component = { 0, s, 0, 1 };

        column_of[s] = components->len;
        g_array_append_val (components, component);
      }
  for (guint bit = KYMO_PE_WITH_IDLE; bit <= KYMO_PE_WITH_BYTES; bit <<= 1)
    if (with & bit)
      {
        KymoPeComponent component = { bit, 0, 0, 1 };

        g_array_append_val (components, component);
      }
  vectors->n_components = components->len;
  vectors->components = (KymoPeComponent *) g_array_free (components, FALSE);
}

static void
fill_rows (const KymoPeSums *sums,
           KymoPeVectors    *vectors,
           const guint      *column_of)
{
  for (guint i = 0; i < vectors->n_rows; i++)
    {
      double *values = vectors->values + (gsize) i * vectors->n_columns;
      const GArray *shares = sums->times->locations[vectors->rows[i]].shares;

      for (guint k = 0; shares != NULL && k < shares->len; k++)
        {
          const KymoLocationShare *share = &g_array_index (shares, KymoLocationShare, k);

          if (share->exclusive_ns > 0)
            values[column_of[share->state]] = MIN (share->exclusive_ns, LARGEST);
        }
      for (guint c = 0; c < vectors->n_components; c++)
        if (vectors->components[c].with != 0)
          values[c] = MIN (value_of (sums, vectors->rows[i], vectors->components[c].with),
                           LARGEST);
    }
}

/* Least value and range of each column, row by row as they lie in memory. */
static void
measure_columns (KymoPeVectors *vectors,
                 double        *range)
{
  for (guint c = 0; c < vectors->n_components; c++)
    {
      vectors->components[c].low = vectors->values[c];
      range[c] = vectors->values[c];
    }
  for (guint i = 1; i < vectors->n_rows; i++)
    for (guint c = 0; c < vectors->n_components; c++)
      {
        double value = vectors->values[(gsize) i * vectors->n_columns + c];

        vectors->components[c].low = MIN (vectors->components[c].low, value);
        range[c] = MAX (range[c], value);
      }
  for (guint c = 0; c < vectors->n_components; c++)
    range[c] -= vectors->components[c].low;
}

/* Of the population. */
static double
deviation_of (const KymoPeVectors *vectors,
              guint                c)
{
  const double *values = vectors->values + c;
  gsize n = vectors->n_columns;
  long double sum = 0, squares = 0;

  for (guint i = 0; i < vectors->n_rows; i++)
    sum += values[i * n];
  sum /= vectors->n_rows;
  for (guint i = 0; i < vectors->n_rows; i++)
    squares += (values[i * n] - sum) * (values[i * n] - sum);
  return sqrtl (squares / vectors->n_rows);
}

static void
scale_columns (KymoPeVectors *vectors,
               KymoPeScale    scale)
{
  g_autofree double *range = g_new (double, vectors->n_components + 1);

  measure_columns (vectors, range);
  for (guint c = 0; c < vectors->n_components && scale != KYMO_PE_SCALE_NONE; c++)
    {
      double by = scale == KYMO_PE_SCALE_RANGE ? range[c] : deviation_of (vectors, c);

      vectors->components[c].factor = by > 0 ? vectors->unit / by : 1;
    }
  for (guint i = 0; i < vectors->n_rows; i++)
    for (guint c = 0; c < vectors->n_components; c++)
      {
        const KymoPeComponent *component = &vectors->components[c];
        double *value = &vectors->values[(gsize) i * vectors->n_columns + c];

        *value -= component->low;
        if (scale != KYMO_PE_SCALE_NONE)
          *value = MIN (rint (*value * component->factor), LARGEST);
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

/**
 * kymo_pe_vectors_new:
 * @sums: with %KYMO_PE_TIMES, and %KYMO_PE_SENT for messages and bytes
 * @with: #KymoPeComponents
 * @scale: by which components are divided
 *
 * Returns: (transfer full) (nullable): %NULL where there is no memory for them
 */
KymoPeVectors *
kymo_pe_vectors_new (const KymoAsk     *ask,
                     const KymoPeSums  *sums,
                     guint              with,
                     KymoPeScale        scale,
                     GError           **error)
{
  g_autoptr (KymoPeVectors) vectors = g_new0 (KymoPeVectors, 1);
  g_autofree guint *column_of = g_new0 (guint, ask->n_states);

  vectors->unit = scale == KYMO_PE_SCALE_NONE ? 1 : SCALED_UNIT;
  choose_rows (ask, vectors);
  choose_components (ask, sums, with, vectors, column_of);
  vectors->n_columns = (MAX (vectors->n_components, 1) + KYMO_KMEANS_LANES - 1)
    / KYMO_KMEANS_LANES * KYMO_KMEANS_LANES;
  vectors->values = g_try_malloc0_n ((gsize) vectors->n_rows * vectors->n_columns,
                                     sizeof (double));
  if (vectors->values == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "There is no memory to compare %u PEs by %u figures", vectors->n_rows,
                   vectors->n_components);
      return NULL;
    }
  fill_rows (sums, vectors, column_of);
  scale_columns (vectors, scale);
  return g_steal_pointer (&vectors);
}

void
kymo_pe_vectors_free (KymoPeVectors *vectors)
{
  g_free (vectors->rows);
  g_free (vectors->components);
  g_free (vectors->values);
  g_free (vectors);
}
