/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the frames of a recording through a window of bounded size: what the
 * reader reads with, and the writer that goes on with a file.
 *
 * One thread; the file descriptor is the scan's own.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-far-files.h"
#include "kymo-stream-layout.h"

G_BEGIN_DECLS

/**
 * KymoStreamScan:
 * @far: (nullable): how a file of another machine is read
 * @size: of the file when it was last looked at
 * @failed: errno of the last failure to read, or 0
 * @why: (nullable): of a file of another machine, in words
 */
typedef struct
{
  int           fd;
  const KymoFarFiles *far;
  gpointer      far_file;
  gint64        size;
  guint8       *window;
  gint64        window_at;
  gsize         window_n;
  int           failed;
  char         *why;
  GCancellable *cancellable;
} KymoStreamScan;

gboolean      kymo_stream_scan_init  (KymoStreamScan *scan,
                                      const char     *path,
                                      int             flags,
                                      GCancellable   *cancellable,
                                      GError        **error);
void          kymo_stream_scan_clear (KymoStreamScan *scan);
const char   *kymo_stream_scan_peek_why (const KymoStreamScan *scan);
void          kymo_stream_scan_look  (KymoStreamScan *scan);
const guint8 *kymo_stream_scan_peek  (KymoStreamScan *scan,
                                      gint64          at,
                                      gsize           n_bytes);
gsize         kymo_stream_scan_read  (KymoStreamScan *scan,
                                      gint64          at,
                                      guint8         *buffer,
                                      gsize           n_bytes);
gboolean      kymo_stream_scan_head  (KymoStreamScan *scan,
                                      gint64          at,
                                      KymoStreamHead *head);
gint64        kymo_stream_scan_find  (KymoStreamScan *scan,
                                      gint64          from,
                                      KymoStreamHead *head);
KymoStreamStart kymo_stream_scan_start (KymoStreamScan *scan,
                                      guint32        *version,
                                      gint64         *n_header);
gboolean      kymo_stream_scan_is_cut (KymoStreamScan *scan,
                                      gint64          at);

G_END_DECLS
