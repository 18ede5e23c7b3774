/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each kept PE stands for when the others of its cluster are dropped.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

double *kymo_weights_new (const KymoTable *locations);

G_END_DECLS
