/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs of ranks made by hand: functions that send and receive.
 */
#pragma once

#include "kymo-run.h"
#include "kymo-segment-builder.h"

G_BEGIN_DECLS

#define PROGRAM_MOST_RANKS 8
/* of a random run */
#define PROGRAM_LENGTH_NS 400

/* Functions of every program, by name as MPI and OpenMP have them. */
enum
{
  PROGRAM_MAIN,
  PROGRAM_SEND,
  PROGRAM_RECV,
  PROGRAM_ISEND,
  PROGRAM_WAITALL,
  PROGRAM_BARRIER,
  PROGRAM_OMP,
  PROGRAM_SOLVE,
  PROGRAM_N_FUNCTIONS,
};

/* A run in the making: a builder a location. */
typedef struct
{
  KymoRun            *run;
  KymoSegmentBuilder *builder[PROGRAM_MOST_RANKS];
  gint64              process[PROGRAM_MOST_RANKS];
  guint               n;
} Program;

void     program_init  (Program *p,
                        guint    n);
void     program_begin (Program *p,
                        guint    rank,
                        gint64   time_ns,
                        guint32  function);
void     program_leave (Program *p,
                        guint    rank,
                        gint64   time_ns);
/* A call of one message: sent at its begin, received at its end; -1 = none. */
void     program_call  (Program *p,
                        guint    rank,
                        guint32  function,
                        gint64   begin_ns,
                        gint64   end_ns,
                        gint     send_to,
                        gint     receive_from);
KymoRun *program_end   (Program *p,
                        gint64   end_ns);
/* Of 2 to 5 ranks: blocks one in another, messages in them, and the k-th MPI_Barrier()
   of each rank a collective of any kind. */
KymoRun *program_random (GRand  *random);

G_END_DECLS
