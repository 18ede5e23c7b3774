/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of core know of each other.
 */
#pragma once

#include "kymo-rec.h"
#include "kymo-rec-sys.h"

#define KYMO_REC_CHUNK_BYTES (64u << 10)

#pragma GCC visibility push (hidden)

/* Where errors of growing an event file end up: recording stops with this reason. */
void  kymo_rec_stop_errno        (const char *what,
                                  int         code);

/* Threads and their files. */
bool  kymo_rec_file_grow         (struct KymoRecFile *file,
                                  bool                ahead);
void  kymo_rec_files_prepare     (void);
void  kymo_rec_threads_init      (void);
uint64_t kymo_rec_bytes_mapped   (void);

/* Room on the disk. */
const char *kymo_rec_disk_refuses (int     fd,
                                  uint64_t file_bytes,
                                  uint64_t all_bytes,
                                  uint64_t more_bytes);
bool  kymo_rec_disk_allocate     (int      fd,
                                  uint64_t from,
                                  uint64_t n_bytes);
char *kymo_rec_disk_map          (int      fd,
                                  uint64_t from,
                                  size_t   n_bytes);

/* The clock. */
bool  kymo_rec_clock_is_tsc      (void);
uint64_t kymo_rec_ticks_to_ns    (uint64_t ticks);
void  kymo_rec_clock_learn       (void);
uint64_t kymo_rec_clock_watched_ns (void);
void  kymo_rec_clock_read_both   (uint64_t *ticks,
                                  uint64_t *ns);

/* Definitions. */
bool  kymo_rec_definitions_open  (const char *folder);

/* The thread that prepares memory ahead. */
void  kymo_rec_helper_start      (void);
void  kymo_rec_helper_stop       (void);
void  kymo_rec_helper_kick       (void);

/* The folder of this process. */
bool  kymo_rec_process_folder_make (const KymoRecOptions *options,
                                    const char           *host,
                                    char                 *path,
                                    size_t                n_bytes);

#pragma GCC visibility pop
