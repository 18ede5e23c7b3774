/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the kind messages share: kymo-messages.c (the question, and what is
 * received in a range), -groups (what is under way in it, as a picture wants it), -table
 * (single ones), -block (what a block was started by and what
 * it caused) and -fan (who depended on whom in a collective call).
 */
#pragma once

#include "kymo-arrivals.h"
#include "kymo-message-filter.h"
#include "kymo-ways.h"

G_BEGIN_DECLS

/**
 * KymoMessageKind:
 * @KYMO_MESSAGE_MATCHED: both ends are known
 * @KYMO_MESSAGE_UNCERTAIN: what was sent under that number is for another entry method
 * @KYMO_MESSAGE_UNMATCHED: its sending is not known
 * @KYMO_MESSAGE_OPEN: its arrival is not known
 */
typedef enum
{
  KYMO_MESSAGE_MATCHED,
  KYMO_MESSAGE_UNCERTAIN,
  KYMO_MESSAGE_UNMATCHED,
  KYMO_MESSAGE_OPEN,
  KYMO_N_MESSAGE_KINDS,
} KymoMessageKind;

/**
 * KymoMessagePlan:
 * @limit: above this number messages are grouped
 * @crossing: all that are under way in the range, not those alone that arrive in it
 * @columns: most stretches of time that groups are made by
 * @rows: most bands of locations that groups are made by
 * @group: the least number of locations in a band
 * @of_block: those of one block
 * @index: its location in the run
 * @time_ns: a time in it
 * @back: what started it
 * @forward: what it caused
 * @halves: those of which one half is not recorded alone, sent ones, too
 * @filter: of others nothing is told
 */
typedef struct
{
  gint64   limit;
  gboolean crossing;
  gint64   columns, rows, group;
  gboolean of_block;
  gint     index;
  gint64   time_ns;
  gboolean back, forward;
  gboolean halves;
  KymoMessageFilter filter;
} KymoMessagePlan;

/**
 * KymoMessage:
 * @sent_ns: %KYMO_NULL_INT where it is unknown
 * @begin_ns: when its execution began, or %KYMO_NULL_INT
 * @to: id (a rank, between functions), or %KYMO_NULL_INT
 * @activity: what it started, or %G_MAXUINT32
 * @location: index of the receiver; of an open one of the sender
 * @index: which record there
 */
typedef struct
{
  gint64          sent_ns, begin_ns;
  gint64          to, bytes;
  guint32         activity;
  guint           location;
  guint           index;
  KymoMessageKind kind;
  KymoWay         way;
} KymoMessage;

gboolean   kymo_message_is_wanted    (const KymoAsk     *ask,
                                      guint              receiver,
                                      guint              index,
                                      const KymoSender  *sender);
gboolean   kymo_open_is_wanted       (const KymoAsk     *ask,
                                      const KymoSegment *segment,
                                      guint              send);
const char *kymo_message_kind_to_string (KymoMessageKind kind);
void       kymo_message_of_receiver (const KymoAsk     *ask,
                                     guint              receiver,
                                     guint              index,
                                     KymoMessage       *message);
void       kymo_message_of_open     (const KymoAsk     *ask,
                                     const KymoSegment *sender,
                                     guint              send,
                                     KymoMessage       *message);
gboolean   kymo_send_is_open        (const KymoAsk     *ask,
                                     const KymoArrivals *arrivals,
                                     const KymoSegment *sender,
                                     guint              send);
KymoTable *kymo_messages_to_table   (const KymoAsk     *ask,
                                     GArray            *messages,
                                     gboolean           both_ends);
const char *kymo_message_half        (const KymoAsk     *ask,
                                      const KymoMessage *message);
KymoTable *kymo_messages_under_way  (const KymoAsk     *ask,
                                     GError           **error);
char      *kymo_messages_dup_label  (const KymoAsk     *ask,
                                     guint              first,
                                     guint              last);
void       kymo_messages_set_fan    (const KymoAsk     *ask,
                                     KymoTable         *answer);
KymoTable *kymo_messages_of_block   (const KymoAsk     *ask,
                                     GError           **error);

G_END_DECLS
