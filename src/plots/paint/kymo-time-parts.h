/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts that the time of a run is told in, in one place for all figures of the window, of
 * pictures and of the terminal. Entry methods are busy, functions useful: they also communicate,
 * wait, read and write, and each of these has a sum of its own. Any thread may call.
 */
#pragma once

#include "kymo-table.h"

G_BEGIN_DECLS

/** KYMO_TIME_PARTS_MOST: number of parts of any answer at most */
#define KYMO_TIME_PARTS_MOST 8

/**
 * KymoTimePart:
 * @key: column of the answer that has it, in nanoseconds
 * @share: column that has it as a share of the span, in answers about locations; %NULL where they
 *   have none
 * @title: heading, not translated yet
 * @words: sentence part with its share in place of %s, not translated yet
 * @always: %TRUE if lists name the part also where it is 0
 */
typedef struct
{
  const char *key, *share, *title, *words;
  gboolean    always;
} KymoTimePart;

const KymoTimePart *kymo_time_parts     (const KymoTable *answer,
                                         guint           *n_parts);
gint64              kymo_time_part_ns   (const KymoTable    *answer,
                                         const KymoTimePart *part);
gboolean            kymo_tells_useful   (const KymoTable *answer);

G_END_DECLS
