/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads of a TAU trace in whose records damage was found are read again, after all
 * others: once to find where records begin (kymo-tau-align.h), once for the times of their
 * records (kymo-sieve.h), once for those that fit.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-share.h"
#include "kymo-tau-align.h"
#include "kymo-tau-threads.h"

#include <unistd.h>

/* In a short run a record may be earlier or later than all sound threads by this time. */
#define LEAST_SLACK_NS (250 * G_GINT64_CONSTANT (1000000))
/* Number of blocks after which memory is counted. */
#define BLOCKS_PER_CHARGE 32

/* The doubtful threads of one file. */
typedef struct
{
  KymoTauTraceReading *reading;
  guint                input;
  GPtrArray           *threads;
  GHashTable          *by_key;  /* of a merged trace, or NULL */
  GArray              *stretches;       /* KymoTauStretch */
} Again;

static void
take_block (Again        *again,
            const guint8 *block,
            guint         n,
            gint64        offset)
{
  const KymoTauInput *input = &again->reading->inputs[again->input];

  for (guint i = 0; i < n; i++)
    {
      KymoTauThread *thread = again->threads->pdata[0];
      KymoTauRecord record;

      kymo_tau_decode (block + (gsize) i * input->record_bytes, input->layout, &record);
      if (again->by_key != NULL)
        thread = g_hash_table_lookup (again->by_key,
                                      GUINT_TO_POINTER (kymo_tau_key_of (&record)));
      if (thread != NULL)
        kymo_tau_stream_take (&thread->stream, &record, offset + (gint64) i * input->record_bytes);
    }
}

static void
charge_tau_doubt (Again *again)
{
  for (guint i = 0; i < again->threads->len; i++)
    kymo_tau_thread_charge (again->threads->pdata[i], again->reading);
}

static void
walk_stretch (Again                *again,
              const KymoTauStretch *stretch,
              int                   fd,
              guint8               *block)
{
  const KymoTauInput *input = &again->reading->inputs[again->input];
  gint64 left = stretch->n_records, offset = stretch->offset;
  guint n, n_blocks = 0;

  while (left > 0 && !kymo_tau_is_to_stop (again->reading)
         && (n = kymo_tau_input_read_at (input, fd, offset, block)) > 0)
    {
      n = MIN (n, left);
      take_block (again, block, n, offset);
      left -= n;
      offset += (gint64) n * input->record_bytes;
      if (++n_blocks % BLOCKS_PER_CHARGE == 0)
        charge_tau_doubt (again);
    }
}

static void
walk_tau_doubt (Again *again)
{
  const KymoTauInput *input = &again->reading->inputs[again->input];
  g_autofree guint8 *block = g_malloc (KYMO_TAU_BLOCK_BYTES);
  int fd = kymo_tau_input_open (input);

  for (guint i = 0; i < again->stretches->len; i++)
    {
      for (guint k = 0; i > 0 && k < again->threads->len; k++)
        kymo_tau_stream_mark (&((KymoTauThread *) again->threads->pdata[k])->stream);
      walk_stretch (again, &g_array_index (again->stretches, KymoTauStretch, i), fd, block);
    }
  if (fd >= 0)
    close (fd);
}

static void
report_gaps (Again *again)
{
  KymoTauInput *input = &again->reading->inputs[again->input];
  gint64 end = 0, n_lost = 0, first = -1;

  for (guint i = 0; i < again->stretches->len; i++)
    {
      const KymoTauStretch *stretch = &g_array_index (again->stretches, KymoTauStretch, i);

      if (stretch->offset > end && first < 0)
        first = end;
      n_lost += stretch->offset - end;
      end = stretch->offset + stretch->n_records * input->record_bytes;
    }
  input->n_rest = input->size_bytes - end;
  if (n_lost > 0)
    kymo_report_add (again->reading->run->report,
                     kymo_tau_file (again->reading->files, again->input)->name,
                     KYMO_SEVERITY_LOST, n_lost, first,
                     N_("Bytes that fit no record were left out"));
}

/* All that sound threads tell of when records can be; without them what a time can be. */
static void
bound_times (const KymoTauTraceReading *reading,
             const KymoTauThread       *thread,
             const KymoSpan            *axis,
             KymoTauBounds             *bounds)
{
  gint64 slack_ns;

  bounds->first_us = thread->first_us - MIN (thread->first_us, KYMO_TAU_MAX_SPAN_US);
  bounds->last_us = thread->first_us + KYMO_TAU_MAX_SPAN_US;
  if (axis == NULL || thread->zero_us != reading->zero_us)
    return;
  slack_ns = MAX (axis->end_ns - axis->begin_ns, LEAST_SLACK_NS);
  bounds->first_us = reading->zero_us + (axis->begin_ns - slack_ns) / 1000;
  bounds->last_us = reading->zero_us + (axis->end_ns + slack_ns) / 1000;
  if (bounds->first_us > bounds->last_us)
    bounds->first_us = 0;
}

static GArray *
find_stretches (const KymoTauTraceReading *reading,
                guint                      input,
                GPtrArray                 *threads,
                const KymoSpan            *axis)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
  KymoTauBounds bounds = { .events = reading->events[input], .keys = keys };

  bound_times (reading, threads->pdata[0], axis, &bounds);
  for (guint i = 0; i < threads->len; i++)
    {
      const KymoTauThread *thread = threads->pdata[i];

      g_hash_table_add (keys, GUINT_TO_POINTER (thread->node << 16 | thread->thread));
    }
  return kymo_tau_find_stretches (&reading->inputs[input], &bounds, reading->job);
}

/* Where most times are far from the first times, the first times are the damaged ones. */
static void
correct_first (KymoTauTraceReading *reading,
               KymoTauThread       *thread)
{
  if (thread->zero_us == reading->zero_us || thread->stream.n_far * 2 < thread->stream.n_records)
    return;
  thread->zero_us = thread->first_us = reading->zero_us;
}

static void
begin_again (KymoTauTraceReading *reading,
             KymoTauThread       *thread,
             KymoSieve           *sieve,
             gboolean             surveying)
{
  kymo_tau_stream_clear (&thread->stream);
  kymo_tau_stream_init (&thread->stream, thread->place, reading->n_functions,
                        reading->run->metrics->len, thread->zero_us, thread->first_us);
  thread->stream.events = reading->events[thread->input];
  thread->stream.sieve = sieve;
  thread->stream.surveying = surveying;
}

/* The threads to read again (#Again), and the range of the sound threads, or NULL. */
typedef struct
{
  GPtrArray      *list;
  const KymoSpan *axis;
} Tasks;

static void
read_again (gpointer data,
            guint    i_task)
{
  const Tasks *tasks = data;
  Again *again = tasks->list->pdata[i_task];
  const KymoSpan *axis = tasks->axis;

  for (guint i = 0; i < again->threads->len; i++)
    {
      KymoTauThread *thread = again->threads->pdata[i];
      gboolean is_near;

      correct_first (again->reading, thread);
      is_near = thread->zero_us == again->reading->zero_us;
      thread->sieve = kymo_sieve_new (is_near ? axis : NULL, TRUE);
      if (again->by_key != NULL)
        kymo_sieve_trust_rows (thread->sieve);
      begin_again (again->reading, thread, thread->sieve, TRUE);
    }
  if (again->stretches == NULL)
    again->stretches = find_stretches (again->reading, again->input, again->threads, axis);
  report_gaps (again);
  walk_tau_doubt (again);
  for (guint i = 0; i < again->threads->len; i++)
    {
      KymoTauThread *thread = again->threads->pdata[i];

      kymo_sieve_turn (thread->sieve);
      begin_again (again->reading, thread, thread->sieve, FALSE);
    }
  walk_tau_doubt (again);
  for (guint i = 0; i < again->threads->len; i++)
    kymo_tau_thread_end (again->threads->pdata[i], again->reading);
}

static void
again_free (Again *again)
{
  g_ptr_array_unref (again->threads);
  g_clear_pointer (&again->by_key, g_hash_table_unref);
  g_clear_pointer (&again->stretches, g_array_unref);
  g_free (again);
}

static void
add_doubtful (GPtrArray           *tasks,
              KymoTauTraceReading *reading,
              KymoTauThread       *thread)
{
  gboolean merged = reading->files->merged;
  Again *again = merged && tasks->len > 0 ? tasks->pdata[0] : NULL;

  if (again == NULL)
    {
      again = g_new0 (Again, 1);
      again->reading = reading;
      again->input = thread->input;
      again->threads = g_ptr_array_new ();
      again->by_key = merged ? g_hash_table_new (NULL, NULL) : NULL;
      g_ptr_array_add (tasks, again);
    }
  g_ptr_array_add (again->threads, thread);
  if (merged)
    g_hash_table_insert (again->by_key, GUINT_TO_POINTER (thread->node << 16 | thread->thread),
                         thread);
}

static gboolean
find_axis (KymoTauTraceReading *reading,
           KymoReach           *reaches,
           KymoSpan            *axis)
{
  for (guint i = 0; i < reading->threads->len; i++)
    {
      const KymoTauThread *thread = kymo_tau_thread (reading, i);

      reaches[i] = thread->reach;
      reaches[i].known = thread->reach.known && thread->zero_us == reading->zero_us;
      reaches[i].doubtful = thread->doubtful;
    }
  return kymo_reach_find_axis (reaches, reading->threads->len, axis);
}

/* Where a merged trace is shifted, all its threads lost records: records that belong to no thread
   are theirs. */
static GArray *
find_shifts (KymoTauTraceReading *reading,
             KymoReach           *reaches,
             const KymoSpan      *axis)
{
  g_autoptr (GArray) stretches = NULL;

  if (reading->is_shaky && reading->threads->len > 0)
    stretches = find_stretches (reading, 0, reading->threads, axis);
  if (stretches != NULL && stretches->len > 1)
    for (guint i = 0; i < reading->threads->len; i++)
      reaches[i].doubtful = TRUE;
  else if (reading->n_stray > 0)
    kymo_report_add (reading->run->report, kymo_tau_file (reading->files, 0)->name,
                     KYMO_SEVERITY_LOST, reading->n_stray, -1,
                     N_("Records of threads that never began were left out"));
  return g_steal_pointer (&stretches);
}

/**
 * kymo_tau_settle_threads:
 *
 * To be called when all threads were read: reads again those that are doubtful.
 */
void
kymo_tau_settle_threads (KymoTauTraceReading *reading)
{
  g_autofree KymoReach *reaches = g_new0 (KymoReach, MAX (reading->threads->len, 1));
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) again_free);
  KymoSpan axis;
  gboolean has_axis = find_axis (reading, reaches, &axis);
  g_autoptr (GArray) shifts = find_shifts (reading, reaches, has_axis ? &axis : NULL);
  Tasks shared = { tasks, has_axis ? &axis : NULL };

  for (guint i = 0; i < reading->threads->len; i++)
    {
      KymoTauThread *thread = kymo_tau_thread (reading, i);

      thread->settled = TRUE;
      if (reaches[i].doubtful)
        {
          g_clear_pointer (&thread->segment, kymo_segment_unref);
          add_doubtful (tasks, reading, thread);
        }
      else if (thread->is_held)
        kymo_tau_thread_give (thread, reading);
    }
  if (tasks->len > 0 && shifts != NULL)
    ((Again *) tasks->pdata[0])->stretches = g_array_ref (shifts);
  kymo_share_out (tasks->len, reading->n_cores, read_again, &shared, NULL);
}
