/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as the receiver sees them: one per distinct call that names a
 * source by an event number.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

/**
 * KymoMatch:
 * @KYMO_MATCH_NONE: the sender's record of it is not in the run
 * @KYMO_MATCH_OTHER_ENTRY: there is one of that number, for another entry:
 *   an uncertain arrow (broadcast internals, stale numbers)
 * @KYMO_MATCH_SAME: the creation of this message
 */
typedef enum
{
  KYMO_MATCH_NONE,
  KYMO_MATCH_OTHER_ENTRY,
  KYMO_MATCH_SAME,
} KymoMatch;

KymoMatch kymo_match_block (const KymoAsk     *ask,
                            const KymoSegment *segment,
                            guint              block,
                            KymoSegment      **sender,
                            guint             *send);

G_END_DECLS
