/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load report of a raw folder, and the markers of the run.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#include "kymo-record-private.h"

/**
 * kymo_record_settle_markers:
 * @reading: whose events are read
 *
 * Adds the markers of all files to the definitions, with a kind of their own.
 */
void
kymo_record_settle_markers (KymoOtf2Reading *reading)
{
  const KymoRecord *record = reading->supply->data;
  KymoOtf2Defs *defs = reading->defs;

  for (guint i = 0; i < record->files->len; i++)
    {
      const KymoRecordFile *file = record->files->pdata[i];

      for (guint k = 0; k < file->markers->len; k++)
        {
          KymoOtf2Marker marker = g_array_index (file->markers, KymoOtf2Marker, k);
          KymoOtf2MarkerKind kind = { 0, g_strdup ("kymo-record"), g_strdup ("marker"),
                                      OTF2_SEVERITY_NONE };

          if (defs->marker_kinds->len == 0)
            kymo_otf2_defs_add (defs, &defs->marker_kind_ids, defs->marker_kinds, &kind, 0);
          else
            {
              g_free (kind.group);
              g_free (kind.category);
            }
          marker.text = g_strdup (marker.text);
          g_array_append_val (defs->markers, marker);
          if (kymo_otf2_defs_charge (defs, sizeof marker + sizeof (KymoMarker)
                                     + 2 * strlen (marker.text)) != OTF2_CALLBACK_SUCCESS)
            return;
        }
    }
}

static void
tell_file (KymoReport           *report,
           const KymoRecordFile *file,
           const char           *name)
{
#define TELL(number, severity, words)                                       \
  if ((number) > 0)                                                         \
    kymo_report_add (report, name, severity, (gint64) (number), -1, words)
  TELL (file->n_damaged, KYMO_SEVERITY_LOST,
        N_("Records that cannot be right were left out, with what follows in their chunk"));
  TELL (file->n_missing, KYMO_SEVERITY_LOST, N_("Chunks are missing between others"));
  TELL (file->n_torn, KYMO_SEVERITY_LOST,
        N_("Chunks end early although others follow: their last records are missing"));
  TELL (file->n_dropped, KYMO_SEVERITY_LOST, N_("Records that the program had no room for"));
  TELL (file->n_far, KYMO_SEVERITY_LOST, N_("Records with a time that cannot be right"));
  TELL (file->n_unknown, KYMO_SEVERITY_LOST, N_("Records of a kind that is not known"));
  TELL (file->n_lost, KYMO_SEVERITY_NOTE,
        N_("Older chunks were used again, as only the last part of the run was to be kept"));
  TELL (file->n_early, KYMO_SEVERITY_NOTE,
        N_("Calls began before the part of the run that is left"));
  TELL (file->n_open, KYMO_SEVERITY_NOTE, N_("Calls had not ended when the recording ends"));
#undef TELL
}

static void
tell_process (KymoReport              *report,
              const KymoRecordProcess *process)
{
  g_autofree char *name = g_build_filename (KYMO_RECORD_RAW, process->name,
                                            KYMO_RECORD_DEFINITIONS, NULL);

  if (process->n_odd_lines > 0)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST, (gint64) process->n_odd_lines, -1,
                     N_("Definitions that cannot be right were left out"));
  for (guint i = 0; i < process->losses->len; i++)
    {
      const KymoRecordLoss *loss = &g_array_index (process->losses, KymoRecordLoss, i);

      /* Sources of samples that a machine does not have are no loss. */
      kymo_report_add (report, name, g_str_has_prefix (loss->kind, "system-")
                       ? KYMO_SEVERITY_NOTE : KYMO_SEVERITY_LOST, (gint64) loss->n, -1,
                       N_("The recorder left out: %s, %s"), loss->kind, loss->why);
    }
}

/**
 * kymo_record_report:
 * @reading: whose run is assembled
 *
 * Adds to the report of the run what its raw folder lacks.
 */
void
kymo_record_report (KymoOtf2Reading *reading)
{
  const KymoRecord *record = reading->supply->data;
  KymoReport *report = reading->run->report;
  guint64 n_halves = kymo_run_count_halves (reading->run);

  for (guint i = 0; i < record->processes->len; i++)
    tell_process (report, record->processes->pdata[i]);
  for (guint i = 0; i < record->files->len; i++)
    {
      const KymoRecordFile *file = record->files->pdata[i];
      g_autofree char *name = kymo_otf2_dup_events_name (reading, i);

      if (file->why != NULL)
        kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1, "%s", file->why);
      else
        tell_file (report, file, name);
    }
  /* A message is on its way at most moments of a run. */
  if (n_halves > 0)
    kymo_report_add (report, KYMO_RECORD_RAW, reading->run->growing ? KYMO_SEVERITY_NOTE
                     : KYMO_SEVERITY_LOST, (gint64) n_halves, -1,
                     N_("Messages of which only one half is recorded"));
}
