/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the reducer share.
 */
#pragma once

#include "kymo-reducer.h"
#include "kymo-run.h"

G_BEGIN_DECLS

KymoQuestion *kymo_reducer_new_question (const KymoReducerWish *wish);

G_END_DECLS
