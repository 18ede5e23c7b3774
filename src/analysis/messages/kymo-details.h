/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the kind details says of the messages of a block.
 */
#pragma once

#include "kymo-describe.h"

G_BEGIN_DECLS

void  kymo_details_set_exchanges (const KymoAsk *ask,
                                  KymoSegment   *segment,
                                  guint          block,
                                  KymoTable     *answer,
                                  KymoTable     *lines);

G_END_DECLS
