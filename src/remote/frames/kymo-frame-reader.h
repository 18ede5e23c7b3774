/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFrameReader: makes messages of bytes as they come. What a login shell writes before the
 * first header is skipped, and kept to be shown.
 *
 * One thread.
 */
#pragma once

#include "kymo-frame.h"

G_BEGIN_DECLS

typedef struct _KymoFrameReader KymoFrameReader;

KymoFrameReader *kymo_frame_reader_new       (gsize             most);
void             kymo_frame_reader_free      (KymoFrameReader  *reader);
void             kymo_frame_reader_allow_values
                                             (KymoFrameReader  *reader,
                                              gsize             most);
void             kymo_frame_reader_set_patience
                                             (KymoFrameReader  *reader,
                                              int               ms);
gboolean         kymo_frame_reader_feed      (KymoFrameReader  *reader,
                                              gconstpointer     bytes,
                                              gsize             size,
                                              GError          **error);
KymoFrame       *kymo_frame_reader_take      (KymoFrameReader  *reader);
KymoFrame       *kymo_frame_reader_wait      (KymoFrameReader  *reader,
                                              int               fd,
                                              GError          **error);
char            *kymo_frame_reader_dup_noise (KymoFrameReader  *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoFrameReader, kymo_frame_reader_free)

G_END_DECLS
