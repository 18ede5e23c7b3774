/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tells that a file is the one it was: length, times, number, and a hash
 * of its head, because a file may be written in place and its times be put back.
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

/* Tells if the files of a run are still being written, and what they are like now: a window that
   follows a run looks here before it reads the run again. Called on any thread. */

/* Time after its last record for which a run without an end is taken to be still growing; after it,
   its program is taken to be dead. */
#define KYMO_GROWTH_S 600

/**
 * KymoGrowth:
 * @fingerprint: changes with every file of the folder that comes, goes or is written to
 * @recent: one of the files was written to lately, so that a run may say that it grows;
 *   once this is %FALSE reading the same files again says for good how it ended
 */
typedef struct
{
  guint64  fingerprint;
  gboolean recent;
} KymoGrowth;

gboolean kymo_growth_is_recent (gint64       modified_s);
gboolean kymo_growth_look      (const char  *path,
                                KymoGrowth  *growth,
                                GError     **error);

G_END_DECLS
