/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a thread owes to another thread of its process, as files record it: it began
 * its part because another thread forked a team or created it, and it went on because
 * another thread had ended. Without these records the reason for which a thread began is unknown.
 *
 * Made by the reader of a run, sorted before the run is sealed, immutable after.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoThreadLink:
 * @to_ns: from this moment on the thread @to could go on
 * @from_ns: when the thread @from made that possible; never later
 * @to: index of the location in the run
 * @from: index of the other location; never @to
 */
typedef struct
{
  gint64  to_ns;
  gint64  from_ns;
  guint32 to;
  guint32 from;
} KymoThreadLink;

void     kymo_thread_links_sort     (GArray               *links);
void     kymo_thread_links_shift    (GArray               *links,
                                     const gint64         *offsets_ns);
gboolean kymo_thread_links_are_good (const KymoThreadLink *links,
                                     gsize                 n,
                                     guint                 n_locations,
                                     gint64                max_ns);
guint    kymo_thread_links_find     (const GArray         *links,
                                     guint                 to,
                                     gint64                time_ns);

G_END_DECLS
