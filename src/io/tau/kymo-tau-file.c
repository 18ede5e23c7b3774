/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-tau-file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kymo-input.h"

#define HEAD_BYTES 4096
/* Number of times by which the time of the first record is judged. */
#define N_TIMES 32

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
  guint64 times[N_TIMES];
  guint n_times = 0;

  for (gsize at = 0; n_times < N_TIMES && at + input->record_bytes <= n;
       at += input->record_bytes)
    {
      KymoTauRecord record;

      kymo_tau_decode (head + at, input->layout, &record);
      times[n_times++] = record.time;
    }
  input->first_us = n_times > 0 ? kymo_tau_first_time (times, n_times) : 0;
}

static KymoTauInputState
look_into (KymoTauInput *input,
           int           fd)
{
  guint8 head[HEAD_BYTES];
  struct stat info;
  gsize n;

  if (fstat (fd, &info) != 0)
    return KYMO_TAU_INPUT_CLOSED;
  input->size_bytes = info.st_size;
  input->modified_s = info.st_mtime;
  n = read_at (fd, head, MIN (info.st_size, HEAD_BYTES), 0);
  if (n == 0)
    return info.st_size == 0 ? KYMO_TAU_INPUT_EMPTY : KYMO_TAU_INPUT_CLOSED;
  if (!kymo_tau_find_layout (head, n, &input->layout))
    return KYMO_TAU_INPUT_FOREIGN;
  input->record_bytes = kymo_tau_layout_size (input->layout);
  input->n_records = input->size_bytes / input->record_bytes;
  input->n_rest = input->size_bytes % input->record_bytes;
  find_first_time (input, head, n);
  return KYMO_TAU_INPUT_FINE;
}

/**
 * kymo_tau_input_look:
 * @input: (out): what the file is like
 * @path: of the file; must live as long as @input
 *
 * Looks at the begin and the size of a file, and closes it again.
 *
 * Returns: whether the file is a trace, and if not, why
 */
KymoTauInputState
kymo_tau_input_look (KymoTauInput *input,
                     const char   *path)
{
  KymoTauInputState state = KYMO_TAU_INPUT_CLOSED;
  int fd;

  *input = (KymoTauInput) { .path = path };
  fd = kymo_tau_input_open (input);
  if (fd >= 0)
    {
      state = look_into (input, fd);
      close (fd);
    }
  return state;
}

/**
 * kymo_tau_input_open:
 *
 * Returns: a descriptor to read it with, which the caller closes; -1 where it cannot be
 * opened, or is no file any more
 */
int
kymo_tau_input_open (const KymoTauInput *input)
{
  return kymo_input_open (input->path, NULL, NULL);
}

/**
 * kymo_tau_input_new_block:
 *
 * Returns: (transfer full): memory for kymo_tau_input_read(), no more than the file needs
 */
guint8 *
kymo_tau_input_new_block (const KymoTauInput *input)
{
  return g_malloc (CLAMP (input->n_records * input->record_bytes, 1, KYMO_TAU_BLOCK_BYTES));
}

/**
 * kymo_tau_input_read:
 * @fd: of kymo_tau_input_open(), or -1
 * @record: number of the first one
 * @end: of the one behind the last that is wanted
 * @block: of kymo_tau_input_new_block()
 *
 * Returns: how many records were read, none where the file ends before
 */
guint
kymo_tau_input_read (const KymoTauInput *input,
                     int                 fd,
                     gint64              record,
                     gint64              end,
                     guint8             *block)
{
  gint64 n = MIN (end - record, KYMO_TAU_BLOCK_BYTES / input->record_bytes);

  if (fd < 0 || n <= 0)
    return 0;
  return read_at (fd, block, n * input->record_bytes, record * input->record_bytes)
    / input->record_bytes;
}

/**
 * kymo_tau_input_read_at:
 * @fd: of kymo_tau_input_open(), or -1
 * @offset: of a byte at which a record may begin
 * @block: of kymo_tau_input_new_block()
 *
 * Returns: how many whole records were read
 */
guint
kymo_tau_input_read_at (const KymoTauInput *input,
                        int                 fd,
                        gint64              offset,
                        guint8             *block)
{
  gint64 n = MIN ((input->size_bytes - offset) / input->record_bytes,
                  KYMO_TAU_BLOCK_BYTES / input->record_bytes);

  if (fd < 0 || n <= 0)
    return 0;
  return read_at (fd, block, n * input->record_bytes, offset) / input->record_bytes;
}
