/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoCompareView, shared by kymo-compare-view.c (what is asked and
 * shown), -build (what is where), -chips (the bar of runs), -runs (where they lie), -list (what is
 * behind a picture), -keep
 * (what stays with other runs), -causes (what changed
 * the time), -line (the line of kymo-cli) and -commands (what menu and
 * keys ask of it).
 */
#pragma once

#include <adwaita.h>

#include "kymo-compare-pictures.h"
#include "kymo-compare-table.h"
#include "kymo-compare-view.h"
#include "kymo-status-bar.h"
#include "kymo-view-asker.h"

G_BEGIN_DECLS

struct _KymoCompareView
{
  GtkBox               parent_instance;

  KymoComparison      *comparison;
  KymoSession         *session;        /* of the comparison */
  KymoSessionCoupling *coupling;       /* 0 is that, run i is i + 1 */
  GPtrArray           *paths;          /* char, or NULL */
  GSimpleActionGroup  *actions;        /* "compare" */
  KymoViewAsker       *asker;
  KymoAsker           *info_asker, *names_asker;
  KymoTable           *answer, *info;  /* or NULL */
  gint64               said_us;        /* when it last refused to move a run */
  guint                against;        /* side */
  gboolean             per_pe;
  gboolean             arranged;       /* pictures lie as somebody wanted */

  GtkWidget           *bar;            /* of runs */
  GPtrArray           *chips;          /* GtkMenuButton, one a run */
  GtkWidget           *align;          /* GtkMenuButton */
  GtkWidget           *of_runs;        /* controls of the pictures */
  GtkWidget           *against_choice; /* GtkDropDown */
  GtkWidget           *per_pe_check;
  GtkWidget           *paned;          /* stack, and table below it */
  GtkWidget           *stack;          /* "runs", "time", "changes", "surroundings" */
  KymoComparePictures *pictures;
  KymoCanvas          *over_time, *changes, *series;  /* or NULL */
  KymoCompareTable    *table, *facts;
  GtkWidget           *all_facts;      /* GtkCheckButton: only what differs */
  GtkWidget           *same_facts;     /* how many do not */
  KymoAsker           *changes_asker;  /* what changed the time, by cause */
  GtkWidget           *causes;         /* label of that */
  GtkWidget           *headline;
  KymoStatusBar       *status;
  GtkWidget           *list;           /* KymoChartTable, or NULL */
  KymoSession         *list_session;   /* of that; only compared */
  GCancellable        *aligning;       /* while a place is looked for, or NULL */
};

void        kymo_compare_view_say        (KymoCompareView *self,
                                          const char      *message);
void        kymo_compare_view_ask        (KymoCompareView *self);
KymoQuestion *kymo_compare_view_new_question (gpointer      view);
GtkWidget  *kymo_compare_view_build_causes (KymoCompareView *self);
void        kymo_compare_view_ask_causes (KymoCompareView *self);
void        kymo_compare_view_ask_info   (KymoCompareView *self);
/* @canvas: (nullable) */
void        kymo_compare_view_set_keyword (gpointer        canvas,
                                           const char     *key,
                                           const char     *value);
void        kymo_compare_view_show_info  (KymoCompareView *self);
void        kymo_compare_view_show_headline (KymoCompareView *self);
/* The picture with the focus, else the first that is to be seen; or NULL. */
KymoCanvas *kymo_compare_view_canvas     (KymoCompareView *self);
void        kymo_compare_view_set_state  (KymoCompareView *self,
                                          const char      *action,
                                          GVariant        *state);
void        kymo_compare_view_build      (KymoCompareView *self);
void        kymo_compare_view_place_handle (KymoCompareView *self);
void        kymo_compare_view_go_to      (KymoCompareView *self,
                                          guint            run);
void        kymo_compare_view_add_runs   (KymoCompareView *self,
                                          const KymoCompareRun *runs);
GtkWidget  *kymo_compare_view_build_align (KymoCompareView *self);
void        kymo_compare_view_turn_list  (KymoCompareView *self);
void        kymo_compare_view_review_list (KymoCompareView *self);
void        kymo_compare_view_add_run_actions (KymoCompareView *self);
void        kymo_compare_view_show_offsets (KymoCompareView *self);
/* Looks for the place in all runs, then they lie there. */
void        kymo_compare_view_align      (KymoCompareView *self,
                                          const char      *how);
/* As the comparison has them. */
void        kymo_compare_view_take_offsets (KymoCompareView *self);
gboolean    kymo_compare_view_has_own_ranges
                                         (KymoCompareView *self);
KymoSpan    kymo_compare_view_get_own_range
                                         (KymoCompareView *self,
                                          guint            run);
void        kymo_compare_view_shift      (KymoCompareView *self,
                                          guint            run,
                                          gint64           offset_ns);

G_END_DECLS
