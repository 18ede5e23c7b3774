/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values that do not add up. Of a ratio A / B over several functions or locations only the
 * ratio of the sums means anything, sum (A) / sum (B); so for each set of figures the
 * metrics and the calls are added up first, and the value is computed of these sums. The
 * same holds for products, constants and values per call. A mean is the value of mean sums, over
 * the locations that have any: zeros in the place of the others would move means of 1000 / TIME
 * out of what lies between the smallest and the largest value.
 *
 * A gauge was measured as it is: its sum has no numerator and denominator. It has
 * means over those that have it, and no totals.
 */
#include "config.h"

#include "kymo-profile-look.h"

#include <math.h>
#include <string.h>

/**
 * kymo_metric_is_gauge:
 * @name: of a measured metric
 *
 * Returns: whether its name says that its figures are states and not amounts: temperatures,
 *   rates, shares
 */
gboolean
kymo_metric_is_gauge (const char *name)
{
  static const char *const words[] =
    { "temperature", "coretemp", "percent", "%", "clock_rate", "clockrate", "frequency", "mhz",
      "ghz", "power", "voltage", "utilization", "per_second", "/s" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/**
 * kymo_profile_look_is_additive:
 *
 * Returns: whether the value of several functions or locations is the sum of theirs
 */
gboolean
kymo_profile_look_is_additive (const KymoProfileLook *look,
                               KymoProfileValue       value)
{
  switch (value)
    {
    case KYMO_VALUE_CALLS:
    case KYMO_VALUE_SUBROUTINES:
      return TRUE;
    case KYMO_VALUE_EXCLUSIVE:
    case KYMO_VALUE_INCLUSIVE:
      return look->is_additive;
    default:
      return FALSE;
    }
}

/** Sums: of every metric, and of calls; what a value is computed of */
typedef struct
{
  double *metrics;
  double  calls;
} Sums;

static gboolean
is_inclusive (KymoProfileValue value)
{
  return value == KYMO_VALUE_INCLUSIVE || value == KYMO_VALUE_INCLUSIVE_PER_CALL;
}

static gboolean
is_per_call (KymoProfileValue value)
{
  return value == KYMO_VALUE_EXCLUSIVE_PER_CALL || value == KYMO_VALUE_INCLUSIVE_PER_CALL;
}

static gboolean
is_gauge (const KymoProfileLook *look)
{
  return look->expression == NULL && !look->is_additive;
}

/* Adds row @row of the data. */
static void
add_row (const KymoProfileLook *look,
         KymoProfileValue       value,
         guint64                row,
         Sums                  *sums)
{
  guint n = look->data->metrics->len;
  const double *from = look->data->values + row * n * 2 + is_inclusive (value);

  for (guint i = 0; i < n; i++)
    sums->metrics[i] += from[2 * i];
  sums->calls += look->data->calls[row];
}

/* The value of sums, divided by their number. */
static double
value_of (const KymoProfileLook *look,
          KymoProfileValue       value,
          const Sums            *sums,
          double                 parts)
{
  guint n = look->data->metrics->len;
  g_autofree double *means = NULL;
  double found;

  if (is_gauge (look))
    return NAN;
  if (look->expression != NULL)
    {
      means = g_new (double, MAX (n, 1));
      for (guint i = 0; i < n; i++)
        means[i] = sums->metrics[i] / parts;
      found = kymo_metric_expression_get (look->expression, means, 1);
    }
  else
    found = sums->metrics[look->metric] / parts;
  if (!is_per_call (value))
    return found;
  return sums->calls != 0 ? found / (sums->calls / parts) : 0;
}

/**
 * kymo_profile_look_combine:
 * @value: one that is not additive
 * @begin: asked locations from this one
 * @end: to before this one
 * @wanted: by event: of these together
 * @as_mean: of a location that has any in the mean, not of all together; the same for ratios
 *
 * Returns: the value of the sums; NaN where nothing has any, or it has no total
 */
double
kymo_profile_look_combine (const KymoProfileLook *look,
                           KymoProfileValue       value,
                           guint                  begin,
                           guint                  end,
                           const gboolean        *wanted,
                           gboolean               as_mean)
{
  const KymoProfileData *data = look->data;
  g_autofree double *metrics = g_new0 (double, MAX (data->metrics->len, 1));
  Sums sums = { metrics, 0 };
  guint n_present = 0;

  for (guint i = begin; i < end && !g_cancellable_is_cancelled (look->ask->cancellable); i++)
    {
      gboolean any = FALSE;

      for (guint64 r = data->first[look->ask->locations[i]];
           r < data->first[look->ask->locations[i] + 1]; r++)
        if (wanted[data->event[r]])
          {
            add_row (look, value, r, &sums);
            any = TRUE;
          }
      n_present += any;
    }
  return n_present > 0 ? value_of (look, value, &sums, as_mean ? n_present : 1) : NAN;
}

/* Of one event: @sums over all asked locations. */
static void
set_figures (const KymoProfileLook *look,
             KymoProfileValue       value,
             const Sums            *sums,
             KymoFigures           *figures)
{
  if (figures->n_present == 0)
    return;
  if (!is_gauge (look))
    figures->mean_present = value_of (look, value, sums, figures->n_present);
  figures->mean = figures->mean_present;
  figures->total = value_of (look, value, sums, 1);
}

/**
 * kymo_profile_look_settle:
 * @figures: by event, as if the values did add up; totals and means are replaced. Not whole
 *   where the question was cancelled
 */
void
kymo_profile_look_settle (const KymoProfileLook *look,
                          KymoProfileValue       value,
                          KymoFigures           *figures)
{
  const KymoProfileData *data = look->data;
  const KymoAsk *ask = look->ask;
  gsize n = MAX (data->metrics->len, 1);
  g_autofree double *metrics = g_new0 (double, n * MAX (data->events->len, 1));
  g_autofree double *calls = g_new0 (double, MAX (data->events->len, 1));

  for (guint i = 0; i < ask->n_locations && !g_cancellable_is_cancelled (ask->cancellable); i++)
    for (guint64 r = data->first[ask->locations[i]]; r < data->first[ask->locations[i] + 1]; r++)
      {
        guint32 e = data->event[r];
        Sums sums = { metrics + e * n, calls[e] };

        add_row (look, value, r, &sums);
        calls[e] = sums.calls;
      }
  for (guint e = 0; e < data->events->len; e++)
    {
      Sums sums = { metrics + e * n, calls[e] };

      set_figures (look, value, &sums, &figures[e]);
    }
}

/**
 * kymo_profile_look_settle_one:
 * @wanted: by event: those that @figures are of, together
 *
 * Like kymo_profile_look_settle(), of several events as one.
 */
void
kymo_profile_look_settle_one (const KymoProfileLook *look,
                              KymoProfileValue       value,
                              const gboolean        *wanted,
                              KymoFigures           *figures)
{
  guint n = look->ask->n_locations;

  if (figures->n_present == 0)
    return;
  figures->total = kymo_profile_look_combine (look, value, 0, n, wanted, FALSE);
  if (!is_gauge (look))
    figures->mean_present = kymo_profile_look_combine (look, value, 0, n, wanted, TRUE);
  figures->mean = figures->mean_present;
}

/**
 * kymo_profile_look_settle_rows:
 * @group: locations of a row
 * @rows: (out caller-allocates): by row and function the mean value of the row's locations that
 *   have it; NaN where none has
 */
void
kymo_profile_look_settle_rows (const KymoProfileLook *look,
                               KymoProfileValue       value,
                               guint                  group,
                               double                *rows)
{
  const KymoProfileData *data = look->data;
  const KymoAsk *ask = look->ask;
  gsize n = MAX (data->metrics->len, 1);
  g_autofree double *metrics = g_new (double, n * MAX (look->n_flat, 1));
  g_autofree double *calls = g_new (double, MAX (look->n_flat, 1));
  g_autofree guint *present = g_new (guint, MAX (look->n_flat, 1));
  g_autofree double *plain = g_new (double, MAX (look->n_flat, 1));

  for (guint first = 0; first < ask->n_locations
       && !g_cancellable_is_cancelled (ask->cancellable); first += group)
    {
      guint end = MIN (first + group, ask->n_locations);
      double *row = rows + (gsize) (first / group) * look->n_flat;

      memset (metrics, 0, n * look->n_flat * sizeof (double));
      memset (calls, 0, look->n_flat * sizeof (double));
      memset (present, 0, look->n_flat * sizeof (guint));
      memset (plain, 0, look->n_flat * sizeof (double));
      for (guint i = first; i < end; i++)
        for (guint64 r = data->first[ask->locations[i]];
             r < data->first[ask->locations[i] + 1] && data->event[r] < look->n_flat; r++)
          {
            guint32 e = data->event[r];
            Sums sums = { metrics + e * n, calls[e] };
            double one;

            add_row (look, value, r, &sums);
            kymo_profile_look_read (look, value, r, 1, &one);
            calls[e] = sums.calls;
            plain[e] += one;
            present[e]++;
          }
      for (guint e = 0; e < look->n_flat; e++)
        {
          Sums sums = { metrics + e * n, calls[e] };

          row[e] = present[e] == 0 ? NAN
            : is_gauge (look) ? plain[e] / present[e]
            : value_of (look, value, &sums, present[e]);
        }
    }
}
