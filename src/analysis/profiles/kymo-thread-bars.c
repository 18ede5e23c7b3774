/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * thread-bars: what each location had of each function, as stacked bars; those with
 * the largest means, and all others together. Values that do not add up are not for
 * stacking: beside those of the functions stands the one of the whole location.
 */
#include "config.h"

#include "kymo-profile-look.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "kymo-keywords.h"

/* Most functions if the question does not tell. */
#define MOST_FUNCTIONS 30

typedef struct
{
  KymoProfileLook  *look;
  KymoProfileValue  value;
  KymoFigures      *figures;
  double           *rows;
  guint             group;
  GArray           *order;      /* guint32: events, the largest mean first */
  guint             n_shown;    /* of them; the others are the rest */
  gboolean          additive;
  gboolean         *is_all;     /* by event: of these functions, and of some of them */
  gboolean         *is_rest;
  gboolean         *is_useful;
} Bars;

static int
compare_means (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const KymoFigures *figures = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (figures[x].mean != figures[y].mean)
    return figures[x].mean > figures[y].mean ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void
choose_functions (Bars *bars)
{
  guint most = kymo_question_get_columns (bars->look->ask->question);

  if (most == 0)
    most = MOST_FUNCTIONS;
  bars->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 e = 0; e < bars->look->data->events->len; e++)
    if (kymo_profile_look_is_flat (bars->look, e) && bars->figures[e].n_present > 0)
      g_array_append_val (bars->order, e);
  g_array_sort_with_data (bars->order, compare_means, bars->figures);
  bars->n_shown = bars->order->len <= most ? bars->order->len : most;
}

static void
mark_functions (Bars *bars)
{
  gsize n = MAX (bars->look->data->events->len, 1);

  bars->is_all = g_new0 (gboolean, n);
  bars->is_rest = g_new0 (gboolean, n);
  bars->is_useful = g_new0 (gboolean, n);
  for (guint i = 0; i < bars->order->len; i++)
    {
      guint32 e = g_array_index (bars->order, guint32, i);

      bars->is_all[e] = TRUE;
      bars->is_rest[e] = i >= bars->n_shown;
      bars->is_useful[e] = kymo_profile_look_event (bars->look, e)->role == KYMO_ROLE_COMPUTE;
    }
}

/* The value of several functions in a row, where values do not add up. */
static double
combine (const Bars     *bars,
         guint           row,
         const gboolean *wanted)
{
  guint first = row * bars->group;

  return kymo_profile_look_combine (bars->look, bars->value, first,
                                    MIN (first + bars->group, bars->look->ask->n_locations),
                                    wanted, TRUE);
}

/* Sum over several functions in a row: those that are not shown, all, or those that compute, which
   is the work of a row without its waiting. */
static double
sum_of (const Bars     *bars,
        guint           row,
        const gboolean *wanted)
{
  const double *values = bars->rows + (gsize) row * bars->look->n_flat;
  double sum = 0;

  if (!bars->additive)
    return combine (bars, row, wanted);
  for (guint i = 0; i < bars->order->len; i++)
    {
      guint32 e = g_array_index (bars->order, guint32, i);

      if (wanted[e])
        sum += values[e];
    }
  return sum;
}

/* Several functions are no event, so their figures are taken here, from location to
   location. */
static KymoFigures
figures_of_several (const Bars     *bars,
                    const gboolean *wanted)
{
  const KymoAsk *ask = bars->look->ask;
  g_autofree double *sums = g_new (double, MAX (ask->n_locations, 1));
  KymoFigures figures;

  kymo_profile_look_sum (bars->look, bars->value, wanted, sums);
  figures = kymo_figures_of (sums, ask->n_locations, bars->additive);
  if (!bars->additive)
    kymo_profile_look_settle_one (bars->look, bars->value, wanted, &figures);
  return figures;
}

typedef struct
{
  KymoTable *table;
} FunctionTable;

static void
append_function (const FunctionTable    *t,
                 const KymoProfileEvent *event,
                 guint                   rest,
                 const KymoFigures      *figures)
{
  g_autofree char *others = g_strdup_printf ("%u others", rest);

  kymo_table_append_row (t->table, event != NULL ? event->shown : others,
                         event != NULL ? event->groups : "",
                         event != NULL ? kymo_role_to_string (event->role) : NULL,
                         event != NULL ? kymo_profile_event_kind (event) : "rest", rest,
                         figures->mean, figures->min, figures->max, figures->stddev,
                         figures->total);
}

static KymoTable *
list_functions (const Bars *bars)
{
  FunctionTable t = { kymo_table_new (KYMO_STYLE_OBJECTS) };

  kymo_table_add_columns (t.table, "name:string group:string role:string kind:string rest "
                                   "mean:double min:double max:double stddev:double total:double");
  for (guint i = 0; i < bars->n_shown; i++)
    {
      guint32 e = g_array_index (bars->order, guint32, i);

      append_function (&t, kymo_profile_look_event (bars->look, e), 0, &bars->figures[e]);
    }
  if (bars->n_shown < bars->order->len)
    {
      KymoFigures rest = figures_of_several (bars, bars->is_rest);

      append_function (&t, NULL, bars->order->len - bars->n_shown, &rest);
    }
  return t.table;
}

static KymoTable *
list_rows (const Bars *bars)
{
  const KymoAsk *ask = bars->look->ask;
  gboolean has_rest = bars->n_shown < bars->order->len;
  guint n = bars->n_shown + has_rest, n_flat = bars->look->n_flat;
  KymoTable *table = kymo_table_new_list ("location label:string n_locations useful:double "
                                          "whole:double");
  guint values = kymo_table_add_vector (table, "values", KYMO_COLUMN_DOUBLE, MAX (n, 1));
  g_autofree double *row = g_new0 (double, MAX (n, 1));

  for (guint first = 0, r = 0; first < ask->n_locations; first += bars->group, r++)
    {
      const KymoLocation *here = kymo_run_peek_location (ask->run, ask->locations[first]);

      for (guint i = 0; i < bars->n_shown; i++)
        row[i] = bars->rows[(gsize) r * n_flat + g_array_index (bars->order, guint32, i)];
      if (has_rest)
        row[bars->n_shown] = sum_of (bars, r, bars->is_rest);
      kymo_table_append_row (table, here->id, here->label,
                             MIN (bars->group, ask->n_locations - first),
                             sum_of (bars, r, bars->is_useful), sum_of (bars, r, bars->is_all));
      kymo_table_append_doubles (table, values, row);
    }
  return table;
}

/* Figures of all functions together, over the locations. */
static KymoTable *
describe_whole (const Bars *bars)
{
  KymoFigures figures = figures_of_several (bars, bars->is_all);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_double (table, "mean", figures.mean);
  kymo_table_set_double (table, "min", figures.min);
  kymo_table_set_double (table, "max", figures.max);
  kymo_table_set_double (table, "stddev", figures.stddev);
  kymo_table_set_double (table, "total", figures.total);
  return table;
}

static KymoTable *
thread_bars_answer (KymoAsk  *ask,
                    guint     n_threads,
                    GError  **error)
{
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_FLAT, error);
  Bars bars = { .look = look };
  KymoTable *answer;

  if (look == NULL || !kymo_profile_look_value (look, &bars.value, error))
    return NULL;
  bars.figures = kymo_profile_look_figures (look, bars.value,
                                            kymo_question_get_rows (ask->question),
                                            &bars.rows, &bars.group);
  bars.additive = kymo_profile_look_is_additive (look, bars.value);
  choose_functions (&bars);
  mark_functions (&bars);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  kymo_table_set_string (answer, "value", kymo_profile_value_to_string (bars.value));
  kymo_table_set_int (answer, "n_locations", ask->n_locations);
  kymo_table_set_table (answer, "whole", describe_whole (&bars));
  kymo_table_set_table (answer, "functions", list_functions (&bars));
  kymo_table_set_table (answer, "rows", list_rows (&bars));
  g_free (bars.figures);
  g_free (bars.rows);
  g_array_unref (bars.order);
  g_free (bars.is_all);
  g_free (bars.is_rest);
  g_free (bars.is_useful);
  return kymo_profile_look_end (look, answer, error);
}

/* "functions" are sorted by mean; "values" of a row are in their order. A row of several
   locations is their mean; useful is the time of functions that compute. */
static const KymoKeyword keywords[] =
{
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  { "functions", KYMO_KEYWORD_COUNT, "N", "at most N functions; the others are merged",
    KYMO_KEYWORD_TO_COLUMNS, 100 },
  KYMO_KEYWORD_ROWS,
  KYMO_KEYWORD_FIRST_ROWS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "rows", "location label n_locations useful whole values", TRUE },
  { "whole", "mean min max stddev total" },
  { "functions", "name group role kind rest mean min max stddev total" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_thread_bars =
{
  { "thread-bars", N_("A bar chart of {rows}"),
    "of a profile: what every location had of each function",
    keywords, KYMO_CAN_METRICS, .lists = lists,
    .topic = KYMO_TOPIC_LOAD },
  .answer = thread_bars_answer, .in_order = TRUE,
};
