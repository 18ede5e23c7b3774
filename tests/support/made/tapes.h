/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small recording of a stream on the disk, and what was written to it: for tests that damage
 * it, or refuse it.
 */
#pragma once

#include "blocks.h"
#include "kymo-stream-file.h"

#define TAPE_FRAMES 9

typedef struct
{
  char      *folder;
  char      *path;
  GPtrArray *frames;            /* that were written */
  GArray    *ends;              /* gint64: end of header and of each frame */
  char      *bytes;             /* the whole recording */
  gsize      n_bytes;
} Tape;

gboolean tape_is_same (const KymoStreamFrame *a,
                       const KymoStreamFrame *b);
void tape_up (Tape         *tape,
              gconstpointer data);
void tape_down (Tape         *tape,
                gconstpointer data);
void tape_put (Tape       *tape,
               const char *bytes,
               gsize       n_bytes);
gint64 tape_end_of (Tape *tape,
                    guint i);
GPtrArray *tape_read_all (const char *path,
                          KymoReport *report);
void tape_assert_first (GPtrArray *frames,
                        Tape      *tape,
                        guint      n);
guint tape_count_known (GPtrArray *frames,
                        Tape      *tape);
