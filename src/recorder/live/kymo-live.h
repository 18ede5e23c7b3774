/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live view of a recorded job: what the rest of the recorder calls.
 *
 * With --live the processes of a job form a tree. Each has a helper thread that holds a connection
 * to its parent and to its children; rank 0 is the root and serves the stream. In MPI_Init every
 * process opens its sockets (kymo_live_open()), all exchange their cards by one MPI_Allgather, and
 * each joins the tree (kymo_live_join()). Where there is no MPI, the process is a tree of its own.
 *
 * Besides the stream the tree carries messages. Down from rank 0 to all processes:
 *
 *     static void
 *     take_order (uint32_t from, const void *bytes, uint32_t n_bytes)
 *     ...
 *     kymo_live_on (KYMO_LIVE_ORDER, take_order);          in a constructor or a start hook
 *     kymo_live_tell_all (KYMO_LIVE_ORDER, &order, sizeof order);      on rank 0, from any thread
 *
 * and up from any process to rank 0 with kymo_live_tell_root(). A message is taken on the helper
 * thread of each process (of rank 0 too), which nothing else must be kept waiting for: take
 * functions set flags or start threads, allocate nothing of the program's, and do not block. A
 * message that is told before the tree is complete, or after it has ended, reaches nobody
 * (returned as false). Order is kept between two processes and a kind. Bytes are trusted as far as
 * their sender is a process of the job: connections present a secret of the job; but lengths are
 * for the receiver to check.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#define KYMO_LIVE_MOST_MESSAGE 65536    /* bytes of a message of the kinds below */

/* Kinds of messages. Appended to; less than KYMO_LIVE_N_KINDS. */
typedef enum
{
  KYMO_LIVE_ORDER = 16,         /* down: what processes are to do */
  KYMO_LIVE_ANSWER = 17,        /* up: what became of it */
  KYMO_LIVE_LOST = 18,          /* up: KymoLiveLost, from the process that was above it */
  KYMO_LIVE_TEST = 31,
  KYMO_LIVE_N_KINDS = 32
} KymoLiveKind;

/* A process is not in the tree any more, or is again. */
typedef struct
{
  uint32_t rank;
  uint32_t is_lost;
} KymoLiveLost;

/* What a process tells the others of itself; the bytes are those of all machines of a job. */
typedef struct
{
  uint64_t node;                /* equal for processes that reach each other by unix sockets */
  uint64_t now_ns;              /* CLOCK_MONOTONIC; of rank 0: when the stream begins */
  uint8_t secret[32];           /* that of rank 0 is the job's */
  char socket_name[32];         /* abstract name of the unix socket; empty: there is none */
  uint8_t address[4];           /* IPv4, network order */
  uint16_t port;                /* 0: not reachable from other nodes */
  uint16_t open;                /* 1: this process takes part */
  uint8_t unused[24];
} KymoLiveCard;

_Static_assert (sizeof (KymoLiveCard) == 112, "a card has no padding");

/**
 * KymoLiveTake: takes a message, on the helper thread.
 * @from: rank of the process that told it
 * @bytes: the message, valid during the call
 */
typedef void (*KymoLiveTake) (uint32_t from, const void *bytes, uint32_t n_bytes);

/**
 * KymoLiveGuest: what the helper thread of rank 0 does beside its own work
 * @start: the job is complete
 * @poll: (out) at most KYMO_LIVE_GUEST_FDS descriptors to wait for. Returns how many
 * @work: something has come, or up to a second has passed
 * @is_busy: whether there is something to send yet, when the program ends
 * @end: the stream has ended
 */
typedef struct
{
  void     (*start)   (uint32_t       n_processes);
  unsigned (*poll)    (struct pollfd *fds);
  void     (*work)    (void);
  bool     (*is_busy) (void);
  void     (*end)     (void);
} KymoLiveGuest;

#define KYMO_LIVE_GUEST_FDS 20

#pragma GCC visibility push (hidden)

bool kymo_live_is_wanted (void);
bool kymo_live_open      (KymoLiveCard       *card);
void kymo_live_join      (const KymoLiveCard *cards,
                          uint32_t            n_cards,
                          uint32_t            rank,
                          int64_t             offset_ns);
void kymo_live_on        (KymoLiveKind        kind,
                          KymoLiveTake        take);
void kymo_live_set_guest (const KymoLiveGuest *guest);
int64_t kymo_live_now_ns (uint64_t           *ticks);
uint32_t kymo_live_extreme (bool              busiest,
                          uint32_t            n,
                          uint32_t           *ranks);
const char *
     kymo_live_address   (void);
void kymo_live_wake      (void);
uint32_t kymo_live_rank (void);
bool kymo_live_tell_all  (KymoLiveKind        kind,
                          const void         *bytes,
                          uint32_t            n_bytes);
bool kymo_live_tell_root (KymoLiveKind        kind,
                          const void         *bytes,
                          uint32_t            n_bytes);

#pragma GCC visibility pop
