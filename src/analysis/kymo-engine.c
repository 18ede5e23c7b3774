/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-engine.h"

#include <string.h>

#include "kymo-error.h"

/* Below this many pieces a second thread costs more than it saves. */
#define PIECES_FOR_THREADS 20000

static const KymoAnswerClass *const classes[] =
{
  &kymo_answer_info,
  &kymo_answer_profile,
  &kymo_answer_usage,
  &kymo_answer_time_profile,
  &kymo_answer_histogram,
  &kymo_answer_communication,
  &kymo_answer_messages,
  &kymo_answer_events,
  &kymo_answer_timeline,
  &kymo_answer_details,
  &kymo_answer_find,
  &kymo_answer_clocks,
  &kymo_answer_place,
  &kymo_answer_busiest,
  &kymo_answer_replies,
  &kymo_answer_clusters,
  &kymo_answer_extrema,
};

typedef struct
{
  const KymoAsk         *ask;
  const KymoAnswerClass *klass;
  gpointer               state;
  gint                  *next;          /* atomic: next segment to take */
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  const KymoAsk *ask = worker->ask;
  gint i;

  while ((i = g_atomic_int_add (worker->next, 1)) < (gint) ask->run->segments->len)
    {
      KymoSegment *segment = g_ptr_array_index (ask->run->segments, i);

      if (g_cancellable_is_cancelled (ask->cancellable))
        break;
      if (ask->row_of[segment->location] >= 0)
        worker->klass->partial (ask, worker->state, segment);
    }
  return NULL;
}

static guint
choose_threads (const KymoAsk *ask,
                guint          n_threads)
{
  guint64 n_pieces = 0;

  if (n_threads == 0)
    n_threads = g_get_num_processors ();
  for (guint i = 0; i < ask->run->segments->len && n_pieces < PIECES_FOR_THREADS; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (ask->run->segments, i);

      n_pieces += segment->n_pieces + (segment->bins != NULL ? segment->bins->n_bins : 0);
    }
  if (n_pieces < PIECES_FOR_THREADS)
    return 1;
  return MIN (n_threads, MAX (ask->run->segments->len, 1));
}

static gpointer
run_workers (const KymoAsk         *ask,
             const KymoAnswerClass *klass,
             guint                  n_threads)
{
  g_autofree Worker *workers = g_new0 (Worker, n_threads);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  gint next = 0;

  for (guint i = 0; i < n_threads; i++)
    {
      workers[i] = (Worker) { ask, klass, klass->state_new (ask), &next };
      if (i > 0)
        threads[i] = g_thread_new ("kymo-ask", work, &workers[i]);
    }
  work (&workers[0]);
  for (guint i = 1; i < n_threads; i++)
    {
      g_thread_join (threads[i]);
      klass->merge (ask, workers[0].state, workers[i].state);
      klass->state_free (workers[i].state);
    }
  return workers[0].state;
}

typedef struct
{
  const KymoAsk         *ask;
  const KymoAnswerClass *klass;
  gint                   next;          /* atomic: next segment to take */
  gint                   unfit;         /* atomic */
} Use;

static guint
parts_of (const Use   *use,
          KymoSegment *segment)
{
  guint needs = use->klass->needs_of != NULL ? use->klass->needs_of (use->ask, segment)
    : use->klass->needs;
  gboolean reads = use->ask->row_of[segment->location] >= 0 || (needs & KYMO_NEEDS_OF_ALL);
  guint parts = reads ? needs & KYMO_PARTS_ALL : 0;

  if (needs == KYMO_NEEDS_EVERYTHING)
    return KYMO_PARTS_ALL;
  if ((needs & KYMO_NEEDS_PHASES)
      && (kymo_segment_get_point_kinds (segment) & (1u << KYMO_POINT_PHASE)))
    parts |= KYMO_PART_POINTS;
  return parts;
}

static gpointer
use_some (gpointer data)
{
  Use *use = data;
  GPtrArray *segments = use->ask->run->segments;
  gint i;

  while ((i = g_atomic_int_add (&use->next, 1)) < (gint) segments->len)
    {
      KymoSegment *segment = g_ptr_array_index (segments, i);

      if (g_cancellable_is_cancelled (use->ask->cancellable))
        break;
      if (!kymo_segment_use (segment, parts_of (use, segment)))
        g_atomic_int_set (&use->unfit, 1);
    }
  return NULL;
}

static gboolean
reads_columns (const Use *use)
{
  GPtrArray *segments = use->ask->run->segments;

  for (guint i = 0; i < segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (segments, i);

      if (segment->backing != NULL && parts_of (use, segment) != 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * kymo_ask_set_stale:
 *
 * Says that columns are not fit to be read: the run's files must be read anew.
 */
void
kymo_ask_set_stale (const KymoAsk  *ask,
                    GError        **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_STALE, "The cache file of “%s” is damaged",
               ask->run->title);
}

/* Before anything is read, so that no partial has to expect a lie. */
static gboolean
use_segments (const KymoAsk         *ask,
              const KymoAnswerClass *klass,
              guint                  n_threads,
              GError               **error)
{
  Use use = { ask, klass, 0, 0 };
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);

  if (!reads_columns (&use))
    return TRUE;
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("kymo-use", use_some, &use);
  use_some (&use);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return FALSE;
  if (!use.unfit)
    return TRUE;
  kymo_ask_set_stale (ask, error);
  return FALSE;
}

static const KymoAnswerClass *
find_class (const char *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (classes[i]->kind, kind) == 0)
      return classes[i];
  return NULL;
}

/* What a kind of question is to people. */
static const char *
words_of_kind (const char *kind)
{
  static const struct { const char *kind, *words; } known[] = {
    { "timeline", "A timeline" }, { "histogram", "A histogram" },
    { "communication", "Communication" }, { "messages", "A list of messages" },
    { "events", "A list of records" }, { "clocks", "A comparison of clocks" },
    { "details", "What happens at a moment" }, { "find", "To go to a block" },
    { "replies", "A chart of replies" }, { "busiest", "A list of the busiest" },
    { "clusters", "Clusters of PEs" }, { "extrema", "A list of extrema" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].kind, kind) == 0)
      return known[i].words;
  return kind;
}

/* Says what the run is and what the question would need. */
static gboolean
check_requires (const KymoRun          *run,
                const KymoAnswerClass  *klass,
                GError                **error)
{
  guint lacks = klass->requires & ~kymo_capabilities_of (run);

  if (lacks == 0)
    return TRUE;
  if (run->draft != NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "%s needs single %s. They are known when all logs are read.",
                   words_of_kind (klass->kind),
                   lacks & KYMO_CAN_MESSAGES ? "messages" : "blocks");
      return FALSE;
    }
  if (lacks & KYMO_CAN_STREAM)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "%s needs a utilization stream. This run was read from trace files.",
                   words_of_kind (klass->kind));
      return FALSE;
    }
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
               run->kind == KYMO_RUN_STREAM
               ? "%s needs single %s. This run is a utilization stream: means of all PEs by "
                 "bins of time. The program records them with +tracemode projections."
               : "%s needs single %s. This run is a summary: sums by bins of time. "
                 "The program records them with +tracemode projections.",
               words_of_kind (klass->kind),
               lacks & KYMO_CAN_MESSAGES ? "messages" : "blocks");
  return FALSE;
}

/* What the run does not know stands beside every figure. */
static void
set_notes (const KymoRun *run,
           KymoTable     *answer)
{
  KymoTable *notes;
  guint column;

  if (run->notes->len == 0)
    return;
  notes = kymo_table_new (KYMO_STYLE_FLAT);
  column = kymo_table_add_column (notes, "value", KYMO_COLUMN_STRING, 1);
  for (guint i = 0; i < run->notes->len; i++)
    kymo_table_append_string (notes, column, g_ptr_array_index (run->notes, i));
  kymo_table_set_table (answer, "notes", notes);
}

/**
 * kymo_engine_ask:
 * @n_threads: most threads, the caller's included; 0 = one per core
 *
 * Blocks; any thread.
 *
 * Returns: (transfer full) (nullable): the answer
 */
KymoTable *
kymo_engine_ask (const KymoRun  *run,
                 KymoQuestion   *question,
                 guint           n_threads,
                 GCancellable   *cancellable,
                 GError        **error)
{
  const KymoAnswerClass *klass = find_class (kymo_question_get_kind (question));
  KymoAsk ask = { .run = run, .question = question, .cancellable = cancellable,
                  .n_threads = n_threads };
  KymoTable *answer = NULL;
  gpointer state;

  if (klass == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   "A trace cannot answer “%s”", kymo_question_get_kind (question));
      return NULL;
    }
  if (!check_requires (run, klass, error))
    return NULL;
  ask.span = kymo_span_intersect (kymo_question_get_span (question), run->span);
  ask.n_states = KYMO_STATE_ACTIVITY + run->activities->len;
  kymo_ask_choose_locations (&ask, klass->in_order);
  if (ask.n_locations == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 "None of the locations that were asked for is in the run");
  else if (klass->answer != NULL)
    answer = klass->answer (&ask, choose_threads (&ask, n_threads), error);
  else if (use_segments (&ask, klass, choose_threads (&ask, n_threads), error)
           && (klass->prepare == NULL || klass->prepare (&ask, error)))
    {
      state = run_workers (&ask, klass, choose_threads (&ask, n_threads));
      if (!g_cancellable_set_error_if_cancelled (cancellable, error))
        answer = klass->conclude != NULL ? klass->conclude (&ask, state, error)
          : klass->finish (&ask, state);
      klass->state_free (state);
    }
  if (answer != NULL)
    set_notes (run, answer);
  /* A stream tells what entry methods had; what they left is idle time or
     overhead, nobody knows which. It stands as overhead_ns, marked so. */
  if (answer != NULL && run->kind == KYMO_RUN_STREAM)
    kymo_table_set_bool (answer, "overhead_is_rest", TRUE);
  if (answer != NULL && run->draft != NULL)
    kymo_table_set_string (answer, "draft", run->draft);
  if (klass->release != NULL && ask.plan != NULL)
    klass->release (&ask);
  g_free (ask.row_of);
  g_free (ask.locations);
  return answer;
}

/**
 * kymo_ask_state_name:
 *
 * Returns: (transfer none): display name of a state of the track
 */
const char *
kymo_ask_state_name (const KymoAsk *ask,
                     guint32        state)
{
  static const char *const names[] = { "Overhead", "Idle", "Untraced" };

  if (state == KYMO_STATE_OVERHEAD && ask->run->kind == KYMO_RUN_STREAM)
    return "Idle or overhead";
  return state < KYMO_STATE_ACTIVITY ? names[state]
    : kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->name;
}

const char *
kymo_ask_state_kind (const KymoAsk *ask,
                     guint32        state)
{
  static const char *const kinds[] = { "overhead", "idle", "untraced" };

  if (state == KYMO_STATE_OVERHEAD && ask->run->kind == KYMO_RUN_STREAM)
    return "rest";
  return state < KYMO_STATE_ACTIVITY ? kinds[state]
    : kymo_activity_kind_to_string (kymo_run_peek_activity (ask->run,
                                                            state - KYMO_STATE_ACTIVITY)->kind);
}

gint64
kymo_ask_state_id (const KymoAsk *ask,
                   guint32        state)
{
  return state < KYMO_STATE_ACTIVITY ? KYMO_NULL_INT
    : kymo_run_peek_activity (ask->run, state - KYMO_STATE_ACTIVITY)->id;
}

/**
 * kymo_ask_is_stopped:
 * @i: a loop's counter; the flag is looked at every 4,096th time
 */
gboolean
kymo_ask_is_stopped (const KymoAsk *ask,
                     guint          i)
{
  return (i & 0xfff) == 0 && g_cancellable_is_cancelled (ask->cancellable);
}

/**
 * kymo_span_edge:
 *
 * Returns: edge @i of @n equal parts of @span, rounded down; edge 0 is its
 * begin, edge @n its end
 */
gint64
kymo_span_edge (KymoSpan span,
                guint    n,
                guint    i)
{
  return span.begin_ns + (gint64) ((__int128) kymo_span_length (span) * i / n);
}

/**
 * kymo_ask_edges:
 * @fallback: columns where the question does not say
 * @most: columns that can be answered
 * @n_columns: (out): how many it is
 *
 * Returns: (transfer full) (nullable): n_columns + 1 edges of equal parts of
 * the asked range; %NULL and a usage error for too many
 */
gint64 *
kymo_ask_edges (const KymoAsk  *ask,
                guint           fallback,
                guint           most,
                guint          *n_columns,
                GError        **error)
{
  guint n = kymo_question_get_columns (ask->question);
  gint64 *edges_ns;

  if (n == 0)
    n = fallback;
  if (n > most)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                   "%u parts of the time range are more than the %u that can be answered", n,
                   most);
      return NULL;
    }
  edges_ns = g_new (gint64, n + 1);
  for (guint i = 0; i <= n; i++)
    edges_ns[i] = kymo_span_edge (ask->span, n, i);
  *n_columns = n;
  return edges_ns;
}

/**
 * kymo_ask_segment_of:
 *
 * Returns: (transfer none): the segment of a location. Readers make one
 * segment a location.
 */
KymoSegment *
kymo_ask_segment_of (const KymoAsk *ask,
                     guint          location)
{
  return g_ptr_array_index (ask->run->segments, location);
}

/**
 * kymo_ask_count_end:
 *
 * Counts are of what begins before this time. Where the range takes
 * everything to the end of the run, what begins on its last nanosecond is
 * inside as well.
 */
gint64
kymo_ask_count_end (const KymoAsk *ask)
{
  return ask->span.end_ns == ask->run->span.end_ns ? G_MAXINT64 : ask->span.end_ns;
}

/**
 * kymo_ask_set_counts:
 *
 * Tells whom the answer is about: "workers" and "communication_threads" in
 * its sums, and communication threads "left_out".
 */
void
kymo_ask_set_counts (const KymoAsk *ask,
                     KymoTable     *answer)
{
  kymo_table_set_int (answer, "workers", ask->n_workers);
  kymo_table_set_int (answer, "communication_threads", ask->n_locations - ask->n_workers);
  kymo_table_set_int (answer, "left_out", ask->n_left_out);
}

/**
 * kymo_capabilities_of:
 *
 * Returns: #KymoCapabilities of the run
 */
guint
kymo_capabilities_of (const KymoRun *run)
{
  guint can = KYMO_CAN_BINNED_TIME | KYMO_CAN_PROFILE;
  guint32 counters = 1u << KYMO_POINT_MEMORY | 1u << KYMO_POINT_USER_STAT;

  if (run->draft != NULL)
    return can | KYMO_CAN_ROWS | KYMO_CAN_GROWING;
  if (run->stream != NULL)
    can |= KYMO_CAN_STREAM | (run->stream->growing ? KYMO_CAN_GROWING : 0);
  if (kymo_run_is_binned (run))
    return can;
  can |= KYMO_CAN_INTERVALS | KYMO_CAN_MESSAGES | KYMO_CAN_ROWS;
  for (guint i = 0; i < run->segments->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (run->segments, i);

      if ((segment->block_counters != NULL && segment->n_counters > 0)
          || (kymo_segment_get_point_kinds (segment) & counters))
        return can | KYMO_CAN_COUNTERS;
    }
  return can;
}
