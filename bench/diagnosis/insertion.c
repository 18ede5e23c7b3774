/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * insertion: the chemical potential of a fluid of screened charges by Widom's method. Each rank has
 * cells of particles, a page each, and tries particles at some places of random cells; each step
 * it exchanges outer cells with its neighbours, and the mean over all ranks is taken.
 * rounds: steps; bytes: of the cells of a rank; work: cells that a rank tries in a step.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

#define N_PARTICLES 128         /* of a cell */
#define N_PLACES 6              /* at which particles are tried in a cell */
#define N_OUTER 4               /* cells of a neighbour */

typedef struct
{
  double x, y, z, charge;
} Particle;

typedef struct
{
  Particle particles[N_PARTICLES];
} Cell;

_Static_assert (sizeof (Cell) == PAGE, "a cell is a page");

static double
draw_number (uint64_t *random)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (double) (*random >> 40) / 16777216.0;
}

/* What a cell of a rank has, at any time. */
static void
fill_cell (int   rank,
           long  number,
           Cell *cell)
{
  uint64_t random = (uint64_t) (rank + 1) * 0x9e3779b97f4a7c15u + (uint64_t) number * 7919;

  draw_number (&random);
  for (int i = 0; i < N_PARTICLES; i++)
    cell->particles[i] = (Particle) { draw_number (&random), draw_number (&random),
                                      draw_number (&random), 0.01 + 0.02 * draw_number (&random) };
}

static double
compute_energy (const Cell *cell,
                double      x,
                double      y,
                double      z)
{
  double energy = 0;

  for (int i = 0; i < N_PARTICLES; i++)
    {
      const Particle *other = &cell->particles[i];
      double dx = other->x - x, dy = other->y - y, dz = other->z - z;
      double distance = sqrt (dx * dx + dy * dy + dz * dz) + 1e-6;

      energy += other->charge * exp (-4 * distance) / distance;
    }
  return energy;
}

/* The sum of Boltzmann's factors of the particles that were tried. */
static double
try_particles (const Suite *suite,
               const Cell  *cells,
               long         n_cells,
               uint64_t    *random)
{
  double sum = 0;

  for (long i = 0; i < suite->work; i++)
    {
      const Cell *cell;

      draw_number (random);
      cell = &cells[(long) (*random >> 33) % n_cells];
      for (int place = 0; place < N_PLACES; place++)
        {
          double x = draw_number (random), y = draw_number (random), z = draw_number (random);

          sum += exp (-compute_energy (cell, x, y, z));
        }
    }
  return sum;
}

/* The first cells go to the rank below, whose upper neighbours they are; those that come must be
 * the cells of the rank above. Particles are tried in them, too. */
static double
try_outer (const Suite *suite,
           Cell        *cells,
           Cell        *outer)
{
  int above = (suite->rank + 1) % suite->size;
  double sum = 0;

  MPI_Sendrecv (cells, N_OUTER * PAGE, MPI_BYTE, (suite->rank + suite->size - 1) % suite->size, TAG,
                outer, N_OUTER * PAGE, MPI_BYTE, above, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (long i = 0; i < N_OUTER; i++)
    {
      Cell same;

      fill_cell (above, i, &same);
      if (memcmp (&same, &outer[i], sizeof same) != 0)
        fail ("a cell of the neighbour is wrong");
      sum += exp (-compute_energy (&outer[i], 0.5, 0.5, 0.5));
    }
  return sum;
}

static void
run_insertion (Suite *suite)
{
  long n_cells = suite->bytes / PAGE;
  Cell *cells = allocate (suite->bytes), *outer = allocate (N_OUTER * PAGE);
  uint64_t random = 88172645463325252u + (uint64_t) suite->rank * 7919;
  double begin = MPI_Wtime ();

  for (long i = 0; i < n_cells; i++)
    fill_cell (suite->rank, i, &cells[i]);
  suite->signal += MPI_Wtime () - begin;
  for (long round = 0; round < suite->rounds; round++)
    {
      double mine[2] = { 0, (double) (suite->work * N_PLACES + N_OUTER) }, all[2];

      begin = MPI_Wtime ();
      mine[0] = try_particles (suite, cells, n_cells, &random);
      suite->signal += MPI_Wtime () - begin;
      mine[0] += try_outer (suite, cells, outer);
      MPI_Allreduce (mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      /* Only repulsion, but not much of it: energies are some times the temperature. */
      if (!(all[0] > 1e-3 * all[1] && all[0] < 0.9 * all[1]))
        fail ("the chemical potential is wrong");
    }
  free (cells);
  free (outer);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_insertion);
}
