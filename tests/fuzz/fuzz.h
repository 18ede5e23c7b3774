/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fuzz targets share. A target is one function over bytes; it is
 * linked with libFuzzer to search, and with replay.c as an ordinary test of
 * what was found. Single-threaded; everything kept belongs to this file.
 *
 * A target does more than wait for a crash: fuzz_require() states what holds
 * for any bytes.
 */
#pragma once

#include "kymo-projections-log.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);
int LLVMFuzzerInitialize (int *argc, char ***argv);

/** FUZZ_N_TABLES: how many tables of names fuzz_table() has */
#define FUZZ_N_TABLES 8
/** FUZZ_MOST_FOLDERS: how many fuzz_folder() can make */
#define FUZZ_MOST_FOLDERS 4
/** FUZZ_THREADS_IN: threads are costly: one size of an input in so many is read by several */
#define FUZZ_THREADS_IN 64

G_NORETURN void fuzz_fail     (const char  *file,
                               guint        line,
                               const char  *fact);
const char    *fuzz_file      (const void  *bytes,
                               gsize        size);
const char    *fuzz_folder    (void);
void           fuzz_clean     (const char  *path);
void           fuzz_put       (const char  *folder,
                               const char  *name,
                               const void  *bytes,
                               gsize        size);
const KymoSts *fuzz_table     (guint        index,
                               guint       *n_activities);
gint64         fuzz_told      (KymoReport  *report,
                               KymoSeverity severity);
void           fuzz_segment   (KymoSegment *segment,
                               guint        n_activities);
void           fuzz_report    (KymoReport  *report);
void           fuzz_read_log  (const guint8 *data,
                               gsize         size,
                               guint         table);

#define fuzz_require(fact) G_STMT_START {                                     \
    if (!(fact))                                                              \
      fuzz_fail (__FILE__, __LINE__, #fact);                                  \
  } G_STMT_END
