/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs written in the formats of other programs. What a format cannot hold is left out
 * and told, sentence by sentence; nothing takes the place of anything, and where writing
 * fails nothing is left.
 */
#pragma once

#include "kymo-id-set.h"
#include "kymo-job.h"
#include "kymo-run.h"

G_BEGIN_DECLS

/**
 * KymoConvertFormat:
 * @KYMO_CONVERT_TAU_PROFILE: a folder of profiles in text, as TAU writes them
 * @KYMO_CONVERT_TAU_TRACE: a folder with a trace, as TAU writes them. It holds what is
 *   needed so that Kymo sees the range in it as in the whole run, and a note of that
 * @KYMO_CONVERT_OTF2: a folder with an OTF2 archive, and a note as that of a trace of TAU
 * @KYMO_CONVERT_CHROME_JSON: one file of trace events, as Chrome and Perfetto read
 * @KYMO_CONVERT_CSV: one table of records
 */
typedef enum
{
  KYMO_CONVERT_TAU_PROFILE,
  KYMO_CONVERT_TAU_TRACE,
  KYMO_CONVERT_OTF2,
  KYMO_CONVERT_CHROME_JSON,
  KYMO_CONVERT_CSV,
} KymoConvertFormat;

/**
 * KymoConvertWish:
 * @span: of traces: inside the run's span
 * @locations: (nullable): these alone
 * @out: where; must not exist
 * @last: of profiles made of a trace: length of a path: the last functions; 0 = none
 * @depth: paths from the root, at most so long; 0 = none
 * @by_phase: paths "phase => function"
 * @as_part: profiles, too, get a note of what they are a part of
 * @note: (nullable): of files of TAU: what is noted of a reduction (a key file)
 */
typedef struct
{
  KymoConvertFormat format;
  KymoSpan          span;
  KymoIdSet        *locations;
  const char       *out;
  guint             last, depth;
  gboolean          by_phase;
  gboolean          as_part;
  const char       *note;
  guint             n_threads;
} KymoConvertWish;

/**
 * KymoConvertResult:
 * @n_locations: that were written
 * @n_records: rows, events or figures
 * @left_out: (element-type utf8): what the format cannot hold, a sentence each
 */
typedef struct
{
  guint      n_locations;
  gint64     n_records;
  gint64     n_bytes;
  GPtrArray *left_out;
} KymoConvertResult;

gboolean kymo_convert_format_from_string (const char            *word,
                                          KymoConvertFormat     *format);
gboolean kymo_convert_write              (KymoRun               *run,
                                          const KymoConvertWish *wish,
                                          KymoConvertResult     *result,
                                          KymoJob               *job,
                                          GError               **error);
void     kymo_convert_result_clear       (KymoConvertResult     *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KymoConvertResult, kymo_convert_result_clear)

G_END_DECLS
