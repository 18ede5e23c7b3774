/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-time-parts.h"

#include <glib/gi18n-lib.h>

static const KymoTimePart of_entry_methods[] = {
  { "busy_ns", "busy", N_("Busy"), N_("busy %s"), TRUE },
  { "idle_ns", "idle", N_("Idle"), N_("idle %s"), TRUE },
  { "overhead_ns", "overhead", N_("Overhead"), N_("overhead %s"), FALSE },
  { "untraced_ns", "untraced", N_("Untraced"), N_("untraced %s"), FALSE },
};

static const KymoTimePart of_functions[] = {
  { "useful_ns", "useful", N_("Useful"), N_("useful %s"), TRUE },
  { "communication_ns", NULL, N_("Communication"), N_("communication %s"), TRUE },
  { "waiting_ns", NULL, N_("Waiting"), N_("waiting %s"), FALSE },
  { "io_ns", NULL, N_("Input and output"), N_("input and output %s"), FALSE },
  { "runtime_ns", NULL, N_("Start-up and runtime"), N_("start-up and runtime %s"), FALSE },
  { "idle_ns", "idle", N_("Idle"), N_("idle %s"), FALSE },
  { "overhead_ns", "overhead", N_("Overhead"), N_("overhead %s"), FALSE },
  { "untraced_ns", "untraced", N_("Untraced"), N_("untraced %s"), FALSE },
};

G_STATIC_ASSERT (G_N_ELEMENTS (of_functions) <= KYMO_TIME_PARTS_MOST);

/**
 * kymo_tells_useful:
 * @answer: sums of a run, or a list of locations
 *
 * Returns: %TRUE if the sums are of functions with roles, so that useful time takes the place of
 *   busy time
 */
gboolean
kymo_tells_useful (const KymoTable *answer)
{
  return kymo_table_find_column (answer, "communication_ns") >= 0;
}

/**
 * kymo_time_parts:
 * @answer: sums of a run, or a list of locations
 * @n_parts: (out): number of parts
 *
 * The times of all parts add up to the span.
 *
 * Returns: (transfer none) (array length=n_parts): the parts, in the order in which they are told
 */
const KymoTimePart *
kymo_time_parts (const KymoTable *answer, guint *n_parts)
{
  gboolean useful = kymo_tells_useful (answer);

  *n_parts = useful ? G_N_ELEMENTS (of_functions) : G_N_ELEMENTS (of_entry_methods);
  return useful ? of_functions : of_entry_methods;
}

/**
 * kymo_time_part_ns:
 * @answer: sums of a run
 *
 * Returns: the time of the part in nanoseconds; 0 where the answer does not tell it
 */
gint64
kymo_time_part_ns (const KymoTable *answer, const KymoTimePart *part)
{
  gint64 ns = kymo_table_find_column (answer, part->key) >= 0
              ? kymo_table_get_int (answer, part->key, 0) : KYMO_NULL_INT;

  return ns != KYMO_NULL_INT ? ns : 0;
}
