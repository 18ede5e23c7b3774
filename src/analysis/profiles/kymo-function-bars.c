/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * function-bars: one function on all locations, as bars and as a histogram of how many
 * locations have how much of it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-look.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-keywords.h"

#define BINS 20
#define MOST_BINS 10000

typedef struct
{
  KymoProfileLook  *look;
  KymoProfileValue  value;
  gint              event;      /* -1: a function that nothing ran of */
  const char       *name;
  double           *values;     /* by asked location; NaN = it has none */
  gboolean          additive;
  gboolean         *is_it;      /* by event */
} Function;

static gboolean
find_function (Function  *function,
               GError   **error)
{
  const KymoAsk *ask = function->look->ask;

  function->name = kymo_question_get (ask->question, "of");
  if (function->name == NULL)
    {
      g_set_error_literal (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                           _("function-bars needs the function it is about"));
      return FALSE;
    }
  return kymo_profile_look_find_known (function->look, function->name, &function->event, error);
}

static void
read_values (Function *function)
{
  const KymoAsk *ask = function->look->ask;
  const KymoProfileData *data = function->look->data;

  function->values = g_new (double, MAX (ask->n_locations, 1));
  for (guint i = 0; i < ask->n_locations; i++)
    {
      guint location = ask->locations[i];
      gint row = function->event < 0 ? -1
        : kymo_profile_look_find_row (function->look, location, function->event);

      function->values[i] = NAN;
      if (row >= 0)
        kymo_profile_look_read (function->look, function->value, data->first[location] + row, 1,
                                &function->values[i]);
    }
}

/* Of the locations of a row in the mean. */
static double
row_value (const Function *function,
           guint           first,
           guint           end,
           double          sum,
           guint           n_present)
{
  double value;

  if (function->additive)
    return sum / (end - first);
  if (n_present == 0)
    return NAN;
  value = end - first == 1 ? sum
    : kymo_profile_look_combine (function->look, function->value, first, end, function->is_it,
                                 TRUE);
  return isnan (value) ? sum / n_present : value;
}

static KymoTable *
list_rows (const Function *function)
{
  const KymoAsk *ask = function->look->ask;
  guint most = kymo_question_get_rows (ask->question), group = 1;
  KymoTable *table = kymo_table_new_list ("location label:string n_locations value:double "
                                          "has:bool");

  while (most > 0 && (ask->n_locations + group - 1) / group > most)
    group *= 2;
  for (guint first = 0; first < ask->n_locations; first += group)
    {
      const KymoLocation *here = kymo_run_peek_location (ask->run, ask->locations[first]);
      guint end = MIN (first + group, ask->n_locations), n_present = 0;
      double sum = 0;

      for (guint i = first; i < end; i++)
        if (!isnan (function->values[i]))
          {
            sum += function->values[i];
            n_present++;
          }
      kymo_table_append_row (table, here->id, here->label, end - first,
                             row_value (function, first, end, sum, n_present), n_present > 0);
    }
  return table;
}

/* Bins of equal width from the smallest to the largest, which is in the last one; one
   bin where all are the same. */
static gboolean
set_histogram (const Function     *function,
               const KymoFigures  *figures,
               KymoTable          *answer,
               GError            **error)
{
  KymoTable *histogram = kymo_table_new (KYMO_STYLE_OBJECT);
  g_autofree double *edges = NULL;
  g_autofree gint64 *counts = NULL;
  double width = figures->max - figures->min;
  gint64 n;

  if (!kymo_question_get_int (function->look->ask->question, "bins", BINS, &n, error))
    {
      kymo_table_unref (histogram);
      return FALSE;
    }
  n = width > 0 && isfinite (width) ? CLAMP (n, 1, MOST_BINS) : figures->n_present > 0;
  edges = g_new0 (double, n + 1);
  counts = g_new0 (gint64, MAX (n, 1));
  for (gint64 i = 0; i <= n; i++)
    edges[i] = i == n ? figures->max : figures->min + width * (double) i / (double) n;
  for (guint i = 0; n > 0 && i < function->look->ask->n_locations; i++)
    {
      double value = function->values[i];
      gint64 bin;

      if (isnan (value))
        continue;
      bin = n == 1 ? 0 : CLAMP ((gint64) ((value - figures->min) / width * (double) n), 0, n - 1);
      /* A rounded value must not cross an edge. */
      while (bin > 0 && value < edges[bin])
        bin--;
      while (bin + 1 < n && value >= edges[bin + 1])
        bin++;
      counts[bin]++;
    }
  kymo_table_set_doubles (histogram, "edges", edges, n > 0 ? n + 1 : 0);
  kymo_table_set_ints (histogram, "counts", counts, n);
  kymo_table_set_table (answer, "histogram", histogram);
  return TRUE;
}

static void
set_figures (const Function    *function,
             const KymoFigures *figures,
             KymoTable         *answer)
{
  const KymoProfileEvent *event = function->event < 0 ? NULL
    : kymo_profile_look_event (function->look, function->event);

  kymo_table_set_string (answer, "name", event == NULL || (event->flags & KYMO_PROFILE_PATH)
                         ? function->name : event->shown);
  kymo_table_set_string (answer, "group", event != NULL ? event->groups : "");
  kymo_table_set_string (answer, "role", event != NULL ? kymo_role_to_string (event->role) : NULL);
  kymo_table_set_string (answer, "kind", event != NULL ? kymo_profile_event_kind (event)
                         : "function");
  kymo_table_set_int (answer, "n_locations", function->look->ask->n_locations);
  kymo_table_set_int (answer, "n_present", figures->n_present);
  kymo_table_set_double (answer, "total", figures->total);
  kymo_table_set_double (answer, "mean", figures->mean);
  kymo_table_set_double (answer, "mean_present", figures->mean_present);
  kymo_table_set_double (answer, "min", figures->min);
  kymo_table_set_double (answer, "max", figures->max);
  kymo_table_set_double (answer, "stddev", figures->stddev);
}

static KymoTable *
function_bars_answer (KymoAsk  *ask,
                      guint     n_threads,
                      GError  **error)
{
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_FLAT, error);
  g_autoptr (KymoTable) answer = NULL;
  Function function = { .look = look };
  KymoFigures figures;
  gboolean done;

  if (look == NULL || !kymo_profile_look_value (look, &function.value, error)
      || !find_function (&function, error))
    return NULL;
  read_values (&function);
  function.additive = kymo_profile_look_is_additive (look, function.value);
  function.is_it = g_new0 (gboolean, MAX (look->data->events->len, 1));
  if (function.event >= 0)
    function.is_it[function.event] = TRUE;
  figures = kymo_figures_of (function.values, ask->n_locations, function.additive);
  if (!function.additive)
    kymo_profile_look_settle_one (look, function.value, function.is_it, &figures);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  kymo_table_set_string (answer, "value", kymo_profile_value_to_string (function.value));
  set_figures (&function, &figures, answer);
  kymo_table_set_table (answer, "rows", list_rows (&function));
  done = set_histogram (&function, &figures, answer, error);
  g_free (function.values);
  g_free (function.is_it);
  return done ? kymo_profile_look_end (look, g_steal_pointer (&answer), error) : NULL;
}

static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "NAME", "the function, or call path" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  KYMO_KEYWORD_ROWS,
  { "bins", KYMO_KEYWORD_COUNT, "N", "of the histogram (20)" },
  KYMO_KEYWORD_FIRST_ROWS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "rows", "location label n_locations value has", TRUE },
  { "histogram", "edges counts" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_function_bars =
{
  { "function-bars", N_("A bar chart of {rows}"),
    "of a profile: one function on all locations", keywords,
    KYMO_CAN_METRICS, .lists = lists,
    .topic = KYMO_TOPIC_CODE, .example = "--of 'MPI_Init()'" },
  .answer = function_bars_answer, .in_order = TRUE,
};
