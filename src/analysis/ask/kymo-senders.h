/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which block created a send: the innermost one around it. That is the one rule for chains,
 * the messages of a block and the call table.
 *
 * Clocks are coarse: a creation may stand at the tick at which one block ends and others
 * begin, and the order of the records is not kept. Where all that it may be of run the same
 * entry method it is the first of them: the one that ends, for to begin takes longer than
 * to return. Of the others each is that of the candidate whose entry method surely sent
 * most to the same entry method on its PE; the first one where several did, or none.
 *
 * Made of a location once, on first use, in time linear in its blocks and sends; four bytes
 * a send, of a run that does not fit into memory in scratch memory. Between functions the
 * files' reader has told it already.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

guint32 kymo_send_owner (const KymoAsk     *ask,
                         const KymoSegment *segment,
                         guint              send);

G_END_DECLS
