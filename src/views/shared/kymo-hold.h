/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are being written when the last window closes: the program goes on until their
 * thread has ended them, or has taken away what it had begun. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The program does not end before @task is completed. */
void kymo_hold_for_task (GTask *task);

G_END_DECLS
