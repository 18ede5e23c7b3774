/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A way to a program through ssh: the system's own `ssh -N -L`, started as a
 * process of its own and ended with the tunnel. It knows the person's keys,
 * configuration and known hosts; nothing of that is read here.
 *
 * The thread that made it, in its thread-default main context.
 */
#pragma once

#include "kymo-ccs-target.h"

G_BEGIN_DECLS

typedef struct _KymoSshTunnel KymoSshTunnel;

KymoSshTunnel *kymo_ssh_tunnel_new        (const KymoCcsTarget  *target,
                                           GError              **error);
void           kymo_ssh_tunnel_free       (KymoSshTunnel        *tunnel);
guint16        kymo_ssh_tunnel_get_port   (const KymoSshTunnel  *tunnel);
gboolean       kymo_ssh_tunnel_is_running (const KymoSshTunnel  *tunnel);
gboolean       kymo_ssh_tunnel_take_refusal (KymoSshTunnel      *tunnel);
char          *kymo_ssh_tunnel_dup_words  (const KymoSshTunnel  *tunnel);
gboolean       kymo_ssh_tunnel_is_hopeless (const KymoSshTunnel *tunnel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSshTunnel, kymo_ssh_tunnel_free)

G_END_DECLS
