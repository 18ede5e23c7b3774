/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which records of a log are needed so that a reader shows a stretch of time
 * as the whole log would: a bit each.
 */
#pragma once

#include "kymo-projections-record.h"
#include "kymo-span.h"

G_BEGIN_DECLS

typedef struct _KymoExtractMarks KymoExtractMarks;

KymoExtractMarks *kymo_extract_marks_new      (KymoSpan             span,
                                               gboolean             to_end);
void              kymo_extract_marks_free     (KymoExtractMarks    *marks);
gboolean          kymo_extract_marks_take     (KymoExtractMarks    *marks,
                                               const KymoLogRecord *record);
gboolean          kymo_extract_marks_end      (KymoExtractMarks    *marks);
gboolean          kymo_extract_marks_has_calls (KymoExtractMarks   *marks);
gboolean          kymo_extract_marks_take_again (KymoExtractMarks  *marks,
                                               const KymoLogRecord *record);
gint64            kymo_extract_marks_count    (KymoExtractMarks    *marks);
gboolean          kymo_extract_marks_next     (KymoExtractMarks    *marks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoExtractMarks, kymo_extract_marks_free)

G_END_DECLS
