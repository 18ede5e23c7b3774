/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-definitions.h"

#include "kymo-run.h"

static void
group_clear (gpointer data)
{
  g_free (((KymoGroup *) data)->name);
  g_free (((KymoGroup *) data)->members);
}

static void
comm_clear (gpointer data)
{
  g_free (((KymoComm *) data)->name);
}

static void
file_clear (gpointer data)
{
  g_free (((KymoIoFile *) data)->name);
}

static void
handle_clear (gpointer data)
{
  g_free (((KymoIoHandle *) data)->name);
  g_free (((KymoIoHandle *) data)->paradigm);
}

static void
marker_kind_clear (gpointer data)
{
  g_free (((KymoMarkerKind *) data)->group);
  g_free (((KymoMarkerKind *) data)->category);
}

static void
marker_clear (gpointer data)
{
  g_free (((KymoMarker *) data)->text);
}

static GArray *
new_list (guint          size,
          GDestroyNotify clear)
{
  GArray *list = g_array_new (FALSE, TRUE, size);

  g_array_set_clear_func (list, clear);
  return list;
}

/**
 * kymo_definitions_new:
 *
 * Returns: (transfer full): lists without anything in them; free with kymo_definitions_free()
 */
KymoDefinitions *
kymo_definitions_new (void)
{
  KymoDefinitions *definitions = g_new (KymoDefinitions, 1);

  *definitions = (KymoDefinitions) {
    .groups = new_list (sizeof (KymoGroup), group_clear),
    .comms = new_list (sizeof (KymoComm), comm_clear),
    .files = new_list (sizeof (KymoIoFile), file_clear),
    .handles = new_list (sizeof (KymoIoHandle), handle_clear),
    .marker_kinds = new_list (sizeof (KymoMarkerKind), marker_kind_clear),
    .markers = new_list (sizeof (KymoMarker), marker_clear),
  };
  return definitions;
}

/**
 * kymo_definitions_free:
 * @definitions: (nullable): to be freed with all its lists
 */
void
kymo_definitions_free (KymoDefinitions *definitions)
{
  if (definitions == NULL)
    return;
  g_array_unref (definitions->groups);
  g_array_unref (definitions->comms);
  g_array_unref (definitions->files);
  g_array_unref (definitions->handles);
  g_array_unref (definitions->marker_kinds);
  g_array_unref (definitions->markers);
  g_free (definitions);
}

/**
 * kymo_marker_severity_to_string:
 *
 * Returns: "none", "low", "medium" or "high"
 */
const char *
kymo_marker_severity_to_string (KymoMarkerSeverity severity)
{
  static const char *const words[] = { "none", "low", "medium", "high" };

  return words[severity];
}

static const KymoGroup *
group_at (const KymoRun *run,
          gint32         index)
{
  return index >= 0 ? &g_array_index (run->definitions->groups, KymoGroup, index) : NULL;
}

static const KymoComm *
comm_at (const KymoRun *run,
         gint32         index)
{
  return &g_array_index (run->definitions->comms, KymoComm, index);
}

/**
 * kymo_marker_dup_scope:
 *
 * Returns: (transfer full): what the marker is about: "rank 3", "node alpha",
 *   "communicator MPI_COMM_WORLD"; "the whole run"
 */
char *
kymo_marker_dup_scope (const KymoRun    *run,
                       const KymoMarker *marker)
{
  if (marker->scope != KYMO_SCOPE_RUN && marker->about < 0)
    return g_strdup ("something without records");
  switch ((KymoMarkerScope) marker->scope)
    {
    case KYMO_SCOPE_LOCATION:
      return g_strdup (kymo_run_peek_location (run, marker->about)->label);
    case KYMO_SCOPE_PLACE:
      return g_strdup_printf ("%s %s", g_array_index (run->places, KymoPlace, marker->about).kind,
                              g_array_index (run->places, KymoPlace, marker->about).label);
    case KYMO_SCOPE_GROUP:
      return g_strdup_printf ("group %s", group_at (run, marker->about)->name);
    case KYMO_SCOPE_COMM:
      return g_strdup_printf ("communicator %s", comm_at (run, marker->about)->name);
    default:
      return g_strdup ("the whole run");
    }
}

static gboolean
has_member (const KymoGroup *group,
            guint            location)
{
  for (guint i = 0; group != NULL && i < group->n_members; i++)
    if (group->members[i] == location)
      return TRUE;
  return FALSE;
}

static gboolean
lies_in (const KymoRun *run,
         guint          location,
         gint64         place)
{
  gint64 at = run->places->len > 0 ? kymo_run_peek_location (run, location)->place : -1;

  /* A place lies in one with a smaller index. */
  while (at > place)
    at = g_array_index (run->places, KymoPlace, at).parent;
  return at == place;
}

/**
 * kymo_marker_is_about:
 * @location: index in the run
 *
 * Returns: whether the location is what the marker is about, or part of that
 */
gboolean
kymo_marker_is_about (const KymoRun    *run,
                      const KymoMarker *marker,
                      guint             location)
{
  const KymoComm *comm;

  if (marker->scope == KYMO_SCOPE_RUN || marker->about < 0)
    return marker->scope == KYMO_SCOPE_RUN;
  switch ((KymoMarkerScope) marker->scope)
    {
    case KYMO_SCOPE_LOCATION:
      return (guint) marker->about == location;
    case KYMO_SCOPE_PLACE:
      return lies_in (run, location, marker->about);
    case KYMO_SCOPE_GROUP:
      return has_member (group_at (run, marker->about), location);
    default:
      comm = comm_at (run, marker->about);
      return has_member (group_at (run, comm->group), location)
        || has_member (group_at (run, comm->other), location);
    }
}

/**
 * kymo_io_file_name:
 * @file: index of a file, or -1
 *
 * Returns: (transfer none): its name, "" where it is not known
 */
const char *
kymo_io_file_name (const KymoRun *run,
                   gint32         file)
{
  return run->definitions != NULL && file >= 0 && (guint) file < run->definitions->files->len
    ? g_array_index (run->definitions->files, KymoIoFile, file).name : "";
}

/**
 * kymo_io_handle_name:
 * @handle: index of a handle, or -1
 *
 * Returns: (transfer none): the name of its file, else its own; "" where neither is known
 */
const char *
kymo_io_handle_name (const KymoRun *run,
                     gint32         handle)
{
  const KymoIoHandle *h;
  const char *name;

  if (run->definitions == NULL || handle < 0 || (guint) handle >= run->definitions->handles->len)
    return "";
  h = &g_array_index (run->definitions->handles, KymoIoHandle, handle);
  name = kymo_io_file_name (run, h->file);
  return *name != '\0' ? name : h->name;
}
