/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-reduction-words.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "kymo-in-terms.h"
#include "kymo-units.h"

/** kymo_reduction_is_reduced: by the runtime or by a program */
gboolean
kymo_reduction_is_reduced (const KymoTable *info)
{
  return g_strcmp0 (kymo_table_get_string (info, "kind", 0), "reduced") == 0;
}

/**
 * kymo_reduction_peek:
 * @info: an answer of "info"
 *
 * Returns: (transfer none) (nullable): the notes that the reduction of the run left; %NULL where
 *   there are none
 */
KymoTable *
kymo_reduction_peek (const KymoTable *info)
{
  return kymo_table_peek_nested (info, "reduction", NULL);
}

static gint64
n_kept (const KymoTable *info)
{
  return MAX (kymo_table_get_int (info, "locations_kept", 0), 0);
}

/* Without the communication threads, where that is known. */
static gint64
n_original (const KymoTable *info)
{
  KymoTable *reduction = kymo_reduction_peek (info);

  return reduction != NULL ? kymo_table_get_int (reduction, "pes", 0)
         : kymo_table_get_int (info, "locations_original", 0);
}

/**
 * kymo_reduction_dup_share:
 * @info: an answer of "info" about a reduced run
 *
 * Returns: (transfer full): the number of kept rows and of all rows; "reduced" where all are kept
 */
char *
kymo_reduction_dup_share (const KymoTable *info, KymoTerms terms)
{
  if (n_kept (info) >= n_original (info))
    return g_strdup (_("reduced"));
  return g_strdup_printf (kymo_in_terms (terms, _("%" PRId64 " of %" PRId64
                                                  " {rows}")),
                          n_kept (info), n_original (info));
}

/**
 * kymo_reduction_dup_kept:
 * @info: an answer of "info" about a reduced run
 *
 * Returns: (transfer full): a sentence about the number of kept rows and the rows that they stand
 *   for
 */
char *
kymo_reduction_dup_kept (const KymoTable *info, KymoTerms terms)
{
  KymoTable *reduction = kymo_reduction_peek (info);
  g_autofree char *share = kymo_reduction_dup_share (info, terms);
  gint64 clusters = reduction != NULL
                    ? kymo_table_get_int (reduction, "clusters", 0)
                    : KYMO_NULL_INT;

  if (n_kept (info) >= n_original (info))
    return g_strdup (_("A part of what was recorded was cut away"));
  if (clusters == KYMO_NULL_INT)
    return g_strdup_printf (_("%s were kept as a whole"), share);
  return g_strdup_printf (
    _("%s were kept: one that stands for each of %" PRId64
      " clusters, and %" PRId64 " that stick out"), share, clusters,
    kymo_table_get_int (reduction, "outliers", 0));
}

/**
 * kymo_reduction_dup_bound:
 * @info: an answer of "info"
 *
 * Returns: (transfer full) (nullable): the largest error of the time profile in percent, in a few
 *   words; %NULL where it was not measured
 */
char *
kymo_reduction_dup_bound (const KymoTable *info)
{
  KymoTable *reduction = kymo_reduction_peek (info);
  double error = reduction != NULL
                 ? kymo_table_get_double (reduction, "time_profile", 0) : NAN;
  g_autofree char *percent = NULL;

  if (isnan (error))
    return NULL;
  percent = kymo_format_bound (error);
  return g_strdup_printf (_("time profile within %s"), percent);
}

/**
 * kymo_reduction_dup_error:
 * @info: an answer of "info" about a reduced run
 *
 * Returns: (transfer full): a sentence about the error of extrapolated figures, or about the reason
 *   why it is not known
 */
char *
kymo_reduction_dup_error (const KymoTable *info, KymoTerms terms)
{
  KymoTable *reduction = kymo_reduction_peek (info);
  g_autofree char *percent = NULL;

  if (reduction == NULL)
    return g_strdup (kymo_in_terms (
      terms, _("Whoever reduced this run did not note how many {rows} each of its {rows} "
               "stands for: nothing can be extrapolated, and figures are of the kept "
               "{rows} alone")));
  if (isnan (kymo_table_get_double (reduction, "time_profile", 0)))
    return g_strdup (_("How far extrapolated figures are off was not measured "
                       "when the run was reduced"));
  percent = kymo_format_bound (kymo_table_get_double (reduction,
                                                      "time_profile", 0));
  return g_strdup_printf (
    kymo_in_terms (terms, _("Extrapolated, no {code}, nor idle time or overhead, is off by "
                            "more than %s of all {rows}’ time in any of %" PRId64
                            " stretches of the run; measured when it was reduced")),
    percent, kymo_table_get_int (reduction, "bars", 0));
}

/**
 * kymo_reduction_dup_quality:
 * @info: an answer of "info"
 *
 * Returns: (transfer full) (nullable): the result of the proportionality test (kymo-quality.h) and
 *   the share of kept rows; %NULL where it was not measured
 */
char *
kymo_reduction_dup_quality (const KymoTable *info)
{
  KymoTable *reduction = kymo_reduction_peek (info);
  double ratio = reduction != NULL
                 ? kymo_table_get_double (reduction, "mean_ratio", 0) : NAN;

  if (isnan (ratio) || n_original (info) < 1)
    return NULL;
  return g_strdup_printf (_("%.3f for a share of %.3f, deviation %.3f"), ratio,
                          (double) n_kept (info) / (double) n_original (info),
                          kymo_table_get_double (reduction, "stddev", 0));
}

/* -- errors of entry methods ---------------------------------------------- */

static void
figure_clear (gpointer data)
{
  KymoReductionFigure *figure = data;

  g_free (figure->of_all);
  g_free (figure->estimated);
  g_free (figure->error);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *ns = data;
  guint x = *(const guint *) a, y = *(const guint *) b;

  if (ns[x] != ns[y])
    return ns[x] > ns[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static char *
words_of_error (gint64 true_ns, gint64 estimated_ns)
{
  double error = true_ns > 0
                 ? (double) estimated_ns / (double) true_ns - 1 : NAN;
  g_autofree char *percent = NULL;

  if (isnan (error))
    return g_strdup ("–");
  percent = kymo_format_percent (fabs (error));
  return g_strdup_printf ("%s%s", error < 0 ? "−" : "+", percent);
}

/**
 * kymo_reduction_figures:
 * @most: lines
 *
 * Returns: (transfer full): what was measured, the longest true time first;
 * empty where nothing was
 */
GArray *
kymo_reduction_figures (const KymoTable *info, guint most)
{
  KymoTable *reduction = kymo_reduction_peek (info);
  KymoTable *errors = reduction != NULL
    ? kymo_table_peek_nested (reduction, "errors", NULL) : NULL;
  guint n = errors != NULL ? kymo_table_get_n_rows (errors) : 0;
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (KymoReductionFigure));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_set_clear_func (figures, figure_clear);
  for (guint i = 0; i < n; i++)
    g_array_append_val (order, i);
  if (n > 0)
    g_array_sort_with_data (order, compare_rows, (gpointer)
                            kymo_table_peek_ints (errors, "true_ns", NULL));
  for (guint i = 0; i < MIN (n, most); i++)
    {
      guint row = g_array_index (order, guint, i);
      gint64 true_ns = kymo_table_get_int (errors, "true_ns", row);
      gint64 estimated_ns = kymo_table_get_int (errors, "estimated_ns", row);
      KymoReductionFigure figure = {
        kymo_table_get_string (errors, "name", row),
        kymo_format_duration (true_ns), kymo_format_duration (estimated_ns),
        words_of_error (true_ns, estimated_ns),
      };

      g_array_append_val (figures, figure);
    }
  return figures;
}
