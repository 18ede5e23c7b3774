/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-stream-scan.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-error.h"
#include "kymo-input.h"

/* More than a whole header has. */
#define WINDOW_BYTES (256 << 10)

static gboolean
open_far (KymoStreamScan  *scan,
          const char      *path,
          int              flags,
          GError         **error)
{
  if ((flags & O_ACCMODE) != O_RDONLY)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_USAGE,
                 _("“%s” is on another machine: nothing is recorded into it from here"), path);
  else
    scan->far_file = scan->far->open (path, &scan->size, scan->cancellable, error);
  return scan->far_file != NULL;
}

/**
 * kymo_stream_scan_init:
 * @scan: (out caller-allocates): to be cleared in any case
 * @path: of the recording, which may be on another machine (kymo-far-files.h)
 * @flags: of open(), `O_RDONLY` or `O_RDWR`
 * @cancellable: (nullable): ends long searches, and waiting for another machine
 * @error: %KYMO_ERROR_UNREADABLE: one sentence
 *
 * Only ordinary files are taken: a pipe or a device may never end.
 *
 * Returns: whether the file is open
 */
gboolean
kymo_stream_scan_init (KymoStreamScan  *scan,
                       const char      *path,
                       int              flags,
                       GCancellable    *cancellable,
                       GError         **error)
{
  *scan = (KymoStreamScan) { .fd = -1, .far = kymo_far_files_of (path) };
  g_set_object (&scan->cancellable, cancellable);
  if (scan->far != NULL ? !open_far (scan, path, flags, error)
      : (scan->fd = kymo_input_open_at (AT_FDCWD, path, flags, &scan->size, error)) < 0)
    return FALSE;
  scan->window = g_malloc (WINDOW_BYTES);
  return TRUE;
}

/**
 * kymo_stream_scan_clear:
 *
 * Closes the file and frees the window, not the scan itself.
 */
void
kymo_stream_scan_clear (KymoStreamScan *scan)
{
  if (scan->fd >= 0)
    close (scan->fd);
  scan->fd = -1;
  if (scan->far_file != NULL)
    scan->far->close (g_steal_pointer (&scan->far_file));
  g_clear_pointer (&scan->why, g_free);
  g_clear_pointer (&scan->window, g_free);
  g_clear_object (&scan->cancellable);
}

/** kymo_stream_scan_peek_why: Returns: why reading failed, where `failed` says that it did */
const char *
kymo_stream_scan_peek_why (const KymoStreamScan *scan)
{
  return scan->why != NULL ? scan->why : g_strerror (scan->failed);
}

/* A failure says how much came before. */
static gsize
read_far (KymoStreamScan *scan,
          gint64          at,
          guint8         *buffer,
          gsize           n_bytes,
          gint64         *size)
{
  gsize done = 0;

  do
    {
      g_autoptr (GError) error = NULL;
      gssize n = scan->far->read (scan->far_file, at + done, buffer + done, n_bytes - done, size,
                                  scan->cancellable, &error);

      if (n < 0)
        {
          scan->failed = EIO;
          g_free (scan->why);
          scan->why = g_strdup (error->message);
        }
      if (n <= 0)
        break;
      done += n;
    }
  while (done < n_bytes);
  return done;
}

static gint64
look_at_size (KymoStreamScan *scan)
{
  gint64 size = scan->size;
  struct stat info;

  if (scan->far != NULL)
    read_far (scan, 0, NULL, 0, &size);
  else if (fstat (scan->fd, &info) == 0)
    size = info.st_size;
  return size;
}

/**
 * kymo_stream_scan_look:
 *
 * How long is the file now? What was read of it before its end moved is
 * read again.
 */
void
kymo_stream_scan_look (KymoStreamScan *scan)
{
  gint64 size = look_at_size (scan);

  if (size == scan->size)
    return;
  scan->size = size;
  scan->window_n = 0;
}

/**
 * kymo_stream_scan_read:
 * @at: byte of the file to begin at
 * @buffer: (out): room for @n_bytes
 * @n_bytes: how many to read
 *
 * Returns: how many bytes there were; fewer at the end of the file and after a failure, which
 *   the scan notes
 */
gsize
kymo_stream_scan_read (KymoStreamScan *scan,
                       gint64          at,
                       guint8         *buffer,
                       gsize           n_bytes)
{
  gsize done = 0;
  gint64 size;

  if (scan->far != NULL)
    return read_far (scan, at, buffer, n_bytes, &size);
  while (done < n_bytes)
    {
      ssize_t n = pread (scan->fd, buffer + done, n_bytes - done, at + done);

      if (n > 0)
        done += n;
      else if (n == 0)
        break;
      else if (errno != EINTR)
        {
          scan->failed = errno;
          break;
        }
    }
  return done;
}

/**
 * kymo_stream_scan_peek:
 * @n_bytes: at most 128 KiB
 *
 * Returns: (nullable): @n bytes of the file, until the next call
 */
const guint8 *
kymo_stream_scan_peek (KymoStreamScan *scan,
                       gint64          at,
                       gsize           n_bytes)
{
  if (at < 0 || at > scan->size || n_bytes > (guint64) (scan->size - at))
    return NULL;
  if (at < scan->window_at || at + (gint64) n_bytes > scan->window_at + (gint64) scan->window_n)
    {
      scan->window_at = at;
      scan->window_n = kymo_stream_scan_read (scan, at, scan->window,
                                              MIN (WINDOW_BYTES, scan->size - at));
    }
  return n_bytes <= scan->window_n ? scan->window + (at - scan->window_at) : NULL;
}

/**
 * kymo_stream_scan_head:
 *
 * Returns: whether a frame begins at @at; its payload may be cut or damaged
 */
gboolean
kymo_stream_scan_head (KymoStreamScan *scan,
                       gint64          at,
                       KymoStreamHead *head)
{
  const guint8 *bytes = kymo_stream_scan_peek (scan, at, KYMO_STREAM_FRAME_BYTES);

  return bytes != NULL && kymo_stream_head_decode (bytes, head);
}

/* Sparse files may be endless in nothing but holes. */
static gint64
skip_hole (KymoStreamScan *scan,
           gint64          at)
{
  off_t data = scan->far != NULL ? at : lseek (scan->fd, at, SEEK_DATA);

  if (data < 0)
    return errno == ENXIO ? scan->size : at;
  return MAX (at, data);
}

/* Offset in the window from `i` on of what may be a frame, or the first that
   was not looked at. */
static gsize
find_sync (const KymoStreamScan *scan,
           gsize                 i,
           KymoStreamHead       *head,
           gboolean             *found)
{
  while (i + KYMO_STREAM_FRAME_BYTES <= scan->window_n)
    {
      const guint8 *next = memchr (scan->window + i, (guint8) KYMO_STREAM_SYNC[0],
                                   scan->window_n - KYMO_STREAM_FRAME_BYTES + 1 - i);

      if (next == NULL)
        return scan->window_n - KYMO_STREAM_FRAME_BYTES + 1;
      i = next - scan->window;
      *found = kymo_stream_head_decode (next, head);
      if (*found)
        return i;
      i++;
    }
  return i;
}

/**
 * kymo_stream_scan_find:
 * @from: first offset to look at
 * @head: (out): of the frame
 *
 * Returns: where the first frame at or after @from begins; -1 if there is none
 */
gint64
kymo_stream_scan_find (KymoStreamScan *scan,
                       gint64          from,
                       KymoStreamHead *head)
{
  while (!g_cancellable_is_cancelled (scan->cancellable))
    {
      gboolean found = FALSE;

      if (kymo_stream_scan_peek (scan, from, KYMO_STREAM_FRAME_BYTES) == NULL)
        return -1;
      from = scan->window_at + find_sync (scan, from - scan->window_at, head, &found);
      if (found)
        return from;
      from = skip_hole (scan, from);
    }
  return -1;
}

/**
 * kymo_stream_scan_start:
 * @version: (out)
 * @n_header: (out): bytes of the header, where it is whole
 *
 * Returns: what the file begins with
 */
KymoStreamStart
kymo_stream_scan_start (KymoStreamScan *scan,
                        guint32        *version,
                        gint64         *n_header)
{
  gsize n = MIN (scan->size, KYMO_STREAM_HEAD_BYTES + KYMO_STREAM_MAX_PROVENANCE + 4);
  const guint8 *bytes = kymo_stream_scan_peek (scan, 0, n);
  gsize whole = 0;
  KymoStreamStart start;

  *version = 0;
  *n_header = 0;
  if (bytes == NULL)
    return KYMO_STREAM_START_FOREIGN;
  start = kymo_stream_header_decode (bytes, n, version, &whole);
  *n_header = whole;
  return start;
}

/**
 * kymo_stream_scan_is_cut:
 * @at: end of the last whole frame
 *
 * Returns: whether what follows is the begin of a frame, and no more
 */
gboolean
kymo_stream_scan_is_cut (KymoStreamScan *scan,
                         gint64          at)
{
  gint64 left = scan->size - at;
  gsize n = CLAMP (left, 0, KYMO_STREAM_SYNC_BYTES);
  const guint8 *bytes = kymo_stream_scan_peek (scan, at, n);
  KymoStreamHead head;

  if (n == 0 || bytes == NULL || memcmp (bytes, KYMO_STREAM_SYNC, n) != 0)
    return FALSE;
  return left < KYMO_STREAM_FRAME_BYTES
    || (kymo_stream_scan_head (scan, at, &head)
        && left < KYMO_STREAM_FRAME_BYTES + (gint64) head.n_bytes);
}
