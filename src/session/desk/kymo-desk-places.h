/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups [Part N] of a desk: see KymoDeskPlace. For kymo-desk.c. Any thread.
 */
#pragma once

#include "kymo-desk.h"

G_BEGIN_DECLS

void     kymo_desk_place_free   (gpointer         data);
/* A value that is nothing that it could be is left out. */
void     kymo_desk_read_places  (KymoDesk        *desk,
                                 GKeyFile        *file);
void     kymo_desk_write_places (const KymoDesk  *desk,
                                 GKeyFile        *file);

G_END_DECLS
