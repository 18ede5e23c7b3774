/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Definitions that points of a location refer to: parameters, files and their handles.
 */
#include "config.h"

#include "kymo-convert-otf2.h"

static OTF2_ParameterType
type_of (guint8 type)
{
  switch (type - 1)
    {
    case KYMO_PARAMETER_UNSIGNED:
      return OTF2_PARAMETER_TYPE_UINT64;
    case KYMO_PARAMETER_TEXT:
      return OTF2_PARAMETER_TYPE_STRING;
    default:
      return OTF2_PARAMETER_TYPE_INT64;
    }
}

/** kymo_otf2_out_write_parameters: once all events are written */
void
kymo_otf2_out_write_parameters (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;

  for (guint i = 0; i < run->activities->len; i++)
    {
      guint32 ref = out->parameter_of[i];
      OTF2_StringRef name;

      if (ref == KYMO_OTF2_NO_REF)
        continue;
      name = kymo_otf2_out_string (out, kymo_run_peek_activity (run, i)->name);
      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteParameter (
        out->defs, ref, name, type_of (g_array_index (out->parameter_types, guint8, ref))));
    }
}

static const KymoIoHandle *
handle_at (const KymoOtf2Out *out,
           guint              i)
{
  return &g_array_index (out->convert->run->definitions->handles, KymoIoHandle, i);
}

/**
 * kymo_otf2_out_find_paradigms:
 *
 * Numbers the programming interfaces of files, none twice.
 */
void
kymo_otf2_out_find_paradigms (KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;

  out->paradigms = g_ptr_array_new ();
  out->paradigm_of = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; definitions != NULL && i < definitions->handles->len; i++)
    {
      char *name = handle_at (out, i)->paradigm;

      if (*name == '\0' || g_hash_table_contains (out->paradigm_of, name)
          || out->paradigms->len == OTF2_UNDEFINED_IO_PARADIGM)
        continue;
      g_hash_table_insert (out->paradigm_of, name, GUINT_TO_POINTER (out->paradigms->len + 1));
      g_ptr_array_add (out->paradigms, name);
    }
}

static OTF2_IoParadigmRef
paradigm_of (const KymoOtf2Out *out,
             guint              handle)
{
  guint ref = GPOINTER_TO_UINT (g_hash_table_lookup (out->paradigm_of,
                                                     handle_at (out, handle)->paradigm));

  return ref > 0 ? ref - 1 : OTF2_UNDEFINED_IO_PARADIGM;
}

/**
 * kymo_otf2_out_paradigm_of_file:
 * @file: index in the run's definitions, or -1
 *
 * Returns: number of the programming interface of its first handle, or
 *   %OTF2_UNDEFINED_IO_PARADIGM
 */
OTF2_IoParadigmRef
kymo_otf2_out_paradigm_of_file (const KymoOtf2Out *out,
                                gint32             file)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;

  for (guint i = 0; definitions != NULL && file >= 0 && i < definitions->handles->len; i++)
    if (handle_at (out, i)->file == file)
      return paradigm_of (out, i);
  return OTF2_UNDEFINED_IO_PARADIGM;
}

static void
write_paradigms (KymoOtf2Out *out)
{
  for (guint i = 0; i < out->paradigms->len; i++)
    {
      const char *name = out->paradigms->pdata[i];
      OTF2_StringRef text = kymo_otf2_out_string (out, name);

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteIoParadigm (
        out->defs, i, text, text, g_str_has_prefix (name, "MPI")
        ? OTF2_IO_PARADIGM_CLASS_PARALLEL : OTF2_IO_PARADIGM_CLASS_SERIAL,
        OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL));
    }
}

static guint32
ref_of (gint32 index)
{
  return index >= 0 ? (guint32) index : OTF2_UNDEFINED_UINT32;
}

/** kymo_otf2_out_write_files: files and their handles, with the numbers that the run has */
void
kymo_otf2_out_write_files (KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;

  if (definitions == NULL)
    return;
  write_paradigms (out);
  for (guint i = 0; i < definitions->files->len; i++)
    {
      const KymoIoFile *file = &g_array_index (definitions->files, KymoIoFile, i);
      OTF2_StringRef name = kymo_otf2_out_string (out, file->name);

      kymo_otf2_out_note (out, file->is_folder
        ? OTF2_GlobalDefWriter_WriteIoDirectory (out->defs, i, name,
                                                 OTF2_UNDEFINED_SYSTEM_TREE_NODE)
        : OTF2_GlobalDefWriter_WriteIoRegularFile (out->defs, i, name,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    }
  for (guint i = 0; i < definitions->handles->len; i++)
    {
      const KymoIoHandle *handle = handle_at (out, i);
      OTF2_StringRef name = kymo_otf2_out_string (out, handle->name);

      kymo_otf2_out_note (out, OTF2_GlobalDefWriter_WriteIoHandle (
        out->defs, i, name, ref_of (handle->file), paradigm_of (out, i),
        handle->is_open ? OTF2_IO_HANDLE_FLAG_PRE_CREATED : OTF2_IO_HANDLE_FLAG_NONE,
        kymo_otf2_out_comm_ref (out, handle->comm), ref_of (handle->parent)));
    }
}
