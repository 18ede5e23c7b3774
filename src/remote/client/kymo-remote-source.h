/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRemoteSource: a run that lies on another machine and is asked there. Answers are those that
 * the run would give here, byte for byte.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-remote-address.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_REMOTE_SOURCE (kymo_remote_source_get_type ())
G_DECLARE_FINAL_TYPE (KymoRemoteSource, kymo_remote_source, KYMO, REMOTE_SOURCE, GObject)

/**
 * KymoRemoteOptions:
 * @server: (nullable): a command in place of ssh, see kymo_remote_address_dup_command()
 * @shares: the server there is one that other clients share and that stays for the next one, as
 *   a window wants it; see kymo_remote_address_dup_command()
 * @base: (nullable): name of the run where a folder holds several
 * @n_threads: most threads there; 0 = the server's choice
 * @memory_limit_bytes: of the run there; 0 = the server's choice
 * @draft: (nullable): told of the source while its run is still being read; called on the thread
 *   that opens it
 */
typedef struct
{
  const char *server;
  gboolean    shares;
  const char *base;
  guint       n_threads;
  gint64      memory_limit_bytes;
  gboolean    correct_clocks;
  gboolean    no_cache;
  void      (*draft) (KymoSource *source,
                      gpointer    data);
  gpointer    draft_data;
} KymoRemoteOptions;

KymoSource *kymo_remote_source_open (const char               *address,
                                     const KymoRemoteOptions  *options,
                                     KymoJob                  *job,
                                     GError                  **error);
gboolean    kymo_remote_source_keep (KymoRemoteSource         *source,
                                     GCancellable             *cancellable,
                                     GError                  **error);

G_END_DECLS
