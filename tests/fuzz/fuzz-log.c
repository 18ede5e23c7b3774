/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a text log. The first byte chooses the version; each line
 * is read or told.
 */
#include "config.h"

#include "fuzz-mutate.h"
#include "fuzz.h"

static gsize
split (const guint8 *data,
       gsize         size,
       gsize         at)
{
  return at == 0 ? 1 : fuzz_split_line (data, size, at);
}

static const FuzzGrammar grammar = { split, fuzz_change_line };
FUZZ_GRAMMAR (grammar)

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  if (size > 0)
    fuzz_read_log (data + 1, size - 1, data[0] - '0');
  return 0;
}
