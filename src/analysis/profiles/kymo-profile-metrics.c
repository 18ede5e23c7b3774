/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * profile, of a run of profiles, or of a trace where a metric is asked for: of every
 * function, and of every path where there are any, what all locations had.
 */
#include "config.h"

#include "kymo-profile-look.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define N_FIGURES 4

static const char *const figure_names[N_FIGURES] =
  { "calls", "subroutines", "exclusive", "inclusive" };
static const KymoProfileValue figure_values[N_FIGURES] =
  { KYMO_VALUE_CALLS, KYMO_VALUE_SUBROUTINES, KYMO_VALUE_EXCLUSIVE, KYMO_VALUE_INCLUSIVE };

/* An object {total, mean, …} a row. */
typedef struct
{
  KymoTable *table;
  guint      nested;
} FigureTable;

static FigureTable
add_figures (KymoTable  *table,
             const char *name)
{
  static const char *const words[] =
    { "total", "mean", "mean_present", "min", "max", "stddev" };
  FigureTable t = { kymo_table_new (KYMO_STYLE_OBJECT) };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    kymo_table_add_column (t.table, words[i], KYMO_COLUMN_DOUBLE, 1);
  t.nested = kymo_table_add_nested (table, name, t.table);
  return t;
}

static void
append_figures (KymoTable         *table,
                FigureTable       *t,
                const KymoFigures *figures)
{
  const double row[] = { figures->total, figures->mean, figures->mean_present, figures->min,
                         figures->max, figures->stddev };

  for (guint i = 0; i < G_N_ELEMENTS (row); i++)
    kymo_table_append_double (t->table, i, row[i]);
  kymo_table_end_nested (table, t->nested);
}

/* By the total; a gauge has none. */
static double
rank_of (const KymoFigures *figures)
{
  return !isnan (figures->total) ? figures->total
    : !isnan (figures->mean) ? figures->mean : -INFINITY;
}

static int
compare_totals (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoFigures *figures = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  double of_x = rank_of (&figures[x]), of_y = rank_of (&figures[y]);

  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  return x < y ? -1 : x > y;
}

static GArray *
choose_events (const KymoProfileLook *look,
               KymoFigures           *exclusive)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 e = 0; e < look->data->events->len; e++)
    if (look->chosen[e] && exclusive[e].n_present > 0)
      g_array_append_val (order, e);
  g_array_sort_with_data (order, compare_totals, exclusive);
  return order;
}

/* Paths follow functions, by exclusive totals both. */
static KymoTable *
list_activities (const KymoProfileLook *look)
{
  KymoTable *table = kymo_table_new_list ("id name:string group:string kind:string role:string "
                                          "n_present shown:string");
  KymoFigures *figures[N_FIGURES];
  FigureTable columns[N_FIGURES];
  g_autoptr (GArray) order = NULL;

  kymo_profile_look_figures_of (look, figure_values, N_FIGURES, figures);
  for (guint i = 0; i < N_FIGURES; i++)
    columns[i] = add_figures (table, figure_names[i]);
  order = choose_events (look, figures[2]);
  for (guint paths = 0; paths < 2; paths++)
    for (guint i = 0; i < order->len; i++)
      {
        guint32 e = g_array_index (order, guint32, i);
        const KymoProfileEvent *event = kymo_profile_look_event (look, e);
        gboolean is_path = event->flags & KYMO_PROFILE_PATH;

        if (is_path != (paths == 1))
          continue;
        kymo_table_append_row (table, e, event->name, event->groups,
                               is_path ? "path" : kymo_profile_event_kind (event),
                               kymo_role_to_string (event->role), figures[2][e].n_present,
                               event->shown);
        for (guint k = 0; k < N_FIGURES; k++)
          append_figures (table, &columns[k], &figures[k][e]);
      }
  for (guint i = 0; i < N_FIGURES; i++)
    g_free (figures[i]);
  return table;
}

static KymoTable *
list_locations (const KymoProfileLook *look)
{
  const KymoAsk *ask = look->ask;
  const KymoProfileData *data = look->data;
  KymoTable *table = kymo_table_new_list ("location label:string");
  KymoTable *rows = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint nested = kymo_table_add_nested (table, "activities", rows);
  guint id = kymo_table_add_column (rows, "id", KYMO_COLUMN_INT, 1), first = 0;

  for (guint i = 0; i < N_FIGURES; i++)
    first = kymo_table_add_column (rows, figure_names[i], KYMO_COLUMN_DOUBLE, 1);
  first -= N_FIGURES - 1;
  for (guint i = 0; i < ask->n_locations && !g_cancellable_is_cancelled (ask->cancellable); i++)
    {
      const KymoLocation *here = kymo_run_peek_location (ask->run, ask->locations[i]);
      guint64 begin = data->first[ask->locations[i]], end = data->first[ask->locations[i] + 1];

      kymo_table_append_row (table, here->id, here->label);
      for (guint64 r = begin; r < end; r++)
        {
          if (!look->chosen[data->event[r]])
            continue;
          kymo_table_append_int (rows, id, data->event[r]);
          for (guint k = 0; k < N_FIGURES; k++)
            {
              double value;

              kymo_profile_look_read (look, figure_values[k], r, 1, &value);
              kymo_table_append_double (rows, first + k, value);
            }
        }
      kymo_table_end_nested (table, nested);
    }
  return table;
}

static KymoTable *
profile_metrics_answer (KymoAsk  *ask,
                        guint     n_threads,
                        GError  **error)
{
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_FLAT, error);
  KymoTable *answer;

  if (look == NULL)
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  kymo_table_set_int (answer, "n_locations", ask->n_locations);
  kymo_table_set_table (answer, "activities", list_activities (look));
  if (kymo_question_get_flag (ask->question, "per-location"))
    kymo_table_set_table (answer, "per_location", list_locations (look));
  return kymo_profile_look_end (look, answer, error);
}

const KymoAnswerClass kymo_answer_profile_metrics =
{
  { "profile", N_("A profile"), .requires = KYMO_CAN_METRICS },
  .answer = profile_metrics_answer,
};
