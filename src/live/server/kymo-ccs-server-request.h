/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a client asks of a CCS server, read from its first bytes. All numbers
 * are big endian:
 *
 *   plain:   int32 bytes of data (so the first byte is below 0x20)
 *            int32 destination: a PE; -1 all; -n a list of n PEs
 *            char[32] handler, NUL padded
 *            n int32 PEs, where there is a list; data
 *   call:    80 00 00 level, client (4), salt of the reply (4), hash (20),
 *            and then as plain
 *   login:   80 00 01 level, challenge (4)
 *
 * A plain value over bytes that are not its own; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** bytes of a plain request before its list and data */
#define KYMO_CCS_HEADER_BYTES 40
/** data, or a list of PEs, that is longer is refused */
#define KYMO_CCS_MAX_DATA_BYTES (64 << 10)

typedef enum
{
  KYMO_CCS_SCAN_MORE,           /* so far so good; more bytes are needed */
  KYMO_CCS_SCAN_WHOLE,
  KYMO_CCS_SCAN_REFUSED,        /* no request, or one that is too long */
} KymoCcsScan;

typedef enum
{
  KYMO_CCS_PLAIN,
  KYMO_CCS_CALL,
  KYMO_CCS_LOGIN,
} KymoCcsRequestKind;

/**
 * KymoCcsServerRequest:
 * @level: of the key, calls and logins
 * @client: number the login gave
 * @salt: of the reply; the client's challenge in a login
 * @hash: (nullable): 20 bytes over @header
 * @header: (nullable): where the 40 bytes of the plain header begin
 * @destination: as sent
 * @n_pes: in the list
 * @pes: (nullable): int32, big endian, unaligned
 * @handler: always ended by a NUL
 */
typedef struct
{
  KymoCcsRequestKind kind;
  guint8             level;
  guint32            client;
  guint32            salt;
  const guint8      *hash;
  const guint8      *header;
  gint32             destination;
  guint              n_pes;
  const guint8      *pes;
  char               handler[33];
  guint              n_data;
} KymoCcsServerRequest;

KymoCcsScan kymo_ccs_server_request_scan  (const guint8         *bytes,
                                           gsize                 n_bytes,
                                           KymoCcsServerRequest *request,
                                           gsize                *n_needed);
gboolean    kymo_ccs_server_request_is_to (const KymoCcsServerRequest *request,
                                           guint                 n_pes);

G_END_DECLS
