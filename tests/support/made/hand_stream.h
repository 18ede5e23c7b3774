/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stream made by hand of random numbers, beside what it was made of, for
 * tests that count by themselves.
 */
#pragma once

#include "kymo-run.h"

G_BEGIN_DECLS

/**
 * HandStream:
 * @n_activities: ids are 10, 11, …; names "Cell::work 0", …
 * @ns: by millisecond and activity
 * @lost: by second: its block was lost
 */
typedef struct
{
  KymoRun *run;
  guint    n_seconds;
  guint    n_activities;
  guint32 *ns;
  guint8  *lost;
} HandStream;

/**
 * HandStreamBins: of the first half of the stream; the rest has bins of 1 ms
 */
typedef enum
{
  HAND_STREAM_1_MS,
  HAND_STREAM_10_MS,
  HAND_STREAM_1_S,
  HAND_STREAM_10_S,
} HandStreamBins;

/* `lose`: one second in so many is lost; 0 = none. 4 PEs. */
HandStream *hand_stream_new    (guint32           seed,
                                guint             n_seconds,
                                guint             n_activities,
                                guint             lose,
                                HandStreamBins    bins);
void        hand_stream_free   (HandStream       *stream);
/* Time of an activity between two milliseconds. */
gint64      hand_stream_sum    (const HandStream *stream,
                                guint             activity,
                                guint             from_ms,
                                guint             to_ms);
/* Of these milliseconds those that were not lost. */
guint       hand_stream_traced (const HandStream *stream,
                                guint             from_ms,
                                guint             to_ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HandStream, hand_stream_free)

G_END_DECLS
