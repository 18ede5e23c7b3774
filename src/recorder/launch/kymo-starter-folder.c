/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of a run. All processes of a job come here at about the same time, maybe on several
 * machines; the first one makes the folder and puts the name of the job into it, the others find
 * that name. A folder of another run is never touched without --overwrite.
 */
#include "kymo-starter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 5000            /* for another process to name its job */
#define FRESH_S 20              /* a folder this old is nobody's who is just making it */

typedef enum
{
  OURS,
  FOREIGN,
  UNNAMED                       /* no job's name in it */
} Owner;

static void
wait_a_little (void)
{
  nanosleep (&(struct timespec) { 0, 10000000 }, NULL);
}

static Owner
owner_of (const char *folder,
          const char *job)
{
  char *path = kymo_starter_print ("%s/.job", folder);
  char text[512];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  ssize_t n = fd >= 0 ? read (fd, text, sizeof text - 1) : 0;

  free (path);
  if (fd < 0)
    return UNNAMED;
  close (fd);
  text[n > 0 ? n : 0] = '\0';
  return strcmp (text, job) == 0 ? OURS : FOREIGN;
}

static void
put_name (const char *folder,
          const char *job)
{
  char *part = kymo_starter_print ("%s/.job.%d", folder, (int) getpid ());
  char *path = kymo_starter_print ("%s/.job", folder);
  int fd = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0 || write (fd, job, strlen (job)) != (ssize_t) strlen (job) || close (fd) != 0
      || rename (part, path) != 0)
    kymo_starter_die (1, "%s cannot be written (%s)", path, strerror (errno));
  free (part);
  free (path);
}

/* Waits for the name in a folder that may have just been made. */
static Owner
wait_for_name (const char *folder,
               const char *job,
               bool        always)
{
  char *anchor = kymo_starter_print ("%s/traces.otf2", folder);
  struct stat found;
  Owner owner = UNNAMED;

  for (int i = 0; i < WAIT_MS / 10; i++)
    {
      owner = owner_of (folder, job);
      if (owner == OURS || (owner == FOREIGN && !always))
        break;
      bool fresh = stat (folder, &found) == 0 && time (NULL) - found.st_mtime < FRESH_S;
      if (!always && (!fresh || access (anchor, F_OK) == 0))
        break;
      wait_a_little ();
    }
  free (anchor);
  return owner;
}

static void
remove_tree (const char *path,
             int         depth)
{
  DIR *folder = NULL;
  struct stat found;

  if (lstat (path, &found) != 0)
    return;
  if (S_ISDIR (found.st_mode) && depth < 8 && (folder = opendir (path)) != NULL)
    {
      for (struct dirent *entry; (entry = readdir (folder)) != NULL;)
        if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
          {
            char *below = kymo_starter_print ("%s/%s", path, entry->d_name);
            remove_tree (below, depth + 1);
            free (below);
          }
      closedir (folder);
      rmdir (path);
    }
  else
    unlink (path);
}

/* Removes an earlier record and nothing else. */
static void
empty_folder (const char *folder)
{
  static const char *const names[] = { "traces.otf2", "traces.def", "traces.kymo", "traces",
                                       "raw", "tauprofile.xml", "environment.ini",
                                       "live.address", "live.actions", "actions", ".job" };

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    {
      char *path = kymo_starter_print ("%s/%s", folder, names[i]);
      remove_tree (path, 0);
      free (path);
    }
}

/* One process of the job takes an existing folder over, the others wait for it. */
static void
take_over (const char *folder,
           const char *job)
{
  char *suffix = kymo_starter_suffix (job);
  char *lock = kymo_starter_print ("%s/.taken-%s", folder, suffix);
  int fd = open (lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd >= 0)
    {
      close (fd);
      /* Another process may have done all of this since the look that led here; its record is
       * in the folder by now. */
      if (owner_of (folder, job) != OURS)
        {
          empty_folder (folder);
          chmod (folder, 0700);
          put_name (folder, job);
        }
      unlink (lock);
    }
  else if (errno != EEXIST)
    kymo_starter_die (1, "%s cannot be written (%s)", folder, strerror (errno));
  else if (wait_for_name (folder, job, true) != OURS)
    kymo_starter_die (1, "another process of this job does not finish to clear %s", folder);
  free (lock);
  free (suffix);
}

/* Whether the folder is this job's now. */
static bool
try_folder (const char *folder,
            const char *job,
            bool        overwrite)
{
  if (mkdir (folder, 0700) == 0)
    {
      put_name (folder, job);
      return true;
    }
  if (errno != EEXIST)
    kymo_starter_die (1, "the folder %s cannot be made (%s)", folder, strerror (errno));
  Owner owner = wait_for_name (folder, job, false);
  if (owner != OURS && overwrite)
    take_over (folder, job);
  return owner == OURS || overwrite;
}

static char *
make_absolute (const char *path)
{
  char here[PATH_MAX];

  if (path[0] == '/')
    return kymo_starter_print ("%s", path);
  if (getcwd (here, sizeof here) == NULL)
    kymo_starter_die (1, "the working folder is not there (%s)", strerror (errno));
  return kymo_starter_print ("%s/%s", here, path);
}

/**
 * kymo_starter_folder: makes the folder of a run or finds that another process of the job made it.
 * Ends the program if there can be none.
 * @asked: (nullable): the folder that the user wants
 * @program: the default name is made of its name
 * @job: from kymo_starter_job()
 * @overwrite: whether an earlier record may be replaced
 *
 * Returns: its absolute path
 */
char *
kymo_starter_folder (const char *asked,
                    const char *program,
                    const char *job,
                    bool        overwrite)
{
  const char *slash = strrchr (program, '/'), *base = slash != NULL ? slash + 1 : program;

  if (asked != NULL)
    {
      char *folder = make_absolute (asked);
      if (!try_folder (folder, job, overwrite))
        kymo_starter_die (2, "%s exists; give another folder with -o, or add --overwrite", folder);
      return folder;
    }
  char *suffix = kymo_starter_suffix (job);
  for (unsigned i = 1; i < 1000; i++)
    {
      char *name = i == 1 ? kymo_starter_print ("kymo-%s-%s", base, suffix)
                          : kymo_starter_print ("kymo-%s-%s-%u", base, suffix, i);
      char *folder = make_absolute (name);
      if (try_folder (folder, job, overwrite))
        return folder;
      free (name);
      free (folder);
    }
  kymo_starter_die (1, "there are too many folders of this program here; give one with -o");
}
