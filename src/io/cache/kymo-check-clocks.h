/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader does about the clocks of processes once all locations are
 * read: it tells of messages that arrive before they were sent and, where the
 * person chose so, shifts the times of whole processes, and says that too.
 */
#pragma once

#include "kymo-open-options.h"

G_BEGIN_DECLS

void kymo_check_clocks (KymoRun               *run,
                          const char            *file,
                          const KymoOpenOptions *options,
                          GCancellable          *cancellable);

G_END_DECLS
