/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a trace of TAU. The first byte chooses the form, the list of events
 * reaches to the first form feed, the rest are records.
 */
#include "config.h"

#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "kymo-format.h"
#include "kymo-tau-layout.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (256) << 20)

static void
write_file (const char *folder,
            const char *name,
            const void *bytes,
            gsize       size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  FILE *file = fopen (path, "wb");

  fuzz_require (file != NULL && fwrite (bytes, 1, size, file) == size);
  fuzz_require (fclose (file) == 0);
}

/* Two folders that live as long as the program: of a merged trace, and of two threads. */
static const char *
make_folder (guint form)
{
  static char *folders[2];

  if (folders[form] == NULL)
    folders[form] = g_dir_make_tmp ("kymo-fuzz-XXXXXX", NULL);
  fuzz_require (folders[form] != NULL);
  return folders[form];
}

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
      n_records += segment->n_records;
      fuzz_require (i == 0 || kymo_run_peek_location (run, i - 1)->id
                    < kymo_run_peek_location (run, i)->id);
    }
  fuzz_require (run->span.begin_ns == 0 && n_records == run->n_records);
  fuzz_require (n_records * 24 <= (gint64) size * 2);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KymoOpenOptions options = { .n_threads = 2, .memory_limit_bytes = MEMORY_LIMIT,
                              .no_cache = TRUE };
  const guint8 *feed = size > 0 ? memchr (data + 1, '\f', size - 1) : NULL;
  const char *folder;
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;
  gsize n;

  if (feed == NULL)
    return 0;
  folder = make_folder (data[0] & 1);
  n = data + size - feed - 1;
  write_file (folder, data[0] & 1 ? "events.0.edf" : "tau.edf", data + 1, feed - data - 1);
  write_file (folder, data[0] & 1 ? "tautrace.0.0.0.trc" : "tau.trc", feed + 1, n);
  if (data[0] & 1)
    write_file (folder, "tautrace.0.0.1.trc", feed + 1 + MIN (n, 24), n - MIN (n, 24));
  run = kymo_format_tau_trace.read (folder, &options, NULL, &error);
  fuzz_require ((run == NULL) == (error != NULL));
  if (run != NULL)
    check_run (run, size);
  return 0;
}
