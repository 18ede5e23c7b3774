/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a fuzz target over a folder of inputs, with an ordinary compiler: so
 * that what fuzzing once found stays found. Each input is also cut and
 * repeated, which costs little and reaches the ends of buffers.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>

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

/* Of the cuts one in so many is tried, where a run takes long. */
static guint step = 1;

static void
replay (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  LLVMFuzzerTestOneInput ((const guint8 *) bytes, size);
  for (gsize cut = 0; cut < MIN (size, 400); cut += step)
    LLVMFuzzerTestOneInput ((const guint8 *) bytes, size - cut);
}

static void
test_corpus (gconstpointer folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  for (; (name = g_dir_read_name (dir)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_test_message ("%s", name);
      replay (path);
    }
  g_assert_cmpuint (n, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc < 2)
    g_error ("usage: %s CORPUS [STEP]", argv[0]);
  if (argc > 2)
    step = CLAMP (atoi (argv[2]), 1, 400);
  g_test_add_data_func ("/fuzz/corpus", argv[1], test_corpus);
  return g_test_run ();
}
