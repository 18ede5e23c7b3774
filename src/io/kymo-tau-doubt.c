/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads of a TAU trace in whose records damage was found are read again, after all
 * others: once for the times of their records (kymo-sieve.h), once for those that fit.
 */
#include "config.h"

#include "kymo-tau-threads.h"

#include <unistd.h>

/* Memory is counted after so many blocks. */
#define BLOCKS_PER_CHARGE 32

/* The doubtful threads of one file. */
typedef struct
{
  KymoTauTraceReading *reading;
  guint                input;
  GPtrArray           *threads;
  GHashTable          *by_key;  /* of a merged trace, or NULL */
} Again;

static void
take_block (Again        *again,
            const guint8 *block,
            guint         n,
            gint64        first)
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
        kymo_tau_stream_take (&thread->stream, &record, (first + i) * input->record_bytes);
    }
}

static void
charge (Again *again)
{
  for (guint i = 0; i < again->threads->len; i++)
    kymo_tau_thread_charge (again->threads->pdata[i], again->reading);
}

static void
walk (Again *again)
{
  const KymoTauInput *input = &again->reading->inputs[again->input];
  g_autofree guint8 *block = g_malloc (KYMO_TAU_BLOCK_BYTES);
  int fd = kymo_tau_input_open (input);
  guint n, n_blocks = 0;
  gint64 at = 0;

  for (; !kymo_tau_is_to_stop (again->reading)
       && (n = kymo_tau_input_read (input, fd, at, input->n_records, block)) > 0; at += n)
    {
      take_block (again, block, n, at);
      if (++n_blocks % BLOCKS_PER_CHARGE == 0)
        charge (again);
    }
  if (fd >= 0)
    close (fd);
}

/* Where most times are far from the first ones, those are what is damaged. */
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

static void
read_again (gpointer data,
            gpointer axis)
{
  Again *again = data;

  for (guint i = 0; i < again->threads->len; i++)
    {
      KymoTauThread *thread = again->threads->pdata[i];
      gboolean is_near;

      correct_first (again->reading, thread);
      is_near = thread->zero_us == again->reading->zero_us;
      thread->sieve = kymo_sieve_new (is_near ? axis : NULL, TRUE);
      begin_again (again->reading, thread, thread->sieve, TRUE);
    }
  walk (again);
  for (guint i = 0; i < again->threads->len; i++)
    {
      KymoTauThread *thread = again->threads->pdata[i];

      kymo_sieve_turn (thread->sieve);
      begin_again (again->reading, thread, thread->sieve, FALSE);
    }
  walk (again);
  for (guint i = 0; i < again->threads->len; i++)
    kymo_tau_thread_end (again->threads->pdata[i], again->reading);
}

static void
again_free (Again *again)
{
  g_ptr_array_unref (again->threads);
  g_clear_pointer (&again->by_key, g_hash_table_unref);
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
  GThreadPool *pool = g_thread_pool_new (read_again, has_axis ? &axis : NULL, reading->n_cores,
                                         FALSE, NULL);

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
  for (guint i = 0; i < tasks->len; i++)
    g_thread_pool_push (pool, tasks->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}
