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
#include <string.h>

#include "fuzz-mutate.h"
#include "kymo-formats.h"

#define MEMORY_LIMIT (G_GINT64_CONSTANT (64) << 20)
#define N_FILES 18

static const char *folder;

static char *
dup_name (guint which)
{
  if (which < 2)
    return g_strdup_printf ("traces.%s", which == 0 ? "otf2" : "def");
  return g_strdup_printf ("traces/%u.%s", which / 2 - 1, which % 2 == 0 ? "evt" : "def");
}

/* -- the form of an input --------------------------------------------------- */

#define CHUNK_HEAD 18
#define CHUNK_BEGINS 3
#define TIMESTAMP 5
#define LONG_RECORD 0xff

/* Of a file: the head of a chunk, a time, or a record: its type, its length in one byte or
   after 0xff in eight, and its fields. */
static gsize
split_records (const guint8 *data,
               gsize         size,
               gsize         at)
{
  if (data[0] == CHUNK_BEGINS)
    return MIN (size, CHUNK_HEAD);
  if (data[0] < TIMESTAMP || size < 2)
    return 1;
  if (data[0] == TIMESTAMP)
    return MIN (size, 9);
  return MIN (size, data[1] == LONG_RECORD ? 10 : 2 + (gsize) data[1]);
}

/* The first of the fields of a record, each its number of bytes and these, 0xff where it is
   not defined; then the length of the record is set right. */
static gsize
change_fields (guint8     *record,
               gsize       size,
               gsize       room,
               FuzzRandom *random)
{
  gsize at = 2;

  for (guint skip = fuzz_below (random, 8); skip > 0 && at < size; skip--)
    at += record[at] <= 8 ? 1 + record[at] : 1;
  if (at >= size)
    at = 2;
  if (record[at] == 0 || record[at] > 8 || at + 1 + record[at] > size)
    record[at] = record[at] == 0 ? LONG_RECORD : 0;
  else
    for (guint width = 8; width > 0; width /= 2)
      if (record[at] >= width)
        {
          fuzz_change_field (record + at + 1, width, FALSE, random);
          break;
        }
  return size;
}

static gsize
change_record (guint8     *piece,
               gsize       size,
               gsize       room,
               gsize       at,
               FuzzRandom *random)
{
  gsize n;

  if (piece[0] == TIMESTAMP && size == 9)
    {
      fuzz_change_field (piece + 1, 8, FALSE, random);
      return size;
    }
  if (piece[0] <= TIMESTAMP || size < 3 || piece[1] == LONG_RECORD
      || fuzz_below (random, 16) == 0)
    return LLVMFuzzerMutate (piece, size, room);
  if (fuzz_below (random, 8) == 0)
    {
      *piece = 10 + fuzz_below (random, 90);
      return size;
    }
  if (fuzz_below (random, 4) > 0)
    return change_fields (piece, size, room, random);
  n = LLVMFuzzerMutate (piece + 2, size - 2, MIN (room - 2, LONG_RECORD - 1));
  piece[1] = n;
  return n + 2;
}

static const FuzzGrammar records = { split_records, change_record };

/* The anchor is no list of records. */
static const FuzzGrammar *
grammar_of (guint number)
{
  return number == 0 ? NULL : &records;
}

static const FuzzFiles files = { N_FILES, grammar_of };
FUZZ_FILES (files)

/* -- what holds ------------------------------------------------------------- */

static void
make_folder (void)
{
  g_autofree char *inner = NULL;

  folder = fuzz_folder ();
  inner = g_build_filename (folder, "traces", NULL);
  fuzz_require (g_mkdir (inner, 0700) == 0);
}

/* Of a file that comes twice the last one counts; those that do not come are no more. */
static void
unpack (const guint8 *data,
        gsize         size)
{
  static gboolean was[N_FILES];
  gboolean is[N_FILES] = { FALSE };

  while (size >= FUZZ_FILE_HEAD)
    {
      gsize n = fuzz_split_file (data, size, 0);
      guint which = data[0] % N_FILES;
      g_autofree char *name = dup_name (which);

      fuzz_put (folder, name, data + FUZZ_FILE_HEAD, n - FUZZ_FILE_HEAD);
      is[which] = TRUE;
      data += n;
      size -= n;
    }
  for (guint i = 0; i < N_FILES; i++)
    if (was[i] && !is[i])
      {
        g_autofree char *name = dup_name (i);
        g_autofree char *path = g_build_filename (folder, name, NULL);

        g_unlink (path);
      }
  memcpy (was, is, sizeof was);
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
      fuzz_require (segment->span.begin_ns >= 0
                    && segment->span.end_ns <= run->span.end_ns);
    }
  check_collectives (run);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KymoOpenOptions options = { .n_threads = 1, .memory_limit_bytes = MEMORY_LIMIT,
                              .no_cache = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KymoRun) run = NULL;

  if (folder == NULL)
    make_folder ();
  unpack (data, size);
  run = kymo_format_otf2.read (folder, &options, NULL, &error);
  fuzz_require ((run == NULL) == (error != NULL));
  if (run != NULL)
    check_run (run);
  return 0;
}
