/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes on their way into a segment file: gathered, hashed, written where
 * they belong. One thread; the memory is the caller's struct and a buffer.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-segment-hash.h"
#include "kymo-segment-layout.h"

G_BEGIN_DECLS

/**
 * KymoSegmentOut:
 * @fd: the file
 * @offset: of the first byte of the buffer
 * @n: bytes in the buffer
 * @n_hashed: of them; whole stripes
 * @failed: errno of the first failure, or 0; then nothing more is written
 */
typedef struct
{
  int           fd;
  guint64       offset;
  guint8       *buffer;
  gsize         n;
  gsize         n_hashed;
  KymoHash      hash;
  GCancellable *cancellable;
  int           failed;
} KymoSegmentOut;

void    kymo_segment_out_init     (KymoSegmentOut *out,
                                   int             fd,
                                   guint64         offset,
                                   GCancellable   *cancellable);
void    kymo_segment_out_put      (KymoSegmentOut *out,
                                   gconstpointer   bytes,
                                   gsize           n_bytes);
void    kymo_segment_out_pad      (KymoSegmentOut *out);
guint64 kymo_segment_out_end_hash (KymoSegmentOut *out);
void    kymo_segment_out_put_section (KymoSegmentOut *out,
                                   KymoSegmentPlace *place,
                                   gconstpointer   bytes,
                                   gsize           n_bytes);
int     kymo_segment_out_clear    (KymoSegmentOut *out);

G_END_DECLS
