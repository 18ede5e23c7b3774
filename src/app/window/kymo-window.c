/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-bookmarks.h"
#include "kymo-desk-store.h"
#include "kymo-in-terms.h"
#include "kymo-place.h"
#include "kymo-run-page.h"
#include "kymo-search-bar.h"
#include "kymo-settings.h"
#include "kymo-units.h"
#include "kymo-view-switch.h"
#include "kymo-window-private.h"

/* Most bookmarks in the menu; a search finds all. */
#define MOST_BOOKMARKS 100

G_DEFINE_FINAL_TYPE (KymoWindow, kymo_window, ADW_TYPE_APPLICATION_WINDOW)

/** kymo_window_get_page: (nullable): the visible tab */
KymoPage *
kymo_window_get_page (KymoWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);

  return page != NULL ? KYMO_PAGE (adw_tab_page_get_child (page)) : NULL;
}

/** kymo_window_get_view: (nullable): the visible run, once it is read */
KymoRunView *
kymo_window_get_view (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);

  return page != NULL ? kymo_page_get_view (page) : NULL;
}

/* -- following the visible tab -------------------------------------------- */

/* A line of a menu that does something with one bookmark. */
static void
add_bookmark (GMenu *menu, const char *label, const char *action, guint index)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "u", index);
  g_menu_append_item (menu, item);
}

/* The begin of the name and of the note. What looks like a mnemonic is none. */
static char *
dup_bookmark_label (const KymoBookmark *bookmark)
{
  g_auto (GStrv) lines = g_strsplit (bookmark->note, "\n", 2);
  g_autofree char *note = kymo_elide_middle (lines[0] != NULL ? lines[0] : "", 40);
  g_autofree char *name = kymo_elide_middle (bookmark->name, 60);
  g_autofree char *words = *note != '\0' ? g_strdup_printf ("%s – %s", name, note)
                                         : g_strdup (name);

  return kymo_controls_dup_label (words);
}

/* A menu is no place for thousands; going anywhere by name is. */
static void
add_rest (GMenu *list, guint n)
{
  g_autofree char *label = g_strdup_printf (
    ngettext ("%u More, by Name…", "%u More, by Name…", n), n);

  g_menu_append (list, label, "win.go-anywhere");
}

/* What is done with them stands before them, for there may be many. */
static void
add_bookmarks (KymoWindow *self, KymoSession *session, guint n)
{
  g_autoptr (GMenu) list = g_menu_new (), removal = g_menu_new (), change = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();

  for (guint i = 0; i < MIN (n, MOST_BOOKMARKS); i++)
    {
      g_autofree char *label
        = dup_bookmark_label (kymo_session_peek_bookmark (session, i));

      add_bookmark (list, label, "win.go-to-bookmark", i);
      add_bookmark (change, label, "win.edit-bookmark", i);
      add_bookmark (removal, label, "win.remove-bookmark", i);
    }
  if (n > MOST_BOOKMARKS)
    add_rest (list, n - MOST_BOOKMARKS);
  g_menu_append_submenu (more, _("Edit"), G_MENU_MODEL (change));
  g_menu_append_submenu (more, _("Remove"), G_MENU_MODEL (removal));
  g_menu_append (more, _("Copy All as CSV"), "win.copy-bookmarks");
  g_menu_append (more, _("Save All as CSV or JSON…"), "win.save-bookmarks");
  g_menu_append_section (self->bookmarks, NULL, G_MENU_MODEL (more));
  g_menu_append_section (self->bookmarks, NULL, G_MENU_MODEL (list));
}

/* Markers of the run's files can be gone to, and nothing else. */
static void
add_run_markers (KymoWindow *self, KymoSession *session, guint n_own)
{
  g_autoptr (GMenu) list = g_menu_new ();
  guint n = kymo_session_count_bookmarks (session) - n_own;

  for (guint i = n_own; i < n_own + MIN (n, MOST_BOOKMARKS); i++)
    {
      g_autofree char *label = dup_bookmark_label (kymo_session_peek_bookmark (session, i));

      add_bookmark (list, label, "win.go-to-bookmark", i);
    }
  if (n > MOST_BOOKMARKS)
    add_rest (list, n - MOST_BOOKMARKS);
  if (n > 0)
    g_menu_append_section (self->bookmarks, _("Markers of the Run"), G_MENU_MODEL (list));
}

static void
renew_bookmarks (KymoWindow *self, KymoRunView *view)
{
  KymoSession *session = view != NULL ? kymo_run_view_peek_session (view)
                                      : NULL;
  guint n = session != NULL ? kymo_session_get_n_bookmarks (session) : 0;

  g_menu_remove_all (self->bookmarks);
  g_menu_append (self->bookmarks, _("Bookmark Range…"), "win.bookmark");
  if (n > 0)
    add_bookmarks (self, session, n);
  if (session != NULL)
    add_run_markers (self, session, n);
}

static void
renew_welcome (KymoWindow *self)
{
  if (self->welcome != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), self->welcome);
  self->welcome = kymo_welcome_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->welcome, "welcome");
}

/* Without a time axis there is nothing to zoom on. */
static void
show_view_buttons (KymoWindow *self, KymoRunView *view)
{
  kymo_view_switch_follow (KYMO_VIEW_SWITCH (self->switcher), view);
  gtk_widget_set_visible (self->of_time,
                          view != NULL && kymo_run_view_has_time (view));
}

static void
follow_window (KymoWindow *self)
{
  KymoPage *page;
  KymoRunView *view;

  if (self->bookmarks == NULL)  /* the window goes, tab by tab */
    return;
  page = kymo_window_get_page (self);
  view = kymo_window_get_view (self);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title),
                              page != NULL ? kymo_page_get_title (page)
                                           : _("Kymo"));
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title),
                                 page != NULL
                                 ? kymo_page_get_subtitle (page) : "");
  gtk_window_set_title (GTK_WINDOW (self),
                        page != NULL ? kymo_page_get_title (page)
                                     : _("Kymo"));
  if (page == NULL)
    renew_welcome (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    page != NULL ? "runs" : "welcome");
  gtk_widget_set_visible (self->views, view != NULL);
  if (view != NULL)
    kymo_menu_set_terms (self->menu, kymo_session_get_terms (
                           kymo_run_view_peek_session (view)));
  show_view_buttons (self, view);
  gtk_widget_set_sensitive (self->search_button, view != NULL);
  kymo_search_bar_set_view (KYMO_SEARCH_BAR (self->search), view);
  renew_bookmarks (self, view);
  kymo_window_sync_actions (self);
  kymo_window_sync_runs (self);
  kymo_window_sync_desks (self);
  kymo_window_sync_compare (self);
  kymo_window_sync_streams (self);
}

/**
 * kymo_window_of_page:
 * @page: a widget
 *
 * Returns: (transfer none) (nullable): the window that the page is in by now; %NULL outside of one
 */
KymoWindow *
kymo_window_of_page (gpointer page)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));

  return KYMO_IS_WINDOW (root) ? KYMO_WINDOW (root) : NULL;
}

/** kymo_window_find_tab: (nullable): of a page; %NULL once it is closed, while
    something that is under way still holds it */
AdwTabPage *
kymo_window_find_tab (KymoWindow *self, gconstpointer page)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);

      if (adw_tab_page_get_child (tab) == page)
        return tab;
    }
  return NULL;
}

static void
on_page_changed (KymoWindow *self, KymoPage *page)
{
  AdwTabPage *tab = kymo_window_find_tab (self, page);
  KymoRunView *view = kymo_page_get_view (page);
  const char *path = kymo_page_get_path (page);
  g_autofree char *tooltip
    = kymo_page_dup_markup (path != NULL ? path
                                         : kymo_page_get_subtitle (page));

  if (tab == NULL)
    return;
  adw_tab_page_set_title (tab, kymo_page_get_title (page));
  adw_tab_page_set_tooltip (tab, tooltip);
  adw_tab_page_set_loading (tab, kymo_page_is_loading (page));
  if (view != NULL && path != NULL)
    kymo_settings_add_recent (path);
  follow_window (self);
  if (view == NULL || page != kymo_window_get_page (self))
    return;
  /* A run that has grown leaves the keyboard where it is. */
  if (self->focused != view)
    kymo_run_view_focus (view);
  self->focused = view;
}

/** kymo_window_add_page: in a new tab, which is to be seen */
AdwTabPage *
kymo_window_add_page (KymoWindow *self, GtkWidget *page)
{
  AdwTabPage *tab = adw_tab_view_append (self->tabs, page);

  adw_tab_page_set_title (tab, kymo_page_get_title (KYMO_PAGE (page)));
  adw_tab_page_set_loading (tab, kymo_page_is_loading (KYMO_PAGE (page)));
  kymo_follow (page, "changed", on_page_changed, self);
  kymo_follow (page, "message", kymo_window_say, self);
  adw_tab_view_set_selected_page (self->tabs, tab);
  follow_window (self);
  return tab;
}

/** kymo_window_open_path: in a new tab, or the one that shows it already; of a desk its
 * run */
void
kymo_window_open_path (KymoWindow *self, const char *path)
{
  g_autofree char *full = kymo_place_dup_full (path);

  if (g_str_has_suffix (full, KYMO_DESK_SUFFIX))
    {
      kymo_window_open_desk (self, full);
      return;
    }
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
      KymoPage *page = KYMO_PAGE (adw_tab_page_get_child (tab));

      if (g_strcmp0 (kymo_page_get_path (page), full) == 0)
        {
          adw_tab_view_set_selected_page (self->tabs, tab);
          return;
        }
    }
  kymo_window_add_page (self, kymo_run_page_new (full));
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y,
         KymoWindow *self)
{
  kymo_window_take_dropped (self, value);
  return TRUE;
}

/* -- searching ------------------------------------------------------------ */

static GtkWidget *
build_search (KymoWindow *self)
{
  self->search = kymo_search_bar_new ();
  self->search_entry = kymo_search_bar_get_entry (KYMO_SEARCH_BAR (
    self->search));
  self->search_bar = gtk_search_bar_new ();
  gtk_search_bar_set_child (GTK_SEARCH_BAR (self->search_bar), self->search);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->search_bar),
                                GTK_EDITABLE (self->search_entry));
  return self->search_bar;
}

/* -- building ------------------------------------------------------------- */

static GtkWidget *
icon_button (const char *icon, const char *words, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_tooltip_text (button, words);
  kymo_accessible_name (button, words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static GtkWidget *
build_menu_button (KymoWindow *self)
{
  g_autoptr (GtkBuilder) builder
    = gtk_builder_new_from_resource ("/io/github/kymo_trace/Kymo/menu.ui");
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button),
                                 "open-menu-symbolic");
  self->menu = g_object_ref (G_MENU_MODEL (gtk_builder_get_object (builder,
                                                                  "menu")));
  self->palettes = g_object_ref (G_MENU (gtk_builder_get_object (builder, "palettes")));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), self->menu);
  gtk_menu_button_set_primary (GTK_MENU_BUTTON (button), TRUE);
  gtk_widget_set_tooltip_text (button, _("Main menu"));
  kymo_accessible_name (button, _("Main menu"));
  return button;
}

static GtkWidget *
build_header (KymoWindow *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *open = gtk_button_new_with_label (_("Open"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open");
  gtk_widget_set_tooltip_text (open, _("Open the folder of a run (Ctrl+O)"));
  self->title = adw_window_title_new (_("Kymo"), "");
  self->search_button = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->search_button),
                            "system-search-symbolic");
  gtk_widget_set_tooltip_text (self->search_button, _("Search (Ctrl+F)"));
  kymo_accessible_name (self->search_button, _("Search"));
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), open);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), build_menu_button (self));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->search_button);
  return header;
}

static GtkWidget *
bookmark_button (KymoWindow *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  self->bookmarks = g_menu_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button),
                                 "user-bookmarks-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button),
                                  G_MENU_MODEL (self->bookmarks));
  gtk_widget_set_tooltip_text (button, _("Bookmarks (B)"));
  kymo_accessible_name (button, _("Bookmarks"));
  return button;
}

/* What acts on the visible range. */
static GtkWidget *
build_of_time (KymoWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);

  gtk_box_append (GTK_BOX (box), icon_button (
    "go-previous-symbolic", _("Back to the range before (Backspace)"),
    "win.back"));
  gtk_box_append (GTK_BOX (box), icon_button (
    "go-next-symbolic", _("Forward again (Alt+Right)"), "win.forward"));
  gtk_box_append (GTK_BOX (box), icon_button (
    "zoom-out-symbolic", _("Zoom out (S)"), "win.zoom-out"));
  gtk_box_append (GTK_BOX (box), icon_button (
    "zoom-in-symbolic", _("Zoom in (W)"), "win.zoom-in"));
  gtk_box_append (GTK_BOX (box), icon_button (
    "zoom-fit-best-symbolic", _("The whole run (F)"), "win.fit"));
  gtk_box_append (GTK_BOX (box), bookmark_button (self));
  return box;
}

/* The same as in the main menu, beside the views. */
static GtkWidget *
split_button (void)
{
  g_autoptr (GtkBuilder) builder
    = gtk_builder_new_from_resource ("/io/github/kymo_trace/Kymo/menu.ui");
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-dual-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (
    gtk_builder_get_object (builder, "split")));
  gtk_widget_set_tooltip_text (button, _("Views side by side"));
  kymo_accessible_name (button, _("Split"));
  return button;
}

/* The switch of the views to the left, what acts on them to the right. */
static GtkWidget *
build_views (KymoWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);

  self->switcher = kymo_view_switch_new ();
  gtk_box_append (GTK_BOX (box), self->switcher);
  gtk_box_append (GTK_BOX (box), split_button ());
  self->play = icon_button ("media-playback-start-symbolic",
                            _("Play the recording as it came"), "win.replay");
  gtk_box_append (GTK_BOX (box), self->play);
  self->of_time = build_of_time (self);
  gtk_box_append (GTK_BOX (box), self->of_time);
  gtk_box_append (GTK_BOX (box), icon_button (
    "document-save-symbolic", _("Export the view (Ctrl+E)"), "win.export"));
  gtk_widget_add_css_class (box, "kymo-views");
  gtk_widget_set_visible (box, FALSE);
  self->views = box;
  return box;
}

static GtkWidget *
build_runs (KymoWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  AdwTabBar *bar = adw_tab_bar_new ();

  self->tabs = adw_tab_view_new ();
  adw_tab_bar_set_view (bar, self->tabs);
  adw_tab_bar_set_autohide (bar, TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->tabs), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (bar));
  gtk_box_append (GTK_BOX (box), build_search (self));
  gtk_box_append (GTK_BOX (box), build_views (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->tabs));
  kymo_follow (self->tabs, "notify::selected-page", follow_window, self);
  return box;
}

static void
remember_size (KymoWindow *self)
{
  GSettings *settings = kymo_settings_peek ();

  if (settings == NULL)
    return;
  g_settings_bind (settings, "window-width", self, "default-width",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "window-height", self, "default-height",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "window-maximized", self, "maximized",
                   G_SETTINGS_BIND_DEFAULT);
}

static void
kymo_window_dispose (GObject *object)
{
  g_clear_object (&KYMO_WINDOW (object)->bookmarks);
  g_clear_object (&KYMO_WINDOW (object)->menu);
  g_clear_object (&KYMO_WINDOW (object)->palettes);
  G_OBJECT_CLASS (kymo_window_parent_class)->dispose (object);
}

static void
kymo_window_class_init (KymoWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kymo_window_dispose;
}

static void
kymo_window_init (KymoWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkDropTarget *drop = kymo_window_new_drop ();

  gtk_window_set_default_size (GTK_WINDOW (self), 1280, 800);
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  gtk_box_append (GTK_BOX (box), build_header (self));
  gtk_stack_add_named (GTK_STACK (self->stack), kymo_window_build_compare_target (
    self, build_runs (self)), "runs");
  g_object_bind_property (self->search_button, "active", self->search_bar,
                          "search-mode-enabled", G_BINDING_BIDIRECTIONAL);
  adw_toast_overlay_set_child (self->toasts, self->stack);
  gtk_widget_set_vexpand (GTK_WIDGET (self->toasts), TRUE);
  gtk_box_append (GTK_BOX (box), kymo_window_build_offer (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), box);
  kymo_accessible_name_lines (GTK_WINDOW (self));
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  kymo_window_add_panes (self);
  kymo_window_add_actions (self);
  kymo_window_add_runs (self);
  kymo_window_add_desks (self);
  kymo_window_add_compare (self);
  kymo_window_add_streams (self);
  kymo_window_add_paste (self);
  follow_window (self);
}

/**
 * kymo_window_new:
 *
 * Makes a window without a tab. Its size comes from the settings and is kept there; without a
 * schema it is the default.
 *
 * Returns: (transfer none): the window, which GTK owns until it is closed
 */
GtkWidget *
kymo_window_new (AdwApplication *application)
{
  KymoWindow *self = g_object_new (KYMO_TYPE_WINDOW, "application",
                                   application, NULL);

  remember_size (self);
  return GTK_WIDGET (self);
}
