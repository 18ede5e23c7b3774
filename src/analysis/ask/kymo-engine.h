/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a question is answered: every kind is a KymoAnswerClass of three
 * functions, partial (segment) -> merge (a, b) -> finish, in integers, so
 * that the answer is the same for any split of the run over threads.
 *
 * The engine gives each worker a state of its own, lets the workers take
 * segments from a common counter, and merges the states at the end.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-question.h"
#include "kymo-question-class.h"
#include "kymo-run.h"
#include "kymo-source.h"
#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoAsk: a question beside the run it is put to
 * @span: asked range, cut to the run's
 * @row_of: by location of the run: its place among the asked ones, or -1
 * @locations: the asked locations, indices in the run; ascending, unless
 *   @is_ordered
 * @is_ordered: whether they are in the order of the question
 * @n_places: rows that a timeline has of them, not merged: locations, or
 *   folded groups of them, see kymo-engine-groups.c
 * @place_begin: (nullable): n_places + 1: the first of the locations of a place;
 *   %NULL where each is one
 * @place_group: (nullable): the folded group that a place is, or -1
 * @n_workers: how many of them are no communication threads
 * @n_left_out: communication threads that "workers-only" left out
 * @n_threads: most threads, at least 1, for who walks over the run by himself
 * @weights: (nullable): how many PEs each location stands for, where the
 *   answer is to be extrapolated; %NULL for kinds that do not weigh
 * @plan: what prepare() made of the keywords
 * @unfit: set by kymo_ask_use() where columns are not fit to be read; atomic
 */
typedef struct
{
  const KymoRun *run;
  KymoQuestion  *question;
  GCancellable  *cancellable;
  KymoSpan       span;
  gint          *row_of;
  guint         *locations;
  gboolean       is_ordered;
  guint          n_locations;
  guint          n_places;
  guint         *place_begin;
  gint          *place_group;
  guint          n_workers;
  guint          n_left_out;
  guint          n_states;
  guint          n_threads;
  KymoIdWeights *weights;
  gpointer       plan;
  gint          *unfit;
} KymoAsk;

/**
 * KymoAnswerNeeds:
 *
 * Which columns a kind of question reads: by default all of the run, else
 * these parts of the locations asked for.
 */
typedef enum
{
  KYMO_NEEDS_EVERYTHING = 0,
  KYMO_NEEDS_TRACK = KYMO_PART_TRACK,
  KYMO_NEEDS_BLOCKS = KYMO_PART_BLOCKS,
  KYMO_NEEDS_SENDS = KYMO_PART_SENDS,
  KYMO_NEEDS_POINTS = KYMO_PART_POINTS,
  KYMO_NEEDS_SUMS = 1 << KYMO_N_PARTS,  /* kymo_segment_sum() of whole segments */
  KYMO_NEEDS_PHASES = 1 << (KYMO_N_PARTS + 1),  /* points of all that mark phases */
  KYMO_NEEDS_OF_ALL = 1 << (KYMO_N_PARTS + 2),  /* the parts of locations not asked for, too */
} KymoAnswerNeeds;

/**
 * KymoAnswerClass:
 * @about: the questions it answers
 * @needs: #KymoAnswerNeeds
 * @needs_of: the same for one segment, where it depends on the question or
 *   on the segment; stands before @needs. Called before @prepare
 */
typedef struct
{
  KymoQuestionClass about;
  /* Reads the keywords into ask->plan; optional. */
  gboolean   (*prepare)    (KymoAsk       *ask,
                            GError       **error);
  void       (*release)    (KymoAsk       *ask);
  gpointer   (*state_new)  (const KymoAsk *ask);
  void       (*state_free) (gpointer       state);
  void       (*partial)    (const KymoAsk *ask,
                            gpointer       state,
                            KymoSegment   *segment);
  void       (*merge)      (const KymoAsk *ask,
                            gpointer       into,
                            gpointer       from);
  KymoTable *(*finish)     (const KymoAsk *ask,
                            gpointer       state);
  guint        needs;
  guint      (*needs_of)   (const KymoAsk *ask,
                            KymoSegment   *segment);
  /* In place of finish, where what is left to do is long and may be
     cancelled, or may fail. It uses up to ask->n_threads threads. */
  KymoTable *(*conclude)   (const KymoAsk *ask,
                            gpointer       state,
                            GError       **error);
  /* Makes of a state that holds one location alone that of all it stands for:
     times with kymo_weigh_parts(), counts with kymo_weigh_count(), which finish
     brings back with kymo_ask_round(). A kind without it does not extrapolate. */
  void       (*weigh)      (const KymoAsk *ask,
                            gpointer       state,
                            guint          location,
                            gint64         weight);
  /* In place of all these functions: an answer whose work is shared
     out otherwise. It uses (kymo_segment_use()) what it reads. */
  KymoTable *(*answer)     (KymoAsk       *ask,
                            guint          n_threads,
                            GError       **error);
  /* Whether it is a list of locations, which kymo_question_set_order() puts
     in order. The others do not know of it, so that no figure of theirs can
     depend on it. */
  gboolean     in_order;
  /* Whether its rows are those of the question's groups. */
  gboolean     in_groups;
} KymoAnswerClass;

const KymoAnswerClass *
             kymo_answer_class_of    (const KymoRun   *run,
                                      KymoQuestion    *question);
KymoTable   *kymo_engine_ask         (const KymoRun   *run,
                                      KymoQuestion    *question,
                                      guint            n_threads,
                                      GCancellable    *cancellable,
                                      GError         **error);
const char  *kymo_ask_state_name     (const KymoAsk   *ask,
                                      guint32          state);
const char  *kymo_ask_state_kind     (const KymoAsk   *ask,
                                      guint32          state);
gint64       kymo_ask_state_id       (const KymoAsk   *ask,
                                      guint32          state);
gboolean     kymo_ask_is_stopped     (const KymoAsk   *ask,
                                      guint            i);
gboolean     kymo_ask_use            (const KymoAsk   *ask,
                                      KymoSegment     *segment,
                                      guint            parts);
void         kymo_ask_set_stale      (const KymoAsk   *ask,
                                      GError         **error);
gint64       kymo_span_edge          (KymoSpan         span,
                                      guint            n,
                                      guint            i);
gint64      *kymo_ask_edges          (const KymoAsk   *ask,
                                      guint            fallback,
                                      guint            most,
                                      guint           *n_columns,
                                      GError         **error);
KymoSegment *kymo_ask_segment_of     (const KymoAsk   *ask,
                                      guint            location);
guint       *kymo_ask_new_firsts     (const KymoRun   *run);
gint64       kymo_ask_count_end      (const KymoAsk   *ask);
void         kymo_ask_choose_locations (KymoAsk       *ask,
                                      gboolean         in_order);
void         kymo_ask_arrange_groups (KymoAsk         *ask);
guint        kymo_ask_place_begin    (const KymoAsk   *ask,
                                      guint            place);
guint        kymo_ask_place_of       (const KymoAsk   *ask,
                                      guint            row);
gboolean     kymo_ask_is_averaged    (const KymoAsk   *ask,
                                      guint            location);
gint64       kymo_ask_weight_of      (const KymoAsk   *ask,
                                      guint            location);
void         kymo_ask_weighs         (const KymoAsk   *ask,
                                      gpointer         state,
                                      guint            location,
                                      gint64           weight);
double       kymo_ask_stands_for     (const KymoAsk   *ask,
                                      gboolean         averaged);
gint64       kymo_ask_round          (const KymoAsk   *ask,
                                      gint64           count);
gboolean     kymo_ask_has_errors     (const KymoAsk   *ask);
void         kymo_ask_set_extrapolated (const KymoAsk *ask,
                                      KymoTable       *answer);
KymoTable   *kymo_ask_answer_new     (const KymoAsk   *ask);
void         kymo_ask_set_counts     (const KymoAsk   *ask,
                                      KymoTable       *answer);
void         kymo_ask_free_plan      (KymoAsk         *ask);
KymoTable   *kymo_metrics_of_run     (const KymoRun   *run);
void         kymo_counts_add_column  (const KymoRun   *run,
                                      KymoTable       *table,
                                      const char      *name);
void         kymo_counts_append      (const KymoRun   *run,
                                      KymoTable       *table,
                                      guint            column,
                                      guint            metric,
                                      gint64           count);
char        *kymo_count_dup_words    (const KymoRun   *run,
                                      guint            metric,
                                      gint64           count);
KymoTable   *kymo_phases_of_run      (const KymoRun   *run);
guint        kymo_capabilities_of    (const KymoRun   *run);
gboolean     kymo_capabilities_check (const KymoRun           *run,
                                      const KymoQuestionClass *klass,
                                      GError                 **error);

/* For kinds of questions whose answer is made at one go, in `finish` or `conclude`, from
   what belongs to the run: nothing is done by location, and nothing put together. */

gpointer kymo_answer_no_state     (const KymoAsk *ask);
void     kymo_answer_free_nothing (gpointer       state);
void     kymo_answer_no_partial   (const KymoAsk *ask,
                                   gpointer       state,
                                   KymoSegment   *segment);
void     kymo_answer_no_merge     (const KymoAsk *ask,
                                   gpointer       into,
                                   gpointer       from);

G_END_DECLS
