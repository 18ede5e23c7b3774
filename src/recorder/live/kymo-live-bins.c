/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-bins.h"

#include <string.h>

#include "kymo-rec-sys.h"

#define MOST_THREADS 1024       /* whose time is counted */

typedef struct Ring
{
  _Atomic uint32_t sequence;    /* odd: the thread is writing */
  _Atomic uint32_t region;      /* that it is in */
  _Atomic uint64_t since;       /* when it came there, ticks */
  uint64_t bin;                 /* to which the last time was added */
  uint64_t bin_begin, bin_end;  /* ticks */
  KymoRecThread *thread;
  KymoLiveSums *sums;           /* by region, KYMO_LIVE_MOST_REGIONS of them; NULL: no memory */
  uint32_t n_open;              /* after the last change */
  uint64_t begin;               /* ticks: of the first change */
  struct Ring *next;
  KymoLiveBin bins[KYMO_LIVE_RING];
} Ring;

static uint64_t base;           /* ticks: where bin 0 begins */
static uint64_t bin_ticks;      /* of a bin, 32 bits of them behind the point */
static _Atomic uint64_t n_taken;        /* bins that the helper has taken */
static Ring *_Atomic rings;
static _Atomic uint32_t n_rings;
static Ring no_ring;            /* of threads for which there is none */
static KymoLiveErrand _Atomic errand;

/* Where a bin begins. */
static inline uint64_t
begin_of (uint64_t bin)
{
  return base + (uint64_t) ((unsigned __int128) bin * bin_ticks >> 32);
}

static uint64_t
bin_of (uint64_t ticks)
{
  if (ticks < base)
    return 0;
  uint64_t bin = (uint64_t) (((unsigned __int128) (ticks - base) << 32) / bin_ticks);
  return begin_of (bin + 1) <= ticks ? bin + 1 : bin;
}

static void
go_to_bin (Ring     *ring,
           uint64_t  bin)
{
  KymoLiveBin *to = &ring->bins[bin % KYMO_LIVE_RING];

  ring->bin = bin;
  ring->bin_begin = begin_of (bin);
  ring->bin_end = begin_of (bin + 1);
  if (to->number != (uint32_t) bin + 1)
    {
      to->n = 0;
      __atomic_store_n (&to->number, (uint32_t) bin + 1, __ATOMIC_RELEASE);
    }
}

static inline void
add_ticks (Ring     *ring,
           uint32_t  region,
           uint64_t  ticks)
{
  KymoLiveBin *bin = &ring->bins[ring->bin % KYMO_LIVE_RING];
  uint16_t key = region < KYMO_LIVE_MOST_REGIONS ? (uint16_t) (region + 1) : 0;
  unsigned i = 0;

  while (i < bin->n && bin->regions[i] != key)
    i++;
  if (i == bin->n && i == KYMO_LIVE_SLOTS)
    {
      bin->regions[--i] = 0;
      bin->ticks[i] += (uint32_t) ticks;
      return;
    }
  if (i == bin->n)
    {
      bin->regions[i] = key;
      bin->ticks[i] = 0;
      bin->n++;
    }
  bin->ticks[i] += (uint32_t) ticks;
}

/* Adds the time from one moment to another, which lies in a later bin. */
static __attribute__ ((noinline)) void
add_long (Ring     *ring,
          uint32_t  region,
          uint64_t  from,
          uint64_t  to)
{
  uint64_t taken = atomic_load_explicit (&n_taken, memory_order_relaxed), last = bin_of (to);

  if (last >= KYMO_LIVE_RING && taken < last - KYMO_LIVE_RING + 1)
    taken = last - KYMO_LIVE_RING + 1;
  if (taken > last)
    taken = last;
  if (ring->bin < taken)
    {
      go_to_bin (ring, taken);
      from = from > ring->bin_begin ? from : ring->bin_begin;
    }
  while (to > ring->bin_end)
    {
      if (ring->bin_end > from)
        {
          add_ticks (ring, region, ring->bin_end - from);
          from = ring->bin_end;
        }
      go_to_bin (ring, ring->bin + 1);
    }
  if (to > from)
    add_ticks (ring, region, to - from);
}

static Ring *
make_ring (KymoRecThread *thread,
           uint64_t       now)
{
  uint32_t depth = kymo_rec_self.depth++;
  Ring *ring = atomic_fetch_add (&n_rings, 1) < MOST_THREADS
               ? kymo_sys_map (sizeof *ring, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;

  kymo_rec_self.depth = depth;
  if (ring == NULL)
    {
      thread->live = &no_ring;
      return &no_ring;
    }
  ring->thread = thread;
  ring->begin = now;
  ring->region = KYMO_LIVE_NO_REGION;
  /* Of the program's memory only the pages of regions that occur are taken. */
  ring->sums = kymo_sys_map (KYMO_LIVE_MOST_REGIONS * sizeof *ring->sums,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  thread->live = ring;
  ring->next = atomic_load (&rings);
  while (!atomic_compare_exchange_weak (&rings, &ring->next, ring))
    ;
  return ring;
}

/* The sums of a region; those that are too many share the last ones. */
static inline KymoLiveSums *
sums_of (const Ring *ring,
         uint32_t    region)
{
  return &ring->sums[region < KYMO_LIVE_MOST_REGIONS ? region : KYMO_LIVE_MOST_REGIONS - 1];
}

static inline uint32_t
open_region (const KymoRecThread *thread,
             uint32_t             depth)
{
  return thread->open[depth < KYMO_REC_MOST_OPEN ? depth : KYMO_REC_MOST_OPEN - 1].region;
}

/* Whether a call is the outermost of its region, so that its time counts. */
static inline bool
is_outermost (const KymoRecThread *thread,
              uint32_t             depth)
{
  uint32_t region = open_region (thread, depth);

  if (depth >= KYMO_REC_MOST_OPEN)
    return false;
  for (uint32_t i = 0; i < depth; i++)
    if (thread->open[i].region == region)
      return false;
  return true;
}

static inline void
count_change (Ring                *ring,
              const KymoRecThread *thread,
              uint64_t             now)
{
  for (; ring->n_open < thread->n_open; ring->n_open++)
    {
      sums_of (ring, open_region (thread, ring->n_open))->calls++;
      if (ring->n_open > 0)
        sums_of (ring, open_region (thread, ring->n_open - 1))->subcalls++;
    }
  while (ring->n_open > thread->n_open)
    {
      uint32_t depth = --ring->n_open;
      if (!is_outermost (thread, depth))
        continue;
      uint64_t since = thread->open[depth].time;
      since = since > ring->begin ? since : ring->begin;
      if (now > since)
        sums_of (ring, open_region (thread, depth))->inclusive += now - since;
    }
}

static __attribute__ ((noinline)) void
do_errand (KymoRecThread *thread,
           uint64_t       now)
{
  KymoLiveErrand what = atomic_exchange (&errand, NULL);

  if (what != NULL)
    what (thread, now);
}

/* A thread has entered or left a region. */
static void
switch_region (KymoRecThread *thread,
               uint64_t       now)
{
  Ring *ring = thread->live;
  uint32_t next = KYMO_LIVE_NO_REGION;

  if (__builtin_expect (ring == NULL, 0))
    ring = make_ring (thread, now);
  if (__builtin_expect (ring == &no_ring, 0))
    return;
  if (thread->n_open > 0)
    next = thread->open[thread->n_open <= KYMO_REC_MOST_OPEN ? thread->n_open - 1
                        : KYMO_REC_MOST_OPEN - 1].region;
  uint32_t sequence = atomic_load_explicit (&ring->sequence, memory_order_relaxed);
  uint32_t region = atomic_load_explicit (&ring->region, memory_order_relaxed);
  uint64_t since = atomic_load_explicit (&ring->since, memory_order_relaxed);
  atomic_store_explicit (&ring->sequence, sequence + 1, memory_order_relaxed);
  atomic_thread_fence (memory_order_release);
  if (since < base)
    since = base;
  if (now > since)
    {
      if (region != KYMO_LIVE_NO_REGION && ring->sums != NULL)
        sums_of (ring, region)->exclusive += now - since;
      if (region == KYMO_LIVE_NO_REGION)
        ;
      else if (__builtin_expect (since >= ring->bin_begin && now <= ring->bin_end, 1))
        add_ticks (ring, region, now - since);
      else
        {
          if (since < ring->bin_begin || since >= ring->bin_end)
            go_to_bin (ring, bin_of (since));
          add_long (ring, region, since, now);
        }
      atomic_store_explicit (&ring->since, now, memory_order_relaxed);
    }
  atomic_store_explicit (&ring->region, next, memory_order_relaxed);
  if (ring->sums != NULL)
    count_change (ring, thread, now);
  atomic_store_explicit (&ring->sequence, sequence + 2, memory_order_release);
  if (__builtin_expect (atomic_load_explicit (&errand, memory_order_relaxed) != NULL, 0)
      && thread->number == 0)
    do_errand (thread, now);
}

/**
 * kymo_live_bins_start: begins to count. Only once; threads are counted from their next change.
 * @base_ticks: where bin 0 begins
 * @ticks_per_ns: of the clock of kymo_rec_now()
 */
void
kymo_live_bins_start (uint64_t base_ticks,
                      double   ticks_per_ns)
{
  base = base_ticks;
  bin_ticks = (uint64_t) (ticks_per_ns * KYMO_LIVE_BIN_NS * 4294967296.0);
  atomic_thread_fence (memory_order_seq_cst);
  __atomic_store_n (&kymo_rec_switched, switch_region, __ATOMIC_RELEASE);
}

/**
 * kymo_live_bins_ticks: ticks of a bin, rounded.
 */
uint64_t
kymo_live_bins_ticks (void)
{
  return (bin_ticks + (1u << 31)) >> 32;
}

static void
add_to_second (KymoLiveSecond *second,
               unsigned        at,
               uint16_t        region,
               uint64_t        ticks)
{
  unsigned i = 0, n = second->n[at];

  while (i < n && second->regions[i][at] != region)
    i++;
  if (i == n && n == KYMO_LIVE_MOST_IN_BIN)
    i--;
  else if (i == n)
    {
      second->regions[i][at] = region;
      second->ticks[i][at] = 0;
      second->n[at]++;
    }
  second->ticks[i][at] += ticks;
}

/* Copies a bin, empty if the thread was in nothing there. */
static void
copy_bin (const Ring  *ring,
          uint64_t     number,
          KymoLiveBin *bin)
{
  const KymoLiveBin *from = &ring->bins[number % KYMO_LIVE_RING];

  bin->n = 0;
  if (__atomic_load_n (&from->number, __ATOMIC_ACQUIRE) != (uint32_t) number + 1)
    return;
  memcpy (bin, from, sizeof *bin);
  atomic_thread_fence (memory_order_acquire);
  /* The thread may have come round, if the helper did not get on for seconds. */
  if (__atomic_load_n (&from->number, __ATOMIC_RELAXED) != (uint32_t) number + 1
      || bin->n > KYMO_LIVE_SLOTS)
    bin->n = 0;
}

/* What a thread has published, with the bin in which that began. */
typedef struct
{
  uint32_t region;
  uint64_t since, bin;
  KymoLiveBin open;
} Published;

static bool
read_published (const Ring *ring,
                Published  *published)
{
  for (unsigned i = 0; i < 1000; i++)
    {
      uint32_t before = atomic_load_explicit (&ring->sequence, memory_order_acquire);
      if ((before & 1) != 0)
        {
          /* It was interrupted in the middle, perhaps for long. */
          if (i % 16 == 15)
            syscall (SYS_sched_yield);
          continue;
        }
      published->region = atomic_load_explicit (&ring->region, memory_order_relaxed);
      published->since = atomic_load_explicit (&ring->since, memory_order_relaxed);
      published->bin = bin_of (published->since);
      copy_bin (ring, published->bin, &published->open);
      atomic_thread_fence (memory_order_acquire);
      if (atomic_load_explicit (&ring->sequence, memory_order_relaxed) == before)
        return true;
    }
  return false;
}

static void
take_bin (KymoLiveSecond    *second,
          unsigned           at,
          const KymoLiveBin *bin,
          uint32_t           more_region,
          uint64_t           more_ticks)
{
  uint64_t sum = more_ticks;

  for (unsigned i = 0; i < bin->n; i++)
    {
      add_to_second (second, at, bin->regions[i], bin->ticks[i]);
      sum += bin->ticks[i];
    }
  if (more_ticks > 0)
    add_to_second (second, at,
                   more_region < KYMO_LIVE_MOST_REGIONS ? (uint16_t) (more_region + 1) : 0,
                   more_ticks);
  second->n_threads[at] += sum > 0;
}

static void
take_ring (const Ring     *ring,
           KymoLiveSecond *second,
           uint64_t        first,
           unsigned        at,
           unsigned        n_bins)
{
  Published now;
  KymoLiveBin bin;
  bool known = read_published (ring, &now);

  for (unsigned i = 0; i < n_bins; i++)
    {
      uint64_t number = first + i, begin = begin_of (number), end = begin_of (number + 1);
      uint64_t more = 0;
      if (known && now.region != KYMO_LIVE_NO_REGION && now.since < end)
        more = end - (now.since > begin ? now.since : begin);
      if (known && number > now.bin)
        bin.n = 0;
      else if (known && number == now.bin)
        bin = now.open;
      else
        copy_bin (ring, number, &bin);
      take_bin (second, at + i, &bin, now.region, more);
    }
}

/**
 * kymo_live_bins_take: takes bins that are over out of the rings of all threads.
 * @second: where they are added
 * @first_bin: the first of them; the next call goes on behind the last
 * @at: which bin of @second that is
 */
void
kymo_live_bins_take (KymoLiveSecond *second,
                     uint64_t        first_bin,
                     unsigned        at,
                     unsigned        n_bins)
{
  for (const Ring *ring = atomic_load (&rings); ring != NULL; ring = ring->next)
    take_ring (ring, second, first_bin, at, n_bins);
  atomic_store_explicit (&n_taken, first_bin + n_bins, memory_order_relaxed);
}

/**
 * kymo_live_bins_sums: messages that all threads have sent so far, and their bytes.
 */
void
kymo_live_bins_sums (uint64_t *n_messages,
                     uint64_t *n_bytes)
{
  *n_messages = *n_bytes = 0;
  for (const Ring *ring = atomic_load (&rings); ring != NULL; ring = ring->next)
    {
      *n_messages += __atomic_load_n (&ring->thread->n_messages, __ATOMIC_RELAXED);
      *n_bytes += __atomic_load_n (&ring->thread->n_message_bytes, __ATOMIC_RELAXED);
    }
}

/* Adds what is open to a copy of the sums of a region. */
static void
add_open (const Ring   *ring,
          uint32_t      region,
          uint64_t      now,
          KymoLiveSums *sums)
{
  const KymoRecThread *thread = ring->thread;

  for (uint32_t i = 0; i < ring->n_open && i < KYMO_REC_MOST_OPEN; i++)
    if (thread->open[i].region == region)
      {
        uint64_t since = thread->open[i].time;
        since = since > ring->begin ? since : ring->begin;
        sums->inclusive += now > since ? now - since : 0;
        return;
      }
}

/* The thread goes on meanwhile: a region is copied while it does not change. */
static bool
copy_sums (const Ring   *ring,
           uint32_t      region,
           KymoLiveSums *sums)
{
  for (unsigned i = 0; i < 1000; i++)
    {
      uint32_t before = atomic_load_explicit (&ring->sequence, memory_order_acquire);
      if ((before & 1) == 0)
        {
          uint64_t now = kymo_rec_now ();
          uint64_t since = atomic_load_explicit (&ring->since, memory_order_relaxed);
          *sums = *sums_of (ring, region);
          if (atomic_load_explicit (&ring->region, memory_order_relaxed) == region && now > since)
            sums->exclusive += now - (since > base ? since : base);
          add_open (ring, region, now, sums);
          atomic_thread_fence (memory_order_acquire);
          if (atomic_load_explicit (&ring->sequence, memory_order_relaxed) == before)
            return true;
        }
      if (i % 16 == 15)
        syscall (SYS_sched_yield);
    }
  return false;
}

/**
 * kymo_live_profile: what all threads did in all regions since the stream began.
 * @visit: is given what was called or took time, thread by thread
 * @data: for @visit
 */
void
kymo_live_profile (KymoLiveProfileVisit  visit,
                   void                 *data)
{
  const char *name;
  int role, paradigm;
  uint32_t n_regions = 0;

  while (n_regions < KYMO_LIVE_MOST_REGIONS
         && kymo_rec_region_look (n_regions, &name, &role, &paradigm))
    n_regions++;
  for (const Ring *ring = atomic_load (&rings); ring != NULL; ring = ring->next)
    for (uint32_t region = 0; ring->sums != NULL && region < n_regions; region++)
      {
        KymoLiveSums sums;
        if (copy_sums (ring, region, &sums) && (sums.calls > 0 || sums.exclusive > 0))
          visit (ring->thread->number, region, &sums, data);
      }
}

/**
 * kymo_live_where: in which region a thread is.
 * @thread: number of its event file
 * @region: (out): the innermost
 * @since: (out): when it came there, ticks
 *
 * Returns: FALSE if it is in none, or not known
 */
bool
kymo_live_where (uint32_t  thread,
                 uint32_t *region,
                 uint64_t *since)
{
  Published now;

  for (const Ring *ring = atomic_load (&rings); ring != NULL; ring = ring->next)
    if (ring->thread->number == thread)
      {
        if (!read_published (ring, &now) || now.region == KYMO_LIVE_NO_REGION)
          return false;
        *region = now.region;
        *since = now.since;
        return true;
      }
  return false;
}

/**
 * kymo_live_send_errand: has the main thread do something at its next call that is followed,
 * within the recorder. A former errand that was not done yet is forgotten.
 */
void
kymo_live_send_errand (KymoLiveErrand what)
{
  atomic_store (&errand, what);
}
