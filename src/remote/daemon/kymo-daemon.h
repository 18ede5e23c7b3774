/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The daemon: a kymo-server that several clients of one user share.
 */
#pragma once

#include "kymo-server-session.h"

G_BEGIN_DECLS

int kymo_daemon_run (const KymoServerOptions *options,
                     gint64                   idle_ns);

G_END_DECLS
