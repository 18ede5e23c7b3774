/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a second of a recorded job, as text (docs/formats/live.md): of each the sum over the
 * processes, the least and the most with their ranks; and who computed most and least.
 *
 * Plain values without pointers into the text; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KYMO_STREAM_MOST_VALUES 64
#define KYMO_STREAM_MOST_EXTREMES 64
#define KYMO_STREAM_VALUE_NAME 32

/** The value of which the lists are: compute in millionths of the second */
#define KYMO_STREAM_LOAD "load"

/** KYMO_STREAM_DELAY: time that the main thread of a process was ready to run and did not */
#define KYMO_STREAM_DELAY "run-delay"

/**
 * KymoStreamValue:
 * @name: "memory", "page-faults", …; never empty
 * @unit: "B", "#", "ns", "ppm"
 * @n: processes of which it is known, at least 1
 */
typedef struct
{
  char   name[KYMO_STREAM_VALUE_NAME];
  char   unit[8];
  guint  n;
  gint64 sum, least, most;
  gint64 least_rank, most_rank;
} KymoStreamValue;

typedef struct
{
  gint64 rank;
  gint64 load;                  /* millionths */
} KymoStreamExtreme;

/**
 * KymoStreamValues:
 * @second: number of the block that the values belong to
 * @n_processes: that are in the block
 * @n_all: processes of the job
 * @idlest: least load first
 * @busiest: most load first
 */
typedef struct
{
  gint64            second;
  guint             n_processes, n_all;
  guint             n_values, n_idlest, n_busiest;
  KymoStreamValue   values[KYMO_STREAM_MOST_VALUES];
  KymoStreamExtreme idlest[KYMO_STREAM_MOST_EXTREMES];
  KymoStreamExtreme busiest[KYMO_STREAM_MOST_EXTREMES];
} KymoStreamValues;

gboolean kymo_stream_values_parse (KymoStreamValues       *values,
                                   const char             *text,
                                   gsize                   n_bytes);
const KymoStreamValue *
         kymo_stream_values_find  (const KymoStreamValues *values,
                                   const char             *name);
char    *kymo_stream_value_format (const KymoStreamValue  *value,
                                   double                  amount);

G_END_DECLS
