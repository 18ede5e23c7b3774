/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A connection of the tree: messages with a length, in both directions, without waiting. What
 * cannot be sent yet is kept, up to a limit. One thread at a time; nothing here allocates with
 * malloc().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KYMO_LINK_MOST_BYTES (256u << 10)       /* of a message */
#define KYMO_LINK_MOST_KEPT (8u << 20)          /* bytes that wait to be sent */

/* What stands before a message. */
typedef struct
{
  uint32_t magic;               /* KYMO_LINK_MAGIC */
  uint32_t kind;
  uint32_t from;                /* rank of who told it first */
  uint32_t n_bytes;             /* that follow */
} KymoLinkHead;

#define KYMO_LINK_MAGIC 0x3156694bu

typedef struct
{
  int fd;                       /* -1: there is no connection */
  uint32_t rank;                /* of the other end */
  uint8_t *in;
  size_t n_in;
  uint8_t *out;
  size_t out_room, out_at, n_out;       /* bytes to send are out[out_at] … out[n_out] */
  uint64_t n_dropped;           /* messages for which there was no room */
} KymoLiveLink;

#pragma GCC visibility push (hidden)

void kymo_live_link_init  (KymoLiveLink *link);
void kymo_live_link_open  (KymoLiveLink *link,
                           int           fd,
                           uint32_t      rank);
void kymo_live_link_close (KymoLiveLink *link);
bool kymo_live_link_put   (KymoLiveLink *link,
                           uint32_t      kind,
                           uint32_t      from,
                           const void   *bytes,
                           size_t        n_bytes);
bool kymo_live_link_write (KymoLiveLink *link);
void kymo_live_link_forget (KymoLiveLink *link);
bool kymo_live_link_read  (KymoLiveLink *link);
void kymo_live_link_drain (KymoLiveLink *link);
bool kymo_live_link_peek  (KymoLiveLink *link,
                           KymoLinkHead *head,
                           const uint8_t **bytes);
void kymo_live_link_drop  (KymoLiveLink *link);
bool kymo_live_link_waits (const KymoLiveLink *link);

#pragma GCC visibility pop
