/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-tau-layout.h"

/* Where no first record tells the layout: number of records that are looked at, and the percentage
   that has to fit. */
#define LOOKED_AT 64
#define LEAST_THAT_FIT 8
#define FITTING_PERCENT 90

static gboolean
is_first_record (const guint8  *bytes,
                 gsize          n,
                 KymoTauLayout  layout)
{
  KymoTauRecord record;

  if (n < kymo_tau_layout_size (layout))
    return FALSE;
  kymo_tau_decode (bytes, layout, &record);
  return record.parameter == KYMO_TAU_INIT_PARAMETER;
}

/* Number of the first records that fit a layout: the event id is no large number, and the time
   follows soon after the time before it. */
static guint
count_fitting (const guint8  *bytes,
               gsize          n,
               KymoTauLayout  layout,
               guint         *n_records)
{
  guint size = kymo_tau_layout_size (layout), fitting = 0;
  KymoTauRecord last = { 0 }, record;

  *n_records = MIN (n / size, LOOKED_AT);
  for (guint i = 0; i < *n_records; i++, last = record)
    {
      kymo_tau_decode (bytes + (gsize) i * size, layout, &record);
      if (record.event < 0 || record.event >= 1 << 20)
        continue;
      fitting += i == 0 || (record.time >= last.time && kymo_tau_is_near (record.time, last.time));
    }
  return fitting;
}

/**
 * kymo_tau_find_layout:
 * @bytes: (array length=n): the begin of a trace
 * @layout: (out): the layout of its records
 *
 * Tells the layout by the first record. Where that is damaged, or fits several, the
 * layout counts which most of the next records fit; of several that is the one of
 * this kind of machine with 24 bytes.
 *
 * Returns: whether it is a trace at all
 */
gboolean
kymo_tau_find_layout (const guint8  *bytes,
                      gsize          n,
                      KymoTauLayout *layout)
{
  guint best = 0, n_first = 0;

  for (KymoTauLayout i = 0; i < KYMO_N_TAU_LAYOUTS; i++)
    if (is_first_record (bytes, n, i))
      {
        *layout = i;
        n_first++;
      }
  if (n_first == 1)
    return TRUE;
  for (KymoTauLayout i = 0; i < KYMO_N_TAU_LAYOUTS; i++)
    {
      guint n_records, fitting = count_fitting (bytes, n, i, &n_records);

      if (n_first > 0 && !is_first_record (bytes, n, i))
        continue;
      if (n_first == 0 && (n_records < LEAST_THAT_FIT
                           || fitting * 100 < n_records * FITTING_PERCENT))
        continue;
      if (fitting > best)
        {
          best = fitting;
          *layout = i;
        }
    }
  return best > 0;
}

/**
 * kymo_tau_first_time:
 * @times_us: (array length=n): of the first records of a thread, at least one
 *
 * Returns: the first of them that most of them are near to, for single ones may be
 * damaged; where there is none the first
 */
guint64
kymo_tau_first_time (const guint64 *times_us,
                     guint          n)
{
  for (guint i = 0; i < n; i++)
    {
      guint n_near = 0;

      for (guint k = 0; k < n; k++)
        n_near += kymo_tau_is_near (times_us[i], times_us[k]);
      if (2 * n_near > n)
        return times_us[i];
    }
  return times_us[0];
}
