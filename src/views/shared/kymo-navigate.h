/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Going to a block: the next, the previous, the longest of an entry method,
 * the next of a location, or the one at a place. Answers come asynchronously
 * and change the session.
 * Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

/**
 * KymoNavigateDone:
 * @message: (nullable): a sentence when nothing was found
 */
typedef void (*KymoNavigateDone) (const char *message,
                                  gpointer    data);

void kymo_navigate_zoom_to_span  (KymoSession      *session,
                                  KymoSpan          span);
void kymo_navigate_zoom_to_block (KymoSession      *session,
                                  gint64            location,
                                  gint64            time_ns);
void kymo_navigate_find          (KymoSession      *session,
                                  const char       *name,
                                  const char       *direction,
                                  gboolean          whole_run,
                                  KymoNavigateDone  done,
                                  gpointer          data);
void kymo_navigate_step          (KymoSession      *session,
                                  gint64            location,
                                  KymoIdSet        *row,
                                  const char       *direction,
                                  KymoNavigateDone  done,
                                  gpointer          data);
void kymo_navigate_mark_block    (KymoSession      *session,
                                  gint64            location,
                                  gint64            time_ns);
void kymo_navigate_outlier       (KymoSession      *session,
                                  KymoNavigateDone  done,
                                  gpointer          data);
void kymo_navigate_show          (KymoSession      *session,
                                  gint64            location,
                                  KymoSpan          block);
void kymo_navigate_remember      (KymoSession      *session,
                                  KymoSpan          before);

G_END_DECLS
