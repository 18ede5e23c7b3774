/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRemoteSource: a run that lies on another machine and is asked there. Answers are those that
 * the run would give here, byte for byte.
 *
 * Signals: "grown" as each source has it, "line-changed" with each change of the line's state.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-remote-address.h"
#include "kymo-source.h"

G_BEGIN_DECLS

#define KYMO_TYPE_REMOTE_SOURCE (kymo_remote_source_get_type ())
G_DECLARE_FINAL_TYPE (KymoRemoteSource, kymo_remote_source, KYMO, REMOTE_SOURCE, GObject)

/**
 * KymoRemoteLineState: of a source that connects again
 * @KYMO_REMOTE_LINE_UP: the machine answers
 * @KYMO_REMOTE_LINE_LOST: it is tried again soon
 * @KYMO_REMOTE_LINE_TRYING: just now
 * @KYMO_REMOTE_LINE_DOWN: it is tried again when a person wants it
 */
typedef enum
{
  KYMO_REMOTE_LINE_UP,
  KYMO_REMOTE_LINE_LOST,
  KYMO_REMOTE_LINE_TRYING,
  KYMO_REMOTE_LINE_DOWN,
} KymoRemoteLineState;

/**
 * KymoRemoteOptions:
 * @server: (nullable): a command in place of ssh, see kymo_remote_address_dup_command()
 * @shares: the server there is one that other clients share and that stays for the next one, as
 *   a window wants it; see kymo_remote_address_dup_command()
 * @launch: (nullable): how the server begins there, see #KymoRemoteWay
 * @reconnects: a line that is lost is made again, and questions wait for it; the signal
 *   "line-changed" tells of it. The default main context must run.
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
  const char *launch;
  gboolean    reconnects;
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
KymoRemoteLineState
            kymo_remote_source_get_line (KymoRemoteSource        *source,
                                         char                   **words,
                                         gint64                  *wait_us);
gint64      kymo_remote_source_get_end  (KymoRemoteSource        *source);
void        kymo_remote_source_reconnect (KymoRemoteSource       *source);
void        kymo_remote_source_give_up  (KymoRemoteSource        *source);

G_END_DECLS
