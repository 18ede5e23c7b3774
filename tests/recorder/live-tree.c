/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * live-tree: a tree of 1,024 processes of the live view, all in this one, with real sockets: what
 * comes out at rank 0 is the mean of what all gave; who is late is left out and comes back; those
 * below a lost process are connected to the one above it; messages reach everybody once; visitors
 * without the secret are refused. Prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kymo-live-parents.h"
#include "kymo-live-socket.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define N 1024
#define N_NAMES 12
#define PER_BIN 3
#define SECOND 1000000000ull
#define STOPPED_LEAF 1003
#define STOPPED_INNER 4
#define KILLED 4
#define CUT 3

static KymoLiveCard cards[N];
static KymoLiveNode *nodes;
static KymoLiveParents *parents;
static uint64_t work_ns;
static uint8_t secret[32];
static uint16_t ids[N][N_NAMES];        /* numbers of names in each process */
static uint64_t exact[KYMO_LIVE_BINS][N_NAMES];         /* sums of shares */
static bool stopped[N];
static unsigned n_late, n_back, n_gone, n_below, n_adopted, n_cut, n_got[N], n_answers;
static uint64_t n_rank_sum;
static KymoLiveMerge root_block;
static bool has_block;
static int n_failed, n_tests;
static uint8_t *bytes;
static uint32_t carry[KYMO_LIVE_OTHER + 1];

/* All that the parts under test need of core. */
uint64_t
kymo_rec_monotonic_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * SECOND + (uint64_t) now.tv_nsec;
}

static void
check (bool        good,
       const char *what)
{
  n_tests++;
  n_failed += !good;
  printf ("%sok %d %s\n", good ? "" : "not ", n_tests, what);
  fflush (stdout);
}

static void
take_block (const KymoLiveMerge *merge,
            void                *data)
{
  if (data == &nodes[0])
    {
      root_block = *merge;
      has_block = true;
    }
}

static void
take_message (uint32_t    kind,
              uint32_t    from,
              const void *message,
              uint32_t    n_bytes,
              void       *data)
{
  KymoLiveNode *node = data;
  uint32_t value = 0;

  if (n_bytes == sizeof value)
    memcpy (&value, message, sizeof value);
  if (kind == KYMO_LIVE_ORDER)
    n_got[node->shape.rank] += value == 42 && from == 0;
  else if (kind == KYMO_LIVE_ANSWER && node->shape.rank == 0 && value == from)
    {
      n_answers++;
      n_rank_sum += from;
    }
}

static void
take_gone (uint32_t rank,
           uint32_t below,
           uint32_t adopted,
           void    *data)
{
  n_gone++;
  n_below += below;
  n_adopted += adopted;
}

static void
find_parent (bool  has_left,
             void *data)
{
  KymoLiveNode *node = data;

  if (!stopped[node->shape.rank]
      && !kymo_live_parents_connect (&parents[node->shape.rank], node, work_ns))
    n_cut++;
}

static void
take_late (uint32_t rank,
           bool     back,
           void    *data)
{
  n_late += !back;
  n_back += back;
}

static void
work_all (uint64_t time_ns,
          unsigned rounds)
{
  work_ns = time_ns;
  for (unsigned i = 0; i < rounds; i++)
    for (unsigned rank = N; rank-- > 0;)
      if (!stopped[rank])
        kymo_live_node_work (&nodes[rank], time_ns);
}

/* The kernel passes bytes on when it likes: works until the block has all processes that it can. */
static void
work_for_block (uint64_t time_ns,
                unsigned n)
{
  for (unsigned i = 0; i < 1000 && (!has_block || root_block.weight < n); i++)
    {
      work_all (time_ns, 1);
      usleep (i < 10 ? 0 : 1000);
    }
}

static bool
have_all_got (void)
{
  for (unsigned rank = 0; rank < N; rank++)
    if (n_got[rank] == 0)
      return false;
  return true;
}

/* Names in an order of their own. */
static void
name_activities (unsigned rank)
{
  for (unsigned i = 0; i < N_NAMES; i++)
    {
      unsigned which = (i * 7 + rank) % N_NAMES;
      char name[32];
      snprintf (name, sizeof name, "activity %u", which);
      ids[rank][which] = kymo_live_names_add (&nodes[rank].names, name, strlen (name),
                                              which % 3 == 0 ? KYMO_LIVE_COMPUTE
                                                             : KYMO_LIVE_COMMUNICATION);
    }
}

static bool
build (unsigned per_host)
{
  static const KymoLiveEvents events = { take_block, take_message, take_late, take_gone,
                                         find_parent };
  static int near_fds[N], far_fds[N];

  memset (cards, 0, sizeof cards);
  for (unsigned rank = 0; rank < N; rank++)
    {
      cards[rank].node = 1 + rank / per_host;
      cards[rank].open = 1;
    }
  for (unsigned rank = 0; rank < N; rank++)
    {
      KymoLiveShape shape;
      near_fds[rank] = far_fds[rank] = -1;
      if (!kymo_live_shape_find (&shape, cards, N, rank, KYMO_LIVE_FAN)
          || !kymo_live_node_init (&nodes[rank], &shape, secret, &events, &nodes[rank]))
        return false;
      if (shape.n_children > 0)
        near_fds[rank] = kymo_live_listen_near (&cards[rank]);
      if (shape.far_children)
        far_fds[rank] = kymo_live_listen_far (&cards[rank]);
      nodes[rank].near_fd = near_fds[rank];
      nodes[rank].far_fd = far_fds[rank];
    }
  for (unsigned rank = 1; rank < N; rank++)
    {
      kymo_live_parents_find (&parents[rank], cards, N, &nodes[rank].shape, KYMO_LIVE_FAN);
      if (!kymo_live_parents_connect (&parents[rank], &nodes[rank], 0))
        return false;
      kymo_live_node_work (&nodes[nodes[rank].shape.parent], 0);
      name_activities (rank);
    }
  name_activities (0);
  for (unsigned i = 0; i < 1000 && !kymo_live_node_is_complete (&nodes[0]); i++)
    work_all (0, 4);
  for (unsigned i = 0; i < 20; i++, usleep (1000))
    work_all (0, 1);
  for (unsigned rank = 0; rank < N; rank++)
    {
      const KymoLiveNode *node = &nodes[rank];
      bool listens = node->near_fd >= 0 || node->far_fd >= 0;
      if (!kymo_live_node_is_complete (node)
          || listens != (node->shape.height > 1 || node->shape.far_children))
        return false;
    }
  return true;
}

/* The block of a process: three activities in each bin, of which the sums are kept. */
static size_t
make_block (unsigned rank,
            uint64_t number)
{
  KymoLiveHead head = { .number = number, .n_processes = 1 };
  size_t at = sizeof head;

  kymo_live_head_scalar (&head, KYMO_LIVE_LOAD, rank, (int64_t) (rank * 37 % N) * 900);
  kymo_live_head_scalar (&head, KYMO_LIVE_MEMORY, rank, 1000 + (int64_t) rank);
  memcpy (bytes, &head, sizeof head);
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint16_t n = PER_BIN;
      memcpy (bytes + at, &n, 2);
      at += 2;
      for (unsigned i = 0; i < PER_BIN; i++, at += 4)
        {
          unsigned which = (bin / 16 + i + (rank % 4 == 0)) % N_NAMES;
          uint16_t share = (uint16_t) (10000 + 4000 * i + (rank * 131 + bin * 17) % 2000);
          memcpy (bytes + at, &ids[rank][which], 2);
          memcpy (bytes + at + 2, &share, 2);
          exact[bin][which] += share;
        }
    }
  return at;
}

/* All that are not stopped give a second, in the order of the ranks; inner nodes do not know
 * whether those below come. */
static void
give_second (uint64_t number,
             uint64_t time_ns)
{
  memset (exact, 0, sizeof exact);
  has_block = false;
  for (unsigned rank = 0; rank < N; rank++)
    if (!stopped[rank])
      {
        size_t n = make_block (rank, number);
        kymo_live_node_give (&nodes[rank], bytes, n, time_ns);
      }
  work_all (time_ns, 8);
}

/* Whether the block of the job is the mean of what was given. */
static bool
is_mean (unsigned n)
{
  if (root_block.weight != n)
    return false;
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint64_t all = 0, given = 0;
      for (unsigned i = 0; i < root_block.n[bin]; i++)
        all += root_block.sums[i][bin];
      for (unsigned which = 0; which < N_NAMES; which++)
        {
          uint64_t sum = 0;
          for (unsigned i = 0; i < root_block.n[bin]; i++)
            if (root_block.ids[i][bin] == ids[0][which])
              sum = root_block.sums[i][bin];
          given += exact[bin][which];
          /* Each level of the tree cuts less than one step of each process. */
          if (sum > exact[bin][which] || exact[bin][which] - sum > 4 * (uint64_t) n)
            return false;
        }
      if (all > given || given - all > 4 * PER_BIN * (uint64_t) n)
        return false;
    }
  return true;
}

static bool
is_right_head (void)
{
  const KymoLiveScalar *load = &root_block.head.scalars[KYMO_LIVE_LOAD];
  const KymoLiveScalar *memory = &root_block.head.scalars[KYMO_LIVE_MEMORY];
  bool good = load->n == N && load->sum == (int64_t) N * (N - 1) / 2 * 900 && load->least == 0
              && load->least_rank == 0 && load->most == (N - 1) * 900
              && load->most_rank * 37 % N == N - 1 && memory->least == 1000
              && memory->most == 1000 + N - 1 && memory->most_rank == N - 1
              && root_block.head.scalars[KYMO_LIVE_FAULTS].n == 0
              && root_block.head.n_extreme == KYMO_LIVE_N_EXTREME;

  for (unsigned i = 0; i < KYMO_LIVE_N_EXTREME; i++)
    good = good && root_block.head.idlest[i].load == i * 900
           && root_block.head.busiest[i].load == (N - 1 - i) * 900;
  return good;
}

/* The form of clients: small enough, and in sum what the block is, to one step an activity. */
static bool
is_right_ccs (void)
{
  static uint8_t ccs[KYMO_LIVE_MOST_CCS];
  size_t n = kymo_live_merge_write_ccs (&root_block, &nodes[0].names, carry, ccs), at = 8;
  uint64_t steps = 0, sums = 0;

  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint16_t k;
      uint64_t of_bin = 0;
      memcpy (&k, ccs + at, 2);
      at += 2;
      for (unsigned i = 0; i < k; i++, at += 3)
        of_bin += ccs[at + 2];
      if (of_bin > 250)
        return false;
      steps += of_bin;
      for (unsigned i = 0; i < root_block.n[bin]; i++)
        sums += root_block.sums[i][bin] / root_block.weight;
    }
  return at == n && n <= sizeof ccs && steps * 250 <= sums + N_NAMES * KYMO_LIVE_WHOLE
         && steps * 250 + (N_NAMES + 2) * 250 >= sums;
}

static unsigned
count_below (unsigned rank)
{
  unsigned n = 1;

  for (unsigned i = 0; i < nodes[rank].shape.n_children; i++)
    n += count_below (nodes[rank].shape.children[i]);
  return n;
}

static void
check_strangers (void)
{
  KymoLiveNode *node = &nodes[0];
  KymoLiveCard card = { 0 };
  uint8_t other[32] = { 1 };
  KymoLiveNode stranger;
  KymoLiveShape shape = nodes[1].shape;
  static const KymoLiveEvents events = { take_block, take_message, take_late, take_gone,
                                         find_parent };
  char noise[200];

  kymo_sys_close (node->near_fd);
  node->near_fd = kymo_live_listen_near (&card);
  uint64_t before = node->n_refused;
  /* One that does not know the secret, one that talks of other things, and many that are silent. */
  kymo_live_node_init (&stranger, &shape, other, &events, &stranger);
  kymo_live_link_close (&node->children[0].link);
  kymo_live_node_connect (&stranger, kymo_live_reach (&card, false), 0, 1, false);
  int fd = kymo_live_reach (&card, false);
  memset (noise, 'x', sizeof noise);
  bool sent = write (fd, noise, sizeof noise) == (ssize_t) sizeof noise;
  for (unsigned i = 0; i < 3 * KYMO_LIVE_MOST_VISITORS; i++)
    {
      kymo_live_reach (&card, false);
      if (i % 8 == 7)
        kymo_live_node_work (node, 0);
    }
  kymo_live_node_work (node, 0);
  check (sent && node->n_refused >= before + 2 && node->children[0].link.fd < 0,
         "strangers are refused");
  /* One of the job that was never below this process. */
  unsigned n_children = node->n_children;
  before = node->n_refused;
  memcpy (stranger.secret, secret, sizeof secret);
  kymo_live_link_close (&stranger.parent);
  stranger.shape.rank = N;
  kymo_live_node_connect (&stranger, kymo_live_reach (&card, false), 0, N - 1, false);
  kymo_live_node_work (node, 0);
  check (node->n_children == n_children && node->n_refused > before,
         "who was below another process is refused");
  kymo_live_link_close (&stranger.parent);
  stranger.shape.rank = 1;
  kymo_live_node_connect (&stranger, kymo_live_reach (&card, false), 0, 1, false);
  kymo_live_node_work (node, 0);
  check (node->children[0].link.fd >= 0, "who knows the secret is let in all the same");
  kymo_live_node_clear (&stranger);
}

static void
check_tree (unsigned per_host)
{
  uint32_t value = 42;

  n_late = n_back = n_answers = 0;
  n_rank_sum = 0;
  memset (n_got, 0, sizeof n_got);
  memset (stopped, 0, sizeof stopped);
  memset (carry, 0, sizeof carry);
  printf ("# %u processes on each of %u hosts\n", per_host, N / per_host);
  check (build (per_host), "all are connected, and who may get others still listens");
  give_second (0, SECOND);
  work_for_block (SECOND, N);
  check (has_block && is_mean (N), "the block is the mean of all processes");
  check (is_right_head (), "values, ranks and lists are right");
  check (is_right_ccs (), "clients get the same");

  stopped[STOPPED_LEAF] = true;
  give_second (1, 2 * SECOND + 1000000);
  check (!has_block, "a late leaf is waited for");
  work_for_block (2 * SECOND + KYMO_LIVE_PATIENCE_NS, N - 1);
  check (has_block && is_mean (N - 1) && n_late == 1, "and then left out");
  give_second (2, 3 * SECOND + 1000000);
  work_for_block (3 * SECOND + 1000000, N - 1);
  check (has_block && is_mean (N - 1) && n_late == 1, "and not waited for again");

  unsigned n_inner = count_below (STOPPED_INNER);
  stopped[STOPPED_INNER] = true;
  give_second (3, 4 * SECOND + 1000000);
  work_for_block (4 * SECOND + KYMO_LIVE_PATIENCE_NS, N - 1 - n_inner);
  check (has_block && root_block.weight == N - 1 - n_inner && n_late == 2,
         "a late inner process takes those below it along");

  stopped[STOPPED_LEAF] = stopped[STOPPED_INNER] = false;
  kymo_live_node_skip (&nodes[STOPPED_LEAF], 4);
  kymo_live_node_skip (&nodes[STOPPED_INNER], 4);
  give_second (4, 5 * SECOND + 1000000);
  work_all (5 * SECOND + KYMO_LIVE_PATIENCE_NS, 8);
  give_second (5, 6 * SECOND + 1000000);
  work_for_block (6 * SECOND + 1000000, N);
  check (has_block && is_mean (N) && n_back == 2, "both come back");

  kymo_live_node_tell_all (&nodes[0], KYMO_LIVE_ORDER, 0, &value, sizeof value);
  for (unsigned i = 0; i < 1000 && !have_all_got (); i++)
    work_all (6 * SECOND, 1);
  bool once = true;
  for (unsigned rank = 0; rank < N; rank++)
    once = once && n_got[rank] == 1;
  check (once, "an order reaches each process once");
  for (uint32_t rank = 0; rank < N; rank++)
    kymo_live_node_tell_root (&nodes[rank], KYMO_LIVE_ANSWER, rank, &rank, sizeof rank);
  for (unsigned i = 0; i < 1000 && n_answers < N; i++)
    work_all (6 * SECOND, 1);
  check (n_answers == N && n_rank_sum == (uint64_t) N * (N - 1) / 2, "all answers reach rank 0");
}

/* Its connections end without a word, and nobody listens any more. */
static void
kill_process (unsigned rank)
{
  KymoLiveNode *node = &nodes[rank];

  stopped[rank] = true;
  kymo_live_node_close_door (node);
  kymo_live_link_close (&node->parent);
  for (unsigned i = 0; i < node->n_children; i++)
    kymo_live_link_close (&node->children[i].link);
}

/* Processes are killed; the others are all in the next second. */
static void
check_killed (void)
{
  unsigned n_children = nodes[KILLED].n_children, value = 42;
  unsigned next = nodes[KILLED].shape.children[n_children - 1], n_next = nodes[next].n_children;

  n_gone = n_below = n_adopted = n_cut = 0;
  kill_process (KILLED);
  work_all (6 * SECOND + 1000, 4);
  check (n_gone == 0, "it may come back");
  give_second (6, 7 * SECOND + 1000000);
  work_for_block (7 * SECOND + 1000000, N - 1);
  check (has_block && is_mean (N - 1), "those below a killed process go on with the one above it");
  work_all (7 * SECOND + 2000000, 1);
  check (n_gone == 1 && n_below == n_children && n_adopted == n_children,
         "it is told once, with their number");

  /* Those below this one cannot reach its own parent either. */
  kill_process (next);
  work_all (8 * SECOND, 4);
  give_second (7, 8 * SECOND + 1000000);
  work_for_block (8 * SECOND + 1000000, N - 2);
  check (has_block && is_mean (N - 2), "and go further up if that is gone as well");
  work_all (9 * SECOND + 1000000, 1);
  check (n_gone == 2 && n_below == n_children + n_next, "this is told as well");

  shutdown (nodes[CUT].parent.fd, SHUT_RDWR);
  work_all (9 * SECOND + 2000000, 4);
  give_second (8, 9 * SECOND + 2000000);
  work_for_block (9 * SECOND + 2000000, N - 2);
  work_all (10 * SECOND + 3000000, 2);
  check (has_block && is_mean (N - 2) && n_gone == 2 && n_cut == 0,
         "a connection that breaks is made anew, and nothing is told");

  memset (n_got, 0, sizeof n_got);
  n_got[KILLED] = n_got[next] = 1;
  kymo_live_node_tell_all (&nodes[0], KYMO_LIVE_ORDER, 0, &value, sizeof value);
  for (unsigned i = 0; i < 1000 && !have_all_got (); i++)
    work_all (10 * SECOND + 3000000, 1);
  bool once = true;
  for (unsigned rank = 0; rank < N; rank++)
    once = once && n_got[rank] == 1;
  check (once, "an order still reaches each process once");
  stopped[KILLED] = stopped[next] = false;
}

int
main (void)
{
  struct rlimit limit;

  getrlimit (RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < 3 * N)
    {
      printf ("1..0 # SKIP a process may open %u files only\n", (unsigned) limit.rlim_cur);
      return 0;
    }
  /* Other nodes are reached through the loopback. */
  setenv ("KYMO_RECORD_TEST_NODES", "1", 1);
  kymo_live_random (secret, sizeof secret);
  nodes = calloc (N, sizeof *nodes);
  parents = calloc (N, sizeof *parents);
  bytes = calloc (1, KYMO_LIVE_MOST_BLOCK);
  for (unsigned per_host = N; per_host >= 4; per_host /= 16)
    {
      check_tree (per_host);
      check_killed ();
      if (per_host == N)
        check_strangers ();
      for (unsigned rank = 0; rank < N; rank++)
        kymo_live_node_clear (&nodes[rank]);
    }
  printf ("1..%d\n", n_tests);
  return n_failed > 0;
}
