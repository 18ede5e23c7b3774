/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What surrounded a program when it was recorded: environment.ini beside the run
 * (docs/formats/environment.md), or the properties of its files, which say the same.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/** KYMO_ENVIRONMENT_FILE: the file in the folder of a run */
#define KYMO_ENVIRONMENT_FILE "environment.ini"
/** KYMO_PROBE_FILE: what kymo-record --probe measured, beside it (docs/formats/probe.md) */
#define KYMO_PROBE_FILE "probe.ini"

void kymo_run_environment_take     (KymoRun    *run,
                                GKeyFile   *properties);
void kymo_run_environment_property (GKeyFile   *properties,
                                gint64      rank,
                                const char *name,
                                const char *value);

G_END_DECLS
