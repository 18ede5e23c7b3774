/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all processes of a job have in common before MPI_Init, from what launchers leave in the
 * environment. Where a launcher leaves nothing (hydra of MPICH), its daemons have the address of
 * mpiexec on their command line, the same on all nodes.
 */
#include "kymo-starter.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Variables that are the same in all processes of a job, with what tells its steps apart. */
static const struct
{
  const char *job, *step, *rank;
} launchers[] = {
  { "PMIX_NAMESPACE", NULL, "PMIX_RANK" },
  { "OMPI_MCA_ess_base_jobid", NULL, "OMPI_COMM_WORLD_RANK" },
  { "FLUX_JOB_ID", NULL, "FLUX_TASK_RANK" },
  { "PALS_APID", NULL, "PALS_RANKID" },
  { "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID" },
};

/* The arguments of a process, each ended by a zero; n_bytes is 0 if they cannot be read. */
static size_t
read_arguments (int     pid,
                char   *bytes,
                size_t  n_bytes)
{
  char path[64];

  snprintf (path, sizeof path, "/proc/%d/cmdline", pid);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, bytes, n_bytes - 1) : 0;
  if (fd >= 0)
    close (fd);
  n = n < 0 ? 0 : n;
  bytes[n] = '\0';
  return (size_t) n;
}

static int
parent_of (int pid)
{
  char path[64], text[512];
  int parent = 0;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, text, sizeof text - 1) : 0;
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = '\0';
  /* The name in parentheses may hold anything. */
  const char *after = strrchr (text, ')');
  if (after == NULL || sscanf (after + 1, " %*c %d", &parent) != 1)
    return 0;
  return parent;
}

/* HOST:PORT of mpiexec and the process group, from the command line of hydra's daemon. */
static char *
find_hydra (void)
{
  static char bytes[1 << 16];

  for (int pid = (int) getppid (), depth = 0; pid > 1 && depth < 20; pid = parent_of (pid), depth++)
    {
      size_t n = read_arguments (pid, bytes, sizeof bytes);
      const char *port = NULL, *group = "0";
      for (const char *at = bytes; at < bytes + n; at += strlen (at) + 1)
        {
          const char *next = at + strlen (at) + 1;
          if (next >= bytes + n)
            break;
          if (strcmp (at, "--control-port") == 0)
            port = next;
          else if (strcmp (at, "--pgid") == 0)
            group = next;
        }
      if (port != NULL && strstr (bytes, "hydra") != NULL)
        return kymo_starter_print ("hydra %s %s", port, group);
    }
  return NULL;
}

/**
 * kymo_starter_job: a text that is the same for all processes of the job and for no other job.
 */
char *
kymo_starter_job (void)
{
  const char *given = getenv ("KYMO_RECORD_JOB");
  struct timespec now;
  char host[128] = "";

  if (given != NULL && *given != '\0')
    return kymo_starter_print ("%s", given);
  for (unsigned i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const char *job = getenv (launchers[i].job);
      const char *step = launchers[i].step != NULL ? getenv (launchers[i].step) : NULL;
      if (job == NULL || *job == '\0' || getenv (launchers[i].rank) == NULL)
        continue;
      /* mpiexec of MPICH in a step of a batch system: the step is not the job. */
      if (launchers[i].step != NULL && getenv ("PMI_RANK") != NULL)
        {
          char *hydra = find_hydra ();
          if (hydra != NULL)
            return hydra;
        }
      return kymo_starter_print ("%s %s%s%s", launchers[i].job, job, step != NULL ? "." : "",
                                step != NULL ? step : "");
    }
  char *hydra = getenv ("PMI_RANK") != NULL ? find_hydra () : NULL;
  if (hydra != NULL)
    return hydra;
  if (getenv ("PMI_RANK") != NULL && getenv ("PMI_PORT") != NULL)
    return kymo_starter_print ("PMI_PORT %s", getenv ("PMI_PORT"));
  gethostname (host, sizeof host - 1);
  clock_gettime (CLOCK_REALTIME, &now);
  return kymo_starter_print ("process %s %d %lld.%09ld", host, (int) getpid (),
                            (long long) now.tv_sec, now.tv_nsec);
}

/**
 * kymo_starter_suffix: a few characters for the name of a folder.
 * @job: from kymo_starter_job()
 */
char *
kymo_starter_suffix (const char *job)
{
  uint64_t hash = 0xcbf29ce484222325u;

  if (strncmp (job, "SLURM_JOB_ID ", 13) == 0 && strlen (job) < 40
      && strspn (job + 13, "0123456789.") == strlen (job + 13))
    return kymo_starter_print ("%s", job + 13);
  for (; *job != '\0'; job++)
    hash = (hash ^ (unsigned char) *job) * 0x100000001b3u;
  return kymo_starter_print ("%08x", (unsigned) (hash ^ (hash >> 32)));
}
