/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xrays: X-ray pictures of a sample of grains that turns about an upright axis. Rank 0 turns it,
 * sorts the grains by tiles of the detector and gives them to all ranks, each of which sends rays
 * to the pixels of some rows; MPI_Gather brings the picture. What a ray meets in some pixels is
 * computed again from all grains, and all rays together must meet the mass of the sample. A grain
 * stands in each tile that it touches, so that how many are given depends on the angle.
 * bytes: of grains, each counted once; work: rays of a picture; way=bcast gives the grains by
 * MPI_Bcast, way=naive by sends, one array after the other, and way=scatter by sends of what the
 * rows of each rank show from an angle of their own.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"

#define SIDE 64                 /* of the detector, in pixels, which are the unit of length */
#define N_PIXELS (SIDE * SIDE)
#define TILE 4
#define N_ACROSS (SIDE / TILE)
#define N_TILES (N_ACROSS * N_ACROSS)
#define MOST_TILES 4            /* of a grain */
#define MOST_ERROR 0.03         /* of the mass, a share */

/* A grain as the detector sees it. */
typedef struct
{
  float x, z, radius, density;
} Shadow;

typedef struct
{
  double x, y, z, radius, density;      /* the axis is at 0, 0 */
} Grain;

typedef struct
{
  long n;
  Grain *grains;                /* of rank 0 */
  double mass;
  struct
  {
    long round, n_shadows;
    double angle;
  } header;
  int starts[N_TILES + 1];      /* the shadows of each tile */
  Shadow *shadows;
} Sample;

static double
draw_number (uint64_t *random,
             double    least,
             double    most)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return least + (double) (*random >> 40) / 16777216.0 * (most - least);
}

static void
make_sample (Sample *sample,
             long    bytes)
{
  uint64_t random = 123456789u;

  sample->n = bytes / (long) sizeof (Shadow);
  sample->grains = allocate (sample->n * (long) sizeof (Grain));
  sample->shadows = allocate (MOST_TILES * sample->n * (long) sizeof (Shadow));
  for (Grain *grain = sample->grains; grain < sample->grains + sample->n; grain++)
    {
      double away = (SIDE / 2 - 2) * sqrt (draw_number (&random, 0, 1));
      double angle = draw_number (&random, 0, 2 * M_PI);

      grain->x = away * cos (angle), grain->y = away * sin (angle);
      grain->z = draw_number (&random, 2, SIDE - 2);
      grain->radius = draw_number (&random, 0.3, 1);
      grain->density = draw_number (&random, 0.5, 2);
      sample->mass += grain->density * 4 / 3 * M_PI * pow (grain->radius, 3);
    }
}

static Shadow
project_grain (const Grain *grain,
               double       angle)
{
  return (Shadow){ .x = (float) (SIDE / 2 + grain->x * cos (angle) - grain->y * sin (angle)),
                   .z = (float) grain->z,
                   .radius = (float) grain->radius,
                   .density = (float) grain->density };
}

/* Counts the shadows of each tile first, then puts them in the order of the tiles. */
static void
turn_sample (Sample *sample,
             double  angle)
{
  int filled[N_TILES + 1] = { 0 };

  sample->header.angle = angle;
  for (int pass = 0; pass < 2; pass++)
    {
      for (long i = 0; i < sample->n; i++)
        {
          Shadow shadow = project_grain (sample->grains + i, angle);
          int left = (int) (shadow.x - shadow.radius) / TILE;
          int right = (int) (shadow.x + shadow.radius) / TILE;
          int low = (int) (shadow.z - shadow.radius) / TILE;
          int high = (int) (shadow.z + shadow.radius) / TILE;

          for (int row = low; row <= high; row++)
            for (int tile = row * N_ACROSS + left; tile <= row * N_ACROSS + right; tile++)
              if (pass == 0)
                filled[tile + 1]++;
              else
                sample->shadows[filled[tile]++] = shadow;
        }
      if (pass > 0)
        break;
      for (int tile = 0; tile < N_TILES; tile++)
        filled[tile + 1] += filled[tile];
      memcpy (sample->starts, filled, sizeof filled);
    }
  sample->header.n_shadows = sample->starts[N_TILES];
}

static double
choose_angle (const Suite *suite,
              long         round,
              int          rank)
{
  double turn = (double) round / (double) suite->rounds;

  if (strcmp (suite->way, "scatter") == 0)
    turn += (double) rank / suite->size;
  return turn * M_PI;
}

/* From rank 0 to all. */
static void
give_array (const Suite *suite,
            void        *array,
            long         n_bytes)
{
  if (strcmp (suite->way, "bcast") == 0)
    MPI_Bcast (array, (int) n_bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  else if (suite->rank != 0)
    MPI_Recv (array, (int) n_bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    for (int to = 1; to < suite->size; to++)
      MPI_Send (array, (int) n_bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void
send_view (const Sample *sample,
           int           to)
{
  int n_bytes = (int) (sample->header.n_shadows * (long) sizeof (Shadow));

  MPI_Send (&sample->header, sizeof sample->header, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
  MPI_Send (sample->starts, sizeof sample->starts, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
  MPI_Send (sample->shadows, n_bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void
give_sample (Suite  *suite,
             Sample *sample)
{
  double begin = MPI_Wtime ();

  if (suite->rank == 0 && strcmp (suite->way, "scatter") == 0)
    {
      for (int to = 1; to < suite->size; to++)
        {
          turn_sample (sample, choose_angle (suite, sample->header.round, to));
          send_view (sample, to);
        }
      turn_sample (sample, choose_angle (suite, sample->header.round, 0));
    }
  else
    {
      give_array (suite, &sample->header, sizeof sample->header);
      give_array (suite, sample->starts, sizeof sample->starts);
      give_array (suite, sample->shadows, sample->header.n_shadows * (long) sizeof (Shadow));
    }
  suite->signal += MPI_Wtime () - begin;
}

/* What the rays of a pixel, of `n_rays` in all pixels, meet of some shadows: the mean of them. */
static double
expose_pixel (const Shadow *shadows,
              long          n_shadows,
              int           pixel,
              long          n_rays)
{
  long first = pixel * n_rays / N_PIXELS, end = (pixel + 1) * n_rays / N_PIXELS;
  double sum = 0;

  for (const Shadow *shadow = shadows; shadow < shadows + n_shadows; shadow++)
    for (long ray = first; ray < end; ray++)
      {
        /* Multiples of these two fractions of 2^32 fill a pixel evenly. */
        double dx = pixel % SIDE + (uint32_t) (ray * 3242174889) * 0x1p-32 - shadow->x;
        double dz = pixel / SIDE + (uint32_t) (ray * 2447445414) * 0x1p-32 - shadow->z;
        double square = (double) shadow->radius * shadow->radius - dx * dx - dz * dz;

        if (square > 0)
          sum += 2 * shadow->density * sqrt (square);
      }
  return sum / (double) (end - first);
}

/* Checks the mass in a picture, and a pixel of each rank by all grains. */
static void
check_picture (const Suite  *suite,
               const Sample *sample,
               const float  *picture)
{
  long n = N_PIXELS / suite->size, round = sample->header.round;
  double mass = 0;

  for (int i = 0; i < N_PIXELS; i++)
    mass += picture[i];
  if (!(fabs (mass / sample->mass - 1) < MOST_ERROR))
    fail ("the rays do not meet the mass of the sample");
  for (int rank = 0; rank < suite->size; rank++)
    {
      int pixel = (int) (rank * n + (round * 977 + SIDE / 2) % n);
      double sum = 0;

      for (long i = 0; i < sample->n; i++)
        {
          Shadow shadow = project_grain (sample->grains + i, choose_angle (suite, round, rank));

          sum += expose_pixel (&shadow, 1, pixel, suite->work);
        }
      if (!(fabs (sum - picture[pixel]) < 1e-3))
        fail ("a pixel is wrong");
    }
}

static void
run_xrays (Suite *suite)
{
  Sample sample = { 0 };
  int n = N_PIXELS / suite->size, first = n * suite->rank;
  float *rows, *picture;

  if (SIDE % suite->size != 0 || suite->work < N_PIXELS)
    fail ("ranks cannot have as many rows each, or there are fewer rays than pixels");
  make_sample (&sample, suite->bytes);
  rows = allocate (n * (long) sizeof *rows);
  picture = allocate (N_PIXELS * (long) sizeof *picture);
  for (long round = 0; round < suite->rounds; round++)
    {
      sample.header.round = round;
      if (suite->rank == 0)
        turn_sample (&sample, choose_angle (suite, round, 0));
      give_sample (suite, &sample);
      if (sample.header.round != round)
        fail ("the grains of another round came");
      for (int i = 0; i < n; i++)
        {
          int tile = (first + i) / SIDE / TILE * N_ACROSS + (first + i) % SIDE / TILE;
          int start = sample.starts[tile];

          rows[i] = (float) expose_pixel (sample.shadows + start, sample.starts[tile + 1] - start,
                                          first + i, suite->work);
        }
      MPI_Gather (rows, n, MPI_FLOAT, picture, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
      if (suite->rank == 0)
        check_picture (suite, &sample, picture);
    }
  free (sample.grains);
  free (sample.shadows);
  free (rows);
  free (picture);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_xrays);
}
