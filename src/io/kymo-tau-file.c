/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-tau-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES 4096

/* As many bytes as there are, up to n. */
static gsize
read_at (int     fd,
         guint8 *bytes,
         gsize   n,
         gint64  offset)
{
  gsize done = 0;

  while (done < n)
    {
      gssize got = pread (fd, bytes + done, n - done, offset + done);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      done += got;
    }
  return done;
}

static void
find_first_time (KymoTauInput *input,
                 const guint8 *head,
                 gsize         n)
{
  guint64 times[KYMO_TAU_N_FIRST];
  guint n_times = 0;

  for (gsize at = 0; n_times < KYMO_TAU_N_FIRST && at + input->record_bytes <= n;
       at += input->record_bytes)
    {
      KymoTauRecord record;

      kymo_tau_decode (head + at, input->layout, &record);
      times[n_times++] = record.time;
    }
  input->first_us = kymo_tau_first_time (times, n_times);
}

/**
 * kymo_tau_input_open:
 * @input: (out): to be closed in any case
 */
KymoTauInputState
kymo_tau_input_open (KymoTauInput *input,
                     const char   *path)
{
  guint8 head[HEAD_BYTES];
  struct stat info;
  gsize n;

  *input = (KymoTauInput) { .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
  if (input->fd < 0 || fstat (input->fd, &info) != 0 || !S_ISREG (info.st_mode))
    return KYMO_TAU_INPUT_CLOSED;
  input->size_bytes = info.st_size;
  input->modified_s = info.st_mtime;
  n = read_at (input->fd, head, MIN (info.st_size, HEAD_BYTES), 0);
  if (n == 0)
    return info.st_size == 0 ? KYMO_TAU_INPUT_EMPTY : KYMO_TAU_INPUT_CLOSED;
  if (!kymo_tau_find_layout (head, n, &input->layout))
    return KYMO_TAU_INPUT_FOREIGN;
  input->record_bytes = kymo_tau_layout_size (input->layout);
  input->n_records = input->size_bytes / input->record_bytes;
  find_first_time (input, head, n);
  return KYMO_TAU_INPUT_FINE;
}

void
kymo_tau_input_close (KymoTauInput *input)
{
  if (input->fd >= 0)
    close (input->fd);
  input->fd = -1;
}

/**
 * kymo_tau_input_read:
 * @record: number of the first one
 * @end: of the one behind the last that is wanted
 * @block: %KYMO_TAU_BLOCK_BYTES for them
 *
 * Returns: how many records were read, none where the file ends before
 */
guint
kymo_tau_input_read (const KymoTauInput *input,
                     gint64              record,
                     gint64              end,
                     guint8             *block)
{
  gint64 n = MIN (end - record, KYMO_TAU_BLOCK_BYTES / input->record_bytes);

  if (n <= 0)
    return 0;
  return read_at (input->fd, block, n * input->record_bytes, record * input->record_bytes)
    / input->record_bytes;
}
