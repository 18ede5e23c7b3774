/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoCompareView: several runs and how they differ: what grew and shrank as a table,
 * and above it the same picture of each run, the difference over time, bars of what
 * changed, or the runs' surroundings. What is visible, selected, hovered, hidden and
 * chosen is so in all of them (KymoSessionCoupling).
 *
 * Signals: "message" (sentence); "arrange" (what, run, side): the person wants other
 * sides: "add", "swap" (A and that side), "first" (run becomes A), "remove", "repeat"
 * (run is one of side), "apart" (run is a side of its own). The maker of the view makes
 * another.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-comparison.h"
#include "kymo-desk.h"
#include "kymo-export-task.h"
#include "kymo-session-coupling.h"

G_BEGIN_DECLS

#define KYMO_TYPE_COMPARE_VIEW (kymo_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoCompareView, kymo_compare_view, KYMO, COMPARE_VIEW, GtkBox)

/**
 * KymoCompareRun:
 * @title: of the run
 * @detail: "8 PEs · 2.11 s"
 * @path: (nullable): as a command names it
 * @stretch: of the run that is compared, empty = all of it
 */
typedef struct
{
  const char *title, *detail, *path;
  KymoSpan    stretch;
} KymoCompareRun;

GtkWidget   *kymo_compare_view_new          (KymoComparison       *comparison,
                                             const KymoCompareRun *runs);
KymoSession *kymo_compare_view_peek_session (KymoCompareView      *self);
KymoSessionCoupling *
             kymo_compare_view_peek_coupling (KymoCompareView     *self);
gboolean     kymo_compare_view_is_settled   (KymoCompareView      *self);
/* Shows what another one does, as far as it has the same runs: page, picture, scales,
   where runs lie, what is visible, selected, chosen, hidden and marked. */
void         kymo_compare_view_take_place   (KymoCompareView      *self,
                                             KymoCompareView      *old);
/* Fills a desk that has nothing yet; where the runs lie in folders is others' to fill. */
void         kymo_compare_view_keep         (KymoCompareView      *self,
                                             KymoDesk             *desk);
/* Takes over what a desk has. @from: of each run which one it is of the desk. (transfer
   full): what was left out, in words. */
char       **kymo_compare_view_restore      (KymoCompareView      *self,
                                             KymoDesk             *desk,
                                             const guint          *from);
void         kymo_compare_view_focus        (KymoCompareView      *self);
/* "runs", "time", "changes", "surroundings" or "series" */
void         kymo_compare_view_set_page     (KymoCompareView      *self,
                                             const char           *page);
const char  *kymo_compare_view_get_page     (KymoCompareView      *self);
/* Commands of the window; FALSE for one it does not know. */
gboolean     kymo_compare_view_knows        (const char           *command);
void         kymo_compare_view_command      (KymoCompareView      *self,
                                             const char           *command);
void         kymo_compare_view_export_to    (KymoCompareView      *self,
                                             const char           *path);
/* What the visible page shows; FALSE where it has no picture */
gboolean     kymo_compare_view_find_export  (KymoCompareView      *self,
                                             KymoExported         *exported);
void         kymo_compare_view_export       (KymoCompareView      *self,
                                             const KymoExported   *exported,
                                             const char           *path);
char        *kymo_compare_view_dup_runs     (KymoCompareView      *self,
                                             const KymoExported   *exported);
/* (transfer full): the command that tells the same figures */
char        *kymo_compare_view_dup_command  (KymoCompareView      *self);
/* (transfer none) (nullable): what that command tells */
KymoTable   *kymo_compare_view_peek_answer  (KymoCompareView      *self);

G_END_DECLS
