/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `attach` and `replay` share: a line for every block of a stream, and
 * for what else is to be told of it, written as it comes.
 *
 * One thread at a time each.
 */
#pragma once

#include "kymo-cli.h"
#include "kymo-stream-frame.h"
#include "kymo-stream-names.h"

G_BEGIN_DECLS

/* Frames become lines, in the form that --format asks for. */
typedef struct _KymoCliStream KymoCliStream;

KymoCliStream *kymo_cli_stream_new   (KymoCli                *cli);
void           kymo_cli_stream_free  (KymoCliStream          *stream);
gboolean       kymo_cli_stream_is_asked (const KymoCliStream   *stream,
                                         const KymoStreamFrame *frame,
                                         const KymoStreamBlock *block);
void           kymo_cli_stream_print (KymoCliStream          *stream,
                                      const KymoStreamFrame  *frame,
                                      KymoStreamResult        result,
                                      const KymoStreamBlock  *block,
                                      const char             *why,
                                      const KymoStreamNames  *names,
                                      GString                *out);

void           kymo_cli_stream_print_alarm (KymoCliStream    *stream,
                                      const KymoStreamFrame  *alarm,
                                      GString                *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCliStream, kymo_cli_stream_free)

/* What --watch asks for (kymo-cli-watch.c). */
typedef struct _KymoCliWatch KymoCliWatch;

KymoCliWatch  *kymo_cli_watch_new    (KymoCli                *cli,
                                      gboolean                ticks,
                                      GError                **error);
void           kymo_cli_watch_free   (KymoCliWatch           *self);
gboolean       kymo_cli_watch_needs_values (const KymoCliWatch *self);
void           kymo_cli_watch_take   (KymoCliWatch           *self,
                                      const KymoStreamFrame  *frame,
                                      const KymoStreamBlock  *block,
                                      const KymoStreamNames  *names);
void           kymo_cli_watch_tick   (KymoCliWatch           *self,
                                      gboolean                attached);
GPtrArray     *kymo_cli_watch_steal  (KymoCliWatch           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoCliWatch, kymo_cli_watch_free)

/* The destination of lines: --output or standard output. */
typedef struct _KymoCliOut KymoCliOut;

KymoCliOut    *kymo_cli_out_new      (KymoCli                *cli,
                                      GError                **error);
gboolean       kymo_cli_out_write    (KymoCliOut             *out,
                                      GString                *lines,
                                      GError                **error);
gboolean       kymo_cli_out_is_gone  (const KymoCliOut       *out);
gboolean       kymo_cli_out_finish   (KymoCliOut             *out,
                                      gboolean                keep,
                                      GError                **error);

G_END_DECLS
