/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ensemble: rank 0 reads records of different sizes at different places of a table, checks them,
 * and scatters them; all ranks integrate Lorenz' equations from each of their records, and rank 0
 * gathers where they end. The table lies on the NFS server of KYMO_SUITE_NFS, or is a local file.
 * rounds: batches of records; bytes: of the largest record; work: steps from each record.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"
#include "table-file.h"
#include "table.h"

#define N_MEMBERS 240           /* of a batch; records of one size follow each other */
#define LEAST_WORDS 16
#define RESULT_SIZE 4

/* A record, which must be what every table has there. */
static void
read_record (Table    *table,
             long      first,
             long      n_words,
             uint64_t *out)
{
  read_words (table, first, n_words, out);
  for (long i = 0; i < n_words; i++)
    if (out[i] != table_word ((uint64_t) (first + i)))
      fail ("a record is wrong");
}

/* The sizes of the records of a batch, from a hundred bytes or so to the largest. */
static void
choose_sizes (const Suite *suite,
              long         round,
              int          sizes[N_MEMBERS])
{
  long most = suite->bytes / (long) sizeof (uint64_t);

  for (long i = 0; i < N_MEMBERS; i++)
    sizes[i] = (int) (LEAST_WORDS + (round * 31 + i * 17) % 64 * (most - LEAST_WORDS) / 63);
}

static void
read_batch (Suite     *suite,
            Table     *table,
            long       round,
            const int  sizes[N_MEMBERS],
            uint64_t  *out)
{
  double begin = MPI_Wtime ();

  for (long i = 0; i < N_MEMBERS; out += sizes[i++])
    {
      uint64_t place = table_word ((uint64_t) (round * N_MEMBERS + i)) >> 20;

      read_record (table, (long) (place % (uint64_t) (table->n_words - sizes[i])), sizes[i], out);
    }
  suite->signal += MPI_Wtime () - begin;
}

/* Where a path of Lorenz' equations ends that starts at three words. */
static void
integrate_path (const uint64_t start[3],
                long           steps,
                double         state[3])
{
  for (int i = 0; i < 3; i++)
    state[i] = (double) (start[i] >> 40) / 16777216.0 * 10 + 1;
  for (long step = 0; step < steps; step++)
    {
      double dx = 10 * (state[1] - state[0]);
      double dy = state[0] * (28 - state[2]) - state[1];
      double dz = state[0] * state[1] - 8.0 / 3 * state[2];

      state[0] += 0.001 * dx;
      state[1] += 0.001 * dy;
      state[2] += 0.001 * dz;
    }
}

/* The members of a rank: how many, and the sums of their ends. */
static void
compute_members (const Suite    *suite,
                 const int      *sizes,
                 int             n,
                 const uint64_t *records,
                 double          result[RESULT_SIZE])
{
  memset (result, 0, RESULT_SIZE * sizeof (double));
  for (int i = 0; i < n; records += sizes[i++])
    {
      double state[3];

      integrate_path (records, suite->work, state);
      for (int k = 0; k < 3; k++)
        result[k] += fabs (state[k]);
      result[3]++;
    }
}

static void
check_results (const Suite  *suite,
               const double *results)
{
  double sums[RESULT_SIZE] = { 0 };

  for (int i = 0; i < suite->size * RESULT_SIZE; i++)
    sums[i % RESULT_SIZE] += results[i];
  if (lround (sums[3]) != N_MEMBERS || !(sums[0] / sums[3] < 22) || !(sums[1] / sums[3] < 30)
      || !(sums[2] / sums[3] > 1 && sums[2] / sums[3] < 50))
    fail ("the paths have left the attractor");
}

static void
run_ensemble (Suite *suite)
{
  int sizes[N_MEMBERS], counts[suite->size], places[suite->size];
  uint64_t *all = allocate (N_MEMBERS * suite->bytes), *mine = allocate (N_MEMBERS * suite->bytes);
  double result[RESULT_SIZE], results[suite->size * RESULT_SIZE];
  Table table = { 0 };

  if (suite->rank == 0)
    open_table (suite, &table);
  for (long round = 0; round < suite->rounds; round++)
    {
      int first = N_MEMBERS * suite->rank / suite->size;
      int n = N_MEMBERS * (suite->rank + 1) / suite->size - first;

      choose_sizes (suite, round, sizes);
      memset (counts, 0, sizeof counts);
      for (int rank = 0, i = 0; rank < suite->size; rank++)
        {
          places[rank] = rank > 0 ? places[rank - 1] + counts[rank - 1] : 0;
          for (; i < N_MEMBERS * (rank + 1) / suite->size; i++)
            counts[rank] += sizes[i];
        }
      if (suite->rank == 0)
        read_batch (suite, &table, round, sizes, all);
      MPI_Scatterv (all, counts, places, MPI_UINT64_T, mine, counts[suite->rank], MPI_UINT64_T, 0,
                    MPI_COMM_WORLD);
      compute_members (suite, sizes + first, n, mine, result);
      MPI_Gather (result, RESULT_SIZE, MPI_DOUBLE, results, RESULT_SIZE, MPI_DOUBLE, 0,
                  MPI_COMM_WORLD);
      if (suite->rank == 0)
        check_results (suite, results);
    }
  if (suite->rank == 0)
    {
      close_table (&table);
      leave_table (&table);
    }
  free (all);
  free (mine);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_ensemble);
}
