/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The raw files of a process that only samples (raw/kymo-raw.h), written without core, since the
 * agent is no recorded program. One thread.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "kymo-raw.h"

#define KYMO_AGENT_CHUNK_BYTES (64 << 10)

typedef struct
{
  char folder[PATH_MAX];        /* on this host, outside of what is measured */
  int definitions, events;      /* descriptors */
  uint32_t n_classes;
  uint64_t sequence;            /* of the chunk */
  unsigned used, saved;         /* cells of the chunk, and how many are in the file */
  bool failed;
  KymoRawCell chunk[KYMO_AGENT_CHUNK_BYTES / KYMO_RAW_CELL_BYTES];
} KymoAgentRaw;

bool     kymo_agent_raw_open   (KymoAgentRaw   *raw,
                                const char     *host);
void     kymo_agent_raw_define (KymoAgentRaw   *raw,
                                const char     *format,
                                ...) __attribute__ ((format (printf, 2, 3)));
void     kymo_agent_raw_sample (KymoAgentRaw   *raw,
                                uint32_t        id,
                                const uint64_t *values,
                                unsigned        n,
                                uint64_t        time_ns);
void     kymo_agent_raw_save   (KymoAgentRaw   *raw);
bool     kymo_agent_raw_move   (KymoAgentRaw   *raw,
                                const char     *target);
