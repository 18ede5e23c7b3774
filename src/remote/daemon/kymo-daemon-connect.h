/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a person or a client does with the user's daemon on this machine. Sentences go to standard
 * error, or to standard output where they are what was asked for.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int kymo_daemon_connect (const char *const *options);
int kymo_daemon_status  (void);
int kymo_daemon_stop    (void);
int kymo_daemon_relay_job (void);

G_END_DECLS
