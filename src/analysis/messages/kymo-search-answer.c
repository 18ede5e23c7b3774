/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search: what it is asked, and the tables of its answer.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-details.h"
#include "kymo-error.h"
#include "kymo-order.h"
#include "kymo-search.h"

#define DEFAULT_MATCHES 100
#define MAX_MATCHES 1000000
#define MAX_NAMES 10000
#define MAX_COLUMNS 16384

static gboolean
read_over (KymoSearchPlan *plan,
           const char     *text,
           GError        **error)
{
  static const char *const words[] = { "blocks", "events", "notes" };
  g_auto (GStrv) list = NULL;

  plan->over = text == NULL ? KYMO_SEARCH_ALL : 0;
  list = g_strsplit (text != NULL ? text : "", ",", -1);
  for (guint i = 0; list[i] != NULL; i++)
    {
      guint word = 0;

      while (word < G_N_ELEMENTS (words) && strcmp (list[i], words[word]) != 0)
        word++;
      if (word == G_N_ELEMENTS (words))
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                       _("“%s” cannot be searched; it can be blocks, events and notes, as "
                         "blocks,notes"), list[i]);
          return FALSE;
        }
      plan->over |= 1 << word;
    }
  return TRUE;
}

/* A place is "TIME.LOCATION.POINT.INDEX" as an answer told it, or a "TIME": then what begins
   at that time itself is neither next nor previous. */
static void
read_place (const KymoAsk  *ask,
            KymoSearchPlan *plan)
{
  const char *text = kymo_question_get (ask->question, "place");
  const char *direction = kymo_question_get (ask->question, "direction");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ".", 4);
  guint n = g_strv_length (parts);
  guint64 number[3] = { 0 };

  plan->direction = direction == NULL ? 0 : strcmp (direction, "previous") == 0 ? -1 : 1;
  plan->from.begin_ns = plan->direction < 0 ? G_MAXINT64 : G_MININT64;
  if (n > 0)
    plan->from.begin_ns = g_ascii_strtoll (parts[0], NULL, 10);
  for (guint i = 1; i < n; i++)
    number[i - 1] = MIN (g_ascii_strtoull (parts[i], NULL, 10), G_MAXUINT32);
  plan->from.location = number[0];
  plan->from.is_point = number[1];
  plan->from.index = number[2];
  if (n < 4 && plan->direction > 0)
    plan->from.location = plan->from.is_point = plan->from.index = G_MAXUINT32;
}

static gboolean
find_wanted (const KymoAsk  *ask,
             KymoSearchPlan *plan,
             GError        **error)
{
  plan->wanted = g_new0 (gboolean, MAX (ask->run->activities->len, 1));
  for (guint i = 0; i < ask->run->activities->len && !kymo_ask_is_stopped (ask, i << 8); i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);

      plan->wanted[i] = kymo_pattern_matches (plan->pattern, activity->name, NULL)
        || kymo_pattern_matches (plan->pattern, activity->signature, NULL);
    }
  return kymo_pattern_check (plan->pattern, TRUE, error);
}

/**
 * kymo_search_prepare:
 *
 * Reads the keywords of the question into a #KymoSearchPlan in @ask, and matches the names of all
 * activities. kymo_search_release() frees the plan, also after a failure.
 *
 * Returns: %FALSE with %KYMO_ERROR_USAGE where the text is empty, no regular expression, or one
 *   that takes too many steps for a name, and where a keyword is out of bounds
 */
gboolean
kymo_search_prepare (KymoAsk  *ask,
                     GError  **error)
{
  KymoSearchPlan *plan = g_new0 (KymoSearchPlan, 1);

  ask->plan = plan;
  plan->pattern = kymo_pattern_new (kymo_question_get (ask->question, "text"),
                                    kymo_question_get_flag (ask->question, "regex"), error);
  if (plan->pattern == NULL
      || !read_over (plan, kymo_question_get (ask->question, "over"), error)
      || !kymo_question_get_int (ask->question, "limit", DEFAULT_MATCHES, &plan->limit, error))
    return FALSE;
  plan->n_columns = kymo_question_get_columns (ask->question);
  plan->has_marks = kymo_question_get_flag (ask->question, "marks") && plan->n_columns > 0;
  if (plan->limit < 0 || plan->limit > MAX_MATCHES || plan->n_columns > MAX_COLUMNS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("The limit must be 0 to %d, columns at most %d"), MAX_MATCHES, MAX_COLUMNS);
      return FALSE;
    }
  read_place (ask, plan);
  return find_wanted (ask, plan, error);
}

/**
 * kymo_search_release:
 *
 * Frees the plan of the question, which may be unfinished where kymo_search_prepare() failed.
 */
void
kymo_search_release (KymoAsk *ask)
{
  KymoSearchPlan *plan = ask->plan;

  if (plan == NULL)
    return;
  kymo_pattern_free (plan->pattern);
  g_free (plan->wanted);
  g_free (plan);
}

/* -- counted by name ------------------------------------------------------ */

typedef struct
{
  const char            *name;
  const char            *kind;
  const KymoActivity    *activity;      /* or NULL: a note */
  const KymoSearchTally *tally;
} Name;

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const Name *x = a, *y = b;

  KYMO_ORDER_BY (y->tally->count, x->tally->count);
  KYMO_ORDER_BY (x->tally->first_ns, y->tally->first_ns);
  return strcmp (x->name, y->name);
}

static GArray *
list_names (const KymoAsk         *ask,
            const KymoSearchState *state)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (Name));
  GHashTableIter iter;
  gpointer text, found;

  for (guint i = 0; i < ask->run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (ask->run, i);
      Name name = { activity->name, kymo_activity_kind_to_string (activity->kind), activity,
                    &state->tallies[i] };

      if (name.tally->count > 0)
        g_array_append_val (names, name);
    }
  g_hash_table_iter_init (&iter, state->notes);
  while (g_hash_table_iter_next (&iter, &text, &found))
    {
      Name name = { text, "note", NULL, found };

      g_array_append_val (names, name);
    }
  g_array_sort (names, compare_names);
  return names;
}

static KymoTable *
make_names (const GArray *names)
{
  KymoTable *table = kymo_table_new_list ("id name:string kind:string count first_ns shortest_ns "
                                          "longest_ns");

  for (guint i = 0; i < MIN (names->len, MAX_NAMES); i++)
    {
      const Name *one = &g_array_index (names, Name, i);

      kymo_table_append_row (table, one->activity != NULL ? one->activity->id : KYMO_NULL_INT,
                             one->name, one->kind, one->tally->count, one->tally->first_ns,
                             one->tally->shortest_ns, one->tally->longest_ns);
    }
  return table;
}

/* -- single matches ------------------------------------------------------- */

static void
describe_search_answer (const KymoAsk         *ask,
                        const KymoSearchMatch *match,
                        const char           **kind,
                        const char           **name)
{
  const KymoSegment *segment = kymo_ask_segment_of (ask, match->location);
  const KymoPoint *point = match->is_point
    ? &g_array_index (segment->points, KymoPoint, match->index) : NULL;
  guint32 activity = point != NULL ? point->activity : segment->block_activity[match->index];

  if (point != NULL && (point->kind == KYMO_POINT_NOTE || point->kind == KYMO_POINT_BRACKET_NOTE))
    {
      *kind = "note";
      *name = point->text;
      return;
    }
  *kind = kymo_activity_kind_to_string (kymo_run_peek_activity (ask->run, activity)->kind);
  *name = kymo_run_peek_activity (ask->run, activity)->name;
}

static char *
place_of (const KymoSearchMatch *match)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT ".%u.%u.%u", match->begin_ns, match->location,
                          match->is_point, match->index);
}

static KymoTable *
make_matches (const KymoAsk         *ask,
              const KymoSearchMatch *matches,
              guint                  n)
{
  KymoTable *table = kymo_table_new_list ("begin_ns end_ns duration_ns location label:string "
                                          "kind:string name:string place:string");

  for (guint i = 0; i < n; i++)
    {
      const KymoLocation *where = kymo_run_peek_location (ask->run, matches[i].location);
      g_autofree char *at = place_of (&matches[i]);
      const char *kind, *name;

      describe_search_answer (ask, &matches[i], &kind, &name);
      kymo_table_append_row (table, matches[i].begin_ns, matches[i].end_ns,
                             matches[i].end_ns - matches[i].begin_ns, where->id, where->label, kind,
                             name, at);
    }
  return table;
}

/* The next one, or again from the other end of the run. */
static void
set_next (const KymoAsk         *ask,
          const KymoSearchState *state,
          KymoTable             *answer)
{
  const KymoSearchPlan *plan = ask->plan;
  const KymoSearchMatch *match = state->has_nearest ? &state->nearest : &state->farthest;
  gboolean next = plan->direction > 0, wrapped = !state->has_nearest && state->has_farthest;

  kymo_table_set_bool (answer, "wrapped", wrapped);
  kymo_table_set_int (answer, "number", !state->has_farthest ? 0
                      : wrapped ? (next ? 1 : state->n_matches)
                      : next ? state->n_before + state->n_same + 1 : state->n_before);
  kymo_table_set_table (answer, "next", make_matches (ask, match, state->has_farthest));
}

/* -- marks ---------------------------------------------------------------- */

static int
compare_marks (gconstpointer a,
               gconstpointer b)
{
  const KymoSearchMark *x = a, *y = b;

  KYMO_ORDER_BY (x->location, y->location);
  return x->first < y->first ? -1 : x->first > y->first;
}

static KymoTable *
make_marks (const KymoAsk   *ask,
            KymoSearchState *state)
{
  KymoTable *table = kymo_table_new (KYMO_STYLE_TUPLES);
  guint location = kymo_table_add_column (table, "location", KYMO_COLUMN_INT, 1);
  guint first = kymo_table_add_column (table, "first", KYMO_COLUMN_INT, 1);
  guint last = kymo_table_add_column (table, "last", KYMO_COLUMN_INT, 1);

  g_array_sort (state->marks, compare_marks);
  for (guint i = 0; i < state->marks->len; i++)
    {
      const KymoSearchMark *mark = &g_array_index (state->marks, KymoSearchMark, i);

      kymo_table_append_int (table, location,
                             kymo_run_peek_location (ask->run, mark->location)->id);
      kymo_table_append_int (table, first, mark->first);
      kymo_table_append_int (table, last, mark->last);
    }
  return table;
}

/* -- markers of the run ---------------------------------------------------- */

/* Adds markers in the range that match, with those of their locations that were asked for. They do
   not count as matches among blocks and events: "next" does not go to them. */
static void
set_markers (const KymoAsk *ask,
             KymoTable     *answer)
{
  const KymoSearchPlan *plan = ask->plan;
  const KymoDefinitions *definitions = ask->run->definitions;
  gint64 n = 0;
  KymoTable *table;

  if (definitions == NULL || definitions->markers->len == 0)
    return;
  table = kymo_marker_table_new ();
  for (guint i = 0; i < definitions->markers->len && !kymo_ask_is_stopped (ask, i << 8); i++)
    {
      const KymoMarker *marker = &g_array_index (definitions->markers, KymoMarker, i);
      const KymoMarkerKind *kind = &g_array_index (definitions->marker_kinds, KymoMarkerKind,
                                                   marker->kind);

      if (marker->begin_ns < ask->span.begin_ns || marker->begin_ns > ask->span.end_ns
          || (!kymo_pattern_matches (plan->pattern, marker->text, NULL)
              && !kymo_pattern_matches (plan->pattern, kind->category, NULL)
              && !kymo_pattern_matches (plan->pattern, kind->group, NULL))
          || kymo_ask_location_of_marker (ask, marker) < 0)
        continue;
      if (n++ < plan->limit)
        kymo_marker_table_append (table, ask->run, marker);
    }
  kymo_table_set_int (answer, "markers_found", n);
  kymo_table_set_table (answer, "markers", table);
}

/**
 * kymo_search_conclude:
 * @data: #KymoSearchState of all workers together
 *
 * Makes the answer: the columns with a match by location where the question wants marks; else
 * counts, names, the earliest matches one by one and, with a direction, the next match, without
 * one the markers of the run. Sorts and cuts the lists in @data.
 *
 * Returns: (transfer full) (nullable): %NULL with %KYMO_ERROR_USAGE where the regular expression
 *   takes too many steps on many texts
 */
KymoTable *
kymo_search_conclude (const KymoAsk  *ask,
                      gpointer        data,
                      GError        **error)
{
  const KymoSearchPlan *plan = ask->plan;
  KymoSearchState *state = data;
  KymoTable *answer = NULL;
  g_autoptr (GArray) names = NULL;

  if (!kymo_pattern_check (plan->pattern, FALSE, error))
    return NULL;
  answer = kymo_table_new (KYMO_STYLE_OBJECT);
  kymo_table_set_string (answer, "text", kymo_question_get (ask->question, "text"));
  kymo_table_set_bool (answer, "regex", kymo_question_get_flag (ask->question, "regex"));
  if (plan->has_marks)
    {
      kymo_table_set_int (answer, "columns", plan->n_columns);
      kymo_table_set_table (answer, "marks", make_marks (ask, state));
      return answer;
    }
  names = list_names (ask, state);
  kymo_search_trim (state, plan->limit);
  kymo_table_set_int (answer, "matches", state->n_matches);
  kymo_table_set_int (answer, "blocks", state->n_blocks);
  kymo_table_set_int (answer, "events", state->n_events);
  kymo_table_set_int (answer, "notes_found", state->n_notes);
  kymo_table_set_bool (answer, "undecided", state->gave_up);
  kymo_table_set_int (answer, "names_left_out", names->len > MAX_NAMES ? names->len - MAX_NAMES
                      : 0);
  kymo_table_set_table (answer, "names", make_names (names));
  if (plan->n_columns > 0)
    kymo_table_set_ints (answer, "ticks", state->ticks, plan->n_columns);
  if (plan->direction != 0)
    set_next (ask, state, answer);
  else
    set_markers (ask, answer);
  kymo_table_set_table (answer, "found", make_matches (
    ask, (const KymoSearchMatch *) state->found->data, state->found->len));
  return answer;
}
