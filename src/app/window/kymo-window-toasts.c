/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences that pass: on a toast over the window, and spoken by a screen reader.
 */
#include "config.h"

#include "kymo-accessible.h"
#include "kymo-page.h"
#include "kymo-window-private.h"

#define SENTENCE "kymo-sentence"       /* data of a toast: as plain text */

/**
 * kymo_window_toast_new:
 * @sentence: plain text; may name files and entry methods
 *
 * The title of a toast is markup: one of "List<int> & more" shows nothing.
 *
 * Returns: (transfer full)
 */
AdwToast *
kymo_window_toast_new (const char *sentence)
{
  g_autofree char *safe = kymo_page_dup_markup (sentence);
  AdwToast *toast = adw_toast_new (safe);

  g_debug ("says: %s", sentence);
  g_object_set_data_full (G_OBJECT (toast), SENTENCE, g_strdup (sentence), g_free);
  return toast;
}

static void
on_dismissed (AdwToast *toast, KymoWindow *self)
{
  if (self->toast == toast)
    self->toast = NULL;
}

/**
 * kymo_window_add_toast:
 * @toast: (transfer full): of kymo_window_toast_new()
 *
 * Shows a sentence, and lets a screen reader speak it. What is said last is what counts: it takes
 * the place of what was said before.
 *
 * libadwaita 1.2 crashes when a toast goes while its coming still moves, as it does where the
 * window was out of sight or busy meanwhile. So it comes at once, and none waits for another:
 * that would come moving.
 */
void
kymo_window_add_toast (KymoWindow *self, AdwToast *toast)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));

  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  if (self->toast != NULL)
    adw_toast_dismiss (self->toast);
  self->toast = toast;
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (on_dismissed), self, 0);
  kymo_accessible_say (GTK_WIDGET (self), g_object_get_data (G_OBJECT (toast), SENTENCE));
  adw_toast_overlay_add_toast (self->toasts, toast);
  /* Again what the desktop says, now and when that changes. */
  gtk_settings_reset_property (settings, "gtk-enable-animations");
}

/** kymo_window_say: a sentence that passes */
void
kymo_window_say (KymoWindow *self, const char *message)
{
  AdwToast *toast = kymo_window_toast_new (message);

  adw_toast_set_timeout (toast, 3);
  kymo_window_add_toast (self, toast);
}
