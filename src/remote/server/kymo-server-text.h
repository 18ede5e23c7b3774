/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readable form of the server: a question a line, an object of JSON a line.
 */
#pragma once

#include "kymo-server-session.h"

G_BEGIN_DECLS

int kymo_server_text_run (const KymoServerOptions *options);

G_END_DECLS
