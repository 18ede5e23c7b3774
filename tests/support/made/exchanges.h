/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random runs of functions that exchange messages, and beside them what was told: the
 * records one by one, and which belong together.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/** ExchangesFunction: activities of the run */
typedef enum
{
  EXCHANGES_MAIN,
  EXCHANGES_COMPUTE,
  EXCHANGES_SEND,
  EXCHANGES_RECEIVE,
  EXCHANGES_N_FUNCTIONS,
} ExchangesFunction;

/**
 * ExchangesStory:
 * @n_threads: of each rank
 * @lost: of a hundred ends, how many are not recorded
 * @offset_ns: the clock of rank 1 is so much behind
 * @n_tags: 0 is four
 * @n_comms: a tag is of one communicator; 0 is none
 */
typedef struct
{
  guint  seed;
  guint  n_ranks, n_threads;
  guint  n_messages;
  guint  lost;
  gint64 offset_ns;
  guint  n_tags, n_comms;
} ExchangesStory;

/**
 * ExchangesEnd: a record of a send or a receive
 * @rank: who did it
 * @partner: the other rank
 * @activity: the function that did it
 * @other: index of the other end in the list of those, or -1
 */
typedef struct
{
  guint   location;
  gint64  rank, partner;
  gint32  tag;
  guint32 comm;
  gint64  time_ns;
  gint64  bytes;
  guint32 activity;
  gint64  begin_ns, end_ns;     /* of the function */
  gint    other;
} ExchangesEnd;

/** Exchanges: @run is matched and sealed; @sends and @receives hold #ExchangesEnd */
typedef struct
{
  KymoRun *run;
  GArray  *sends, *receives;
} Exchanges;

Exchanges *exchanges_new  (const ExchangesStory *story);
void       exchanges_free (Exchanges            *exchanges);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Exchanges, exchanges_free)

G_END_DECLS
