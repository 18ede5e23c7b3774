/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The locations of an OTF2 archive, as they were read, become one run: its rows in their
 * order on one clock, messages that belong together, collectives.
 */
#include "config.h"

#include "kymo-order.h"
#include "kymo-otf2-collectives.h"
#include "kymo-otf2-private.h"
#include "kymo-otf2-threads.h"

static gboolean
has_row (const KymoOtf2Reading *reading,
         guint                  location)
{
  return reading->results[location].segment != NULL
    && g_array_index (reading->defs->locations, KymoOtf2Location, location).row
       != KYMO_OTF2_NONE;
}

/**
 * kymo_otf2_find_zero:
 *
 * Time zero of the run: the first record of most locations. One whose first record is
 * damaged, or whose clock counts from elsewhere, must not put the others decades behind
 * it; so of times in order those belong together that are not far from the one before. Of a
 * part of a run the note tells it.
 *
 * Returns: nanoseconds of the archive's clock
 */
gint64
kymo_otf2_find_zero (const KymoOtf2Reading *reading)
{
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 zero = 0;
  guint most = 0;

  if (reading->note != NULL)
    return kymo_otf2_noted_zero (reading);
  for (guint i = 0; i < reading->defs->locations->len; i++)
    if (has_row (reading, i))
      g_array_append_val (firsts, reading->results[i].begin_ns);
  g_array_sort (firsts, kymo_compare_ints);
  for (guint i = 0, end; i < firsts->len; i = end)
    {
      const gint64 *first = &g_array_index (firsts, gint64, i);

      for (end = i + 1; end < firsts->len && first[end - i] - first[end - i - 1]
           <= KYMO_OTF2_MAX_BESIDE_NS; end++)
        ;
      if (end - i > most)
        zero = *first;
      most = MAX (most, end - i);
    }
  return zero;
}

/* Nanoseconds to add to the times of a location. A location that is far from the others begins with
   the run, unless a note tells when the run began. */
static gint64
shift_of (KymoOtf2Result *result,
          gboolean        is_noted,
          gint64          zero_ns)
{
  gint64 begin_ns = result->begin_ns;

  if (is_noted)
    return -zero_ns;
  result->far_off = begin_ns < zero_ns || begin_ns - zero_ns > KYMO_OTF2_MAX_BESIDE_NS;
  return result->far_off ? -begin_ns : -zero_ns;
}

static void
shift_parts (GArray *parts,
             gint64  shift_ns)
{
  for (guint i = 0; i < parts->len; i++)
    {
      g_array_index (parts, KymoOtf2Part, i).begin_ns += shift_ns;
      g_array_index (parts, KymoOtf2Part, i).end_ns += shift_ns;
    }
}

static char *
make_label (const KymoOtf2Reading          *reading,
            const KymoOtf2Location *location)
{
  g_autofree char *rank = g_strdup_printf ("rank %" G_GINT64_FORMAT, location->rank);

  if (location->type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM)
    return g_strdup_printf ("%s, %s", rank,
                            kymo_otf2_defs_use_string (reading->defs, location->name));
  if (reading->run->terms.row == KYMO_ROW_RANK)
    return g_steal_pointer (&rank);
  return g_strdup_printf ("%s, thread %u", rank, location->thread);
}

static void
add_location (KymoOtf2Reading                *reading,
              const KymoOtf2Location *from,
              KymoOtf2Result                 *result)
{
  const KymoOtf2LocationGroup *group = from->group != KYMO_OTF2_NONE
    ? &g_array_index (reading->defs->location_groups, KymoOtf2LocationGroup, from->group) : NULL;
  KymoLocation location = {
    .id = from->noted != NULL ? from->noted->id
      : reading->run->terms.row == KYMO_ROW_RANK ? from->rank : from->row,
    .label = from->noted != NULL ? g_strdup (from->noted->label) : make_label (reading, from),
    .process = kymo_otf2_has_no_processes (reading) ? -1 : from->rank, .kept = TRUE,
    .place = group != NULL ? group->place : -1,
  };

  kymo_run_add_location (reading->run, &location, g_steal_pointer (&result->segment));
}

/* -- what records lack -------------------------------------------------------- */

static guint
find_parameter (KymoOtf2Reading *reading,
                const char      *name)
{
  for (guint i = 0; i < reading->defs->parameters->len; i++)
    {
      const KymoOtf2Parameter *parameter = &g_array_index (reading->defs->parameters,
                                                           KymoOtf2Parameter, i);

      if (g_strcmp0 (kymo_otf2_defs_use_string (reading->defs, parameter->name), name) == 0)
        return parameter->activity;
    }
  return G_MAXUINT32;
}

/* The record is cut where kymo-record says of calls that they lack their begin before the first
   message, or their end behind the last one. */
static guint8
cuts_of (KymoSegment *segment,
         guint        no_begin,
         guint        no_end)
{
  const KymoExchange *x = segment->exchange;
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
  guint8 cuts = 0;

  if (x == NULL || !kymo_segment_use (segment, KYMO_PART_POINTS))
    return 0;
  for (guint i = 0; i < x->n_sends; i += MAX (x->n_sends - 1, 1))
    {
      first_ns = MIN (first_ns, kymo_segment_send_time (segment, i));
      last_ns = MAX (last_ns, kymo_segment_send_time (segment, i));
    }
  for (guint i = 0; i < x->n_receives; i += MAX (x->n_receives - 1, 1))
    {
      first_ns = MIN (first_ns, kymo_segment_receive_time (segment, i));
      last_ns = MAX (last_ns, kymo_segment_receive_time (segment, i));
    }
  for (guint i = 0; i < segment->points->len; i++)
    {
      const KymoPoint *point = &g_array_index (segment->points, KymoPoint, i);

      if (point->kind == KYMO_POINT_PARAMETER && point->activity == no_begin
          && point->begin_ns <= first_ns)
        cuts |= KYMO_CUT_BEGIN;
      else if (point->kind == KYMO_POINT_PARAMETER && point->activity == no_end
               && point->begin_ns >= last_ns)
        cuts |= KYMO_CUT_END;
    }
  return cuts;
}

static void
match_messages (KymoOtf2Reading *reading)
{
  GPtrArray *segments = reading->run->segments;
  g_autofree guint8 *cuts = g_new0 (guint8, MAX (reading->run->locations->len, 1));
  guint no_begin = find_parameter (reading, "begin not recorded");
  guint no_end = find_parameter (reading, "end not recorded");

  for (guint i = 0; no_begin != G_MAXUINT32 && i < segments->len; i++)
    {
      KymoSegment *segment = segments->pdata[i];

      cuts[segment->location] = cuts_of (segment, no_begin, no_end);
    }
  kymo_run_match_cut_exchanges (reading->run, cuts, reading->options->n_threads,
                                reading->job != NULL ? kymo_job_peek_cancellable (reading->job)
                                : NULL);
}

/**
 * kymo_otf2_assemble:
 *
 * Gives the run its locations, in the order of rows, and what is between them. Rows
 * without records are left out; the others move up.
 */
void
kymo_otf2_assemble (KymoOtf2Reading *reading)
{
  GArray *locations = reading->defs->locations;
  g_autofree guint *at = g_new0 (guint, MAX (reading->defs->n_rows, 1));
  gint64 zero_ns = kymo_otf2_find_zero (reading);
  g_autofree GArray **parts = g_new0 (GArray *, locations->len);
  g_autofree GArray **threads = g_new0 (GArray *, locations->len);

  for (guint i = 0; i < locations->len; i++)
    {
      guint row = g_array_index (locations, KymoOtf2Location, i).row;

      if (row != KYMO_OTF2_NONE)
        at[row] = i;
    }
  for (guint row = 0; row < reading->defs->n_rows; row++)
    {
      KymoOtf2Location *location = &g_array_index (locations, KymoOtf2Location, at[row]);
      KymoOtf2Result *result = &reading->results[at[row]];
      guint index = reading->run->locations->len;
      gint64 shift_ns;

      location->row = result->segment != NULL ? index : KYMO_OTF2_NONE;
      if (result->segment == NULL)
        continue;
      shift_ns = shift_of (result, reading->note != NULL, zero_ns);
      parts[at[row]] = result->parts;
      shift_parts (result->parts, shift_ns);
      threads[at[row]] = result->threads;
      kymo_otf2_shift_threads (result->threads, shift_ns);
      kymo_segment_shift (result->segment, result->begin_ns + shift_ns);
      add_location (reading, location, result);
    }
  kymo_otf2_add_definitions (reading, zero_ns);
  kymo_otf2_add_all_series (reading, zero_ns);
  reading->run->collectives = kymo_otf2_join_collectives (reading->defs, parts, locations->len);
  reading->run->thread_links = kymo_otf2_link_threads (reading->defs, threads, locations->len);
  reading->run->n_locations_original = reading->defs->n_rows;
  if (reading->note != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (reading->anchor);

      reading->run->n_locations_original = reading->run->locations->len;
      kymo_part_note_apply (reading->note, folder, reading->base, reading->run);
    }
  match_messages (reading);
}
