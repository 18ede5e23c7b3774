/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives of a timeline: one mark each, at the time when the last one came, over
 * the rows from the first to the last that took part; and what details tell of the
 * one that a location is in.
 *
 * In a picture of very many they could not be told apart: there are none, and of many
 * those in which the others waited longest.
 */
#include "config.h"

#include "kymo-describe.h"
#include "kymo-timeline-collectives.h"
#include "kymo-units.h"

#define MOST_IN_RANGE 4000
#define MOST_MARKS 300

typedef struct
{
  guint  index;
  gint64 wait_ns;
  gint   first_row, last_row;
} Mark;

/* The collective operations of the files, or those that are found at first use. */
static const KymoCollectives *
peek_timeline_collectives (const KymoAsk *ask)
{
  const KymoRun *run = ask->run;

  if (run->terms.code != KYMO_CODE_FUNCTION || run->kind == KYMO_RUN_PROFILE)
    return NULL;
  return kymo_run_peek_collectives (run, ask->n_threads, ask->cancellable);
}

static gint
row_of (const KymoAsk         *ask,
        const KymoCollectives *all,
        const KymoCollective  *collective,
        guint                  member)
{
  return ask->row_of[kymo_collective_member (all, collective, member)->location];
}

/* FALSE where fewer than two of the locations asked for take part. Rows ascend with
   locations, unless the question has an order: then only the outermost are looked for. */
static gboolean
make_mark (const KymoAsk         *ask,
           const KymoCollectives *all,
           guint                  index,
           Mark                  *mark)
{
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective, index);
  guint begin = 0, end = collective->n_members;

  *mark = (Mark) { index, collective->wait_ns, G_MAXINT, -1 };
  if (!ask->is_ordered)
    {
      while (begin < end && row_of (ask, all, collective, begin) < 0)
        begin++;
      while (end > begin && row_of (ask, all, collective, end - 1) < 0)
        end--;
    }
  for (guint i = begin; i < end; i = ask->is_ordered || i == end - 1 ? i + 1 : end - 1)
    {
      gint row = row_of (ask, all, collective, i);

      if (row < 0)
        continue;
      mark->first_row = MIN (mark->first_row, row);
      mark->last_row = MAX (mark->last_row, row);
    }
  return mark->first_row < mark->last_row;
}

static int
compare_marks (gconstpointer a,
               gconstpointer b)
{
  const Mark *x = a, *y = b;

  return kymo_collective_order (x->wait_ns, x->index, y->wait_ns, y->index);
}

static void
append_mark (const KymoAsk         *ask,
             const KymoCollectives *all,
             const Mark            *mark,
             KymoTable             *table)
{
  const KymoCollective *collective = &g_array_index (all->list, KymoCollective, mark->index);
  const KymoCollectiveMember *last = kymo_collective_member (all, collective, collective->last);
  const KymoLocation *location = kymo_run_peek_location (ask->run, last->location);

  kymo_table_append_row (table, kymo_run_peek_activity (ask->run, collective->activity)->name,
                         collective->span.begin_ns, collective->span.end_ns, last->begin_ns,
                         collective->n_members, mark->wait_ns, mark->first_row, mark->last_row,
                         ask->row_of[last->location] >= 0 ? ask->row_of[last->location]
                         : KYMO_NULL_INT, location->id, location->label);
}

/**
 * kymo_timeline_collectives:
 * @span: what the picture shows
 *
 * Rows are counted in locations, as they were asked for.
 *
 * Returns: (transfer full) (nullable): marks, the longest waiting first
 */
KymoTable *
kymo_timeline_collectives (const KymoAsk *ask,
                           KymoSpan       span)
{
  const KymoCollectives *all = peek_timeline_collectives (ask);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  guint first, end;
  KymoTable *table;
  Mark mark;

  if (all == NULL)
    return NULL;
  first = kymo_collectives_find (all, span.begin_ns);
  end = kymo_collectives_find (all, span.end_ns);
  if (end - first > MOST_IN_RANGE)
    return NULL;
  for (guint i = first; i < end && !g_cancellable_is_cancelled (ask->cancellable); i++)
    if (make_mark (ask, all, i, &mark))
      g_array_append_val (marks, mark);
  g_array_sort (marks, compare_marks);
  table = kymo_table_new_list ("name:string begin_ns end_ns time_ns n_members wait_ns first_row "
                               "last_row late_row last last_label:string");
  for (guint i = 0; i < MIN (marks->len, MOST_MARKS); i++)
    append_mark (ask, all, &g_array_index (marks, Mark, i), table);
  return table;
}

static void
describe_timeline_collectives (const KymoAsk         *ask,
                               const KymoCollectives *all,
                               const KymoCollective  *collective,
                               guint                  member,
                               KymoTable             *answer,
                               KymoTable             *lines)
{
  const KymoCollectiveMember *last = kymo_collective_member (all, collective, collective->last);
  const KymoLocation *late = kymo_run_peek_location (ask->run, last->location);
  g_autofree guint *waits_for = g_new (guint, collective->n_members);
  g_autofree char *when = kymo_format_duration_exact (last->begin_ns);
  g_autofree char *words = NULL;
  gint64 wait_ns;

  kymo_collective_find_late (all, collective, waits_for);
  wait_ns = kymo_collective_wait (kymo_collective_member (all, collective, member),
                                  kymo_collective_member (all, collective, waits_for[member]));
  kymo_table_set_int (answer, "collective_members", collective->n_members);
  kymo_table_set_int (answer, "collective_last", late->id);
  kymo_table_set_int (answer, "collective_last_begin_ns", last->begin_ns);
  kymo_table_set_int (answer, "collective_wait_ns", wait_ns);
  words = g_strdup_printf ("Together with %u others; %s came last, at %s",
                           collective->n_members - 1, late->label, when);
  kymo_table_append_string (lines, 0, words);
  if (wait_ns > 0)
    {
      g_autofree char *wait = kymo_format_duration (wait_ns);
      g_autofree char *waited = g_strdup_printf ("Waited %s for others", wait);

      kymo_table_append_string (lines, 0, waited);
    }
}

/**
 * kymo_timeline_collective_at:
 * @location: index in the run
 * @all: (out): those of the run
 * @member: (out): the location's part in it
 *
 * Returns: (transfer none) (nullable): the collective of several that the location is in
 * at the time
 */
const KymoCollective *
kymo_timeline_collective_at (const KymoAsk          *ask,
                             guint                   location,
                             gint64                  time_ns,
                             const KymoCollectives **all,
                             guint                  *member)
{
  *all = peek_timeline_collectives (ask);
  for (guint i = 0; *all != NULL && i < (*all)->list->len && !kymo_ask_is_stopped (ask, i); i++)
    {
      const KymoCollective *collective = &g_array_index ((*all)->list, KymoCollective, i);
      const KymoCollectiveMember *its;
      guint found;

      if (time_ns < collective->span.begin_ns || time_ns >= collective->span.end_ns
          || collective->n_members < 2)
        continue;
      found = kymo_collective_find_member (*all, collective, location);
      its = found < collective->n_members ? kymo_collective_member (*all, collective, found) : NULL;
      if (its == NULL || its->location != location || time_ns < its->begin_ns
          || time_ns >= its->end_ns)
        continue;
      *member = found;
      return collective;
    }
  return NULL;
}

/**
 * kymo_details_set_collective:
 * @location: index in the run
 *
 * Describes the collective that the location is in at the time, if any.
 */
void
kymo_details_set_collective (const KymoAsk *ask,
                             guint          location,
                             gint64         time_ns,
                             KymoTable     *answer,
                             KymoTable     *lines)
{
  const KymoCollectives *all;
  guint member;
  const KymoCollective *collective = kymo_timeline_collective_at (ask, location, time_ns, &all,
                                                                  &member);

  if (collective != NULL)
    describe_timeline_collectives (ask, all, collective, member, answer, lines);
}
