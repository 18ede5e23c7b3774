/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest set whose time profile is within a bound.
 *
 * A set is what `clusters` chooses for k seeds and O outliers; it has
 * n = (clusters that have PEs) + O of them. Sets are tried with n ascending: 1,
 * 2, 3, …, each step a 64th of n but at least 1, and all PEs in the end, whose
 * error is 0. For each n all k of 1 to 10, 12, 15, 20, 25, 30, 40 and 50 are tried
 * that are not above the number of PEs and leave O >= 0. The first n for which
 * one is within the bound is taken; where PEs were stepped over, the largest n
 * below that fails and the smallest that does not are brought together by
 * halving. So of up to 128 PEs no smaller set of that kind is within the bound.
 * Of several k for one n the one with the least error is taken, then the
 * smallest. PEs that are kept for other reasons (a union, the critical path)
 * come on top and do not count in n.
 *
 * What is within the bound the source says (kymo-reducer-errors.c). Before it
 * is asked, sets are sorted out that are beyond the bound for certain, by the
 * time profiles of single PEs (kymo-reducer-bars.c); the choice of outliers is
 * made of the clusters as `clusters` makes it, which is asked once for each k.
 * Unless PEs are kept for other reasons, too: then it is asked for each set.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-reducer-private.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-fewest.h"
#include "kymo-kmeans.h"
#include "kymo-reducer-bars.h"
#include "kymo-share.h"
#include "kymo-weights.h"

/* Of the time profiles of single PEs: 192 MiB. */
#define MOST_ENTRIES (24 << 20)

/** Classes: of one number of seeds */
typedef struct
{
  guint       k;
  KymoKmeans *kmeans;           /* without means; NULL = those of another k */
  double      error;            /* of the set that is tried; INFINITY = none */
  double     *cells, *weights;  /* room */
  KymoNearest *nearest;         /* of the set that was tried last */
  gboolean   *kept;
} Classes;

typedef struct
{
  const KymoReducerWish  *wish;
  const KymoReducerTruth *truth;
  KymoReducerBars        *bars;
  double                 *vectors;
  guint                   n_columns;    /* of them */
  guint                   n_pes;
  Classes                 classes[KYMO_FEWEST_SEEDS];
  guint                   n_classes;
  double                  bound;        /* what is left of what was wished */
  double                  slack;
  guint                   n;            /* that is tried */
  gint                    next;         /* atomic: next classes to take */
  guint                   n_tried;
  KymoTable              *chosen;       /* answer to `clusters` */
  KymoJob                *job;
  GError                **error;
} Search;

/* -- one set --------------------------------------------------------------- */

static KymoTable *
ask_clusters (const Search  *search,
              guint          k,
              guint          n_outliers,
              GError       **error)
{
  g_autofree char *clusters = g_strdup_printf ("%u", k);
  g_autofree char *outliers = g_strdup_printf ("%u", n_outliers);
  KymoReducerWish wish = *search->wish;
  g_autoptr (KymoQuestion) question = NULL;

  wish.clusters = clusters;
  wish.outliers = outliers;
  wish.keep = NULL;
  question = kymo_reducer_new_question (&wish);
  return kymo_source_ask (search->truth->source, question, search->truth->cancellable, error);
}

static void
mark_chosen (const Search *search,
             Classes      *classes)
{
  KymoPeQuota quota = g_strcmp0 (search->wish->quota, "spread") == 0 ? KYMO_PE_QUOTA_SPREAD
    : KYMO_PE_QUOTA_SIZE;
  g_autoptr (KymoPeChoice) choice =
    kymo_pe_choice_new (classes->kmeans, search->n - classes->kmeans->n_clusters, quota);

  for (guint i = 0; i < search->n_pes; i++)
    classes->kept[i] = FALSE;
  for (guint i = 0; i < classes->kmeans->n_clusters; i++)
    classes->kept[choice->representative[i]] = TRUE;
  for (guint i = 0; i < choice->n_outliers; i++)
    classes->kept[choice->outliers[i]] = TRUE;
}

static void
mark_asked (const KymoTable *answer,
            Classes         *classes)
{
  KymoTable *locations = kymo_table_peek_nested (answer, "locations", NULL);

  for (guint i = 0; i < kymo_table_get_n_rows (locations); i++)
    classes->kept[i] = kymo_table_get_string (locations, "kept_as", i) != NULL;
}

/* The error of n PEs, or less; INFINITY where there is no such set. */
static void
try_classes (const Search *search,
             Classes      *classes)
{
  const KymoReducerWish *wish = search->wish;

  classes->error = INFINITY;
  if (classes->kmeans == NULL || classes->kmeans->n_clusters > search->n)
    return;
  if (wish->union_of != NULL || wish->critical_path || wish->also != NULL)
    {
      g_autoptr (KymoTable) answer =
        ask_clusters (search, classes->k, search->n - classes->kmeans->n_clusters, NULL);

      if (answer == NULL)
        return;
      mark_asked (answer, classes);
    }
  else
    mark_chosen (search, classes);

  const KymoWeighed pes = { search->n_pes, search->n_columns, classes->kmeans->cluster,
                            search->vectors, classes->kept,
                            kymo_reducer_bars_before (search->bars) };

  if (!kymo_weights_share (&pes, classes->nearest, classes->weights))
    g_error ("There is no memory for the weights of %u PEs", search->n_pes);
  classes->error = kymo_reducer_bars_error (search->bars, classes->weights, classes->cells);
}

static gpointer
reducer_search_work (gpointer data)
{
  Search *search = data;
  guint i;

  while ((i = g_atomic_int_add (&search->next, 1)) < search->n_classes
         && !g_cancellable_is_cancelled (search->truth->cancellable))
    try_classes (search, &search->classes[i]);
  return NULL;
}

/* Small runs are faster without. */
#define CELLS_FOR_THREADS 20000

static void
try_all (Search *search)
{
  gboolean many = (guint64) kymo_reducer_bars_n_cells (search->bars)
    * search->n_pes > CELLS_FOR_THREADS;
  guint n = many ? MIN (g_get_num_processors (), search->n_classes) : 1;

  search->next = 0;
  kymo_share_run ("kymo-search", n, reducer_search_work, search, 0);
}

/* Whether the source says so, too. */
static int
confirm (KymoFewest *fewest,
         guint       n,
         guint       i)
{
  Search *search = fewest->data;
  const Classes *classes = &search->classes[i];
  GError **error = search->error;
  g_autoptr (KymoTable) answer =
    ask_clusters (search, classes->k, n - classes->kmeans->n_clusters, error);
  g_autoptr (KymoIdWeights) weights = answer == NULL ? NULL
    : kymo_weights_new (kymo_table_peek_nested (answer, "locations", NULL),
                        search->truth->before);
  double share;

  if (weights == NULL
      || !kymo_reducer_measure_bars (search->truth, weights, &share, error))
    return -1;
  if (!(share <= search->bound))
    return 0;
  g_clear_pointer (&search->chosen, kymo_table_unref);
  search->chosen = g_steal_pointer (&answer);
  return 1;
}

/* A number of PEs that is tried after another is a step of the job, until one is good. */
static bool
try_sets (KymoFewest *fewest,
          guint       n)
{
  Search *search = fewest->data;

  if (search->n > 0 && search->chosen == NULL)
    kymo_job_advance (search->job, 1);
  search->n = n;
  try_all (search);
  for (guint i = 0; i < search->n_classes; i++)
    fewest->errors[i] = search->classes[i].error;
  return !g_cancellable_set_error_if_cancelled (search->truth->cancellable, search->error);
}

/* -- the search ------------------------------------------------------------ */

static gboolean
find_smallest (Search   *search,
               KymoJob  *job,
               GError  **error)
{
  KymoFewest fewest = { .n_pes = search->n_pes, .n_classes = search->n_classes,
                        .most = search->bound + search->slack, .try_all = try_sets,
                        .confirm = confirm, .data = search };
  gboolean good;

  kymo_job_begin (job, _("Searching the smallest set"), kymo_fewest_count (search->n_pes));
  search->job = job;
  search->error = error;
  good = kymo_fewest_find (&fewest);
  search->n_tried = fewest.n_tried;
  return good || *error == NULL;
}

/* Distances, clusters and sizes are what a choice is made of. */
static KymoKmeans *
kmeans_of (const KymoTable *answer)
{
  KymoTable *locations = kymo_table_peek_nested (answer, "locations", NULL);
  KymoTable *clusters = kymo_table_peek_nested (answer, "clusters", NULL);
  const gint64 *cluster = kymo_table_peek_ints (locations, "cluster", NULL);
  KymoKmeans *kmeans = g_new0 (KymoKmeans, 1);

  kmeans->n_rows = kymo_table_get_n_rows (locations);
  kmeans->n_clusters = kymo_table_get_n_rows (clusters);
  kmeans->cluster = g_new (guint, kmeans->n_rows);
  kmeans->sizes = g_new0 (guint, kmeans->n_clusters);
  kmeans->distance = g_memdup2 (kymo_table_peek_doubles (locations, "distance", NULL),
                                kmeans->n_rows * sizeof (double));
  for (guint i = 0; i < kmeans->n_rows; i++)
    {
      kmeans->cluster[i] = cluster[i];
      kmeans->sizes[cluster[i]]++;
    }
  return kmeans;
}

/* More seeds on the diagonal often end in the same clusters. */
static gboolean
is_known (const Search     *search,
          const KymoKmeans *kmeans)
{
  for (guint i = 0; i < search->n_classes; i++)
    {
      const KymoKmeans *other = search->classes[i].kmeans;

      if (other->n_clusters == kmeans->n_clusters
          && memcmp (other->cluster, kmeans->cluster, kmeans->n_rows * sizeof (guint)) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
make_classes (Search   *search,
              KymoJob  *job,
              GError  **error)
{
  kymo_job_begin (job, _("Clustering"), KYMO_FEWEST_SEEDS);
  for (guint i = 0; i < KYMO_FEWEST_SEEDS && kymo_fewest_seeds[i] <= search->n_pes; i++)
    {
      g_autoptr (KymoTable) answer = ask_clusters (search, kymo_fewest_seeds[i], 0, error);
      g_autoptr (KymoKmeans) kmeans = answer != NULL ? kmeans_of (answer) : NULL;
      guint n_cells = kymo_reducer_bars_n_cells (search->bars);

      if (kmeans == NULL)
        return FALSE;
      if (!is_known (search, kmeans))
        search->classes[search->n_classes++] = (Classes)
          { kymo_fewest_seeds[i], g_steal_pointer (&kmeans), INFINITY,
            g_new (double, MAX (n_cells, 1)),
            g_new (double, search->n_pes), kymo_nearest_new (search->n_pes),
            g_new (gboolean, search->n_pes) };
      kymo_job_advance (job, 1);
    }
  return TRUE;
}

static void
search_clear (Search *search)
{
  for (guint i = 0; i < search->n_classes; i++)
    {
      kymo_kmeans_free (search->classes[i].kmeans);
      g_free (search->classes[i].cells);
      g_free (search->classes[i].weights);
      g_free (search->classes[i].nearest);
      g_free (search->classes[i].kept);
    }
  g_free (search->vectors);
  g_clear_pointer (&search->bars, kymo_reducer_bars_free);
}

static double
slack_of (const KymoReducerTruth *truth)
{
  const gint64 *edges = kymo_table_peek_ints (truth->bars, "edges_ns", NULL);
  double slack = KYMO_ERROR_SLACK;

  /* Times are rounded to nanoseconds, each weighed one. */
  for (guint i = 0; i < KYMO_REDUCER_BARS; i++)
    if (edges[i + 1] > edges[i])
      slack = MAX (slack, KYMO_ERROR_SLACK + 2.0 / (edges[i + 1] - edges[i]));
  return slack;
}

static gboolean
find_bound (Search   *search,
            GError  **error)
{
  const KymoReduction *before = search->truth->run->reduction;
  double spent = before != NULL && before->time_profile > 0 ? before->time_profile : 0;

  search->bound = search->wish->error - spent;
  if (kymo_span_length (search->truth->span) == 0)
    g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("An error is measured over time, and the range has none"));
  else if (search->bound < 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("The run is a reduced one whose time profile may be off by %.2f%% already; no "
                   "set of its PEs is within %.2f%%"), 100 * spent, 100 * search->wish->error);
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_reducer_search:
 * @wish: with an error; its clusters, outliers and keep are not looked at
 * @locations: of any answer to `clusters` with vectors: the PEs
 * @n_tried: (out): how many sets were looked at
 *
 * Finds the smallest set within the bound, as the head of this file says.
 *
 * Returns: (transfer full) (nullable): the answer to `clusters` that it is
 */
KymoTable *
kymo_reducer_search (const KymoReducerTruth  *truth,
                     const KymoReducerWish   *wish,
                     const KymoTable         *locations,
                     guint                   *n_tried,
                     KymoJob                 *job,
                     GError                 **error)
{
  Search search = { .wish = wish, .truth = truth, .slack = slack_of (truth),
                    .n_pes = kymo_table_get_n_rows (locations) };
  g_autoptr (GError) why = NULL;
  gboolean good = find_bound (&search, &why);

  search.vectors = kymo_weights_vectors (locations, &search.n_columns);
  if (good)
    {
      kymo_job_begin (job, _("Measuring the PEs"), 0);
      search.bars = kymo_reducer_bars_new (truth, kymo_table_peek_ints (locations, "location",
                                                                        NULL),
                                           search.n_pes, search.bound, MOST_ENTRIES, &why);
    }
  good = good && search.bars != NULL && make_classes (&search, job, &why)
    && find_smallest (&search, job, &why);
  search_clear (&search);
  *n_tried = search.n_tried;
  if (good && search.chosen == NULL)
    g_set_error_literal (&why, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                         _("No set of PEs is within the bound"));
  if (why == NULL)
    return search.chosen;
  /* Stopped while it was halved: what was found may not be the smallest. */
  g_clear_pointer (&search.chosen, kymo_table_unref);
  g_propagate_error (error, g_steal_pointer (&why));
  return NULL;
}
