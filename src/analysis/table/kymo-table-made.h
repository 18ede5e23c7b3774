/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is derived from an answer once and kept with it.
 */
#pragma once

#include "kymo-made.h"
#include "kymo-table.h"

G_BEGIN_DECLS

gconstpointer kymo_table_peek_made (const KymoTable *table,
                                    KymoMadeFunc     make,
                                    GDestroyNotify   free);

G_END_DECLS
