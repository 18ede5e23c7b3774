/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI_Init and MPI_Finalize, and what is recorded in a way of its own. The recorder communicates
 * only in these two, on a communicator of its own; the thread level of the program stays. Whatever
 * happens to the record, PMPI_Finalize is called.
 */
#include "kymo-mpi.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-archive-mpi.h"
#include "kymo-live.h"
#include "kymo-record-end.h"

#define EXPORTED __attribute__ ((visibility ("default")))

static MPI_Comm own_comm;
static bool have_comm;
static KymoMpiMap messages;

/**
 * kymo_mpi_received: bytes that a status tells of.
 */
int64_t
kymo_mpi_received (const MPI_Status *status)
{
#if defined (OPEN_MPI)
  return (int64_t) status->_ucount;
#elif defined (MPICH_VERSION)
  return (int64_t) (uint32_t) status->count_lo
         + ((int64_t) ((uint32_t) status->count_hi_and_cancelled >> 1) << 32);
#else
  MPI_Count count = 0;

  if (PMPI_Get_elements_x (status, MPI_BYTE, &count) != MPI_SUCCESS || count < 0)
    return 0;
  return count;
#endif
}

/**
 * kymo_mpi_message_seen: a probe has found a message and taken it out of the queue.
 */
void
kymo_mpi_message_seen (MPI_Message message,
                       MPI_Comm    comm)
{
  if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
    kymo_mpi_map_set (&messages, KYMO_HANDLE (message), kymo_mpi_comm (comm));
}

/**
 * kymo_mpi_message_taken:
 * @message: is about to be received
 *
 * Returns: its communicator, owned by the table; NULL if it has none
 */
KymoMpiComm *
kymo_mpi_message_taken (MPI_Message message)
{
  return kymo_mpi_map_take (&messages, KYMO_HANDLE (message));
}

/* The text that all processes of this MPI_COMM_WORLD have for it. */
static void
name_world (char  *text,
            size_t n_bytes)
{
  memset (text, 0, n_bytes);
  if (kymo_mpi_world->rank == 0)
    {
      const char *folder = strrchr (kymo_rec_process_folder (), '/');
      snprintf (text, n_bytes, "%s.%llx", folder != NULL ? folder + 1 : "",
                (unsigned long long) kymo_rec_monotonic_ns ());
    }
  PMPI_Bcast (text, (int) n_bytes, MPI_CHAR, 0, own_comm);
}

static const char *const thread_levels[] = { "single", "funneled", "serialized", "multiple" };

static void
define_library (void)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int n = 0, level = MPI_THREAD_SINGLE;

  PMPI_Get_library_version (version, &n);
  version[n < (int) sizeof version ? n : 0] = '\0';
  for (char *at = version; *at != '\0'; at++)
    if (*at == '\n' || *at == '\t')
      *at = ' ';
  PMPI_Query_thread (&level);
#if defined (OPEN_MPI)
  const char *library = "Open MPI";
#else
  const char *library = "MPICH";
#endif
  kymo_rec_define ("mpi", "sss", library, version,
                   level == MPI_THREAD_MULTIPLE ? thread_levels[3]
                   : level == MPI_THREAD_SERIALIZED ? thread_levels[2]
                   : level == MPI_THREAD_FUNNELED ? thread_levels[1] : thread_levels[0]);
}

static int
count_records (void)
{
  char path[KYMO_SYS_MOST_PATH + 8], entries[4096];
  int n_found = 0;

  snprintf (path, sizeof path, "%s/raw", kymo_rec_folder ());
  int fd = kymo_sys_open (path, O_RDONLY | O_DIRECTORY, 0);
  for (long n; fd >= 0 && (n = syscall (SYS_getdents64, fd, entries, sizeof entries)) > 0;)
    for (long at = 0; at < n;)
      {
        const struct { uint64_t inode; int64_t offset; uint16_t size; uint8_t type; char name[]; }
          *entry = (void *) (entries + at);
        n_found += entry->name[0] != '.';
        at += entry->size;
      }
  if (fd >= 0)
    kymo_sys_close (fd);
  return n_found;
}

/* Whether all processes of MPI_COMM_WORLD record. Where a job has several programs, some may have
 * been started without kymo-record: the others would wait for them for ever. All have begun their
 * records before MPI_Init returns. */
static bool
all_record (int size)
{
  const char *n_programs = getenv ("OMPI_NUM_APP_CTX");

  if (n_programs == NULL || atoi (n_programs) < 2)
    return true;
  for (int i = 0; i < 200; i++)
    {
      if (count_records () >= size)
        return true;
      nanosleep (&(struct timespec) { 0, 10000000 }, NULL);
    }
  return false;
}

/* The record of this process alone; kymo-record --recover puts several together. */
static void
start_apart (void)
{
  kymo_rec_define ("world", "iis", kymo_mpi_world->rank, kymo_mpi_world->size,
                   kymo_rec_options ()->job);
  define_library ();
  if (kymo_live_is_wanted ())
    kymo_rec_say ("there is no live view, as other processes of the job are not recorded");
  kymo_rec_run_start_hooks ();
}

/* Duplicates MPI_COMM_WORLD if every process of it records. One that was asked to and could not
 * takes part here: the others would wait for it for ever. */
static bool
join_world (bool records)
{
  int mine = records, all = 0;

  if (PMPI_Comm_dup (MPI_COMM_WORLD, &own_comm) != MPI_SUCCESS)
    return false;
  PMPI_Comm_set_errhandler (own_comm, MPI_ERRORS_RETURN);
  if (PMPI_Allreduce (&mine, &all, 1, MPI_INT, MPI_MIN, own_comm) == MPI_SUCCESS && all)
    return true;
  PMPI_Comm_free (&own_comm);
  return false;
}

/**
 * kymo_mpi_started: MPI has just been initialized. Called inside the outermost wrapper, which is
 * open if this process records.
 */
void
kymo_mpi_started (void)
{
  KymoRecThread *thread = kymo_rec_thread ();
  char world[192];
  int size;

  if (thread != NULL)
    kymo_mpi_comms_init (thread);
  bool records = thread != NULL && kymo_mpi_world != NULL;
  if (records)
    kymo_record_set_world (kymo_mpi_world->rank, kymo_mpi_world->size);
  PMPI_Comm_size (MPI_COMM_WORLD, &size);
  have_comm = all_record (size) && join_world (records);
  if (!records)
    return;
  if (!have_comm)
    {
      start_apart ();
      return;
    }
  name_world (world, sizeof world);
  kymo_rec_define ("world", "iis", kymo_mpi_world->rank, kymo_mpi_world->size, world);
  define_library ();
  kymo_mpi_start_live (own_comm, kymo_mpi_measure_clock (own_comm));
  kymo_rec_run_start_hooks ();
}

/* A world of processes of which some do not record cannot write together: they would wait for
 * each other for ever. */
static void
write_archive (void)
{
  KymoArchiveWorld world;

#ifdef KYMO_REC_STATIC
  world.rank = kymo_mpi_world->rank;
  kymo_record_write (&world);
#else
  if (kymo_archive_world_init_mpi (&world, &own_comm))
    kymo_record_write (&world);
#endif
}

/**
 * kymo_mpi_ending: MPI is about to be finalized: the archive is written by all processes.
 */
void
kymo_mpi_ending (void)
{
  if (!have_comm)
    {
      if (kymo_mpi_world != NULL && kymo_record_finish ("finalize"))
        kymo_rec_say ("other processes of the job are not recorded; 'kymo-cli recover' makes an "
                      "archive of the raw record");
      return;
    }
  have_comm = false;
  kymo_mpi_measure_clock (own_comm);
  if (kymo_mpi_foreign_messages () > 0)
    kymo_rec_define ("lost", "sUs", "messages", kymo_mpi_foreign_messages (),
                     "sent to or received from processes of another MPI_COMM_WORLD");
  kymo_mpi_define_payload ();
  kymo_record_finish ("finalize");
  write_archive ();
  PMPI_Comm_free (&own_comm);
}

/* A process that is no main program wakes up here, before MPI starts threads of its own. */
static KymoRecThread *
begin_init (const char *name,
            uint32_t   *id)
{
  kymo_rec_wake ();
  KymoRecThread *thread = kymo_rec_begin ();
  static uint32_t region;
  if (thread != NULL)
    {
      *id = kymo_mpi_region (&region, name, OTF2_REGION_ROLE_FUNCTION);
      kymo_rec_enter (thread, *id, kymo_rec_now ());
    }
  return thread;
}

static void
end_init (KymoRecThread *thread,
          uint32_t       id,
          int            result)
{
  if (result == MPI_SUCCESS && kymo_rec_self.depth == 1 && kymo_rec_is_asked ())
    kymo_mpi_started ();
  if (thread != NULL)
    kymo_rec_leave (thread, id, kymo_rec_now ());
  kymo_rec_end ();
}

static int
wrap_init (int    (*next) (int *, char ***),
           int     *argc,
           char  ***argv)
{
  uint32_t id;
  KymoRecThread *thread = begin_init ("MPI_Init", &id);
  int result = next (argc, argv);

  end_init (thread, id, result);
  return result;
}

static int
wrap_init_thread (int   (*next) (int *, char ***, int, int *),
                  int    *argc,
                  char ***argv,
                  int     required,
                  int    *provided)
{
  uint32_t id;
  KymoRecThread *thread = begin_init ("MPI_Init_thread", &id);
  int result = next (argc, argv, required, provided);

  end_init (thread, id, result);
  return result;
}

static int
wrap_finalize (int (*next) (void))
{
  static uint32_t region;
  KymoRecThread *thread = kymo_rec_begin ();

  if (thread != NULL)
    kymo_rec_enter (thread, kymo_mpi_region (&region, "MPI_Finalize", OTF2_REGION_ROLE_FUNCTION),
                    kymo_rec_now ());
  /* A process whose recording has stopped writes with the others all the same. */
  if (kymo_rec_self.depth == 1)
    kymo_mpi_ending ();
  int result = next ();
  kymo_rec_end ();
  return result;
}

/* Levels are phases: 1 and more are named, 0 ends the phase. */
void
kymo_mpi_pcontrol (KymoRecThread *thread,
                   int            level)
{
  char name[32];
  KymoRawCell *cell;

  snprintf (name, sizeof name, "phase %d", level);
  uint32_t region = kymo_rec_region (name, OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_USER, NULL, 0);
  if (region == KYMO_RAW_NONE || (cell = kymo_rec_reserve (thread, 1)) == NULL)
    return;
  cell->arg = region;
  cell->time = kymo_rec_now ();
  kymo_rec_commit (cell, KYMO_RAW_MARKER);
}

static int
wrap_pcontrol (int (*next) (int, ...),
               int   level)
{
  KymoRecThread *thread = kymo_rec_begin ();

  if (thread != NULL)
    kymo_mpi_pcontrol (thread, level);
  int result = next (level);
  kymo_rec_end ();
  return result;
}

#ifdef KYMO_REC_STATIC
/* kymo-record sees by this note that it need not load a library. */
static const struct
{
  uint32_t name_bytes, data_bytes, type;
  char name[8];
} linked_note __attribute__ ((section (".note.kymo"), aligned (4), used)) = { 5, 0, 1, "Kymo" };

#define BOTH(name, parameters, wrap, type, ...) \
  EXPORTED int MPI_##name parameters { return wrap (PMPI_##name, ##__VA_ARGS__); }
#else
#define ONE(name, parameters, wrap, type, ...) \
  EXPORTED int name parameters \
  { \
    static int (*next) type; \
    if (next == NULL) \
      next = kymo_mpi_resolve (#name); \
    return wrap (next, ##__VA_ARGS__); \
  }
#define BOTH(name, parameters, wrap, type, ...) \
  ONE (MPI_##name, parameters, wrap, type, ##__VA_ARGS__) \
  ONE (PMPI_##name, parameters, wrap, type, ##__VA_ARGS__)
#endif

BOTH (Init, (int *argc, char ***argv), wrap_init, (int *, char ***), argc, argv)
BOTH (Init_thread, (int *argc, char ***argv, int required, int *provided), wrap_init_thread,
      (int *, char ***, int, int *), argc, argv, required, provided)
BOTH (Finalize, (void), wrap_finalize, (void))
BOTH (Pcontrol, (const int level, ...), wrap_pcontrol, (int, ...), level)

static int
find_other_mpi (struct dl_phdr_info *library,
                size_t               n_bytes,
                void                *found)
{
#if defined (OPEN_MPI)
  const char *other = "/libmpich.so";
#else
  const char *other = "/libmpi.so.";
#endif

  if (strstr (library->dlpi_name, other) != NULL)
    *(bool *) found = true;
  return 0;
}

/**
 * kymo_rec_fits: whether this library is the right one. Handles of another MPI would be taken for
 * pointers.
 */
bool
kymo_rec_fits (void)
{
  bool found = false;

  dl_iterate_phdr (find_other_mpi, &found);
  return !found;
}

/**
 * kymo_rec_mpi_is_linked: yes, so the place of the process is known after MPI_Init only.
 */
bool
kymo_rec_mpi_is_linked (void)
{
  return true;
}
