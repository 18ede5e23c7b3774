/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of kymo-cli that write a run where it lies: on the machine of a remote source.
 *
 * Any thread; blocks.
 */
#pragma once

#include "kymo-remote-source.h"

G_BEGIN_DECLS

char *kymo_remote_source_work (KymoRemoteSource    *source,
                               const char *const   *words,
                               KymoJob             *job,
                               GError             **error);

G_END_DECLS
