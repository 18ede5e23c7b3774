/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * threads: several threads beside each other, or beside what stands for all: one value
 * of every function for each. phases: phases beside each other: one value of every
 * function in each.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-thread.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-term-words.h"

#define MOST_THREADS 64

/* A matrix: a row a function, a column a thread or phase. Paths, of which a profile by
   phase has one for each function in each phase, have no row. */
typedef struct
{
  const KymoProfileLook *look;
  KymoProfileValue       value;
  guint                  n_columns;
  double                *values;        /* by function and column; NaN = it has none */
} Matrix;

static double
value_of (const KymoThreadFigures *thread,
          const KymoThreadValues  *values,
          KymoProfileValue         value)
{
  switch (value)
    {
    case KYMO_VALUE_EXCLUSIVE:
      return values->exclusive;
    case KYMO_VALUE_INCLUSIVE:
      return values->inclusive;
    case KYMO_VALUE_CALLS:
      return values->calls;
    case KYMO_VALUE_SUBROUTINES:
      return values->subroutines;
    default:
      return !thread->is_linear || values->calls == 0 ? NAN
        : (value == KYMO_VALUE_EXCLUSIVE_PER_CALL ? values->exclusive : values->inclusive)
          / values->calls;
    }
}

static void
matrix_init (Matrix                *matrix,
             const KymoProfileLook *look,
             KymoProfileValue       value,
             guint                  n_columns)
{
  gsize n = (gsize) MAX (look->n_flat, 1) * MAX (n_columns, 1);

  *matrix = (Matrix) { look, value, n_columns, g_new (double, n) };
  for (gsize i = 0; i < n; i++)
    matrix->values[i] = NAN;
}

static double *
cell (const Matrix *matrix,
      guint32       event,
      guint         column)
{
  return &matrix->values[(gsize) event * matrix->n_columns + column];
}

typedef struct
{
  guint32 event;
  double  largest;
} Ranked;

static int
compare_ranked (gconstpointer a,
                gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->largest != y->largest)
    return x->largest > y->largest ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

/* Functions that have a value anywhere, the largest first. */
static GArray *
rank_functions (const Matrix *matrix)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (Ranked));

  for (guint32 e = 0; e < matrix->look->n_flat; e++)
    {
      Ranked ranked = { e, -INFINITY };

      for (guint c = 0; c < matrix->n_columns; c++)
        if (!isnan (*cell (matrix, e, c)))
          ranked.largest = MAX (ranked.largest, *cell (matrix, e, c));
      if (!isinf (ranked.largest) && matrix->look->chosen[e])
        g_array_append_val (order, ranked);
    }
  g_array_sort (order, compare_ranked);
  return order;
}

static KymoTable *
list_functions (const Matrix *matrix)
{
  g_autoptr (GArray) order = rank_functions (matrix);
  KymoTable *table = kymo_table_new_list ("name:string groups:string role:string kind:string");
  guint values = kymo_table_add_vector (table, "values", KYMO_COLUMN_DOUBLE,
                                        MAX (matrix->n_columns, 1));

  for (guint i = 0; i < order->len; i++)
    {
      guint32 e = g_array_index (order, Ranked, i).event;
      const KymoProfileEvent *event = kymo_profile_look_event (matrix->look, e);

      kymo_table_append_row (table, event->shown, event->groups, kymo_role_to_string (event->role),
                             kymo_profile_event_kind (event));
      kymo_table_append_doubles (table, values, cell (matrix, e, 0));
    }
  return table;
}

/* -- threads ---------------------------------------------------------------- */

static gboolean
add_thread (Matrix      *matrix,
            guint        column,
            const char  *of,
            KymoTable   *threads,
            GError     **error)
{
  g_autoptr (KymoThreadFigures) thread = kymo_thread_figures_new (matrix->look, of, error);

  if (thread == NULL)
    return FALSE;
  for (guint e = 0; e < matrix->look->n_flat; e++)
    if (thread->values[e].has)
      *cell (matrix, e, column) = value_of (thread, &thread->values[e], matrix->value);
  kymo_table_append_row (threads, of, thread->label,
                         thread->kind != KYMO_THREAD_LOCATION ? KYMO_NULL_INT
                         : kymo_run_peek_location (matrix->look->ask->run, thread->location)->id);
  return TRUE;
}

static char **
split_threads (const KymoAsk  *ask,
               GError        **error)
{
  const char *text = kymo_question_get (ask->question, "of");
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "mean,min,max", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    g_strstrip (words[i]);
  if (g_strv_length (words) <= MOST_THREADS)
    return g_steal_pointer (&words);
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               kymo_in_terms (ask->run->terms, _("At most %u {rows} can be compared")),
               MOST_THREADS);
  return NULL;
}

static KymoTable *
new_thread_list (void)
{
  KymoTable *threads = kymo_table_new_list ("of:string label:string location");

  return threads;
}

static KymoTable *
answer_threads (KymoAsk  *ask,
                guint     n_threads,
                GError  **error)
{
  g_auto (GStrv) words = split_threads (ask, error);
  g_autoptr (KymoProfileLook) look = words == NULL ? NULL
    : kymo_profile_look_new (ask, KYMO_LOOK_FLAT, error);
  g_autoptr (KymoTable) threads = NULL;
  KymoTable *answer = NULL;
  KymoProfileValue value;
  gboolean done = TRUE;
  Matrix matrix;

  if (look == NULL || !kymo_profile_look_value (look, &value, error))
    return NULL;
  matrix_init (&matrix, look, value, g_strv_length (words));
  threads = new_thread_list ();
  for (guint i = 0; done && words[i] != NULL; i++)
    done = add_thread (&matrix, i, words[i], threads, error);
  if (done)
    {
      answer = kymo_table_new (KYMO_STYLE_OBJECT);
      kymo_profile_look_set (look, answer);
      kymo_table_set_string (answer, "value", kymo_profile_value_to_string (value));
      kymo_table_set_table (answer, "threads", g_steal_pointer (&threads));
      kymo_table_set_table (answer, "functions", list_functions (&matrix));
      answer = kymo_profile_look_end (look, answer, error);
    }
  g_free (matrix.values);
  return answer;
}

/* "values" of a function are in the order of "threads". */
static const KymoKeyword threads_keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "LIST", "locations to compare, as 0,5,mean (mean,min,max)" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  { NULL }
};

static const KymoQuestionList threads_lists[] =
{
  { "functions", "name groups role kind values", TRUE },
  { "threads", "of label location" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_threads =
{
  { "threads", N_("A comparison of {rows}"), "of a profile: locations compared, or with the mean",
    threads_keywords, KYMO_CAN_METRICS, .lists = threads_lists,
    .topic = KYMO_TOPIC_CODE, .example = "--of mean,0,1" },
  .answer = answer_threads,
};

/* -- phases ----------------------------------------------------------------- */

/* Phases in the order of the profile: column of each event, -1 = no phase. Files mark
   them; in the profile by phase of a trace the outermost function is one, too. */
static guint
find_phases (const KymoProfileLook   *look,
             const KymoThreadFigures *thread,
             gint                    *column_of)
{
  gboolean of_files = look->ask->run->profiles != NULL;
  guint n_events = look->data->events->len, n = 0;
  g_autofree gboolean *is_phase = g_new0 (gboolean, MAX (n_events, 1));

  for (guint e = 0; e < n_events; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (look, e);
      const guint32 *parts = (const guint32 *) look->data->parts->data + event->first_part;

      if (!(event->flags & KYMO_PROFILE_PATH))
        is_phase[e] |= (event->flags & KYMO_PROFILE_PHASE) && thread->values[e].has;
      else if (event->n_parts == 2 && thread->values[e].has && !of_files)
        is_phase[parts[0]] = TRUE;
    }
  for (guint e = 0; e < n_events; e++)
    column_of[e] = is_phase[e] ? (gint) n++ : -1;
  return n;
}

static void
fill_phases (Matrix                  *matrix,
             const KymoThreadFigures *thread,
             const gint              *column_of)
{
  const KymoProfileData *data = matrix->look->data;

  for (guint e = 0; e < data->events->len; e++)
    {
      const KymoProfileEvent *event = kymo_profile_look_event (matrix->look, e);
      const guint32 *parts = (const guint32 *) data->parts->data + event->first_part;

      if ((event->flags & KYMO_PROFILE_PATH) && event->n_parts == 2 && thread->values[e].has
          && column_of[parts[0]] >= 0)
        *cell (matrix, parts[1], column_of[parts[0]]) =
          value_of (thread, &thread->values[e], matrix->value);
    }
}

static KymoTable *
list_phases (const Matrix            *matrix,
             const KymoThreadFigures *thread,
             const gint              *column_of)
{
  KymoTable *table = kymo_table_new_list ("name:string calls:double exclusive:double "
                                          "inclusive:double");

  for (guint e = 0; e < matrix->look->data->events->len; e++)
    {
      const KymoThreadValues *values = &thread->values[e];

      if (column_of[e] < 0)
        continue;
      kymo_table_append_row (table, kymo_profile_look_event (matrix->look, e)->shown, values->calls,
                             values->exclusive, values->inclusive);
    }
  return table;
}

static KymoTable *
answer_phases (KymoAsk  *ask,
               guint     n_threads,
               GError  **error)
{
  const char *of = kymo_question_get (ask->question, "of");
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_PHASES, error);
  g_autoptr (KymoThreadFigures) thread = NULL;
  g_autofree gint *column_of = NULL;
  KymoProfileValue value;
  KymoTable *answer;
  Matrix matrix;

  if (look == NULL || !kymo_profile_look_value (look, &value, error))
    return NULL;
  thread = kymo_thread_figures_new (look, of != NULL ? of : "mean", error);
  if (thread == NULL)
    return NULL;
  column_of = g_new (gint, MAX (look->data->events->len, 1));
  matrix_init (&matrix, look, value, find_phases (look, thread, column_of));
  fill_phases (&matrix, thread, column_of);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  kymo_thread_figures_set (thread, look, answer);
  kymo_table_set_string (answer, "value", kymo_profile_value_to_string (value));
  kymo_table_set_table (answer, "phases", list_phases (&matrix, thread, column_of));
  kymo_table_set_table (answer, "functions", list_functions (&matrix));
  g_free (matrix.values);
  return kymo_profile_look_end (look, answer, error);
}

/* "phases", "functions" and the matrix: row a function, "values" a phase, mean over locations
   or of one. Where a program marks its phases, each location's are those between its own marks. */
static const KymoKeyword phases_keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "WHOM", "a location, mean (mean), total …" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORD_VALUE,
  { NULL }
};

static const KymoQuestionList phases_lists[] =
{
  { "functions", "name groups role kind values", TRUE },
  { "phases", "name calls exclusive inclusive" },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_phases =
{
  { "phases", N_("A table of phases"), "of a profile: what every function had in each phase",
    phases_keywords, KYMO_CAN_PHASES, .lists = phases_lists,
    .topic = KYMO_TOPIC_CODE },
  .answer = answer_phases,
};
