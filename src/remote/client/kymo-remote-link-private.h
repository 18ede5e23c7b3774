/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a link share: kymo-remote-link.c waits for answers and reads frames,
 * kymo-remote-connect.c makes the link and ends it.
 *
 * Invariant: the link's mutex guards its requests, its runs and its end; `changed` is signalled
 * whenever one of them has changed or a waiting request was cancelled.
 */
#pragma once

#include "kymo-frame-writer.h"
#include "kymo-remote-link.h"

G_BEGIN_DECLS

/* What a server that waits for a job says to standard error begins so. */
#define KYMO_REMOTE_STAGE "kymo-server: "

/** KYMO_REMOTE_ALIVE_S: so many seconds after a message the server gets the next one */
#define KYMO_REMOTE_ALIVE_S 10

struct _KymoRemoteLink
{
  guint            n_refs;      /* guarded by links_mutex */
  char            *key;
  char            *host;
  GSubprocess     *process;
  int              line, words_fd;
  KymoFrameWriter *writer;
  GThread         *reader, *listener, *alive;
  GMutex           mutex;
  GCond            changed, ended;
  guint64          last_id;
  guint            n_asked;     /* questions under way */
  GQueue           waiting;     /* who waits to ask one, newest first: Request, borrowed */
  GVariant        *values[KYMO_FRAME_VALUE_LISTS];  /* lists that the server keeps; see VALUE */
  guint32          last_value;
  GHashTable      *requests;    /* guint64 * of the Request -> Request, borrowed */
  GHashTable      *runs;        /* number -> KymoRemoteRun, counted */
  GVariant        *welcome;     /* body; NULL until it came */
  gint64           welcome_us;  /* when it came, monotonic */
  gboolean         has_ended;
  gboolean         has_said_all;  /* on standard error */
  char            *refusal;     /* of the server, of what this side sends at all, or NULL */
  char            *end_words;   /* why it ended, a sentence */
  GString         *words;       /* last that the process said to standard error */
};

gpointer kymo_remote_link_read_frames  (gpointer       data);
gpointer kymo_remote_link_read_words   (gpointer       data);
gpointer kymo_remote_link_stay_alive   (gpointer       data);
void     kymo_remote_link_on_cancelled (GCancellable  *cancellable,
                                        gpointer       data);
void     kymo_remote_run_unref         (gpointer       run);

G_END_DECLS
