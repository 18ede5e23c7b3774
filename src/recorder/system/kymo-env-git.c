/* kymo-env-git.c: the commit of the folder in which a program runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of `.git` are read; git is never run, for it may be missing, slow, or run
 * programs that the folder names.
 */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-environment.h"
#include "kymo-node-file.h"

#define MOST_PACKED_BYTES (256 << 20)
#define MOST_STEPS 5            /* from one symbolic reference to the next */
#define MOST_DEPTH 128          /* folders above the working folder */

static bool
is_hash (KymoNodeWord word)
{
  if (word.length != 40 && word.length != 64)
    return false;
  for (size_t i = 0; i < word.length; i++)
    if (strchr ("0123456789abcdef", word.at[i]) == NULL)
      return false;
  return true;
}

/* FOLDER/NAME, or NAME alone if it is absolute. */
static bool
join_path (char *path, const char *folder, const char *name)
{
  int length = name[0] == '/' ? snprintf (path, PATH_MAX, "%s", name)
                              : snprintf (path, PATH_MAX, "%s/%s", folder, name);

  return length > 0 && length < PATH_MAX;
}

/* The line `HASH NAME` of packed references. */
static bool
find_packed (KymoNodeWord bytes, const char *name, char *hash, size_t size)
{
  KymoNodeWord line, words[2];

  while (kymo_node_next_line (&bytes, &line))
    if (line.length > 0 && line.at[0] != '#' && line.at[0] != '^'
        && kymo_node_next_word (&line, &words[0]) && kymo_node_next_word (&line, &words[1])
        && kymo_node_word_is (words[1], name) && is_hash (words[0]))
      return kymo_node_word_copy (words[0], hash, size);
  return false;
}

static bool
read_packed (const char *root, const char *common, const char *name, char *hash, size_t size)
{
  char path[PATH_MAX], whole[2 * PATH_MAX];
  struct stat status;
  void *bytes = MAP_FAILED;
  bool found;
  int fd;

  if (!join_path (path, common, "packed-refs"))
    return false;
  snprintf (whole, sizeof whole, "%s%s", root, path);
  fd = open (whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0
      && status.st_size <= MOST_PACKED_BYTES)
    bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0)
    close (fd);
  if (bytes == MAP_FAILED)
    return false;
  found = find_packed (kymo_node_word (bytes, (size_t) status.st_size), name, hash, size);
  munmap (bytes, (size_t) status.st_size);
  return found;
}

/* The hash that a reference stands for. @git is the folder of this working tree, @common that of
 * all of them. */
static bool
resolve_reference (const char *root, const char *git, const char *common, const char *name,
                   char *hash, size_t size)
{
  char path[PATH_MAX], line[1024], next[1024];

  if (!kymo_node_word_copy (kymo_node_word (name, strlen (name)), next, sizeof next))
    return false;
  for (int step = 0; step < MOST_STEPS; step++)
    {
      ssize_t length = -1;

      if (strncmp (next, "refs/", 5) != 0 || strstr (next, "..") != NULL)
        return false;
      if (join_path (path, git, next))
        length = kymo_node_read_line (root, path, line, sizeof line);
      if (length < 0 && join_path (path, common, next))
        length = kymo_node_read_line (root, path, line, sizeof line);
      if (length < 0)
        return read_packed (root, common, next, hash, size);
      if (is_hash (kymo_node_word (line, (size_t) length)))
        return snprintf (hash, size, "%s", line) < (int) size;
      if (strncmp (line, "ref: ", 5) != 0)
        return false;
      memmove (next, line + 5, strlen (line + 5) + 1);
    }
  return false;
}

/* The folder of git for the working tree @tree: `.git`, or where a file `.git` points. */
static bool
find_git (const char *root, const char *tree, char *git)
{
  char path[PATH_MAX], head[PATH_MAX + 8], line[PATH_MAX];

  if (!join_path (path, tree, ".git"))
    return false;
  snprintf (head, sizeof head, "%s/HEAD", path);
  if (kymo_node_read_line (root, head, line, sizeof line) > 0)
    {
      strcpy (git, path);
      return true;
    }
  return kymo_node_read_line (root, path, line, sizeof line) > 0
         && strncmp (line, "gitdir: ", 8) == 0 && join_path (git, tree, line + 8);
}

static void
put_commit (KymoEnvIni *ini, const char *root, const char *git)
{
  char path[PATH_MAX], common[PATH_MAX], line[PATH_MAX], hash[80];

  if (!join_path (path, git, "commondir")
      || kymo_node_read_line (root, path, line, sizeof line) <= 0 || !join_path (common, git, line))
    strcpy (common, git);
  if (!join_path (path, git, "HEAD") || kymo_node_read_line (root, path, line, sizeof line) <= 0)
    return;
  if (is_hash (kymo_node_word (line, strlen (line))))
    kymo_env_ini_text (ini, "commit", line);
  if (strncmp (line, "ref: ", 5) != 0)
    return;
  if (resolve_reference (root, git, common, line + 5, hash, sizeof hash))
    kymo_env_ini_text (ini, "commit", hash);
  if (strncmp (line + 5, "refs/heads/", 11) == 0)
    kymo_env_ini_text (ini, "branch", line + 16);
}

/** kymo_env_git: writes the group Git of the working tree that @folder, an absolute path, lies in;
 * nothing if there is none. */
void
kymo_env_git (KymoEnvIni *ini, const char *root, const char *folder)
{
  char tree[PATH_MAX], git[PATH_MAX];

  if (folder[0] != '/' || strlen (folder) >= sizeof tree)
    return;
  strcpy (tree, folder);
  for (int depth = 0; depth < MOST_DEPTH; depth++)
    {
      char *slash = strrchr (tree, '/');

      if (find_git (root, tree, git))
        {
          kymo_env_ini_group (ini, "Git", NULL);
          kymo_env_ini_text (ini, "folder", tree[0] != '\0' ? tree : "/");
          put_commit (ini, root, git);
          return;
        }
      if (slash == NULL)
        return;
      *slash = '\0';
    }
}
