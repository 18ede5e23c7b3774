/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person looks for by name: a part of it in any case, or a regular
 * expression (those of Perl, in any case as well). One rule for the search of
 * the command line, of the window and of its lists.
 *
 * Immutable once made; any thread may match with it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KymoPattern KymoPattern;

KymoPattern *kymo_pattern_new     (const char         *text,
                                   gboolean            regex,
                                   GError            **error);
void         kymo_pattern_free    (KymoPattern        *pattern);
gboolean     kymo_pattern_matches (const KymoPattern  *pattern,
                                   const char         *text,
                                   gboolean           *gave_up);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPattern, kymo_pattern_free)

G_END_DECLS
