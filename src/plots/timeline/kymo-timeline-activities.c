/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the activities of a timeline look like, and the legend. The colour is that of the
 * activity's name, or where the answer tells communicators apart that of the communicator.
 */
#include "config.h"

#include <math.h>

#include "kymo-timeline.h"

/* What the colour stands for. */
static const char *
colored_name (const KymoTimelineActivity *activity)
{
  return activity->comm != NULL ? activity->comm : activity->name;
}

/**
 * kymo_timeline_read_activities:
 * @timeline: gets the activities, which kymo_timeline_clear() frees
 * @answer: has to outlive @timeline
 *
 * Finds what each activity of the answer looks like.
 */
void
kymo_timeline_read_activities (KymoTimeline *timeline, const KymoTable *answer)
{
  const KymoPlotFrame *frame = timeline->frame;
  KymoTable *names = kymo_table_peek_nested (answer, "names", NULL);
  KymoTable *kinds = kymo_table_peek_nested (answer, "kinds", NULL);
  KymoTable *comms = kymo_table_peek_nested (answer, "communicators", NULL);
  guint n = names != NULL ? kymo_table_get_n_rows (names) : 0;

  timeline->n_activities = n;
  timeline->activities = g_new0 (KymoTimelineActivity, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    {
      KymoTimelineActivity *activity = &timeline->activities[i];

      activity->name = kymo_flat_string (names, i);
      if (activity->name == NULL)
        activity->name = "";
      activity->kind = kymo_activity_kind (kymo_flat_string (kinds, i));
      activity->comm = comms != NULL ? kymo_flat_string (comms, i) : NULL;
      if (activity->comm != NULL && *activity->comm == '\0')
        activity->comm = NULL;
      activity->color = kymo_theme_activity (frame, colored_name (activity), activity->kind);
      activity->hidden = kymo_is_hidden (frame, activity->name)
                         || (activity->comm != NULL && kymo_is_hidden (frame, activity->comm));
      activity->hatched = activity->comm == NULL
                          && kymo_theme_is_hatched (frame, activity->name, activity->kind);
      activity->faded = frame->hovered != NULL
                        && activity->kind != KYMO_KIND_IDLE
                        && g_strcmp0 (frame->hovered, activity->name) != 0
                        && g_strcmp0 (frame->hovered, activity->comm) != 0;
    }
}

/* The time of all activities that have the colour of this one; 0 where one before has it. */
static gint64
time_of_color (const KymoTimeline *timeline, guint i, const gint64 *ns, guint n)
{
  const char *name = colored_name (&timeline->activities[i]);
  gint64 sum = 0;

  if (timeline->activities[i].comm == NULL)
    return ns[i];
  for (guint k = 0; k < n; k++)
    if (g_strcmp0 (timeline->activities[k].comm, name) == 0)
      {
        if (k < i)
          return 0;
        sum += ns[k];
      }
  return sum;
}

/**
 * kymo_timeline_legend_items:
 * @answer: of which the timeline is
 *
 * Makes an item for each colour. Shares are of the exact times that the answer tells beside its
 * cells: a cell knows only what dominates it.
 *
 * Returns: (transfer full) (element-type KymoLegendItem): the items, whose names belong to @answer
 */
GArray *
kymo_timeline_legend_items (const KymoTimeline *timeline, const KymoTable *answer)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (KymoLegendItem));
  KymoTable *totals = kymo_table_peek_nested (answer, "names_ns", NULL);
  const gint64 *ns = totals != NULL ? kymo_table_peek_ints (totals, "ns", NULL) : NULL;
  guint n = ns != NULL ? MIN (kymo_table_get_n_rows (totals), timeline->n_activities) : 0;
  gint64 all = 0;

  for (guint i = 0; i < n; i++)
    all += ns[i];
  for (guint i = 0; i < n; i++)
    {
      const KymoTimelineActivity *activity = &timeline->activities[i];
      gint64 own_ns = time_of_color (timeline, i, ns, n);

      if (activity->kind == KYMO_KIND_EVENT || own_ns > 0)
        kymo_legend_add (items, timeline->frame, colored_name (activity), activity->kind,
                         activity->kind == KYMO_KIND_EVENT ? NAN
                                                           : (double) own_ns / (double) all);
    }
  return items;
}
