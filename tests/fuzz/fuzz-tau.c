/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a trace of TAU. The first byte chooses the form, the list of events
 * reaches to the first form feed, the rest are records.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "fuzz-mutate.h"
#include "kymo-formats.h"
#include "kymo-tau-layout.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (256) << 20)

/* -- the form of an input --------------------------------------------------- */

/* Where the records begin; 0 where there are none. */
static gsize
records_at (const guint8 *data,
            gsize         size)
{
  const guint8 *feed = size > 0 ? memchr (data + 1, '\f', size - 1) : NULL;

  return feed != NULL ? (gsize) (feed + 1 - data) : 0;
}

/* Of the input that is mutated. */
static struct
{
  gsize         records;
  KymoTauLayout layout;
} form;

static void
look (const guint8 *data,
      gsize         size)
{
  form.records = records_at (data, size);
  form.layout = KYMO_TAU_LITTLE_24;
  if (form.records > 0)
    kymo_tau_find_layout (data + form.records, size - form.records, &form.layout);
}

/* The first byte, lines, the form feed, then records of the layout that the reader finds. */
static gsize
split (const guint8 *data,
       gsize         size,
       gsize         at)
{
  gsize line;

  if (at == 0 || at + 1 == form.records)
    return 1;
  if (form.records > 0 && at >= form.records)
    return MIN (kymo_tau_layout_size (form.layout), size);
  line = fuzz_split_line (data, size, at);
  return form.records > 0 ? MIN (line, form.records - 1 - at) : line;
}

/* One field of a record: event, node, thread, parameter or time. */
static void
change_record (guint8        *record,
               KymoTauLayout  layout,
               FuzzRandom    *random)
{
  static const struct { guint8 at, n_bytes; } fields[2][5] =
  {
    { { 0, 4 }, { 4, 2 }, { 6, 2 }, { 8, 8 }, { 16, 8 } },
    { { 0, 8 }, { 8, 2 }, { 10, 2 }, { 16, 8 }, { 24, 8 } },
  };
  guint i = fuzz_below (random, G_N_ELEMENTS (fields[0])), k = layout >= KYMO_TAU_LITTLE_32;

  fuzz_change_field (record + fields[k][i].at, fields[k][i].n_bytes,
                     layout == KYMO_TAU_BIG_24 || layout == KYMO_TAU_BIG_32, random);
}

static gsize
change (guint8     *piece,
        gsize       size,
        gsize       room,
        gsize       at,
        FuzzRandom *random)
{
  if (at == 0)
    *piece ^= 1;
  if (at == 0 || at + 1 == form.records)
    return size;
  if (form.records == 0 || at < form.records)
    return fuzz_change_line (piece, size, room, at, random);
  if (size < kymo_tau_layout_size (form.layout) || fuzz_below (random, 16) == 0)
    return LLVMFuzzerMutate (piece, size, room);
  change_record (piece, form.layout, random);
  return size;
}

static const FuzzGrammar grammar = { split, change, look };
FUZZ_GRAMMAR (grammar)

/* -- what holds ------------------------------------------------------------- */

/* What is exchanged lies in blocks that there are, and what is matched is so both ways. */
static void
check_exchange (const KymoRun     *run,
                const KymoSegment *segment)
{
  const KymoExchange *x = segment->exchange;

  if (x == NULL)
    return;
  fuzz_require (x->n_sends == segment->n_sends);
  for (guint i = 0; i < x->n_receives; i++)
    {
      fuzz_require (x->receive_block[i] == KYMO_NO_BLOCK
                    || x->receive_block[i] < segment->n_blocks);
      if (x->receive_location[i] == KYMO_UNMATCHED)
        continue;
      fuzz_require (x->receive_location[i] < run->segments->len);
      fuzz_require (x->receive_send[i]
                    < ((KymoSegment *) run->segments->pdata[x->receive_location[i]])->n_sends);
    }
}

static void
check_run (KymoRun *run,
           gsize    size)
{
  gint64 n_records = 0;

  fuzz_report (run->report);
  fuzz_require (run->locations->len > 0 && run->locations->len == run->segments->len);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = run->segments->pdata[i];

      fuzz_segment (segment, run->activities->len);
      check_exchange (run, segment);
      fuzz_require (segment->span.begin_ns >= run->span.begin_ns
                    && segment->span.end_ns <= run->span.end_ns);
      n_records += segment->n_records;
      fuzz_require (i == 0 || kymo_run_peek_location (run, i - 1)->id
                    < kymo_run_peek_location (run, i)->id);
    }
  fuzz_require (run->span.begin_ns == 0 && n_records == run->n_records);
  fuzz_require (n_records * 24 <= (gint64) size * 2);
}

/* Two folders that live as long as the program: of a merged trace, and of two threads. */
static const char *
put_files (const guint8 *data,
           gsize         size,
           gsize         records)
{
  static const char *folders[2];
  gboolean threads = data[0] & 1;
  gsize n = size - records, first = MIN (n, 24);

  if (folders[threads] == NULL)
    folders[threads] = fuzz_folder ();
  fuzz_put (folders[threads], threads ? "events.0.edf" : "tau.edf", data + 1, records - 2);
  fuzz_put (folders[threads], threads ? "tautrace.0.0.0.trc" : "tau.trc", data + records, n);
  if (threads)
    fuzz_put (folders[threads], "tautrace.0.0.1.trc", data + records + first, n - first);
  return folders[threads];
}

static KymoRun *
read_run (const char *folder,
          guint       n_threads,
          gsize       size)
{
  KymoOpenOptions options = { .n_threads = n_threads, .memory_limit_bytes = MEMORY_LIMIT,
                              .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  KymoRun *run = kymo_format_tau_trace.read (folder, &options, NULL, &error);

  fuzz_require ((run == NULL) == (error != NULL));
  if (run != NULL)
    check_run (run, size);
  return run;
}

/* By several threads the same run is read. */
static void
check_again (const char *folder,
             gsize       size,
             KymoRun    *run)
{
  g_autoptr (KymoRun) again = read_run (folder, 2, size);

  fuzz_require ((run == NULL) == (again == NULL));
  if (run == NULL)
    return;
  fuzz_require (run->n_records == again->n_records && run->locations->len == again->locations->len
                && run->span.end_ns == again->span.end_ns);
  fuzz_require (fuzz_told (run->report, 0) == fuzz_told (again->report, 0));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  gsize records = records_at (data, size);
  g_autoptr (KymoRun) run = NULL;
  const char *folder;

  if (records == 0)
    return 0;
  folder = put_files (data, size, records);
  run = read_run (folder, 1, size);
  if (size % FUZZ_THREADS_IN == 0)
    check_again (folder, size, run);
  return 0;
}
