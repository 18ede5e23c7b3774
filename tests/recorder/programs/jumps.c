/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jumps: an error handler of MPI and a signal handler leave the call by longjmp(); the calls after
 * that are made from deeper functions than the one that was left.
 */
#include "count.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define ROUNDS 50

static jmp_buf before_error;
static sigjmp_buf before_signal;
static int rank, size;

static void
leave_call (MPI_Comm *comm,
            int      *code,
            ...)
{
  (void) comm;
  (void) code;
  longjmp (before_error, 1);
}

static void
leave_read (int number)
{
  siglongjmp (before_signal, number);
}

/* Each level of it has a frame that reaches below those of the calls that were left. */
static __attribute__ ((noinline)) int
exchange_deep (int depth)
{
  volatile char room[2000];
  int in, other = rank % 2 == 0 ? rank + 1 : rank - 1;

  room[depth] = 1;
  if (depth > 0)
    return exchange_deep (depth - 1) + room[depth];
  CALL (MPI_Sendrecv, &rank, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
  count_sent (other, sizeof (int));
  count_received (other, sizeof (int));
  return in - other;
}

/* A pipe that nobody writes to. */
static void
wait_for_signal (void)
{
  struct itimerval soon = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
  int ends[2];
  char byte;

  if (pipe (ends) != 0)
    exit (3);
  if (sigsetjmp (before_signal, 1) == 0)
    {
      setitimer (ITIMER_REAL, &soon, NULL);
      for (;;)
        if (read (ends[0], &byte, 1) != 0)
          exit (3);
    }
  setitimer (ITIMER_REAL, &never, NULL);
  close (ends[0]);
  close (ends[1]);
}

int
main (void)
{
  MPI_Errhandler handler;
  MPI_Datatype type;
  sigset_t alarm;
  volatile int i;

  /* Threads that MPI starts do not take it. */
  sigemptyset (&alarm);
  sigaddset (&alarm, SIGALRM);
  pthread_sigmask (SIG_BLOCK, &alarm, NULL);
  begin_program (&rank, &size);
  signal (SIGALRM, leave_read);
  pthread_sigmask (SIG_UNBLOCK, &alarm, NULL);
  CALL (MPI_Comm_create_errhandler, leave_call, &handler);
  CALL (MPI_Comm_set_errhandler, MPI_COMM_WORLD, handler);
  for (i = 0; i < ROUNDS; i++)
    {
      if (i % 10 == 0)
        wait_for_signal ();
      if (i % 2 == 0 && setjmp (before_error) == 0)
        CALL (MPI_Type_contiguous, -1, MPI_INT, &type);
      if (exchange_deep (2) != 2)
        return 4;
    }
  CALL (MPI_Errhandler_free, &handler);
  return end_program (rank, "");
}
