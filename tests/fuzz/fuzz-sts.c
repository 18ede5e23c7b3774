/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: the file with the names. What it makes must be safe to
 * read a log with.
 */
#include "config.h"

#include "fuzz-mutate.h"
#include "fuzz.h"

static const FuzzGrammar grammar = FUZZ_LINES;
FUZZ_GRAMMAR (grammar)

static void
check_table (const KymoSts *sts,
             KymoRun       *run)
{
  fuzz_require (sts->n_pes >= 0);
  fuzz_require (sts->n_entries <= 2 * KYMO_STS_MAX_ENTRY_ID);
  for (guint i = 0; i < sts->n_entries; i++)
    fuzz_require (sts->entries[i].activity == G_MAXUINT32
                  || sts->entries[i].activity < run->activities->len);
  for (guint i = run->activities->len % 8; i < KYMO_STS_N_EVENT_IDS; i += 8)
    fuzz_require (sts->events[i] == G_MAXUINT32 || sts->events[i] < run->activities->len);
  fuzz_require (sts->unknown_entry < run->activities->len);
  fuzz_require (sts->unknown_event < run->activities->len);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (KymoRun) run = kymo_run_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoSts) sts = kymo_sts_read (fuzz_file (data, size), "fuzz.sts", run, NULL,
                                           &error);

  fuzz_require ((sts == NULL) == (error != NULL));
  fuzz_report (run->report);
  for (guint i = 0; i < run->activities->len; i++)
    fuzz_require (g_utf8_validate (kymo_run_peek_activity (run, i)->name, -1, NULL));
  if (sts != NULL)
    check_table (sts, run);
  return 0;
}
