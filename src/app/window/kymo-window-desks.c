/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The actions of the window about what is kept: the desk of a run as a file that
 * can be sent, forgetting it, and colours saved by name.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-compare-page.h"
#include "kymo-controls.h"
#include "kymo-figure-dialog.h"
#include "kymo-palette-files.h"
#include "kymo-remote-settings.h"
#include "kymo-run-page.h"
#include "kymo-session-colors.h"
#include "kymo-settings.h"
#include "kymo-window-private.h"

static KymoDeskKeeper *
peek_keeper (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);

  return KYMO_IS_RUN_PAGE (page) && kymo_window_get_view (self) != NULL
         ? kymo_run_page_peek_keeper (KYMO_RUN_PAGE (page)) : NULL;
}

/* (nullable): the comparison in front, once it is there */
static KymoComparePage *
peek_comparison (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);

  return KYMO_IS_COMPARE_PAGE (page) && !kymo_page_is_loading (page)
         && kymo_compare_page_peek_view (KYMO_COMPARE_PAGE (page)) != NULL
         ? KYMO_COMPARE_PAGE (page) : NULL;
}

/* -- saving --------------------------------------------------------------- */

static void
on_save_path (const char *path, gpointer data)
{
  KymoWindow *self = data;
  KymoDeskKeeper *keeper = peek_keeper (self);
  g_autofree char *file = g_str_has_suffix (path, KYMO_DESK_SUFFIX)
    ? g_strdup (path) : g_strconcat (path, KYMO_DESK_SUFFIX, NULL);
  g_autoptr (KymoDesk) desk = NULL;
  g_autoptr (GError) error = NULL;

  if (keeper != NULL)
    desk = kymo_desk_keeper_dup_desk (keeper, file);
  else if (peek_comparison (self) != NULL)
    desk = kymo_compare_page_dup_desk (peek_comparison (self), file);
  if (desk == NULL)
    return;
  /* The runs of a comparison are found again by its desk alone. */
  if (kymo_desk_save (desk, file, &error))
    {
      kymo_window_say (self, _("Desk saved"));
      if (desk->comparison != NULL)
        kymo_settings_add_recent (file);
    }
  else
    kymo_window_say (self, error->message);
}

/* What is given away has to be of the run as it is. */
static void
save_desk (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;
  KymoPage *page = kymo_window_get_page (self);
  g_autofree char *name = NULL;

  if (peek_keeper (self) == NULL && peek_comparison (self) == NULL)
    return;
  name = g_strconcat (kymo_page_get_title (page), KYMO_DESK_SUFFIX, NULL);
  kymo_dialog_save_desk (GTK_WINDOW (self), name, on_save_path, self);
}

static void
save_desk_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  on_save_path (g_variant_get_bytestring (parameter), data);
}

static void
start_fresh (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoDeskKeeper *keeper = peek_keeper (data);

  if (keeper == NULL)
    return;
  kymo_desk_keeper_start_fresh (keeper);
  kymo_window_say (data, _("What was kept of this run is forgotten"));
}

/* -- opening -------------------------------------------------------------- */

/* Panes are the window's: another run has them, too. */
static void
show_panes_of (KymoWindow *self, const KymoDesk *desk)
{
  static const char *const names[KYMO_DESK_N_PANES] = { "sidebar", "legend", "details" };

  for (guint i = 0; i < KYMO_DESK_N_PANES; i++)
    if (desk->panes[i] >= 0)
      g_action_group_change_action_state (G_ACTION_GROUP (self), names[i],
                                          g_variant_new_boolean (desk->panes[i]));
}

/* Takes the desk. The tab of the run is the one in front when its path was opened. */
static void
open_run (KymoWindow *self, KymoDesk *desk, const char *run)
{
  KymoPage *page;

  kymo_window_open_path (self, run);
  page = kymo_window_get_page (self);
  if (!KYMO_IS_RUN_PAGE (page))
    {
      kymo_desk_free (desk);
      return;
    }
  show_panes_of (self, desk);
  kymo_desk_keeper_take (kymo_run_page_peek_keeper (KYMO_RUN_PAGE (page)), desk);
  kymo_page_tell_changed (page);
}

#define WAITING_KEY "kymo-waiting-desk"

static void
on_run_chosen (const char *path, gpointer data)
{
  KymoDesk *desk = g_object_steal_data (data, WAITING_KEY);

  if (desk != NULL)
    open_run (data, desk, path);
}

/**
 * kymo_window_open_desk:
 * @path: of its file
 *
 * Opens its run with it; where that is not to be found the person is asked.
 */
void
kymo_window_open_desk (KymoWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  KymoDesk *desk = kymo_desk_load (path, &error);
  g_autofree char *run = desk != NULL && desk->comparison == NULL
    ? kymo_desk_find_run (desk, path) : NULL;
  g_autofree char *title = NULL;

  if (desk == NULL)
    kymo_window_say (self, error->message);
  else if (desk->comparison != NULL)
    kymo_window_open_comparison (self, desk, path);
  else if (run != NULL && !g_str_has_suffix (run, KYMO_DESK_SUFFIX))
    open_run (self, desk, run);
  else
    {
      title = g_strdup_printf (_("Where Is the Run %s of This Desk?"),
                               desk->title != NULL ? desk->title : "");
      g_object_set_data_full (G_OBJECT (self), WAITING_KEY, desk,
                              (GDestroyNotify) kymo_desk_free);
      kymo_dialog_find_run (GTK_WINDOW (self), title, on_run_chosen, self);
    }
}

static void
on_desk_chosen (const char *path, gpointer data)
{
  kymo_window_open_desk (data, path);
}

static void
open_desk (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_dialog_open_desk (GTK_WINDOW (data), on_desk_chosen, data);
}

/* Upon the run in front, whichever it was saved of. */
static void
on_desk_to_apply (const char *path, gpointer data)
{
  KymoDeskKeeper *keeper = peek_keeper (data);
  g_autoptr (GError) error = NULL;
  KymoDesk *desk = keeper != NULL ? kymo_desk_load (path, &error) : NULL;

  if (desk != NULL && desk->comparison != NULL)
    {
      kymo_window_say (data, _("This desk is of a comparison: it can be opened, not used here"));
      kymo_desk_free (desk);
    }
  else if (desk != NULL)
    {
      show_panes_of (data, desk);
      kymo_desk_keeper_take (keeper, desk);
    }
  else if (error != NULL)
    kymo_window_say (data, error->message);
}

static void
apply_desk (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (peek_keeper (data) != NULL)
    kymo_dialog_open_desk (GTK_WINDOW (data), on_desk_to_apply, data);
}

static void
apply_desk_of (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  on_desk_to_apply (g_variant_get_bytestring (parameter), data);
}

/* -- the command line ----------------------------------------------------- */

/* Of a palette that was changed and not saved there is no name. */
static char *
dup_palette_name (KymoSession *session)
{
  KymoPalette *palette = kymo_session_peek_palette (session);
  g_autofree char *name = kymo_settings_peek () != NULL
    ? g_settings_get_string (kymo_settings_peek (), "palette") : g_strdup ("standard");
  g_autoptr (KymoPalette) named = kymo_palettes_load (name, NULL);

  if (named != NULL && kymo_palette_equal (named, palette))
    return g_steal_pointer (&name);
  return g_strdup (kymo_palette_get_base (palette) == KYMO_PALETTE_SAFE ? "safe" : "standard");
}

static void
copy_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;
  KymoPage *page = kymo_window_get_page (self);
  KymoRunView *view = kymo_window_get_view (self);
  const char *path = view != NULL ? kymo_page_get_path (page) : NULL;
  g_autofree char *palette = NULL, *line = NULL;

  if (view == NULL)
    {
      if (peek_comparison (self) != NULL)
        kymo_page_command (page, "copy-command");
      return;
    }
  if (path == NULL)
    {
      kymo_window_say (self, _("What is here lies in no file that kymo-cli could read"));
      return;
    }
  palette = dup_palette_name (kymo_run_view_peek_session (view));
  line = kymo_remote_settings_name_launch (kymo_run_view_dup_command (view, path, palette), path);
  if (line == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), line);
  kymo_window_say (self, _("Command copied"));
}

/* -- a figure ------------------------------------------------------------- */

static void
on_figure (const KymoExported *exported, const char *path, gpointer view)
{
  if (KYMO_IS_COMPARE_VIEW (view))
    kymo_compare_view_export (view, exported, path);
  else
    kymo_run_view_export (view, exported, path);
}

static void
ask_figure (KymoWindow *self, const KymoExported *exported, const char *runs, gpointer view)
{
  g_autofree char *palette = dup_palette_name (exported->session);

  kymo_figure_dialog_present (GTK_WINDOW (self), exported, runs, palette, on_figure,
                              G_OBJECT (view));
}

/* What is known of the runs is a table. */
static void
export_compared (KymoWindow *self, KymoComparePage *page)
{
  KymoCompareView *view = kymo_compare_page_peek_view (page);
  g_auto (KymoExported) exported = { NULL };
  g_autofree char *runs = NULL;

  if (!kymo_compare_view_find_export (view, &exported))
    {
      kymo_compare_view_command (view, "export");
      return;
    }
  runs = kymo_compare_view_dup_runs (view, &exported);
  ask_figure (self, &exported, runs, view);
}

/**
 * kymo_window_export:
 *
 * Opens the dialog that exports what the view in front shows; of a list of records, and of what is
 * known of runs that are compared, one that asks for a file.
 */
void
kymo_window_export (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);
  KymoRunView *view = kymo_window_get_view (self);
  g_auto (KymoExported) exported = { NULL };

  if (peek_comparison (self) != NULL)
    export_compared (self, peek_comparison (self));
  else if (view == NULL && page != NULL)
    kymo_page_command (page, "export");
  if (view == NULL)
    return;
  if (kymo_run_view_find_export (view, &exported))
    ask_figure (self, &exported, kymo_page_get_path (page), view);
  else
    kymo_run_view_command (view, "export");
}

/* -- colours by name ------------------------------------------------------ */

static void
fill_palettes (KymoWindow *self)
{
  g_auto (GStrv) names = kymo_palettes_list ();

  g_menu_remove_all (self->palettes);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *label = kymo_controls_dup_label (names[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "app.palette", "s", names[i]);
      g_menu_append_item (self->palettes, item);
    }
}

/* The palettes are the person's, in every window. */
static void
fill_all_palettes (KymoWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *item = windows; item != NULL; item = item->next)
    if (KYMO_IS_WINDOW (item->data))
      fill_palettes (item->data);
}

static KymoPalette *
load_palette_of_settings (void)
{
  g_autofree char *name = kymo_settings_peek () != NULL
    ? g_settings_get_string (kymo_settings_peek (), "palette") : NULL;

  return name != NULL ? kymo_palettes_load (name, NULL) : NULL;
}

static void
on_palette_named (const char *name, gpointer data)
{
  KymoWindow *self = data;
  KymoRunView *view = kymo_window_get_view (self);
  g_autofree char *words = NULL, *own = g_strstrip (g_strdup (name));
  g_autoptr (KymoPalette) before = load_palette_of_settings ();
  g_autoptr (GError) error = NULL;

  if (view == NULL)
    return;
  if (!kymo_palettes_save (kymo_session_peek_palette (kymo_run_view_peek_session (view)),
                           own, &error))
    {
      kymo_window_say (self, error->message);
      return;
    }
  kymo_page_replace_palette (before, own);
  words = g_strdup_printf (_("Colours saved as “%s”"), own);
  kymo_window_say (self, words);
  fill_all_palettes (self);
}

static void
save_colors (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GSettings *settings = kymo_settings_peek ();
  g_autofree char *name = settings != NULL ? g_settings_get_string (settings, "palette")
                                           : NULL;

  if (kymo_window_get_view (data) == NULL)
    return;
  if (g_strcmp0 (name, "standard") == 0 || g_strcmp0 (name, "safe") == 0)
    g_clear_pointer (&name, g_free);
  kymo_dialog_ask_text (GTK_WINDOW (data), _("Save Colours As"),
                        _("A name for these colours; every run can have them"),
                        name != NULL ? name : "", _("_Save"), on_palette_named, data);
}

static void
reset_colors (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoRunView *view = kymo_window_get_view (data);

  if (view != NULL)
    kymo_page_apply_palette (kymo_run_view_peek_session (view));
}

/* -- the actions ---------------------------------------------------------- */

static const GActionEntry entries[] = {
  { "save-desk", save_desk, NULL, NULL, NULL, { 0 } },
  { "save-desk-to", save_desk_to, "ay", NULL, NULL, { 0 } },
  { "start-fresh", start_fresh, NULL, NULL, NULL, { 0 } },
  { "apply-desk", apply_desk, NULL, NULL, NULL, { 0 } },
  { "copy-command", copy_command, NULL, NULL, NULL, { 0 } },
  { "apply-desk-of", apply_desk_of, "ay", NULL, NULL, { 0 } },
  { "save-colors", save_colors, NULL, NULL, NULL, { 0 } },
  { "reset-colors", reset_colors, NULL, NULL, NULL, { 0 } },
};

/** kymo_window_sync_desks: a draft is no run yet, and a stream has no files */
void
kymo_window_sync_desks (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);
  gboolean has_view = kymo_window_get_view (self) != NULL;
  gboolean compares = peek_comparison (self) != NULL;
  gboolean enabled = has_view && peek_keeper (self) != NULL
                     && !kymo_page_is_loading (page);

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      const char *name = entries[i].name;
      gboolean copies = g_str_equal (name, "copy-command");

      g_simple_action_set_enabled (G_SIMPLE_ACTION (
        g_action_map_lookup_action (G_ACTION_MAP (self), name)),
        (copies || g_str_has_suffix (name, "-colors") ? has_view : enabled)
        || (compares && (copies || g_str_has_prefix (name, "save-desk"))));
    }
}

/**
 * kymo_window_add_desks:
 *
 * Adds the actions for desks and palettes to the window, and fills the menu of palettes. To be
 * called once.
 */
void
kymo_window_add_desks (KymoWindow *self)
{
  static const GActionEntry always[] = { { "open-desk", open_desk, NULL, NULL, NULL, { 0 } } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), always, G_N_ELEMENTS (always), self);
  fill_palettes (self);
}
