/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of kymo-bench share: rows and how they are measured.
 *
 * The rows are a fixed table (bench-rows.c). A stage asks whether any of its
 * rows is wanted, prepares what they need, measures and fills them in. One
 * thread measures; what is measured may use others. Nothing of a row is owned
 * but the words why it was skipped.
 */
#pragma once

#include <stdio.h>

#include <gio/gio.h>

#include "kymo-run.h"

G_BEGIN_DECLS

/* A row is compared with so many bounds of the machine at most. */
#define BENCH_MAX_LIMITS 6

/** BenchSample: one measurement */
typedef struct
{
  double wall_s;
  double cpu_s;                 /* of all threads, user and system */
  gint64 peak_bytes;            /* of a process; 0 = not measured */
} BenchSample;

/** BenchLimit: what the machine can do at most with the same data */
typedef struct
{
  const char *name;             /* static */
  double      value;            /* in the unit of the row */
} BenchLimit;

/**
 * BenchRow:
 * @key: stable name, "stage.what"
 * @words: for the table
 * @unit: "s", "ms" or "bytes/record"
 * @must: bound to be kept; 0 = none
 * @aim: bound to be reached; 0 = none
 * @for_records: @must and @aim are for so many records and grow with them;
 *   0 = for any number
 */
typedef struct
{
  const char *key;
  const char *words;
  const char *unit;
  double      must;
  double      aim;
  gint64      for_records;

  gboolean    done;
  double      figure;           /* in @unit: median */
  double      best;             /* in @unit */
  double      cpu_s;            /* median's; 0 = not measured */
  gint64      bytes;            /* that went through; 0 = does not apply */
  gint64      records;          /* that went through */
  BenchLimit  limits[BENCH_MAX_LIMITS];
  guint       n_limits;
  char       *skipped;          /* why there is no figure */
} BenchRow;

/** Bench: one run of the program */
typedef struct
{
  gint    n_times;              /* measurements of each figure */
  gint64  n_records;            /* of the runs that are made */
  gint64  n_pes;
  gint64  n_intervals;          /* of the large run in memory */
  gint64  n_large_pes;
  gint64  n_files;
  gint64  n_class_pes;          /* of the run with classes of PEs */
  gint64  n_class_entries;
  gint    attach_s;             /* that a stream is followed */
  gint64  n_tau_records;
  gint64  n_profile_threads;
  char  **only;                 /* (nullable): begins of keys */

  char   *self, *cli, *maker, *classes_maker, *stream_maker, *tau_maker, *window;
  char   *folder;               /* for all that is made */
  char   *text, *gzip, *tenfold; /* runs */
  gint64  text_records, gzip_records;
} Bench;

/* bench-rows.c */
BenchRow   *bench_row             (const char     *key);
gboolean    bench_wants           (const Bench    *bench,
                                   const char     *begin);
void        bench_row_set         (BenchRow       *row,
                                   const BenchSample *samples,
                                   guint           n,
                                   gint64          bytes,
                                   gint64          records);
void        bench_row_set_figure  (BenchRow       *row,
                                   double          figure);
void        bench_row_limit       (BenchRow       *row,
                                   const char     *name,
                                   double          seconds);
void        bench_row_skip        (BenchRow       *row,
                                   const char     *format,
                                   ...) G_GNUC_PRINTF (2, 3);
void        bench_print_json      (const Bench    *bench,
                                   FILE           *out);
void        bench_print_table     (const Bench    *bench,
                                   FILE           *out);

/* bench-measure.c */
typedef void (*BenchFunction)     (gpointer        data);

BenchSample bench_now             (void);
BenchSample bench_since           (BenchSample     begin);
double      bench_measure         (const Bench    *bench,
                                   BenchRow       *row,
                                   BenchFunction   function,
                                   gpointer        data,
                                   gint64          bytes,
                                   gint64          records);
BenchSample bench_process         (const char     *const *command,
                                   char          **output);
void        bench_processes       (const Bench    *bench,
                                   BenchSample    *samples,
                                   const char     *const *command);
void        bench_stop_child      (void);
void        bench_remove_tree     (const char     *path);

/* bench-limits.c */
/** BenchLogs: the logs of a run, and what the machine needs for them */
typedef struct
{
  GPtrArray *paths;
  gint64     file_bytes, plain_bytes;
  double     read_s, inflate_s, scan_s, numbers_s;
} BenchLogs;

void        bench_logs_measure    (const Bench    *bench,
                                   const char     *folder,
                                   BenchLogs      *logs);
void        bench_logs_clear      (BenchLogs      *logs);
double      bench_limit_pages     (const Bench    *bench,
                                   gsize           n_bytes);
double      bench_limit_memory    (const Bench    *bench,
                                   gsize           n_bytes);
double      bench_limit_files     (const Bench    *bench,
                                   const char     *folder);

/* bench-files.c */
void        bench_load            (const Bench    *bench,
                                   const char     *run,
                                   BenchSample    *samples);
void        bench_look_into       (const char     *path,
                                   gint64         *n_records,
                                   gsize          *n_bytes);

/* Stages. */
void        bench_loads           (Bench          *bench);
void        bench_functions       (Bench          *bench);
void        bench_second_opens    (Bench          *bench);
void        bench_many_files      (Bench          *bench);
void        bench_attach          (Bench          *bench);
void        bench_whole_run       (Bench          *bench);
void        bench_classes         (Bench          *bench);
void        bench_large_run       (Bench          *bench);
void        bench_desktop         (Bench          *bench);

/* bench-made.c */
void        bench_make_run        (const Bench    *bench,
                                   const char     *name,
                                   gint64          n_pes,
                                   gint64          n_records,
                                   gboolean        gzip,
                                   char          **folder);
KymoRun    *bench_make_large      (const Bench    *bench);

/* bench-questions.c */
gsize       bench_run_bytes       (const KymoRun  *run);

G_END_DECLS
