/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of one thread of a TAU trace -> a segment, and what the report says about them.
 * The one place where a record of TAU changes a segment.
 *
 * A stream is used by one thread at a time; many of them may be filled at once.
 */
#pragma once

#include "kymo-open-stack.h"
#include "kymo-segment-builder.h"
#include "kymo-sieve.h"
#include "kymo-spill.h"
#include "kymo-tau-events.h"
#include "kymo-tau-layout.h"

G_BEGIN_DECLS

/**
 * KymoTauSample:
 * @event: %NULL once it went to the segment
 *
 * The only sample so far of an event that may be metadata.
 */
typedef struct
{
  const KymoTauEvent *event;
  gint64              time_ns;
} KymoTauSample;

/**
 * KymoTauStream:
 * @last_ns: time of the record before, never less than that of an earlier one
 * @open: functions
 * @sampled: the event whose three records are being read, and how many were
 * @pending: with metrics: enter or leave whose totals follow, or %NULL
 * @aside: (element-type KymoTauSample): samples of events that may be metadata
 * @sample_of: event -> index + 1 in @aside, or %KYMO_TAU_GIVEN
 */
typedef struct
{
  KymoSegmentBuilder  *builder;
  const KymoTauEvents *events;
  guint64              zero_us;         /* time zero of the run */
  guint64              first_us;        /* of the stream */
  gint64               last_ns;
  gboolean             started;
  KymoOpenStack        open;
  const KymoTauEvent  *sampled;
  guint                n_sampled;
  guint                n_metrics;
  const KymoTauEvent  *pending;
  gboolean             pending_enter;
  gint64               pending_ns;
  gint64              *totals;
  guint                n_totals;
  guint64              seen;            /* a bit a metric: which totals came */
  GArray              *aside;
  GHashTable          *sample_of;
  gboolean             closed;
  gint64               n_records;
  /* what was put right or left out, and where the first of it stands */
  gint64               n_unlisted, unlisted_offset;
  gint64               n_far, n_backwards, n_not_begun, n_overlapping, n_odd, n_torn, n_stray;
  gint64               n_falls;         /* times far below the one before */
  gint64               clock_offset_us;
  KymoSieve           *sieve;           /* of a doubtful thread */
  gboolean             surveying;       /* the sieve's first reading */
  gsize                charged_bytes;
} KymoTauStream;

/* In place of an index: the event is no metadata, its samples are in the segment. */
#define KYMO_TAU_GIVEN G_MAXUINT32

void         kymo_tau_stream_init   (KymoTauStream       *stream,
                                     guint                location,
                                     guint                n_functions,
                                     guint                n_metrics,
                                     guint64              zero_us,
                                     guint64              first_us);
void         kymo_tau_stream_clear  (KymoTauStream       *stream);
void         kymo_tau_stream_take   (KymoTauStream       *stream,
                                     const KymoTauRecord *record,
                                     gint64               offset);
void         kymo_tau_stream_mark   (KymoTauStream       *stream);
gint64       kymo_tau_stream_count_damage (const KymoTauStream *stream);
gboolean     kymo_tau_stream_is_doubtful (const KymoTauStream *stream);
KymoSegment *kymo_tau_stream_seal   (KymoTauStream       *stream,
                                     KymoRepairs         *repairs);
gboolean     kymo_tau_stream_charge (KymoTauStream       *stream,
                                     KymoSpill           *spill);
void         kymo_tau_stream_report (const KymoTauStream *stream,
                                     const KymoRepairs   *repairs,
                                     KymoReport          *report,
                                     const char          *file,
                                     gboolean             growing);

G_END_DECLS
