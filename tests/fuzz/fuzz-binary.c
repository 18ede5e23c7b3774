/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a log of the binary form. The first byte chooses the
 * version; a header is put before the rest.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "fuzz-mutate.h"
#include "kymo-projections-record.h"

/* The layout by which the input is read, of the order of bytes by which it is decoded. */
static KymoLogLayout *
layout_of (guint8   table,
           gboolean swap)
{
  static KymoLogLayout layouts[FUZZ_N_TABLES];
  static gboolean made[FUZZ_N_TABLES];
  guint n_activities, i = (guint) (table - '0') % FUZZ_N_TABLES;

  if (!made[i])
    kymo_log_layout_init (&layouts[i], fuzz_table (i, &n_activities));
  made[i] = TRUE;
  layouts[i].swap = swap;
  return &layouts[i];
}

/* A record; a byte where there is none. */
static gsize
split (const guint8 *data,
       gsize         size,
       gsize         at)
{
  KymoLogRecord record;

  for (gboolean swap = FALSE; at > 0 && swap <= TRUE; swap++)
    {
      gssize n = kymo_binary_decode (layout_of (*(data - at), swap), data, size, &record);

      if (n > 0)
        return n;
    }
  return 1;
}

/* The fields of a record are of 2, 4 and 8 bytes, behind the type and without padding. */
static gsize
change (guint8     *piece,
        gsize       size,
        gsize       room,
        gsize       at,
        FuzzRandom *random)
{
  guint width = 2u << fuzz_below (random, 3);

  if (size < width + 2 || fuzz_below (random, 8) == 0)
    return LLVMFuzzerMutate (piece, size, room);
  if (fuzz_below (random, 8) == 0)
    *piece = fuzz_below (random, 34);
  else
    fuzz_change_field (piece + 1 + 2 * fuzz_below (random, (size - 2 - width) / 2 + 1), width,
                       fuzz_below (random, 2), random);
  return size;
}

static const FuzzGrammar grammar = { split, change };
FUZZ_GRAMMAR (grammar)

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const guint8 header[] = { 9, 0, 0, 0 };
  g_autofree guint8 *log = g_malloc (size + sizeof header);

  if (size == 0)
    return 0;
  memcpy (log, header, sizeof header);
  memcpy (log + sizeof header, data + 1, size - 1);
  fuzz_read_log (log, size - 1 + sizeof header, data[0] - '0');
  return 0;
}
