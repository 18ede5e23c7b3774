/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moment: when the n-th block or marker of a name begins, over all asked locations
 * in the order of time. What runs are aligned at.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include <string.h>

#include "kymo-error.h"

#define MOST_N 1000000

typedef struct
{
  gboolean *wanted;             /* by activity: of that name, of the wanted kind */
  char     *name;
  gboolean  markers;
  guint     n;
} Plan;

typedef struct
{
  gint64 time_ns;
  guint  location;
} Moment;

/** State: @moments: the earliest, at least as many as are wanted */
typedef struct
{
  GArray *moments;
  gint64  total;
} State;

static gboolean
moment_prepare (KymoAsk  *ask,
                GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  gint64 n;

  ask->plan = plan;
  plan->name = g_strdup (kymo_question_get (ask->question, "name"));
  plan->markers = g_strcmp0 (kymo_question_get (ask->question, "of"), "marker") == 0;
  if (!kymo_question_get_int (ask->question, "n", 1, &n, error))
    return FALSE;
  if (plan->name == NULL || n < 1 || n > MOST_N)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   _("A moment needs a name, and a number from 1 to %u"), MOST_N);
      return FALSE;
    }
  plan->n = n;
  plan->wanted = g_new0 (gboolean, MAX (ask->run->activities->len, 1));
  for (guint i = 0; i < ask->run->activities->len; i++)
    plan->wanted[i] = strcmp (kymo_run_peek_activity (ask->run, i)->name, plan->name) == 0;
  return TRUE;
}

static void
moment_release (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_free (plan->wanted);
  g_free (plan->name);
  g_free (plan);
}

static gpointer
state_new (const KymoAsk *ask)
{
  State *state = g_new0 (State, 1);

  state->moments = g_array_new (FALSE, FALSE, sizeof (Moment));
  return state;
}

static void
state_free (gpointer data)
{
  State *state = data;

  g_array_unref (state->moments);
  g_free (state);
}

static int
compare_moments (gconstpointer a,
                 gconstpointer b)
{
  const Moment *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->location < y->location ? -1 : x->location > y->location;
}

/* Only the earliest are kept. */
static void
cut (State *state,
     guint  n)
{
  g_array_sort (state->moments, compare_moments);
  if (state->moments->len > n)
    g_array_set_size (state->moments, n);
}

static void
add_moment (const KymoAsk *ask,
            State         *state,
            KymoSegment   *segment,
            gint64         time_ns)
{
  const Plan *plan = ask->plan;
  Moment moment = { time_ns, segment->location };

  if (time_ns < ask->span.begin_ns || time_ns >= kymo_ask_count_end (ask))
    return;
  state->total++;
  g_array_append_val (state->moments, moment);
  if (state->moments->len >= 2 * plan->n + 1024)
    cut (state, plan->n);
}

static gboolean
is_marker (const Plan      *plan,
           const KymoPoint *point)
{
  switch (point->kind)
    {
    case KYMO_POINT_USER_EVENT:
    case KYMO_POINT_BRACKET:
      return point->activity != G_MAXUINT32 && plan->wanted[point->activity];
    case KYMO_POINT_NOTE:
    case KYMO_POINT_BRACKET_NOTE:
      return g_strcmp0 (point->text, plan->name) == 0;
    default:
      return FALSE;
    }
}

static void
moment_partial (const KymoAsk *ask,
                gpointer       state,
                KymoSegment   *segment)
{
  const Plan *plan = ask->plan;

  for (guint i = 0; plan->markers && i < segment->points->len
                    && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (is_marker (plan, point))
        add_moment (ask, state, segment, point->begin_ns);
    }
  for (guint i = 0; !plan->markers && i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    if (plan->wanted[segment->block_activity[i]] && kymo_segment_is_first (segment, i))
      add_moment (ask, state, segment, kymo_segment_block_begin (segment, i));
}

static void
moment_merge (const KymoAsk *ask,
              gpointer       into,
              gpointer       from)
{
  State *a = into, *b = from;

  g_array_append_vals (a->moments, b->moments->data, b->moments->len);
  a->total += b->total;
  cut (a, ((const Plan *) ask->plan)->n);
}

static KymoTable *
moment_finish (const KymoAsk *ask,
               gpointer       data)
{
  const Plan *plan = ask->plan;
  State *state = data;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  gboolean found;

  cut (state, plan->n);
  found = state->moments->len >= plan->n;
  kymo_table_set_bool (answer, "found", found);
  kymo_table_set_int (answer, "total", state->total);
  if (found)
    {
      const Moment *moment = &g_array_index (state->moments, Moment, plan->n - 1);
      const KymoLocation *location = kymo_run_peek_location (ask->run, moment->location);

      kymo_table_set_int (answer, "time_ns", moment->time_ns);
      kymo_table_set_int (answer, "location", location->id);
      kymo_table_set_string (answer, "label", location->label);
    }
  return answer;
}

/* Tells found, time_ns, location, label, and how many there are: total. */
static const KymoKeyword keywords[] =
{
  { "name", KYMO_KEYWORD_TEXT, "NAME", "of the block or marker", .internal = TRUE },
  { "of", KYMO_KEYWORD_WORD, "block|marker", "blocks (calls, not what is resumed), or user events, "
    "brackets and notes (block)", .internal = TRUE },
  { "n", KYMO_KEYWORD_COUNT, "N", "which of them (1)", .internal = TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_moment =
{
  { "moment", N_("The begin of a block"), .keywords = keywords, .requires = KYMO_CAN_INTERVALS },
  moment_prepare, moment_release, state_new, state_free, moment_partial, moment_merge,
  moment_finish,
  KYMO_NEEDS_BLOCKS | KYMO_NEEDS_POINTS,
};
