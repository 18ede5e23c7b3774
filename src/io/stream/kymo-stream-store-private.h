/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a store of a stream is, for the two files that make it.
 */
#pragma once

#include "kymo-stream-journal.h"
#include "kymo-stream-levels.h"
#include "kymo-stream-names.h"
#include "kymo-stream-store.h"

G_BEGIN_DECLS

/* Why blocks could not be read. */
typedef struct
{
  char  *sentence;
  gint64 n;
} KymoStreamReason;

struct _KymoStreamStore
{
  char              *title;
  gint64             budget_bytes;
  KymoStreamDecoder *decoder;
  KymoStreamLevels  *levels;
  KymoStreamJournal  journal;
  KymoStreamNames   *names;
  GArray            *ids;               /* gint32, by index of the activity */
  guint32           *state_of;          /* by id + 1; 0 = did not come yet */
  gint64            *second_ns;         /* by index of the activity */
  guint              room;              /* of second_ns */
  KymoRun           *tables;            /* activities and facts of the next
                                           snapshot; NULL = to be made */
  GPtrArray         *facts;             /* "key", "value", … of the form */
  GArray            *reasons;           /* KymoStreamReason */
  gint64             n_other_reasons;
  gint64             n_folded;          /* ids that count as others */
  gint64             n_cut_bins;
  gint64             n_records;
  gint64             end_ns;            /* of the bins */
  gboolean           has_bins;
};

G_END_DECLS
