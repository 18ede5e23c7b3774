/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of KymoWindow, shared by kymo-window.c (what is where),
 * kymo-window-actions.c (the win.* actions), kymo-window-panes.c (those of panes),
 * kymo-window-runs.c (those that write runs), kymo-window-compare.c (several runs),
 * kymo-window-paste.c (what was copied), kymo-window-desks.c (desks and palettes),
 * kymo-window-streams.c and kymo-window-closing.c (those of streams, and what is asked
 * before one is closed), kymo-window-jobs.c (actions of recorded jobs) and kymo-welcome.c.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-desk.h"
#include "kymo-dialogs.h"
#include "kymo-feed-page.h"
#include "kymo-terms.h"
#include "kymo-window.h"

G_BEGIN_DECLS

/** Of a page that is attached: its #KymoAttachChoice */
#define KYMO_ATTACH_CHOICE_KEY "kymo-attach-choice"

struct _KymoWindow
{
  AdwApplicationWindow  parent_instance;

  AdwTabView           *tabs;
  GtkWidget            *stack;             /* welcome, runs */
  GtkWidget            *welcome;
  GtkWidget            *title;
  GMenuModel           *menu;
  GMenu                *bookmarks;
  GMenu                *palettes;          /* the person's own */
  GtkWidget            *views;             /* row of buttons under the header */
  GtkWidget            *switcher;          /* KymoViewSwitch, among them */
  GtkWidget            *of_time;           /* those of runs with a time axis */
  GtkWidget            *play;              /* among them, for a recording */
  GtkWidget            *search_bar, *search, *search_entry, *search_button;
  AdwToastOverlay      *toasts;
  AdwToast             *toast;     /* the one that is shown, or NULL; compared, and dismissed */
  GtkWidget            *offer;             /* the run that was written last, until it is opened */
  GtkWidget            *compare_target;    /* for runs that are dropped */
  gconstpointer         focused;           /* the view that got the keyboard
                                              last; not to be followed */
  guint                 looked_at;         /* id + 1 of the stream in front; 0 = none */
};

KymoRunView *kymo_window_get_view     (KymoWindow *self);
void         kymo_window_add_actions  (KymoWindow *self);
void         kymo_window_sync_actions (KymoWindow *self);
void         kymo_window_add_panes    (KymoWindow *self);
void         kymo_window_sync_panes   (KymoWindow *self);
void         kymo_window_add_streams  (KymoWindow *self);
void         kymo_window_sync_streams (KymoWindow *self);
void         kymo_window_add_jobs     (KymoWindow *self);
void         kymo_window_sync_jobs    (KymoWindow *self);
void         kymo_window_add_runs     (KymoWindow *self);
void         kymo_window_sync_runs    (KymoWindow *self);
void         kymo_window_add_desks    (KymoWindow *self);
void         kymo_window_sync_desks   (KymoWindow *self);
void         kymo_window_export       (KymoWindow *self);
void         kymo_window_open_desk    (KymoWindow *self,
                                       const char *path);
void         kymo_window_add_compare  (KymoWindow *self);
void         kymo_window_sync_compare (KymoWindow *self);
void         kymo_window_compare      (KymoWindow *self);
/* Of a desk that is one; desk: (transfer full) */
void         kymo_window_open_comparison (KymoWindow *self,
                                          KymoDesk   *desk,
                                          const char *path);
GtkDropTarget *kymo_window_new_drop   (void);
/* dropped: of kymo_window_new_drop(); several may be meant to be compared */
void         kymo_window_take_dropped (KymoWindow   *self,
                                       const GValue *dropped);
/* kymo-window-paste.c */
void         kymo_window_add_paste    (KymoWindow   *self);
void         kymo_window_add_places   (GStrvBuilder *builder,
                                       const char   *text);
GtkWidget   *kymo_window_build_compare_target (KymoWindow *self,
                                               GtkWidget  *child);
void         kymo_window_ask_for_file (KymoWindow   *self,
                                       KymoFeedPage *page,
                                       const char   *title,
                                       KymoDialogDone done);
void         kymo_window_add_closing  (KymoWindow *self);
void         kymo_window_close_saved  (KymoWindow   *self,
                                       KymoFeedPage *page,
                                       const char   *path);
GtkWidget   *kymo_welcome_new         (void);
AdwTabPage  *kymo_window_add_page     (KymoWindow *self,
                                       GtkWidget  *page);
KymoWindow  *kymo_window_of_page      (gpointer    page);
AdwTabPage  *kymo_window_find_tab     (KymoWindow *self,
                                       gconstpointer page);
AdwToast    *kymo_window_toast_new    (const char *sentence);
void         kymo_window_add_toast    (KymoWindow *self,
                                       AdwToast   *toast);
void         kymo_window_say          (KymoWindow *self,
                                       const char *message);
void         kymo_window_say_recorded (KymoWindow *self,
                                       const char *sentence,
                                       const char *path);
GtkWidget   *kymo_window_build_offer  (KymoWindow *self);
void         kymo_window_offer        (KymoWindow *self,
                                       const char *sentence,
                                       const char *path);

/* The window's menu in the terms of the run in front: it is one menu for all tabs,
   and some of its lines speak of PEs, or of ranks. Main thread only. */

void kymo_menu_set_terms (GMenuModel *menu,
                          KymoTerms   terms);

G_END_DECLS
