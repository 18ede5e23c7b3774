/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Principal components; see kymo-principal.h. The covariance is made once, each
 * element by one thread in the order of the rows. Its eigenvectors come of
 * cyclic Jacobi rotations where columns are few, else of orthogonal iteration
 * with Rayleigh-Ritz steps from a fixed start (Golub and Van Loan, Matrix
 * Computations, 3rd edition, 8.4 and 8.2.4): with SIDE columns the two that are
 * wanted converge like the ninth value over the second.
 *
 * Of more than MOST columns those that vary most are taken: the covariance
 * grows with their square.
 */
#include "config.h"

#include "kymo-principal.h"

#include <math.h>
#include <string.h>

#include "kymo-kmeans-private.h"
#include "kymo-order.h"
#include "kymo-wide.h"

#define MOST 1024
#define FEW 40
#define SIDE 8
#define SWEEPS 60
#define ROUNDS 500
#define TILE 8
/* Less of all variance is what rounding makes. */
#define NOTHING 1e-13

typedef struct
{
  const double *rows;
  guint         n_rows;
  gsize         n_columns;
  const double *mean;
  const guint  *columns;        /* those taken, padded to whole tiles */
  guint         n;              /* of the matrix: whole tiles */
  double       *matrix;
} Covariance;

/**
 * kymo_principal_new_variances:
 * @rows: (array): @n_rows rows of @n_columns numbers
 * @n_rows: at least 1
 * @n_columns: numbers in a row
 * @n_components: columns that are in use
 *
 * Returns: (transfer full): means and variances alone, without directions
 */
KymoPrincipal *
kymo_principal_new_variances (const double *rows,
                              guint         n_rows,
                              guint         n_columns,
                              guint         n_components)
{
  KymoPrincipal *principal = g_new0 (KymoPrincipal, 1);

  principal->n_components = n_components;
  principal->mean = g_new0 (double, n_components + 1);
  principal->variance = g_new0 (double, n_components + 1);
  for (guint p = 0; p < KYMO_N_PRINCIPAL; p++)
    principal->directions[p] = g_new0 (double, n_components + 1);
  for (guint i = 0; i < n_rows; i++)
    for (guint c = 0; c < n_components; c++)
      principal->mean[c] += rows[(gsize) i * n_columns + c];
  for (guint c = 0; c < n_components; c++)
    principal->mean[c] /= n_rows;
  for (guint i = 0; i < n_rows; i++)
    for (guint c = 0; c < n_components; c++)
      {
        double off = rows[(gsize) i * n_columns + c] - principal->mean[c];

        principal->variance[c] += off * off / n_rows;
      }
  for (guint c = 0; c < n_components; c++)
    principal->total += principal->variance[c];
  return principal;
}

/** kymo_principal_free: frees means, variances and directions */
void
kymo_principal_free (KymoPrincipal *principal)
{
  g_free (principal->mean);
  g_free (principal->variance);
  for (guint p = 0; p < KYMO_N_PRINCIPAL; p++)
    g_free (principal->directions[p]);
  g_free (principal);
}

/* -- covariance ------------------------------------------------------------ */

typedef double Four __attribute__ ((vector_size (4 * sizeof (double)), aligned (sizeof (double))));

/* The values of a tile's columns in a row, from their means. */
static inline void
take_four (const Covariance *of,
           const double     *values,
           const guint      *columns,
           Four             *taken)
{
  for (guint k = 0; k < 4; k++)
    (*taken)[k] = values[columns[k]] - of->mean[columns[k]];
}

/* Elements i to i + 3 by j to j + 7, over all rows: as many sums as registers
   hold. */
KYMO_WIDE static void
add_half (const Covariance *of,
          guint             i,
          guint             j,
          double           *out)
{
  Four a0 = { 0 }, a1 = { 0 }, a2 = { 0 }, a3 = { 0 };
  Four b0 = { 0 }, b1 = { 0 }, b2 = { 0 }, b3 = { 0 };
  const guint *left_of = of->columns + i, *right_of = of->columns + j;

  for (guint row = 0; row < of->n_rows; row++)
    {
      const double *values = of->rows + row * of->n_columns;
      Four left, right, far;

      take_four (of, values, left_of, &left);
      take_four (of, values, right_of, &right);
      take_four (of, values, right_of + 4, &far);
      a0 += left[0] * right;
      b0 += left[0] * far;
      a1 += left[1] * right;
      b1 += left[1] * far;
      a2 += left[2] * right;
      b2 += left[2] * far;
      a3 += left[3] * right;
      b3 += left[3] * far;
    }
  memcpy (out, (Four[]) { a0, b0, a1, b1, a2, b2, a3, b3 }, 8 * sizeof (Four));
}

/* Elements i to i + 7 by j to j + 7, and across the diagonal. */
static void
add_tile (const Covariance *of,
          guint             i,
          guint             j)
{
  double sums[TILE * TILE];

  add_half (of, i, j, sums);
  add_half (of, i + TILE / 2, j, sums + TILE * TILE / 2);
  for (guint k = 0; k < TILE; k++)
    for (guint l = 0; l < TILE; l++)
      {
        double mean = sums[k * TILE + l] / of->n_rows;

        of->matrix[(gsize) (i + k) * of->n + j + l] = mean;
        of->matrix[(gsize) (j + l) * of->n + i + k] = mean;
      }
}

/* Tiles of the lower triangle by number. */
static void
add_tiles (gpointer data,
           guint    first,
           guint    end)
{
  for (guint at = first; at < end; at++)
    {
      guint i = (sqrt (8.0 * at + 1) - 1) / 2;

      add_tile (data, i * TILE, (at - i * (i + 1) / 2) * TILE);
    }
}

/* By which columns are chosen where they are too many. */
typedef struct
{
  guint  column;
  double variance;
} Varies;

static int
compare_variances (gconstpointer a,
                   gconstpointer b)
{
  const Varies *x = a, *y = b;

  KYMO_ORDER_BY (y->variance, x->variance);
  return (x->column > y->column) - (x->column < y->column);
}

/* Columns that vary, `n` of them, ascending, so that those of a tile lie side by
   side; then one of them again to whole tiles. */
static guint *
choose_columns (const KymoPrincipal *principal,
                guint               *n,
                guint               *padded)
{
  g_autofree Varies *all = g_new (Varies, principal->n_components + 1);
  guint *columns;

  *n = 0;
  for (guint c = 0; c < principal->n_components; c++)
    if (principal->variance[c] > 0)
      all[(*n)++] = (Varies) { c, principal->variance[c] };
  qsort (all, *n, sizeof *all, compare_variances);
  *n = MIN (*n, MOST);
  *padded = (*n + TILE - 1) / TILE * TILE;
  columns = g_new0 (guint, *padded + 1);
  for (guint k = 0; k < *n; k++)
    columns[k] = all[k].column;
  qsort (columns, *n, sizeof *columns, kymo_compare_uints);
  for (guint k = *n; k < *padded; k++)
    columns[k] = columns[*n - 1];
  return columns;
}

/* n x n, without the padding. */
static double *
make_covariance (Covariance   *of,
                 guint         n,
                 guint         n_threads,
                 GCancellable *cancellable)
{
  guint side = of->n / TILE;
  double *matrix = g_new (double, (gsize) n * n + 1);

  of->matrix = g_new (double, (gsize) of->n * of->n + 1);
  kymo_rows_for_each (side * (side + 1) / 2, (guint64) of->n * of->n * of->n_rows, n_threads,
                      add_tiles, of, cancellable);
  for (guint i = 0; i < n; i++)
    memcpy (matrix + (gsize) i * n, of->matrix + (gsize) i * of->n, n * sizeof (double));
  g_free (of->matrix);
  return matrix;
}

/* -- eigenvectors ---------------------------------------------------------- */

/* The rotation that makes element p, q of the symmetric matrix 0. */
static void
rotate (double *matrix,
        double *vectors,
        guint   n,
        guint   p,
        guint   q)
{
  double theta = (matrix[q * n + q] - matrix[p * n + p]) / (2 * matrix[p * n + q]);
  double t = (theta < 0 ? -1 : 1) / (fabs (theta) + sqrt (theta * theta + 1));
  double c = 1 / sqrt (t * t + 1), s = t * c;

  for (guint k = 0; k < n; k++)
    {
      double a = matrix[k * n + p], b = matrix[k * n + q];

      matrix[k * n + p] = c * a - s * b;
      matrix[k * n + q] = s * a + c * b;
    }
  for (guint k = 0; k < n; k++)
    {
      double a = matrix[p * n + k], b = matrix[q * n + k];

      matrix[p * n + k] = c * a - s * b;
      matrix[q * n + k] = s * a + c * b;
      a = vectors[k * n + p];
      b = vectors[k * n + q];
      vectors[k * n + p] = c * a - s * b;
      vectors[k * n + q] = s * a + c * b;
    }
}

/* Leaves eigenvalues on the diagonal, eigenvectors in the columns. */
static void
jacobi (double *matrix,
        double *vectors,
        guint   n)
{
  double trace = 0;

  memset (vectors, 0, (gsize) n * n * sizeof (double));
  for (guint i = 0; i < n; i++)
    {
      vectors[i * n + i] = 1;
      trace += fabs (matrix[i * n + i]);
    }
  for (guint sweep = 0; sweep < SWEEPS; sweep++)
    {
      double off = 0;

      for (guint p = 0; p < n; p++)
        for (guint q = p + 1; q < n; q++)
          {
            off = MAX (off, fabs (matrix[p * n + q]));
            if (fabs (matrix[p * n + q]) > 1e-18 * trace)
              rotate (matrix, vectors, n, p, q);
          }
      if (off <= 1e-16 * trace)
        break;
    }
}

/* The number of the largest eigenvalue but those taken; of equal ones the
   first. */
static guint
largest_of (const double *matrix,
            guint         n,
            guint         but)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < n; i++)
    if (i != but && (best == G_MAXUINT || matrix[i * n + i] > matrix[best * n + best]))
      best = i;
  return best;
}

/* `values` and `found` (2 x n): the two largest. */
static void
find_few (double *matrix,
          guint   n,
          double *values,
          double *found)
{
  g_autofree double *vectors = g_new (double, (gsize) n * n);
  guint but = G_MAXUINT;

  jacobi (matrix, vectors, n);
  for (guint p = 0; p < MIN (KYMO_N_PRINCIPAL, n); p++)
    {
      but = largest_of (matrix, n, but);
      values[p] = matrix[but * n + but];
      for (guint i = 0; i < n; i++)
        found[p * n + i] = vectors[i * n + but];
    }
}

static double
dot (const double *a,
     const double *b,
     guint         n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* The rows of `basis` (SIDE x n) made orthonormal, twice for rounding; what
   depends on those before becomes 0. */
static void
make_orthonormal (double *basis,
                  guint   n)
{
  for (guint p = 0; p < SIDE; p++)
    {
      double *own = basis + (gsize) p * n;
      double before = sqrt (dot (own, own, n)), length;

      for (guint twice = 0; twice < 2; twice++)
        for (guint q = 0; q < p; q++)
          {
            double share = dot (own, basis + (gsize) q * n, n);

            for (guint i = 0; i < n; i++)
              own[i] -= share * basis[(gsize) q * n + i];
          }
      length = sqrt (dot (own, own, n));
      for (guint i = 0; i < n; i++)
        own[i] = length > 1e-12 * before ? own[i] / length : 0;
    }
}

/* product = basis x matrix; both SIDE x n, of rows. */
KYMO_WIDE static void
multiply (const double *matrix,
          guint         n,
          const double *basis,
          double       *product)
{
  memset (product, 0, (gsize) SIDE * n * sizeof (double));
  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < SIDE; p++)
      {
        double share = basis[(gsize) p * n + i];
        const double *row = matrix + (gsize) i * n;
        double *out = product + (gsize) p * n;

        for (guint j = 0; j < n; j++)
          out[j] += share * row[j];
      }
}

/* Turns `basis` and `product` so that the former are the best eigenvectors
   that it spans, the largest first. */
static void
turn (double *basis,
      double *product,
      guint   n,
      double *values)
{
  double small[SIDE * SIDE], vectors[SIDE * SIDE];
  guint order[SIDE];

  for (guint p = 0; p < SIDE; p++)
    for (guint q = 0; q < SIDE; q++)
      small[p * SIDE + q] = dot (basis + (gsize) MIN (p, q) * n,
                                 product + (gsize) MAX (p, q) * n, n);
  jacobi (small, vectors, SIDE);
  for (guint p = 0; p < SIDE; p++)
    {
      guint at = p;

      for (; at > 0 && small[order[at - 1] * SIDE + order[at - 1]] < small[p * SIDE + p]; at--)
        order[at] = order[at - 1];
      order[at] = p;
    }
  for (guint i = 0; i < n; i++)
    {
      double old[SIDE], of_product[SIDE];

      for (guint p = 0; p < SIDE; p++)
        {
          old[p] = basis[(gsize) p * n + i];
          of_product[p] = product[(gsize) p * n + i];
          basis[(gsize) p * n + i] = product[(gsize) p * n + i] = 0;
        }
      for (guint p = 0; p < SIDE; p++)
        for (guint q = 0; q < SIDE; q++)
          {
            basis[(gsize) p * n + i] += vectors[q * SIDE + order[p]] * old[q];
            product[(gsize) p * n + i] += vectors[q * SIDE + order[p]] * of_product[q];
          }
    }
  for (guint p = 0; p < SIDE; p++)
    values[p] = small[order[p] * SIDE + order[p]];
}

/* TRUE if the first two are eigenvectors, as exactly as doubles can tell. */
static gboolean
is_settled (const double *basis,
            const double *product,
            guint         n,
            const double *values)
{
  double worst = 0;

  for (guint p = 0; p < KYMO_N_PRINCIPAL; p++)
    for (guint i = 0; i < n; i++)
      worst = MAX (worst, fabs (product[(gsize) p * n + i]
                                - values[p] * basis[(gsize) p * n + i]));
  return worst <= 1e-11 * values[0];
}

static void
find_many (const double *matrix,
           guint         n,
           double       *values,
           double       *found,
           GCancellable *cancellable)
{
  g_autofree double *basis = g_new (double, (gsize) SIDE * n);
  g_autofree double *product = g_new (double, (gsize) SIDE * n);
  double all[SIDE];
  guint64 state = 1;

  for (gsize i = 0; i < (gsize) SIDE * n; i++)
    basis[i] = kymo_draw (&state) - 0.5;
  for (guint round = 0; round < ROUNDS && !g_cancellable_is_cancelled (cancellable); round++)
    {
      make_orthonormal (basis, n);
      multiply (matrix, n, basis, product);
      turn (basis, product, n, all);
      if (is_settled (basis, product, n, all))
        break;
      memcpy (basis, product, (gsize) SIDE * n * sizeof (double));
    }
  make_orthonormal (basis, n);
  memcpy (values, all, KYMO_N_PRINCIPAL * sizeof (double));
  memcpy (found, basis, (gsize) KYMO_N_PRINCIPAL * n * sizeof (double));
}

/* -- directions ------------------------------------------------------------ */

/* The largest weight is positive; of those that are as large the first. */
static double
sign_of (const double *direction,
         guint         n)
{
  guint largest = 0;

  for (guint i = 1; i < n; i++)
    if (fabs (direction[i]) > fabs (direction[largest]) * (1 + 1e-9))
      largest = i;
  return direction[largest] < 0 ? -1 : 1;
}

static void
take_directions (KymoPrincipal *principal,
                 const guint   *columns,
                 guint          n,
                 const double  *values,
                 const double  *found)
{
  for (guint p = 0; p < KYMO_N_PRINCIPAL; p++)
    {
      double sign;

      if (!(values[p] > NOTHING * principal->total))
        continue;
      principal->along[p] = values[p];
      for (guint i = 0; i < n; i++)
        principal->directions[p][columns[i]] = found[(gsize) p * n + i];
      sign = sign_of (principal->directions[p], principal->n_components);
      for (guint c = 0; c < principal->n_components; c++)
        principal->directions[p][c] *= sign;
    }
}

/**
 * kymo_principal_find:
 * @principal: with means and variances of the same rows
 * @rows: (array): @n_rows rows of @n_columns numbers
 * @n_rows: number of rows
 * @n_columns: numbers in a row
 * @n_threads: most threads; 0 = one per core
 *
 * Finds the directions.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_principal_find (KymoPrincipal  *principal,
                     const double   *rows,
                     guint           n_rows,
                     guint           n_columns,
                     guint           n_threads,
                     GCancellable   *cancellable,
                     GError        **error)
{
  Covariance of = { rows, n_rows, n_columns, principal->mean };
  g_autofree guint *columns = NULL;
  g_autofree double *matrix = NULL;
  g_autofree double *found = NULL;
  double values[KYMO_N_PRINCIPAL] = { 0 };
  guint n;

  columns = choose_columns (principal, &n, &of.n);
  of.columns = columns;
  if (n == 0)
    return TRUE;
  matrix = make_covariance (&of, n, n_threads, cancellable);
  found = g_new0 (double, (gsize) KYMO_N_PRINCIPAL * n);
  if (n <= FEW)
    find_few (matrix, n, values, found);
  else
    find_many (matrix, n, values, found, cancellable);
  take_directions (principal, columns, n, values, found);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * kymo_principal_score:
 * @which: number of a direction
 * @row: a row
 *
 * Returns: how far a row lies along a direction, from the mean of all
 */
double
kymo_principal_score (const KymoPrincipal *principal,
                      guint                which,
                      const double        *row)
{
  double score = 0;

  for (guint c = 0; c < principal->n_components; c++)
    score += (row[c] - principal->mean[c]) * principal->directions[which][c];
  return score;
}
