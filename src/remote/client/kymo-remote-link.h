/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoRemoteLink: the line to a server on another machine, a process whose standard input and
 * output carry frames. All runs that are open on one machine share one.
 *
 * Any thread. Whoever waits for an answer waits here; frames are read by a thread of the link's
 * own, which calls nothing back but the job of a request.
 */
#pragma once

#include "kymo-frame-words.h"
#include "kymo-job.h"
#include "kymo-remote-address.h"

G_BEGIN_DECLS

typedef struct _KymoRemoteLink KymoRemoteLink;

/** KymoRemoteRun: what is known of a far run, now */
typedef struct
{
  GMutex          mutex;
  KymoFrameRun    known;
  GWeakRef        source;       /* the one that tells of growth; may have none */
  gint            telling;      /* atomic */
} KymoRemoteRun;

/**
 * KymoRemoteFrameFunc:
 * @frame: OUTPUT, or GROWN
 *
 * Told on the thread that waits for the request.
 */
typedef void (*KymoRemoteFrameFunc) (const KymoFrame *frame,
                                     gpointer         data);

KymoRemoteLink *kymo_remote_link_get      (const KymoRemoteAddress  *address,
                                           const KymoRemoteWay      *way,
                                           KymoJob                  *job,
                                           GError                  **error);
KymoRemoteLink *kymo_remote_link_ref      (KymoRemoteLink           *link);
gboolean        kymo_remote_link_has_ended (KymoRemoteLink          *link);
char           *kymo_remote_link_dup_end_words
                                          (KymoRemoteLink           *link);
GVariant       *kymo_remote_link_peek_welcome
                                          (KymoRemoteLink           *link);
gint64          kymo_remote_link_get_end  (KymoRemoteLink           *link);
void            kymo_remote_link_unref    (KymoRemoteLink           *link);
KymoFrame      *kymo_remote_link_ask      (KymoRemoteLink           *link,
                                           guint                     type,
                                           GVariant                 *body,
                                           KymoJob                  *job,
                                           KymoRemoteFrameFunc       told,
                                           gpointer                  data,
                                           GCancellable             *cancellable,
                                           GError                  **error);
void            kymo_remote_link_tell     (KymoRemoteLink           *link,
                                           guint                     type,
                                           GVariant                 *body);
gboolean        kymo_remote_link_knows    (KymoRemoteLink           *link,
                                           KymoQuestion             *question,
                                           GError                  **error);
KymoRemoteRun  *kymo_remote_link_add_run  (KymoRemoteLink           *link,
                                           const KymoFrame          *frame,
                                           GError                  **error);
void            kymo_remote_link_drop_run (KymoRemoteLink           *link,
                                           KymoRemoteRun            *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRemoteLink, kymo_remote_link_unref)

G_END_DECLS
