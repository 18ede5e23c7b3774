/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/* Tells of names that were too long to be kept whole (kymo-name.h). @file: that they stand in,
   relative to the run's folder. Once, by the reader of the names, before the run is sealed. */
void kymo_check_names (KymoRun    *run,
                       const char *file);
/* The same of the texts of markers; after the run has its definitions. */
void kymo_check_markers (KymoRun    *run,
                         const char *file);

G_END_DECLS
