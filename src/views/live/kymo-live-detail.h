/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoLiveDetail: a stretch of the newest block in bars of 1 ms, at first its
 * first 250 ms. It is replaced with each block and does not scroll. The person
 * chooses another quarter, moves it inside the block with wheel or ruler, or
 * holds a stretch: what is selected in the session, or what she moves to beyond
 * the block. While the session stands, so does this. Main thread only.
 */
#pragma once

#include "kymo-canvas.h"

G_BEGIN_DECLS

#define KYMO_TYPE_LIVE_DETAIL (kymo_live_detail_get_type ())
G_DECLARE_FINAL_TYPE (KymoLiveDetail, kymo_live_detail, KYMO, LIVE_DETAIL,
                      GtkBox)

GtkWidget   *kymo_live_detail_new          (KymoSession    *session);
KymoCanvas  *kymo_live_detail_get_canvas   (KymoLiveDetail *self);
KymoSession *kymo_live_detail_peek_session (KymoLiveDetail *self);
/* (nullable): rows of an answer's marks, for the ruler */
void         kymo_live_detail_set_marks    (KymoLiveDetail *self,
                                            KymoTable      *marks);
/* Shows the newest block again. */
void         kymo_live_detail_release      (KymoLiveDetail *self);
gboolean     kymo_live_detail_is_held      (KymoLiveDetail *self);
/* 0 to 3; what is held is released. */
void         kymo_live_detail_set_quarter  (KymoLiveDetail *self,
                                            guint           quarter);

G_END_DECLS
