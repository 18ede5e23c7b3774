/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-record --agent: samples this host while a job runs elsewhere. It needs no privileges and no
 * port: the folder of the run is all that it shares with the job. It writes in memory or on a disk
 * of this host, and copies its files into the folder when the job ends, so it does not disturb the
 * file system that it watches.
 *
 * FOLDER/agents/HOST.PID   is there while an agent is at work
 * FOLDER/agents/end        is made by rank 0 at the end of the job, which then waits for the agents
 *
 * Its clock: the clocks of day of both hosts, which they keep right with NTP or PTP, are compared
 * with their monotonic ones, at the begin and at the end. How wrong the kernel says that its clock
 * may be is a property of the process.
 */
#include "config.h"

#include "kymo-agent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "kymo-agent-raw.h"
#include "kymo-environment.h"
#include "kymo-node-ganesha.h"
#include "kymo-node-sampler.h"
#include "kymo-rec-options.h"
#include "kymo-starter.h"

#define FIELD_BYTES 4096
#define LOOK_MS 200             /* between two looks whether the job has ended */

typedef struct
{
  const char *folder;
  char host[256];
  char marker[PATH_MAX];        /* FOLDER/agents/HOST.PID */
  char end[PATH_MAX];           /* FOLDER/agents/end */
  char archive[PATH_MAX];       /* FOLDER/traces.otf2 */
  int parent;
  int signals;                  /* descriptor */
  bool has_input;               /* a pipe or a socket is stdin, and not at its end */
  bool is_held;                 /* a line came: whoever wrote it ends us by closing the pipe */
  uint64_t wait_ns;
  KymoAgentRaw raw;
  KymoNodeSampler sampler;
  KymoNodeGanesha ganesha;
  KymoEnvIni ini;
} Agent;

/* One moment on two clocks. */
typedef struct
{
  int64_t mono_ns, real_ns;
} Moment;

static int64_t
clock_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Of several tries the one that was the quickest. */
static Moment
this_moment (void)
{
  Moment best = { 0, 0 };
  int64_t least = INT64_MAX;

  for (int i = 0; i < 10; i++)
    {
      int64_t before = clock_ns (CLOCK_MONOTONIC), real = clock_ns (CLOCK_REALTIME);
      int64_t after = clock_ns (CLOCK_MONOTONIC);

      if (after - before < least)
        {
          least = after - before;
          best = (Moment) { before + (after - before) / 2, real };
        }
    }
  return best;
}

/* A field of a definition: control characters and `%` as %XX. */
static const char *
escape_field (const char *text,
              char       *field)
{
  size_t n = 0;

  for (; *text != '\0' && n + 4 < FIELD_BYTES; text++)
    {
      unsigned char c = (unsigned char) *text;

      if (c > 31 && c != 127 && c != '%')
        field[n++] = *text;
      else
        n += (size_t) sprintf (field + n, "%%%02X", c);
    }
  field[n] = '\0';
  return field;
}

static uint32_t
define_class (const char *scope,
              const char *members,
              void       *data)
{
  Agent *agent = data;
  char field[FIELD_BYTES];

  kymo_agent_raw_define (&agent->raw, "class\t%u\t%s\t%s", agent->raw.n_classes,
                         escape_field (scope, field), members);
  return agent->raw.n_classes++;
}

static void
record_sample (uint32_t        id,
               const uint64_t *values,
               unsigned        n,
               void           *data)
{
  Agent *agent = data;

  kymo_agent_raw_sample (&agent->raw, id, values, n, (uint64_t) clock_ns (CLOCK_MONOTONIC));
}

static void
define_lost (const char *kind,
             const char *why,
             void       *data)
{
  Agent *agent = data;

  kymo_agent_raw_define (&agent->raw, "lost\t%s\t1\t%s", kind, why);
}

static void
define_property (const char *name,
                 const char *value,
                 void       *data)
{
  Agent *agent = data;
  char name_field[FIELD_BYTES], value_field[FIELD_BYTES];

  kymo_agent_raw_define (&agent->raw, "property\t%s\t%s", escape_field (name, name_field),
                         escape_field (value, value_field));
}

/* The last line `clock` of a file of definitions, if its process has rank 0 or, with @any, no
 * rank. */
static bool
read_moment (const char *path,
             bool        any,
             Moment     *moment)
{
  FILE *file = fopen (path, "re");
  char line[8192];
  long long mono, real;
  bool is_first = any, found = false;

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    {
      if (strncmp (line, "world\t", 6) == 0)
        is_first = strncmp (line + 6, "0\t", 2) == 0;
      if (sscanf (line, "clock\t%*s %*u %lld %lld", &mono, &real) == 2)
        {
          *moment = (Moment) { mono, real };
          found = true;
        }
    }
  if (file != NULL)
    fclose (file);
  return is_first && found;
}

/* Reads from the definitions of rank 0 what its clocks show; with @any, also from those of a
 * program without MPI, which is alone. */
static bool
find_rank_0 (const Agent *agent,
             bool         any,
             Moment      *moment)
{
  char path[PATH_MAX + 320];
  struct dirent *entry;
  bool found = false;
  DIR *raw;

  snprintf (path, sizeof path, "%s/raw", agent->folder);
  raw = opendir (path);
  while (raw != NULL && !found && (entry = readdir (raw)) != NULL)
    {
      snprintf (path, sizeof path, "%s/raw/%s/definitions", agent->folder, entry->d_name);
      found = entry->d_name[0] != '.' && read_moment (path, any, moment);
    }
  if (raw != NULL)
    closedir (raw);
  return found;
}

/* Tells what to add to our monotonic time to have that of rank 0; @last: at the end, when all
 * processes that will have a rank have it. */
static bool
define_offset (Agent *agent,
               bool   last)
{
  Moment ours = this_moment (), theirs;

  kymo_agent_raw_define (&agent->raw, "clock\tmonotonic\t%lld\t%lld\t%lld",
                         (long long) ours.mono_ns, (long long) ours.mono_ns,
                         (long long) ours.real_ns);
  if (!find_rank_0 (agent, false, &theirs) && !(last && find_rank_0 (agent, true, &theirs)))
    return false;
  kymo_agent_raw_define (&agent->raw, "offset\t%lld\t%lld", (long long) ours.mono_ns,
                         (long long) ((ours.real_ns - ours.mono_ns)
                                      - (theirs.real_ns - theirs.mono_ns)));
  return true;
}

static void
define_clock_error (Agent *agent)
{
  struct timex state = { .modes = 0 };
  int status = adjtimex (&state);
  char text[64];

  snprintf (text, sizeof text, "%lld", (long long) state.maxerror * 1000);
  define_property ("Agent.clock", status >= 0 && status != TIME_ERROR ? "synchronized"
                                                                     : "not synchronized", agent);
  if (status >= 0)
    define_property ("Agent.clock-error-ns", text, agent);
}

/* Whether a pipe or a socket leads to whoever started us. */
static bool
has_peer (void)
{
  struct stat input;

  return fstat (STDIN_FILENO, &input) == 0
         && (S_ISFIFO (input.st_mode) || S_ISSOCK (input.st_mode));
}

/* Whether whoever started us is gone or wants us to end. Waits @wait_ms for that. Batch scripts
 * give what runs in the background an empty stdin: its end means nothing unless a line came
 * before. */
static bool
is_told_to_end (Agent *agent,
                int    wait_ms)
{
  struct pollfd fds[] = { { .fd = agent->signals, .events = POLLIN },
                          { .fd = agent->has_input ? STDIN_FILENO : -1, .events = POLLIN } };
  char bytes[256];

  if (poll (fds, 2, wait_ms) <= 0)
    return getppid () != agent->parent;
  if (fds[0].revents != 0)
    return true;
  if (read (STDIN_FILENO, bytes, sizeof bytes) > 0)
    agent->is_held = true;
  else
    agent->has_input = false;
  return (agent->is_held && !agent->has_input) || getppid () != agent->parent;
}

/* Whether it is time to end: the job has ended, perhaps before it could know of us. */
static bool
is_over (Agent *agent,
         int    wait_ms)
{
  return is_told_to_end (agent, wait_ms) || access (agent->end, F_OK) == 0
         || access (agent->marker, F_OK) != 0 || access (agent->archive, F_OK) == 0;
}

/* The folder of the run may appear later than the agent. */
static bool
wait_for_folder (Agent *agent)
{
  char path[PATH_MAX];
  int fd;

  snprintf (path, sizeof path, "%s/agents", agent->folder);
  snprintf (agent->marker, sizeof agent->marker, "%s/.", agent->folder);
  snprintf (agent->end, sizeof agent->end, "%s/end", path);
  snprintf (agent->archive, sizeof agent->archive, "%s/traces.otf2", agent->folder);
  while (access (agent->marker, F_OK) != 0)
    if (is_told_to_end (agent, LOOK_MS))
      return false;
  mkdir (path, 0700);
  snprintf (agent->marker, sizeof agent->marker, "%s/%s.%d", path, agent->host, (int) getpid ());
  fd = open (agent->marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    kymo_starter_die (1, "the folder %s cannot be written (%s)", agent->folder, strerror (errno));
  close (fd);
  return true;
}

static void
begin_files (Agent *agent)
{
  KymoNodeSink sink = { define_class, record_sample, define_lost, agent };
  char field[FIELD_BYTES];

  if (!kymo_agent_raw_open (&agent->raw, agent->host))
    kymo_starter_die (1, "there is no place for the samples (%s)", strerror (errno));
  kymo_agent_raw_define (&agent->raw, "kymo-raw\t1");
  kymo_agent_raw_define (&agent->raw, "process\t%s\t%d\t%lld\tkymo-record --agent",
                         escape_field (agent->host, field), (int) getpid (),
                         (long long) clock_ns (CLOCK_REALTIME));
  kymo_agent_raw_define (&agent->raw, "system\t0\tsystem");
  define_clock_error (agent);
  kymo_env_ini_init (&agent->ini, define_property, agent);
  kymo_env_node (&agent->ini, "", KYMO_VERSION);
  kymo_node_sampler_open (&agent->sampler, "", &sink);
  kymo_node_ganesha_open (&agent->ganesha, &agent->sampler);
}

static void
sample_once (Agent *agent)
{
  kymo_node_sampler_sample (&agent->sampler);
  kymo_node_ganesha_sample (&agent->ganesha, &agent->sampler);
}

/* Samples until the end, and looks in between whether that has come. */
static void
sample_host (Agent *agent)
{
  int64_t next_ns = clock_ns (CLOCK_MONOTONIC);
  bool has_offset = define_offset (agent, false), over = false;

  while (!over)
    {
      int64_t left_ns;

      sample_once (agent);
      kymo_agent_raw_save (&agent->raw);
      if (!has_offset)
        has_offset = define_offset (agent, false);
      next_ns += (int64_t) agent->wait_ns;
      while (!over && (left_ns = next_ns - clock_ns (CLOCK_MONOTONIC)) > 0)
        {
          int wait_ms = (int) (left_ns / 1000000) + 1;

          over = is_over (agent, wait_ms < LOOK_MS ? wait_ms : LOOK_MS);
        }
      over = over || is_over (agent, 0);
    }
  sample_once (agent);
  if (!define_offset (agent, true) && !has_offset)
    define_lost ("clock-offset", "no definitions of rank 0 were found in the folder", agent);
}

static void
save_environment (Agent *agent)
{
  char path[PATH_MAX + 320];

  snprintf (path, sizeof path, "%s/environment", agent->folder);
  mkdir (path, 0700);
  snprintf (path, sizeof path, "%s/environment/%s.ini", agent->folder, agent->host);
  if (access (path, F_OK) != 0)
    kymo_env_save (&agent->ini, path);
}

/* Gives the files to the job, which may be waiting for them. */
static int
end_files (Agent *agent)
{
  char path[PATH_MAX + 320];
  int status = 0;

  kymo_agent_raw_save (&agent->raw);
  kymo_agent_raw_define (&agent->raw, "end\texit");
  save_environment (agent);
  snprintf (path, sizeof path, "%s/raw", agent->folder);
  mkdir (path, 0700);
  snprintf (path, sizeof path, "%s/raw/%s.%d", agent->folder, agent->host, (int) getpid ());
  if (agent->raw.failed || !kymo_agent_raw_move (&agent->raw, path))
    {
      fprintf (stderr, "kymo-record: the samples stay in %s (%s)\n", agent->raw.folder,
               agent->raw.failed ? "not whole" : strerror (errno));
      status = 1;
    }
  unlink (agent->marker);
  return status;
}

static void
take_signals (Agent *agent)
{
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGHUP);
  sigprocmask (SIG_BLOCK, &signals, NULL);
  signal (SIGPIPE, SIG_IGN);
  agent->signals = signalfd (-1, &signals, SFD_CLOEXEC);
  agent->parent = (int) getppid ();
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

/**
 * kymo_agent_run: samples this host until the job that records into @folder ends.
 *
 * Returns: an exit status
 */
int
kymo_agent_run (const char *folder)
{
  static Agent agent;
  KymoRecOptions options;

  kymo_rec_options_read (&options);
  agent.folder = folder;
  agent.wait_ns = options.system_ns > 0 ? options.system_ns : 1000000000;
  if (kymo_node_read_line ("", "/proc/sys/kernel/hostname", agent.host, sizeof agent.host) <= 0)
    strcpy (agent.host, "localhost");
  take_signals (&agent);
  agent.has_input = has_peer ();
  if (!wait_for_folder (&agent))
    return 0;
  begin_files (&agent);
  sample_host (&agent);
  kymo_node_ganesha_close (&agent.ganesha);
  kymo_node_sampler_close (&agent.sampler);
  return end_files (&agent);
}
