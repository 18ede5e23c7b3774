/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock of a process: its ticks become nanoseconds of its node, and these nanoseconds of the
 * node of rank 0. All in integers and rounded down, so that what was recorded later never
 * becomes earlier.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-record.h"

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

static int
compare_moments (gconstpointer a,
                 gconstpointer b)
{
  const KymoRecordMoment *x = a, *y = b;

  KYMO_ORDER_BY (x->ticks, y->ticks);
  return 0;
}

static int
compare_offsets (gconstpointer a,
                 gconstpointer b)
{
  const KymoRecordOffset *x = a, *y = b;

  KYMO_ORDER_BY (x->mono_ns, y->mono_ns);
  return 0;
}

/**
 * kymo_record_clock_sort:
 *
 * To be called once all lines are read. Moments at which one of the clocks did not go on are
 * dropped.
 */
void
kymo_record_clock_sort (KymoRecordProcess *process)
{
  GArray *moments = process->moments, *offsets = process->offsets;
  guint n = 0;

  g_array_sort (moments, compare_moments);
  for (guint i = 0; i < moments->len; i++)
    {
      const KymoRecordMoment *moment = AT (moments, KymoRecordMoment, i);

      if (n == 0 || (moment->ticks > AT (moments, KymoRecordMoment, n - 1)->ticks
                     && moment->mono_ns > AT (moments, KymoRecordMoment, n - 1)->mono_ns))
        *AT (moments, KymoRecordMoment, n++) = *moment;
    }
  g_array_set_size (moments, n);
  process->alive_ns = n > 0 ? AT (moments, KymoRecordMoment, n - 1)->mono_ns : 0;
  g_array_sort (offsets, compare_offsets);
  n = 0;
  for (guint i = 0; i < offsets->len; i++)
    if (n == 0 || AT (offsets, KymoRecordOffset, i)->mono_ns
        > AT (offsets, KymoRecordOffset, n - 1)->mono_ns)
      *AT (offsets, KymoRecordOffset, n++) = *AT (offsets, KymoRecordOffset, i);
  g_array_set_size (offsets, n);
}

/** kymo_record_has_clock: whether its ticks can be told in nanoseconds */
gboolean
kymo_record_has_clock (const KymoRecordProcess *process)
{
  return process->moments->len > 1 || (process->is_monotonic && process->moments->len > 0);
}

/**
 * kymo_record_clock_borrow:
 * @process: without a clock: it told the time once only, as a young process does
 * @other: a process with a clock
 *
 * Ticks of one machine are equally long for all its processes.
 *
 * Returns: whether the process has a clock now
 */
gboolean
kymo_record_clock_borrow (KymoRecordProcess       *process,
                          const KymoRecordProcess *other)
{
  const KymoRecordMoment *first, *last;
  KymoRecordMoment moment;

  if (process->moments->len != 1 || other->moments->len < 2 || other->is_monotonic
      || g_strcmp0 (process->host, other->host) != 0)
    return FALSE;
  first = AT (other->moments, KymoRecordMoment, 0);
  last = AT (other->moments, KymoRecordMoment, other->moments->len - 1);
  moment = *AT (process->moments, KymoRecordMoment, 0);
  if (__builtin_add_overflow (moment.ticks, last->ticks - first->ticks, &moment.ticks)
      || __builtin_add_overflow (moment.mono_ns, last->mono_ns - first->mono_ns,
                                 &moment.mono_ns))
    return FALSE;
  g_array_append_val (process->moments, moment);
  return TRUE;
}

/* Rounded down; @over > 0 */
static __int128
divide_down (__int128 value,
             __int128 over)
{
  return value >= 0 ? value / over : -((-value + over - 1) / over);
}

/* Nanoseconds of the clock of the node. */
static __int128
to_node (const KymoRecordProcess *process,
         guint64                  ticks)
{
  GArray *moments = process->moments;
  __int128 rise = 1, run = 1;
  const KymoRecordMoment *at;
  guint i = 0;

  while (i + 2 < moments->len && AT (moments, KymoRecordMoment, i + 1)->ticks <= ticks)
    i++;
  at = AT (moments, KymoRecordMoment, i);
  if (!process->is_monotonic && moments->len > 1)
    {
      rise = at[1].mono_ns - at->mono_ns;
      run = at[1].ticks - at->ticks;
    }
  return divide_down (((__int128) ticks - at->ticks) * rise, run) + at->mono_ns;
}

static __int128
to_root (const KymoRecordProcess *process,
         __int128                 ns)
{
  GArray *offsets = process->offsets;
  const KymoRecordOffset *at;
  __int128 moved;
  guint i = 0;

  if (offsets->len == 0)
    return ns;
  while (i + 2 < offsets->len && AT (offsets, KymoRecordOffset, i + 1)->mono_ns <= ns)
    i++;
  at = AT (offsets, KymoRecordOffset, i);
  moved = ns + at->delta_ns;
  if (offsets->len > 1)
    moved += (ns - at->mono_ns) * (at[1].delta_ns - at->delta_ns)
      / ((__int128) at[1].mono_ns - at->mono_ns);
  return moved;
}

/**
 * kymo_record_to_ns:
 * @process: a process with a clock
 * @ticks: a time of its events
 * @ns: (out): nanoseconds of the node of rank 0
 *
 * Returns: %FALSE if the clock never came near these ticks
 */
gboolean
kymo_record_to_ns (const KymoRecordProcess *process,
                   guint64                  ticks,
                   guint64                 *ns)
{
  gint64 known_ns = AT (process->moments, KymoRecordMoment, 0)->mono_ns;
  __int128 node_ns = to_node (process, ticks), root_ns;

  if (node_ns < 0 || node_ns - known_ns > KYMO_OTF2_MAX_BESIDE_NS
      || known_ns - node_ns > KYMO_OTF2_MAX_BESIDE_NS)
    return FALSE;
  root_ns = to_root (process, node_ns);
  if (root_ns > G_MAXINT64)
    return FALSE;
  *ns = root_ns > 0 ? (guint64) root_ns : 0;
  return TRUE;
}

/**
 * kymo_record_get_alive_ns: when the process read its clock last, in nanoseconds of the node of
 * rank 0
 */
guint64
kymo_record_get_alive_ns (const KymoRecordProcess *process)
{
  return (guint64) CLAMP (to_root (process, process->alive_ns), 0, G_MAXINT64);
}
