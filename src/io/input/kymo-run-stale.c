/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-run-stale.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-input.h"

#define MARK ".kymo-writing"
#define WORDS "Kymo writes a run in this folder, on the machine:\n"
#define MOST_MARK_BYTES 1024
/* As of mkdtemp(): a dot and six letters or digits. */
#define N_RANDOM 6
/* Logs lie in folders of logs at most. */
#define MOST_DEPTH 2
/* Between making the file and locking it. */
#define SETTLED_SECONDS 60
/* A lock on another machine is not seen on each file system; no writer takes that long
   without writing anything. */
#define FOREIGN_SECONDS (2 * 24 * 3600)

/**
 * kymo_run_stale_mark:
 * @folder: a folder that was just made, to write a run in
 *
 * Returns: what holds the lock, for kymo_run_stale_unmark(); -1 and errno where it cannot be
 */
int
kymo_run_stale_mark (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, MARK, NULL);
  g_autofree char *words = g_strconcat (WORDS, g_get_host_name (), "\n", NULL);
  int mark = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int code;

  if (mark < 0)
    return -1;
  if (write (mark, words, strlen (words)) == (gssize) strlen (words)
      && (flock (mark, LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == EOPNOTSUPP))
    return mark;
  code = errno;
  kymo_run_stale_unmark (folder, mark);
  errno = code;
  return -1;
}

/**
 * kymo_run_stale_unmark:
 * @folder: that the run was written in
 * @mark: of kymo_run_stale_mark(), or -1; it is closed
 *
 * Removes the mark: the run is whole, or all of it was taken back.
 */
void
kymo_run_stale_unmark (const char *folder,
                       int         mark)
{
  g_autofree char *path = g_build_filename (folder, MARK, NULL);

  if (mark < 0)
    return;
  unlink (path);
  close (mark);
}

static gboolean
is_old (const struct stat *info,
        gint64             seconds)
{
  return info->st_mtime < g_get_real_time () / G_USEC_PER_SEC - seconds;
}

/* Takes the descriptor. Visits what lies in a folder, for removing it or for telling whether all
   of it is old; FALSE as soon as something is not, or is neither file nor folder. */
static gboolean
visit_run_stale (int      folder,
                 gboolean removes,
                 guint    depth)
{
  DIR *dir = fdopendir (folder);
  struct dirent *entry;
  gboolean good = dir != NULL;

  if (dir == NULL)
    close (folder);
  while (good && (entry = readdir (dir)) != NULL)
    {
      struct stat info;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      good = fstatat (folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0
        && info.st_uid == geteuid ();
      if (good && S_ISDIR (info.st_mode))
        {
          int inner = depth < MOST_DEPTH ? openat (folder, entry->d_name, O_RDONLY | O_DIRECTORY
                                                   | O_NOFOLLOW | O_CLOEXEC) : -1;

          good = inner >= 0 && visit_run_stale (inner, removes, depth + 1)
            && (!removes || unlinkat (folder, entry->d_name, AT_REMOVEDIR) == 0);
        }
      else if (good)
        good = S_ISREG (info.st_mode)
          && (removes ? strcmp (entry->d_name, MARK) == 0
              || unlinkat (folder, entry->d_name, 0) == 0 : is_old (&info, FOREIGN_SECONDS));
    }
  if (dir != NULL)
    closedir (dir);
  return good;
}

static int
open_again (int folder)
{
  return openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* TRUE if the file is a mark of Kymo; is_here: it was made on this machine. */
static gboolean
read_mark (int       mark,
           gboolean *is_here)
{
  char text[MOST_MARK_BYTES + 1] = "";
  gssize n = kymo_input_read (mark, text, MOST_MARK_BYTES);
  g_autofree char *here = g_strconcat (WORDS, g_get_host_name (), "\n", NULL);

  if (n <= 0 || !g_str_has_prefix (text, WORDS))
    return FALSE;
  *is_here = strcmp (text, here) == 0;
  return TRUE;
}

/* TRUE if the process that wrote the folder is gone. On this machine the lock tells it; for another
   machine, the time since the last write of anything in the folder. */
static gboolean
is_stale (int folder,
          int mark)
{
  struct stat info;
  gboolean is_here;

  if (fstat (mark, &info) != 0 || info.st_uid != geteuid () || !read_mark (mark, &is_here)
      || flock (mark, LOCK_EX | LOCK_NB) != 0 || !is_old (&info, SETTLED_SECONDS))
    return FALSE;
  return is_here || visit_run_stale (open_again (folder), FALSE, 0);
}

static gboolean
remove_one (int         parent,
            const char *name)
{
  int folder = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int mark = folder >= 0 ? kymo_input_open_at (folder, MARK, O_RDONLY | O_NOFOLLOW, NULL, NULL)
    : -1;
  gboolean done = mark >= 0 && is_stale (folder, mark)
    && visit_run_stale (open_again (folder), TRUE, 0)
    && unlinkat (folder, MARK, 0) == 0 && unlinkat (parent, name, AT_REMOVEDIR) == 0;

  if (mark >= 0)
    close (mark);
  if (folder >= 0)
    close (folder);
  return done;
}

static gboolean
is_named (const char *name,
          const char *base)
{
  gsize n = strlen (base);

  if (strncmp (name, base, n) != 0 || name[n] != '.' || strlen (name + n + 1) != N_RANDOM)
    return FALSE;
  for (const char *c = name + n + 1; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      return FALSE;
  return TRUE;
}

/**
 * kymo_run_stale_remove:
 * @place: where a run is going to be written
 *
 * Removes the folders of writers of the same place that were killed: those that carry the mark
 * of Kymo and of this user, and whose lock is free. A folder that was made on another
 * machine has to be untouched for two days, too.
 *
 * Returns: how many were removed
 */
guint
kymo_run_stale_remove (const char *place)
{
  g_autofree char *above = g_path_get_dirname (place);
  g_autofree char *base = g_path_get_basename (place);
  DIR *dir = opendir (above);
  struct dirent *entry;
  guint n = 0;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if (is_named (entry->d_name, base))
      n += remove_one (dirfd (dir), entry->d_name);
  if (dir != NULL)
    closedir (dir);
  return n;
}
