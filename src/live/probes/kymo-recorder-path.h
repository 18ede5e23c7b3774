/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where kymo-record is. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) (nullable): beside this program, where both were built, or in PATH */
char *kymo_recorder_dup_path (void);

G_END_DECLS
