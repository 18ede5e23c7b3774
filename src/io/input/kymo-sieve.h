/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which records of a damaged location are believed, by their times alone.
 *
 * A file in which damage was found is read twice more. The first reading feeds
 * the times of all records to the sieve, in their order; the second asks of
 * each record, in the same order, what to do with it. Files without damage
 * never meet a sieve.
 *
 * The records of a location ascend. Where the time falls by more than
 * %KYMO_SIEVE_STEP_NS, either the few records before the fall are wrong, or the
 * few after it, or the clock was set back: the side with fewer than
 * %KYMO_SIEVE_ROW records in a row is wrong, and where both have as many the
 * step is believed. The same holds of few records at either end that lie far
 * beyond the axis, which is the span of the locations without damage. Of a damaged
 * location no record is believed that lies a tenth of the axis (or 50 ms) beyond it, in
 * however long a row: the next record that fits follows.
 *
 * One thread; memory grows with the number of wrong records alone.
 */
#pragma once

#include "kymo-report.h"
#include "kymo-segment.h"

G_BEGIN_DECLS

/** KYMO_SIEVE_STEP_NS: a fall of the time by less is no sign of damage */
#define KYMO_SIEVE_STEP_NS (1000 * 1000)
/** KYMO_SIEVE_ROW: number of records in a row that are believed if they fit one another */
#define KYMO_SIEVE_ROW 8
/** KYMO_SIEVE_LATE_NS: a last record that should follow at once is not late by less */
#define KYMO_SIEVE_LATE_NS (50 * G_GINT64_CONSTANT (1000000))

/** KYMO_REACH_LEAST_SLACK_NS: locations end at about the same time, in a very short run later */
#define KYMO_REACH_LEAST_SLACK_NS (250 * G_GINT64_CONSTANT (1000000))

typedef struct _KymoSieve KymoSieve;

/**
 * KymoReach:
 * @span: from the first to the last record of a location
 * @early_ns: time of one of its first records, fewer than %KYMO_SIEVE_ROW come before
 * @late_ns: time of one of its last records, fewer than %KYMO_SIEVE_ROW follow
 * @quiet_ns: how long after the record before it the last one comes, where it should come at
 *   once; else 0
 * @known: the location has records
 * @doubtful: damage was found in it
 */
typedef struct
{
  KymoSpan span;
  gint64   early_ns, late_ns;
  gint64   quiet_ns;
  gboolean known;
  gboolean doubtful;
} KymoReach;

gint64     kymo_reach_slack_of    (KymoSpan           span);
gint64     kymo_reach_late_of     (KymoSpan           span);
KymoReach  kymo_reach_of_segment  (const KymoSegment *segment);
gboolean   kymo_reach_is_lopsided (const KymoReach *reach);
gboolean   kymo_reach_find_axis   (KymoReach       *reaches,
                                   guint            n,
                                   KymoSpan        *axis);

KymoSieve *kymo_sieve_new         (const KymoSpan  *axis,
                                   gboolean         resumes);
void       kymo_sieve_free        (KymoSieve       *sieve);
void       kymo_sieve_trust_rows  (KymoSieve       *sieve);
void       kymo_sieve_expect_end  (KymoSieve       *sieve);
void       kymo_sieve_feed        (KymoSieve       *sieve,
                                   gint64           time_ns);
void       kymo_sieve_feed_chosen (KymoSieve       *sieve,
                                   gint64           time_ns);
void       kymo_sieve_mark        (KymoSieve       *sieve);
void       kymo_sieve_turn        (KymoSieve       *sieve);
gboolean   kymo_sieve_pass        (KymoSieve       *sieve,
                                   gint64          *time_ns);
gboolean   kymo_sieve_is_cut       (const KymoSieve *sieve);
gboolean   kymo_sieve_holds       (const KymoSieve *sieve,
                                   gint64           time_ns);
gint64     kymo_sieve_get_raised  (const KymoSieve *sieve);
void       kymo_sieve_report      (const KymoSieve *sieve,
                                   KymoReport      *report,
                                   const char      *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KymoSieve, kymo_sieve_free)

G_END_DECLS
