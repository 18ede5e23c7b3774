/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked before a stream that is in no file is closed, with its tab or
 * with the window.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-alarms.h"
#include "kymo-dialogs.h"
#include "kymo-feed-page.h"
#include "kymo-settings.h"
#include "kymo-stream-settings.h"
#include "kymo-units.h"
#include "kymo-window-private.h"

/* Less than that is closed without a word. */
#define WORTH_ASKING_NS (60 * G_GINT64_CONSTANT (1000000000))

/* On a page: the file after which it is closed. */
#define CLOSING_KEY "kymo-closing"

static gboolean
is_worth_asking (GtkWidget *page)
{
  return KYMO_IS_FEED_PAGE (page) && kymo_stream_settings_get_asks ()
         && kymo_feed_page_get_unsaved_ns (KYMO_FEED_PAGE (page))
            > WORTH_ASKING_NS;
}

static void
ask_window_closing (KymoWindow *self, KymoFeedPage *page, KymoDialogDone done, gpointer data)
{
  g_autofree char *length
    = kymo_format_duration (kymo_feed_page_get_unsaved_ns (page));
  g_autofree char *words
    = g_strdup_printf (_("The last %s of %s are in no file."), length,
                       kymo_page_get_title (KYMO_PAGE (page)));

  kymo_dialog_ask_unsaved (GTK_WINDOW (self), words, done, data);
}

/* Whether what is open is to be closed. */
static gboolean
may_close (const char *answer)
{
  if (g_strcmp0 (answer, "never") != 0)
    return g_strcmp0 (answer, "discard") == 0;
  if (kymo_settings_peek () != NULL)
    g_settings_set_boolean (kymo_settings_peek (), "stream-ask-unsaved",
                            FALSE);
  return TRUE;
}

/* A file that could not be written closes nothing, nor does a later one. */
static void
forget_closing (GObject *page)
{
  g_signal_handlers_disconnect_by_func (page, forget_closing, NULL);
  g_object_set_data (page, CLOSING_KEY, NULL);
}

static void
on_last_path (const char *path, gpointer page)
{
  forget_closing (page);
  g_object_set_data_full (page, CLOSING_KEY, g_strdup (path), g_free);
  g_signal_connect (page, "message", G_CALLBACK (forget_closing), NULL);
  kymo_feed_page_save (page, path, FALSE, TRUE);
}

static void
on_tab_answer (const char *answer, gpointer page)
{
  KymoWindow *self = kymo_window_of_page (page);
  AdwTabPage *tab = self != NULL ? kymo_window_find_tab (self, page) : NULL;

  if (tab == NULL)
    return;
  adw_tab_view_close_page_finish (self->tabs, tab, may_close (answer));
  if (g_strcmp0 (answer, "save") == 0)
    kymo_window_ask_for_file (self, page, _("Save What Was Seen"),
                              on_last_path);
}

static gboolean
on_close_page (AdwTabView *tabs, AdwTabPage *tab, KymoWindow *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  if (KYMO_IS_FEED_PAGE (page))
    kymo_alarms_withdraw (kymo_feed_page_get_id (KYMO_FEED_PAGE (page)));
  if (!is_worth_asking (page))
    {
      /* What is recorded stays; that is said. */
      if (KYMO_IS_FEED_PAGE (page))
        kymo_feed_page_stop_recording (KYMO_FEED_PAGE (page), TRUE);
      return GDK_EVENT_PROPAGATE;
    }
  ask_window_closing (self, KYMO_FEED_PAGE (page), on_tab_answer, page);
  return GDK_EVENT_STOP;
}

/* The first tab that is worth asking about, or NULL. */
static AdwTabPage *
find_unsaved (KymoWindow *self)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tabs); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);

      if (is_worth_asking (adw_tab_page_get_child (tab)))
        return tab;
    }
  return NULL;
}

static void
on_path (const char *path, gpointer page)
{
  kymo_feed_page_save (page, path, FALSE, TRUE);
}

static void
on_window_answer (const char *answer, gpointer data)
{
  KymoWindow *self = data;
  AdwTabPage *tab = find_unsaved (self);

  if (may_close (answer))
    gtk_window_destroy (GTK_WINDOW (self));
  else if (tab != NULL && g_strcmp0 (answer, "save") == 0)
    kymo_window_ask_for_file (self,
                              KYMO_FEED_PAGE (adw_tab_page_get_child (tab)),
                              _("Save What Was Seen"), on_path);
}

/* One question for all its tabs; who saves closes again when it is done. */
static gboolean
on_close_request (KymoWindow *self)
{
  AdwTabPage *tab = find_unsaved (self);

  if (tab == NULL)
    return GDK_EVENT_PROPAGATE;
  adw_tab_view_set_selected_page (self->tabs, tab);
  ask_window_closing (self, KYMO_FEED_PAGE (adw_tab_page_get_child (tab)), on_window_answer,
                      self);
  return GDK_EVENT_STOP;
}

/**
 * kymo_window_close_saved:
 * @path: that @page was saved to
 *
 * Closes a page that only waited for that.
 */
void
kymo_window_close_saved (KymoWindow *self, KymoFeedPage *page,
                         const char *path)
{
  const char *awaited = g_object_get_data (G_OBJECT (page), CLOSING_KEY);
  AdwTabPage *tab = kymo_window_find_tab (self, page);

  if (tab != NULL && awaited != NULL && g_str_has_prefix (path, awaited))
    adw_tab_view_close_page (self->tabs, tab);
}

/**
 * kymo_window_add_closing:
 *
 * Makes the window ask before it closes a stream of which more than a minute is in no file, unless
 * the settings say not to ask. To be called once.
 */
void
kymo_window_add_closing (KymoWindow *self)
{
  g_signal_connect (self, "close-request", G_CALLBACK (on_close_request),
                    NULL);
  g_signal_connect_object (self->tabs, "close-page",
                           G_CALLBACK (on_close_page), self, 0);
}
