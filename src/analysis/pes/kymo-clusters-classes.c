/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The classes that clusters and thread-scatter tell of: k-means over the sums of PEs, for each k
 * that is asked for, who stands for each class and who sticks out, and which PEs are kept
 * besides. Classes of a profile are kept with the look at it.
 */
#include "config.h"

#include "kymo-clusters-private.h"

#include <math.h>

#include "kymo-critical-path.h"

#define DEFAULT_OUTLIERS "10%"

/* -- of the publication ---------------------------------------------------- */

static void
classes_clear (KymoClasses *classes)
{
  g_clear_pointer (&classes->vectors, kymo_pe_vectors_free);
  g_clear_pointer (&classes->kmeans, kymo_kmeans_free);
  g_clear_pointer (&classes->choice, kymo_pe_choice_free);
  g_clear_pointer (&classes->principal, kymo_principal_free);
  g_clear_pointer (&classes->also, g_free);
  g_clear_pointer (&classes->silhouettes, g_free);
  g_clear_pointer (&classes->tried, kymo_table_unref);
}

static void
note_tried (KymoClasses *classes,
            guint        k,
            guint        n_clusters,
            double       silhouette)
{
  if (classes->tried == NULL)
    {
      classes->tried = kymo_table_new (KYMO_STYLE_OBJECTS);
      kymo_table_add_column (classes->tried, "k", KYMO_COLUMN_INT, 1);
      kymo_table_add_column (classes->tried, "clusters", KYMO_COLUMN_INT, 1);
      kymo_table_add_column (classes->tried, "silhouette", KYMO_COLUMN_DOUBLE, 1);
    }
  kymo_table_append_row (classes->tried, k, n_clusters, silhouette);
}

/* Keeps the classes with the largest silhouette; of equal ones the first. One
   cluster has none, and any other is better. */
static gboolean
try_k (const KymoAsk  *ask,
       KymoClasses    *classes,
       guint           k,
       GError        **error)
{
  const KymoClustersPlan *plan = ask->plan;
  const KymoPeVectors *vectors = classes->vectors;
  KymoKmeansInput input = { vectors->values, vectors->n_rows, vectors->n_columns, k,
                            plan->seeding, plan->seed, ask->n_threads, FALSE };
  g_autoptr (KymoKmeans) kmeans = kymo_kmeans_new (&input, ask->cancellable, error);
  g_autofree double *by_cluster = NULL;
  double mean;

  if (kmeans == NULL)
    return FALSE;
  by_cluster = g_new0 (double, kmeans->n_clusters);
  if (!kymo_kmeans_silhouette (kmeans, &input, by_cluster, &mean, ask->cancellable, error))
    return FALSE;
  if (plan->k_high > plan->k_low)
    note_tried (classes, k, kmeans->n_clusters, mean);
  if (classes->kmeans != NULL
      && (isnan (mean) || mean <= classes->silhouette + KYMO_KMEANS_TIE))
    return TRUE;
  g_clear_pointer (&classes->kmeans, kymo_kmeans_free);
  g_free (classes->silhouettes);
  classes->kmeans = g_steal_pointer (&kmeans);
  classes->silhouettes = g_steal_pointer (&by_cluster);
  classes->silhouette = mean;
  classes->k = k;
  return TRUE;
}

static guint
count_outliers (const KymoClustersPlan *plan,
                const KymoClasses      *classes)
{
  guint n_pes = classes->vectors->n_rows, n = 0;

  if (plan->kept == NULL)
    {
      kymo_pe_choice_parse (plan->outliers != NULL ? plan->outliers : DEFAULT_OUTLIERS, TRUE,
                            n_pes, &n);
      return n;
    }
  kymo_pe_choice_parse (plan->kept, FALSE, n_pes, &n);
  return n > classes->kmeans->n_clusters ? n - classes->kmeans->n_clusters : 0;
}

static gboolean
find_classes (const KymoAsk     *ask,
              const KymoPeSums  *sums,
              guint              with,
              KymoClasses       *classes,
              GError           **error)
{
  const KymoClustersPlan *plan = ask->plan;

  classes->vectors = kymo_pe_vectors_new (ask, sums, with, plan->scale, error);
  if (classes->vectors == NULL)
    return FALSE;
  for (guint k = plan->k_low; k <= plan->k_high; k++)
    if (!try_k (ask, classes, k, error))
      return FALSE;
  classes->choice = kymo_pe_choice_new (classes->kmeans, count_outliers (plan, classes),
                                        plan->quota);
  return TRUE;
}

/* -- beyond the publication ------------------------------------------------ */

/* Adds the PEs that clustering by each figure of the union alone would keep. Rows of all vectors
   are the same. */
static gboolean
add_union (const KymoAsk     *ask,
           const KymoPeSums  *sums,
           KymoClasses       *classes,
           GError           **error)
{
  guint union_of = ((KymoClustersPlan *) ask->plan)->union_of;
  gboolean good = TRUE;

  for (guint bit = KYMO_PE_WITH_IDLE; good && bit <= KYMO_PE_WITH_BYTES; bit <<= 1)
    {
      KymoClasses alone = { 0 };

      if (!(union_of & bit))
        continue;
      good = find_classes (ask, sums, bit | KYMO_PE_WITHOUT_ENTRIES, &alone, error);
      for (guint k = 0; good && k < alone.kmeans->n_clusters; k++)
        classes->also[alone.choice->representative[k]] |= KYMO_ALSO_UNION;
      for (guint i = 0; good && i < alone.choice->n_outliers; i++)
        classes->also[alone.choice->outliers[i]] |= KYMO_ALSO_UNION;
      classes_clear (&alone);
    }
  return good;
}

static void
note_location (const KymoPathStep *step,
               gpointer            data)
{
  gboolean *on_path = data;

  if (step->state != KYMO_PATH_MESSAGE)
    on_path[step->location] = TRUE;
}

/* A PE is on the path where it does something there, not where a message is
   on its way to it. */
static gboolean
add_path (const KymoAsk  *ask,
          KymoClasses    *classes,
          GError        **error)
{
  g_autofree gboolean *on_path = g_new0 (gboolean, ask->run->locations->len);

  if (kymo_critical_path_walk (ask, note_location, on_path, error) == KYMO_NO_PATH)
    return FALSE;
  for (guint i = 0; i < classes->vectors->n_rows; i++)
    if (on_path[ask->locations[classes->vectors->rows[i]]])
      classes->also[i] |= KYMO_ALSO_PATH;
  return TRUE;
}

static void
add_asked (const KymoAsk *ask,
           KymoClasses   *classes)
{
  const KymoIdSet *also = ((KymoClustersPlan *) ask->plan)->also;

  for (guint i = 0; also != NULL && i < classes->vectors->n_rows; i++)
    if (kymo_id_set_contains (also, kymo_run_peek_location (
          ask->run, ask->locations[classes->vectors->rows[i]])->id))
      classes->also[i] |= KYMO_ALSO_ASKED;
}

static gboolean
find_all (const KymoAsk     *ask,
          const KymoPeSums  *sums,
          KymoClasses       *classes,
          GError           **error)
{
  const KymoClustersPlan *plan = ask->plan;

  if (!find_classes (ask, sums, plan->with, classes, error))
    return FALSE;
  classes->principal = kymo_principal_new_variances (
    classes->vectors->values, classes->vectors->n_rows, classes->vectors->n_columns,
    classes->vectors->n_components);
  classes->also = g_new0 (guint8, classes->vectors->n_rows);
  add_asked (ask, classes);
  return add_union (ask, sums, classes, error)
    && (!plan->critical_path || add_path (ask, classes, error));
}

static void
clear_box (gpointer classes)
{
  classes_clear (classes);
}

/* Of a profile: its figures lie by location, not by segment; and what was found for the
   same words before is taken again, as long as nothing else of the sums is needed. */
static KymoClasses *
classes_of_profile (const KymoAsk  *ask,
                    KymoPeSums     *sums,
                    GError        **error)
{
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new ((KymoAsk *) ask, KYMO_LOOK_FLAT,
                                                            error);
  gboolean is_kept = kymo_clusters_is_scatter (ask);
  KymoClasses *classes = look != NULL && is_kept ? kymo_profile_look_get_classes (look) : NULL;

  if (look == NULL || classes != NULL)
    return classes;
  classes = g_atomic_rc_box_new0 (KymoClasses);
  kymo_pe_sums_add_profile (ask, sums, look);
  if (!find_all (ask, sums, classes, error))
    g_atomic_rc_box_release_full (g_steal_pointer (&classes), clear_box);
  else if (is_kept)
    kymo_profile_look_keep_classes (look, classes, clear_box);
  return classes;
}

/**
 * kymo_clusters_dup_classes:
 * @ask: clusters or thread-scatter, prepared
 * @sums: of all segments; of a profile they are filled here
 *
 * Returns: (transfer full): for kymo_clusters_unref_classes(); vectors alone where no clusters
 *   are asked for; %NULL, with @error set, where clusters cannot be found
 */
KymoClasses *
kymo_clusters_dup_classes (const KymoAsk  *ask,
                           KymoPeSums     *sums,
                           GError        **error)
{
  KymoClasses *classes;

  if (ask->run->profiles != NULL && !((KymoClustersPlan *) ask->plan)->places_alone)
    return classes_of_profile (ask, sums, error);
  classes = g_atomic_rc_box_new0 (KymoClasses);
  if (((KymoClustersPlan *) ask->plan)->places_alone)
    classes->vectors = kymo_pe_vectors_new_rows (ask);
  else if (!find_all (ask, sums, classes, error))
    g_atomic_rc_box_release_full (g_steal_pointer (&classes), clear_box);
  return classes;
}

/** kymo_clusters_unref_classes: @classes: (transfer full): from kymo_clusters_dup_classes() */
void
kymo_clusters_unref_classes (KymoClasses *classes)
{
  g_atomic_rc_box_release_full (classes, clear_box);
}
