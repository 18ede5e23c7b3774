/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * steps [FILE [CHECKPOINTS]]: steps until the parameter `stop` is 1, or it is told to end, for two
 * minutes at most. In step N each rank sends N bytes to the next one. Each rank notes in which step
 * a parameter has changed or a function was called, and prints it at the end. With FILE, each rank
 * leaves its process id in FILE.RANK first. With CHECKPOINTS it has no function for them, but tells
 * of one every 50 steps.
 */
#include "count.h"

#include <kymo-record.h>
#include <time.h>

#define MOST_SECONDS 120

static char out[1 << 20], in[1 << 20];
static char notes[16384];
static int n_notes, rank, size, step, ends;
static long long limit = 10, stop;
static double rate = 0.5;
static int solver;

static void
note (const char *what,
      double      value)
{
  if (n_notes < 16000)
    n_notes += snprintf (notes + n_notes, sizeof notes - n_notes, "%s[\"%s\", %d, %.17g]",
                         n_notes > 0 ? ", " : "", what, step, value);
}

static void
balance (void *data)
{
  int sum = 0;

  /* All ranks are here in the same step, so they may communicate. */
  MPI_Allreduce (&step, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  note ("balance", sum == step * size ? *(int *) data : -1);
}

static void
write_checkpoint (int   last,
                  void *data)
{
  (void) data;
  MPI_Barrier (MPI_COMM_WORLD);
  note ("checkpoint", last);
  ends = last;
}

static void
note_changes (void)
{
  static long long old_limit = 10;
  static double old_rate = 0.5;
  static int old_solver;

  if (limit != old_limit)
    note ("limit", (double) limit);
  if (rate != old_rate)
    note ("rate", rate);
  if (solver != old_solver)
    note ("solver", solver);
  old_limit = limit;
  old_rate = rate;
  old_solver = solver;
}

static void
leave_pid (const char *name)
{
  char path[4096];

  snprintf (path, sizeof path, "%s.%d", name, rank);
  FILE *file = fopen (path, "w");
  if (file == NULL || fprintf (file, "%d\n", (int) getpid ()) < 0 || fclose (file) != 0)
    exit (3);
}

/* A rank that is early waits for its neighbour alone, so ranks are in different steps. */
static void
send_round (void)
{
  MPI_Request request;

  MPI_Isend (out, step, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
  MPI_Recv (in, sizeof in, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
}

int
main (int    argc,
      char **argv)
{
  static int given = 7;
  char more[sizeof notes + 100];

  begin_program (&rank, &size);
  if (argc > 1)
    leave_pid (argv[1]);
  kymo_record_integer ("limit", &limit, -5, 1000000, KYMO_RECORD_TOGETHER);
  kymo_record_integer ("stop", &stop, 0, 1, KYMO_RECORD_TOGETHER);
  kymo_record_real ("rate", &rate, 0, 1, 0);
  kymo_record_choice ("solver", &solver, "jacobi|gauss: seidel|multigrid", KYMO_RECORD_TOGETHER);
  kymo_record_action ("balance load", balance, &given, KYMO_RECORD_TOGETHER);
  if (argc <= 2)
    kymo_record_on_checkpoint (write_checkpoint, NULL);
  for (time_t begin = time (NULL); stop == 0 && !ends && time (NULL) - begin < MOST_SECONDS;)
    {
      step++;
      kymo_record_poll ();
      note_changes ();
      send_round ();
      if (argc > 2 && step % 50 == 0 && kymo_record_checkpoint ())
        {
          note ("ended", step);
          break;
        }
      usleep (500);
    }
  MPI_Finalize ();
  snprintf (more, sizeof more, ", \"steps\": %d, \"notes\": [%s]", step, notes);
  print_counts (rank, more);
  return 0;
}
