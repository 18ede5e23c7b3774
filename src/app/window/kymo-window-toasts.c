/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences that pass: on a toast over the window, and spoken by a screen reader. And one
 * that stays: which run was written, with a button that opens it.
 */
#include "config.h"

#include <glib/gi18n.h>

#include "kymo-accessible.h"
#include "kymo-controls.h"
#include "kymo-label.h"
#include "kymo-page.h"
#include "kymo-window-private.h"

#define RECORDED_S 15
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
  kymo_controls_speak_buttons (gtk_widget_get_last_child (GTK_WIDGET (self->toasts)));
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

/* The sentence, and before the button of the toast one that opens the file as a run. */
static GtkWidget *
build_recorded (AdwToast *toast, const char *sentence, const char *path)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (sentence);
  GtkWidget *open = gtk_button_new_with_mnemonic (_("_Open"));

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (open),
                                          g_variant_new_bytestring (path));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-path");
  kymo_controls_speak (open, _("_Open"));
  g_signal_connect_object (open, "clicked", G_CALLBACK (adw_toast_dismiss), toast,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), open);
  return box;
}

/**
 * kymo_window_say_recorded:
 * @sentence: plain text, that names the file
 * @path: of a recording that is whole
 *
 * Says the sentence for a while, with buttons that play the recording and open it.
 */
void
kymo_window_say_recorded (KymoWindow *self, const char *sentence, const char *path)
{
  AdwToast *toast = kymo_window_toast_new (sentence);

  adw_toast_set_timeout (toast, RECORDED_S);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_custom_title (toast, build_recorded (toast, sentence, path));
  adw_toast_set_button_label (toast, _("_Play"));
  adw_toast_set_action_name (toast, "win.replay-path");
  adw_toast_set_action_target_value (toast, g_variant_new_bytestring (path));
  kymo_window_add_toast (self, toast);
}

/* -- a run that was written ------------------------------------------------- */

#define OFFER_LABEL "kymo-offer-label"
#define OFFER_BUTTON "kymo-offer-button"

/* Hidden, a button does nothing any more: its action comes first. */
static gboolean
hide_offer (gpointer offer)
{
  gtk_widget_set_visible (offer, FALSE);
  return G_SOURCE_REMOVE;
}

static void
on_offer_used (GtkWidget *offer)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, hide_offer, g_object_ref (offer), g_object_unref);
}

/**
 * kymo_window_build_offer:
 *
 * Makes the line that tells of a run that was written; it is hidden until kymo_window_offer().
 *
 * Returns: (transfer floating): the line
 */
GtkWidget *
kymo_window_build_offer (KymoWindow *self)
{
  GtkWidget *label = kymo_label_new (NULL, NULL);
  GtkWidget *open = gtk_button_new_with_mnemonic (_("Open _It"));
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  kymo_controls_speak (open, _("Open _It"));
  self->offer = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->offer, "toolbar");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_add_css_class (open, "suggested-action");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _("Do not open the written run"));
  gtk_box_append (GTK_BOX (self->offer), label);
  gtk_box_append (GTK_BOX (self->offer), open);
  gtk_box_append (GTK_BOX (self->offer), close);
  g_signal_connect_swapped (open, "clicked", G_CALLBACK (on_offer_used), self->offer);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_offer_used), self->offer);
  g_object_set_data (G_OBJECT (self->offer), OFFER_LABEL, label);
  g_object_set_data (G_OBJECT (self->offer), OFFER_BUTTON, open);
  gtk_widget_set_visible (self->offer, FALSE);
  return self->offer;
}

/**
 * kymo_window_offer:
 * @sentence: tells what was written
 * @path: of the run
 *
 * Offers to open a run that was written. The line stays until it is opened or the line closed;
 * another run takes its place.
 */
void
kymo_window_offer (KymoWindow *self, const char *sentence, const char *path)
{
  GtkWidget *label = g_object_get_data (G_OBJECT (self->offer), OFFER_LABEL);
  GtkActionable *open = g_object_get_data (G_OBJECT (self->offer), OFFER_BUTTON);
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *valid = g_filename_display_name (path);
  g_autofree char *text = g_strdup_printf (_("“%s”: %s"), name, sentence);

  g_debug ("offers: %s", text);
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, valid);
  /* Bytes, not text: a path need not be UTF-8. */
  gtk_actionable_set_action_target (open, "^ay", path);
  gtk_actionable_set_action_name (open, "win.open-path");
  gtk_widget_set_visible (self->offer, TRUE);
  kymo_accessible_say (GTK_WIDGET (self), text);
}
