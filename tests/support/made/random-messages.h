/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random run of a fixed seed whose entry methods send messages. Its clocks disagree: many
 * messages begin before they are sent. Some blocks name a send that is not there, or one of
 * another entry method.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

#define MESSAGES_N_LOCATIONS 9
#define MESSAGES_N_BLOCKS 60         /* of each location */

/* (transfer full) */
KymoRun *random_messages (void);

G_END_DECLS
