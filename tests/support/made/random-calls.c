/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "random-calls.h"

#include "kymo-segment-builder.h"

const char *const random_calls_names[RANDOM_CALLS_N_ACTIVITIES] =
  { "main", "fib", "loop", "send", "main" };
static const char *const groups[RANDOM_CALLS_N_ACTIVITIES] =
  { "USER", "USER", "USER|TAU_PHASE", "MPI", "USER" };

KymoSegment *
random_calls_segment (GRand    *random,
                      guint     location,
                      gboolean  counted,
                      guint     n,
                      guint     marks)
{
  KymoSegmentBuilder *b = kymo_segment_builder_new (location, RANDOM_CALLS_N_ACTIVITIES);
  gint64 t = g_rand_int_range (random, 0, 100), total = 0;
  guint depth = 0, phase = 0;
  KymoRepairs repairs;
  KymoSegment *segment;

  if (counted)
    kymo_segment_builder_set_n_counters (b, 1);
  kymo_segment_builder_touch (b, t);
  for (guint i = 0; i < n; i++)
    {
      t += g_rand_int_range (random, 0, 20);
      kymo_segment_builder_touch (b, t);
      if (depth < 6 && g_rand_int_range (random, 0, 9) < 5)
        {
          kymo_segment_builder_begin_block (b, t,
                                            g_rand_int_range (random, 0, RANDOM_CALLS_N_ACTIVITIES),
                                            0,
                                            g_rand_int_range (random, -3, 4), 8, NULL);
          if (counted)
            kymo_segment_builder_begin_counters (b, &total);
          total += g_rand_int_range (random, 0, 50);
          depth++;
        }
      else if (depth > 0)
        {
          if (counted)
            kymo_segment_builder_end_counters (b, &total);
          kymo_segment_builder_end_block (b, t);
          depth--;
        }
      else
        kymo_segment_builder_set_idle (b, t, g_rand_boolean (random));
      if (marks > 0 && g_rand_int_range (random, 0, marks) == 0)
        kymo_segment_builder_point (b, &(KymoPoint) { t, t, KYMO_POINT_PHASE, 0, 0, G_MAXUINT32,
                                                      ++phase });
      if (g_rand_int_range (random, 0, 5) == 0)
        kymo_segment_builder_point (b, &(KymoPoint) { t, t, KYMO_POINT_USER_VALUE, 0, 0,
                                                      G_MAXUINT32, 3, 0,
                                                      { g_rand_int_range (random, 0, 9) } });
    }
  segment = kymo_segment_builder_seal (b, n, FALSE, &repairs);
  kymo_segment_builder_free (b);
  return segment;
}

KymoRun *
random_calls_new (guint n_locations)
{
  KymoRun *run = kymo_run_new ();

  run->title = g_strdup ("random");
  run->format = g_strdup ("hand");
  run->n_locations_original = n_locations;
  for (guint i = 0; i < RANDOM_CALLS_N_ACTIVITIES; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, random_calls_names[i], NULL, "USER");
  return run;
}

void
random_calls_add (KymoRun     *run,
                  guint        i,
                  KymoSegment *segment)
{
  KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i), .kept = TRUE };

  kymo_run_add_location (run, &location, segment);
}

KymoRun *
random_calls_run (guint    seed,
                  gboolean phases)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();
  gboolean counted = seed % 3 == 0;
  guint n = g_rand_int_range (random, 1, 6);

  run->title = g_strdup ("random");
  run->format = g_strdup ("hand");
  run->n_locations_original = n;
  if (counted)
    g_ptr_array_add (run->metrics, g_strdup ("PAPI_FP_OPS"));
  for (guint i = 0; i < RANDOM_CALLS_N_ACTIVITIES; i++)
    kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, random_calls_names[i], NULL,
                           phases ? groups[i] : "USER");
  for (guint i = 0; i < n; i++)
    random_calls_add (run, i, random_calls_segment (random, i, counted,
                                                    g_rand_int_range (random, 0, 150), 0));
  kymo_run_seal (run);
  return run;
}
