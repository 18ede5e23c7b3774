/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between functions as the receiver sees them: one per receive record. In
 * answers about them "from" and "to" are ranks.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoReceipt: a receive and what is known of its send
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
