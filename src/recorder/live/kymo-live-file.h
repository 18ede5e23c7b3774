/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rank 0 leaves in the folder of the run: `live/live.kymostream`, the stream in the form of
 * recordings (docs/formats/stream.md), `live/live.util.sts`, its names, and `live.address` while it
 * serves. Errors end the recording; the program and the live view go on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KYMO_LIVE_MOST_FILE (256u << 20)        /* bytes of the recording */

/* Kinds of frames. */
enum { KYMO_LIVE_FRAME_FORM = 1, KYMO_LIVE_FRAME_REPLY = 2, KYMO_LIVE_FRAME_NAMES = 4,
       KYMO_LIVE_FRAME_STATE = 6, KYMO_LIVE_FRAME_END = 7, KYMO_LIVE_FRAME_VALUES = 8 };

typedef struct
{
  int fd;                       /* -1: nothing is recorded (any more) */
  uint64_t n_bytes;
  uint32_t n_frames;
  char names_path[4700];
  char address_path[4700];
} KymoLiveFile;

#pragma GCC visibility push (hidden)

bool kymo_live_file_open    (KymoLiveFile *file,
                             const char   *folder,
                             const char   *version);
void kymo_live_file_frame   (KymoLiveFile *file,
                             uint32_t      kind,
                             int64_t       begin_ns,
                             const void   *bytes,
                             size_t        n_bytes);
void kymo_live_file_names   (KymoLiveFile *file,
                             const char   *sts,
                             size_t        n_bytes);
bool kymo_live_file_address (KymoLiveFile *file,
                             const char   *address);
void kymo_live_file_end     (KymoLiveFile *file,
                             const char   *why,
                             int64_t       end_ns);
uint32_t kymo_live_crc      (uint32_t      crc,
                             const void   *bytes,
                             size_t        n_bytes);

#pragma GCC visibility pop
