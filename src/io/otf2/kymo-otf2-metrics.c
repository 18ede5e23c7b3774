/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics. Those that are read with every begin and end of a function, and only grow,
 * are hardware counters of blocks; the others are samples over time. A value counts in units
 * of its metric times a power of 2 or 10; those of a relative metric are the change since the
 * one before, so that a sample is the sum of all so far.
 */
#include "config.h"

#include <math.h>

#include "kymo-order.h"
#include "kymo-otf2-events-private.h"

static double
value_of (OTF2_Type              type,
          const OTF2_MetricValue *value)
{
  switch (type)
    {
    case OTF2_TYPE_INT64:
      return value->signed_int;
    case OTF2_TYPE_DOUBLE:
      return value->floating_point;
    default:
      return value->unsigned_int;
    }
}

/* A total in whole numbers as it is in the file; KYMO_NO_COUNT where it is none. */
static gint64
raw_total_of (OTF2_Type               type,
              const OTF2_MetricValue *value)
{
  double real = value->floating_point;

  switch (type)
    {
    case OTF2_TYPE_INT64:
      return value->signed_int;
    case OTF2_TYPE_DOUBLE:
      return real > -9e18 && real < 9e18 ? (gint64) real : KYMO_NO_COUNT;
    default:
      return value->unsigned_int <= G_MAXINT64 ? (gint64) value->unsigned_int : KYMO_NO_COUNT;
    }
}

/* The total in the unit of the metric, where the factor is a whole number (and else as it is
   in the file); KYMO_NO_COUNT where it does not fit. */
static gint64
total_of (KymoOtf2Stream         *stream,
          const KymoOtf2Member   *member,
          OTF2_Type               type,
          const OTF2_MetricValue *value)
{
  gint64 total = raw_total_of (type, value);
  gint64 factor = member->exponent <= 0 || total == KYMO_NO_COUNT ? 1
    : member->scale < 9e18 ? (gint64) member->scale : 0;

  if (factor == 1)
    return total;
  if ((factor == 0 && total != 0) || __builtin_mul_overflow (total, factor, &total))
    {
      stream->counts.n_too_large++;
      return KYMO_NO_COUNT;
    }
  return total;
}

/* Adds the value of a relative metric to the values before it and returns the sum. */
static double
sum_of (KymoOtf2Stream         *stream,
        guint32                 metric,
        guint                   place,
        OTF2_Type               type,
        const OTF2_MetricValue *value)
{
  gpointer key = GSIZE_TO_POINTER (((gsize) metric << 8 | place) + 1);
  KymoOtf2Sum *sum = g_hash_table_lookup (stream->sums, key);

  if (sum == NULL)
    {
      sum = g_new0 (KymoOtf2Sum, 1);
      g_hash_table_insert (stream->sums, key, sum);
    }
  sum->is_real |= type == OTF2_TYPE_DOUBLE
    || (type != OTF2_TYPE_INT64 && value->unsigned_int > G_MAXINT64)
    || __builtin_add_overflow (sum->whole, value->signed_int, &sum->whole);
  sum->real += value_of (type, value);
  return sum->is_real ? sum->real : (double) sum->whole;
}

/* Totals of a time begin with none of them known. */
static void
begin_totals (KymoOtf2Stream *stream,
              gint64          ns)
{
  if (stream->totals == NULL)
    stream->totals = g_new (gint64, stream->defs->n_counters);
  else if (stream->totals_ns == ns)
    return;
  stream->totals_ns = ns;
  for (guint i = 0; i < stream->defs->n_counters; i++)
    stream->totals[i] = KYMO_NO_COUNT;
}

/* A power of 10 is divided by where it is negative: 0.1 is no binary fraction, 10 is. */
static double
scaled (double                value,
        const KymoOtf2Member *member)
{
  if (member->base == OTF2_BASE_DECIMAL && member->exponent < 0 && member->exponent >= -300)
    return value / pow (10, (double) -member->exponent);
  return value == 0 ? 0 : value * member->scale;
}

static const KymoOtf2Metric *
metrics_of (const KymoOtf2Stream *stream)
{
  return (gconstpointer) stream->defs->metrics->data;
}

/* What is of a node or a resource goes into the series of the run. */
static void
add_sample (KymoOtf2Stream       *stream,
            gint64                ns,
            const KymoOtf2Metric *metric,
            guint                 place,
            double                value)
{
  const KymoOtf2Member *member = metric->resolved[place];
  KymoPoint point = { .begin_ns = ns, .end_ns = ns, .kind = KYMO_POINT_USER_VALUE,
                      .activity = member->activity, .id = (gint32) member->id,
                      .value = scaled (value, member) };

  if (!isfinite (point.value) && isfinite (value))
    {
      stream->counts.n_too_large++;
      return;
    }
  if (metric->of != NULL)
    {
      if (isfinite (point.value))
        kymo_otf2_add_to_series (stream, ns, metric, (guint32) (metric - metrics_of (stream)),
                                 place, point.value);
      return;
    }
  kymo_segment_builder_point (stream->builder, &point);
}

KYMO_OTF2_EVENT (on_metric, OTF2_MetricRef id, uint8_t n, const OTF2_Type *types,
                 const OTF2_MetricValue *values)
{
  KymoOtf2Stream *stream = data;
  guint32 index = kymo_otf2_ids_find (&stream->defs->metric_ids, id);
  const KymoOtf2Metric *metric = index != KYMO_OTF2_NONE
    ? &g_array_index (stream->defs->metrics, KymoOtf2Metric, index) : NULL;
  gint64 ns;

  if (!kymo_otf2_begin_record (stream, time, &ns))
    return OTF2_CALLBACK_SUCCESS;
  for (guint i = 0; i < n; i++)
    {
      const KymoOtf2Member *member = metric != NULL && i < metric->n_resolved
        ? metric->resolved[i] : NULL;

      if (member == NULL)
        stream->counts.n_unknown_metrics++;
      else if (metric->is_counter && member->counter != KYMO_OTF2_NONE)
        {
          begin_totals (stream, ns);
          stream->totals[member->counter] = total_of (stream, member, types[i], &values[i]);
        }
      else if ((member->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_RELATIVE)
        add_sample (stream, ns, metric, i, sum_of (stream, index, i, types[i], &values[i]));
      else
        add_sample (stream, ns, metric, i, value_of (types[i], &values[i]));
    }
  return OTF2_CALLBACK_SUCCESS;
}

/**
 * kymo_otf2_give_samples:
 * @from: has nothing but samples; they are still its own after
 * @to: of the same process; gets those within its span
 *
 * Both are sealed, and no other thread has them.
 *
 * Returns: how many it got
 */
guint64
kymo_otf2_give_samples (const KymoSegment *from,
                        KymoSegment       *to)
{
  guint before = to->points->len;

  for (guint i = 0; i < from->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (from->points, KymoPoint, i);

      if (point->kind == KYMO_POINT_USER_VALUE && point->begin_ns >= to->span.begin_ns
          && point->begin_ns <= to->span.end_ns)
        g_array_append_vals (to->points, point, 1);
    }
  return to->points->len - before;
}

/** kymo_otf2_sort_samples: once all were given */
void
kymo_otf2_sort_samples (KymoSegment *to)
{
  g_array_sort (to->points, kymo_compare_ints);
}

/**
 * kymo_otf2_add_metric_callbacks:
 *
 * Sets the callback for values of metrics.
 */
void
kymo_otf2_add_metric_callbacks (KymoOtf2Events *calls)
{
  calls->Metric = on_metric;
}
