/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing text logs; see made-log.h.
 */
#include "config.h"

#include "made-log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 20)
#define MAX_RECORD_BYTES 256

/**
 * made_random:
 *
 * splitmix64, by Sebastiano Vigna (public domain).
 */
guint64
made_random (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/** made_below: a number from 0 to @n - 1 */
guint
made_below (MadeLog *log,
            guint    n)
{
  return (guint) ((made_random (&log->random) >> 32) * n >> 32);
}

static void
flush (MadeLog *log)
{
  const char *p = log->buffer;

  while (p < log->next && !log->failed)
    {
      ssize_t n = log->gz != NULL ? gzwrite (log->gz, p, (unsigned) (log->next - p))
        : write (log->fd, p, log->next - p);

      if (n <= 0 && errno != EINTR)
        log->failed = TRUE;
      p += MAX (n, 0);
    }
  log->next = log->buffer;
}

/**
 * made_log_open:
 * @seed: of all random numbers of this log
 *
 * Begins made.PE.log or made.PE.log.gz in @folder; a log that was there is
 * replaced. Says what went wrong.
 */
gboolean
made_log_open (MadeLog    *log,
               const char *folder,
               gint64      pe,
               gboolean    compressed,
               guint64     seed)
{
  *log = (MadeLog) { .random = seed };
  log->path = g_strdup_printf ("%s/made.%" G_GINT64_FORMAT ".log%s", folder, pe,
                               compressed ? ".gz" : "");
  log->fd = g_open (log->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log->fd >= 0 && compressed)
    log->gz = gzdopen (log->fd, "w");
  if (log->fd >= 0 && (!compressed || log->gz != NULL))
    {
      log->buffer = log->next = g_malloc (BUFFER_BYTES);
      return TRUE;
    }
  g_printerr ("%s: %s\n", log->path, g_strerror (errno));
  g_free (log->path);
  return FALSE;
}

/** made_log_close: %FALSE where not all was written, which is told */
gboolean
made_log_close (MadeLog *log)
{
  gboolean closed;

  flush (log);
  closed = (log->gz != NULL ? gzclose (log->gz) : close (log->fd)) == 0 && !log->failed;
  if (!closed)
    g_printerr ("%s: %s\n", log->path, g_strerror (errno));
  g_free (log->buffer);
  g_free (log->path);
  return closed;
}

/** made_log_text: a few words, as the header is */
void
made_log_text (MadeLog    *log,
               const char *text)
{
  log->next = g_stpcpy (log->next, text);
}

static void
put_number (MadeLog *log,
            gint64   value)
{
  char digits[20];
  guint n = 0;

  if (value < 0)
    {
      *log->next++ = '-';
      value = -value;
    }
  do
    digits[n++] = '0' + value % 10;
  while ((value /= 10) > 0);
  while (n > 0)
    *log->next++ = digits[--n];
}

/** made_log_record: numbers on a line */
void
made_log_record (MadeLog      *log,
                 const gint64 *fields,
                 guint         n)
{
  if (log->next + MAX_RECORD_BYTES > log->buffer + BUFFER_BYTES)
    flush (log);
  for (guint i = 0; i < n; i++)
    {
      put_number (log, fields[i]);
      *log->next++ = i + 1 < n ? ' ' : '\n';
    }
}
