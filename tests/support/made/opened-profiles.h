/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles that are written by a test, opened, and looked into.
 */
#pragma once

#include "kymo-profile-data.h"
#include "kymo-run.h"
#include "scratch.h"

#define MIB (G_GINT64_CONSTANT (1) << 20)

KymoRun *profile_open_with (Scratch    *scratch,
                            const char *name,
                            gint64      memory,
                            GError    **error);
KymoRun *profile_open (Scratch    *scratch,
                       const char *name);
gint64 told (KymoRun     *run,
             KymoSeverity severity,
             const char  *what);
const KymoProfileData *profile_last_of (KymoRun *run);
guint32 profile_find_event (const KymoProfileData *data,
                            const char            *name);
void profile_assert_row (KymoRun    *run,
                         guint       location,
                         const char *name,
                         double      calls,
                         double      exclusive,
                         double      inclusive);
