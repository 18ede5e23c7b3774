/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person looks for by name: a part of it in any case, or a regular
 * expression (those of Perl, in any case as well). One rule for the search of
 * the command line, of the window and of its lists.
 *
 * An expression may repeat repetitions so that a match takes years; each is
 * given a limit of steps, and after many of which that was not enough no more is
 * tried. Any thread may match with it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KymoPattern KymoPattern;

KymoPattern *kymo_pattern_new     (const char         *text,
                                   gboolean            regex,
                                   GError            **error);
void         kymo_pattern_free    (KymoPattern        *pattern);
gboolean     kymo_pattern_matches (KymoPattern        *pattern,
                                   const char         *text,
                                   gboolean           *gave_up);
gboolean     kymo_pattern_is_spent (const KymoPattern *pattern);
gboolean     kymo_pattern_check   (const KymoPattern  *pattern,
                                   gboolean            all,
                                   GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoPattern, kymo_pattern_free)

G_END_DECLS
