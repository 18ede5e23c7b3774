/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The port of rank 0: requests of the Converse Client Server come in, answers of a store go out.
 * One request is one connection. What comes is not trusted: a request is bounded in bytes and in
 * time, and the connection is closed where it makes no sense. One thread, which never waits here.
 */
#pragma once

#include <poll.h>

#include "kymo-live-key.h"
#include "kymo-live-store.h"

#define KYMO_LIVE_MOST_CLIENTS 32
#define KYMO_LIVE_MOST_REQUEST 4096     /* bytes */

typedef enum
{
  KYMO_LIVE_ASKING,             /* the request is not whole */
  KYMO_LIVE_CHALLENGED,         /* a login waits for the signature */
  KYMO_LIVE_ANSWERING
} KymoLiveClientState;

typedef struct
{
  int fd;                       /* -1: free */
  KymoLiveClientState state;
  uint64_t since_ns;
  uint8_t in[KYMO_LIVE_MOST_REQUEST];
  size_t n_in;
  uint8_t *out;
  size_t out_room, n_out, out_at;
  uint32_t challenge;
} KymoLiveClient;

typedef struct
{
  int fd;                       /* that listens; -1 = none */
  KymoLiveKeys *keys;           /* NULL: none are needed */
  KymoLiveStore *store;
  KymoLiveClient clients[KYMO_LIVE_MOST_CLIENTS];
  uint64_t n_refused;
  uint64_t asked_ns;            /* when something was asked for last; 0 = never */
} KymoLiveCcs;

#pragma GCC visibility push (hidden)

void     kymo_live_ccs_init  (KymoLiveCcs         *ccs,
                              KymoLiveStore       *store,
                              KymoLiveKeys        *keys,
                              int                  fd);
void     kymo_live_ccs_clear (KymoLiveCcs         *ccs);
unsigned kymo_live_ccs_poll  (const KymoLiveCcs   *ccs,
                              struct pollfd       *fds);
void     kymo_live_ccs_work  (KymoLiveCcs         *ccs,
                              uint64_t             now_ns);

#pragma GCC visibility pop
