/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring: wall time beside the processor time of all threads, of a
 * function or of a whole process. One thread.
 */
#include "config.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

extern char **environ;

static double
cpu_of (const struct rusage *usage)
{
  return (double) (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec)
    + (double) (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/** bench_now: the clocks, to be given to bench_since() */
BenchSample
bench_now (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (BenchSample) { (double) g_get_monotonic_time () / 1e6, cpu_of (&usage), 0 };
}

BenchSample
bench_since (BenchSample begin)
{
  BenchSample now = bench_now ();

  return (BenchSample) { now.wall_s - begin.wall_s, now.cpu_s - begin.cpu_s, 0 };
}

/**
 * bench_measure:
 * @row: (nullable): is filled in
 * @bytes: that go through, @records likewise
 *
 * Calls @function once without counting, then as often as was asked for.
 *
 * Returns: the best wall time in seconds
 */
double
bench_measure (const Bench   *bench,
               BenchRow      *row,
               BenchFunction  function,
               gpointer       data,
               gint64         bytes,
               gint64         records)
{
  g_autofree BenchSample *samples = g_new0 (BenchSample, bench->n_times);
  double best = G_MAXDOUBLE;

  function (data);
  for (gint i = 0; i < bench->n_times; i++)
    {
      BenchSample begin = bench_now ();

      function (data);
      samples[i] = bench_since (begin);
      best = MIN (best, samples[i].wall_s);
    }
  if (row != NULL)
    bench_row_set (row, samples, bench->n_times, bytes, records);
  return best;
}

/* The whole output of a child, or nothing where it is not wanted. */
static char *
read_all (int fd)
{
  GString *text = g_string_new (NULL);
  char buffer[4096];
  ssize_t n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  close (fd);
  return g_string_free (text, FALSE);
}

static pid_t child;               /* atomic: 0 = none */

/** bench_stop_child: what is being measured ends, from any thread */
void
bench_stop_child (void)
{
  pid_t pid = __atomic_load_n (&child, __ATOMIC_ACQUIRE);

  if (pid > 0 && kill (pid, SIGTERM) == 0)
    g_usleep (G_USEC_PER_SEC / 5);
}

/**
 * bench_process:
 * @command: absolute path and arguments
 * @output: (out) (transfer full) (optional): its standard output; then what
 *   it says on standard error is dropped
 *
 * A failing child ends the program: its figure would mean nothing.
 *
 * Returns: time, processor time and peak memory of a whole process
 */
BenchSample
bench_process (const char *const  *command,
               char              **output)
{
  posix_spawn_file_actions_t actions;
  BenchSample sample = { 0 };
  posix_spawnattr_t attributes;
  struct rusage usage;
  sigset_t none;
  double begin;
  int ends[2] = { -1, -1 }, status = -1;
  pid_t pid;

  posix_spawn_file_actions_init (&actions);
  if (output != NULL && pipe2 (ends, O_CLOEXEC) == 0)
    {
      /* Session buses are talkative. */
      posix_spawn_file_actions_adddup2 (&actions, ends[1], 1);
      posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
    }
  else
    posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  sigemptyset (&none);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  begin = (double) g_get_monotonic_time () / 1e6;
  if (posix_spawn (&pid, command[0], &actions, &attributes, (char **) command, environ) == 0)
    {
      __atomic_store_n (&child, pid, __ATOMIC_RELEASE);
      close (ends[1]);
      if (output != NULL)
        *output = read_all (ends[0]);
      wait4 (pid, &status, 0, &usage);
      __atomic_store_n (&child, 0, __ATOMIC_RELEASE);
    }
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  if (status == -1 || !WIFEXITED (status) || WEXITSTATUS (status) != 0)
    {
      g_autofree char *line = g_strjoinv (" ", (char **) command);

      g_printerr ("kymo-bench: “%s” failed\n", line);
      exit (1);
    }
  sample.wall_s = (double) g_get_monotonic_time () / 1e6 - begin;
  sample.cpu_s = cpu_of (&usage);
  sample.peak_bytes = usage.ru_maxrss * 1024;
  return sample;
}

/** bench_processes: one that is not counted, then n_times into @samples */
void
bench_processes (const Bench       *bench,
                 BenchSample       *samples,
                 const char *const *command)
{
  bench_process (command, NULL);
  for (gint i = 0; i < bench->n_times; i++)
    samples[i] = bench_process (command, NULL);
}

static int
remove_one (const char        *path,
            const struct stat *info,
            int                kind,
            struct FTW        *where)
{
  return remove (path);
}

/** bench_remove_tree: a folder of our own with all it holds; links stay links */
void
bench_remove_tree (const char *path)
{
  nftw (path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
