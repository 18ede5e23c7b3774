/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions of ssh as dialogs, with ssh's own words.
 *
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "kymo-askpass.h"

G_BEGIN_DECLS

void kymo_askpass_dialog_ask (KymoAskpassQuestion *question,
                              KymoAskpassKind      kind,
                              const char          *words,
                              gpointer             application);

G_END_DECLS
