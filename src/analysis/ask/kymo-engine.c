/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-engine.h"

#include "kymo-error.h"
#include "kymo-share.h"
#include "kymo-term-words.h"

/* Below this many pieces a second thread costs more than it saves. */
#define PIECES_FOR_THREADS 20000

typedef struct
{
  const KymoAsk         *ask;
  const KymoAnswerClass *klass;
  gpointer               state;
  gint                  *next;          /* atomic: next segment to take */
} Worker;

/* Of one location, weighed while it is alone: so what is rounded does not
   depend on how locations are shared out. Readers make one segment a location. */
static void
add_weighed (Worker      *worker,
             KymoSegment *segment)
{
  const KymoAsk *ask = worker->ask;
  const KymoAnswerClass *klass = worker->klass;
  gint64 id = kymo_run_peek_location (ask->run, segment->location)->id;
  gpointer alone = klass->state_new (ask);

  klass->partial (ask, alone, segment);
  klass->weigh (ask, alone, segment->location, kymo_id_weights_get (ask->weights, id));
  klass->merge (ask, worker->state, alone);
  klass->state_free (alone);
}

static gpointer
engine_work (gpointer data)
{
  Worker *worker = data;
  const KymoAsk *ask = worker->ask;
  gint i;

  while ((i = g_atomic_int_add (worker->next, 1)) < (gint) ask->run->segments->len)
    {
      KymoSegment *segment = g_ptr_array_index (ask->run->segments, i);

      if (g_cancellable_is_cancelled (ask->cancellable))
        break;
      if (ask->row_of[segment->location] < 0)
        continue;
      if (ask->weights != NULL)
        add_weighed (worker, segment);
      else
        worker->klass->partial (ask, worker->state, segment);
    }
  return NULL;
}

static guint
choose_threads (const KymoAsk *ask)
{
  guint64 n_pieces = 0;

  for (guint i = 0; i < ask->run->segments->len && n_pieces < PIECES_FOR_THREADS; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (ask->run->segments, i);

      n_pieces += segment->n_pieces + (segment->bins != NULL ? segment->bins->n_bins : 0);
    }
  if (n_pieces < PIECES_FOR_THREADS)
    return 1;
  return MIN (ask->n_threads, MAX (ask->run->segments->len, 1));
}

static gpointer
run_workers (const KymoAsk         *ask,
             const KymoAnswerClass *klass,
             guint                  n_threads)
{
  g_autofree Worker *workers = g_new0 (Worker, n_threads);
  gint next = 0;

  for (guint i = 0; i < n_threads; i++)
    workers[i] = (Worker) { ask, klass, klass->state_new (ask), &next };
  kymo_share_run ("kymo-ask", n_threads, engine_work, workers, sizeof *workers);
  for (guint i = 1; i < n_threads; i++)
    {
      if (!g_cancellable_is_cancelled (ask->cancellable))
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

  if (!kymo_run_has_backing (use->ask->run))
    return FALSE;
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
 * @error: (out): %KYMO_ERROR_STALE
 *
 * Sets the error for columns that are not fit to be read: the run's files must be read again.
 */
void
kymo_ask_set_stale (const KymoAsk  *ask,
                    GError        **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_STALE, _("The cache file of “%s” is damaged"),
               ask->run->title);
}

/**
 * kymo_ask_use:
 * @parts: #KymoSegmentParts that are read now, without an announcement
 *
 * kymo_segment_use() for what only a look at the sums tells to be needed. Where it fails
 * the answer, whatever becomes of it, is not given: the run's files are read anew.
 *
 * Returns: whether the parts are fit to be read
 */
gboolean
kymo_ask_use (const KymoAsk *ask,
              KymoSegment   *segment,
              guint          parts)
{
  if (kymo_segment_use (segment, parts))
    return TRUE;
  g_atomic_int_set (ask->unfit, 1);
  return FALSE;
}

/* Of an answer that was made of what could not be read, or in part, nothing is left; nor of
   a refusal, where the file that the columns lie in was cut off meanwhile. */
static KymoTable *
drop_unfit (const KymoAsk *ask,
            KymoTable     *answer,
            GError       **error)
{
  if (kymo_run_is_damaged (ask->run))
    {
      g_clear_error (error);
      g_clear_pointer (&answer, kymo_table_unref);
      kymo_ask_set_stale (ask, error);
      return NULL;
    }
  if (answer == NULL)
    {
      /* A kind that notices in the middle gives up without words. */
      if (error != NULL && *error == NULL)
        g_cancellable_set_error_if_cancelled (ask->cancellable, error);
      return NULL;
    }
  if (g_atomic_int_get (ask->unfit))
    kymo_ask_set_stale (ask, error);
  else if (!g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return answer;
  kymo_table_unref (answer);
  return NULL;
}

/* Before anything is read, so that no partial has to expect a lie. */
static gboolean
use_segments (const KymoAsk         *ask,
              const KymoAnswerClass *klass,
              guint                  n_threads,
              GError               **error)
{
  Use use = { ask, klass, 0, 0 };

  if (!reads_columns (&use))
    return TRUE;
  kymo_share_run ("kymo-use", n_threads, use_some, &use, 0);
  if (g_cancellable_set_error_if_cancelled (ask->cancellable, error))
    return FALSE;
  if (!use.unfit)
    return TRUE;
  kymo_ask_set_stale (ask, error);
  return FALSE;
}

/* Weights that a question brings along stand before those of the run. Kinds
   that do not sum up locations leave them out, but are not asked in vain. */
static gboolean
choose_weights (KymoAsk                *ask,
                const KymoAnswerClass  *klass,
                GError                **error)
{
  KymoIdWeights *weights = kymo_question_peek_weights (ask->question);

  if (weights == NULL && kymo_question_get_flag (ask->question, "extrapolate"))
    {
      if (ask->run->reduction == NULL)
        {
          g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                       kymo_in_terms (ask->run->terms,
                                      _("“%s” does not know what its {rows} stand for: only runs "
                                        "that were reduced with weights can be extrapolated")),
                       ask->run->title);
          return FALSE;
        }
      weights = ask->run->reduction->weights;
    }
  ask->weights = klass->weigh != NULL ? weights : NULL;
  return TRUE;
}

/* Adds notes on things that the run does not know, which stand beside all figures. */
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
 * Answers a question about a run. Blocks; any thread. Sets %KYMO_ERROR_UNANSWERABLE with a
 * sentence that says what the run lacks, %KYMO_ERROR_USAGE for keywords that are wrong,
 * %KYMO_ERROR_STALE if the run's cache file is damaged, or %G_IO_ERROR_CANCELLED.
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
  const KymoAnswerClass *klass = kymo_answer_class_of (run, question);
  gint unfit = 0;
  KymoAsk ask = { .run = run, .question = question, .cancellable = cancellable, .unfit = &unfit,
                  .n_threads = n_threads > 0 ? n_threads : g_get_num_processors () };
  KymoTable *answer = NULL;
  gpointer state;

  if (klass == NULL)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("A trace cannot answer “%s”"), kymo_question_get_kind (question));
      return NULL;
    }
  if (!kymo_capabilities_check (run, &klass->about, error)
      || !choose_weights (&ask, klass, error))
    return NULL;
  if (kymo_run_is_damaged (run))
    {
      kymo_ask_set_stale (&ask, error);
      return NULL;
    }
  ask.span = kymo_span_intersect (kymo_question_get_span (question), run->span);
  ask.n_states = KYMO_STATE_ACTIVITY + run->activities->len;
  kymo_ask_choose_locations (&ask, klass->in_order);
  ask.n_places = ask.n_locations;
  if (klass->in_groups)
    kymo_ask_arrange_groups (&ask);
  if (ask.n_locations == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("None of the locations that were asked for is in the run"));
  else if (klass->answer != NULL)
    answer = klass->answer (&ask, choose_threads (&ask), error);
  else if (use_segments (&ask, klass, choose_threads (&ask), error)
           && (klass->prepare == NULL || klass->prepare (&ask, error)))
    {
      state = run_workers (&ask, klass, choose_threads (&ask));
      if (!g_cancellable_set_error_if_cancelled (cancellable, error))
        answer = klass->conclude != NULL ? klass->conclude (&ask, state, error)
          : klass->finish (&ask, state);
      klass->state_free (state);
    }
  answer = drop_unfit (&ask, answer, error);
  if (answer != NULL)
    set_notes (run, answer);
  if (answer != NULL && ask.weights != NULL)
    kymo_ask_set_extrapolated (&ask, answer);
  /* A stream tells what entry methods had; what they left is idle time or
     overhead, which of both is unknown. It stands as overhead_ns, marked so. */
  if (answer != NULL && run->kind == KYMO_RUN_STREAM)
    kymo_table_set_bool (answer, "overhead_is_rest", TRUE);
  if (answer != NULL && run->draft != NULL)
    kymo_table_set_string (answer, "draft", run->draft);
  if (klass->release != NULL && ask.plan != NULL)
    klass->release (&ask);
  g_free (ask.row_of);
  g_free (ask.locations);
  g_free (ask.place_begin);
  g_free (ask.place_group);
  return answer;
}

/** kymo_ask_free_plan: the release of an answer class whose plan holds nothing of its own */
void
kymo_ask_free_plan (KymoAsk *ask)
{
  g_free (ask->plan);
}

/**
 * kymo_answer_no_state:
 *
 * The state_new of an answer class whose answer is made at one go.
 *
 * Returns: (transfer none) (nullable): %NULL always
 */
gpointer
kymo_answer_no_state (const KymoAsk *ask)
{
  return NULL;
}

/**
 * kymo_answer_free_nothing:
 * @state: %NULL, from kymo_answer_no_state()
 *
 * The state_free of an answer class without a state: does nothing.
 */
void
kymo_answer_free_nothing (gpointer state)
{
}

/**
 * kymo_answer_no_partial:
 * @state: %NULL
 * @segment: not looked at
 *
 * The partial of an answer class that walks over no segments: does nothing. Any thread.
 */
void
kymo_answer_no_partial (const KymoAsk *ask,
                        gpointer       state,
                        KymoSegment   *segment)
{
}

/**
 * kymo_answer_no_merge:
 * @into: %NULL
 * @from: %NULL
 *
 * The merge of an answer class without a state: does nothing.
 */
void
kymo_answer_no_merge (const KymoAsk *ask,
                      gpointer       into,
                      gpointer       from)
{
}
