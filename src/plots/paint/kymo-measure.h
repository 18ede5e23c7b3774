/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the figures of an answer about profiles are written: its metric may be a time in
 * any unit, a count, or what an expression of metrics gives. Values are first
 * multiplied by a factor (to nanoseconds, or to the unit that the person chose), then
 * painted and written. Nothing here has state; any thread may call.
 */
#pragma once

#include <glib.h>

#include "kymo-badge.h"

G_BEGIN_DECLS

/**
 * KymoMeasure:
 * @kind: times are in ns unless `fixed`
 * @factor: from a value of the answer to what is painted
 * @fixed: (nullable): the unit that was chosen for times, as "ms"
 * @unit: (not owned): of what is neither a time nor a count; "" = none
 * @metric: (not owned): "TIME"
 * @value: (not owned): "exclusive", "calls", …
 */
typedef struct
{
  KymoUnit    kind;
  double      factor;
  const char *fixed;
  const char *unit;
  const char *metric;
  const char *value;
} KymoMeasure;

/* `value` NULL is the one that the answer tells. */
void            kymo_measure_init   (KymoMeasure         *measure,
                                     const KymoTable     *answer,
                                     const KymoPlotFrame *frame,
                                     const char          *value);
/* (transfer full): of a value of the answer, three digits and the unit */
char           *kymo_measure_format (const KymoMeasure   *measure,
                                     double               value);
/* (transfer full): with all its digits */
char           *kymo_measure_exact  (const KymoMeasure   *measure,
                                     double               value);
/* Labels of an axis of painted values, that is, multiplied by the factor. */
KymoFormatValue kymo_measure_axis   (const KymoMeasure   *measure);
/* (transfer full): "Exclusive · TIME", with a unit where labels have none */
char           *kymo_measure_words  (const KymoMeasure   *measure);
/* "Inclusive per call": (not owned): for headings */
const char     *kymo_value_words    (const char          *value);

/* Values of counters in words: where a name tells that they are bytes, as KiB, MiB and the
   like. Any thread may call. */

/* What a value is in bytes, by the unit in the name; 0 where it is something else. */
double   kymo_counter_bytes     (const char *name);
/* Memory in use: values that stay until they are set anew, of which the largest counts. */
gboolean kymo_counter_is_memory (const char *name);
/* (transfer full): "83.9 MiB", or the number */
char    *kymo_counter_dup_name  (const char *name,
                                 const char *unit);
char    *kymo_counter_format    (const char *name,
                                 double      value);

G_END_DECLS
