/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The archive of a run whose folder lies on a file server: it is written to a local disk and moved
 * by another process, which may wait for the server for ever.
 */
#pragma once

#include "kymo-archive.h"

#pragma GCC visibility push (hidden)

void kymo_record_staging_path (char             *path,
                               size_t            n_bytes,
                               bool              is_alone);
bool kymo_record_staging_fill (const char       *staging);
bool kymo_record_staging_move (KymoArchiveWorld *world,
                               const char       *staging,
                               const char       *folder,
                               bool              is_whole);

#pragma GCC visibility pop
