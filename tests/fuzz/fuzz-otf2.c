/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libFuzzer target: OTF2 archives, all files of one in an input. A file is a byte that says
 * which (0 the anchor, 1 the definitions, then events and definitions of locations 0, 1, …
 * by turns), its length in two bytes, the lower one first, and its bytes; the last one may
 * be cut. The library of the format wants paths, so they lie in a folder for so long.
 */
#include "config.h"

#include "fuzz.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "kymo-format.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (64) << 20)
#define N_FILES 18
#define SHARED_MEMORY "/dev/shm"

static char *folder;

static char *
dup_path (guint which)
{
  if (which < 2)
    return g_strdup_printf ("%s/traces.%s", folder, which == 0 ? "otf2" : "def");
  return g_strdup_printf ("%s/traces/%u.%s", folder, which / 2 - 1, which % 2 == 0 ? "evt" : "def");
}

static void
remove_files (void)
{
  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofree char *path = dup_path (i);

      g_unlink (path);
    }
}

static void
remove_folder (void)
{
  g_autofree char *inner = g_build_filename (folder, "traces", NULL);

  remove_files ();
  g_rmdir (inner);
  g_rmdir (folder);
}

/* In memory, where that is a folder. */
static void
make_folder (void)
{
  g_autofree char *inner = NULL;

  folder = g_file_test (SHARED_MEMORY, G_FILE_TEST_IS_DIR)
    ? g_mkdtemp (g_strdup (SHARED_MEMORY "/kymo-fuzz-XXXXXX"))
    : g_dir_make_tmp ("kymo-fuzz-XXXXXX", NULL);
  fuzz_require (folder != NULL);
  inner = g_build_filename (folder, "traces", NULL);
  fuzz_require (g_mkdir (inner, 0700) == 0);
  atexit (remove_folder);
}

static void
unpack (const guint8 *data,
        gsize         size)
{
  while (size >= 3)
    {
      gsize n = MIN (size - 3, data[1] | (gsize) data[2] << 8);
      g_autofree char *path = dup_path (data[0] % N_FILES);
      FILE *file = fopen (path, "wb");

      fuzz_require (file != NULL && fwrite (data + 3, 1, n, file) == n);
      fclose (file);
      data += 3 + n;
      size -= 3 + n;
    }
}

/* Members are rows of the run, each once, in order; places lie within. */
static void
check_collectives (const KymoRun *run)
{
  for (guint i = 0; run->collectives != NULL && i < run->collectives->list->len; i++)
    {
      const KymoCollective *one = &g_array_index (run->collectives->list, KymoCollective, i);

      fuzz_require (one->activity < run->activities->len);
      fuzz_require (one->n_members > 0
                    && one->first + one->n_members <= run->collectives->members->len);
      fuzz_require (one->root >= -1 && one->root < (gint) run->locations->len);
      for (guint k = 0; k < one->n_members; k++)
        {
          const KymoCollectiveMember *member = kymo_collective_member (run->collectives, one, k);

          fuzz_require (member->location < run->locations->len
                        && member->begin_ns <= member->end_ns);
        }
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
      fuzz_require (segment->span.begin_ns >= 0);
    }
  check_collectives (run);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;

  if (folder == NULL)
    make_folder ();
  unpack (data, size);
  run = kymo_format_otf2.read (folder, &options, NULL, &error);
  remove_files ();
  fuzz_require ((run == NULL) == (error != NULL));
  if (run != NULL)
    check_run (run);
  return 0;
}
