/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Follows the utilization stream of a running program: learns byte order and
 * PEs, finds which stream it offers, catches up, then asks at the program's
 * pace, and waits with growing pauses where the connection fails. What comes
 * goes out as frames.
 *
 * All callbacks come in the thread-default main context of the thread that
 * started it, which alone may use it.
 */
#pragma once

#include "kymo-attachment-state.h"
#include "kymo-ccs-target.h"
#include "kymo-stream-frame.h"

G_BEGIN_DECLS

/**
 * KymoAttachmentEvents:
 * @frame: the next frame; the first is a FORM. Its begin_ns is not set yet
 * @state: it is in another state, or says something else of it. `sentence`
 *   is for people: what is the matter and what is done about it; `retry_us`:
 *   monotonic time of the next try, 0 = none is due
 */
typedef struct
{
  void (*frame) (KymoStreamFrame     *frame,
                 gpointer             data);
  void (*state) (KymoAttachmentState  state,
                 const char          *sentence,
                 gint64               retry_us,
                 gpointer             data);
} KymoAttachmentEvents;

typedef struct _KymoAttachment KymoAttachment;

KymoAttachment *kymo_attachment_new   (const KymoCcsTarget        *target,
                                       const KymoAttachmentEvents *events,
                                       gpointer                    data);
void            kymo_attachment_set_patience (KymoAttachment      *attachment,
                                       gint64                      patience_us);
void            kymo_attachment_set_values (KymoAttachment     *attachment,
                                       gboolean                    values);
void            kymo_attachment_start (KymoAttachment             *attachment);
/* Tries at once where it waits; begins anew where it has ended or failed. */
void            kymo_attachment_retry (KymoAttachment             *attachment);
void            kymo_attachment_free  (KymoAttachment             *attachment);
KymoAttachmentState kymo_attachment_get_state (const KymoAttachment *attachment);
const char     *kymo_attachment_peek_matter (const KymoAttachment *attachment);
gint64          kymo_attachment_get_bytes_sent (const KymoAttachment *attachment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoAttachment, kymo_attachment_free)

G_END_DECLS
