/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where PEs lie in a plane whose axes the question names: by the time of an
 * entry method, by idle time, overhead, messages or bytes (whether PEs are
 * compared by that or not), or along one of the two directions in which they
 * differ most. Along a direction a PE lies where its vector does, as it was
 * compared, from the mean of all PEs.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-clusters-private.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-term-words.h"

/* Most components of a direction that are listed, the largest weights first. */
#define MOST_WEIGHTS 6

static const char *const axes[] = { "x", "y", NULL };
static const char *const principals[KYMO_N_PRINCIPAL] = { "principal-1", "principal-2" };

/** KymoAxis: what a key means */
typedef struct
{
  gint    principal;            /* or -1 */
  guint   with;                 /* a KymoPeComponents, or 0 */
  guint32 state;                /* where neither is */
} KymoAxis;

static gboolean
find_entry (const KymoAsk *ask,
            const char    *key,
            guint32       *state)
{
  gint64 id;

  if (!g_ascii_string_to_signed (key, 10, G_MININT64 + 1, G_MAXINT64, &id, NULL))
    return FALSE;
  for (guint i = 0; i < ask->run->activities->len; i++)
    if (kymo_run_peek_activity (ask->run, i)->id == id
        && kymo_run_peek_activity (ask->run, i)->kind == KYMO_ACTIVITY_ENTRY)
      {
        *state = KYMO_STATE_ACTIVITY + i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_axis (const KymoAsk *ask,
           const char    *key,
           KymoAxis      *axis)
{
  *axis = (KymoAxis) { -1 };
  for (guint i = 0; i < KYMO_N_PRINCIPAL; i++)
    if (strcmp (key, principals[i]) == 0)
      {
        axis->principal = i;
        return TRUE;
      }
  for (guint bit = 0; kymo_clusters_components[bit] != NULL; bit++)
    if (strcmp (key, kymo_clusters_components[bit]) == 0)
      {
        axis->with = 1u << bit;
        return TRUE;
      }
  return find_entry (ask, key, &axis->state);
}

/**
 * kymo_clusters_check_axes:
 *
 * Returns: %FALSE and why where the question names an axis that is none
 */
gboolean
kymo_clusters_check_axes (const KymoAsk  *ask,
                          GError        **error)
{
  for (guint i = 0; axes[i] != NULL; i++)
    {
      const char *key = kymo_question_get (ask->question, axes[i]);
      KymoAxis axis;

      if (key == NULL || find_axis (ask, key, &axis))
        continue;
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   kymo_in_terms (ask->run->terms,
                                  _("“%s” is no axis: there are principal-1, principal-2, ids of "
                                    "{codes}, idle, overhead, messages and bytes")), key);
      return FALSE;
    }
  return TRUE;
}

/**
 * kymo_clusters_axes_with:
 *
 * Returns: #KymoPeComponents that the axes of the question show
 */
guint
kymo_clusters_axes_with (const KymoAsk *ask)
{
  guint with = 0;

  for (guint i = 0; axes[i] != NULL; i++)
    {
      const char *key = kymo_question_get (ask->question, axes[i]);
      KymoAxis axis;

      if (key != NULL && find_axis (ask, key, &axis))
        with |= axis.with;
    }
  return with;
}

static gint
component_of (const KymoPeVectors *vectors,
              const KymoAxis      *axis)
{
  for (guint c = 0; c < vectors->n_components; c++)
    if (vectors->components[c].with == axis->with
        && (axis->with != 0 || vectors->components[c].state == axis->state))
      return c;
  return -1;
}

/* The figure itself, whole and unscaled. */
static double
value_of (const KymoPeSums *sums,
          const KymoAxis   *axis,
          guint             row)
{
  const GArray *shares = sums->times->locations[row].shares;

  if (axis->with != 0)
    return kymo_pe_sums_get (sums, row, axis->with);
  for (guint i = 0; shares != NULL && i < shares->len; i++)
    if (g_array_index (shares, KymoLocationShare, i).state == axis->state)
      return g_array_index (shares, KymoLocationShare, i).exclusive_ns;
  return 0;
}

static void
set_values (const KymoPeSums  *sums,
            const KymoClasses *classes,
            const KymoAxis    *axis,
            KymoTable         *pes,
            const char        *name)
{
  const KymoPeVectors *vectors = classes->vectors;
  guint column = kymo_table_add_column (pes, name, KYMO_COLUMN_DOUBLE, 1);

  for (guint i = 0; i < vectors->n_rows; i++)
    kymo_table_append_double (pes, column, axis->principal < 0
                              ? value_of (sums, axis, vectors->rows[i])
                              : kymo_principal_score (classes->principal, axis->principal,
                                                      vectors->values
                                                      + (gsize) i * vectors->n_columns)
                                / vectors->unit);
}

/* Directions have a unit where all that PEs are compared by has it. */
static const char *
unit_of (const KymoClustersPlan *plan,
         const KymoAxis         *axis)
{
  guint counted = KYMO_PE_WITH_MESSAGES | KYMO_PE_WITH_BYTES;

  if (axis->principal >= 0)
    return plan->scale == KYMO_PE_SCALE_NONE && !(plan->with & counted) ? "ns" : NULL;
  return axis->with == KYMO_PE_WITH_MESSAGES ? "messages"
    : axis->with == KYMO_PE_WITH_BYTES ? "bytes" : "ns";
}

typedef struct
{
  guint  component;
  double weight;
} Weight;

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const Weight *x = a, *y = b;
  double left = fabs (x->weight), right = fabs (y->weight);

  if (left != right)
    return left > right ? -1 : 1;
  return (x->component > y->component) - (x->component < y->component);
}

static KymoTable *
list_weights (const KymoAsk     *ask,
              const KymoClasses *classes,
              const double      *direction)
{
  guint n = classes->vectors->n_components;
  KymoTable *table = kymo_table_new_list ("key:string name:string weight:double");
  g_autofree Weight *weights = g_new (Weight, n + 1);

  for (guint c = 0; c < n; c++)
    weights[c] = (Weight) { c, direction[c] };
  qsort (weights, n, sizeof *weights, compare_weights);
  for (guint i = 0; i < MIN (n, MOST_WEIGHTS) && weights[i].weight != 0; i++)
    {
      const KymoPeComponent *component = &classes->vectors->components[weights[i].component];
      g_autofree char *text = kymo_clusters_dup_key (ask, component);

      kymo_table_append_row (table, text, kymo_clusters_name_of (ask, component),
                             weights[i].weight);
    }
  return table;
}

/* Sets the description of an axis, beside its values. */
static void
set_axis (const KymoAsk     *ask,
          const KymoClasses *classes,
          const KymoAxis    *axis,
          const char        *key,
          KymoTable         *answer,
          const char        *name)
{
  const KymoPrincipal *principal = classes->principal;
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoPeComponent component = { axis->with, axis->state };
  gint c = component_of (classes->vectors, axis);
  double variance = axis->principal >= 0 ? principal->along[axis->principal]
    : c >= 0 ? principal->variance[c] : NAN;

  kymo_table_set_string (table, "key", key);
  kymo_table_set_string (table, "label", axis->principal == 0 ? "Strongest direction"
                         : axis->principal == 1 ? "Second strongest direction"
                         : kymo_clusters_name_of (ask, &component));
  kymo_table_set_string (table, "unit", unit_of (ask->plan, axis));
  kymo_table_set_double (table, "share_of_variance",
                         principal->total > 0 ? variance / principal->total : NAN);
  if (axis->principal >= 0)
    kymo_table_set_table (table, "weights", list_weights (
      ask, classes, principal->directions[axis->principal]));
  kymo_table_set_table (answer, name, table);
}

/**
 * kymo_clusters_set_axes:
 * @answer: with "locations"
 *
 * Adds where the PEs lie, if the question asks for it.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
kymo_clusters_set_axes (const KymoAsk      *ask,
                        const KymoPeSums   *sums,
                        const KymoClasses  *classes,
                        KymoTable          *answer,
                        GError            **error)
{
  const KymoPeVectors *vectors = classes->vectors;
  KymoTable *pes = kymo_table_peek_nested (answer, "locations", NULL);
  gboolean found = FALSE;

  for (guint i = 0; axes[i] != NULL; i++)
    {
      const char *key = kymo_question_get (ask->question, axes[i]);
      KymoAxis axis;

      if (key == NULL || !find_axis (ask, key, &axis))
        continue;
      if (axis.principal >= 0 && !found
          && !kymo_principal_find (classes->principal, vectors->values, vectors->n_rows,
                                   vectors->n_columns, ask->n_threads, ask->cancellable, error))
        return FALSE;
      found |= axis.principal >= 0;
      set_values (sums, classes, &axis, pes, axes[i]);
      set_axis (ask, classes, &axis, key, answer, axes[i]);
    }
  return TRUE;
}
