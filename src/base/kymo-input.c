/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"

/* A process that holds a lease on a file (a server that exports it) has 45 s to give it back, as
   the kernel is set up; until then an open that does not wait is refused. */
#define LEASE_WAIT_US 50000
#define MOST_LEASE_WAITS 1000

static gboolean
fail_input (const char  *path,
            int          code,
            GError     **error)
{
  g_autofree char *shown = g_utf8_make_valid (path, -1);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be opened: %s"), shown,
               g_strerror (code));
  return FALSE;
}

/* A whole sentence for each kind of file, so that each can be translated. */
static const char *
get_sentence (mode_t mode)
{
  if (S_ISFIFO (mode))
    return N_("“%s” is a FIFO (a named pipe), no ordinary file");
  if (S_ISSOCK (mode))
    return N_("“%s” is a socket, no ordinary file");
  if (S_ISDIR (mode))
    return N_("“%s” is a folder, no ordinary file");
  return N_("“%s” is a device, no ordinary file");
}

static gboolean
check_mode (const char  *path,
            mode_t       mode,
            GError     **error)
{
  g_autofree char *shown = NULL;

  if (S_ISREG (mode))
    return TRUE;
  shown = g_utf8_make_valid (path, -1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _(get_sentence (mode)), shown);
#pragma GCC diagnostic pop
  return FALSE;
}

/* Says what the file is where the system has only a number for it: a socket cannot be
   opened at all, a folder not for writing. */
static void
fail_to_open (int          folder,
              const char  *name,
              int          code,
              GError     **error)
{
  struct stat info;

  if (fstatat (folder, name, &info, 0) != 0 || check_mode (name, info.st_mode, error))
    fail_input (name, code, error);
}

/**
 * kymo_input_open_at:
 * @folder: descriptor of the folder that @name is relative to, or `AT_FDCWD`
 * @name: a file, which the error names as it is given here
 * @flags: of open() beside those for reading without waiting, such as `O_NOFOLLOW`, or
 *   `O_RDWR` in place of `O_RDONLY`
 * @n_bytes: (out) (optional): size of the file at this moment: the most that may be read of
 *   it, for a file may grow without end
 * @error: %KYMO_ERROR_UNREADABLE: one sentence, which says what it is if it is no regular file
 *
 * Never waits for another program (but for the lease of a file server, which ends by
 * itself). Any thread.
 *
 * Returns: a descriptor of a regular file, which the caller closes; -1 with @error
 */
int
kymo_input_open_at (int           folder,
                    const char   *name,
                    int           flags,
                    gint64       *n_bytes,
                    GError      **error)
{
  int fd = -1;
  struct stat info;

  flags |= O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  for (guint i = 0; i < MOST_LEASE_WAITS; i++)
    {
      fd = openat (folder, name, flags);
      if (fd >= 0 || (errno != EINTR && errno != EWOULDBLOCK))
        break;
      if (errno == EWOULDBLOCK)
        g_usleep (LEASE_WAIT_US);
    }
  if (fd < 0)
    {
      fail_to_open (folder, name, errno, error);
      return -1;
    }
  if (fstat (fd, &info) != 0 ? fail_input (name, errno, error)
                             : check_mode (name, info.st_mode, error))
    {
      if (n_bytes != NULL)
        *n_bytes = info.st_size;
      return fd;
    }
  close (fd);
  return -1;
}

/**
 * kymo_input_open:
 * @path: a file
 * @n_bytes: (out) (optional): as of kymo_input_open_at()
 * @error: as of kymo_input_open_at()
 *
 * Returns: a descriptor for reading a regular file, which the caller closes; -1 with @error
 */
int
kymo_input_open (const char  *path,
                 gint64      *n_bytes,
                 GError     **error)
{
  return kymo_input_open_at (AT_FDCWD, path, O_RDONLY, n_bytes, error);
}

/**
 * kymo_input_check:
 * @path: a file that a library is going to open
 * @error: as of kymo_input_open_at()
 *
 * For libraries that open files themselves and would wait at a FIFO. Somebody who puts
 * another file in its place between this call and the library's is not noticed.
 *
 * Returns: whether it is a regular file
 */
gboolean
kymo_input_check (const char  *path,
                  GError     **error)
{
  struct stat info;

  return stat (path, &info) == 0 ? check_mode (path, info.st_mode, error)
    : fail_input (path, errno, error);
}

/**
 * kymo_input_read:
 * @fd: of a regular file
 * @buffer: (out caller-allocates): @n_bytes
 * @n_bytes: how many are wanted
 *
 * Reads on from where the descriptor stands, in as many calls as it takes.
 *
 * Returns: how many bytes there were, fewer than wanted at the end of the file alone; -1
 *   and errno where reading failed
 */
gssize
kymo_input_read (int       fd,
                 gpointer  buffer,
                 gsize     n_bytes)
{
  gsize done = 0;

  while (done < n_bytes)
    {
      gssize n = read (fd, (char *) buffer + done, n_bytes - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += n;
    }
  return done;
}

/**
 * kymo_input_read_head:
 * @folder: as of kymo_input_open_at()
 * @name: a file, or anything else
 * @buffer: (out caller-allocates): @n_bytes
 * @n_bytes: most that are wanted
 *
 * Returns: how many of the first bytes of a regular file were read; 0 where @name is none, or
 *   cannot be read
 */
gsize
kymo_input_read_head (int         folder,
                      const char *name,
                      gpointer    buffer,
                      gsize       n_bytes)
{
  int fd = kymo_input_open_at (folder, name, O_RDONLY, NULL, NULL);
  gssize n = fd >= 0 ? kymo_input_read (fd, buffer, n_bytes) : 0;

  if (fd >= 0)
    close (fd);
  return MAX (n, 0);
}

static gboolean
read_whole (int          fd,
            gsize        n_bytes,
            const char  *shown,
            char       **text,
            gsize       *length,
            GError     **error)
{
  g_autofree char *bytes = g_try_malloc (n_bytes + 1);
  gssize n = bytes != NULL ? kymo_input_read (fd, bytes, n_bytes) : -1;

  if (n < 0)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNREADABLE, _("“%s” cannot be read: %s"), shown,
                   g_strerror (bytes != NULL ? errno : ENOMEM));
      return FALSE;
    }
  bytes[n] = '\0';
  *text = g_steal_pointer (&bytes);
  if (length != NULL)
    *length = n;
  return TRUE;
}

static void
set_too_large (const char  *shown,
               gint64       n_bytes,
               gsize        most_bytes,
               GError     **error)
{
  g_autofree char *has = g_strdup_printf ("%" G_GINT64_FORMAT, n_bytes);
  g_autofree char *most = g_strdup_printf ("%" G_GSIZE_FORMAT, most_bytes);

  g_set_error (error, KYMO_ERROR, KYMO_ERROR_LIMIT,
               _("“%s” has %s bytes; at most %s are read of such a file"), shown, has, most);
}

/**
 * kymo_input_load:
 * @path: a file
 * @most_bytes: a larger one is refused
 * @text: (out) (transfer full): what the file holds, with a NUL behind
 * @length: (out) (optional): how many bytes those are, without the NUL
 * @error: %KYMO_ERROR_UNREADABLE, or %KYMO_ERROR_LIMIT where the file is too large: one
 *   sentence that names the file
 *
 * Reads a whole regular file, as g_file_get_contents() does with any.
 *
 * Returns: whether it could be read; @text is not set otherwise
 */
gboolean
kymo_input_load (const char  *path,
                 gsize        most_bytes,
                 char       **text,
                 gsize       *length,
                 GError     **error)
{
  g_autofree char *shown = NULL;
  gint64 n_bytes;
  int fd = kymo_input_open (path, &n_bytes, error);
  gboolean done = FALSE;

  if (fd < 0)
    return FALSE;
  shown = g_utf8_make_valid (path, -1);
  if ((guint64) n_bytes <= most_bytes)
    done = read_whole (fd, n_bytes, shown, text, length, error);
  else
    set_too_large (shown, n_bytes, most_bytes, error);
  close (fd);
  return done;
}

/**
 * kymo_input_load_key_file:
 * @file: takes what is read
 * @path: a file
 * @most_bytes: a larger one is refused
 * @flags: as of g_key_file_load_from_data()
 * @error: as of kymo_input_load(), or of #GKeyFileError where it is no key file
 *
 * Returns: whether @file holds it now
 */
gboolean
kymo_input_load_key_file (GKeyFile       *file,
                          const char     *path,
                          gsize           most_bytes,
                          GKeyFileFlags   flags,
                          GError        **error)
{
  g_autofree char *text = NULL;
  gsize length;

  return kymo_input_load (path, most_bytes, &text, &length, error)
    && g_key_file_load_from_data (file, text, length, flags, error);
}
