/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of an archive: its ranks, locations and groups of locations, and which of its
 * regions, metrics and parameters an activity of the run is.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-otf2.h"
#include "kymo-order.h"

#include <string.h>

#include "kymo-error.h"

/* Ranks without locations of their own are counted up to this number behind the last one that has
   any: a partner that a damaged file names must not make millions of them. */
#define MOST_RANKS_BEHIND 4096
/* The list of all ranks is one record of at most 16 MiB. */
#define MOST_RANKS (1 << 20)

/* The highest rank that a location is of, or a partner of a message. */
static gint64
find_last_partner (const KymoOtf2Out *out,
                   gint64             last_known)
{
  gint64 last = -1;
  gboolean sources = kymo_otf2_out_sources_are_ranks (out);

  for (guint i = 0; i < out->convert->places->len; i++)
    {
      const KymoConvertPlace *place = kymo_convert_place (out->convert, i);
      const KymoSegment *segment = g_ptr_array_index (out->convert->run->segments,
                                                      place->location);
      const KymoExchange *x = segment->exchange;

      last = MAX (last, place->node);
      for (guint k = 0; x != NULL && k < x->n_sends; k++)
        if (x->send_partner[k] <= last_known + MOST_RANKS_BEHIND)
          last = MAX (last, x->send_partner[k]);
      for (guint k = 0; x != NULL && k < x->n_receives; k++)
        if (x->receive_partner[k] <= last_known + MOST_RANKS_BEHIND)
          last = MAX (last, x->receive_partner[k]);
      for (guint k = 0; sources && x == NULL && k < segment->n_blocks; k++)
        if (segment->block_event[k] >= 0
            && segment->block_source[k] <= last_known + MOST_RANKS_BEHIND)
          last = MAX (last, segment->block_source[k]);
    }
  return last;
}

/* By location of the run: whether a group has it as a member. Returns whether some group has one
   that the run has no location of. */
static gboolean
find_members (const KymoOtf2Out *out,
              guint8            *is_member)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;
  gboolean any_unknown = FALSE;

  for (guint i = 0; definitions != NULL && i < definitions->groups->len; i++)
    {
      const KymoGroup *group = &g_array_index (definitions->groups, KymoGroup, i);

      for (guint k = 0; k < group->n_members; k++)
        if (group->members[k] != G_MAXUINT32)
          is_member[group->members[k]] = TRUE;
        else
          any_unknown = TRUE;
    }
  return any_unknown;
}

/* The list of all members is one record, too. */
static guint
find_most_members (const KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;
  guint most = 0;

  for (guint i = 0; definitions != NULL && i < definitions->groups->len; i++)
    most = MAX (most, g_array_index (definitions->groups, KymoGroup, i).n_members);
  return most;
}

/* TRUE if a rank up to @last belongs to no location of the run. */
static gboolean
has_free_rank (const KymoOtf2Out *out,
               gint64             last)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < out->convert->run->locations->len; i++)
    g_hash_table_add (ranks, &g_array_index (out->convert->node_of, gint64, i));
  return g_hash_table_size (ranks) < last + 1;
}

/* Partners, and members of groups and collectives, that are not written have ranks, too. One more
   rank stands for members that nothing is known of. */
static gint64
find_last_rank (const KymoOtf2Out *out,
                guint8            *is_member)
{
  const KymoRun *run = out->convert->run;
  gint64 last = -1, last_known = -1;
  gboolean any_unknown = find_members (out, is_member);

  for (guint i = 0; i < run->locations->len; i++)
    {
      last_known = MAX (last_known, kymo_otf2_out_node (out, i));
      if (is_member[i])
        last = MAX (last, kymo_otf2_out_node (out, i));
    }
  if (out->choice.whole)
    last = last_known;
  last = MAX (last, find_last_partner (out, last_known));
  if (run->collectives != NULL)
    for (guint i = 0; i < run->collectives->members->len; i++)
      last = MAX (last, kymo_otf2_out_node (out, g_array_index (run->collectives->members,
                                                                KymoCollectiveMember,
                                                                i).location));
  return last + (any_unknown && !has_free_rank (out, last));
}

static gboolean
same_group (const KymoOtf2OutGroup *group,
            gint64                  rank,
            gint64                  place)
{
  return group->rank == rank && group->place == place;
}

/* The group of a location: that of its process, or of its accelerator. */
static guint
group_for (KymoOtf2Out *out,
           gint64       rank,
           gint         location)
{
  gint64 lies_in = location >= 0
    ? kymo_run_peek_location (out->convert->run, location)->place : -1;
  const KymoPlace *place = kymo_otf2_out_run_place (out, lies_in);
  KymoOtf2OutGroup group = { .rank = rank, .place = kymo_otf2_is_group (place) ? lies_in : -1,
                             .above = kymo_otf2_is_group (place) ? place->parent : lies_in };

  for (guint i = out->groups->len; i > 0
       && g_array_index (out->groups, KymoOtf2OutGroup, i - 1).rank == rank; i--)
    if (same_group (&g_array_index (out->groups, KymoOtf2OutGroup, i - 1), rank, group.place))
      return i - 1;
  group.is_accelerator = kymo_otf2_is_group (place) && g_str_equal (place->kind, "accelerator");
  g_array_append_val (out->groups, group);
  return out->groups->len - 1;
}

static void
add_place (KymoOtf2Out *out,
           gint64       rank,
           gint         location)
{
  KymoOtf2OutPlace place = { .location = location, .rank = rank,
                             .is_empty = location < 0 || !kymo_otf2_out_is_chosen (out, location),
                             .group = group_for (out, rank, location) };

  if (location >= 0)
    out->place_of[location] = out->places->len;
  if (out->main_place[rank] == KYMO_OTF2_NO_REF)
    out->main_place[rank] = out->places->len;
  g_array_append_val (out->places, place);
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoOtf2Out *out = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  gint64 i = kymo_otf2_out_node (out, x), j = kymo_otf2_out_node (out, y);

  KYMO_ORDER_BY (i, j);
  return x < y ? -1 : x > y;
}

/* By rank and thread. The first location of each rank is there, also where it has nothing to
   write, so that the ranks behind it keep their numbers; and so is a member of a group. */
static void
number_places (KymoOtf2Out  *out,
               const guint8 *is_member)
{
  guint n = out->convert->run->locations->len, at = 0;
  g_autofree guint *order = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, compare_places, out);
  for (guint rank = 0; rank < out->n_ranks; rank++)
    {
      while (at < n && kymo_otf2_out_node (out, order[at]) < rank)
        at++;
      for (; at < n && kymo_otf2_out_node (out, order[at]) == rank; at++)
        if (out->main_place[rank] == KYMO_OTF2_NO_REF || is_member[order[at]]
            || kymo_otf2_out_is_chosen (out, order[at]))
          add_place (out, rank, order[at]);
      if (out->main_place[rank] == KYMO_OTF2_NO_REF)
        add_place (out, rank, -1);
    }
}

/* A rank without a location is of a process that has none, where the run knows such: these come
   in the order of ranks. */
static void
name_free_ranks (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  g_autofree guint8 *is_used = g_new0 (guint8, run->places->len + 1);
  guint next = 0;

  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_otf2_out_run_place (out, kymo_run_peek_location (run, i)->place) != NULL)
      is_used[kymo_run_peek_location (run, i)->place] = TRUE;
  for (guint i = 0; i < out->groups->len; i++)
    {
      KymoOtf2OutGroup *group = &g_array_index (out->groups, KymoOtf2OutGroup, i);
      const KymoPlace *place;

      if (kymo_otf2_out_place (out, out->main_place[group->rank])->location >= 0)
        continue;
      while (next < run->places->len
             && (is_used[next]
                 || !g_str_equal (kymo_otf2_out_run_place (out, next)->kind, "process")))
        next++;
      place = kymo_otf2_out_run_place (out, next);
      group->place = place != NULL ? (gint64) next : -1;
      group->above = place != NULL ? place->parent : -1;
      next++;
    }
}

static int
compare_groups (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const KymoOtf2OutGroup *groups = data;
  guint i = *(const guint *) a, j = *(const guint *) b;
  guint64 x = groups[i].place, y = groups[j].place;     /* -1 is the last */

  KYMO_ORDER_BY (x, y);
  return i < j ? -1 : i > j;
}

/* In the order of the run's places, which readers find in that of the groups. */
static void
sort_groups (KymoOtf2Out *out)
{
  guint n = out->groups->len;
  g_autofree guint *order = g_new (guint, MAX (n, 1)), *at = g_new (guint, MAX (n, 1));
  g_autoptr (GArray) sorted = g_array_new (FALSE, TRUE, sizeof (KymoOtf2OutGroup));

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, n, sizeof *order, compare_groups, out->groups->data);
  for (guint i = 0; i < n; i++)
    {
      at[order[i]] = i;
      g_array_append_vals (sorted, &g_array_index (out->groups, KymoOtf2OutGroup, order[i]), 1);
    }
  for (guint i = 0; i < out->places->len; i++)
    kymo_otf2_out_place (out, i)->group = at[kymo_otf2_out_place (out, i)->group];
  g_array_unref (out->groups);
  out->groups = g_steal_pointer (&sorted);
}

/* TRUE if the reader of archives made the activity from a definition of a parameter. */
static gboolean
is_parameter (const KymoActivity *activity)
{
  return activity->kind == KYMO_ACTIVITY_EVENT && *activity->unit == '\0'
    && g_str_equal (activity->group, "Parameter");
}

/* By activity whether there are samples of it. */
static guint8 *
find_sampled (const KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  guint8 *sampled = g_new0 (guint8, MAX (run->activities->len, 1));

  for (guint i = 0; i < out->convert->places->len; i++)
    {
      const KymoSegment *segment = g_ptr_array_index (
        run->segments, kymo_convert_place (out->convert, i)->location);

      for (guint k = 0; k < segment->points->len; k++)
        {
          const KymoPoint *point = &g_array_index (segment->points, KymoPoint, k);

          if (point->kind == KYMO_POINT_USER_VALUE && point->activity != G_MAXUINT32)
            sampled[point->activity] = TRUE;
        }
    }
  return sampled;
}

/* Functions are regions, events metrics or parameters. A hardware counter that an event shares
   its name with, as it does in an archive, is that metric, unless samples of it would have to
   count in the counter's unit. */
static void
number_activity (KymoOtf2Out *out,
                 guint        i,
                 gboolean     is_sampled)
{
  const KymoRun *run = out->convert->run;
  const KymoActivity *activity = kymo_run_peek_activity (run, i);

  if (activity->kind != KYMO_ACTIVITY_EVENT)
    {
      out->region_of[i] = out->n_regions++;
      return;
    }
  if (is_parameter (activity))
    {
      out->parameter_of[i] = out->parameter_types->len;
      g_array_set_size (out->parameter_types, out->parameter_types->len + 1);
      return;
    }
  out->member_of[i] = out->n_members++;
  for (guint k = 0; k < run->metrics->len; k++)
    if (out->counter_of[k] == KYMO_OTF2_NO_REF
        && (!is_sampled || kymo_run_metric_scale (run, k) == 1)
        && g_str_equal (run->metrics->pdata[k], activity->name))
      out->counter_of[k] = out->member_of[i];
}

static void
number_activities (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  g_autofree guint8 *sampled = find_sampled (out);

  out->region_of = kymo_otf2_refs_new (run->activities->len);
  out->member_of = kymo_otf2_refs_new (run->activities->len);
  out->parameter_of = kymo_otf2_refs_new (run->activities->len);
  out->parameter_types = g_array_new (FALSE, TRUE, sizeof (guint8));
  out->counter_of = kymo_otf2_refs_new (run->metrics->len);
  for (guint i = 0; i < run->activities->len; i++)
    number_activity (out, i, sampled[i]);
  for (guint k = 0; k < run->metrics->len; k++)
    if (out->counter_of[k] == KYMO_OTF2_NO_REF)
      out->counter_of[k] = out->n_members++;
  out->counters = out->n_members;
  out->idle = out->n_regions++;
}

/**
 * kymo_otf2_out_number:
 *
 * Gives locations, regions and metrics their numbers.
 *
 * Returns: whether the archive can have them
 */
gboolean
kymo_otf2_out_number (KymoOtf2Out  *out,
                      GError      **error)
{
  g_autofree guint8 *is_member = g_new0 (guint8, MAX (out->convert->run->locations->len, 1));
  gint64 last = find_last_rank (out, is_member);

  out->places = g_array_new (FALSE, TRUE, sizeof (KymoOtf2OutPlace));
  out->groups = g_array_new (FALSE, TRUE, sizeof (KymoOtf2OutGroup));
  out->place_of = kymo_otf2_refs_new (out->convert->run->locations->len);
  number_activities (out);
  if (last >= MOST_RANKS || find_most_members (out) > MOST_RANKS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("An OTF2 archive is written for up to %d ranks; this run has larger numbers"),
                   MOST_RANKS);
      return FALSE;
    }
  out->n_ranks = last + 1;
  out->main_place = kymo_otf2_refs_new (out->n_ranks);
  number_places (out, is_member);
  name_free_ranks (out);
  sort_groups (out);
  return TRUE;
}
