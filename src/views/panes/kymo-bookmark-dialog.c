/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See kymo-bookmark-dialog.h. The dialog holds its session and @data, a GObject.
 * The bookmark to be changed is known by its index and looked at again at the end:
 * where others came or went meanwhile nothing is changed.
 */
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kymo-bookmark-dialog.h"
#include "kymo-accessible.h"
#include "kymo-bookmarks.h"
#include "kymo-controls.h"
#include "kymo-in-terms.h"

#define NOTE_HEIGHT_PX 90

typedef struct
{
  KymoSession        *session;
  int                 index;
  const KymoBookmark *changed;         /* compared, never read */
  GtkWidget          *name, *note, *alone;
  KymoBookmarkDone    done;
  GObject            *data;
} Ask;

/* With the dialog, answered or not: one that goes with its parent answers nothing. */
static void
ask_free (gpointer data, GClosure *closure)
{
  Ask *ask = data;

  g_object_unref (ask->session);
  g_clear_object (&ask->data);
  g_free (ask);
}

static char *
dup_note (Ask *ask)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ask->note));
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  return gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
}

/* Those it was about, while the box stays checked; else those that are shown. */
static KymoIdSet *
chosen_locations (Ask *ask)
{
  KymoIdSet *before = ask->changed != NULL ? ask->changed->locations : NULL;

  if (ask->alone == NULL
      || !gtk_check_button_get_active (GTK_CHECK_BUTTON (ask->alone)))
    return NULL;
  return before != NULL ? before : kymo_session_peek_locations (ask->session);
}

static gboolean
is_still_there (Ask *ask)
{
  return (guint) ask->index < kymo_session_get_n_bookmarks (ask->session)
         && kymo_session_peek_bookmark (ask->session, ask->index) == ask->changed;
}

static KymoBookmarkOutcome
make_or_change (Ask *ask, const char *name, const char *note)
{
  if (ask->index < 0)
    return kymo_session_add_note (ask->session, kymo_session_get_range (ask->session), name,
                                  note, chosen_locations (ask)) >= 0
           ? KYMO_BOOKMARK_MADE : KYMO_BOOKMARK_TOO_MANY;
  if (!is_still_there (ask))
    return KYMO_BOOKMARK_GONE;
  kymo_session_change_bookmark (ask->session, ask->index, name, note, chosen_locations (ask));
  return KYMO_BOOKMARK_CHANGED;
}

static void
accept (Ask *ask)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (ask->name));
  g_autofree char *note = dup_note (ask);
  KymoBookmarkOutcome outcome = make_or_change (ask, name, note);

  if (ask->done != NULL)
    ask->done (name, outcome, ask->data);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Ask *ask)
{
  if (g_strcmp0 (response, "accept") == 0)
    accept (ask);
}

static GtkWidget *
build_note (Ask *ask)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  ask->note = gtk_text_view_new ();
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (ask->note), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (ask->note), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (ask->note), 8);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (ask->note), 6);
  kymo_accessible_name (ask->note, _("Note"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), ask->note);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller),
                                              NOTE_HEIGHT_PX);
  return scroller;
}

static GtkWidget *
build_alone (Ask *ask)
{
  KymoIdSet *set = ask->changed != NULL && ask->changed->locations != NULL
                   ? ask->changed->locations
                   : kymo_session_peek_locations (ask->session);
  g_autofree char *list = NULL, *words = NULL;

  if (set == NULL)
    return NULL;
  list = kymo_id_set_to_text (set);
  words = g_strdup_printf (kymo_in_terms_of (ask->session, _("About {rows} %s alone")), list);
  ask->alone = gtk_check_button_new_with_label (words);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (ask->alone),
                               ask->changed == NULL || ask->changed->locations != NULL);
  return ask->alone;
}

static GtkWidget *
build_bookmark_dialog (Ask *ask, const char *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *alone;
  GtkWidget *label = gtk_label_new_with_mnemonic (_("N_ote"));

  ask->name = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (ask->name), name);
  gtk_entry_set_activates_default (GTK_ENTRY (ask->name), TRUE);
  kymo_accessible_name (ask->name, _("Name"));
  gtk_box_append (GTK_BOX (box), ask->name);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), build_note (ask));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), ask->note);
  alone = build_alone (ask);
  if (alone != NULL)
    gtk_box_append (GTK_BOX (box), alone);
  return box;
}

/** kymo_bookmark_dialog_show: Returns: (transfer none): the dialog */
GtkWindow *
kymo_bookmark_dialog_show (GtkWindow *parent, KymoSession *session, int index,
                           const char *name, KymoBookmarkDone done, gpointer data)
{
  Ask *ask = g_new0 (Ask, 1);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
    parent, index < 0 ? _("Bookmark This Range") : _("Edit Bookmark"), NULL));

  ask->session = g_object_ref (session);
  ask->index = index;
  ask->done = done;
  ask->data = data != NULL ? g_object_ref (data) : NULL;
  if (index >= 0)
    ask->changed = kymo_session_peek_bookmark (session, index);
  adw_message_dialog_set_extra_child (dialog, build_bookmark_dialog (
    ask, ask->changed != NULL ? ask->changed->name : name));
  if (ask->changed != NULL)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (ask->note)),
                              ask->changed->note, -1);
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "accept",
                                    index < 0 ? _("_Bookmark") : _("_Change"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "accept", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "accept");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), ask, ask_free, 0);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  kymo_controls_speak_buttons (GTK_WIDGET (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (ask->name);
  return GTK_WINDOW (dialog);
}
