/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An attachment that is watched until it is in a state, with what a program says to it.
 */
#pragma once

#include "kymo-attachment-private.h"
#include "play.h"

G_BEGIN_DECLS

#define ARCH "debug/converse/arch"
#define INFO "ccs_getinfo"
#define DETAIL "CkPerfSumDetail compressed"
#define DOUBLES "CkPerfSummaryCcsClientCB"
#define SHARES "CkPerfSummaryCcsClientCB uchar"

#define HASTE 100

typedef struct
{
  KymoAttachment *attachment;
  GPtrArray      *frames;
  GString        *told;         /* "state: sentence" lines */
  GMainLoop      *loop;
  KymoAttachmentState until;
  gboolean        in_time;
} Watcher;

Watcher *watcher_follow (const char *text, double haste, KymoAttachmentState until);
Watcher *watcher_follow_port_at (Play *play, double haste, KymoAttachmentState until);
Watcher *watcher_follow_port (Play *play, KymoAttachmentState until);
void watcher_free (Watcher *watcher);
char *watcher_dup_kinds (Watcher *watcher);
char *watcher_dup_text_of (Watcher *watcher, KymoFrameKind kind);
GBytes *watched_arch (gboolean big_endian);
GBytes *watched_info (guint n_pes);
GBytes *watched_nothing (void);
GBytes *watched_block (guint n_pes);
Play *watched_play_begin (guint n_pes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Watcher, watcher_free)

#define assert_kinds(watcher, wanted) \
  G_STMT_START { g_autofree char *kinds = watcher_dup_kinds (watcher); \
    g_assert_cmpstr (kinds, ==, wanted); } G_STMT_END
#define assert_told(watcher, words) \
  G_STMT_START { if (strstr ((watcher)->told->str, words) == NULL) \
      g_test_message ("told:\n%s", (watcher)->told->str); \
    g_assert_nonnull (strstr ((watcher)->told->str, words)); } G_STMT_END

G_END_DECLS
