/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "kymo-convert-private.h"
#include "kymo-convert-trace-private.h"

#include "kymo-error.h"
#include "kymo-extract.h"
#include "kymo-part-note.h"
#include "kymo-trace-profile.h"

static const struct
{
  const char *word;
  gboolean  (*write) (KymoConvert *convert, GError **error);
} formats[] = {
  [KYMO_CONVERT_TAU_PROFILE] = { "tau-profile", kymo_convert_tau },
  [KYMO_CONVERT_TAU_TRACE] = { "tau-trace", kymo_convert_trace },
  [KYMO_CONVERT_OTF2] = { "otf2", kymo_convert_otf2 },
  [KYMO_CONVERT_CHROME_JSON] = { "chrome-json", kymo_convert_chrome },
  [KYMO_CONVERT_CSV] = { "csv", kymo_convert_csv },
};

gboolean
kymo_convert_format_from_string (const char        *word,
                                 KymoConvertFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].word, word))
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

void
kymo_convert_result_clear (KymoConvertResult *result)
{
  g_clear_pointer (&result->left_out, g_ptr_array_unref);
}

void
kymo_convert_leave_out (KymoConvert *convert,
                        const char  *format,
                        ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (convert->result->left_out, g_strdup_vprintf (format, args));
  va_end (args);
}

static gboolean
fail_of_damage (KymoConvert  *convert,
                GError      **error)
{
  g_set_error (error, KYMO_ERROR, KYMO_ERROR_STALE,
               _("What was kept of “%s” is damaged; try again with --no-cache"),
               convert->run->title);
  return FALSE;
}

/**
 * kymo_convert_is_sound:
 *
 * To be asked before what was written takes its place.
 *
 * Returns: whether what was read of the run so far was still there
 */
gboolean
kymo_convert_is_sound (KymoConvert  *convert,
                       GError      **error)
{
  return kymo_run_is_damaged (convert->run) ? fail_of_damage (convert, error) : TRUE;
}

/**
 * kymo_convert_use:
 *
 * Returns: whether the columns of a location may be read
 */
gboolean
kymo_convert_use (KymoConvert  *convert,
                  guint         location,
                  GError      **error)
{
  if (kymo_segment_use (g_ptr_array_index (convert->run->segments, location), KYMO_PARTS_ALL))
    return kymo_convert_is_sound (convert, error);
  return fail_of_damage (convert, error);
}

gboolean
kymo_convert_is_stopped (KymoConvert  *convert,
                         GError      **error)
{
  if (!kymo_job_is_cancelled (convert->job))
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Writing “%s” was stopped"),
               convert->wish->out);
  return TRUE;
}

/**
 * kymo_convert_counted:
 *
 * Returns: begins in it belong to the asked range, as in questions
 * (kymo_ask_count_end()): the end of the run belongs to it unless its records go on
 */
KymoSpan
kymo_convert_counted (const KymoConvert *convert)
{
  const KymoRun *run = convert->run;
  KymoSpan span = convert->wish->span;

  if (span.end_ns >= run->span.end_ns && !run->ends_early)
    span.end_ns = G_MAXINT64;
  return span;
}

KymoProfileData *
kymo_convert_get_profile (KymoConvert  *convert,
                          GError      **error)
{
  const KymoConvertWish *wish = convert->wish;
  KymoTraceProfileOptions options = {
    .span = wish->span,
    .count_end_ns = kymo_convert_counted (convert).end_ns,
    .last = wish->last, .depth = wish->depth, .by_phase = wish->by_phase,
  };
  GPtrArray *profiles = convert->run->profiles;

  if (profiles != NULL)
    return kymo_profile_data_ref (g_ptr_array_index (profiles, profiles->len - 1));
  return kymo_trace_profile_new (convert->run, &options, wish->n_threads,
                                 convert->job != NULL
                                 ? kymo_job_peek_cancellable (convert->job) : NULL, error);
}

/* The number of a process that is none of the run's. */
static gint64
find_free_node (const GArray *locations)
{
  gint64 most = -1;

  for (guint i = 0; i < locations->len; i++)
    most = MAX (most, g_array_index (locations, KymoLocation, i).process);
  return most + 1;
}

/* Threads of a process are numbered in it; a location of no known process is one: of
   its own number where no location has a process, else of a number behind all of them. */
static void
list_places (KymoConvert *convert)
{
  g_autoptr (GHashTable) threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                          NULL);
  const GArray *locations = convert->run->locations;
  gint64 free_node = find_free_node (locations);
  gboolean has_processes = free_node > 0;

  for (guint i = 0; i < locations->len; i++)
    {
      const KymoLocation *location = kymo_run_peek_location (convert->run, i);
      gint64 node = location->process >= 0 ? location->process
        : has_processes ? free_node++ : location->id;
      guint thread = GPOINTER_TO_UINT (g_hash_table_lookup (threads, &node));
      KymoConvertPlace place = { i, node, thread };
      gint at = -1;

      g_hash_table_insert (threads, g_memdup2 (&node, sizeof node),
                           GUINT_TO_POINTER (thread + 1));
      if (convert->wish->locations == NULL
          || kymo_id_set_contains (convert->wish->locations, location->id))
        {
          at = convert->places->len;
          g_array_append_val (convert->places, place);
        }
      g_array_append_val (convert->place_of, at);
      g_array_append_val (convert->node_of, node);
    }
}

/* Refuses conversions that this kind of run does not allow. */
static gboolean
check_convert (KymoConvert  *convert,
               GError      **error)
{
  const KymoRun *run = convert->run;
  gboolean is_profile = run->profiles != NULL;

  if (convert->places->len == 0)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("None of the locations that were asked for is in the run"));
  else if (is_profile && (convert->wish->format == KYMO_CONVERT_CHROME_JSON
                          || convert->wish->format == KYMO_CONVERT_TAU_TRACE
                          || convert->wish->format == KYMO_CONVERT_OTF2))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("“%s” is a profile: it tells no times that a trace could have"), run->title);
  else if (!is_profile && kymo_run_is_binned (run))
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_UNANSWERABLE,
                 _("“%s” holds sums by bins of time, no single records; it cannot be converted"),
                 run->title);
  else
    return TRUE;
  return FALSE;
}

/**
 * kymo_convert_write:
 * @run: sealed, complete
 * @result: (out): to be cleared, also where it failed
 * @error: %KYMO_ERROR_WRITE, or %KYMO_ERROR_UNANSWERABLE where the run holds nothing
 *   that such a file could
 *
 * Writes a run in another format. Blocks.
 */
gboolean
kymo_convert_write (KymoRun                *run,
                    const KymoConvertWish  *wish,
                    KymoConvertResult      *result,
                    KymoJob                *job,
                    GError                **error)
{
  KymoConvert convert = { .run = run, .wish = wish, .result = result, .job = job };
  gboolean done;

  *result = (KymoConvertResult) { .left_out = g_ptr_array_new_with_free_func (g_free) };
  convert.places = g_array_new (FALSE, FALSE, sizeof (KymoConvertPlace));
  convert.place_of = g_array_new (FALSE, FALSE, sizeof (gint));
  convert.node_of = g_array_new (FALSE, FALSE, sizeof (gint64));
  list_places (&convert);
  result->n_locations = convert.places->len;
  kymo_job_begin (job, _("Writing"), convert.places->len);
  done = check_convert (&convert, error) && formats[wish->format].write (&convert, error);
  g_array_unref (convert.places);
  g_array_unref (convert.place_of);
  g_array_unref (convert.node_of);
  return done;
}

/* The note beside files of TAU, or an archive, that are a part of a run (docs/formats/kymo.md):
   programs that do not know it lose nothing but the names of the whole. */

/* TRUE if nothing is left out: all locations, all of the time, of a run that is no part of
   another. */
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

/* Notes which part of a run is written; a reduction writes its own note. */
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
