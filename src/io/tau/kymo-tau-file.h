/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A TAU trace as blocks of whole records. The file is read, not mapped: one that is cut
 * while it is read must not end the program.
 *
 * What a look at the file told does not change after; each thread that reads it opens it
 * for itself, and only while it reads: a run may have more traces than a process may have
 * open files.
 */
#pragma once

#include "kymo-job.h"
#include "kymo-tau-layout.h"

G_BEGIN_DECLS

/**
 * KymoTauInput:
 * @path: of the file; the list of files owns it
 * @size_bytes: when it was looked at
 * @modified_s: when it was written last, in seconds since 1970
 * @n_rest: bytes behind the last whole record
 * @first_us: time of the first record, see kymo_tau_first_time()
 */
typedef struct
{
  const char    *path;
  gint64         size_bytes;
  gint64         modified_s;
  KymoTauLayout  layout;
  guint          record_bytes;
  gint64         n_records;     /* whole ones */
  gint64         n_rest;
  guint64        first_us;
} KymoTauInput;

typedef enum
{
  KYMO_TAU_INPUT_FINE,
  KYMO_TAU_INPUT_CLOSED,        /* cannot be opened */
  KYMO_TAU_INPUT_EMPTY,
  KYMO_TAU_INPUT_FOREIGN,       /* no trace of TAU */
} KymoTauInputState;

KymoTauInputState kymo_tau_input_look  (KymoTauInput       *input,
                                        const char         *path);
int               kymo_tau_input_open  (const KymoTauInput *input);
guint8           *kymo_tau_input_new_block (const KymoTauInput *input);
guint             kymo_tau_input_read  (const KymoTauInput *input,
                                        int                 fd,
                                        gint64              record,
                                        gint64              end,
                                        guint8             *block);
guint             kymo_tau_input_read_at (const KymoTauInput *input,
                                        int                 fd,
                                        gint64              offset,
                                        guint8             *block);

/* Bytes that are read at once: fewer than a core's own cache holds. */
#define KYMO_TAU_BLOCK_BYTES (96 * 1024 * 2)

G_END_DECLS
