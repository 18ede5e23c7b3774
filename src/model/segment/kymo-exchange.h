/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a location exchanges from inside its functions, as MPI does: each send names
 * whom it is for, and each receive is a record of its own. Beside the sends of the
 * segment, whose times, sizes and activities stand there; send i here is send i there.
 *
 * Partners are *ranks*: numbers of processes (KymoLocation.process), for the thread of
 * a partner is not recorded. kymo_run_match_exchanges() finds for each receive its
 * send: first in, first out by sender, receiver, tag and communicator, in order of
 * time where several threads of a rank do it. Where the begin of a record is cut away,
 * and its end is not, it is last with last.
 *
 * When a receive was there tells kymo_segment_receive_time(): the column is one of the
 * times of the segment.
 *
 * Life: made with its segment on one thread; matched once, when all segments of the
 * run are there, before it is sealed; immutable after. Belongs to the segment.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

struct _KymoRun;

/** KYMO_UNMATCHED: there is no such record in the run */
#define KYMO_UNMATCHED G_MAXUINT32

/**
 * KymoExchange:
 * @send_partner: rank sent to
 * @send_comm: number of the communicator, 0 where none is recorded
 * @send_block: the innermost block around it, or %KYMO_NO_BLOCK
 * @send_request: (nullable): number of its request in the location, from 1; 0 = it blocks;
 *   %NULL where all do. Asides of the segment have the same number
 * @send_location: (nullable): index of the receiving location, or %KYMO_UNMATCHED
 * @send_receive: (nullable): the receive there
 * @receive_time: when it was there for the function that received it: times of the
 *   segment
 * @receive_partner: rank that sent it
 * @receive_bytes: as the receiver recorded it; at most %G_MAXUINT32
 * @receive_block: the innermost block around it, or %KYMO_NO_BLOCK
 * @receive_request: (nullable): the same as @send_request
 * @receive_location: (nullable): index of the sending location, or %KYMO_UNMATCHED
 * @receive_send: (nullable): the send there
 */
typedef struct
{
  guint    n_sends;
  gint32  *send_partner;
  gint32  *send_tag;
  guint32 *send_comm;
  guint32 *send_block;
  guint32 *send_request;
  guint32 *send_location;
  guint32 *send_receive;
  guint    n_receives;
  gpointer receive_time;
  gint32  *receive_partner;
  gint32  *receive_tag;
  guint32 *receive_comm;
  guint32 *receive_bytes;
  guint32 *receive_block;
  guint32 *receive_request;
  guint32 *receive_location;
  guint32 *receive_send;
  guint    cap_sends, cap_receives;     /* of who makes it */
  gboolean columns_lent, matches_lent;  /* they belong to the segment's backing; the
                                           matches are the locations, receives of sends
                                           and sends of receives */
} KymoExchange;

/**
 * KymoExchangeCut: what the record of a location lacks
 * @KYMO_CUT_BEGIN: messages before its first one
 * @KYMO_CUT_END: messages behind its last one
 */
typedef enum
{
  KYMO_CUT_BEGIN = 1 << 0,
  KYMO_CUT_END = 1 << 1,
} KymoExchangeCut;

KymoExchange *kymo_exchange_new        (void);
void          kymo_exchange_free       (KymoExchange       *exchange);
void          kymo_exchange_free_matches (KymoExchange     *exchange);
/* Finds the send of each receive and the receive of each send. */
void          kymo_run_match_exchanges (struct _KymoRun    *run,
                                        guint               n_threads,
                                        GCancellable       *cancellable);
void          kymo_run_match_cut_exchanges (struct _KymoRun *run,
                                        const guint8       *cuts,
                                        guint               n_threads,
                                        GCancellable       *cancellable);
gboolean      kymo_exchange_send_is_half (const KymoExchange *exchange,
                                        guint               send);
gboolean      kymo_exchange_receive_is_half (const KymoExchange *exchange,
                                        guint               receive);
guint64       kymo_run_count_halves    (const struct _KymoRun *run);

G_END_DECLS
