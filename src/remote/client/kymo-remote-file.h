/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files on another machine, read piece by piece: a recording of a stream is played back from there
 * as one of this machine is.
 *
 * Any thread; what reads blocks.
 */
#pragma once

#include "kymo-remote-link.h"

G_BEGIN_DECLS

void    kymo_remote_files_use (const KymoRemoteWay *way);
gssize  kymo_remote_file_read (KymoRemoteLink *link,
                               const char     *path,
                               gint64          at,
                               guint8         *buffer,
                               gsize           n_bytes,
                               gint64         *size,
                               GCancellable   *cancellable,
                               GError        **error);

G_END_DECLS
