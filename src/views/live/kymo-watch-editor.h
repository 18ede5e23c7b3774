/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoWatchEditor: the conditions on a stream that a person wants to be told
 * of, a line each, to be added, changed and taken away. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-condition.h"

G_BEGIN_DECLS

#define KYMO_TYPE_WATCH_EDITOR (kymo_watch_editor_get_type ())
G_DECLARE_FINAL_TYPE (KymoWatchEditor, kymo_watch_editor, KYMO, WATCH_EDITOR,
                      GtkBox)

/**
 * KymoWatchEdited:
 * @conditions: (element-type KymoCondition): as they are now, borrowed
 * @data: of who asked
 */
typedef void (*KymoWatchEdited) (GPtrArray *conditions,
                                 gpointer   data);

GtkWidget *kymo_watch_editor_new  (GPtrArray          *conditions,
                                   const char *const  *names);
void       kymo_watch_editor_add  (KymoWatchEditor    *self,
                                   const KymoCondition *condition);
/* (element-type KymoCondition) (transfer full) */
GPtrArray *kymo_watch_editor_dup_conditions
                                  (KymoWatchEditor    *self);

KymoCondition *kymo_watch_propose (void);

/* In a dialog; `done` is called when the person accepts. */
void       kymo_watch_editor_show (GtkWindow          *parent,
                                   GPtrArray          *conditions,
                                   const char *const  *names,
                                   KymoWatchEdited     done,
                                   gpointer            data);

G_END_DECLS
