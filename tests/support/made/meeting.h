/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of a collective call, for programs that know no model.
 */
#pragma once

#include "kymo-source.h"

G_BEGIN_DECLS

#define MEETING_N 8

/* Processes of two threads each; they meet at a barrier that thread 5 comes to last, at
   500, and leave it from 600 on, one a nanosecond. The run lasts 1000. */
KymoSource *meeting_source_new (void);

G_END_DECLS
