/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a TAU trace, and the records of those that have a file each: one a
 * task, the largest first.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-tau-threads.h"

#include <unistd.h>

#include "kymo-share.h"

/* Number of blocks after which memory is counted. */
#define BLOCKS_PER_CHARGE 32

/**
 * kymo_tau_thread_new:
 * @input: index of its file
 * @node: of the thread
 * @context: of the thread
 * @thread: number of the thread in its context
 * @first_us: time of its first record
 *
 * Returns: (transfer full): free with kymo_tau_thread_free()
 */
KymoTauThread *
kymo_tau_thread_new (guint   input,
                     guint   node,
                     guint   context,
                     guint   thread,
                     guint64 first_us)
{
  KymoTauThread *made = g_new0 (KymoTauThread, 1);

  *made = (KymoTauThread) { .input = input, .node = node, .context = context, .thread = thread,
                            .id = -1, .first_us = first_us };
  return made;
}

/**
 * kymo_tau_thread_free:
 *
 * Frees the thread with its stream and segment.
 */
void
kymo_tau_thread_free (KymoTauThread *thread)
{
  kymo_tau_stream_clear (&thread->stream);
  kymo_segment_unref (thread->segment);
  kymo_sieve_free (thread->sieve);
  g_free (thread);
}

/**
 * kymo_tau_thread_begin:
 *
 * Its first time and time zero are set and near each other.
 */
void
kymo_tau_thread_begin (KymoTauThread       *thread,
                       KymoTauTraceReading *reading)
{
  thread->place = g_atomic_int_add (&reading->n_places, 1);
  kymo_tau_stream_init (&thread->stream, thread->place, reading->n_functions,
                        reading->run->metrics->len, thread->zero_us, thread->first_us);
  thread->stream.events = reading->events[thread->input];
}

/**
 * kymo_tau_thread_charge:
 *
 * Tells the memory it takes; where that is too much, what it takes from here on goes to
 * the disk, or reading is to stop.
 */
void
kymo_tau_thread_charge (KymoTauThread  *thread,
                        KymoTauTraceReading *reading)
{
  if (kymo_tau_stream_charge (&thread->stream, reading->spill))
    return;
  kymo_segment_builder_use_scratch (thread->stream.builder);
  kymo_tau_stream_charge (&thread->stream, reading->spill);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

/**
 * kymo_tau_thread_give:
 *
 * Its segment may go to the disk.
 */
void
kymo_tau_thread_give (KymoTauThread       *thread,
                      KymoTauTraceReading *reading)
{
  kymo_spill_add (reading->spill, thread->place, &thread->segment);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

/** kymo_tau_is_to_stop: whether the job was cancelled or memory has run out; any thread */
gboolean
kymo_tau_is_to_stop (KymoTauTraceReading *reading)
{
  return kymo_job_is_cancelled (reading->job) || g_atomic_int_get (&reading->out_of_memory);
}

/**
 * kymo_tau_thread_end:
 *
 * Seals its segment; a thread in doubt waits for kymo_tau_settle_threads().
 */
void
kymo_tau_thread_end (KymoTauThread       *thread,
                     KymoTauTraceReading *reading)
{
  kymo_tau_thread_charge (thread, reading);
  thread->segment = kymo_tau_stream_seal (&thread->stream, &thread->repairs);
  kymo_spill_charge (reading->spill, -(gint64) thread->stream.charged_bytes);
  thread->doubtful = !thread->settled && kymo_tau_stream_is_doubtful (&thread->stream);
  if (thread->doubtful)
    g_clear_pointer (&thread->segment, kymo_segment_unref);
  if (thread->segment == NULL)
    return;
  thread->reach = kymo_reach_of_segment (thread->segment);
  thread->is_held = !thread->settled
    && (reading->is_shaky || kymo_reach_is_lopsided (&thread->reach));
  if (!thread->is_held)
    kymo_tau_thread_give (thread, reading);
}

static inline __attribute__ ((always_inline)) void
take_block (KymoTauStream *stream,
            const guint8  *block,
            guint          n,
            gint64         first,
            KymoTauLayout  layout)
{
  guint size = kymo_tau_layout_size (layout);

  for (guint i = 0; i < n; i++)
    {
      KymoTauRecord record;

      kymo_tau_decode (block + (gsize) i * size, layout, &record);
      kymo_tau_stream_take (stream, &record, (first + i) * size);
    }
}

/**
 * kymo_tau_report_short:
 * @input: index of the file
 * @at: the first record that was not read
 *
 * Reports that a file holds less now than when it was looked at first, unless the reading is
 * to stop.
 */
void
kymo_tau_report_short (KymoTauTraceReading *reading,
                       guint                input,
                       gint64               at)
{
  const KymoTauInput *from = &reading->inputs[input];

  if (at < from->n_records && !kymo_tau_is_to_stop (reading))
    kymo_report_add (reading->run->report, kymo_tau_file (reading->files, input)->name,
                     KYMO_SEVERITY_LOST, from->n_records - at, at * from->record_bytes,
                     N_("Records that cannot be read any more: the file changed while it was "
                        "read"));
}

typedef struct
{
  KymoTauTraceReading *reading;
  GPtrArray           *order;   /* KymoTauThread */
} ThreadJobs;

static void
read_thread (gpointer data,
             guint    index)
{
  const ThreadJobs *jobs = data;
  KymoTauTraceReading *reading = jobs->reading;
  KymoTauThread *thread = jobs->order->pdata[index];
  guint n, n_blocks = 0;
  const KymoTauInput *input = &reading->inputs[thread->input];
  g_autofree guint8 *block = kymo_tau_input_new_block (input);
  int fd = kymo_tau_input_open (input);
  gint64 at = 0;

  if (fd < 0)
    reading->states[thread->input] = KYMO_TAU_INPUT_CLOSED;
  for (; !kymo_tau_is_to_stop (reading)
       && (n = kymo_tau_input_read (input, fd, at, input->n_records, block)) > 0; at += n)
    {
      if (input->layout == KYMO_TAU_LITTLE_24)
        take_block (&thread->stream, block, n, at, KYMO_TAU_LITTLE_24);
      else
        take_block (&thread->stream, block, n, at, input->layout);
      kymo_job_advance (reading->job, (gint64) n * input->record_bytes);
      if (++n_blocks % BLOCKS_PER_CHARGE == 0)
        kymo_tau_thread_charge (thread, reading);
    }
  if (fd >= 0)
    {
      kymo_tau_report_short (reading, thread->input, at);
      close (fd);
    }
  kymo_tau_thread_end (thread, reading);
}

/* Sorts long threads first, so that no core is left alone with a long one. */
static int
compare_lengths (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const KymoTauTraceReading *reading = data;
  gint64 x = reading->inputs[(*(KymoTauThread *const *) a)->input].n_records;
  gint64 y = reading->inputs[(*(KymoTauThread *const *) b)->input].n_records;

  return x > y ? -1 : x < y;
}

static void
read_files (KymoTauTraceReading *reading)
{
  g_autoptr (GPtrArray) order = g_ptr_array_copy (reading->threads, NULL, NULL);
  ThreadJobs jobs = { reading, order };

  g_ptr_array_set_free_func (order, NULL);
  g_ptr_array_sort_with_data (order, compare_lengths, reading);
  kymo_share_out (order->len, reading->n_cores, read_thread, &jobs, NULL);
}

static int
compare_first_times (gconstpointer a,
                     gconstpointer b,
                     gpointer      data)
{
  const KymoTauTraceReading *reading = data;
  guint64 x = reading->inputs[(*(KymoTauThread *const *) a)->input].first_us;
  guint64 y = reading->inputs[(*(KymoTauThread *const *) b)->input].first_us;

  return x < y ? -1 : x > y;
}

/* Clocks that count from another year, or a trace of which all first times are damaged,
   would put years between the ranks. So threads whose times are near each other have one
   zero, the first time of them; that of most of them is the run's. */
static void
find_zeros (KymoTauTraceReading *reading)
{
  g_autoptr (GPtrArray) order = g_ptr_array_copy (reading->threads, NULL, NULL);
  guint n_most = 0;

  g_ptr_array_set_free_func (order, NULL);
  g_ptr_array_sort_with_data (order, compare_first_times, reading);
  for (guint begin = 0, i; begin < order->len; begin = i)
    {
      guint64 zero_us = ((KymoTauThread *) order->pdata[begin])->first_us;

      for (i = begin; i < order->len; i++)
        {
          KymoTauThread *thread = order->pdata[i];

          if (!kymo_tau_is_near (thread->first_us, zero_us))
            break;
          thread->zero_us = zero_us;
        }
      if (i - begin > n_most)
        {
          n_most = i - begin;
          reading->zero_us = zero_us;
        }
    }
}

static int
compare_ids (gconstpointer a,
             gconstpointer b)
{
  gint64 x = (*(KymoTauThread *const *) a)->id, y = (*(KymoTauThread *const *) b)->id;

  return (x > y) - (x < y);
}

/* TRUE if the note has all threads, no two by the same number, and begins near all of them. */
static gboolean
fits_tau_threads (KymoTauTraceReading *reading)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < reading->threads->len; i++)
    {
      KymoTauThread *thread = kymo_tau_thread (reading, i);
      const KymoPartLocation *known = kymo_part_note_find (reading->note, thread->node,
                                                           thread->thread);

      if (known == NULL || thread->context != 0 || thread->zero_us != reading->zero_us
          || !kymo_tau_is_near (thread->first_us, reading->note->zero_us)
          || !g_hash_table_add (ids, (gpointer) &known->id))
        return FALSE;
      thread->id = known->id;
    }
  return TRUE;
}

/* Of a part of a run: numbers of the threads, and time zero, are those of the whole. A
   note that does not fit the files is of no use. */
static void
take_note (KymoTauTraceReading *reading)
{
  if (reading->note == NULL)
    return;
  if (!fits_tau_threads (reading))
    {
      g_clear_pointer (&reading->note, kymo_part_note_free);
      kymo_report_add (reading->run->report, "tautrace.kymo", KYMO_SEVERITY_NOTE, 1, -1,
                       N_("What the traces are said to be a part of does not fit them: left out"));
      return;
    }
  g_ptr_array_sort (reading->threads, compare_ids);
  reading->zero_us = reading->note->zero_us;
  for (guint i = 0; i < reading->threads->len; i++)
    kymo_tau_thread (reading, i)->zero_us = reading->zero_us;
}

static void
find_threads (KymoTauTraceReading *reading)
{
  const KymoTauFiles *files = reading->files;

  for (guint i = 0; i < files->traces->len; i++)
    {
      const KymoTauFile *file = kymo_tau_file (files, i);

      if (reading->states[i] == KYMO_TAU_INPUT_FINE)
        g_ptr_array_add (reading->threads,
                         kymo_tau_thread_new (i, file->node, file->context, file->thread,
                                              reading->inputs[i].first_us));
    }
  find_zeros (reading);
  take_note (reading);
  for (guint i = 0; i < reading->threads->len; i++)
    kymo_tau_thread_begin (kymo_tau_thread (reading, i), reading);
}

/**
 * kymo_tau_read_threads:
 *
 * Finds the threads and makes their segments, unless it is cancelled or memory is out.
 */
void
kymo_tau_read_threads (KymoTauTraceReading *reading)
{
  if (reading->files->merged && reading->states[0] == KYMO_TAU_INPUT_FINE)
    kymo_tau_read_merged (reading);
  else if (!reading->files->merged)
    {
      find_threads (reading);
      read_files (reading);
    }
  kymo_tau_settle_threads (reading);
}
