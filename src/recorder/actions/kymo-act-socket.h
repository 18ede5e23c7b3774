/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The socket of rank 0 at which clients ask for actions (docs/formats/actions.md). On the helper
 * thread of the live view.
 */
#pragma once

#include <poll.h>

#include "kymo-act-line.h"

#define KYMO_ACT_MOST_CLIENTS 16

#pragma GCC visibility push (hidden)

bool     kymo_act_socket_open    (uint32_t       n_processes);
unsigned kymo_act_socket_poll    (struct pollfd *fds);
void     kymo_act_socket_work    (void);
bool     kymo_act_socket_is_busy (void);
void     kymo_act_socket_close   (void);

#pragma GCC visibility pop
