/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the programs that kymo-record is tested with count of themselves. Each rank prints one
 * line of JSON at its end; the test adds the lines up and compares them with the record.
 *
 * All functions of MPI are called through CALL(). Partners are ranks of MPI_COMM_WORLD.
 */
#pragma once

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_NAMES 256
#define MOST_RANKS 16

typedef struct
{
  const char *names[MOST_NAMES];
  long        calls[MOST_NAMES];
  long        sent[MOST_RANKS], sent_bytes[MOST_RANKS];
  long        received[MOST_RANKS], received_bytes[MOST_RANKS];
  const char *collectives[MOST_NAMES];
  long        times[MOST_NAMES];
} Counts;

static Counts counts;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void
add_to (const char **names,
        long        *values,
        const char  *name,
        long         n)
{
  int i = 0;

  pthread_mutex_lock (&count_lock);
  while (names[i] != NULL && strcmp (names[i], name) != 0)
    i++;
  names[i] = name;
  values[i] += n;
  pthread_mutex_unlock (&count_lock);
}

static inline void
count_calls (const char *name,
             long        n)
{
  add_to (counts.names, counts.calls, name, n);
}

#define CALL(function, ...) (count_calls (#function, 1), function (__VA_ARGS__))

static inline void
count_sent (int  peer,
            long n_bytes)
{
  pthread_mutex_lock (&count_lock);
  counts.sent[peer]++;
  counts.sent_bytes[peer] += n_bytes;
  pthread_mutex_unlock (&count_lock);
}

static inline void
count_received (int  peer,
                long n_bytes)
{
  pthread_mutex_lock (&count_lock);
  counts.received[peer]++;
  counts.received_bytes[peer] += n_bytes;
  pthread_mutex_unlock (&count_lock);
}

/* By one member of the communicator for all of them. */
static inline void
count_collective (const char *name)
{
  add_to (counts.collectives, counts.times, name, 1);
}

static inline int
print_names (char        *text,
             size_t       room,
             const char  *key,
             const char **names,
             const long  *values)
{
  int n = snprintf (text, room, "\"%s\": {", key);

  for (int i = 0; i < MOST_NAMES && names[i] != NULL; i++)
    n += snprintf (text + n, room - n, "%s\"%s\": %ld", i > 0 ? ", " : "", names[i], values[i]);
  return n + snprintf (text + n, room - n, "}");
}

static inline int
print_peers (char       *text,
             size_t      room,
             const char *key,
             const long *messages,
             const long *bytes)
{
  int n = snprintf (text, room, "\"%s\": [", key), k = 0;

  for (int i = 0; i < MOST_RANKS; i++)
    if (messages[i] > 0)
      n += snprintf (text + n, room - n, "%s[%d, %ld, %ld]", k++ > 0 ? ", " : "", i, messages[i],
                     bytes[i]);
  return n + snprintf (text + n, room - n, "]");
}

/* One line, in one piece: lines of several ranks are not mixed. @more may be "", or begin with a
   comma. */
static inline void
print_counts (int         rank,
              const char *more)
{
  static char text[65536];
  int n = snprintf (text, sizeof text, "{\"rank\": %d, ", rank);

  n += print_names (text + n, sizeof text - n, "calls", counts.names, counts.calls);
  n += snprintf (text + n, sizeof text - n, ", ");
  n += print_names (text + n, sizeof text - n, "collectives", counts.collectives, counts.times);
  n += snprintf (text + n, sizeof text - n, ", ");
  n += print_peers (text + n, sizeof text - n, "sent", counts.sent, counts.sent_bytes);
  n += snprintf (text + n, sizeof text - n, ", ");
  n += print_peers (text + n, sizeof text - n, "received", counts.received,
                    counts.received_bytes);
  n += snprintf (text + n, sizeof text - n, "%s}\n", more);
  if (write (1, text, (size_t) n) != n)
    exit (3);
}

/* Begins, with the rank and the number of ranks. */
static inline void
begin_program (int *rank,
               int *size)
{
  CALL (MPI_Init, NULL, NULL);
  CALL (MPI_Comm_rank, MPI_COMM_WORLD, rank);
  CALL (MPI_Comm_size, MPI_COMM_WORLD, size);
}

/* Ends; what MPI_Finalize needs is counted before. */
static inline int
end_program (int         rank,
             const char *more)
{
  count_calls ("MPI_Finalize", 1);
  print_counts (rank, more);
  MPI_Finalize ();
  return 0;
}
