/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run as one file, and back: its tables read at once, its columns mapped
 * and looked at when they are first used. docs/formats/cache.md describes
 * the bytes. The file is not trusted: neither damage nor intent may lead a
 * reader of the run astray.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-run.h"

G_BEGIN_DECLS

typedef struct _KymoSegmentWriter KymoSegmentWriter;

KymoSegmentWriter *kymo_segment_writer_new (int               fd,
                                            guint             n_metrics,
                                            guint             n_states);
void         kymo_segment_writer_free    (KymoSegmentWriter  *writer);
int          kymo_segment_writer_get_fd  (const KymoSegmentWriter *writer);
void         kymo_segment_writer_set_fd  (KymoSegmentWriter  *writer,
                                          int                 fd);
guint64      kymo_segment_writer_get_end (const KymoSegmentWriter *writer);
gboolean     kymo_segment_writer_add     (KymoSegmentWriter  *writer,
                                          guint               place,
                                          KymoSegment        *segment,
                                          GCancellable       *cancellable,
                                          GError            **error);
KymoBacking *kymo_segment_writer_map     (KymoSegmentWriter  *writer,
                                          GError            **error);
gboolean     kymo_segment_writer_finish  (KymoSegmentWriter  *writer,
                                          const KymoRun      *run,
                                          const guint8       *key,
                                          GCancellable       *cancellable,
                                          GError            **error);
KymoBacking *kymo_segment_backing_new    (int                 fd,
                                          GArray             *written,
                                          guint               n_metrics,
                                          guint               n_states,
                                          GError            **error);
KymoSegment *kymo_segment_backing_lend   (KymoBacking        *backing,
                                          guint               place);

gboolean  kymo_segment_file_write (const KymoRun  *run,
                                   const guint8   *key,
                                   int             fd,
                                   GCancellable   *cancellable,
                                   GError        **error);
gboolean  kymo_segment_file_read_origin (int    fd,
                                   char         **folder,
                                   char         **title);
KymoRun  *kymo_segment_file_read  (int             fd,
                                   const guint8   *key,
                                   gint64          memory_bytes,
                                   void          (*on_damage) (gpointer data),
                                   gpointer        data,
                                   GDestroyNotify  data_free,
                                   GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSegmentWriter, kymo_segment_writer_free)

G_END_DECLS
