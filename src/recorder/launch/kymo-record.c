/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kymo-record: finds the library for the program's MPI, makes the folder of the run, says in
 * variables what is to be recorded, and becomes the program. So the exit status, the process id
 * and all streams are the program's.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-agent.h"
#include "kymo-archive.h"
#include "kymo-mover.h"
#include "kymo-starter.h"
#include "kymo-rec-options.h"

enum
{
  OPTION_TRACE = 256, OPTION_SYSTEM, OPTION_MEMORY, OPTION_BUFFER, OPTION_LIMIT, OPTION_LAST,
  OPTION_LIVE, OPTION_LIVE_KEY, OPTION_ON_REQUEST,
  OPTION_KEEP, OPTION_SAMPLE,
  OPTION_OVERWRITE, OPTION_QUIET, OPTION_RECOVER, OPTION_AGENT, OPTION_PROBE, OPTION_PROBE_TIME,
  OPTION_PROBE_FILE, OPTION_FORMAT, OPTION_VERSION
};

static const struct option long_options[] = {
  { "output", required_argument, NULL, 'o' },
  { "trace", no_argument, NULL, OPTION_TRACE },
  { "system", required_argument, NULL, OPTION_SYSTEM },
  { "sample", required_argument, NULL, OPTION_SAMPLE },
  { "memory", no_argument, NULL, OPTION_MEMORY },
  { "buffer", required_argument, NULL, OPTION_BUFFER },
  { "limit", required_argument, NULL, OPTION_LIMIT },
  { "last", required_argument, NULL, OPTION_LAST },
  { "live", optional_argument, NULL, OPTION_LIVE },
  { "live-key", required_argument, NULL, OPTION_LIVE_KEY },
  { "on-request", no_argument, NULL, OPTION_ON_REQUEST },
  { "keep", required_argument, NULL, OPTION_KEEP },
  { "overwrite", no_argument, NULL, OPTION_OVERWRITE },
  { "quiet", no_argument, NULL, OPTION_QUIET },
  { "recover", required_argument, NULL, OPTION_RECOVER },
  { "agent", no_argument, NULL, OPTION_AGENT },
  { "probe", optional_argument, NULL, OPTION_PROBE },
  { "probe-time", required_argument, NULL, OPTION_PROBE_TIME },
  { "probe-file", required_argument, NULL, OPTION_PROBE_FILE },
  { "format", required_argument, NULL, OPTION_FORMAT },
  { "version", no_argument, NULL, OPTION_VERSION },
  { "help", no_argument, NULL, 'h' },
  { NULL, 0, NULL, 0 },
};

static const char help[] =
  "Usage: [mpirun …] kymo-record [OPTION…] [--] PROGRAM [ARGUMENT…]\n"
  "       kymo-record --recover DIR [-o DIR]\n"
  "       kymo-record --agent -o DIR\n"
  "       [mpirun …] kymo-record --probe[=PART] [-o DIR]\n"
  "Records what a program does and writes an OTF2 archive, which Kymo opens.\n"
  "\n"
  "  -o, --output DIR  the folder of the record (kymo-PROGRAM-…)\n"
  "  --overwrite       replace an earlier record in DIR\n"
  "  --trace           record events (the default)\n"
  "  --system TIME     time between samples of the system, 0 for none (1s)\n"
  "  --sample HZ       look which function each thread is in, 1 to 1000 times a second of its\n"
  "                    processor time\n"
  "  --memory          record allocations\n"
  "  --buffer SIZE     by how much the files of a thread grow (1M)\n"
  "  --limit SIZE      stop recording when the files of a process are that large\n"
  "  --last TIME       keep only the last TIME of the run\n"
  "  --live[=PORT]     show the run in Kymo while it goes on; its address is in DIR/live.address\n"
  "  --live-key FILE   open PORT to other hosts, for those who have a key of FILE\n"
  "  --on-request      with --live: record events only while Kymo asks for them\n"
  "  --keep N|P%|error:P%\n"
  "                    write the events of N or P% of the ranks, which represent all,\n"
  "                    or of the fewest ranks within an error\n"
  "  --quiet           do not say where the record is\n"
  "  --recover DIR     write the archive of a run that did not end by itself\n"
  "  --agent           sample this host until the job that records into DIR ends\n"
  "  --probe[=noise|pingpong|memory]\n"
  "                    measure processors, messages and memory, or one of them, without a\n"
  "                    program\n"
  "  --probe-time TIME how long that takes (10s)\n"
  "  --probe-file FILE also read FILE on each node\n"
  "  --format text|json|ini\n"
  "                    how a probe tells what it found\n"
  "  --help, --version\n"
  "\n"
  "Each option is also a variable, such as KYMO_RECORD_LIMIT=2G.\n";

#define PROBE_NS UINT64_C (10000000000)
#define LEAST_PROBE_NS UINT64_C (100000000)
#define MOST_PROBE_NS UINT64_C (3600000000000)

typedef struct
{
  const char *output;
  const char *recover;
  const char *probe_file;
  const char *probe_part;
  const char *format;
  uint64_t probe_ns;
  bool overwrite;
  bool agent;
  bool probe;
} Request;

/**
 * kymo_starter_die: ends the program with one line on stderr.
 * @status: 2 = wrong usage
 * @format: as of printf(), without full stop and newline
 */
void
kymo_starter_die (int         status,
                 const char *format,
                 ...)
{
  va_list values;

  va_start (values, format);
  fputs ("kymo-record: ", stderr);
  vfprintf (stderr, format, values);
  fputc ('\n', stderr);
  va_end (values);
  exit (status);
}

/**
 * kymo_starter_print: as sprintf(), into new memory, which the caller owns.
 * @format: as of printf()
 */
char *
kymo_starter_print (const char *format,
                   ...)
{
  va_list values;
  char *text = NULL;

  va_start (values, format);
  if (vasprintf (&text, format, values) < 0)
    kymo_starter_die (1, "there is no memory");
  va_end (values);
  return text;
}

static void
set_variable (const char *name,
              const char *value)
{
  if (setenv (name, value, 1) != 0)
    kymo_starter_die (1, "there is no memory");
}

static void
set_size (const char *option,
          const char *variable,
          const char *text)
{
  uint64_t n_bytes;

  if (!kymo_rec_parse_bytes (text, &n_bytes) || n_bytes == 0)
    kymo_starter_die (2, "%s wants a size such as 500M, not '%s'", option, text);
  set_variable (variable, text);
}

static void
set_time (const char *option,
          const char *variable,
          const char *text,
          uint64_t    least_ns)
{
  uint64_t time_ns;

  if (!kymo_rec_parse_time (text, &time_ns) || time_ns < least_ns)
    kymo_starter_die (2, "%s wants a time such as 10s or 500ms, not '%s'", option, text);
  set_variable (variable, text);
}

/* 1 is any port. */
static void
set_port (const char *option,
          const char *text)
{
  char *end;
  long port = strtol (text, &end, 10);

  if (end == text || *end != '\0' || port < 0 || port > 65535)
    kymo_starter_die (2, "%s wants a port from 2 to 65535, not '%s'", option, text);
  set_variable ("KYMO_RECORD_LIVE", text);
}

static void
set_sampling (const char *option,
              const char *text)
{
  char *end;
  long hz = strtol (text, &end, 10);

  if (end == text || *end != '\0' || hz < 0 || hz > 1000)
    kymo_starter_die (2, "%s wants a number of samples a second from 1 to 1000, not '%s'", option,
                      text);
  set_variable ("KYMO_RECORD_SAMPLE", text);
}

/* Another process of the job reads the file, in another folder perhaps. */
static void
set_key (const char *option,
         const char *path)
{
  char whole[PATH_MAX];

  if (realpath (path, whole) == NULL || access (whole, R_OK) != 0)
    kymo_starter_die (2, "%s wants a file with lines 'LEVEL KEY', but %s cannot be read (%s)",
                      option, path, strerror (errno));
  set_variable ("KYMO_RECORD_LIVE_KEY", whole);
}

static void
set_keep (const char *option,
          const char *text)
{
  if (strlen (text) > 20 || !kymo_archive_may_keep (text))
    kymo_starter_die (2, "%s wants a number of ranks such as 26, 10%% or error:2%%, not '%s'",
                      option, text);
  set_variable ("KYMO_RECORD_KEEP", text);
}

static bool
is_on (const char *variable)
{
  const char *value = getenv (variable);

  return value != NULL && *value != '\0' && strcmp (value, "0") != 0;
}

/* The variables have the same limits as the options. */
static void
check_variables (void)
{
  static const char *const sizes[] = { "KYMO_RECORD_BUFFER", "KYMO_RECORD_LIMIT" };
  static const char *const times[] = { "KYMO_RECORD_LAST", "KYMO_RECORD_SYSTEM" };
  const char *text;

  for (int i = 0; i < 2; i++)
    {
      if ((text = getenv (sizes[i])) != NULL)
        set_size (sizes[i], sizes[i], text);
      if ((text = getenv (times[i])) != NULL)
        set_time (times[i], times[i], text, 0);
    }
  if ((text = getenv ("KYMO_RECORD_LIVE")) != NULL && *text != '\0')
    set_port ("KYMO_RECORD_LIVE", text);
  if ((text = getenv ("KYMO_RECORD_LIVE_KEY")) != NULL && *text != '\0')
    set_key ("KYMO_RECORD_LIVE_KEY", text);
  if ((text = getenv ("KYMO_RECORD_SAMPLE")) != NULL && *text != '\0')
    set_sampling ("KYMO_RECORD_SAMPLE", text);
  if ((text = getenv ("KYMO_RECORD_KEEP")) != NULL && *text != '\0')
    set_keep ("KYMO_RECORD_KEEP", text);
  if (is_on ("KYMO_RECORD_ON_REQUEST") && !is_on ("KYMO_RECORD_LIVE"))
    kymo_starter_die (2, "--on-request needs --live: nobody could ask for events without it");
}

static void
parse_option (int      option,
              Request *request)
{
  switch (option)
    {
    case 'o':
      request->output = optarg;
      break;
    case OPTION_TRACE:
      break;
    case OPTION_SYSTEM:
      set_time ("--system", "KYMO_RECORD_SYSTEM", optarg, 0);
      break;
    case OPTION_MEMORY:
      set_variable ("KYMO_RECORD_MEMORY", "1");
      break;
    case OPTION_BUFFER:
      set_size ("--buffer", "KYMO_RECORD_BUFFER", optarg);
      break;
    case OPTION_LIMIT:
      set_size ("--limit", "KYMO_RECORD_LIMIT", optarg);
      break;
    case OPTION_LAST:
      set_time ("--last", "KYMO_RECORD_LAST", optarg, 1000000);
      break;
    case OPTION_LIVE:
      set_port ("--live", optarg != NULL && strcmp (optarg, "0") != 0 ? optarg : "1");
      break;
    case OPTION_LIVE_KEY:
      set_key ("--live-key", optarg);
      break;
    case OPTION_ON_REQUEST:
      set_variable ("KYMO_RECORD_ON_REQUEST", "1");
      break;
    case OPTION_SAMPLE:
      set_sampling ("--sample", optarg);
      break;
    case OPTION_KEEP:
      set_keep ("--keep", optarg);
      break;
    case OPTION_OVERWRITE:
      request->overwrite = true;
      break;
    case OPTION_QUIET:
      set_variable ("KYMO_RECORD_QUIET", "1");
      break;
    case OPTION_RECOVER:
      request->recover = optarg;
      break;
    case OPTION_AGENT:
      request->agent = true;
      break;
    case OPTION_PROBE:
      request->probe = true;
      request->probe_part = optarg;
      if (optarg != NULL && strcmp (optarg, "noise") != 0 && strcmp (optarg, "pingpong") != 0
          && strcmp (optarg, "memory") != 0)
        kymo_starter_die (2, "--probe wants noise, pingpong, memory or nothing, not '%s'", optarg);
      break;
    case OPTION_PROBE_TIME:
      if (!kymo_rec_parse_time (optarg, &request->probe_ns)
          || request->probe_ns < LEAST_PROBE_NS || request->probe_ns > MOST_PROBE_NS)
        kymo_starter_die (2, "--probe-time wants a time from 100ms to 1h, not '%s'", optarg);
      break;
    case OPTION_PROBE_FILE:
      request->probe_file = optarg;
      break;
    case OPTION_FORMAT:
      if (strcmp (optarg, "text") != 0 && strcmp (optarg, "json") != 0
          && strcmp (optarg, "ini") != 0)
        kymo_starter_die (2, "--format wants text, json or ini, not '%s'", optarg);
      request->format = optarg;
      break;
    case OPTION_VERSION:
      puts ("kymo-record " KYMO_VERSION);
      kymo_starter_print_known ();
      exit (0);
    case 'h':
      fputs (help, stdout);
      exit (0);
    default:
      fputs ("kymo-record: 'kymo-record --help' lists the options\n", stderr);
      exit (2);
    }
}

static void
tell_sentence (const char *sentence,
               void       *data)
{
  fprintf (stderr, "kymo-record: %s\n", sentence);
}

/* Puts our library in front of what the user preloads. */
static void
preload (KymoStarterMpi mpi)
{
  const char *before = getenv ("LD_PRELOAD");
  char *path = kymo_starter_library (mpi);

  if (strpbrk (path, " :") != NULL)
    kymo_starter_die (1, "the loader cannot load %s: its path has a blank or a colon", path);
  if (is_on ("KYMO_RECORD_MEMORY"))
    path = kymo_starter_print ("%s:%s", path, kymo_starter_memory_library ());
  if (before != NULL && *before != '\0')
    path = kymo_starter_print ("%s:%s", path, before);
  set_variable ("LD_PRELOAD", path);
}

static void
set_surroundings (const char *folder,
                  const char *job,
                  const char *program)
{
  char own[PATH_MAX];
  char *pid = kymo_starter_print ("%d", (int) getpid ());
  ssize_t n = readlink ("/proc/self/exe", own, sizeof own - 1);

  set_variable ("KYMO_RECORD_DIR", folder);
  set_variable ("KYMO_RECORD_JOB", job);
  set_variable ("KYMO_RECORD_MAIN", pid);
  set_variable ("KYMO_RECORD_PROGRAM", program);
  if (n > 0)
    {
      own[n] = '\0';
      set_variable ("KYMO_RECORD_LAUNCHER", own);
    }
}

/* One line from one process of the job. */
static void
name_folder (const char *folder)
{
  static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                       "SLURM_PROCID" };
  const char *quiet = getenv ("KYMO_RECORD_QUIET"), *rank = NULL;

  for (unsigned i = 0; i < sizeof ranks / sizeof *ranks && rank == NULL; i++)
    rank = getenv (ranks[i]);
  if ((quiet == NULL || *quiet == '\0' || strcmp (quiet, "0") == 0)
      && (rank == NULL || strcmp (rank, "0") == 0))
    fprintf (stderr, "kymo-record: the record goes to %s\n", folder);
}

static _Noreturn void
start_program (char          **argv,
               const Request  *request)
{
  KymoStarterElf elf;
  char *path = kymo_starter_find (argv[0]);

  if (path == NULL)
    kymo_starter_die (errno == EACCES ? 126 : 127, "%s is not there or cannot be executed",
                      argv[0]);
  char *interpreter = kymo_starter_script (path);
  KymoStarterMpi mpi = kymo_starter_choose (path, interpreter, &elf);
  const char *output = request->output != NULL ? request->output : getenv ("KYMO_RECORD_OUTPUT");
  /* An interpreter is named by its script. */
  const char *name = argv[0], *slash = strrchr (argv[0], '/');
  if (strncmp (slash != NULL ? slash + 1 : name, "python", 6) == 0 && argv[1] != NULL
      && argv[1][0] != '-')
    name = argv[1];
  check_variables ();
  char *job = kymo_starter_job ();
  char *folder = kymo_starter_folder (output, name, job, request->overwrite
                                     || getenv ("KYMO_RECORD_OVERWRITE") != NULL);
  set_surroundings (folder, job, name);
  name_folder (folder);
  if (elf.is_static && !elf.is_recorder)
    fprintf (stderr, "kymo-record: %s is linked statically and without the recorder: nothing is "
             "recorded\n", path);
  else if (!elf.is_recorder)
    preload (mpi);
  execvp (argv[0], argv);
  kymo_starter_die (errno == ENOENT ? 127 : 126, "%s cannot be started (%s)", argv[0],
                   strerror (errno));
}

/* A probe is a program of its own, for the MPI that launched this one. */
static _Noreturn void
start_probe (const Request *request)
{
  char *path = kymo_starter_probe_program (kymo_starter_ask_launcher ());
  char *limit = kymo_starter_print ("%llu", (unsigned long long) (request->probe_ns > 0
                                    ? request->probe_ns : PROBE_NS));
  const char *folder = request->output != NULL ? request->output : "";
  const char *file = request->probe_file != NULL ? request->probe_file : "";
  const char *part = request->probe_part != NULL ? request->probe_part : "";

  execl (path, path, limit, request->format != NULL ? request->format : "text", folder, file, part,
         (char *) NULL);
  kymo_starter_die (126, "%s cannot be started (%s)", path, strerror (errno));
}

int
main (int    argc,
      char **argv)
{
  Request request = { 0 };
  int option;

  if (argc > 3 && strcmp (argv[1], "--move") == 0)
    return kymo_mover_run (argv[2], argv[3], argv + 4);
  while ((option = getopt_long (argc, argv, "+o:h", long_options, NULL)) != -1)
    parse_option (option, &request);
  if (request.agent)
    {
      const char *folder = request.output != NULL ? request.output : getenv ("KYMO_RECORD_OUTPUT");

      if (folder == NULL || optind < argc)
        kymo_starter_die (2, "--agent wants the folder of the run (-o DIR), and no program");
      check_variables ();
      return kymo_agent_run (folder);
    }
  if (request.probe)
    {
      if (optind < argc)
        kymo_starter_die (2, "--probe wants no program");
      if (request.probe_part != NULL && request.probe_file != NULL)
        kymo_starter_die (2, "--probe=%s reads no file", request.probe_part);
      start_probe (&request);
    }
  if (request.probe_file != NULL || request.format != NULL || request.probe_ns > 0)
    kymo_starter_die (2, "--probe-time, --probe-file and --format are options of --probe");
  if (request.recover != NULL)
    {
      bool good = kymo_archive_recover (request.recover, request.output, tell_sentence, NULL);

      if (good)
        kymo_starter_tell_stream (request.recover);
      return good ? 0 : 1;
    }
  if (optind >= argc)
    kymo_starter_die (2, "which program is to be recorded? 'kymo-record --help' says more");
  start_program (argv + optind, &request);
}
