/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of reading one log: between the stream (kymo-projections-log.c),
 * the decoders (kymo-projections-record.h) and the segment
 * (kymo-projections-records.c).
 */
#pragma once

#include "kymo-lines.h"
#include "kymo-projections-stretched.h"
#include "kymo-projections-log.h"
#include "kymo-projections-record.h"
#include "kymo-segment-builder.h"
#include "kymo-sieve.h"

G_BEGIN_DECLS

typedef struct
{
  const KymoLogRequest *request;
  const KymoSts        *sts;
  KymoSegmentBuilder   *builder;
  gint64                n_records;
  gint64                n_damaged;      /* lines, or bytes of the binary form */
  gint64                damaged_offset;
  gint64                n_rubbish;      /* the same, after END_COMPUTATION */
  gint64                rubbish_offset;
  gint64                early_ns;       /* middle of its first times, or G_MININT64 */
  gint64                n_far;          /* records far from it in time */
  gint64                before_ns;      /* time of the record before */
  gint64                quiet_ns;       /* between a record of work and END_COMPUTATION behind it */
  gint64                n_falls;        /* times far below the one before */
  KymoSieve            *sieve;          /* of a damaged log */
  gboolean              lost_ends;      /* of blocks, in damage since the last idle time */
  gboolean              surveying;      /* the sieve's first reading: nothing is applied */
  gint64                n_short_counters;
  gint64                n_unknown;
  gint64                n_unknown_entries;
  gint64                n_unknown_sources;
  gint64                n_open_brackets;
  gint64                n_substance;    /* records beside 6, 7 and 30 */
  gint64                n_cuts;         /* phases, or whole runs, without any record */
  gint64                n_unflushed;    /* records before the log was flushed first, or -1 */
  gint64                last_type;
  gboolean              ends_work;      /* that is END_COMPUTATION behind a record of work */
  GHashTable           *brackets;       /* of 98: id and nesting -> stack */
  GHashTable           *open_functions; /* of 22: id -> stack */
  gint64                pair_id;        /* the first line of a 100 */
  gint64                pair_begin_ns;
  gboolean              in_pair;
  KymoLogLayout         layout;
  gboolean              binary;
  gint64                n_announced;    /* records, by the header */
  gint64                cpu_begin_us;   /* processor time at the first begin of a block, or -1 */
  gint64                cpu_end_us;     /* at the last end of a block, or -1 */
  KymoLogCpu           *cpu;            /* of blocks; NULL = not told, or not to be believed */
  gsize                 charged_bytes;  /* to the request's account */
  KymoLogIds           *ids;            /* scanning: only these are wanted */
} KymoLogState;

/* The activity of an entry method by its number in the log. */
static inline guint32
kymo_log_activity (KymoLogState *log,
                   gint64        id)
{
  const KymoSts *sts = log->sts;

  if (G_LIKELY (id >= 0 && id < sts->n_entries && sts->entries[id].activity != G_MAXUINT32))
    return sts->entries[id].activity;
  log->n_unknown_entries++;
  return sts->unknown_entry;
}

/* A digit too many in one time would stretch the run over centuries, and sums
   over many of them overflow. 2^53 ns are 104 days. */
#define KYMO_LOG_MAX_SPAN_NS (G_GINT64_CONSTANT (1) << 53)

/* Whether a time is too far from the first times of the log to be one of it. */
static inline gboolean
kymo_log_is_far (KymoLogState *log,
                 gint64        time_ns)
{
  if (G_UNLIKELY (log->early_ns == G_MININT64))
    log->early_ns = time_ns;
  return ABS (time_ns - log->early_ns) > KYMO_LOG_MAX_SPAN_NS;
}

void kymo_projections_apply (KymoLogState        *log,
                             const KymoLogRecord *record);

void kymo_projections_apply_plain (KymoLogState          *log,
                                   const KymoPlainRecord *records,
                                   guint                  n);

/* Which records are applied: kymo-projections-take.c */
void kymo_projections_take        (KymoLogState        *log,
                                   const KymoLogRecord *record);
void kymo_projections_take_plain  (KymoLogState          *log,
                                   const KymoPlainRecord *records,
                                   guint                  n);
void kymo_projections_count_damage (KymoLogState *log,
                                   gint64        n,
                                   gint64        offset);
gboolean kymo_projections_charge  (KymoLogState *log);

/* Processor time of the PE: kymo-projections-cpu.c */
void     kymo_projections_see_cpu_lines (KymoLogState *log,
                                   const char         *block,
                                   const char         *end);
void     kymo_projections_see_cpu (KymoLogState        *log,
                                   const KymoLogRecord *record);
gint64   kymo_projections_cpu_ns  (const KymoLogState  *log);

/* Reading the records of a text log: kymo-projections-lines.c */
void     kymo_projections_take_lines (KymoLogState          *log,
                                   const char            *block,
                                   gint64                 block_offset,
                                   const KymoPlainRecord *records,
                                   guint                  n);
void     kymo_projections_read_block (KymoLogState *log,
                                   KymoJob      *job,
                                   const char   *block,
                                   gint64        block_offset,
                                   const char   *next,
                                   const char   *end);
gboolean kymo_projections_read_text (KymoLogState *log,
                                   KymoLines    *lines);
void     kymo_projections_scan_text (KymoLogState *log,
                                   KymoLines    *lines);

/* The same by several threads: kymo-projections-team.c */
gboolean kymo_projections_may_share (const KymoLogState *log,
                                   const KymoLines    *lines);
gboolean kymo_projections_share_text (KymoLogState *log,
                                   KymoLines    *lines);

/* Reading damaged logs with care: kymo-projections-doubt.c */
KymoLogCare kymo_projections_find_care (const KymoLogState *log,
                                   const KymoLines    *lines);
void     kymo_projections_note_fall (KymoLogState        *log,
                                   const KymoLogRecord *record);
gboolean kymo_projections_sift    (KymoLogState *log,
                                   gint64        type,
                                   gint64       *time_ns);
KymoSieve *kymo_projections_survey (const KymoLogRequest *request,
                                   KymoJob              *job);
gboolean kymo_projections_read_records (KymoLogState *log,
                                   KymoLines    *lines,
                                   gint64       *n_misfits);

/* Visiting records without a segment: kymo-projections-walk.c */
void     kymo_projections_log_init  (KymoLogState         *log,
                                     const KymoLogRequest *request);
void     kymo_projections_log_clear (KymoLogState *log);
gboolean kymo_projections_find_form (KymoLogState *log,
                                     KymoLines    *lines,
                                     gboolean     *is_binary);
gint64   kymo_projections_check_names (KymoLogState *log,
                                     KymoLines    *lines);

void kymo_projections_report_no_log  (KymoLogState      *log,
                                      KymoLines         *lines,
                                      KymoInflate       *inflate);
void kymo_projections_report_end     (KymoLogState      *log,
                                      KymoLines         *lines,
                                      KymoInflate       *inflate);
void kymo_projections_report_records (KymoLogState      *log,
                                      const KymoRepairs *repairs,
                                      gint64             n_missing);

G_END_DECLS
