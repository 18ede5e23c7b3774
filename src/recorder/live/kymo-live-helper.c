/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The helper thread of the live view. It has a table of descriptors of its own, in which only
 * stderr is left of the program's, so that the program gets the numbers that it would get without
 * us, and children of fork() inherit no socket. It receives no signal and always sleeps in poll():
 * until something comes, or a second of the stream is over. Threads that have something for it ring
 * its bell, a socket that is reached by name.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "kymo-live-own.h"
#include "kymo-live-parents.h"
#include "kymo-live-serve.h"
#include "kymo-live-socket.h"
#include "kymo-live-told.h"
#include "kymo-rec-inner.h"

#define SECOND_NS 1000000000u
#define LEAST_RATE_NS 100000000u        /* the clock is watched that long before its rate is used */
#define GRACE_NS 2000000u               /* after the end of a second before it is taken */
#define CHILDREN_PATIENCE_NS 1000000000u        /* at the end, for those below */
#define CLIENTS_PATIENCE_NS 500000000u  /* and for clients that fetch the last blocks */
#define END_PATIENCE_NS 4000000000u     /* of the program for this thread */
#define MOST_BEHIND 3                   /* seconds of which blocks are still made */
#define UNSHARE 2u                      /* CLOSE_RANGE_UNSHARE */
#define CLOSE_RANGE 436

enum { STAGE_NONE, STAGE_OPEN, STAGE_JOINED, STAGE_UP, STAGE_OVER };

static _Atomic uint32_t stage, ending, done;
static unsigned long helper;
static bool running;
static KymoLiveCard own_card;
static KymoLiveParents parents;
static KymoLiveShape shape;
static uint8_t secret[32];
static int64_t origin_ns;       /* of the stream, on the clock of this process */
static char bell[32];
static int bell_fd = -1, near_fd = -1, far_fd = -1;
static KymoLiveTake takes[KYMO_LIVE_N_KINDS];
static const KymoLiveGuest *guest;      /* NULL: there is none */
static KymoLiveNode node;
static KymoLiveOwn own;

static uint64_t
stream_ns (void)
{
  int64_t ns = (int64_t) kymo_rec_monotonic_ns () - origin_ns;

  return ns > 0 ? (uint64_t) ns : 0;
}

/* -- what the node tells ------------------------------------------------------ */

static void
take_message (uint32_t    kind,
              uint32_t    from,
              const void *bytes,
              uint32_t    n_bytes,
              void       *data)
{
  if (kind < KYMO_LIVE_N_KINDS && takes[kind] != NULL)
    takes[kind] (from, bytes, n_bytes);
}

/* Tells rank 0 who is lost, or back. */
static void
tell_lost (uint32_t rank,
           bool     is_lost)
{
  KymoLiveLost lost = { rank, is_lost };

  kymo_live_node_tell_root (&node, KYMO_LIVE_LOST, shape.rank, &lost, sizeof lost);
}

static void
take_late (uint32_t rank,
           bool     back,
           void    *data)
{
  char sentence[128];

  if (back)
    snprintf (sentence, sizeof sentence, "rank %u is in the live view again", rank);
  else
    snprintf (sentence, sizeof sentence, "rank %u does not answer in time; the live view goes on "
              "without it", rank);
  kymo_rec_say (sentence);
  if (back)
    tell_lost (rank, false);
}

/* A child is gone. Rank 0 is told too, so that actions do not wait for it. */
static void
take_gone (uint32_t  rank,
           uint32_t  n_below,
           uint32_t  n_adopted,
           void     *data)
{
  char sentence[192];
  int n = snprintf (sentence, sizeof sentence, "rank %u is gone: it is missing in the live view "
                    "from here on", rank);

  if (n_below > 0)
    snprintf (sentence + n, sizeof sentence - (size_t) n, "; of the %u that it connected, rank %u "
              "connects %u now", n_below, shape.rank, n_adopted);
  kymo_rec_say (sentence);
  tell_lost (rank, true);
}

/* The parent is gone. If rank 0 is, its children all see it, and rank 1, which is one of them,
 * says it. */
static void
find_parent (bool  has_left,
             void *data)
{
  uint32_t rank = node.shape.parent;
  char sentence[160];

  if (kymo_live_parents_connect (&parents, &node, stream_ns ()) || has_left)
    return;
  if (rank != 0)
    snprintf (sentence, sizeof sentence, "rank %u is gone, and nobody else connects this process "
              "to rank 0: it is missing in the live view from here on", rank);
  else
    snprintf (sentence, sizeof sentence, "rank 0 is gone: the live view ends here");
  if (rank != 0 || shape.rank == 1)
    kymo_rec_say (sentence);
}

static void
take_merged (const KymoLiveMerge *merge,
             void                *data)
{
  if (shape.rank == 0)
    kymo_live_serve_block (merge, &node.names);
}

/* -- messages of other threads ------------------------------------------------ */

static void
send_told (void)
{
  KymoLiveTold told;

  while (kymo_live_told_take (&told))
    {
      if (told.down)
        kymo_live_node_tell_all (&node, told.kind, shape.rank, told.bytes, told.n_bytes);
      else
        kymo_live_node_tell_root (&node, told.kind, shape.rank, told.bytes, told.n_bytes);
      kymo_live_told_free (&told);
    }
}

static bool
keep_told (KymoLiveKind  kind,
           const void   *bytes,
           uint32_t      n_bytes,
           bool          down)
{
  int code = errno;

  if (atomic_load (&stage) != STAGE_UP || atomic_load (&ending) != 0
      || !kymo_live_told_keep (kind, bytes, n_bytes, down))
    return false;
  kymo_live_ring_bell (bell);
  errno = code;
  return true;
}

/**
 * kymo_live_on: sets what takes messages of a kind in this process. To be called before MPI_Init
 * returns.
 */
void
kymo_live_on (KymoLiveKind kind,
              KymoLiveTake take)
{
  if (kind < KYMO_LIVE_N_KINDS)
    takes[kind] = take;
}

/**
 * kymo_live_tell_all: sends a message to all processes of the job, this one too. On rank 0 alone.
 * @kind: KYMO_LIVE_ORDER or above
 * @bytes: copied
 * @n_bytes: at most KYMO_LIVE_MOST_MESSAGE
 *
 * Returns: FALSE if there is no tree (yet, or any more), or too much is told at once
 */
bool
kymo_live_tell_all (KymoLiveKind  kind,
                    const void   *bytes,
                    uint32_t      n_bytes)
{
  return shape.rank == 0 && keep_told (kind, bytes, n_bytes, true);
}

/**
 * kymo_live_tell_root: sends a message to rank 0.
 * @kind: KYMO_LIVE_ORDER or above
 * @bytes: copied
 * @n_bytes: at most KYMO_LIVE_MOST_MESSAGE
 *
 * Returns: FALSE if there is no tree (yet, or any more), or too much is told at once
 */
bool
kymo_live_tell_root (KymoLiveKind  kind,
                     const void   *bytes,
                     uint32_t      n_bytes)
{
  return keep_told (kind, bytes, n_bytes, false);
}

/**
 * kymo_live_set_guest: sets what the helper thread of rank 0 does besides. To be called before
 * MPI_Init returns.
 * @set: static
 */
void
kymo_live_set_guest (const KymoLiveGuest *set)
{
  guest = set;
}

/**
 * kymo_live_now_ns: this moment in the time of the stream, the same on all ranks.
 * @ticks: (out): the same moment on the clock of kymo_rec_now()
 *
 * Returns: nanoseconds since the begin of the stream
 */
int64_t
kymo_live_now_ns (uint64_t *ticks)
{
  uint64_t ns;

  kymo_rec_clock_read_both (ticks, &ns);
  return (int64_t) ns - origin_ns;
}

/**
 * kymo_live_rank: of this process, once it is in the tree.
 */
uint32_t
kymo_live_rank (void)
{
  return shape.rank;
}

/**
 * kymo_live_wake: wakes the helper thread of this process, whose guest has something to do.
 */
void
kymo_live_wake (void)
{
  kymo_live_ring_bell (bell);
}

/* -- the thread --------------------------------------------------------------- */

static void
set_stage (uint32_t value)
{
  atomic_store (&stage, value);
  kymo_sys_wake (&stage);
}

/* Only stderr stays, for the lines of kymo_rec_say(). */
static void
own_descriptors (void)
{
  if (syscall (CLOSE_RANGE, 3u, ~0u, UNSHARE) != 0)
    return;
  kymo_sys_close (0);
  kymo_sys_close (1);
}

static void
open_sockets (void)
{
  own_card.node = kymo_live_node_key ();
  own_card.now_ns = kymo_rec_monotonic_ns ();
  kymo_live_random (own_card.secret, sizeof own_card.secret);
  bell_fd = kymo_live_open_bell (bell, sizeof bell);
  if (kymo_rec_mpi_is_linked ())
    {
      near_fd = kymo_live_listen_near (&own_card);
      far_fd = kymo_live_listen_far (&own_card);
    }
  own_card.open = bell_fd >= 0;
}

static void
close_listener (int *fd)
{
  if (*fd >= 0)
    kymo_sys_close (*fd);
  *fd = -1;
}

static bool
enter_tree (void)
{
  static const KymoLiveEvents events = { take_merged, take_message, take_late, take_gone,
                                         find_parent };

  if (!kymo_live_node_init (&node, &shape, secret, &events, NULL))
    return false;
  node.near_fd = near_fd;
  node.far_fd = far_fd;
  if (shape.n_children == 0)
    close_listener (&node.near_fd);
  if (!shape.far_children)
    close_listener (&node.far_fd);
  if (shape.parent != KYMO_LIVE_NO_RANK
      && !kymo_live_parents_connect (&parents, &node, stream_ns ()))
    {
      kymo_rec_say ("this process cannot reach its neighbour in the live view, and is missing "
                    "there");
      return false;
    }
  return kymo_live_own_init (&own, shape.rank, shape.is_leader);
}

/* The clock's rate is known better the longer it was watched. */
static void
start_bins (void)
{
  uint64_t watched_ns = kymo_rec_clock_watched_ns ();

  if (watched_ns < LEAST_RATE_NS)
    kymo_sys_sleep_on (&ending, 0, LEAST_RATE_NS - watched_ns);
  kymo_rec_clock_learn ();
  uint64_t now_ns, ticks;
  kymo_rec_clock_read_both (&ticks, &now_ns);
  double ticks_per_ns = 1e12 / (double) kymo_rec_ticks_to_ns (1000000000000u);
  double since_ns = (double) ((int64_t) now_ns - origin_ns);
  uint64_t bin = stream_ns () / KYMO_LIVE_BIN_NS;
  kymo_live_bins_start (ticks - (uint64_t) (since_ns * ticks_per_ns), ticks_per_ns);
  kymo_live_own_skip (&own, bin / KYMO_LIVE_BINS * KYMO_LIVE_BINS);
}

static void
give_second (void)
{
  uint64_t now_ns = stream_ns ();
  size_t n_bytes = kymo_live_own_write (&own, &node.names, now_ns);

  kymo_live_node_give (&node, own.bytes, n_bytes, now_ns);
}

/* Takes what is over, and makes blocks of whole seconds. A process that was stopped for long does
 * not make blocks of old seconds, which nobody waits for. */
static void
take_bins (void)
{
  uint64_t n_bins = (stream_ns () - GRACE_NS) / KYMO_LIVE_BIN_NS, second;

  if (stream_ns () < GRACE_NS)
    return;
  second = n_bins / KYMO_LIVE_BINS;
  if (second > own.number + MOST_BEHIND)
    {
      kymo_live_own_skip (&own, (second - MOST_BEHIND) * KYMO_LIVE_BINS);
      kymo_live_node_skip (&node, second - MOST_BEHIND);
    }
  while (kymo_live_own_take (&own, n_bins))
    give_second ();
}

static int
timeout_ms (void)
{
  uint64_t now_ns = stream_ns (), next_ns = (own.number + 1) * SECOND_NS + GRACE_NS;

  if (node.has_own && kymo_live_node_next_ns (&node) < next_ns)
    next_ns = kymo_live_node_next_ns (&node);
  return next_ns <= now_ns ? 0 : (int) ((next_ns - now_ns) / 1000000 + 1);
}

static void
wait_for_work (int timeout)
{
  struct pollfd fds[KYMO_LIVE_MOST_FDS + KYMO_LIVE_SERVE_FDS + KYMO_LIVE_GUEST_FDS + 1];
  unsigned n = kymo_live_node_poll (&node, fds);

  if (shape.rank == 0)
    n += kymo_live_serve_poll (fds + n);
  if (shape.rank == 0 && guest != NULL)
    n += guest->poll (fds + n);
  fds[n++] = (struct pollfd) { bell_fd, POLLIN, 0 };
  poll (fds, n, timeout);
  if ((fds[n - 1].revents & POLLIN) != 0)
    kymo_live_silence_bell (bell_fd);
}

static void
do_work (void)
{
  send_told ();
  kymo_live_node_work (&node, stream_ns ());
  if (shape.rank == 0)
    kymo_live_serve_work ();
  if (shape.rank == 0 && guest != NULL)
    guest->work ();
}

/* The last second goes up as far as it is there; then those below have time to give theirs. */
static void
end_tree (void)
{
  uint64_t until_ns = stream_ns () + CHILDREN_PATIENCE_NS, now_ns;

  send_told ();
  take_bins ();
  kymo_live_own_take (&own, stream_ns () / KYMO_LIVE_BIN_NS);
  give_second ();
  while (!kymo_live_node_is_over (&node) && (now_ns = stream_ns ()) < until_ns)
    {
      wait_for_work ((int) ((until_ns - now_ns) / 1000000 + 1));
      do_work ();
    }
  kymo_live_node_skip (&node, own.number);
  until_ns = stream_ns () + CLIENTS_PATIENCE_NS;
  kymo_live_node_work (&node, stream_ns ());
  while (kymo_live_link_waits (&node.parent) && stream_ns () < until_ns)
    {
      wait_for_work (50);
      do_work ();
    }
  kymo_live_node_hang_up (&node);
  while (shape.rank == 0 && stream_ns () < until_ns
         && (kymo_live_serve_is_wanted () || (guest != NULL && guest->is_busy ())))
    {
      wait_for_work (50);
      kymo_live_serve_work ();
      if (guest != NULL)
        guest->work ();
    }
}

static void
run_live (void)
{
  if (!enter_tree ())
    return;
  if (shape.rank == 0)
    kymo_live_serve_start (shape.n_processes);
  start_bins ();
  set_stage (STAGE_UP);
  if (shape.rank == 0 && guest != NULL)
    guest->start (shape.n_processes);
  while (atomic_load (&ending) == 0)
    {
      wait_for_work (timeout_ms ());
      do_work ();
      if (kymo_rec_is_awake ())
        take_bins ();
      else if (shape.rank != 0)
        break;
    }
  if (kymo_rec_is_awake ())
    end_tree ();
}

static void *
help_live (void *data)
{
  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  prctl (PR_SET_NAME, "kymo-live");
  own_descriptors ();
  open_sockets ();
  set_stage (STAGE_OPEN);
  while (atomic_load (&stage) == STAGE_OPEN && atomic_load (&ending) == 0)
    kymo_sys_sleep_on (&stage, STAGE_OPEN, SECOND_NS);
  if (atomic_load (&ending) == 0)
    run_live ();
  set_stage (STAGE_OVER);
  if (shape.rank == 0 && guest != NULL)
    guest->end ();
  if (shape.rank == 0)
    kymo_live_serve_end ();
  kymo_live_node_clear (&node);
  atomic_store (&done, 1);
  kymo_sys_wake (&done);
  return NULL;
}

/**
 * kymo_live_is_wanted: whether this run was started with --live.
 */
bool
kymo_live_is_wanted (void)
{
  return kymo_rec_options ()->live;
}

/**
 * kymo_live_open: starts the helper, and waits until it has its sockets.
 * @card: (out): what the others are to be told; its `open` is 0 if this process takes no part
 *
 * Returns: FALSE if it takes no part
 */
bool
kymo_live_open (KymoLiveCard *card)
{
  memset (card, 0, sizeof *card);
  if (!kymo_live_is_wanted () || running
      || !kymo_rec_start_thread (help_live, NULL, &helper))
    return false;
  running = true;
  while (atomic_load (&stage) < STAGE_OPEN)
    kymo_sys_sleep_on (&stage, STAGE_NONE, SECOND_NS);
  *card = own_card;
  return card->open == 1;
}

/**
 * kymo_live_join: enters the tree.
 * @cards: of all processes, by rank
 * @offset_ns: to be added to the clock of this process to have that of rank 0
 */
void
kymo_live_join (const KymoLiveCard *cards,
                uint32_t            n_cards,
                uint32_t            rank,
                int64_t             offset_ns)
{
  if (!running)
    return;
  /* Tests make a tree of few processes high. */
  const char *wanted = getenv ("KYMO_RECORD_TEST_FAN");
  uint32_t fan = wanted != NULL && wanted[0] == '1' ? 1 : KYMO_LIVE_FAN;

  if (!kymo_live_shape_find (&shape, cards, n_cards, rank, fan))
    {
      kymo_rec_say ("there is no live view of this process");
      atomic_store (&ending, 1);
      set_stage (STAGE_OVER);
      return;
    }
  kymo_live_parents_find (&parents, cards, n_cards, &shape, fan);
  memcpy (secret, cards[0].secret, sizeof secret);
  origin_ns = (int64_t) cards[0].now_ns - offset_ns;
  set_stage (STAGE_JOINED);
}

/* A process without MPI is alone. */
static void
start_alone (void)
{
  KymoLiveCard card;

  if (running || kymo_rec_mpi_is_linked ())
    return;
  if (kymo_live_open (&card))
    kymo_live_join (&card, 1, 0, 0);
}

static void
end_live (void)
{
  uint64_t until_ns = kymo_rec_monotonic_ns () + END_PATIENCE_NS, now_ns;

  if (!running)
    return;
  running = false;
  atomic_store (&ending, 1);
  kymo_sys_wake (&ending);
  kymo_sys_wake (&stage);
  kymo_live_ring_bell (bell);
  while (atomic_load (&done) == 0 && (now_ns = kymo_rec_monotonic_ns ()) < until_ns)
    kymo_sys_sleep_on (&done, 0, until_ns - now_ns);
  if (atomic_load (&done) != 0)
    pthread_join (helper, NULL);
}

/* Before the constructor of core, which may run the hooks at once. */
static __attribute__ ((constructor (200))) void
add_hooks (void)
{
  kymo_rec_at_start (start_alone);
  kymo_rec_at_end (end_live);
}
