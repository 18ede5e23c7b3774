/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the CCS server share: the server, what is to be said to a
 * request, and a connection's begin. Of no use to others.
 */
#pragma once

#include "kymo-ccs-server.h"
#include "kymo-ccs-server-auth.h"
#include "kymo-ccs-server-faults.h"
#include "kymo-ccs-server-request.h"
#include "kymo-ccs-server-tape.h"

G_BEGIN_DECLS

/**
 * KymoCcsServer:
 * @auth: (nullable): then only clients with the key are served
 * @connections: (element-type KymoCcsConnection): the open ones
 * @n_asked: requests for the stream so far
 * @timer: to the end, or to opening the port again; or %NULL
 */
struct _KymoCcsServer
{
  GSocketService     *service;
  guint16             port;
  KymoCcsTape        *tape;
  KymoCcsFaults       faults;
  KymoCcsServerAuth  *auth;
  GPtrArray          *connections;
  gint64              n_asked;
  gboolean            refused;
  gboolean            ended;
  GSource            *timer;
};

typedef enum
{
  KYMO_CCS_AFTER_CLOSE,
  KYMO_CCS_AFTER_RESET,
  KYMO_CCS_AFTER_HOLD,          /* until the client closes */
} KymoCcsAfter;

/**
 * KymoCcsReply:
 * @bytes: all that is sent; may be empty
 * @after: what is done then
 * @late_ms: before the first byte
 * @drip: one byte a second
 */
typedef struct
{
  GByteArray   *bytes;
  KymoCcsAfter  after;
  guint         late_ms;
  gboolean      drip;
} KymoCcsReply;

typedef struct _KymoCcsConnection KymoCcsConnection;

void     kymo_ccs_server_answer   (KymoCcsServer              *server,
                                   const KymoCcsServerRequest *request,
                                   KymoCcsReply               *reply);
void     kymo_ccs_connection_open (KymoCcsServer              *server,
                                   GSocketConnection          *stream);
void     kymo_ccs_connection_abandon (KymoCcsConnection       *connection);
void     kymo_ccs_server_closed   (KymoCcsServer              *server,
                                   KymoCcsConnection          *connection);

G_END_DECLS
