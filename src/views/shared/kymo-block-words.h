/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selected block in words, for who does not see it: "PE 17,
 * computeForces, 3.2 ms, 4 times the median (800 µs), 3rd longest of 12,345 in
 * the run". One for each session, with which it goes; medians are asked for
 * once, when a block is first selected, its place among the blocks of its name
 * with each. Signals: "changed"; "rested": it is known how the block under a
 * pointer at rest stands. Main thread only.
 */
#pragma once

#include <glib-object.h>

#include "kymo-session.h"

G_BEGIN_DECLS

#define KYMO_TYPE_BLOCK_WORDS (kymo_block_words_get_type ())
G_DECLARE_FINAL_TYPE (KymoBlockWords, kymo_block_words, KYMO, BLOCK_WORDS,
                      GObject)

KymoBlockWords *kymo_block_words_of      (KymoSession    *session);
/* (nullable): NULL without a selected block, or while it is asked for */
const char     *kymo_block_words_peek    (KymoBlockWords *self);
/* (nullable): "4 times the median (800 µs), 3rd longest of 12,345 in the run" */
const char     *kymo_block_words_peek_standing (KymoBlockWords *self);
/* (transfer full) (nullable): the same of the block of a name that a pointer is
   over; where it is not known it is asked for when the pointer rests there */
char           *kymo_block_words_dup_rested (KymoBlockWords *self,
                                             const char     *name,
                                             gint64          location,
                                             gint64          time_ns);
/* (transfer full) (nullable): "4 times the median"; NULL where nothing is known
   of it */
char           *kymo_block_words_compare (KymoBlockWords *self,
                                          const char     *name,
                                          gint64          duration_ns);
/* Has the medians asked for, without a selected block. */
void            kymo_block_words_want    (KymoBlockWords *self);

G_END_DECLS
