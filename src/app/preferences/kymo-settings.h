/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the desk remembers: colour scheme, window size, panes, recent runs.
 * Where the schema is not installed everything works and nothing is kept.
 * Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* NULL where the schema is not installed */
GSettings *kymo_settings_peek          (void);
GStrv      kymo_settings_dup_recent    (void);
void       kymo_settings_add_recent    (const char *path);
void       kymo_settings_remove_recent (const char *path);
gint64     kymo_settings_get_memory_limit (void);
void       kymo_settings_apply_scheme  (void);
char      *kymo_settings_encode_path   (const char *path);
char      *kymo_settings_decode_path   (const char *text);
char      *kymo_settings_dup_data_folder (const char *installed,
                                          const char *in_tree);

G_END_DECLS
