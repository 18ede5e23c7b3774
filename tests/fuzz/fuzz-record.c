/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: the raw folder of one recorded process. An input is its definitions, a byte 0,
 * a byte of choices, and its events: chunks of 4,096 bytes, before which a header is put, or with
 * choice 1 a whole file. Choice 2 is a ring, choice 4 another byte order, choice 8 samples beside
 * the events.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include <glib/gstdio.h>

#include "kymo-formats.h"
#include "kymo-raw.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (64) << 20)

enum
{
  WHOLE_FILE = 1,
  RING = 2,
  SWAPPED = 4,
  SAMPLES = 8,
};

static void
put_events (const char   *folder,
            const char   *name,
            guint         choices,
            const guint8 *data,
            gsize         size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  KymoRawHeader header = { KYMO_RAW_MAGIC, KYMO_RAW_BYTE_ORDER, 1, 4096, 0, 1, 1,
                           choices & RING ? KYMO_RAW_RING : 0, 0, 0 };

  if (choices & SWAPPED)
    {
      header.byte_order = GUINT32_SWAP_LE_BE (header.byte_order);
      header.version = GUINT32_SWAP_LE_BE (header.version);
      header.chunk_bytes = GUINT32_SWAP_LE_BE (header.chunk_bytes);
      header.flags = GUINT32_SWAP_LE_BE (header.flags);
    }
  if (!(choices & WHOLE_FILE))
    {
      g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
      g_byte_array_set_size (bytes, KYMO_RAW_HEADER_BYTES);
      memset (bytes->data + sizeof header, 0, KYMO_RAW_HEADER_BYTES - sizeof header);
    }
  g_byte_array_append (bytes, data, (guint) size);
  fuzz_put (folder, name, bytes->data, bytes->len);
}

static void
check_series (const KymoRun *run)
{
  for (guint i = 0; i < run->series->len; i++)
    {
      const KymoSeries *series = &g_array_index (run->series, KymoSeries, i);

      fuzz_require (series->of != NULL && series->name != NULL && series->unit != NULL);
      for (guint k = 1; k < series->n; k++)
        fuzz_require (series->times_ns[k - 1] <= series->times_ns[k]);
    }
}

static void
check_run (KymoRun *run)
{
  fuzz_report (run->report);
  fuzz_require (run->locations->len > 0);
  for (guint i = 0; i < run->segments->len; i++)
    {
      KymoSegment *segment = g_ptr_array_index (run->segments, i);

      fuzz_segment (segment, run->activities->len);
      fuzz_require (segment->span.begin_ns >= 0 && segment->span.end_ns <= run->span.end_ns);
    }
  for (guint i = 0; i < run->environment->len; i++)
    fuzz_require (strchr (g_array_index (run->environment, KymoFact, i).key, '.') != NULL);
  check_series (run);
}

static const char *folder;

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT,
                              .no_cache = TRUE };
  const guint8 *zero = size > 0 ? memchr (data, 0, size) : NULL;
  gsize n_text = zero != NULL ? (gsize) (zero - data) : size;
  g_autofree char *process = NULL;
  guint choices = n_text + 1 < size ? data[n_text + 1] : 0;
  gsize at = MIN (n_text + 2, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;

  if (folder == NULL)
    folder = fuzz_folder ();
  process = g_build_filename (folder, "raw", "host.1", NULL);
  g_mkdir_with_parents (process, 0700);
  fuzz_put (process, "definitions", data, n_text);
  put_events (process, "thread-0", choices, data + at, size - at);
  if (choices & SAMPLES)
    put_events (process, "system-0", choices, data + at, size - at);
  run = kymo_format_record.read (folder, &options, NULL, &error);
  fuzz_require ((run == NULL) == (error != NULL));
  if (run != NULL)
    check_run (run);
  fuzz_clean (folder);
  return 0;
}
