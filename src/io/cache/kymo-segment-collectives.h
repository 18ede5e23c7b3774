/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The collectives of a run as sections of its segment file, and back; for the writer of
 * such files and their reader.
 */
#pragma once

#include "kymo-segment-layout.h"

G_BEGIN_DECLS

/** KymoStoredCollectivesLists: what the sections hold; %NULL where there are none */
typedef struct
{
  GArray *list;                 /* KymoStoredCollective */
  GArray *members;              /* KymoStoredMember */
} KymoStoredCollectivesLists;

gboolean kymo_stored_collectives_fit   (const KymoRun              *run);
void     kymo_stored_collectives_make  (const KymoRun              *run,
                                        KymoStoredCollectivesLists *lists);
void     kymo_stored_collectives_clear (KymoStoredCollectivesLists *lists);
gboolean kymo_stored_collectives_take  (const guint8               *bytes,
                                        const KymoSegmentHeader    *header,
                                        KymoRun                    *run);

G_END_DECLS
