/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-askpass-dialog.h"

#include "kymo-accessible.h"
#include "kymo-label.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/** Ask: owned by its window */
typedef struct
{
  GtkWindow           *window;
  GtkWidget           *entry;
  KymoAskpassQuestion *question; /* NULL once it is answered, or not wanted any more */
  KymoAskpassKind      kind;
} Ask;

/* Whatever closes the window is no answer. */
static void
ask_free (gpointer data)
{
  Ask *self = data;

  if (self->question != NULL)
    kymo_askpass_answer (self->question, NULL);
  g_free (self);
}

/* ssh has ended, and with it the question. */
static void
on_gone (gpointer data)
{
  Ask *self = data;

  self->question = NULL;
  gtk_window_destroy (self->window);
}

static void
accept_ask (Ask *self)
{
  const char *text = self->kind == KYMO_ASKPASS_TRUST ? "yes"
    : self->entry != NULL ? gtk_editable_get_text (GTK_EDITABLE (self->entry)) : "";

  kymo_askpass_answer (g_steal_pointer (&self->question), text);
  gtk_window_destroy (self->window);
}

static void
refuse_ask (Ask *self)
{
  gtk_window_destroy (self->window);
}

static const char *
title_of (KymoAskpassKind kind)
{
  static const char *const titles[] = {
    N_("ssh Asks"), N_("Unknown Host"), N_("ssh Asks"), N_("ssh Says"),
  };

  return _(titles[kind]);
}

static const char *
button_of (KymoAskpassKind kind)
{
  static const char *const buttons[] = { N_("Log In"), N_("Trust This Host"), N_("Yes"), NULL };

  return buttons[kind] != NULL ? _(buttons[kind]) : NULL;
}

static GtkWidget *
build_header (Ask *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_label (_("Cancel"));
  const char *label = button_of (self->kind);

  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (refuse_ask), self);
  if (label != NULL)
    {
      GtkWidget *accept = gtk_button_new_with_label (label);

      gtk_widget_add_css_class (accept, "suggested-action");
      adw_header_bar_pack_end (ADW_HEADER_BAR (header), accept);
      g_signal_connect_swapped (accept, "clicked", G_CALLBACK (accept_ask), self);
    }
  return header;
}

static GtkWidget *
build_body (Ask *self, const char *words)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *label = kymo_label_new_wrapped (words, NULL);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_widget_set_margin_start (box, 18);
  gtk_widget_set_margin_end (box, 18);
  gtk_widget_set_margin_top (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_box_append (GTK_BOX (box), label);
  if (self->kind == KYMO_ASKPASS_SECRET)
    {
      self->entry = gtk_password_entry_new ();
      gtk_password_entry_set_show_peek_icon (GTK_PASSWORD_ENTRY (self->entry), TRUE);
      kymo_accessible_name (self->entry, words);
      g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (accept_ask), self);
      gtk_box_append (GTK_BOX (box), self->entry);
    }
  return box;
}

static gboolean
close_by_key (GtkWidget *window, GVariant *args, gpointer data)
{
  gtk_window_destroy (GTK_WINDOW (window));
  return TRUE;
}

/* Above the dialog that waits, if one does. */
static GtkWindow *
find_parent (GtkApplication *application)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (gtk_window_is_active (l->data) && gtk_widget_get_visible (l->data))
      return l->data;
  return gtk_application_get_active_window (application);
}

/**
 * kymo_askpass_dialog_ask:
 * @application: a #GtkApplication, whose active window the dialog is for
 *
 * Is a #KymoAskpassFunc.
 */
void
kymo_askpass_dialog_ask (KymoAskpassQuestion *question, KymoAskpassKind kind, const char *words,
                         gpointer application)
{
  Ask *self = g_new0 (Ask, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkWindow *parent = find_parent (application);

  self->window = GTK_WINDOW (adw_window_new ());
  self->question = question;
  self->kind = kind;
  kymo_askpass_watch (question, on_gone, self);
  gtk_box_append (GTK_BOX (box), build_header (self));
  gtk_box_append (GTK_BOX (box), build_body (self, words));
  adw_window_set_content (ADW_WINDOW (self->window), box);
  g_object_set_data_full (G_OBJECT (self->window), "kymo-ask", self, ask_free);
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                      gtk_callback_action_new (close_by_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->window), keys);
  gtk_window_set_title (self->window, title_of (kind));
  gtk_window_set_default_size (self->window, 480, -1);
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  gtk_window_present (self->window);
  if (self->entry != NULL)
    gtk_widget_grab_focus (self->entry);
}
