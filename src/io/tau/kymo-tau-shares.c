/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A merged trace: the records of all threads, in order of time. Each core walks over all
 * of it and takes the records of its share of the threads, so that no lock is needed and a
 * thread sees its records in their order. Samples of the file tell how much there is of
 * each thread, so that shares are alike.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "kymo-order.h"
#include "kymo-tau-threads.h"

#include <unistd.h>

#include "kymo-share.h"

/* Most blocks, evenly over the file, that are looked at before reading; no record twice. */
#define N_SAMPLES 64
/* Number of first records of a thread that tell its first time. */
#define N_FIRST 3
/* Number of records that show that a thread without a first record is not made of damaged bytes. */
#define LEAST_RECORDS 16
/* Number of blocks after which memory is counted. */
#define BLOCKS_PER_CHARGE 128
/* Most threads that are told apart. */
#define MOST_KEYS (1 << 20)
#define MOST_IN_BLOCK (KYMO_TAU_BLOCK_BYTES / 24)

/* Numbers of a key map that are no threads. */
#define NOT_MINE G_MAXUINT32
#define NOT_YET (G_MAXUINT32 - 1)

/* Keys and a number each, by open addressing; the upper bits of a product spread keys that
   differ in their upper half alone. */
typedef struct
{
  guint32 *keys;
  guint32 *numbers;             /* 0 = free */
  guint    mask, shift, n;
} KeyMap;

#define FIRST_BITS 10

static void
key_map_init (KeyMap *map)
{
  map->mask = (1 << FIRST_BITS) - 1;
  map->shift = 32 - FIRST_BITS;
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
  guint slot = (key * 2654435761u) >> map->shift;

  while (G_UNLIKELY (map->keys[slot] != key) && map->numbers[slot] != 0)
    slot = (slot + 1) & map->mask;
  return slot;
}

static void
key_map_grow (KeyMap *map)
{
  KeyMap old = *map;

  map->mask = old.mask * 2 + 1;
  map->shift--;
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
key_map_set (KeyMap  *map,
             guint32  key,
             guint32  number)
{
  guint slot = key_map_slot (map, key);

  if (map->numbers[slot] == 0 && map->n >= map->mask / 2)
    {
      key_map_grow (map);
      slot = key_map_slot (map, key);
    }
  map->n += map->numbers[slot] == 0;
  map->keys[slot] = key;
  map->numbers[slot] = number;
}

/* A record that waits until its thread is believed. */
typedef struct
{
  KymoTauRecord record;
  gint64        offset;
} Early;

/* Bytes that the waiting records of a thread take beside themselves, about. */
#define EARLY_BYTES 256

/* The part of a merged trace that one core reads. */
typedef struct
{
  KymoTauTraceReading *reading;
  guint           index, n_shares;
  KeyMap          map;          /* number of the thread + 1, or one of the above */
  GPtrArray      *threads;      /* KymoTauThread */
  GHashTable     *early;        /* key -> GArray of Early */
  gint64          n_sampled, n_stray;
  gint64          early_bytes, charged_bytes;
  guint16         at[MOST_IN_BLOCK];
  guint32         number[MOST_IN_BLOCK];
} Share;

static gboolean
is_begin (const KymoTauTraceReading *reading,
          const KymoTauRecord  *record)
{
  const KymoTauEvent *event = kymo_tau_events_find (reading->events[0], record->event);

  return event != NULL && event->kind == KYMO_TAU_INIT;
}

static guint64
first_time_of (GArray *early)
{
  guint64 times[N_FIRST] = { 0 };
  guint n = MIN (early->len, N_FIRST);

  for (guint i = 0; i < n; i++)
    times[i] = g_array_index (early, Early, i).record.time;
  return kymo_tau_first_time (times, n);
}

/* The thread is one: it gets what waited. */
static void
begin_thread (Share  *share,
              guint32 key,
              GArray *early)
{
  KymoTauThread *thread = kymo_tau_thread_new (0, key >> 16, 0, key & 0xffff,
                                               first_time_of (early));

  thread->has_begin = is_begin (share->reading, &g_array_index (early, Early, 0).record);
  thread->zero_us = kymo_tau_is_near (thread->first_us, share->reading->zero_us)
    ? share->reading->zero_us : thread->first_us;
  kymo_tau_thread_begin (thread, share->reading);
  g_ptr_array_add (share->threads, thread);
  key_map_set (&share->map, key, share->threads->len);
  for (guint i = 0; i < early->len; i++)
    kymo_tau_stream_take (&thread->stream, &g_array_index (early, Early, i).record,
                          g_array_index (early, Early, i).offset);
}

/* Keeps a record of a thread's begin. Three records tell the thread's first time; a thread that
   does not begin with EV_INIT needs some more to be believed. */
static void
take_early (Share               *share,
            const KymoTauRecord *record,
            gint64               offset)
{
  gpointer key = GUINT_TO_POINTER (kymo_tau_key_of (record));
  GArray *early = g_hash_table_lookup (share->early, key);
  Early one = { *record, offset };

  if (early == NULL)
    {
      early = g_array_new (FALSE, FALSE, sizeof (Early));
      share->early_bytes += EARLY_BYTES;
      g_hash_table_insert (share->early, key, early);
    }
  g_array_append_val (early, one);
  share->early_bytes += sizeof one;
  if (early->len < N_FIRST
      || (early->len < LEAST_RECORDS
          && !is_begin (share->reading, &g_array_index (early, Early, 0).record)))
    return;
  begin_thread (share, kymo_tau_key_of (record), early);
  share->early_bytes -= EARLY_BYTES + early->len * sizeof one;
  g_hash_table_remove (share->early, key);
}

/* Takes over the records that still wait at the end of the file. */
static void
end_early (Share *share)
{
  GHashTableIter iter;
  gpointer key, early;

  g_hash_table_iter_init (&iter, share->early);
  while (g_hash_table_iter_next (&iter, &key, &early))
    if (is_begin (share->reading, &g_array_index ((GArray *) early, Early, 0).record))
      begin_thread (share, GPOINTER_TO_UINT (key), early);
    else
      share->n_stray += ((GArray *) early)->len;
}

/* Decides which share reads a thread that no sample had. Damaged bytes give any key, and more keys
   than any program has threads. */
static guint32
find_owner (Share  *share,
            guint32 key)
{
  guint32 number;

  if (share->map.n >= MOST_KEYS)
    {
      share->n_stray += share->index == 0;
      return NOT_MINE;
    }
  number = ((key >> 16) + key) % share->n_shares == share->index ? NOT_YET : NOT_MINE;
  key_map_set (&share->map, key, number);
  return number;
}

static void
take_special (Share               *share,
              const KymoTauRecord *record,
              gint64               offset)
{
  guint32 number = share->map.numbers[key_map_slot (&share->map, kymo_tau_key_of (record))];

  if (number == NOT_YET)
    take_early (share, record, offset);
  else
    kymo_tau_stream_take (&((KymoTauThread *) share->threads->pdata[number - 1])->stream, record,
                          offset);
}

/* First which records are mine, without a branch for each; then those are taken. */
static inline __attribute__ ((always_inline)) void
take_block (Share        *share,
            const guint8 *block,
            guint         n,
            gint64        first,
            KymoTauLayout layout)
{
  guint size = kymo_tau_layout_size (layout), n_mine = 0;
  KeyMap map = share->map;
  KymoTauRecord record;

  for (guint i = 0; i < n; i++)
    {
      guint32 number;

      kymo_tau_decode (block + (gsize) i * size, layout, &record);
      number = map.numbers[key_map_slot (&map, kymo_tau_key_of (&record))];
      if (G_UNLIKELY (number == 0))
        {
          number = find_owner (share, kymo_tau_key_of (&record));
          map = share->map;
        }
      share->at[n_mine] = i;
      share->number[n_mine] = number;
      n_mine += number != NOT_MINE;
    }
  for (guint i = 0; i < n_mine; i++)
    {
      guint32 number = share->number[i];

      kymo_tau_decode (block + (gsize) share->at[i] * size, layout, &record);
      if (G_UNLIKELY (number >= NOT_YET))
        take_special (share, &record, (first + share->at[i]) * size);
      else
        kymo_tau_stream_take (&((KymoTauThread *) share->threads->pdata[number - 1])->stream,
                              &record, (first + share->at[i]) * size);
    }
}

/* Tells the memory it takes; what waits and the map of keys can go to no disk. */
static void
charge_share (Share *share)
{
  KymoTauTraceReading *reading = share->reading;
  gint64 bytes = share->early_bytes + ((gint64) share->map.mask + 1) * 2 * sizeof (guint32);

  kymo_spill_charge (reading->spill, bytes - share->charged_bytes);
  share->charged_bytes = bytes;
  for (guint i = 0; i < share->threads->len; i++)
    kymo_tau_thread_charge (share->threads->pdata[i], reading);
  if (kymo_spill_is_over (reading->spill))
    g_atomic_int_set (&reading->out_of_memory, TRUE);
}

static gpointer
read_share (gpointer data)
{
  Share *share = *(Share **) data;
  KymoTauTraceReading *reading = share->reading;
  const KymoTauInput *input = &reading->inputs[0];
  g_autofree guint8 *block = kymo_tau_input_new_block (input);
  guint n, n_blocks = 0;
  int fd = kymo_tau_input_open (input);
  gint64 at = 0;

  if (fd < 0)                   /* its threads are lost; others may read the rest */
    g_atomic_int_set ((gint *) &reading->states[0], KYMO_TAU_INPUT_CLOSED);
  for (; !kymo_tau_is_to_stop (reading)
       && (n = kymo_tau_input_read (input, fd, at, input->n_records, block)) > 0; at += n)
    {
      if (input->layout == KYMO_TAU_LITTLE_24)
        take_block (share, block, n, at, KYMO_TAU_LITTLE_24);
      else
        take_block (share, block, n, at, input->layout);
      kymo_job_advance (reading->job, (gint64) n * input->record_bytes);
      if (++n_blocks % BLOCKS_PER_CHARGE == 0)
        charge_share (share);
    }
  if (fd >= 0 && share->index == 0)
    kymo_tau_report_short (reading, 0, at);
  if (fd >= 0)
    close (fd);
  end_early (share);
  return NULL;
}

/* Damaged bytes that give the same key again and again. */
static gboolean
is_none (const KymoTauThread *thread)
{
  return !thread->has_begin
    && kymo_tau_stream_count_damage (&thread->stream) * 2 > thread->stream.n_records;
}

static void
drop_none (Share *share)
{
  for (guint i = share->threads->len; i-- > 0;)
    {
      KymoTauThread *thread = share->threads->pdata[i];

      if (!is_none (thread))
        continue;
      share->n_stray += thread->stream.n_records;
      kymo_spill_charge (share->reading->spill, -(gint64) thread->stream.charged_bytes);
      kymo_tau_thread_free (thread);
      g_ptr_array_remove_index (share->threads, i);
    }
}

static gboolean
has_damage (const Share *share)
{
  for (guint i = 0; i < share->threads->len; i++)
    if (kymo_tau_stream_is_doubtful (&((KymoTauThread *) share->threads->pdata[i])->stream))
      return TRUE;
  return share->n_stray > 0;
}

static void
end_threads (gpointer data,
             guint    index)
{
  Share *share = ((Share **) data)[index];

  for (guint i = 0; i < share->threads->len; i++)
    kymo_tau_thread_end (share->threads->pdata[i], share->reading);
  kymo_spill_charge (share->reading->spill, -share->charged_bytes);
}

/* Number of records of each thread in a few sampled blocks: key -> number. */
static GHashTable *
sample_file (KymoTauTraceReading *reading)
{
  const KymoTauInput *input = &reading->inputs[0];
  g_autofree guint8 *block = kymo_tau_input_new_block (input);
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  KymoTauRecord record;
  int fd = kymo_tau_input_open (input);
  gint64 step = MAX (input->n_records / N_SAMPLES, KYMO_TAU_BLOCK_BYTES / input->record_bytes);

  for (gint64 at = 0; at < input->n_records; at += step)
    {
      guint n = kymo_tau_input_read (input, fd, at, input->n_records, block);

      for (guint k = 0; k < n; k++)
        {
          gpointer key;

          kymo_tau_decode (block + (gsize) k * input->record_bytes, input->layout, &record);
          key = GUINT_TO_POINTER (kymo_tau_key_of (&record));
          g_hash_table_insert (counts, key, GUINT_TO_POINTER
                               (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
        }
    }
  if (fd >= 0)
    close (fd);
  return counts;
}

static int
compare_counts (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  gpointer key_a = *(gpointer const *) a, key_b = *(gpointer const *) b;
  guint x = GPOINTER_TO_UINT (g_hash_table_lookup (data, key_a));
  guint y = GPOINTER_TO_UINT (g_hash_table_lookup (data, key_b));

  KYMO_ORDER_BY (y, x);
  return GPOINTER_TO_UINT (key_a) < GPOINTER_TO_UINT (key_b) ? -1 : 1;
}

/* The largest thread first, each to the share that has least. */
static void
deal_threads (KymoTauTraceReading *reading,
              Share         **shares,
              guint           n)
{
  g_autoptr (GHashTable) counts = sample_file (reading);
  guint n_keys = g_hash_table_size (counts);
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (counts, NULL);

  g_qsort_with_data (keys, n_keys, sizeof *keys, compare_counts, counts);
  for (guint i = 0; i < n_keys; i++)
    {
      Share *least = shares[0];

      for (guint k = 1; k < n; k++)
        if (shares[k]->n_sampled < least->n_sampled)
          least = shares[k];
      least->n_sampled += GPOINTER_TO_UINT (g_hash_table_lookup (counts, keys[i]));
      for (guint k = 0; k < n; k++)
        key_map_set (&shares[k]->map, GPOINTER_TO_UINT (keys[i]),
                     shares[k] == least ? NOT_YET : NOT_MINE);
    }
}

static Share *
share_new (KymoTauTraceReading *reading,
           guint           index,
           guint           n)
{
  Share *share = g_new0 (Share, 1);

  share->reading = reading;
  share->index = index;
  share->n_shares = n;
  key_map_init (&share->map);
  share->threads = g_ptr_array_new ();
  share->early = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  return share;
}

static void
share_end (Share *share)
{
  KymoTauTraceReading *reading = share->reading;

  for (guint i = 0; i < share->threads->len; i++)
    g_ptr_array_add (reading->threads, share->threads->pdata[i]);
  reading->n_stray += share->n_stray;
  key_map_clear (&share->map);
  g_ptr_array_unref (share->threads);
  g_hash_table_unref (share->early);
  g_free (share);
}

static int
compare_threads (gconstpointer a,
                 gconstpointer b)
{
  const KymoTauThread *x = *(KymoTauThread *const *) a, *y = *(KymoTauThread *const *) b;

  KYMO_ORDER_BY (x->node, y->node);
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/**
 * kymo_tau_read_merged:
 *
 * Finds the threads in the one file there is and makes their segments. Time zero is that
 * of its first record.
 */
void
kymo_tau_read_merged (KymoTauTraceReading *reading)
{
  guint n = reading->n_cores;
  g_autofree Share **shares = g_new0 (Share *, n);

  reading->zero_us = reading->inputs[0].first_us;
  for (guint i = 0; i < n; i++)
    shares[i] = share_new (reading, i, n);
  deal_threads (reading, shares, n);
  kymo_share_run ("kymo-tau", n, read_share, shares, sizeof *shares);
  for (guint i = 0; i < n; i++)
    {
      drop_none (shares[i]);
      reading->is_shaky |= has_damage (shares[i]);
    }
  kymo_share_out (n, n, end_threads, shares, NULL);
  for (guint i = 0; i < n; i++)
    share_end (shares[i]);
  g_ptr_array_sort (reading->threads, compare_threads);
}
