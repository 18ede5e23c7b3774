/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines on which runs were looked at, and how a server was begun on each the last time.
 * Without a schema nothing is kept. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GStrv kymo_remote_settings_dup_hosts   (void);
void  kymo_remote_settings_add_host    (const char *host);
void  kymo_remote_settings_remove_host (const char *host);
char *kymo_remote_settings_dup_launch  (const char *host);
void  kymo_remote_settings_set_launch  (const char *host,
                                        const char *launch);
char *kymo_remote_settings_dup_launch_of
                                       (const char *address);
char *kymo_remote_settings_name_launch (char       *line,
                                        const char *path);

G_END_DECLS
