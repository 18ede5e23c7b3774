/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a fuzz target over its inputs, which are packed as TARGET.tar.gz (run.sh), with an
 * ordinary compiler: so that what fuzzing once found stays found. Each input is also cut and
 * repeated, which costs little and reaches the ends of buffers.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <zlib.h>

#include "fuzz-mutate.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Grammars of targets name libFuzzer's own mutation; nothing is mutated here. */
gsize
LLVMFuzzerMutate (guint8 *data,
                  gsize   size,
                  gsize   room)
{
  return size;
}

/* Of a tar archive. */
#define BLOCK 512
#define AT_SIZE 124
#define AT_TYPE 156

/* Of the cuts one in so many is tried, where a run takes long. */
static guint step = 1;

static void
replay (const guint8 *bytes,
        gsize         size)
{
  LLVMFuzzerTestOneInput (bytes, size);
  for (gsize cut = 0; cut < MIN (size, 400); cut += step)
    LLVMFuzzerTestOneInput (bytes, size - cut);
}

/* Plain files, each behind a head of one block, and filled up to whole blocks. */
static void
test_corpus (gconstpointer path)
{
  gzFile file = gzopen (path, "rb");
  char head[BLOCK + 1] = "";
  guint n = 0;

  g_assert_nonnull (file);
  for (; gzread (file, head, BLOCK) == BLOCK && *head != '\0'; n++)
    {
      gsize size = g_ascii_strtoull (head + AT_SIZE, NULL, 8);
      g_autofree guint8 *bytes = g_malloc (MAX (size, 1));

      g_assert_cmpint (head[AT_TYPE], ==, '0');
      g_assert_cmpint (gzread (file, bytes, size), ==, size);
      gzseek (file, (BLOCK - size % BLOCK) % BLOCK, SEEK_CUR);
      g_test_message ("%.100s", head);
      replay (bytes, size);
    }
  g_assert_cmpint (gzclose (file), ==, Z_OK);
  g_assert_cmpuint (n, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc < 2)
    g_error ("usage: %s CORPUS.tar.gz [STEP]", argv[0]);
  if (argc > 2)
    step = CLAMP (atoi (argv[2]), 1, 400);
  g_test_add_data_func ("/fuzz/corpus", argv[1], test_corpus);
  return g_test_run ();
}
