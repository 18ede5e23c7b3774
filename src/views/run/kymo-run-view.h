/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRunView: everything about one open run: overview, ruler, the views in
 * parts beside and below each other, legend, sidebar, details and status. It follows a
 * session; the window around it knows only this interface.
 *
 * "The view" is that of the part which has, or had last, the focus.
 *
 * Signals: "message" (sentence for the person), "view-changed"
 * (another view, other bookmarks, another order or extrapolation).
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-export-task.h"
#include "kymo-feed.h"
#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_RUN_VIEW (kymo_run_view_get_type ())
G_DECLARE_FINAL_TYPE (KymoRunView, kymo_run_view, KYMO, RUN_VIEW, GtkBox)

typedef enum
{
  KYMO_VIEW_OF_TIME = 1 << 0,   /* of runs with a time axis */
  KYMO_VIEW_OF_ROWS = 1 << 1,   /* of runs with more than one mean location */
  KYMO_VIEW_OF_MESSAGES = 1 << 2,       /* of runs with messages */
} KymoViewFlags;

/** KymoViewGroup: what views of a kind are about; each group is a button of the window */
typedef enum
{
  KYMO_GROUP_LIVE,
  KYMO_GROUP_OVERVIEW,
  KYMO_GROUP_TIME,
  KYMO_GROUP_LOAD,
  KYMO_GROUP_CODE,
  KYMO_GROUP_MESSAGES,
  KYMO_GROUP_RECORDS,
  KYMO_N_VIEW_GROUPS
} KymoViewGroup;

/**
 * KymoViewInfo:
 * @title: translatable, with the placeholders of kymo-in-terms.h
 * @question: what the view answers; translatable, with the same placeholders
 * @tab: (nullable): id of the view whose tab this one shares; %NULL: it has a tab of its own
 * @needs: #KymoCapabilities, one of them; 0 = any run will do
 * @build: (nullable): makes the widget; %NULL: it is the canvas of the picture with this id
 *
 * One view of the table of views; "live" comes with a feed.
 */
typedef struct
{
  const char   *id;
  KymoViewGroup group;
  const char   *title;
  const char   *question;
  const char   *tab;
  guint         flags;                 /* KymoViewFlags */
  guint         needs;
  GtkWidget  *(*build) (KymoRunView *view);
} KymoViewInfo;

/* Ends with a NULL id. */
extern const KymoViewInfo kymo_views[];

/** KymoPane: what folds away */
typedef enum
{
  KYMO_PANE_SIDEBAR,
  KYMO_PANE_LEGEND,
  KYMO_PANE_DETAILS,
} KymoPane;

GtkWidget       *kymo_run_view_new          (KymoSession     *session,
                                             const KymoTable *info);
void             kymo_run_view_open_with    (const char      *id);
const char      *kymo_run_view_peek_opens_with (void);
/* Of a stream: adds the view "live". Once. */
void             kymo_run_view_set_feed     (KymoRunView     *self,
                                             KymoFeed        *feed);
KymoSession     *kymo_run_view_peek_session (KymoRunView     *self);
const KymoTable *kymo_run_view_peek_info    (KymoRunView     *self);
void             kymo_run_view_set_info     (KymoRunView     *self,
                                             const KymoTable *info);
gboolean         kymo_run_view_has_picture  (KymoRunView     *self);
gboolean         kymo_run_view_is_exact     (KymoRunView     *self);
void             kymo_run_view_set_progress (KymoRunView     *self,
                                             double           fraction,
                                             const char      *stage);
const char      *kymo_run_view_get_view     (KymoRunView     *self);
const char      *kymo_run_view_title_of     (KymoRunView     *self,
                                             const char      *id);
gboolean         kymo_run_view_has_time     (KymoRunView     *self);
gboolean         kymo_run_view_has_view     (KymoRunView     *self,
                                             const char      *id);
void             kymo_run_view_set_view     (KymoRunView     *self,
                                             const char      *id);
/* Another part below the current one, or right of it; it becomes the current one. */
void             kymo_run_view_split        (KymoRunView     *self,
                                             gboolean         below);
void             kymo_run_view_close_current (KymoRunView    *self);
void             kymo_run_view_go_to_part   (KymoRunView     *self,
                                             int              step);
guint            kymo_run_view_get_n_parts  (KymoRunView     *self);
/* (transfer full): which views stand where, a line of text that _set_layout() takes,
   see kymo-desk-layout.h; it stays valid whatever the run has */
char            *kymo_run_view_dup_layout   (KymoRunView     *self);
/* Whether the text is a layout; where it is not nothing changes. */
gboolean         kymo_run_view_set_layout   (KymoRunView     *self,
                                             const char      *text);
void             kymo_run_view_show_pane    (KymoRunView     *self,
                                             KymoPane         pane,
                                             gboolean         visible);
void             kymo_run_view_set_wide     (KymoRunView     *self,
                                             gboolean         wide);
gboolean         kymo_run_view_is_settled   (KymoRunView     *self);
void             kymo_run_view_focus        (KymoRunView     *self);
void             kymo_run_view_search       (KymoRunView     *self,
                                             const char      *text,
                                             gboolean         regex);
void             kymo_run_view_find         (KymoRunView     *self,
                                             const char      *direction);
/* Both are of all views; where it cannot be a sentence says why. */
void             kymo_run_view_set_by_class (KymoRunView    *self,
                                             gboolean        by_class);
void             kymo_run_view_set_extrapolates (KymoRunView *self,
                                             gboolean        extrapolates);
/* The same two as another view of the run had them, as soon as they can be. */
void             kymo_run_view_take_wishes (KymoRunView     *self,
                                            KymoRunView     *old);
/* fit, back, forward, zoom-in, zoom-out, bookmark, clear-markers, go-to,
   go-anywhere, explain, export, copy-picture, copy-figures */
void             kymo_run_view_command      (KymoRunView     *self,
                                             const char      *command);
void             kymo_run_view_export_to    (KymoRunView     *self,
                                             const char      *path);
gboolean         kymo_run_view_find_export  (KymoRunView     *self,
                                             KymoExported    *exported);
void             kymo_run_view_export       (KymoRunView     *self,
                                             const KymoExported *exported,
                                             const char      *path);
void             kymo_run_view_edit_bookmark (KymoRunView   *self,
                                              guint          index);
void             kymo_run_view_copy_bookmarks (KymoRunView  *self);
/* JSON where the name of the file ends so, else CSV. */
void             kymo_run_view_save_bookmarks (KymoRunView  *self,
                                               const char   *path);
char            *kymo_run_view_dup_command  (KymoRunView     *self,
                                             const char      *path,
                                             const char      *palette);

G_END_DECLS
