/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which run a segment file holds: its folder and its name, for a person who
 * looks at what is kept. Nobody opens a run by them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kymo-segment-file.h"
#include "kymo-segment-hash.h"
#include "kymo-segment-layout.h"

/* A path and a name; more is none of ours. */
#define MOST_BYTES 65536

/**
 * kymo_segment_origin_pack:
 *
 * Returns: (transfer full): the section: folder and title, each ended by 0
 */
GByteArray *
kymo_segment_origin_pack (const KymoRun *run)
{
  g_autofree char *real = run->path != NULL ? realpath (run->path, NULL) : NULL;
  const char *path = real != NULL ? real : run->path != NULL ? run->path : "";
  const char *title = run->title != NULL ? run->title : "";
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) path, strlen (path) + 1);
  g_byte_array_append (bytes, (const guint8 *) title, strlen (title) + 1);
  return bytes;
}

static gboolean
read_header (int                fd,
             KymoSegmentHeader *header)
{
  guint64 hash;

  if (pread (fd, header, sizeof *header, 0) != sizeof *header)
    return FALSE;
  hash = header->hash;
  header->hash = 0;
  return memcmp (header->magic, KYMO_SEGMENT_MAGIC, sizeof header->magic) == 0
    && header->byte_order == KYMO_SEGMENT_BYTE_ORDER && header->version == KYMO_SEGMENT_VERSION
    && kymo_hash_of (header, sizeof *header) == hash
    && header->origin.n_bytes >= 2 && header->origin.n_bytes <= MOST_BYTES
    && header->origin.offset <= G_MAXINT64 - MOST_BYTES;
}

/**
 * kymo_segment_file_read_origin:
 * @fd: any file, open for reading
 * @folder: (out) (transfer full): of the run, in the file system's bytes
 * @title: (out) (transfer full): its name, UTF-8
 *
 * Returns: whether the file is a segment file of this version that tells it
 */
gboolean
kymo_segment_file_read_origin (int    fd,
                               char **folder,
                               char **title)
{
  KymoSegmentHeader header;
  g_autofree guint8 *bytes = NULL;
  gsize n, aligned, first;

  if (!read_header (fd, &header))
    return FALSE;
  n = header.origin.n_bytes;
  aligned = kymo_segment_aligned (n);
  bytes = g_malloc0 (aligned);
  if (pread (fd, bytes, aligned, header.origin.offset) != (gssize) aligned
      || kymo_hash_of (bytes, aligned) != header.origin.hash || bytes[n - 1] != '\0')
    return FALSE;
  first = strlen ((const char *) bytes) + 1;
  if (first >= n)
    return FALSE;
  *folder = g_strdup ((const char *) bytes);
  *title = g_utf8_make_valid ((const char *) bytes + first, -1);
  return TRUE;
}
