/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The global definitions of an archive: the clock, and the tree of machines, processes and
 * locations; the numbers that all of it has.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-otf2.h"

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

static gint64
node_of (const KymoOtf2Out *out,
         guint              location)
{
  return g_array_index (out->convert->node_of, gint64, location);
}

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

/* Partners and members of collectives that are not written have ranks, too. */
static gint64
find_last_rank (const KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  gint64 last = -1, last_known = -1;

  for (guint i = 0; i < run->locations->len; i++)
    last_known = MAX (last_known, node_of (out, i));
  if (out->choice.whole)
    last = last_known;
  for (guint i = 0; i < out->convert->places->len; i++)
    {
      const KymoConvertPlace *place = kymo_convert_place (out->convert, i);
      const KymoSegment *segment = g_ptr_array_index (run->segments, place->location);
      const KymoExchange *x = segment->exchange;

      last = MAX (last, place->node);
      for (guint k = 0; x != NULL && k < x->n_sends; k++)
        if (x->send_partner[k] <= last_known + MOST_RANKS_BEHIND)
          last = MAX (last, x->send_partner[k]);
      for (guint k = 0; x != NULL && k < x->n_receives; k++)
        if (x->receive_partner[k] <= last_known + MOST_RANKS_BEHIND)
          last = MAX (last, x->receive_partner[k]);
    }
  if (run->collectives != NULL)
    for (guint i = 0; i < run->collectives->members->len; i++)
      last = MAX (last, node_of (out, g_array_index (run->collectives->members,
                                                     KymoCollectiveMember, i).location));
  return last;
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
                             .group = group_for (out, rank, location) };

  if (location >= 0)
    out->place_of[location] = out->places->len;
  if (out->main_place[rank] == KYMO_OTF2_NO_REF)
    out->main_place[rank] = out->places->len;
  g_array_append_val (out->places, place);
}

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const KymoConvertPlace *x = a, *y = b;

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* By rank and thread. A rank that has nothing to write has a location all the same, so that
   the ranks behind it keep their numbers. */
static void
number_places (KymoOtf2Out *out)
{
  g_autoptr (GArray) places = g_array_copy (out->convert->places);
  guint n = 0;

  g_array_sort (places, compare_places);
  for (guint rank = 0; rank < out->n_ranks; rank++)
    {
      guint first = n;

      for (; n < places->len && g_array_index (places, KymoConvertPlace, n).node == rank; n++)
        add_place (out, rank, g_array_index (places, KymoConvertPlace, n).location);
      if (n == first)
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

/* Functions are regions, events metrics. A hardware counter that an event shares its name
   with, as it does in an archive, is that metric. */
static void
number_activities (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;

  out->region_of = new_refs (run->activities->len);
  out->member_of = new_refs (run->activities->len);
  out->counter_of = new_refs (run->metrics->len);
  for (guint i = 0; i < run->activities->len; i++)
    {
      const KymoActivity *activity = kymo_run_peek_activity (run, i);

      if (activity->kind != KYMO_ACTIVITY_EVENT)
        out->region_of[i] = out->n_regions++;
      else
        out->member_of[i] = out->n_members++;
      for (guint k = 0; k < run->metrics->len && activity->kind == KYMO_ACTIVITY_EVENT; k++)
        if (out->counter_of[k] == KYMO_OTF2_NO_REF && kymo_run_metric_scale (run, k) == 1
            && g_str_equal (run->metrics->pdata[k], activity->name))
          out->counter_of[k] = out->member_of[i];
    }
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
  gint64 last = find_last_rank (out);

  out->places = g_array_new (FALSE, TRUE, sizeof (KymoOtf2OutPlace));
  out->groups = g_array_new (FALSE, TRUE, sizeof (KymoOtf2OutGroup));
  out->place_of = new_refs (out->convert->run->locations->len);
  number_activities (out);
  if (last >= MOST_RANKS)
    {
      g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                   _("An OTF2 archive is written for up to %d ranks; this run has larger numbers"),
                   MOST_RANKS);
      return FALSE;
    }
  out->n_ranks = last + 1;
  out->main_place = new_refs (out->n_ranks);
  number_places (out);
  return TRUE;
}

/* -- definitions --------------------------------------------------------------- */

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
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  guint ref = GPOINTER_TO_UINT (g_hash_table_lookup (out->strings, valid));

  if (strlen (valid) > MOST_TEXT_BYTES)
    {
      *g_utf8_find_prev_char (valid, valid + MOST_TEXT_BYTES) = '\0';
      out->n_names++;
      ref = GPOINTER_TO_UINT (g_hash_table_lookup (out->strings, valid));
    }
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
  gint64 start_s = find_start (run), before_ns = out->offset_ticks;

  kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteClockProperties (
    out->defs, NS_PER_S, 0, kymo_otf2_out_ticks (out, records.end_ns) + 1,
    start_s > 0 && start_s <= G_MAXINT64 / NS_PER_S && start_s * NS_PER_S >= before_ns
    ? (guint64) (start_s * NS_PER_S - before_ns) : OTF2_UNDEFINED_TIMESTAMP));
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

/* Nodes of the tree are numbered as they come; a run without a tree has its machine. Returns
   by place the number of its node. */
static guint32 *
write_nodes (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  guint32 *nodes = new_refs (run->places->len);
  guint n = 0;

  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = place_at (out, i);
      gint64 above = node_above (out, place->parent);
      OTF2_StringRef name = kymo_otf2_out_string (out, place->label);
      OTF2_StringRef kind = kymo_otf2_out_string (out, place->kind);

      if (is_group (place))
        continue;
      nodes[i] = n++;
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteSystemTreeNode (
        out->defs, nodes[i], name, kind,
        above >= 0 ? nodes[above] : OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    }
  if (n == 0)
    {
      OTF2_StringRef name = kymo_otf2_out_string (out, "machine");

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteSystemTreeNode (
        out->defs, 0, name, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    }
  return nodes;
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
write_groups (KymoOtf2Out   *out,
              const guint32 *nodes)
{
  guint first = 0;              /* of the rank */

  for (guint i = 0; i < out->groups->len; i++)
    {
      const KymoOtf2OutGroup *group = &g_array_index (out->groups, KymoOtf2OutGroup, i);
      g_autofree char *name = dup_group_name (out, group);
      gint64 above = node_above (out, group->above);
      OTF2_StringRef ref = kymo_otf2_out_string (out, name);

      if (i == 0 || group[-1].rank != group->rank)
        first = i;
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteLocationGroup (
        out->defs, i, ref, group->is_accelerator ? OTF2_LOCATION_GROUP_TYPE_ACCELERATOR
        : OTF2_LOCATION_GROUP_TYPE_PROCESS, above >= 0 ? nodes[above] : 0,
        group->is_accelerator && first < i ? first : OTF2_UNDEFINED_LOCATION_GROUP));
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
  g_autofree guint32 *nodes = NULL;
  guint next_group = 0;

  kymo_otf2_out_string (out, "");
  write_clock (out);
  nodes = write_nodes (out);
  write_groups (out, nodes);
  write_places (out);
  kymo_otf2_out_write_regions (out);
  kymo_otf2_out_write_comms (out, &next_group);
  kymo_otf2_out_write_region_groups (out, &next_group);
  kymo_otf2_out_write_metrics (out);
}
