/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * thread-scatter: where each location lies by two figures of its profile, and to which
 * cluster it belongs; the clusters are those of kymo-clusters.c. A figure is what one
 * function had ("value" says of what), "calls:NAME", or "metric:NAME", what the whole
 * location had of a metric or of an expression of metrics.
 */
#include "config.h"

#include "kymo-clusters-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "kymo-columns.h"
#include "kymo-error.h"

typedef struct
{
  char   *label;
  char   *unit;
  double *values;               /* by vector */
} Axis;

static void
axis_clear (Axis *axis)
{
  g_free (axis->label);
  g_free (axis->unit);
  g_free (axis->values);
}

static guint
location_of (const KymoAsk     *ask,
             const KymoClasses *classes,
             guint              vector)
{
  return ask->locations[classes->vectors->rows[vector]];
}

static gboolean
read_function (const KymoProfileLook  *look,
               KymoProfileValue        value,
               const char             *name,
               const KymoClasses      *classes,
               Axis                   *axis,
               GError                **error)
{
  const char *words = kymo_column_info (kymo_profile_value_to_string (value)).heading;
  gint event;

  if (!kymo_profile_look_find_known (look, name, &event, error))
    return FALSE;
  for (guint i = 0; event >= 0 && i < classes->vectors->n_rows; i++)
    {
      guint location = location_of (look->ask, classes, i);
      gint row = kymo_profile_look_find_row (look, location, event);

      if (row >= 0)
        kymo_profile_look_read (look, value, look->data->first[location] + row, 1,
                                &axis->values[i]);
    }
  axis->label = g_strdup_printf ("%s, %s",
                                 event >= 0 ? kymo_profile_look_event (look, event)->shown : name,
                                 words != NULL ? _(words) : kymo_profile_value_to_string (value));
  axis->unit = g_strdup (value == KYMO_VALUE_CALLS || value == KYMO_VALUE_SUBROUTINES ? ""
                         : look->unit);
  return TRUE;
}

/* All that a location has by itself, of functions of the chosen groups. */
static void
read_whole (const KymoProfileLook *look,
            const KymoClasses     *classes,
            Axis                  *axis)
{
  guint n_events = look->data->events->len;
  g_autofree gboolean *wanted = g_new0 (gboolean, MAX (n_events, 1));
  g_autofree double *sums = g_new (double, look->ask->n_locations);

  for (guint e = 0; e < n_events; e++)
    wanted[e] = kymo_profile_look_is_flat (look, e);
  kymo_profile_look_sum (look, KYMO_VALUE_EXCLUSIVE, wanted, sums);
  for (guint i = 0; i < classes->vectors->n_rows; i++)
    {
      double sum = sums[classes->vectors->rows[i]];

      axis->values[i] = isnan (sum) ? 0 : sum;
    }
  axis->label = g_strdup (look->metric_name);
  axis->unit = g_strdup (look->unit);
}

/* The look of the question, but at another metric. */
static KymoProfileLook *
look_at (const KymoAsk  *ask,
         const char     *metric,
         GError        **error)
{
  static const char *const kept[] = { "step", "groups", "once" };
  g_autoptr (KymoQuestion) question = kymo_question_new ("thread-scatter");
  KymoAsk other = *ask;
  KymoProfileLook *look;

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    if (kymo_question_get (ask->question, kept[i]) != NULL)
      kymo_question_set (question, kept[i], kymo_question_get (ask->question, kept[i]));
  kymo_question_set (question, "metric", metric);
  other.question = question;
  look = kymo_profile_look_new (&other, KYMO_LOOK_FLAT, error);
  if (look != NULL)
    look->ask = ask;
  return look;
}

static gboolean
read_axis (const KymoProfileLook  *look,
           const char             *key,
           const KymoClasses      *classes,
           Axis                   *axis,
           GError                **error)
{
  g_autoptr (KymoProfileLook) other = NULL;
  KymoProfileValue value;

  axis->values = g_new0 (double, MAX (classes->vectors->n_rows, 1));
  if (key == NULL)
    {
      read_whole (look, classes, axis);
      return TRUE;
    }
  if (g_str_has_prefix (key, "calls:"))
    return read_function (look, KYMO_VALUE_CALLS, key + 6, classes, axis, error);
  if (!g_str_has_prefix (key, "metric:"))
    return kymo_profile_look_value (look, &value, error)
      && read_function (look, value, key, classes, axis, error);
  other = look_at (look->ask, key + 7, error);
  if (other == NULL)
    return FALSE;
  read_whole (other, classes, axis);
  return TRUE;
}

static void
set_axis (const Axis *axis,
          const char *name,
          KymoTable  *answer)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_string (table, "label", axis->label);
  kymo_table_set_string (table, "unit", axis->unit);
  kymo_table_set_table (answer, name, table);
}

/**
 * kymo_thread_scatter_set:
 * @answer: of clusters, whose "locations" have a row for each vector
 *
 * Adds where each location lies: columns x and y, and objects of that name. Sets
 * %KYMO_ERROR_USAGE for an axis that is none, or %G_IO_ERROR_CANCELLED.
 *
 * Returns: whether they were added
 */
gboolean
kymo_thread_scatter_set (const KymoAsk      *ask,
                         const KymoClasses  *classes,
                         KymoTable          *answer,
                         GError            **error)
{
  static const char *const names[] = { "x", "y" };
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new ((KymoAsk *) ask, KYMO_LOOK_FLAT,
                                                            error);
  KymoTable *locations = kymo_table_peek_nested (answer, "locations", NULL);
  gboolean done = look != NULL;

  for (guint i = 0; done && i < G_N_ELEMENTS (names); i++)
    {
      Axis axis = { 0 };

      done = read_axis (look, kymo_question_get (ask->question, names[i]), classes, &axis, error);
      if (done)
        {
          double *column = kymo_table_extend_doubles (
            locations, kymo_table_add_column (locations, names[i], KYMO_COLUMN_DOUBLE, 1),
            classes->vectors->n_rows);

          memcpy (column, axis.values, classes->vectors->n_rows * sizeof (double));
          set_axis (&axis, names[i], answer);
        }
      axis_clear (&axis);
    }
  if (done)
    kymo_profile_look_set (look, answer);
  return done && !g_cancellable_set_error_if_cancelled (ask->cancellable, error);
}
