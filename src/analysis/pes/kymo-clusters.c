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

#include <string.h>

#include "kymo-critical-path.h"
#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-term-words.h"

#define DEFAULT_K 5
#define MOST_K 10000

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
               kymo_in_terms (ask->run->terms,
                              _("“%s” is no number of {rows}: it is a count like 26, or a share "
                                "like 10%%")),
               plan->kept != NULL ? plan->kept : plan->outliers);
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
               kymo_in_terms (ask->run->terms, _("None of the {rows} that were asked for (%s) is "
                                                 "compared in this run")), text);
  return FALSE;
}

/**
 * kymo_clusters_is_scatter:
 *
 * Returns: %TRUE for thread-scatter, whose x and y do not come from the vectors
 */
gboolean
kymo_clusters_is_scatter (const KymoAsk *ask)
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
  plan->places_alone = kymo_clusters_is_scatter (ask)
    && g_strcmp0 (kymo_question_get (ask->question, "clusters"), "none") == 0;
  if (!kymo_ask_check_pes (ask, N_("Clusters are classes of {rows}."), error)
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
    && (kymo_clusters_is_scatter (ask) || kymo_clusters_check_axes (ask, error))
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

/* -- the answer ------------------------------------------------------------ */

static KymoTable *
answer_of (const KymoAsk      *ask,
           const KymoPeSums   *sums,
           const KymoClasses  *classes,
           GError            **error)
{
  KymoTable *answer = ((KymoClustersPlan *) ask->plan)->places_alone
    ? kymo_clusters_places (ask, classes) : kymo_clusters_answer (ask, classes);
  gboolean done = kymo_clusters_is_scatter (ask)
    ? kymo_thread_scatter_set (ask, classes, answer, error)
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
  KymoClasses *classes = kymo_clusters_dup_classes (ask, state, error);
  KymoTable *answer = NULL;

  if (classes == NULL)
    return NULL;
  answer = answer_of (ask, state, classes, error);
  if (answer != NULL && classes->tried != NULL)
    kymo_table_set_table (answer, "tried", kymo_table_ref (classes->tried));
  kymo_clusters_unref_classes (classes);
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
  { "clusters", N_("A clustering of {rows}"),
    "classes of PEs that behave alike, and who stands for them",
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
  { "thread-scatter", N_("A scatter chart of {rows}"),
    "of a profile: locations by two figures, and their clusters", thread_scatter_keywords,
    KYMO_CAN_METRICS, .lists = thread_scatter_lists,
    .topic = KYMO_TOPIC_LOAD },
  clusters_prepare, clusters_release, state_new, (GDestroyNotify) kymo_pe_sums_free,
  clusters_partial, clusters_merge,
  .conclude = clusters_conclude, .needs_of = needs_of,
};
