/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every dialog that asks the person for something: files, a range, a name.
 * In one file, because the newer GTK has other classes for them.
 */
#pragma once

#include <gio/gio.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/** KymoDialogDone: @text: a path or what was typed */
typedef void (*KymoDialogDone) (const char *text,
                                gpointer    data);

void kymo_dialogs_close_by_escape (GtkWindow *window);
void kymo_dialog_open_folder (GtkWindow      *parent,
                              KymoDialogDone  done,
                              gpointer        data);
/* Where something is to be written: a folder that is there. */
void kymo_dialog_choose_place (GtkWindow     *parent,
                              const char     *folder,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_open_file   (GtkWindow      *parent,
                              const char *const *patterns,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_open_tarball (GtkWindow     *parent,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_save        (GtkWindow      *parent,
                              const char     *name,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_save_records (GtkWindow     *parent,
                              const char     *name,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_save_bookmarks (GtkWindow     *parent,
                              const char     *name,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_save_desk   (GtkWindow      *parent,
                              const char     *name,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_open_desk   (GtkWindow      *parent,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_find_run    (GtkWindow      *parent,
                              const char     *title,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_open_names  (GtkWindow      *parent,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_open_key    (GtkWindow      *parent,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_save_recording (GtkWindow      *parent,
                              const char     *title,
                              const char     *name,
                              KymoDialogDone  done,
                              gpointer        data);
/* Always answers: "cancel", "save", "discard", or "never" for discard and ask
   never again. */
void kymo_dialog_ask_unsaved (GtkWindow      *parent,
                              const char     *explanation,
                              KymoDialogDone  done,
                              gpointer        data);
void kymo_dialog_ask_text    (GtkWindow      *parent,
                              const char     *title,
                              const char     *explanation,
                              const char     *text,
                              const char     *accept,
                              KymoDialogDone  done,
                              gpointer        data);

/* Files that are being written when the last window closes: the program goes on until their
   thread has ended them, or has taken away what it had begun. Main thread only. */

/* The program does not end before @task is completed. */
void kymo_hold_for_task (GTask *task);

G_END_DECLS
