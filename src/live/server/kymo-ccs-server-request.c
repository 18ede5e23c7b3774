/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-ccs-server-request.h"

#include <string.h>

#define FIRST_BYTES 4
#define LOGIN_BYTES 8
#define CALL_BYTES 32
#define HANDLER_BYTES 32

static guint32
read_u32 (const guint8 *at)
{
  return (guint32) at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static KymoCcsScan
need (gsize  n_bytes,
      gsize  wanted,
      gsize *n_needed)
{
  *n_needed = wanted;
  return n_bytes < wanted ? KYMO_CCS_SCAN_MORE : KYMO_CCS_SCAN_WHOLE;
}

/* From the plain header on. The data are awaited, not looked at: no handler
   that is offered takes any. */
static KymoCcsScan
scan_header (const guint8         *bytes,
             gsize                 n_bytes,
             gsize                 at,
             KymoCcsServerRequest *request,
             gsize                *n_needed)
{
  gsize list_bytes;

  if (need (n_bytes, at + KYMO_CCS_HEADER_BYTES, n_needed) == KYMO_CCS_SCAN_MORE)
    return KYMO_CCS_SCAN_MORE;
  request->header = bytes + at;
  request->n_data = read_u32 (request->header);
  request->destination = (gint32) read_u32 (request->header + 4);
  memcpy (request->handler, request->header + 8, HANDLER_BYTES);
  request->handler[HANDLER_BYTES] = 0;
  /* The smallest number has no positive twin. */
  list_bytes = request->destination < -1 ? 4 * (gsize) -(gint64) request->destination : 0;
  if (request->n_data > KYMO_CCS_MAX_DATA_BYTES || list_bytes > KYMO_CCS_MAX_DATA_BYTES)
    return KYMO_CCS_SCAN_REFUSED;
  request->n_pes = list_bytes / 4;
  request->pes = list_bytes > 0 ? request->header + KYMO_CCS_HEADER_BYTES : NULL;
  return need (n_bytes, at + KYMO_CCS_HEADER_BYTES + list_bytes + request->n_data, n_needed);
}

static KymoCcsScan
scan_authenticated (const guint8         *bytes,
                    gsize                 n_bytes,
                    KymoCcsServerRequest *request,
                    gsize                *n_needed)
{
  if (bytes[1] != 0 || bytes[2] > 1)
    return KYMO_CCS_SCAN_REFUSED;
  request->kind = bytes[2] == 1 ? KYMO_CCS_LOGIN : KYMO_CCS_CALL;
  request->level = bytes[3];
  if (request->kind == KYMO_CCS_LOGIN)
    {
      KymoCcsScan scan = need (n_bytes, LOGIN_BYTES, n_needed);

      if (scan == KYMO_CCS_SCAN_WHOLE)
        request->salt = read_u32 (bytes + 4);
      return scan;
    }
  if (need (n_bytes, CALL_BYTES, n_needed) == KYMO_CCS_SCAN_MORE)
    return KYMO_CCS_SCAN_MORE;
  request->client = read_u32 (bytes + 4);
  request->salt = read_u32 (bytes + 8);
  request->hash = bytes + 12;
  return scan_header (bytes, n_bytes, CALL_BYTES, request, n_needed);
}

/**
 * kymo_ccs_server_request_scan:
 * @bytes: all that came so far
 * @n_bytes: of them
 * @request: (out): filled where the request is whole; it points into @bytes
 * @n_needed: (out): bytes up to where more can be told, in all; never more
 *   than some 131,200
 *
 * Looks at a request that may not be whole yet. Of a login it sees the first
 * message alone.
 *
 * Returns: what is to be done
 */
KymoCcsScan
kymo_ccs_server_request_scan (const guint8         *bytes,
                              gsize                 n_bytes,
                              KymoCcsServerRequest *request,
                              gsize                *n_needed)
{
  memset (request, 0, sizeof *request);
  *n_needed = FIRST_BYTES;
  if (n_bytes > 0 && bytes[0] >= 0x20 && bytes[0] != 0x80)
    return KYMO_CCS_SCAN_REFUSED;
  if (n_bytes < FIRST_BYTES)
    return KYMO_CCS_SCAN_MORE;
  if (bytes[0] == 0x80)
    return scan_authenticated (bytes, n_bytes, request, n_needed);
  request->kind = KYMO_CCS_PLAIN;
  return scan_header (bytes, n_bytes, 0, request, n_needed);
}

/**
 * kymo_ccs_server_request_is_to:
 * @request: a whole one
 * @n_pes: that the program has
 *
 * Returns: whether there are such PEs
 */
gboolean
kymo_ccs_server_request_is_to (const KymoCcsServerRequest *request,
                               guint                       n_pes)
{
  if (request->destination >= -1)
    return request->destination == -1 || (guint) request->destination < n_pes;
  for (guint i = 0; i < request->n_pes; i++)
    if (read_u32 (request->pes + 4 * (gsize) i) >= n_pes)
      return FALSE;
  return TRUE;
}
