/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a TAU trace and their records. Traces of threads are read one a task,
 * the largest first. In a merged trace the records of all threads lie in order of time:
 * a first walk, in parts, finds whose they are, then each core walks over all of it and
 * takes those of its share of the threads. So both use all cores without a lock, and a
 * stream sees its records in their order.
 */
#include "config.h"

#include "kymo-tau-reading.h"

/* Of a thread without a first record so many show that it is none of damaged bytes. */
#define LEAST_RECORDS 16
/* Memory is counted after so many blocks. */
#define BLOCKS_PER_CHARGE 32

static inline guint32
key_of (const KymoTauRecord *record)
{
  return (guint32) record->node << 16 | record->thread;
}

/* Keys and a number each, by open addressing; the last one found is at hand. */
typedef struct
{
  guint32 *keys;
  guint32 *numbers;             /* + 1; 0 = free */
  guint    mask, n;
} KeyMap;

static void
key_map_init (KeyMap *map)
{
  map->mask = 255;
  map->n = 0;
  map->keys = g_new (guint32, map->mask + 1);
  map->numbers = g_new0 (guint32, map->mask + 1);
}

static void
key_map_clear (KeyMap *map)
{
  g_free (map->keys);
  g_free (map->numbers);
}

static inline guint
key_map_slot (const KeyMap *map,
              guint32       key)
{
  guint slot = (key * 2654435761u) >> 7 & map->mask;

  while (map->numbers[slot] != 0 && map->keys[slot] != key)
    slot = (slot + 1) & map->mask;
  return slot;
}

static void
key_map_grow (KeyMap *map)
{
  KeyMap old = *map;

  map->mask = old.mask * 2 + 1;
  map->keys = g_new (guint32, map->mask + 1);
  map->numbers = g_new0 (guint32, map->mask + 1);
  for (guint i = 0; i <= old.mask; i++)
    if (old.numbers[i] != 0)
      {
        guint slot = key_map_slot (map, old.keys[i]);

        map->keys[slot] = old.keys[i];
        map->numbers[slot] = old.numbers[i];
      }
  key_map_clear (&old);
}

static void
key_map_add (KeyMap  *map,
             guint32  key,
             guint32  number)
{
  guint slot;

  if (map->n >= map->mask / 2)
    key_map_grow (map);
  slot = key_map_slot (map, key);
  map->keys[slot] = key;
  map->numbers[slot] = number + 1;
  map->n++;
}

/* What the first walk finds of a thread. */
typedef struct
{
  guint32  key;
  gboolean begins;              /* with EV_INIT */
  gint64   n_records;
  guint64  times[KYMO_TAU_N_FIRST];
} Found;

/* One part of the first walk. */
typedef struct
{
  const KymoTauReading *reading;
  gint64                first, end;
  KeyMap                map;
  GArray               *found;  /* Found, in order of appearance */
} Part;

static inline Found *
find_in_part (Part                *part,
              const KymoTauRecord *record)
{
  guint32 key = key_of (record);
  guint slot = key_map_slot (&part->map, key);
  guint32 number = part->map.numbers[slot];
  Found fresh = { .key = key };

  if (G_LIKELY (number > 0))
    return &g_array_index (part->found, Found, number - 1);
  g_array_append_val (part->found, fresh);
  key_map_add (&part->map, key, part->found->len - 1);
  return &g_array_index (part->found, Found, part->found->len - 1);
}

static gboolean
is_begin (const KymoTauEvents *events,
          const KymoTauRecord *record)
{
  const KymoTauEvent *event = kymo_tau_events_find (events, record->event);

  return event != NULL && event->kind == KYMO_TAU_INIT;
}

static inline __attribute__ ((always_inline)) void
look_at_block (Part          *part,
               const guint8  *block,
               guint          n,
               KymoTauLayout  layout)
{
  guint size = kymo_tau_layout_size (layout);

  for (guint i = 0; i < n; i++)
    {
      KymoTauRecord record;
      Found *found;

      kymo_tau_decode (block + (gsize) i * size, layout, &record);
      found = find_in_part (part, &record);
      if (G_UNLIKELY (found->n_records < KYMO_TAU_N_FIRST))
        {
          found->times[found->n_records] = record.time;
          if (found->n_records == 0)
            found->begins = is_begin (part->reading->events[0], &record);
        }
      found->n_records++;
    }
}

static gpointer
look_at_part (gpointer data)
{
  Part *part = data;
  const KymoTauInput *input = &part->reading->inputs[0];
  g_autofree guint8 *block = g_malloc (KYMO_TAU_BLOCK_BYTES);
  guint n;

  for (gint64 at = part->first; (n = kymo_tau_input_read (input, at, part->end, block)) > 0;
       at += n)
    {
      if (kymo_job_is_cancelled (part->reading->job))
        break;
      if (input->layout == KYMO_TAU_LITTLE_24)
        look_at_block (part, block, n, KYMO_TAU_LITTLE_24);
      else
        look_at_block (part, block, n, input->layout);
      kymo_job_advance (part->reading->job, (gint64) n * input->record_bytes);
    }
  return NULL;
}

/* What later parts found goes to what earlier ones did. */
static void
join_parts (Part  *all,
            Part  *part)
{
  for (guint i = 0; i < part->found->len; i++)
    {
      const Found *found = &g_array_index (part->found, Found, i);
      KymoTauRecord record = { .node = found->key >> 16, .thread = found->key };
      Found *sum = find_in_part (all, &record);

      for (guint k = 0; sum->n_records + k < KYMO_TAU_N_FIRST && k < found->n_records; k++)
        sum->times[sum->n_records + k] = found->times[k];
      if (sum->n_records == 0)
        sum->begins = found->begins;
      sum->n_records += found->n_records;
    }
}

static void
part_init (Part                 *part,
           const KymoTauReading *reading)
{
  part->reading = reading;
  key_map_init (&part->map);
  part->found = g_array_new (FALSE, TRUE, sizeof (Found));
}

static void
part_clear (Part *part)
{
  key_map_clear (&part->map);
  g_array_unref (part->found);
}

static void
run_threads (gpointer   (*run) (gpointer),
             gpointer     items,
             gsize        size,
             guint        n)
{
  g_autofree GThread **threads = g_new0 (GThread *, n);

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("tau", run, (char *) items + i * size);
  run (items);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}

static int
compare_threads (gconstpointer a,
                 gconstpointer b)
{
  const KymoTauThread *x = a, *y = b;

  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  if (x->context != y->context)
    return x->context < y->context ? -1 : 1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void
add_found_threads (KymoTauReading *reading,
                   const Part     *all)
{
  gint64 n_stray = 0;

  for (guint i = 0; i < all->found->len; i++)
    {
      const Found *found = &g_array_index (all->found, Found, i);
      KymoTauThread thread = { .node = found->key >> 16, .thread = found->key & 0xffff,
                               .n_records = found->n_records };

      if (!found->begins && found->n_records < LEAST_RECORDS)
        {
          n_stray += found->n_records;
          continue;
        }
      thread.first_us = kymo_tau_first_time (found->times,
                                             MIN (found->n_records, KYMO_TAU_N_FIRST));
      g_array_append_val (reading->threads, thread);
    }
  g_array_sort (reading->threads, compare_threads);
  if (n_stray > 0)
    kymo_report_add (reading->run->report, kymo_tau_file (reading->files, 0)->name,
                     KYMO_SEVERITY_LOST, n_stray, -1,
                     "Records of threads that never began were left out");
}

static void
find_merged_threads (KymoTauReading *reading)
{
  const KymoTauInput *input = &reading->inputs[0];
  guint n = reading->n_cores;
  g_autofree Part *parts = g_new0 (Part, n);

  for (guint i = 0; i < n; i++)
    {
      part_init (&parts[i], reading);
      parts[i].first = input->n_records / n * i;
      parts[i].end = i + 1 < n ? input->n_records / n * (i + 1) : input->n_records;
    }
  run_threads (look_at_part, parts, sizeof (Part), n);
  for (guint i = 1; i < n; i++)
    join_parts (&parts[0], &parts[i]);
  add_found_threads (reading, &parts[0]);
  for (guint i = 0; i < n; i++)
    part_clear (&parts[i]);
}

/* Times further than that from the earliest ones are damaged, and would overflow. */
#define MAX_APART_US (G_GUINT64_CONSTANT (1) << 52)

static void
drop_far_threads (KymoTauReading *reading)
{
  for (guint i = reading->threads->len; i-- > 0;)
    {
      KymoTauThread *thread = kymo_tau_thread (reading, i);

      if (thread->first_us - reading->zero_us <= MAX_APART_US)
        continue;
      kymo_report_add (reading->run->report, kymo_tau_file (reading->files, thread->input)->name,
                       KYMO_SEVERITY_LOST, MAX (thread->n_records, 1), -1,
                       "Records with a time more than 104 days from the trace's first one were "
                       "left out");
      g_array_remove_index (reading->threads, i);
    }
}

/**
 * kymo_tau_find_threads:
 *
 * Finds whose records there are, and the first time of all, which is time zero.
 */
void
kymo_tau_find_threads (KymoTauReading *reading)
{
  const KymoTauFiles *files = reading->files;

  if (files->merged && reading->states[0] == KYMO_TAU_INPUT_FINE)
    find_merged_threads (reading);
  for (guint i = 0; !files->merged && i < files->traces->len; i++)
    {
      const KymoTauFile *file = kymo_tau_file (files, i);
      KymoTauThread thread = { .input = i, .node = file->node, .context = file->context,
                               .thread = file->thread, .first_us = reading->inputs[i].first_us,
                               .n_records = reading->inputs[i].n_records };

      if (reading->states[i] == KYMO_TAU_INPUT_FINE)
        g_array_append_val (reading->threads, thread);
    }
  reading->zero_us = G_MAXUINT64;
  for (guint i = 0; i < reading->threads->len; i++)
    reading->zero_us = MIN (reading->zero_us, kymo_tau_thread (reading, i)->first_us);
  drop_far_threads (reading);
}

static void
begin_thread (KymoTauReading *reading,
              guint           index)
{
  KymoTauThread *thread = kymo_tau_thread (reading, index);

  kymo_tau_stream_init (&thread->stream, index, reading->n_functions, reading->run->metrics->len,
                        reading->zero_us, thread->first_us);
  thread->stream.events = reading->events[thread->input];
}

static void
charge_thread (KymoTauReading *reading,
               KymoTauThread  *thread)
{
  KymoTauStream *stream = &thread->stream;

  if (kymo_tau_stream_charge (stream, reading->spill))
    return;
  kymo_segment_builder_use_scratch (stream->builder);
  kymo_tau_stream_charge (stream, reading->spill);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

static void
end_thread (KymoTauReading *reading,
            guint           index)
{
  KymoTauThread *thread = kymo_tau_thread (reading, index);

  charge_thread (reading, thread);
  thread->segment = kymo_tau_stream_seal (&thread->stream, &thread->repairs);
  kymo_spill_charge (reading->spill, -(gint64) thread->stream.charged_bytes);
  if (thread->segment == NULL)
    return;
  kymo_spill_add (reading->spill, index, &thread->segment);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

static gboolean
is_to_stop (KymoTauReading *reading)
{
  return kymo_job_is_cancelled (reading->job) || g_atomic_int_get (&reading->out_of_memory);
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

static void
read_thread (gpointer data,
             gpointer user_data)
{
  KymoTauReading *reading = user_data;
  guint index = GPOINTER_TO_UINT (data) - 1, n, n_blocks = 0;
  KymoTauThread *thread = kymo_tau_thread (reading, index);
  const KymoTauInput *input = &reading->inputs[thread->input];
  g_autofree guint8 *block = g_malloc (KYMO_TAU_BLOCK_BYTES);

  begin_thread (reading, index);
  for (gint64 at = 0; !is_to_stop (reading)
       && (n = kymo_tau_input_read (input, at, input->n_records, block)) > 0; at += n)
    {
      if (input->layout == KYMO_TAU_LITTLE_24)
        take_block (&thread->stream, block, n, at, KYMO_TAU_LITTLE_24);
      else
        take_block (&thread->stream, block, n, at, input->layout);
      kymo_job_advance (reading->job, (gint64) n * input->record_bytes);
      if (++n_blocks % BLOCKS_PER_CHARGE == 0)
        charge_thread (reading, thread);
    }
  end_thread (reading, index);
}

/* One core's share of a merged trace. */
typedef struct
{
  KymoTauReading *reading;
  KeyMap          map;          /* to indices of threads */
  GArray         *threads;      /* guint */
  gint64          n_records;
} Share;

static inline __attribute__ ((always_inline)) void
share_block (const Share  *share,
             const guint8 *block,
             guint         n,
             gint64        first,
             KymoTauLayout layout)
{
  guint size = kymo_tau_layout_size (layout);
  KymoTauThread *threads = (KymoTauThread *) share->reading->threads->data;

  for (guint i = 0; i < n; i++)
    {
      KymoTauRecord record;
      guint32 number;

      kymo_tau_decode (block + (gsize) i * size, layout, &record);
      number = share->map.numbers[key_map_slot (&share->map, key_of (&record))];
      if (number > 0)
        kymo_tau_stream_take (&threads[number - 1].stream, &record, (first + i) * size);
    }
}

static void
charge_share (const Share *share)
{
  for (guint i = 0; i < share->threads->len; i++)
    charge_thread (share->reading,
                   kymo_tau_thread (share->reading, g_array_index (share->threads, guint, i)));
}

static gpointer
read_share (gpointer data)
{
  Share *share = data;
  KymoTauReading *reading = share->reading;
  const KymoTauInput *input = &reading->inputs[0];
  g_autofree guint8 *block = g_malloc (KYMO_TAU_BLOCK_BYTES);
  guint n, n_blocks = 0;

  for (guint i = 0; i < share->threads->len; i++)
    begin_thread (reading, g_array_index (share->threads, guint, i));
  for (gint64 at = 0; share->threads->len > 0 && !is_to_stop (reading)
       && (n = kymo_tau_input_read (input, at, input->n_records, block)) > 0; at += n)
    {
      if (input->layout == KYMO_TAU_LITTLE_24)
        share_block (share, block, n, at, KYMO_TAU_LITTLE_24);
      else
        share_block (share, block, n, at, input->layout);
      kymo_job_advance (reading->job, (gint64) n * input->record_bytes);
      if (++n_blocks % (BLOCKS_PER_CHARGE * 4) == 0)
        charge_share (share);
    }
  for (guint i = 0; i < share->threads->len; i++)
    end_thread (reading, g_array_index (share->threads, guint, i));
  return NULL;
}

/* Indices of threads, those with most records first. */
static int
compare_lengths (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  KymoTauReading *reading = data;
  gint64 x = kymo_tau_thread (reading, *(const guint *) a)->n_records;
  gint64 y = kymo_tau_thread (reading, *(const guint *) b)->n_records;

  return x > y ? -1 : x < y;
}

static guint *
order_threads (KymoTauReading *reading)
{
  guint *order = g_new (guint, MAX (reading->threads->len, 1));

  for (guint i = 0; i < reading->threads->len; i++)
    order[i] = i;
  g_qsort_with_data (order, reading->threads->len, sizeof (guint), compare_lengths, reading);
  return order;
}

static void
give_to (Share *share,
         guint  index)
{
  const KymoTauThread *thread = kymo_tau_thread (share->reading, index);

  key_map_add (&share->map, thread->node << 16 | thread->thread, index);
  g_array_append_val (share->threads, index);
  share->n_records += thread->n_records;
}

static void
read_merged_threads (KymoTauReading *reading)
{
  guint n = CLAMP (reading->threads->len, 1, reading->n_cores);
  g_autofree guint *order = order_threads (reading);
  g_autofree Share *shares = g_new0 (Share, n);

  for (guint i = 0; i < n; i++)
    {
      shares[i].reading = reading;
      key_map_init (&shares[i].map);
      shares[i].threads = g_array_new (FALSE, FALSE, sizeof (guint));
    }
  for (guint i = 0; i < reading->threads->len; i++)
    {
      Share *least = &shares[0];

      for (guint k = 1; k < n; k++)
        if (shares[k].n_records < least->n_records)
          least = &shares[k];
      give_to (least, order[i]);
    }
  run_threads (read_share, shares, sizeof (Share), n);
  for (guint i = 0; i < n; i++)
    {
      key_map_clear (&shares[i].map);
      g_array_unref (shares[i].threads);
    }
}

/**
 * kymo_tau_read_threads:
 *
 * Makes the segments of all threads, unless it is cancelled or memory is out.
 */
void
kymo_tau_read_threads (KymoTauReading *reading)
{
  g_autofree guint *order = NULL;
  GThreadPool *pool;

  if (reading->files->merged)
    {
      read_merged_threads (reading);
      return;
    }
  order = order_threads (reading);
  pool = g_thread_pool_new (read_thread, reading, reading->n_cores, FALSE, NULL);
  for (guint i = 0; i < reading->threads->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (order[i] + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
}
