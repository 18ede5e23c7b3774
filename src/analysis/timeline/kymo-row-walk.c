/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-row-walk.h"

#include <math.h>

#include "kymo-principal.h"

/* A point's own distance along the strongest direction is as exact as its
   coordinates are, which is what is taken off before two are told apart. */
#define ROUNDING 1e-9
#define NOBODY G_MAXUINT
/* Number of coordinates that are summed up between two checks whether a point is too far. */
#define AT_ONCE 8

typedef struct
{
  double along;
  guint  point;
} Stop;

/* Points in the order of the direction; those not yet visited are linked. */
typedef struct
{
  const double *points;
  guint         n_columns;
  Stop         *stops;
  guint        *before, *after;
  guint         n;
} Walk;

static int
compare_stops (gconstpointer a,
               gconstpointer b)
{
  const Stop *x = a, *y = b;

  if (x->along != y->along)
    return x->along < y->along ? -1 : 1;
  return (x->point > y->point) - (x->point < y->point);
}

/* The square of a distance, or more than @most. */
static double
distance_row_walk (const Walk *walk,
                   guint       a,
                   guint       b,
                   double      most)
{
  const double *x = walk->points + (gsize) walk->stops[a].point * walk->n_columns;
  const double *y = walk->points + (gsize) walk->stops[b].point * walk->n_columns;
  double sum = 0;

  for (guint c = 0; c < walk->n_columns && sum <= most; c += AT_ONCE)
    for (guint i = c; i < MIN (c + AT_ONCE, walk->n_columns); i++)
      sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

static void
visit_row_walk (Walk  *walk,
                guint  at)
{
  if (walk->before[at] != NOBODY)
    walk->after[walk->before[at]] = walk->after[at];
  if (walk->after[at] != NOBODY)
    walk->before[walk->after[at]] = walk->before[at];
}

static double
apart (const Walk *walk,
       guint       at,
       guint       other)
{
  double d = other == NOBODY ? INFINITY
    : fabs (walk->stops[at].along - walk->stops[other].along);

  return MAX (d - ROUNDING * (fabs (walk->stops[at].along) + 1), 0);
}

/* The nearest one that is not visited, of equal ones the first that is met; the
   square of its distance. */
static guint
find_nearest (const Walk *walk,
              guint       at,
              double     *square)
{
  guint low = walk->before[at], high = walk->after[at], best = NOBODY;
  double nearest = INFINITY;

  while (low != NOBODY || high != NOBODY)
    {
      double below = apart (walk, at, low), above = apart (walk, at, high);
      guint other = below <= above ? low : high;
      double least = MIN (below, above), d;

      if (least * least >= nearest)
        break;
      d = distance_row_walk (walk, at, other, nearest);
      if (d < nearest)
        {
          nearest = d;
          best = other;
        }
      if (other == low)
        low = walk->before[low];
      else
        high = walk->after[high];
    }
  *square = nearest;
  return best;
}

static gboolean
sort_stops (Walk          *walk,
            guint          n_components,
            guint          n_threads,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (KymoPrincipal) principal
    = kymo_principal_new_variances (walk->points, walk->n, walk->n_columns, n_components);

  if (!kymo_principal_find (principal, walk->points, walk->n, walk->n_columns, n_threads,
                            cancellable, error))
    return FALSE;
  for (guint i = 0; i < walk->n; i++)
    walk->stops[i] = (Stop) { kymo_principal_score (principal, 0, walk->points
                                                    + (gsize) i * walk->n_columns), i };
  qsort (walk->stops, walk->n, sizeof (Stop), compare_stops);
  for (guint i = 0; i < walk->n; i++)
    {
      walk->before[i] = i > 0 ? i - 1 : NOBODY;
      walk->after[i] = i + 1 < walk->n ? i + 1 : NOBODY;
    }
  return TRUE;
}

/**
 * kymo_row_walk_new:
 * @points: (array): n_points rows of n_columns numbers
 * @n_components: columns that are in use
 * @n_threads: most threads; 0 = one per core
 * @steps: (out) (optional) (transfer full): how far each point is from the point before it in
 *   the walk; 0 for the first
 *
 * Returns: (transfer full) (nullable): the points in the order of the walk; %NULL if it was
 *   cancelled
 */
guint *
kymo_row_walk_new (const double *points, guint n_points, guint n_columns, guint n_components,
                   guint n_threads, double **steps, GCancellable *cancellable, GError **error)
{
  g_autofree Stop *stops = g_new (Stop, MAX (n_points, 1));
  g_autofree guint *before = g_new (guint, MAX (n_points, 1));
  g_autofree guint *after = g_new (guint, MAX (n_points, 1));
  g_autofree guint *order = g_new (guint, MAX (n_points, 1));
  g_autofree double *far = g_new0 (double, MAX (n_points, 1));
  Walk walk = { points, n_columns, stops, before, after, n_points };
  guint at = 0;

  if (n_points > 1 && n_components > 0
      && !sort_stops (&walk, n_components, n_threads, cancellable, error))
    return NULL;
  for (guint i = 0; i < n_points; i++)
    order[i] = i;
  for (guint i = 0; i < n_points && n_points > 1 && n_components > 0; i++)
    {
      guint next;
      double square = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      order[i] = stops[at].point;
      next = i + 1 < n_points ? find_nearest (&walk, at, &square) : NOBODY;
      visit_row_walk (&walk, at);
      if (next == NOBODY)
        break;
      far[i + 1] = sqrt (square);
      at = next;
    }
  if (steps != NULL)
    *steps = g_steal_pointer (&far);
  return g_steal_pointer (&order);
}
