/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who depended on whom in the collective call that a location is in at a time, as a fan
 * of lines like messages, from when the one came to when the other was let go:
 *
 *   one to all         from the root to all others
 *   all to one         from all others to the root
 *   barrier,           from the one that came last to all others: every one needs every
 *   all to all         one, but this is whom they waited for
 *   prefix             to the location from all below it, and from it to all above
 *
 * What else is made together has none, and neither has one with an unknown root. Where
 * there are more lines than rows of the question those of neighbours, in its order, are
 * one: bands of 1, 2, 4 … of them as with messages (kymo-messages-groups.c).
 */
#include "config.h"

#include <math.h>

#include "kymo-messages-private.h"
#include "kymo-timeline-collectives.h"

/**
 * Line:
 * @place: of the end that is not the same for all
 * @out: that is where it ends
 */
typedef struct
{
  const KymoCollectiveMember *from, *to;
  guint                       place;
  gboolean                    out;
} Line;

typedef struct
{
  const KymoAsk         *ask;
  const KymoCollectives *all;
  const KymoCollective  *collective;
  guint                  asked;         /* its member */
  gint                   hub;           /* the member at one end of all lines, or -1 */
  GArray                *lines;
  guint                  band;
} Fan;

static gint
find_root (const Fan *fan)
{
  for (guint i = 0; i < fan->collective->n_members; i++)
    if ((gint64) kymo_collective_member (fan->all, fan->collective, i)->location
        == fan->collective->root)
      return (gint) i;
  return -1;
}

static gint
find_hub (const Fan *fan)
{
  switch ((KymoCollectiveKind) fan->collective->kind)
    {
    case KYMO_COLLECTIVE_BARRIER:
    case KYMO_COLLECTIVE_ALL_TO_ALL:
      return (gint) fan->collective->last;
    case KYMO_COLLECTIVE_ONE_TO_ALL:
    case KYMO_COLLECTIVE_ALL_TO_ONE:
      return find_root (fan);
    case KYMO_COLLECTIVE_PREFIX:
      return (gint) fan->asked;
    case KYMO_COLLECTIVE_OTHER:
      break;
    }
  return -1;
}

/* TRUE if the lines between the two locations were asked for: back are lines to the asked location,
   forward are lines from it. */
static gboolean
is_wanted (const Fan *fan,
           guint      from,
           guint      to)
{
  const KymoMessagePlan *plan = fan->ask->plan;

  return (plan->back && plan->forward) || (plan->back && to == fan->asked)
    || (plan->forward && from == fan->asked);
}

static void
add_line (Fan   *fan,
          guint  other)
{
  const KymoCollective *collective = fan->collective;
  gboolean out = collective->kind == KYMO_COLLECTIVE_PREFIX ? other > (guint) fan->hub
    : collective->kind != KYMO_COLLECTIVE_ALL_TO_ONE;
  guint from = out ? (guint) fan->hub : other, to = out ? other : (guint) fan->hub;
  gint place = fan->ask->row_of[kymo_collective_member (fan->all, collective, other)->location];
  Line line = { kymo_collective_member (fan->all, collective, from),
                kymo_collective_member (fan->all, collective, to), (guint) place, out };

  if (place >= 0 && is_wanted (fan, from, to))
    g_array_append_val (fan->lines, line);
}

static int
compare_lines (gconstpointer a,
               gconstpointer b)
{
  const Line *x = a, *y = b;

  if (x->out != y->out)
    return x->out ? 1 : -1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static void
choose_band (Fan *fan)
{
  const KymoMessagePlan *plan = fan->ask->plan;
  guint n = fan->ask->n_locations;

  fan->band = (guint) MAX (plan->group, 1);
  while (fan->lines->len > plan->rows && fan->band < n
         && (n + fan->band - 1) / fan->band > plan->rows)
    fan->band *= 2;
}

/* -- as a table ------------------------------------------------------------ */

/* Appends an end of a group: its location if it is the same for all, else a band of locations. */
static void
append_end (const Fan                  *fan,
            KymoTable                  *table,
            guint                       column,
            const KymoCollectiveMember *same,
            guint                       first,
            guint                       last,
            double                      place)
{
  const KymoAsk *ask = fan->ask;
  guint a = same != NULL ? same->location : ask->locations[first];
  guint b = same != NULL ? same->location : ask->locations[last];
  g_autofree char *label = kymo_messages_dup_label (ask, a, b);

  if (same != NULL)
    place = ask->row_of[a] >= 0 ? ask->row_of[a] : NAN;
  kymo_table_append_from (table, column, kymo_run_peek_location (ask->run, a)->id,
                          kymo_run_peek_location (ask->run, b)->id, place, label);
}

/* Lines that begin or end at neighbours, as one. */
static void
append_group (const Fan *fan,
              KymoTable *table,
              guint      begin,
              guint      end)
{
  const Line *line = &g_array_index (fan->lines, Line, begin);
  guint first = line->place / fan->band * fan->band, n = end - begin;
  guint last = MIN (first + fan->band, fan->ask->n_locations) - 1;
  gint64 least_ns = G_MAXINT64, most_ns = G_MININT64;
  __int128 sent_ns = 0, left_ns = 0, places = 0;

  for (guint i = begin; i < end; i++)
    {
      const Line *one = line + (i - begin);
      gint64 took_ns = one->to->end_ns - one->from->begin_ns;

      sent_ns += one->from->begin_ns;
      left_ns += one->to->end_ns;
      places += one->place;
      least_ns = MIN (least_ns, took_ns);
      most_ns = MAX (most_ns, took_ns);
    }
  append_end (fan, table, 0, line->out || n == 1 ? line->from : NULL, first, last,
              (double) places / n);
  append_end (fan, table, 4, !line->out || n == 1 ? line->to : NULL, first, last,
              (double) places / n);
  kymo_table_append_from (table, 8,
                          kymo_run_peek_activity (fan->ask->run, fan->collective->activity)->name,
                          n, (gint64) (sent_ns / n), (gint64) (left_ns / n), least_ns,
                          (gint64) ((left_ns - sent_ns) / n), most_ns);
}

static KymoTable *
list_groups (const Fan *fan)
{
  KymoTable *table = kymo_table_new_list ("from from_last from_place:double from_label:string to "
                                          "to_last to_place:double to_label:string name:string "
                                          "count sent_ns begin_ns min_latency_ns mean_latency_ns "
                                          "max_latency_ns");
  guint end;

  for (guint i = 0; i < fan->lines->len; i = end)
    {
      const Line *line = &g_array_index (fan->lines, Line, i);

      for (end = i + 1; end < fan->lines->len; end++)
        {
          const Line *other = &g_array_index (fan->lines, Line, end);

          if (other->out != line->out || other->place / fan->band != line->place / fan->band)
            break;
        }
      append_group (fan, table, i, end);
    }
  return table;
}

/**
 * kymo_messages_set_fan:
 * @answer: of one block; where that is in a collective call its "fan" is set: rows like
 *   those of groups of messages, "begin_ns" when the last of them was left, on average
 */
void
kymo_messages_set_fan (const KymoAsk *ask,
                       KymoTable     *answer)
{
  const KymoMessagePlan *plan = ask->plan;
  Fan fan = { .ask = ask };

  fan.collective = kymo_timeline_collective_at (ask, (guint) plan->index, plan->time_ns,
                                                &fan.all, &fan.asked);
  if (fan.collective == NULL)
    return;
  fan.hub = find_hub (&fan);
  fan.lines = g_array_new (FALSE, FALSE, sizeof (Line));
  for (guint i = 0; fan.hub >= 0 && i < fan.collective->n_members; i++)
    if (i != (guint) fan.hub)
      add_line (&fan, i);
  g_array_sort (fan.lines, compare_lines);
  choose_band (&fan);
  kymo_table_set_string (answer, "collective", kymo_collective_kind_to_string (
    fan.collective->kind));
  kymo_table_set_int (answer, "n_fan", fan.lines->len);
  kymo_table_set_table (answer, "fan", list_groups (&fan));
  g_array_unref (fan.lines);
}
