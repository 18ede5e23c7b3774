/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The groups that rows of a timeline lie in: "groups", those that reach into the
 * given rows, outer ones before those in them, each with
 *   group       its number in the tree of the question
 *   label, kind, depth (0: the outermost), folded
 *   place, end_place  rows that it takes, counted without merging
 *   n_locations of those asked for
 * Groups in a folded one are not told: they have no rows.
 */
#include "config.h"

#include "kymo-timeline-private.h"

/** Extent: what a group has of the places */
typedef struct
{
  guint begin, end;
  guint n_locations;
} Extent;

/**
 * kymo_timeline_group_of:
 *
 * Returns: the folded group that a place is, else the innermost one it lies in; or
 * -1
 */
gint
kymo_timeline_group_of (const KymoAsk *ask,
                        guint          place)
{
  guint location = ask->locations[kymo_ask_place_begin (ask, place)];

  if (ask->place_group[place] >= 0)
    return ask->place_group[place];
  return kymo_row_groups_find (kymo_question_peek_groups (ask->question),
                               kymo_run_peek_location (ask->run, location)->id);
}

static void
measure_timeline_groups (const KymoAsk *ask,
                         Extent        *extents)
{
  const KymoRowGroups *groups = kymo_question_peek_groups (ask->question);

  for (guint place = 0; place < ask->n_places; place++)
    {
      gint group = kymo_timeline_group_of (ask, place);

      for (; group >= 0; group = kymo_row_groups_peek (groups, group)->parent)
        {
          Extent *extent = &extents[group];

          extent->begin = extent->end == 0 ? place : extent->begin;
          extent->end = place + 1;
          extent->n_locations += kymo_ask_place_begin (ask, place + 1)
            - kymo_ask_place_begin (ask, place);
        }
    }
}

static void
append_timeline_groups (KymoTable          *table,
                        guint               number,
                        const KymoRowGroup *group,
                        const Extent       *extent)
{
  kymo_table_append_row (table, number, group->label, group->kind, group->depth, group->folded,
                         extent->begin, extent->end, extent->n_locations);
}

static KymoTable *
table_new (void)
{
  KymoTable *table = kymo_table_new_list ("group label:string kind:string depth folded:bool place "
                                          "end_place n_locations");

  return table;
}

/**
 * kymo_timeline_groups:
 *
 * Returns: (transfer full): of a question with groups
 */
KymoTable *
kymo_timeline_groups (const KymoAsk          *ask,
                      const KymoTimelinePlan *plan)
{
  const KymoRowGroups *groups = kymo_question_peek_groups (ask->question);
  guint n = kymo_row_groups_get_n (groups);
  guint first = kymo_timeline_row_place (ask, plan, plan->first_row);
  guint end = kymo_timeline_row_place (ask, plan, plan->first_row + plan->n_rows);
  g_autofree Extent *extents = g_new0 (Extent, n);
  KymoTable *table = table_new ();

  measure_timeline_groups (ask, extents);
  for (guint i = 0; i < n; i++)
    if (extents[i].end > first && extents[i].begin < end)
      append_timeline_groups (table, i, kymo_row_groups_peek (groups, i), &extents[i]);
  return table;
}
