/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a run as a whole or not at all: its files go into a folder beside
 * the place that was asked for, which is then renamed. It never takes the
 * place of anything; whatever goes wrong, nothing is left.
 *
 * Several threads may write files of one run at once, each its own.
 */
#pragma once

#include "kymo-job.h"

G_BEGIN_DECLS

typedef struct _KymoRunWriter KymoRunWriter;
typedef struct _KymoRunFile KymoRunFile;

gboolean       kymo_run_writer_check     (const char     *place,
                                          GError        **error);
KymoRunWriter *kymo_run_writer_new       (const char     *place,
                                          KymoJob        *job,
                                          GError        **error);
gboolean       kymo_run_writer_copy      (KymoRunWriter  *writer,
                                          const char     *source,
                                          const char     *name,
                                          GError        **error);
gboolean       kymo_run_writer_add       (KymoRunWriter  *writer,
                                          const char     *name,
                                          const char     *text,
                                          GError        **error);
gboolean       kymo_run_writer_finish    (KymoRunWriter  *writer,
                                          GError        **error);
/* For a library that writes files of its own into the folder. */
const char    *kymo_run_writer_peek_folder (KymoRunWriter *writer);
void           kymo_run_writer_adopt     (KymoRunWriter  *writer);
gint64         kymo_run_writer_get_bytes (KymoRunWriter  *writer);
void           kymo_run_writer_free      (KymoRunWriter  *writer);

/* A file that is written piece by piece. */
KymoRunFile   *kymo_run_file_new         (KymoRunWriter  *writer,
                                          const char     *name,
                                          gboolean        compressed,
                                          GError        **error);
gboolean       kymo_run_file_write       (KymoRunFile    *file,
                                          const char     *bytes,
                                          gsize           n_bytes,
                                          GError        **error);
gboolean       kymo_run_file_close       (KymoRunFile    *file,
                                          GError        **error);
void           kymo_run_file_free        (KymoRunFile    *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRunWriter, kymo_run_writer_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoRunFile, kymo_run_file_free)

G_END_DECLS
