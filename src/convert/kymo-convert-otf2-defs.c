/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The global definitions of an archive: the clock, and the tree of machines, processes and
 * locations; the numbers that all of it has.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-otf2.h"
#include "kymo-order.h"

#include <string.h>

#include "kymo-error.h"

/* Longer texts do not fit into the library's buffer. */
#define MOST_TEXT_BYTES (64 << 10)
/* Ranks without locations of their own are counted up to so many behind the last one that has
   any: a partner that a damaged file names must not make millions of them. */
#define MOST_RANKS_BEHIND 4096
/* The list of all ranks is one record of at most 16 MiB. */
#define MOST_RANKS (1 << 20)

/* -- numbers ------------------------------------------------------------------ */

static const KymoPlace *
place_at (const KymoOtf2Out *out,
          gint64             place)
{
  return place >= 0 && place < out->convert->run->places->len
    ? &g_array_index (out->convert->run->places, KymoPlace, place) : NULL;
}

static gboolean
is_group (const KymoPlace *place)
{
  return place != NULL && (g_str_equal (place->kind, "process")
                           || g_str_equal (place->kind, "accelerator"));
}

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
  const KymoPlace *place = place_at (out, lies_in);
  KymoOtf2OutGroup group = { .rank = rank, .place = is_group (place) ? lies_in : -1,
                             .above = is_group (place) ? place->parent : lies_in };

  for (guint i = out->groups->len; i > 0
       && g_array_index (out->groups, KymoOtf2OutGroup, i - 1).rank == rank; i--)
    if (same_group (&g_array_index (out->groups, KymoOtf2OutGroup, i - 1), rank, group.place))
      return i - 1;
  group.is_accelerator = is_group (place) && g_str_equal (place->kind, "accelerator");
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

static guint32 *
new_refs (guint n)
{
  guint32 *refs = g_new (guint32, MAX (n, 1));

  memset (refs, 0xff, MAX (n, 1) * sizeof *refs);
  return refs;
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
    if (place_at (out, kymo_run_peek_location (run, i)->place) != NULL)
      is_used[kymo_run_peek_location (run, i)->place] = TRUE;
  for (guint i = 0; i < out->groups->len; i++)
    {
      KymoOtf2OutGroup *group = &g_array_index (out->groups, KymoOtf2OutGroup, i);
      const KymoPlace *place;

      if (kymo_otf2_out_place (out, out->main_place[group->rank])->location >= 0)
        continue;
      while (next < run->places->len
             && (is_used[next] || !g_str_equal (place_at (out, next)->kind, "process")))
        next++;
      place = place_at (out, next);
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

  out->region_of = new_refs (run->activities->len);
  out->member_of = new_refs (run->activities->len);
  out->parameter_of = new_refs (run->activities->len);
  out->parameter_types = g_array_new (FALSE, TRUE, sizeof (guint8));
  out->counter_of = new_refs (run->metrics->len);
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
  out->place_of = new_refs (out->convert->run->locations->len);
  number_activities (out);
  if (last >= MOST_RANKS || find_most_members (out) > MOST_RANKS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("An OTF2 archive is written for up to %d ranks; this run has larger numbers"),
                   MOST_RANKS);
      return FALSE;
    }
  out->n_ranks = last + 1;
  out->main_place = new_refs (out->n_ranks);
  number_places (out, is_member);
  name_free_ranks (out);
  sort_groups (out);
  return TRUE;
}

/* -- definitions --------------------------------------------------------------- */

/**
 * kymo_otf2_out_dup_text:
 *
 * Returns: (transfer full): the text as an archive can have it: UTF-8, and not too long
 */
char *
kymo_otf2_out_dup_text (KymoOtf2Out *out,
                        const char  *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) > MOST_TEXT_BYTES)
    {
      *g_utf8_find_prev_char (valid, valid + MOST_TEXT_BYTES) = '\0';
      out->n_names++;
    }
  return valid;
}

/**
 * kymo_otf2_out_string:
 *
 * Defines a text, unless it is known already; to be called before the definition that refers
 * to it.
 *
 * Returns: its number
 */
OTF2_StringRef
kymo_otf2_out_string (KymoOtf2Out *out,
                      const char  *text)
{
  g_autofree char *valid = kymo_otf2_out_dup_text (out, text);
  guint ref = GPOINTER_TO_UINT (g_hash_table_lookup (out->strings, valid));

  if (ref > 0)
    return ref - 1;
  ref = g_hash_table_size (out->strings);
  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteString (out->defs, ref, valid));
  g_hash_table_insert (out->strings, g_steal_pointer (&valid), GUINT_TO_POINTER (ref + 1));
  return ref;
}

/* Seconds since 1970 of the run's time zero, or 0. */
static gint64
find_start (const KymoRun *run)
{
  for (guint i = 0; i < run->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->facts, KymoFact, i);
      g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
      g_autoptr (GDateTime) begun = g_str_equal (fact->key, "started")
        ? g_date_time_new_from_iso8601 (fact->value, utc) : NULL;

      if (begun != NULL)
        return MAX (g_date_time_to_unix (begun), 0);
    }
  return 0;
}

static void
write_clock (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  KymoSpan records = kymo_run_get_records_span (run);
  /* In whole seconds, as readers round each part of the sum. */
  gint64 start_s = find_start (run) - (gint64) out->offset_ticks / NS_PER_S;

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteClockProperties (
    out->defs, NS_PER_S, 0, kymo_otf2_out_ticks (out, records.end_ns) + 1,
    start_s > 0 && start_s <= G_MAXINT64 / NS_PER_S
    ? (guint64) (start_s * NS_PER_S) : OTF2_UNDEFINED_TIMESTAMP));
}

/* The node above a place; processes are no nodes. */
static gint64
node_above (const KymoOtf2Out *out,
            gint64             place)
{
  while (is_group (place_at (out, place)))
    place = place_at (out, place)->parent;
  return place;
}

/* Nodes of the tree are numbered as they come; a run without a tree has its machine. */
static void
write_nodes (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  guint n = 0;

  out->nodes = new_refs (run->places->len);
  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = place_at (out, i);
      gint64 above = node_above (out, place->parent);
      OTF2_StringRef name = kymo_otf2_out_string (out, place->label);
      OTF2_StringRef kind = kymo_otf2_out_string (out, place->kind);

      if (is_group (place))
        continue;
      out->nodes[i] = n++;
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteSystemTreeNode (
        out->defs, out->nodes[i], name, kind,
        above >= 0 ? out->nodes[above] : OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    }
  if (n == 0)
    {
      OTF2_StringRef name = kymo_otf2_out_string (out, "machine");

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteSystemTreeNode (
        out->defs, 0, name, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    }
}

/* (transfer full): as the run calls it, else by its rank */
static char *
dup_group_name (const KymoOtf2Out      *out,
                const KymoOtf2OutGroup *group)
{
  if (group->place >= 0)
    return g_strdup (place_at (out, group->place)->label);
  return g_strdup_printf (out->convert->run->terms.row == KYMO_ROW_PE ? "PE %" G_GINT64_FORMAT
                          : "rank %" G_GINT64_FORMAT, group->rank);
}

static void
write_groups (KymoOtf2Out *out)
{
  for (guint i = 0; i < out->groups->len; i++)
    {
      const KymoOtf2OutGroup *group = &g_array_index (out->groups, KymoOtf2OutGroup, i);
      g_autofree char *name = dup_group_name (out, group);
      gint64 above = node_above (out, group->above);
      OTF2_StringRef ref = kymo_otf2_out_string (out, name);
      guint creator;

      creator = kymo_otf2_out_place (out, out->main_place[group->rank])->group;
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteLocationGroup (
        out->defs, i, ref, group->is_accelerator ? OTF2_LOCATION_GROUP_TYPE_ACCELERATOR
        : OTF2_LOCATION_GROUP_TYPE_PROCESS, above >= 0 ? out->nodes[above] : 0,
        group->is_accelerator && creator != i ? creator : OTF2_UNDEFINED_LOCATION_GROUP));
    }
}

static void
write_places (KymoOtf2Out *out)
{
  for (guint i = 0; i < out->places->len; i++)
    {
      const KymoOtf2OutPlace *place = kymo_otf2_out_place (out, i);
      const KymoOtf2OutGroup *group = &g_array_index (out->groups, KymoOtf2OutGroup,
                                                      place->group);
      g_autofree char *name = place->location >= 0
        ? g_strdup (kymo_run_peek_location (out->convert->run, place->location)->label)
        : dup_group_name (out, group);
      OTF2_StringRef ref = kymo_otf2_out_string (out, name);

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteLocation (
        out->defs, i, ref, group->is_accelerator ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
        : OTF2_LOCATION_TYPE_CPU_THREAD, place->n_events, place->group));
    }
}

/**
 * kymo_otf2_out_write_defs:
 *
 * Writes all definitions, once all events are written.
 */
void
kymo_otf2_out_write_defs (KymoOtf2Out *out)
{
  guint next_group = 0;

  kymo_otf2_out_string (out, "");
  write_clock (out);
  write_nodes (out);
  write_groups (out);
  write_places (out);
  kymo_otf2_out_write_regions (out);
  kymo_otf2_out_write_comms (out, &next_group);
  kymo_otf2_out_write_region_groups (out, &next_group);
  kymo_otf2_out_write_metrics (out);
  kymo_otf2_out_write_parameters (out);
  kymo_otf2_out_write_files (out);
}
