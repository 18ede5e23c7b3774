/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is to be recorded and how, as the variables KYMO_RECORD_… say it. The launcher sets them
 * from its command line; who preloads the library without it may set them too.
 *
 * KYMO_RECORD_DIR       the folder of the run, absolute
 * KYMO_RECORD_JOB       text that all processes of the job have in common
 * KYMO_RECORD_MAIN      process id of the program that was started
 * KYMO_RECORD_BUFFER    bytes by which an event file grows and is mapped (1M)
 * KYMO_RECORD_LIMIT     bytes of all event files of a process (no limit; with LAST 256M)
 * KYMO_RECORD_LAST      seconds to keep (all)
 * KYMO_RECORD_SYSTEM    time between samples of the system; 0 = none (1s)
 * KYMO_RECORD_KEEP      which ranks write events: 26, 10% or error:2% (all)
 * KYMO_RECORD_MEMORY    1: allocations are recorded
 * KYMO_RECORD_QUIET     1: no line on stderr, but for errors
 * KYMO_RECORD_LOCAL     where raw files go if the folder is on a network ($TMPDIR, /tmp)
 * KYMO_RECORD_PATIENCE  time without progress after which a file server is given up (10s)
 * KYMO_RECORD_KEEP_RAW  1: raw files stay beside the archive
 * KYMO_RECORD_LIVE      1: the live view, at any port; another number: at that port
 * KYMO_RECORD_ON_REQUEST 1: events are written only while an action wants them
 * KYMO_RECORD_LIVE_KEY  a file with keys: the port is open to other hosts, for those who have one
 * KYMO_RECORD_SAMPLE    samples of a thread in a second of its processor time; 0 = none (0)
 * KYMO_RECORD_TESTS     1: each MPI_Test that finds nothing is recorded
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  char folder[4096];            /* empty: nobody asked for a record */
  char job[256];
  char local[1024];             /* empty: choose */
  char keep[32];                /* empty: all */
  int main_pid;
  uint64_t buffer_bytes;
  uint64_t limit_bytes;         /* 0 = none */
  uint64_t last_ns;             /* 0 = all */
  uint64_t system_ns;           /* 0 = none */
  uint64_t patience_ns;
  uint32_t sample_hz;           /* 0 = none */
  uint16_t live_port;           /* 0 = any */
  char live_key[4096];          /* empty: none */
  bool live;
  bool on_request;
  bool memory;
  bool quiet;
  bool keep_raw;
  bool tests;
} KymoRecOptions;

#pragma GCC visibility push (hidden)

void kymo_rec_options_read (KymoRecOptions *options);
bool kymo_rec_parse_bytes  (const char     *text,
                            uint64_t       *n_bytes);
bool kymo_rec_parse_time   (const char     *text,
                            uint64_t       *time_ns);

#pragma GCC visibility pop
