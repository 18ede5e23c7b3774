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

G_END_DECLS
