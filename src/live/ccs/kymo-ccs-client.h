/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks the Converse Client Server of a running program: one request is one
 * connection; one request at a time. Memory is bounded (a reply is read in
 * pieces, and none that is too long), and so is time.
 *
 * Everything happens in the thread-default main context of the thread that
 * made the client, which alone may use it. A callback may free the client.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-ccs-auth.h"

G_BEGIN_DECLS

#define KYMO_CCS_ERROR (kymo_ccs_error_quark ())

/**
 * KymoCcsError: how a request failed
 * @KYMO_CCS_ERROR_NO_HOST: the name is unknown
 * @KYMO_CCS_ERROR_REFUSED: no program listens
 * @KYMO_CCS_ERROR_NETWORK: the host cannot be reached, or is silent
 * @KYMO_CCS_ERROR_RESET: reset before the first byte of a reply
 * @KYMO_CCS_ERROR_CLOSED: closed before the first byte of a reply
 * @KYMO_CCS_ERROR_LATE: connected, but not a byte of a reply in time
 * @KYMO_CCS_ERROR_CUT: broken off within a reply
 * @KYMO_CCS_ERROR_SLOW: a reply that does not get on
 * @KYMO_CCS_ERROR_LONG: a reply that tells an impossible length
 * @KYMO_CCS_ERROR_DENIED: the key is not the server's, or the server is not
 *   the one that has it
 * @KYMO_CCS_ERROR_FAILED: all else (no sockets left, …)
 */
typedef enum
{
  KYMO_CCS_ERROR_NO_HOST,
  KYMO_CCS_ERROR_REFUSED,
  KYMO_CCS_ERROR_NETWORK,
  KYMO_CCS_ERROR_RESET,
  KYMO_CCS_ERROR_CLOSED,
  KYMO_CCS_ERROR_LATE,
  KYMO_CCS_ERROR_CUT,
  KYMO_CCS_ERROR_SLOW,
  KYMO_CCS_ERROR_LONG,
  KYMO_CCS_ERROR_DENIED,
  KYMO_CCS_ERROR_FAILED,
} KymoCcsError;

GQuark kymo_ccs_error_quark (void);

/**
 * KymoCcsTimes: how long is waited, microseconds
 * @connect_us: for a connection, all addresses of a name together
 * @answer_us: from the request to the first byte of the reply. PE 0 answers
 *   between two entry methods, however long they are, and who gives up loses
 *   what it will send
 * @reply_us: from the first byte of the reply to the last
 */
typedef struct
{
  gint64 connect_us;
  gint64 answer_us;
  gint64 reply_us;
} KymoCcsTimes;

extern const KymoCcsTimes kymo_ccs_times;

typedef struct _KymoCcsClient KymoCcsClient;

/* Either `reply` or `error` is NULL. */
typedef void (*KymoCcsReplied) (GBytes       *reply,
                                const GError *error,
                                gpointer      data);

KymoCcsClient *kymo_ccs_client_new     (const char          *host,
                                        guint16              port,
                                        const char          *shown_as,
                                        KymoCcsAuth         *auth,
                                        const KymoCcsTimes  *times);
void           kymo_ccs_client_free    (KymoCcsClient       *client);
void           kymo_ccs_client_set_port (KymoCcsClient      *client,
                                        guint16              port);
void           kymo_ccs_client_ask     (KymoCcsClient       *client,
                                        gint32               pe,
                                        const char          *handler,
                                        GBytes              *data,
                                        KymoCcsReplied       replied,
                                        gpointer             user_data);
void           kymo_ccs_client_cancel  (KymoCcsClient       *client);
gboolean       kymo_ccs_client_has_asked (const KymoCcsClient *client);
gint64         kymo_ccs_client_get_told (const KymoCcsClient *client);
gint64         kymo_ccs_client_get_bytes_sent (const KymoCcsClient *client);
gboolean       kymo_ccs_client_has_connected (const KymoCcsClient *client);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsClient, kymo_ccs_client_free)

G_END_DECLS
