/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of tracemode summary, decoded: `.sum` (whole-run figures of the
 * entry methods; utilization and idle per bin) and `.sumd` (time and calls
 * per entry method and bin). Lists stay in the run length form of the files,
 * so memory is bounded by their size; nothing is expanded here.
 *
 * The decoders may run on any thread and be called on any file.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-report.h"

G_BEGIN_DECLS

/** times beyond (104 days) are not believed; so sums of many cannot overflow */
#define KYMO_SUM_MAX_US (G_GINT64_CONSTANT (1) << 43)
#define KYMO_SUM_MAX_NS (G_GINT64_CONSTANT (1) << 53)
/** a number that could not be read */
#define KYMO_SUM_DAMAGED -1
/** entry methods that count packing and unpacking */
#define KYMO_SUM_PACK_ENTRY 1
#define KYMO_SUM_UNPACK_ENTRY 2

/** KymoSumRun: @count times the same @value, or %KYMO_SUM_DAMAGED */
typedef struct
{
  gint64 value;
  gint64 count;
} KymoSumRun;

/**
 * KymoSumList: one line of numbers
 * @runs: (nullable): #KymoSumRun; %NULL where the file has no such line
 * @n_values: sum of their counts
 * @n_damaged: of these could not be read
 */
typedef struct
{
  GArray *runs;
  gint64  n_values;
  gint64  n_damaged;
} KymoSumList;

/** KymoSumMark: an event marked by the program */
typedef struct
{
  gint64 event;
  gint64 ns;
} KymoSumMark;

/**
 * KymoSum: a `.sum`
 * @version: as in the file, "7.1"
 * @pe: from the header; the file's name is believed
 * @n_pes: from the header
 * @n_bins: from the header, or -1
 * @n_entries: from the header, or -1
 * @bin_ns: length of a bin
 * @of_all_pes: averages of all PEs (+sumonly)
 * @utilization: percent by bin
 * @idle: percent by bin; without runs before version 7.1
 * @exe_us: by entry method, whole run
 * @calls: by entry method
 * @max_us: by entry method: longest execution
 * @marks: #KymoSumMark
 */
typedef struct
{
  char        *version;
  gint64       pe;
  gint64       n_pes;
  gint64       n_bins;
  gint64       n_entries;
  gint64       bin_ns;
  gboolean     of_all_pes;
  KymoSumList  utilization;
  KymoSumList  idle;
  KymoSumList  exe_us;
  KymoSumList  calls;
  KymoSumList  max_us;
  GArray      *marks;
} KymoSum;

/**
 * KymoSumd: a `.sumd`
 * @times_us: by entry method and bin: all bins of entry 0, then of entry 1 …
 * @calls: the same of executions that ended in the bin
 */
typedef struct
{
  char        *version;
  gint64       pe;
  gint64       n_pes;
  gint64       n_bins;
  gint64       n_entries;
  gint64       bin_ns;
  KymoSumList  times_us;
  KymoSumList  calls;
} KymoSumd;

KymoSum  *kymo_projections_sum_read  (const char *path,
                                      const char *name,
                                      KymoReport *report,
                                      KymoJob    *job);
void      kymo_sum_free              (KymoSum    *sum);
KymoSumd *kymo_projections_sumd_read (const char *path,
                                      const char *name,
                                      KymoReport *report,
                                      KymoJob    *job);
void      kymo_sumd_free             (KymoSumd   *sumd);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSum, kymo_sum_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSumd, kymo_sumd_free)

G_END_DECLS
