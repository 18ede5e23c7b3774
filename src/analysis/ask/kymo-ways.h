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
 * KymoSender: the creation of a message. All of it are values, so that the records of the sender
 * may lie elsewhere
 * @location: index of the location that sent it, or -1: the creation is not in the run
 * @send: number of the creation among the sends of that location
 * @activity: what the creation names
 * @sent_ns: when; %KYMO_NULL_INT where it is unknown
 */
typedef struct
{
  gint    location;
  guint   send;
  guint32 activity;
  gint64  sent_ns;
} KymoSender;

/** KYMO_SENDER_UNKNOWN: of a message whose creation is not in the run */
#define KYMO_SENDER_UNKNOWN ((KymoSender) { -1, 0, G_MAXUINT32, KYMO_NULL_INT })

/**
 * KymoSentIn: the block in which a message was created, see kymo_send_owner()
 * @block: its number at the sender, or %KYMO_NO_BLOCK: it was created outside of all
 * @activity: of the block; %G_MAXUINT32 outside of all
 * @begin_ns: of the block; the time of the creation outside of all
 */
typedef struct
{
  guint32 block;
  guint32 activity;
  gint64  begin_ns;
} KymoSentIn;

/**
 * KymoWay:
 * @match: the weakest match along the way
 * @sender: the first creation
 * @from: id of the first sender, as far as it is known
 * @event: the message's number there
 * @n_via: how many communication threads passed it on
 * @via: their ids, in the order of the way
 * @via_ns: when each began to pass it on
 */
typedef struct
{
  KymoMatch  match;
  KymoSender sender;
  gint64     from;
  gint64     event;
  guint      n_via;
  gint64     via[KYMO_MOST_HOPS];
  gint64     via_ns[KYMO_MOST_HOPS];
} KymoWay;

KymoMatch kymo_match_block  (const KymoAsk     *ask,
                             const KymoSegment *segment,
                             guint              block,
                             guint             *hints,
                             KymoSender        *sender);
void      kymo_sent_in      (const KymoAsk     *ask,
                             const KymoSender  *sender,
                             KymoSentIn        *in);
void      kymo_way_of_block (const KymoAsk     *ask,
                             const KymoSegment *segment,
                             guint              block,
                             KymoWay           *way);
gboolean  kymo_block_is_hop (const KymoAsk     *ask,
                             KymoSegment       *segment,
                             guint              block);

static inline gboolean
kymo_sender_is_known (const KymoSender *sender)
{
  return sender->location >= 0;
}

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
 * @sender: of its send
 */
typedef struct
{
  guint      location;
  gint64     from, to;
  gint64     time_ns;
  gint64     bytes;
  guint32    activity;
  KymoSender sender;
} KymoReceipt;

/**
 * KymoDelivery: the receive of a message, as its sender sees it
 * @location: index of the location that received it, or -1: the receive is not in the run
 * @time_ns: when; %KYMO_NULL_INT where it is unknown
 * @block: number of the receiving function's block there, or %KYMO_NO_BLOCK
 * @activity: the function that received it; %G_MAXUINT32 outside of all
 * @begin_ns: of the block; @time_ns outside of all
 */
typedef struct
{
  gint    location;
  gint64  time_ns;
  guint32 block;
  guint32 activity;
  gint64  begin_ns;
} KymoDelivery;

/**
 * KymoTaken: what the receiver recorded of a message
 * @bytes: its size
 * @tag: its tag; %KYMO_NULL_INT of a message that started a block
 * @activity: the block that it started, or the function that took it in; %G_MAXUINT32 outside
 *   of all
 */
typedef struct
{
  gint64  bytes;
  gint64  tag;
  guint32 activity;
} KymoTaken;

void     kymo_taken_of          (const KymoAsk     *ask,
                                 guint              location,
                                 guint              index,
                                 KymoTaken         *taken);
gboolean kymo_is_comm_thread    (const KymoAsk     *ask,
                                 guint              location);
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
void     kymo_delivery_of       (const KymoAsk     *ask,
                                 const KymoSegment *segment,
                                 guint              i,
                                 KymoDelivery      *delivery);

G_END_DECLS
