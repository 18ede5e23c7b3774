/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's menu in the terms of the run in front: it is one menu for all tabs,
 * and some of its lines speak of PEs, or of ranks. Main thread only.
 */
#pragma once

#include <gio/gio.h>

#include "kymo-terms.h"

G_BEGIN_DECLS

void kymo_menu_set_terms (GMenuModel *menu,
                          KymoTerms   terms);

G_END_DECLS
