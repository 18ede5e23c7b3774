/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dialog that writes a run: what of it, in groups of its user's, a name and
 * a folder, then progress that can be stopped, and what went wrong. Where all
 * went well it closes and says where the run is.
 *
 * Main thread only, but for KymoWriteClass.write. The dialog frees what it was
 * given with its window, and not before what is written has come to an end.
 */
#pragma once

#include <adwaita.h>

#include "kymo-extract.h"
#include "kymo-job.h"
#include "kymo-source.h"

G_BEGIN_DECLS

typedef struct _KymoWriteDialog KymoWriteDialog;

/**
 * KymoWriteDone: a run was written
 * @sentence: for people
 * @path: where it is
 */
typedef void (*KymoWriteDone) (const char *sentence,
                               const char *path,
                               gpointer    data);

/**
 * KymoWriteClass:
 * @title: of the dialog
 * @accept: label of its button
 * @suffix: of the name that is proposed, "-part"
 * @height: of the dialog at first
 * @dup_wish: what is to be written, when the button is pressed
 * @write: on a thread of its own; a sentence of what was written. @out is an address where the run
 *   is on another machine, for it is written there
 * @free_wish: of @dup_wish
 * @free: of the user's data
 * @resumes: whether what is there already is gone on with
 */
typedef struct
{
  const char *title;
  const char *accept;
  const char *suffix;
  int         height;
  gpointer  (*dup_wish)  (gpointer     user);
  char     *(*write)     (gpointer     wish,
                          const char  *out,
                          KymoJob     *job,
                          GError     **error);
  GDestroyNotify free_wish;
  GDestroyNotify free;
  gboolean    resumes;
} KymoWriteClass;

KymoWriteDialog *kymo_write_dialog_new       (GtkWindow            *parent,
                                              const KymoWriteClass *klass,
                                              gpointer              user,
                                              const char           *run_path,
                                              const char           *run_title);
void             kymo_write_dialog_add       (KymoWriteDialog      *self,
                                              GtkWidget            *group);
/* NULL: it can be written; "": not yet; else why not. */
void             kymo_write_dialog_set_reason (KymoWriteDialog     *self,
                                              const char           *reason);
/* Nothing can be written, whatever is chosen. */
void             kymo_write_dialog_refuse    (KymoWriteDialog      *self,
                                              const char           *reason);
GtkWindow       *kymo_write_dialog_present   (KymoWriteDialog      *self,
                                              KymoWriteDone         done,
                                              GObject              *data);
char            *kymo_write_dialog_dup_written (const KymoExtractResult *result);
char            *kymo_write_dialog_work      (KymoSource           *source,
                                              GStrvBuilder         *words,
                                              KymoJob              *job,
                                              GError              **error);
char            *kymo_write_dialog_dup_there (const char           *address);

G_END_DECLS
