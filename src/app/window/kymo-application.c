/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows, actions and keys. What was asked for on the command line is of
 * kymo-application-options.c.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-application.h"
#include "kymo-application-options.h"
#include "kymo-application-start.h"
#include "kymo-askpass-dialog.h"
#include "kymo-canvas.h"
#include "kymo-compare-page.h"
#include "kymo-help.h"
#include "kymo-in-terms.h"
#include "kymo-places.h"
#include "kymo-preferences.h"
#include "kymo-remote-file.h"
#include "kymo-screenshot.h"
#include "kymo-line-widths.h"
#include "kymo-settings.h"
#include "kymo-shortcuts.h"
#include "kymo-stream-file.h"
#include "kymo-view-groups.h"
#include "kymo-window.h"

struct _KymoApplication
{
  AdwApplication  parent_instance;

  char           *screenshot;      /* folder, or NULL */
  char           *actions;         /* to be done for it, or NULL */
  char           *size;            /* "1280x800", or NULL */
  gboolean        dark;
  double          text_scale;      /* instead of the desktop's; 0 = that one */
  KymoAskpass    *askpass;         /* while the program runs, or NULL */
};

G_DEFINE_FINAL_TYPE (KymoApplication, kymo_application, ADW_TYPE_APPLICATION)

/* -- the sample ----------------------------------------------------------- */

/* Installed, beside the sources, or moved together with the program. */
static char *
dup_sample_path (void)
{
  return kymo_settings_dup_data_folder (KYMO_SAMPLE_DIR, KYMO_SOURCE_SAMPLE_DIR);
}

/* -- windows -------------------------------------------------------------- */

static KymoWindow *
get_window (KymoApplication *self)
{
  GtkWindow *window
    = gtk_application_get_active_window (GTK_APPLICATION (self));
  int width, height;

  while (window != NULL && !KYMO_IS_WINDOW (window))
    window = gtk_window_get_transient_for (window);
  if (window == NULL)
    {
      window = GTK_WINDOW (kymo_window_new (ADW_APPLICATION (self)));
      if (self->size != NULL
          && sscanf (self->size, "%dx%d", &width, &height) == 2)
        gtk_window_set_default_size (window, CLAMP (width, 200, 8192),
                                     CLAMP (height, 200, 8192));
      if (self->screenshot != NULL)
        kymo_screenshot_start (KYMO_WINDOW (window), self->screenshot,
                               self->actions);
    }
  return KYMO_WINDOW (window);
}

static void
kymo_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (get_window (KYMO_APPLICATION (application))));
}

static void
kymo_application_open (GApplication *application, GFile **files, int n_files,
                       const char *hint)
{
  KymoWindow *window = get_window (KYMO_APPLICATION (application));

  for (int i = 0; i < n_files; i++)
    {
      g_autofree char *path = g_file_get_path (files[i]);

      if (path != NULL)
        kymo_window_open_path (window, path);
    }
  gtk_window_present (GTK_WINDOW (window));
}

/* -- actions -------------------------------------------------------------- */

static void
sample (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *path = dup_sample_path ();
  KymoWindow *window = get_window (data);

  kymo_window_open_path (window, path != NULL ? path : KYMO_SAMPLE_DIR);
  gtk_window_present (GTK_WINDOW (window));
}

/* Of the command line; the bytes of ssh://… as they were given. */
static void
open_address (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);

  kymo_window_open_path (window, g_variant_get_bytestring (parameter));
  gtk_window_present (GTK_WINDOW (window));
}

/* Of the command line. */
static void
open_with (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_run_view_open_with (g_variant_get_string (parameter, NULL));
}

/* -- streams -------------------------------------------------------------- */

static void
attach_application (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);

  gtk_window_present (GTK_WINDOW (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "attach", NULL);
}

static void
attach_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  g_autoptr (KymoAttachChoice) choice = kymo_attach_choice_new (
    g_variant_get_string (parameter, NULL), NULL, NULL, NULL);

  kymo_window_attach_unasked (window, choice);
  gtk_window_present (GTK_WINDOW (window));
}

/* Address, tunnel, key file, names; what is left out is empty. */
static void
attach_with (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  g_auto (GStrv) words = g_variant_dup_bytestring_array (parameter, NULL);
  g_autoptr (KymoAttachChoice) choice = NULL;

  if (g_strv_length (words) != 4)
    return;
  choice = kymo_attach_choice_new (words[0], words[1], words[2], words[3]);
  kymo_window_attach_unasked (window, choice);
  gtk_window_present (GTK_WINDOW (window));
}

static void
replay_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  g_autofree char *path
    = kymo_settings_decode_path (g_variant_get_string (parameter, NULL));

  kymo_window_replay (window, path);
  gtk_window_present (GTK_WINDOW (window));
}

static void
compare_application (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  g_auto (GStrv) paths = g_variant_dup_bytestring_array (parameter, NULL);

  kymo_window_compare_paths (window, (const char *const *) paths);
  gtk_window_present (GTK_WINDOW (window));
}

/* The page of an alarm, in whichever window it is. */
static void
show_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint id = g_variant_get_uint32 (parameter);

  for (GList *item = gtk_application_get_windows (data); item != NULL;
       item = item->next)
    if (KYMO_IS_WINDOW (item->data)
        && kymo_window_show_page (item->data, id))
      {
        gtk_window_present (item->data);
        return;
      }
}

/* The recording that comes with the program, as if it ran. */
static void
sample_stream (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  g_autofree char *folder = dup_sample_path ();
  g_autofree char *path
    = g_build_filename (folder != NULL ? folder : KYMO_SAMPLE_DIR,
                        "load" KYMO_STREAM_SUFFIX, NULL);

  kymo_window_replay (window, path);
  gtk_window_present (GTK_WINDOW (window));
}

/* Closed as by hand: what is not saved is asked about. */
static void
quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GList) windows
    = g_list_copy (gtk_application_get_windows (data));

  for (GList *item = windows; item != NULL; item = item->next)
    if (KYMO_IS_WINDOW (item->data))
      gtk_window_close (item->data);
}

static void
about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  adw_show_about_window (GTK_WINDOW (get_window (data)),
                         "application-name", _("Kymo"),
                         "application-icon", KYMO_APP_ID,
                         "version", KYMO_VERSION,
                         "developer-name", _("The Kymo developers"),
                         "comments", _("See what a parallel program did"),
                         "license-type", GTK_LICENSE_GPL_3_0, NULL);
}

/* At the page of what is in front. */
static void
help_application (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *window = get_window (data);
  KymoPage *page = kymo_window_get_page (window);
  KymoRunView *view = page != NULL ? kymo_page_get_view (page) : NULL;

  kymo_help_present (GTK_WINDOW (window),
                     KYMO_IS_COMPARE_PAGE (page) ? "compare"
                     : view != NULL ? kymo_view_tab_of (kymo_run_view_get_view (view))
                                    : KYMO_HELP_START);
}

static void
shortcuts (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *parent = get_window (data);
  KymoPage *page = kymo_window_get_page (parent);
  KymoRunView *view = page != NULL ? kymo_page_get_view (page) : NULL;
  KymoTerms terms = { KYMO_ROW_PE, KYMO_CODE_ENTRY_METHOD };

  if (view != NULL)
    terms = kymo_session_get_terms (kymo_run_view_peek_session (view));
  kymo_shortcuts_present (GTK_WINDOW (parent), terms);
}

static void
preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_preferences_present (GTK_WINDOW (get_window (data)));
}

static void
set_scheme (GSimpleAction *action, GVariant *state, gpointer data)
{
  static const struct { const char *name; AdwColorScheme scheme; } schemes[] = {
    { "system", ADW_COLOR_SCHEME_DEFAULT },
    { "light", ADW_COLOR_SCHEME_FORCE_LIGHT },
    { "dark", ADW_COLOR_SCHEME_FORCE_DARK },
  };
  const char *name = g_variant_get_string (state, NULL);

  g_simple_action_set_state (action, state);
  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_strcmp0 (name, schemes[i].name) == 0)
      {
        adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                            schemes[i].scheme);
        if (kymo_settings_peek () != NULL)
          g_settings_set_string (kymo_settings_peek (), "color-scheme", name);
      }
}

static const GActionEntry entries[] = {
  { "open-with", open_with, "s", NULL, NULL, { 0 } },
  { "open-address", open_address, "ay", NULL, NULL, { 0 } },
  { "sample", sample, NULL, NULL, NULL, { 0 } },
  { "attach", attach_application, NULL, NULL, NULL, { 0 } },
  { "attach-to", attach_to, "s", NULL, NULL, { 0 } },
  { "attach-with", attach_with, "aay", NULL, NULL, { 0 } },
  { "replay-file", replay_file, "s", NULL, NULL, { 0 } },
  { "sample-stream", sample_stream, NULL, NULL, NULL, { 0 } },
  { "compare", compare_application, "aay", NULL, NULL, { 0 } },
  { "show-page", show_page, "u", NULL, NULL, { 0 } },
  { "quit", quit, NULL, NULL, NULL, { 0 } },
  { "about", about, NULL, NULL, NULL, { 0 } },
  { "shortcuts", shortcuts, NULL, NULL, NULL, { 0 } },
  { "help", help_application, NULL, NULL, NULL, { 0 } },
  { "preferences", preferences, NULL, NULL, NULL, { 0 } },
  { "color-scheme", NULL, "s", "'system'", set_scheme, { 0 } },
};

static const struct { const char *action; const char *keys[3]; } keys[] = {
  { "win.open", { "<Control>o" } },
  { "win.attach", { "<Control><Shift>o" } },
  { "win.stream-save", { "<Control>s" } },
  { "win.stream-record", { "<Control>r" } },
  { "win.close-tab", { "<Control>w" } },
  { "win.export", { "<Control>e" } },
  { "win.search", { "<Control>f" } },
  { "win.go-to", { "<Control>g" } },
  { "win.go-anywhere", { "<Control>p" } },
  { "win.copy-picture", { "<Control><Shift>c" } },
  { "win.compare", { "<Control>d" } },
  { "win.reload", { "F5" } },
  { "win.save-desk", { "<Control><Shift>s" } },
  { "win.copy-command", { "<Control><Alt>c" } },
  { "win.split-right", { "<Control><Shift>r" } },
  { "win.split-below", { "<Control><Shift>b" } },
  { "win.close-part", { "<Control><Shift>w" } },
  { "win.next-part", { "F6" } },
  { "win.previous-part", { "<Shift>F6" } },
  { "win.through-group::overview", { "<Control>1" } },
  { "win.through-group::time", { "<Control>2" } },
  { "win.through-group::load", { "<Control>3" } },
  { "win.through-group::code", { "<Control>4" } },
  { "win.through-group::messages", { "<Control>5" } },
  { "win.through-group::records", { "<Control>6" } },
  { "win.through-group::live", { "<Control>7" } },
  { "win.sidebar", { "F9" } },
  { "win.explain", { "<Control>i" } },
  { "win.by-class", { "<Control>k" } },
  { "win.extrapolate", { "<Control><Shift>e" } },
  { "win.back", { "<Alt>Left" } },
  { "win.forward", { "<Alt>Right" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.fit", { "<Control>0" } },
  { "win.table", { "<Control>t" } },
  { "win.derived-metric", { "<Control>m" } },
  { "app.help", { "F1" } },
  { "app.shortcuts", { "<Control>question" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.quit", { "<Control>q" } },
};

/* -- life ----------------------------------------------------------------- */

static void
restore_scheme (KymoApplication *self)
{
  GSettings *settings = kymo_settings_peek ();
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self),
                                                "color-scheme");

  kymo_settings_apply_scheme ();
  if (settings != NULL)
    kymo_line_widths_use (settings, "column-widths");
  if (settings != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action),
                               g_settings_get_value (settings,
                                                     "color-scheme"));
  if (self->dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                        ADW_COLOR_SCHEME_FORCE_DARK);
  if (self->text_scale > 0)
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                  (int) (96 * 1024 * self->text_scale), NULL);
}

static void
on_drag_pans (GSettings *settings)
{
  kymo_canvas_set_drag_pans (g_settings_get_boolean (settings, "drag-pans"));
}

/* The menu and the preferences window set the same. */
static void
on_scheme (GSettings *settings, const char *key, gpointer data)
{
  GAction *action = g_action_map_lookup_action (data, "color-scheme");
  g_autoptr (GVariant) now = g_action_get_state (action);
  g_autoptr (GVariant) wanted = g_settings_get_value (settings, key);

  if (!g_variant_equal (now, wanted))
    g_action_change_state (action, wanted);
}

static void
on_snaps (GSettings *settings)
{
  kymo_canvas_set_snaps (g_settings_get_boolean (settings, "snap-to-edges"));
}

static void
on_row_height (double px, gpointer settings)
{
  g_settings_set_double (settings, "row-height", px);
}

/* Preferences that are nothing but a setting are actions as they are. */
static void
add_preferences (KymoApplication *self)
{
  static const char *const names[] = { "palette", "drag-pans", "keep-desks",
                                       "snap-to-edges" };
  GSettings *settings = kymo_settings_peek ();

  if (settings == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GAction) action = g_settings_create_action (settings,
                                                             names[i]);

      g_action_map_add_action (G_ACTION_MAP (self), action);
    }
  g_signal_connect (settings, "changed::drag-pans", G_CALLBACK (on_drag_pans),
                    NULL);
  on_drag_pans (settings);
  g_signal_connect_object (settings, "changed::color-scheme", G_CALLBACK (on_scheme), self, 0);
  g_signal_connect (settings, "changed::snap-to-edges", G_CALLBACK (on_snaps),
                    NULL);
  on_snaps (settings);
  kymo_canvas_set_row_height (g_settings_get_double (settings, "row-height"));
  kymo_canvas_on_row_height (on_row_height, settings);
}

/* -- being told to end ---------------------------------------------------- */

/* As when all windows are closed, but nobody is there to be asked: desks are kept, what is
   half written goes. */
static gboolean
on_told_to_end (gpointer data)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (data));

  /* Without any it waits for work, or for a thread that writes. */
  if (windows == NULL)
    g_application_quit (data);
  for (GList *item = windows; item != NULL; item = item->next)
    if (KYMO_IS_WINDOW (item->data))
      gtk_window_destroy (item->data);
  return G_SOURCE_REMOVE;
}

static void
kymo_application_startup (GApplication *application)
{
  KymoApplication *self = KYMO_APPLICATION (application);
  const KymoRemoteWay way = { .server = g_getenv ("KYMO_SERVER"), .shares = TRUE };

  G_APPLICATION_CLASS (kymo_application_parent_class)->startup (application);
  kymo_remote_files_use (&way);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries,
                                   G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self),
                                           keys[i].action, keys[i].keys);
  gtk_window_set_default_icon_name (KYMO_APP_ID);
  restore_scheme (self);
  add_preferences (self);
  self->askpass = kymo_askpass_start (kymo_askpass_dialog_ask, self);
  kymo_application_heed_signals (application, on_told_to_end);
}

/* The loop has ended: nothing that comes now is taken. */
static void
kymo_application_shutdown (GApplication *application)
{
  kymo_application_release_name (application);
  g_clear_pointer (&KYMO_APPLICATION (application)->askpass, kymo_askpass_free);
  G_APPLICATION_CLASS (kymo_application_parent_class)->shutdown (application);
}

static int
kymo_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  KymoApplication *self = KYMO_APPLICATION (application);

  g_variant_dict_lookup (options, "screenshot", "^ay", &self->screenshot);
  g_variant_dict_lookup (options, "do", "s", &self->actions);
  g_variant_dict_lookup (options, "size", "s", &self->size);
  g_variant_dict_lookup (options, "dark", "b", &self->dark);
  g_variant_dict_lookup (options, "text-scale", "d", &self->text_scale);
  if (self->screenshot != NULL)
    g_application_set_flags (application,
                             g_application_get_flags (application)
                             | G_APPLICATION_NON_UNIQUE);
  return kymo_application_do_options (application, options);
}

static void
kymo_application_finalize (GObject *object)
{
  KymoApplication *self = KYMO_APPLICATION (object);

  g_free (self->screenshot);
  g_free (self->actions);
  g_free (self->size);
  G_OBJECT_CLASS (kymo_application_parent_class)->finalize (object);
}

static void
kymo_application_class_init (KymoApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = kymo_application_finalize;
  application_class->startup = kymo_application_startup;
  application_class->shutdown = kymo_application_shutdown;
  application_class->activate = kymo_application_activate;
  application_class->open = kymo_application_open;
  application_class->handle_local_options
    = kymo_application_handle_local_options;
}

static void
kymo_application_init (KymoApplication *self)
{
  kymo_application_add_options (G_APPLICATION (self));
}

/**
 * kymo_application_choose_renderer:
 *
 * Where GL is computed by software or goes over the network, cairo is several
 * times as fast; GTK 4 does not choose it there by itself. Where cairo paints,
 * GL is not even looked for: that is a third of the time to the first window.
 * Before anything of GTK.
 */
void
kymo_application_choose_renderer (void)
{
  const char *display = g_getenv ("DISPLAY");
  gboolean wayland = g_getenv ("WAYLAND_DISPLAY") != NULL;
  gboolean local = display != NULL && display[0] == ':';

  if (g_getenv ("GSK_RENDERER") == NULL
      && (!g_file_test ("/dev/dri", G_FILE_TEST_IS_DIR)
          || (!wayland && display != NULL && !local)))
    g_setenv ("GSK_RENDERER", "cairo", TRUE);
  if (g_strcmp0 (g_getenv ("GSK_RENDERER"), "cairo") == 0)
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
}

/**
 * kymo_application_new:
 *
 * Returns: (transfer full): the application, with one process for all windows of the person
 */
KymoApplication *
kymo_application_new (void)
{
  return g_object_new (KYMO_TYPE_APPLICATION, "application-id", KYMO_APP_ID,
                       "resource-base-path", "/io/github/kymo_trace/Kymo",
                       "flags", G_APPLICATION_HANDLES_OPEN, NULL);
}
