/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tours: a genetic search for the shortest tour of a travelling salesman. Rank 0 has a pool of
 * tours and gives it to all ranks, each of which crosses two tours of it and makes the child
 * shorter by exchanges of two edges; MPI_Gather brings the children, MPI_Allreduce the least
 * length. The cities are the points of a grid, so that no tour is shorter than there are cities.
 * How many tours stay in the pool depends on their lengths.
 * bytes: of a full pool; work: exchanges that are tried with a child; way=bcast gives the pool by
 * MPI_Bcast, way=naive by sends, to another rank first in each round, and way=scatter by sends of
 * tours that begin at another city for each rank.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

#define SIDE 48
#define N_CITIES (SIDE * SIDE)
#define REACH 3                 /* of an exchange, in cities along an axis */

typedef struct
{
  double length;
  uint16_t cities[N_CITIES];
} Tour;

typedef struct
{
  struct
  {
    long round, n, turned;      /* tours; cities by which all were turned */
  } header;
  long most;
  Tour *tours;                  /* sorted after a round; there is space for the children */
} Pool;

static int
draw_number (uint64_t *random,
             int       n)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (int) (*random >> 40) % n;
}

static double
measure_way (int from,
             int to)
{
  int dx = from % SIDE - to % SIDE, dy = from / SIDE - to / SIDE;

  return sqrt ((double) (dx * dx + dy * dy));
}

static double
measure_tour (const Tour *tour)
{
  double length = measure_way (tour->cities[N_CITIES - 1], tour->cities[0]);

  for (int i = 1; i < N_CITIES; i++)
    length += measure_way (tour->cities[i - 1], tour->cities[i]);
  return length;
}

/* The first tours are random. */
static void
make_pool (Pool *pool,
           long  bytes,
           int   n_ranks)
{
  uint64_t random = 362436069u;

  pool->most = bytes / (long) sizeof (Tour);
  if (pool->most < 2)
    fail ("there are fewer than two tours");
  pool->header.n = pool->most;
  pool->tours = allocate ((pool->most + n_ranks) * (long) sizeof (Tour));
  for (Tour *tour = pool->tours; tour < pool->tours + pool->most; tour++)
    {
      for (int i = 0; i < N_CITIES; i++)
        {
          int other = draw_number (&random, i + 1);

          tour->cities[i] = tour->cities[other];
          tour->cities[other] = (uint16_t) i;
        }
      tour->length = measure_tour (tour);
    }
}

/* Makes each tour begin some cities later. */
static void
turn_tours (Pool *pool,
            long  n_cities)
{
  for (long k = 0; k < pool->header.n; k++)
    {
      Tour old = pool->tours[k];

      for (int i = 0; i < N_CITIES; i++)
        pool->tours[k].cities[i] = old.cities[(i + n_cities) % N_CITIES];
    }
  pool->header.turned += n_cities;
}

static void
send_pool (const Suite *suite,
           Pool        *pool)
{
  int n_bytes = (int) (pool->header.n * (long) sizeof (Tour));

  for (int i = 0; i < suite->size - 1; i++)
    {
      int to = 1 + (int) ((pool->header.round + i) % (suite->size - 1));

      if (strcmp (suite->way, "scatter") == 0)
        turn_tours (pool, to);
      MPI_Send (&pool->header, 3, MPI_LONG, to, TAG, MPI_COMM_WORLD);
      MPI_Send (pool->tours, n_bytes, MPI_BYTE, to, TAG + 1, MPI_COMM_WORLD);
    }
}

static void
give_pool (Suite *suite,
           Pool  *pool)
{
  double begin = MPI_Wtime ();
  int size = (int) sizeof (Tour);

  if (strcmp (suite->way, "bcast") == 0)
    {
      MPI_Bcast (&pool->header, 3, MPI_LONG, 0, MPI_COMM_WORLD);
      MPI_Bcast (pool->tours, (int) pool->header.n * size, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
  else if (suite->rank == 0)
    send_pool (suite, pool);
  else
    {
      MPI_Recv (&pool->header, 3, MPI_LONG, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (pool->tours, (int) pool->most * size, MPI_BYTE, 0, TAG + 1, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
    }
  suite->signal += MPI_Wtime () - begin;
}

/* A child has a part of one tour, and the other cities in the order of another. */
static void
cross_tours (const Tour *one,
             const Tour *other,
             int         first,
             Tour       *child)
{
  uint8_t is_taken[N_CITIES] = { 0 };
  int n = N_CITIES / 4;

  for (int i = first; i < first + n; i++)
    {
      child->cities[i % N_CITIES] = one->cities[i % N_CITIES];
      is_taken[one->cities[i % N_CITIES]] = 1;
    }
  for (int i = 0; i < N_CITIES; i++)
    if (!is_taken[other->cities[i]])
      child->cities[(first + n++) % N_CITIES] = other->cities[i];
}

/* Exchanges two edges for two that are shorter together, where one of those joins near cities. */
static void
improve_tour (uint16_t *tour,
              long      n_tries,
              uint64_t *random)
{
  uint16_t where[N_CITIES];

  for (int i = 0; i < N_CITIES; i++)
    where[tour[i]] = (uint16_t) i;
  for (long try = 0; try < n_tries; try++)
    {
      int drawn = draw_number (random, 1 << 24), city = drawn % N_CITIES, side = 2 * REACH + 1;
      int x = city % SIDE + drawn / N_CITIES % side - REACH;
      int y = city / SIDE + drawn / N_CITIES / side % side - REACH;
      int near = y * SIDE + x, begin, end, behind;

      if (x < 0 || x >= SIDE || y < 0 || y >= SIDE || near == city)
        continue;
      begin = where[city] < where[near] ? where[city] : where[near];
      end = where[city] < where[near] ? where[near] : where[city];
      behind = tour[(end + 1) % N_CITIES];
      if (measure_way (city, near) + measure_way (tour[begin + 1], behind) + 1e-9
          > measure_way (tour[begin], tour[begin + 1]) + measure_way (tour[end], behind))
        continue;
      for (begin++; begin <= end; begin++, end--)
        {
          uint16_t moved = tour[begin];

          tour[begin] = tour[end], tour[end] = moved;
          where[tour[begin]] = (uint16_t) begin, where[moved] = (uint16_t) end;
        }
    }
}

/* Each city stands in a tour once, and the tour is as long as its rank said. */
static void
check_tour (const Tour *tour)
{
  uint8_t is_seen[N_CITIES] = { 0 };

  for (int i = 0; i < N_CITIES; i++)
    if (tour->cities[i] >= N_CITIES || is_seen[tour->cities[i]]++)
      fail ("a tour leaves out a city");
  if (!(fabs (measure_tour (tour) - tour->length) < 1e-6) || tour->length < N_CITIES)
    fail ("the length of a tour is wrong");
}

/* Sorts the pool and the children behind it, `n` in all; those that are longer than the mean go,
 * but three quarters of a full pool stay. */
static void
select_tours (Pool *pool,
              long  n)
{
  Tour *tours = pool->tours;
  double sum = 0;

  for (long i = 0; i < n; i++)
    sum += tours[i].length;
  for (pool->header.n = 0; pool->header.n < pool->most; pool->header.n++)
    {
      Tour *best = tours + pool->header.n, first = *best;

      for (Tour *tour = best + 1; tour < tours + n; tour++)
        if (tour->length < best->length)
          best = tour;
      if (pool->header.n >= pool->most * 3 / 4 && best->length * (double) n > sum)
        break;
      tours[pool->header.n] = *best;
      *best = first;
    }
}

static void
run_tours (Suite *suite)
{
  uint64_t random = 521288629u + (uint64_t) suite->rank * 7919;
  int n_bytes = (int) sizeof (Tour);
  double least = INFINITY;
  Pool pool = { 0 };
  Tour child;

  make_pool (&pool, suite->bytes, suite->size);
  for (long round = 0; round < suite->rounds; round++)
    {
      Tour *one = pool.tours, *other, *behind;

      pool.header.round = round;
      give_pool (suite, &pool);
      if (pool.header.round != round || pool.tours->length > least)
        fail ("the pool of another round came");
      one += draw_number (&random, (int) pool.header.n) / 2;
      other = pool.tours + draw_number (&random, (int) pool.header.n);
      cross_tours (one, other, draw_number (&random, N_CITIES), &child);
      improve_tour (child.cities, suite->work, &random);
      child.length = measure_tour (&child);
      least = fmin (least, child.length);
      MPI_Allreduce (MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
      behind = pool.tours + pool.header.n;
      MPI_Gather (&child, n_bytes, MPI_BYTE, behind, n_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
      if (suite->rank != 0)
        continue;
      for (int i = 0; i < suite->size; i++)
        check_tour (behind + i);
      select_tours (&pool, pool.header.n + suite->size);
    }
  free (pool.tours);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_tours);
}
