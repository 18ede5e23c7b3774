/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters: the classes of PEs that behave alike, the one that stands for each
 * and those that stick out. The method published for Projections unless it is
 * asked for otherwise: k-means over the exclusive time of entry methods,
 * unscaled, from seeds on the diagonal of the bounding box.
 *
 * Sums per PE come segment by segment; the rest is done when they are
 * complete, by several threads again (kymo-kmeans.c).
 */
#include "config.h"

#include "kymo-pe-choice.h"
#include "kymo-pe-vectors.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"

#define DEFAULT_K 5
#define MOST_K 10000
#define DEFAULT_OUTLIERS "10%"

typedef struct
{
  guint        k_low, k_high;
  KymoSeeding  seeding;
  gint64       seed;
  KymoPeScale  scale;
  guint        with;
  const char  *outliers;        /* of the question; NULL where kept says it */
  const char  *kept;
} Plan;

/** What was made of the sums; each part is freed where it is set. */
typedef struct
{
  KymoPeVectors *vectors;
  KymoKmeans    *kmeans;
  KymoPeChoice  *choice;
  double        *silhouettes;   /* by cluster */
  double         silhouette;
  guint          k;             /* seeds of it */
  KymoTable     *tried;         /* NULL where one k was asked for */
} Classes;

static const char *const seedings[] = { "diagonal", "random", "k-means++", NULL };
static const char *const scales[] = { "none", "range", "stddev", NULL };
static const char *const components[] = { "idle", "overhead", "messages", "bytes", NULL };

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
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, "“%s” is no %s: there are %s", word, what,
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

      if (!find_word ("component of a PE", words[i], components, &index, error))
        return FALSE;
      *with |= 1u << index;
    }
  return TRUE;
}

/* "5", or "2-10" of which the silhouette chooses. */
static gboolean
read_k (const KymoAsk  *ask,
        Plan           *plan,
        GError        **error)
{
  const char *text = kymo_question_get (ask->question, "clusters");
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
                 "“%s” is no number of clusters: it is 1 to %d, or a range like 2-10", text,
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
read_counts (const KymoAsk  *ask,
             Plan           *plan,
             GError        **error)
{
  plan->outliers = kymo_question_get (ask->question, "outliers");
  plan->kept = kymo_question_get (ask->question, "keep");
  if (plan->outliers != NULL && plan->kept != NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "What to keep says how many outliers there are; give one of the two");
      return FALSE;
    }
  if (is_count (plan->outliers) && is_count (plan->kept))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               "“%s” is no number of PEs: it is a count like 26, or a share like 10%%",
               plan->kept != NULL ? plan->kept : plan->outliers);
  return FALSE;
}

static gboolean
check_messages (const KymoAsk  *ask,
                const Plan     *plan,
                GError        **error)
{
  if (!(plan->with & (KYMO_PE_WITH_MESSAGES | KYMO_PE_WITH_BYTES))
      || (kymo_capabilities_of (ask->run) & KYMO_CAN_MESSAGES))
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               ask->run->draft != NULL
               ? "Messages are known when all logs are read"
               : "Messages are not known: this run is a summary, sums by bins of time");
  return FALSE;
}

static void
release (KymoAsk *ask)
{
  g_free (ask->plan);
}

static gboolean
prepare (KymoAsk  *ask,
         GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  guint seeding, scale;

  ask->plan = plan;
  if (!kymo_ask_check_pes (ask, "Clusters are classes of", error)
      || !read_k (ask, plan, error) || !read_counts (ask, plan, error)
      || !read_word (ask, "seeding", "seeding", seedings, &seeding, error)
      || !read_word (ask, "scale", "scale", scales, &scale, error)
      || !kymo_question_get_int (ask->question, "seed", 1, &plan->seed, error)
      || !read_components (kymo_question_get (ask->question, "with"), &plan->with, error))
    return FALSE;
  plan->seeding = seeding;
  plan->scale = scale;
  return check_messages (ask, plan, error);
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
  guint with = 0;

  read_components (kymo_question_get (ask->question, "with"), &with, NULL);
  return kymo_pe_sums_needs (ask, segment, figures_of (with));
}

static gpointer
state_new (const KymoAsk *ask)
{
  return kymo_pe_sums_new (ask, figures_of (((Plan *) ask->plan)->with));
}

static void
partial (const KymoAsk *ask,
         gpointer       state,
         KymoSegment   *segment)
{
  kymo_pe_sums_add (ask, state, segment);
}

static void
merge (const KymoAsk *ask,
       gpointer       into,
       gpointer       from)
{
  kymo_pe_sums_merge (ask, into, from);
}

/* -- the classes ----------------------------------------------------------- */

static void
classes_clear (Classes *classes)
{
  g_clear_pointer (&classes->vectors, kymo_pe_vectors_free);
  g_clear_pointer (&classes->kmeans, kymo_kmeans_free);
  g_clear_pointer (&classes->choice, kymo_pe_choice_free);
  g_clear_pointer (&classes->silhouettes, g_free);
  g_clear_pointer (&classes->tried, kymo_table_unref);
}

static void
note_tried (Classes *classes,
            guint    k,
            guint    n_clusters,
            double   silhouette)
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
       Classes        *classes,
       guint           k,
       GError        **error)
{
  const Plan *plan = ask->plan;
  const KymoPeVectors *vectors = classes->vectors;
  KymoKmeansInput input = { vectors->values, vectors->n_rows, vectors->n_columns, k,
                            plan->seeding, plan->seed, ask->n_threads };
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
count_outliers (const Plan    *plan,
                const Classes *classes)
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
              Classes           *classes,
              GError           **error)
{
  const Plan *plan = ask->plan;

  classes->vectors = kymo_pe_vectors_new (ask, sums, plan->with, plan->scale, error);
  if (classes->vectors == NULL)
    return FALSE;
  for (guint k = plan->k_low; k <= plan->k_high; k++)
    if (!try_k (ask, classes, k, error))
      return FALSE;
  classes->choice = kymo_pe_choice_new (classes->kmeans, count_outliers (plan, classes));
  return TRUE;
}

/* -- the answer ------------------------------------------------------------ */

static gint64
pe_of (const KymoAsk *ask,
       const Classes *classes,
       guint          vector)
{
  return kymo_run_peek_location (ask->run, ask->locations[classes->vectors->rows[vector]])->id;
}

static KymoTable *
list_components (const KymoAsk *ask,
                 const Classes *classes)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint id = kymo_table_add_column (table, "id", KYMO_COLUMN_INT, 1);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint kind = kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
  static const char *const names[] = { "Idle", "Overhead", "Messages sent", "Bytes sent" };

  for (guint c = 0; c < classes->vectors->n_components; c++)
    {
      const KymoPeComponent *component = &classes->vectors->components[c];
      guint bit = component->with != 0 ? g_bit_nth_lsf (component->with, -1) : 0;
      gboolean time = component->with == 0;

      kymo_table_append_int (table, id, time ? kymo_ask_state_id (ask, component->state)
                             : KYMO_NULL_INT);
      kymo_table_append_string (table, name, time ? kymo_ask_state_name (ask, component->state)
                                : names[bit]);
      kymo_table_append_string (table, kind, time ? kymo_ask_state_kind (ask, component->state)
                                : components[bit]);
    }
  return table;
}

typedef struct
{
  KymoTable *table;
  guint      nested;            /* column of the table it is nested in */
} List;

static List
add_list (KymoTable      *table,
          const char     *name,
          KymoColumnType  type)
{
  List list = { kymo_table_new (KYMO_STYLE_FLAT), 0 };

  kymo_table_add_column (list.table, "value", type, 1);
  list.nested = kymo_table_add_nested (table, name, list.table);
  return list;
}

/* The vectors of each cluster together, in their order. */
static guint *
group_vectors (const KymoKmeans *kmeans,
               guint           **first)
{
  guint *vectors = g_new (guint, kmeans->n_rows);
  g_autofree guint *at = g_new0 (guint, kmeans->n_clusters + 1);

  *first = g_new0 (guint, kmeans->n_clusters + 1);
  for (guint k = 0; k < kmeans->n_clusters; k++)
    at[k + 1] = (*first)[k + 1] = (*first)[k] + kmeans->sizes[k];
  for (guint i = 0; i < kmeans->n_rows; i++)
    vectors[at[kmeans->cluster[i]]++] = i;
  return vectors;
}

static void
append_mean (const Classes *classes,
             guint          cluster,
             KymoTable     *list)
{
  const KymoPeVectors *vectors = classes->vectors;
  const double *mean = classes->kmeans->means + (gsize) cluster * vectors->n_columns;

  for (guint c = 0; c < vectors->n_components; c++)
    kymo_table_append_double (list, 0, vectors->components[c].low
                              + mean[c] / vectors->components[c].factor);
}

/* The mean of the members' distances and the largest of them, too. */
static void
append_members (const KymoAsk *ask,
                const Classes *classes,
                const guint   *vectors,
                guint          n,
                KymoTable     *members,
                double        *mean,
                double        *largest)
{
  *mean = *largest = 0;
  for (guint i = 0; i < n; i++)
    {
      double distance = classes->kmeans->distance[vectors[i]] / classes->vectors->unit;

      kymo_table_append_int (members, 0, pe_of (ask, classes, vectors[i]));
      *mean += distance / n;
      *largest = MAX (*largest, distance);
    }
}

static KymoTable *
list_clusters (const KymoAsk *ask,
               const Classes *classes)
{
  const KymoPeChoice *choice = classes->choice;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint size = kymo_table_add_column (table, "size", KYMO_COLUMN_INT, 1);
  guint stands = kymo_table_add_column (table, "representative", KYMO_COLUMN_INT, 1);
  guint mean = kymo_table_add_column (table, "mean_distance", KYMO_COLUMN_DOUBLE, 1);
  guint largest = kymo_table_add_column (table, "largest_distance", KYMO_COLUMN_DOUBLE, 1);
  guint silhouette = kymo_table_add_column (table, "silhouette", KYMO_COLUMN_DOUBLE, 1);
  List outliers = add_list (table, "outliers", KYMO_COLUMN_INT);
  List members = add_list (table, "members", KYMO_COLUMN_INT);
  List means = add_list (table, "means", KYMO_COLUMN_DOUBLE);
  g_autofree guint *first = NULL;
  g_autofree guint *grouped = group_vectors (classes->kmeans, &first);

  for (guint k = 0; k < classes->kmeans->n_clusters; k++)
    {
      double of_mean, of_largest;

      append_members (ask, classes, grouped + first[k], first[k + 1] - first[k], members.table,
                      &of_mean, &of_largest);
      append_mean (classes, k, means.table);
      for (guint i = choice->first_outlier[k]; i < choice->first_outlier[k + 1]; i++)
        kymo_table_append_int (outliers.table, 0, pe_of (ask, classes, choice->outliers[i]));
      kymo_table_append_int (table, size, classes->kmeans->sizes[k]);
      kymo_table_append_int (table, stands, pe_of (ask, classes, choice->representative[k]));
      kymo_table_append_double (table, mean, of_mean);
      kymo_table_append_double (table, largest, of_largest);
      kymo_table_append_double (table, silhouette, classes->silhouettes[k]);
      kymo_table_end_nested (table, outliers.nested);
      kymo_table_end_nested (table, members.nested);
      kymo_table_end_nested (table, means.nested);
    }
  return table;
}

/* By vector: why it is kept, or NULL. */
static const char **
find_kept (const Classes *classes)
{
  const char **kept = g_new0 (const char *, classes->vectors->n_rows);

  for (guint k = 0; k < classes->kmeans->n_clusters; k++)
    kept[classes->choice->representative[k]] = "representative";
  for (guint i = 0; i < classes->choice->n_outliers; i++)
    kept[classes->choice->outliers[i]] = "outlier";
  return kept;
}

/* Representatives and outliers, PEs ascending; and a line for every PE. */
static void
set_pes (const KymoAsk *ask,
         const Classes *classes,
         KymoTable     *answer)
{
  guint n = classes->vectors->n_rows, n_kept = 0;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint label = kymo_table_add_column (table, "label", KYMO_COLUMN_STRING, 1);
  guint cluster = kymo_table_add_column (table, "cluster", KYMO_COLUMN_INT, 1);
  guint distance = kymo_table_add_column (table, "distance", KYMO_COLUMN_DOUBLE, 1);
  guint as = kymo_table_add_column (table, "kept_as", KYMO_COLUMN_STRING, 1);
  g_autofree const char **kept = find_kept (classes);
  g_autofree gint64 *pes = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    {
      guint of_run = ask->locations[classes->vectors->rows[i]];

      kymo_table_append_int (table, location, pe_of (ask, classes, i));
      kymo_table_append_string (table, label, kymo_run_peek_location (ask->run, of_run)->label);
      kymo_table_append_int (table, cluster, classes->kmeans->cluster[i]);
      kymo_table_append_double (table, distance,
                                classes->kmeans->distance[i] / classes->vectors->unit);
      kymo_table_append_string (table, as, kept[i]);
      if (kept[i] != NULL)
        pes[n_kept++] = pe_of (ask, classes, i);
    }
  kymo_table_set_ints (answer, "kept", pes, n_kept);
  kymo_table_set_table (answer, "locations", table);
}

static void
set_left_out (const KymoAsk *ask,
              KymoTable     *answer)
{
  g_autofree gint64 *pes = g_new (gint64, ask->n_locations);
  guint n = 0;

  for (guint row = 0; row < ask->n_locations; row++)
    if (!kymo_ask_compares (ask, row))
      pes[n++] = kymo_run_peek_location (ask->run, ask->locations[row])->id;
  kymo_table_set_ints (answer, "left_out", pes, n);
}

static void
set_parameters (const KymoAsk *ask,
                const Classes *classes,
                KymoTable     *answer)
{
  const Plan *plan = ask->plan;
  GString *with = g_string_new (NULL);
  g_autofree char *words = NULL;

  for (guint i = 0; components[i] != NULL; i++)
    if (plan->with & (1u << i))
      g_string_append_printf (with, "%s%s", with->len > 0 ? "," : "", components[i]);
  words = g_string_free (with, FALSE);
  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "pes", classes->vectors->n_rows);
  kymo_table_set_int (answer, "k", classes->k);
  kymo_table_set_string (answer, "seeding", seedings[plan->seeding]);
  kymo_table_set_int (answer, "seed", plan->seeding == KYMO_SEEDING_DIAGONAL ? KYMO_NULL_INT
                      : plan->seed);
  kymo_table_set_string (answer, "scale", scales[plan->scale]);
  kymo_table_set_string (answer, "with", words);
  kymo_table_set_int (answer, "rounds", classes->kmeans->rounds);
  kymo_table_set_bool (answer, "settled", classes->kmeans->settled);
  kymo_table_set_double (answer, "silhouette", classes->silhouette);
  kymo_table_set_int (answer, "outliers", classes->choice->n_outliers);
}

static KymoTable *
conclude (const KymoAsk  *ask,
          gpointer        state,
          GError        **error)
{
  Classes classes = { 0 };
  KymoTable *answer = NULL;

  if (find_classes (ask, state, &classes, error))
    {
      answer = kymo_table_new (KYMO_STYLE_OBJECT);
      set_parameters (ask, &classes, answer);
      set_left_out (ask, answer);
      set_pes (ask, &classes, answer);
      kymo_table_set_table (answer, "clusters", list_clusters (ask, &classes));
      kymo_table_set_table (answer, "components", list_components (ask, &classes));
      if (classes.tried != NULL)
        kymo_table_set_table (answer, "tried", g_steal_pointer (&classes.tried));
    }
  classes_clear (&classes);
  return answer;
}

const KymoAnswerClass kymo_answer_clusters =
{
  "clusters", prepare, release, state_new, (GDestroyNotify) kymo_pe_sums_free, partial, merge,
  .conclude = conclude, .requires = KYMO_CAN_PROFILE, .needs_of = needs_of,
};
