/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages one by one as the receiver sees them, whatever sent them: what the questions
 * about communication over time, by location and between entry methods count. The rules are
 * those of kymo-communication.c, so that sums agree with its totals: one message is one
 * distinct call that names a source, or one receive record; joined, a way through
 * communication threads counts once, where it arrives. What the question filters by
 * (kymo-message-filter.h) is left out of all figures, and counted apart: what is told and
 * what is left out are together what there is.
 *
 * A message is *matched* where the run has the record of its creation, for the same entry
 * method. Of the others nobody knows when and from where they were sent; they are counted
 * apart.
 *
 * Borrowed: all of it belongs to the question and the run. Each worker walks over segments
 * of its own.
 */
#pragma once

#include "kymo-message-filter.h"

G_BEGIN_DECLS

/** KYMO_OUTSIDE: what ran outside of all entry methods or functions */
#define KYMO_OUTSIDE G_MAXUINT32

/** KYMO_TRAFFIC_OUTSIDE: and what answers call it */
#define KYMO_TRAFFIC_OUTSIDE "(outside)"

/** KYMO_TRAFFIC_UNKNOWN: who sent a message without a record of its creation */
#define KYMO_TRAFFIC_UNKNOWN "(unknown)"

/**
 * KymoTrafficRules: what a question chose
 * @join: ways through communication threads are one message
 * @has_ways: and the run has such threads
 * @exchanges: messages go from rank to rank
 * @filter: which are counted
 */
typedef struct
{
  gboolean          join;
  gboolean          has_ways;
  gboolean          exchanges;
  KymoMessageFilter filter;
} KymoTrafficRules;

/**
 * KymoTrafficMessage:
 * @from: id of the sending location, or rank; of none in the run where the record names another
 * @received_ns: when it was received, or its execution began
 * @bytes: as the receiver recorded them
 * @activity: what it ran, or what received it; or %KYMO_OUTSIDE
 * @sender: the creation of a matched one; else unknown
 * @index: its receive record, or the block that ran, in the segment that received it
 */
typedef struct
{
  gint64     from;
  gint64     received_ns;
  gint64     bytes;
  guint32    activity;
  KymoSender sender;
  guint      index;
} KymoTrafficMessage;

/**
 * KymoTrafficTotals: of all that is counted; where an answer is extrapolated counts are in
 * millionths
 */
typedef struct
{
  gint64 messages, bytes, matched;
  gint64 sent_records, sent_messages, sent_bytes;
} KymoTrafficTotals;

/**
 * KymoTrafficGroups: the state of a question that counts messages by groups
 * @rows: the groups; each begins with its key, a #gint64
 * @last: the group that was looked up last, or %NULL; to be reset where @rows loses groups
 * @coarse: whether the question told fewer groups apart because there were too many
 * @hints: see kymo_traffic_each_received()
 * @totals: of all groups
 * @left_out: of what the filter leaves out
 */
typedef struct
{
  GHashTable        *rows;
  gpointer           last;
  gboolean           coarse;
  guint             *hints;
  KymoTrafficTotals  totals, left_out;
} KymoTrafficGroups;

/** KymoTrafficWeighFunc: multiplies the counts of one of the groups; they are in millionths then */
typedef void (*KymoTrafficWeighFunc) (gpointer            group,
                                 gint64                    weight);

typedef void (*KymoTrafficFunc) (const KymoAsk            *ask,
                                 gpointer                  data,
                                 const KymoSegment        *segment,
                                 const KymoTrafficMessage *message);
typedef void (*KymoTrafficSentFunc) (const KymoAsk        *ask,
                                 gpointer                  data,
                                 const KymoSegment        *segment,
                                 guint                     send);

extern const KymoKeyword kymo_traffic_keywords[];

gboolean kymo_traffic_rules_init  (KymoTrafficRules       *rules,
                                   const KymoAsk          *ask,
                                   GError                **error);
void    kymo_traffic_rules_clear  (KymoTrafficRules       *rules);
void    kymo_traffic_each_received (const KymoAsk         *ask,
                                   const KymoTrafficRules *rules,
                                   KymoSegment            *segment,
                                   gboolean                later,
                                   guint                  *hints,
                                   KymoTrafficTotals      *left_out,
                                   KymoTrafficFunc         func,
                                   gpointer                data);
void    kymo_traffic_each_sent    (const KymoAsk          *ask,
                                   const KymoTrafficRules *rules,
                                   const KymoSegment      *segment,
                                   KymoTrafficTotals      *left_out,
                                   KymoTrafficSentFunc     func,
                                   gpointer                data);
guint32 kymo_traffic_sender_of    (const KymoAsk          *ask,
                                   const KymoSegment      *segment,
                                   guint                   send);
void    kymo_traffic_totals_add_sent (KymoTrafficTotals   *totals,
                                   const KymoSegment      *segment,
                                   guint                   send);
void    kymo_traffic_totals_add_received (KymoTrafficTotals *totals,
                                   const KymoTrafficMessage *message);
void    kymo_traffic_totals_merge (KymoTrafficTotals      *into,
                                   const KymoTrafficTotals *from);
void    kymo_traffic_totals_weigh (KymoTrafficTotals      *totals,
                                   gint64                  weight);
void    kymo_traffic_totals_set   (const KymoTrafficTotals *totals,
                                   const KymoAsk          *ask,
                                   KymoTable              *answer);
void    kymo_traffic_left_out_set (const KymoTrafficTotals *left_out,
                                   const KymoMessageFilter *filter,
                                   const KymoAsk          *ask,
                                   KymoTable              *answer);
gboolean kymo_traffic_prepare     (KymoAsk                *ask,
                                   GError                **error);
void     kymo_traffic_release     (KymoAsk                *ask);
gpointer kymo_traffic_groups_new  (const KymoAsk          *ask);
void     kymo_traffic_groups_free (gpointer                groups);
gpointer kymo_traffic_groups_find (KymoTrafficGroups      *groups,
                                   gint64                  key,
                                   gsize                   bytes,
                                   gboolean               *is_new);
void     kymo_traffic_groups_count (KymoTrafficGroups     *groups,
                                   const KymoAsk          *ask,
                                   KymoSegment            *segment,
                                   KymoTrafficFunc         received,
                                   KymoTrafficSentFunc     sent);
void     kymo_traffic_groups_weigh (KymoTrafficGroups     *groups,
                                   gint64                  weight,
                                   KymoTrafficWeighFunc    weigh);
const char *kymo_traffic_of       (const KymoQuestion     *question);
gint64  kymo_traffic_send_bytes   (const KymoSegment      *segment,
                                   guint                   send);

G_END_DECLS
