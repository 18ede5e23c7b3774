/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters: the classes of PEs that behave alike, the one that stands for each
 * and those that stick out. The method published for Projections unless it is
 * asked for otherwise: k-means over the exclusive time of entry methods,
 * unscaled, from seeds on the diagonal of the bounding box.
 *
 * Sums per PE come segment by segment; the rest is done when they are
 * complete, by several threads again (kymo-kmeans.c).
 *
 * thread-scatter knows clusters=none as well: where locations lie, and nothing more, which
 * is there at once however long the clusters take.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-clusters-private.h"

#include <math.h>
#include <string.h>

#include "kymo-critical-path.h"
#include "kymo-error.h"
#include "kymo-keywords.h"

#define DEFAULT_K 5
#define MOST_K 10000
#define DEFAULT_OUTLIERS "10%"

const char *const kymo_clusters_seedings[] = { "diagonal", "random", "k-means++", NULL };
const char *const kymo_clusters_scales[] = { "none", "range", "stddev", NULL };
const char *const kymo_clusters_components[] = { "idle", "overhead", "messages", "bytes", NULL };
const char *const kymo_clusters_quotas[] = { "size", "spread", NULL };

/* -- the question ---------------------------------------------------------- */

static gboolean
find_word (const char         *what,
           const char         *word,
           const char *const  *words,
           guint              *index,
           GError            **error)
{
  g_autofree char *list = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], word) == 0)
      {
        *index = i;
        return TRUE;
      }
  list = g_strjoinv (", ", (char **) words);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("“%s” is no %s: there are %s"), word, what,
               list);
  return FALSE;
}

static gboolean
read_word (const KymoAsk      *ask,
           const char         *key,
           const char         *what,
           const char *const  *words,
           guint              *index,
           GError            **error)
{
  const char *word = kymo_question_get (ask->question, key);

  *index = 0;
  return word == NULL || find_word (what, word, words, index, error);
}

static gboolean
read_components (const char  *text,
                 guint       *with,
                 GError     **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  *with = 0;
  for (guint i = 0; words[i] != NULL; i++)
    {
      guint index;

      if (!find_word ("component of a PE", words[i], kymo_clusters_components, &index, error))
        return FALSE;
      *with |= 1u << index;
    }
  return TRUE;
}

/* "5", or "2-10" of which the silhouette chooses. */
static gboolean
read_k (const KymoAsk     *ask,
        KymoClustersPlan  *plan,
        GError           **error)
{
  const char *word = kymo_question_get (ask->question, "clusters");
  const char *text = plan->places_alone ? NULL : word;
  g_auto (GStrv) ends = g_strsplit (text != NULL ? text : "", "-", 2);
  guint64 low = DEFAULT_K, high = DEFAULT_K;
  gboolean good = text == NULL
    || (ends[0] != NULL && g_ascii_string_to_unsigned (ends[0], 10, 1, MOST_K, &low, NULL)
        && g_ascii_string_to_unsigned (ends[1] != NULL ? ends[1] : ends[0], 10, low, MOST_K,
                                       &high, NULL));

  plan->k_low = low;
  plan->k_high = high;
  if (!good)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("“%s” is no number of clusters: it is 1 to %d, or a range like 2-10"), text,
                 MOST_K);
  return good;
}

static gboolean
is_count (const char *text)
{
  guint n;

  return text == NULL || kymo_pe_choice_parse (text, TRUE, 1, &n);
}

static gboolean
read_counts (const KymoAsk     *ask,
             KymoClustersPlan  *plan,
             GError           **error)
{
  plan->outliers = kymo_question_get (ask->question, "outliers");
  plan->kept = kymo_question_get (ask->question, "keep");
  if (plan->outliers != NULL && plan->kept != NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("What to keep says how many outliers there are; give one of the two"));
      return FALSE;
    }
  if (is_count (plan->outliers) && is_count (plan->kept))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is no number of %s: it is a count like 26, or a share like 10%%"),
               plan->kept != NULL ? plan->kept : plan->outliers,
               kymo_terms_row (ask->run->terms, TRUE));
  return FALSE;
}

static gboolean
check_messages (const KymoAsk           *ask,
                const KymoClustersPlan  *plan,
                GError                 **error)
{
  guint with = plan->with | plan->union_of | kymo_clusters_axes_with (ask);

  if ((!plan->critical_path && !(with & (KYMO_PE_WITH_MESSAGES | KYMO_PE_WITH_BYTES)))
      || (kymo_capabilities_of (ask->run) & KYMO_CAN_MESSAGES))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               ask->run->draft != NULL
               ? _("Messages are known when all logs are read")
               : _("Messages are not known: this run is a summary, sums by bins of time"));
  return FALSE;
}

static void
clusters_release (KymoAsk *ask)
{
  KymoClustersPlan *plan = ask->plan;

  if (plan != NULL)
    g_clear_pointer (&plan->also, kymo_id_set_unref);
  g_free (plan);
}

/* A list of which nothing is compared is a slip, as with locations. */
static gboolean
read_also (const KymoAsk     *ask,
           KymoClustersPlan  *plan,
           GError           **error)
{
  const char *text = kymo_question_get (ask->question, "also");

  if (text == NULL)
    return TRUE;
  plan->also = kymo_id_set_parse (text, error);
  if (plan->also == NULL)
    return FALSE;
  for (guint row = 0; row < ask->n_locations; row++)
    if (kymo_ask_compares (ask, row)
        && kymo_id_set_contains (plan->also, kymo_run_peek_location (ask->run,
                                                                     ask->locations[row])->id))
      return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               _("None of the %s that were asked for (%s) is compared in this run"),
               kymo_terms_row (ask->run->terms, TRUE), text);
  return FALSE;
}

/* TRUE for thread-scatter, whose x and y do not come from the vectors. */
static gboolean
is_scatter (const KymoAsk *ask)
{
  return strcmp (kymo_question_get_kind (ask->question), "thread-scatter") == 0;
}

static gboolean
clusters_prepare (KymoAsk  *ask,
                  GError  **error)
{
  KymoClustersPlan *plan = g_new0 (KymoClustersPlan, 1);
  guint seeding, scale, quota;

  ask->plan = plan;
  plan->places_alone = is_scatter (ask)
    && g_strcmp0 (kymo_question_get (ask->question, "clusters"), "none") == 0;
  if (!kymo_ask_check_pes (ask, "Clusters are classes of", error)
      || !read_k (ask, plan, error) || !read_counts (ask, plan, error)
      || !read_word (ask, "seeding", "seeding", kymo_clusters_seedings, &seeding, error)
      || !read_word (ask, "scale", "scale", kymo_clusters_scales, &scale, error)
      || !read_word (ask, "quota", "quota", kymo_clusters_quotas, &quota, error)
      || !kymo_question_get_int (ask->question, "seed", 1, &plan->seed, error)
      || !read_components (kymo_question_get (ask->question, "with"), &plan->with, error)
      || !read_components (kymo_question_get (ask->question, "union"), &plan->union_of, error))
    return FALSE;
  plan->quota = quota;
  plan->critical_path = kymo_question_get_flag (ask->question, "critical-path");
  plan->seeding = seeding;
  plan->scale = scale;
  return read_also (ask, plan, error)
    && (is_scatter (ask) || kymo_clusters_check_axes (ask, error))
    && check_messages (ask, plan, error);
}

/* -- the sums -------------------------------------------------------------- */

static guint
figures_of (guint with)
{
  return KYMO_PE_TIMES
    | (with & (KYMO_PE_WITH_MESSAGES | KYMO_PE_WITH_BYTES) ? KYMO_PE_SENT : 0);
}

/* Words that prepare() will refuse may ask for anything. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  guint with = 0, union_of = 0;

  read_components (kymo_question_get (ask->question, "with"), &with, NULL);
  read_components (kymo_question_get (ask->question, "union"), &union_of, NULL);
  with |= union_of | kymo_clusters_axes_with (ask);
  return kymo_pe_sums_needs (ask, segment, figures_of (with))
    | (kymo_question_get_flag (ask->question, "critical-path") ? KYMO_PATH_NEEDS : 0);
}

static gpointer
state_new (const KymoAsk *ask)
{
  const KymoClustersPlan *plan = ask->plan;

  return kymo_pe_sums_new (ask, figures_of (plan->with | plan->union_of
                                            | kymo_clusters_axes_with (ask)));
}

static void
clusters_partial (const KymoAsk *ask,
                  gpointer       state,
                  KymoSegment   *segment)
{
  if (ask->run->profiles == NULL)
    kymo_pe_sums_add (ask, state, segment);
}

static void
clusters_merge (const KymoAsk *ask,
                gpointer       into,
                gpointer       from)
{
  kymo_pe_sums_merge (ask, into, from);
}

/* -- the classes ----------------------------------------------------------- */

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
  kymo_table_append_int (classes->tried, 0, k);
  kymo_table_append_int (classes->tried, 1, n_clusters);
  kymo_table_append_double (classes->tried, 2, silhouette);
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
  KymoClasses *classes = look != NULL && is_scatter (ask) ? kymo_profile_look_get_classes (look)
    : NULL;

  if (look == NULL || classes != NULL)
    return classes;
  classes = g_atomic_rc_box_new0 (KymoClasses);
  kymo_pe_sums_add_profile (ask, sums, look);
  if (!find_all (ask, sums, classes, error))
    g_atomic_rc_box_release_full (g_steal_pointer (&classes), clear_box);
  else if (is_scatter (ask))
    kymo_profile_look_keep_classes (look, classes, clear_box);
  return classes;
}

static KymoClasses *
classes_of (const KymoAsk  *ask,
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

static KymoTable *
answer_of (const KymoAsk      *ask,
           const KymoPeSums   *sums,
           const KymoClasses  *classes,
           GError            **error)
{
  KymoTable *answer = ((KymoClustersPlan *) ask->plan)->places_alone
    ? kymo_clusters_places (ask, classes) : kymo_clusters_answer (ask, classes);
  gboolean done = is_scatter (ask) ? kymo_thread_scatter_set (ask, classes, answer, error)
    : kymo_clusters_set_axes (ask, sums, classes, answer, error);

  if (!done)
    g_clear_pointer (&answer, kymo_table_unref);
  return answer;
}

static KymoTable *
clusters_conclude (const KymoAsk  *ask,
                   gpointer        state,
                   GError        **error)
{
  KymoClasses *classes = classes_of (ask, state, error);
  KymoTable *answer = NULL;

  if (classes == NULL)
    return NULL;
  answer = answer_of (ask, state, classes, error);
  if (answer != NULL && classes->tried != NULL)
    kymo_table_set_table (answer, "tried", kymo_table_ref (classes->tried));
  g_atomic_rc_box_release_full (classes, clear_box);
  return answer;
}

/* With vectors each of "locations" has the list "vector", in the order of "components",
   unscaled. With x and y "locations" have these columns, and objects "x", "y" tell label, unit
   and share of the variance; a component counts whether PEs are compared by it or not (0 where
   nothing ran), and of principal-1 and principal-2, the two strongest directions, the largest
   weights are told. kept_as is "union", "critical-path" or "asked" (also) of PEs that these
   keywords keep. */
static const KymoKeyword clusters_keywords[] =
{
  KYMO_KEYWORD_CLUSTERS,
  { "outliers", KYMO_KEYWORD_TEXT, "N|SHARE", "PEs that stick out, beside the representatives, "
    "as 26 or 10% (10%)" },
  { "keep", KYMO_KEYWORD_TEXT, "N|SHARE", "representatives and outliers together" },
  KYMO_KEYWORDS_OF_SEEDS,
  { "with", KYMO_KEYWORD_TEXT, "LIST", "also compare idle,overhead,messages,bytes" },
  { "vectors", KYMO_KEYWORD_FLAG, NULL, "add the components by which PEs are compared" },
  { "x", KYMO_KEYWORD_TEXT, "KEY", "tell where each PE lies: a key of the components, or "
    "principal-1, principal-2" },
  { "y", KYMO_KEYWORD_TEXT, "KEY", "the same, across" },
  { "quota", KYMO_KEYWORD_WORD, "size|spread", "share outliers out by size, or fewer to tight "
    "clusters (size)" },
  { "union", KYMO_KEYWORD_TEXT, "LIST", "keep what clusters by each of idle,overhead,messages,"
    "bytes alone keep, too" },
  { "critical-path", KYMO_KEYWORD_FLAG, NULL, "also keep the PEs on the critical path" },
  { "also", KYMO_KEYWORD_TEXT, "LIST", "also keep these PEs, as 0-3,17" },
  { NULL }
};

static const KymoQuestionList clusters_lists[] =
{
  { "clusters", "size representative mean_distance largest_distance silhouette outliers "
    "members means", TRUE },
  { "locations", "location label cluster distance kept_as vector x y", TRUE },
  { "components", "id key name kind strength" },
  { "x", "key label unit share_of_variance" },
  { "x.weights", "key name weight" },
  { "y", "key label unit share_of_variance" },
  { "tried", "k clusters silhouette" },
  { NULL }
};

const KymoAnswerClass kymo_answer_clusters =
{
  { "clusters", "Clusters of %s", "classes of PEs that behave alike, and who stands for them",
    clusters_keywords, KYMO_CAN_PROFILE, .lists = clusters_lists,
    .topic = KYMO_TOPIC_LOAD, .example = "--clusters 2" },
  clusters_prepare, clusters_release, state_new, (GDestroyNotify) kymo_pe_sums_free,
  clusters_partial, clusters_merge,
  .conclude = clusters_conclude, .needs_of = needs_of,
};

/* With clusters=none the cluster of each location is -1. */
static const KymoKeyword thread_scatter_keywords[] =
{
  { "x", KYMO_KEYWORD_TEXT, "KEY", "a function, calls:FUNCTION, or metric:NAME of the whole" },
  { "y", KYMO_KEYWORD_TEXT, "KEY", "the same, across" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  KYMO_KEYWORD_CLUSTERS,
  KYMO_KEYWORDS_OF_SEEDS,
  { NULL }
};

static const KymoQuestionList thread_scatter_lists[] =
{
  { "locations", "location label cluster distance kept_as x y", TRUE },
  { "clusters", "size representative mean_distance largest_distance silhouette outliers "
    "members means" },
  { "components", "id key name kind strength" },
  { "x", "label unit" },
  { "y", "label unit" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_thread_scatter =
{
  { "thread-scatter", "A scatter of %s",
    "of a profile: locations by two figures, and their clusters", thread_scatter_keywords,
    KYMO_CAN_METRICS, .lists = thread_scatter_lists,
    .topic = KYMO_TOPIC_LOAD },
  clusters_prepare, clusters_release, state_new, (GDestroyNotify) kymo_pe_sums_free,
  clusters_partial, clusters_merge,
  .conclude = clusters_conclude, .needs_of = needs_of,
};
