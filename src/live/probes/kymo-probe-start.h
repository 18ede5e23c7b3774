/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures a machine where a run was. Blocks; any thread that runs no main loop of its own.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-table.h"

G_BEGIN_DECLS

/**
 * KymoProbeOutcome:
 * @lines: (nullable): what was measured: columns group, key, value
 * @command: (nullable): what was started, for people
 * @kept: (nullable): path of the file that keeps it
 * @took_ns: how long it took
 */
typedef struct
{
  KymoTable *lines;
  char      *command, *kept;
  gint64     took_ns;
} KymoProbeOutcome;

/**
 * KymoProbeTold:
 * @command: what is started now
 */
typedef void (*KymoProbeTold) (gpointer    data,
                               const char *command);

gboolean kymo_probe_start (const char        *path,
                           const char        *part,
                           gint64             bound_ns,
                           KymoProbeTold      told,
                           gpointer           data,
                           KymoProbeOutcome  *outcome,
                           GCancellable      *cancellable,
                           GError           **error);

G_END_DECLS
