/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files on other machines, for readers that take a file piece by piece. io knows no line to another
 * machine; the room that has one says here how it is done.
 *
 * Any thread, once they are set.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoFarFiles:
 * @is_far: whether a path is an address of such a file
 * @find: (transfer full) (nullable): the address of the recording that an address names, see
 *   kymo_stream_file_find()
 * @open: (transfer full) (nullable): a file, which must be an ordinary one, and its size
 * @read: bytes that were read, fewer at the end of the file; -1 with an error. @size is what the
 *   file has now. May be called with no bytes to read, for the size
 * @close: lets a file go
 *
 * All but @is_far block.
 */
typedef struct
{
  gboolean  (*is_far) (const char    *path);
  char     *(*find)   (const char    *path,
                       const char    *base,
                       GError       **error);
  gpointer  (*open)   (const char    *path,
                       gint64        *size,
                       GCancellable  *cancellable,
                       GError       **error);
  gssize    (*read)   (gpointer       file,
                       gint64         at,
                       guint8        *buffer,
                       gsize          n_bytes,
                       gint64        *size,
                       GCancellable  *cancellable,
                       GError       **error);
  void      (*close)  (gpointer       file);
} KymoFarFiles;

void                kymo_far_files_set (const KymoFarFiles *files);
const KymoFarFiles *kymo_far_files_of  (const char         *path);

G_END_DECLS
