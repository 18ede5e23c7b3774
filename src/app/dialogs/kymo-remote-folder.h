/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of what lies in a folder on another machine: runs to open and folders to look into. It
 * connects when it is first shown, tells what it waits for, and keeps the connection for a while
 * when it is gone, so that the run which was chosen needs no other one.
 *
 * Main thread only; the machine is asked on worker threads.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * KymoRemoteChosen: a run was chosen
 * @address: ssh://…
 */
typedef void (*KymoRemoteChosen) (const char *address,
                                  gpointer    data);

GtkWidget *kymo_remote_folder_new  (KymoRemoteChosen  done,
                                    gpointer          data);
void       kymo_remote_folder_show (GtkWidget        *folder,
                                    const char       *host,
                                    const char       *launch,
                                    const char       *path);
void       kymo_remote_folder_stop (GtkWidget        *folder);

G_END_DECLS
