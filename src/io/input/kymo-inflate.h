/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file as a stream of plain bytes, whether it was compressed or not. What
 * knows of inflating is behind this alone. Content decides, not the name.
 *
 * One thread per stream.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-job.h"

G_BEGIN_DECLS

typedef struct _KymoInflate KymoInflate;

/**
 * KymoInflateEnd:
 * @KYMO_INFLATE_MORE: there may be more bytes
 * @KYMO_INFLATE_END: the file ended as it should
 * @KYMO_INFLATE_CUT: the file ended within a compressed stream
 * @KYMO_INFLATE_DAMAGED: compressed data are broken
 * @KYMO_INFLATE_CHECKSUM: all data came, but are not what the checksum or the
 *   length behind them tells
 * @KYMO_INFLATE_GARBAGE: after the compressed data came something else
 * @KYMO_INFLATE_UNREADABLE: the system could not read on
 */
typedef enum
{
  KYMO_INFLATE_MORE,
  KYMO_INFLATE_END,
  KYMO_INFLATE_CUT,
  KYMO_INFLATE_DAMAGED,
  KYMO_INFLATE_CHECKSUM,
  KYMO_INFLATE_GARBAGE,
  KYMO_INFLATE_UNREADABLE,
} KymoInflateEnd;

/* Zeros behind what kymo_inflate_steal_whole() gives. */
#define KYMO_INFLATE_PADDING 16

KymoInflate    *kymo_inflate_open    (const char   *path,
                                      GError      **error);
void            kymo_inflate_close   (KymoInflate  *inflate);
gsize           kymo_inflate_read    (KymoInflate  *inflate,
                                      void         *buffer,
                                      gsize         size,
                                      KymoJob      *job);
char           *kymo_inflate_steal_whole (KymoInflate *inflate,
                                      KymoJob      *job,
                                      gsize        *n_bytes);
KymoInflateEnd  kymo_inflate_get_end (KymoInflate  *inflate);
gint64          kymo_inflate_get_bytes_left (KymoInflate *inflate);
gint64          kymo_inflate_get_growth (KymoInflate *inflate);

gsize           kymo_inflate_head    (int           fd,
                                      gint64        size_bytes,
                                      char         *buffer,
                                      gsize         room,
                                      gint64       *plain_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoInflate, kymo_inflate_close)

G_END_DECLS
