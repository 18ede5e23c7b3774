/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a process does when rank 0 tells it to. The helper thread of the live view takes the orders;
 * what takes time has a thread of its own, in the helper's table of descriptors. When the program
 * ends, what is under way ends first.
 */
#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kymo-act-order.h"
#include "kymo-archive.h"
#include "kymo-live-bins.h"
#include "kymo-live.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"
#include "kymo-sample.h"

#define MOST_JOBS 8
#define GRACE_NS 2000000u       /* for records of the last moment to be whole */
#define END_PATIENCE_NS 10000000000u    /* of the program for a job */

typedef enum { JOB_FREE, JOB_RUNS, JOB_OVER } JobState;

typedef struct
{
  _Atomic uint32_t state;       /* JobState */
  unsigned long thread;
  KymoActOrder order;
} Job;

static Job jobs[MOST_JOBS];
static _Atomic uint32_t hurry;  /* the program ends */
static char marker[256];
static KymoSysLock marker_lock;
static _Atomic uint32_t marker_number;

/**
 * kymo_act_answer: tells rank 0 what became of an order. On any thread.
 * @words: a clause without full stop
 */
void
kymo_act_answer (uint32_t           number,
                 KymoActAnswerKind  kind,
                 uint64_t           count,
                 const char        *words)
{
  KymoActAnswer answer = { .kind = kind, .number = number, .count = count };

  snprintf (answer.words, sizeof answer.words, "%s", words);
  kymo_live_tell_root (KYMO_LIVE_ANSWER, &answer, sizeof answer);
}

/**
 * kymo_act_path: where an action writes.
 * @kind: trace or profile
 * @path: (out): the path
 *
 * Returns: FALSE if it is too long
 */
bool
kymo_act_path (uint32_t    number,
               const char *kind,
               char       *path,
               size_t      room)
{
  int n = snprintf (path, room, "%s/actions/%s-%u", kymo_rec_folder (), kind, number);

  return n > 0 && (size_t) n < room;
}

static bool
make_path (uint32_t    number,
           const char *kind,
           char       *path,
           size_t      room)
{
  if (!kymo_act_path (number, kind, path, room))
    return false;
  char *slash = strrchr (path, '/');
  *slash = '\0';
  kymo_sys_mkdir (path);
  *slash = '/';
  return true;
}

/* Sleeps until a moment of the stream, or the program ends. Returns the moment in ticks. */
static uint64_t
sleep_until (int64_t at_ns)
{
  uint64_t ticks;
  int64_t now_ns;

  while ((now_ns = kymo_live_now_ns (&ticks)) < at_ns && atomic_load (&hurry) == 0)
    kymo_sys_sleep_on (&hurry, 0, (uint64_t) (at_ns - now_ns));
  return ticks;
}

static void
trace_window (const KymoActOrder *order)
{
  char path[KYMO_SYS_MOST_PATH], words[KYMO_ACT_MOST_WORDS];
  uint64_t begin = sleep_until (order->begin_ns), end, n_records;

  kymo_rec_request (true);
  end = sleep_until (order->end_ns);
  bool is_off = kymo_rec_is_turned_off ();
  kymo_rec_request (false);
  nanosleep (&(struct timespec) { 0, GRACE_NS }, NULL);
  if (!make_path (order->number, "trace", path, sizeof path))
    kymo_act_answer (order->number, KYMO_ACT_REFUSED, 0, "has no room for the path of the trace");
  else if (!kymo_act_slice (path, begin, end, &n_records, words))
    kymo_act_answer (order->number, KYMO_ACT_REFUSED, 0, words);
  else
    kymo_act_answer (order->number, KYMO_ACT_DONE, n_records, words[0] != '\0' || !is_off ? words
                     : "records nothing, as the program has turned recording off");
}

static void
write_profile (const KymoActOrder *order)
{
  char path[KYMO_SYS_MOST_PATH];
  char words[KYMO_ACT_MOST_WORDS] = "has no room for the path of the profile";
  bool good = make_path (order->number, "profile", path, sizeof path)
              && kymo_act_profile (path, kymo_live_rank (), words);

  kymo_act_answer (order->number, good ? KYMO_ACT_DONE : KYMO_ACT_REFUSED, 0, words);
}

/* The last sentence says why there is no archive, if there is none. */
static void
keep_sentence (const char *sentence,
               void       *words)
{
  snprintf (words, KYMO_ACT_MOST_WORDS, "%s", sentence);
}

/* Removes the raw folders of a trace, whose archive is written. */
static void
remove_raw (const char *path)
{
  char raw[KYMO_SYS_MOST_PATH + 8], entries[4096], folder[KYMO_SYS_MOST_PATH + 300];
  long n;

  snprintf (raw, sizeof raw, "%s/raw", path);
  int fd = kymo_sys_open (raw, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
  while (fd >= 0 && (n = syscall (SYS_getdents64, fd, entries, sizeof entries)) > 0)
    for (long at = 0; at < n;)
      {
        struct { uint64_t inode; int64_t offset; uint16_t size; uint8_t type; char name[]; } *entry
          = (void *) (entries + at);
        snprintf (folder, sizeof folder, "%s/%s", raw, entry->name);
        if (entry->name[0] != '.')
          kymo_rec_discard_folder (folder);
        at += entry->size;
      }
  if (fd >= 0)
    kymo_sys_close (fd);
  syscall (SYS_unlinkat, AT_FDCWD, raw, AT_REMOVEDIR);
}

/* Rank 0: the raw folders of all ranks of a trace become an archive. */
static void
convert_trace (const KymoActOrder *order)
{
  char path[KYMO_SYS_MOST_PATH], words[KYMO_ACT_MOST_WORDS] = "";

  setpriority (PRIO_PROCESS, 0, 10);
  bool good = kymo_act_path (order->number, "trace", path, sizeof path)
              && kymo_archive_recover (path, NULL, keep_sentence, words);
  if (good && !kymo_rec_options ()->keep_raw)
    remove_raw (path);
  kymo_act_answer (order->number, KYMO_ACT_WRITTEN, good, good ? "" : words);
}

/* -- jobs --------------------------------------------------------------------- */

/* A kind of its own, which no order has. */
#define CONVERT 1000u

static void *
run_job (void *data)
{
  Job *job = data;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  if (job->order.kind == KYMO_ACT_TRACE)
    trace_window (&job->order);
  else if (job->order.kind == KYMO_ACT_PROFILE)
    write_profile (&job->order);
  else
    convert_trace (&job->order);
  atomic_store (&job->state, JOB_OVER);
  kymo_sys_wake (&job->state);
  return NULL;
}

static void
start_job (const KymoActOrder *order,
           uint32_t            kind)
{
  for (unsigned i = 0; i < MOST_JOBS; i++)
    {
      Job *job = &jobs[i];
      if (atomic_load (&job->state) == JOB_OVER)
        {
          pthread_join (job->thread, NULL);
          atomic_store (&job->state, JOB_FREE);
        }
      if (atomic_load (&job->state) != JOB_FREE)
        continue;
      job->order = *order;
      job->order.kind = kind;
      atomic_store (&job->state, JOB_RUNS);
      if (kymo_rec_start_thread (run_job, job, &job->thread))
        return;
      atomic_store (&job->state, JOB_FREE);
      break;
    }
  kymo_act_answer (order->number, kind == CONVERT ? KYMO_ACT_WRITTEN : KYMO_ACT_REFUSED, 0,
                   "has no thread to spare");
}

/**
 * kymo_act_write_archive: makes the archive of a trace, on a thread of its own, which answers with
 * KYMO_ACT_WRITTEN. On the helper thread of rank 0.
 */
void
kymo_act_write_archive (uint32_t number)
{
  start_job (&(KymoActOrder) { .number = number }, CONVERT);
}

/**
 * kymo_act_end_work: what is under way ends now; returns when it has, or after ten seconds. On the
 * thread that ends the program.
 */
void
kymo_act_end_work (void)
{
  uint64_t until_ns = kymo_rec_monotonic_ns () + END_PATIENCE_NS, now_ns;

  atomic_store (&hurry, 1);
  kymo_sys_wake (&hurry);
  for (unsigned i = 0; i < MOST_JOBS; i++)
    while (atomic_load (&jobs[i].state) == JOB_RUNS
           && (now_ns = kymo_rec_monotonic_ns ()) < until_ns)
      kymo_sys_sleep_on (&jobs[i].state, JOB_RUNS, until_ns - now_ns);
}

/* -- markers ------------------------------------------------------------------ */

/* On the main thread, at a call. */
static void
set_marker (KymoRecThread *thread,
            uint64_t       time)
{
  char text[sizeof marker];
  uint32_t number = atomic_load (&marker_number);

  kymo_sys_lock (&marker_lock);
  memcpy (text, marker, sizeof text);
  kymo_sys_unlock (&marker_lock);
  uint32_t region = kymo_rec_region (text, OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_USER, NULL, 0);
  KymoRawCell *cell = region != KYMO_RAW_NONE ? kymo_rec_reserve (thread, 1) : NULL;
  if (cell != NULL)
    {
      cell->arg = region;
      cell->time = time;
      kymo_rec_commit (cell, KYMO_RAW_MARKER);
    }
  kymo_act_answer (number, KYMO_ACT_DONE, cell != NULL, "");
}

static void
order_marker (const KymoActOrder *order,
              const char         *text,
              uint32_t            n_bytes)
{
  kymo_sys_lock (&marker_lock);
  snprintf (marker, sizeof marker, "%.*s", (int) n_bytes, text);
  kymo_sys_unlock (&marker_lock);
  atomic_store (&marker_number, order->number);
  kymo_live_send_errand (set_marker);
}

/* -- orders ------------------------------------------------------------------- */

static bool
has_rank (const uint8_t *set,
          uint32_t       n_bytes)
{
  uint32_t rank = kymo_live_rank ();

  return rank / 8 < n_bytes && (set[rank / 8] >> rank % 8 & 1) != 0;
}

static void
take_step_order (const KymoActOrder *order,
                 const void         *rest,
                 uint32_t            n_rest)
{
  KymoActStep step;

  if (n_rest < sizeof step)
    return;
  memcpy (&step, rest, sizeof step);
  step.name[sizeof step.name - 1] = '\0';
  kymo_act_prepare (order->number, &step);
}

/**
 * kymo_act_take_order: an order of rank 0 has come. On the helper thread.
 */
void
kymo_act_take_order (uint32_t    from,
                     const void *bytes,
                     uint32_t    n_bytes)
{
  KymoActOrder order;
  const uint8_t *rest = (const uint8_t *) bytes + sizeof order;
  uint32_t n_rest = n_bytes - (uint32_t) sizeof order;

  if (n_bytes < sizeof order)
    return;
  memcpy (&order, bytes, sizeof order);
  switch (order.kind)
    {
    case KYMO_ACT_TRACE:
      if (has_rank (rest, n_rest))
        start_job (&order, order.kind);
      break;
    case KYMO_ACT_PROFILE:
      start_job (&order, order.kind);
      break;
    case KYMO_ACT_MARKER:
      order_marker (&order, (const char *) rest, n_rest);
      break;
    case KYMO_ACT_RECORD:
      kymo_rec_request (true);
      break;
    case KYMO_ACT_PREPARE:
      take_step_order (&order, rest, n_rest);
      break;
    case KYMO_ACT_COMMIT:
      kymo_act_commit (order.number, order.count);
      break;
    case KYMO_ACT_ABORT:
      kymo_act_abort (order.number);
      break;
    case KYMO_ACT_SAMPLE:
      if (kymo_sample_turn ((uint32_t) order.count))
        kymo_act_answer (order.number, KYMO_ACT_DONE, 1, "");
      else
        kymo_act_answer (order.number, KYMO_ACT_REFUSED, 0, "has no real-time signal to spare");
      break;
    case KYMO_ACT_HURRY:
      atomic_store (&hurry, 1);
      kymo_sys_wake (&hurry);
      break;
    default:
      break;
    }
}
