/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was sampled of one counter on one location, one sample after the other: of a user
 * event with values, a statistic, the memory in use, or a metric of functions, whose
 * samples are calls: what each counted itself, at its begin.
 */
#pragma once

#include "kymo-engine.h"

G_BEGIN_DECLS

typedef void (*KymoOnSample) (gint64   time_ns,
                              double   value,
                              gpointer data);

/* Points in order of time, all that there are before end_ns; then calls that begin in the
   asked range. The segment's points and blocks are in use. */
void     kymo_counter_each_sample (const KymoAsk *ask,
                                   KymoSegment   *segment,
                                   const char    *name,
                                   KymoSpan       span,
                                   KymoOnSample   on_sample,
                                   gpointer       data);
const char *kymo_counter_unit (const KymoRun *run,
                               const char    *name);
gboolean kymo_counter_is_metric   (const KymoRun *run,
                                   const char    *name);

gboolean kymo_counter_is_in_bounds (const KymoAsk *ask,
                                    guint          n_rows,
                                    guint          n_columns,
                                    GError       **error);

G_END_DECLS
