/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-finding-note.h"

#include <glib/gi18n-lib.h>

#include "kymo-controls.h"

/* As long as a note that is kept. */
#define MOST_CHARS 16000

struct _KymoFindingNote
{
  GtkListBoxRow parent_instance;

  GtkWidget    *entry, *button;
};

G_DEFINE_FINAL_TYPE (KymoFindingNote, kymo_finding_note, GTK_TYPE_LIST_BOX_ROW)

static guint acknowledged_signal;

static void
tell_acknowledged (KymoFindingNote *self)
{
  g_autofree char *note = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  g_signal_emit (self, acknowledged_signal, 0, g_strstrip (note));
}

static void
kymo_finding_note_class_init (KymoFindingNoteClass *klass)
{
  acknowledged_signal = g_signal_new ("acknowledged", KYMO_TYPE_FINDING_NOTE, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kymo_finding_note_init (KymoFindingNote *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _("Note: why this cause is known"));
  gtk_entry_set_max_length (GTK_ENTRY (self->entry), MOST_CHARS);
  gtk_widget_set_hexpand (self->entry, TRUE);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (tell_acknowledged), self);
  self->button = gtk_button_new_with_mnemonic (_("_Acknowledge"));
  kymo_controls_speak (self->button, _("_Acknowledge"));
  gtk_widget_set_tooltip_text (self->button, _("Keep this cause quiet in this run"));
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (tell_acknowledged), self);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->button);
  gtk_widget_add_css_class (box, "kymo-finding-body");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

/** kymo_finding_note_new: Returns: (transfer floating): a row with an empty note */
GtkWidget *
kymo_finding_note_new (void)
{
  return g_object_new (KYMO_TYPE_FINDING_NOTE, NULL);
}

/**
 * kymo_finding_note_say:
 * @title: of the cause
 *
 * Tells a screen reader which cause the row is about.
 */
void
kymo_finding_note_say (KymoFindingNote *self, const char *title)
{
  /* Translators: spoken name of an entry, with the title of a cause. */
  g_autofree char *note = g_strdup_printf (_("Note about: %s"), title);
  /* Translators: spoken name of a button, with the title of a cause. */
  g_autofree char *spoken = g_strdup_printf (_("Acknowledge: %s"), title);

  kymo_controls_name (self->entry, note);
  kymo_controls_name (self->button, spoken);
}

/** kymo_finding_note_clear: empties the note, for another cause */
void
kymo_finding_note_clear (KymoFindingNote *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}
