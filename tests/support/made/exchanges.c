/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "exchanges.h"

#include "kymo-segment-builder.h"

#define US 1000

typedef struct
{
  const ExchangesStory *story;
  GRand                *rand;
  KymoSegmentBuilder  **builders;       /* by location */
  gint64               *clocks_ns;      /* by rank */
  Exchanges            *out;
} Teller;

static gint64
length (Teller *teller,
        guint   most)
{
  return g_rand_int_range (teller->rand, 1, most + 1) * US;
}

/* A function with one of its records in the middle, which is later than a time: so
   what receives waits now and then. */
static void
call (Teller            *teller,
      guint              location,
      ExchangesFunction  function,
      ExchangesEnd      *end,
      gint64             after_ns)
{
  guint rank = location / teller->story->n_threads;
  KymoSegmentBuilder *b = teller->builders[location];
  gint64 offset_ns = rank == 1 ? -teller->story->offset_ns : 0;
  gint64 *clock_ns = &teller->clocks_ns[rank];
  gint64 begin_ns = *clock_ns, middle_ns = MAX (begin_ns, after_ns) + length (teller, 20);
  gint64 end_ns = middle_ns + length (teller, 20);

  *clock_ns = end_ns;
  kymo_segment_builder_touch (b, begin_ns + offset_ns);
  kymo_segment_builder_begin_block (b, begin_ns + offset_ns, function, -1, -1, 0, NULL);
  if (end != NULL)
    {
      end->location = location;
      end->time_ns = middle_ns + offset_ns;
      end->begin_ns = begin_ns + offset_ns;
      end->end_ns = end_ns + offset_ns;
      end->activity = function;
      kymo_segment_builder_touch (b, end->time_ns);
      if (function == EXCHANGES_SEND)
        kymo_segment_builder_send_to (b, end->time_ns, end->bytes, end->partner, end->tag,
                                      end->comm);
      else
        kymo_segment_builder_receive (b, end->time_ns, end->bytes, end->partner, end->tag,
                                      end->comm);
    }
  kymo_segment_builder_touch (b, end_ns + offset_ns);
  kymo_segment_builder_end_block (b, end_ns + offset_ns);
}

static guint
some_thread (Teller *teller,
             guint   rank)
{
  return rank * teller->story->n_threads
    + g_rand_int_range (teller->rand, 0, teller->story->n_threads);
}

static gboolean
is_lost (Teller *teller)
{
  return (guint) g_rand_int_range (teller->rand, 0, 100) < teller->story->lost;
}

static void
tell_message (Teller *teller)
{
  guint from = g_rand_int_range (teller->rand, 0, teller->story->n_ranks);
  guint to = g_rand_int_range (teller->rand, 0, teller->story->n_ranks);
  guint n_tags = teller->story->n_tags, n_comms = teller->story->n_comms;
  gint32 tag = g_rand_int_range (teller->rand, 0, n_tags > 0 ? n_tags : 4);
  guint32 comm = n_comms > 0 ? tag % n_comms + 1 : 0;
  gint64 bytes = 1 << g_rand_int_range (teller->rand, 0, 20);
  ExchangesEnd send = { .rank = from, .partner = to, .tag = tag, .comm = comm, .bytes = bytes,
                        .other = -1 };
  ExchangesEnd receive = { .rank = to, .partner = from, .tag = tag, .comm = comm, .bytes = bytes,
                           .other = -1 };

  call (teller, some_thread (teller, from), EXCHANGES_COMPUTE, NULL, 0);
  if (!is_lost (teller))
    {
      call (teller, some_thread (teller, from), EXCHANGES_SEND, &send, 0);
      g_array_append_val (teller->out->sends, send);
    }
  if (!is_lost (teller))
    {
      call (teller, some_thread (teller, to), EXCHANGES_RECEIVE, &receive,
            teller->clocks_ns[from]);
      g_array_append_val (teller->out->receives, receive);
    }
}

static gboolean
is_channel (const ExchangesEnd *send,
            const ExchangesEnd *receive)
{
  return send->rank == receive->partner && send->partner == receive->rank
    && send->tag == receive->tag && send->comm == receive->comm;
}

/* The clock of a rank is that of all its threads and never stands still, so that
   both lists are in order of time. */
static void
match_all (Exchanges *exchanges)
{
  for (guint i = 0; i < exchanges->receives->len; i++)
    {
      ExchangesEnd *receive = &g_array_index (exchanges->receives, ExchangesEnd, i);

      for (guint k = 0; k < exchanges->sends->len && receive->other < 0; k++)
        {
          ExchangesEnd *send = &g_array_index (exchanges->sends, ExchangesEnd, k);

          if (send->other >= 0 || !is_channel (send, receive))
            continue;
          send->other = i;
          receive->other = k;
        }
    }
}

static void
add_location (Teller *teller,
              guint   i)
{
  guint rank = i / teller->story->n_threads, thread = i % teller->story->n_threads;
  KymoLocation location = { .id = i, .process = rank, .place = -1, .kept = TRUE };
  KymoRepairs repairs;

  location.label = teller->story->n_threads == 1 ? g_strdup_printf ("rank %u", rank)
    : g_strdup_printf ("rank %u, thread %u", rank, thread);
  kymo_run_add_location (teller->out->run, &location,
                         kymo_segment_builder_seal (teller->builders[i], 1, FALSE, &repairs));
  kymo_segment_builder_free (teller->builders[i]);
}

static KymoRun *
new_run (const ExchangesStory *story)
{
  static const char *const names[] = { "main", "compute", "MPI_Send()", "MPI_Recv()" };
  KymoRun *run = kymo_run_new ();

  run->format = g_strdup ("made");
  run->title = g_strdup ("exchanges");
  run->terms = (KymoTerms) { story->n_threads > 1 ? KYMO_ROW_THREAD : KYMO_ROW_RANK,
                             KYMO_CODE_FUNCTION };
  run->n_locations_original = story->n_ranks * story->n_threads;
  for (guint i = 0; i < EXCHANGES_N_FUNCTIONS; i++)
    {
      kymo_run_add_activity (run, KYMO_ACTIVITY_FUNCTION, i, names[i], NULL, NULL);
      g_array_index (run->activities, KymoActivity, i).role
        = i < EXCHANGES_SEND ? KYMO_ROLE_COMPUTE : KYMO_ROLE_COMMUNICATION;
    }
  return run;
}

/**
 * exchanges_new:
 *
 * Returns: (transfer full): the same for the same story
 */
Exchanges *
exchanges_new (const ExchangesStory *story)
{
  guint n = story->n_ranks * story->n_threads;
  g_autoptr (GRand) rand = g_rand_new_with_seed (story->seed);
  g_autofree KymoSegmentBuilder **builders = g_new (KymoSegmentBuilder *, n);
  g_autofree gint64 *clocks_ns = g_new (gint64, story->n_ranks);
  Exchanges *exchanges = g_new0 (Exchanges, 1);
  Teller teller = { story, rand, builders, clocks_ns, exchanges };

  exchanges->run = new_run (story);
  exchanges->sends = g_array_new (FALSE, FALSE, sizeof (ExchangesEnd));
  exchanges->receives = g_array_new (FALSE, FALSE, sizeof (ExchangesEnd));
  for (guint i = 0; i < story->n_ranks; i++)
    clocks_ns[i] = 10 * US + story->offset_ns;
  for (guint i = 0; i < n; i++)
    {
      builders[i] = kymo_segment_builder_new (i, EXCHANGES_N_FUNCTIONS);
      kymo_segment_builder_set_unit (builders[i], US);
      kymo_segment_builder_touch (builders[i], 0);
      kymo_segment_builder_begin_block (builders[i], 0, EXCHANGES_MAIN, -1, -1, 0, NULL);
    }
  for (guint i = 0; i < story->n_messages; i++)
    tell_message (&teller);
  for (guint i = 0; i < n; i++)
    add_location (&teller, i);
  match_all (exchanges);
  kymo_run_match_exchanges (exchanges->run, 1, NULL);
  kymo_run_seal (exchanges->run);
  return exchanges;
}

void
exchanges_free (Exchanges *exchanges)
{
  kymo_run_unref (exchanges->run);
  g_array_unref (exchanges->sends);
  g_array_unref (exchanges->receives);
  g_free (exchanges);
}
