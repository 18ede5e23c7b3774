/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edges: the edges on both sides of a time on a location, where one state of
 * the track ends and the next begins, and what they are called. Between two
 * edges nothing begins and nothing ends, so the nearer one is the nearest.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-keywords.h"

typedef struct
{
  gint   index;                 /* of the location in the run */
  gint64 time_ns;
} Plan;

static gboolean
edges_prepare (KymoAsk  *ask,
               GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);
  gint64 location;

  ask->plan = plan;
  if (!kymo_question_get_int (ask->question, "location", -1, &location, error)
      || !kymo_question_get_int (ask->question, "time", 0, &plan->time_ns, error))
    return FALSE;
  plan->index = kymo_run_find_location (ask->run, location);
  if (plan->index >= 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("Edges need a location of the run"));
  return FALSE;
}

/* Adds the edge at the begin of a piece: its own activity begins, or the activity of the piece
   before ends. */
static void
set_edge (const KymoAsk     *ask,
          const KymoSegment *segment,
          guint              piece,
          KymoTable         *answer,
          const char        *time_key,
          const char        *name_key,
          const char        *begins_key)
{
  gboolean begins = piece < segment->n_pieces
    && segment->piece_state[piece] >= KYMO_STATE_ACTIVITY;
  guint32 state = begins || piece == 0 ? segment->piece_state[piece]
    : segment->piece_state[piece - 1];

  kymo_table_set_int (answer, time_key, kymo_segment_piece_begin (segment, piece));
  kymo_table_set_string (answer, name_key, kymo_ask_state_name (ask, state));
  kymo_table_set_bool (answer, begins_key, begins || piece == 0);
}

static KymoTable *
edges_finish (const KymoAsk *ask,
              gpointer       state)
{
  const Plan *plan = ask->plan;
  KymoSegment *segment = kymo_ask_segment_of (ask, plan->index);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  guint before = 0, after;

  kymo_table_set_int (answer, "location", kymo_run_peek_location (ask->run, plan->index)->id);
  kymo_table_set_bool (answer, "found", segment->n_pieces > 0);
  if (segment->n_pieces == 0)
    return answer;
  if (plan->time_ns >= segment->span.begin_ns)
    before = kymo_segment_find_piece (segment, MIN (plan->time_ns, segment->span.end_ns));
  after = plan->time_ns < segment->span.begin_ns ? 0 : before + 1;
  set_edge (ask, segment, before, answer, "before_ns", "before_name", "before_begins");
  set_edge (ask, segment, after, answer, "after_ns", "after_name", "after_begins");
  return answer;
}

/* Tells before_ns and after_ns, and of what (before_name, after_name). */
static const KymoKeyword keywords[] =
{
  KYMO_KEYWORDS_OF_A_BLOCK,
  { NULL }
};

const KymoAnswerClass kymo_answer_edges =
{
  { "edges", N_("A list of edges of a state"),
    .keywords = keywords, .requires = KYMO_CAN_INTERVALS },
  edges_prepare, kymo_ask_free_plan, kymo_answer_no_state, kymo_answer_free_nothing,
  kymo_answer_no_partial,
  kymo_answer_no_merge, edges_finish, .needs = KYMO_NEEDS_TRACK | KYMO_NEEDS_OF_ALL,
};
