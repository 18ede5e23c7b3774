/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carries bytes between standard input and output, which a client holds, and the daemon.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean kymo_daemon_relay (int in,
                            int out,
                            int line);

G_END_DECLS
