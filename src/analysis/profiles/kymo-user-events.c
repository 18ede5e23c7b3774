/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * user-events: what a program, or the tool that measured it, sampled by name: sizes of
 * messages, memory in use, bandwidths. Of one location, or of all asked ones together.
 *
 * The deviation is a population's. Of a trace it is made of what differs from the
 * mean of each location, joined by the formula of Chan, Golub and LeVeque (1979); of
 * files, which hold sums of squares, it is their difference to the square of the mean,
 * without its sign where rounding makes less than nothing of it, as pprof and ParaProf
 * tell it.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-profile-look.h"

#include <math.h>
#include <string.h>

#include "kymo-error.h"
#include "kymo-keywords.h"
#include "kymo-term-words.h"

typedef struct
{
  guint  n_locations;
  double n, sum, sum_squares, min, max;
  double squares;               /* of what differs from the mean, where known */
} Samples;

static void
add_location (const KymoProfileLook *look,
              guint                  location,
              Samples               *samples)
{
  const KymoProfileData *data = look->data;

  for (guint64 r = data->user_first[location]; r < data->user_first[location + 1]; r++)
    {
      const KymoUserEventRow *row = &data->user_rows[r];
      Samples *sums = &samples[row->event];

      if (row->n <= 0)
        continue;
      if (data->user_squares != NULL)
        {
          double apart = sums->n > 0 ? row->mean - sums->sum / sums->n : 0;

          sums->squares += data->user_squares[r]
            + apart * apart * sums->n * row->n / (sums->n + row->n);
        }
      sums->min = sums->n_locations == 0 ? row->min : MIN (sums->min, row->min);
      sums->max = sums->n_locations == 0 ? row->max : MAX (sums->max, row->max);
      sums->n += row->n;
      sums->sum += row->n * row->mean;
      sums->sum_squares += row->sum_squares;
      sums->n_locations++;
    }
}

/* TRUE if all parts of a path are functions of the profile, by their names for people. */
static gboolean
is_path (GHashTable *functions,
         const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, " => ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (!g_hash_table_contains (functions, g_strchomp (parts[i])))
      return FALSE;
  return parts[0] != NULL;
}

/* "name : path" is a name and where it was sampled, where that is a known path; a
   name may hold a colon of its own. Returns the path, or NULL, and ends the name. */
static char *
split_name (GHashTable *functions,
            char       *name)
{
  char *colon = g_strrstr (name, " : ");

  if (colon == NULL || !is_path (functions, colon + 3))
    return NULL;
  *colon = '\0';
  return colon + 3;
}

static GHashTable *
collect_functions (const KymoProfileLook *look)
{
  GHashTable *functions = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < look->data->events->len; i++)
    if (!(kymo_profile_look_event (look, i)->flags & KYMO_PROFILE_PATH))
      g_hash_table_add (functions, kymo_profile_look_event (look, i)->shown);
  return functions;
}

static double
deviation_of (const KymoProfileLook *look,
              const Samples         *samples)
{
  double mean = samples->sum / samples->n;

  return sqrt (look->data->user_squares != NULL ? samples->squares / samples->n
               : fabs (samples->sum_squares / samples->n - mean * mean));
}

static KymoTable *
list_events (const KymoProfileLook *look,
             const Samples         *samples)
{
  static const char *const numbers[] = { "count", "min", "max", "mean", "stddev" };
  g_autoptr (GHashTable) functions = collect_functions (look);
  KymoTable *table = kymo_table_new (KYMO_STYLE_OBJECTS);
  guint name = kymo_table_add_column (table, "name", KYMO_COLUMN_STRING, 1);
  guint first = 0, base, path, n_locations;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    first = kymo_table_add_column (table, numbers[i], KYMO_COLUMN_DOUBLE, 1);
  first -= G_N_ELEMENTS (numbers) - 1;
  base = kymo_table_add_column (table, "base", KYMO_COLUMN_STRING, 1);
  path = kymo_table_add_column (table, "path", KYMO_COLUMN_STRING, 1);
  n_locations = kymo_table_add_column (table, "n_locations", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < look->data->user_names->len; i++)
    {
      const Samples *s = &samples[i];
      g_autofree char *split = g_strdup (g_ptr_array_index (look->data->user_names, i));
      const char *below = split_name (functions, split);

      if (s->n_locations == 0)
        continue;
      kymo_table_append_string (table, name, g_ptr_array_index (look->data->user_names, i));
      kymo_table_append_double (table, first, s->n);
      kymo_table_append_double (table, first + 1, s->min);
      kymo_table_append_double (table, first + 2, s->max);
      kymo_table_append_double (table, first + 3, s->sum / s->n);
      kymo_table_append_double (table, first + 4, deviation_of (look, s));
      kymo_table_append_string (table, base, split);
      kymo_table_append_string (table, path, below);
      kymo_table_append_int (table, n_locations, s->n_locations);
    }
  return table;
}

static gboolean
add_asked (const KymoProfileLook  *look,
           Samples                *samples,
           KymoTable              *answer,
           GError                **error)
{
  const KymoAsk *ask = look->ask;
  const char *of = kymo_question_get (ask->question, "of");
  gint64 id;
  gint location;

  if (of == NULL || strcmp (of, "total") == 0 || strcmp (of, "mean") == 0)
    {
      for (guint i = 0; i < ask->n_locations && !kymo_ask_is_stopped (ask, i); i++)
        add_location (look, ask->locations[i], samples);
      kymo_table_set_int (answer, "location", KYMO_NULL_INT);
      kymo_table_set_int (answer, "n_locations", ask->n_locations);
      return TRUE;
    }
  location = g_ascii_string_to_signed (of, 10, G_MININT64, G_MAXINT64, &id, NULL)
    ? kymo_run_find_location (ask->run, id) : -1;
  if (location < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   kymo_in_terms (ask->run->terms, _("The run has no {row} “%s”")), of);
      return FALSE;
    }
  add_location (look, location, samples);
  kymo_table_set_int (answer, "location", id);
  kymo_table_set_int (answer, "n_locations", 1);
  return TRUE;
}

static KymoTable *
user_events_answer (KymoAsk  *ask,
                    guint     n_threads,
                    GError  **error)
{
  g_autoptr (KymoProfileLook) look = kymo_profile_look_new (ask, KYMO_LOOK_FLAT, error);
  g_autoptr (KymoTable) answer = NULL;
  g_autofree Samples *samples = NULL;

  if (look == NULL)
    return NULL;
  samples = g_new0 (Samples, MAX (look->data->user_names->len, 1));
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_profile_look_set (look, answer);
  if (!add_asked (look, samples, answer, error))
    return NULL;
  kymo_table_set_table (answer, "user_events", list_events (look, samples));
  return kymo_profile_look_end (look, g_steal_pointer (&answer), error);
}

/* base is the name without its path. */
static const KymoKeyword keywords[] =
{
  { "of", KYMO_KEYWORD_TEXT, "LOCATION", "one alone; else all together" },
  KYMO_KEYWORD_STEP,
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "user_events", "name count min max mean stddev base path n_locations", TRUE },
  KYMO_LISTS_OF_PROFILES,
  { NULL }
};

const KymoAnswerClass kymo_answer_user_events =
{
  { "user-events", N_("A table of user events"),
    "what was sampled by name: sizes of messages, memory", keywords, KYMO_CAN_METRICS,
    .lists = lists,
    .topic = KYMO_TOPIC_TIME },
  .answer = user_events_answer,
};
