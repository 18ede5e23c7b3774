/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of a run (kymo-definitions.h) from those of an OTF2 archive: groups of
 * locations, communicators and windows, files and handles, and the markers, whose times are
 * on the archive's clock.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-otf2-private.h"

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

/* Index as a reference of the run: -1 where there is none. */
static gint32
reference (guint32 index)
{
  return index <= G_MAXINT32 ? (gint32) index : -1;
}

static guint32
row_of (const KymoOtf2Defs *defs,
        guint               location)
{
  return location != KYMO_OTF2_NONE ? AT (defs->locations, KymoOtf2Location, location)->row
    : KYMO_OTF2_NONE;
}

/* By index of the archive's groups the index in the run, or KYMO_OTF2_NONE. */
static guint32 *
add_groups (KymoOtf2Defs    *defs,
            KymoDefinitions *to)
{
  guint32 *at = g_new (guint32, MAX (defs->groups->len, 1));

  for (guint i = 0; i < defs->groups->len; i++)
    {
      const KymoOtf2Group *from = AT (defs->groups, KymoOtf2Group, i);
      KymoGroup group = { .id = (gint64) from->id, .n_members = from->n_members };

      at[i] = KYMO_OTF2_NONE;
      if (from->locations == NULL)
        continue;
      at[i] = to->groups->len;
      group.name = g_strdup (kymo_otf2_defs_use_string (defs, from->name));
      group.members = g_new (guint32, MAX (from->n_members, 1));
      for (guint k = 0; k < from->n_members; k++)
        group.members[k] = row_of (defs, from->locations[k]);
      g_array_append_val (to->groups, group);
    }
  return at;
}

static gint32
group_index (const KymoOtf2Defs *defs,
             const guint32      *groups,
             guint64             id)
{
  guint32 index = kymo_otf2_ids_find (&defs->group_ids, id);

  return index != KYMO_OTF2_NONE ? reference (groups[index]) : -1;
}

/* Communicators first, windows behind them: as messages number them. */
static void
add_comms (KymoOtf2Defs    *defs,
           const guint32   *groups,
           KymoDefinitions *to)
{
  for (guint i = 0; i < defs->comms->len; i++)
    {
      const KymoOtf2Comm *from = AT (defs->comms, KymoOtf2Comm, i);
      gboolean self = from->group != NULL && from->group->type == OTF2_GROUP_TYPE_COMM_SELF;
      KymoComm comm = {
        (gint64) from->id, g_strdup (kymo_otf2_defs_use_string (defs, from->name)),
        self ? KYMO_COMM_SELF : from->other != NULL ? KYMO_COMM_INTER : KYMO_COMM_GROUP,
        group_index (defs, groups, from->group_id), group_index (defs, groups, from->other_id),
        reference (kymo_otf2_ids_find (&defs->comm_ids, from->parent_id)),
      };

      g_array_append_val (to->comms, comm);
    }
  for (guint i = 0; i < defs->wins->len; i++)
    {
      const KymoOtf2Win *from = AT (defs->wins, KymoOtf2Win, i);
      KymoComm comm = {
        (gint64) from->id, g_strdup (kymo_otf2_defs_use_string (defs, from->name)),
        KYMO_COMM_WINDOW,
        from->comm != KYMO_OTF2_NONE ? AT (to->comms, KymoComm, from->comm)->group : -1, -1,
        reference (from->comm),
      };

      g_array_append_val (to->comms, comm);
    }
}

static void
add_handles (KymoOtf2Defs    *defs,
             KymoDefinitions *to)
{
  for (guint i = 0; i < defs->files->len; i++)
    {
      const KymoOtf2File *from = AT (defs->files, KymoOtf2File, i);
      KymoIoFile file = { g_strdup (kymo_otf2_defs_use_string (defs, from->name)),
                          from->is_folder };

      g_array_append_val (to->files, file);
    }
  for (guint i = 0; i < defs->handles->len; i++)
    {
      const KymoOtf2Handle *from = AT (defs->handles, KymoOtf2Handle, i);
      guint32 paradigm = kymo_otf2_ids_find (&defs->paradigm_ids, from->paradigm_id);
      KymoIoHandle handle = {
        g_strdup (kymo_otf2_defs_use_string (defs, from->name)),
        reference (kymo_otf2_ids_find (&defs->file_ids, from->file_id)),
        g_strdup (paradigm == KYMO_OTF2_NONE ? "" : kymo_otf2_defs_use_string (
          defs, AT (defs->paradigms, KymoOtf2Paradigm, paradigm)->name)),
        reference (kymo_otf2_ids_find (&defs->comm_ids, from->comm_id)),
        reference (kymo_otf2_ids_find (&defs->handle_ids, from->parent_id)), from->is_open,
      };

      g_array_append_val (to->handles, handle);
    }
}

/* Sets the thing that a marker is about, as an index of the run, or -1. */
static void
set_scope (const KymoOtf2Defs   *defs,
           const guint32        *groups,
           const KymoOtf2Marker *from,
           KymoMarker           *marker)
{
  guint32 index;

  marker->scope = KYMO_SCOPE_RUN;
  marker->about = -1;
  switch (from->scope)
    {
    case OTF2_MARKER_SCOPE_LOCATION:
      index = kymo_otf2_ids_find (&defs->location_ids, from->scope_id);
      marker->scope = KYMO_SCOPE_LOCATION;
      marker->about = reference (row_of (defs, index));
      break;
    case OTF2_MARKER_SCOPE_LOCATION_GROUP:
      index = kymo_otf2_ids_find (&defs->location_group_ids, from->scope_id);
      marker->scope = KYMO_SCOPE_PLACE;
      if (index != KYMO_OTF2_NONE)
        marker->about = (gint32) AT (defs->location_groups, KymoOtf2LocationGroup, index)->place;
      break;
    case OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE:
      index = kymo_otf2_ids_find (&defs->node_ids, from->scope_id);
      marker->scope = KYMO_SCOPE_PLACE;
      if (index != KYMO_OTF2_NONE)
        marker->about = (gint32) AT (defs->nodes, KymoOtf2Node, index)->place;
      break;
    case OTF2_MARKER_SCOPE_GROUP:
      marker->scope = KYMO_SCOPE_GROUP;
      marker->about = group_index (defs, groups, from->scope_id);
      break;
    case OTF2_MARKER_SCOPE_COMM:
      marker->scope = KYMO_SCOPE_COMM;
      marker->about = reference (kymo_otf2_ids_find (&defs->comm_ids, from->scope_id));
      break;
    default:
      break;
    }
}

/* FALSE where its times cannot be right. */
static gboolean
set_times (const KymoOtf2Stream *clock,
           const KymoOtf2Marker *from,
           gint64                zero_ns,
           KymoMarker           *marker)
{
  OTF2_TimeStamp end;

  if (__builtin_add_overflow (from->time, from->duration, &end)
      || !kymo_otf2_to_ns (clock, from->time, &marker->begin_ns)
      || !kymo_otf2_to_ns (clock, end, &marker->end_ns))
    return FALSE;
  marker->begin_ns -= zero_ns;
  marker->end_ns -= zero_ns;
  return ABS (marker->begin_ns) <= KYMO_OTF2_MAX_BESIDE_NS
    && ABS (marker->end_ns) <= KYMO_OTF2_MAX_BESIDE_NS;
}

static void
add_markers (KymoOtf2Reading *reading,
             const guint32   *groups,
             gint64           zero_ns,
             KymoDefinitions *to)
{
  KymoOtf2Defs *defs = reading->defs;
  KymoOtf2Stream clock = { .defs = defs };

  for (guint i = 0; i < defs->marker_kinds->len; i++)
    {
      KymoOtf2MarkerKind *from = AT (defs->marker_kinds, KymoOtf2MarkerKind, i);
      KymoMarkerKind kind = { g_steal_pointer (&from->group), g_steal_pointer (&from->category),
                              MIN (from->severity, KYMO_MARKER_HIGH) };

      g_array_append_val (to->marker_kinds, kind);
    }
  for (guint i = 0; i < defs->markers->len; i++)
    {
      KymoOtf2Marker *from = AT (defs->markers, KymoOtf2Marker, i);
      KymoMarker marker = { .kind = from->kind };

      if (!set_times (&clock, from, zero_ns, &marker))
        {
          defs->n_bad_markers++;
          continue;
        }
      set_scope (defs, groups, from, &marker);
      marker.text = g_steal_pointer (&from->text);
      g_array_append_val (to->markers, marker);
    }
  g_array_sort (to->markers, kymo_compare_ints);
}

/**
 * kymo_otf2_add_definitions:
 * @reading: whose locations have their rows in the run
 * @zero_ns: time zero of the run on the archive's clock
 *
 * Gives the run what its records refer to; the texts of markers are taken from the archive's
 * definitions.
 */
void
kymo_otf2_add_definitions (KymoOtf2Reading *reading,
                           gint64           zero_ns)
{
  KymoDefinitions *to = kymo_definitions_new ();
  g_autofree guint32 *groups = add_groups (reading->defs, to);

  add_comms (reading->defs, groups, to);
  add_handles (reading->defs, to);
  add_markers (reading, groups, zero_ns, to);
  reading->run->definitions = to;
}
