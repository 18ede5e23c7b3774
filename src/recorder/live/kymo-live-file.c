/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-file.h"

#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>

#include "kymo-rec-sys.h"

#define LEAST_FREE (64u << 20)          /* that is left on the disk */
#define FRAME_BYTES 40

/**
 * kymo_live_crc: the CRC-32 of zlib, continued.
 * @crc: of what is before; 0 at first
 */
uint32_t
kymo_live_crc (uint32_t    crc,
               const void *bytes,
               size_t      n_bytes)
{
  static uint32_t table[256];
  const uint8_t *at = bytes;

  if (table[1] == 0)
    for (uint32_t i = 0; i < 256; i++)
      {
        uint32_t value = i;
        for (unsigned bit = 0; bit < 8; bit++)
          value = (value & 1) != 0 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[i] = value;
      }
  crc = ~crc;
  for (size_t i = 0; i < n_bytes; i++)
    crc = table[(crc ^ at[i]) & 255] ^ crc >> 8;
  return ~crc;
}

static uint8_t *
put_number (uint8_t  *at,
            uint64_t  value,
            unsigned  n_bytes)
{
  for (unsigned i = 0; i < n_bytes; i++)
    at[i] = (uint8_t) (value >> 8 * i);
  return at + n_bytes;
}

static int64_t
now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
stop_file (KymoLiveFile *file)
{
  if (file->fd >= 0)
    kymo_sys_close (file->fd);
  file->fd = -1;
}

static bool
has_room (const KymoLiveFile *file,
          size_t              n_bytes)
{
  struct statfs disk;

  return syscall (SYS_fstatfs, file->fd, &disk) != 0
         || (uint64_t) disk.f_bavail * (uint64_t) disk.f_bsize > n_bytes + LEAST_FREE;
}

/* A frame, whatever there was before it. What cannot be written whole is cut off. */
static void
write_frame (KymoLiveFile *file,
             uint32_t      kind,
             int64_t       begin_ns,
             const void   *bytes,
             size_t        n_bytes)
{
  uint8_t head[FRAME_BYTES] = { 0xf5, 'K', 'F', 0x9a }, *at = head + 4;

  if (file->fd < 0)
    return;
  at = put_number (at, kind, 4);
  at = put_number (at, n_bytes, 4);
  at = put_number (at, kymo_live_crc (0, bytes, n_bytes), 4);
  at = put_number (at, (uint64_t) now_us (), 8);
  at = put_number (at, (uint64_t) begin_ns, 8);
  at = put_number (at, file->n_frames, 4);
  put_number (at, kymo_live_crc (0, head, FRAME_BYTES - 4), 4);
  if (has_room (file, FRAME_BYTES + n_bytes)
      && kymo_sys_write (file->fd, (const char *) head, FRAME_BYTES)
      && (n_bytes == 0 || kymo_sys_write (file->fd, bytes, n_bytes)))
    {
      file->n_bytes += FRAME_BYTES + n_bytes;
      file->n_frames++;
      return;
    }
  syscall (SYS_ftruncate, file->fd, (long) file->n_bytes);
  stop_file (file);
}

/**
 * kymo_live_file_open: begins the recording.
 * @folder: of the run
 * @version: of Kymo
 *
 * Returns: FALSE if it cannot be written; the other functions do nothing to it then
 */
bool
kymo_live_file_open (KymoLiveFile *file,
                     const char   *folder,
                     const char   *version)
{
  char path[4700], text[256];
  uint8_t head[16] = "\x89KYST\r\n\x1a", check[4];

  memset (file, 0, sizeof *file);
  snprintf (path, sizeof path, "%s/live", folder);
  kymo_sys_mkdir (path);
  snprintf (file->names_path, sizeof file->names_path, "%s/live/live.util.sts", folder);
  snprintf (file->address_path, sizeof file->address_path, "%s/live.address", folder);
  snprintf (path, sizeof path, "%s/live/live.kymostream", folder);
  file->fd = kymo_sys_open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (file->fd < 0)
    return false;
  int n = snprintf (text, sizeof text, "writer: kymo-record %s\n", version);
  put_number (put_number (head + 8, 1, 4), (uint64_t) n, 4);
  put_number (check, kymo_live_crc (kymo_live_crc (0, head, sizeof head), text, (size_t) n), 4);
  if (kymo_sys_write (file->fd, (const char *) head, sizeof head)
      && kymo_sys_write (file->fd, text, (size_t) n)
      && kymo_sys_write (file->fd, (const char *) check, sizeof check))
    {
      file->n_bytes = sizeof head + (size_t) n + sizeof check;
      return true;
    }
  stop_file (file);
  return false;
}

/**
 * kymo_live_file_frame: appends a frame. When the recording is full it ends, with a sentence in it.
 * @kind: KYMO_LIVE_FRAME_…
 * @begin_ns: where it lies in the stream
 */
void
kymo_live_file_frame (KymoLiveFile *file,
                      uint32_t      kind,
                      int64_t       begin_ns,
                      const void   *bytes,
                      size_t        n_bytes)
{
  static const char full[] = "The recording has reached its largest size and ends here";

  if (file->fd >= 0 && file->n_bytes + n_bytes > KYMO_LIVE_MOST_FILE)
    {
      write_frame (file, KYMO_LIVE_FRAME_STATE, begin_ns, full, sizeof full - 1);
      stop_file (file);
    }
  write_frame (file, kind, begin_ns, bytes, n_bytes);
}

/* A file that appears whole. */
static bool
write_whole (const char *path,
             const char *text,
             size_t      n_bytes)
{
  char part[4704];

  snprintf (part, sizeof part, "%s.~", path);
  int fd = kymo_sys_open (part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  bool good = fd >= 0 && kymo_sys_write (fd, text, n_bytes);
  if (fd >= 0)
    kymo_sys_close (fd);
  if (good && syscall (SYS_renameat, AT_FDCWD, part, AT_FDCWD, path) == 0)
    return true;
  syscall (SYS_unlinkat, AT_FDCWD, part, 0);
  return false;
}

/**
 * kymo_live_file_names: writes the names anew, beside the recording and into it.
 * @sts: as an .sts
 */
void
kymo_live_file_names (KymoLiveFile *file,
                      const char   *sts,
                      size_t        n_bytes)
{
  write_whole (file->names_path, sts, n_bytes);
  kymo_live_file_frame (file, KYMO_LIVE_FRAME_NAMES, -1, sts, n_bytes);
}

/**
 * kymo_live_file_address: says in the folder where the stream is served.
 * @address: HOST:PORT
 *
 * Returns: FALSE if the file cannot be written
 */
bool
kymo_live_file_address (KymoLiveFile *file,
                        const char   *address)
{
  char line[128];
  int n = snprintf (line, sizeof line, "%s\n", address);

  return write_whole (file->address_path, line, (size_t) n);
}

/**
 * kymo_live_file_end: ends the recording, and takes the address away.
 * @why: a sentence
 * @end_ns: of the stream
 */
void
kymo_live_file_end (KymoLiveFile *file,
                    const char   *why,
                    int64_t       end_ns)
{
  write_frame (file, KYMO_LIVE_FRAME_END, end_ns, why, strlen (why));
  stop_file (file);
  if (file->address_path[0] != '\0')
    syscall (SYS_unlinkat, AT_FDCWD, file->address_path, 0);
}
