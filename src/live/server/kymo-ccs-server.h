/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Offers a recording as the CCS server of a running program, on loopback
 * only: its blocks come at the pace at which they came when it was recorded
 * (or `speed` times as fast), are queued, and are taken one a request, as on
 * PE 0. For trying the live views, and for the tests, which also have it
 * misbehave.
 *
 * Runs in the thread-default main context of the thread that made it.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-report.h"

G_BEGIN_DECLS

/**
 * KymoCcsServerOptions:
 * @port: 0 = any free one
 * @speed: of the recorded pace; 0 = all blocks are queued at once
 * @key_file: (nullable): only clients with this key are served
 * @repeat: begin again at the end of the recording, for ever; else the server
 *   closes when all is told, as a program that ends
 * @misbehave: (nullable): what goes wrong, comma separated, see
 *   kymo_ccs_server_list_faults()
 * @report: (nullable): what is damaged in the recording, as far as it was told
 */
typedef struct
{
  guint16     port;
  double      speed;
  const char *key_file;
  gboolean    repeat;
  const char *misbehave;
  KymoReport *report;
} KymoCcsServerOptions;

typedef struct _KymoCcsServer KymoCcsServer;

KymoCcsServer *kymo_ccs_server_new        (const char                 *recording,
                                           const KymoCcsServerOptions *options,
                                           GError                    **error);
void           kymo_ccs_server_free       (KymoCcsServer              *server);
guint16        kymo_ccs_server_get_port   (KymoCcsServer              *server);
/* TRUE when the recording is told and the port closed. */
gboolean       kymo_ccs_server_has_ended  (KymoCcsServer              *server);
/* "name=number: what it does", one a line */
const char    *kymo_ccs_server_list_faults (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsServer, kymo_ccs_server_free)

G_END_DECLS
