/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * KymoSelectedBlock: what the source answers about the selected block of a session. Its details
 * are asked for once when the block is selected, its messages once as soon as something shows
 * them, and both again when the run has grown or, for the messages, when the filter changes.
 * Everything that shows the block reads the answers here.
 *
 * Signals: "changed" (another block, or none), "details" and "messages" (an answer has come, or
 * no block is selected any more). Main thread only.
 */
#pragma once

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_SELECTED_BLOCK (kymo_selected_block_get_type ())
G_DECLARE_FINAL_TYPE (KymoSelectedBlock, kymo_selected_block, KYMO, SELECTED_BLOCK, GObject)

KymoSelectedBlock *kymo_selected_block_of            (KymoSession       *session);
KymoTable         *kymo_selected_block_peek_details  (KymoSelectedBlock *self);
const char        *kymo_selected_block_peek_failure  (KymoSelectedBlock *self);
void               kymo_selected_block_want_messages (KymoSelectedBlock *self);
KymoTable         *kymo_selected_block_peek_messages (KymoSelectedBlock *self);

G_END_DECLS
