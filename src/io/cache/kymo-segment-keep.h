/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may be written to a segment file, and the matches in it; for its writer and
 * its reader.
 */
#pragma once

#include "kymo-segment-layout.h"
#include "kymo-segment-out.h"

G_BEGIN_DECLS

gboolean kymo_segment_can_be_kept   (const KymoSegment      *segment,
                                     guint                   n_metrics);
gboolean kymo_run_can_be_kept       (const KymoRun          *run);
guint64  kymo_segment_match_offset  (const KymoSegmentEntry *entry,
                                     guint                   column);
void     kymo_segment_put_matches   (KymoSegmentOut         *out,
                                     const KymoSegment      *segment,
                                     KymoSegmentEntry       *entry);
gboolean kymo_segment_check_matches (const KymoSegmentEntry *entry,
                                     const guint8           *bytes,
                                     const KymoSegmentEntry *entries,
                                     guint64                 n_entries);
void     kymo_segment_map_matches   (KymoSegment            *segment,
                                     const KymoSegmentEntry *entry,
                                     const guint8           *bytes);

G_END_DECLS
