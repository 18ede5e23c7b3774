/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of a session as a person chose them: "colors-changed" is emitted for
 * every change. A session beside another one has those of that one. Main thread
 * only.
 */
#pragma once

#include "kymo-palette.h"
#include "kymo-session.h"

G_BEGIN_DECLS

/* (transfer none): never NULL */
KymoPalette *kymo_session_peek_palette (KymoSession *session);
void         kymo_session_use_palette  (KymoSession *session,
                                        KymoPalette *palette);
void         kymo_session_choose_color (KymoSession *session,
                                        KymoColorOf  of,
                                        const char  *text,
                                        guint32      rgb);
void         kymo_session_reset_color  (KymoSession *session,
                                        KymoColorOf  of,
                                        const char  *text);
KymoColorBy  kymo_session_get_color_by (KymoSession *session);
void         kymo_session_set_color_by (KymoSession *session,
                                        KymoColorBy  by);
gboolean     kymo_session_tells_communicators (KymoSession *session);
gboolean     kymo_session_can_color_by (KymoSession *session,
                                        KymoColorBy  by);
const char  *kymo_session_peek_group   (KymoSession *session,
                                        const char  *name);

G_END_DECLS
