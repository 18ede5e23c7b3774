/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoComparePage: a tab with several runs and how they differ. Runs are read here,
 * or taken over where a tab has them; each tells how far it is, and one that cannot be
 * read says so in its place.
 *
 * Signals, beside those of a page: "add-run": the person wants one more.
 * Main thread only.
 */
#pragma once

#include "kymo-compare-view.h"
#include "kymo-page.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMPARE_PAGE (kymo_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (KymoComparePage, kymo_compare_page, KYMO, COMPARE_PAGE, KymoPage)

/* A side of its own. */
#define KYMO_COMPARE_APART G_MAXUINT

GtkWidget       *kymo_compare_page_new       (void);
/* One run more; `side` is that it repeats. */
void             kymo_compare_page_add       (KymoComparePage *self,
                                              const char      *path,
                                              KymoSource      *source,
                                              guint            side);
/* The same of a run of a desk: `kept` is its place there. */
void             kymo_compare_page_add_kept  (KymoComparePage *self,
                                              const char      *path,
                                              KymoSource      *source,
                                              guint            side,
                                              guint            kept);
/* Of the run that was added last: a stretch of it is compared, under a name of its own. */
void             kymo_compare_page_take_stretch
                                             (KymoComparePage *self,
                                              const char      *name,
                                              KymoSpan         stretch);
void             kymo_compare_page_take_desk (KymoComparePage *self,
                                              KymoDesk        *desk);
/* (transfer full) (nullable): as it is now, for a file at that place */
KymoDesk        *kymo_compare_page_dup_desk  (KymoComparePage *self,
                                              const char      *desk_path);
void             kymo_compare_page_keep_apart (KymoComparePage *self);
/* Reads what is not read yet and then shows the comparison. */
void             kymo_compare_page_start     (KymoComparePage *self);
guint            kymo_compare_page_get_n     (KymoComparePage *self);
/* Of the run that was added last. */
guint            kymo_compare_page_get_last_side (KymoComparePage *self);
gboolean         kymo_compare_page_has       (KymoComparePage *self,
                                              const char      *path);
/* (nullable): once all are read */
KymoCompareView *kymo_compare_page_peek_view (KymoComparePage *self);

G_END_DECLS
