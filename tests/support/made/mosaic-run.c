/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mosaic-run.h"

#include "kymo-run-index.h"
#include "kymo-segment-builder.h"

/* Levels from the first piece on, merged ones from two rows on, tiny chunks:
   several storeys, and chunks that the run begins and ends in. */
static const KymoMosaicLimits tiny = { 1, 1 << 20, 2, 2, 6, 1e9, 500 };

static KymoSegment *
random_segment (GRand *rand,
                guint  location)
{
  KymoSegmentBuilder *builder = kymo_segment_builder_new (location, MOSAIC_N_ENTRIES);
  gint64 time = g_rand_int_range (rand, 0, 4000) - 700;
  gint n = g_rand_int_range (rand, 0, 3) == 0 ? g_rand_int_range (rand, 0, 6)
    : g_rand_int_range (rand, 100, 900);
  KymoRepairs repairs;
  KymoSegment *segment;
  guint depth = 0;

  kymo_segment_builder_touch (builder, time);
  for (gint i = 0; i < n; i++)
    {
      static const gint64 steps[] = { 0, 0, 1, 3, 16, 64, 100, 900 };
      gint move = g_rand_int_range (rand, 0, 10);

      time += steps[g_rand_int_range (rand, 0, G_N_ELEMENTS (steps))];
      if (move < 5 && depth < 3)
        kymo_segment_builder_begin_block (builder, time,
                                          g_rand_int_range (rand, 0, MOSAIC_N_ENTRIES), 0,
                                          -1, 0, NULL);
      else if (move < 8 && depth > 0)
        kymo_segment_builder_end_block (builder, time);
      else if (depth == 0)
        kymo_segment_builder_set_idle (builder, time, move == 9);
      depth += move < 5 && depth < 3 ? 1 : move >= 5 && move < 8 && depth > 0 ? -1 : 0;
    }
  kymo_segment_builder_touch (builder, time + g_rand_int_range (rand, 1, 50));
  segment = kymo_segment_builder_seal (builder, n + 2, FALSE, &repairs);
  kymo_segment_builder_free (builder);
  return segment;
}

KymoRun *
mosaic_random_run (guint32 seed,
                   guint   n_locations)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("random");
  run->title = g_strdup ("random");
  for (guint i = 0; i < MOSAIC_N_ENTRIES; i++)
    {
      g_autofree char *name = g_strdup_printf ("entry %u", i);

      kymo_run_add_activity (run, KYMO_ACTIVITY_ENTRY, i, name, NULL, NULL);
    }
  for (guint i = 0; i < n_locations; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("PE %u", i), .kept = TRUE,
                                .process = i / 3, .place = -1 };

      location.kind = i + 2 < n_locations || n_locations < 5 ? KYMO_LOCATION_WORKER
        : KYMO_LOCATION_COMM;
      kymo_run_add_location (run, &location, random_segment (rand, i));
    }
  run->n_locations_original = n_locations;
  kymo_run_seal (run);
  run->index->limits = tiny;
  /* Every other run is slow to walk over. */
  if (seed % 2 > 0)
    run->index->limits.most_steps = 1e9;
  return run;
}

void
mosaic_add_pieces (const KymoSegment *segment,
                   KymoSpan           span,
                   gint64            *ns)
{
  for (guint i = 0; i < segment->n_pieces; i++)
    {
      KymoSpan piece = { kymo_segment_piece_begin (segment, i),
                         kymo_segment_piece_begin (segment, i + 1) };

      ns[segment->piece_state[i]] += kymo_span_length (kymo_span_intersect (piece, span));
    }
}

/* Rank of a state: the order that decides between equals. */
static guint
rank (guint state)
{
  return state >= KYMO_STATE_ACTIVITY ? state : 1000 + state;
}

guint32
mosaic_brute_cell (const KymoRun *run,
                   const gint64  *locations,
                   guint          n,
                   KymoSpan       span)
{
  gint64 ns[KYMO_STATE_ACTIVITY + MOSAIC_N_ENTRIES] = { 0 };
  guint best = 0;

  for (guint i = 0; i < n; i++)
    mosaic_add_pieces (g_ptr_array_index (run->segments, locations[i]), span, ns);
  for (guint state = 1; state < G_N_ELEMENTS (ns); state++)
    if (ns[state] > ns[best] || (ns[state] == ns[best] && rank (state) < rank (best)))
      best = state;
  return ns[best] == 0 ? KYMO_NO_CELL
    : kymo_pack_cell (best, ns[best], kymo_span_length (span) * n);
}
