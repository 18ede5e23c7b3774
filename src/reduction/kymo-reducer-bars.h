/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time profiles of single PEs, as far as a search for the smallest set
 * within a bound has to look at them: a filter before the source is asked.
 */
#pragma once

#include "kymo-reducer-private.h"

G_BEGIN_DECLS

typedef struct _KymoReducerBars KymoReducerBars;

KymoReducerBars *kymo_reducer_bars_new     (const KymoReducerTruth  *truth,
                                            const gint64            *pes,
                                            guint                    n_pes,
                                            double                   bound,
                                            gint64                   most_entries,
                                            GError                 **error);
void             kymo_reducer_bars_free    (KymoReducerBars         *bars);
guint            kymo_reducer_bars_n_cells (const KymoReducerBars   *bars);
double           kymo_reducer_bars_error   (const KymoReducerBars   *bars,
                                            const double            *weights,
                                            double                  *cells);
const double    *kymo_reducer_bars_before  (const KymoReducerBars   *bars);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoReducerBars, kymo_reducer_bars_free)

G_END_DECLS
