/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats, and the words and file names that follow from it.
 */
#pragma once

#include "kymo-format.h"

G_BEGIN_DECLS

/* In the order in which they are tried; ends with NULL. */
extern const KymoFormat *const kymo_formats[];

extern const KymoFormat kymo_format_projections;
extern const KymoFormat kymo_format_tau_trace;
extern const KymoFormat kymo_format_otf2;
extern const KymoFormat kymo_format_record;
extern const KymoFormat kymo_format_tau_profile;
extern const KymoFormat kymo_format_stream;
extern const KymoFormat kymo_format_gprof;
extern const KymoFormat kymo_format_mpip;

char  *kymo_formats_dup_tools (KymoFormatKind kind);
char **kymo_formats_dup_globs (void);

G_END_DECLS
