/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-beside.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define MOST_TRIES 100

struct _KymoBeside
{
  char *path;
  char *name;                   /* NULL as long as the file has none */
  int   fd;
};

/* Opens a file without a name (O_TMPFILE). It can get its name only by way of /proc/self/fd, so
   without /proc there is none: -1. */
static int
open_unnamed (const char *path,
              mode_t      mode)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (!g_file_test ("/proc/self/fd", G_FILE_TEST_IS_DIR))
    return -1;
  return open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

/**
 * kymo_beside_new:
 * @path: where the file is to be
 * @mode: its rights, less those of the umask
 *
 * Returns: (transfer full) (nullable): a file to be written; %NULL and errno where its folder
 * takes none
 */
KymoBeside *
kymo_beside_new (const char *path,
                 mode_t      mode)
{
  g_autofree char *name = NULL;
  int fd = open_unnamed (path, mode), code;
  KymoBeside *beside;

  if (fd < 0)
    {
      name = g_strconcat (path, ".XXXXXX", NULL);
      fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, mode);
      code = errno;
      if (fd < 0)
        {
          g_clear_pointer (&name, g_free);
          errno = code;
          return NULL;
        }
    }
  beside = g_new0 (KymoBeside, 1);
  beside->path = g_strdup (path);
  beside->name = g_steal_pointer (&name);
  beside->fd = fd;
  return beside;
}

/**
 * kymo_beside_free:
 * @beside: (nullable): a file, which is gone with it if it did not take its place
 */
void
kymo_beside_free (KymoBeside *beside)
{
  if (beside == NULL)
    return;
  if (beside->fd >= 0)
    close (beside->fd);
  if (beside->name != NULL)
    g_unlink (beside->name);
  g_free (beside->name);
  g_free (beside->path);
  g_free (beside);
}

/**
 * kymo_beside_get_fd:
 *
 * Returns: the file, open for reading and writing until kymo_beside_finish()
 */
int
kymo_beside_get_fd (const KymoBeside *beside)
{
  return beside->fd;
}

/* errno, or 0. */
static int
give_name (KymoBeside *beside,
           const char *name)
{
  g_autofree char *self = g_strdup_printf ("/proc/self/fd/%d", beside->fd);

  return linkat (AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* Only a file with a name can replace another in one step. */
static int
give_any_name (KymoBeside *beside)
{
  int code = EEXIST;

  for (guint tries = 0; code == EEXIST && tries < MOST_TRIES; tries++)
    {
      g_autofree char *name = g_strdup_printf ("%s.%06x", beside->path, g_random_int () & 0xffffff);

      code = give_name (beside, name);
      if (code == 0)
        beside->name = g_steal_pointer (&name);
    }
  return code;
}

static int
take_place (KymoBeside *beside,
            gboolean    replace)
{
  if (!replace && link (beside->name, beside->path) != 0)
    return errno;
  if (replace && g_rename (beside->name, beside->path) != 0)
    return errno;
  if (!replace)
    g_unlink (beside->name);
  g_clear_pointer (&beside->name, g_free);
  return 0;
}

/**
 * kymo_beside_finish:
 * @replace: whether a file that is there meanwhile goes
 *
 * Puts the file, which is whole, into its place and closes it.
 *
 * Returns: 0, or an errno: EEXIST where something is there that is not to be replaced
 */
int
kymo_beside_finish (KymoBeside *beside,
                    gboolean    replace)
{
  gboolean unnamed = beside->name == NULL;
  int code = 0;

  if (unnamed)
    code = replace ? give_any_name (beside) : give_name (beside, beside->path);
  if (close (g_steal_fd (&beside->fd)) != 0 && code == 0)
    code = errno;
  if (code == 0 && beside->name != NULL)
    code = take_place (beside, replace);
  return code;
}

/**
 * kymo_write_all:
 * @fd: of an open file
 *
 * Writes all bytes, also where the system takes them in pieces or a signal interrupts it.
 *
 * Returns: 0, or the errno of what failed
 */
int
kymo_write_all (int         fd,
                const void *bytes,
                gsize       n_bytes)
{
  for (gsize done = 0; done < n_bytes;)
    {
      ssize_t n = write (fd, (const char *) bytes + done, n_bytes - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : EIO;
      done += n;
    }
  return 0;
}
