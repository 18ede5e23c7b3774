/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The marks of a stream as a table of an answer: what was noted beside it.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-table.h"

G_BEGIN_DECLS

void kymo_marks_set (const KymoRun *run,
                     KymoSpan       span,
                     KymoTable     *answer);

G_END_DECLS
