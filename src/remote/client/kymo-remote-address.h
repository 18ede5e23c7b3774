/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a run lies on another machine: ssh://[USER@]HOST[:PORT]/PATH. The path begins with the
 * slash behind the host and is taken as it is written, without %-escapes; "/~/" is the folder of
 * the user there.
 *
 * A plain value; any thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KymoRemoteAddress:
 * @host: "[USER@]HOST", where HOST is a name of hosts.conf or one that ssh knows; an address of
 *   IPv6 has no brackets
 * @port: of its ssh server, 0 = ssh's own choice
 * @path: begins with a slash
 */
typedef struct
{
  char    *host;
  guint16  port;
  char    *path;
} KymoRemoteAddress;

/**
 * KymoRemoteWay: how the machine of an address is reached
 * @server: (nullable): a command in place of ssh, split as a shell would but by no shell; an
 *   argument "%p" becomes the path
 * @shares: where ssh is used, whether the server there is one that other clients share and that
 *   stays for the next one
 * @launch: (nullable): name of a launch of the host and its values, see kymo_host_dup_launch()
 * @quiet: ssh asks nobody, and no job is submitted
 */
typedef struct
{
  const char *server;
  gboolean    shares;
  const char *launch;
  gboolean    quiet;
} KymoRemoteWay;

gboolean           kymo_remote_can_ask       (void);
gboolean           kymo_remote_is_address    (const char               *text);
KymoRemoteAddress *kymo_remote_address_parse (const char               *text,
                                              GError                  **error);
void               kymo_remote_address_free  (KymoRemoteAddress        *address);
char              *kymo_remote_address_dup_host (const KymoRemoteAddress *address);
char              *kymo_remote_address_dup_text
                                             (const KymoRemoteAddress  *address,
                                              const char               *path);
char             **kymo_remote_address_dup_command
                                             (const KymoRemoteAddress  *address,
                                              const KymoRemoteWay      *way,
                                              GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRemoteAddress, kymo_remote_address_free)

G_END_DECLS
