/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader of a family of files is. A new format is one file that
 * defines one of these, and one line in the table of kymo-open.c.
 */
#pragma once

#include "kymo-open-options.h"

G_BEGIN_DECLS

/**
 * KymoPart: what a file is to a run
 * @KYMO_PART_NONE: nothing
 * @KYMO_PART_NAMES: it has names and no figures
 * @KYMO_PART_DATA: it has what was recorded
 */
typedef enum
{
  KYMO_PART_NONE,
  KYMO_PART_NAMES,
  KYMO_PART_DATA,
} KymoPart;

/**
 * KymoFormat:
 * @id: "projections"
 * @read: makes the run. Where the path holds nothing of this format it sets
 *   %KYMO_ERROR_FOREIGN and the next format is tried; so it is after
 *   %KYMO_ERROR_UNREADABLE, but that sentence is told where no other can read it.
 * @knows: (nullable): whether a file is of this format beyond doubt; then no
 *   other format is tried, whatever its name
 * @part: of an entry of a folder, by its name (where that does not tell, its first
 *   bytes): what it is to a run of this format, and in @base that run's name
 */
typedef struct
{
  const char *id;
  KymoRun  *(*read) (const char             *path,
                     const KymoOpenOptions  *options,
                     KymoJob                *job,
                     GError                **error);
  gboolean  (*knows) (const char            *path);
  KymoPart  (*part)  (const char            *folder,
                      const char            *name,
                      char                 **base);
} KymoFormat;

/* In the order in which they are tried; ends with NULL (kymo-open.c). */
extern const KymoFormat *const kymo_formats[];

extern const KymoFormat kymo_format_projections;
extern const KymoFormat kymo_format_stream;
extern const KymoFormat kymo_format_tau_profile;
extern const KymoFormat kymo_format_gprof;
extern const KymoFormat kymo_format_mpip;
extern const KymoFormat kymo_format_otf2;
extern const KymoFormat kymo_format_tau_trace;

G_END_DECLS
