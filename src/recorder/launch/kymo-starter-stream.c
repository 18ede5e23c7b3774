/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stream of the live view that a killed run left (docs/formats/stream.md): it stays as it is;
 * what is whole of it is told.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-starter.h"

#define HEAD_BYTES 16
#define FRAME_BYTES 40
#define MOST_BYTES (64u << 20)          /* of a frame */

enum { FRAME_REPLY = 2, FRAME_END = 7 };

typedef struct
{
  unsigned long n_seconds;
  bool has_end;                 /* the last frame says how it ended */
  bool is_cut;                  /* bytes after it are no whole frame */
} Stream;

static uint32_t
get_number (const uint8_t *at)
{
  return (uint32_t) at[0] | (uint32_t) at[1] << 8 | (uint32_t) at[2] << 16
         | (uint32_t) at[3] << 24;
}

static bool
read_at (int       fd,
         uint64_t  at,
         uint8_t  *bytes,
         size_t    n_bytes)
{
  return pread (fd, bytes, n_bytes, (off_t) at) == (ssize_t) n_bytes;
}

/* FALSE if the file is no stream. */
static bool
survey_stream (int     fd,
               Stream *stream)
{
  static const uint8_t magic[] = { 0x89, 'K', 'Y', 'S', 'T', '\r', '\n', 0x1a };
  static const uint8_t sync_word[] = { 0xf5, 'K', 'F', 0x9a };
  uint8_t head[FRAME_BYTES];
  struct stat facts;

  memset (stream, 0, sizeof *stream);
  if (fstat (fd, &facts) != 0 || !S_ISREG (facts.st_mode) || !read_at (fd, 0, head, HEAD_BYTES)
      || memcmp (head, magic, sizeof magic) != 0)
    return false;
  uint64_t size = (uint64_t) facts.st_size, at = HEAD_BYTES + (uint64_t) get_number (head + 12) + 4;
  while (read_at (fd, at, head, FRAME_BYTES) && memcmp (head, sync_word, sizeof sync_word) == 0)
    {
      uint32_t kind = get_number (head + 4), n_bytes = get_number (head + 8);
      if (n_bytes > MOST_BYTES || at + FRAME_BYTES + n_bytes > size)
        break;
      stream->n_seconds += kind == FRAME_REPLY && n_bytes > 4;
      stream->has_end = kind == FRAME_END;
      at += FRAME_BYTES + n_bytes;
    }
  stream->is_cut = at < size;
  return true;
}

/**
 * kymo_starter_tell_stream: tells on stderr what there is of the stream of a run that was killed.
 * @folder: of the run
 */
void
kymo_starter_tell_stream (const char *folder)
{
  char *path = kymo_starter_print ("%s/live/live.kymostream", folder);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  Stream stream;

  if (fd >= 0 && survey_stream (fd, &stream) && !stream.has_end)
    fprintf (stderr, "kymo-record: The stream of the live view ends with rank 0: %s has %lu %s of "
             "it%s.\n", path, stream.n_seconds, stream.n_seconds == 1 ? "second" : "seconds",
             stream.is_cut ? "; a piece at its end is not whole" : "");
  if (fd >= 0)
    close (fd);
  free (path);
}
