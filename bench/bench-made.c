/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data: runs in files, made by kymo-make-run, and the large run, made in
 * memory by the builder that the readers use. The same numbers every time.
 */
#include "config.h"


#include "bench.h"
#include "kymo-segment-builder.h"

#define N_ACTIVITIES 24
#define US 1000
#define GAP_PERCENT 42

/* What was written that short before is not kept in the cache. */
#define SETTLE_US 100000

/**
 * bench_make_run:
 * @name: of a folder within bench->folder
 * @folder: (out) (transfer full): where it lies
 */
void
bench_make_run (const Bench  *bench,
                const char   *name,
                gint64        n_pes,
                gint64        n_records,
                gboolean      gzip,
                char        **folder)
{
  g_autofree char *pes = g_strdup_printf ("%" G_GINT64_FORMAT, n_pes);
  g_autofree char *records = g_strdup_printf ("%" G_GINT64_FORMAT, n_records);
  const char *command[] = { bench->maker, "--pes", pes, "--records", records, NULL, NULL, NULL };

  *folder = g_build_filename (bench->folder, name, NULL);
  command[5] = *folder;
  command[6] = gzip ? "--gzip" : NULL;
  bench_process (command, NULL);
  g_usleep (SETTLE_US);
}

/* splitmix64, by Sebastiano Vigna (public domain). */
static guint64
next_random (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static gint64
below (guint64 *state,
       guint    n)
{
  return (gint64) ((next_random (state) >> 32) * n >> 32);
}

/* As in recordings of fine-grained programs: the half is a microsecond long or
   less, a few are a thousand times that. */
static gint64
block_length (guint64 *random)
{
  gint64 kind = below (random, 100);

  return kind < 30 ? 0 : kind < 70 ? 1 + below (random, 3) : kind < 90 ? 4 + below (random, 36)
    : kind < 98 ? 40 + below (random, 360) : 400 + below (random, 1600);
}

/* One location: blocks of what is done in this part of the run, gaps of
   overhead, idle time, now and then a block within a block. */
static KymoSegment *
make_segment (guint  location,
              gint64 n_blocks)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ACTIVITIES);
  guint64 random = location * G_GUINT64_CONSTANT (1000003) + 1;
  gint64 us = 1000 + below (&random, 50);
  KymoRepairs repairs;
  KymoSegment *segment;

  kymo_segment_builder_touch (builder, us * US);
  for (gint64 i = 0; i < n_blocks; i++)
    {
      gint64 part = i * 8 / MAX (n_blocks, 1), length = block_length (&random);
      guint32 activity = (part * 3 + below (&random, 4)) % N_ACTIVITIES;
      KymoObject object = { { location % 32, i % 4, 0 }, 2 };
      gboolean nests = length > 8 && below (&random, 32) == 0 && i + 1 < n_blocks;

      us += below (&random, 100) < GAP_PERCENT;
      kymo_segment_builder_begin_block (builder, us * US, activity, location ^ 1, i, 96, &object);
      if (nests)
        {
          kymo_segment_builder_begin_block (builder, (us + length / 4) * US,
                                            (activity + 1) % N_ACTIVITIES, location, i, 96,
                                            &object);
          kymo_segment_builder_end_block (builder, (us + length / 2) * US);
          i++;
        }
      us += length;
      kymo_segment_builder_end_block (builder, us * US);
      if (below (&random, 16) > 0)
        continue;
      kymo_segment_builder_set_idle (builder, (us + 1) * US, TRUE);
      us += 10 + below (&random, 300);
      kymo_segment_builder_set_idle (builder, us * US, FALSE);
    }
  kymo_segment_builder_touch (builder, us * US);
  segment = kymo_segment_builder_seal (builder, 2 * n_blocks + 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

typedef struct
{
  KymoSegment **segments;
  gint64        n_each;
} Making;

static void
make_one (gpointer data,
          gpointer user_data)
{
  Making *making = user_data;
  guint location = GPOINTER_TO_UINT (data) - 1;

  making->segments[location] = make_segment (location, making->n_each);
}

/**
 * bench_make_large:
 *
 * Returns: (transfer full): n_large_pes locations with n_intervals blocks
 */
KymoRun *
bench_make_large (const Bench *bench)
{
  KymoRun *run = kymo_run_new ();
  g_autofree KymoSegment **segments = g_new0 (KymoSegment *, bench->n_large_pes);
  Making making = { segments, MAX (bench->n_intervals / bench->n_large_pes, 1) };
  GThreadPool *pool = g_thread_pool_new (make_one, &making, g_get_num_processors (), TRUE, NULL);

  for (gint64 i = 0; i < bench->n_large_pes; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  run->title = g_strdup ("large");
  run->path = g_strdup ("/");
  run->format = g_strdup ("made");
  for (guint i = 0; i < N_ACTIVITIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("Cell::method_%u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, "Cell");
    }
  for (gint64 i = 0; i < bench->n_large_pes; i++)
    {
      KymoLocation location = { .id = i, .process = i, .kept = TRUE };

      location.label = g_strdup_printf ("PE %" G_GINT64_FORMAT, i);
      kymo_run_add_location (run, &location, segments[i]);
    }
  run->n_locations_original = bench->n_large_pes;
  kymo_run_seal (run);
  return run;
}
