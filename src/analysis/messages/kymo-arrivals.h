/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who received what a location sent: the other way round than the records, in which
 * a receiver names its sender. A message is what the kind messages tells: one a call
 * that names its sender, or one a receive record; a way through communication threads
 * is one from its first creation on (kymo-messages.h).
 *
 * Made of a run once, on first use, by the threads of the first question, in time linear in
 * messages and sends; immutable after, and bound to the run. Some 30 bytes a message; of
 * a run that does not fit into memory in scratch memory.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoArrival: a message whose sending is in the run
 * @begin_ns: when its execution began, or when it was received; before it was sent
 *   where clocks disagree
 * @location: index of the receiver
 * @uncertain: the record of its sending is for another entry method
 * @index: the block, or the receive, at the receiver
 * @send: of the sender
 * @bytes: as the receiver tells it
 */
typedef struct
{
  gint64  begin_ns;
  guint32 location : 31;
  guint32 uncertain : 1;
  guint32 index;
  guint32 send;
  guint32 bytes;
} KymoArrival;

/**
 * KymoArrivalsOf: what one location sent
 * @n: number of messages
 * @items: by send, then receiver and its block
 * @first: of each send its first item, and one more
 * @latest: of each 64 items the latest begin
 * @earliest: of each 64 items the earliest begin; %NULL where none began before it was
 *   sent
 */
typedef struct
{
  guint        n;
  KymoArrival *items;
  guint32     *first;
  gint64      *latest;
  gint64      *earliest;
} KymoArrivalsOf;

/** KymoLost: a message that was received, without a record of its sending */
typedef struct
{
  gint64  begin_ns;
  guint32 index;
} KymoLost;

/**
 * KymoArrivals:
 * @of: by sending location of the run
 * @lost: by receiving location: #KymoLost, by time
 */
typedef struct
{
  guint           n_locations;
  KymoArrivalsOf *of;
  GArray        **lost;
} KymoArrivals;

/** KymoArrivalFunc: called for a message of a location */
typedef void (*KymoArrivalFunc) (const KymoArrival *arrival,
                                 gpointer           data);

const KymoArrivals *kymo_arrivals_peek       (const KymoAsk        *ask,
                                              GError              **error);
void                kymo_arrivals_each       (const KymoArrivalsOf *of,
                                              const KymoSegment    *sender,
                                              KymoSpan              span,
                                              KymoArrivalFunc       func,
                                              gpointer              data);
guint               kymo_arrivals_find_lost  (const GArray         *lost,
                                              gint64                time_ns);
guint               kymo_segment_first_send  (const KymoSegment    *segment,
                                              gint64                time_ns);

G_END_DECLS
