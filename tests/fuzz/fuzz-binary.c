/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: a log of the binary form. The first byte chooses the
 * version; a header is put before the rest.
 */
#include "config.h"

#include "fuzz.h"

#include <string.h>

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
