/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a running program listens, in a person's words:
 *
 *   HOST:PORT                     as the program printed it
 *   [IPv6]:PORT
 *   ssh://[USER@]HOST[:SSHPORT]:PORT   through `ssh -L` to that host; the
 *                                 program listens on PORT there
 *
 * and beside it a host to tunnel through ("login node"): `ssh -L` to it,
 * from where HOST:PORT is reached.
 *
 * A plain value; any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoCcsTarget:
 * @text: what the person wrote
 * @host: where the program listens, seen from the tunnel's end
 * @through: "[USER@]HOST" for ssh, or NULL for no tunnel
 * @through_port: of its ssh server, 0 = ssh's own choice
 * @key_file: file with keys of the server, or NULL
 * @level: of the key
 */
typedef struct
{
  char   *text;
  char   *host;
  guint16 port;
  char   *through;
  guint16 through_port;
  char   *key_file;
  guint8  level;
} KymoCcsTarget;

/* `through` and `key_file` may be NULL. KYMO_ERROR_USAGE, one sentence. */
KymoCcsTarget *kymo_ccs_target_parse (const char          *text,
                                      const char          *through,
                                      const char          *key_file,
                                      GError             **error);
KymoCcsTarget *kymo_ccs_target_copy  (const KymoCcsTarget *target);
void           kymo_ccs_target_free  (KymoCcsTarget       *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCcsTarget, kymo_ccs_target_free)

G_END_DECLS
