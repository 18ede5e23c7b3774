/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OTF2 archive of a run, or of a part of it, through the library of that format, and a note
 * of what it is a part of. Times are nanoseconds, as in the run: nothing is rounded.
 *
 * The library writes into the folder of a KymoRunWriter; it holds one location's events in a
 * buffer of fixed size, which goes to the disk whenever it is full.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-convert-otf2.h"

#include <string.h>
#include <sys/statvfs.h>

#include "kymo-error.h"
#include "kymo-otf2-defs.h"
#include "kymo-otf2-note.h"

#define EVENT_CHUNK_BYTES (1 << 20)
/* The library gathers 4 MiB of a file before it writes them. */
#define LEAST_FREE_BYTES (8 << 20)
/* Buffers that every reader makes for each file: the least and the most that the library takes.
   A list of members is one record of up to 9 bytes each, a text one of up to 64 KiB. */
#define LEAST_CHUNK_BYTES (256 << 10)
#define MOST_CHUNK_BYTES (16 << 20)

/* -- the archive --------------------------------------------------------------- */

static OTF2_FlushType
before_flush (void             *data,
              OTF2_FileType     type,
              OTF2_LocationRef  location,
              void             *caller,
              bool              final)
{
  KymoOtf2Out *out = data;
  struct statvfs disk;

  /* The library crashes where the disk is full. */
  if (statvfs (out->folder, &disk) == 0
      && (guint64) disk.f_bavail * disk.f_frsize < LEAST_FREE_BYTES)
    kymo_otf2_out_note (out, OTF2_ERROR_ENOSPC);
  return out->code == OTF2_SUCCESS ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

/* Without the second function no records of flushing are written. */
static const OTF2_FlushCallbacks flush = { before_flush, NULL };

/* Names of properties are capitals, digits and underscores. */
static void
set_property (KymoOtf2Out *out,
              const char  *group,
              const char  *key,
              const char  *value)
{
  g_autofree char *upper = g_ascii_strup (key, -1);
  g_autofree char *name = NULL, *text = g_utf8_make_valid (value, -1);

  g_strcanon (upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  g_strdelimit (text, "\r\n", ' ');
  name = g_strconcat ("KYMO::", group, "::", upper, NULL);
  if (*text != '\0')
    OTF2_Archive_SetProperty (out->archive, name, text, true);
}

/* Writes where the archive comes from, and the facts of the run that an archive has no field
   for. */
static void
write_provenance (KymoOtf2Out *out)
{
  const KymoRun *run = out->convert->run;
  g_autofree char *from = g_strdup_printf ("%" G_GINT64_FORMAT, out->convert->wish->span.begin_ns);
  g_autofree char *to = g_strdup_printf ("%" G_GINT64_FORMAT, out->convert->wish->span.end_ns);

  OTF2_Archive_SetCreator (out->archive, "Kymo " KYMO_VERSION);
  set_property (out, "SOURCE", "title", run->title);
  set_property (out, "SOURCE", "format", run->format);
  set_property (out, "SOURCE", "begin_ns", from);
  set_property (out, "SOURCE", "end_ns", to);
  for (guint i = 0; i < run->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (run->facts, KymoFact, i);

      if (g_str_equal (fact->key, "machine"))
        OTF2_Archive_SetMachineName (out->archive, fact->value);
      else if (g_str_equal (fact->key, "description"))
        OTF2_Archive_SetDescription (out->archive, fact->value);
      else if (!g_str_equal (fact->key, "creator"))
        set_property (out, "FACT", fact->key, fact->value);
      else if (!kymo_run_has_fact (run, "recorded_by"))
        set_property (out, "FACT", "recorded_by", fact->value);
    }
}

static guint64
definition_chunk (const KymoOtf2Out *out)
{
  const KymoDefinitions *definitions = out->convert->run->definitions;
  guint64 most = MAX (out->n_ranks, out->convert->run->locations->len);
  guint64 bytes = LEAST_CHUNK_BYTES;

  for (guint i = 0; definitions != NULL && i < definitions->groups->len; i++)
    most = MAX (most, g_array_index (definitions->groups, KymoGroup, i).n_members);
  most = MAX (most, out->convert->run->activities->len);
  while (bytes < 10 * most && bytes < MOST_CHUNK_BYTES)
    bytes *= 2;
  return bytes;
}

static gboolean
open_archive (KymoOtf2Out *out,
              const char  *folder)
{
  out->folder = folder;
  kymo_otf2_quiet_library ();
  out->archive = OTF2_Archive_Open (folder, KYMO_OTF2_BASE, OTF2_FILEMODE_WRITE,
                                    EVENT_CHUNK_BYTES, definition_chunk (out),
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (out->archive == NULL)
    return FALSE;
  if (kymo_otf2_out_note (out, OTF2_Archive_SetFlushCallbacks (out->archive, &flush, out))
      && kymo_otf2_out_note (out, OTF2_Archive_SetSerialCollectiveCallbacks (out->archive)))
    out->defs = OTF2_Archive_GetGlobalDefWriter (out->archive);
  return out->defs != NULL;
}

static gboolean
close_archive (KymoOtf2Out *out)
{
  /* After a failure the library crashes where it is asked to close files: they are abandoned. */
  if (out->archive == NULL || out->code != OTF2_SUCCESS)
    return FALSE;
  if (out->defs != NULL)
    kymo_otf2_out_note (out, OTF2_Archive_CloseGlobalDefWriter (out->archive, out->defs));
  if (out->code != OTF2_SUCCESS)
    return FALSE;
  kymo_otf2_out_note (out, OTF2_Archive_Close (out->archive));
  out->archive = NULL;
  return out->code == OTF2_SUCCESS;
}

/* -- all of it ------------------------------------------------------------------ */

static gboolean
write_events (KymoOtf2Out  *out,
              GError      **error)
{
  kymo_otf2_out_note (out, OTF2_Archive_OpenEvtFiles (out->archive));
  for (guint i = 0; i < out->places->len; i++)
    {
      if (!kymo_otf2_out_write_stream (out, i, error))
        return FALSE;
      if (!kymo_otf2_out_place (out, i)->is_empty)
        kymo_job_advance (out->convert->job, 1);
    }
  return kymo_otf2_out_note (out, OTF2_Archive_CloseEvtFiles (out->archive));
}

/* Definitions of single locations, which have none: programs look for their files. */
static gboolean
write_local_definitions (KymoOtf2Out *out)
{
  kymo_otf2_out_note (out, OTF2_Archive_OpenDefFiles (out->archive));
  for (guint i = 0; i < out->places->len && out->code == OTF2_SUCCESS; i++)
    {
      OTF2_DefWriter *local = OTF2_Archive_GetDefWriter (out->archive, i);

      if (local == NULL)
        return FALSE;
      kymo_otf2_out_note (out, OTF2_Archive_CloseDefWriter (out->archive, local));
    }
  return kymo_otf2_out_note (out, OTF2_Archive_CloseDefFiles (out->archive));
}

/* How the run's locations lie in its tree of places. An archive always has a tree, so the reader
   must be told what the run had. */
static const char *
tree_of (const KymoRun *run)
{
  gboolean any = FALSE, direct = FALSE;

  for (guint i = 0; i < run->locations->len; i++)
    {
      gint64 place = kymo_run_peek_location (run, i)->place;
      const char *kind = place >= 0 && place < run->places->len
        ? g_array_index (run->places, KymoPlace, place).kind : NULL;

      any |= kind != NULL;
      direct |= kind != NULL && !g_str_equal (kind, "process")
        && !g_str_equal (kind, "accelerator");
    }
  return !any ? "none" : direct ? "nodes" : "processes";
}

static gboolean
has_processes (const KymoRun *run)
{
  for (guint i = 0; i < run->locations->len; i++)
    if (kymo_run_peek_location (run, i)->process >= 0)
      return TRUE;
  return FALSE;
}

/* Locations are noted by their numbers in the archive. */
static gboolean
write_note (KymoOtf2Out    *out,
            KymoRunWriter  *writer,
            GError        **error)
{
  KymoConvert noted = *out->convert;
  g_autoptr (GArray) places = g_array_copy (noted.places);
  const KymoRun *run = noted.run;
  g_autofree char *zero = g_strdup_printf ("%" G_GUINT64_FORMAT, out->offset_ticks);
  const KymoNoteKey keys[] = {
    { KYMO_OTF2_NOTE_ZERO, zero },
    { KYMO_OTF2_NOTE_CODE, run->terms.code == KYMO_CODE_ENTRY_METHOD ? "entry" : "function" },
    { KYMO_OTF2_NOTE_TREE, tree_of (run) },
    { KYMO_OTF2_NOTE_PROCESSES, has_processes (run) ? "true" : "false" },
    { NULL, NULL },
  };

  noted.places = places;
  for (guint i = 0; i < places->len; i++)
    {
      KymoConvertPlace *place = &g_array_index (places, KymoConvertPlace, i);

      place->node = out->place_of[place->location];
      place->thread = 0;
    }
  return kymo_convert_write_note (&noted, writer, KYMO_OTF2_BASE, keys, error);
}

static gboolean
write_all (KymoOtf2Out    *out,
           KymoRunWriter  *writer,
           GError        **error)
{
  gboolean good = open_archive (out, kymo_run_writer_peek_folder (writer));

  if (good)
    {
      kymo_otf2_out_string (out, "");
      write_provenance (out);
      good = write_events (out, error) && write_local_definitions (out);
    }
  if (good)
    {
      kymo_otf2_out_write_defs (out);
      kymo_otf2_out_write_markers (out);
    }
  /* Of a file that could not be closed nothing is left either. */
  good = close_archive (out) && good;
  kymo_run_writer_adopt (writer);
  if (!good && error != NULL && *error == NULL)
    g_set_error (error, KYMO_ERROR, KYMO_ERROR_WRITE, _("Cannot write “%s”: %s"),
                 out->convert->wish->out, OTF2_Error_GetDescription (out->code));
  return good && write_note (out, writer, error);
}

/* -- what is left out ------------------------------------------------------------ */

static void
tell_count (KymoConvert *convert,
            gint64       n,
            const char  *what)
{
  if (n > 0)
    kymo_convert_leave_out (convert, "%s: %" G_GINT64_FORMAT, what, n);
}

/* Sentences of the load report about records that the reader did not keep, and what the list of
   things left out calls them. */
static const char *const not_kept[][2] = {
  { "Records of locks and tasks of threads are not shown",
    N_("Records of locks and tasks of threads") },
  { "Records of windows and locks of one-sided communication are not shown",
    N_("Records of windows and locks of one-sided communication") },
  { "Records of communicators that are made or freed are not shown",
    N_("Records of communicators that are made or freed") },
  { "Samples of the call stack are not shown", N_("Samples of the call stack") },
  { "Definitions of topologies and properties are not shown",
    N_("Definitions of topologies and properties") },
};

/* Of the whole run: which locations and times these are of, is not known. */
static void
tell_not_kept (KymoConvert *convert)
{
  KymoReport *report = convert->run->report;

  for (guint i = 0; i < G_N_ELEMENTS (not_kept); i++)
    {
      gint64 n = 0;

      for (guint k = 0; k < kymo_report_get_n_issues (report); k++)
        {
          const KymoIssue *issue = kymo_report_peek_issue (report, k);

          n += g_str_equal (issue->what, not_kept[i][0]) ? issue->count : 0;
        }
      tell_count (convert, n, not_kept[i][1]);
    }
}

static void
tell_otf2 (KymoOtf2Out *out)
{
  KymoConvert *convert = out->convert;

  tell_count (convert, out->n_calls, N_("Messages whose receipt is not recorded"));
  tell_count (convert, out->n_pieces, N_("Calls of entry methods that go on after an interruption, "
                                         "which count as more calls"));
  tell_count (convert, out->choice.n_torn, N_("Ends of messages whose other end is on a thread "
                                              "that "
              "was not chosen, of a rank that was"));
  tell_count (convert, out->n_partners, N_("Messages with ranks that the run does not have"));
  tell_count (convert, out->n_points, N_("User events without a value, notes and phases"));
  tell_count (convert, out->n_links, N_("Threads that another one began or let go on which was "
                                        "not chosen"));
  tell_count (convert, out->n_collectives, N_("Collective operations of a location at the same "
                                              "time"));
  tell_count (convert, out->n_moved, N_("Times that go back, so that records are moved to the "
                                        "time before them"));
  tell_count (convert, out->n_names, N_("Ends of names beyond 64 KiB"));
  if (out->objects)
    kymo_convert_leave_out (convert, N_("Array elements that entry methods belong to"));
  if (out->packs)
    kymo_convert_leave_out (convert, N_("Times of packing"));
  tell_not_kept (convert);
}

static gboolean
use_all (KymoConvert  *convert,
         GError      **error)
{
  for (guint i = 0; i < convert->places->len; i++)
    if (!kymo_convert_use (convert, kymo_convert_place (convert, i)->location, error))
      return FALSE;
  return TRUE;
}

/* By location of the run. */
static void
clear_lists (KymoOtf2Out *out,
             GArray     **lists)
{
  for (guint i = 0; lists != NULL && i < out->convert->run->locations->len; i++)
    if (lists[i] != NULL)
      g_array_unref (lists[i]);
  g_free (lists);
}

/* Times of an archive are not below zero. */
static guint64
find_offset (const KymoOtf2Out *out)
{
  gint64 first = kymo_run_get_records_span (out->convert->run).begin_ns;

  return -MIN (MIN (first, kymo_otf2_out_first_marker (out)), 0);
}

static void
out_clear (KymoOtf2Out *out)
{
  clear_lists (out, out->parts);
  g_clear_pointer (&out->lives, g_hash_table_unref);
  clear_lists (out, out->sends);
  clear_lists (out, out->receives);
  kymo_otf2_out_clear_comms (out);
  kymo_trace_choice_clear (&out->choice);
  g_clear_pointer (&out->places, g_array_unref);
  g_clear_pointer (&out->groups, g_array_unref);
  g_free (out->main_place);
  g_free (out->place_of);
  g_free (out->region_of);
  g_free (out->member_of);
  g_free (out->counter_of);
  g_free (out->parameter_of);
  g_free (out->nodes);
  g_clear_pointer (&out->parameter_types, g_array_unref);
  g_clear_pointer (&out->paradigms, g_ptr_array_unref);
  g_clear_pointer (&out->paradigm_of, g_hash_table_unref);
  g_hash_table_unref (out->strings);
}

/**
 * kymo_convert_otf2:
 *
 * Writes a folder with an OTF2 archive, and a note of what it is a part of.
 */
gboolean
kymo_convert_otf2 (KymoConvert  *convert,
                   GError      **error)
{
  g_autoptr (KymoRunWriter) writer = NULL;
  KymoOtf2Out out = { .convert = convert };
  gboolean good;

  if (!use_all (convert, error))
    return FALSE;
  writer = kymo_run_writer_new (convert->wish->out, convert->job, error);
  if (writer == NULL)
    return FALSE;
  out.strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  kymo_trace_choice_init (&out.choice, convert);
  out.offset_ticks = find_offset (&out);
  out.choice.has_one_sided = TRUE;
  good = kymo_otf2_out_number (&out, error);
  if (good)
    {
      kymo_otf2_out_find_comms (&out);
      kymo_otf2_out_find_collectives (&out);
      kymo_otf2_out_find_messages (&out);
      kymo_otf2_out_find_threads (&out);
      kymo_otf2_out_find_paradigms (&out);
      good = write_all (&out, writer, error) && kymo_convert_is_sound (convert, error)
        && kymo_run_writer_finish (writer, error);
    }
  convert->result->n_bytes = kymo_run_writer_get_bytes (writer);
  if (good)
    tell_otf2 (&out);
  out_clear (&out);
  return good;
}
