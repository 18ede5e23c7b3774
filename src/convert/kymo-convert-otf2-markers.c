/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The markers of a run, in a file of their own. They refer to locations, the tree, groups and
 * communicators, which have their numbers by then.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

static const KymoMarker *
marker_at (const KymoOtf2Out *out,
           guint              i)
{
  return &g_array_index (out->convert->run->definitions->markers, KymoMarker, i);
}

static guint
count_markers (const KymoOtf2Out *out)
{
  return out->convert->run->definitions != NULL
    ? out->convert->run->definitions->markers->len : 0;
}

/* TRUE if the marker lies in the range that is written and not on a location that is left out. */
static gboolean
is_wanted (const KymoOtf2Out *out,
           const KymoMarker  *marker)
{
  KymoSpan counted = out->choice.counted;

  return out->choice.whole
    || (marker->end_ns >= counted.begin_ns && marker->begin_ns < counted.end_ns
        && (marker->scope != KYMO_SCOPE_LOCATION || marker->about < 0
            || kymo_otf2_out_is_chosen (out, marker->about)));
}

/**
 * kymo_otf2_out_first_marker:
 *
 * Returns: when the first one begins that is written, in nanoseconds of the run; %G_MAXINT64
 *   where there is none
 */
gint64
kymo_otf2_out_first_marker (const KymoOtf2Out *out)
{
  for (guint i = 0; i < count_markers (out); i++)
    if (is_wanted (out, marker_at (out, i)))
      return marker_at (out, i)->begin_ns;
  return G_MAXINT64;
}

/* A process is a location group, all else a node. */
static OTF2_MarkerScope
find_place (const KymoOtf2Out *out,
            gint32             place,
            guint64           *ref)
{
  for (guint i = 0; i < out->groups->len; i++)
    if (g_array_index (out->groups, KymoOtf2OutGroup, i).place == place)
      {
        *ref = i;
        return OTF2_MARKER_SCOPE_LOCATION_GROUP;
      }
  *ref = out->nodes[place] != KYMO_OTF2_NO_REF ? out->nodes[place]
    : OTF2_UNDEFINED_SYSTEM_TREE_NODE;
  return OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE;
}

/* Scope and number of the thing that a marker is about. A thing that the run does not have gets an
   undefined number. */
static OTF2_MarkerScope
find_scope (const KymoOtf2Out *out,
            const KymoMarker  *marker,
            guint64           *ref)
{
  gint32 about = marker->about;

  switch ((KymoMarkerScope) marker->scope)
    {
    case KYMO_SCOPE_LOCATION:
      *ref = about >= 0 ? out->place_of[about] : OTF2_UNDEFINED_LOCATION;
      return OTF2_MARKER_SCOPE_LOCATION;
    case KYMO_SCOPE_PLACE:
      *ref = OTF2_UNDEFINED_LOCATION_GROUP;
      return about >= 0 ? find_place (out, about, ref) : OTF2_MARKER_SCOPE_LOCATION_GROUP;
    case KYMO_SCOPE_GROUP:
      *ref = kymo_otf2_out_group_ref (out, about);
      return OTF2_MARKER_SCOPE_GROUP;
    case KYMO_SCOPE_COMM:
      *ref = kymo_otf2_out_comm_ref (out, about);
      return OTF2_MARKER_SCOPE_COMM;
    default:
      *ref = 0;
      return OTF2_MARKER_SCOPE_GLOBAL;
    }
}

static void
write_marker (KymoOtf2Out       *out,
              OTF2_MarkerWriter *writer,
              const KymoMarker  *marker)
{
  g_autofree char *text = kymo_otf2_out_dup_text (out, marker->text);
  guint64 ref;
  OTF2_MarkerScope scope = find_scope (out, marker, &ref);

  kymo_otf2_out_note (out, OTF2_MarkerWriter_WriteMarker (
    writer, kymo_otf2_out_ticks (out, marker->begin_ns), marker->end_ns - marker->begin_ns,
    marker->kind, scope, ref, text));
}

/** kymo_otf2_out_write_markers: once all definitions are written */
void
kymo_otf2_out_write_markers (KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;
  OTF2_MarkerWriter *writer;

  if (kymo_otf2_out_first_marker (out) == G_MAXINT64)
    return;
  writer = OTF2_Archive_GetMarkerWriter (out->archive);
  if (writer == NULL)
    {
      kymo_otf2_out_note (out, OTF2_ERROR_FILE_CAN_NOT_OPEN);
      return;
    }
  for (guint i = 0; i < definitions->marker_kinds->len; i++)
    {
      const KymoMarkerKind *kind = &g_array_index (definitions->marker_kinds, KymoMarkerKind, i);
      g_autofree char *group = kymo_otf2_out_dup_text (out, kind->group);
      g_autofree char *category = kymo_otf2_out_dup_text (out, kind->category);

      kymo_otf2_out_note (out, OTF2_MarkerWriter_WriteDefMarker (writer, i, group, category,
                                                                 kind->severity));
    }
  for (guint i = 0; i < definitions->markers->len && out->code == OTF2_SUCCESS; i++)
    if (is_wanted (out, marker_at (out, i)))
      write_marker (out, writer, marker_at (out, i));
  if (out->code == OTF2_SUCCESS)
    kymo_otf2_out_note (out, OTF2_Archive_CloseMarkerWriter (out->archive, writer));
}
