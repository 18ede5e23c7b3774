/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the two files of write-otf2 share.
 */
#pragma once

#include <glib.h>
#include <otf2/otf2.h>

extern OTF2_Archive *otf2_archive;
extern GHashTable   *otf2_numbers;      /* text -> number of a string + 1 */

/* The I-th field of a line as a number. */
#define N(i) otf2_number (fields[i])

void            otf2_check        (OTF2_ErrorCode code, const char *what);
guint64         otf2_number       (const char *text);
guint           otf2_parse_list   (const char *text, guint64 **list);
OTF2_EvtWriter *otf2_writer_of    (guint64 location);
guint64         otf2_count_events (guint64 location);
OTF2_StringRef  otf2_number_of    (const char *text);
void            otf2_write_event  (char **fields);
void            otf2_write_marker (char **fields);
void            otf2_open_events  (void);
void            otf2_close_events (void);
