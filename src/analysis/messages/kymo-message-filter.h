/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which messages one wants to see, whichever way they are told: large ones alone
 * ("least-bytes"), of functions those with a tag ("tag"), and none from or to names that are
 * left out ("hide": a list of names, see kymo-name-list.h). Single messages, lines of a
 * timeline and all sums of them go by the same filter.
 *
 * Of a message that was received the receiver's record counts: its bytes, tag and name; of
 * one that was not received, or of a record of sending alone, the sender's.
 */
#pragma once

#include "kymo-ways.h"

G_BEGIN_DECLS

/**
 * KymoMessageFilter:
 * @is_on: anything may be left out
 * @least_bytes: smaller ones are
 * @has_tag: those without @tag are
 * @hidden: (nullable): by activity: what these send or receive is
 * @n_activities: length of @hidden
 * @n_hidden: how many names of the run that is
 */
typedef struct
{
  gboolean  is_on;
  gint64    least_bytes;
  gboolean  has_tag;
  gint64    tag;
  gboolean *hidden;
  guint     n_activities;
  guint     n_hidden;
} KymoMessageFilter;

gboolean kymo_message_filter_init  (KymoMessageFilter       *filter,
                                    const KymoAsk           *ask,
                                    GError                 **error);
void     kymo_message_filter_clear (KymoMessageFilter       *filter);
gboolean kymo_message_filter_takes (const KymoMessageFilter *filter,
                                    const KymoAsk           *ask,
                                    guint                    receiver,
                                    guint                    index,
                                    const KymoSender        *sender);
gboolean kymo_message_filter_takes_send
                                   (const KymoMessageFilter *filter,
                                    const KymoAsk           *ask,
                                    const KymoSegment       *segment,
                                    guint                    send);
char    *kymo_comm_dup_name        (const KymoRun           *run,
                                    guint32                  comm);
void     kymo_message_filter_set   (const KymoMessageFilter *filter,
                                    KymoTable               *answer);

G_END_DECLS
