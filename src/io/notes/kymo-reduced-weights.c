/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a .kymo file says of the PEs that kept ones stand for: weights, and how
 * far figures are off when they are summed up with them (docs/formats/kymo.md).
 *
 * Nothing in it is believed before it was checked: a caller that has the weights may
 * rely on it that they are of kept PEs, that none is negative and that they sum
 * up to the PEs of the original. What cannot be believed is left out, with one
 * sentence; the run itself needs none of it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-noted.h"
#include "kymo-order.h"

#define WEIGHTS "Weights"
#define ERRORS "Error"
#define ENTRIES "Error of entries"
#define MAX_BARS 1000000

static const struct { const char *key; gint64 id; } others[] =
{
  { "idle", KYMO_REDUCTION_IDLE },
  { "overhead", KYMO_REDUCTION_OVERHEAD },
  { "untraced", KYMO_REDUCTION_UNTRACED },
};

/* A number as it is written; so no two keys are of one PE. */
static gboolean
parse_id (const char *text,
          gint64     *id)
{
  return g_ascii_string_to_signed (text, 10, 0, G_MAXINT32, id, NULL)
    && (text[0] != '0' || text[1] == '\0') && g_ascii_isdigit (text[0]);
}

typedef struct
{
  gint64 id;
  double weight;
} PeWeight;

static int
compare_ints (gconstpointer a,
              gconstpointer b)
{
  int x = *(const int *) a, y = *(const int *) b;

  return (x > y) - (x < y);
}

static gboolean
read_weights (GKeyFile  *file,
              const int *kept,
              gsize      n_kept,
              GArray    *weights)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, WEIGHTS, NULL, NULL);
  g_autofree int *sorted = g_memdup2 (kept, n_kept * sizeof (int));

  qsort (sorted, n_kept, sizeof (int), compare_ints);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      PeWeight one;
      int pe;

      if (!parse_id (keys[i], &one.id))
        return FALSE;
      pe = one.id;
      one.weight = g_key_file_get_double (file, WEIGHTS, keys[i], &error);
      if (error != NULL || !isfinite (one.weight) || one.weight < 0 || one.weight > G_MAXINT32
          || bsearch (&pe, sorted, n_kept, sizeof (int), compare_ints) == NULL)
        return FALSE;
      g_array_append_val (weights, one);
    }
  g_array_sort (weights, kymo_compare_ints);
  return weights->len > 0;
}

/* As many as the PEs, but for the rounding of each to millionths. */
static gboolean
sums_up (const GArray *weights,
         gint64        n_pes)
{
  long double sum = 0;

  for (guint i = 0; i < weights->len; i++)
    sum += g_array_index (weights, PeWeight, i).weight;
  return fabsl (sum - n_pes) <= (weights->len + 1) / (long double) KYMO_WEIGHT_ONE;
}

/* Times of all PEs together must be numbers, with some room for what is summed
   up of them. */
static gboolean
fits_reduced_weights (gint64 n_pes,
                      gint64 length_ns)
{
  return (__int128) length_ns * n_pes <= G_MAXINT64 / 4;
}

static KymoIdWeights *
make_weights (GKeyFile  *file,
              const int *kept,
              gsize      n_kept,
              gint64     length_ns)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (PeWeight));
  gint64 n_pes = g_key_file_get_int64 (file, KYMO_REDUCED_GROUP, "pes", NULL);
  gint64 most = g_key_file_get_int64 (file, KYMO_REDUCED_GROUP, "processors", NULL);
  g_autofree gint64 *ids = NULL;
  g_autofree double *values = NULL;

  if (!read_weights (file, kept, n_kept, weights) || n_pes < weights->len || n_pes > most
      || !sums_up (weights, n_pes) || !fits_reduced_weights (n_pes, length_ns))
    return NULL;
  ids = g_new (gint64, weights->len);
  values = g_new (double, weights->len);
  for (guint i = 0; i < weights->len; i++)
    {
      ids[i] = g_array_index (weights, PeWeight, i).id;
      values[i] = g_array_index (weights, PeWeight, i).weight;
    }
  return kymo_id_weights_new_round (ids, values, weights->len, n_pes * KYMO_WEIGHT_ONE);
}

static gboolean
read_time (GKeyFile   *file,
           const char *key,
           gint64     *ns)
{
  g_autofree char *text = g_key_file_get_value (file, ERRORS, key, NULL);

  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT64 / 4, G_MAXINT64 / 4, ns,
                                                   NULL);
}

/* Reads the error of the time profile, with the range and number of bars in which it was
   measured. */
static gboolean
read_span (GKeyFile      *file,
           KymoReduction *reduction)
{
  g_autoptr (GError) error = NULL;
  double share = g_key_file_get_double (file, ERRORS, "time_profile", &error);
  int bars = g_key_file_get_integer (file, ERRORS, "bars", NULL);

  if (error != NULL || share < 0 || isinf (share) || bars < 1 || bars > MAX_BARS
      || !read_time (file, "begin_ns", &reduction->errors_span.begin_ns)
      || !read_time (file, "end_ns", &reduction->errors_span.end_ns)
      || reduction->errors_span.end_ns < reduction->errors_span.begin_ns)
    return FALSE;
  reduction->time_profile = share;
  reduction->bars = bars;
  return TRUE;
}

static gboolean
parse_key (const char *key,
           gint64     *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].key, key) == 0)
      {
        *id = others[i].id;
        return TRUE;
      }
  return parse_id (key, id);
}

static gboolean
read_errors (GKeyFile *file,
             GArray   *errors)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, ENTRIES, NULL, NULL);

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    {
      g_auto (GStrv) values = g_key_file_get_string_list (file, ENTRIES, keys[i], NULL, NULL);
      KymoReductionError one;

      if (values == NULL || g_strv_length (values) != 2 || !parse_key (keys[i], &one.id)
          || !g_ascii_string_to_signed (values[0], 10, 0, G_MAXINT64, &one.true_ns, NULL)
          || !g_ascii_string_to_signed (values[1], 10, 0, G_MAXINT64, &one.estimated_ns, NULL))
        return FALSE;
      g_array_append_val (errors, one);
    }
  g_array_sort (errors, kymo_compare_ints);
  return TRUE;
}

static double
read_quality (GKeyFile   *file,
              const char *key)
{
  g_autoptr (GError) error = NULL;
  double value = g_key_file_get_double (file, "Quality", key, &error);

  return error == NULL && isfinite (value) && value >= 0 ? value : NAN;
}

/* Groups that are there; each has a representative, the other kept PEs are
   outliers. */
static void
count_clusters (GKeyFile      *file,
                gsize          n_kept,
                KymoReduction *reduction)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    reduction->n_clusters += g_str_has_prefix (groups[i], "Cluster ");
  if (reduction->n_clusters > n_kept)
    reduction->n_clusters = 0;
  if (reduction->n_clusters > 0)
    reduction->n_outliers = n_kept - reduction->n_clusters;
}

/**
 * kymo_reduced_parse_weights:
 * @file: a .kymo file of the version that is known
 * @kept: (array length=n_kept): the PEs that it says were kept
 * @length_ns: of the run
 * @why: (inout): a sentence where something cannot be believed; not
 *   set where all is well, or nothing is told
 *
 * Returns: (transfer full) (nullable): weights, and errors where they were
 * measured; %NULL where there are no weights that fit
 */
KymoReduction *
kymo_reduced_parse_weights (GKeyFile    *file,
                            const int   *kept,
                            gsize        n_kept,
                            gint64       length_ns,
                            const char **why)
{
  g_autoptr (KymoIdWeights) weights = NULL;
  KymoReduction *reduction;

  if (!g_key_file_has_group (file, WEIGHTS))
    return NULL;
  weights = make_weights (file, kept, n_kept, length_ns);
  if (weights == NULL)
    {
      *why = N_("The weights of the reduction do not fit its PEs; nothing can be extrapolated");
      return NULL;
    }
  reduction = kymo_reduction_new (weights);
  count_clusters (file, n_kept, reduction);
  reduction->mean_ratio = read_quality (file, "mean_ratio");
  reduction->stddev = read_quality (file, "stddev");
  if (g_key_file_has_group (file, ERRORS)
      && (!read_span (file, reduction) || !read_errors (file, reduction->errors)))
    {
      g_array_set_size (reduction->errors, 0);
      reduction->time_profile = NAN;
      *why = N_("The errors that the reduction measured cannot be read; they are left out");
    }
  return reduction;
}
