/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file is that no reader of Kymo opens: by its content, and by its name where the
 * content tells nothing. For the sentence that says what to do with it.
 *
 * Looks at the first and last kilobytes only. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * KymoKnownFile: what a file is, as table kymo_known_files has it
 * @what: with its article, for "“…” is …"; to be translated
 * @advice: (nullable): what to do, one or two sentences; to be translated
 * @recorded: something was measured and lies in the file: worth a mention where a
 *   folder has one
 */
typedef struct
{
  const char *what;
  const char *advice;
  gboolean    recorded;
} KymoKnownFile;

typedef enum
{
  KYMO_KNOWN_CUBE,
  KYMO_KNOWN_PARAVER,
  KYMO_KNOWN_CALIPER,
  KYMO_KNOWN_CHROME,
  KYMO_KNOWN_SPEEDSCOPE,
  KYMO_KNOWN_PERFETTO,
  KYMO_KNOWN_PERF_DATA,
  KYMO_KNOWN_PERF_SCRIPT,
  KYMO_KNOWN_FOLDED,
  KYMO_KNOWN_HPCTOOLKIT,
  KYMO_KNOWN_PERFSUITE,
  KYMO_KNOWN_GMON,
  KYMO_KNOWN_PPROF,
  KYMO_KNOWN_NSIGHT,
  KYMO_KNOWN_MPE,
  KYMO_KNOWN_OTF1,
  KYMO_KNOWN_DARSHAN,
  KYMO_KNOWN_FTRACE,
  KYMO_KNOWN_PROGRAM,
  KYMO_KNOWN_OBJECT,
  KYMO_KNOWN_CORE,
  KYMO_KNOWN_TAR,
  KYMO_KNOWN_ZIP,
  KYMO_KNOWN_ARCHIVE,
  KYMO_KNOWN_COMPRESSED,
  KYMO_KNOWN_IMAGE,
  KYMO_KNOWN_PDF,
  KYMO_KNOWN_SQLITE,
  KYMO_KNOWN_HDF5,
  KYMO_KNOWN_DESK,
  KYMO_KNOWN_SCRIPT,
  KYMO_KNOWN_HTML,
  KYMO_KNOWN_XML,
  KYMO_KNOWN_JSON,
  KYMO_KNOWN_TEXT,
  KYMO_KNOWN_EMPTY,
  KYMO_KNOWN_PIPE,
  KYMO_KNOWN_DEVICE,
  KYMO_KNOWN_BINARY,
  KYMO_KNOWN_N,
  KYMO_KNOWN_NOTHING = KYMO_KNOWN_N,
} KymoKnown;

/**
 * KymoHead: the begin of a file, inflated where it is gzip, and its end
 * @bytes: there is a NUL behind them
 * @end: its last kilobytes; none where the file is compressed
 * @is_text: whether @bytes look like text
 */
typedef struct
{
  const char *bytes;
  gsize       n_bytes;
  const char *end;
  gsize       n_end;
  gboolean    is_text;
} KymoHead;

extern const KymoKnownFile kymo_known_files[KYMO_KNOWN_N];

KymoKnown kymo_recognize      (const char     *path,
                               gboolean       *compressed,
                               int            *code);
KymoKnown kymo_recognize_text (const KymoHead *head);

G_END_DECLS
