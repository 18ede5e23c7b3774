/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of messages that a block hangs on: back from it to the block that sent the
 * message that started it, from there to what started that one, and so on, to one that
 * no message started, or whose message is unknown; or forward to the block that ends
 * last of all that it caused, directly and through others. Every block that a message
 * starts has one cause, so that what a block caused is a tree, and the way to its last
 * block is one.
 *
 * What no message started may still have a cause: the block it is nested in; or the one
 * right before it, of the same element of a chare array and without a pause between them,
 * as it is with what waits for several messages (SDAG) and runs behind the last of them.
 *
 * What differs from the critical path: a message is followed whether its receiver waited
 * for it or not. From the sending to the begin of the block it was first on its way and
 * then waited behind other work: the length of this wait is not recorded, but while the
 * receiver was idle it cannot have been there; so "queue" is from the end of the last
 * idle time before the block, or from the sending, and is the longest that it can be.
 *
 * Between functions that exchange messages the chain back is that of the critical path
 * (kymo-critical-path.h) from where it begins; a message there takes no time of its own.
 * It begins with what ran at a time: with the stretch of a call in which nothing else is
 * nested, for the call around all others would be the whole run. Forward it is the same
 * the other way round: of all moments whose chain back leads through that stretch it is
 * the chain of the last one. So it goes from the stretch on in its location, and over to
 * another one at the end of each wait for it (kymo-waits.h); a message that nobody waited
 * for delayed nothing and is no part of it.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

typedef enum
{
  KYMO_CHAIN_BLOCK,             /* a block, as far as the chain runs through it */
  KYMO_CHAIN_MESSAGE,           /* on its way; takes less than nothing where clocks disagree */
  KYMO_CHAIN_QUEUE,             /* it waited at its receiver, at most so long */
  KYMO_CHAIN_OTHER,             /* no block: idle, overhead, untraced */
  KYMO_N_CHAIN_KINDS,
} KymoChainKind;

/**
 * KymoChainEnd: why a chain goes no further back
 * @KYMO_CHAIN_STARTED: no message started its first block
 * @KYMO_CHAIN_UNMATCHED: the sending of the message that did is unknown
 * @KYMO_CHAIN_UNCERTAIN: what was sent under its number is for another entry method
 * @KYMO_CHAIN_OUTSIDE: it was sent outside of all blocks
 * @KYMO_CHAIN_ROUND: it was sent by a block that is on the chain already (clocks disagree)
 * @KYMO_CHAIN_BEGIN: at the begin of the run
 * @KYMO_CHAIN_REACHED: at the block that it was to begin with
 */
typedef enum
{
  KYMO_CHAIN_STARTED,
  KYMO_CHAIN_UNMATCHED,
  KYMO_CHAIN_UNCERTAIN,
  KYMO_CHAIN_OUTSIDE,
  KYMO_CHAIN_ROUND,
  KYMO_CHAIN_BEGIN,
  KYMO_CHAIN_REACHED,
} KymoChainEnd;

/**
 * KymoChainStep: they touch: each ends where the next one begins
 * @state: of the track; of messages and queues what they start
 * @location: index in the run; of a message the receiver
 * @from: of a message the sender
 */
typedef struct
{
  KymoChainKind kind;
  guint32       state;
  guint         location;
  guint         from;
  gint64        begin_ns, end_ns;
  gint64        bytes;
} KymoChainStep;

/**
 * KymoChain:
 * @steps: #KymoChainStep, the last one first
 * @caused: of one forward: how many blocks are in the tree, without the first; of
 *   functions how many calls waited for it, directly or through others
 * @caused_ns: how long they took, or waited, together
 */
typedef struct
{
  GArray       *steps;
  KymoChainEnd  end;
  gint64        caused, caused_ns;
} KymoChain;

KymoChain *kymo_chain_back    (const KymoAsk    *ask,
                               KymoSegment      *segment,
                               guint             block,
                               gint64            until_ns);
KymoChain *kymo_chain_forward (const KymoAsk    *ask,
                               KymoSegment      *segment,
                               guint             block,
                               GError          **error);
KymoChain *kymo_chain_of_functions (const KymoAsk *ask,
                               guint             location,
                               gint64            time_ns,
                               GError          **error);
KymoChain *kymo_chain_forward_of_functions (const KymoAsk *ask,
                               guint             location,
                               gint64            time_ns,
                               GError          **error);
KymoChain *kymo_chain_new     (void);
void       kymo_chain_set_nothing_there (const KymoAsk *ask,
                               guint             location,
                               gint64            time_ns,
                               GError          **error);
gint64     kymo_chain_queued_since (const KymoSegment *segment,
                               gint64             sent_ns,
                               gint64             begin_ns);
void       kymo_chain_free    (KymoChain        *chain);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoChain, kymo_chain_free)

G_END_DECLS
