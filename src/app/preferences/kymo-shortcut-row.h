/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line of the window of keys: what is done, and by which key or gesture. Made by
 * data/ui/shortcuts.ui. Main thread only.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define KYMO_TYPE_SHORTCUT_ROW (kymo_shortcut_row_get_type ())
G_DECLARE_FINAL_TYPE (KymoShortcutRow, kymo_shortcut_row, KYMO, SHORTCUT_ROW, AdwActionRow)

gboolean kymo_shortcut_row_matches (KymoShortcutRow *self,
                                    const char      *word);

G_END_DECLS
