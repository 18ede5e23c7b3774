/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that samples has a timer of its processor time, which sends it a real-time signal that
 * the program does not use; SIGPROF stays the program's. A thread that waits uses no time, so
 * system calls that wait are interrupted only by chance, and begun anew where the kernel can.
 *
 * The handler looks only at a thread that is in no wrapper, and so holds no lock of the recorder.
 * What it finds is on top of the region of the program, and stays there, below calls of MPI, until
 * another function is found: between two samples the time counts for the first one. Regions that
 * the program marks itself are left alone.
 */
#include "kymo-sample.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "kymo-rec-inner.h"
#include "kymo-sample-symbols.h"

#define MOST_THREADS 1024
#define THREAD_CLOCK(tid) ((int) (~(uint32_t) (tid) << 3 | 6))  /* CPUCLOCK_SCHED of one thread */
#define LOOK_EACH 128u          /* samples in no known module between two looks for new ones */
#define OFF_NS 10000000         /* of processor time: a thread is told again that sampling is off */

typedef struct
{
  uint32_t number;              /* of the thread's file, + 1; 0: the place is free */
  int tid;
  int timer;                    /* -1: there is none */
} Timer;

static KymoSysLock lock;        /* of the timers */
static Timer timers[MOST_THREADS];
static int signal_number;
static _Atomic uint32_t period_hz;      /* 0: off */
static _Atomic uint32_t wants_look, wants_define, n_unknown;

/* -- where a thread is -------------------------------------------------------- */

static uintptr_t
code_of (const ucontext_t *context)
{
#if defined (__x86_64__)
  return (uintptr_t) context->uc_mcontext.gregs[REG_RIP];
#elif defined (__aarch64__)
  return (uintptr_t) context->uc_mcontext.pc;
#else
  return 0;
#endif
}

static uint32_t
find_region (const ucontext_t *context)
{
  bool is_wanted;
  uint32_t region = kymo_sample_find (code_of (context), &is_wanted);

  if (!is_wanted)
    return region;
  if (region == KYMO_SAMPLE_LATER)
    atomic_store (&wants_define, 1);
  else if (atomic_fetch_add (&n_unknown, 1) % LOOK_EACH == 0)
    atomic_store (&wants_look, 1);
  else
    return region;
  kymo_rec_helper_kick ();
  return region;
}

/* The function that a thread is in replaces that of the last sample. */
static void
change_region (KymoRecThread *thread,
               uint32_t       region)
{
  uint64_t now = kymo_rec_now ();

  /* It was left with all that was open, by longjmp() for example. */
  if (thread->n_open < thread->sampled)
    thread->sampled = 0;
  if (region == KYMO_SAMPLE_OURS || region == KYMO_SAMPLE_LATER
      || thread->n_open > (thread->sampled != 0 ? thread->sampled : 1))
    return;
  if (thread->sampled != 0)
    {
      uint32_t last = thread->open[thread->sampled - 1].region;
      if (last == region)
        return;
      kymo_rec_leave (thread, last, now);
      thread->sampled = 0;
    }
  if (region == KYMO_SAMPLE_NO_REGION)
    return;
  kymo_rec_enter (thread, region, now);
  thread->sampled = thread->n_open;
}

static void
take_sample (int        number,
             siginfo_t *info,
             void      *context)
{
  int code = errno;
  KymoRecThread *thread = kymo_rec_self.thread;

  if (kymo_rec_self.depth != 0 || thread == NULL || !kymo_rec_is_awake ())
    return;
  kymo_rec_self.depth++;
  bool is_on = atomic_load (&period_hz) != 0;
  change_region (thread, is_on ? find_region (context) : KYMO_SAMPLE_NO_REGION);
  if (!is_on && thread->sampled == 0 && info->si_code == SI_TIMER)
    syscall (SYS_timer_settime, info->si_timerid, 0, &(struct itimerspec) { 0 }, NULL);
  kymo_rec_self.depth--;
  errno = code;
}

/* On the helper thread of core. */
static void
do_wanted (void)
{
  if (atomic_exchange (&wants_look, 0) != 0)
    kymo_sample_look ();
  if (atomic_exchange (&wants_define, 0) != 0)
    kymo_sample_define ();
}

/* -- timers ------------------------------------------------------------------- */

/* A signal that nobody uses, the last ones first. */
static bool
take_signal (void)
{
  struct sigaction action = { .sa_sigaction = take_sample,
                              .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK }, old;

  for (int number = SIGRTMAX - 1; number > SIGRTMIN && signal_number == 0; number--)
    if (sigaction (number, NULL, &old) == 0 && (old.sa_flags & SA_SIGINFO) == 0
        && old.sa_handler == SIG_DFL && sigaction (number, &action, NULL) == 0)
      signal_number = number;
  return signal_number != 0;
}

static struct timespec
make_time (long ns)
{
  return (struct timespec) { ns / 1000000000, ns % 1000000000 };
}

/* With 0 Hz it shoots until the thread has left what is open; the handler stops it then. */
static void
set_timer (Timer    *timer,
           uint32_t  hz)
{
  long period_ns = hz > 0 ? 1000000000 / (long) hz : OFF_NS;
  struct itimerspec times = { make_time (period_ns), make_time (period_ns) };
  struct sigevent event;

  memset (&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number;
  event._sigev_un._tid = timer->tid;
  if (timer->timer < 0
      && syscall (SYS_timer_create, THREAD_CLOCK (timer->tid), &event, &timer->timer) != 0)
    timer->timer = -1;
  if (timer->timer >= 0)
    syscall (SYS_timer_settime, timer->timer, 0, &times, NULL);
}

static void
drop_timer (Timer *timer)
{
  if (timer->timer >= 0)
    syscall (SYS_timer_delete, timer->timer);
  *timer = (Timer) { .timer = -1 };
}

static void
begin_thread (KymoRecThread *thread)
{
  kymo_sys_lock (&lock);
  for (unsigned i = 0; i < MOST_THREADS; i++)
    if (timers[i].number == 0)
      {
        timers[i] = (Timer) { thread->number + 1, (int) syscall (SYS_gettid), -1 };
        if (atomic_load (&period_hz) != 0)
          set_timer (&timers[i], atomic_load (&period_hz));
        break;
      }
  kymo_sys_unlock (&lock);
}

static void
end_thread (KymoRecThread *thread)
{
  kymo_sys_lock (&lock);
  for (unsigned i = 0; i < MOST_THREADS; i++)
    if (timers[i].number == thread->number + 1)
      drop_timer (&timers[i]);
  kymo_sys_unlock (&lock);
}

/**
 * kymo_sample_turn: has all threads sampled, or no longer. Any thread.
 * @hz: samples in a second of processor time of a thread, at most KYMO_SAMPLE_MOST_HZ; 0: none
 *
 * Returns: FALSE if the program uses all signals that could be taken
 */
bool
kymo_sample_turn (uint32_t hz)
{
  kymo_sys_lock (&lock);
  bool good = hz == 0 || signal_number != 0 || take_signal ();
  uint32_t old = atomic_exchange (&period_hz, good ? hz : 0);
  if (good && hz != 0)
    {
      atomic_store (&wants_look, 1);
      kymo_rec_helper_kick ();
    }
  for (unsigned i = 0; good && (hz != 0 || old != 0) && i < MOST_THREADS; i++)
    if (timers[i].number != 0)
      set_timer (&timers[i], hz);
  kymo_sys_unlock (&lock);
  return good;
}

static void
start_sampling (void)
{
  uint32_t hz = kymo_rec_options ()->sample_hz;

  if (hz != 0 && !kymo_sample_turn (hz))
    kymo_rec_say ("the program uses all real-time signals: nothing is sampled");
}

static void
end_sampling (void)
{
  atomic_store (&period_hz, 0);
  kymo_sys_lock (&lock);
  for (unsigned i = 0; i < MOST_THREADS; i++)
    if (timers[i].number != 0)
      drop_timer (&timers[i]);
  kymo_sys_unlock (&lock);
}

/* Before the constructor of core, which makes the first thread. */
static __attribute__ ((constructor (200))) void
add_hooks (void)
{
  kymo_rec_thread_begins = begin_thread;
  kymo_rec_thread_ends = end_thread;
  kymo_rec_helper_work = do_wanted;
  kymo_rec_at_start (start_sampling);
  kymo_rec_at_end (end_sampling);
}
