/* kymo-node-folder.h: the names in a folder, without memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdbool.h>

bool kymo_node_folder_walk (const char *root, const char *path,
                            void (*tell) (const char *name, void *data), void *data);
bool kymo_node_own_descriptors (void);
