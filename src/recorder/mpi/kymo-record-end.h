/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a record: the archive, and what is told of it.
 */
#pragma once

#include "kymo-archive.h"
#include "kymo-rec.h"

#pragma GCC visibility push (hidden)

void kymo_record_set_world (int               rank,
                            int               size);
bool kymo_record_finish    (const char       *reason);
void kymo_record_write     (KymoArchiveWorld *world);

#pragma GCC visibility pop
