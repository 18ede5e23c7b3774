/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: what comes to a CCS server, and a stream in the other
 * byte order. A request is told alike however its bytes arrive; who swaps a
 * block twice has it back.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "kymo-ccs-server-faults.h"
#include "kymo-ccs-server-request.h"

/* seal, header, list, data */
#define MOST_BYTES (32 + KYMO_CCS_HEADER_BYTES + 2 * KYMO_CCS_MAX_DATA_BYTES)

static void
look_at_whole (const guint8               *data,
               gsize                       n_needed,
               const KymoCcsServerRequest *request)
{
  fuzz_require (memchr (request->handler, 0, sizeof request->handler) != NULL);
  fuzz_require ((request->kind == KYMO_CCS_LOGIN) == (request->header == NULL));
  fuzz_require ((request->kind == KYMO_CCS_CALL) == (request->hash != NULL));
  if (request->header == NULL)
    return;
  fuzz_require (request->header >= data
                && request->header + KYMO_CCS_HEADER_BYTES + 4 * (gsize) request->n_pes
                   + request->n_data == data + n_needed);
  fuzz_require (request->n_pes == 0 || request->destination < -1);
  for (guint n = 0; n < 3; n++)
    if (kymo_ccs_server_request_is_to (request, n))
      fuzz_require (kymo_ccs_server_request_is_to (request, n + 1));
}

/* As a connection does it: so many bytes as are needed, until all is told. */
static void
read_request (const guint8 *data,
              gsize         size)
{
  KymoCcsServerRequest request, again;
  gsize n_needed, n_same, n = MIN (size, 1);
  KymoCcsScan scan;

  while ((scan = kymo_ccs_server_request_scan (data, n, &request, &n_needed)) == KYMO_CCS_SCAN_MORE)
    {
      fuzz_require (n_needed > n && n_needed <= MOST_BYTES);
      if (n_needed > size)
        return;
      n = n_needed;
    }
  fuzz_require (kymo_ccs_server_request_scan (data, size, &again, &n_same) == scan);
  if (scan != KYMO_CCS_SCAN_WHOLE)
    return;
  fuzz_require (n_needed == n && n_same == n && memcmp (&request, &again, sizeof again) == 0);
  look_at_whole (data, n_needed, &request);
}

static void
swap_twice (const guint8  *data,
            gsize          size,
            KymoStreamKind kind)
{
  KymoStreamForm little = { kind, FALSE, 4 }, big = { kind, TRUE, 4 };
  g_autoptr (GBytes) payload = g_bytes_new (data, size);
  g_autoptr (GBytes) swapped = kymo_ccs_faults_swap (&little, payload);
  g_autoptr (GBytes) back = kymo_ccs_faults_swap (&big, swapped);

  fuzz_require (g_bytes_equal (payload, back));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  read_request (data, size);
  for (guint kind = 0; kind < KYMO_STREAM_N_KINDS; kind++)
    swap_twice (data, size, kind);
  return 0;
}
