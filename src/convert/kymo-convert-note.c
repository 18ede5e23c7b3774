/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The note beside files of TAU, or an archive, that are a part of a run (docs/formats/kymo.md):
 * programs that do not know it lose nothing but the names of the whole.
 */
#include "config.h"

#include "kymo-convert-trace-private.h"

#include <string.h>

#include "kymo-extract.h"
#include "kymo-part-note.h"

/* Whether nothing of the run is left out: the files are no part of it. */
static gboolean
is_whole (const KymoConvert *convert)
{
  const KymoRun *run = convert->run;

  return !convert->wish->as_part && run->kind == KYMO_RUN_TRACE && run->profiles == NULL
    && convert->places->len == run->locations->len
    && convert->wish->span.begin_ns == run->span.begin_ns
    && convert->wish->span.end_ns == run->span.end_ns
    && kymo_span_length (run->selection) == 0;
}

/* What is said of a part; a reduction says its own. */
static void
note_part (GKeyFile          *file,
           const KymoConvert *convert)
{
  const KymoRun *run = convert->run;
  KymoSpan span = convert->wish->span;
  guint n = convert->places->len;
  g_autofree int *kept = g_new (int, n);

  for (guint i = 0; i < n; i++)
    kept[i] = kymo_run_peek_location (run, kymo_convert_place (convert, i)->location)->id;
  g_key_file_set_integer (file, KYMO_REDUCED_GROUP, "version", KYMO_REDUCED_VERSION);
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "processors", run->n_locations_original);
  g_key_file_set_int64 (file, KYMO_REDUCED_GROUP, "pes", run->locations->len);
  g_key_file_set_integer_list (file, KYMO_REDUCED_GROUP, "kept", kept, n);
  if (is_whole (convert))
    g_key_file_set_boolean (file, KYMO_PART_RUN_GROUP, KYMO_PART_WHOLE, TRUE);
  if (run->profiles != NULL || kymo_span_length (span) == 0 || is_whole (convert))
    return;
  g_key_file_set_int64 (file, KYMO_SELECTION_GROUP, "begin_ns", span.begin_ns);
  g_key_file_set_int64 (file, KYMO_SELECTION_GROUP, "end_ns", span.end_ns);
}

static void
note_locations (GKeyFile          *file,
                const KymoConvert *convert)
{
  for (guint i = 0; i < convert->places->len; i++)
    {
      const KymoConvertPlace *place = kymo_convert_place (convert, i);
      const KymoLocation *location = kymo_run_peek_location (convert->run, place->location);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, location->id);
      g_autofree char *node = g_strdup_printf ("%" G_GINT64_FORMAT, place->node);
      g_autofree char *thread = g_strdup_printf ("%" G_GINT64_FORMAT, place->thread);
      g_autofree char *label = g_utf8_make_valid (location->label, -1);
      const char *const parts[] = { node, thread, label };

      g_key_file_set_string_list (file, KYMO_PART_GROUP, id, parts, G_N_ELEMENTS (parts));
    }
}

/**
 * kymo_convert_write_note:
 * @base: of the names of the files
 * @keys: (nullable) (array zero-terminated=1): what else is noted of the run
 */
gboolean
kymo_convert_write_note (KymoConvert        *convert,
                         KymoRunWriter      *writer,
                         const char         *base,
                         const KymoNoteKey  *keys,
                         GError            **error)
{
  static const char *const rows[] = { [KYMO_ROW_PE] = "pe", [KYMO_ROW_RANK] = "rank",
                                      [KYMO_ROW_THREAD] = "thread" };
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *name = g_strconcat (base, ".kymo", NULL), *text = NULL;
  const char *note = convert->wish->note;

  if (note == NULL)
    note_part (file, convert);
  else if (!g_key_file_load_from_data (file, note, strlen (note), G_KEY_FILE_NONE, error))
    return FALSE;
  for (; keys != NULL && keys->key != NULL; keys++)
    g_key_file_set_string (file, KYMO_PART_RUN_GROUP, keys->key, keys->value);
  g_key_file_set_string (file, KYMO_PART_RUN_GROUP, "row",
                         rows[convert->run->terms.row]);
  note_locations (file, convert);
  text = g_key_file_to_data (file, NULL, NULL);
  return kymo_run_writer_add (writer, name, text, error);
}
