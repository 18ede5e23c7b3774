/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as the receiver sees them: one per distinct call that names a
 * source by an event number.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoMatch:
 * @KYMO_MATCH_NONE: the sender's record of it is not in the run
 * @KYMO_MATCH_OTHER_ENTRY: there is one of that number, for another entry:
 *   an uncertain arrow (broadcast internals, stale numbers)
 * @KYMO_MATCH_SAME: the creation of this message
 */
typedef enum
{
  KYMO_MATCH_NONE,
  KYMO_MATCH_OTHER_ENTRY,
  KYMO_MATCH_SAME,
} KymoMatch;

/* The thread of the sender's process and that of the receiver's are two; much
   longer ways would go round in circles. */
#define KYMO_MOST_HOPS 4

/**
 * KymoWay:
 * @match: the weakest match along the way
 * @sender: the segment of the first creation, or %NULL when it is not known
 * @send: that creation
 * @from: id of the first sender, as far as it is known
 * @event: the message's number there
 * @n_via: how many communication threads passed it on
 * @via: their ids, in the order of the way
 * @via_ns: when each began to pass it on
 */
typedef struct
{
  KymoMatch    match;
  KymoSegment *sender;
  guint        send;
  gint64       from;
  gint64       event;
  guint        n_via;
  gint64       via[KYMO_MOST_HOPS];
  gint64       via_ns[KYMO_MOST_HOPS];
} KymoWay;

KymoMatch kymo_match_block  (const KymoAsk     *ask,
                             const KymoSegment *segment,
                             guint              block,
                             guint             *hints,
                             KymoSegment      **sender,
                             guint             *send);
void      kymo_way_of_block (const KymoAsk     *ask,
                             const KymoSegment *segment,
                             guint              block,
                             KymoWay           *way);
gboolean  kymo_block_is_hop (const KymoAsk     *ask,
                             KymoSegment       *segment,
                             guint              block);

/* Messages between functions as the receiver sees them: one per receive record. In
   answers about them "from" and "to" are ranks. */

/**
 * KymoReceipt: the receive of a message and, if the run has it, its send
 * @location: index of the receiving location
 * @from: rank that sent it
 * @to: rank that received it
 * @time_ns: when it was received
 * @bytes: as the receiver recorded them
 * @activity: the function that received it, or %G_MAXUINT32 outside of all
 * @sender: (nullable): whose send is in the run
 * @send: that send
 * @sent_ns: when, or %KYMO_NULL_INT
 */
typedef struct
{
  guint              location;
  gint64             from, to;
  gint64             time_ns;
  gint64             bytes;
  guint32            activity;
  const KymoSegment *sender;
  guint              send;
  gint64             sent_ns;
} KymoReceipt;

gboolean kymo_is_comm_thread    (const KymoAsk     *ask,
                                 const KymoSegment *segment);
gboolean kymo_run_has_exchanges (const KymoRun     *run);
gboolean kymo_receive_is_asked  (const KymoAsk     *ask,
                                 const KymoSegment *segment,
                                 guint              i);
void     kymo_receipt_of        (const KymoAsk     *ask,
                                 const KymoSegment *segment,
                                 guint              i,
                                 KymoReceipt       *receipt);
gint     kymo_receiver_of_send  (const KymoSegment *segment,
                                 guint              i);

G_END_DECLS
