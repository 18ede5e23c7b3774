/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer of clusters: parameters, a line a cluster, a line a PE.
 */
#include "config.h"

#include "kymo-clusters-private.h"

#include <math.h>

/* -- the answer ------------------------------------------------------------ */

static gint64
pe_of (const KymoAsk     *ask,
       const KymoClasses *classes,
       guint              vector)
{
  return kymo_run_peek_location (ask->run, ask->locations[classes->vectors->rows[vector]])->id;
}

/** kymo_clusters_name_of: the words for a component */
const char *
kymo_clusters_name_of (const KymoAsk         *ask,
                       const KymoPeComponent *component)
{
  static const char *const names[] = { "Idle", "Overhead", "Messages sent", "Bytes sent" };

  return component->with == 0 ? kymo_ask_state_name (ask, component->state)
    : names[g_bit_nth_lsf (component->with, -1)];
}

/** kymo_clusters_dup_key: what names it in a question; caller frees */
char *
kymo_clusters_dup_key (const KymoAsk         *ask,
                       const KymoPeComponent *component)
{
  return component->with == 0
    ? g_strdup_printf ("%" G_GINT64_FORMAT, kymo_ask_state_id (ask, component->state))
    : g_strdup (kymo_clusters_components[g_bit_nth_lsf (component->with, -1)]);
}

/* Strength: which share of all variance of the vectors it has. */
static KymoTable *
list_components (const KymoAsk     *ask,
                 const KymoClasses *classes)
{
  KymoTable *table = kymo_table_new_list ("id key:string name:string kind:string strength:double");
  double total = classes->principal->total;

  for (guint c = 0; c < classes->vectors->n_components; c++)
    {
      const KymoPeComponent *component = &classes->vectors->components[c];
      gboolean time = component->with == 0;
      g_autofree char *text = kymo_clusters_dup_key (ask, component);

      kymo_table_append_row (table,
                             time ? kymo_ask_state_id (ask, component->state) : KYMO_NULL_INT, text,
                             kymo_clusters_name_of (ask, component),
                             time ? kymo_ask_state_kind (ask, component->state) : text,
                             total > 0 ? classes->principal->variance[c] / total : NAN);
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
group_vectors (const KymoKmeans  *kmeans,
               guint            **first)
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

/* Values of a vector, scaled back; or of a mean of vectors. */
static void
append_values (const KymoPeVectors *vectors,
               const double        *values,
               KymoTable           *list)
{
  for (guint c = 0; c < vectors->n_components; c++)
    kymo_table_append_double (list, 0, vectors->components[c].low
                              + values[c] / vectors->components[c].factor);
}

/* The mean of the members' distances and the largest of them, too. */
static void
append_members (const KymoAsk     *ask,
                const KymoClasses *classes,
                const guint       *vectors,
                guint              n,
                KymoTable         *members,
                double            *mean,
                double            *largest)
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
list_clusters (const KymoAsk     *ask,
               const KymoClasses *classes)
{
  const KymoPeChoice *choice = classes->choice;
  KymoTable *table = kymo_table_new_list ("size representative mean_distance:double "
                                          "largest_distance:double silhouette:double");
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
      append_values (classes->vectors, classes->kmeans->means
                     + (gsize) k * classes->vectors->n_columns, means.table);
      for (guint i = choice->first_outlier[k]; i < choice->first_outlier[k + 1]; i++)
        kymo_table_append_int (outliers.table, 0, pe_of (ask, classes, choice->outliers[i]));
      kymo_table_append_row (table, classes->kmeans->sizes[k],
                             pe_of (ask, classes, choice->representative[k]), of_mean, of_largest,
                             classes->silhouettes[k]);
      kymo_table_end_nested (table, outliers.nested);
      kymo_table_end_nested (table, members.nested);
      kymo_table_end_nested (table, means.nested);
    }
  return table;
}

/* By vector: why it is kept, or NULL. Of several reasons the first counts:
   representative, outlier, union, critical path, asked for. */
static const char **
find_kept (const KymoClasses *classes)
{
  const char **kept = g_new0 (const char *, classes->vectors->n_rows);

  for (guint i = 0; i < classes->vectors->n_rows; i++)
    if (classes->also[i] != 0)
      kept[i] = classes->also[i] & KYMO_ALSO_UNION ? "union"
        : classes->also[i] & KYMO_ALSO_PATH ? "critical-path" : "asked";
  for (guint k = 0; k < classes->kmeans->n_clusters; k++)
    kept[classes->choice->representative[k]] = "representative";
  for (guint i = 0; i < classes->choice->n_outliers; i++)
    kept[classes->choice->outliers[i]] = "outlier";
  return kept;
}

/* All that are kept, PEs ascending; and a line for every PE. */
static void
set_pes (const KymoAsk     *ask,
         const KymoClasses *classes,
         KymoTable         *answer)
{
  guint n = classes->vectors->n_rows, n_kept = 0;
  KymoTable *table = kymo_table_new_list ("location label:string cluster distance:double "
                                          "kept_as:string");
  gboolean tells_vectors = kymo_question_get_flag (ask->question, "vectors");
  List vector = tells_vectors ? add_list (table, "vector", KYMO_COLUMN_DOUBLE) : (List) { 0 };
  g_autofree const char **kept = find_kept (classes);
  g_autofree gint64 *pes = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    {
      guint of_run = ask->locations[classes->vectors->rows[i]];

      kymo_table_append_row (table, pe_of (ask, classes, i),
                             kymo_run_peek_location (ask->run, of_run)->label,
                             classes->kmeans->cluster[i],
                             classes->kmeans->distance[i] / classes->vectors->unit, kept[i]);
      if (tells_vectors)
        {
          append_values (classes->vectors, classes->vectors->values
                         + (gsize) i * classes->vectors->n_columns, vector.table);
          kymo_table_end_nested (table, vector.nested);
        }
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

/* "idle,bytes" */
static char *
join_components (guint with)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; kymo_clusters_components[i] != NULL; i++)
    if (with & (1u << i))
      g_string_append_printf (words, "%s%s", words->len > 0 ? "," : "",
                              kymo_clusters_components[i]);
  return g_string_free (words, FALSE);
}

static void
set_parameters (const KymoAsk     *ask,
                const KymoClasses *classes,
                KymoTable         *answer)
{
  const KymoClustersPlan *plan = ask->plan;
  g_autofree char *with = join_components (plan->with);
  g_autofree char *union_of = join_components (plan->union_of);

  kymo_table_set_int (answer, "begin_ns", ask->span.begin_ns);
  kymo_table_set_int (answer, "end_ns", ask->span.end_ns);
  kymo_table_set_int (answer, "pes", classes->vectors->n_rows);
  kymo_table_set_int (answer, "k", classes->k);
  kymo_table_set_string (answer, "seeding", kymo_clusters_seedings[plan->seeding]);
  kymo_table_set_int (answer, "seed", plan->seeding == KYMO_SEEDING_DIAGONAL ? KYMO_NULL_INT
                      : plan->seed);
  kymo_table_set_string (answer, "scale", kymo_clusters_scales[plan->scale]);
  kymo_table_set_string (answer, "with", with);
  kymo_table_set_string (answer, "quota", kymo_clusters_quotas[plan->quota]);
  kymo_table_set_string (answer, "union", union_of);
  kymo_table_set_bool (answer, "critical_path", plan->critical_path);
  kymo_table_set_int (answer, "rounds", classes->kmeans->rounds);
  kymo_table_set_bool (answer, "settled", classes->kmeans->settled);
  kymo_table_set_double (answer, "silhouette", classes->silhouette);
  kymo_table_set_int (answer, "outliers", classes->choice->n_outliers);
}

/**
 * kymo_clusters_places:
 * @classes: vectors have rows alone
 *
 * Returns: (transfer full): the locations, as kymo_clusters_answer() lists them, in no
 * cluster
 */
KymoTable *
kymo_clusters_places (const KymoAsk     *ask,
                      const KymoClasses *classes)
{
  KymoTable *answer = kymo_ask_answer_new (ask);
  KymoTable *table = kymo_table_new_list ("location label:string cluster kept_as:string");

  for (guint i = 0; i < classes->vectors->n_rows; i++)
    {
      guint of_run = ask->locations[classes->vectors->rows[i]];

      kymo_table_append_row (table, pe_of (ask, classes, i),
                             kymo_run_peek_location (ask->run, of_run)->label, -1, NULL);
    }
  kymo_table_set_int (answer, "pes", classes->vectors->n_rows);
  kymo_table_set_int (answer, "k", 0);
  set_left_out (ask, answer);
  kymo_table_set_table (answer, "locations", table);
  return answer;
}

/**
 * kymo_clusters_answer:
 *
 * Returns: (transfer full): all of the answer but what was tried
 */
KymoTable *
kymo_clusters_answer (const KymoAsk     *ask,
                      const KymoClasses *classes)
{
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  set_parameters (ask, classes, answer);
  set_left_out (ask, answer);
  set_pes (ask, classes, answer);
  kymo_table_set_table (answer, "clusters", list_clusters (ask, classes));
  kymo_table_set_table (answer, "components", list_components (ask, classes));
  return answer;
}
