/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session's inside, shared by kymo-session.c (life, range, history) and
 * kymo-session-state.c (selection, filter, markers, bookmarks).
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

struct _KymoSession
{
  GObject       parent_instance;

  KymoSource   *source;
  GCancellable *cancellable;
  KymoSpan      full;
  KymoSpan      range;
  GArray       *back;              /* KymoSpan */
  GArray       *forward;           /* KymoSpan */
  gint64        gesture_us;
  gboolean      has_selection;
  KymoSpan      selection;
  gboolean      has_block;
  gint64        block_location;
  gint64        block_time_ns;
  KymoColors   *colors;
  KymoPaletteKind palette;
  GStrv         names;             /* busiest first, or NULL */
  GHashTable   *hidden;            /* set of names */
  char         *hovered;
  KymoIdSet    *locations;
  gboolean      has_marker[2];
  gint64        markers[2];
  guint         next_marker;
  GPtrArray    *bookmarks;         /* KymoBookmark */
};

enum
{
  PROP_0,
  PROP_SOURCE,
  PROP_PALETTE,
  PROP_HOVERED_NAME,
  PROP_HISTORY_DEPTH,
  N_PROPS,
};

enum
{
  RANGE_CHANGED,
  SELECTION_CHANGED,
  FILTER_CHANGED,
  COLORS_CHANGED,
  MARKERS_CHANGED,
  BOOKMARKS_CHANGED,
  GROWN,
  N_SIGNALS,
};

void     kymo_session_emit          (KymoSession   *self,
                                     guint          signal);
void     kymo_session_notify        (KymoSession   *self,
                                     guint          property);
void     kymo_session_show          (KymoSession   *self,
                                     KymoSpan       range);
gboolean kymo_spans_equal           (KymoSpan       a,
                                     KymoSpan       b);

G_END_DECLS
