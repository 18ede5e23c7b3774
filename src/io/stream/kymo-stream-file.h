/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording of a stream: a header and frames, one after the other, as they
 * came (docs/formats/stream.md). Each frame has its own check sum, so that a
 * file that was cut anywhere, or is still being written, is read up to there,
 * and writing can go on there. Names end in ".kymostream".
 *
 * Writer and reader: one thread at a time each; a reader beside a writer sees
 * what was flushed.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-report.h"
#include "kymo-stream-frame.h"

G_BEGIN_DECLS

#define KYMO_STREAM_SUFFIX ".kymostream"

typedef struct _KymoStreamWriter KymoStreamWriter;
typedef struct _KymoStreamReader KymoStreamReader;

/* A new file (never over an existing one), or with `resume` an existing
   recording from its last whole frame on. `provenance`: "key: value" lines. */
KymoStreamWriter *kymo_stream_writer_new    (const char        *path,
                                             gboolean           resume,
                                             const char        *provenance,
                                             GError           **error);
gboolean          kymo_stream_writer_append (KymoStreamWriter  *writer,
                                             const KymoStreamFrame *frame,
                                             GError           **error);
gint64            kymo_stream_writer_get_bytes (const KymoStreamWriter *writer);
/* Of a recording that is gone on with: where the next block begins. */
gint64            kymo_stream_writer_get_next_ns (const KymoStreamWriter *writer);
/* Flushes to the disk and closes; frees in any case. */
gboolean          kymo_stream_writer_finish (KymoStreamWriter  *writer,
                                             GError           **error);

gboolean          kymo_stream_file_is_one   (const char        *path);
/* (transfer full): the recording that a path names: itself, or the only one in
   a folder, or there the one named `base` (may be NULL). */
char             *kymo_stream_file_find     (const char        *path,
                                             const char        *base,
                                             GError           **error);
KymoStreamReader *kymo_stream_reader_new    (const char        *path,
                                             GError           **error);
void              kymo_stream_reader_free   (KymoStreamReader  *reader);
void              kymo_stream_reader_set_cancellable (KymoStreamReader *reader,
                                             GCancellable      *cancellable);
/* (transfer full): the next whole frame; NULL at the end. Damaged stretches
   are skipped and told in the report (or NULL). */
KymoStreamFrame  *kymo_stream_reader_next   (KymoStreamReader  *reader,
                                             KymoReport        *report);
void              kymo_stream_reader_rewind (KymoStreamReader  *reader);
const char       *kymo_stream_reader_peek_failure (const KymoStreamReader *reader);
double            kymo_stream_reader_get_fraction (const KymoStreamReader *reader);
gint64            kymo_stream_reader_get_bytes_left (const KymoStreamReader *reader);
gint64            kymo_stream_reader_get_end (const KymoStreamReader *reader,
                                             guint32           *number);
char             *kymo_stream_reader_dup_provenance (const KymoStreamReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamReader, kymo_stream_reader_free)

/* The frames of the last while, in memory: with a limit of bytes of payload
   (each frame counts 64 more). The newest FORM and NAMES are always kept, and
   the newest frame, even beyond that. */
typedef struct _KymoStreamRing KymoStreamRing;

KymoStreamRing   *kymo_stream_ring_new      (gsize              max_bytes);
void              kymo_stream_ring_free     (KymoStreamRing    *ring);
void              kymo_stream_ring_push     (KymoStreamRing    *ring,
                                             KymoStreamFrame   *frame);
/* Frames (a new reference each) as they should be written: form and names
   first. (element-type KymoStreamFrame) (transfer full) */
GPtrArray        *kymo_stream_ring_dup_frames (KymoStreamRing  *ring);
gint64            kymo_stream_ring_get_bytes (const KymoStreamRing *ring);
gint64            kymo_stream_ring_get_begin_ns (const KymoStreamRing *ring);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoStreamRing, kymo_stream_ring_free)

G_END_DECLS
