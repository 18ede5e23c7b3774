/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far repeats of one program are apart, and so how large a difference must be
 * to be more than chance.
 *
 * Several runs on both sides: the 95 % interval of the difference of two means whose
 * variances need not be equal (B. L. Welch, The generalization of “Student's” problem
 * when several different population variances are involved, Biometrika 34, 1947), with
 * the degrees of freedom of F. E. Satterthwaite (An approximate distribution of
 * estimates of variance components, Biometrics Bulletin 2, 1946). Several on one side
 * and one on the other: the 95 % prediction interval of one further run (G. J. Hahn and
 * W. Q. Meeker, Statistical Intervals, 1991, 4.7), which takes the deviation of the one
 * side for that of both. With one run on each side it is unknown.
 *
 * Two runs on a side leave one degree of freedom: the band is then some 13 standard
 * errors wide, as it must be.
 *
 * Pure functions; any thread.
 */
#include "config.h"

#include "kymo-comparison-private.h"

#include <math.h>

#define CONFIDENCE 0.95

/* The continued fraction of the incomplete beta function, by Lentz's method as
   modified by Thompson and Barnett (W. H. Press et al., Numerical Recipes, 6.4). */
static double
beta_fraction (double a,
               double b,
               double x)
{
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1), f;

  d = 1 / (fabs (d) < tiny ? tiny : d);
  f = d;
  for (guint m = 1; m <= 500; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      double step;

      d = 1 + even * d;
      c = 1 + even / c;
      d = 1 / (fabs (d) < tiny ? tiny : d);
      c = fabs (c) < tiny ? tiny : c;
      f *= c * d;
      d = 1 + odd * d;
      c = 1 + odd / c;
      d = 1 / (fabs (d) < tiny ? tiny : d);
      c = fabs (c) < tiny ? tiny : c;
      step = c * d;
      f *= step;
      if (fabs (step - 1) < 1e-15)
        break;
    }
  return f;
}

/* The regularized incomplete beta function I_x (a, b). */
static double
incomplete_beta (double a,
                 double b,
                 double x)
{
  double front;

  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction (a, b, x) / a
    : 1 - front * beta_fraction (b, a, 1 - x) / b;
}

/* The share of Student's distribution within ±t. */
static double
share_within (double t,
              double freedom)
{
  return 1 - incomplete_beta (freedom / 2, 0.5, freedom / (freedom + t * t));
}

/**
 * kymo_student_quantile:
 * @share: of the distribution in the middle, as 0.95
 * @freedom: degrees of freedom, at least 1; need not be whole
 *
 * Returns: t such that @share of Student's t distribution lies within ±t
 */
double
kymo_student_quantile (double share,
                       double freedom)
{
  double middle = exp (lgamma ((freedom + 1) / 2) - lgamma (freedom / 2))
    / sqrt (freedom * G_PI), t = 0;

  /* Newton's steps from 0 never go too far, as the density falls with t. */
  for (guint i = 0; i < 100; i++)
    {
      double density = 2 * middle * pow (1 + t * t / freedom, -(freedom + 1) / 2);
      double step = (share - share_within (t, freedom)) / density;

      t += step;
      if (fabs (step) <= 1e-12 * t)
        break;
    }
  return t;
}

/* Mean and variance of a sample; 0 of a single one. */
static double
variance_of (const double *values,
             guint         n)
{
  double mean = 0, sum = 0;

  for (guint i = 0; i < n; i++)
    mean += values[i] / n;
  for (guint i = 0; i < n; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return n > 1 ? sum / (n - 1) : 0;
}

/* Of many figures one after the other the freedom is often the same, and it takes a search. */
static double
quantile_of (double freedom)
{
  static _Thread_local double last_freedom = 0, last_quantile = 0;

  if (freedom != last_freedom)
    {
      last_quantile = kymo_student_quantile (CONFIDENCE, freedom);
      last_freedom = freedom;
    }
  return last_quantile;
}

/**
 * kymo_noise_add:
 * @mean: (inout): of the values before it
 * @m2: (inout): sum of the squares of what they are off it
 * @n: how many values there are, with this one
 *
 * One more value (B. P. Welford, Note on a method for calculating corrected sums of squares
 * and products, Technometrics 4, 1962).
 */
void
kymo_noise_add (double *mean,
                double *m2,
                double  value,
                guint   n)
{
  double off = value - *mean;

  *mean += off / n;
  *m2 += off * (value - *mean);
}

/**
 * kymo_noise_width:
 * @v_a: variance of the figures of the runs of one side, 0 of a single run
 * @n_a: number of runs of this side
 * @v_b: variance of the figures of the other side
 * @n_b: number of runs of the other side
 * @half_width: (out): how far the means may be apart by chance, 19 times of 20; 0 if there
 *   are no repeats, or if repeats are all alike
 *
 * Returns: whether there are repeats
 */
gboolean
kymo_noise_width (double  v_a,
                  guint   n_a,
                  double  v_b,
                  guint   n_b,
                  double *half_width)
{
  double freedom, error;

  *half_width = 0;
  if (n_a == 0 || n_b == 0 || (n_a < 2 && n_b < 2))
    return FALSE;
  if (n_a < 2 || n_b < 2)
    {
      freedom = MAX (n_a, n_b) - 1;
      error = MAX (v_a, v_b) * (1.0 / n_a + 1.0 / n_b);
    }
  else
    {
      double e_a = v_a / n_a, e_b = v_b / n_b;

      error = e_a + e_b;
      freedom = error > 0 ? error * error / (e_a * e_a / (n_a - 1) + e_b * e_b / (n_b - 1)) : 1;
    }
  if (error > 0)
    *half_width = quantile_of (MAX (freedom, 1)) * sqrt (error);
  return TRUE;
}

/**
 * kymo_noise_band:
 * @a: figures of the runs of one side
 * @b: of the other
 * @half_width: (out): see kymo_noise_width()
 *
 * Returns: whether there are repeats
 */
gboolean
kymo_noise_band (const double *a,
                 guint         n_a,
                 const double *b,
                 guint         n_b,
                 double       *half_width)
{
  return kymo_noise_width (variance_of (a, n_a), n_a, variance_of (b, n_b), n_b, half_width);
}
