/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a whole run, which readers make before it is sealed: clocks of processes, and names
 * that were too long.
 */
#pragma once

#include "kymo-open-options.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/* Once all locations are read: reports messages that arrive before they were sent and, if the
   options say so, shifts the times of whole processes, and reports that, too. */
void kymo_check_clocks (KymoRun               *run,
                        const char            *file,
                        const KymoOpenOptions *options,
                        GCancellable          *cancellable);

/* Reports names that were too long to be kept whole (kymo-name.h). @file: that they stand in,
   relative to the run's folder. Once, by the reader of the names, before the run is sealed. */
void kymo_check_names (KymoRun    *run,
                       const char *file);
/* The same of the texts of markers; after the run has its definitions. */
void kymo_check_markers (KymoRun    *run,
                         const char *file);

G_END_DECLS
