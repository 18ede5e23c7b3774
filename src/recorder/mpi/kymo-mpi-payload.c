/* kymo-mpi-payload.c: whether a rank sends the same bytes to one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A loop of sends with the same bytes could be MPI_Bcast, one with other bytes for each receiver
 * MPI_Scatter; the messages alone look alike. So some words of the buffer of a large blocking send,
 * spread evenly, are compared with those of the send before in the same loop. The kernel reads
 * them: a buffer on a graphics processor, or one that is shorter than the program says, is no fault
 * of ours then. That takes a microsecond, so after the first sends of a thread only two of each
 * SOME are looked at.
 */

#include "kymo-mpi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

/* Smaller messages cost latency, whatever is in them. */
#define LEAST_BYTES 4096
#define WORDS 8
#define ALL 64                  /* sends of a thread that are all looked at */
#define SOME 64

typedef struct
{
  uint64_t words[WORDS];
  int64_t n_bytes;              /* 0: there was no send */
  uint64_t comm;
  int peer;
} Payload;

static __thread Payload last __attribute__ ((tls_model ("initial-exec")));
/* The send that began a loop. The next loop begins where its receiver comes again, and may well
   have other bytes: those are compared with nothing. Its words are not used. */
static __thread Payload first __attribute__ ((tls_model ("initial-exec")));
static __thread uint64_t n_sends __attribute__ ((tls_model ("initial-exec")));
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

static bool
begins_loop (const Payload *now)
{
  if (first.n_bytes == now->n_bytes && first.comm == now->comm)
    return first.peer == now->peer;
  first = *now;
  return true;
}

static bool
read_words (const char *buffer, int64_t n_bytes, uint64_t *words)
{
  struct iovec to = { words, WORDS * sizeof *words }, from[WORDS];
  int64_t step = (n_bytes - (int64_t) sizeof *words) / (WORDS - 1);
  ssize_t got;

  for (int i = 0; i < WORDS; i++)
    from[i] = (struct iovec) { (char *) buffer + i * step, sizeof *words };
  got = syscall (SYS_process_vm_readv, (long) kymo_rec_page->pid, &to, 1, from, WORDS, 0);
  if (got < 0 && (errno == EPERM || errno == ENOSYS))
    atomic_store (&refused, true);
  return got == (ssize_t) to.iov_len;
}

/**
 * kymo_mpi_look_at_payload: compares the bytes of a blocking send with those of the one before, if
 * that went to another rank of the same loop and had the same size; of many sends, of some.
 * @peer: rank of the receiver in @comm
 */
void
kymo_mpi_look_at_payload (MPI_Comm comm, int peer, const void *buffer, int64_t count,
                          MPI_Datatype datatype)
{
  int64_t n_bytes = count * kymo_mpi_size (datatype);
  Payload now = { .n_bytes = n_bytes, .comm = (uint64_t) (uintptr_t) comm, .peer = peer };
  int code = errno;

  if (n_bytes < LEAST_BYTES || peer < 0)
    return;
  n_sends++;
  if ((n_sends > ALL && n_sends % SOME > 1) || buffer == NULL || atomic_load (&refused)
      || !is_plain (datatype) || !read_words (buffer, n_bytes, now.words))
    last.n_bytes = 0;
  else
    {
      if (!begins_loop (&now) && last.n_bytes == n_bytes && last.comm == now.comm
          && last.peer != peer)
        atomic_fetch_add (memcmp (last.words, now.words, sizeof now.words) == 0 ? &n_repeated
                                                                                 : &n_other, 1);
      last = now;
    }
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
