/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names, paths and messages that come from files, hosts and arguments, made safe to
 * show. They may hold anything: escape sequences that drive a terminal, overrides that
 * turn the direction of all text after them, line breaks, bytes that are no UTF-8.
 *
 * Unsafe are: C0 controls, DEL, C1 controls (U+0080–U+009F), the characters that direct
 * bidirectional text (U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069), the line and
 * paragraph separators (U+2028, U+2029), and bytes that are no UTF-8.
 *
 * Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean kymo_safe_text_is_safe     (const char *text);
char    *kymo_safe_text_dup         (const char *text);
void     kymo_safe_text_append      (GString    *out,
                                     const char *text,
                                     gssize      length,
                                     const char *kept);
void     kymo_safe_text_clean       (GString    *text,
                                     const char *kept);
void     kymo_safe_text_append_json (GString    *out,
                                     const char *text);
void     kymo_safe_text_append_csv  (GString    *out,
                                     const char *text);

G_END_DECLS
