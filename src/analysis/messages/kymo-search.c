/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search: blocks, user events and notes whose name or text matches, counted by
 * name, in order of time, the next one from a place, and where they lie in
 * columns of the range. Names are matched once, so that a block costs a look
 * at its activity.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-search.h"

#include "kymo-order.h"

/**
 * kymo_search_compare:
 * @a: a #KymoSearchMatch
 * @b: another one
 *
 * Compares matches by their order over the run: by begin, then location, then blocks before
 * points.
 *
 * Returns: less than 0, 0 or more than 0
 */
int
kymo_search_compare (gconstpointer a,
                     gconstpointer b)
{
  const KymoSearchMatch *x = a, *y = b;

  KYMO_ORDER_BY (x->begin_ns, y->begin_ns);
  KYMO_ORDER_BY (x->location, y->location);
  KYMO_ORDER_BY (x->is_point, y->is_point);
  return x->index < y->index ? -1 : x->index > y->index;
}

/** kymo_search_trim: keeps the earliest @limit of the matches in the answer */
void
kymo_search_trim (KymoSearchState *state,
                  gint64           limit)
{
  g_array_sort (state->found, kymo_search_compare);
  if (state->found->len > limit)
    g_array_set_size (state->found, limit);
}

static gpointer
state_new (const KymoAsk *ask)
{
  const KymoSearchPlan *plan = ask->plan;
  KymoSearchState *state = g_new0 (KymoSearchState, 1);

  state->tallies = g_new0 (KymoSearchTally, MAX (ask->run->activities->len, 1));
  state->notes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  state->found = g_array_new (FALSE, FALSE, sizeof (KymoSearchMatch));
  state->marks = g_array_new (FALSE, FALSE, sizeof (KymoSearchMark));
  state->ticks = g_new0 (gint64, MAX (plan->n_columns, 1));
  return state;
}

static void
state_free (gpointer data)
{
  KymoSearchState *state = data;

  g_free (state->tallies);
  g_hash_table_unref (state->notes);
  g_array_unref (state->found);
  g_array_unref (state->marks);
  g_free (state->ticks);
  g_free (state);
}

/* The column of a time in the range: the last one whose edge is not after it. */
static guint
column_of (const KymoAsk *ask,
           guint          n,
           gint64         time_ns)
{
  double share = (double) (time_ns - ask->span.begin_ns)
                 / MAX (kymo_span_length (ask->span), 1);
  guint column = CLAMP (share * n, 0, n - 1);

  while (column > 0 && kymo_span_edge (ask->span, n, column) > time_ns)
    column--;
  while (column + 1 < n && kymo_span_edge (ask->span, n, column + 1) <= time_ns)
    column++;
  return column;
}

static void
tally (KymoSearchTally       *tally,
       const KymoSearchMatch *match)
{
  gint64 length = match->end_ns - match->begin_ns;

  if (tally->count == 0 || match->begin_ns < tally->first_ns)
    tally->first_ns = match->begin_ns;
  if (tally->count == 0 || length < tally->shortest_ns)
    tally->shortest_ns = length;
  tally->longest_ns = MAX (tally->longest_ns, length);
  tally->count++;
}

/* Compares a match with the place to go on from, and keeps the nearest match in the direction. */
static void
compare_to_place (const KymoSearchPlan  *plan,
                  KymoSearchState       *state,
                  const KymoSearchMatch *match)
{
  int order = kymo_search_compare (match, &plan->from);
  gboolean next = plan->direction > 0;

  state->n_before += order < 0;
  state->n_same += order == 0;
  if (order != 0 && (order > 0) == next
      && (!state->has_nearest
          || (kymo_search_compare (match, &state->nearest) < 0) == next))
    {
      state->nearest = *match;
      state->has_nearest = TRUE;
    }
  if (!state->has_farthest
      || (kymo_search_compare (match, &state->farthest) < 0) == next)
    {
      state->farthest = *match;
      state->has_farthest = TRUE;
    }
}

static void
take_search (const KymoAsk         *ask,
             KymoSearchState       *state,
             const KymoSearchMatch *match)
{
  const KymoSearchPlan *plan = ask->plan;

  state->n_matches++;
  if (plan->direction != 0)
    compare_to_place (plan, state, match);
  if (plan->n_columns > 0)
    state->ticks[column_of (ask, plan->n_columns, match->begin_ns)]++;
  if (plan->limit == 0)
    return;
  g_array_append_val (state->found, *match);
  if (state->found->len >= 2 * plan->limit + 64)
    kymo_search_trim (state, plan->limit);
}

static gboolean
is_inside (const KymoAsk *ask,
           gint64         time_ns)
{
  return time_ns >= ask->span.begin_ns && time_ns < kymo_ask_count_end (ask);
}

static void
search_blocks (const KymoAsk   *ask,
               KymoSearchState *state,
               KymoSegment     *segment)
{
  const KymoSearchPlan *plan = ask->plan;
  guint first = kymo_segment_first_block (segment, ask->span.begin_ns);

  for (guint i = first; i < segment->n_blocks && !kymo_ask_is_stopped (ask, i - first); i++)
    {
      guint32 activity = segment->block_activity[i];
      KymoSearchMatch match;

      if (!plan->wanted[activity])
        continue;
      match = (KymoSearchMatch) { kymo_segment_block_begin (segment, i),
                                  kymo_segment_block_end (segment, i), segment->location,
                                  FALSE, i };
      if (!is_inside (ask, match.begin_ns))
        break;
      tally (&state->tallies[activity], &match);
      state->n_blocks++;
      take_search (ask, state, &match);
    }
}

static gboolean
is_note (const KymoPoint *point)
{
  return (point->kind == KYMO_POINT_NOTE || point->kind == KYMO_POINT_BRACKET_NOTE)
         && point->text != NULL;
}

static gboolean
is_event (const KymoPoint *point)
{
  return (point->kind == KYMO_POINT_USER_EVENT || point->kind == KYMO_POINT_BRACKET)
         && point->activity != G_MAXUINT32;
}

static KymoSearchTally *
tally_of_note (KymoSearchState *state,
               char            *text)
{
  KymoSearchTally *found = g_hash_table_lookup (state->notes, text);

  if (found == NULL)
    {
      found = g_new0 (KymoSearchTally, 1);
      g_hash_table_insert (state->notes, text, found);
    }
  return found;
}

/* TRUE if a point matches; the caller counts it. */
static gboolean
point_matches (const KymoAsk   *ask,
               KymoSearchState *state,
               const KymoPoint *point)
{
  const KymoSearchPlan *plan = ask->plan;

  if (is_event (point))
    return (plan->over & KYMO_SEARCH_EVENTS) && plan->wanted[point->activity];
  return (plan->over & KYMO_SEARCH_NOTES) && is_note (point)
         && kymo_pattern_matches (plan->pattern, point->text, &state->gave_up);
}

static void
search_points (const KymoAsk   *ask,
               KymoSearchState *state,
               KymoSegment     *segment)
{
  const GArray *points = segment->points;

  for (guint i = 0; i < points->len && !kymo_ask_is_stopped (ask, i << 8); i++)
    {
      const KymoPoint *point = &g_array_index (points, KymoPoint, i);
      KymoSearchMatch match = { point->begin_ns, point->end_ns, segment->location, TRUE, i };

      if (!is_inside (ask, point->begin_ns) || !point_matches (ask, state, point))
        continue;
      if (is_event (point))
        {
          tally (&state->tallies[point->activity], &match);
          state->n_events++;
        }
      else
        {
          tally (tally_of_note (state, point->text), &match);
          state->n_notes++;
        }
      take_search (ask, state, &match);
    }
}

/* -- columns with a match ------------------------------------------------- */

static void
mark_search (const KymoAsk *ask,
             guint8        *columns,
             gint64         begin_ns,
             gint64         end_ns)
{
  guint n = ((const KymoSearchPlan *) ask->plan)->n_columns;

  if (end_ns < ask->span.begin_ns || begin_ns >= ask->span.end_ns
      || (end_ns == ask->span.begin_ns && begin_ns < end_ns))
    return;
  begin_ns = MAX (begin_ns, ask->span.begin_ns);
  end_ns = CLAMP (end_ns - 1, begin_ns, ask->span.end_ns - 1);
  memset (columns + column_of (ask, n, begin_ns), 1,
          column_of (ask, n, end_ns) - column_of (ask, n, begin_ns) + 1);
}

/* Marks the visible pieces, so that an inner block hides the outer block as in the picture. */
static void
mark_pieces (const KymoAsk     *ask,
             const KymoSegment *segment,
             guint8            *columns)
{
  const KymoSearchPlan *plan = ask->plan;
  guint i;

  if (segment->n_pieces == 0 || segment->span.end_ns < ask->span.begin_ns
      || segment->span.begin_ns >= ask->span.end_ns)
    return;
  i = kymo_segment_find_piece (segment, MAX (ask->span.begin_ns, segment->span.begin_ns));
  /* Before it may stand others without length, of the same time. */
  while (i > 0 && kymo_segment_piece_begin (segment, i) >= ask->span.begin_ns)
    i--;
  for (guint steps = 0; i < segment->n_pieces && !kymo_ask_is_stopped (ask, steps); i++, steps++)
    {
      guint32 state = segment->piece_state[i];

      if (state < KYMO_STATE_ACTIVITY || !plan->wanted[state - KYMO_STATE_ACTIVITY])
        continue;
      if (kymo_segment_piece_begin (segment, i) >= ask->span.end_ns)
        break;
      mark_search (ask, columns, kymo_segment_piece_begin (segment, i),
                   kymo_segment_piece_begin (segment, i + 1));
    }
}

static void
append_marks (KymoSearchState *state,
              guint            location,
              const guint8    *columns,
              guint            n)
{
  for (guint i = 0; i < n; i++)
    if (columns[i] && (i == 0 || !columns[i - 1]))
      {
        KymoSearchMark mark = { location, i, i };

        while (mark.last + 1 < n && columns[mark.last + 1])
          mark.last++;
        g_array_append_val (state->marks, mark);
      }
}

static void
mark_segment (const KymoAsk   *ask,
              KymoSearchState *state,
              KymoSegment     *segment)
{
  const KymoSearchPlan *plan = ask->plan;
  g_autofree guint8 *columns = g_new0 (guint8, plan->n_columns);
  const GArray *points = segment->points;

  if (plan->over & KYMO_SEARCH_BLOCKS)
    mark_pieces (ask, segment, columns);
  for (guint i = 0; i < points->len && !kymo_ask_is_stopped (ask, i << 8); i++)
    {
      const KymoPoint *point = &g_array_index (points, KymoPoint, i);

      if (point->begin_ns >= ask->span.end_ns)
        break;
      if (point->end_ns >= ask->span.begin_ns && point_matches (ask, state, point))
        mark_search (ask, columns, point->begin_ns, point->end_ns);
    }
  append_marks (state, segment->location, columns, plan->n_columns);
}

static void
search_segment (const KymoAsk *ask,
                gpointer       data,
                KymoSegment   *segment)
{
  const KymoSearchPlan *plan = ask->plan;

  if (plan->has_marks)
    {
      mark_segment (ask, data, segment);
      return;
    }
  if (plan->over & KYMO_SEARCH_BLOCKS)
    search_blocks (ask, data, segment);
  if (plan->over & (KYMO_SEARCH_EVENTS | KYMO_SEARCH_NOTES))
    search_points (ask, data, segment);
}

/* -- merging -------------------------------------------------------------- */

static void
merge_tally (KymoSearchTally       *into,
             const KymoSearchTally *from)
{
  if (from->count == 0)
    return;
  if (into->count == 0)
    {
      *into = *from;
      return;
    }
  into->first_ns = MIN (into->first_ns, from->first_ns);
  into->shortest_ns = MIN (into->shortest_ns, from->shortest_ns);
  into->longest_ns = MAX (into->longest_ns, from->longest_ns);
  into->count += from->count;
}

static void
merge_notes (KymoSearchState *into,
             KymoSearchState *from)
{
  GHashTableIter iter;
  gpointer text, found;

  g_hash_table_iter_init (&iter, from->notes);
  while (g_hash_table_iter_next (&iter, &text, &found))
    merge_tally (tally_of_note (into, text), found);
}

static void
merge_place (const KymoSearchPlan  *plan,
             gboolean              *has,
             KymoSearchMatch       *into,
             gboolean               other,
             const KymoSearchMatch *from)
{
  if (other && (!*has || (kymo_search_compare (from, into) < 0) == (plan->direction > 0)))
    {
      *into = *from;
      *has = TRUE;
    }
}

static void
search_merge (const KymoAsk *ask,
              gpointer       a,
              gpointer       b)
{
  const KymoSearchPlan *plan = ask->plan;
  KymoSearchState *into = a, *from = b;

  for (guint i = 0; i < ask->run->activities->len; i++)
    merge_tally (&into->tallies[i], &from->tallies[i]);
  merge_notes (into, from);
  g_array_append_vals (into->found, from->found->data, from->found->len);
  g_array_append_vals (into->marks, from->marks->data, from->marks->len);
  if (plan->limit > 0)
    kymo_search_trim (into, plan->limit);
  for (guint i = 0; i < plan->n_columns; i++)
    into->ticks[i] += from->ticks[i];
  into->n_matches += from->n_matches;
  into->n_blocks += from->n_blocks;
  into->n_events += from->n_events;
  into->n_notes += from->n_notes;
  into->n_before += from->n_before;
  into->n_same += from->n_same;
  into->gave_up |= from->gave_up;
  merge_place (plan, &into->has_nearest, &into->nearest, from->has_nearest, &from->nearest);
  merge_place (plan, &into->has_farthest, &into->farthest, from->has_farthest,
               &from->farthest);
}

/* Without columns there are no marks, and blocks are what is searched. */
static guint
needs_of (const KymoAsk *ask,
          KymoSegment   *segment)
{
  gboolean has_marks = kymo_question_get_flag (ask->question, "marks")
    && kymo_question_get_columns (ask->question) > 0;

  return KYMO_NEEDS_POINTS | (has_marks ? KYMO_NEEDS_TRACK : KYMO_NEEDS_BLOCKS);
}

/* Counts (matches, blocks, events, notes_found) are of what begins in the range; "found" are the
   earliest. With direction "next" is none or one, "number" its place among all in order of time
   and location. With columns "ticks" are how many begin in each; "marks" are columns first to
   last of a location. */
static const KymoKeyword keywords[] =
{
  { "text", KYMO_KEYWORD_TEXT, "TEXT", "what is looked for", KYMO_KEYWORD_TO_ARGUMENT },
  { "regex", KYMO_KEYWORD_FLAG, NULL, "TEXT is a regular expression" },
  { "over", KYMO_KEYWORD_TEXT, "LIST", "of blocks,events,notes: what is searched (all)" },
  { "limit", KYMO_KEYWORD_COUNT, "N", "list the N earliest (100)" },
  { "bins", KYMO_KEYWORD_COUNT, "N", "how many begin in each of N bins (none)",
    KYMO_KEYWORD_TO_COLUMNS },
  { "desk", KYMO_KEYWORD_TEXT, "FILE", "bookmarks of this desk, too; kept: of what the "
    "window keeps of the run" },
  { "direction", KYMO_KEYWORD_WORD, "next|previous", "the match that is next to the place",
    .internal = TRUE },
  { "place", KYMO_KEYWORD_TEXT, "PLACE|NS", "as an answer told it, or a time", .internal = TRUE },
  { "marks", KYMO_KEYWORD_FLAG, NULL, "in place of all else the columns of each location in "
    "which a match is to be seen", .internal = TRUE },
  { NULL }
};

static const KymoQuestionList lists[] =
{
  { "names", "id name kind count first_ns shortest_ns longest_ns" },
  { "found", "begin_ns end_ns duration_ns location label kind name place" },
  { "next", "begin_ns end_ns duration_ns location label kind name place" },
  { "marks", "location first last" },
  { NULL }
};

const KymoAnswerClass kymo_answer_search =
{
  { "search", N_("A search"), "blocks, user events and notes by name: where, and how many",
    keywords, KYMO_CAN_INTERVALS, .lists = lists,
    .topic = KYMO_TOPIC_RECORDS, .example = "RUN main" },
  kymo_search_prepare, kymo_search_release, state_new, state_free, search_segment, search_merge,
  NULL,
  .needs_of = needs_of, .conclude = kymo_search_conclude,
};
