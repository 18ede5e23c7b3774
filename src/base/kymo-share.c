/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "kymo-share.h"

#include "kymo-order.h"

#include <string.h>

/* Steps that a thread takes at once, where there are very many. */
#define MOST_STEPS 64

typedef struct
{
  guint          n_steps;
  guint          stretch;
  KymoShareFunc  func;
  gpointer       data;
  GCancellable  *cancellable;
  gsize          next;          /* atomic: the next stretch to take */
} Share;

static gpointer
take_steps (gpointer data)
{
  Share *share = data;
  gsize i;

  while ((i = __atomic_fetch_add (&share->next, share->stretch, __ATOMIC_RELAXED))
         < share->n_steps)
    for (gsize end = MIN (i + share->stretch, share->n_steps); i < end; i++)
      {
        if (g_cancellable_is_cancelled (share->cancellable))
          return NULL;
        share->func (share->data, (guint) i);
      }
  return NULL;
}

/**
 * kymo_share_run:
 * @name: of the threads, at most 15 bytes
 * @n_threads: the caller's included
 * @func: called once by each thread
 * @workers: (array): what each thread passes to @func: its own worker
 * @size: bytes from one worker to the next; 0 = all threads pass @workers itself
 *
 * Blocks until all threads have ended.
 */
void
kymo_share_run (const char  *name,
                guint        n_threads,
                GThreadFunc  func,
                gpointer     workers,
                gsize        size)
{
  g_autofree GThread **threads = g_new (GThread *, MAX (n_threads, 1));

  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new (name, func, (char *) workers + i * size);
  func (workers);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
}

/**
 * kymo_share_out:
 * @n_threads: most threads, the caller's included; 0 = one per core
 * @func: called for each step from 0 to @n_steps - 1, in no order
 * @cancellable: (nullable): looked at before each step
 *
 * Returns: %FALSE when it was cancelled; then not all steps were done
 */
gboolean
kymo_share_out (guint          n_steps,
                guint          n_threads,
                KymoShareFunc  func,
                gpointer       data,
                GCancellable  *cancellable)
{
  guint n = MAX (MIN (n_threads > 0 ? n_threads : g_get_num_processors (), n_steps), 1);
  Share share = { n_steps, CLAMP (n_steps / (n * 64), 1, MOST_STEPS), func, data, cancellable, 0 };

  kymo_share_run ("kymo-share", n, take_steps, &share, 0);
  return !g_cancellable_is_cancelled (cancellable);
}

/* -- sorting ---------------------------------------------------------------- */

/* Items sorted by one thread in one go: a few milliseconds. */
#define FEW_ITEMS 8192
#define MOST_BUCKETS 4096
/* Items that are thrown into their buckets in one go. */
#define CHUNK 65536
#define SAMPLES 8

/**
 * Sort: items are thrown into buckets that follow one another, each of which is sorted
 * alone (sample sort: Frazer and McKellar, "Samplesort", Journal of the ACM 17, 1970)
 * @splitters: n_buckets - 1 items: the first that the next bucket may hold
 * @bucket: by item
 * @begins: by chunk and bucket: where in @other its next item goes
 */
typedef struct
{
  char             *items, *other;
  gsize             n_items, size;
  GCompareDataFunc  compare;
  gpointer          data;
  guint             n_buckets, n_chunks;
  char             *splitters;
  guint16          *bucket;
  gsize            *begins;
  gsize            *bucket_begin;       /* n_buckets + 1 */
} Sort;

static gsize
chunk_begin (const Sort *sort,
             guint       chunk)
{
  return MIN ((gsize) chunk * CHUNK, sort->n_items);
}

/* Ascending order comes often, and costs nothing. */
static gboolean
is_sorted (const Sort   *sort,
           GCancellable *cancellable)
{
  for (gsize i = 1; i < sort->n_items; i++)
    {
      if (i % FEW_ITEMS == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (sort->compare (sort->items + (i - 1) * sort->size, sort->items + i * sort->size,
                         sort->data) > 0)
        return FALSE;
    }
  return TRUE;
}

static void
choose_splitters (Sort *sort)
{
  guint n = sort->n_buckets * SAMPLES;
  g_autofree char *sample = g_malloc (n * sort->size);

  for (guint i = 0; i < n; i++)
    memcpy (sample + i * sort->size,
            sort->items + (gsize) ((double) sort->n_items / n * i) * sort->size, sort->size);
  g_qsort_with_data (sample, (gint) n, sort->size, sort->compare, sort->data);
  sort->splitters = g_malloc (sort->n_buckets * sort->size);
  for (guint b = 1; b < sort->n_buckets; b++)
    memcpy (sort->splitters + (b - 1) * sort->size, sample + b * SAMPLES * sort->size, sort->size);
}

/* Index of the item's bucket: the number of splitters that sort before the item or equal it. */
static guint
find_bucket (const Sort *sort,
             const char *item)
{
  return KYMO_FIND_FIRST (i, 0, sort->n_buckets - 1,
                          sort->compare (sort->splitters + i * sort->size, item, sort->data) > 0);
}

static void
classify (gpointer data,
          guint    chunk)
{
  Sort *sort = data;
  gsize *counts = sort->begins + (gsize) chunk * sort->n_buckets;

  for (gsize i = chunk_begin (sort, chunk); i < chunk_begin (sort, chunk + 1); i++)
    {
      sort->bucket[i] = (guint16) find_bucket (sort, sort->items + i * sort->size);
      counts[sort->bucket[i]]++;
    }
}

/* Counts become places: bucket by bucket, of each the chunks in their order. */
static void
find_places (Sort *sort)
{
  gsize next = 0;

  for (guint b = 0; b < sort->n_buckets; b++)
    {
      sort->bucket_begin[b] = next;
      for (guint c = 0; c < sort->n_chunks; c++)
        {
          gsize *place = &sort->begins[(gsize) c * sort->n_buckets + b];
          gsize count = *place;

          *place = next;
          next += count;
        }
    }
  sort->bucket_begin[sort->n_buckets] = next;
}

static void
throw_into_buckets (gpointer data,
                    guint    chunk)
{
  Sort *sort = data;
  gsize *places = sort->begins + (gsize) chunk * sort->n_buckets;

  for (gsize i = chunk_begin (sort, chunk); i < chunk_begin (sort, chunk + 1); i++)
    memcpy (sort->other + places[sort->bucket[i]]++ * sort->size, sort->items + i * sort->size,
            sort->size);
}

static void
sort_bucket (gpointer data,
             guint    b)
{
  Sort *sort = data;
  gsize begin = sort->bucket_begin[b] * sort->size;
  gsize n = sort->bucket_begin[b + 1] - sort->bucket_begin[b];

  g_qsort_with_data (sort->other + begin, (gint) n, sort->size, sort->compare, sort->data);
  memcpy (sort->items + begin, sort->other + begin, n * sort->size);
}

static gboolean
sort_by_buckets (Sort         *sort,
                 guint         n_threads,
                 GCancellable *cancellable)
{
  choose_splitters (sort);
  if (!kymo_share_out (sort->n_chunks, n_threads, classify, sort, cancellable))
    return FALSE;
  find_places (sort);
  return kymo_share_out (sort->n_chunks, n_threads, throw_into_buckets, sort, cancellable)
    && kymo_share_out (sort->n_buckets, n_threads, sort_bucket, sort, cancellable);
}

/**
 * kymo_share_sort:
 * @size: bytes of an item
 * @compare: a total order: no two items are equal, unless it does not matter which
 *   comes first
 * @n_threads: most threads, the caller's included; 0 = one per core
 *
 * Needs the room of the items a second time.
 *
 * Returns: %FALSE when it was cancelled; what is in @items is undefined then
 */
gboolean
kymo_share_sort (gpointer          items,
                 gsize             n_items,
                 gsize             size,
                 GCompareDataFunc  compare,
                 gpointer          data,
                 guint             n_threads,
                 GCancellable     *cancellable)
{
  Sort sort = { .items = items, .n_items = n_items, .size = size, .compare = compare,
                .data = data };
  gboolean done;

  if (n_items <= FEW_ITEMS)
    {
      if (n_items > 1)
        g_qsort_with_data (items, (gint) n_items, size, compare, data);
      return !g_cancellable_is_cancelled (cancellable);
    }
  if (is_sorted (&sort, cancellable))
    return TRUE;
  sort.n_buckets = (guint) CLAMP (n_items / (FEW_ITEMS / 2), 2, MOST_BUCKETS);
  sort.n_chunks = (guint) ((n_items + CHUNK - 1) / CHUNK);
  sort.other = g_malloc_n (n_items, size);
  sort.bucket = g_new (guint16, n_items);
  sort.begins = g_new0 (gsize, (gsize) sort.n_chunks * sort.n_buckets);
  sort.bucket_begin = g_new (gsize, sort.n_buckets + 1);
  done = sort_by_buckets (&sort, n_threads, cancellable);
  g_free (sort.other);
  g_free (sort.splitters);
  g_free (sort.bucket);
  g_free (sort.begins);
  g_free (sort.bucket_begin);
  return done;
}
