/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a probe. All functions are called by the one thread of each rank; a function of the
 * world is called by all ranks, or by those that are named. Times are nanoseconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KYMO_PROBE_MOST_PAIRS 64
#define KYMO_PROBE_BLOCK_BYTES (1u << 20)

/**
 * KymoProbeWorld:
 * @mpi: name of the MPI, or "none"
 * @node: number of the node, by its first rank; what shares memory is a node
 */
typedef struct
{
  const char *mpi;
  int rank, size;
  int node, n_nodes;
  int node_rank, node_size;
} KymoProbeWorld;

/**
 * KymoProbeRank: what one rank measured. What was not measured is 0
 * @noise_ppm: millionths
 * @read_cached_ppm: millionths; -1 = not known
 * @read_error: errno, or 0
 * @read_seconds: change time of the file before reading
 */
typedef struct
{
  char     host[128];
  char     processors[256];
  int      node, node_rank;
  uint64_t n_quanta, quantum_ns, noise_ppm, gap_ns;
  uint64_t memory_rate, memory_alone_rate, memory_array_bytes;
  bool     reads;
  int      read_error;
  bool     read_changed;
  int64_t  read_cached_ppm;
  uint64_t read_bytes, read_ns, read_size;
  int64_t  read_seconds, read_nanoseconds;
  uint64_t read_checksum;
} KymoProbeRank;

/** KymoProbePair: what two ranks measured together */
typedef struct
{
  int      first, second;
  bool     within;
  uint64_t latency_ns, median_ns, rate, message_bytes;
} KymoProbePair;

/**
 * KymoProbe:
 * @file: (nullable): path of a file to read
 * @part: (nullable): the only thing to measure: "noise", "pingpong" or "memory"
 * @ranks: of all ranks, on rank 0 and, but for what is measured, on the others
 */
typedef struct
{
  KymoProbeWorld world;
  const char    *file, *part;
  uint64_t       begin_ns, limit_ns, elapsed_ns;
  KymoProbeRank  own;
  KymoProbeRank *ranks;
  KymoProbePair  pairs[KYMO_PROBE_MOST_PAIRS];
  int            n_pairs;
  uint64_t       common_bytes;          /* that all readers read */
} KymoProbe;

/* kymo-probe-mpi.c or kymo-probe-serial.c */
void     kymo_probe_begin        (int             *argc,
                                  char          ***argv,
                                  KymoProbeWorld  *world);
void     kymo_probe_end          (const KymoProbeWorld *world);
void     kymo_probe_barrier      (void);
void     kymo_probe_gather       (const void      *own,
                                  size_t           n_bytes,
                                  void            *all);
void     kymo_probe_share        (void            *data,
                                  size_t           n_bytes);
void     kymo_probe_send         (int              rank,
                                  const void      *data,
                                  size_t           n_bytes);
void     kymo_probe_receive      (int              rank,
                                  void            *data,
                                  size_t           n_bytes);

/* The parts; each takes about @share_ns. */
void     kymo_probe_noise        (KymoProbe       *probe,
                                  uint64_t         share_ns);
void     kymo_probe_pingpong     (KymoProbe       *probe,
                                  uint64_t         share_ns);
void     kymo_probe_memory       (KymoProbe       *probe,
                                  uint64_t         share_ns);
void     kymo_probe_read         (KymoProbe       *probe,
                                  uint64_t         share_ns);

/* kymo-probe-out.c; on rank 0 */
bool     kymo_probe_write        (const KymoProbe *probe,
                                  const char      *folder,
                                  const char      *format);

/* kymo-probe.c */
uint64_t kymo_probe_now          (void);
_Noreturn void kymo_probe_die    (const char      *format,
                                  ...) __attribute__ ((format (printf, 1, 2)));
