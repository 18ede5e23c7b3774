/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "program.h"

static const struct { const char *name; KymoRole role; } functions[PROGRAM_N_FUNCTIONS] = {
  { "main", KYMO_ROLE_COMPUTE }, { "MPI_Send()", KYMO_ROLE_COMMUNICATION },
  { "MPI_Recv()", KYMO_ROLE_COMMUNICATION }, { "MPI_Isend()", KYMO_ROLE_COMMUNICATION },
  { "MPI_Waitall()", KYMO_ROLE_WAIT }, { "MPI_Barrier()", KYMO_ROLE_SYNCHRONIZATION },
  { "!$omp barrier @solve.c:12", KYMO_ROLE_SYNCHRONIZATION }, { "solve", KYMO_ROLE_COMPUTE },
};

void
program_init (Program *p,
              guint    n)
{
  *p = (Program) { kymo_run_new (), .n = n };
  p->run->format = g_strdup ("hand");
  p->run->terms = (KymoTerms) { KYMO_ROW_RANK, KYMO_CODE_FUNCTION };
  for (guint i = 0; i < PROGRAM_N_FUNCTIONS; i++)
    {
      kymo_run_add_activity (p->run, KYMO_ACTIVITY_FUNCTION, i, functions[i].name, NULL, NULL);
      g_array_index (p->run->activities, KymoActivity, i).role = functions[i].role;
    }
  for (guint i = 0; i < n; i++)
    {
      p->builder[i] = kymo_segment_builder_new (i, PROGRAM_N_FUNCTIONS);
      p->process[i] = i;
      kymo_segment_builder_touch (p->builder[i], 0);
    }
}

void
program_begin (Program *p,
               guint    rank,
               gint64   time_ns,
               guint32  function)
{
  kymo_segment_builder_begin_block (p->builder[rank], time_ns, function, 0, -1, 0, NULL);
}

void
program_leave (Program *p,
               guint    rank,
               gint64   time_ns)
{
  kymo_segment_builder_end_block (p->builder[rank], time_ns);
}

void
program_call (Program *p,
              guint    rank,
              guint32  function,
              gint64   begin_ns,
              gint64   end_ns,
              gint     send_to,
              gint     receive_from)
{
  program_begin (p, rank, begin_ns, function);
  if (send_to >= 0)
    kymo_segment_builder_send_to (p->builder[rank], begin_ns, 8, send_to, 1, 0);
  if (receive_from >= 0)
    kymo_segment_builder_receive (p->builder[rank], end_ns, 8, receive_from, 1, 0);
  program_leave (p, rank, end_ns);
}

KymoRun *
program_end (Program *p,
             gint64   end_ns)
{
  for (guint i = 0; i < p->n; i++)
    {
      KymoLocation location = { .id = i, .label = g_strdup_printf ("rank %u", i),
                                .process = p->process[i], .kept = TRUE };
      KymoRepairs repairs;

      kymo_segment_builder_close_all (p->builder[i], end_ns);
      kymo_segment_builder_touch (p->builder[i], end_ns);
      kymo_run_add_location (p->run, &location,
                             kymo_segment_builder_seal (p->builder[i], 1, FALSE, &repairs));
      kymo_segment_builder_free (p->builder[i]);
    }
  kymo_run_match_exchanges (p->run, 1, NULL);
  kymo_run_seal (p->run);
  return p->run;
}

/* -- at random ------------------------------------------------------------- */

/* Blocks one in another, and messages in them, until the time is up. */
static void
wander (GRand   *random,
        Program *p,
        guint    rank)
{
  guint depth = 0;

  for (gint64 t = 1; t < PROGRAM_LENGTH_NS; t += g_rand_int_range (random, 0, 7))
    switch (g_rand_int_range (random, 0, 6))
      {
      case 0:
      case 1:
        if (depth < 4)
          {
            program_begin (p, rank, t, (guint32) g_rand_int_range (random, 0, PROGRAM_N_FUNCTIONS));
            depth++;
          }
        break;
      case 2:
        if (depth > 0)
          {
            program_leave (p, rank, t);
            depth--;
          }
        break;
      case 3:
        kymo_segment_builder_send_to (p->builder[rank], t, 8,
                                      g_rand_int_range (random, 0, (gint) p->n),
                                      g_rand_int_range (random, 0, 2), 0);
        break;
      case 4:
        kymo_segment_builder_receive (p->builder[rank], t, 8,
                                      g_rand_int_range (random, 0, (gint) p->n),
                                      g_rand_int_range (random, 0, 2), 0);
        break;
      default:
        break;
      }
}

/* The k-th MPI_Barrier() of each rank is made one collective, of any kind. */
static void
make_collectives (GRand   *random,
                  KymoRun *run)
{
  run->collectives = kymo_collectives_new ();
  for (guint k = 0; k < 20; k++)
    {
      KymoCollectiveMember members[PROGRAM_MOST_RANKS];
      guint kind = (guint) g_rand_int_range (random, 0, 6), n = 0;

      for (guint r = 0; r < run->segments->len; r++)
        {
          const KymoSegment *segment = run->segments->pdata[r];
          guint seen = 0;

          for (guint i = 0; i < segment->n_blocks; i++)
            if (segment->block_activity[i] == PROGRAM_BARRIER && seen++ == k)
              members[n++] = (KymoCollectiveMember) { r, kymo_segment_block_begin (segment, i),
                                                      kymo_segment_block_end (segment, i) };
        }
      if (n == 0)
        continue;
      kymo_collectives_add (run->collectives, members, n, PROGRAM_BARRIER, kind,
                            (gint32) members[g_rand_int_range (random, 0, (gint) n)].location);
    }
  kymo_collectives_sort (run->collectives);
}

KymoRun *
program_random (GRand *random)
{
  KymoRun *run;
  Program p;

  program_init (&p, (guint) g_rand_int_range (random, 2, 6));
  for (guint r = 0; r < p.n; r++)
    wander (random, &p, r);
  run = program_end (&p, PROGRAM_LENGTH_NS);
  make_collectives (random, run);
  return run;
}
