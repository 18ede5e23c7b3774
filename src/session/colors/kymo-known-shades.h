/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that stand beside each other in most runs, and a shade of their family for each. Pure
 * functions, any thread.
 */
#pragma once

#include "kymo-colors.h"

G_BEGIN_DECLS

guint kymo_known_shade (KymoColorFamily  family,
                        const char      *name);

G_END_DECLS
