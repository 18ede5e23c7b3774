/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How every file is opened that a person names or that lies in a folder of a run. Such a
 * file may be anything: reading a FIFO waits for somebody who writes, and reading
 * /dev/zero never ends. So only regular files are opened, without waiting, and no more is
 * read of one than it had when it was opened.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int      kymo_input_open          (const char   *path,
                                   gint64       *n_bytes,
                                   GError      **error);
int      kymo_input_open_at       (int           folder,
                                   const char   *name,
                                   int           flags,
                                   gint64       *n_bytes,
                                   GError      **error);
gboolean kymo_input_check         (const char   *path,
                                   GError      **error);
gssize   kymo_input_read          (int           fd,
                                   gpointer      buffer,
                                   gsize         n_bytes);
gsize    kymo_input_read_head     (int           folder,
                                   const char   *name,
                                   gpointer      buffer,
                                   gsize         n_bytes);
gboolean kymo_input_load          (const char   *path,
                                   gsize         most_bytes,
                                   char        **text,
                                   gsize        *length,
                                   GError      **error);
gboolean kymo_input_load_key_file (GKeyFile     *file,
                                   const char   *path,
                                   gsize         most_bytes,
                                   GKeyFileFlags flags,
                                   GError      **error);

G_END_DECLS
