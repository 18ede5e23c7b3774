/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The global definitions of an archive: the clock, and the tree of machines, processes and
 * locations.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-otf2.h"
#include "kymo-order.h"

#include <string.h>

#include "kymo-error.h"

/* Longer texts do not fit into the library's buffer. */
#define MOST_TEXT_BYTES (64 << 10)

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
  while (kymo_otf2_is_group (kymo_otf2_out_run_place (out, place)))
    place = kymo_otf2_out_run_place (out, place)->parent;
  return place;
}

/* Nodes of the tree are numbered as they come; a run without a tree has its machine. */
static void
write_nodes (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  guint n = 0;

  out->nodes = kymo_otf2_refs_new (run->places->len);
  for (guint i = 0; i < run->places->len; i++)
    {
      const KymoPlace *place = kymo_otf2_out_run_place (out, i);
      gint64 above = node_above (out, place->parent);
      OTF2_StringRef name = kymo_otf2_out_string (out, place->label);
      OTF2_StringRef kind = kymo_otf2_out_string (out, place->kind);

      if (kymo_otf2_is_group (place))
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
    return g_strdup (kymo_otf2_out_run_place (out, group->place)->label);
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
