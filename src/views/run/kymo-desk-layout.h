/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which views stand where on a desk, as a value and as a line of text:
 *
 *   layout = view | split
 *   split  = ("right" | "below") share layout layout
 *   view   = id of kymo_views[] ["*"]
 *
 * words with a blank between. The first layout of a split gets its share of the width
 * ("right": the second stands to the right of it) or height ("below"). The star marks
 * the part with the focus; without one it is the first. So "timeline" is a layout,
 * and "right 0.58 timeline* below 0.5 communication usage" has three parts.
 *
 * Text is not trusted: no more than KYMO_MOST_PARTS parts are taken, and nothing
 * recurses deeper than these are. A value belongs to whom it was given. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* So many views at once; each asks and paints. */
#define KYMO_MOST_PARTS 6
/* The least share of a split that either side gets: what four digits tell. Wherever a
   handle stands it stands again. */
#define KYMO_LEAST_SHARE 0.0001

typedef struct _KymoDeskLayout KymoDeskLayout;

/**
 * KymoDeskLayout:
 *
 * A part, with a @view, or a split, with both sides.
 */
struct _KymoDeskLayout
{
  char           *view;                /* NULL of a split */
  gboolean        current;             /* the part that has the focus */
  gboolean        below;               /* the second is below the first */
  double          share;               /* of the first, 0 .. 1 */
  KymoDeskLayout *first, *second;      /* NULL of a part */
};

KymoDeskLayout *kymo_desk_layout_new_part  (const char     *view,
                                            gboolean        current);
KymoDeskLayout *kymo_desk_layout_new_split (gboolean        below,
                                            double          share,
                                            KymoDeskLayout *first,
                                            KymoDeskLayout *second);
void            kymo_desk_layout_free      (KymoDeskLayout *layout);
KymoDeskLayout *kymo_desk_layout_parse     (const char     *text,
                                            GError        **error);
char           *kymo_desk_layout_to_text   (const KymoDeskLayout *layout);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoDeskLayout, kymo_desk_layout_free)

G_END_DECLS
