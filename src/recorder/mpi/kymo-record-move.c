/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that waits for a dead file server can hold up the end of its process, however it is
 * asked to end; a process of its own cannot. It is kymo-record (launch/kymo-mover.c), started by a
 * helper thread, as even that may not come back, and it says on a pipe how far it is. Who waits
 * goes on once nothing has come about for long enough.
 */
#include "kymo-record-move.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define CLOSE_RANGE 436u                /* the system call, on every machine */
#define CLOSE_RANGE_OWN 2u              /* with a table of descriptors of its own */
#define STACK_BYTES (64u << 10)

/**
 * Move: one that is under way; never freed, as the thread may last longer than anyone waits
 * @arguments: of kymo-record
 * @n_steps: how often something came about, the end included
 * @end: 0 while it is under way, 1 = all was moved, 2 = not
 * @pid: of the process, once it was started
 */
typedef struct
{
  char             from[KYMO_SYS_MOST_PATH], to[KYMO_SYS_MOST_PATH];
  const char      *arguments[8];
  int              out;
  _Atomic uint32_t n_steps, end;
  _Atomic int      pid;
} Move;

/* In the memory of the process that starts it, which waits until this becomes another program. */
static int
become_mover (void *data)
{
  static char *const no_variables[] = { NULL };
  Move *move = data;
  int nothing = kymo_sys_open ("/dev/null", O_RDWR, 0);

  syscall (SYS_dup3, nothing, 0, 0);
  syscall (SYS_dup3, nothing, 2, 0);
  syscall (SYS_dup3, move->out, 1, 0);
  syscall (SYS_setsid);
  syscall (SYS_execve, move->arguments[0], move->arguments, no_variables);
  syscall (SYS_exit, 127);
  return 127;
}

static void
note_step (Move     *move,
           uint32_t  end)
{
  atomic_store (&move->end, end);
  atomic_fetch_add (&move->n_steps, 1);
  kymo_sys_wake (&move->n_steps);
}

/* A process that tells nobody when it ends: the program may wait for children of its own. */
static int
start_mover (Move *move)
{
  char *stack = kymo_sys_map (STACK_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int pid = stack != NULL ? clone (become_mover, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, move)
    : -1;

  if (stack != NULL)
    kymo_sys_unmap (stack, STACK_BYTES);
  return pid;
}

static void *
watch_mover (void *data)
{
  Move *move = data;
  int pipe[2], pid;
  bool good = false;
  char said[64];
  long n;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  syscall (CLOSE_RANGE, 0u, ~0u, CLOSE_RANGE_OWN);
  /* Numbers that become_mover() does not overwrite. */
  for (int i = 0; i < 3; i++)
    kymo_sys_open ("/dev/null", O_RDWR, 0);
  if (syscall (SYS_pipe2, pipe, O_CLOEXEC) != 0)
    {
      note_step (move, 2);
      return NULL;
    }
  move->out = pipe[1];
  pid = start_mover (move);
  atomic_store (&move->pid, pid);
  kymo_sys_close (pipe[1]);
  while (pid > 0 && (n = kymo_sys_read (pipe[0], said, sizeof said)) > 0)
    {
      good = said[n - 1] == '+';
      note_step (move, 0);
    }
  kymo_sys_close (pipe[0]);
  if (pid > 0)
    syscall (SYS_wait4, pid, NULL, __WCLONE, NULL);
  note_step (move, good ? 1 : 2);
  return NULL;
}

/* Whether all was moved; FALSE also after the patience is at its end. */
static bool
wait_for_mover (Move *move)
{
  uint64_t since_ns = kymo_rec_monotonic_ns ();
  uint32_t seen = atomic_load (&move->n_steps);

  while (atomic_load (&move->end) == 0)
    {
      uint64_t now_ns = kymo_rec_monotonic_ns (), patience_ns = kymo_rec_folder_get_patience ();
      uint32_t n_steps = atomic_load (&move->n_steps);

      if (n_steps != seen)
        {
          kymo_rec_folder_lose_patience (now_ns - since_ns);
          since_ns = now_ns;
          seen = n_steps;
        }
      else if (now_ns - since_ns >= patience_ns)
        {
          int pid = atomic_load (&move->pid);

          kymo_rec_folder_lose_patience (UINT64_MAX / 2);
          if (pid > 0)
            syscall (SYS_kill, pid, SIGKILL);
          return false;
        }
      else
        kymo_sys_sleep_on (&move->n_steps, n_steps, patience_ns - (now_ns - since_ns));
    }
  return atomic_load (&move->end) == 1;
}

/* @skip: names in @from that stay, NULL at the end */
static bool
move_files (const char        *from,
            const char        *to,
            const char *const *skip)
{
  Move *move = kymo_rec_arena (sizeof *move);
  unsigned n = 0;
  unsigned long thread;

  if (move == NULL)
    return false;
  snprintf (move->from, sizeof move->from, "%s", from);
  snprintf (move->to, sizeof move->to, "%s", to);
  move->arguments[n++] = getenv ("KYMO_RECORD_LAUNCHER");
  move->arguments[n++] = "--move";
  move->arguments[n++] = move->from;
  move->arguments[n++] = move->to;
  while (*skip != NULL && n + 1 < sizeof move->arguments / sizeof *move->arguments)
    move->arguments[n++] = *skip++;
  if (move->arguments[0] == NULL || !kymo_rec_start_thread (watch_mover, move, &thread))
    return false;
  pthread_detach (thread);
  return wait_for_mover (move);
}

/**
 * kymo_record_staging_path:
 * @path: (out): a folder on the local disk, the same for all processes of the job on this node
 * @n_bytes: room for it
 * @is_alone: this process has a folder of its own
 */
void
kymo_record_staging_path (char   *path,
                          size_t  n_bytes,
                          bool    is_alone)
{
  const char *own = kymo_rec_process_folder (), *slash = strrchr (own, '/');

  if (is_alone)
    snprintf (path, n_bytes, "%s.archive", own);
  else
    snprintf (path, n_bytes, "%.*s/archive", (int) (slash != NULL ? slash - own : 0), own);
}

/**
 * kymo_record_staging_fill:
 * @staging: a folder of kymo_record_staging_path(), which exists
 *
 * Gets what agents on other hosts brought to the folder of the run.
 *
 * Returns: FALSE if the file server does not answer
 */
bool
kymo_record_staging_fill (const char *staging)
{
  static const char *const nothing[] = { NULL };
  char from[KYMO_SYS_MOST_PATH + 8], to[KYMO_SYS_MOST_PATH + 8];

  snprintf (from, sizeof from, "%s/raw", kymo_rec_folder ());
  snprintf (to, sizeof to, "%s/raw", staging);
  return move_files (from, to, nothing);
}

/* Of the processes of a node the first that asks. */
static bool
is_leader (const char *staging)
{
  char path[KYMO_SYS_MOST_PATH + sizeof kymo_rec_options ()->job + 16];

  /* Another job may have died here. */
  int n = snprintf (path, sizeof path, "%s/.leader-%s", staging, kymo_rec_options ()->job);
  for (char *at = path + strlen (staging) + 1; n > 0 && *at != '\0'; at++)
    if (*at == '/')
      *at = '-';
  int fd = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd >= 0)
    kymo_sys_close (fd);
  return fd >= 0;
}

/**
 * kymo_record_staging_move:
 * @staging: where the archive is, or the part of it that processes of this node wrote
 * @folder: where it goes
 * @is_whole: whether it was written, the same on all ranks
 *
 * Collective. Moves the archive, its anchor last, and removes @staging. What lies on the file
 * server of an archive that could not be moved has no anchor.
 *
 * Returns: whether all of it is in @folder, the same on all ranks
 */
bool
kymo_record_staging_move (KymoArchiveWorld *world,
                          const char       *staging,
                          const char       *folder,
                          bool              is_whole)
{
  static const char *const later[] = { "raw", "traces.otf2", NULL }, *const nothing[] = { NULL };
  char from[KYMO_SYS_MOST_PATH + 16], to[KYMO_SYS_MOST_PATH + 16];
  bool leads = kymo_rec_folder_is_far () && is_leader (staging);

  if (is_whole)
    {
      is_whole = world->agree (world, !leads || move_files (staging, folder, later));
      snprintf (from, sizeof from, "%s/traces.otf2", staging);
      snprintf (to, sizeof to, "%s/traces.otf2", folder);
      is_whole = world->agree (world, is_whole && (world->rank != 0 || !kymo_rec_folder_is_far ()
                                                   || move_files (from, to, nothing)));
    }
  else
    world->agree (world, true);
  if (leads)
    kymo_rec_discard_tree (staging);
  return is_whole;
}
