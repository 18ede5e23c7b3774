/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a session share.
 *
 * A request is made by the thread that reads frames and worked on by one of a pool; both hold it.
 * It ends with exactly one frame: OPENED, ANSWER, DONE, LISTING, BYTES or ERROR.
 */
#pragma once

#include <locale.h>

#include "kymo-frame-words.h"
#include "kymo-frame-writer.h"
#include "kymo-job.h"
#include "kymo-run-following.h"
#include "kymo-run-source.h"
#include "kymo-server-session.h"

G_BEGIN_DECLS

typedef struct _KymoServerSession KymoServerSession;

/**
 * KymoServerRequest:
 * @job: of an OPEN its progress; cancelling it ends the request
 * @number: grows, so that the newest question is answered first
 */
typedef struct
{
  KymoServerSession *session;
  KymoFrame         *frame;
  KymoJob           *job;
  guint64            number;
} KymoServerRequest;

/** KymoServerRun: a run that the client has open */
typedef struct
{
  KymoServerSession *session;
  guint32            number;
  KymoRunSource     *source;
  KymoRunFollowing  *following;  /* the main thread's */
  char              *path, *base, *roles;
  gboolean           correct_clocks;
} KymoServerRun;

struct _KymoServerSession
{
  const KymoServerOptions *options;
  KymoFrameWriter         *writer;
  GThreadPool             *askers;     /* of questions, newest first */
  GThreadPool             *workers;    /* of what may take long: one thread each */
  GMutex                   mutex;
  GHashTable              *requests;   /* id -> KymoServerRequest, counted */
  GHashTable              *runs;       /* number -> KymoServerRun, counted */
  guint32                  last_run;
  guint                    n_questions;  /* among the requests */
  GVariant                *values[KYMO_FRAME_VALUE_LISTS];  /* of the reading thread; see VALUE */
  guint64                  last_number;
  locale_t                 language;   /* atomic: of sentences; 0 = that of the process */
};

void           kymo_server_answer_error (KymoServerRequest *request,
                                         const GError      *error);
gboolean       kymo_server_answer       (KymoServerRequest *request,
                                         guint              type,
                                         GVariant          *body);
KymoServerRun *kymo_server_add_run      (KymoServerSession *session,
                                         KymoRun           *run,
                                         gboolean           aside);
KymoServerRun *kymo_server_find_run     (KymoServerRequest *request,
                                         GError           **error);
void           kymo_server_run_unref    (KymoServerRun     *run);
void           kymo_server_close_run    (KymoServerSession *session,
                                         guint32            number);
GVariant      *kymo_server_describe_run (KymoServerRun     *run);
void           kymo_server_ask          (KymoServerRequest *request);
void           kymo_server_open         (KymoServerRequest *request);
char          *kymo_server_expand_path  (const char        *path);
char          *kymo_server_dup_path     (KymoServerRequest *request,
                                         GError           **error);
void           kymo_server_read         (KymoServerRequest *request);
void           kymo_server_files        (KymoServerRequest *request);
void           kymo_server_digest       (KymoServerRequest *request);
int            kymo_server_open_beneath (const char        *root,
                                         const char        *name,
                                         gint64            *n_bytes,
                                         GError           **error);
void           kymo_server_list         (KymoServerRequest *request);
void           kymo_server_keep         (KymoServerRequest *request);
void           kymo_server_work         (KymoServerRequest *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoServerRun, kymo_server_run_unref)

G_END_DECLS
