/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of all segments of a run, as a segment file holds them.
 */
#pragma once

#include "kymo-segment-layout.h"

G_BEGIN_DECLS

/** KymoStoredTotalsLists: the three sections, by segment */
typedef struct
{
  GArray *segments;             /* KymoStoredTotals */
  GArray *activities;           /* KymoActivityTotal */
  GArray *counters;             /* KymoCounterTotal */
} KymoStoredTotalsLists;

void     kymo_stored_totals_make  (const KymoRun           *run,
                                   KymoStoredTotalsLists   *lists);
void     kymo_stored_totals_clear (KymoStoredTotalsLists   *lists);
gboolean kymo_stored_totals_take  (const guint8            *bytes,
                                   const KymoSegmentHeader *header,
                                   KymoRun                 *run);

G_END_DECLS
