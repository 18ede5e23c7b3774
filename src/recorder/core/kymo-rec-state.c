/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a process wakes up, stops and ends.
 *
 * The library is loaded into everything that the recorded program starts: shells, compilers, the
 * launcher of MPI. All of these stay dormant: the constructor reads a few variables and returns.
 * The state lies in a page that the kernel wipes in children of fork(), so a child is dormant
 * before it runs its first instruction, however it was made.
 */
#include "kymo-rec-inner.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#define MOST_HOOKS 8

static KymoRecPage dormant_page;
KymoRecPage *kymo_rec_page = &dormant_page;
void (*kymo_rec_switched) (KymoRecThread *thread, uint64_t time);

static KymoRecOptions options;
static char host[128];
static char process_folder[KYMO_SYS_MOST_PATH];
static KymoSysLock wake_lock, arena_lock;
static char *arena_at, *arena_end;
static void (*start_hooks[MOST_HOOKS]) (void), (*end_hooks[MOST_HOOKS]) (void);
static unsigned n_start_hooks, n_end_hooks;
static atomic_flag start_hooks_ran = ATOMIC_FLAG_INIT;
static KymoRecThread *root_thread;      /* who entered the region of the whole program */
static uint32_t root_region = KYMO_RAW_NONE;
static atomic_int finishing;
static struct stat stderr_inode;        /* no links: there was none */

/* Programs that only start others: their time is nobody's. */
static const char *const starters[] = {
  "sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "csh", "tcsh", "fish", "busybox", "env",
  "nice", "nohup", "setsid", "taskset", "numactl", "chrt", "ionice", "stdbuf", "time", "timeout",
  "xargs", "sudo", "mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "mpiexec.hydra",
  "mpirun.openmpi", "mpirun.mpich", "mpiexec.openmpi", "mpiexec.mpich", "hydra_pmi_proxy", "srun",
  "aprun", "jsrun", "flux", "gdb", "strace", "ltrace", "valgrind", "perf", "kymo-record",
};

/**
 * kymo_rec_options: what is to be recorded; static.
 */
const KymoRecOptions *
kymo_rec_options (void)
{
  return &options;
}

/**
 * kymo_rec_folder: the folder of the run; static.
 */
const char *
kymo_rec_folder (void)
{
  return options.folder;
}

/**
 * kymo_rec_process_folder: the raw folder of this process; static, empty while it is dormant.
 */
const char *
kymo_rec_process_folder (void)
{
  return process_folder;
}

/**
 * kymo_rec_arena:
 * @n_bytes: any number
 *
 * Returns: zeroed memory that is never freed and is not the program's; NULL if there is none
 */
void *
kymo_rec_arena (size_t n_bytes)
{
  void *result = NULL;

  n_bytes = (n_bytes + 15) & ~(size_t) 15;
  if (n_bytes >= 32 << 10)
    return kymo_sys_map (n_bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  kymo_sys_lock (&arena_lock);
  if ((size_t) (arena_end - arena_at) < n_bytes)
    {
      arena_at = kymo_sys_map (256 << 10, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      arena_end = arena_at != NULL ? arena_at + (256 << 10) : NULL;
    }
  if (arena_at != NULL)
    {
      result = arena_at;
      arena_at += n_bytes;
    }
  kymo_sys_unlock (&arena_lock);
  return result;
}

/**
 * kymo_rec_next_symbol:
 * @name: a function that the recorder wraps
 *
 * Returns: the function of that name in the libraries after this one, or NULL
 */
void *
kymo_rec_next_symbol (const char *name)
{
#ifdef KYMO_REC_STATIC
  return NULL;
#else
  return dlsym (RTLD_NEXT, name);
#endif
}

/**
 * kymo_rec_start_thread: starts a helper thread, which receives no signal of the program and is
 * not recorded.
 * @function: what it does; it begins with kymo_rec_system_file() or touches no wrapped function
 * @data: for @function
 * @id: (out): for pthread_join()
 *
 * Returns: FALSE if there is no thread
 */
bool
kymo_rec_start_thread (void          *(*function) (void *),
                       void           *data,
                       unsigned long  *id)
{
#ifdef KYMO_REC_STATIC
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) = pthread_create;
#else
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)
    = kymo_rec_next_symbol ("pthread_create");
#endif
  pthread_attr_t attributes;
  sigset_t all, before;

  if (create == NULL || pthread_attr_init (&attributes) != 0)
    return false;
  pthread_attr_setstacksize (&attributes, 256 << 10);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  bool good = create (id, &attributes, function, data) == 0;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  pthread_attr_destroy (&attributes);
  return good;
}

/* Whether stderr is what it was at first: the program may have opened a file of its own there. */
static bool
has_stderr (void)
{
  struct stat now;

  return stderr_inode.st_nlink > 0 && kymo_sys_stat_fd (2, &now)
         && now.st_ino == stderr_inode.st_ino && now.st_dev == stderr_inode.st_dev;
}

static void
write_line (const char *sentence)
{
  char line[1024];
  const char *rank = getenv ("OMPI_COMM_WORLD_RANK");
  int n;

  if (!has_stderr ())
    return;
  if (rank == NULL)
    rank = getenv ("PMI_RANK");
  if (rank != NULL)
    n = snprintf (line, sizeof line, "kymo-record: rank %s: %s\n", rank, sentence);
  else
    n = snprintf (line, sizeof line, "kymo-record: %s\n", sentence);
  if (n > (int) sizeof line - 1)
    n = (int) sizeof line - 1;
  /* Where stderr is a pipe that nobody reads, writing would end the program. */
  sigset_t pipes, before;
  struct timespec none = { 0, 0 };
  sigemptyset (&pipes);
  sigaddset (&pipes, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipes, &before);
  if (!kymo_sys_write (2, line, (size_t) n) && errno == EPIPE && !sigismember (&before, SIGPIPE))
    sigtimedwait (&pipes, NULL, &none);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
}

/**
 * kymo_rec_say: writes one line to stderr, unless --quiet.
 * @sentence: without full stop and newline
 */
void
kymo_rec_say (const char *sentence)
{
  int code = errno;

  if (!options.quiet)
    write_line (sentence);
  errno = code;
}

/**
 * kymo_rec_stop: ends recording in this process; the program goes on. Said on stderr, once.
 * @reason: a clause without full stop
 */
void
kymo_rec_stop (const char *reason)
{
  int awake = KYMO_REC_AWAKE, paused = KYMO_REC_PAUSED, code = errno;
  char sentence[512];

  if (atomic_compare_exchange_strong (&kymo_rec_page->state, &awake, KYMO_REC_STOPPED)
      || atomic_compare_exchange_strong (&kymo_rec_page->state, &paused, KYMO_REC_STOPPED))
    {
      snprintf (sentence, sizeof sentence, "%s: recording stops here, the program goes on", reason);
      write_line (sentence);
      kymo_rec_define ("lost", "sus", "events", 0u, reason);
    }
  errno = code;
}

/**
 * kymo_rec_stop_errno: as kymo_rec_stop(), for a system call that failed.
 * @what: what could not be done
 * @code: the value of errno
 */
void
kymo_rec_stop_errno (const char *what,
                     int         code)
{
  char reason[256], words[128];

  snprintf (reason, sizeof reason, "%s (%s)", what, strerror_r (code, words, sizeof words));
  kymo_rec_stop (reason);
}

/**
 * kymo_rec_at_start:
 * @hook: called once the process knows its place: after MPI_Init, or where there is no MPI when
 *   it wakes up. Only constructors may register hooks.
 */
void
kymo_rec_at_start (void (*hook) (void))
{
  if (n_start_hooks < MOST_HOOKS)
    start_hooks[n_start_hooks++] = hook;
}

/**
 * kymo_rec_at_end:
 * @hook: called before the archive is written, while events can still be recorded
 */
void
kymo_rec_at_end (void (*hook) (void))
{
  if (n_end_hooks < MOST_HOOKS)
    end_hooks[n_end_hooks++] = hook;
}

/**
 * kymo_rec_run_start_hooks: runs them, once; any thread may call it.
 */
void
kymo_rec_run_start_hooks (void)
{
  if (!kymo_rec_is_awake () || atomic_flag_test_and_set (&start_hooks_ran))
    return;
  for (unsigned i = 0; i < n_start_hooks; i++)
    start_hooks[i] ();
}

/* The program as it was called: a script rather than its interpreter. */
static const char *
program_name (char   *path,
              size_t  n_bytes)
{
  const char *given = getenv ("KYMO_RECORD_PROGRAM");

  if (given != NULL && *given != '\0' && options.main_pid == (int) kymo_rec_page->pid)
    return given;
  long n = syscall (SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, n_bytes - 1);
  path[n > 0 ? n : 0] = '\0';
  return path;
}

static void
enter_root (const char *program,
            uint64_t    begin)
{
  const char *slash = strrchr (program, '/');

  root_thread = kymo_rec_thread ();
  if (root_thread == NULL)
    return;
  root_region = kymo_rec_region (slash != NULL ? slash + 1 : program, 1, 1, NULL, 0);
  if (root_region != KYMO_RAW_NONE)
    kymo_rec_enter (root_thread, root_region, begin);
}

static bool
open_record (uint64_t begin)
{
  char path[KYMO_SYS_MOST_PATH];
  struct timespec now;
  struct utsname system;

  if (uname (&system) == 0)
    snprintf (host, sizeof host, "%s", system.nodename);
  if (!kymo_rec_process_folder_make (&options, host, process_folder, sizeof process_folder)
      || !kymo_rec_definitions_open (process_folder))
    {
      char words[128], sentence[256];
      snprintf (sentence, sizeof sentence, "nothing is recorded, as the folder for it cannot be "
                "made (%s)", strerror_r (errno, words, sizeof words));
      write_line (sentence);
      return false;
    }
  kymo_rec_threads_init ();
  atomic_store (&kymo_rec_page->state, KYMO_REC_AWAKE);
  clock_gettime (CLOCK_REALTIME, &now);
  const char *program = program_name (path, sizeof path);
  kymo_rec_define ("kymo-raw", "u", 1u);
  kymo_rec_define ("process", "suUs", host, kymo_rec_page->pid,
                   (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec, program);
  if (options.main_pid != 0 && options.main_pid != (int) kymo_rec_page->pid)
    kymo_rec_define ("parent", "i", options.main_pid);
  kymo_rec_define_clock ();
  enter_root (program, begin);
  kymo_rec_wait_for_request ();
  kymo_rec_helper_start ();
  return true;
}

/**
 * kymo_rec_is_asked:
 *
 * Returns: whether someone asked for a record of this process, even if there can be none
 */
bool
kymo_rec_is_asked (void)
{
  return kymo_rec_page != &dormant_page && options.folder[0] != '\0'
    && getpid () == (pid_t) kymo_rec_page->pid;
}

/**
 * kymo_rec_wake: begins to record this process, if someone asked for it and it has not begun.
 *
 * Returns: whether it is awake
 */
bool
kymo_rec_wake (void)
{
  static bool tried;
  int code = errno;

  if (!kymo_rec_is_asked ())
    return kymo_rec_is_awake ();
  kymo_sys_lock (&wake_lock);
  if (!tried)
    {
      uint32_t depth = kymo_rec_self.depth;
      tried = true;
      kymo_rec_self.depth = depth + 1;
      kymo_rec_page->tsc = kymo_rec_clock_is_tsc ();
      open_record (kymo_rec_now ());
      kymo_rec_self.depth = depth;
    }
  kymo_sys_unlock (&wake_lock);
  errno = code;
  return kymo_rec_is_awake ();
}

/**
 * kymo_rec_finish: ends recording for good: helper threads are joined, the last definitions
 * written. Does nothing in a process that never woke up, and the second time.
 * @reason: as in the line `end` of the definitions
 *
 * Returns: whether there is a record of which an archive can be made
 */
bool
kymo_rec_finish (const char *reason)
{
  int state = atomic_load (&kymo_rec_page->state);

  if ((state != KYMO_REC_AWAKE && state != KYMO_REC_PAUSED && state != KYMO_REC_STOPPED)
      || atomic_exchange (&finishing, 1) != 0)
    return false;
  /* What is called here is wrapped, too. */
  KymoRecSelf self = kymo_rec_self;
  kymo_rec_self.depth++;
  kymo_rec_self.frame = UINTPTR_MAX;
  for (unsigned i = 0; i < n_end_hooks; i++)
    end_hooks[i] ();
  kymo_rec_helper_stop ();
  KymoRecThread *thread = kymo_rec_thread ();
  if (thread != NULL && thread == root_thread)
    kymo_rec_unwind (thread, 0);
  kymo_rec_define_clock ();
  kymo_rec_define ("end", "s", state == KYMO_REC_STOPPED ? "limit" : reason);
  atomic_store (&kymo_rec_page->state, KYMO_REC_FINISHED);
  kymo_rec_self.depth = self.depth;
  kymo_rec_self.frame = self.frame;
  return true;
}

static bool
is_starter (int pid)
{
  char path[64], program[512];

  snprintf (path, sizeof path, "/proc/%d/exe", pid);
  long n = syscall (SYS_readlinkat, AT_FDCWD, path, program, sizeof program - 1);
  if (n <= 0)
    return false;
  program[n] = '\0';
  const char *slash = strrchr (program, '/');
  const char *name = slash != NULL ? slash + 1 : program;
  for (unsigned i = 0; i < sizeof starters / sizeof *starters; i++)
    if (strcmp (name, starters[i]) == 0)
      return true;
  return false;
}

/* The wrappers of one MPI cannot even pass on calls of another, whose handles have other sizes. The
 * program has not begun yet: it is started once more without us. */
static void
start_without (char **argv)
{
  static const char sentence[] = "kymo-record: the library is for another MPI than the program: "
                                 "nothing is recorded\n";
  const char *preloaded = getenv ("LD_PRELOAD");
  Dl_info own;

  if (preloaded == NULL || dladdr (start_without, &own) == 0 || own.dli_fname == NULL)
    return;
  char *found = strstr (preloaded, own.dli_fname);
  if (found == NULL)
    return;
  kymo_sys_write (2, sentence, sizeof sentence - 1);
  memset (found, ' ', strlen (own.dli_fname));
  unsetenv ("KYMO_RECORD_DIR");
  syscall (SYS_execve, "/proc/self/exe", argv, environ);
}

static __attribute__ ((constructor)) void
start_library (int    argc,
               char **argv)
{
  if (!kymo_rec_fits ())
    start_without (argv);
  if (getenv ("KYMO_RECORD_DIR") == NULL || !kymo_rec_fits ())
    return;
  kymo_rec_options_read (&options);
  KymoRecPage *page = kymo_sys_map ((size_t) sysconf (_SC_PAGESIZE),
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == NULL)
    return;
  if (syscall (SYS_madvise, page, sysconf (_SC_PAGESIZE), MADV_WIPEONFORK) != 0)
    return;
  page->pid = (uint32_t) getpid ();
  if (!kymo_sys_stat_fd (2, &stderr_inode))
    stderr_inode.st_nlink = 0;
  kymo_rec_page = page;
  if (options.main_pid == (int) page->pid && !is_starter ((int) page->pid) && kymo_rec_wake ()
      && !kymo_rec_mpi_is_linked ())
    kymo_rec_run_start_hooks ();
}
