/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences about a path that holds nothing that Kymo opens: what it is, what Kymo
 * opens, what to do. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void kymo_unopened_set_error   (const char  *path,
                                GError     **error);
void kymo_unopened_set_several (const char  *path,
                                GPtrArray   *choices,
                                GPtrArray   *below,
                                const char  *base,
                                GError     **error);

G_END_DECLS
