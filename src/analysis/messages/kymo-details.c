/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * details: what a location does at a time, in words and figures.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-chain.h"
#include "kymo-details.h"
#include "kymo-engine.h"
#include "kymo-keywords.h"
#include "kymo-timeline-collectives.h"
#include "kymo-error.h"
#include "kymo-id-set.h"
#include "kymo-lanes.h"
#include "kymo-ways.h"
#include "kymo-units.h"

/* User events told of one moment. */
#define MOST_EVENTS 64

typedef struct
{
  gint64 location;              /* id, or -1 */
  gint   index;                 /* of that location in the run, or -1 */
  gint64 time_ns;
} Plan;

static gboolean
prepare_details (KymoAsk  *ask,
                 GError  **error)
{
  Plan *plan = g_new0 (Plan, 1);

  ask->plan = plan;
  if (!kymo_question_get_int (ask->question, "location", -1, &plan->location, error)
      || !kymo_question_get_int (ask->question, "time", ask->span.begin_ns, &plan->time_ns,
                                 error))
    return FALSE;
  plan->index = kymo_run_find_location (ask->run, plan->location);
  if (plan->index >= 0)
    return TRUE;
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE, _("Details need a location of the run"));
  return FALSE;
}

/** kymo_segment_block_at: the innermost block open at a time, or -1 */
gint
kymo_segment_block_at (const KymoSegment *segment,
                       gint64             time_ns)
{
  guint depth = G_MAXUINT8 + 1;

  for (guint i = kymo_segment_first_block (segment, time_ns + 1); i-- > 0 && depth > 0;)
    {
      guint here = segment->block_depth != NULL ? segment->block_depth[i] : 0;

      if (here >= depth)
        continue;
      if (kymo_segment_block_end (segment, i) > time_ns
          || (kymo_segment_block_end (segment, i) == kymo_segment_block_begin (segment, i)
              && kymo_segment_block_begin (segment, i) == time_ns))
        return i;
      depth = here;
    }
  return -1;
}

static void
add_line (KymoTable  *lines,
          const char *format,
          ...) G_GNUC_PRINTF (2, 3);

static void
add_line (KymoTable  *lines,
          const char *format,
          ...)
{
  va_list args;

  va_start (args, format);
  kymo_table_append_words (lines, 0, format, args);
  va_end (args);
}

/* " by way of Comm 0, Comm 1", or "" */
static char *
describe_hops (const KymoAsk *ask,
               const KymoWay *way,
               KymoTable     *answer)
{
  GString *words = g_string_new (NULL);
  KymoTable *via = kymo_table_new (KYMO_STYLE_FLAT);
  KymoTable *via_ns = kymo_table_new (KYMO_STYLE_FLAT);

  kymo_table_add_column (via, "via", KYMO_COLUMN_INT, 1);
  kymo_table_add_column (via_ns, "ns", KYMO_COLUMN_INT, 1);
  for (guint i = 0; i < way->n_via; i++)
    {
      gint location = kymo_run_find_location (ask->run, way->via[i]);

      kymo_table_append_int (via, 0, way->via[i]);
      kymo_table_append_int (via_ns, 0, way->via_ns[i]);
      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "",
                              kymo_run_peek_location (ask->run, location)->label);
    }
  kymo_table_set_table (answer, "via", via);
  kymo_table_set_table (answer, "via_ns", via_ns);
  if (way->n_via > 0)
    {
      kymo_table_set_string (answer, "via_labels", words->str);
      g_string_prepend (words, " by way of ");
    }
  return g_string_free (words, FALSE);
}

static void
set_message (const KymoAsk *ask,
             KymoSegment   *segment,
             guint          block,
             KymoTable     *answer,
             KymoTable     *lines)
{
  g_autofree char *size = kymo_format_bytes (segment->block_bytes[block]);
  g_autofree char *latency = NULL, *when = NULL, *from = NULL, *hops = NULL;
  gint64 sent_ns;
  KymoWay way;

  if (segment->block_event[block] < 0)
    {
      add_line (lines, "Started by no message");
      return;
    }
  kymo_way_of_block (ask, segment, block, &way);
  from = kymo_describe_location (ask, way.from);
  kymo_table_set_int (answer, "event", way.event);
  kymo_table_set_int (answer, "source_location", way.from);
  kymo_table_set_string (answer, "source_label", from);
  kymo_table_set_int (answer, "bytes", segment->block_bytes[block]);
  hops = describe_hops (ask, &way, answer);
  if (!kymo_sender_is_known (&way.sender))
    {
      add_line (lines, "Message %" G_GINT64_FORMAT " of %s%s, %s; its sending was not recorded",
                way.event, from, hops, size);
      return;
    }
  sent_ns = way.sender.sent_ns;
  kymo_table_set_int (answer, "sent_ns", sent_ns);
  kymo_table_set_int (answer, "latency_ns", kymo_segment_block_begin (segment, block) - sent_ns);
  kymo_table_set_bool (answer, "certain", way.match == KYMO_MATCH_SAME);
  kymo_table_set_int (answer, "queue_ns", kymo_segment_block_begin (segment, block)
                      - kymo_chain_queued_since (segment, sent_ns,
                                                 kymo_segment_block_begin (segment, block)));
  when = kymo_format_duration_exact (sent_ns);
  latency = kymo_format_duration (kymo_segment_block_begin (segment, block) - sent_ns);
  add_line (lines, "Message %" G_GINT64_FORMAT " of %s%s, %s, sent at %s, %s before%s", way.event,
            from, hops, size, when, latency, way.match == KYMO_MATCH_SAME ? ""
            : " (uncertain: it was created for another entry)");
}

/* Of the block with what is nested in it, as its times are. */
static void
set_counters (const KymoAsk     *ask,
              const KymoSegment *segment,
              guint              block,
              KymoTable         *answer,
              KymoTable         *lines)
{
  guint n = segment->block_counters != NULL
    ? MIN (segment->n_counters, ask->run->metrics->len) : 0;
  KymoTable *table;

  if (n == 0)
    return;
  table = kymo_table_new (KYMO_STYLE_OBJECTS);
  kymo_table_add_column (table, "metric", KYMO_COLUMN_STRING, 1);
  kymo_counts_add_column (ask->run, table, "value");
  kymo_table_add_column (table, "unit", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < n; i++)
    {
      const char *name = g_ptr_array_index (ask->run->metrics, i);
      gint64 value = segment->block_counters[(gsize) block * segment->n_counters + i];
      g_autofree char *text = kymo_count_dup_words (ask->run, i, value);

      kymo_table_append_string (table, 0, name);
      kymo_counts_append (ask->run, table, 1, i, value);
      kymo_table_append_string (table, 2, kymo_run_metric_unit (ask->run, i));
      add_line (lines, "%s: %s", name, text);
    }
  kymo_table_set_table (answer, "counters", table);
}

/* Of a block that is known to have had no processor for a while. */
static void
set_processor_time (const KymoAsk     *ask,
                    const KymoSegment *segment,
                    guint              block,
                    KymoTable         *answer,
                    KymoTable         *lines)
{
  const KymoStretched *known
    = kymo_stretched_find (ask->run->stretched, segment->location,
                           kymo_segment_block_begin (segment, block),
                           kymo_segment_block_end (segment, block),
                           segment->block_activity[block]);
  g_autofree char *cpu = NULL, *excess = NULL;

  if (known == NULL)
    return;
  cpu = kymo_format_duration (known->cpu_ns);
  excess = kymo_format_duration (known->excess_ns);
  kymo_table_set_int (answer, "cpu_ns", known->cpu_ns);
  kymo_table_set_int (answer, "excess_ns", known->excess_ns);
  add_line (lines, "Processor time %s; without a processor for at least %s", cpu, excess);
}

static void
set_block (const KymoAsk *ask,
           KymoSegment   *segment,
           guint          block,
           KymoTable     *answer,
           KymoTable     *lines)
{
  const KymoActivity *activity = kymo_run_peek_activity (ask->run, segment->block_activity[block]);
  gint64 begin_ns = kymo_segment_block_begin (segment, block);
  gint64 end_ns = kymo_segment_block_end (segment, block);
  g_autofree char *object = kymo_describe_object (segment, block);
  g_autofree char *length = kymo_format_duration_exact (end_ns - begin_ns);
  g_autofree char *begin = kymo_format_duration_exact (begin_ns);
  g_autofree char *end = kymo_format_duration_exact (end_ns);
  gint64 exclusive_ns = kymo_segment_exclusive_of (segment, block);

  kymo_table_set_string (answer, "state", kymo_activity_kind_to_string (activity->kind));
  kymo_table_set_string (answer, "name", activity->name);
  kymo_table_set_string (answer, "signature", activity->signature);
  kymo_table_set_string (answer, "group", activity->group);
  kymo_table_set_int (answer, "begin_ns", begin_ns);
  kymo_table_set_int (answer, "end_ns", end_ns);
  kymo_table_set_int (answer, "duration_ns", end_ns - begin_ns);
  kymo_table_set_int (answer, "exclusive_ns", exclusive_ns);
  kymo_table_set_int (answer, "depth", segment->block_depth != NULL
                      ? segment->block_depth[block] : 0);
  add_line (lines, "%s", activity->signature);
  add_line (lines, "%s from %s to %s", length, begin, end);
  if (exclusive_ns != end_ns - begin_ns)
    {
      g_autofree char *own = kymo_format_duration_exact (exclusive_ns);

      add_line (lines, activity->kind == KYMO_ACTIVITY_FUNCTION
                ? "%s without the functions it calls" : "%s without the blocks inside it", own);
    }
  set_processor_time (ask, segment, block, answer, lines);
  if (object != NULL)
    {
      kymo_table_set_string (answer, "object", object);
      add_line (lines, "Element %s", object);
    }
  if (segment->exchange != NULL)
    kymo_details_set_exchanges (ask, segment, block, answer, lines);
  else if (activity->kind != KYMO_ACTIVITY_FUNCTION || segment->block_event[block] >= 0)
    set_message (ask, segment, block, answer, lines);
  set_counters (ask, segment, block, answer, lines);
  if (*activity->file != '\0')
    {
      g_autofree char *place = activity->line > 0
        ? g_strdup_printf ("%s:%u", activity->file, activity->line) : g_strdup (activity->file);

      kymo_table_set_string (answer, "source", place);
      add_line (lines, "Defined in %s", place);
    }
}

static void
set_piece (const KymoAsk *ask,
           KymoSegment   *segment,
           gint64         time_ns,
           KymoTable     *answer,
           KymoTable     *lines)
{
  guint piece = kymo_segment_find_piece (segment, time_ns);
  guint32 state = segment->piece_state[piece];
  gint64 begin_ns = kymo_segment_piece_begin (segment, piece);
  gint64 end_ns = kymo_segment_piece_begin (segment, piece + 1);
  g_autofree char *length = kymo_format_duration_exact (end_ns - begin_ns);
  g_autofree char *begin = kymo_format_duration_exact (begin_ns);

  kymo_table_set_string (answer, "state", kymo_ask_state_kind (ask, state));
  kymo_table_set_string (answer, "name", kymo_ask_state_name (ask, state));
  kymo_table_set_int (answer, "begin_ns", begin_ns);
  kymo_table_set_int (answer, "end_ns", end_ns);
  kymo_table_set_int (answer, "duration_ns", end_ns - begin_ns);
  add_line (lines, "%s for %s from %s", kymo_ask_state_name (ask, state), length, begin);
}

/* The brackets of user events that are open at the time: in AMPI what each
   rank of the PE is in. */
static void
set_events (const KymoAsk     *ask,
            const KymoSegment *segment,
            gint64             time_ns,
            KymoTable         *answer,
            KymoTable         *lines)
{
  KymoTable *table = kymo_table_new_list ("name:string nested_id label:string begin_ns end_ns");

  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      g_autofree char *label = NULL, *length = NULL;

      if (point->begin_ns > time_ns)
        break;
      if (point->kind != KYMO_POINT_BRACKET || point->activity == G_MAXUINT32
          || point->end_ns <= time_ns || kymo_table_get_n_rows (table) >= MOST_EVENTS)
        continue;
      label = kymo_lane_label (ask->run, point, 0);
      length = kymo_format_duration (point->end_ns - point->begin_ns);
      kymo_table_append_row (table, kymo_run_peek_activity (ask->run, point->activity)->name,
                             point->nested_id, label, point->begin_ns, point->end_ns);
      add_line (lines, "%s in %s for %s", label,
                kymo_run_peek_activity (ask->run, point->activity)->name, length);
    }
  kymo_table_set_table (answer, "events", table);
}

/* Parameters and I/O of the innermost block there, or between blocks. */
static void
set_records (const KymoAsk *ask,
             KymoSegment   *segment,
             gint           block,
             KymoTable     *answer,
             KymoTable     *lines)
{
  KymoSpan span = { kymo_table_get_int (answer, "begin_ns", 0),
                    kymo_table_get_int (answer, "end_ns", 0) };
  KymoTable *table = NULL;
  gint64 n = 0;

  for (guint i = 0; i < segment->points->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);
      g_autofree char *text = NULL;

      if (point->begin_ns > span.end_ns)
        break;
      if ((point->kind != KYMO_POINT_IO && point->kind != KYMO_POINT_PARAMETER)
          || point->begin_ns < span.begin_ns
          || (point->begin_ns < span.end_ns
              && kymo_segment_block_at (segment, point->begin_ns) != block)
          || n++ >= MOST_EVENTS)
        continue;
      if (table == NULL)
        table = kymo_table_new (KYMO_STYLE_OBJECTS);
      if (n == 1)
        {
          kymo_table_add_column (table, "begin_ns", KYMO_COLUMN_INT, 1);
          kymo_table_add_column (table, "end_ns", KYMO_COLUMN_INT, 1);
          kymo_table_add_column (table, "kind", KYMO_COLUMN_STRING, 1);
          kymo_table_add_column (table, "text", KYMO_COLUMN_STRING, 1);
        }
      text = kymo_describe_point (ask, segment, i);
      kymo_table_append_row (table, point->begin_ns, point->end_ns,
                             point->kind == KYMO_POINT_IO ? "io" : "parameter", text);
      add_line (lines, "%s", text);
    }
  if (table == NULL)
    return;
  kymo_table_set_int (answer, "records_found", n);
  kymo_table_set_table (answer, "records", table);
}

static KymoTable *
finish_details (const KymoAsk *ask,
                gpointer       state)
{
  const Plan *plan = ask->plan;
  KymoSegment *segment = kymo_ask_segment_of (ask, plan->index);
  KymoTable *answer = kymo_table_new (KYMO_STYLE_OBJECT);
  KymoTable *lines = kymo_table_new (KYMO_STYLE_FLAT);
  gint block = kymo_segment_block_at (segment, plan->time_ns);

  kymo_table_add_column (lines, "line", KYMO_COLUMN_STRING, 1);
  kymo_table_set_int (answer, "location", plan->location);
  kymo_table_set_string (answer, "label", kymo_run_peek_location (ask->run, plan->index)->label);
  kymo_table_set_int (answer, "time_ns", plan->time_ns);
  if (block >= 0)
    set_block (ask, segment, block, answer, lines);
  else if (plan->time_ns >= segment->span.begin_ns && plan->time_ns < segment->span.end_ns)
    set_piece (ask, segment, plan->time_ns, answer, lines);
  else
    kymo_table_set_string (answer, "state", "outside");
  kymo_details_set_collective (ask, plan->index, plan->time_ns, answer, lines);
  set_events (ask, segment, plan->time_ns, answer, lines);
  if (kymo_table_find_column (answer, "begin_ns") >= 0)
    set_records (ask, segment, block, answer, lines);
  kymo_table_set_table (answer, "lines", lines);
  return answer;
}

static const KymoKeyword details_keywords[] =
{
  KYMO_KEYWORDS_OF_A_BLOCK,
  { NULL }
};

static const KymoQuestionList details_lists[] =
{
  { "events", "name nested_id label begin_ns end_ns" },
  { "messages", "direction rank location label bytes tag communicator sent_ns received_ns "
    "latency_ns half" },
  { NULL }
};

const KymoAnswerClass kymo_answer_details =
{
  { "details", N_("A description of a moment"), .keywords = details_keywords,
    .requires = KYMO_CAN_INTERVALS, .lists = details_lists },
  prepare_details, kymo_ask_free_plan, kymo_answer_no_state, kymo_answer_free_nothing,
  kymo_answer_no_partial, kymo_answer_no_merge, finish_details,
};
