/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of the real window, each view once, for the documents and tests:
 * kymo --screenshot DIR [--size WxH] [--dark] [--text-scale F] [--do ACTIONS] RUN. ACTIONS are
 * names of win.* actions, as by-class,sidebar, that are done when the run is
 * read; or others of what has the focus, as rows.order::-busy. Main thread only.
 */
#pragma once

#include "kymo-window.h"

G_BEGIN_DECLS

void kymo_screenshot_start (KymoWindow *window,
                            const char *folder,
                            const char *actions);

G_END_DECLS
