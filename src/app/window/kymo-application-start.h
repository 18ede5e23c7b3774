/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One program for all windows: who starts it again hands over to the process that runs
 * already. That process may be ending at that moment; then it takes nothing any more, and
 * this one opens its own windows.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** KYMO_START_AGAIN: exit status of a process that handed over to one that was ending */
#define KYMO_START_AGAIN 254

/* As g_application_register(), but an instance that is ending is waited for. */
gboolean kymo_application_register  (GApplication  *application,
                                     GError       **error);
/* To the instance that runs already, which must have taken it: opens what is named, or shows
   a window. These return the exit status, KYMO_START_AGAIN where that instance was ending. */
int      kymo_application_hand_open (GApplication  *application,
                                     GPtrArray     *files);
int      kymo_application_hand_action (GApplication *application,
                                     const char    *action,
                                     GVariant      *parameter);
/* Frees the name for the next start; at the begin of the end. */
void     kymo_application_release_name (GApplication *application);
/* SIGTERM and its like end the program by @ends. */
void     kymo_application_heed_signals (GApplication *application,
                                        GSourceFunc   ends);

G_END_DECLS
