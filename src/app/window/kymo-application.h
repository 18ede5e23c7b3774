/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoApplication: one process, its options, app.* actions and keys.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define KYMO_TYPE_APPLICATION (kymo_application_get_type ())
G_DECLARE_FINAL_TYPE (KymoApplication, kymo_application, KYMO, APPLICATION,
                      AdwApplication)

void             kymo_application_choose_renderer (void);
KymoApplication *kymo_application_new (void);

G_END_DECLS
