/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * thread: one thread as a table, of functions, of call paths, or of both. What a
 * question means by a thread ("of") is read here for tables and trees alike.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-thread.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-term-words.h"

static const char *const kinds[] =
  { NULL, "total", "mean", "mean-present", "min", "max", "stddev" };

static gboolean
parse_of (const KymoProfileLook  *look,
          const char             *of,
          KymoThreadFigures      *thread,
          GError                **error)
{
  const KymoRun *run = look->ask->run;
  gint64 id;
  gint location;

  for (guint i = KYMO_THREAD_TOTAL; i <= KYMO_THREAD_STDDEV; i++)
    if (strcmp (of, kinds[i]) == 0)
      {
        thread->kind = i;
        thread->label = g_strdup (of);
        return TRUE;
      }
  if (!g_ascii_string_to_signed (of, 10, G_MININT64, G_MAXINT64, &id, NULL))
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   kymo_in_terms (run->terms,
                                  _("“%s” is no {row}; it may be a number, total, mean, "
                                    "mean-present, min, max or stddev")), of);
      return FALSE;
    }
  location = kymo_run_find_location (run, id);
  if (location < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   kymo_in_terms (run->terms, _("The run has no {row} %s")), of);
      return FALSE;
    }
  thread->kind = KYMO_THREAD_LOCATION;
  thread->location = location;
  thread->label = g_strdup (kymo_run_peek_location (run, location)->label);
  return TRUE;
}

static void
read_location (const KymoProfileLook *look,
               KymoThreadFigures     *thread)
{
  const KymoProfileData *data = look->data;
  guint64 first = data->first[thread->location];
  guint n = data->first[thread->location + 1] - first;
  g_autofree double *exclusive = g_new (double, MAX (n, 1));
  g_autofree double *inclusive = g_new (double, MAX (n, 1));

  kymo_profile_look_read (look, KYMO_VALUE_EXCLUSIVE, first, n, exclusive);
  kymo_profile_look_read (look, KYMO_VALUE_INCLUSIVE, first, n, inclusive);
  for (guint i = 0; i < n; i++)
    thread->values[data->event[first + i]] =
      (KymoThreadValues) { TRUE, data->calls[first + i], data->subroutines[first + i],
                           exclusive[i], inclusive[i] };
}

static double
choose_profile_thread (const KymoFigures *figures,
                       KymoThreadKind     kind)
{
  switch (kind)
    {
    case KYMO_THREAD_TOTAL:
      return figures->total;
    case KYMO_THREAD_MEAN:
      return figures->mean;
    case KYMO_THREAD_MEAN_PRESENT:
      return figures->mean_present;
    case KYMO_THREAD_MIN:
      return figures->min;
    case KYMO_THREAD_MAX:
      return figures->max;
    default:
      return figures->stddev;
    }
}

static void
read_all (const KymoProfileLook *look,
          KymoThreadFigures     *thread)
{
  static const KymoProfileValue wanted[] =
    { KYMO_VALUE_CALLS, KYMO_VALUE_SUBROUTINES, KYMO_VALUE_EXCLUSIVE, KYMO_VALUE_INCLUSIVE };

  KymoFigures *of[G_N_ELEMENTS (wanted)];

  kymo_profile_look_figures_of (look, wanted, G_N_ELEMENTS (wanted), of);
  for (guint v = 0; v < G_N_ELEMENTS (wanted); v++)
    {
      g_autofree KymoFigures *figures = of[v];

      for (guint e = 0; e < look->data->events->len; e++)
        {
          KymoThreadValues *values = &thread->values[e];
          double value = figures[e].n_present > 0
            ? choose_profile_thread (&figures[e], thread->kind) : 0;

          values->has = figures[e].n_present > 0;
          *(v == 0 ? &values->calls : v == 1 ? &values->subroutines
            : v == 2 ? &values->exclusive : &values->inclusive) = value;
        }
    }
}

/**
 * kymo_thread_figures_new:
 * @of: the id of a location, or total, mean, mean-present, min, max, stddev
 *
 * Returns: (transfer full) (nullable): its figures; %NULL with an error if @of is none of
 *   these
 */
KymoThreadFigures *
kymo_thread_figures_new (const KymoProfileLook  *look,
                         const char             *of,
                         GError                **error)
{
  g_autoptr (KymoThreadFigures) thread = g_new0 (KymoThreadFigures, 1);

  if (!parse_of (look, of, thread, error))
    return NULL;
  thread->is_linear = thread->kind <= KYMO_THREAD_MEAN && look->is_additive;
  thread->values = g_new0 (KymoThreadValues, MAX (look->data->events->len, 1));
  if (thread->kind == KYMO_THREAD_LOCATION)
    read_location (look, thread);
  else
    read_all (look, thread);
  return g_steal_pointer (&thread);
}

/** kymo_thread_figures_free: frees label and values of the thread */
void
kymo_thread_figures_free (KymoThreadFigures *thread)
{
  g_free (thread->label);
  g_free (thread->values);
  g_free (thread);
}

/** kymo_thread_figures_set: adds the thread that the answer is about */
void
kymo_thread_figures_set (const KymoThreadFigures *thread,
                         const KymoProfileLook   *look,
                         KymoTable               *answer)
{
  gboolean single = thread->kind == KYMO_THREAD_LOCATION;

  kymo_table_set_string (answer, "of", single ? "location" : kinds[thread->kind]);
  kymo_table_set_int (answer, "location", single
                      ? kymo_run_peek_location (look->ask->run, thread->location)->id
                      : KYMO_NULL_INT);
  kymo_table_set_string (answer, "label", thread->label);
  kymo_table_set_int (answer, "n_locations", look->ask->n_locations);
}

/* -- the table -------------------------------------------------------------- */

typedef enum
{
  PATHS_FLAT,
  PATHS_ALONE,
  PATHS_ALL,
} Paths;

static gboolean
read_paths (const KymoAsk  *ask,
            Paths          *paths,
            GError        **error)
{
  static const char *const words[] = { "flat", "paths", "all" };
  const char *word = kymo_question_get (ask->question, "paths");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (word == NULL || strcmp (word, words[i]) == 0)
      {
        *paths = i;
        return TRUE;
      }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
               _("“%s” is neither flat nor paths nor all"), word);
  return FALSE;
}

typedef struct
{
  const KymoThreadFigures *thread;
  GArray                  *order;       /* guint32: events */
  double                   exclusive;   /* of all functions */
  double                   inclusive;   /* the largest */
} Listed;

static int
compare_exclusive (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  const KymoThreadValues *values = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (values[x].exclusive != values[y].exclusive)
    return values[x].exclusive > values[y].exclusive ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void
choose_events (const KymoProfileLook *look,
               Paths                  paths,
               Listed                *listed)
{
  listed->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 e = 0; e < look->data->events->len; e++)
    {
      const KymoThreadValues *values = &listed->thread->values[e];
      gboolean is_path = kymo_profile_look_event (look, e)->flags & KYMO_PROFILE_PATH;

      if (!is_path)
        {
          listed->exclusive += values->exclusive;
          listed->inclusive = MAX (listed->inclusive, values->inclusive);
        }
      if (values->has && look->chosen[e]
          && (paths == PATHS_ALL || is_path == (paths == PATHS_ALONE)))
        g_array_append_val (listed->order, e);
    }
  g_array_sort_with_data (listed->order, compare_exclusive, listed->thread->values);
}

static void
append_words (KymoTable              *table,
              const KymoProfileEvent *event,
              guint                   first)
{
  g_autofree char *flags = kymo_profile_event_dup_flags (event);

  kymo_table_append_string (table, first, event->flags & KYMO_PROFILE_PATH ? event->name
                            : event->shown);
  kymo_table_append_string (table, first + 1, event->groups);
  kymo_table_append_string (table, first + 2, kymo_role_to_string (event->role));
  kymo_table_append_string (table, first + 3, kymo_profile_event_kind (event));
  kymo_table_append_string (table, first + 4, flags);
}

/* What inclusive shares are of. A program without a main function, as of Charm++, spends its time
   in functions beside each other; the largest of them is not all. Figures are rounded. */
static double
inclusive_whole (const Listed *listed)
{
  return listed->exclusive > listed->inclusive * 1.01 ? listed->exclusive : listed->inclusive;
}

static KymoTable *
list_functions (const KymoProfileLook *look,
                const Listed          *listed)
{
  static const char *const words[] = { "name", "groups", "role", "kind", "flags" };
  static const char *const numbers[] =
    { "calls", "subroutines", "exclusive", "inclusive", "exclusive_per_call",
      "inclusive_per_call", "exclusive_share", "inclusive_share" };
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  gboolean is_linear = listed->thread->is_linear;
  double whole = inclusive_whole (listed);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    kymo_table_add_column (table, words[i], KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    kymo_table_add_column (table, numbers[i], KYMO_COLUMN_DOUBLE, 1);
  for (guint i = 0; i < listed->order->len; i++)
    {
      guint32 e = g_array_index (listed->order, guint32, i);
      const KymoThreadValues *v = &listed->thread->values[e];
      gboolean calls = v->calls > 0 && is_linear;
      const double row[] = {
        v->calls, v->subroutines, v->exclusive, v->inclusive,
        calls ? v->exclusive / v->calls : NAN, calls ? v->inclusive / v->calls : NAN,
        is_linear && listed->exclusive > 0 ? v->exclusive / listed->exclusive : NAN,
        is_linear && whole > 0 ? v->inclusive / whole : NAN,
      };

      append_words (table, kymo_profile_look_event (look, e), 0);
      for (guint k = 0; k < G_N_ELEMENTS (row); k++)
        kymo_table_append_double (table, G_N_ELEMENTS (words) + k, row[k]);
    }
  return table;
}

static KymoTable *
profile_thread_answer (KymoAsk  *ask,
                       guint     n_threads,
                       GError  **error)
{
  const char *of = kymo_question_get (ask->question, "of");
  g_autoptr (KymoProfileLook) look = NULL;
  g_autoptr (KymoThreadFigures) thread = NULL;
  Listed listed = { 0 };
  KymoTable *answer;
  Paths paths;

  if (!read_paths (ask, &paths, error))
    return NULL;
  look = kymo_profile_look_new (ask, paths == PATHS_FLAT ? KYMO_LOOK_FLAT : KYMO_LOOK_TREE, error);
  if (look == NULL)
    return NULL;
  thread = kymo_thread_figures_new (look, of != NULL ? of : "mean", error);
  if (thread == NULL)
    return NULL;
  listed.thread = thread;
  choose_events (look, paths, &listed);
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  kymo_thread_figures_set (thread, look, answer);
  kymo_table_set_table (answer, "functions", list_functions (look, &listed));
  g_array_unref (listed.order);
  return kymo_profile_look_end (look, answer, error);
}

/* exclusive_share is of all exclusive figures, inclusive_share of the largest inclusive one, or of
   all exclusive figures where no function contains the others. */
static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "WHOM", "a location, mean, mean-present, total, min, max or stddev" },
  { "paths", KYMO_KEYWORD_WORD, "flat|paths|all", "functions, call paths or both (flat)" },
  KYMO_KEYWORDS_OF_PROFILES,
  KYMO_KEYWORDS_OF_PATHS,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "functions", "name groups role kind flags calls subroutines exclusive inclusive "
    "exclusive_per_call inclusive_per_call exclusive_share inclusive_share", TRUE },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_thread =
{
  { "thread", N_("A table of one {row}"),
    "of a profile: the table of one location, or of the mean", keywords, KYMO_CAN_METRICS,
    .lists = lists,
    .topic = KYMO_TOPIC_CODE, .example = "--of mean" },
  .answer = profile_thread_answer,
};
