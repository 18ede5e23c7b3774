/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loads of the processes of a recorded job, over the seconds that its stream keeps. Any thread.
 */
#pragma once

#include "kymo-stream-log.h"
#include "kymo-table.h"

G_BEGIN_DECLS

void kymo_stream_loads_set (const KymoStreamLog *log,
                            KymoTable           *stream);

G_END_DECLS
