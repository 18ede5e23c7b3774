/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The win.* actions: what menu, buttons, keys and tests can ask for.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-bookmarks.h"
#include "kymo-compare-page.h"
#include "kymo-dialogs.h"
#include "kymo-formats.h"
#include "kymo-in-terms.h"
#include "kymo-metric-entry.h"
#include "kymo-report-list.h"
#include "kymo-run-page.h"
#include "kymo-view-groups.h"
#include "kymo-window-private.h"

static void
on_path_chosen (const char *path, gpointer data)
{
  kymo_window_open_path (data, path);
}

static void
open_folder (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_dialog_open_folder (data, on_path_chosen, data);
}

static void
open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_auto (GStrv) patterns = kymo_formats_dup_globs ();

  kymo_dialog_open_file (data, (const char *const *) patterns, on_path_chosen, data);
}

static void
open_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_window_open_path (data, g_variant_get_bytestring (parameter));
}

static void
close_tab (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tabs);

  if (page != NULL)
    adw_tab_view_close_page (self->tabs, page);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
reload (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoPage *page = kymo_window_get_page (data);

  if (page == NULL)
    return;
  kymo_page_reload (page);
  kymo_page_tell_changed (page);
}

static void
stop_reading (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoPage *page = kymo_window_get_page (data);

  if (KYMO_IS_RUN_PAGE (page))
    kymo_run_page_stop (KYMO_RUN_PAGE (page));
}

static void
set_correct_clocks (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoPage *page = kymo_window_get_page (data);

  if (!KYMO_IS_RUN_PAGE (page) || kymo_page_is_loading (page))
    return;
  g_simple_action_set_state (action, state);
  kymo_run_page_set_correct_clocks (KYMO_RUN_PAGE (page),
                                    g_variant_get_boolean (state));
  kymo_page_tell_changed (page);
}

/* The session tells what came of it, and kymo_window_sync_actions() shows that. */
static void
set_by_class (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_run_view_set_by_class (view, g_variant_get_boolean (state));
}

static void
set_extrapolates (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_run_view_set_extrapolates (view, g_variant_get_boolean (state));
}

/* The name of the action is the name of the command. */
static void
command_window_actions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  KymoPage *page = kymo_window_get_page (data);

  if (view != NULL)
    kymo_run_view_command (view, g_action_get_name (G_ACTION (action)));
  else if (page != NULL)
    kymo_page_command (page, g_action_get_name (G_ACTION (action)));
}

static void
find_window_actions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_run_view_find (view, g_variant_get_string (parameter, NULL));
}

/* Of the page, or NULL. */
static KymoSession *
session_of (gpointer window)
{
  KymoRunView *view = kymo_window_get_view (window);

  return view != NULL ? kymo_run_view_peek_session (view) : NULL;
}

static void
go_to_bookmark (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoSession *session = session_of (data);
  guint index = g_variant_get_uint32 (parameter);

  if (session != NULL && index < kymo_session_count_bookmarks (session))
    kymo_session_go_to_bookmark (session, index);
}

static void
edit_bookmark (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_run_view_edit_bookmark (view, g_variant_get_uint32 (parameter));
}

static void
remove_bookmark (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoSession *session = session_of (data);
  guint index = g_variant_get_uint32 (parameter);

  if (session != NULL && index < kymo_session_get_n_bookmarks (session))
    kymo_session_remove_bookmark (session, index);
}

static void
search_window_actions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;

  if (kymo_window_get_view (self) == NULL)
    return;
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_widget_grab_focus (self->search_entry);
}

static void
end_search (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;
  KymoRunView *view = kymo_window_get_view (self);

  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), FALSE);
  if (view != NULL)
    {
      kymo_run_view_search (view, "", FALSE);
      kymo_run_view_focus (view);
    }
}

static void
export_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  KymoPage *page = kymo_window_get_page (data);
  const char *path = g_variant_get_string (parameter, NULL);

  if (view != NULL)
    kymo_run_view_export_to (view, path);
  else if (KYMO_IS_COMPARE_PAGE (page))
    kymo_compare_view_export_to (kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (page)), path);
}

static void
export_figure (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_window_export (data);
}

static void
report (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_report_dialog_show (data, kymo_run_view_peek_info (view));
}

static void
set_view (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  /* A view that the run does not have, or not yet, leaves the tab of the other one as it is. */
  if (view == NULL || !kymo_run_view_has_view (view, g_variant_get_string (state, NULL)))
    return;
  g_simple_action_set_state (action, state);
  kymo_run_view_set_view (view, g_variant_get_string (state, NULL));
  kymo_run_view_focus (view);
}

/* To the view of the group that was seen last. */
static void
set_view_group (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  KymoViewGroup group = kymo_view_group_find (g_variant_get_string (state, NULL));
  const char *id = view == NULL || group == KYMO_N_VIEW_GROUPS ? NULL
                   : kymo_run_view_find_in_group (view, group);

  if (id == NULL)
    return;
  g_simple_action_set_state (action, state);
  kymo_run_view_set_view (view, id);
  kymo_run_view_focus (view);
}

/* By its key: to the group, and once it is shown to its next view. */
static void
go_through_group (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  KymoViewGroup group = kymo_view_group_find (g_variant_get_string (parameter, NULL));
  const char *id = view == NULL || group == KYMO_N_VIEW_GROUPS ? NULL
                   : kymo_run_view_next_in_group (view, group);

  if (id != NULL)
    g_action_group_change_action_state (G_ACTION_GROUP (data), "view", g_variant_new_string (id));
}

/* In a view that takes one. */
static void
define_metric (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view == NULL || kymo_metric_entry_open_in (GTK_WIDGET (view)))
    return;
  kymo_run_view_set_view (view, "function");
  kymo_metric_entry_open_in (GTK_WIDGET (view));
}

static void
split_window_actions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  const char *name = g_action_get_name (G_ACTION (action));

  if (view != NULL)
    kymo_run_view_split (view, g_strcmp0 (name, "split-below") == 0);
}

static void
close_part (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_run_view_close_current (view);
}

static void
go_to_part (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);
  const char *name = g_action_get_name (G_ACTION (action));

  if (view != NULL)
    kymo_run_view_go_to_part (view, g_strcmp0 (name, "next-part") == 0 ? 1 : -1);
}

static void
set_layout (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL
      && !kymo_run_view_set_layout (view, g_variant_get_string (parameter, NULL)))
    kymo_window_say (data, _("This is no arrangement of views"));
}

static const GActionEntry entries[] = {
  { "open", open_folder, NULL, NULL, NULL, { 0 } },
  { "open-file", open_file, NULL, NULL, NULL, { 0 } },
  { "open-path", open_path, "ay", NULL, NULL, { 0 } },
  { "close-tab", close_tab, NULL, NULL, NULL, { 0 } },
  { "reload", reload, NULL, NULL, NULL, { 0 } },
  { "stop-reading", stop_reading, NULL, NULL, NULL, { 0 } },
  { "search", search_window_actions, NULL, NULL, NULL, { 0 } },
  { "end-search", end_search, NULL, NULL, NULL, { 0 } },
  { "go-to-bookmark", go_to_bookmark, "u", NULL, NULL, { 0 } },
  { "edit-bookmark", edit_bookmark, "u", NULL, NULL, { 0 } },
  { "copy-bookmarks", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "save-bookmarks", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "remove-bookmark", remove_bookmark, "u", NULL, NULL, { 0 } },
  { "find", find_window_actions, "s", NULL, NULL, { 0 } },
  { "export-to", export_to, "s", NULL, NULL, { 0 } },
  { "report", report, NULL, NULL, NULL, { 0 } },
  { "export", export_figure, NULL, NULL, NULL, { 0 } },
  { "fit", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "back", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "forward", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "zoom-in", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "zoom-out", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "bookmark", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "clear-markers", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "go-anywhere", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "copy-picture", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "copy-figures", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "go-to", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "explain", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "path-critical", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "messages", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "table", command_window_actions, NULL, NULL, NULL, { 0 } },
  { "correct-clocks", NULL, NULL, "false", set_correct_clocks, { 0 } },
  { "by-class", NULL, NULL, "false", set_by_class, { 0 } },
  { "extrapolate", NULL, NULL, "false", set_extrapolates, { 0 } },
  { "view", NULL, "s", "'timeline'", set_view, { 0 } },
  { "view-group", NULL, "s", "'time'", set_view_group, { 0 } },
  { "derived-metric", define_metric, NULL, NULL, NULL, { 0 } },
  { "through-group", go_through_group, "s", NULL, NULL, { 0 } },
  { "split-right", split_window_actions, NULL, NULL, NULL, { 0 } },
  { "split-below", split_window_actions, NULL, NULL, NULL, { 0 } },
  { "close-part", close_part, NULL, NULL, NULL, { 0 } },
  { "next-part", go_to_part, NULL, NULL, NULL, { 0 } },
  { "previous-part", go_to_part, NULL, NULL, NULL, { 0 } },
  { "layout", set_layout, "s", NULL, NULL, { 0 } },
};

/* What needs a run is grey without one. */
static gboolean
needs_run (const char *name)
{
  static const char *const always[] = { "open", "open-file", "open-path",
                                        "close-tab", "reload",
                                        "stop-reading", NULL };

  return !g_strv_contains (always, name);
}

/* What needs a time axis is grey where the run has none. */
static gboolean
needs_time (const char *name)
{
  static const char *const all[] = { "find", "fit", "back", "forward",
                                     "zoom-in", "zoom-out", "bookmark",
                                     "clear-markers", "go-to", "explain",
                                     "path-critical", "messages",
                                     "correct-clocks", "by-class",
                                     NULL };

  return g_strv_contains (all, name);
}

/* What needs another part is grey where there is one alone. */
static gboolean
needs_parts (const char *name)
{
  return g_str_has_suffix (name, "-part");
}

static gboolean
is_possible (KymoWindow *self, KymoRunView *view, const char *name)
{
  KymoPage *page = kymo_window_get_page (self);

  if (view == NULL)
    return page != NULL && kymo_page_knows (page, name);
  if (g_strcmp0 (name, "derived-metric") == 0 && !kymo_run_view_has_view (view, "function"))
    return FALSE;
  return (!needs_time (name) || kymo_run_view_has_time (view))
         && (!needs_parts (name) || kymo_run_view_get_n_parts (view) > 1);
}

static void
sync_correct_clocks (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self),
                                                "correct-clocks");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (
    KYMO_IS_RUN_PAGE (page)
    && kymo_run_page_get_correct_clocks (KYMO_RUN_PAGE (page))));
}

static void
set_state (KymoWindow *self, const char *name, gboolean state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (state));
}

static void
sync_session (KymoWindow *self, KymoRunView *view)
{
  KymoSession *session = view != NULL ? kymo_run_view_peek_session (view)
                         : NULL;

  set_state (self, "by-class", session != NULL
             && kymo_session_get_by_class (session));
  set_state (self, "extrapolate", session != NULL
             && kymo_session_get_extrapolates (session));
}

/** kymo_window_sync_actions: state and sensitivity as the visible tab has it */
void
kymo_window_sync_actions (KymoWindow *self)
{
  KymoRunView *view = kymo_window_get_view (self);

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self),
                                                    entries[i].name);

      if (needs_run (entries[i].name))
        g_simple_action_set_enabled (G_SIMPLE_ACTION (action),
                                     is_possible (self, view, entries[i].name));
      if (view != NULL && g_strcmp0 (entries[i].name, "view") == 0)
        g_simple_action_set_state (
          G_SIMPLE_ACTION (action),
          g_variant_new_string (kymo_run_view_get_view (view)));
      if (view != NULL && g_strcmp0 (entries[i].name, "view-group") == 0)
        g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (
          kymo_view_group_id (kymo_view_find (kymo_run_view_get_view (view))->group)));
    }
  sync_correct_clocks (self);
  sync_session (self, view);
  kymo_window_sync_panes (self);
}

/**
 * kymo_window_add_actions:
 *
 * Adds the win.* actions for the visible run to the window. To be called once.
 */
void
kymo_window_add_actions (KymoWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries,
                                   G_N_ELEMENTS (entries), self);
}

/* A line of a GMenu cannot be changed: another one takes its place. Lines are found by
   their action. */

static const struct { const char *action, *label; } lines[] = {
  { "win.explain", N_("Why {Rows} Stick O_ut") },
  { "win.by-class", N_("{Rows} by Cl_uster") },
  { "win.extrapolate", N_("E_xtrapolate to All {Rows}") },
  { "win.sidebar", N_("List of _{Rows}") },
};

static void
set_label (GMenuModel *menu, int index, const char *label)
{
  g_autoptr (GMenuItem) item = NULL;
  g_autofree char *before = NULL;

  g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s",
                                   &before);
  if (g_strcmp0 (before, label) == 0)
    return;
  item = g_menu_item_new_from_model (menu, index);
  g_menu_item_set_label (item, label);
  g_menu_remove (G_MENU (menu), index);
  g_menu_insert_item (G_MENU (menu), index, item);
}

static void
set_line (GMenuModel *menu, int index, KymoTerms terms)
{
  g_autofree char *action = NULL;

  if (!g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_ACTION,
                                        "s", &action))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (g_str_equal (action, lines[i].action))
      set_label (menu, index, kymo_in_terms (terms, _(lines[i].label)));
}

/** kymo_menu_set_terms: @menu: a #GMenu of sections and submenus */
void
kymo_menu_set_terms (GMenuModel *menu, KymoTerms terms)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) submenu
        = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);

      if (section != NULL || submenu != NULL)
        kymo_menu_set_terms (section != NULL ? section : submenu, terms);
      else
        set_line (menu, i, terms);
    }
}
