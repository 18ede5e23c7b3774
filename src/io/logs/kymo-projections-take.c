/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between decoders and the segment: what is counted of each record, which records of a damaged
 * log are left out, and the memory that a log takes.
 */
#include "config.h"

#include "kymo-projections-records.h"

static inline void
set_bit (guint64 *bits,
         gint64   i)
{
  bits[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
}

static void
collect_ids (KymoLogIds          *ids,
             const KymoLogRecord *r)
{
  switch (r->type)
    {
    case CREATION:
    case CREATION_BCAST:
    case CREATION_MULTICAST:
    case BEGIN_PROCESSING:
      if (r->id >= 0 && r->id < KYMO_STS_MAX_ENTRY_ID)
        set_bit (ids->entries, r->id);
      break;
    case USER_EVENT:
    case BEGIN_PAIR:
    case END_PAIR:
    case EVENT_PAIR:
      set_bit (ids->events, r->id & (KYMO_STS_N_EVENT_IDS - 1));
      break;
    default:
      break;
    }
}

/* Asks the sieve of a damaged log. Records that are left out for another reason never meet it. */
static gboolean
is_wrong (KymoLogState  *log,
          KymoLogRecord *record)
{
  if (!kymo_record_type_is_known (record->type) || kymo_log_is_far (log, record->time_ns))
    return !log->surveying && kymo_sieve_is_cut (log->sieve);
  return !kymo_projections_sift (log, record->type, &record->time_ns)
    || (record->type == BRACKETED_NOTE && !kymo_sieve_holds (log->sieve, record->end_ns));
}

/* Ends of blocks were lost in damage: idle time begins and ends in no block, and a block ends
   by a record of its own entry method. */
static void
find_lost_ends (KymoLogState *log,
                gint64        type,
                gint64        id)
{
  gboolean is_idle = type == BEGIN_IDLE || type == END_IDLE;

  if (!log->lost_ends || (!is_idle && type != END_PROCESSING))
    return;
  if (!is_idle && kymo_segment_builder_is_innermost (log->builder, kymo_log_activity (log, id)))
    return;
  kymo_segment_builder_close_lost (log->builder);
  log->lost_ends = FALSE;
}

static inline void
note_type (KymoLogState *log,
           gint64        type)
{
  gboolean ends = type == END_COMPUTATION || type == END_PHASE;

  log->n_cuts += ends && (log->last_type == BEGIN_COMPUTATION || log->last_type == END_PHASE);
  if (G_UNLIKELY (type == BEGIN_INTERRUPT && log->n_unflushed < 0))
    log->n_unflushed = log->n_records - 1;
  log->n_substance += !ends && type != BEGIN_COMPUTATION;
  log->ends_work = type == END_COMPUTATION && log->last_type != BEGIN_COMPUTATION
    && log->last_type != END_PHASE && log->last_type != END_TRACE;
  log->last_type = type;
}

static void
take_doubtful (KymoLogState        *log,
               const KymoLogRecord *record)
{
  KymoLogRecord sifted = *record;

  if (is_wrong (log, &sifted))
    {
      log->lost_ends = TRUE;
      return;
    }
  if (log->surveying)
    return;
  note_type (log, sifted.type);
  find_lost_ends (log, sifted.type, sifted.id);
  kymo_projections_apply (log, &sifted);
}

static void
take_doubtful_plain (KymoLogState          *log,
                     const KymoPlainRecord *record)
{
  KymoPlainRecord sifted = *record;

  if (kymo_log_is_far (log, sifted.time_ns) ? log->surveying || kymo_sieve_is_cut (log->sieve)
      : !kymo_projections_sift (log, sifted.type, &sifted.time_ns))
    return;
  log->n_substance++;
  log->last_type = sifted.type;
  find_lost_ends (log, sifted.type, sifted.id);
  kymo_projections_apply_plain (log, &sifted, 1);
}

/**
 * kymo_projections_take_plain:
 * @records: (array length=n): as kymo_projections_apply_plain()
 *
 * The next records of the log, in their order.
 */
void
kymo_projections_take_plain (KymoLogState          *log,
                             const KymoPlainRecord *records,
                             guint                  n)
{
  log->n_records += n;
  if (G_UNLIKELY (log->sieve != NULL))
    {
      for (guint i = 0; i < n; i++)
        take_doubtful_plain (log, &records[i]);
      return;
    }
  log->n_substance += n;
  log->last_type = records[n - 1].type;
  kymo_projections_apply_plain (log, records, n);
}

/**
 * kymo_projections_take:
 * @record: what a decoder made
 *
 * One more record of the log, in their order.
 */
void
kymo_projections_take (KymoLogState        *log,
                       const KymoLogRecord *record)
{
  if (G_UNLIKELY (log->sieve != NULL))
    {
      take_doubtful (log, record);
      return;
    }
  note_type (log, record->type);
  if (G_UNLIKELY (log->ids != NULL))
    collect_ids (log->ids, record);
  else
    kymo_projections_apply (log, record);
}

/**
 * kymo_projections_count_damage:
 * @n: lines or bytes that are no records
 * @offset: of the first
 *
 * Behind the end of the computation the runtime writes nothing: there they are
 * none of it.
 */
void
kymo_projections_count_damage (KymoLogState *log,
                               gint64        n,
                               gint64        offset)
{
  gboolean after_end = log->last_type == END_COMPUTATION;
  gint64 *count = after_end ? &log->n_rubbish : &log->n_damaged;

  if (G_UNLIKELY (log->surveying))
    kymo_sieve_mark (log->sieve);
  else if (log->sieve != NULL && kymo_sieve_is_cut (log->sieve))
    return;
  log->lost_ends = log->sieve != NULL;
  if (*count == 0)
    *(after_end ? &log->rubbish_offset : &log->damaged_offset) = offset;
  *count += n;
}

static gboolean
charge_projections_records (KymoLogState *log)
{
  gsize bytes = kymo_segment_builder_get_bytes (log->builder), before = log->charged_bytes;

  log->charged_bytes = bytes;
  return kymo_spill_charge (log->request->spill, (gint64) (bytes - before));
}

/**
 * kymo_projections_charge:
 *
 * To be called every few ten thousand records.
 *
 * Returns: %FALSE when the memory limit was reached: by what cannot go to the
 * disk, or because that has no room
 */
gboolean
kymo_projections_charge (KymoLogState *log)
{
  if (log->builder == NULL || charge_projections_records (log))
    return TRUE;
  kymo_segment_builder_use_scratch (log->builder);
  charge_projections_records (log);
  return !kymo_spill_is_over (log->request->spill);
}
