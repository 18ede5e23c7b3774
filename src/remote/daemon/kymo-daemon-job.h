/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A server in a job of a batch system: submitted where none of the same order runs, told about
 * while it waits in the queue, and joined on its node. The number of the job is kept in the user's
 * folder of state, which the login nodes of a cluster share.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int kymo_daemon_connect_job (const char        *order,
                             gboolean           rejoins,
                             const char *const *options);

G_END_DECLS
