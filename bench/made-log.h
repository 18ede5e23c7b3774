/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing text logs of Projections, plain or compressed, and the random
 * numbers of the programs that make runs. A log belongs to one thread.
 */
#pragma once

#include <glib.h>
#include <zlib.h>

G_BEGIN_DECLS

/** MadeLog: one log that is being written, and its random numbers */
typedef struct
{
  char     *path;
  int       fd;
  gzFile    gz;                 /* (nullable): of a compressed one */
  char     *buffer;
  char     *next;
  guint64   random;
  gboolean  failed;
} MadeLog;

gboolean    made_log_open         (MadeLog        *log,
                                   const char     *folder,
                                   gint64          pe,
                                   gboolean        compressed,
                                   guint64         seed);
gboolean    made_log_close        (MadeLog        *log);
void        made_log_text         (MadeLog        *log,
                                   const char     *text);
void        made_log_record       (MadeLog        *log,
                                   const gint64   *fields,
                                   guint           n);
guint64     made_random           (guint64        *state);
guint       made_below            (MadeLog        *log,
                                   guint           n);

/** PUT: a record of whole numbers */
#define PUT(log, ...)                                                 \
  made_log_record ((log), (const gint64[]) { __VA_ARGS__ },           \
                   sizeof ((const gint64[]) { __VA_ARGS__ }) / sizeof (gint64))

G_END_DECLS
