/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kymo-live-store.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kymo-live-key.h"
#include "kymo-rec-sys.h"

#define KEPT_BYTES (KYMO_LIVE_KEPT * sizeof (KymoLiveKept))
#define CARRY_BYTES ((KYMO_LIVE_OTHER + 1) * sizeof (uint32_t))
#define STS_BYTES (2u << 20)            /* more than all names take */
#define NOTHING (-13.37)                /* of the handler of doubles */

enum { DETAIL, DOUBLES, BYTES };

/**
 * kymo_live_store_init: makes a store without blocks.
 * @n_processes: of the job
 *
 * Returns: FALSE if there is no memory
 */
bool
kymo_live_store_init (KymoLiveStore *store,
                      uint32_t       n_processes)
{
  memset (store, 0, sizeof *store);
  store->n_processes = n_processes;
  store->kept = kymo_sys_map (KEPT_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  store->carry = kymo_sys_map (CARRY_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  store->sts = kymo_sys_map (STS_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  store->sts_room = STS_BYTES;
  store->n_named = UINT32_MAX;
  return store->kept != NULL && store->carry != NULL && store->sts != NULL;
}

/**
 * kymo_live_store_clear: frees everything but the store itself.
 */
void
kymo_live_store_clear (KymoLiveStore *store)
{
  if (store->kept != NULL)
    kymo_sys_unmap (store->kept, KEPT_BYTES);
  if (store->carry != NULL)
    kymo_sys_unmap (store->carry, CARRY_BYTES);
  if (store->sts != NULL)
    kymo_sys_unmap (store->sts, STS_BYTES);
  memset (store, 0, sizeof *store);
}

/* -- names and values as text ------------------------------------------------- */

static size_t __attribute__ ((format (printf, 4, 5)))
append (char       *text,
        size_t      at,
        size_t      room,
        const char *format,
        ...)
{
  va_list values;

  if (at >= room)
    return at;
  va_start (values, format);
  int n = vsnprintf (text + at, room - at, format, values);
  va_end (values);
  return n < 0 || at + (size_t) n >= room ? at : at + (size_t) n;
}

/* An .sts as Charm++ writes it; lines ROLE are Kymo's, and others pass over them. */
static void
write_names (KymoLiveStore       *store,
             const KymoLiveNames *names)
{
  char *text = store->sts;
  size_t room = store->sts_room;
  size_t n = append (text, 0, room, "PROCESSORS %u\nTOTAL_CHARES 0\nTOTAL_EPS %u\n",
                     store->n_processes, names->n + 1);

  for (uint32_t i = 0; i <= names->n; i++)
    {
      bool rest = i == names->n;
      uint32_t id = rest ? KYMO_LIVE_OTHER_REST : i;
      char name[KYMO_LIVE_MOST_NAME + 1];
      snprintf (name, sizeof name, "%s", rest ? "other than compute" : names->names[i].name);
      for (char *c = name; *c != '\0'; c++)
        if (*c == '"')
          *c = '\'';
      n = append (text, n, room, "ENTRY CHARE %u \"%s\" -1 0\nROLE %u %s\n", id, name, id,
                  kymo_live_role_word (kymo_live_names_role (names, (uint16_t) id)));
    }
  store->n_sts = append (text, n, room, "END\n");
  store->n_named = names->n;
}

/**
 * kymo_live_store_scalars: writes the values of a block.
 * @text: (out): lines `NAME UNIT N SUM LEAST RANK MOST RANK`, and `idlest` and `busiest` with pairs
 *   of rank and load
 *
 * Returns: bytes of the text
 */
size_t
kymo_live_store_scalars (const KymoLiveStore *store,
                         const KymoLiveHead  *head,
                         char                *text,
                         size_t               room)
{
  static const char *const kinds[KYMO_LIVE_N_SCALARS] = {
    "load ppm", "memory B", "page-faults #", "run-delay ns", "messages #", "message-bytes B",
    "pressure-cpu ppm", "pressure-memory ppm", "pressure-io ppm", "network-received B",
    "network-sent B",
  };
  size_t n = append (text, 0, room, "second %llu\nprocesses %u %u\n",
                     (unsigned long long) head->number, head->n_processes, store->n_processes);

  for (unsigned i = 0; i < KYMO_LIVE_N_SCALARS; i++)
    {
      const KymoLiveScalar *scalar = &head->scalars[i];
      if (scalar->n > 0)
        n = append (text, n, room, "%s %u %lld %lld %u %lld %u\n", kinds[i], scalar->n,
                    (long long) scalar->sum, (long long) scalar->least, scalar->least_rank,
                    (long long) scalar->most, scalar->most_rank);
    }
  for (unsigned list = 0; list < 2; list++)
    {
      const KymoLiveExtreme *entries = list == 0 ? head->idlest : head->busiest;
      n = append (text, n, room, list == 0 ? "idlest" : "busiest");
      for (uint32_t i = 0; i < head->n_extreme; i++)
        n = append (text, n, room, " %u %u", entries[i].rank, entries[i].load);
      n = append (text, n, room, "\n");
    }
  return n;
}

/* -- blocks ------------------------------------------------------------------- */

/* How much of each bin is compute. */
static void
sum_busy (const KymoLiveMerge *merge,
          const KymoLiveNames *names,
          uint16_t            *busy)
{
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      uint64_t sum = 0;
      for (unsigned i = 0; i < merge->n[bin]; i++)
        if (kymo_live_names_role (names, merge->ids[i][bin]) == KYMO_LIVE_COMPUTE)
          sum += merge->sums[i][bin];
      sum = merge->weight > 0 ? sum / merge->weight : 0;
      busy[bin] = (uint16_t) (sum < KYMO_LIVE_WHOLE ? sum : KYMO_LIVE_WHOLE);
    }
}

/* A second of which nothing is known. */
static void
keep_empty (KymoLiveStore *store,
            uint64_t       number)
{
  KymoLiveKept *kept = &store->kept[number % KYMO_LIVE_KEPT];

  kept->n_bytes = (uint32_t) kymo_live_empty_ccs (store->n_processes, kept->bytes);
  kept->n_given = 0;
  memset (kept->busy, 0, sizeof kept->busy);
  memset (&kept->head, 0, sizeof kept->head);
  kept->head.number = number;
}

/**
 * kymo_live_store_add: keeps a block of the job.
 *
 * Returns: how it is kept; valid until KYMO_LIVE_KEPT more came. NULL if its second is over
 */
const KymoLiveKept *
kymo_live_store_add (KymoLiveStore       *store,
                     const KymoLiveMerge *merge,
                     const KymoLiveNames *names)
{
  uint64_t number = merge->head.number;

  if (number < store->n_blocks)
    return NULL;
  if (number > store->n_blocks + KYMO_LIVE_KEPT)
    store->n_blocks = number - KYMO_LIVE_KEPT;
  while (store->n_blocks < number)
    keep_empty (store, store->n_blocks++);
  if (store->n_named != names->n)
    write_names (store, names);
  KymoLiveKept *kept = &store->kept[number % KYMO_LIVE_KEPT];
  keep_empty (store, number);
  if (merge->weight > 0)
    {
      kept->n_bytes = (uint32_t) kymo_live_merge_write_ccs (merge, names, store->carry,
                                                            kept->bytes);
      sum_busy (merge, names, kept->busy);
      kept->head = merge->head;
      kept->head.n_processes = merge->weight;
    }
  store->n_blocks++;
  return kept;
}

/* -- handlers ----------------------------------------------------------------- */

/* The oldest block that is kept. */
static uint64_t
find_oldest (const KymoLiveStore *store)
{
  return store->n_blocks > KYMO_LIVE_KEPT ? store->n_blocks - KYMO_LIVE_KEPT : 0;
}

static void
answer_detail (KymoLiveStore  *store,
               KymoLiveAnswer *answer)
{
  uint64_t number = store->next[DETAIL];

  if (number >= store->n_blocks)
    {
      memset (answer->head, 0, 4);
      answer->n_head = 4;
      return;
    }
  store->next[DETAIL]++;
  if (number < find_oldest (store))
    {
      answer->n_head = kymo_live_empty_ccs (store->n_processes, answer->head);
      return;
    }
  KymoLiveKept *kept = &store->kept[number % KYMO_LIVE_KEPT];
  answer->bytes = kept->bytes;
  answer->n_bytes = kept->n_bytes;
  kept->n_given++;
}

/**
 * kymo_live_store_is_wanted: whether clients that got earlier blocks have not got the last one yet.
 */
bool
kymo_live_store_is_wanted (const KymoLiveStore *store)
{
  uint32_t n_followers = 0;

  for (uint64_t i = 2; i <= 4 && i <= store->n_blocks; i++)
    {
      uint32_t n = store->kept[(store->n_blocks - i) % KYMO_LIVE_KEPT].n_given;
      n_followers = n > n_followers ? n : n_followers;
    }
  return store->n_blocks > 0
         && store->kept[(store->n_blocks - 1) % KYMO_LIVE_KEPT].n_given < n_followers;
}

/* Busy time of a second, as the older handlers of Charm++ tell it. */
static void
answer_summary (KymoLiveStore  *store,
                unsigned        which,
                KymoLiveAnswer *answer)
{
  uint64_t number = store->next[which];
  static const double nothing = NOTHING;

  if (number >= store->n_blocks)
    {
      answer->n_head = which == DOUBLES ? sizeof nothing : 1;
      answer->head[0] = 255;
      if (which == DOUBLES)
        memcpy (answer->head, &nothing, sizeof nothing);
      return;
    }
  store->next[which]++;
  const KymoLiveKept *kept = number < find_oldest (store)
                             ? NULL : &store->kept[number % KYMO_LIVE_KEPT];
  for (unsigned bin = 0; bin < KYMO_LIVE_BINS; bin++)
    {
      double busy = kept != NULL ? (double) kept->busy[bin] / KYMO_LIVE_WHOLE : 0;
      if (which == BYTES)
        answer->head[bin] = (uint8_t) (busy * 200);
      else
        {
          busy *= 0.001 * store->n_processes;
          memcpy (answer->head + 8 * bin, &busy, 8);
        }
    }
  answer->n_head = which == DOUBLES ? 8 * KYMO_LIVE_BINS : KYMO_LIVE_BINS;
}

/* The block of the wanted number, behind three numbers: of the block that is there (or would be
 * next), of the oldest that is kept, and how many there were. */
static void
answer_number (KymoLiveStore  *store,
               const uint8_t  *data,
               size_t          n_data,
               bool            scalars,
               KymoLiveAnswer *answer)
{
  uint64_t numbers[3] = { 0, find_oldest (store), store->n_blocks };

  if (n_data >= 8)
    memcpy (&numbers[0], data, 8);
  if (numbers[0] < numbers[1])
    numbers[0] = numbers[1];
  if (numbers[0] > numbers[2])
    numbers[0] = numbers[2];
  memcpy (answer->head, numbers, sizeof numbers);
  answer->n_head = sizeof numbers;
  if (numbers[0] >= numbers[2])
    return;
  KymoLiveKept *kept = &store->kept[numbers[0] % KYMO_LIVE_KEPT];
  kept->n_given += !scalars;
  if (scalars)
    answer->n_head += kymo_live_store_scalars (store, &kept->head,
                                               (char *) answer->head + sizeof numbers,
                                               sizeof answer->head - sizeof numbers);
  else
    {
      answer->bytes = kept->bytes;
      answer->n_bytes = kept->n_bytes;
    }
}

/* Processes, then the PEs of each, highest byte first. A job with very many is told as one process
 * with as many PEs. */
static void
answer_info (const KymoLiveStore *store,
             KymoLiveAnswer      *answer)
{
  uint32_t n = store->n_processes;

  if (4 * ((size_t) n + 1) > sizeof answer->head)
    {
      kymo_live_put_32 (answer->head, 1);
      kymo_live_put_32 (answer->head + 4, n);
      answer->n_head = 8;
      return;
    }
  kymo_live_put_32 (answer->head, n);
  for (uint32_t i = 1; i <= n; i++)
    kymo_live_put_32 (answer->head + 4 * i, 1);
  answer->n_head = 4 * ((size_t) n + 1);
}

/* The first two bytes are numbers of the interface of a debugger; here they say that handlers of
 * Kymo are there. Then: 64 bits, byte order, sizes of int, long, long long and bool. */
static void
answer_arch (KymoLiveAnswer *answer)
{
  const uint16_t one = 1;
  const uint8_t bytes[8] = { 'K', KYMO_LIVE_PROTOCOL, sizeof (void *) == 8 ? 2 : 1,
                             *(const uint8_t *) &one == 1 ? 1 : 2,
                             sizeof (int), sizeof (long), sizeof (long long), 1 };

  memcpy (answer->head, bytes, sizeof bytes);
  answer->n_head = sizeof bytes;
}

/**
 * kymo_live_store_answer:
 * @handler: which a client asks
 * @data: what it sent with its request
 * @answer: (out): empty for an unknown handler
 *
 * Returns: whether the handler is known
 */
bool
kymo_live_store_answer (KymoLiveStore  *store,
                        const char     *handler,
                        const uint8_t  *data,
                        size_t          n_data,
                        KymoLiveAnswer *answer)
{
  answer->n_head = answer->n_bytes = 0;
  answer->bytes = NULL;
  if (strcmp (handler, "CkPerfSumDetail compressed") == 0)
    answer_detail (store, answer);
  else if (strcmp (handler, "CkPerfSummaryCcsClientCB") == 0)
    answer_summary (store, DOUBLES, answer);
  else if (strcmp (handler, "CkPerfSummaryCcsClientCB uchar") == 0)
    answer_summary (store, BYTES, answer);
  else if (strcmp (handler, "ccs_getinfo") == 0)
    answer_info (store, answer);
  else if (strcmp (handler, "debug/converse/arch") == 0)
    answer_arch (answer);
  else if (strcmp (handler, "kymo/record block") == 0)
    answer_number (store, data, n_data, false, answer);
  else if (strcmp (handler, "kymo/record values") == 0)
    answer_number (store, data, n_data, true, answer);
  else if (strcmp (handler, "kymo/record names") == 0)
    {
      answer->bytes = (const uint8_t *) store->sts;
      answer->n_bytes = store->n_sts;
    }
  else
    return false;
  return true;
}
