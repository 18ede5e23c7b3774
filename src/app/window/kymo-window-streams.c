/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window and its streams: tabs of feeds, alarms, and the win.stream-*
 * actions.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-alarms.h"
#include "kymo-attach-dialog.h"
#include "kymo-dialogs.h"
#include "kymo-feed-page.h"
#include "kymo-names-beside.h"
#include "kymo-stream-file.h"
#include "kymo-stream-settings.h"
#include "kymo-watch-editor.h"
#include "kymo-window-private.h"

/* -- tabs ----------------------------------------------------------------- */

static KymoFeedPage *
get_feed_page (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);

  return KYMO_IS_FEED_PAGE (page) ? KYMO_FEED_PAGE (page) : NULL;
}

/* Does not queue behind what was said of other things, and stays long enough
   to be read; an alarm so long that who looks up sees it. */
#define SENTENCE_S 15
#define ALARM_S 20

static void
say_at_once (KymoWindow *self, const char *sentence, guint seconds, const char *button,
             const char *action, GVariant *target)
{
  AdwToast *toast = kymo_window_toast_new (sentence);

  adw_toast_set_timeout (toast, seconds);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  if (button != NULL)
    {
      adw_toast_set_button_label (toast, button);
      adw_toast_set_action_name (toast, action);
      adw_toast_set_action_target_value (toast, target);
    }
  kymo_window_add_toast (self, toast);
}

static void
on_alarm (KymoWindow *self, const char *sentence, KymoFeedPage *page)
{
  AdwTabPage *tab = kymo_window_find_tab (self, page);
  guint id = kymo_feed_page_get_id (page);
  gboolean selected;

  if (tab == NULL)
    return;
  selected = adw_tab_page_get_selected (tab);
  adw_tab_page_set_needs_attention (tab, !selected);
  if (selected)
    say_at_once (self, sentence, ALARM_S, NULL, NULL, NULL);
  else
    say_at_once (self, sentence, ALARM_S, _("_Show"), "app.show-page",
                 g_variant_new_uint32 (id));
  /* On the desktop in any case: who set it may look at another screen. */
  kymo_alarms_tell (id, kymo_page_get_title (KYMO_PAGE (page)), sentence);
}

/* A sentence with ways to the file: what is recorded still can be opened, and when it is whole be
   played as well. */
static void
on_saved (KymoWindow *self, const char *path, const char *sentence,
          KymoFeedPage *page)
{
  KymoFeedStatus status = { 0 };
  gboolean goes_on;

  kymo_feed_get_status (kymo_feed_page_peek_feed (page), &status);
  goes_on = status.recording != NULL;
  kymo_feed_status_clear (&status);
  if (goes_on)
    say_at_once (self, sentence, SENTENCE_S, _("_Open"), "win.open-path",
                 g_variant_new_bytestring (path));
  else
    kymo_window_say_recorded (self, sentence, path);
  kymo_window_close_saved (self, page, path);
}

static void
show_indicator (KymoWindow *self, KymoFeedPage *page)
{
  AdwTabPage *tab = kymo_window_find_tab (self, page);
  g_autoptr (GIcon) icon = g_themed_icon_new (
    kymo_feed_is_playback (kymo_feed_page_peek_feed (page))
    ? "media-playback-start-symbolic" : "network-transmit-receive-symbolic");
  g_autoptr (GIcon) record = kymo_feed_page_is_recording (page)
                             ? g_themed_icon_new ("media-record-symbolic")
                             : NULL;

  if (tab == NULL)
    return;
  adw_tab_page_set_icon (tab, icon);
  adw_tab_page_set_indicator_icon (tab, record);
}

static KymoFeedPage *
add_feed (KymoWindow *self, KymoFeed *feed)
{
  g_autoptr (GPtrArray) conditions = kymo_stream_settings_dup_conditions ();
  GtkWidget *page;

  kymo_feed_set_ring_bytes (feed, kymo_stream_settings_get_kept_bytes ());
  page = kymo_feed_page_new (feed);
  kymo_feed_page_set_conditions (KYMO_FEED_PAGE (page), conditions);
  kymo_follow (page, "alarm", on_alarm, self);
  kymo_follow (page, "saved", on_saved, self);
  kymo_follow (page, "changed", show_indicator, self);
  kymo_window_add_page (self, page);
  show_indicator (self, KYMO_FEED_PAGE (page));
  return KYMO_FEED_PAGE (page);
}

/* Of the tabs, the visible one first. */
static GStrv
dup_open_paths (KymoWindow *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  KymoPage *page = kymo_window_get_page (self);

  if (page != NULL && kymo_page_get_path (page) != NULL)
    g_strv_builder_add (builder, kymo_page_get_path (page));
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);

      page = KYMO_PAGE (adw_tab_page_get_child (tab));
      if (kymo_page_get_path (page) != NULL)
        g_strv_builder_add (builder, kymo_page_get_path (page));
    }
  return g_strv_builder_end (builder);
}

static KymoFeedPage *
attach_page (KymoWindow *self, const KymoAttachChoice *choice)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoCcsTarget) target = kymo_attach_choice_parse (choice, &error);
  g_autoptr (KymoFeed) feed = NULL;
  KymoFeedPage *page;

  if (target == NULL)
    {
      kymo_window_say (self, error->message);
      return NULL;
    }
  feed = kymo_feed_new_attached (target);
  page = add_feed (self, feed);
  g_object_set_data_full (G_OBJECT (page), KYMO_ATTACH_CHOICE_KEY, kymo_attach_choice_new (
    choice->address, choice->through, choice->key_file, choice->names),
    (GDestroyNotify) kymo_attach_choice_free);
  if (*choice->names != 0)
    kymo_feed_page_set_names (page, choice->names);
  kymo_stream_settings_add_target (choice);
  return page;
}

/** kymo_window_attach: to what a person chose, with these names or none */
void
kymo_window_attach (KymoWindow *self, const KymoAttachChoice *choice)
{
  attach_page (self, choice);
}

static void
on_names_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (KymoFeedPage) page = data;
  g_autofree char *found = kymo_names_beside_find_finish (result);

  if (found != NULL && gtk_widget_get_root (GTK_WIDGET (page)) != NULL
      && !kymo_feed_page_has_names (page))
    kymo_feed_page_set_names (page, found);
}

/**
 * kymo_window_attach_unasked:
 *
 * As kymo_window_attach(), but where @choice has no names, those that lie
 * beside a run that is open are taken.
 */
void
kymo_window_attach_unasked (KymoWindow *self, const KymoAttachChoice *choice)
{
  KymoFeedPage *page = attach_page (self, choice);
  g_auto (GStrv) paths = dup_open_paths (self);

  if (page != NULL && *choice->names == 0)
    kymo_names_beside_find_async ((const char *const *) paths, NULL,
                                  on_names_found, g_object_ref (page));
}

/**
 * kymo_window_replay:
 * @path: a recording
 *
 * Plays a recording in a new tab. Where it cannot be read the tab says so.
 */
void
kymo_window_replay (KymoWindow *self, const char *path)
{
  g_autoptr (KymoFeed) feed = kymo_feed_new_playback (path);

  add_feed (self, feed);
}

/**
 * kymo_window_show_page:
 * @id: from kymo_feed_page_get_id()
 *
 * Selects the tab of a stream.
 *
 * Returns: whether this window has the tab
 */
gboolean
kymo_window_show_page (KymoWindow *self, guint id)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
      GtkWidget *page = adw_tab_page_get_child (tab);

      if (KYMO_IS_FEED_PAGE (page)
          && kymo_feed_page_get_id (KYMO_FEED_PAGE (page)) == id)
        {
          adw_tab_view_set_selected_page (self->tabs, tab);
          return TRUE;
        }
    }
  return FALSE;
}

/* -- attaching ------------------------------------------------------------ */

static void
on_chosen (const KymoAttachChoice *choice, gpointer data)
{
  kymo_window_attach (data, choice);
}

static void
attach_window_streams (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_auto (GStrv) paths = dup_open_paths (data);

  kymo_attach_dialog_present (data, NULL, (const char *const *) paths,
                              on_chosen, data);
}

/* In the place of a tab that shows nothing. */
static void
on_changed (const KymoAttachChoice *choice, gpointer page)
{
  KymoWindow *self = kymo_window_of_page (page);
  AdwTabPage *tab;

  if (self == NULL)
    return;
  kymo_window_attach (self, choice);
  tab = kymo_window_find_tab (self, page);
  if (tab != NULL && !kymo_feed_page_has_blocks (page))
    adw_tab_view_close_page (self->tabs, tab);
}

/* The dialog once more, as it was filled in. */
static void
change_window_streams (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoWindow *self = data;
  KymoFeedPage *page = get_feed_page (self);
  g_auto (GStrv) paths = NULL;

  if (page == NULL)
    return;
  paths = dup_open_paths (self);
  kymo_attach_dialog_present (GTK_WINDOW (self),
                              g_object_get_data (G_OBJECT (page), KYMO_ATTACH_CHOICE_KEY),
                              (const char *const *) paths, on_changed, page);
}

static void
retry (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_page_reload (KYMO_PAGE (page));
}

/* -- saving and recording ------------------------------------------------- */

static void
on_save_path (const char *path, gpointer page)
{
  kymo_feed_page_save (page, path, FALSE, TRUE);
}

static void
on_record_path (const char *path, gpointer page)
{
  kymo_feed_page_save (page, path, TRUE, TRUE);
}

/** kymo_window_ask_for_file: @done: gets the page */
void
kymo_window_ask_for_file (KymoWindow *self, KymoFeedPage *page,
                          const char *title, KymoDialogDone done)
{
  g_autofree char *name = kymo_feed_page_dup_file_name (page);

  kymo_dialog_save_recording (GTK_WINDOW (self), title, name, done, page);
}

static void
save_window_streams (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_window_ask_for_file (data, page, _("Save What Was Seen"),
                              on_save_path);
}

static void
save_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_feed_page_save (page, g_variant_get_string (parameter, NULL), FALSE,
                         FALSE);
}

/* (transfer full): the folder of recordings without a name of their own */
static char *
dup_record_path (KymoFeedPage *page)
{
  const char *documents = g_get_user_special_dir (G_USER_DIRECTORY_DOCUMENTS);
  g_autofree char *name = kymo_feed_page_dup_file_name (page);

  return g_build_filename (documents != NULL ? documents : g_get_home_dir (), name, NULL);
}

/* The state follows the page, which knows when a recording has begun. What comes is not waiting for
   the choice of a file. */
static void
set_record (GSimpleAction *action, GVariant *state, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  g_autofree char *path = NULL;

  if (page == NULL)
    return;
  if (kymo_feed_page_is_recording (page))
    {
      kymo_feed_page_stop_recording (page, FALSE);
      return;
    }
  path = dup_record_path (page);
  kymo_feed_page_save (page, path, TRUE, FALSE);
}

static void
record_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_window_ask_for_file (data, page, _("Record the Stream"), on_record_path);
}

static void
record_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_feed_page_save (page, g_variant_get_string (parameter, NULL), TRUE,
                         FALSE);
}

/* -- names and conditions ------------------------------------------------- */

static void
on_names_path (const char *path, gpointer page)
{
  kymo_feed_page_set_names (page, path);
}

static void
names (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_dialog_open_names (GTK_WINDOW (data), on_names_path, page);
}

static void
names_from (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  KymoFeedPage *page = get_feed_page (data);

  if (page != NULL)
    kymo_feed_page_set_names (page, g_variant_get_string (parameter, NULL));
}

/* They hold for all streams that are followed, and for later ones. */
static void
on_watch_edited (GPtrArray *conditions, gpointer data)
{
  KymoWindow *self = data;

  kymo_stream_settings_set_conditions (conditions);
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
      GtkWidget *page = adw_tab_page_get_child (tab);

      if (KYMO_IS_FEED_PAGE (page))
        kymo_feed_page_set_conditions (KYMO_FEED_PAGE (page), conditions);
    }
}

static void
watch_window_streams (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GPtrArray) conditions = kymo_stream_settings_dup_conditions ();
  KymoRunView *view = kymo_window_get_view (data);

  kymo_watch_editor_show (data, conditions, view != NULL
    ? kymo_session_peek_names (kymo_run_view_peek_session (view)) : NULL,
    on_watch_edited, data);
}

/* The alarm that is proposed, beside those that are there. */
static void
warn_of_hang (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GPtrArray) conditions = kymo_stream_settings_dup_conditions ();

  g_ptr_array_add (conditions, kymo_watch_propose ());
  on_watch_edited (conditions, data);
}

/* -- playing -------------------------------------------------------------- */

/* The recording that the visible tab shows, or NULL. */
static const char *
peek_recording (KymoWindow *self)
{
  KymoPage *page = kymo_window_get_page (self);
  const char *path = page != NULL ? kymo_page_get_path (page) : NULL;

  return path != NULL && g_str_has_suffix (path, KYMO_STREAM_SUFFIX) ? path
                                                                     : NULL;
}

static void
replay (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = peek_recording (data);

  if (path != NULL)
    kymo_window_replay (data, path);
}

static void
replay_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kymo_window_replay (data, g_variant_get_bytestring (parameter));
}

/* -- the actions ---------------------------------------------------------- */

static const GActionEntry entries[] = {
  { "attach", attach_window_streams, NULL, NULL, NULL, { 0 } },
  { "stream-change", change_window_streams, NULL, NULL, NULL, { 0 } },
  { "stream-retry", retry, NULL, NULL, NULL, { 0 } },
  { "stream-save", save_window_streams, NULL, NULL, NULL, { 0 } },
  { "stream-save-to", save_to, "s", NULL, NULL, { 0 } },
  { "stream-record", NULL, NULL, "false", set_record, { 0 } },
  { "stream-record-as", record_as, NULL, NULL, NULL, { 0 } },
  { "stream-record-to", record_to, "s", NULL, NULL, { 0 } },
  { "stream-names", names, NULL, NULL, NULL, { 0 } },
  { "stream-names-from", names_from, "s", NULL, NULL, { 0 } },
  { "stream-watch", watch_window_streams, NULL, NULL, NULL, { 0 } },
  { "stream-warn", warn_of_hang, NULL, NULL, NULL, { 0 } },
  { "replay", replay, NULL, NULL, NULL, { 0 } },
  { "replay-path", replay_path, "ay", NULL, NULL, { 0 } },
};

static void
enable (KymoWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* Who turns to a stream need not be told of it any longer; what is told while
   they look stays until they turn to it anew. */
static void
note_look (KymoWindow *self, KymoFeedPage *page)
{
  guint at = page != NULL && gtk_window_is_active (GTK_WINDOW (self))
             ? kymo_feed_page_get_id (page) + 1 : 0;

  if (at != 0 && at != self->looked_at)
    kymo_alarms_withdraw (at - 1);
  self->looked_at = at;
}

/** kymo_window_sync_streams: actions as the visible tab has them */
void
kymo_window_sync_streams (KymoWindow *self)
{
  KymoFeedPage *page = get_feed_page (self);
  KymoFeed *feed = page != NULL ? kymo_feed_page_peek_feed (page) : NULL;
  gboolean live = feed != NULL && !kymo_feed_is_playback (feed);
  gboolean seen = live && kymo_feed_page_has_blocks (page);
  GAction *record = g_action_map_lookup_action (G_ACTION_MAP (self),
                                                "stream-record");

  enable (self, "stream-change", live);
  enable (self, "stream-retry", live);
  enable (self, "stream-save", seen);
  enable (self, "stream-save-to", seen);
  enable (self, "stream-record",
          live && (kymo_feed_page_is_going_on (page)
                   || kymo_feed_page_is_recording (page)));
  enable (self, "stream-record-as", live && kymo_feed_page_is_going_on (page)
          && !kymo_feed_page_is_recording (page));
  enable (self, "stream-record-to",
          live && kymo_feed_page_is_going_on (page));
  enable (self, "stream-names", feed != NULL);
  enable (self, "stream-names-from", feed != NULL);
  enable (self, "stream-watch", feed != NULL);
  enable (self, "stream-warn", feed != NULL);
  enable (self, "replay", peek_recording (self) != NULL);
  gtk_widget_set_visible (self->play, peek_recording (self) != NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (record), g_variant_new_boolean (
    page != NULL && kymo_feed_page_is_recording (page)));
  kymo_window_sync_jobs (self);
  note_look (self, page);
}

/**
 * kymo_window_add_streams:
 *
 * Adds the win.stream-* actions to the window, and the question before a stream is closed. To be
 * called once.
 */
void
kymo_window_add_streams (KymoWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries,
                                   G_N_ELEMENTS (entries), self);
  kymo_window_add_jobs (self);
  kymo_window_add_closing (self);
}
