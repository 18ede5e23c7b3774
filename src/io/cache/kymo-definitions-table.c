/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of a run (kymo-definitions.h) as a GVariant and back, for the table of the
 * cache file. An index that points nowhere makes the whole table unfit.
 */
#include "config.h"

#include "kymo-segment-layout.h"

#define AT(array, type, i) (&g_array_index ((array), type, (i)))

static GVariant *
pack_groups (GArray *groups)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(xsau)"));
  for (guint i = 0; i < groups->len; i++)
    {
      const KymoGroup *group = AT (groups, KymoGroup, i);

      g_variant_builder_add (&list, "(xs@au)", group->id, group->name,
                             g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, group->members,
                                                        group->n_members, sizeof (guint32)));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_comms (GArray *comms)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(xsuiii)"));
  for (guint i = 0; i < comms->len; i++)
    {
      const KymoComm *comm = AT (comms, KymoComm, i);

      g_variant_builder_add (&list, "(xsuiii)", comm->id, comm->name, comm->kind, comm->group,
                             comm->other, comm->parent);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_files (GArray *files)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sb)"));
  for (guint i = 0; i < files->len; i++)
    g_variant_builder_add (&list, "(sb)", AT (files, KymoIoFile, i)->name,
                           AT (files, KymoIoFile, i)->is_folder);
  return g_variant_builder_end (&list);
}

static GVariant *
pack_handles (GArray *handles)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(sisiib)"));
  for (guint i = 0; i < handles->len; i++)
    {
      const KymoIoHandle *h = AT (handles, KymoIoHandle, i);

      g_variant_builder_add (&list, "(sisiib)", h->name, h->file, h->paradigm, h->comm, h->parent,
                             h->is_open);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_marker_kinds (GArray *kinds)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ssu)"));
  for (guint i = 0; i < kinds->len; i++)
    {
      const KymoMarkerKind *kind = AT (kinds, KymoMarkerKind, i);

      g_variant_builder_add (&list, "(ssu)", kind->group, kind->category, kind->severity);
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pack_markers (GArray *markers)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(xxuuis)"));
  for (guint i = 0; i < markers->len; i++)
    {
      const KymoMarker *m = AT (markers, KymoMarker, i);

      g_variant_builder_add (&list, "(xxuuis)", m->begin_ns, m->end_ns, m->kind, m->scope,
                             m->about, m->text);
    }
  return g_variant_builder_end (&list);
}

/**
 * kymo_definitions_pack:
 * @definitions: (nullable): of a run
 *
 * Returns: (transfer floating): a value of type %KYMO_DEFINITIONS_TYPE
 */
GVariant *
kymo_definitions_pack (const KymoDefinitions *definitions)
{
  if (definitions == NULL)
    return g_variant_new_maybe (G_VARIANT_TYPE (&KYMO_DEFINITIONS_TYPE[1]), NULL);
  return g_variant_new_maybe (NULL, g_variant_new (
    "(@a(xsau)@a(xsuiii)@a(sb)@a(sisiib)@a(ssu)@a(xxuuis))", pack_groups (definitions->groups),
    pack_comms (definitions->comms), pack_files (definitions->files),
    pack_handles (definitions->handles), pack_marker_kinds (definitions->marker_kinds),
    pack_markers (definitions->markers)));
}

/* TRUE if @index is an index into a list of @n items, or -1 for none. */
static gboolean
is_index (gint32 index,
          guint  n)
{
  return index >= -1 && (index < 0 || (guint) index < n);
}

static gboolean
unpack_groups (GVariant *list,
               GArray   *groups,
               guint     n_locations)
{
  GVariantIter iter;
  GVariant *members;
  KymoGroup group;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(xs@au)", &group.id, &group.name, &members))
    {
      gsize n;
      const guint32 *each = g_variant_get_fixed_array (members, &n, sizeof *each);
      gboolean fit = n < G_MAXUINT32;

      for (gsize i = 0; i < n && fit; i++)
        fit = each[i] < n_locations || each[i] == G_MAXUINT32;
      group.n_members = fit ? n : 0;
      group.members = g_memdup2 (each, group.n_members * sizeof *each);
      g_array_append_val (groups, group);
      g_variant_unref (members);
      if (!fit)
        return FALSE;
    }
  return TRUE;
}

static gboolean
unpack_comms (GVariant        *list,
              KymoDefinitions *definitions)
{
  GVariantIter iter;
  KymoComm comm;
  guint n = g_variant_n_children (list);
  gboolean fit = TRUE;

  g_variant_iter_init (&iter, list);
  while (fit && g_variant_iter_next (&iter, "(xsuiii)", &comm.id, &comm.name, &comm.kind,
                                     &comm.group, &comm.other, &comm.parent))
    {
      fit = comm.kind < KYMO_N_COMM_KINDS && is_index (comm.group, definitions->groups->len)
        && is_index (comm.other, definitions->groups->len) && is_index (comm.parent, n);
      g_array_append_val (definitions->comms, comm);
    }
  return fit;
}

static gboolean
unpack_io (GVariant        *files,
           GVariant        *handles,
           KymoDefinitions *definitions)
{
  guint n = g_variant_n_children (handles);
  gboolean fit = TRUE;
  GVariantIter iter;
  KymoIoFile file;
  KymoIoHandle h;

  g_variant_iter_init (&iter, files);
  while (g_variant_iter_next (&iter, "(sb)", &file.name, &file.is_folder))
    g_array_append_val (definitions->files, file);
  g_variant_iter_init (&iter, handles);
  while (fit && g_variant_iter_next (&iter, "(sisiib)", &h.name, &h.file, &h.paradigm, &h.comm,
                                     &h.parent, &h.is_open))
    {
      fit = is_index (h.file, definitions->files->len)
        && is_index (h.comm, definitions->comms->len) && is_index (h.parent, n);
      g_array_append_val (definitions->handles, h);
    }
  return fit;
}

static guint
count_scope (const KymoRun *run,
             guint32        scope)
{
  const guint n[KYMO_N_SCOPES] = {
    [KYMO_SCOPE_LOCATION] = run->locations->len, [KYMO_SCOPE_PLACE] = run->places->len,
    [KYMO_SCOPE_GROUP] = run->definitions->groups->len,
    [KYMO_SCOPE_COMM] = run->definitions->comms->len,
  };

  return n[scope];
}

static gboolean
unpack_markers (GVariant *kinds,
                GVariant *markers,
                KymoRun  *run)
{
  gboolean fit = TRUE;
  GVariantIter iter;
  KymoMarkerKind kind;
  KymoMarker m;

  g_variant_iter_init (&iter, kinds);
  while (fit && g_variant_iter_next (&iter, "(ssu)", &kind.group, &kind.category, &kind.severity))
    {
      fit = kind.severity < KYMO_N_MARKER_SEVERITIES;
      g_array_append_val (run->definitions->marker_kinds, kind);
    }
  g_variant_iter_init (&iter, markers);
  while (fit && g_variant_iter_next (&iter, "(xxuuis)", &m.begin_ns, &m.end_ns, &m.kind, &m.scope,
                                     &m.about, &m.text))
    {
      fit = m.begin_ns > -KYMO_SEGMENT_MAX_NS && m.end_ns < KYMO_SEGMENT_MAX_NS
        && m.begin_ns <= m.end_ns && m.kind < run->definitions->marker_kinds->len
        && m.scope < KYMO_N_SCOPES && is_index (m.about, count_scope (run, m.scope));
      g_array_append_val (run->definitions->markers, m);
    }
  return fit;
}

/**
 * kymo_definitions_unpack:
 * @packed: a value of type %KYMO_DEFINITIONS_TYPE, whatever its bytes are
 * @run: with its locations and places; gets the definitions
 *
 * Returns: whether all indices point to something
 */
gboolean
kymo_definitions_unpack (GVariant *packed,
                         KymoRun  *run)
{
  g_autoptr (GVariant) inner = g_variant_get_maybe (packed);
  g_autoptr (GVariant) groups = NULL;
  g_autoptr (GVariant) comms = NULL;
  g_autoptr (GVariant) files = NULL;
  g_autoptr (GVariant) handles = NULL;
  g_autoptr (GVariant) kinds = NULL;
  g_autoptr (GVariant) markers = NULL;

  if (inner == NULL)
    return TRUE;
  run->definitions = kymo_definitions_new ();
  g_variant_get (inner, "(@a(xsau)@a(xsuiii)@a(sb)@a(sisiib)@a(ssu)@a(xxuuis))", &groups, &comms,
                 &files, &handles, &kinds, &markers);
  return unpack_groups (groups, run->definitions->groups, run->locations->len)
    && unpack_comms (comms, run->definitions) && unpack_io (files, handles, run->definitions)
    && unpack_markers (kinds, markers, run);
}
