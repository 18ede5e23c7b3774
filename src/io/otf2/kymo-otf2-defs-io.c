/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definitions of what is recorded beside calls: parameters, files and their handles, markers.
 */
#include "config.h"

#include "kymo-otf2-defs.h"

#include <string.h>

#include "kymo-name.h"

static OTF2_CallbackCode
on_parameter (void               *data,
              OTF2_ParameterRef   self,
              OTF2_StringRef      name,
              OTF2_ParameterType  type)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Parameter parameter = { self, name, G_MAXUINT32 };

  kymo_otf2_defs_add (defs, &defs->parameter_ids, defs->parameters, &parameter, self);
  return kymo_otf2_defs_charge (defs, sizeof parameter + sizeof (KymoActivity)
                                + KYMO_OTF2_DEFINITION_BYTES);
}

static OTF2_CallbackCode
on_paradigm (void                          *data,
             OTF2_IoParadigmRef             self,
             OTF2_StringRef                 identification,
             OTF2_StringRef                 name,
             OTF2_IoParadigmClass           paradigm_class,
             OTF2_IoParadigmFlag            flags,
             uint8_t                        n_properties,
             const OTF2_IoParadigmProperty *properties,
             const OTF2_Type               *types,
             const OTF2_AttributeValue     *values)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Paradigm paradigm = { self, *kymo_otf2_defs_string (defs, name) != '\0' ? name
                                : identification };

  kymo_otf2_defs_add (defs, &defs->paradigm_ids, defs->paradigms, &paradigm, self);
  return kymo_otf2_defs_charge (defs, sizeof paradigm);
}

static OTF2_CallbackCode
add_file (KymoOtf2Defs   *defs,
          OTF2_IoFileRef  self,
          OTF2_StringRef  name,
          gboolean        is_folder)
{
  KymoOtf2File file = { self, name, is_folder };

  kymo_otf2_defs_add (defs, &defs->file_ids, defs->files, &file, self);
  return kymo_otf2_defs_charge (defs, sizeof file + sizeof (KymoIoFile));
}

static OTF2_CallbackCode
on_regular_file (void                   *data,
                 OTF2_IoFileRef          self,
                 OTF2_StringRef          name,
                 OTF2_SystemTreeNodeRef  scope)
{
  return add_file (data, self, name, FALSE);
}

static OTF2_CallbackCode
on_directory (void                   *data,
              OTF2_IoFileRef          self,
              OTF2_StringRef          name,
              OTF2_SystemTreeNodeRef  scope)
{
  return add_file (data, self, name, TRUE);
}

static OTF2_CallbackCode
on_handle (void               *data,
           OTF2_IoHandleRef    self,
           OTF2_StringRef      name,
           OTF2_IoFileRef      file,
           OTF2_IoParadigmRef  paradigm,
           OTF2_IoHandleFlag   flags,
           OTF2_CommRef        comm,
           OTF2_IoHandleRef    parent)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Handle handle = { self, name, file, paradigm, comm, parent,
                            (flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED) != 0 };

  kymo_otf2_defs_add (defs, &defs->handle_ids, defs->handles, &handle, self);
  return kymo_otf2_defs_charge (defs, sizeof handle + sizeof (KymoIoHandle)
                                + KYMO_OTF2_DEFINITION_BYTES);
}

/**
 * kymo_otf2_defs_add_io_callbacks:
 *
 * Adds what fills a #KymoOtf2Defs with parameters, files and handles.
 */
void
kymo_otf2_defs_add_io_callbacks (KymoOtf2DefCalls *calls)
{
  calls->Parameter = on_parameter;
  calls->IoParadigm = on_paradigm;
  calls->IoRegularFile = on_regular_file;
  calls->IoDirectory = on_directory;
  calls->IoHandle = on_handle;
}

/* -- markers --------------------------------------------------------------- */

static OTF2_CallbackCode
on_marker_kind (void                *data,
                OTF2_MarkerRef       self,
                const char          *group,
                const char          *category,
                OTF2_MarkerSeverity  severity)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2MarkerKind kind = { self, kymo_name_dup (group, -1), kymo_name_dup (category, -1),
                              severity };
  gsize n_bytes = 2 * (strlen (kind.group) + strlen (kind.category));

  if (!kymo_otf2_defs_add (defs, &defs->marker_kind_ids, defs->marker_kinds, &kind, self))
    {
      g_free (kind.group);
      g_free (kind.category);
    }
  return kymo_otf2_defs_charge (defs, 2 * sizeof kind + n_bytes);
}

static OTF2_CallbackCode
on_marker (void             *data,
           OTF2_TimeStamp    time,
           OTF2_TimeStamp    duration,
           OTF2_MarkerRef    id,
           OTF2_MarkerScope  scope,
           uint64_t          scope_id,
           const char       *text)
{
  KymoOtf2Defs *defs = data;
  KymoOtf2Marker marker = { time, duration, kymo_otf2_ids_find (&defs->marker_kind_ids, id),
                            scope, scope_id, NULL };

  if (marker.kind == KYMO_OTF2_NONE)
    {
      defs->n_bad_markers++;
      return OTF2_CALLBACK_SUCCESS;
    }
  marker.text = kymo_name_dup (text, -1);
  g_array_append_val (defs->markers, marker);
  return kymo_otf2_defs_charge (defs, sizeof marker + sizeof (KymoMarker)
                                + 2 * strlen (marker.text));
}

/**
 * kymo_otf2_defs_new_marker_callbacks:
 *
 * Returns: (transfer full): what adds markers to a #KymoOtf2Defs, which goes with it as user
 * data, while the library reads them
 */
OTF2_MarkerReaderCallbacks *
kymo_otf2_defs_new_marker_callbacks (void)
{
  OTF2_MarkerReaderCallbacks *calls = OTF2_MarkerReaderCallbacks_New ();

  OTF2_MarkerReaderCallbacks_SetDefMarkerCallback (calls, on_marker_kind);
  OTF2_MarkerReaderCallbacks_SetMarkerCallback (calls, on_marker);
  return calls;
}
