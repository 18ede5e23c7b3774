/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFrameWriter: sends messages from a thread of its own, so that nobody waits for a slow line.
 * Of several under way the one with the fewest bytes left goes on, messages of one request in
 * their order.
 *
 * Any thread may push; one frees it.
 */
#pragma once

#include "kymo-frame.h"

G_BEGIN_DECLS

typedef struct _KymoFrameWriter KymoFrameWriter;

/**
 * KymoCompression: of bodies above 16 KiB
 * @KYMO_COMPRESSION_AUTO: while the line takes less than 20 MB a second
 */
typedef enum
{
  KYMO_COMPRESSION_AUTO,
  KYMO_COMPRESSION_NEVER,
  KYMO_COMPRESSION_ALWAYS,
} KymoCompression;

/** KymoFrameParcel: a message that is ready to be sent */
typedef struct _KymoFrameParcel KymoFrameParcel;

KymoFrameWriter *kymo_frame_writer_new             (int               fd);
void             kymo_frame_writer_keep_order      (KymoFrameWriter  *writer);
void             kymo_frame_writer_set_compression (KymoFrameWriter  *writer,
                                                    KymoCompression   compression);
void             kymo_frame_writer_push            (KymoFrameWriter  *writer,
                                                    guint             type,
                                                    guint64           id,
                                                    GVariant         *body);
KymoFrameParcel *kymo_frame_writer_pack            (KymoFrameWriter  *writer,
                                                    guint             type,
                                                    guint64           id,
                                                    GVariant         *body,
                                                    GCancellable     *cancellable);
void             kymo_frame_writer_send            (KymoFrameWriter  *writer,
                                                    KymoFrameParcel  *parcel);
void             kymo_frame_parcel_free            (gpointer          parcel);
gboolean         kymo_frame_writer_drop            (KymoFrameWriter  *writer,
                                                    guint64           id);
gint64           kymo_frame_writer_estimate_us     (KymoFrameWriter  *writer,
                                                    gsize             bytes);
void             kymo_frame_writer_free            (KymoFrameWriter  *writer);

G_END_DECLS
