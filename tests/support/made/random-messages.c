/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "random-messages.h"

#include "kymo-segment-builder.h"

#define N_ENTRIES 4
#define N_SENDS 90

static guint32
entry_of (gint source,
          gint event)
{
  return (guint) (source * 3 + event) % N_ENTRIES;
}

/* One in six names a send that is not there, one in six another entry method. */
static void
begin_block (GRand              *rand,
             KymoSegmentBuilder *builder,
             gint64              time)
{
  gint source = g_rand_int_range (rand, 0, MESSAGES_N_LOCATIONS);
  gint event = g_rand_int_range (rand, 0, N_SENDS * 6 / 5);
  guint32 entry = entry_of (source, event);

  if (g_rand_int_range (rand, 0, 6) == 0)
    entry = (entry + 1) % N_ENTRIES;
  kymo_segment_builder_begin_block (builder, time, entry, source, event,
                                    (guint) g_rand_int_range (rand, 1, 1000), NULL);
}

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, N_ENTRIES);
  gint64 time = g_rand_int_range (rand, 0, 400);
  KymoRepairs repairs;
  KymoSegment *segment;
  gint event = 0;

  kymo_segment_builder_touch (builder, time);
  for (guint i = 0; i < MESSAGES_N_BLOCKS; i++)
    {
      time += g_rand_int_range (rand, 1, 60);
      begin_block (rand, builder, time);
      for (gint k = g_rand_int_range (rand, 0, 4); k > 0 && event < N_SENDS; k--, event++)
        {
          time += g_rand_int_range (rand, 1, 20);
          kymo_segment_builder_touch (builder, time);
          kymo_segment_builder_send (builder, time, KYMO_SEND_ONE,
                                     entry_of ((gint) location, event), event, 100, 1);
        }
      time += g_rand_int_range (rand, 1, 20);
      kymo_segment_builder_touch (builder, time);
      kymo_segment_builder_end_block (builder, time);
    }
  segment = kymo_segment_builder_seal (builder, 200, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

KymoRun *
random_messages (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("entry %u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (guint i = 0; i < MESSAGES_N_LOCATIONS; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE };

      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = MESSAGES_N_LOCATIONS;
  kymo_run_seal (run);
  return run;
}
