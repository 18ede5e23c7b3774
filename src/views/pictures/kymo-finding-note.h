/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFindingNote: a row below a cause in which a person acknowledges it, with a note. Main thread
 * only.
 *
 * Signals: "acknowledged" (the note, which may be empty).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define KYMO_TYPE_FINDING_NOTE (kymo_finding_note_get_type ())
G_DECLARE_FINAL_TYPE (KymoFindingNote, kymo_finding_note, KYMO, FINDING_NOTE, GtkListBoxRow)

GtkWidget *kymo_finding_note_new   (void);
void       kymo_finding_note_say   (KymoFindingNote *self,
                                    const char      *title);
void       kymo_finding_note_clear (KymoFindingNote *self);

G_END_DECLS
