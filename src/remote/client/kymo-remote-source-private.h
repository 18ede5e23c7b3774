/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of a remote source share: kymo-remote-source.c opens a run and asks it,
 * kymo-remote-again.c connects again when the line is lost.
 *
 * Invariant: the mutex guards what is below it; `changed` is signalled with each change. A line is
 * replaced as a whole, so whoever asks holds one.
 */
#pragma once

#include "kymo-remote-link.h"
#include "kymo-remote-source.h"

G_BEGIN_DECLS

/** KymoRemoteLine: a link and the run's number on it; counted */
typedef struct
{
  KymoRemoteLink *link;
  KymoRemoteRun  *run;
} KymoRemoteLine;

struct _KymoRemoteSource
{
  GObject              parent_instance;
  KymoRemoteAddress   *address;
  char                *server, *launch, *base;  /* of the way and the opening */
  KymoRemoteOptions    options;                 /* its texts are those above */
  guint                timer;                   /* main thread: to the next try */
  KymoJob             *job;                     /* main thread: of a try under way */
  guint                delay_s;                 /* main thread: before the next try */

  GMutex               mutex;
  GCond                changed;
  KymoRemoteLine      *line;
  KymoRemoteLineState  state;
  char                *words;                   /* why the line is lost */
  gint64               next_us;                 /* monotonic time of the next try */
};

KymoRemoteLine *kymo_remote_line_new           (KymoRemoteLink    *link,
                                                KymoRemoteRun     *run);
void            kymo_remote_line_unref         (KymoRemoteLine    *line);
KymoRemoteLine *kymo_remote_source_ref_line    (KymoRemoteSource  *self);
KymoRemoteLine *kymo_remote_source_make_line   (KymoRemoteSource  *self,
                                                gboolean           quiet,
                                                KymoJob           *job,
                                                GError           **error);
gboolean        kymo_remote_source_wait        (KymoRemoteSource  *self,
                                                KymoRemoteLine    *lost,
                                                GCancellable      *cancellable);
void            kymo_remote_source_end_again   (KymoRemoteSource  *self);
void            kymo_remote_source_on_ended    (KymoRemoteSource  *self,
                                                gpointer           run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRemoteLine, kymo_remote_line_unref)

G_END_DECLS
