/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The helper thread of a process: prepares pieces of event files before they are needed and
 * notes what the clocks show, more often at first, so that a run that dies early or is still
 * running has a rate for its ticks. It sleeps in between, receives no signals and calls nothing
 * that is wrapped. Without it recording works too.
 */
#include "kymo-rec-inner.h"

#include <pthread.h>
#include <stdlib.h>

#define KYMO_REC_CLOSE_RANGE 436        /* the system call, on every machine */
#define KYMO_REC_UNSHARE 2u             /* CLOSE_RANGE_UNSHARE */

void (*kymo_rec_helper_work) (void);

static _Atomic uint32_t kicks;
static atomic_bool ending;
static unsigned long helper;
static bool running, is_alone;

/* An interpreter has the library for MPI, as its modules may need it, and most programs have no
 * such module. Who has not begun with MPI after this time is taken for one of these. */
#define MPI_COMES_NS 300000000u

static void *
help_writers (void *data)
{
  uint64_t wait_ns = 20000000, begin_ns = kymo_rec_monotonic_ns (), next_ns = begin_ns + wait_ns;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  /* A table of descriptors of its own, an empty one: what this thread opens takes no number that
   * the program would get. Where the kernel refuses, they share one for an instant. */
  syscall (KYMO_REC_CLOSE_RANGE, 0u, ~0u, KYMO_REC_UNSHARE);
  while (!atomic_load (&ending))
    {
      uint32_t seen = atomic_load (&kicks);
      kymo_rec_files_prepare ();
      if (kymo_rec_helper_work != NULL)
        kymo_rec_helper_work ();
      uint64_t now_ns = kymo_rec_monotonic_ns ();
      if (now_ns >= next_ns)
        {
          kymo_rec_define_clock ();
          if (is_alone && now_ns - begin_ns > MPI_COMES_NS)
            kymo_rec_run_start_hooks ();
          wait_ns = wait_ns * 4 < 60000000000 ? wait_ns * 4 : 60000000000;
          next_ns = now_ns + wait_ns;
        }
      else if (!atomic_load (&ending))
        kymo_sys_sleep_on (&kicks, seen, next_ns - now_ns);
    }
  return NULL;
}

/**
 * kymo_rec_helper_start: starts the helper.
 */
void
kymo_rec_helper_start (void)
{
  /* Of a job of several processes each needs its rank first. */
  is_alone = getenv ("OMPI_COMM_WORLD_RANK") == NULL && getenv ("PMI_RANK") == NULL
    && getenv ("PMIX_RANK") == NULL && getenv ("SLURM_PROCID") == NULL;
  running = kymo_rec_start_thread (help_writers, NULL, &helper);
}

/**
 * kymo_rec_helper_kick: lets the helper look for work.
 */
void
kymo_rec_helper_kick (void)
{
  atomic_fetch_add (&kicks, 1);
  kymo_sys_wake (&kicks);
}

/**
 * kymo_rec_helper_stop: ends the helper and waits for that.
 */
void
kymo_rec_helper_stop (void)
{
  if (!running)
    return;
  running = false;
  atomic_store (&ending, true);
  kymo_rec_helper_kick ();
  pthread_join (helper, NULL);
}
