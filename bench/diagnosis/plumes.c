/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plumes: paths of water in the ground by Pollock's method. A table is taken as layers of a grid
 * that has a stream function at its points; eight plumes flow through it. For each of them rank 0
 * reads a window, wherever the plume has come to, a piece of each of its rows, and sends it to the
 * plume's rank by MPI_Isend while it reads the next. MPI_Gather brings where the plumes are then.
 * The stream function must be the same all along a path, and no path may cross another. The table
 * lies on the NFS server of KYMO_SUITE_NFS, or is a local file.
 * rounds: windows of each plume; bytes: of a piece; work: paths of each plume.
 */
#include <math.h>
#include <stdint.h>

#include "suite.h"
#include "table-file.h"
#include "table.h"

#define N_PLUMES 8
#define N_LAYERS 4
#define N_COLUMNS 512           /* of a layer */
#define N_ROWS 6                /* of a window */
#define N_STARTS 2              /* rows in the middle of a window, in which the paths begin */
#define FLOW 1.25               /* mean difference of the stream function from row to row */

typedef struct
{
  int n_columns;
  uint64_t *words;              /* the place of the lowest row in the table, and the rows */
} Window;

typedef struct
{
  double row, time;             /* where the plume leaves its window, and how long it was there */
} Plume;

/* The first word of the next window of a plume: it begins where the last one ended, at the row that
 * the plume has come to, and in another layer where there is no space in this one. */
static long
place_window (const Window *window,
              long          n_rows,
              long          plume,
              long          round,
              double        row)
{
  long step = window->n_columns - 1, n_fitting = (N_COLUMNS - 1) / step;
  long layer = (round / n_fitting + plume) % N_LAYERS, lowest = lround (row) - N_ROWS / 2;

  lowest = lowest < 0 ? 0 : lowest > n_rows - N_ROWS ? n_rows - N_ROWS : lowest;
  return (layer * n_rows + lowest) * N_COLUMNS + round % n_fitting * step;
}

static void
read_window (Suite  *suite,
             Table  *table,
             Window *window,
             long    first)
{
  double begin = MPI_Wtime ();

  window->words[0] = (uint64_t) first;
  for (long row = N_ROWS - 1; row >= 0; row--)
    read_words (table, first + row * N_COLUMNS, window->n_columns,
                window->words + 1 + row * window->n_columns);
  suite->signal += MPI_Wtime () - begin;
}

/* The sum of each row must be what every table has there. */
static void
check_window (const Window *window)
{
  uint64_t n = (uint64_t) window->n_columns;

  for (uint64_t row = 0; row < N_ROWS; row++)
    {
      uint64_t sum = 0, first = window->words[0] + row * N_COLUMNS;

      for (uint64_t i = 0; i < n; i++)
        sum += window->words[1 + row * n + i];
      if (sum != table_word (n * first + n * (n + 1) / 2 - 1))
        fail ("a row of a window is wrong");
    }
}

/* As rough as real ground: a hash of the word, in rows that have a mean flow. */
static double
stream_at (const Window *window,
           int           row,
           int           column)
{
  uint64_t word = window->words[1 + row * window->n_columns + column];

  word = (word ^ word >> 31) * 0xff51afd7ed558ccdu;
  return FLOW * row + (double) (word >> 40) / 16777216.0;
}

/* How long a way takes whose speed grows by `growth` times what is gone of it; for ever, where the
 * speed is against it. */
static double
compute_time (double speed,
              double way,
              double growth)
{
  if (speed * (speed + growth * way) <= 0)
    return INFINITY;
  return fabs (growth) < 1e-9 ? way / speed : log1p (growth * way / speed) / growth;
}

static double
compute_way (double speed,
             double time,
             double growth)
{
  return fabs (growth) < 1e-9 ? speed * time : speed * expm1 (growth * time) / growth;
}

/* Follows a path from the left side of a window, at height `*y`, to its right side, from cell to
 * cell: the speed in a cell is linear in each direction. Returns how long that takes. */
static double
follow_path (const Window *window,
             double       *y)
{
  int row = (int) *y, column = 0;
  double x = 0, time = 0, begin = NAN, stream = NAN;

  for (*y -= row; column < window->n_columns - 1;)
    {
      double low = stream_at (window, row, column), high = stream_at (window, row + 1, column);
      double low_right = stream_at (window, row, column + 1);
      double high_right = stream_at (window, row + 1, column + 1);
      double growth = high_right - low_right - high + low;
      double along = high - low + growth * x, across = low - low_right - growth * *y;
      double until = compute_time (along, 1 - x, growth);
      double aside = compute_time (across, across > 0 ? 1 - *y : -*y, -growth);

      if (isnan (begin))
        begin = low + (high - low) * *y;
      time += fmin (until, aside);
      if (until <= aside)
        {
          *y += compute_way (across, until, -growth);
          stream = low_right + (high_right - low_right) * *y;
          x = 0, column++;
          continue;
        }
      x += compute_way (along, aside, growth);
      *y = across > 0 ? 0 : 1;
      row += across > 0 ? 1 : -1;
      if (row < 0 || row > N_ROWS - 2)
        fail ("a path leaves its window");
    }
  if (!(fabs (stream - begin) < 1e-9))
    fail ("the stream function changes along a path");
  *y += row;
  return time;
}

/* The paths begin one above the other, and must end so. */
static void
follow_plume (const Window *window,
              long          n_paths,
              Plume        *plume)
{
  double before = 0;

  check_window (window);
  *plume = (Plume){ 0 };
  for (long i = 0; i < n_paths; i++)
    {
      double y = (N_ROWS - 1 - N_STARTS) / 2.0 + N_STARTS * ((double) i + 0.5) / (double) n_paths;

      plume->time += follow_path (window, &y) / (double) n_paths;
      plume->row += y / (double) n_paths;
      if (!(y > before))
        fail ("two paths cross each other");
      before = y;
    }
}

/* Rank 0 reads the windows of all plumes and sends those of others, who go on without them. */
static void
give_windows (Suite       *suite,
              Table       *table,
              const long  *places,
              Window      *windows,
              MPI_Request *requests)
{
  for (int i = 0; i < N_PLUMES; i++)
    {
      int n = 1 + N_ROWS * windows->n_columns, owner = i % suite->size;

      requests[i] = MPI_REQUEST_NULL;
      if (suite->rank == 0)
        read_window (suite, table, windows + i, places[i]);
      if (suite->rank == 0 && owner != 0)
        MPI_Isend (windows[i].words, n, MPI_UINT64_T, owner, TAG + i, MPI_COMM_WORLD, requests + i);
      else if (suite->rank != 0 && owner == suite->rank)
        MPI_Irecv (windows[i].words, n, MPI_UINT64_T, 0, TAG + i, MPI_COMM_WORLD, requests + i);
    }
  if (suite->rank == 0)
    MPI_Waitall (N_PLUMES, requests, MPI_STATUSES_IGNORE);
}

/* Rank 0 learns where the plumes are, each from its rank. */
static void
gather_plumes (const Suite *suite,
               long         n_rows,
               const long  *places,
               const Plume *mine,
               double      *rows)
{
  int n = N_PLUMES / suite->size;
  Plume all[N_PLUMES];

  MPI_Gather (mine, 2 * n, MPI_DOUBLE, all, 2 * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; suite->rank == 0 && i < N_PLUMES; i++)
    {
      const Plume *plume = all + i % suite->size * n + i / suite->size;
      long lowest = places[i] / N_COLUMNS % n_rows;

      if (!(fabs (plume->row - (N_ROWS - 1) / 2.0) < 1 && plume->time > 0))
        fail ("a plume is not where it flows to");
      rows[i] = (double) lowest + plume->row;
    }
}

static void
run_plumes (Suite *suite)
{
  int n_columns = (int) (suite->bytes / (long) sizeof (uint64_t));
  double rows[N_PLUMES];
  long places[N_PLUMES], n_rows = 1;
  Window windows[N_PLUMES];
  MPI_Request requests[N_PLUMES];
  Plume mine[N_PLUMES];
  Table table = { 0 };

  if (n_columns < 2 || n_columns > N_COLUMNS || N_PLUMES % suite->size != 0)
    fail ("there is no window of this size for so many ranks");
  if (suite->rank == 0)
    {
      open_table (suite, &table);
      n_rows = table.n_words / (N_COLUMNS * N_LAYERS);
    }
  for (int i = 0; i < N_PLUMES; i++)
    {
      windows[i].n_columns = n_columns;
      windows[i].words = allocate ((1 + N_ROWS * n_columns) * (long) sizeof (uint64_t));
      rows[i] = (double) (i * n_rows) / N_PLUMES;
    }
  for (long round = 0; round < suite->rounds; round++)
    {
      for (int i = 0; i < N_PLUMES; i++)
        places[i] = place_window (windows, n_rows, i, round, rows[i]);
      give_windows (suite, &table, places, windows, requests);
      for (int i = suite->rank, n = 0; i < N_PLUMES; i += suite->size)
        {
          MPI_Wait (requests + i, MPI_STATUS_IGNORE);
          follow_plume (windows + i, suite->work, mine + n++);
        }
      gather_plumes (suite, n_rows, places, mine, rows);
    }
  if (suite->rank == 0)
    {
      close_table (&table);
      leave_table (&table);
    }
  for (int i = 0; i < N_PLUMES; i++)
    free (windows[i].words);
}

int
main (int    argc,
      char **argv)
{
  return run_program (argc, argv, 1, run_plumes);
}
