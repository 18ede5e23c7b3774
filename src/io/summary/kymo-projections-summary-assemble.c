/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the summaries of all PEs to a run: entry methods that no .sts names get
 * a name of their own ("entry 57"), and all states their final numbers.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-projections-summary-private.h"

#include <string.h>

#include "kymo-id-set.h"

/* Most missing PEs whose numbers are told. */
#define MAX_LISTED 4096

typedef KymoSummaryPart Part;
typedef KymoSummaryReading Reading;

/* The number of PEs: of the .sts, or what most files tell. */
static gint64
count_pes (Reading *reading)
{
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 highest = -1;

  if (reading->sts != NULL && reading->sts->n_pes > 0)
    return reading->sts->n_pes;
  for (guint i = 0; i < reading->parts->len; i++)
    {
      if (kymo_summary_peek_part (reading, i)->n_pes > 0)
        g_array_append_val (told, kymo_summary_peek_part (reading, i)->n_pes);
      highest = MAX (highest, kymo_summary_peek_part (reading, i)->pe);
    }
  return MAX (kymo_summary_find_usual (told, 0), highest + 1);
}

static gboolean
lacks_all (const Part *part)
{
  return part->bins == NULL;
}

static gboolean
lacks_sum (const Part *part)
{
  return part->bins != NULL && !part->has_sum;
}

static gboolean
lacks_sumd (const Part *part)
{
  return part->bins != NULL && !part->has_sumd;
}

/* Says which PEs lack something. With `absent` those without any file are
   meant too. A header may tell any number of PEs: not all are listed. */
static void
report_lacking (Reading    *reading,
                gboolean  (*lacks) (const Part *part),
                gboolean    absent,
                gint64      n_pes,
                const char *what)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *text = NULL;
  gint64 expected = 0, n_lacking = 0;

  for (guint i = 0; i <= reading->parts->len; i++)
    {
      const Part *part = i < reading->parts->len ? kymo_summary_peek_part (reading, i) : NULL;
      gint64 pe = part != NULL ? part->pe : MAX (n_pes, expected);

      for (gint64 id = expected; absent && id < pe && ids->len < MAX_LISTED; id++)
        g_array_append_val (ids, id);
      n_lacking += absent ? pe - expected : 0;
      expected = pe + 1;
      if (part == NULL || !lacks (part))
        continue;
      n_lacking++;
      if (ids->len < MAX_LISTED)
        g_array_append_val (ids, pe);
    }
  if (n_lacking == 0)
    return;
  text = kymo_ids_to_text ((const gint64 *) (void *) ids->data, ids->len);
  kymo_report_add (reading->run->report, reading->files->base, KYMO_SEVERITY_LOST, n_lacking, -1,
                   "%s: %s%s", what, text, n_lacking > ids->len ? ",…" : "");
}

/* -- names ----------------------------------------------------------------- */

static guint32
activity_of_entry (Reading *reading,
                   guint32  id)
{
  const KymoSts *sts = reading->sts;
  g_autofree char *name = NULL;

  if (sts != NULL && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32)
    return sts->entries[id].activity;
  name = g_strdup_printf ("entry %u", id);
  return kymo_run_add_activity (reading->run, KYMO_ACTIVITY_ENTRY, id, name, NULL, NULL);
}

static void
use_states (const KymoBins *bins,
            KymoSums       *sums)
{
  kymo_pyramid_sum_nodes (bins->times, 0, bins->n_bins, sums);
  if (bins->calls != NULL)
    kymo_pyramid_sum_nodes (bins->calls, 0, bins->n_bins, sums);
  for (guint i = 0; i < bins->totals->len; i++)
    kymo_sums_add (sums, g_array_index (bins->totals, KymoBinsTotal, i).state, 1);
}

/* Entry methods that occur get their activity, and the bins its number. */
static void
number_states (Reading *reading)
{
  guint n_states = KYMO_SUMMARY_ENTRY;
  g_autofree guint32 *state_of = NULL;
  g_autofree gboolean *is_used = NULL;
  KymoSums sums;

  for (guint i = 0; i < reading->parts->len; i++)
    n_states = MAX (n_states, KYMO_SUMMARY_ENTRY + kymo_summary_peek_part (reading, i)->n_entries);
  state_of = g_new (guint32, n_states);
  is_used = g_new0 (gboolean, n_states);
  kymo_sums_init (&sums, n_states);
  for (guint i = 0; i < reading->parts->len; i++)
    if (kymo_summary_peek_part (reading, i)->bins != NULL)
      {
        use_states (kymo_summary_peek_part (reading, i)->bins, &sums);
        for (guint k = 0; k < sums.n_touched; k++)
          is_used[sums.touched[k]] = TRUE;
        kymo_sums_reset (&sums);
      }
  kymo_sums_clear (&sums);
  for (guint32 s = 0; s < n_states; s++)
    state_of[s] = s;
  state_of[KYMO_SUMMARY_UNKNOWN] = KYMO_STATE_ACTIVITY
    + kymo_run_add_activity (reading->run, KYMO_ACTIVITY_ENTRY, -1, "(entry method unknown)",
                             NULL, NULL);
  for (guint32 s = KYMO_SUMMARY_ENTRY; s < n_states; s++)
    if (is_used[s])
      state_of[s] = KYMO_STATE_ACTIVITY + activity_of_entry (reading, s - KYMO_SUMMARY_ENTRY);
  for (guint i = 0; i < reading->parts->len; i++)
    if (kymo_summary_peek_part (reading, i)->bins != NULL)
      kymo_bins_map_states (kymo_summary_peek_part (reading, i)->bins, state_of);
}

/* -- the run --------------------------------------------------------------- */

static int
compare_points (gconstpointer a,
                gconstpointer b)
{
  gint64 x = ((const KymoPoint *) a)->begin_ns, y = ((const KymoPoint *) b)->begin_ns;

  return x < y ? -1 : x > y;
}

static void
add_marks (Reading     *reading,
           const Part  *part,
           KymoSegment *segment)
{
  const KymoSts *sts = reading->sts;
  gint64 n_beyond = 0;

  for (guint i = 0; part->marks != NULL && i < part->marks->len; i++)
    {
      const KymoSumMark *mark = &g_array_index (part->marks, KymoSumMark, i);
      KymoPoint point = { .begin_ns = mark->ns, .end_ns = mark->ns,
                          .kind = KYMO_POINT_USER_EVENT, .activity = G_MAXUINT32,
                          .id = mark->event };

      if (mark->ns > segment->span.end_ns)
        {
          n_beyond++;
          continue;
        }
      if (sts != NULL)
        point.activity = mark->event < KYMO_STS_N_EVENT_IDS
          && sts->events[mark->event] != G_MAXUINT32 ? sts->events[mark->event]
          : sts->unknown_event;
      g_array_append_val (segment->points, point);
    }
  g_array_sort (segment->points, compare_points);
  if (n_beyond > 0)
    kymo_report_add (reading->run->report, part->sum->name, KYMO_SEVERITY_LOST, n_beyond, -1,
                     N_("Marks later than the last bin were left out"));
}

static void
add_location (Reading *reading,
              Part    *part)
{
  KymoLocation location = { .id = MAX (part->pe, 0), .process = MAX (part->pe, 0),
                            .kept = TRUE };
  KymoSegment *segment = kymo_segment_new_of_bins (g_steal_pointer (&part->bins));
  gint64 workers = reading->sts != NULL ? reading->sts->n_workers : 0;

  location.label = part->pe < 0 ? g_strdup ("All PEs")
    : g_strdup_printf ("PE %" G_GINT64_FORMAT, part->pe);
  if (workers > 0)
    location.process = location.id / workers;
  add_marks (reading, part, segment);
  kymo_run_add_location (reading->run, &location, segment);
}

static void
describe_projections_summary_assemble (Reading *reading)
{
  KymoRun *run = reading->run;

  run->kind = KYMO_RUN_SUMMARY;
  run->path = g_strdup (reading->files->folder);
  run->title = g_utf8_make_valid (reading->files->base, -1);
  run->format = g_strdup ("projections");
  kymo_run_add_fact (run, "program", run->title);
  g_clear_pointer (&run->format_version, g_free);
  for (guint i = 0; i < reading->parts->len && run->format_version == NULL; i++)
    run->format_version = g_strdup (kymo_summary_peek_part (reading, i)->version);
}

/* Adds notes on things that such a run cannot tell, for every answer. */
static void
add_notes (Reading *reading)
{
  guint n = 0, n_detailed = 0, n_idle = 0;

  for (guint i = 0; i < reading->parts->len; i++)
    {
      const Part *part = kymo_summary_peek_part (reading, i);

      if (part->bins == NULL)
        continue;
      n++;
      n_detailed += part->bins->calls != NULL;
      n_idle += part->has_idle;
    }
  kymo_run_add_note (reading->run,
                     N_("A summary: sums by bins of time, without single blocks and messages"));
  kymo_run_add_note (reading->run,
                     N_("Utilization and idle time are whole percent of a bin, rounded down; what "
                        "is cut off counts as overhead"));
  kymo_run_add_note (reading->run,
                     N_("Times of entry methods are whole microseconds, rounded down; inclusive "
                        "times are not known"));
  kymo_run_add_note (reading->run, N_("Inside a bin time is taken as evenly spread"));
  if (n_detailed == 0)
    kymo_run_add_note (reading->run,
                       N_("Which entry methods ran in which bin is not known; the program tells it "
                          "with +sumDetail"));
  else if (n_detailed < n)
    kymo_run_add_note (reading->run,
                       N_("Which entry methods ran in which bin is known of some PEs only"));
  if (n_idle < n)
    kymo_run_add_note (reading->run, n_idle == 0
                       ? N_("Idle time is not known; it counts as overhead")
                       : N_("Idle time is known of some PEs only; of the others it counts as "
                            "overhead"));
  if (reading->parts->len == 1 && kymo_summary_peek_part (reading, 0)->pe < 0)
    kymo_run_add_note (reading->run, N_("The one row is the average of all PEs (+sumonly)"));
}

/**
 * kymo_summary_assemble:
 * @reading: its parts are read
 *
 * Fills the run: locations, names, facts and notes.
 */
void
kymo_summary_assemble (Reading *reading)
{
  gint64 n_pes = count_pes (reading);
  gboolean of_all = reading->parts->len == 1 && kymo_summary_peek_part (reading, 0)->pe < 0;

  if (!of_all)
    {
      report_lacking (reading, lacks_all, TRUE, n_pes, N_("PEs without a summary"));
      report_lacking (reading, lacks_sum, FALSE, n_pes,
                      N_("PEs with a .sumd, but without a .sum; utilization and idle time are "
                         "lost"));
      if (reading->files->details->len > 0)
        report_lacking (reading, lacks_sumd, FALSE, n_pes,
                        N_("PEs with a .sum, but without a .sumd"));
    }
  kymo_projections_files_report (reading->files, reading->run->report);
  describe_projections_summary_assemble (reading);
  add_notes (reading);
  number_states (reading);
  for (guint i = 0; i < reading->parts->len; i++)
    if (kymo_summary_peek_part (reading, i)->bins != NULL)
      add_location (reading, kymo_summary_peek_part (reading, i));
  reading->run->n_locations_original = n_pes;
}
