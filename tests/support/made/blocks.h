/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of the detail stream, made by hand.
 */
#pragma once

#include "kymo-stream-frame.h"

G_BEGIN_DECLS

/* (transfer full): of four PEs, little endian */
KymoStreamFrame *blocks_make_form  (gint64 at_us);
/* (transfer full): a second in which entry `id` has `percent` of all */
KymoStreamFrame *blocks_make_reply (gint64 at_us,
                                    guint  id,
                                    guint  percent);
/* (transfer full): of bytes that mean nothing, others for each `seed` */
KymoStreamFrame *blocks_make_any   (KymoFrameKind kind,
                                    gint64        at_us,
                                    gint64        begin_ns,
                                    gsize         n_bytes,
                                    guint         seed);

G_END_DECLS
