/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Brings a run of another machine to this one, all its files as they are. A file that is not whole
 * yet is hidden beside its place, as .NAME.part, and goes on from there the next time. Nothing that
 * exists is ever overwritten; a file takes its name once its length and its digest are those of
 * the other machine.
 *
 * Any thread; blocks.
 */
#pragma once

#include "kymo-remote-link.h"

G_BEGIN_DECLS

/**
 * KymoRemoteFetched:
 * @files: of the run
 * @bytes: of all of them
 * @kept_bytes: that were here before
 */
typedef struct
{
  gint64 files, bytes, kept_bytes;
} KymoRemoteFetched;

gboolean kymo_remote_fetch (const KymoRemoteAddress *address,
                            const KymoRemoteWay     *way,
                            const char              *folder,
                            KymoRemoteFetched       *fetched,
                            KymoJob                 *job,
                            GError                 **error);

G_END_DECLS
