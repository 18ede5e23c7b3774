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
 * @host: "[USER@]HOST" for ssh; an address of IPv6 has no brackets
 * @port: of its ssh server, 0 = ssh's own choice
 * @path: begins with a slash
 */
typedef struct
{
  char    *host;
  guint16  port;
  char    *path;
} KymoRemoteAddress;

gboolean           kymo_remote_is_address    (const char               *text);
KymoRemoteAddress *kymo_remote_address_parse (const char               *text,
                                              GError                  **error);
void               kymo_remote_address_free  (KymoRemoteAddress        *address);
char              *kymo_remote_address_dup_text
                                             (const KymoRemoteAddress  *address,
                                              const char               *path);
char             **kymo_remote_address_dup_command
                                             (const KymoRemoteAddress  *address,
                                              const char               *server,
                                              gboolean                  shares,
                                              GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRemoteAddress, kymo_remote_address_free)

G_END_DECLS
