/* kymo-system.c: the helper thread that looks at what surrounds a recorded program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each process has such a thread. It writes down the environment; in one process
 * of each node it then samples the node until the run ends. A file server that
 * does not answer holds up this thread alone. The thread has a table of
 * descriptors of its own, so the program gets the numbers that it would get
 * without us. It receives no signals and sleeps between samples.
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "kymo-environment.h"
#include "kymo-node-folder.h"
#include "kymo-node-sampler.h"
#include "kymo-rec-sys.h"
#include "kymo-rec.h"

#define DEFINITIONS_BYTES (64 << 10)
#define PATIENCE_NS 2000000000u /* for an environment that is still being written at the end */
#define AGENT_PATIENCE_NS 5000000000u
#define RESCAN 4                /* samples between two looks for other processes */

static _Atomic uint32_t ending, done;
static unsigned long helper;
static bool running;
static bool is_first;           /* of the processes of the run: it writes what is of all */

/* What the definitions of this process say of its place. */
typedef struct
{
  KymoEnvFacts facts;
  char rank[16], ranks[16], library[64], version[512], level[32];
} Place;

/* Of the helper thread, until it samples. */
typedef struct
{
  Place place;
  KymoEnvIni ini;
  char definitions[DEFINITIONS_BYTES];
} Memory;

/* A field of a definition, which may have bytes written as %XX. */
static void
copy_field (KymoNodeWord *line, char *copy, size_t size)
{
  KymoNodeWord field;
  size_t length = 0;

  copy[0] = '\0';
  if (!kymo_node_next_field (line, '\t', &field))
    return;
  for (size_t i = 0; i < field.length && length + 1 < size; i++)
    {
      char hex[3] = "";

      if (field.at[i] != '%' || field.length - i < 3)
        {
          copy[length++] = field.at[i];
          continue;
        }
      memcpy (hex, field.at + i + 1, 2);
      copy[length++] = (char) strtoul (hex, NULL, 16);
      i += 2;
    }
  copy[length] = '\0';
}

/* The part of MPI wrote the lines `world` and `mpi` before this thread was started. */
static void
find_place (Place *place, char *text)
{
  char path[KYMO_SYS_MOST_PATH + 16];
  KymoNodeWord rest, line, kind;
  ssize_t length;

  memset (place, 0, sizeof *place);
  snprintf (path, sizeof path, "%s/definitions", kymo_rec_process_folder ());
  length = kymo_node_read ("", path, text, DEFINITIONS_BYTES);
  rest = kymo_node_word (text, length > 0 ? (size_t) length : 0);
  while (kymo_node_next_line (&rest, &line))
    {
      if (!kymo_node_next_field (&line, '\t', &kind))
        continue;
      if (kymo_node_word_is (kind, "world"))
        {
          copy_field (&line, place->rank, sizeof place->rank);
          copy_field (&line, place->ranks, sizeof place->ranks);
        }
      else if (kymo_node_word_is (kind, "mpi"))
        {
          copy_field (&line, place->library, sizeof place->library);
          copy_field (&line, place->version, sizeof place->version);
          copy_field (&line, place->level, sizeof place->level);
        }
    }
  place->version[strcspn (place->version, "\n")] = '\0';
  place->facts.version = KYMO_REC_VERSION;
  place->facts.library = place->library[0] != '\0' ? place->library : "none";
  place->facts.library_version = place->version;
  place->facts.thread_level = place->level;
  place->facts.job = kymo_rec_options ()->job;
  place->facts.rank = place->rank[0] != '\0' ? atoi (place->rank) : -1;
  place->facts.ranks = atoi (place->ranks);
}

static void
define_property (const char *name, const char *value, void *data)
{
  kymo_rec_define ("property", "ss", name, value);
}

static void
host_name (char *host, size_t size)
{
  if (kymo_node_read_line ("", "/proc/sys/kernel/hostname", host, size) <= 0)
    snprintf (host, size, "localhost");
}

/* The file of the node has its own groups from the first process and one group of each. */
static void
write_node (KymoEnvIni *ini, const Place *place)
{
  char path[KYMO_SYS_MOST_PATH + 320], host[256];
  int fd;

  host_name (host, sizeof host);
  snprintf (path, sizeof path, "%s/environment", kymo_rec_folder ());
  kymo_sys_mkdir (path);
  snprintf (path, sizeof path, "%s/environment/%s.ini", kymo_rec_folder (), host);
  kymo_env_ini_init (ini, NULL, NULL);
  fd = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (fd >= 0)
    {
      kymo_sys_close (fd);
      kymo_env_node (ini, "", KYMO_REC_VERSION);
      kymo_env_save (ini, path);
    }
  kymo_env_ini_init (ini, define_property, NULL);
  kymo_env_process (ini, "", place->facts.rank);
  if (!kymo_env_save (ini, path))
    kymo_rec_define ("lost", "sus", "environment", 1u, "the file of the node cannot be written");
}

/* The first process of the run writes the file of the run, whole or not at all. */
static void
write_run (KymoEnvIni *ini, const Place *place)
{
  char path[KYMO_SYS_MOST_PATH + 32], part[KYMO_SYS_MOST_PATH + 64];

  if (!is_first)
    return;
  kymo_env_ini_init (ini, define_property, NULL);
  kymo_env_run (ini, "", &place->facts);
  snprintf (path, sizeof path, "%s/environment.ini", kymo_rec_folder ());
  snprintf (part, sizeof part, "%s.%u", path, kymo_rec_page->pid);
  syscall (SYS_unlinkat, AT_FDCWD, part, 0);
  if (!kymo_env_save (ini, part) || syscall (SYS_renameat, AT_FDCWD, part, AT_FDCWD, path) != 0)
    kymo_rec_define ("lost", "sus", "environment", 1u, "environment.ini cannot be written");
}

static uint32_t
define_class (const char *scope, const char *members, void *data)
{
  uint32_t id = kymo_rec_next_id (KYMO_REC_CLASS);

  kymo_rec_define ("class", "usr", id, scope, members);
  return id;
}

static void
record_sample (uint32_t id, const uint64_t *values, unsigned n, void *data)
{
  KymoRecThread *file = data;
  KymoRawCell *cell = kymo_rec_reserve (file, 1 + (n + 1) / 2);

  if (cell == NULL)
    return;
  cell->small = (uint16_t) n;
  cell->arg = id;
  cell->time = kymo_rec_now ();
  memcpy (cell + 1, values, n * sizeof *values);
  kymo_rec_commit (cell, KYMO_RAW_METRIC);
}

static void
define_lost (const char *kind, const char *why, void *data)
{
  kymo_rec_define ("lost", "sus", kind, 1u, why);
}

/* Whether the launcher says that another process of this node has a lower rank. */
static bool
is_later (void)
{
  static const char *const variables[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
    "PALS_LOCAL_RANKID", "SLURM_LOCALID",
  };

  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
    {
      const char *rank = getenv (variables[i]);

      if (rank != NULL && rank[0] != '\0')
        return strcmp (rank, "0") != 0;
    }
  return false;
}

/* Whether this is the process of the node that samples. A name of a socket that stands in no file
 * system is taken by the first, and is free again when that process ends, however it ends. */
static bool
take_node (void)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  uint32_t hash = 2166136261u;
  int fd, length;

  if (is_later ())
    return false;
  for (const char *c = kymo_rec_folder (); *c != '\0'; c++)
    hash = (hash ^ (unsigned char) *c) * 16777619u;
  length = snprintf (address.sun_path + 1, sizeof address.sun_path - 1, "kymo-record-%u-%08x",
                     (unsigned) getuid (), hash);
  fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return true;
  return bind (fd, (struct sockaddr *) &address,
               (socklen_t) (offsetof (struct sockaddr_un, sun_path) + 1 + (size_t) length)) == 0
         || errno != EADDRINUSE;
}

/* A folder HOST.PID or HOST.PID.N of a process that is recorded. */
static void
add_process (const char *name, void *data)
{
  KymoNodeSampler *sampler = data;
  char host[256];
  size_t length;
  long pid;

  host_name (host, sizeof host);
  length = strlen (host);
  if (strncmp (name, host, length) != 0 || name[length] != '.')
    return;
  pid = strtol (name + length + 1, NULL, 10);
  if (pid > 0)
    kymo_node_sampler_add (sampler, (pid_t) pid, pid == (long) kymo_rec_page->pid);
}

static void
sample_node (void)
{
  KymoNodeSampler *sampler = kymo_rec_arena (sizeof *sampler);
  KymoNodeSink sink = { define_class, record_sample, define_lost, NULL };
  uint64_t wait_ns = kymo_rec_options ()->system_ns, next_ns = kymo_rec_monotonic_ns ();
  char path[KYMO_SYS_MOST_PATH + 8];

  sink.data = kymo_rec_system_file ("system");
  if (sampler == NULL || sink.data == NULL)
    return;
  kymo_node_sampler_open (sampler, "", &sink);
  snprintf (path, sizeof path, "%s/raw", kymo_rec_folder ());
  for (unsigned n = 0;; n++)
    {
      bool last = atomic_load (&ending) != 0;
      uint64_t now_ns;

      if (n < 4 || n % RESCAN == 0)
        kymo_node_folder_walk ("", path, add_process, sampler);
      kymo_node_sampler_sample (sampler);
      if (last || !kymo_rec_is_awake ())
        break;
      now_ns = kymo_rec_monotonic_ns ();
      while (next_ns <= now_ns)
        next_ns += wait_ns;
      kymo_sys_sleep_on (&ending, 0, next_ns - now_ns);
    }
  kymo_node_sampler_close (sampler);
}

static void *
look_around (void *data)
{
  Memory *memory = data;

  kymo_rec_self.depth = KYMO_REC_HELPER_DEPTH;
  kymo_rec_self.frame = UINTPTR_MAX;
  prctl (PR_SET_NAME, "kymo-system");
  if (!kymo_node_own_descriptors ())
    kymo_rec_define ("lost", "sus", "descriptors", 1u,
                     "the kernel gives the sampling thread no table of its own");
  if (memory != NULL)
    {
      write_node (&memory->ini, &memory->place);
      write_run (&memory->ini, &memory->place);
      kymo_sys_unmap (memory, sizeof *memory);
    }
  if (kymo_rec_options ()->system_ns > 0 && take_node ())
    sample_node ();
  atomic_store (&done, 1);
  kymo_sys_wake (&done);
  return NULL;
}

/* Who tells agents of the end has to be known even if the helper thread never gets a processor. */
static void
start_looking (void)
{
  const KymoRecOptions *options = kymo_rec_options ();
  Memory *memory = kymo_rec_arena (sizeof *memory);
  KymoRecSelf self = kymo_rec_self;

  /* What is read here is no file of the program. */
  kymo_rec_self.depth++;
  kymo_rec_self.frame = UINTPTR_MAX;
  if (memory != NULL)
    {
      find_place (&memory->place, memory->definitions);
      is_first = memory->place.facts.rank == 0
                 || (memory->place.facts.rank < 0
                     && options->main_pid == (int) kymo_rec_page->pid);
    }
  kymo_rec_self.depth = self.depth;
  kymo_rec_self.frame = self.frame;
  running = kymo_rec_start_thread (look_around, memory, &helper);
}

static void
count_agent (const char *name, void *data)
{
  if (strcmp (name, "end") != 0)
    ++*(unsigned *) data;
}

static void
make_empty (const char *path)
{
  int fd = kymo_sys_open (path, O_WRONLY | O_CREAT, 0600);

  if (fd >= 0)
    kymo_sys_close (fd);
}

/* Tells agents on other hosts that the job ends, and waits until their samples are here. */
static void
end_agents (void)
{
  char path[KYMO_SYS_MOST_PATH + 16], end[KYMO_SYS_MOST_PATH + 32];
  uint64_t until_ns = kymo_rec_monotonic_ns () + AGENT_PATIENCE_NS;
  static _Atomic uint32_t never;
  unsigned n = 0;

  snprintf (path, sizeof path, "%s/agents", kymo_rec_folder ());
  snprintf (end, sizeof end, "%s/end", path);
  if (!is_first || !kymo_node_folder_walk ("", path, count_agent, &n))
    return;
  make_empty (end);
  while (n > 0 && kymo_rec_monotonic_ns () < until_ns)
    {
      kymo_sys_sleep_on (&never, 0, 50000000);
      n = 0;
      kymo_node_folder_walk ("", path, count_agent, &n);
    }
  if (n > 0)
    {
      kymo_rec_define ("lost", "sus", "agents", n, "they did not give their samples in time");
      return;
    }
  syscall (SYS_unlinkat, AT_FDCWD, end, 0);
  /* One that came just now is to end by itself. */
  if (syscall (SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR) != 0)
    make_empty (end);
}

/* Waits for the helper, but not for a file server that does not answer it. */
static void
end_looking (void)
{
  uint64_t until_ns = kymo_rec_monotonic_ns () + PATIENCE_NS, now_ns;

  if (!running)
    return;
  if (kymo_rec_folder_answers ())
    kymo_rec_folder_do (end_agents);
  running = false;
  atomic_store (&ending, 1);
  kymo_sys_wake (&ending);
  while (atomic_load (&done) == 0 && (now_ns = kymo_rec_monotonic_ns ()) < until_ns)
    kymo_sys_sleep_on (&done, 0, until_ns - now_ns);
  if (atomic_load (&done) != 0)
    pthread_join (helper, NULL);
  else
    kymo_rec_define ("lost", "sus", "system", 1u, "a file of the surroundings could not be read");
}

/* Before the constructor of core, which may run the hooks at once. */
static __attribute__ ((constructor (200))) void
add_hooks (void)
{
  kymo_rec_at_start (start_looking);
  kymo_rec_at_end (end_looking);
}
