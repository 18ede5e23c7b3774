/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of running jobs in the dialog that attaches to one: those of this machine, or of another
 * one that is reached by ssh. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * KymoAttachJobChosen:
 * @address: of the job, as the dialog takes it
 * @data: of kymo_attach_jobs_new()
 */
typedef void (*KymoAttachJobChosen) (const char *address,
                                     gpointer    data);

GtkWidget *kymo_attach_jobs_new     (KymoAttachJobChosen  chosen,
                                     gpointer             data);
void       kymo_attach_jobs_show    (GtkWidget           *jobs,
                                     const char          *host);
gboolean   kymo_attach_jobs_is_host (const char          *address);

G_END_DECLS
