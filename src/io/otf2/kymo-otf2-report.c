/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load report of an OTF2 archive.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-otf2-private.h"

/* TAU writes the number of events of one thread for all threads of its process. So the
   counts of a process with several locations, all the same, are not believed where TAU wrote
   them, or where a file has more events than counted. */
static gboolean
count_is_shared (const KymoOtf2Reading  *reading,
                 const KymoOtf2Location *location)
{
  GArray *locations = reading->defs->locations;
  gboolean more = reading->by_tau;
  guint n = 0;

  for (guint i = 0; i < locations->len; i++)
    {
      const KymoOtf2Location *other = &g_array_index (locations, KymoOtf2Location, i);

      if (other->group != location->group || other->row == KYMO_OTF2_NONE)
        continue;
      if (other->n_events != location->n_events)
        return FALSE;
      more |= reading->results[i].n_read > other->n_events;
      n++;
    }
  return n > 1 && more;
}

/**
 * kymo_otf2_dup_events_name:
 * @location: index of a location in the definitions
 *
 * Returns: (transfer full): the file with its events, relative to the folder of the run
 */
char *
kymo_otf2_dup_events_name (KymoOtf2Reading *reading,
                           guint            location)
{
  if (reading->supply != NULL)
    return reading->supply->dup_name (reading, location);
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT ".evt", reading->base,
                          g_array_index (reading->defs->locations, KymoOtf2Location,
                                         location).id);
}

static void
report_location (KymoOtf2Reading        *reading,
                 guint                   index,
                 const KymoOtf2Result   *result)
{
  const KymoOtf2Location *location = &g_array_index (reading->defs->locations, KymoOtf2Location,
                                                     index);
  g_autofree char *name = kymo_otf2_dup_events_name (reading, index);
  KymoReport *report = reading->run->report;
  const KymoOtf2Counts *counts = &result->counts;

  if (result->barred != NULL)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1, "%s", result->barred->message);
      return;
    }
  /* A location that recorded nothing needs no file. */
  if (result->absent && location->n_events == 0)
    return;
  if (result->absent)
    {
      kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                       N_("The events of the location are missing or cannot be opened"));
      return;
    }
  if (result->local_error != OTF2_SUCCESS || result->barred_defs != NULL)
    {
      g_autofree char *local = g_strdup_printf ("%s/%" G_GUINT64_FORMAT ".def", reading->base,
                                                location->id);

      kymo_report_add (report, local, KYMO_SEVERITY_LOST, 1, -1,
                       N_("Numbers of functions and the clock of the location may be wrong: its "
                          "own "
                          "definitions cannot be read to their end: %s"),
                       result->barred_defs != NULL ? result->barred_defs->message
                       : OTF2_Error_GetDescription (result->local_error));
    }
  if (result->error != OTF2_SUCCESS)
    kymo_report_add (report, name, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The events cannot be read to their end: %s"),
                     OTF2_Error_GetDescription (result->error));
  else if (result->n_read < location->n_events && location->n_events != OTF2_UNDEFINED_UINT64
           && !count_is_shared (reading, location))
    kymo_report_add (report, name, KYMO_SEVERITY_LOST,
                     MIN (location->n_events - result->n_read, G_MAXINT64), -1,
                     N_("Events that the definitions count are not in the file"));
  if (result->sieve != NULL)
    kymo_sieve_report (result->sieve, report, name);
#define TELL(number, severity, words)                                           \
  if ((number) > 0)                                                             \
    kymo_report_add (report, name, severity, number, -1, words)
  TELL (counts->n_too_large, KYMO_SEVERITY_LOST,
        N_("Values of metrics that are too large in the metric's unit"));
  TELL (reading->defs->n_counters > 0 ? counts->n_interrupted : 0, KYMO_SEVERITY_NOTE,
        N_("Hardware counters of calls during which measurement was switched off are not known"));
  TELL (counts->n_bad_times, KYMO_SEVERITY_LOST, N_("Events with a time that cannot be right"));
  TELL (counts->n_unknown_regions, KYMO_SEVERITY_LOST, N_("Functions that are not defined"));
  TELL (counts->n_unknown_metrics, KYMO_SEVERITY_LOST, N_("Values of metrics that are not "
                                                          "defined"));
  TELL (counts->n_unknown_ranks, KYMO_SEVERITY_LOST,
        N_("Messages to or from a rank that is not defined"));
  TELL (counts->n_unknown_comms, KYMO_SEVERITY_LOST,
        N_("Collective operations on a communicator that is not defined"));
  TELL (counts->n_open_gets, KYMO_SEVERITY_LOST, N_("One-sided transfers that never complete"));
  TELL (counts->n_clamped, KYMO_SEVERITY_LOST,
        N_("Messages of 4 GiB or more count as 4 GiB less one byte"));
  TELL (result->n_samples - result->n_given,
        location->is_moved ? KYMO_SEVERITY_NOTE : KYMO_SEVERITY_LOST,
        N_("Samples of metrics beyond the records of the process that they are of"));
  TELL (counts->n_unknown, KYMO_SEVERITY_LOST, N_("Events of a kind that is not known"));
  TELL (counts->n_unopened, KYMO_SEVERITY_REPAIRED, N_("Ends of functions that are not open"));
  TELL (counts->n_unclosed, KYMO_SEVERITY_REPAIRED,
        N_("Functions without an end inside one that ended"));
  TELL (result->repairs.time_backwards, KYMO_SEVERITY_REPAIRED,
        N_("Events with a time before the one before them"));
  TELL (result->repairs.too_deep, KYMO_SEVERITY_LOST, N_("Functions nested deeper than 255"));
  TELL (result->repairs.counter_backwards, KYMO_SEVERITY_REPAIRED,
        N_("Hardware counters that fell within a function"));
  TELL (result->far_off, KYMO_SEVERITY_REPAIRED,
        N_("The clock is more than 104 days from those of most other locations; its records were "
           "moved to the begin of the run"));
  TELL (counts->n_unknown_parameters, KYMO_SEVERITY_LOST,
        N_("Values of parameters that are not defined"));
  TELL (counts->n_unknown_handles, KYMO_SEVERITY_LOST,
        N_("I/O on a handle or file that is not defined"));
  TELL (counts->n_cut_texts, KYMO_SEVERITY_NOTE,
        N_("Texts of parameters are cut after 1,024 bytes"));
  TELL (counts->n_open_operations, KYMO_SEVERITY_NOTE,
        N_("I/O operations whose end was not recorded"));
  TELL (counts->n_threading, KYMO_SEVERITY_NOTE,
        N_("Records of locks and tasks of threads are not shown"));
  TELL (counts->n_synchronizing, KYMO_SEVERITY_NOTE,
        N_("Records of windows and locks of one-sided communication are not shown"));
  TELL (counts->n_requests, KYMO_SEVERITY_NOTE,
        N_("Records of requests that are tested or cancelled are not shown"));
  TELL (counts->n_others, KYMO_SEVERITY_NOTE,
        N_("Records of communicators that are made or freed are not shown"));
  TELL (counts->n_samples, KYMO_SEVERITY_NOTE, N_("Samples of the call stack are not shown"));
  TELL (counts->n_one_sided, KYMO_SEVERITY_NOTE,
        N_("One-sided transfers are known to the rank alone that made them: what it put is a "
           "send, what it got a receive, both without the other side"));
#undef TELL
}

static void
report_definitions (KymoOtf2Reading *reading)
{
  g_autofree char *definitions = g_strconcat (reading->base, ".def", NULL);
  g_autofree char *markers = g_strconcat (reading->base, ".marker", NULL);
  KymoReport *report = reading->run->report;

  if (reading->defs->n_not_shown > 0)
    kymo_report_add (report, definitions, KYMO_SEVERITY_NOTE, reading->defs->n_not_shown, -1,
                     N_("Definitions of topologies and properties are not shown"));
  if (reading->marker_error != OTF2_SUCCESS)
    kymo_report_add (report, markers, KYMO_SEVERITY_LOST, 1, -1,
                     N_("The markers cannot be read to their end: %s"),
                     OTF2_Error_GetDescription (reading->marker_error));
  if (reading->defs->n_bad_markers > 0)
    kymo_report_add (report, markers, KYMO_SEVERITY_LOST, reading->defs->n_bad_markers, -1,
                     N_("Markers with a time that cannot be right, or of a kind that is not "
                        "defined"));
}

/* A number that kymo-record wrote into the archive; 0 = none. */
static gint64
count_of (KymoOtf2Reading *reading,
          const char      *name)
{
  char *text = NULL;
  guint64 n = 0;

  if (OTF2_Reader_GetProperty (reading->reader, name, &text) != OTF2_SUCCESS || text == NULL
      || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &n, NULL))
    n = 0;
  free (text);
  return (gint64) n;
}

/* What the record of a program lacks. Its writer looks at ranks and communicators alone: it knows
   whether there are halves of messages, and those are counted that no partner was found for. */
static void
report_cuts (KymoOtf2Reading *reading)
{
  gint64 n_open = count_of (reading, "KYMO_RECORD::OPEN_CALLS");
  gint64 n_halves = count_of (reading, "KYMO_RECORD::HALF_MESSAGES");

  if (n_halves > 0)
    n_halves = (gint64) kymo_run_count_halves (reading->run);

  if (n_open > 0)
    kymo_report_add (reading->run->report, reading->base, KYMO_SEVERITY_NOTE, n_open, -1,
                     N_("Calls had not ended when the recording ends"));
  if (n_halves > 0)
    kymo_report_add (reading->run->report, reading->base, KYMO_SEVERITY_LOST, n_halves, -1,
                     N_("Messages of which only one half is recorded"));
}

/**
 * kymo_otf2_report:
 *
 * Tells what of the archive could not be read as it stands, when all is read.
 */
void
kymo_otf2_report (KymoOtf2Reading *reading)
{
  report_definitions (reading);
  if (reading->supply == NULL)
    report_cuts (reading);
  for (guint i = 0; i < reading->defs->locations->len; i++)
    report_location (reading, i, &reading->results[i]);
  if (reading->run->collectives != NULL && reading->run->collectives->n_left_out > 0)
    kymo_report_add (reading->run->report, reading->base, KYMO_SEVERITY_LOST,
                     reading->run->collectives->n_left_out, -1,
                     N_("Calls of collective operations that do not fit together"));
}
