/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of times: how a segment keeps when things were.
 *
 * Narrow: 32-bit ticks; a time is base_ns + tick * unit_ns. Clocks of traces
 * have a unit (a microsecond in Projections logs), and 2^32 of them are more
 * than an hour. Wide: 64-bit nanoseconds after base_ns, for what does not fit.
 * All columns of a segment are of one kind, base and unit, so that moving it
 * in time is moving the base.
 *
 * A KymoTimes is a view: the column stays its owner's.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoTimes:
 * @column: (nullable): guint32 ticks, or where @wide gint64 nanoseconds
 * @base_ns: time of tick 0
 * @unit_ns: nanoseconds of a tick
 * @wide: of 64 bits
 */
typedef struct
{
  gconstpointer column;
  gint64        base_ns;
  guint32       unit_ns;
  gboolean      wide;
} KymoTimes;

/* Units beyond a millisecond are none, so that 2^32 ticks cannot overflow. */
#define KYMO_TIMES_MAX_UNIT_NS 1000000

/**
 * kymo_times_size:
 * @wide: whether the column holds nanoseconds of 64 bits
 *
 * Returns: bytes of a time in the column
 */
static inline gsize
kymo_times_size (gboolean wide)
{
  return wide ? sizeof (gint64) : sizeof (guint32);
}

/** kymo_times_at: the time in place i */
static inline gint64
kymo_times_at (KymoTimes times,
               gsize     i)
{
  if (G_LIKELY (!times.wide))
    return times.base_ns + (gint64) ((const guint32 *) times.column)[i] * times.unit_ns;
  return times.base_ns + ((const gint64 *) times.column)[i];
}

G_END_DECLS
