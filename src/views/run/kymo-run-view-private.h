/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoRunView, shared by kymo-run-view.c (what is to be seen),
 * -build (what is where), -desk (views beside and below each other), -which (what of
 * it a run has), -status (what it says in words), -spoken
 * (what a screen reader speaks), -live (of a stream), -link (what the
 * timeline is linked with), -whole (what all views are in) and -commands (what can be
 * asked of it).
 */
#pragma once

#include <adwaita.h>

#include "kymo-asker.h"
#include "kymo-canvas.h"
#include "kymo-legend-pane.h"
#include "kymo-live-view.h"
#include "kymo-desk-part.h"
#include "kymo-run-view.h"
#include "kymo-status-bar.h"

G_BEGIN_DECLS

struct _KymoRunView
{
  GtkBox           parent_instance;

  KymoSession     *session;
  KymoTable       *info;
  char            *subject;            /* "8 PEs" */
  GtkWidget       *desk;               /* AdwBin with the tree of parts */
  KymoDeskPart        *current;            /* the part with the focus, one of the desk */
  GPtrArray       *canvases;           /* KymoCanvas, borrowed */
  GPtrArray       *tables;             /* KymoTableView, borrowed */
  GtkWidget       *banner, *headline;  /* of what was lost, and its words */
  GtkWidget       *sidebar, *legend, *details;
  KymoFeed        *feed;               /* of a stream, or NULL */
  GPtrArray       *recent;             /* KymoViewInfo that were seen, the last one last */
  gboolean        *known;              /* lines of kymo_views[] that the run has */
  gboolean         links_function;     /* that of the selected block, when it is known */
  gboolean         folded[KYMO_PANE_DETAILS + 1];  /* by the person */
  GtkWidget       *table;              /* behind the picture */
  GtkWidget       *explain;            /* or NULL, while nobody asked */
  KymoStatusBar   *status;
  char            *search_text;        /* that views are filtered by, or NULL */
  char            *search_name;        /* what . and , look for, or NULL */
  KymoAsker       *cluster_asker;      /* or NULL */
  gboolean         wants_by_class;     /* once it is exact, as before a reload */
  gboolean         wants_extrapolates;
};

/* The picture of the visible view, or NULL where it has none. */
KymoCanvas *kymo_run_view_current_canvas (KymoRunView *self);
void        kymo_run_view_adopt          (KymoRunView *self,
                                          KymoCanvas  *canvas);
void        kymo_run_view_adopt_table    (KymoRunView *self,
                                          GtkWidget   *table);
void        kymo_run_view_remember       (KymoRunView *self,
                                          const char  *id);
GtkWidget  *kymo_run_view_build_live     (KymoRunView *self);
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
void        kymo_run_view_tell_turned    (KymoRunView *self);
void        kymo_run_view_tell_answer    (KymoRunView *self);
GtkWidget  *kymo_run_view_build_desk     (KymoRunView *self);
GtkWidget  *kymo_run_view_build_parts    (KymoRunView *self);
void        kymo_run_view_go_to_function (KymoRunView *self,
                                          const char  *name);
GtkWidget  *kymo_run_view_build_view     (KymoRunView *self,
                                          const char  *id);
void        kymo_run_view_add_views      (KymoRunView *self);
const char *kymo_run_view_first_view     (KymoRunView *self);
void        kymo_run_view_place_rulers   (KymoRunView *self);
GPtrArray  *kymo_run_view_list_parts     (KymoRunView *self);
void        kymo_run_view_close_part     (KymoRunView *self,
                                          KymoDeskPart    *part);
/* In the part that shows it, where there is one; else in the current one. */
void        kymo_run_view_show_view      (KymoRunView *self,
                                          const char  *id);
/* (transfer container): a view in all parts where it was seen */
GPtrArray  *kymo_run_view_list_built     (KymoRunView *self,
                                          const char  *id);
void        kymo_run_view_link_block     (KymoRunView *self);
GtkWidget  *kymo_run_view_build_banner   (KymoRunView *self);
void        kymo_run_view_fill_status    (KymoRunView *self);
void        kymo_run_view_speak          (KymoRunView *self);
void        kymo_run_view_do_wishes      (KymoRunView *self);
void        kymo_run_view_show_report    (KymoRunView *self);
char       *kymo_run_view_dup_subject    (const KymoTable *info,
                                          KymoTerms    terms);
const char *kymo_run_view_why_not_extrapolated (KymoRunView *self);

G_END_DECLS
