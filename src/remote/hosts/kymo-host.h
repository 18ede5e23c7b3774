/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoHost: what hosts.conf says of a machine: how ssh reaches it, where the server is, and how it
 * begins there. The files are those of the site first (kymo/hosts.conf in each of
 * $XDG_CONFIG_DIRS, /etc/xdg by default), then the user's (~/.config/kymo/hosts.conf); a host of
 * a later file takes the place of the same name in an earlier one. A machine that no file names is
 * a host all the same, with ssh's own settings. docs/remote.md describes the file.
 *
 * Plain values; any thread.
 */
#pragma once

#include "kymo-launch.h"

G_BEGIN_DECLS

/**
 * KymoHost:
 * @name: stands for the host in ssh://NAME/PATH
 * @ssh: words of ssh: options, and the destination as the last one
 * @server: (nullable): words of the command that is the server there; %NULL: kymo-server
 * @modules: (array zero-terminated=1): environment modules to load first
 * @launches: (element-type KymoLaunch): at least one; the first is the one to begin with
 * @folder: (nullable): where looking for runs begins; %NULL: the user's folder there
 * @file: (nullable): the file that describes it; %NULL: none does
 */
typedef struct
{
  char      *name;
  char     **ssh;
  char      *server;
  char     **modules;
  GPtrArray *launches;
  char      *folder;
  char      *file;
} KymoHost;

GPtrArray        *kymo_hosts_load        (char             **problem);
KymoHost         *kymo_hosts_find        (const char        *host,
                                          guint16            port,
                                          GError           **error);
char             *kymo_hosts_dup_path    (void);
void              kymo_host_free         (KymoHost          *host);
KymoLaunch       *kymo_host_dup_launch   (const KymoHost    *host,
                                          const char        *words,
                                          GError           **error);
char            **kymo_host_dup_ssh      (const KymoHost    *host,
                                          gboolean           asks,
                                          const char        *command);
char            **kymo_host_dup_command  (const KymoHost    *host,
                                          const KymoLaunch  *launch,
                                          gboolean           asks,
                                          gboolean           shares,
                                          gboolean           rejoins);

char             *kymo_host_dup_version_command
                                         (const KymoHost    *host);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoHost, kymo_host_free)

G_END_DECLS
