/* kymo-mpi-payload.c: whether a rank sends the same bytes to one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop of sends with the same bytes could be MPI_Bcast, one with other bytes for each receiver
 * MPI_Scatter; the messages alone look alike. So some words of the buffer of a large blocking send,
 * spread evenly, are compared with those of the send before in the same loop. A loop may send
 * several messages to each receiver in turn: each is compared with its like of the receiver before,
 * which has the same size and comes as the same one of those with that size. The kernel reads
 * the words: a buffer on a graphics processor, or one that is shorter than the program says, is no
 * fault of ours then. That takes a microsecond, so after the first sends of a thread only two of
 * each SOME are looked at.
 */

#include "kymo-mpi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* Smaller messages cost latency, whatever is in them. */
#define LEAST_BYTES 4096
#define WORDS 8
#define ALL 64                  /* sends of a thread that are all looked at */
#define SOME 61                 /* a prime, so that no loop has all of them at its begin */
#define LINES 8
#define RANKS 256               /* a power of 2 */

/* The sends that are compared with one another. A loop ends before a receiver that it had, and the
   next one may well have other bytes, which are compared with nothing. Receivers that share a bit
   end it early, which costs a comparison. A program that sends to some ranks before its first loop
   hides where loops begin; but most of their steps go one way, up or down, and the others are not
   compared either. */
typedef struct
{
  int64_t n_bytes;              /* 0: the line is free */
  uint64_t comm;
  uint64_t words;               /* hash of those of the last send */
  uint64_t used;                /* number of that send */
  uint32_t turn;                /* its turn of a receiver */
  uint32_t n;
  uint64_t had[RANKS / 64];     /* bits: receivers of this loop */
  int peer;
  int balance;                  /* steps up less steps down */
  bool is_read;                 /* `words` are known */
} Line;

static __thread Line lines[LINES] __attribute__ ((tls_model ("initial-exec")));
static __thread uint64_t n_sends __attribute__ ((tls_model ("initial-exec")));
/* Sends to one receiver, with no large one to another between them. */
static __thread struct
{
  uint64_t comm;
  int peer;
  uint32_t number;
} turn __attribute__ ((tls_model ("initial-exec")));
static _Atomic uint64_t n_repeated, n_other;
static _Atomic bool refused;    /* the kernel lets nobody read memory by its name */

/* Datatypes with gaps are left out: where their bytes lie would have to be asked. */
static bool
is_plain (MPI_Datatype datatype)
{
  int n_integers, n_addresses, n_types, combiner;

  return PMPI_Type_get_envelope (datatype, &n_integers, &n_addresses, &n_types, &combiner)
         == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED;
}

/* The line of the same size that had no send in this turn; else the one that was used longest ago
   becomes a new one. */
static Line *
find_line (int64_t n_bytes, uint64_t comm, int peer)
{
  Line *oldest = lines;

  for (Line *line = lines; line < lines + LINES; line++)
    {
      if (line->n_bytes == n_bytes && line->comm == comm && line->turn != turn.number)
        return line;
      if (line->used < oldest->used)
        oldest = line;
    }
  /* A program with many sizes takes new lines again and again, and nothing of them is read. */
  *oldest = (Line) { .n_bytes = n_bytes, .comm = comm, .n = n_sends > ALL ? 1 : 0, .peer = peer };
  return oldest;
}

/* Whether the step to a receiver stays within a loop. */
static bool
stays_in_loop (Line *line, int peer)
{
  int step = peer > line->peer ? 1 : -1;
  uint64_t *had = &line->had[peer % RANKS / 64], bit = UINT64_C (1) << peer % 64;
  bool begins = (*had & bit) != 0;

  if (begins)
    memset (line->had, 0, sizeof line->had);
  *had |= bit;
  if (peer == line->peer)
    return false;
  if (abs (line->balance + step) < SOME)
    line->balance += step;
  return !begins && line->balance * step > 0;
}

static bool
read_words (const char *buffer, int64_t n_bytes, uint64_t *hash)
{
  uint64_t words[WORDS];
  struct iovec to = { words, sizeof words }, from[WORDS];
  int64_t step = (n_bytes - (int64_t) sizeof *words) / (WORDS - 1);
  ssize_t got;

  for (int i = 0; i < WORDS; i++)
    from[i] = (struct iovec) { (char *) buffer + i * step, sizeof *words };
  got = syscall (SYS_process_vm_readv, (long) kymo_rec_page->pid, &to, 1, from, WORDS, 0);
  if (got < 0 && (errno == EPERM || errno == ENOSYS))
    atomic_store (&refused, true);
  *hash = 0;
  for (int i = 0; i < WORDS; i++)
    {
      *hash = (*hash ^ words[i]) * 0x9e3779b97f4a7c15u;
      *hash ^= *hash >> 29;
    }
  return got == (ssize_t) to.iov_len;
}

/**
 * kymo_mpi_look_at_payload: compares the bytes of a blocking send with those of its like to the
 * receiver before in the same loop; of many sends, of some.
 * @peer: rank of the receiver in @comm
 */
void
kymo_mpi_look_at_payload (MPI_Comm comm, int peer, const void *buffer, int64_t count,
                          MPI_Datatype datatype)
{
  int64_t n_bytes = count * kymo_mpi_size (datatype);
  uint64_t key = (uint64_t) (uintptr_t) comm, words = 0;
  int code = errno;
  bool is_read, was_read, stays;
  Line *line;

  if (n_bytes < LEAST_BYTES || peer < 0)
    return;
  if (n_sends++ == 0 || peer != turn.peer || key != turn.comm)
    {
      turn.comm = key;
      turn.peer = peer;
      turn.number++;
    }
  line = find_line (n_bytes, key, peer);
  line->n++;
  stays = stays_in_loop (line, peer);
  was_read = line->is_read;
  is_read = (n_sends <= ALL || line->n % SOME <= 1) && buffer != NULL && !atomic_load (&refused)
            && is_plain (datatype) && read_words (buffer, n_bytes, &words);
  if (stays && is_read && was_read)
    atomic_fetch_add (line->words == words ? &n_repeated : &n_other, 1);
  line->words = words;
  line->is_read = is_read;
  line->peer = peer;
  line->turn = turn.number;
  line->used = n_sends;
  errno = code;
}

/** kymo_mpi_define_payload: writes down how many sends repeated the bytes of the one before. */
void
kymo_mpi_define_payload (void)
{
  uint64_t repeated = atomic_load (&n_repeated), other = atomic_load (&n_other);
  char text[24];

  if (repeated + other == 0)
    return;
  snprintf (text, sizeof text, "%llu", (unsigned long long) repeated);
  kymo_rec_define ("property", "ss", "Process.sends-repeated", text);
  snprintf (text, sizeof text, "%llu", (unsigned long long) other);
  kymo_rec_define ("property", "ss", "Process.sends-other", text);
}
