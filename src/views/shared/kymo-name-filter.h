/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is typed into the field of a list to narrow it by name: a part of names in any
 * case, or, between slashes (the last one may be missing), a regular expression. The
 * rule of the search (kymo-pattern.h), so that both find the same.
 *
 * An expression that is none, as it is while it is typed, changes nothing; the field says
 * so. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _KymoNameFilter KymoNameFilter;

KymoNameFilter *kymo_name_filter_new      (void);
void            kymo_name_filter_free     (KymoNameFilter *self);
/* "" lets all pass. Entry: (nullable): where it was typed, to tell of what is wrong. */
void            kymo_name_filter_set_text (KymoNameFilter *self,
                                           const char     *text,
                                           GtkWidget      *entry);
/* Whether all names pass. */
gboolean        kymo_name_filter_matches  (KymoNameFilter *self,
                                           const char     *name);
/* (transfer full): how a search is typed into such a field */
char           *kymo_name_filter_typed    (const char     *text,
                                           gboolean        regex);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoNameFilter, kymo_name_filter_free)

G_END_DECLS
