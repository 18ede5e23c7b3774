/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-record-end.h"
#include "kymo-record-move.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-node-file.h"
#include "kymo-node-folder.h"
#include "kymo-rec-sys.h"

#define MOST_AGENTS 64

static int world_rank, world_size = 1;
static bool have_world;

/**
 * kymo_record_set_world: notes the place of this process in MPI_COMM_WORLD.
 * @rank: its own
 * @size: number of processes
 */
void
kymo_record_set_world (int rank,
                       int size)
{
  world_rank = rank;
  world_size = size;
  have_world = true;
}

static inline void
tell_user (const char *sentence,
           void       *data)
{
  char line[1024];
  size_t length = strlen (sentence);

  snprintf (line, sizeof line, "%s", sentence);
  if (length > 0 && length < sizeof line && line[length - 1] == '.')
    line[length - 1] = '\0';
  kymo_rec_say (line);
}

/* Raw folders of agents that had come when the archive was begun. */
static struct
{
  unsigned n;
  char     names[MOST_AGENTS][NAME_MAX + 1];
} agents;

static void
discard_agents (void)
{
  char path[2 * KYMO_SYS_MOST_PATH];

  for (unsigned i = 0; i < agents.n; i++)
    {
      snprintf (path, sizeof path, "%s/raw/%s", kymo_rec_folder (), agents.names[i]);
      kymo_rec_discard_folder (path);
    }
}

static bool ends_job;

/* The raw files, whose archive is there; and what all processes of the job had in common. */
static void
tidy_folder (void)
{
  char path[KYMO_SYS_MOST_PATH + 8];

  if (!kymo_rec_options ()->keep_raw)
    {
      discard_agents ();
      kymo_rec_discard ();
    }
  if (!ends_job)
    return;
  snprintf (path, sizeof path, "%s/.job", kymo_rec_folder ());
  syscall (SYS_unlinkat, AT_FDCWD, path, 0);
}

static void
say_where (const char *folder,
           bool        answers)
{
  char text[3 * KYMO_SYS_MOST_PATH];

  if (answers)
    snprintf (text, sizeof text, "the raw record is in %s; 'kymo-record --recover' makes an "
              "archive of it, with -o on another disk", folder);
  else
    snprintf (text, sizeof text, "the file server of %s does not answer; the raw record of this "
              "process is in %s", folder, kymo_rec_process_folder ());
  kymo_rec_say (text);
}

#ifdef KYMO_REC_STATIC
/* OTF2 is not there to be linked statically. */
static bool
write_whole (KymoArchiveWorld *world,
             const char       *folder,
             bool              is_whole_job)
{
  return false;
}
#else
static void
note_agent (const char *name,
            void       *raw)
{
  char path[2 * KYMO_SYS_MOST_PATH], text[1024];

  snprintf (path, sizeof path, "%s/%s/definitions", (const char *) raw, name);
  ssize_t n = agents.n < MOST_AGENTS ? kymo_node_read ("", path, text, sizeof text - 1) : 0;
  text[n > 0 ? n : 0] = '\0';
  if (strstr (text, "\tkymo-record --agent\n") != NULL)
    snprintf (agents.names[agents.n++], sizeof *agents.names, "%s", name);
}

/* @folder: with raw folders in raw/ */
static void
note_agents (const char *folder)
{
  char raw[KYMO_SYS_MOST_PATH + 8];

  snprintf (raw, sizeof raw, "%s/raw", folder);
  kymo_node_folder_walk ("", raw, note_agent, raw);
}

/* Whether the archive is in @folder, the same on all ranks. A server that may never answer is left
 * to another process. */
static bool
write_whole (KymoArchiveWorld *world,
             const char       *folder,
             bool              is_whole_job)
{
  const char *keep = kymo_rec_options ()->keep;
  bool is_far = kymo_rec_folder_is_far (), answers = true;
  char staging[KYMO_SYS_MOST_PATH + 32];

  snprintf (staging, sizeof staging, "%s", folder);
  if (is_far)
    {
      kymo_record_staging_path (staging, sizeof staging, !is_whole_job || world->size == 1);
      kymo_sys_mkdir (staging);
      answers = world->rank != 0 || kymo_record_staging_fill (staging);
    }
  if (!world->agree (world, answers))
    {
      if (is_far && world->rank == 0)
        kymo_rec_discard_tree (staging);
      return false;
    }
  if (world->rank == 0 && is_whole_job)
    note_agents (staging);
  return kymo_record_staging_move (
    world, staging, folder, kymo_archive_write (world, staging, kymo_rec_process_folder (),
                                                *keep != '\0' ? keep : NULL, tell_user, NULL));
}
#endif

/* `is_whole_job`: no other process of the job needs its name any more. */
static void
write_to (KymoArchiveWorld *world,
          const char       *folder,
          bool              is_whole_job)
{
  bool answers = kymo_rec_folder_answers (), whole;

#ifndef KYMO_REC_STATIC
  bool all_answer = world->agree (world, answers);
#else
  bool all_answer = answers;
#endif
  whole = all_answer && write_whole (world, folder, is_whole_job);
  answers = answers && (!kymo_rec_folder_is_far () || kymo_rec_folder_get_patience () > 0);
  ends_job = whole && is_whole_job && world->rank == 0;
  if (whole)
    kymo_rec_folder_do (tidy_folder);
  else if (world->rank == 0 || !answers)
    say_where (folder, answers);
}

/* The number of this process in a job of several that do not use MPI: each has an archive of its
 * own, in a folder below that of the run. -1: it is alone. */
static int
rank_without_mpi (void)
{
  static const char *const names[][2] = { { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
                                          { "PMI_RANK", "PMI_SIZE" },
                                          { "SLURM_PROCID", "SLURM_NTASKS" } };

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *rank = getenv (names[i][0]), *size = getenv (names[i][1]);
      if (rank != NULL && size != NULL)
        return atoi (size) > 1 ? atoi (rank) : -1;
    }
  return -1;
}

static void
write_alone (void)
{
  KymoArchiveWorld world;
  char folder[KYMO_SYS_MOST_PATH + 32];
  int rank = have_world ? -1 : rank_without_mpi ();

  snprintf (folder, sizeof folder, "%s", kymo_rec_folder ());
  if (rank >= 0)
    {
      snprintf (folder, sizeof folder, "%s/rank-%d", kymo_rec_folder (), rank);
      if (!kymo_rec_folder_is_far ())
        kymo_sys_mkdir (folder);
    }
#ifdef KYMO_REC_STATIC
  world.rank = 0;
#else
  kymo_archive_world_init_serial (&world);
#endif
  write_to (&world, folder, rank < 0);
}

/**
 * kymo_record_write: writes the archive and removes the raw files, or says where these are. All
 * processes of @world call it
 * after kymo_record_finish().
 */
void
kymo_record_write (KymoArchiveWorld *world)
{
  write_to (world, kymo_rec_folder (), true);
}

static int
find_gpu (struct dl_phdr_info *library,
          size_t               n_bytes,
          void                *found)
{
  /* Libraries of MPI load some of these on any machine; without the device nobody uses them. */
  static const struct
  {
    const char *library, *device;
  } kinds[] = {
    { "/libcuda.so", "/dev/nvidiactl" }, { "/libamdhip64.so", "/dev/kfd" },
    { "/libhsa-runtime64.so", "/dev/kfd" }, { "/libze_loader.so", "/dev/dri/renderD128" },
    { "/libOpenCL.so", "/dev/dri/renderD128" }, { "/libOpenCL.so", "/dev/nvidiactl" },
  };

  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strstr (library->dlpi_name, kinds[i].library) != NULL
        && access (kinds[i].device, F_OK) == 0)
      *(bool *) found = true;
  return 0;
}

/* What a program with a library for graphics processors does there is not in the record. */
static void
mention_gpu (void)
{
  bool found = false;

  dl_iterate_phdr (find_gpu, &found);
  if (!found)
    return;
  kymo_rec_define ("lost", "sus", "gpu", 0u, "work of graphics processors is not recorded");
  if (world_rank == 0)
    kymo_rec_say ("work of graphics processors is not recorded");
}

/**
 * kymo_record_finish: ends recording, as kymo_rec_finish() does.
 * @reason: as in the line `end` of the definitions
 *
 * Returns: whether there is a record to write
 */
bool
kymo_record_finish (const char *reason)
{
  /* A program that could have used MPI and did not has its place now. */
  kymo_rec_run_start_hooks ();
  /* A child that was forked does not ask: the loader's lock may be another thread's for ever. */
  if (kymo_rec_is_awake ())
    mention_gpu ();
  return kymo_rec_finish (reason);
}

/* A program that ends by itself. One of several processes of MPI that ends without MPI_Finalize
 * cannot wait for the others: its raw files stay. */
static __attribute__ ((destructor)) void
end_library (void)
{
  char text[KYMO_SYS_MOST_PATH + 128];
  uint32_t depth = kymo_rec_self.depth;
  kymo_rec_self.depth = 1u << 30;
  kymo_rec_self.frame = UINTPTR_MAX;
  if (kymo_record_finish ("exit"))
    {
      if (world_size == 1)
        write_alone ();
      else if (world_rank == 0)
        {
          snprintf (text, sizeof text, "the program ended without MPI_Finalize; the raw record is "
                    "in %s, and 'kymo-cli recover' makes an archive of it", kymo_rec_folder ());
          kymo_rec_say (text);
        }
    }
  kymo_rec_self.depth = depth;
}
