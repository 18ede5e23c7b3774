/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times, sizes and counts in words: three significant digits and a unit for
 * people, exact text for copying, and the parsing of what people type.
 * All functions are locale independent and thread safe.
 */
#pragma once

#include <glib.h>

#include "kymo-span.h"

G_BEGIN_DECLS

char     *kymo_format_duration       (gint64       ns);
char     *kymo_format_duration_exact (gint64       ns);
char     *kymo_format_time           (gint64       ns,
                                      gint64       step_ns);
char     *kymo_format_bytes          (gint64       bytes);
char     *kymo_format_count          (gint64       count);
char     *kymo_format_count_short    (double       count);
char     *kymo_format_number         (double       value,
                                      guint        digits);
char     *kymo_format_exact          (double       value);
char     *kymo_format_percent        (double       share);
char     *kymo_format_part           (double       share);
char     *kymo_format_bound          (double       share);
gboolean  kymo_parse_time            (const char  *text,
                                      gint64      *ns,
                                      GError     **error);
gboolean  kymo_parse_span            (const char  *text,
                                      KymoSpan    *span,
                                      GError     **error);
gboolean  kymo_parse_size            (const char  *text,
                                      gint64      *bytes,
                                      GError     **error);
double    kymo_nice_step             (double       span,
                                      guint        max_ticks);
gint64    kymo_nice_time_step        (gint64       span_ns,
                                      guint        max_ticks);
char     *kymo_elide_middle          (const char  *text,
                                      guint        max_chars);

G_END_DECLS
