/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * find: a block of an activity (or, without a name, any block of a location or of
 * several): the next, the previous, the longest, the shortest.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-engine.h"
#include "kymo-error.h"
#include "kymo-keywords.h"

typedef struct
{
  gint        index;            /* of a location in the run, or -1 */
  gint64      time_ns;
  const char *name;
  gint        direction;        /* -1 previous, 1 next, 0 by length */
  gint        longer;           /* then: 1 the longest, -1 the shortest */
  KymoIdSet  *row;              /* among these locations, or NULL */
} Plan;

static gboolean
prepare_find (KymoAsk  *ask,
              GError  **error)
{
  const char *word = kymo_question_get (ask->question, "direction");
  const char *row = kymo_question_get (ask->question, "row");
  Plan *plan = g_new0 (Plan, 1);
  gint64 location;

  ask->plan = plan;
  if (!kymo_question_get_int (ask->question, "location", -1, &location, error)
      || !kymo_question_get_int (ask->question, "time", ask->span.begin_ns, &plan->time_ns,
                                 error))
    return FALSE;
  plan->index = kymo_run_find_location (ask->run, location);
  plan->name = kymo_question_get (ask->question, "name");
  if (row != NULL && (plan->row = kymo_id_set_parse (row, error)) == NULL)
    return FALSE;
  plan->direction = g_strcmp0 (word, "previous") == 0 ? -1
    : g_strcmp0 (word, "longest") == 0 || g_strcmp0 (word, "shortest") == 0 ? 0 : 1;
  plan->longer = g_strcmp0 (word, "shortest") == 0 ? -1 : 1;
  if (plan->name != NULL || plan->index >= 0 || plan->row != NULL)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("To find a block needs a name or a "
                                                      "location"));
  return FALSE;
}

static void
release_find (KymoAsk *ask)
{
  Plan *plan = ask->plan;

  g_clear_pointer (&plan->row, kymo_id_set_unref);
  g_free (plan);
}

/* A block of the wanted name that is better than the best so far. */
typedef struct
{
  KymoSegment *segment;
  guint        block;
} Found;

static gpointer
found_new (const KymoAsk *ask)
{
  return g_new0 (Found, 1);
}

static gint64
found_time (const Found *found)
{
  return kymo_segment_block_begin (found->segment, found->block);
}

static gint64
found_length (const Found *found)
{
  return kymo_segment_block_end (found->segment, found->block) - found_time (found);
}

static gboolean
is_better (const Plan  *plan,
           const Found *a,
           const Found *b)
{
  if (a->segment == NULL || b->segment == NULL)
    return b->segment == NULL && a->segment != NULL;
  if (plan->direction == 0 && found_length (a) != found_length (b))
    return (found_length (a) > found_length (b)) == (plan->longer > 0);
  if (found_time (a) != found_time (b))
    return (found_time (a) < found_time (b)) == (plan->direction >= 0);
  /* Back along a row of several one comes to what one came from. */
  if (plan->row != NULL && plan->direction < 0)
    return a->segment->location > b->segment->location;
  return a->segment->location < b->segment->location;
}

/* TRUE if a block with that begin lies in the direction that is walked. In a row of several
   locations blocks that begin together follow each other by location. */
static gboolean
lies_ahead (const Plan *plan,
            gint        location,
            gint64      begin_ns)
{
  if (plan->row != NULL && begin_ns == plan->time_ns)
    return plan->direction > 0 ? location > plan->index : location < plan->index;
  return plan->direction > 0 ? begin_ns > plan->time_ns : begin_ns < plan->time_ns;
}

static gboolean
is_searched (const KymoAsk *ask,
             guint          location)
{
  const Plan *plan = ask->plan;

  if (plan->row != NULL)
    return kymo_id_set_contains (plan->row, kymo_run_peek_location (ask->run, location)->id);
  return plan->index < 0 || (plan->direction == 0 && plan->name != NULL)
         || location == (guint) plan->index;
}

static void
find_in_segment (const KymoAsk *ask,
                 gpointer       state,
                 KymoSegment   *segment)
{
  const Plan *plan = ask->plan;
  g_autofree gboolean *wanted = NULL;

  if (!is_searched (ask, segment->location))
    return;
  wanted = g_new (gboolean, MAX (ask->run->activities->len, 1));
  for (guint i = 0; i < ask->run->activities->len; i++)
    wanted[i] = plan->name == NULL
      || strcmp (kymo_run_peek_activity (ask->run, i)->name, plan->name) == 0;
  for (guint i = 0; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i); i++)
    {
      Found here = { segment, i };
      gint64 t = kymo_segment_block_begin (segment, i);

      if (!wanted[segment->block_activity[i]]
          || (plan->direction != 0 && !lies_ahead (plan, segment->location, t))
          || (plan->direction == 0
              && (t >= kymo_ask_count_end (ask)
                  || kymo_segment_block_end (segment, i) <= ask->span.begin_ns)))
        continue;
      if (is_better (plan, &here, state))
        *(Found *) state = here;
    }
}

static void
merge_found (const KymoAsk *ask,
             gpointer       into,
             gpointer       from)
{
  if (is_better (ask->plan, from, into))
    *(Found *) into = *(Found *) from;
}

static KymoTable *
finish_find (const KymoAsk *ask,
             gpointer       state)
{
  const Plan *plan = ask->plan;
  const Found *found = state;
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);

  kymo_table_set_bool (answer, "found", found->segment != NULL);
  kymo_table_set_string (answer, "name", found->segment == NULL ? plan->name
                         : kymo_run_peek_activity (ask->run, found->segment->block_activity
                                                   [found->block])->name);
  if (found->segment != NULL)
    {
      kymo_table_set_int (answer, "location",
                          kymo_run_peek_location (ask->run, found->segment->location)->id);
      kymo_table_set_int (answer, "begin_ns", found_time (found));
      kymo_table_set_int (answer, "end_ns", found_time (found) + found_length (found));
    }
  return answer;
}

static const KymoKeyword find_keywords[] =
{
  KYMO_KEYWORDS_OF_A_BLOCK,
  { "row", KYMO_KEYWORD_TEXT, "LIST", "any of these locations, as 3,17", .internal = TRUE },
  { "name", KYMO_KEYWORD_TEXT, "NAME", "a block of this name; else any block of the location or "
    "row", .internal = TRUE },
  { "direction", KYMO_KEYWORD_WORD, "next|previous|longest|shortest", "which of them (next)",
    .internal = TRUE },
  { NULL }
};

const KymoAnswerClass kymo_answer_find =
{
  { "find", N_("A way to a block"), .keywords = find_keywords, .requires = KYMO_CAN_INTERVALS },
  prepare_find, release_find, found_new, g_free, find_in_segment, merge_found, finish_find,
};
