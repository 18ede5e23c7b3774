/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoRunView, shared by kymo-run-view.c (what is to be seen),
 * -build (what is where), -which (what of it a run has), -status (what it says in
 * words), -live (of a stream), -beside (what the timeline is linked with),
 * -whole (what all views are in) and -commands (what can be asked of it).
 */
#pragma once

#include <adwaita.h>

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-legend-pane.h"
#include "kymo-live-view.h"
#include "kymo-profile-view.h"
#include "kymo-run-view.h"
#include "kymo-status-bar.h"

G_BEGIN_DECLS

struct _KymoRunView
{
  GtkBox           parent_instance;

  KymoSession     *session;
  KymoTable       *info;
  char            *subject;            /* "8 PEs" */
  AdwViewStack    *stack;
  GPtrArray       *canvases;           /* KymoCanvas, borrowed */
  GPtrArray       *tables;             /* KymoTableView, borrowed */
  GtkWidget       *ruler;
  GtkWidget       *banner, *headline;  /* of what was lost, and its words */
  GtkWidget       *sidebar, *legend, *details, *summary;
  KymoLiveView    *live;               /* or NULL */
  GtkWidget       *beside;             /* GtkStack beside the timeline */
  char            *beside_id;          /* what is in it, or NULL */
  KymoAsker       *block_asker;        /* of the selected block, or NULL */
  gboolean         summary_is_old;     /* its figures are */
  gboolean         summary_is_other;   /* it is to be made anew */
  gboolean         folded[KYMO_PANE_DETAILS + 1];  /* by the person */
  KymoProfileView *profile;
  GtkWidget       *explain;            /* or NULL, while nobody asked */
  KymoStatusBar   *status;
  char            *search_name;        /* what . and , look for, or NULL */
  KymoAsker       *cluster_asker;      /* or NULL */
  gboolean         wants_by_class;     /* once it is exact, as before a reload */
  gboolean         wants_extrapolates;
};

/* The picture of the visible view, or NULL where it has none. */
KymoCanvas *kymo_run_view_current_canvas (KymoRunView *self);
void        kymo_run_view_adopt          (KymoRunView *self,
                                          KymoCanvas  *canvas);
gboolean    kymo_run_view_is_live        (KymoRunView *self);
void        kymo_run_view_show_marks     (KymoRunView *self);
void        kymo_run_view_fold           (KymoRunView *self);
void        kymo_run_view_say            (KymoRunView *self,
                                          const char  *message);
void        kymo_run_view_find_named     (KymoRunView *self,
                                          const char  *name,
                                          const char  *direction,
                                          gboolean     whole_run);
void        kymo_run_view_explain        (KymoRunView *self,
                                          const char  *pes);
void        kymo_run_view_explain_chosen (KymoRunView *self);
void        kymo_run_view_go_to_longest  (KymoRunView *self,
                                          const char  *name);
void        kymo_run_view_on_turned      (KymoRunView *self);
GtkWidget  *kymo_run_view_build_desk     (KymoRunView *self);
void        kymo_run_view_add_views      (KymoRunView *self);
void        kymo_run_view_build_late     (KymoRunView *self);
void        kymo_run_view_show_first     (KymoRunView *self);
GtkWidget  *kymo_run_view_build_beside   (KymoRunView *self,
                                          GtkWidget   *middle);
void        kymo_run_view_fold_beside    (KymoRunView *self);
void        kymo_run_view_link_block     (KymoRunView *self);
GtkWidget  *kymo_run_view_build_banner   (KymoRunView *self);
void        kymo_run_view_fill_status    (KymoRunView *self);
void        kymo_run_view_do_wishes      (KymoRunView *self);
void        kymo_run_view_show_report    (KymoRunView *self);
char       *kymo_run_view_dup_subject    (const KymoTable *info,
                                          KymoTerms    terms);
const char *kymo_run_view_why_not_extrapolated (KymoRunView *self);

/* Whether the run has a view of the table, as far as is known of it. */
gboolean kymo_run_view_builds       (KymoRunView *self,
                                     const char  *id);

G_END_DECLS
