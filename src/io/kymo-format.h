/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader of a family of files is. A new format is one file that
 * defines one of these, and one line in the table of kymo-open.c.
 */
#pragma once

#include "kymo-open.h"

G_BEGIN_DECLS

/**
 * KymoFormat:
 * @id: "projections"
 * @read: makes the run. Where the path holds nothing of this format it sets
 *   %KYMO_ERROR_FOREIGN and the next format is tried; so it is after
 *   %KYMO_ERROR_UNREADABLE, but that sentence is told where no other can read it.
 * @knows: (nullable): whether a file is of this format beyond doubt; then no
 *   other format is tried, whatever its name
 */
typedef struct
{
  const char *id;
  KymoRun  *(*read) (const char             *path,
                     const KymoOpenOptions  *options,
                     KymoJob                *job,
                     GError                **error);
  gboolean  (*knows) (const char            *path);
} KymoFormat;

extern const KymoFormat kymo_format_projections;
extern const KymoFormat kymo_format_stream;
extern const KymoFormat kymo_format_tau_profile;
extern const KymoFormat kymo_format_gprof;
extern const KymoFormat kymo_format_mpip;
extern const KymoFormat kymo_format_otf2;
extern const KymoFormat kymo_format_tau_trace;

G_END_DECLS
