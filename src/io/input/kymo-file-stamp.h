/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tells that a file is the one it was: length, times, number, and a hash
 * of its head, for whoever writes a file in place and puts its times back.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** KYMO_FILE_HEAD_BYTES: how much of a file's begin is looked at */
#define KYMO_FILE_HEAD_BYTES 4096

/**
 * KymoFileStamp:
 * @n_bytes: length; -1 = there is no such file
 * @mtime_ns: last change of the content, since 1970
 * @ctime_ns: last change of the content or the file's own data
 * @head: hash of the first %KYMO_FILE_HEAD_BYTES; 0 = they could not be read
 *
 * Without holes, so that the bytes of a stamp may be hashed.
 */
typedef struct
{
  gint64  n_bytes;
  gint64  mtime_ns;
  gint64  ctime_ns;
  guint64 inode;
  guint64 device;
  guint64 head;
} KymoFileStamp;

void kymo_file_stamps_take (const char *const *paths,
                            guint              n_paths,
                            KymoFileStamp     *stamps);

G_END_DECLS
