/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoFeedWaiting: what is to be seen of a stream before its first block: how
 * it stands with the program, when the next try is, and what a person can do.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

#include "kymo-feed.h"

G_BEGIN_DECLS

#define KYMO_TYPE_FEED_WAITING (kymo_feed_waiting_get_type ())
G_DECLARE_FINAL_TYPE (KymoFeedWaiting, kymo_feed_waiting, KYMO, FEED_WAITING,
                      AdwBin)

GtkWidget *kymo_feed_waiting_new       (void);
void       kymo_feed_waiting_show      (KymoFeedWaiting      *self,
                                        const KymoFeedStatus *status);
/* (transfer full): the sentence of the status, and when the next try is */
char      *kymo_feed_waiting_dup_words (const KymoFeedStatus *status);

G_END_DECLS
