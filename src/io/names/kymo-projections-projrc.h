/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The .projrc of a Projections run: what the runtime or the Java program
 * noted beside the logs.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

void kymo_projrc_read (const char *path,
                       const char *name,
                       KymoRun    *run);

G_END_DECLS
