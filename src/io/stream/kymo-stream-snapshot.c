/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of what a store holds. Bins are shared, and names while no entry
 * method is new; what is copied is bounded.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-check-run.h"
#include "kymo-stream-store-private.h"

/* Name in the load report, in place of a file. */
#define SUBJECT "stream"

static const char *
find_fact (const KymoRun *run,
           const char    *key)
{
  for (guint i = 0; run != NULL && i < run->facts->len; i++)
    if (strcmp (g_array_index (run->facts, KymoFact, i).key, key) == 0)
      return g_array_index (run->facts, KymoFact, i).value;
  return NULL;
}

/* Adds facts about the program, by its .sts and the form of the stream. */
static void
add_facts (KymoStreamStore *self,
           KymoRun         *tables)
{
  const KymoRun *told = kymo_stream_names_peek_run (self->names);
  const char *command = find_fact (told, "command_line");

  if (command != NULL && *command != '\0' && *command != ' ')
    {
      g_autofree char *word = g_strndup (command, strcspn (command, " \t"));
      g_autofree char *program = g_path_get_basename (word);

      kymo_run_add_fact (tables, "program", program);
    }
  for (guint i = 0; told != NULL && i < told->facts->len; i++)
    {
      const KymoFact *fact = &g_array_index (told->facts, KymoFact, i);

      /* The time in an .sts is the end of its run; the time of a stream is its begin. */
      kymo_run_add_fact (tables, strcmp (fact->key, "timestamp") == 0 ? "names_written"
                         : fact->key, fact->value);
    }
  for (guint i = 0; i < self->facts->len; i += 2)
    kymo_run_add_fact (tables, g_ptr_array_index (self->facts, i),
                       g_ptr_array_index (self->facts, i + 1));
}

static void
add_activity (KymoStreamStore *self,
              KymoRun         *tables,
              gint32           id)
{
  const KymoActivity *activity = kymo_stream_names_peek (self->names, id);
  g_autofree char *name = kymo_stream_names_dup (self->names, id);
  gboolean named = activity != NULL && id != KYMO_STREAM_OTHER_ID;
  gboolean has_role = named && activity->told_role >= 0;
  guint index = kymo_run_add_activity (tables,
                                       has_role ? KYMO_ACTIVITY_FUNCTION : KYMO_ACTIVITY_ENTRY, id,
                                       name, id == KYMO_STREAM_OTHER_ID ? "other entry methods"
                                       : named ? activity->signature : NULL,
                                       named ? activity->group : NULL);

  if (!has_role)
    return;
  /* Only a recorder of processes tells roles. */
  tables->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  g_array_index (tables->activities, KymoActivity, index).role = activity->role;
  g_array_index (tables->activities, KymoActivity, index).told_role = activity->told_role;
}

static void
add_notes (KymoStreamStore *self,
           KymoRun         *run)
{
  gint64 fine_ns = kymo_stream_levels_get_fine_ns (self->levels);
  KymoStreamForm form;

  kymo_run_add_note (run, N_("A stream does not tell idle time from overhead: "
                              "time that is not busy may be either"));
  if (self->journal.log.n_pes > 1)
    kymo_run_add_note (run, N_("All figures are means of all PEs; single PEs are not known"));
  if (kymo_stream_decoder_get_form (self->decoder, &form) && form.kind != KYMO_STREAM_DETAIL)
    kymo_run_add_note (run, N_("The stream tells busy time, and not of which entry methods it is"));
  else if (self->journal.log.n_pes > 1)
    kymo_run_add_note (run, N_("Entry methods below a tenth of all PEs in a bin are together in "
                       "“other”"));
  if (fine_ns > run->span.begin_ns)
    {
      g_autofree char *words = g_strdup_printf (
        _("Before %.0f s bins are longer than 1 ms; sums are exact"), fine_ns / 1e9);

      kymo_run_add_note (run, words);
    }
}

static void
add_issues (KymoStreamStore *self,
            KymoReport      *report)
{
  const KymoRun *told = kymo_stream_names_peek_run (self->names);

  for (guint i = 0; i < self->reasons->len; i++)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_LOST,
                     g_array_index (self->reasons, KymoStreamReason, i).n, -1, "%s",
                     g_array_index (self->reasons, KymoStreamReason, i).sentence);
  if (self->n_other_reasons > 0)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_LOST, self->n_other_reasons, -1,
                     N_("Blocks were lost for still other reasons"));
  if (self->journal.log.n_lost > 0)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_LOST, self->journal.log.n_lost, -1,
                     N_("Seconds are missing; they are shown as not traced"));
  if (self->n_cut_bins > 0)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_REPAIRED, self->n_cut_bins, -1,
                     N_("The entry methods of a bin have more than all of it; they were cut in "
                        "proportion"));
  if (self->n_folded > 0)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_REPAIRED, self->n_folded, -1,
                     N_("Entry methods beyond the first 4,096 count as “other”"));
  if (self->journal.n_marks_gone > 0)
    kymo_report_add (report, SUBJECT, KYMO_SEVERITY_NOTE, self->journal.n_marks_gone, -1,
                     N_("Of more than 10,000 marks the oldest are not kept"));
  for (guint i = 0; told != NULL && i < kymo_report_get_n_issues (told->report); i++)
    {
      const KymoIssue *issue = kymo_report_peek_issue (told->report, i);

      /* A .util.sts never tells its version; the names are the same. */
      if (issue->severity > KYMO_SEVERITY_NOTE)
        kymo_report_add (report, issue->file, issue->severity, issue->count, issue->offset,
                         "%s", issue->what);
    }
}

/* Tables that snapshots share while nothing in them changes. Entry methods are compute, and
   functions of a recorded program have the role that their names tell. */
static const KymoRun *
peek_tables (KymoStreamStore *self)
{
  if (self->tables != NULL)
    return self->tables;
  self->tables = kymo_run_new ();
  for (guint i = 0; i < self->ids->len; i++)
    add_activity (self, self->tables, g_array_index (self->ids, gint32, i));
  add_facts (self, self->tables);
  return self->tables;
}

static void
set_tables (KymoStreamStore *self,
            KymoRun         *run)
{
  const KymoRun *tables = peek_tables (self);

  run->terms = tables->terms;
  g_array_unref (run->activities);
  run->activities = g_array_ref (tables->activities);
  /* A caller that opens a recording adds more facts. */
  for (guint i = 0; i < tables->facts->len; i++)
    kymo_run_add_fact (run, g_array_index (tables->facts, KymoFact, i).key,
                       g_array_index (tables->facts, KymoFact, i).value);
}

static void
add_location (KymoStreamStore *self,
              KymoRun         *run)
{
  gint64 n_pes = self->journal.log.n_pes;
  KymoLocation location = { .kind = KYMO_LOCATION_WORKER, .process = -1, .kept = TRUE };
  KymoBins *bins = kymo_bins_new_of_chunks (kymo_stream_levels_dup_chunks (self->levels));
  KymoSegment *segment = kymo_segment_new_of_bins (bins);

  location.label = run->terms.row == KYMO_ROW_RANK
    ? n_pes > 1 ? g_strdup_printf ("mean of %" G_GINT64_FORMAT " ranks", n_pes)
                : g_strdup ("rank 0")
    : n_pes > 1 ? g_strdup_printf ("mean of %" G_GINT64_FORMAT " PEs", n_pes)
                : g_strdup ("PE 0");
  segment->n_records = self->n_records;
  kymo_run_add_location (run, &location, segment);
}

/**
 * kymo_stream_store_snapshot:
 * @growing: whether more may come
 *
 * Returns: (transfer full) (nullable): a sealed run of kind %KYMO_RUN_STREAM of all that
 *   came; %NULL before the first block
 */
KymoRun *
kymo_stream_store_snapshot (KymoStreamStore *self,
                            gboolean         growing)
{
  KymoRun *run;

  if (self->journal.log.n_blocks == 0)
    return NULL;
  run = kymo_run_new ();
  run->kind = KYMO_RUN_STREAM;
  run->title = g_strdup (self->title);
  run->format = g_strdup ("ccs");
  run->format_version = g_strdup ("");
  run->n_locations_original = MAX (self->journal.log.n_pes, 1);
  set_tables (self, run);
  self->journal.log.thinned_before_ns = kymo_stream_levels_get_fine_ns (self->levels);
  run->stream = kymo_stream_journal_make_log (&self->journal, self->ids->len, growing);
  add_location (self, run);
  add_issues (self, run->report);
  kymo_check_names (run, self->title);
  kymo_run_seal (run);
  add_notes (self, run);
  return run;
}
