/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of the locations of an OTF2 archive, one location a task. A location whose
 * times cannot be right is read again when all others are read, through a sieve that
 * knows their span (kymo-sieve). The caller owns the results; a segment goes to the disk
 * as soon as nothing else of its location is to come.
 */
#include "config.h"

#include "kymo-otf2-files.h"
#include "kymo-otf2-private.h"
#include "kymo-otf2-threads.h"
#include "kymo-share.h"

/* Events between two looks at memory and whether reading was stopped. */
#define BATCH 65536

/* Why the library must not open a file of a location; NULL where it may. */
static GError *
bar_file (const KymoOtf2Reading *reading,
          guint64                id,
          const char            *suffix)
{
  g_autofree char *name = g_strdup_printf ("%s/%" G_GUINT64_FORMAT "%s", reading->base, id,
                                           suffix);

  return kymo_otf2_files_bar (reading->anchor, name);
}

/** Events: those of a location, in an archive or supplied */
typedef struct
{
  OTF2_EvtReader *archived;
  gpointer        supplied;
} Events;

/* FALSE where there are none. */
static gboolean
open_events (KymoOtf2Reading *reading,
             guint            index,
             KymoOtf2Result  *result,
             Events          *events)
{
  guint64 id = g_array_index (reading->defs->locations, KymoOtf2Location, index).id;

  *events = (Events) { NULL };
  if (reading->supply != NULL)
    events->supplied = reading->supply->open (reading, index);
  else
    {
      g_clear_error (&result->barred);
      result->barred = bar_file (reading, id, ".evt");
      if (result->barred == NULL)
        events->archived = OTF2_Reader_GetEvtReader (reading->reader, id);
    }
  return events->archived != NULL || events->supplied != NULL;
}

static void
close_events (KymoOtf2Reading *reading,
              Events          *events)
{
  if (events->archived != NULL)
    OTF2_Reader_CloseEvtReader (reading->reader, events->archived);
  else
    reading->supply->close (events->supplied);
}

/* Numbers and clock offsets of a location; there need not be any. */
static OTF2_ErrorCode
read_local_definitions (KymoOtf2Reading *reading,
                        guint64          id,
                        KymoOtf2Result  *result)
{
  OTF2_DefReader *local = NULL;
  OTF2_ErrorCode code;
  uint64_t n;

  if (reading->supply != NULL)
    return OTF2_SUCCESS;
  result->barred_defs = bar_file (reading, id, ".def");
  if (result->barred_defs == NULL)
    local = OTF2_Reader_GetDefReader (reading->reader, id);
  if (local == NULL)
    return OTF2_SUCCESS;
  code = OTF2_Reader_ReadAllLocalDefinitions (reading->reader, local, &n);
  OTF2_Reader_CloseDefReader (reading->reader, local);
  return code;
}

/* Notes what the stream takes now; near the limit sealed segments go to the disk, and
   then what it takes from here on. FALSE where that is too much all the same. */
static gboolean
charge_otf2_locations (KymoOtf2Reading *reading,
                       KymoOtf2Stream  *stream,
                       gsize           *held)
{
  for (guint i = 0; i < 2; i++)
    {
      gsize now = kymo_segment_builder_get_bytes (stream->builder)
        + kymo_otf2_stream_get_bytes (stream);
      gint64 more = (gint64) (now - *held);

      *held = now;
      if (kymo_spill_charge (reading->spill, more))
        return TRUE;
      kymo_segment_builder_use_scratch (stream->builder);
    }
  if (!kymo_spill_is_over (reading->spill))
    return TRUE;
  g_atomic_int_set (&reading->out_of_memory, TRUE);
  return FALSE;
}

static OTF2_ErrorCode
read_batch (KymoOtf2Reading *reading,
            const Events    *events,
            KymoOtf2Stream  *stream,
            uint64_t        *n)
{
  if (events->archived != NULL)
    return OTF2_Reader_ReadLocalEvents (reading->reader, events->archived, BATCH, n);
  *n = reading->supply->read (events->supplied, stream, BATCH);
  return OTF2_SUCCESS;
}

/* Tells what of it is held on. */
static gsize
read_events (KymoOtf2Reading *reading,
             const Events    *events,
             KymoOtf2Stream  *stream,
             KymoOtf2Result  *result)
{
  uint64_t n = BATCH;
  gsize held = 0;

  result->error = events->archived != NULL
    ? OTF2_Reader_RegisterEvtCallbacks (reading->reader, events->archived, reading->calls, stream)
    : OTF2_SUCCESS;
  while (result->error == OTF2_SUCCESS && n >= BATCH && !kymo_job_is_cancelled (reading->job)
         && charge_otf2_locations (reading, stream, &held))
    {
      n = 0;
      result->error = read_batch (reading, events, stream, &n);
      result->n_read += n;
      kymo_job_advance (reading->job, n);
    }
  return held;
}

static guint64
count_samples (const KymoSegment *segment)
{
  guint64 n = 0;

  for (guint i = 0; i < segment->points->len; i++)
    n += g_array_index (segment->points, KymoPoint, i).kind == KYMO_POINT_USER_VALUE;
  return n;
}

/* Samples of locations that have nothing else lie on the first row of their process. They
   were read before it, and it is not on the disk yet. */
static void
take_samples (KymoOtf2Reading *reading,
              guint            index)
{
  const KymoOtf2Location *locations = (gpointer) reading->defs->locations->data;

  for (guint i = locations[index].sampler; i != KYMO_OTF2_NONE; i = locations[i].sampler)
    {
      KymoOtf2Result *from = &reading->results[i];

      if (from->segment != NULL)
        from->n_given = kymo_otf2_give_samples (from->segment, reading->results[index].segment);
    }
  if (locations[index].sampler != KYMO_OTF2_NONE)
    kymo_otf2_sort_samples (reading->results[index].segment);
}

/* The segment of a row may go to the disk from here on. */
static void
take_segment (KymoOtf2Reading *reading,
              guint            index)
{
  KymoOtf2Result *result = &reading->results[index];

  if (g_array_index (reading->defs->locations, KymoOtf2Location, index).row == KYMO_OTF2_NONE)
    {
      result->n_samples = count_samples (result->segment);
      kymo_spill_charge (reading->spill, kymo_segment_get_held (result->segment));
      return;
    }
  take_samples (reading, index);
  /* Files of segments have no place for times since 1970. */
  result->begin_ns = result->segment->span.begin_ns;
  kymo_segment_shift (result->segment, -result->begin_ns);
  kymo_spill_add (reading->spill, index, &result->segment);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

/* Reads the events once, with a sieve where the location is doubtful. */
static void
read_once (KymoOtf2Reading *reading,
           guint            index,
           gboolean         surveying)
{
  KymoOtf2Result *result = &reading->results[index];
  KymoOtf2Stream stream;
  Events events;
  gsize held;

  result->absent = !open_events (reading, index, result, &events);
  if (result->absent)
    return;
  kymo_otf2_stream_init (&stream, reading->defs, index, reading->run->activities->len);
  stream.sieve = result->sieve;
  stream.surveying = surveying;
  result->n_read = 0;
  held = read_events (reading, &events, &stream, result);
  close_events (reading, &events);
  result->counts = stream.counts;
  result->counts.n_open_gets += g_hash_table_size (stream.pending);
  result->counts.n_open_operations += g_hash_table_size (stream.operations);
  result->program = stream.program;
  result->doubtful = stream.sieve == NULL
    && (stream.n_falls > 0 || stream.counts.n_bad_times > 0 || result->error != OTF2_SUCCESS);
  if (stream.n_events > 0 && !result->doubtful && !surveying)
    result->segment = kymo_segment_builder_seal (stream.builder, stream.n_events, FALSE,
                                                 &result->repairs);
  result->parts = g_steal_pointer (&stream.parts);
  result->threads = g_steal_pointer (&stream.threads);
  g_clear_pointer (&result->series, g_hash_table_unref);
  result->series = g_steal_pointer (&stream.series);
  kymo_spill_charge (reading->spill, (gint64) stream.n_series_bytes
                     + (gint64) (result->parts->len * sizeof (KymoOtf2Part))
                     + (gint64) kymo_otf2_threads_get_bytes (result->threads)
                     - (gint64) held);
  kymo_otf2_stream_clear (&stream);
}

static gboolean
is_to_stop (KymoOtf2Reading *reading)
{
  return kymo_job_is_cancelled (reading->job) || g_atomic_int_get (&reading->out_of_memory);
}

static void
read_location (KymoOtf2Reading *reading,
               guint            index)
{
  KymoOtf2Result *result = &reading->results[index];

  if (is_to_stop (reading))
    return;
  result->local_error = read_local_definitions (
    reading, g_array_index (reading->defs->locations, KymoOtf2Location, index).id, result);
  read_once (reading, index, FALSE);
  if (result->segment == NULL)
    return;
  result->reach = kymo_reach_of_segment (result->segment);
  result->is_held = kymo_reach_is_lopsided (&result->reach);
  if (!result->is_held)
    take_segment (reading, index);
}

static void
drop_parts (KymoOtf2Reading *reading,
            KymoOtf2Result  *result)
{
  if (result->parts == NULL)
    return;
  kymo_spill_charge (reading->spill, -(gint64) (result->parts->len * sizeof (KymoOtf2Part))
                     - (gint64) kymo_otf2_threads_get_bytes (result->threads));
  g_clear_pointer (&result->parts, g_array_unref);
  g_clear_pointer (&result->threads, g_array_unref);
}

/* A location in whose events damage was found: once for the times, once for what fits. */
static void
read_again (KymoOtf2Reading *reading,
            guint            index,
            const KymoSpan  *axis)
{
  KymoOtf2Result *result = &reading->results[index];

  g_clear_pointer (&result->segment, kymo_segment_unref);
  drop_parts (reading, result);
  result->sieve = kymo_sieve_new (axis, TRUE);
  read_once (reading, index, TRUE);
  if (result->error != OTF2_SUCCESS)
    kymo_sieve_mark (result->sieve);
  kymo_sieve_turn (result->sieve);
  drop_parts (reading, result);
  read_once (reading, index, FALSE);
  if (result->segment != NULL)
    take_segment (reading, index);
}

/* A process may wait, or be killed, long after all others have ended, and its last few records then
   lie alone: that is no damage if the archive says that the run took as long. What is recorded at
   the moment says nothing of its length, and has no archive that could be damaged. */
static gboolean
is_in_run (const KymoOtf2Reading *reading,
           KymoSpan               span)
{
  const KymoOtf2Defs *defs = reading->defs;
  __int128 length_ns = (__int128) defs->length * G_GUINT64_CONSTANT (1000000000)
    / defs->ticks_per_second;

  return reading->supply != NULL || (span.begin_ns >= 0 && span.end_ns <= length_ns + 1);
}

/* To be called when all locations with or without a row were read. */
static void
settle_locations (KymoOtf2Reading *reading,
                  gboolean         rows)
{
  const KymoOtf2Location *locations = (gpointer) reading->defs->locations->data;
  guint n = reading->defs->locations->len;
  g_autofree KymoReach *reaches = g_new0 (KymoReach, MAX (n, 1));
  KymoSpan axis;
  gboolean has_axis;

  for (guint i = 0; i < n; i++)
    {
      reaches[i] = reading->results[i].reach;
      reaches[i].known &= (locations[i].row != KYMO_OTF2_NONE) == rows;
      reaches[i].doubtful = reading->results[i].doubtful;
    }
  has_axis = kymo_reach_find_axis (reaches, n, &axis);
  for (guint i = 0; i < n; i++)
    if (reaches[i].known && !reading->results[i].doubtful && is_in_run (reading, reaches[i].span))
      reaches[i].doubtful = FALSE;
  for (guint i = 0; i < n && !is_to_stop (reading); i++)
    if ((locations[i].row != KYMO_OTF2_NONE) != rows)
      continue;
    else if (reaches[i].doubtful)
      read_again (reading, i, has_axis ? &axis : NULL);
    else if (reading->results[i].is_held)
      take_segment (reading, i);
}

static int
compare_sizes (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  GArray *locations = data;
  guint64 x = g_array_index (locations, KymoOtf2Location, *(const guint *) a).n_events;
  guint64 y = g_array_index (locations, KymoOtf2Location, *(const guint *) b).n_events;

  return x > y ? -1 : x < y;
}

typedef struct
{
  KymoOtf2Reading *reading;
  const guint     *order;
  gboolean         rows;        /* those that are rows, or those that are none */
} LocationJobs;

static void
read_one_of_order (gpointer data,
                   guint    i)
{
  const LocationJobs *jobs = data;
  guint index = jobs->order[i];
  const KymoOtf2Location *location = &g_array_index (jobs->reading->defs->locations,
                                                     KymoOtf2Location, index);

  if ((location->row != KYMO_OTF2_NONE) == jobs->rows)
    read_location (jobs->reading, index);
}

/* The longest first, so that no thread is left alone with it at the end. */
static void
read_some (KymoOtf2Reading *reading,
           const guint     *order,
           gboolean         rows)
{
  LocationJobs jobs = { reading, order, rows };

  kymo_share_out (reading->defs->locations->len, reading->options->n_threads, read_one_of_order,
                  &jobs, NULL);
}

/**
 * kymo_otf2_read_locations:
 * @reading: with its definitions read, room for the results and the library's files open
 *
 * Reads the events of every location into @reading's results: first the locations that
 * have nothing but samples for others, then those that are rows of the run. Stops when
 * the job is cancelled or the memory limit is reached; then @reading says so.
 */
void
kymo_otf2_read_locations (KymoOtf2Reading *reading)
{
  GArray *locations = reading->defs->locations;
  g_autofree guint *order = g_new (guint, locations->len);

  for (guint i = 0; i < locations->len; i++)
    order[i] = i;
  g_qsort_with_data (order, locations->len, sizeof *order, compare_sizes, locations);
  read_some (reading, order, FALSE);
  settle_locations (reading, FALSE);
  read_some (reading, order, TRUE);
  settle_locations (reading, TRUE);
}
